"""Is a new statement the same as a remembered one, does it replace it, or is it another matter?

Precision first: a wrong merge loses a memory, a missed one costs a line. Numbers, names, persons, dates and denials
that differ are never the same; they may supersede.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain

from libravdb.core.gate.attributes import read_attributes
from libravdb.core.gate.languages.attributes import ATTRIBUTES, FUNCTIONAL, GENERIC, LEFT_BEHIND, PAST, VALUE
from libravdb.core.gate.languages.forms import FORMS, FormVocabulary
from libravdb.core.gate.languages.signs import ORDERED
from libravdb.core.gate.languages.small import OTHERS, PRONOUNS
from libravdb.core.gate.likelihood import likely
from libravdb.core.gate.parsed_turn import guess_languages, read
from libravdb.core.gate.replacement import covers, replaces, stands_beside
from libravdb.core.gate.statement import Content, content_of, unmatched
from libravdb.core.gate.topics import renewed
from libravdb.model import AttributeKind, Kin, Kinship, StatedAttribute

LEAST_SAME = 0.60
"""The least cosine of two statements that are the same; the words decide, this guards against chance."""
LEAST_SUPERSEDING = 0.20
"""The least cosine of a statement and the one that replaces it."""
LEAST_TOPICAL = 0.25
"""The least cosine of two statements that may be of one topic."""
MOST_OUTDATED = 4
"""A turn of more sentences tells of too much to be outdated by one."""
_FEW = 4


def relate(new: str, old: str, cosine: float, *, is_rule: Callable[[str], bool] | None = None) -> Kinship:
    """How a new statement stands to one remembered statement. A rule is no statement of fact: unless both state one
    attribute, neither makes the other outdated."""
    kin, reason = _compare(new, old, cosine, is_rule)
    return Kinship(kin=kin, reason=reason)


def _compare(new: str, old: str, cosine: float, is_rule: Callable[[str], bool] | None) -> tuple[Kin, str]:
    said, known = content_of(new), content_of(old)
    if not said.words or not known.words:
        return Kin.DISTINCT, "too little is said to compare"
    if new == old or is_same(said, known):
        is_near = cosine >= LEAST_SAME
        return (Kin.SAME, "the same words, numbers, persons and polarity") if is_near else (Kin.DISTINCT, "far apart")
    stated, before = read_attributes(new), read_attributes(old)
    if len(_statements(old)) > MOST_OUTDATED:
        return Kin.DISTINCT, "it tells of more than one thing"
    if reason := replaces(stated, before) or ends(stated, known):
        return Kin.SUPERSEDES, reason
    if _is_order(new) or _is_order(old):
        return Kin.DISTINCT, "an order of something to be written states nothing"
    reason = ""
    if cosine >= LEAST_SUPERSEDING and not stands_beside(stated, before):
        reason = _by_words(new, old) or (renewed(new, old) if cosine >= LEAST_TOPICAL else "")
    reason = reason or likely(new, old, cosine)
    if reason and is_rule is not None and (is_rule(old) or is_rule(new)):
        return Kin.DISTINCT, "a rule, which only another rule replaces"
    return (Kin.SUPERSEDES, reason) if reason else (Kin.DISTINCT, "another matter")


def _by_words(new: str, old: str) -> str:
    """The rules over words, sentence by sentence: a fact inside a longer turn counts."""
    for said in _statements(new):
        if said.is_beside:
            continue
        left = said.content
        for known in _statements(old):
            right = known.content
            if known.is_unreal or not left.words or not right.words or left.persons != right.persons:
                continue
            for rule in SUPERSEDING if left.shares(right) else _WITHOUT_SHARED:
                if reason := rule(left, right):
                    return reason
    return ""


def _is_order(text: str) -> bool:
    return _known_order(text) if len(text) <= _SHORT else _reads_order(text)


def _reads_order(text: str) -> bool:
    return ORDERED.search(text) is not None


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A sentence that states something; what is beside or unreal replaces nothing."""

    text: str
    is_beside: bool
    is_unreal: bool

    @cached_property
    def content(self) -> Content:
        """The sentence taken apart."""
        return content_of(self.text)


