"""Which statements describe a person, in which order a profile shows them, and what tells two of them apart.

What can do harm when it is forgotten comes first: the order is also the order in which lines are served from a small
budget. Prices, plans, tools, versions, ports and hosts, and who has which role, describe projects and things, and are
recall's business.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from libravdb.model import AttributeKind, StatedAttribute

ORDER = (
    AttributeKind.HEALTH,
    AttributeKind.DIET,
    AttributeKind.NAME,
    AttributeKind.HOME,
    AttributeKind.WORK,
    AttributeKind.PERSON,
    AttributeKind.STATUS,
    AttributeKind.PET,
    AttributeKind.LANGUAGE,
    AttributeKind.BIRTHDAY,
    AttributeKind.CONTACT,
    AttributeKind.VEHICLE,
    AttributeKind.FAVOURITE,
    AttributeKind.HABIT,
    AttributeKind.LIKING,
)
"""The kinds of a profile, the most important first."""

CAREFUL = frozenset({AttributeKind.HEALTH, AttributeKind.DIET})
"""What is let go only when it is said to have ended, replaced, or forgotten on purpose."""

_OF_OTHERS = frozenset(
    {*ORDER} - {AttributeKind.VEHICLE, AttributeKind.FAVOURITE, AttributeKind.HABIT, AttributeKind.LIKING}
)
_OWN_KINDS = CAREFUL | {AttributeKind.PET}
_PLACES = {kind: place for place, kind in enumerate(ORDER)}
_NO_WORD = re.compile(r"[\W_]+")


class Slot(NamedTuple):
    """What a statement is about, whatever it says of it: where one value holds at a time, it is one line."""

    speaker: str
    subject: str
    kind: AttributeKind
    name: str


def describes_person(attribute: StatedAttribute) -> bool:
    """Whether a statement belongs into a profile: of the person himself, or of the people around him."""
    if attribute.kind is AttributeKind.HABIT and not attribute.is_ended and _ONCE.match(attribute.value):
        return not attribute.subject and _REGULARLY.search(attribute.sentence) is not None
    return attribute.kind in (_OF_OTHERS if attribute.subject else _PLACES)


_ONCE = re.compile(
    r"(?:go|goes|going|cook|bake|sleep|read|wake|get|walk|run|drink|train|cycle|commute)s?\b", re.IGNORECASE
)
"""What one does now and then: a habit only where it is said how often."""
_REGULARLY = re.compile(
    r"\b(?:every|each|always|usually|normally|daily|weekly|regularly|often|mostly|never|a week|a day|a month|nights"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends|mornings|evenings|afternoons)\b",
    re.IGNORECASE,
)


def shown_kind(attribute: StatedAttribute) -> AttributeKind:
    """Under which kind a line stands: what is told of others is about people, except what they must not eat."""
    return _shown_kind(attribute.kind, attribute.subject)


def _shown_kind(kind: AttributeKind, subject: str) -> AttributeKind:
    return kind if not subject or kind in _OWN_KINDS else AttributeKind.PERSON


def place_of(kind: AttributeKind) -> int:
    """Where a kind stands in a profile."""
    return _PLACES.get(kind, len(ORDER))


def slot_of(attribute: StatedAttribute, speaker: str = "") -> Slot:
    """What a statement is about."""
    return Slot(fold(speaker), fold(attribute.subject), attribute.kind, fold(attribute.name))


def value_of(attribute: StatedAttribute) -> str:
    """What tells a line from its neighbours in the same slot: nothing where only one value holds."""
    return "" if attribute.is_single else fold(attribute.value)


def line_id(attribute: StatedAttribute, speaker: str = "") -> str:
    """The name of a line, the same whenever the same thing is told."""
    return line_name(slot_of(attribute, speaker), value_of(attribute))


def line_name(slot: Slot, value: str) -> str:
    """The name of the line that tells a value in a slot."""
    told = "\0".join((*slot, value)).encode(errors="surrogatepass")
    return f"{_shown_kind(slot.kind, slot.subject)}:{blake2b(told, digest_size=4).hexdigest()}"


@lru_cache(maxsize=8_192)
def fold(text: str) -> str:
    """A text without case, spacing and punctuation."""
    return _NO_WORD.sub(" ", text.casefold()).strip() if text else ""
