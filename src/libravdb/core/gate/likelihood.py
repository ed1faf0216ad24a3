"""How likely a new sentence replaces an old one where no rule of its own applies: a small linear model.

Every feature is something that can be read off the two sentences and be told in words; their weights were fitted by
`bench/updates_fit.py`, and the limit was set above every pair that stands apart.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, lru_cache

from libravdb.core.gate.attributes import read_attributes
from libravdb.core.gate.languages.forms import FORMS
from libravdb.core.gate.languages.signs import BESIDE, BRINGERS, CHANGED, ENDED, KIN, LISTED, PAST, SOLE_MATTERS, UNREAL
from libravdb.core.gate.languages.slots import EVENT, NUMBER, SHIFTED, STANDS, TIME, TOPICLESS
from libravdb.core.gate.parsed_turn import COMMON, read
from libravdb.core.gate.replacement import RELATIONS, same_subject
from libravdb.core.gate.statement import Content, content_of, is_of_one_root
from libravdb.core.gate.topics import owners_of
from libravdb.model import StatedAttribute

_CLAUSE = re.compile(r"[,;:.!–—，；：。！]\s*|\s(?:so|because|weil|porque|parce que|but|aber|pero|mais|and|und|y|et)\s")
_COMMA = re.compile(r"[,;:!–—，；：。！]\s*|\.(?=\s|$)")
_TOKEN = re.compile("[\u3400-\u9fff]|\\d[\\d.:]*\\d|[^\\W\u3400-\u9fff]+")
_CAPITAL = re.compile(r"\b[A-ZÀ-Þ][\w-]*\w")
_UNSPACED = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_SPEAKER = re.compile(
    r"(?<!\w)(?:i|i'm|my|we|we're|our|me|us|ich|wir|mein\w*|unser\w*|mir|uns|mi|mis|yo|nuestr\w+|nos|je|j'|j'\w+|mon|ma|mes|on|notre|nous)(?!\w)|我",
    re.IGNORECASE,
)
_CALLED = re.compile(
    r"(?<!\w)(?i:my|our|meine?|unsere?|mi|nuestr[oa]|mon|ma|notre) [^\W\d_]{3,} ([A-ZÀ-Þ][\w-]+)(?= (?:[^\W\d_]+))"
)
_OF_SOMEBODY = re.compile(
    r"(?<!\w)(?:von|of|de) (?:meine[mrn]|unsere[mrn]|my|our|mi|nuestr[oa]|mon|ma|notre) ([^\W\d_]{3,})", re.IGNORECASE
)
_RUN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]{2,}")
_SMALL = frozenset("是在有的了我们现个每月元块用到改一你这那就都也不和跟给把被上下")
_LONGEST = 240
MOST_SENTENCES = 3
LEAST_LIKELY_COSINE = 0.20
"""The least cosine of two sentences that are compared by likelihood."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseSigns:
    """A clause of a sentence: its words, and whether it tells what was, or what stands beside."""

    words: tuple[str, ...]
    is_aside: bool


