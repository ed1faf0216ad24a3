"""Which kind of attribute a question asks for: "where do I live" wants a home, whatever words the answer has.

A memory that states an attribute of that kind is marked with it when it is kept; here the question is read for the same
kinds. Only forms that ask for such a thing count: the words of a kind alone ("the rent is too high, what now?") do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from libravdb.core.recall.asked_words import SPACED, UNSPACED
from libravdb.model import AttributeKind

_READ_CHARS = 400
"""A question that begins like this has said by then what it asks for."""


def asked_kinds(text: str) -> frozenset[AttributeKind]:
    """The kinds of attributes that a question asks for; mostly none or one."""
    head = text[:_READ_CHARS].replace("’", "'")
    return frozenset(kind for kind, pattern in _PATTERNS.items() if pattern.search(head))


def _forms(kind: AttributeKind) -> Iterator[str]:
    for language in SPACED:
        yield from (rf"(?<!\w){form}" for form in language.get(kind, ()))
    for language in UNSPACED:
        yield from language.get(kind, ())


_PATTERNS = {
    kind: re.compile("|".join(forms), re.IGNORECASE) for kind in AttributeKind if (forms := list(_forms(kind)))
}
