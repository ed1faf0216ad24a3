"""The summariser that is always there: it chooses sentences, and writes none of its own.

What is said stays as it was said, in the order it was said, with who said it where more than one speaks. Pure and
deterministic: vectors and facts are given, and the same input gives the same text.

    units = split_units(task)
    vectors = …                       # the engine embeds the texts of the units, or leaves them out
    draft = extract(task, units, vectors=vectors, facts=facts)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

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

SHORT_UNIT = 40
LONG_UNIT = 400
"""A sentence of fewer characters joins its neighbour, one of more is cut at a space."""

MOST_UNITS = 400
"""More are not looked at: of long turns the head and the tail are."""

_MOST_FACTS = 2000
_TERM_DIMENSIONS = 256
_ROLES = frozenset(("user", "assistant", "tool", "system"))
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextUnit:
    """What is chosen or left out as a whole: a sentence or two, or a short turn. `source` is its text's place."""

    source: int
    start: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What makes a unit worth its tokens.

    `central` is likeness to the whole, `coverage` what it adds to what is chosen already, `facts` the facts that only
    it would bring. `thrift` is the power of its price: 0 ignores it, 1 asks for the most per token.
    """

    central: float = 0.2
    coverage: float = 1.0
    facts: float = 0.3
    thrift: float = 1.0


CHOSEN = Weights()
"""Chosen by measurement: `docs/internals/compaction.md`."""

FACT_WEIGHTS: dict[FactKind, float] = {FactKind.NAME: 0.5, FactKind.DECISION: 2.0}
"""What a fact counts for the choice of sentences; the others count 1. A decision is best told in its own words, while a
number goes cheaply into the ledger."""


def split_units(task: SummaryTask) -> tuple[TextUnit, ...]:
    """The units of a task, in order; they cover every text unless there are too many."""
    by_text = [_cut(text, place) for place, text in enumerate(task.texts)]
    quota = _quota([len(units) for units in by_text])
    return tuple(unit for units in by_text for unit in _head_and_tail(units, quota))


def extract(
    task: SummaryTask,
    units: Sequence[TextUnit],
    *,
    vectors: Rows | None = None,
    facts: Sequence[Fact] = (),
    weights: Weights = CHOSEN,
) -> Draft:
    """Choose units until the task's tokens are spent. `vectors` are one row per unit; without them words stand in.

    Greedy: the next unit is the one with the largest `(a·central + b·Δcoverage + c·Δfacts) / tokens^thrift` that still
    fits, where Δcoverage is `Σ_j n_j·max(0, cos(u, j) − best_j) / Σ n_j` over all units j of n_j tokens, and best_j the
    likeness to the nearest unit that is chosen.
    """
    if not units:
        return Draft(text="", method=METHOD)
    rows = _directions(term_vectors(units) if vectors is None else vectors)
    chosen = _choose(task, units, rows, _facts_of(units, facts), weights)
    while chosen and prompt_tokens(text := render(task, [units[place] for place in sorted(chosen)])) > task.max_tokens:
        chosen.pop()
    if chosen:
        return Draft(text=text, method=METHOD)
    centre = _directions(rows.mean(axis=0, keepdims=True))[0]
    return Draft(text=clip(units[int(np.argmax(rows @ centre))].text, task.max_tokens), method=METHOD)


def render(task: SummaryTask, units: Sequence[TextUnit]) -> str:
    """The units as they are read: a line for each turn, led by its speaker where the speaker changes."""
    has_speakers = len(set(task.roles)) > 1
    lines: list[str] = []
    spoke = ""
    for source, group in groupby(units, key=lambda unit: unit.source):
        said = " ".join(unit.text for unit in group)
        label = task.roles[source] if source < len(task.roles) else ""
        lines.append(f"{speaker(label)}: {said}" if has_speakers and label and label != spoke else said)
        spoke = label
    return "\n".join(lines)


def speaker(label: str) -> str:
    """How a role or a name is written before what was said."""
    return label.capitalize() if label in _ROLES else " ".join(label.split())


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


def _cut(text: str, source: int) -> list[TextUnit]:
    """A text in units; without the spaces around them."""
    if len(text) <= SHORT_TURN:
        said = _SPACE.sub(" ", text).strip()
        return [TextUnit(source=source, start=0, text=said)] if said else []
    joined: list[Span] = []
    for start, end in sentences(text):
        if joined and joined[-1][1] - joined[-1][0] < SHORT_UNIT:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    pieces = [piece for start, end in joined for piece in _pieces(text, start, end)]
    return [
        TextUnit(source=source, start=start, text=_SPACE.sub(" ", text[start:end]).strip()) for start, end in pieces
    ]


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
    for column, fact in enumerate(known):
        written = _SPACE.sub(" ", fact.text)
        for row, unit in enumerate(units):
            if unit.source >= fact.source and written in unit.text:
                held[row, column] = weights[column] / total
    return held


def _choose(task: SummaryTask, units: Sequence[TextUnit], rows: Rows, held: Rows, weights: Weights) -> list[int]:
    """The places of the units that are chosen, the best first."""
    alike = np.maximum(rows @ rows.T, 0)
    sizes = np.array([prompt_tokens(unit.text) for unit in units], dtype=np.float32)
    shares = sizes / max(1.0, float(sizes.sum()))
    centre = _directions(rows.mean(axis=0, keepdims=True))[0]
    central = weights.central * np.maximum(rows @ centre, 0) * shares
    sources = np.array([unit.source for unit in units])
    costs = sizes + 1 + _label_prices(task, units)
    best = np.zeros(len(units), dtype=np.float32)
    wanted = np.ones(held.shape[1], dtype=np.float32)
    is_open = np.ones(len(units), dtype=bool)
    left = float(task.max_tokens)
    chosen: list[int] = []
    while (fits := is_open & (costs <= left + 1)).any():
        gains = central + weights.coverage * (np.maximum(alike - best, 0) @ shares) + weights.facts * (held @ wanted)
        scores = np.where(fits, gains / costs**weights.thrift, -1.0)
        place = int(np.argmax(scores))
        if scores[place] <= 0:
            break
        chosen.append(place)
        left -= float(costs[place])
        is_open[place] = False
        costs = np.where(sources == sources[place], sizes + 1, costs)  # its speaker is named already
        best = np.maximum(best, alike[place])
        wanted = np.where(held[place] > 0, 0, wanted)
    return chosen


def _label_prices(task: SummaryTask, units: Sequence[TextUnit]) -> Rows:
    """What it costs to name the speaker of each unit."""
    if len(set(task.roles)) < 2:
        return np.zeros(len(units), dtype=np.float32)
    prices = [prompt_tokens(f"{speaker(label)}: ") for label in task.roles]
    return np.array([prices[unit.source] if unit.source < len(prices) else 0 for unit in units], dtype=np.float32)
