"""The strength of a hit, fitted again on labelled questions, and how well it holds on the half that was left out.

    python -m bench.recall.strength --data FOLDER [FOLDER …]       conversations with questions
    python -m bench.recall.strength --data FOLDER --personal bench/sets/choosing

A row is one of the first hits of a question; it counts as an answer when its turn is evidence. Questions put to
somebody else's memory have none. Weights are those of a logistic regression on half 0, steps those of an isotonic
regression over its log-odds; half 1 only looks on. What is printed can be copied into `core/recall/strength.py`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from bench.personal import ASKED, read
from bench.recall.data import Asked, Conversation, Said, Session, load
from bench.recall.run import Bench, half, is_scored, opened, own

from libravdb.core.recall.rank import Ranking
from libravdb.core.recall.settings import RecallSettings
from libravdb.core.recall.strength import SIGNS, signs_of
from libravdb.engine.search import owned, recall
from libravdb.model import Scope

FIRST = 12
"""Hits of a question that are looked at."""

_BINS = np.array([0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.01])
WEEK = 7 * 86_400_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One hit: its signs, whether it answers, and by which question, of which kind and half, it was found."""

    signs: tuple[float, ...]
    is_answer: bool
    question: int
    is_foreign: bool
    half: int


def personal(folder: Path) -> list[Conversation]:
    """The histories of a folder in the shape of the other data."""
    found = []
    for path in sorted(folder.glob("*.chat")):
        history = read(path)
        where = {turn.id: f"s{n}" for n, session in enumerate(history.sessions) for turn in session}
        end = max(turn.at for turn in history.turns.values()) + WEEK
        found.append(
            Conversation(
                id=history.name,
                dataset="personal",
                sessions=tuple(
                    Session(
                        id=f"s{n}",
                        turns=tuple(
                            Said(id=turn.id, role=turn.role, speaker=turn.role, text=turn.text, at=turn.at)
                            for turn in session
                        ),
                    )
                    for n, session in enumerate(history.sessions)
                ),
                questions=tuple(
                    Asked(
                        id=f"{history.name}-{n}",
                        kind=question.kind,
                        text=question.text,
                        at=end,
                        is_answerable=True,
                        evidence=question.evidence,
                        sessions=frozenset(where[id] for id in question.evidence),
                    )
                    for n, question in enumerate(history.questions)
                    if question.kind in (*ASKED, "none")
                ),
            )
        )
    return found


def rows_of(bench: Bench, *, is_dense: bool) -> Iterator[Row]:
    """The first hits of every question, asked of its own memory and, every other one, of a stranger's."""
    settings = RecallSettings(least_strength=0.0)
    engine = bench.engine(settings)
    others = {one.id: bench.conversations[i - 1].id for i, one in enumerate(bench.conversations)}
    number = 0
    for conversation in bench.conversations:
        for question in conversation.questions:
            is_answerable = is_scored(conversation, question)
            places = [(own(conversation), False)]
            if is_answerable and half(question) == 1 and len(bench.conversations) > 1:
                places.append((others[conversation.id], True))
            for namespace, is_foreign in places:
                bench.turn_to(conversation, question)
                number += 1
                with bench.reading() as snapshot:
                    part = owned(snapshot, namespace, None, (Scope.HISTORY,), question=question.text)
                    asked = engine.search.embed(engine.search.read(snapshot, question.text, part.peopled, as_of=None))
                    asked = asked if is_dense else asked.without_vector()
                    found = recall(snapshot, asked, collections=part.scopes, k=FIRST, settings=settings)
                for sign, is_answer in _hits(found.ranking, question if not is_foreign else None):
                    yield Row(
                        signs=sign, is_answer=is_answer, question=number, is_foreign=is_foreign,
                        half=_side(question),
                    )  # fmt: skip


def _side(question: Asked) -> int:
    """Halves across those of other benches, which tell foreign questions."""
    return sum(question.text.encode()) % 2


def _hits(ranking: Ranking, question: Asked | None) -> Iterator[tuple[tuple[float, ...], bool]]:
    signs = signs_of(ranking.pool, ranking.question, ranking.dated, chance=None)
    for place in ranking.order[:FIRST]:
        turn = ranking.record(place).metadata["source_turn_id"]
        yield tuple(float(value) for value in signs[place.row]), question is not None and turn in question.evidence


# ── fitting ───────────────────────────────────────────────────────────────────────────────────────────────


def fit(signs: np.ndarray, answers: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """The weights of a logistic regression, the constant last; Newton's method with a little ridge."""
    mean, spread = signs.mean(0), signs.std(0) + 1e-9
    rows = np.c_[(signs - mean) / spread, np.ones(len(signs))]
    found = np.zeros(rows.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-rows @ found))
        slope = weight * chance * (1 - chance)
        curve = (rows * slope[:, None]).T @ rows / len(rows) + 1e-3 * np.eye(len(found))
        found -= np.linalg.solve(curve, rows.T @ (weight * (chance - answers)) / len(rows) + 1e-3 * found)
    raw = found[:-1] / spread
    return np.concatenate([raw, [found[-1] - (raw * mean).sum()]])