def _statements(text: str) -> tuple[Statement, ...]:
    return _known_statements(text) if len(text) <= _SHORT else _read_statements(text)


def _read_statements(text: str) -> tuple[Statement, ...]:
    return tuple(
        Statement(text=one, is_beside=is_beside(one), is_unreal=is_unreal(one))
        for one in read(text).statements[: MOST_OUTDATED + 1]
    )


_SHORT = 2_000
_known_statements = lru_cache(maxsize=4_096)(_read_statements)
_known_order = lru_cache(maxsize=4_096)(_reads_order)


def forget_relations() -> None:
    """Let go of the statements that were related before."""
    _known_statements.cache_clear()
    _known_order.cache_clear()
    _known_owns.cache_clear()
    _left_behind.cache_clear()
    _told_attributes.cache_clear()


def is_own(text: str) -> bool:
    """True when a turn tells of the one who says it: from somebody else the same words would be another fact. What
    several may say of what they share ("we use Postgres", "the meeting is at four") is not."""
    return _known_owns(text) if len(text) <= _SHORT else _is_own(text)


def _is_own(text: str) -> bool:
    reading = read(text)
    is_named = any(each in _MYSELF for each in reading.find("person", reading.text))
    return is_named or any(not one.subject and one.kind not in _SHARED for one in read_attributes(text))


_known_owns = lru_cache(maxsize=4_096)(_is_own)
_OURS = frozenset(
    "we us our ours wir uns unser unsere unseren unserem unserer nosotros nos nuestro nuestra nuestros nuestras nous"
    " notre noi nostro nostra nós nosso nossa wij ons onze мы нас нам наш наша наше наши 我们 咱 咱们 私たち people"
    " team".split()
)
_MYSELF = PRONOUNS - OTHERS - _OURS
_SHARED = frozenset(
    {
        AttributeKind.TOOL,
        AttributeKind.VERSION,
        AttributeKind.HOST,
        AttributeKind.PORT,
        AttributeKind.PRICE,
        AttributeKind.PLAN,
        AttributeKind.ROLE,
        AttributeKind.OTHER,
    }
)


def is_beside(sentence: str) -> bool:
    """True when a sentence says itself that it stands beside what was said, or was, or may be."""
    return is_unreal(sentence) or any(table.also.search(sentence) for table in _tables(sentence))


def is_unreal(sentence: str) -> bool:
    """True when a sentence tells a wish, a condition, a report or the past."""
    return any(table.unreal.search(table.expand(sentence)) for table in _tables(sentence))


def _tables(sentence: str) -> list[FormVocabulary]:
    return [FORMS[one.name] for one in guess_languages(sentence) if one.name in FORMS]


def ends(new: Sequence[StatedAttribute], old: Content) -> str:
    """It ends what an old statement tells, though that tells no attribute that has a name."""
    for one in new:
        is_plain = one.is_ended and one.kind in _ENDING and bool(one.value)
        if (
            is_plain
            and not (one.subject or old.is_negated or _is_anothers(old.text))
            and covers(one.value, old.text, most=5)
        ):
            return f"{one.value} no longer holds"
    return ""


def _is_anothers(text: str) -> bool:
    """True when a person of the speaker's is the subject, not the speaker."""
    return any((found := table.kin.search(text)) is not None and found.start() < _HEAD for table in _tables(text))


_HEAD = 4
_ENDING = (AttributeKind.HABIT, AttributeKind.TOOL, AttributeKind.PLAN)


def is_same(new: Content, old: Content) -> bool:
    """Equal numbers, persons and polarity, no content word that only one of them has, and names in the same order."""
    if new.numbers != old.numbers or new.persons != old.persons or new.is_negated != old.is_negated:
        return False
    left, right = unmatched(new, old)
    return not left and not right and not _is_turned_round(new, old) and not _is_turned_round(old, new)


def denies(new: Content, old: Content) -> str:
    """The same said with the opposite polarity: "I no longer work at Siemens"."""
    if new.is_negated == old.is_negated:
        return ""
    left, right = unmatched(new, old)
    allowed = 2 if new.is_changed else 0
    if not right and len(left) <= allowed and set(old.numbers) <= set(new.numbers):
        return "it denies what was said"
    return ""


