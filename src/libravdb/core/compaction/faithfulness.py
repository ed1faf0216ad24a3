"""Whether a written summary says what its sources say: speakers, days, names, numbers, dates and negations.

A model's draft is believed nothing. Each of its sentences is laid beside what was said by whom on which day. A whole
sentence of a source passes as it is; any other must draw its words from the sources, name nobody and no figure that
does not stand there, deny what is denied and nothing else, and be told under the name of who said it. What fails is
refused with the reason; refusing a good draft costs little, as sentences are chosen instead.

Pure, and about linear in the length of the sources for each sentence of a draft. What it cannot see: a changed relation
between words that all stand in the same clause ("Anna helps Ben", "Ben helps Anna").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest

from libravdb.core.compaction.fact_patterns import MONTHS, NUMBER_WORDS, WEEKDAYS
from libravdb.core.compaction.fact_readers import read
from libravdb.core.compaction.negations import count_negations, is_negation
from libravdb.model import Draft, FactKind, SummaryTask
from libravdb.text.analysis import ALL_STOP_WORDS, query_words
from libravdb.text.sentences import sentences

MIN_SUPPORT = 0.5
"""The share of a sentence's content words that must stand in the sources."""

SAME_MATTER = 0.6
"""The share of a clause's content words from which a clause of a source speaks of the same."""

ALIKE = 0.5
"""Likeness of two sentences from which a figure or a name that is exchanged between them was changed."""

NEARLY_EQUAL = 0.8
CLEARLY_MORE = 0.34
"""How much better another speaker's words must fit before a line is taken for theirs."""

LABEL = re.compile(r"(?:\[(?P<day>[^\]\n]{1,40})\] ?)?(?P<speaker>[^:\n\[\]]{1,80}): (?=\S)")
"""How a line of a summary begins: `[2023-10-12] James: `; the day is left out where none is known."""

