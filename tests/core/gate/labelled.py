"""The labelled turns and pairs, the cosines they have in a memory of 500, and how the gate does on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from tests.core.gate.memories import make_memories

from libravdb.core.gate.score import judge
from libravdb.core.gate.supersession import relate
from libravdb.model import Kin, Verdict
from libravdb.ports.embedder import Embedder

if TYPE_CHECKING:
    from libravdb.model import Vector

CORPUS = Path(__file__).parent / "corpus"
NEAREST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledTurn:
    """A turn somebody labelled: worth keeping or not."""

    is_worth: bool
    kind: str
    language: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledPair:
    """A remembered statement, a newer one, and how they stand to each other."""

    kin: Kin
    language: str
    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A labelled turn with its verdict."""

    turn: LabelledTurn
    verdict: Verdict

    @property
    def is_right(self) -> bool:
        return self.turn.is_worth == self.verdict.is_admitted


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """A labelled pair with what the gate made of it."""

    pair: LabelledPair
    kin: Kin
    cosine: float
    reason: str


def load_turns(split: str) -> list[LabelledTurn]:
    """The turns of one file; line breaks and tabs are written as in Python."""
    return [
        LabelledTurn(
            is_worth=label == "keep",
            kind=kind,
            language=language,
            text=text.replace("\\n", "\n").replace("\\t", "\t"),
        )
        for label, kind, language, text in _rows(split, 4)
    ]


def load_pairs(split: str) -> list[LabelledPair]:
    """The pairs of one file."""
    rows = _rows(f"pairs-{split}", 4)
    return [LabelledPair(kin=Kin(kin), language=language, old=old, new=new) for kin, language, old, new in rows]


def embed_whole(embedder: Embedder, texts: Sequence[str]) -> Vector:
    """One vector for each text, of the whole of it."""
    return np.stack([rows[0] for rows in embedder.embed_texts(list(texts))])


def nearest_memories(embedder: Embedder, texts: Sequence[str]) -> list[tuple[float, ...]]:
    """For each text the cosines of its five nearest among 500 earlier memories."""
    memories = embed_whole(embedder, make_memories())
    cosines = np.sort(embed_whole(embedder, texts) @ memories.T, axis=1)[:, -NEAREST:]
    return [tuple(float(cosine) for cosine in row) for row in cosines]


def judge_turns(
    turns: Sequence[LabelledTurn],
    durable: Sequence[tuple[float, ...]],
    *,
    turn_cosines: tuple[float, ...] = (),
) -> list[Judged]:
    """Each turn's verdict beside these cosines of durable memory."""
    return [
        Judged(turn=turn, verdict=judge(turn.text, turn_cosines=turn_cosines, durable_cosines=cosines))
        for turn, cosines in zip(turns, durable, strict=True)
    ]


def precision_and_recall(judged: Sequence[Judged]) -> tuple[float, float]:
    """Of what was kept, the share worth it; of what is worth it, the share kept."""
    right = sum(each.turn.is_worth and each.verdict.is_admitted for each in judged)
    kept = sum(each.verdict.is_admitted for each in judged)
    return right / max(kept, 1), right / max(sum(each.turn.is_worth for each in judged), 1)


def relate_pairs(pairs: Sequence[LabelledPair], embedder: Embedder) -> list[Related]:
    """Each pair as the gate relates it, with the embedder's cosines."""
    old, new = embed_whole(embedder, [pair.old for pair in pairs]), embed_whole(embedder, [pair.new for pair in pairs])
    cosines = (old * new).sum(axis=1)
    found = [relate(pair.new, pair.old, float(cosine)) for pair, cosine in zip(pairs, cosines, strict=True)]
    return [
        Related(pair=pair, kin=kinship.kin, cosine=float(cosine), reason=kinship.reason)
        for pair, kinship, cosine in zip(pairs, found, cosines, strict=True)
    ]


def _rows(name: str, width: int) -> list[list[str]]:
    lines = (CORPUS / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line]
    assert all(len(row) == width for row in rows), name
    return rows