@dataclass(frozen=True, kw_only=True)
class SentenceSigns:
    """What of a sentence counts when it is compared: its words, its values, whose it is, and the signs it shows. Each
    is read when it is first asked for: most pairs have nothing in common, and need no more than their words."""

    text: str

    @cached_property
    def content(self) -> Content:
        """It, taken apart."""
        return content_of(self.text)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The stems that name what it is about."""
        return _telling(self.text)

    @cached_property
    def matters(self) -> frozenset[str]:
        """The matters it tells of, of which one has only one."""
        return frozenset(name for name, words in SOLE_MATTERS.items() if words.search(self.text))

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """Its clauses as written."""
        return tuple(part for part in _CLAUSE.split(self.text) if part)

    @cached_property
    def clauses(self) -> tuple[ClauseSigns, ...]:
        """Its clauses, taken apart."""
        return tuple(ClauseSigns(words=_telling(part), is_aside=_is_aside(part)) for part in self.parts)

    @cached_property
    def first(self) -> tuple[str, ...]:
        """What its first clause is about."""
        return _telling(self.parts[0]) if self.parts else ()

    @cached_property
    def frames(self) -> tuple[tuple[str, ...], ...]:
        """The words between its commas that are no small words."""
        return tuple(frame for part in _COMMA.split(self.text) if (frame := _frame(part))) or ((),)

    @cached_property
    def ended(self) -> tuple[str, ...]:
        """What it says is over."""
        return tuple(word for part in self.parts if ENDED.search(part) for word in _telling(ENDED.sub(" ", part)))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Its numbers, without those of times."""
        return frozenset(found[0].strip("€$£ ").replace(",", "") for found in NUMBER.finditer(TIME.sub(" ", self.text)))

    @cached_property
    def times(self) -> frozenset[str]:
        """The times it names."""
        return frozenset(" ".join(found[0].lower().split()) for found in TIME.finditer(self.text))

    @cached_property
    def names(self) -> frozenset[str]:
        """What it writes with a capital."""
        return frozenset(name for found in _CAPITAL.finditer(self.text) if (name := found[0].lower()) not in COMMON)

    @cached_property
    def called(self) -> frozenset[str]:
        """The names of those who are the speaker's."""
        return frozenset(found[1].lower() for found in _CALLED.finditer(self.text))

    @cached_property
    def head(self) -> str:
        """What stands before its verb."""
        return self.text[: verb.start()] if (verb := STANDS.search(self.text)) else ""

    @cached_property
    def heads(self) -> tuple[str, ...]:
        """What its head is about."""
        return _telling(self.head) if self.head else ()

    @cached_property
    def head_numbers(self) -> frozenset[str]:
        """The numbers of its head."""
        return frozenset(found[0] for found in NUMBER.finditer(self.head))

    @cached_property
    def owners(self) -> frozenset[str]:
        """Whose it is."""
        return frozenset((*_owners(self.text), *(found[0].lower() for found in KIN.finditer(self.text))))

    @cached_property
    def persons(self) -> frozenset[str]:
        """Who is spoken of besides the speaker."""
        return self.content.persons

    @cached_property
    def is_speakers(self) -> bool:
        """Whether the speaker speaks of themselves."""
        return bool(_SPEAKER.search(self.text))

    @cached_property
    def is_negated(self) -> bool:
        """Whether it denies."""
        return self.content.is_negated

    @cached_property
    def is_changed(self) -> bool:
        """Whether it says that something has changed."""
        return bool(CHANGED.search(self.text))

    @cached_property
    def is_ended(self) -> bool:
        """Whether it says that something is over."""
        return bool(ENDED.search(self.text))

    @cached_property
    def is_past(self) -> bool:
        """Whether it tells what was."""
        return bool(PAST.search(self.text))

    @cached_property
    def is_unreal(self) -> bool:
        """Whether it tells a wish or a condition."""
        return bool(UNREAL.search(self.text))

    @cached_property
    def is_listed(self) -> bool:
        """Whether it names one of several."""
        return bool(LISTED.search(self.text))


def signs_of(text: str) -> tuple[SentenceSigns, ...]:
    """The first sentences of a turn, taken apart; short turns are kept at hand."""
    return _known_signs(text) if len(text) <= _SHORT else _signs(text)


def forget_signs() -> None:
    """Let go of the sentences that were taken apart before."""
    _known_signs.cache_clear()


def _signs(text: str) -> tuple[SentenceSigns, ...]:
    turn = read(text)
    if not any(one.name in FORMS for one in turn.languages):
        return ()  # the signs are those of five languages
    return tuple(SentenceSigns(text=one[:_LONGEST]) for one in turn.statements[:MOST_SENTENCES])


_SHORT = 2_000
_known_signs = lru_cache(maxsize=4_096)(_signs)


def _frame(clause: str) -> tuple[str, ...]:
    """The words of a clause that are no small words, in order; numbers and times stay."""
    tokens = (found[0].lower() for found in _TOKEN.finditer(clause))
    return tuple(token for token in tokens if token not in COMMON or token.isdigit())


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameComparison:
    """Two clauses laid side by side: how many words stay, and where others stand."""

    kept: int
    share: float
    others: int
    is_front: bool
    is_end: bool


def _laid(new: SentenceSigns, old: SentenceSigns) -> FrameComparison:
    """The clause of the new sentence that is most like the head of the old one, beside it."""
    known = old.frames[0]
    frame = max(new.frames, key=lambda one: len(set(one) & set(known)))
    steps = SequenceMatcher(None, known, frame, autojunk=False).get_opcodes()
    kept = sum(end - start for step, start, end, _, _ in steps if step == "equal")
    names = [step for step, *_ in steps]
    return FrameComparison(
        kept=kept,
        share=2 * kept / max(len(known) + len(frame), 1),
        others=names.count("replace"),
        is_front=bool(names) and names[0] == "replace",
        is_end=bool(names) and names[-1] == "replace",
    )


