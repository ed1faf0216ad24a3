"""Stores of an earlier edition: the daemon moves them to the shipped model by itself, and serves meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.daemon.test_process import connect, ready
from tests.served import Start
from tests.support import open_words_engine

from libravdb.daemon.model_upgrade import ModelUpgrade
from libravdb.engine.engine import Engine
from libravdb.errors import EmbedderError, EndpointError
from libravdb.model import Metadata, Note, SearchMode
from libravdb.testing import Vector, WordsEmbedder
from libravdb.wire.methods.method import NoParams
from libravdb.wire.methods.storage import STATUS

HOME = "user:anna"
THINGS = "boat kite lamp door chair river apple violin tent ladder bridge candle garden mirror pillow rocket".split()
COLOURS = "red blue green yellow purple orange silver".split()
TEXTS = [f"The {colour} {thing} belongs to {colour[::-1]} {thing[::-1]}" for colour in COLOURS for thing in THINGS]


class ShippedEmbedder(WordsEmbedder):
    """One edition's model inside the package."""

    at_text: Callable[[], None] | None = None

    def embed_text(self, text: str) -> Vector:
        if self.at_text is not None:
            self.at_text()
        return super().embed_text(text)

    @property
    def description(self) -> Metadata:
        return {**super().description, "backend": "bundled"}


class FormerModel(ShippedEmbedder):
    """The model of the first edition, as a store remembers it."""

    @property
    def fingerprint(self) -> str:
        return "minilm-73bd20aacf2bdd79"


def fill(path: Path, embedder: WordsEmbedder) -> None:
    with open_words_engine(path, embedder) as engine:
        engine.memories.remember_many([Note(text=text, collection=HOME) for text in TEXTS])


def upgrade(engine: Engine) -> None:
    moving = ModelUpgrade(engine.embeddings, first_seconds=0)
    moving.start()
    assert moving.wait(30)


def test_a_store_of_a_former_shipped_model_is_moved(tmp_path: Path) -> None:
    fill(tmp_path / "m", ShippedEmbedder(seed=1))
    with open_words_engine(tmp_path / "m", ShippedEmbedder(seed=2)) as engine:
        before = engine.search("red boat", collections=[HOME])
        assert before.mode is SearchMode.LEXICAL_ONLY
        assert "another edition" in before.degraded
        assert "libravdb reembed" in before.degraded

        upgrade(engine)

        after = engine.search("red boat", collections=[HOME])
        assert (after.mode, after.degraded) == (SearchMode.FULL, "")


@pytest.mark.parametrize(
    ("former", "present"),
    [
        (WordsEmbedder(seed=1), ShippedEmbedder(seed=2)),
        (ShippedEmbedder(seed=1), WordsEmbedder(seed=2)),
        (ShippedEmbedder(seed=1), ShippedEmbedder(seed=1)),
    ],
)
def test_a_model_that_somebody_chose_is_left_alone(
    tmp_path: Path, former: WordsEmbedder, present: WordsEmbedder
) -> None:
    fill(tmp_path / "m", former)
    with open_words_engine(tmp_path / "m", present) as engine:
        spaces = engine.status().spaces
        assert not engine.embeddings.is_outgrown()
        upgrade(engine)
        assert engine.status().spaces == spaces


def test_a_server_is_not_asked_whether_the_store_is_of_another_edition(tmp_path: Path) -> None:
    class Away(WordsEmbedder):
        @property
        def fingerprint(self) -> str:
            raise EndpointError("http://x", "is away")

    fill(tmp_path / "m", ShippedEmbedder(seed=1))
    with open_words_engine(tmp_path / "m", Away(seed=2)) as engine:
        assert not engine.embeddings.is_outgrown()


def test_whoever_goes_back_is_left_there(tmp_path: Path) -> None:
    fill(tmp_path / "m", ShippedEmbedder(seed=1))
    with open_words_engine(tmp_path / "m", ShippedEmbedder(seed=2)) as engine:
        upgrade(engine)
        engine.embeddings.roll_back()

        upgrade(engine)

        answer = engine.search("red boat", collections=[HOME])
        assert answer.mode is SearchMode.LEXICAL_ONLY
        assert "Run 'libravdb reembed'" in answer.degraded


