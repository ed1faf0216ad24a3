"""Changing the embedder: never mixed, resumable, switched only when whole and good, with a way back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support import open_words_engine

from libravdb.engine.engine import Engine
from libravdb.engine.reembedding import fragment
from libravdb.errors import EmbedderError, NotFound, SelfCheckFailed
from libravdb.model import Note, SearchMode, SpaceState
from libravdb.testing import Vector, WordsEmbedder

pytestmark = pytest.mark.over_postgres

HOME = "user:anna"
TEXTS = [
    f"{colour} {thing} number {n} near the {place}"
    for n, (colour, thing, place) in enumerate(
        (c, t, p)
        for c in ("red", "green", "blue")
        for t in ("boat", "kite", "lamp", "door")
        for p in ("harbour", "mill")
    )
]


class InterruptedEmbedder(WordsEmbedder):
    """Fails after so many texts, as a killed process would."""

    def __init__(self, *, seed: int, after: int) -> None:
        super().__init__(seed=seed)
        self._after = after

    def embed_text(self, text: str) -> Vector:
        if len(self.embedded) >= self._after:
            raise EmbedderError("Interrupted.")
        return super().embed_text(text)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "memory.libravdb"
    with open_words_engine(path, WordsEmbedder(seed=1)) as engine:
        engine.memories.remember_many([Note(text=text, collection=HOME) for text in TEXTS])
    return path


def states(engine: Engine) -> dict[str, SpaceState]:
    return {space.fingerprint.split("-")[1]: space.state for space in engine.status().spaces}


def test_another_embedder_never_mixes_its_vectors_in_and_every_answer_says_so(path: Path) -> None:
    with open_words_engine(path, WordsEmbedder(seed=2)) as engine:
        answer = engine.search("red boat", collections=[HOME])
        assert answer.mode is SearchMode.LEXICAL_ONLY
        assert "libravdb reembed" in answer.degraded
        assert answer.hits
        done = engine.memories.remember("said under the new embedder", collection=HOME)
        assert "libravdb reembed" in done.degraded
        assert states(engine) == {"1": SpaceState.ACTIVE}
        assert engine.status().spaces[0].texts == len(TEXTS)


def test_reembedding_switches_over_and_keeps_the_old_vectors_until_they_are_dropped(path: Path) -> None:
    with open_words_engine(path, WordsEmbedder(seed=2)) as engine:
        done = engine.embeddings.reembed()
        assert (done.embedded, done.switched) == (len(TEXTS), True)
        assert done.found is not None
        assert done.required is not None
        assert done.found >= done.required
        assert engine.search("red boat", collections=[HOME]).mode is SearchMode.FULL
        assert states(engine) == {"2": SpaceState.ACTIVE, "1": SpaceState.RETIRED}
        assert engine.embeddings.drop_unused() == [WordsEmbedder(seed=1).fingerprint]
        assert states(engine) == {"2": SpaceState.ACTIVE}
        assert list(engine.upkeep.verify()) == []


def test_an_interrupted_reembedding_goes_on_where_it_stopped(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("libravdb.engine.reembedding.BATCH", 4)
    interrupted = InterruptedEmbedder(seed=2, after=10)
    with open_words_engine(path, interrupted) as engine, pytest.raises(EmbedderError, match="Interrupted"):
        engine.embeddings.reembed()
    rest = WordsEmbedder(seed=2)
    with open_words_engine(path, rest) as engine:
        assert states(engine) == {"1": SpaceState.ACTIVE, "2": SpaceState.BUILDING}
        assert engine.search("red boat", collections=[HOME]).mode is SearchMode.LEXICAL_ONLY
        engine.memories.remember("said in between", collection=HOME)
        done = engine.embeddings.reembed()
    assert done.switched
    assert done.embedded == len(TEXTS) - 8
    assert not set(rest.embedded) & set(interrupted.embedded[:8])


def test_vectors_that_find_less_are_not_switched_to_unless_forced(path: Path) -> None:
    with open_words_engine(path, WordsEmbedder(seed=3, blur=1.0)) as engine:
        with pytest.raises(SelfCheckFailed, match="the old ones stay in use"):
            engine.embeddings.reembed()
        assert states(engine)["1"] is SpaceState.ACTIVE
        assert engine.embeddings.reembed(force=True).switched


def test_there_is_a_way_back(path: Path) -> None:
    with open_words_engine(path, WordsEmbedder(seed=2)) as engine:
        with pytest.raises(NotFound):
            engine.embeddings.roll_back()
        engine.embeddings.reembed()
        assert engine.embeddings.roll_back() == WordsEmbedder(seed=1).fingerprint
    with open_words_engine(path, WordsEmbedder(seed=1)) as engine:
        answer = engine.search("red boat", collections=[HOME])
        assert answer.mode is SearchMode.FULL
        assert answer.hits[0].breakdown["cosine"] > 0.2


def test_the_way_back_leads_to_what_was_in_use_last(path: Path) -> None:
    for seed in (2, 3):
        with open_words_engine(path, WordsEmbedder(seed=seed)) as engine:
            engine.embeddings.reembed()
    with open_words_engine(path, WordsEmbedder(seed=3)) as engine:
        assert engine.embeddings.roll_back() == WordsEmbedder(seed=2).fingerprint


def test_without_an_embedder_there_is_nothing_to_reembed_with(path: Path) -> None:
    with open_words_engine(path, None) as engine, pytest.raises(EmbedderError, match="There is no model"):
        engine.embeddings.reembed()


def test_reembedding_with_the_same_embedder_only_fills_gaps(path: Path) -> None:
    with open_words_engine(path, None) as engine:
        engine.memories.remember("came in without a vector", collection=HOME)
    embedder = WordsEmbedder(seed=1)
    with open_words_engine(path, embedder) as engine:
        done = engine.embeddings.reembed()
        assert (done.embedded, done.switched) == (1, False)
        assert embedder.embedded == ["came in without a vector"]


@given(st.text(max_size=200))
def test_a_fragment_is_part_of_its_text_and_never_empty(text: str) -> None:
    part = fragment(text)
    assert part == text or set(part.split()) <= set(text.split())
    assert part.strip() or not text.strip()