def _owners(text: str) -> list[str]:
    """Whose it is: a relative, or somebody by name ("the flat's in Hull" is nobody's)."""
    named = [one for one in owners_of(text) if one in RELATIONS or one.capitalize() in text]
    return [*named, *(found[1].lower() for found in _OF_SOMEBODY.finditer(text))]


_STATE = re.compile(
    r"(?:'m|'s|'re|'ve|is|are|am|be|been|have|has|an?|the|my|firm|someone|guy|woman|man) (?:got|\w+ed)(?!\w)",
    re.IGNORECASE,
)


def _is_aside(clause: str) -> bool:
    is_event = bool(EVENT.search(_STATE.sub(" ", clause))) and not SHIFTED.search(clause)
    return is_event or bool(PAST.search(clause) or BESIDE.search(clause))


def _telling(text: str) -> tuple[str, ...]:
    """The stems that name a matter, each once, in order; of a script without spaces pairs of characters."""
    rest = TIME.sub(" ", text)
    words = content_of(rest).words
    if _UNSPACED.search(rest):
        spaced = tuple(word for word in words if not _UNSPACED.match(word) and word not in TOPICLESS)
        runs = (found[0] for found in _RUN.finditer(rest))
        pairs = (run[at : at + 2] for run in runs for at in range(len(run) - 1))
        return tuple(dict.fromkeys((*spaced, *(pair for pair in pairs if not set(pair) & _SMALL)))) or tuple(words)
    plain = tuple(dict.fromkeys(word for word in words if not word[0].isdigit()))
    return tuple(word for word in plain if word not in TOPICLESS) or plain


def is_barred(new: SentenceSigns, old: SentenceSigns) -> bool:
    """What no weight outdoes: it is asked or wished, tells of somebody or something else, or says nothing new."""
    shared = [word for word in old.words if _among(word, new.words)]
    ends_it = any(_among(word, new.ended) for word in old.words)
    is_shift = new.is_changed or ends_it
    if new.is_unreal or old.is_unreal or (old.is_past and not old.is_changed and not old.is_ended):
        return True
    telling = [one for one in new.clauses if any(_among(word, one.words) for word in shared)] or list(new.clauses)
    is_aside = all(one.is_aside for one in telling)
    if is_aside and (not is_shift or (old.numbers and new.numbers != old.numbers and not SHIFTED.search(new.text))):
        return True
    if new.is_listed and old.is_listed and not ends_it:
        return True
    return _is_anothers(new, old) or _says_nothing_new(new, old) or _is_qualified(new, old, shared, is_shift=is_shift)


def _is_anothers(new: SentenceSigns, old: SentenceSigns) -> bool:
    """Somebody else's: other relatives or owners, and nobody by name whom both speak of."""
    low, known = new.text.lower(), old.text.lower()
    if new.called and old.called and not new.called & old.called:
        return True
    if _is_met(old.names, low) or _is_met(new.names, known):
        return False
    of_new, of_old = new.owners | new.persons, old.owners | old.persons
    added = {one for one in of_new - of_old - BRINGERS if _bare(one) not in known}
    lost = {one for one in of_old - of_new - BRINGERS if _bare(one) not in low}
    ends_it = any(_among(word, new.ended) for word in old.words)
    is_aimed = ends_it and not lost and not any(_bare(one) in low[:_HEAD] for one in added)
    return (bool(added) and not is_aimed) or (bool(lost) and new.is_speakers)


def _is_met(names: frozenset[str], text: str) -> bool:
    """Whether one of the names stands in a text, with an s at most."""
    return bool({word for token in _TOKEN.findall(text) for word in (token, token.removesuffix("s"))} & names)


_HEAD = 14


def _bare(person: str) -> str:
    return person[-1] if _UNSPACED.match(person) and len(set(person)) == 1 else person


def _says_nothing_new(new: SentenceSigns, old: SentenceSigns) -> bool:
    has_value = not new.numbers <= old.numbers or not new.times <= old.times
    is_turned = new.is_negated != old.is_negated or new.is_ended
    return not has_value and not is_turned and all(_among(word, old.words) for word in new.words)