def isotonic(odds: np.ndarray, answers: np.ndarray, weight: np.ndarray) -> list[tuple[float, float]]:
    """Rising steps of (log-odds, share that answers): neighbours that fall are pooled, then thinned to a dozen."""
    order = np.argsort(odds)
    blocks: list[list[float]] = []
    for place in order:
        blocks.append([odds[place], answers[place] * weight[place], weight[place], 1.0])
        while len(blocks) > 1 and blocks[-2][1] / blocks[-2][2] >= blocks[-1][1] / blocks[-1][2]:
            last = blocks.pop()
            total = blocks[-1][3] + last[3]
            blocks[-1][0] = (blocks[-1][0] * blocks[-1][3] + last[0] * last[3]) / total
            blocks[-1][1:] = [blocks[-1][1] + last[1], blocks[-1][2] + last[2], total]
    steps = [(round(float(at), 2), round(float(right / whole), 3)) for at, right, whole, _ in blocks]
    kept: list[tuple[float, float]] = []
    for step in steps:
        if not kept or step[1] - kept[-1][1] >= 0.02 or (step[1] < 0.1 and step[1] - kept[-1][1] >= 0.004):
            kept.append(step)
    return kept


def show(name: str, rows: Sequence[Row], weights: np.ndarray, steps: Sequence[tuple[float, float]]) -> None:
    """How well the strength holds on one data set: calibration, and how often a stranger's memory is silent."""
    signs = np.array([row.signs for row in rows])
    odds = signs @ weights[:-1] + weights[-1]
    table = np.array(steps)
    strength = np.interp(odds, table[:, 0], table[:, 1])
    answers = np.array([row.is_answer for row in rows], dtype=float)
    cells = []
    for low, high in pairwise(_BINS):
        inside = (strength >= low) & (strength < high)
        if inside.sum() >= 20:
            cells.append(f"{strength[inside].mean():.2f}→{answers[inside].mean():.2f} ({inside.sum()})")
    print(f"{name}: strength → share that answers: {', '.join(cells)}")
    best: dict[tuple[int, bool], float] = {}
    for row, value in zip(rows, strength, strict=True):
        key = row.question, row.is_foreign
        best[key] = max(best.get(key, 0.0), float(value))
    mine = np.array([value for (_, is_foreign), value in best.items() if not is_foreign])
    strangers = np.array([value for (_, is_foreign), value in best.items() if is_foreign])
    for floor in (0.02, 0.03, 0.04, 0.05):
        silent = f", a stranger's {100 * (strangers < floor).mean():.0f} %" if len(strangers) else ""
        print(f"    silent below {floor:.2f}: own memory {100 * (mine < floor).mean():.1f} %{silent}")


@contextmanager
def _sets(asked: argparse.Namespace) -> Iterator[dict[str, list[Conversation]]]:
    found: dict[str, list[Conversation]] = {}
    for folder in asked.data:
        for one in load(folder):
            found.setdefault(one.dataset, []).append(one)
    if asked.personal:
        found["personal"] = personal(asked.personal)
    yield found


def main() -> None:
    """Fit on one half, look at the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, nargs="*", default=[], help="folders with conversations")
    parser.add_argument("--personal", type=Path, help="folder with personal histories")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "libravdb-bench", help="embeddings")
    parser.add_argument("--lexical", action="store_true", help="without vectors")
    asked = parser.parse_args()
    rows: dict[str, list[Row]] = {}
    with _sets(asked) as sets:
        for name, conversations in sets.items():
            with opened(conversations, asked.cache) as bench:
                bench.fill(namespace=own)
                rows[name] = list(rows_of(bench, is_dense=not asked.lexical))
                print(f"{name}: {len(rows[name])} hits", flush=True)
    chosen = [(row, 1 / len(some)) for some in rows.values() for row in some if row.half == 0]
    signs = np.array([row.signs for row, _ in chosen])
    answers = np.array([row.is_answer for row, _ in chosen], dtype=float)
    share = np.array([each for _, each in chosen])
    weight = share / share.mean()
    weights = fit(signs, answers, weight)
    steps = isotonic(signs @ weights[:-1] + weights[-1], answers, weight)
    print("\nweights:", ", ".join(f"{n}={v:.2f}" for n, v in zip((*SIGNS, "constant"), weights, strict=True)))
    print("steps:", steps, "\n")
    for name, some in rows.items():
        show(name, [row for row in some if row.half == 1], weights, steps)


if __name__ == "__main__":
    main()