_CHECKED = {
    FactKind.NUMBER,
    FactKind.DATE,
    FactKind.TIME,
    FactKind.PATH,
    FactKind.COMMAND,
    FactKind.URL,
    FactKind.IDENTIFIER,
}
_TOKEN = re.compile(r"\d+(?:[.,:/'-]\d+)*|[^\W\d_]+(?:['’-][^\W\d_]+)*")
_HAN = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_CLAUSE = re.compile(
    r"[,;:()–—，；：、]+(?!\d)|\s(?:and|but|while|because|und|aber|sondern|weil|y|pero|porque|et|mais|car)\s|但|而且|因为"
)
_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_ENDINGS = frozenset("s es ed d ing n en e er t te ten ung a o as os ó é ée és er ent".split())
_AUXILIARY = frozenset("do does did is are was were has have had can could will would should may might".split())
_OPENERS = frozenset(
    "user assistant both then later after before because since although currently agreed decided asked asks wants"
    " wanted plans planned said says told mentioned prefers likes needs discussed one another other people everyone"
    " nutzer nutzerin assistent beide dann später danach vorher weil seit obwohl zuerst außerdem"
    " usuario asistente ambos luego después antes porque desde aunque además"
    " utilisateur assistant puis ensuite après avant parce depuis bien ensuite aussi".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidLine:
    """What somebody said on a day, on one line; `day` is empty where it is not known."""

    speaker: str
    day: str
    text: str

    @property
    def label(self) -> str:
        """Who said it when, as a line of a summary begins."""
        return f"[{self.day}] {self.speaker}" if self.day else self.speaker


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A draft that was looked at: `text` with who said it on every line, and why it cannot be used, if so."""

    text: str
    problems: tuple[str, ...] = ()

    @property
    def is_faithful(self) -> bool:
        """True when nothing was found wrong."""
        return not self.problems


def checked(draft: Draft, task: SummaryTask) -> Draft:
    """A draft for a task with who said what on every line, and its faults."""
    found = review(draft.text, said_lines(task))
    return replace(draft, text=found.text, faults=found.problems)


def said_lines(task: SummaryTask) -> tuple[SaidLine, ...]:
    """What was said, as the task tells it; nothing that somebody says is read as a label."""
    told = zip_longest(task.texts, task.roles[: len(task.texts)], task.days[: len(task.texts)], fillvalue="")
    return tuple(
        SaidLine(speaker=" ".join(speaker.split()), day=day, text=_flat(text))
        for text, speaker, day in told
        if text.strip()
    )


def review(draft: str, said: Sequence[SaidLine]) -> Review:
    """Check a draft against what was said. A line that names nobody gets the name of who said what it tells."""
    witness = _Witness(said)
    told: list[tuple[str, str]] = []
    problems: dict[str, None] = {}
    for line in filter(str.strip, draft.splitlines()):
        claim = _read_line(_flat(_BULLET.sub("", line)), witness)
        own = witness if claim.is_open else witness.of(claim)
        if not own.said:
            problems[f"lets {claim.label} speak, who does not in the sources"] = None
            continue
        for label, sentence in own.pieces(claim):
            speaking = own if not claim.is_open else witness.under(label)
            for problem in _problems(sentence, speaking, witness):
                problems[problem] = None
            if told and told[-1][0] == label:
                told[-1] = (label, f"{told[-1][1]} {sentence}")
            else:
                told.append((label, sentence))
    text = "\n".join(f"{label}: {words}" if label else words for label, words in told)
    return Review(text=text, problems=tuple(problems))


# ── a line of the draft ───────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class _DraftLine:
    """A line as it was written: who is said to have said it, if anybody."""

    speaker: str
    day: str
    text: str

    @property
    def is_open(self) -> bool:
        return not self.speaker

    @property
    def label(self) -> str:
        return f"{self.speaker} on {self.day}" if self.day else self.speaker


def _read_line(line: str, witness: _Witness) -> _DraftLine:
    """A line with its label; a word before a colon that is no speaker's name belongs to the text."""
    label = LABEL.match(line)
    if label and (label["day"] or _key(label["speaker"]) in witness.speakers):
        return _DraftLine(speaker=label["speaker"].strip(), day=label["day"] or "", text=line[label.end() :])
    return _DraftLine(speaker="", day="", text=line)


# ── the sources ───────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class _SourceClause:
    """Part of a sentence: the forms of its content words, and whether it denies."""

    forms: frozenset[str]
    is_negated: bool


class _Witness:
    """Lines that were said, read as far as they are asked about, and each part of them once."""

    def __init__(self, said: Sequence[SaidLine]) -> None:
        self.said = tuple(said)
        self._parts: dict[tuple[str, ...], _Witness] = {}

    def of(self, claim: _DraftLine) -> _Witness:
        """What the one who is named said on the day that is named."""
        speaker = _key(claim.speaker)
        return self._part(
            ("of", speaker, claim.day),
            lambda line: _key(line.speaker) == speaker and (not claim.day or line.day == claim.day),
        )

    def under(self, label: str) -> _Witness:
        """What was said under a label."""
        return self._part(("under", label), lambda line: line.label == label)

    def without(self, other: _Witness) -> _Witness:
        """What others said."""
        labels = {line.label for line in other.said}
        return self._part(("without", *sorted(labels)), lambda line: line.label not in labels)

    def _part(self, name: tuple[str, ...], is_part: Callable[[SaidLine], bool]) -> _Witness:
        if name not in self._parts:
            self._parts[name] = _Witness([line for line in self.said if is_part(line)])
        return self._parts[name]

    def pieces(self, claim: _DraftLine) -> Iterator[tuple[str, str]]:
        """The sentences of a line, each with its label: that of the line, or of who comes nearest to having said it."""
        for sentence in _split(claim.text, self):
            yield self.said[0].label if not claim.is_open else self._origin(sentence).label, sentence

    def _origin(self, sentence: str) -> SaidLine:
        """The line with the nearest sentence, then with the most words in common."""
        mine, wanted = _tokens(sentence), _content(sentence)
        near: dict[int, float] = {}
        for place, tokens in self.tokens:
            near[place] = max(near.get(place, 0.0), _dice(mine, tokens))
        best = max(range(len(self.said)), key=lambda place: (near[place], _share(wanted, self.line_forms[place])))
        return self.said[best]

    @cached_property
    def text(self) -> str:
        """All of it."""
        return "\n".join(line.text for line in self.said)

    @cached_property
    def speakers(self) -> frozenset[str]:
        return frozenset(_key(line.speaker) for line in self.said if line.speaker)

    @cached_property
    def placed(self) -> tuple[tuple[int, str], ...]:
        """Every sentence, and every line as a whole, with the place of its line."""
        return tuple(
            (place, part)
            for place, line in enumerate(self.said)
            for part in dict.fromkeys((*(line.text[start:end] for start, end in sentences(line.text)), line.text))
        )

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(sentence for _, sentence in self.placed))

    @cached_property
    def tokens(self) -> tuple[tuple[int, frozenset[str]], ...]:
        """The words of each sentence, with the place of its line."""
        return tuple((place, _tokens(sentence)) for place, sentence in self.placed)

    @cached_property
    def polarity(self) -> tuple[tuple[frozenset[str], int], ...]:
        """The words of each sentence but those that deny, and how many do."""
        return tuple((_without_negation(sentence), count_negations(sentence)) for sentence in self.sentences)

    @cached_property
    def quotable(self) -> frozenset[str]:
        return frozenset(_folded(sentence) for sentence in self.sentences)

    @cached_property
    def line_forms(self) -> tuple[frozenset[str], ...]:
        return tuple(_forms_of(line.text) for line in self.said)

    @cached_property
    def facts(self) -> frozenset[tuple[FactKind, str]]:
        """Every figure with what it answers for: a full date also says its month, its day and its year."""
        return frozenset(
            (kind, form)
            for kind, _, normal in read(self.text).facts
            for form in (_date_forms(normal) if kind is FactKind.DATE else (normal,))
        )

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word in any case, and the names of who spoke."""
        named = " ".join(line.speaker for line in self.said)
        return frozenset(_bare(token) for token in _TOKEN.findall(f"{self.text} {named}"))

    @cached_property
    def lower(self) -> frozenset[str]:
        """Every word that stands somewhere without a capital."""
        return frozenset(token for token in _TOKEN.findall(self.text) if token.islower())

    @cached_property
    def forms(self) -> frozenset[str]:
        return _forms_of(f"{self.text} {' '.join(line.speaker for line in self.said)}")

    @cached_property
    def clauses(self) -> tuple[_SourceClause, ...]:
        return tuple(
            _SourceClause(forms=_forms_of(clause), is_negated=count_negations(clause) > 0)
            for sentence in self.sentences
            for clause in _clauses(sentence)
        )

    @cached_property
    def figures(self) -> dict[str, set[str]]:
        """The values of every unit that something is counted in; under the empty word every value."""
        found: dict[str, set[str]] = {"": set()}
        for kind, normal in self.facts:
            if kind is FactKind.NUMBER:
                value, _, unit = normal.partition(" ")
                found[""].add(value)
                found.setdefault(unit, set()).add(value)
        found[""].update(_bare(token) for token in _TOKEN.findall(self.text) if token[0].isdigit())
        return found


# ── one sentence ──────────────────────────────────────────────────────────────────────────────────────────


def _problems(sentence: str, own: _Witness, every: _Witness) -> Iterator[str]:
    """What is wrong with a sentence that is told under the name of those who said `own`."""
    if _folded(sentence) in own.quotable:
        return
    others = every.without(own)
    if _folded(sentence) in others.quotable:
        yield f"puts words into the wrong mouth: {_shown(sentence)}"
        return
    yield from _unknown_figures(sentence, own)
    yield from _unknown_names(sentence, every)
    yield from _exchanged(sentence, own)
    yield from _turned(sentence, own)
    yield from _misattributed(sentence, own, others)
    wanted = _content(sentence)
    if wanted and _share(wanted, every.forms) < MIN_SUPPORT:
        yield f"says what no source says: {_shown(sentence)}"


def _unknown_figures(sentence: str, own: _Witness) -> Iterator[str]:
    """Numbers, dates, paths, commands and the like that the sources do not give."""
    told = read(sentence)
    for kind, written, normal in told.facts:
        is_known = (kind, normal) in own.facts or _is_literal(written, own.text)
        if kind in _CHECKED and not is_known and not (kind is FactKind.NUMBER and _is_known_number(normal, own)):
            yield f"gives {_shown(written)}, which no source does"
    for token in _TOKEN.findall(told.rest):
        number = NUMBER_WORDS.get(token.casefold())
        is_known = _bare(token) in own.words or _bare(token) in own.figures[""] or str(number) in own.figures[""]
        if (token[0].isdigit() or number is not None) and not is_known:
            yield f"gives {token}, which no source does"


def _is_known_number(normal: str, own: _Witness) -> bool:
    """Whether a value stands in the sources, unless they count something else in its unit."""
    value, _, unit = normal.partition(" ")
    return value in own.figures[""] and (not unit or value in own.figures.get(unit, {value}))


def _date_forms(normal: str) -> Iterator[str]:
    yield normal
    if re.fullmatch(r"\d{4}-\d\d(?:-\d\d)?", normal):
        yield from (normal[5:], normal[:7], normal[:4], f"m{normal[5:7]}")
    elif re.fullmatch(r"\d\d-\d\d", normal):
        yield f"m{normal[:2]}"


def _unknown_names(sentence: str, every: _Witness) -> Iterator[str]:
    """Words with a capital, and runs of Han characters, that stand nowhere in the sources."""
    for token in _TOKEN.findall(sentence):
        if token[0].isupper() and not _is_known_word(token, every):
            yield f"names {token}, whom or what no source names"
    for run in re.findall(f"{_HAN.pattern}{{2,}}", sentence):
        strange = [character for character in run if character not in every.text]
        if len(strange) > 1:
            yield f"names {''.join(strange)}, whom or what no source names"


def _is_known_word(token: str, every: _Witness) -> bool:
    bare = _bare(token)
    if bare in every.words or bare in ALL_STOP_WORDS or bare in _OPENERS or is_negation(token):
        return True
    if bare in MONTHS or bare in WEEKDAYS or bare in NUMBER_WORDS:
        return True  # figures, and looked at as such
    if len(bare) > 2 and (bare.removesuffix("s") in every.words or f"{bare}s" in every.words):
        return True
    return any(_is_inflected(bare, word) for word in every.lower)


def _is_inflected(one: str, other: str) -> bool:
    """Whether two words are forms of one, as far as their endings tell."""
    short, long = sorted((one, other), key=len)
    return len(short) > 3 and long.startswith(short) and long[len(short) :] in _ENDINGS


def _exchanged(sentence: str, own: _Witness) -> Iterator[str]:
    """A sentence of a source in which a name, a number or a day was exchanged for another."""
    mine = _tokens(sentence)
    problem = ""
    for (_, source), (_, theirs) in zip(own.placed, own.tokens, strict=True):
        if _dice(mine, theirs) < ALIKE:
            continue
        gained, lost = _protected(sentence, theirs), _protected(source, mine)
        kinds = gained.keys() & lost.keys()
        if not kinds:
            return
        kind = min(kinds)
        problem = f"says {gained[kind]} where a source says {lost[kind]}"
    if problem:
        yield problem


def _protected(sentence: str, known: frozenset[str]) -> dict[str, str]:
    """The first word of each kind that must not be exchanged and is not among the known."""
    found: dict[str, str] = {}
    for token in _TOKEN.findall(sentence):
        bare = _bare(token)
        if bare in known:
            continue
        if token[0].isdigit() or bare in NUMBER_WORDS:
            found.setdefault("number", token)
        elif bare in MONTHS or bare in WEEKDAYS:
            found.setdefault("day", token)
        elif token[0].isupper() and bare not in ALL_STOP_WORDS and not is_negation(token):
            found.setdefault("name", token)
    if strange := [character for character in _HAN.findall(sentence) if character not in known]:
        found["word"] = "".join(strange)
    return found


def _turned(sentence: str, own: _Witness) -> Iterator[str]:
    """Something denied that was not, or no longer denied that was."""
    bare, count = _without_negation(sentence), count_negations(sentence)
    alike = [denials for words, denials in own.polarity if _dice(bare, words) >= NEARLY_EQUAL]
    if alike:
        if count not in alike:
            yield f"turns a negation round: {_shown(sentence)}"
        return
    for clause in _clauses(sentence):
        wanted = _content(clause)
        if wanted and _is_turned(wanted, own, is_negated=count_negations(clause) > 0):
            yield f"turns a negation round: {_shown(clause)}"


def _is_turned(wanted: Sequence[frozenset[str]], own: _Witness, *, is_negated: bool) -> bool:
    shares = [(_share(wanted, each.forms), each.is_negated) for each in own.clauses]
    best = max((share for share, _ in shares), default=0.0)
    if best >= SAME_MATTER:
        return all(denied != is_negated for share, denied in shares if share >= best)
    return is_negated and not any(denied and share > 0 for share, denied in shares)


def _misattributed(sentence: str, own: _Witness, others: _Witness) -> Iterator[str]:
    """Words that fit somebody else's clearly better."""
    mine, wanted = _tokens(sentence), _content(sentence)
    near = max((_dice(mine, each) for _, each in own.tokens), default=0.0)
    nearer = max((_dice(mine, each) for _, each in others.tokens), default=0.0)
    fit = _share(wanted, own.forms)
    fits = max((_share(wanted, forms) for forms in others.line_forms), default=0.0)
    if (nearer >= NEARLY_EQUAL and nearer > near) or (fits >= SAME_MATTER and fits - fit >= CLEARLY_MORE):
        yield f"puts words into the wrong mouth: {_shown(sentence)}"


