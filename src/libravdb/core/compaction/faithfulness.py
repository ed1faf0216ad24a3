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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from libravdb.core.compaction.fact_patterns import MONTHS, NUMBER_WORDS, WEEKDAYS
from libravdb.core.compaction.fact_readers import read
from libravdb.core.compaction.negations import count_negations, is_negation
from libravdb.core.compaction.sources import (
    HAN,
    TOKEN,
    SaidLine,
    Witness,
    clauses_of,
    comparable_form,
    content_of,
    folded_line,
    held_share,
    likeness,
    on_one_line,
    said_lines,
    speaker_key,
    tokens_of,
    without_negation,
)
from libravdb.model import Draft, FactKind, SummaryTask
from libravdb.text.analysis import ALL_STOP_WORDS
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
_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_ENDINGS = frozenset("s es ed d ing n en e er t te ten ung a o as os ó é ée és er ent".split())
_OPENERS = frozenset(
    "user assistant both then later after before because since although currently agreed decided asked asks wants"
    " wanted plans planned said says told mentioned prefers likes needs discussed one another other people everyone"
    " nutzer nutzerin assistent beide dann später danach vorher weil seit obwohl zuerst außerdem"
    " usuario asistente ambos luego después antes porque desde aunque además"
    " utilisateur assistant puis ensuite après avant parce depuis bien ensuite aussi".split()
)


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


def review(draft: str, said: Sequence[SaidLine]) -> Review:
    """Check a draft against what was said. A line that names nobody gets the name of who said what it tells."""
    witness = Witness(said)
    told: list[tuple[str, str]] = []
    problems: dict[str, None] = {}
    for line in filter(str.strip, draft.splitlines()):
        claim = _read_line(on_one_line(_BULLET.sub("", line)), witness)
        own = witness if claim.is_open else witness.of(claim.speaker, claim.day)
        if not own.said:
            problems[f"lets {claim.label} speak, who does not in the sources"] = None
            continue
        for label, sentence in _pieces(claim, own):
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


def _read_line(line: str, witness: Witness) -> _DraftLine:
    """A line with its label; a word before a colon that is no speaker's name belongs to the text."""
    label = LABEL.match(line)
    if label and (label["day"] or speaker_key(label["speaker"]) in witness.speakers):
        return _DraftLine(speaker=label["speaker"].strip(), day=label["day"] or "", text=line[label.end() :])
    return _DraftLine(speaker="", day="", text=line)


def _pieces(claim: _DraftLine, own: Witness) -> Iterator[tuple[str, str]]:
    """The sentences of a line, each with its label: that of the line, or of who comes nearest to having said it."""
    for sentence in _split(claim.text, own):
        yield own.said[0].label if not claim.is_open else own.origin(sentence).label, sentence


# ── one sentence ──────────────────────────────────────────────────────────────────────────────────────────


def _problems(sentence: str, own: Witness, every: Witness) -> Iterator[str]:
    """What is wrong with a sentence that is told under the name of those who said `own`."""
    if folded_line(sentence) in own.quotable:
        return
    others = every.without(own)
    if folded_line(sentence) in others.quotable:
        yield f"puts words into the wrong mouth: {_shown(sentence)}"
        return
    yield from _unknown_figures(sentence, own)
    yield from _unknown_names(sentence, every)
    yield from _exchanged(sentence, own)
    yield from _turned(sentence, own)
    yield from _misattributed(sentence, own, others)
    wanted = content_of(sentence)
    if wanted and held_share(wanted, every.forms) < MIN_SUPPORT:
        yield f"says what no source says: {_shown(sentence)}"


def _unknown_figures(sentence: str, own: Witness) -> Iterator[str]:
    """Numbers, dates, paths, commands and the like that the sources do not give."""
    told = read(sentence)
    for kind, written, normal in told.facts:
        is_known = (kind, normal) in own.facts or _is_literal(written, own.text)
        if kind in _CHECKED and not is_known and not (kind is FactKind.NUMBER and _is_known_number(normal, own)):
            yield f"gives {_shown(written)}, which no source does"
    for token in TOKEN.findall(told.rest):
        number = NUMBER_WORDS.get(token.casefold())
        is_known = (
            comparable_form(token) in own.words
            or comparable_form(token) in own.figures[""]
            or str(number) in own.figures[""]
        )
        if (token[0].isdigit() or number is not None) and not is_known:
            yield f"gives {token}, which no source does"


