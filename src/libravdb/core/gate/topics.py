"""The same matter with another value, where nothing has a name: "standup is at 10", "standup is at 9:45".

A statement is looked at as a topic and the value that it gives: a time, a number, a place, a name. Two statements are
of one matter when all that the shorter one speaks of is spoken of by the other too, in nobody else's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from libravdb.core.gate.languages.forms import FORMS
from libravdb.core.gate.languages.slots import (
    AT,
    EVENT,
    MANY,
    NUMBER,
    PROFESSIONS,
    SHIFTED,
    STANDS,
    TIME,
    TITLED,
    TOPICLESS,
)
from libravdb.core.gate.parsed_turn import guess_languages, read
from libravdb.core.gate.statement import content_of, is_of_one_root

_CLAUSE = re.compile(r"[,;–—，；]\s*|:\s|\s(?:so|because|weil|porque|parce que|but|aber|pero|mais)\s")
_POSSESSOR = re.compile(r"([^\W\d_]{2,})'s? (?=[^\W\d_])")
_OF = re.compile(r"^\s(?:of|for|de|del|du|des|für|von|vom|d')(?!\w)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:[.-][^\W_]+)*")
_UNSPACED = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
MOST_VIEWS = 8
_LONGEST = 240


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicView:
    """A statement, or a clause of one, as topic and values.

    `topic` are the stems of what it speaks of, `subject` those before its verb. `owners` are the relatives and names
    whose it is.
    """

    text: str
    topic: tuple[str, ...]
    subject: tuple[str, ...]
    times: tuple[str, ...]
    numbers: tuple[str, ...]
    place: tuple[str, ...]
    name: tuple[str, ...]
    owners: frozenset[str]
    is_event: bool
    is_changed: bool
    is_beside: bool
    has_numbered_head: bool


def renewed(new: str, old: str) -> str:
    """Why a new turn gives a matter of an old one another value, in words; empty when it does not."""
    for said in views(new):
        if said.is_beside or (said.is_event and not said.is_changed):
            continue
        for known in views(old):
            if known.is_beside or (known.is_event and not known.is_changed):
                continue
            if reason := _renewed(said, known):
                return reason
    return ""


def _renewed(new: TopicView, old: TopicView) -> str:
    if new.owners != old.owners and not _are_met(new, old):
        return ""
    if _same(new.subject, old.subject) and new.subject and not set(new.subject) & MANY:
        if new.place and old.place and not _overlap(new.place, old.place):
            return "the same thing is elsewhere"
        if new.name and old.name and not _overlap(new.name, old.name):
            return "the same thing has another name"
    if not _is_one_topic(new, old):
        return ""
    if new.times and old.times and _differ(new.times, old.times):
        return "the same matter at another time"
    is_numbered = new.numbers and old.numbers and not (new.has_numbered_head or old.has_numbered_head)
    return "the same matter with another number" if is_numbered and _differ(new.numbers, old.numbers) else ""


def _are_met(new: TopicView, old: TopicView) -> bool:
    """Whether who owns it in one is spoken of in the other."""
    missing = (new.owners ^ old.owners) - PROFESSIONS
    return all(_in_both(owner, new, old) for owner in missing)


def _in_both(owner: str, new: TopicView, old: TopicView) -> bool:
    return owner in new.text.lower() and owner in old.text.lower()


def _is_one_topic(new: TopicView, old: TopicView) -> bool:
    if not new.topic or not old.topic:
        return False
    if _within(old.topic, new.topic):
        return not _is_narrowed(new, old)
    return _within(new.topic, old.topic) and not _is_narrowed(old, new)


def _is_narrowed(longer: TopicView, shorter: TopicView) -> bool:
    """True when a word beside what both speak of makes it another thing: the staging API."""
    if _UNSPACED.search(longer.text):
        return len(longer.topic) > len(shorter.topic) + 6
    known, text = shorter.topic, TIME.sub(",", longer.text)
    tokens = [(found.start(), found.end(), found[0].lower()) for found in _WORD.finditer(text)]
    for place, (_, end, token) in enumerate(tokens):
        stem = _stem(token)
        if not any(is_of_one_root(stem, word) for word in known):
            continue
        if place and text[tokens[place - 1][1] : tokens[place][0]] == " " and _tells(tokens[place - 1][2], known):
            return True
        if _OF.match(text[end:]) and place + 2 < len(tokens):
            behind = [one for _, _, one in tokens[place + 2 : place + 4]]
            if any(_tells(one, known) for one in behind[:2]) and not NUMBER.match(behind[0]):
                return True
    return False


def _tells(token: str, known: tuple[str, ...]) -> bool:
    stem = _stem(token)
    return bool(stem) and stem not in TOPICLESS and not any(is_of_one_root(stem, word) for word in known)


@lru_cache(maxsize=4_096)
def _stem(token: str) -> str:
    words = content_of(token).words
    return words[0] if words and not token[0].isdigit() else ""


def _same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return _within(one, other) and _within(other, one)


def _within(few: tuple[str, ...], many: tuple[str, ...]) -> bool:
    return all(any(is_of_one_root(word, other) for other in many) for word in few)


def _overlap(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return _within(one, other) or _within(other, one)


def _differ(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Neither says all that the other says."""
    return not set(one) <= set(other) and not set(other) <= set(one)