# ── words ─────────────────────────────────────────────────────────────────────────────────────────────────


def _split(text: str, witness: _Witness) -> list[str]:
    """The sentences of a text; where it is made of whole sentences of the sources only, those."""
    return _quoted(text, witness) or [text[start:end] for start, end in sentences(text)]


def _quoted(text: str, witness: _Witness) -> list[str]:
    """The whole sentences of the sources that a text is made of, or nothing."""
    folded = _folded(text)
    if len(folded) != len(text):
        return []
    reached: dict[int, int] = {0: -1}
    for place in range(len(text) + 1):
        if place not in reached:
            continue
        for sentence in witness.quotable:
            end = place + len(sentence)
            if sentence and folded.startswith(sentence, place) and (end == len(text) or text[end] == " "):
                reached.setdefault(min(end + 1, len(text)), place)
    pieces: list[str] = []
    end = len(text)
    while end > 0 and end in reached:
        pieces.append(text[reached[end] : end].strip())
        end = reached[end]
    return pieces[::-1] if end == 0 else []


def _clauses(sentence: str) -> list[str]:
    return [clause for clause in _CLAUSE.split(sentence) if clause.strip()]


def _content(text: str) -> list[frozenset[str]]:
    """The content words of a text, each as the forms it may be found under; negations are looked at apart."""
    return [
        frozenset(form.rstrip("*") for form in forms)
        for forms, word in query_words(text).items()
        if not is_negation(word) and word.casefold() not in ALL_STOP_WORDS
    ]