def _is_known_number(normal: str, own: Witness) -> bool:
    """Whether a value stands in the sources, unless they count something else in its unit."""
    value, _, unit = normal.partition(" ")
    return value in own.figures[""] and (not unit or value in own.figures.get(unit, {value}))


def _unknown_names(sentence: str, every: Witness) -> Iterator[str]:
    """Words with a capital, and runs of Han characters, that stand nowhere in the sources."""
    for token in TOKEN.findall(sentence):
        if token[0].isupper() and not _is_known_word(token, every):
            yield f"names {token}, whom or what no source names"
    for run in re.findall(f"{HAN.pattern}{{2,}}", sentence):
        strange = [character for character in run if character not in every.text]
        if len(strange) > 1:
            yield f"names {''.join(strange)}, whom or what no source names"


def _is_known_word(token: str, every: Witness) -> bool:
    bare = comparable_form(token)
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


def _exchanged(sentence: str, own: Witness) -> Iterator[str]:
    """A sentence of a source in which a name, a number or a day was exchanged for another."""
    mine = tokens_of(sentence)
    problem = ""
    for (_, source), (_, theirs) in zip(own.placed, own.tokens, strict=True):
        if likeness(mine, theirs) < ALIKE:
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
    for token in TOKEN.findall(sentence):
        bare = comparable_form(token)
        if bare in known:
            continue
        if token[0].isdigit() or bare in NUMBER_WORDS:
            found.setdefault("number", token)
        elif bare in MONTHS or bare in WEEKDAYS:
            found.setdefault("day", token)
        elif token[0].isupper() and bare not in ALL_STOP_WORDS and not is_negation(token):
            found.setdefault("name", token)
    if strange := [character for character in HAN.findall(sentence) if character not in known]:
        found["word"] = "".join(strange)
    return found


def _turned(sentence: str, own: Witness) -> Iterator[str]:
    """Something denied that was not, or no longer denied that was."""
    bare, count = without_negation(sentence), count_negations(sentence)
    alike = [denials for words, denials in own.polarity if likeness(bare, words) >= NEARLY_EQUAL]
    if alike:
        if count not in alike:
            yield f"turns a negation round: {_shown(sentence)}"
        return
    for clause in clauses_of(sentence):
        wanted = content_of(clause)
        if wanted and _is_turned(wanted, own, is_negated=count_negations(clause) > 0):
            yield f"turns a negation round: {_shown(clause)}"


def _is_turned(wanted: Sequence[frozenset[str]], own: Witness, *, is_negated: bool) -> bool:
    shares = [(held_share(wanted, each.forms), each.is_negated) for each in own.clauses]
    best = max((share for share, _ in shares), default=0.0)
    if best >= SAME_MATTER:
        return all(denied != is_negated for share, denied in shares if share >= best)
    return is_negated and not any(denied and share > 0 for share, denied in shares)


def _misattributed(sentence: str, own: Witness, others: Witness) -> Iterator[str]:
    """Words that fit somebody else's clearly better."""
    mine, wanted = tokens_of(sentence), content_of(sentence)
    near = max((likeness(mine, each) for _, each in own.tokens), default=0.0)
    nearer = max((likeness(mine, each) for _, each in others.tokens), default=0.0)
    fit = held_share(wanted, own.forms)
    fits = max((held_share(wanted, forms) for forms in others.line_forms), default=0.0)
    if (nearer >= NEARLY_EQUAL and nearer > near) or (fits >= SAME_MATTER and fits - fit >= CLEARLY_MORE):
        yield f"puts words into the wrong mouth: {_shown(sentence)}"


# ── quotes ────────────────────────────────────────────────────────────────────────────────────────────


def _split(text: str, witness: Witness) -> list[str]:
    """The sentences of a text; where it is made of whole sentences of the sources only, those."""
    return _quoted(text, witness) or [text[start:end] for start, end in sentences(text)]


def _quoted(text: str, witness: Witness) -> list[str]:
    """The whole sentences of the sources that a text is made of, or nothing."""
    folded = folded_line(text)
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


def _is_literal(words: str, text: str) -> bool:
    return re.search(rf"(?<![\w.,]){re.escape(words)}(?![\w]|[.,]\d)", text, re.IGNORECASE) is not None


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:59].rstrip()}…")
