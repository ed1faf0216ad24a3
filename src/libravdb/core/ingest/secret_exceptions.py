"""What the user declares to be no secret: exact strings, and careful regular expressions between slashes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from libravdb.errors import InvalidInput

MAX_ENTRIES = 500
MAX_LENGTH = 300
MAX_JUDGED = 512
"""Longest value that a regular expression is asked about."""

_REPEATED_GROUP = re.compile(r"(?<!\\)\)(?:[*+]|\{)")
_UNBOUNDED = re.compile(r"(?<!\\)(?:\\\\)*(?:[*+]|\{\d*,\})")
_UNUSUAL = re.compile(r"\\[1-9]|\(\?(?!:|i\))")


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """Strings that are let through: exactly these, or wholly matched by one of these expressions."""

    exact: frozenset[str]
    expressions: tuple[re.Pattern[str], ...]

    def permits(self, value: str) -> bool:
        """Whether a found secret is declared to be none."""
        if value in self.exact:
            return True
        return len(value) <= MAX_JUDGED and any(each.fullmatch(value) for each in self.expressions)


@lru_cache(maxsize=8)
def read_allowed(entries: tuple[str, ...], field: str = "ingest.secret_allow") -> Allowed:
    """The list as it is written in the configuration: `/…/` is an expression, anything else an exact string.

    Refused, by position and never by content: what would let real keys through, and what could take for ever.
    """
    if len(entries) > MAX_ENTRIES:
        raise InvalidInput(field, f"has {len(entries)} entries, more than {MAX_ENTRIES}")
    exact: set[str] = set()
    expressions: list[re.Pattern[str]] = []
    for position, entry in enumerate(entries):
        where = f"{field}[{position}]"
        if not entry.strip() or len(entry) > MAX_LENGTH:
            raise InvalidInput(where, f"is empty or longer than {MAX_LENGTH} characters")
        if len(entry) > 2 and entry.startswith("/") and entry.endswith("/"):
            expressions.append(_read_expression(entry[1:-1], where))
        else:
            exact.add(entry)
    return Allowed(exact=frozenset(exact), expressions=tuple(expressions))


def _read_expression(source: str, field: str) -> re.Pattern[str]:
    remedy = "Write exact strings, or an expression that fits only the strings you mean."
    if _REPEATED_GROUP.search(source) or _UNUSUAL.search(source) or len(_UNBOUNDED.findall(source)) > 2:
        problem = "repeats a group, looks around or back, or has more than two open-ended repetitions"
        raise InvalidInput(field, f"{problem}, which can take for ever on a hostile text", remedy=remedy)
    try:
        expression = re.compile(source)
    except (re.error, OverflowError, RecursionError) as error:
        raise InvalidInput(field, "is no regular expression", remedy=remedy) from error
    if any(expression.fullmatch(probe) for probe in _probes()):
        raise InvalidInput(field, "would let real secrets through", remedy=remedy)
    return expression


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_FORMS: Sequence[tuple[str, int]] = (
    ("", 8), ("", 12), ("", 16), ("", 24), ("", 32), ("", 40), ("", 64), ("ghp_", 36), ("github_pat_", 60), ("sk-", 48),
    ("sk-proj-", 64), ("sk-ant-", 80), ("glpat-", 20), ("hf_", 34), ("npm_", 36), ("AIza", 35), ("xoxb-", 40),
    ("SG.", 60), ("sk_live_", 24), ("eyJ", 120), ("pypi-", 80),
)  # fmt: skip


def _probes() -> Iterator[str]:
    """Strings as random as real keys, in the usual forms; the same on every machine, and keys to nothing."""
    for place, (mark, length) in enumerate(_FORMS):
        for seed in ("one", "two"):
            noise = b"".join(sha256(f"{seed} {place} {part}".encode()).digest() for part in range(4))
            body = "".join(_LETTERS[byte % len(_LETTERS)] for byte in noise[:length])
            yield mark + body
            yield mark + body.lower()
    yield "AKIA" + _LETTERS[:16]
    yield sha256(b"probe").hexdigest()
    yield "correct-horse-battery-staple"