def _forms_of(text: str) -> frozenset[str]:
    return frozenset().union(*_content(text))


def _share(wanted: Sequence[frozenset[str]], held: frozenset[str]) -> float:
    """The share of words of which some form is held; 1 where there is none to be found."""
    return sum(not forms.isdisjoint(held) for forms in wanted) / len(wanted) if wanted else 1.0


def _tokens(text: str) -> frozenset[str]:
    found = {_bare(token) for token in _TOKEN.findall(text) if not _HAN.search(token)}
    return frozenset(found.union(_HAN.findall(text)))


def _without_negation(text: str) -> frozenset[str]:
    """The words of a sentence without those that deny and those that help them to."""
    return frozenset(token for token in _tokens(text) if not is_negation(token) and token not in _AUXILIARY)


def _dice(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 1.0


def _is_literal(words: str, text: str) -> bool:
    return re.search(rf"(?<![\w.,]){re.escape(words)}(?![\w]|[.,]\d)", text, re.IGNORECASE) is not None


def _value(token: str) -> str:
    return re.sub(r"[,'](?=\d{3}(?!\d))", "", token).lstrip("0") or "0"


def _bare(token: str) -> str:
    """A word or a number in the form it is compared by."""
    if token[0].isdigit():
        return _value(token)
    return token.replace("’", "'").casefold().removesuffix("'s")


def _key(speaker: str) -> str:
    return " ".join(speaker.casefold().split())


def _flat(text: str) -> str:
    return " ".join(text.split())


def _folded(text: str) -> str:
    return _flat(text).lower()


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:59].rstrip()}…")
