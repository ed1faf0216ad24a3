"""Does one stated attribute take the place of another, or end it?

Compared are subject, kind and name of the attributes, never all persons of the turn: "My sister Ana moved to
Porto" leaves the speaker's own home alone. What may stand side by side (two allergies, two cars, two appointments)
replaces nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from libravdb.core.gate.attributes import stems
from libravdb.core.gate.languages.forms import CATEGORIES, FORMS
from libravdb.core.gate.languages.forms.edges import BUSY, COSTS, DATED, HEAD
from libravdb.core.gate.parsed_turn import COMMON
from libravdb.model import AttributeKind, StatedAttribute

RELATIONS = frozenset(one for table in FORMS.values() for one in table.relations.values())
_NUMBERS = (AttributeKind.PRICE, AttributeKind.CONTACT, AttributeKind.PORT)
_GENERAL = (AttributeKind.HABIT, AttributeKind.TOOL, AttributeKind.OTHER, AttributeKind.PLAN)
_LASTING = (
    AttributeKind.NAME,
    AttributeKind.BIRTHDAY,
    AttributeKind.PERSON,
    AttributeKind.FAVOURITE,
    AttributeKind.ROLE,
)
_OF_THE_LIVING = (AttributeKind.HOME, AttributeKind.WORK, AttributeKind.HABIT, AttributeKind.HEALTH, AttributeKind.PLAN)
_SUCCEEDING = (AttributeKind.PERSON, AttributeKind.WORK)
_CROSSING = {AttributeKind.TOOL, AttributeKind.OTHER, AttributeKind.HOST}
_MEATLESS = re.compile(r"vege|vega|végé|végan|素", re.IGNORECASE)
_MEAT = re.compile(
    r"meat|fish|poultry|chicken|everything|fleisch|fisch|geflügel|alles|carne|pescado|pollo|de todo|viande|poisson"
    r"|poulet|de tout|肉|荤",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\D+")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")


def replaces(new: Sequence[StatedAttribute], old: Sequence[StatedAttribute]) -> str:
    """Why one of the new attributes takes the place of an old one, in words; empty when none does."""
    return next((reason for one in new for other in old if (reason := _replaces(one, other))), "")


def stands_beside(new: Sequence[StatedAttribute], old: Sequence[StatedAttribute]) -> bool:
    """True when both tell of the same kind of thing, and nothing is replaced: they are facts of their own."""
    return any(
        one.kind is other.kind and one.kind is not AttributeKind.OTHER and not (one.is_ended or other.is_ended)
        for one in new
        for other in old
    )


def is_known(new: StatedAttribute, old: Sequence[StatedAttribute]) -> bool:
    """True when one of the old attributes says the same already."""
    return any(
        same_subject(new.subject, other.subject)
        and new.kind is other.kind
        and same_name(new.name, other.name)
        and new.is_ended == other.is_ended
        and same_value(new, other)
        for other in old
    )


def _replaces(new: StatedAttribute, old: StatedAttribute) -> str:
    if not same_subject(new.subject, old.subject) and not _is_implied(new, old):
        return ""
    if old.is_ended:
        begins = not new.is_ended and new.kind is old.kind and bool(new.value and old.value) and same_value(new, old)
        is_next = (
            not new.is_ended and new.kind is old.kind and new.kind in _SUCCEEDING and same_name(new.name, old.name)
        )
        return f"{_told(new)} holds" if begins or is_next else ""
    if new.is_ended:
        return f"{_told(old)} no longer holds" if _ends(new, old) else ""
    if _is_turned(new, old):
        return f"{_told(old)} is no longer so"
    is_one_kind = new.kind is old.kind or ({new.kind, old.kind} <= _CROSSING and bool(new.name and old.name))
    is_other = new.is_single and is_one_kind and _same_matter(new, old) and not same_value(new, old)
    return f"{_told(old)} is now {new.value}" if is_other else ""


def _told(one: StatedAttribute) -> str:
    whose = f"{one.subject}: " if one.subject else ""
    return f"{whose}{one.kind.value}{f' ({one.name})' if one.name else ''} {one.value}".strip()


def same_subject(one: str, other: str) -> bool:
    """The same person or thing: a name decides where both have one, else the relation."""
    if one == other:
        return True
    left, right = set(one.split()), set(other.split())
    names, others = left - RELATIONS, right - RELATIONS
    if names and others:
        return names == others
    return bool(left & right & RELATIONS) and bool(left and right)


def _is_implied(new: StatedAttribute, old: StatedAttribute) -> bool:
    """A thing that only one of them has for a subject, and the other names besides: "in prod", "prod runs …"."""
    if new.kind not in (AttributeKind.VERSION, AttributeKind.HOST, AttributeKind.PORT) or (new.subject and old.subject):
        return False
    subject, sentence = (new.subject, old.sentence) if new.subject else (old.subject, new.sentence)
    return bool(subject) and frozenset(subject.split()) <= frozenset(stems(sentence).split())


def same_name(one: str, other: str) -> bool:
    """The same name of an attribute, whatever the order of its words."""
    return one == other or _content(one) == _content(other) != frozenset() or _bare(one) == _bare(other) != frozenset()


def _bare(name: str) -> frozenset[str]:
    return _content(name) - COSTS


def same_value(one: StatedAttribute, other: StatedAttribute) -> bool:
    """The same value, or one that only says more."""
    if one.kind in _NUMBERS and (digits := _DIGITS.sub("", one.value)):
        return digits == _DIGITS.sub("", other.value)
    if _UNSPACED.search(one.value + other.value):
        left, right = one.value.lower(), other.value.lower()
        return left == right or (len(min(left, right, key=len)) > 1 and (left in right or right in left))
    left_words, right_words = _content(stems(one.value)), _content(stems(other.value))
    return left_words <= right_words or right_words <= left_words


def _same_matter(new: StatedAttribute, old: StatedAttribute) -> bool:
    """Whether two attributes of one kind tell of the same."""
    if new.kind is AttributeKind.HABIT:
        shared = _content(stems(new.value)) & _content(stems(old.value))
        return bool({word for word in shared if word not in BUSY and not DATED.fullmatch(word)})
    if new.kind is AttributeKind.TOOL and not (new.name and old.name):
        category = CATEGORIES.get(new.value.lower())
        return category is not None and category == CATEGORIES.get(old.value.lower())
    return same_name(new.name, old.name)


def _is_turned(new: StatedAttribute, old: StatedAttribute) -> bool:
    """A liking that became a disliking, or what was avoided and is eaten."""
    if {new.kind, old.kind} == {AttributeKind.LIKING}:
        return {new.name, old.name} == {"likes", "dislikes"} and same_value(new, old)
    if {new.kind, old.kind} == {AttributeKind.DIET}:
        is_eaten = old.name == "avoids" and new.name == "" and same_value(new, old)
        return is_eaten or bool(_MEATLESS.search(old.value) and _MEAT.fullmatch(new.value))
    return False


def _ends(new: StatedAttribute, old: StatedAttribute) -> bool:
    if new.name == "life":
        return old.kind in _OF_THE_LIVING
    if not new.value:
        return new.kind is old.kind and (
            not new.name or not old.value or new.name == old.name or new.kind is AttributeKind.WORK
        )
    if new.kind is old.kind and new.kind not in _GENERAL:
        is_named = same_name(new.name, old.name) or not old.name or new.kind is AttributeKind.WORK
        return is_named and (same_value(new, old) or covers(new.value, f"{old.value} {old.name}"))
    if old.kind in _LASTING or new.kind not in _GENERAL:
        return False
    return covers(new.value, f"{old.value} {old.name}") or covers(new.value, old.sentence, most=5)


def covers(value: str, text: str, *, most: int = 2) -> bool:
    """Whether all that a value says is in a text that says little more."""
    if _UNSPACED.search(value):
        return (len(value) > 1 and value in text) or (len(value) > 2 and value[1:] in text)
    wanted, said = _content(stems(HEAD.split(value)[0] or value)), _content(stems(text))
    if len(wanted) == 1 and _is_compounded(next(iter(wanted)), text):
        return False
    return bool(wanted) and all(_rooted(word, said) for word in wanted) and len(said) <= len(wanted) + most


def _is_compounded(word: str, text: str) -> bool:
    """True when a word only says which of something: "coffee" in "coffee machine"."""
    tokens = [stems(one) for one in text.split()]
    for place, token in enumerate(tokens[:-1]):
        if token == word and text.split()[place][-1].isalnum():
            follower = tokens[place + 1]
            is_word = follower.isalpha() and len(follower) > 3 and follower not in COMMON
            return is_word and follower not in BUSY and not DATED.fullmatch(follower)
    return False


_ROOT = 3  # letters of a stem that may be another form of a word: "bus" is not the beginning of "build"


def _rooted(word: str, among: frozenset[str]) -> bool:
    return word in among or any(
        len(word) > _ROOT and len(other) > _ROOT and (other.startswith(word[:-1]) or word.startswith(other[:-1]))
        for other in among
    )


def _content(terms: str) -> frozenset[str]:
    return frozenset(term for term in terms.split() if term not in COMMON and term not in _EMPTY)


_EMPTY = frozenset(
    "mr mrs ms dr herr frau señor señora monsieur madame der die das el la le les los las un una ein eine".split()
)