def _is_qualified(new: SentenceSigns, old: SentenceSigns, shared: list[str], *, is_shift: bool) -> bool:
    """The same word of two things: each says which, and they say otherwise ("exam in algebra", "the brown goat")."""
    if new.head_numbers and old.head_numbers and not new.head_numbers & old.head_numbers:
        return True
    if is_shift:
        return False
    if shared and _differ(new.heads, old.words) and _differ(old.heads, new.words) and not new.matters & old.matters:
        return True
    left, right = _qualifiers(new.text, shared), _qualifiers(old.text, shared)
    if any(word in right and not left[word] & right[word] for word in left):
        return True
    laid = _laid(new, old)
    has_number = bool(new.numbers and old.numbers) and not new.numbers & old.numbers
    has_time = bool(new.times and old.times) and not new.times & old.times
    if bool(new.names and old.names) and not new.names & old.names and (has_number or has_time):
        return True
    if not laid.kept or laid.kept * 2 < min(len(old.frames[0]), 4):
        return False
    is_other_front = laid.is_front and (has_number or has_time or not laid.is_end)
    return laid.others > 1 or is_other_front


def _differ(some: tuple[str, ...], among: tuple[str, ...]) -> bool:
    return any(not _among(word, among) for word in some)


def _qualifiers(text: str, shared: list[str]) -> dict[str, frozenset[str]]:
    """For each shared word the stems right before it, or behind a small word such as "of", where there are any."""
    found: dict[str, frozenset[str]] = {}
    heads = _telling(text)[:2]
    for expression in (_OF_WHICH, _WHICH):
        for match in expression.finditer(text):
            if expression is _WHICH and not set(_telling(match["noun"])) & set(heads):
                continue
            nouns, told = _telling(match["noun"]), frozenset(_telling(match["which"]))
            root = next((word for word in shared if nouns and is_of_one_root(nouns[0], word)), "")
            if root and told and not told & set(shared):
                found[root] = found.get(root, frozenset()) | told
    return found


_OF_WHICH = re.compile(
    r"(?<!\w)(?P<noun>[^\W\d_]{2,})(?= (?:of|for|to|von|für|fürs|vom|zu|de|del|para"
    r"|du|des|pour|d'|(?:with|mit|con|avec)(?-i:(?= [A-ZÀ-Þ]))) ?"
    r"(?:(?:the|an?|my|our|der|die|das|den|dem|el|la|los|las|le|les|l') ?)?(?P<which>[^\W\d_]{2,}))",
    re.IGNORECASE,
)
_WHICH = re.compile(r"(?<!\w)(?P<which>[^\W\d_]{2,})(?= (?P<noun>[^\W\d_]{2,}))")


def features(new: SentenceSigns, old: SentenceSigns, cosine: float) -> dict[str, float]:
    """What speaks for and against a link, by name."""
    shared = [word for word in old.words if _among(word, new.words)]
    of_old = len(shared) / max(len(old.words), 1)
    first_met = bool(old.first and new.first) and (_among(new.first[0], old.words) or _among(old.first[0], new.words))
    laid = _laid(new, old)
    numbers = bool(new.numbers and old.numbers) and not new.numbers & old.numbers
    times = bool(new.times and old.times) and not new.times <= old.times
    names = bool(new.names and old.names) and not new.names & old.names
    same_names = bool(new.names & old.names)
    ended = any(_among(word, new.ended) for word in old.words)
    missing = new.owners ^ old.owners
    clash = any(one not in new.text.lower() or one not in old.text.lower() for one in missing)
    matter = bool(new.matters & old.matters)
    is_same_person = new.persons == old.persons and not clash
    return {
        "cosine": cosine,
        "shared of old": of_old,
        "several shared": min(len(shared), 4) / 4,
        "one shared": float(bool(shared)),
        "same frame": laid.share,
        "one difference, in front": float(laid.others == 1 and laid.kept > 0 and laid.is_front),
        "two differences": float(laid.others > 1 and laid.kept > 0),
        "same frame, one difference": laid.share * (laid.others == 1 and not laid.is_front),
        "first word met": float(first_met and bool(shared)),
        "other number": float(numbers and bool(shared)),
        "other time": float(times and bool(shared)),
        "other name": float(names and bool(shared)),
        "same name": float(same_names),
        "ended and shared": float(ended),
        "ended": float(new.is_ended),
        "changed": float(new.is_changed),
        "changed and shared": float(new.is_changed and bool(shared)),
        "other owner": float(clash),
        "same matter": float(matter and is_same_person),
        "same matter of the speaker": float(matter and is_same_person and new.is_speakers and old.is_speakers),
        "old length": math.log1p(len(old.words)),
        "new length": math.log1p(len(new.words)),
    }