def views(text: str) -> tuple[TopicView, ...]:
    """The statements of a turn and their clauses, as topics with values; short turns are kept at hand."""
    return _known_views(text) if len(text) <= _SHORT else _views(text)


def _views(text: str) -> tuple[TopicView, ...]:
    found: list[TopicView] = []
    for sentence in read(text).statements[:4]:
        pieces = [sentence] + ([part for part in _CLAUSE.split(sentence) if part] if len(sentence) > 12 else [])
        for piece in dict.fromkeys(piece.strip()[:_LONGEST] for piece in pieces):
            if len(found) < MOST_VIEWS and (view := _view(piece)) is not None:
                found.append(view)
    return tuple(found)


_SHORT = 2_000
_known_views = lru_cache(maxsize=4_096)(_views)


def _view(text: str) -> TopicView | None:
    times = tuple(" ".join(found[0].lower().split()) for found in TIME.finditer(text))
    rest = TIME.sub(" ", text)
    numbers = tuple(found[0].strip("€$£ ").replace(",", "").replace("'", "") for found in NUMBER.finditer(rest))
    place, name, head = _standing(text)
    if not (times or numbers or place or name):
        return None
    content = content_of(rest)
    topic = tuple(word for word in content.words if word not in TOPICLESS and not word[0].isdigit())
    tables = [FORMS[one.name] for one in guess_languages(text) if one.name in FORMS]
    return TopicView(
        text=text,
        topic=topic,
        subject=tuple(word for word in content_of(head).words if word not in TOPICLESS) if head else (),
        times=times,
        numbers=numbers,
        place=place,
        name=name,
        owners=frozenset(owners_of(text)),
        is_event=bool(EVENT.search(text)) and not SHIFTED.search(text),
        is_changed=content.is_changed,
        is_beside=any(table.also.search(text) or table.unreal.search(text) for table in tables),
        has_numbered_head=bool(head and NUMBER.search(head)),
    )


def _standing(text: str) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Where the subject stands or what it is called, and the words before the verb."""
    verb = STANDS.search(text)
    if verb is None or len(text[: verb.start()].split()) > 6:
        return (), (), ""
    head, rest = text[: verb.start()], text[verb.end() :]
    if TIME.match(rest.strip()) or re.match(r"\s*(?:at|on|um|am|à|a las|el|le) ?\d", rest, re.IGNORECASE):
        return (), (), head
    if at := (AT.match(rest) or (verb if _UNSPACED.search(verb[0]) else None)):
        where = rest[at.end() :] if at is not verb else rest
        if TIME.match(where.strip()):
            return (), (), head
        return content_of(_CLAUSE.split(where)[0]).words[:6], (), head
    called = TITLED.match(rest)
    is_name = called is not None and re.match(r"\s*[,.!;]|\s*$", rest[called.end() :]) is not None
    return (), (content_of(called[0]).words if called and is_name else ()), head


def owners_of(text: str) -> Iterator[str]:
    """The relatives and names whose something is."""
    for found in _POSSESSOR.finditer(text):
        if found[1].lower() not in _NOBODY:
            yield found[1].lower()
    for one in guess_languages(text):
        table = FORMS.get(one.name)
        for kin in table.kin.finditer(text) if table else ():
            relation = table.relations.get(kin["relation"].lower(), "") if table else ""
            if relation and relation not in PROFESSIONS:
                yield relation


_NOBODY = frozenset("that it let what there here who he she how where when today".split())


def forget_views() -> None:
    """Let go of the turns that were looked at before."""
    _known_views.cache_clear()
    _stem.cache_clear()
