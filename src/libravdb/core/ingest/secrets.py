"""Secrets are masked before anything is stored: `[secret: github token]` stands where the token stood.

What was masked is counted by kind and nowhere kept: not in reasons, not in errors, not in a digest. Masking a masked
text changes nothing.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from libravdb.core.ingest.secret_entropy import CANDIDATE, is_random, is_unexplained
from libravdb.core.ingest.secret_exceptions import Allowed, read_allowed
from libravdb.core.ingest.secret_keys import find_private_keys
from libravdb.core.ingest.secret_patterns import PATTERNS, Pattern, secret_span
from libravdb.core.ingest.settings import DEFAULTS, IngestSettings
from libravdb.model import IncomingTurn, Json, Masked
from libravdb.model.turn_metadata import IS_SECRET_ONLY, SECRETS

PRIVATE_KEY = "private key"
RANDOM = "random string"
KINDS = (PRIVATE_KEY, *(pattern.kind for pattern in PATTERNS), RANDOM)
"""Every kind of secret, in the order of precedence where two claim the same letters."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class _SecretSpan:
    start: int
    rank: int
    end: int


def mask_secrets(text: str, settings: IngestSettings = DEFAULTS) -> Masked:
    """The text with every secret replaced by a marker that names its kind."""
    counts: Counter[str] = Counter()
    if settings.mask_secrets:
        allowed = read_allowed(settings.secret_allow)
        while spans := _merged(_find(text, settings, allowed)):  # a mask may lay bare what stood right behind it
            counts.update(KINDS[span.rank] for span in spans)
            text = _replaced(text, spans)
    return Masked(text=text, counts=dict(counts), is_secret_only=is_secret_only(text))


def mask_said(said: IncomingTurn, settings: IngestSettings = DEFAULTS) -> IncomingTurn:
    """What was said, without its secrets; their counts go into the metadata."""
    if said.skipped:
        return replace(said, text=mask_secrets(said.text, settings).text)
    masked = mask_secrets(said.text, settings)
    if not masked.counts:
        return said
    facts: dict[str, Json] = {SECRETS: dict(masked.counts), IS_SECRET_ONLY: masked.is_secret_only}
    return replace(said, text=masked.text, metadata={**said.metadata, **facts})


_MARKER = re.compile(rf"\[secret: (?:{'|'.join(map(re.escape, KINDS))})\]")
_NAMES = re.compile(
    r"\b(?:export|set|authorization|bearer|basic|[\w.-]{1,80}(?=[\"']?\s{0,3}[:=]))|https?://\S{0,200}", re.IGNORECASE
)


def is_secret_only(text: str) -> bool:
    """Whether a masked text has markers and, beside the names that secrets were assigned to, no word."""
    if "[secret: " not in text:
        return False
    rest, markers = _MARKER.subn(" ", text)
    return markers > 0 and not any(c.isalnum() for c in _NAMES.sub(" ", rest))


# ── finding ───────────────────────────────────────────────────────────────────────────────────────────────


def _find(text: str, settings: IngestSettings, allowed: Allowed) -> Iterator[_SecretSpan]:
    for start, end in find_private_keys(text):
        yield _SecretSpan(start=start, end=end, rank=0)
    small = text.lower()
    for rank, pattern in enumerate(PATTERNS, start=1):
        if not pattern.hints or any(hint in small for hint in pattern.hints):
            yield from _find_pattern(text, pattern, rank, allowed)
    if settings.secret_length:
        yield from _find_random(text, settings, allowed)


_REST = re.compile(r"[A-Za-z0-9_-]*+")
_PUNCTUATION = ".,!?:;)”’"


def _find_pattern(text: str, pattern: Pattern, rank: int, allowed: Allowed) -> Iterator[_SecretSpan]:
    """Every secret of one kind. It reaches to the end of its word: nothing of a key may remain beside its marker."""
    position = 0
    while found := pattern.regex.search(text, position):
        start, end = secret_span(found)
        if not pattern.check(found) or allowed.permits(text[start:end]):
            position = max(found.end(), found.start() + 1)
            continue
        rest = _REST.match(text, end)
        end = rest.end() if rest else end
        while end - start > 4 and text[end - 1] in _PUNCTUATION:
            end -= 1
        yield _SecretSpan(start=start, end=end, rank=rank)
        position = max(end, found.end())


def _find_random(text: str, settings: IngestSettings, allowed: Allowed) -> Iterator[_SecretSpan]:
    for found in CANDIDATE.finditer(text):
        if not is_random(found[0], length=settings.secret_length, bits=settings.secret_bits):
            continue
        if is_unexplained(found) and not allowed.permits(found[0]):
            yield _SecretSpan(start=found.start(), end=found.end(), rank=len(KINDS) - 1)


def _merged(found: Iterator[_SecretSpan]) -> list[_SecretSpan]:
    """Spans apart from each other; where they overlap, the kind that stands first in the registry names them."""
    merged: list[_SecretSpan] = []
    for span in sorted(found):
        if merged and span.start < merged[-1].end:
            last = merged[-1]
            merged[-1] = _SecretSpan(start=last.start, end=max(last.end, span.end), rank=min(last.rank, span.rank))
        else:
            merged.append(span)
    return merged


def _replaced(text: str, spans: list[_SecretSpan]) -> str:
    pieces: list[str] = []
    position = 0
    for span in spans:
        pieces += (text[position : span.start], f"[secret: {KINDS[span.rank]}]")
        position = span.end
    return "".join((*pieces, text[position:]))


# ── the reference ─────────────────────────────────────────────────────────────────────────────────────────

WHAT = {
    PRIVATE_KEY: "Private keys in PEM, OpenSSH and PGP form, whole, on one line, or cut off at either end",
    **{pattern.kind: pattern.what for pattern in PATTERNS},
    RANDOM: "Strings without a known form that are too irregular for anything else",
}


def markdown() -> str:
    """The table of every kind, as `docs/reference/messages.md` holds it."""
    rows = "".join(f"| {kind} | {WHAT[kind]} |\n" for kind in KINDS)
    return f"| marker | what is masked |\n|---|---|\n{rows}"


if __name__ == "__main__":
    sys.stdout.write(markdown())
