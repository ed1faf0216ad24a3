"""Which attributes a turn states: sentence by sentence, of the speaker, a person of theirs, or a thing.

What is asked, wished, supposed, reported or long past states nothing. Precision first: what cannot be told whose it is
is left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from libravdb.core.gate.languages.forms import ALIASES, FORMS, PRODUCT, SOLE, Form, FormVocabulary, Single
from libravdb.core.gate.languages.forms.edges import ARTICLE, NO_NAMES, TRAILING
from libravdb.core.gate.parsed_turn import COMMON, ParsedTurn, read
from libravdb.model import AttributeKind, StatedAttribute
from libravdb.text.analysis import index_terms

MOST_SENTENCES = 40
"""Of a longer turn the first sentences are read."""
_LONGEST = 400
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_STOP = re.compile(r"[,;:()–—，；：（）、]|[.](?=\s|$)")
_NAME_AT_HEAD = re.compile(
    r"(?:^(?:[Oo]ur |[Uu]nsere? |[Nn]uestr[oa] |[Nn]otre )?|[,;:.] "
    r"|\b(?:and|that|but|und|dass|aber|y|que|pero|et|mais) )([A-ZÀ-Þ][\w-]+)(?= |$)"
)


def read_attributes(text: str) -> tuple[StatedAttribute, ...]:
    """The attributes that a turn states, in the order in which they are stated; short turns are kept at hand."""
    return _known(text) if len(text) <= _SHORT else _read(text)


def forget_attributes() -> None:
    """Let go of the turns that were read before."""
    _known.cache_clear()
    _known_stems.cache_clear()


def _read(text: str) -> tuple[StatedAttribute, ...]:
    reading = read(text)
    tables = [FORMS[one.name] for one in reading.languages if one.name in FORMS] or list(FORMS.values())
    found: dict[tuple[str, ...], StatedAttribute] = {}
    for table in tables:
        persons: tuple[str, ...] = ()
        for sentence in (*_joined(reading.statements[:MOST_SENTENCES]), *_dictated(reading)):
            stated, persons = _stated(table, sentence[:_LONGEST], persons)
            for one in stated:
                found.setdefault((one.subject, one.kind, one.name, one.value.lower(), str(one.is_ended)), one)
    return tuple(found.values())


def _joined(statements: Sequence[str]) -> list[str]:
    """The sentences, an exclamation of one or two words with the one behind it: "moved! first night in Graz"."""
    joined: list[str] = []
    for sentence in statements:
        if joined and joined[-1].endswith("!") and len(joined[-1].split()) <= _FEW_WORDS:
            joined[-1] = f"{joined[-1]} {sentence}"
        else:
            joined.append(sentence)
    return joined


def _dictated(reading: ParsedTurn) -> list[str]:
    """What a request asks to write down, which is stated too: "add that I'm asthmatic"."""
    asked = (_DICTATED.match(one.text) for one in reading.sentences[:MOST_SENTENCES] if one.is_question)
    return [found[1] for found in asked if found]


_DICTATED = re.compile(
    r"(?:(?:and|also|please|but|oh|ok|bitte|und|auch|y|et) )*"
    r"(?:add|say|mention|put|note|write|include|schreib|ergänze|añade|pon|escribe|ajoute|écris|mets)"
    r"(?: also| in| too| dazu| noch| también| aussi)* (?:that|dass|que|qu') ?([^?]{5,200})$",
    re.IGNORECASE,
)
_SHORT = 2_000
_known = lru_cache(maxsize=4_096)(_read)


@dataclass(frozen=True, slots=True, kw_only=True)
class _FormMatch:
    """Where a form was met: the sentence, what stands before it, and the clause it stands in."""

    table: FormVocabulary
    form: Form
    match: re.Match[str]
    sentence: str
    persons: tuple[str, ...]

    @property
    def head(self) -> str:
        return self.sentence[: self.match.start()]

    @property
    def clause(self) -> str:
        """What stands between the two ends of a clause around it."""
        before = _last_end(self.table, self.head)
        rest = self.sentence[self.match.end() :]
        ends = [found.start() for found in (_STOP.search(rest), self.table.joint.search(rest)) if found]
        return self.sentence[before : self.match.end() + min(ends, default=len(rest))]

    def group(self, name: str) -> str:
        """The first filled group of a name; a form with several alternatives numbers them."""
        found = self.match.groupdict()
        return next((text for key, text in found.items() if text and key.rstrip("0123456789") == name), "").strip()


def _last_end(table: FormVocabulary, head: str) -> int:
    ends = [found.end() for expression in (_STOP, table.joint) for found in expression.finditer(head)]
    return max(ends, default=0)


def _stated(
    table: FormVocabulary, sentence: str, persons: tuple[str, ...]
) -> tuple[list[StatedAttribute], tuple[str, ...]]:
    """What a sentence states, and the persons that it leaves behind for a pronoun of the next one."""
    low = sentence.lower()
    plain = table.expand(sentence)
    found: list[tuple[int, int, StatedAttribute]] = []
    for order in sorted({order for cue, orders in _CUES[table.language].items() if cue in low for order in orders}):
        form = table.forms[order]
        for match in form.expression.finditer(plain):
            place = _FormMatch(table=table, form=form, match=match, sentence=plain, persons=persons)
            one = _attribute(place)
            if one is not None:
                found.append((match.start(), order, one))
    kin = list(table.kin.finditer(plain))
    if kin:
        persons = tuple(_person(table, one) for one in kin)
    ordered = sorted(found, key=lambda each: each[1])
    kept = _sifted([one for _, _, one in ordered])
    starts = {id(one): start for start, _, one in found}
    return [replace(one, sentence=sentence) for one in sorted(kept, key=lambda one: starts[id(one)])], persons


def _orders_by_cue(table: FormVocabulary) -> dict[str, tuple[int, ...]]:
    """Which forms a cue calls for: many share one, and each is looked for once a sentence."""
    cues = dict.fromkeys(cue for form in table.forms for cue in form.cues)
    return {cue: tuple(order for order, form in enumerate(table.forms) if cue in form.cues) for cue in cues}


_CUES = {name: _orders_by_cue(table) for name, table in FORMS.items()}


def _sifted(stated: list[StatedAttribute]) -> list[StatedAttribute]:
    """Each thing once: by the form that stands first in the table, and a product by what tells of products."""
    kept: list[StatedAttribute] = []
    for one in stated:
        is_product = bool(PRODUCT.fullmatch(one.value))
        if is_product and one.kind in (AttributeKind.HOME, AttributeKind.WORK, AttributeKind.LIKING):
            continue
        if one.kind in _GENERAL and any(other.sentence == one.sentence and _overlaps(one, other) for other in kept):
            continue
        if any(_overlaps(one, other) and one.is_ended == other.is_ended for other in kept):
            continue
        kept.append(one)
    return kept


_GENERAL = (AttributeKind.OTHER, AttributeKind.HABIT, AttributeKind.TOOL)


def _overlaps(one: StatedAttribute, other: StatedAttribute) -> bool:
    """Whether two readings of a sentence tell of the same words."""
    left, right = set(_plain(one.value).split()), set(_plain(other.value).split())
    return one.kind is not AttributeKind.STATUS and bool(
        left & right or (one.kind is AttributeKind.HABIT and one.is_ended and not right)
    )


def _attribute(place: _FormMatch) -> StatedAttribute | None:
    form, table = place.form, place.table
    clause = place.clause
    subject = _subject(place)
    is_open = form.kind is not AttributeKind.PLAN and not form.is_naming
    if subject is None or (is_open and table.unreal.search(clause)):
        return None
    is_ended = form.is_ended
    inner = place.match[0]
    if not is_ended and not form.is_naming and form.name not in ("dislikes", "avoids"):
        front = clause[: max(clause.find(inner), 0)] + inner if inner in clause else clause
        if form.kind is not AttributeKind.STATUS and table.ended.search(clause):
            is_ended = True
        elif table.denied.search(front):
            return None
    value = _cut(place.group("value"))
    name = form.name or _named(table, place.group("name"))
    if not value and not is_ended:
        value = _cut(place.group("name"))
        if not value:
            return None
    return StatedAttribute(
        subject=subject,
        kind=form.kind,
        name=name,
        value=value,
        sentence=place.sentence,
        is_single=not is_ended and _is_single(place, name, clause),
        is_ended=is_ended,
    )


def _is_single(place: _FormMatch, name: str, clause: str) -> bool:
    form, table = place.form, place.table
    front = clause[: clause.find(place.match[0]) + len(place.match[0])]
    if form.single is Single.NEVER or table.also.search(front or clause):
        return False
    if form.kind is AttributeKind.PERSON and name not in SOLE:
        return bool(table.changed.search(clause)) and name not in ("friend", "colleague", "neighbour")
    return form.single is Single.ALWAYS or bool(table.changed.search(place.sentence))


def _named(table: FormVocabulary, name: str) -> str:
    """A name that can be compared: a relation by its one word, else its stems."""
    bare = ARTICLE.sub("", name.lower()).strip()
    one = table.relations.get(bare) or ALIASES.get(bare)
    return one or stems(bare)


def stems(text: str) -> str:
    """The stems of a few words, parted by spaces; a text without spaces stays whole. Short texts are kept at hand."""
    return _known_stems(text) if len(text) <= _SHORT else _stemmed(text)


def _stemmed(text: str) -> str:
    return text.lower() if _UNSPACED.search(text) else " ".join(index_terms(text))


_known_stems = lru_cache(maxsize=4_096)(_stemmed)


def _subject(place: _FormMatch) -> str | None:
    """Whose it is: empty for the speaker, None when nobody can tell."""
    table = place.table
    whom = place.group("whom") or place.group("called")
    if whose := place.group("whose"):
        relation = table.relations.get(whose.lower(), whose.lower())
        return f"{relation} {whom.lower()}" if whom and whom.lower() not in NO_NAMES else relation
    if whom:
        return None if whom.lower() in NO_NAMES or whom.lower() in COMMON else whom.lower()
    if thing := place.group("thing"):
        return None if table.kin.match(thing) else thing_subject(thing)
    if place.form.is_speakers or place.match.groupdict().get("first"):
        return ""
    return _subject_before(place)


def _subject_before(place: _FormMatch) -> str | None:
    """The subject nearest in front of the value; a form that only the speaker uses needs none."""
    table, start = place.table, place.match.start()
    reach = place.sentence[: _value_at(place.match)]
    found: list[tuple[int, str | None]] = [(one.start(), "") for one in table.speaker.finditer(reach)]
    found += [(one.start(), None) for one in table.listener.finditer(reach)]
    found += [(one.start(), _pronoun(place, one.start())) for one in table.other.finditer(reach)]
    found += [(one.start(), _person(table, one)) for one in table.kin.finditer(reach)]
    found += [(one.start(1), one[1].lower()) for one in _NAME_AT_HEAD.finditer(reach) if _is_name(one, start)]
    if found:
        return max(enumerate(found), key=lambda one: (one[1][0], one[0]))[1][1]
    if place.match.groupdict().get("third"):
        return None
    if place.form.kind in _OF_THINGS:
        return thing_subject(_last_thing(table, place.head) or _bare(place.head))
    return "" if place.form.is_ended or not place.head.strip(" ,") else None


def _value_at(match: re.Match[str]) -> int:
    starts = [match.start(key) for key, text in match.groupdict().items() if text and key.startswith("value")]
    return max(min(starts, default=match.end()), match.start())


def _is_name(found: re.Match[str], verb: int) -> bool:
    """A capital alone is no name: it must stand right before the verb, and be no small word."""
    return found[1].lower() not in NO_NAMES and found[1].lower() not in COMMON and found.end() >= verb - 12


_OF_THINGS = (
    AttributeKind.VERSION,
    AttributeKind.TOOL,
    AttributeKind.ROLE,
    AttributeKind.OTHER,
    AttributeKind.PLAN,
    AttributeKind.PRICE,
    AttributeKind.CONTACT,
)


def _last_thing(table: FormVocabulary, text: str) -> str:
    things = list(table.thing.finditer(text))
    return things[-1]["thing"] if things else ""


def _bare(head: str) -> str:
    """A subject without an article: "app requires Node 22"."""
    return head if 0 < len(head.split()) <= _FEW_WORDS else ""


_FEW_WORDS = 2


def _pronoun(place: _FormMatch, at: int) -> str | None:
    before = place.sentence[:at]
    kin = [_person(place.table, one) for one in place.table.kin.finditer(before)]
    named = [one[1].lower() for one in _NAME_AT_HEAD.finditer(before)]
    names = [one for one in named if one not in NO_NAMES and one not in COMMON]
    unfit = _NOT_SHE if _SHE.match(place.sentence, at) else _NOT_HE if _HE.match(place.sentence, at) else frozenset()
    for known in (kin, names, place.persons):
        if fit := [one for one in known if one.partition(" ")[0] not in unfit]:
            return fit[-1]
    return None


_SHE, _HE = re.compile(r"(?:she|ella|elle)\b", re.IGNORECASE), re.compile(r"(?:he|er|él|il)\b", re.IGNORECASE)
_NOT_HE = frozenset("mother sister daughter wife grandmother aunt niece mother-in-law sister-in-law".split())
_NOT_SHE = frozenset("father brother son husband grandfather uncle nephew father-in-law brother-in-law".split())


def _person(table: FormVocabulary, found: re.Match[str]) -> str:
    relation = table.relations.get(found["relation"].lower(), found["relation"].lower())
    called = found.groupdict().get("called")
    return f"{relation} {called.lower()}" if called and called.lower() not in NO_NAMES else relation


def thing_subject(thing: str) -> str:
    """What a thing is called, as stems without articles and words that every thing may have."""
    return " ".join(term for term in stems(ARTICLE.sub("", thing.lower())).split() if term not in _ANY_THING)


_ANY_THING = frozenset("new now servic server instanc box machin current nuevo neu nouveau actual aktuell".split())


def _cut(value: str) -> str:
    """A value without what does not belong to it."""
    return TRAILING.sub("", value.strip(" '\".,;:!?。，！？")).strip(" '\".,;:!?。，！？")


def _plain(value: str) -> str:
    return stems(value)


__all__ = ["forget_attributes", "read_attributes", "stems", "thing_subject"]