def leaves(new: Content, old: Content) -> str:
    """It names what is left behind: "from Postgres to MySQL" after "we use Postgres"."""
    if not new.is_changed:
        return ""
    for what, stems in _left_behind(new.text):
        if stems and all(stem in old.words for stem in stems) and len(old.words) <= len(stems) + 3:
            return f"it leaves {what} behind"
    return ""


@lru_cache(maxsize=256)
def _left_behind(text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What a sentence says is left behind, with its stems."""
    found = ((one["what"] or one["han"]).lower() for one in LEFT_BEHIND.finditer(text))
    return tuple((what, content_of(what).words) for what in found)


def moves(new: Content, old: Content) -> str:
    """Both give the same attribute of which one has only one: home, work, marital status."""
    before, after = _told_attributes(old.text), _told_attributes(new.text)
    if before.keys().isdisjoint(after):
        return ""
    left, right = unmatched(new, old)
    for name, told in before.items():
        if name in after and left and right and len(left) <= _FEW:
            others = [word for word in right if word not in content_of(told).words]
            # A home or a job is told by the words behind the verb; a status is the word itself, so that any other
            # word that differs is another person.
            if name != "status" or not others:
                return f"both tell the speaker's {name}, with another value"
    return ""


@lru_cache(maxsize=1_024)
def _told_attributes(text: str) -> Mapping[str, str]:
    """By name the words in which a sentence tells of the speaker's home, work or status; none of what is past."""
    if PAST.search(text):
        return {}
    found = {name: expression.search(text) for name, expression in ATTRIBUTES.items()}
    return {name: match[0] for name, match in found.items() if match}


def renews(new: Content, old: Content) -> str:
    """A sign of change, and the same matter with another value: "the API now runs on port 9090"."""
    if not new.is_changed:
        return ""
    left, right = unmatched(new, old)
    shared = [word for word in old.words if word not in right and word not in GENERIC]
    has_new = bool(left) or new.numbers != old.numbers
    has_old = bool(right) or (bool(old.numbers) and old.numbers != new.numbers)
    is_near = len(shared) * 2 >= len(old.words) and len(left) <= len(right) + 3
    return "the same matter has changed" if shared and has_new and has_old and is_near else ""


def corrects(new: Content, old: Content) -> str:
    """The same state with another number, day or sole value, behind the verb: "the meeting is at 4"."""
    if new.state_at is None or old.state_at is None or new.is_negated != old.is_negated:
        return ""
    left, right = unmatched(new, old)
    shared = [word for word in old.words if word not in right and word not in GENERIC]
    if not shared:
        return ""
    is_other = (left or new.numbers != old.numbers) and _values_follow(new) and _values_follow(old)
    if is_other and all(VALUE.fullmatch(word) for word in chain(_written(new, left), _written(old, right))):
        return "the same state with another value"
    is_sole = len(left) == len(right) == 1 and any(word in FUNCTIONAL for word in shared)
    return "an attribute of which there is one has another value" if is_sole else ""


SUPERSEDING = (denies, leaves, moves, renews, corrects)
_WITHOUT_SHARED = (leaves, moves)
"""The rules that may hold of two statements without a word in common; the others say nothing of them."""


def _written(content: Content, stems: list[str]) -> Iterator[str]:
    """The words as written behind these stems."""
    words = _WORD.findall(content.text.lower()) if stems else []
    for stem in stems:
        yield next((word for word in words if word.startswith(stem[:4])), stem)


_WORD = re.compile(r"\w+")


def _values_follow(content: Content) -> bool:
    """True when no number stands before the verb: there it would name the thing ("PR 482 is merged")."""
    head = content.text[: content.state_at]
    return not any(letter.isdigit() for letter in head)


def _is_turned_round(new: Content, old: Content) -> bool:
    """True when several names stand in another order: who does what to whom is told by order."""
    names = [stem for name in re.findall(r"\b[A-ZÄÖÜ]\w+", old.text) for stem in content_of(name).words]
    before = [word for word in old.words if word in names]
    return len(before) > 1 and [word for word in new.words if word in names] != before