def test_one_that_is_stopped_in_between_goes_on_at_the_next_start(tmp_path: Path) -> None:
    fill(tmp_path / "m", ShippedEmbedder(seed=1))
    present = ShippedEmbedder(seed=2)
    with open_words_engine(tmp_path / "m", present) as engine:
        moving = ModelUpgrade(engine.embeddings, first_seconds=0)
        present.at_text = moving.ask_to_stop  # the daemon is told to stop while the first texts are embedded
        moving.start()
        assert moving.wait(30)
        assert 0 < len(present.embedded) < len(TEXTS)
        assert engine.search("red boat", collections=[HOME]).mode is SearchMode.LEXICAL_ONLY

        present.at_text = None
        upgrade(engine)

        assert engine.search("red boat", collections=[HOME]).mode is SearchMode.FULL
        assert len([text for text in present.embedded if text in TEXTS]) == len(TEXTS)  # none twice


def test_one_that_is_stopped_before_it_begins_does_nothing(tmp_path: Path) -> None:
    fill(tmp_path / "m", ShippedEmbedder(seed=1))
    present = ShippedEmbedder(seed=2)
    with open_words_engine(tmp_path / "m", present) as engine:
        moving = ModelUpgrade(engine.embeddings, first_seconds=3_600)
        moving.start()
        moving.ask_to_stop()
        assert moving.wait(30)
        assert present.embedded == []


def test_vectors_that_fail_their_check_are_told_with_the_remedy(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A model that gives every text about the same vector finds nothing: the former vectors stay."""
    fill(tmp_path / "m", ShippedEmbedder(seed=1))
    with open_words_engine(tmp_path / "m", ShippedEmbedder(seed=2, blur=1.0)) as engine:
        upgrade(engine)

        answer = engine.search("red boat", collections=[HOME])
        assert answer.mode is SearchMode.LEXICAL_ONLY
        assert "libravdb reembed --force" in answer.degraded
        assert "by itself" not in answer.degraded
    assert "the store keeps its former vectors" in caplog.messages


def test_what_may_pass_is_tried_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    fill(tmp_path / "m", ShippedEmbedder(seed=1))
    present = ShippedEmbedder(seed=2)
    failures = [EmbedderError("No memory.", remedy="Free some.")]

    def fail_once() -> None:
        if failures:
            raise failures.pop()

    present.at_text = fail_once
    with open_words_engine(tmp_path / "m", present) as engine:
        moving = ModelUpgrade(engine.embeddings, first_seconds=0, again_seconds=0)
        moving.start()
        assert moving.wait(30)
        assert engine.search("red boat", collections=[HOME]).mode is SearchMode.FULL
    assert "new vectors could not be made now" in caplog.messages


def test_an_error_that_nobody_foresaw_is_a_line_of_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    fill(tmp_path / "m", ShippedEmbedder(seed=1))
    present = ShippedEmbedder(seed=2)

    def fail() -> None:
        raise RuntimeError("broken")

    present.at_text = fail
    with open_words_engine(tmp_path / "m", present) as engine:
        upgrade(engine)
    assert "new vectors could not be made" in caplog.messages


@pytest.mark.file_store("another process opens it by its path")
def test_a_real_daemon_moves_the_store_of_the_first_edition_while_it_serves(start: Start, tmp_path: Path) -> None:
    store = tmp_path / ".clawdb" / "data.libravdb"
    store.parent.mkdir(mode=0o700)
    fill(store, FormerModel(seed=1, dimensions=384))

    address = ready(start(LIBRAVDB_EMBEDDING_BACKEND="bundled"))

    with connect(address) as client:
        seen = [client.call(STATUS, NoParams())]
        pause = threading.Event()
        while seen[-1].mode != "full" and len(seen) < 600:
            pause.wait(0.1)
            seen.append(client.call(STATUS, NoParams()))
    assert seen[0].mode == "lexical-only"
    assert "another edition" in seen[0].message
    assert seen[-1].mode == "full"
