"""The summariser that is always there: it chooses sentences, and writes none of its own.

What is said stays as it was said, in the order it was said, with its day and its speaker on every line, and `…` where
something is left out. An answer goes with its question or neither does. Pure and deterministic: vectors and facts are
given, and the same input gives the same text.

    units = split_units(task)
    vectors = …                       # the engine embeds the texts of the units, or leaves them out
    draft = extract(task, units, vectors=vectors, facts=facts)
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from types import MappingProxyType
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from libravdb.core.compaction.labels import label_of, speaker_of
from libravdb.core.compaction.small_talk import is_small_talk
from libravdb.model import Draft, Fact, FactKind, SummaryTask
from libravdb.text.analysis import index_terms
from libravdb.text.sentences import Span, sentences
from libravdb.text.tokens import prompt_tokens

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows = NDArray[np.float32]

METHOD = "extractive"

SHORT_TURN = 120
"""A turn of fewer characters is one unit: cutting it saves nothing and loses what it hangs together by."""

SHORT_UNIT = 20
LONG_UNIT = 400
"""A sentence of fewer characters joins its neighbour, one of more is cut at a space."""

MOST_UNITS = 400
"""More are not looked at: of long turns the head and the tail are."""

_MOST_FACTS = 2000
_TERM_DIMENSIONS = 256
_SPACE = re.compile(r"\s+")
_GAP = re.compile(r"(?:(?<=\s)|^)…(?=\s|$)")
_ASKS = ("?", "？", "؟")
GAP = "…"

PASSING, UNANSWERED = 0.1, 0.4
"""What counts of a unit that is small talk, or that asks what nobody answers."""

ALONE = -1
"""The companion of a unit that goes by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextUnit:
    """What is chosen or left out as a whole: a sentence or two, or a short turn. `source` is its text's place.

    `question` is the place, among the units, of the question that it answers. `has_gap` tells that something before it
    was left out already, `ends_open` the same of what followed.
    """

    source: int
    start: int
    text: str
    question: int = ALONE
    is_answered: bool = False
    has_gap: bool = False
    ends_open: bool = False

    @property
    def asks(self) -> bool:
        """True for a question."""
        return self.text.rstrip("\"'”’»)*_ ").endswith(_ASKS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What makes a unit worth its tokens.

    `central` is likeness to the whole, `coverage` what it adds to what is chosen already, `facts` the facts that only
    it would bring. `thrift` is the power of its price: 0 ignores it, 1 asks for the most per token.
    """

    central: float = 0.2
    coverage: float = 1.0
    facts: float = 3.0
    thrift: float = 1.0


CHOSEN = Weights()
"""Chosen by measurement: `docs/internals/compaction.md`."""

RETOLD = Weights(central=0.02, coverage=0.05)
"""For summaries of summaries: what tells no fact goes first."""

FACT_WEIGHTS: dict[FactKind, float] = {
    FactKind.DECISION: 2.0,
    FactKind.PREFERENCE: 2.0,
    FactKind.NEGATION: 1.5,
}
"""What a fact counts for the choice of sentences; the others count 1. What is decided, preferred or denied is best told
in its own words, while a number goes cheaply into the ledger."""


def split_units(task: SummaryTask, *, calls: Collection[int] = ()) -> tuple[TextUnit, ...]:
    """The units of a task, in order; they cover every text unless there are too many. Texts at the places `calls` only
    tell which tools were called, and answer nothing."""
    by_text = [_cut(text, place) for place, text in enumerate(task.texts)]
    quota = _quota([len(units) for units in by_text])
    return _coupled(task, [_head_and_tail(units, quota) for units in by_text], calls)


def extract(
    task: SummaryTask,
    units: Sequence[TextUnit],
    *,
    vectors: Rows | None = None,
    facts: Sequence[Fact] = (),
    weights: Weights = CHOSEN,
    idle: Mapping[int, float] | None = None,
) -> Draft:
    """Choose units until the task's tokens are spent. `vectors` are one row per unit; without them words stand in.
    `idle` tells of texts, by their places, how little they count.

    Greedy: the next unit is the one with the largest `(a·central + b·Δcoverage + c·Δfacts) / tokens^thrift` that still
    fits together with the question it answers, where Δcoverage is `Σ_j n_j·max(0, cos(u, j) − best_j) / Σ n_j` over all
    units j of n_j tokens, and best_j the likeness to the nearest unit that is chosen.
    """
    if not units:
        return Draft(text="", method=METHOD)
    rows = _directions(term_vectors(units) if vectors is None else vectors)
    counts = _counts(units, idle or {})
    chosen = _choose(task, units, rows, held=_facts_of(units, facts) * counts[:, None], counts=counts, weights=weights)
    while chosen:
        places = sorted({place for each in chosen for place in each})
        if prompt_tokens(text := render(task, units, places, idle=idle or {})) <= task.max_tokens:
            return Draft(text=text, method=METHOD)
        chosen.pop()
    centre = _directions(rows.mean(axis=0, keepdims=True))[0]
    is_open = np.array([not unit.is_answered for unit in units])
    return Draft(text=_clipped(task, units, int(np.argmax((rows @ centre + 1) * counts * is_open))), method=METHOD)


def render(
    task: SummaryTask,
    units: Sequence[TextUnit],
    places: Sequence[int],
    *,
    idle: Mapping[int, float] = MappingProxyType({}),
) -> str:
    """The units at these places as they are read: each line led by its day and its speaker, what one says on a day and
    nobody comes between on one line, and `…` where something is left out. Small talk leaves no trace."""
    lines: list[str] = []
    spoke = ""
    before = ALONE
    for place in places:
        unit = units[place]
        label = _label(task, unit.source)
        left = [each for each in units[before + 1 : place] if _leaves_gap(each, idle) or each.source == unit.source]
        is_cut = unit.has_gap or any(each.source == unit.source for each in left)
        is_open = before != ALONE and (units[before].ends_open or any(each.source != unit.source for each in left))
        if lines and label == spoke:
            lines[-1] += f" {GAP} {unit.text}" if is_cut or is_open else f" {unit.text}"
        else:
            if is_open:
                lines[-1] += f" {GAP}"
            lines.append(f"{label}: {GAP if is_cut else ''}{' ' if is_cut else ''}{unit.text}")
        spoke, before = label, place
    if lines and (units[before].ends_open or any(_leaves_gap(each, idle) for each in units[before + 1 :])):
        lines[-1] += f" {GAP}"
    return "\n".join(lines)


def _leaves_gap(unit: TextUnit, idle: Mapping[int, float]) -> bool:
    return idle.get(unit.source, 1.0) > PASSING and not is_small_talk(unit.text)


def _label(task: SummaryTask, source: int) -> str:
    """Day and speaker of a text."""
    day = task.days[source] if source < len(task.days) else ""
    return label_of(day, speaker_of(task.roles[source]) if source < len(task.roles) else "")


def _clipped(task: SummaryTask, units: Sequence[TextUnit], place: int) -> str:
    """A unit, behind the question that it answers, in the room there is; nothing where not even that has any."""
    wanted = [units[place]] if units[place].question == ALONE else [units[units[place].question], units[place]]
    lines: list[str] = []
    for count, unit in enumerate(wanted):
        label = f"{_label(task, unit.source)}: "
        left = task.max_tokens - sum(prompt_tokens(line) + 1 for line in lines)
        said = clip(unit.text, left // (len(wanted) - count) - prompt_tokens(label) - 1)
        if not said:
            return ""
        lines.append(label + (f"{said[:-1]} {GAP}" if said != unit.text else said))
    return "\n".join(lines)


def _coupled(task: SummaryTask, by_text: Sequence[Sequence[TextUnit]], calls: Collection[int]) -> tuple[TextUnit, ...]:
    """The units of all texts, each answer with the place of its question."""
    starts = list(accumulate((len(units) for units in by_text), initial=0))
    found = [unit for units in by_text for unit in units]
    for place, units in enumerate(by_text):
        asking = next((starts[place] + at for at in range(len(units) - 1, -1, -1) if units[at].asks), ALONE)
        answer = _answer(task, by_text, place, calls) if asking != ALONE else ALONE
        if answer == ALONE:
            continue
        found[asking] = replace(found[asking], is_answered=True)
        for at in range(starts[answer], starts[answer + 1]):
            if not found[at].asks:
                found[at] = replace(found[at], question=asking)
    return tuple(found)


def _answer(task: SummaryTask, by_text: Sequence[Sequence[TextUnit]], asked: int, calls: Collection[int]) -> int:
    """The place of the text that answers: the next by somebody else, or the last of those before the asker speaks again
    when a tool had its say. A text that only asks back is none."""
    who = task.roles[asked] if asked < len(task.roles) else ""
    found, has_tool = ALONE, False
    for place in range(asked + 1, min(len(by_text), len(task.roles))):
        if task.roles[place] == who:
            break
        if place in calls or task.roles[place].casefold() == "tool":
            has_tool = True
        elif any(not unit.asks for unit in by_text[place]) and (found == ALONE or has_tool):
            found = place
    return found


def _counts(units: Sequence[TextUnit], idle: Mapping[int, float]) -> Rows:
    """How much of each unit counts."""
    answered = {unit.question for unit in units if unit.question != ALONE and idle.get(unit.source, 1.0) == 1.0}
    counts = [
        UNANSWERED if unit.asks and place not in answered else 1.0 if place in answered else idle.get(unit.source, 1.0)
        for place, unit in enumerate(units)
    ]
    return np.array(
        [min(one, PASSING) if is_small_talk(unit.text) else one for one, unit in zip(counts, units, strict=True)],
        dtype=np.float32,
    )


def clip(text: str, max_tokens: int) -> str:
    """The head of a text in at most so many tokens, cut at a word where there is one."""
    flat = " ".join(text.split())
    if prompt_tokens(flat) <= max_tokens:
        return flat
    low, high = 0, len(flat)
    while low < high:  # the price grows with the length
        middle = (low + high + 1) // 2
        low, high = (middle, high) if prompt_tokens(f"{flat[:middle]}…") <= max_tokens else (low, middle - 1)
    head = flat[:low]
    space = head.rfind(" ")
    head = head[:space] if space > low // 2 else head
    return f"{head.rstrip()}…" if head.strip() else ""


def term_vectors(units: Sequence[TextUnit]) -> Rows:
    """Rows that are alike when texts share terms: what stands in for an embedder."""
    rows = np.zeros((len(units), _TERM_DIMENSIONS), dtype=np.float32)
    for place, unit in enumerate(units):
        for term in set(index_terms(unit.text)):
            rows[place, crc32(term.encode(errors="surrogatepass")) % _TERM_DIMENSIONS] += 1
    seen = (rows > 0).sum(axis=0)
    return np.asarray(rows * np.log1p(len(units) / np.maximum(seen, 1)), dtype=np.float32)


def beside(meant: Rows, worded: Rows) -> Rows:
    """Rows that are alike when both what is meant and the words are: two directions side by side, of equal weight."""
    return np.hstack([_directions(meant), _directions(worded)])


def _cut(text: str, source: int) -> list[TextUnit]:
    """A text in units; without the spaces around them. What was left out of it before stays marked."""
    units: list[TextUnit] = []
    begin = 0
    has_gap = False
    for gap in (*_GAP.finditer(text), None):
        end = len(text) if gap is None else gap.start()
        fresh = _cut_stretch(text, source, begin, end)
        if fresh and has_gap:
            fresh[0] = replace(fresh[0], has_gap=True)
        units += fresh
        has_gap = has_gap and not fresh
        if gap is not None:
            begin, has_gap = gap.end(), True
    if units and has_gap:
        units[-1] = replace(units[-1], ends_open=True)
    return units


def _cut_stretch(text: str, source: int, begin: int, stop: int) -> list[TextUnit]:
    """The units between two places: a short stretch is one, unless it tells something and asks too."""
    stretch = text[begin:stop]
    said = _SPACE.sub(" ", stretch).strip()
    if len(stretch) <= SHORT_TURN and not any(mark in said[:-1] for mark in _ASKS):
        parts = sentences(stretch) if said.endswith(_ASKS) else []
        if len(parts) < 2:
            return [TextUnit(source=source, start=begin, text=said)] if said else []
    joined: list[Span] = []
    for start, end in sentences(stretch):
        is_joined = joined and joined[-1][1] - joined[-1][0] < SHORT_UNIT
        if is_joined and _is_question(stretch, joined[-1]) == _is_question(stretch, (start, end)):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    pieces = [piece for start, end in joined for piece in _pieces(stretch, start, end)]
    return [
        TextUnit(source=source, start=begin + start, text=_SPACE.sub(" ", stretch[start:end]).strip())
        for start, end in pieces
    ]


def _is_question(text: str, span: Span) -> bool:
    return text[max(span[0], span[1] - 6) : span[1]].rstrip("\"'”’»)*_ ").endswith(_ASKS)


def _pieces(text: str, start: int, end: int) -> list[Span]:
    pieces: list[Span] = []
    while end - start > LONG_UNIT:
        space = text.rfind(" ", start + LONG_UNIT // 2, start + LONG_UNIT)
        stop = space if space > 0 else start + LONG_UNIT
        pieces.append((start, stop))
        start = stop
    return [*pieces, (start, end)] if text[start:end].strip() else pieces


def _quota(counts: Sequence[int]) -> int:
    """The most units that each text may have so that all together stay within bounds."""
    low, high = 1, max((*counts, 1))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if sum(min(n, middle) for n in counts) <= MOST_UNITS else (low, middle - 1)
    return low


def _head_and_tail(units: list[TextUnit], quota: int) -> list[TextUnit]:
    if len(units) <= quota:
        return units
    tail = quota // 3
    return units[: quota - tail] + units[len(units) - tail :]


def _directions(rows: Rows) -> Rows:
    """Rows at length 1; one without a direction (zero, not finite) is zero."""
    clean = np.where(np.isfinite(rows).all(axis=1, keepdims=True), rows, 0).astype(np.float64)
    lengths = np.linalg.norm(clean, axis=1, keepdims=True)
    return np.asarray(clean / np.where((lengths > 0) & np.isfinite(lengths), lengths, np.inf), dtype=np.float32)


def _facts_of(units: Sequence[TextUnit], facts: Sequence[Fact]) -> Rows:
    """Which unit holds which fact, weighted: rows are units, columns facts, each column's weight a share of all."""
    known = facts[:_MOST_FACTS]
    weights = [FACT_WEIGHTS.get(fact.kind, 1.0) for fact in known]
    held = np.zeros((len(units), len(known)), dtype=np.float32)
    total = sum(weights) or 1.0
    by_source: dict[int, list[int]] = {}
    for row, unit in enumerate(units):
        by_source.setdefault(unit.source, []).append(row)
    for column, fact in enumerate(known):
        written = _SPACE.sub(" ", fact.text)
        rows = by_source.get(fact.source, ()) if fact.count == 1 and fact.source in by_source else range(len(units))
        for row in rows:
            if units[row].source >= fact.source and written in units[row].text:
                held[row, column] = weights[column] / total
    return held


def _choose(
    task: SummaryTask, units: Sequence[TextUnit], rows: Rows, *, held: Rows, counts: Rows, weights: Weights
) -> list[tuple[int, ...]]:
    """The places of the units that are chosen, the best first, each with the question that came with it."""
    alike = np.maximum(rows @ rows.T, 0)
    sizes = np.array([prompt_tokens(unit.text) for unit in units], dtype=np.float32)
    shares = sizes * counts
    shares /= max(1.0, float(shares.sum()))
    centre = _directions(rows.mean(axis=0, keepdims=True))[0]
    central = weights.central * np.maximum(rows @ centre, 0) * shares
    questions = np.array([unit.question for unit in units])
    labels = _LabelPrices(task, units)
    best = np.zeros(len(units), dtype=np.float32)
    wanted = np.ones(held.shape[1], dtype=np.float32)
    is_open = np.array([not unit.is_answered for unit in units]) & (counts > PASSING)
    is_taken = np.zeros(len(units), dtype=bool)
    left = float(task.max_tokens)
    chosen: list[tuple[int, ...]] = []
    while True:
        own = sizes + 1 + labels.prices(is_taken)
        needs = (questions != ALONE) & ~is_taken[questions]
        costs = own + np.where(needs, own[questions], 0)
        fits = is_open & (costs <= left + 1)
        if not fits.any():
            return chosen
        gains = (
            central
            + weights.coverage * (np.maximum(alike - best, 0) @ shares) * counts
            + weights.facts * (held @ wanted)
        )
        gains += np.where(needs, gains[questions] * 0.5, 0)
        scores = np.where(fits, gains / costs**weights.thrift, -1.0)
        place = int(np.argmax(scores))
        if scores[place] <= 0:
            return chosen
        taken = (place, int(questions[place])) if needs[place] else (place,)
        chosen.append(taken)
        left -= float(costs[place])
        is_open[list(taken)] = False
        is_taken[list(taken)] = True
        for each in taken:
            best = np.maximum(best, alike[each])
            wanted = np.where(held[each] > 0, 0, wanted)


class _LabelPrices:
    """What it costs to name the day and the speaker of each unit: nothing where its text is told already."""

    def __init__(self, task: SummaryTask, units: Sequence[TextUnit]) -> None:
        self._sources = np.array([unit.source for unit in units])
        priced = {source: prompt_tokens(f"{_label(task, source)}: ") for source in set(self._sources.tolist())}
        self._full = np.array([priced[unit.source] for unit in units], dtype=np.float32)

    def prices(self, is_taken: NDArray[np.bool_]) -> Rows:
        """The price for each unit, after some are taken."""
        named = np.isin(self._sources, self._sources[is_taken])
        return np.where(named, np.float32(0), self._full)
