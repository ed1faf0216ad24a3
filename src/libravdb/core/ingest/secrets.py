"""Secrets are masked before anything is stored: `[secret: github token]` stands where the token stood.

What was masked is counted by kind and nowhere kept: not in reasons, not in errors, not in a digest. Masking a masked
text changes nothing.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from hashlib import pbkdf2_hmac

from libravdb.core.ingest.secret_entropy import CANDIDATE, is_random, is_unexplained
from libravdb.core.ingest.secret_exceptions import Allowed, read_allowed
from libravdb.core.ingest.secret_keys import find_private_keys
from libravdb.core.ingest.secret_labels import ASSIGNED, CODE, LABELS, PHRASE, STATED, find_labelled
from libravdb.core.ingest.secret_numbers import ACCOUNT, CARD, SOCIAL, find_numbers
from libravdb.core.ingest.secret_patterns import PATTERNS, Pattern, secret_span
from libravdb.core.ingest.secret_tokens import FORMS, SERVICES, find_tokens
from libravdb.core.ingest.settings import DEFAULTS, IngestSettings
from libravdb.model import IncomingTurn, Json, Masked, Metadata
from libravdb.model.turn_metadata import IS_SECRET_ONLY, SECRETS

PRIVATE_KEY = "private key"
SERVICE = "service token"
RANDOM = "random string"
_TOLD = (SERVICE, CARD, ACCOUNT, SOCIAL, PHRASE, ASSIGNED, STATED, CODE)
KINDS = (PRIVATE_KEY, *(pattern.kind for pattern in PATTERNS), *_TOLD, RANDOM)
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
            text = _replaced(text, spans, lambda span, _: f"[secret: {KINDS[span.rank]}]")
    return Masked(text=text, counts=dict(counts), is_secret_only=is_secret_only(text))


def secrets_in(text: str) -> set[str]:
    """The secrets of a text themselves, for whoever has to hide them elsewhere."""
    return {text[span.start : span.end] for span in _merged(_find(text, DEFAULTS, read_allowed(())))}


def mask_name(name: str, settings: IngestSettings = DEFAULTS) -> str:
    """A name (an id, a session, a namespace) with a digest in place of each secret, so that it still tells one thing
    from another.

    Names are random by nature and have colons and long numbers in them: here only a form of its own, a card in groups,
    or a label with `=` or with `:` and a blank tells a secret.
    """
    if settings.mask_secrets:
        settings = replace(settings, secret_length=0)
        allowed = read_allowed(settings.secret_allow)
        while spans := [span for span in _merged(_find(name, settings, allowed)) if not _is_part(name, span)]:
            name = _replaced(name, spans, lambda _, secret: f"[secret:{_digest(secret)}]")
    return name


def _is_part(name: str, span: _SecretSpan) -> bool:
    """Whether it is only a part of a name: the value behind a label (`token:2024-report`), the number that a host gave
    somebody, or a digest of ours that happens to count like a card or an account."""
    secret = name[span.start : span.end]
    if KINDS[span.rank] in (CARD, ACCOUNT):
        is_digest = secret.islower() or name[: span.start].endswith(_BEFORE_DIGESTS)
        is_number = KINDS[span.rank] == CARD and _LONG_NUMBER.match(secret) is not None
        return is_number or (is_digest and " " not in secret)
    is_told = _TELLS_IN_NAME.search(name[max(0, span.start - 8) : span.start]) is not None
    return KINDS[span.rank] in (ASSIGNED, STATED, CODE) and not is_told


_LONG_NUMBER = re.compile(r"\d{14}")
_TELLS_IN_NAME = re.compile(r"=.{0,3}$|[:：][*_]{0,2}\s{1,3}[\"'`“„«]?$|：[\"'`“„«]?$")
_BEFORE_DIGESTS = ("mem:", "summary:")


def _digest(secret: str) -> str:
    """Eight hex digits, made slowly: whoever tries passwords on them has many false hits, and not all day."""
    return pbkdf2_hmac("sha256", secret.encode(errors="surrogatepass"), b"libravdb name", 2_000, 4).hex()


def mask_said(said: IncomingTurn, settings: IngestSettings = DEFAULTS) -> IncomingTurn:
    """What was said, without its secrets, also in what the host tells beside it; their counts go into the metadata."""
    masked = mask_secrets(said.text, settings)
    said = replace(
        said,
        text=masked.text,
        id=None if said.id is None else mask_name(said.id, settings),
        speaker=mask_name(said.speaker, settings),
        metadata=mask_metadata(said.metadata, settings),
    )
    if said.skipped or not masked.counts:
        return said
    facts: dict[str, Json] = {SECRETS: dict(masked.counts), IS_SECRET_ONLY: masked.is_secret_only}
    return replace(said, metadata={**said.metadata, **facts})


# ── values with names ─────────────────────────────────────────────────────────────────────────────────────

_LARGE = 10**13  # no smaller number is a card


def mask_metadata(metadata: Metadata, settings: IngestSettings = DEFAULTS) -> dict[str, Json]:
    """Metadata without secrets, in keys and values; a key is a label for its value."""
    return {mask_name(key, settings): mask_json(value, settings, label=key) for key, value in metadata.items()}


def mask_json(value: Json, settings: IngestSettings = DEFAULTS, *, label: str = "") -> Json:
    """A JSON value without secrets, all the way down. What holds none is the same value again."""
    match value:
        case str():
            return _mask_value(value, label, settings)
        case dict():
            return mask_metadata(value, settings)
        case list() | tuple():
            return [mask_json(one, settings, label=label) for one in value]
        case bool() | None:
            return value
        case int() if abs(value) >= _LARGE or _names_digits(label):
            masked = _mask_value(str(value), label, settings)
            return value if masked == str(value) else masked
    return value


def _names_digits(label: str) -> bool:
    return label.lower() in ("pin", "puk", "cvv", "cvc", "otp", "passcode", "ssn")


def _mask_value(value: str, label: str, settings: IngestSettings) -> str:
    """A value as it stands beside its label: `{"password": "swordfish"}` tells one, the word alone does not."""
    masked = mask_secrets(value, settings).text
    if masked == value and label and 3 <= len(value) <= _LONGEST_LABELLED:
        quote = next((mark for mark in "\"'`" if mark not in value), "")
        head = f"{label}={quote}"
        told = mask_secrets(f"{head}{value}{quote}", settings).text
        if quote and told.startswith(head) and told.endswith(quote):
            masked = told[len(head) : len(told) - 1]
    if masked != value and value[:1] in ("{", "["):
        return _mask_document(value, masked, settings)
    return masked


_LONGEST_LABELLED = 512


def _mask_document(value: str, masked: str, settings: IngestSettings) -> str:
    """JSON inside a text stays JSON."""
    try:
        return json.dumps(mask_json(json.loads(value), settings), ensure_ascii=False)
    except (ValueError, RecursionError):
        return masked


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
    small = _in_small_letters(text)
    if _may_hold(small):
        yield from _find_told(text, small, allowed)
    for start, end, kind in find_numbers(text, small):
        if not allowed.permits(text[start:end]):
            yield _SecretSpan(start=start, end=end, rank=_RANKS[kind])
    if settings.secret_length:
        yield from _find_random(text, settings, allowed)


def _find_told(text: str, small: str, allowed: Allowed) -> Iterator[_SecretSpan]:
    """Secrets that a mark, a label or a form of their own tells."""
    for pattern in PATTERNS:
        if len(text) >= pattern.least and _holds_any(small, pattern.hints):
            yield from _find_pattern(text, pattern, allowed)
    for start, end in find_tokens(text):
        yield from _whole(text, start, end, SERVICE, allowed)
    for start, end, kind in find_labelled(text, small):
        yield from _whole(text, start, end, kind, allowed)


_STEMS = {hint for pattern in PATTERNS for hint in pattern.hints if not pattern.least} | {
    mark.lower() for form in FORMS for mark in form.marks
} | {word for words in LABELS.values() for word in words} | {"discord", ".atlasv1."}  # fmt: skip
_ENDINGS = frozenset(stem[-4:] for stem in _STEMS if len(stem) >= 4)
_SHORT_STEMS = tuple(sorted(stem for stem in _STEMS if len(stem) < 4))
_SHORT = 59
"""Letters of a text that is looked at quickly first: names and values of metadata are shorter, and there are many."""


def _may_hold(small: str) -> bool:
    """Whether a short text has the last letters of any mark or label."""
    if len(small) >= _SHORT:
        return True
    pieces = {small[at : at + 4] for at in range(len(small) - 3)}
    return not pieces.isdisjoint(_ENDINGS) or _holds_any(small, _SHORT_STEMS)


def _holds_any(small: str, stems: tuple[str, ...]) -> bool:
    for stem in stems:  # noqa: SIM110 - half the time of any(), and asked for every pattern of every text
        if stem in small:
            return True
    return False


def _in_small_letters(text: str) -> str:
    """Small letters at the same places; the few whose small form is longer stay as they are."""
    small = text.lower()
    return small if len(small) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


_RANKS = {kind: rank for rank, kind in enumerate(KINDS)}
_REST = re.compile(r"[A-Za-z0-9_-]*+")
_PUNCTUATION = ".,!?:;)”’"


def _find_pattern(text: str, pattern: Pattern, allowed: Allowed) -> Iterator[_SecretSpan]:
    """Every secret of one kind."""
    position = 0
    while found := pattern.regex.search(text, position):
        start, end = secret_span(found)
        position = max(found.end(), found.start() + 1)
        if pattern.check(found):
            for span in _whole(text, start, end, pattern.kind, allowed):
                yield span
                position = max(position, span.end)


def _whole(text: str, start: int, end: int, kind: str, allowed: Allowed) -> Iterator[_SecretSpan]:
    """A secret up to the end of its word: nothing of a key may remain beside its marker."""
    if allowed.permits(text[start:end]):
        return
    rest = _REST.match(text, end)
    end = rest.end() if rest else end
    while end - start > 4 and text[end - 1] in _PUNCTUATION:
        end -= 1
    yield _SecretSpan(start=start, end=end, rank=_RANKS[kind])


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


def _replaced(text: str, spans: list[_SecretSpan], mark: Callable[[_SecretSpan, str], str]) -> str:
    pieces: list[str] = []
    position = 0
    for span in spans:
        pieces += (text[position : span.start], mark(span, text[span.start : span.end]))
        position = span.end
    return "".join((*pieces, text[position:]))


# ── the reference ─────────────────────────────────────────────────────────────────────────────────────────

WHAT = {
    PRIVATE_KEY: "Private keys in PEM, OpenSSH and PGP form, whole, on one line, or cut off at either end",
    **{pattern.kind: pattern.what for pattern in PATTERNS},
    SERVICE: f"Tokens with the marks of {SERVICES}",
    CARD: "Numbers of payment cards, by issuer and check digit, in one piece or in groups, with the expiry and check "
    "number behind them",
    ACCOUNT: "International bank account numbers, by country, length and check digits",
    SOCIAL: "US social security numbers that are called so",
    PHRASE: "The words of a wallet's seed or of a passphrase, after their label",
    ASSIGNED: "A value assigned to `password`, `pw`, `passphrase`, `secret`, `token`, `api_key` …: `name=value`, "
    '`**Name:** value`, `"name": "value"`, also in German, Spanish, French, Italian, Portuguese, Dutch, Russian, '
    "Polish, Swedish and Turkish",
    STATED: "A password or key told in a sentence (`the password is …`) when it mixes letters with digits or signs, "
    "also in Chinese, Japanese and Korean",
    CODE: "PINs, card check numbers, one-time, door and recovery codes after their label",
    RANDOM: "Strings without a known form that are too irregular for anything else",
}


def markdown() -> str:
    """The table of every kind, as `docs/reference/messages.md` holds it."""
    rows = "".join(f"| {kind} | {WHAT[kind]} |\n" for kind in KINDS)
    return f"| marker | what is masked |\n|---|---|\n{rows}"


if __name__ == "__main__":
    sys.stdout.write(markdown())