def attribute_features(new: tuple[StatedAttribute, ...], old: tuple[StatedAttribute, ...]) -> dict[str, float]:
    """What the attributes that both state speak for and against a link."""
    pairs = [(one, other) for one in new for other in old if one.kind is other.kind]
    same = [(one, other) for one, other in pairs if same_subject(one.subject, other.subject)]
    return {
        "same kind, one only": float(any(one.is_single for one, _ in same)),
        "same kind of another": float(bool(pairs) and not same),
        "ends a kind": float(any(one.is_ended for one, _ in same)),
    }


def _among(word: str, words: tuple[str, ...]) -> bool:
    return word in words or any(is_of_one_root(word, other) for other in words)


def _are_near(new: SentenceSigns, old: SentenceSigns) -> bool:
    """A matter or a word in common: without, nothing else needs to be looked at."""
    return bool(new.matters & old.matters) or any(_among(word, new.words) for word in old.words)


def pair_features(new: str, old: str, cosine: float) -> list[dict[str, float]]:
    """The features of every pair of sentences of two turns."""
    told = attribute_features(read_attributes(new), read_attributes(old))
    is_one_kind = any(told.values())
    return [
        {**features(said, known, cosine), **told}
        for said in signs_of(new)
        if said.words
        for known in signs_of(old)
        if known.words and (is_one_kind or _are_near(said, known)) and not is_barred(said, known)
    ]


def likely(new: str, old: str, cosine: float) -> str:
    """Why a new turn probably replaces an old one, in words; empty when it does not."""
    if cosine < LEAST_LIKELY_COSINE or len(signs_of(old)) > MOST_OLD:
        return ""
    best = max(pair_features(new, old, cosine), key=_score, default=None)
    if best is None or _score(best) <= LEAST_LIKELY:
        return ""
    parts = sorted(((WEIGHTS[name] * value, name) for name, value in best.items()), reverse=True)
    return f"probably another value of the same: {', '.join(name for _, name in parts[:_TOLD])}"


def differs(new: str, old: str, cosine: float) -> bool:
    """True when a new turn speaks of the matter of an old one and says something else: worth keeping beside it, though
    not sure enough to replace it."""
    if cosine < LEAST_LIKELY_COSINE:
        return False
    found = pair_features(new, old, cosine)
    return any(one["one shared"] and _score(one) > LEAST_DIFFERING for one in found)


def _score(found: dict[str, float]) -> float:
    return WEIGHTS["bias"] + sum(WEIGHTS[name] * value for name, value in found.items())


_TOLD = 3
MOST_OLD = 2
"""A memory of more sentences tells too much to be outdated by a likelihood."""
LEAST_DIFFERING = 0.0
"""From this sum on a turn that resembles a memory is kept beside it."""
LEAST_LIKELY = 3.42
"""From this sum on one replaces the other; see `bench/updates_fit.py`."""
WEIGHTS = {
    "cosine": 6.18,
    "shared of old": 0.95,
    "several shared": 1.13,
    "one shared": 1.40,
    "same frame": 0.90,
    "one difference, in front": 0.76,
    "two differences": 0.11,
    "same frame, one difference": -1.45,
    "first word met": 0.98,
    "other number": 0.51,
    "other time": 0.11,
    "other name": -0.27,
    "same name": 0.07,
    "ended and shared": 1.38,
    "ended": 0.99,
    "changed": 0.75,
    "changed and shared": 0.40,
    "other owner": 0.21,
    "same matter": 3.65,
    "same matter of the speaker": 1.90,
    "old length": -1.24,
    "new length": 0.54,
    "same kind, one only": 3.51,
    "same kind of another": -0.86,
    "ends a kind": 0.81,
    "bias": -4.87,
}
"""What each feature weighs: logistic regression with a ridge of 1 over the written updates and what stands apart."""
