"""A configured summariser at work: a real server writes, what it writes is checked, and nothing it does is a loss."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.support import NOON, open_words_engine

from libravdb.adapters.summarisers.http import EndpointSummariser
from libravdb.core.compaction.settings import CompactionSettings
from libravdb.engine.compactor import MOST_FAILURES
from libravdb.engine.engine import Engine
from libravdb.engine.settings import EngineSettings
from libravdb.model import Compacted, Record
from libravdb.model.collections import session_summaries
from libravdb.model.turn_metadata import FALLBACK, GATE_SCORE
from libravdb.testing import WordsEmbedder

if TYPE_CHECKING:
    from tests.conftest import Call, ChatServer, Reply

KINDS = pytest.mark.parametrize("kind", ["openai", "ollama"])
EVERY = CompactionSettings(auto_tokens=0, model_gate=0.0)
FACTS = [
    f"On trip number {n + 3} my sister Greta painted {n + 11} lanterns for the harbour of Ghent, and we liked them."
    for n in range(24)
]


def talk(engine: Engine) -> None:
    for n, text in enumerate(FACTS):
        told = {"role": "user", "content": text, "id": f"t{n:03}", "timestamp": NOON + 1000 * n}
        engine.conversations.ingest(told, session="s", namespace="anna")


def fold(path: Path, server: ChatServer, *, kind: str = "openai", **settings: float) -> tuple[Compacted, list[Record]]:
    """Compact a talk with the server as the summariser; what came of it, and the summaries."""
    model = EndpointSummariser(
        **{"kind": kind, "url": server.url, "model": "m", "retries": 0, "sleep": lambda _: None, **settings}  # type: ignore[arg-type]
    )
    with open_words_engine(
        path / "m.libravdb",
        WordsEmbedder(),
        settings=EngineSettings(compaction=EVERY),
        load_summariser=lambda: model,
    ) as engine:
        talk(engine)
        done = engine.compaction.compact("s", minimum_turns=0, target=6)
        assert list(engine.upkeep.verify()) == []
        return done, engine.memories.latest(session_summaries("s"), limit=99)


def lines(call: Call) -> list[str]:
    """The conversation as the server was shown it."""
    return [line for line in call.body["messages"][-1]["content"].splitlines() if line.startswith("[2026-")]


def quoting(call: Call) -> None:
    """A faithful model of few words: it repeats a line."""
    call.say(lines(call)[0])


def inventing(call: Call) -> None:
    """A model that changes a number."""
    call.say(lines(call)[0].replace("lanterns", "987 boats"))


@KINDS
def test_what_a_faithful_server_writes_is_the_summary(tmp_path: Path, chat_server: ChatServer, kind: str) -> None:
    chat_server.script += [quoting] * 9
    done, summaries = fold(tmp_path, chat_server, kind=kind)
    assert (done.summary_method, done.reasons, len(summaries)) == (kind, (), 4)
    for summary in summaries:
        assert summary.text.startswith("[2026-09-21] ")
        assert FALLBACK not in summary.metadata


@KINDS
def test_what_a_server_invents_is_refused_visibly(tmp_path: Path, chat_server: ChatServer, kind: str) -> None:
    chat_server.script += [inventing] * 9
    done, summaries = fold(tmp_path, chat_server, kind=kind)
    assert (done.did_compact, done.turns_removed, done.summary_method) == (True, len(FACTS), "extractive")
    assert any("987" in reason and "no source" in reason for reason in done.reasons)
    assert all("987" in str(summary.metadata[FALLBACK]) for summary in summaries)
    assert not any("987" in summary.text for summary in summaries)
    assert len(chat_server.calls) == 4, "a server that answers is asked again for the next cluster"


def status(code: int) -> Reply:
    return lambda call: call.answer(code, b'{"error": "out of order"}')


FAILING: dict[str, Reply] = {
    "400": status(400),
    "401": status(401),
    "404": status(404),
    "500": status(500),
    "503": status(503),
    "not JSON": lambda call: call.answer(200, b"<html>hello</html>"),
    "wrong JSON": lambda call: call.answer(200, b'{"choices": [], "message": 7}'),
    "no text": lambda call: call.say(None),
    "empty": lambda call: call.say(""),
    "huge": lambda call: call.say("word " * 400_000),
    "too long": lambda call: call.say(" ".join(f"word{n}" for n in range(9_000))),
    "broken off": lambda call: call.send(b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{"),
}
ALIKE = ("401", "404", "503", "no text")
"""What fails as another of them does."""


@KINDS
@pytest.mark.parametrize("how", [pytest.param(one, marks=[pytest.mark.thorough] * (one in ALIKE)) for one in FAILING])
def test_a_server_that_fails_loses_no_compaction_and_is_not_asked_for_ever(
    tmp_path: Path, chat_server: ChatServer, caplog: pytest.LogCaptureFixture, kind: str, how: str
) -> None:
    chat_server.script += [FAILING[how]] * 99
    with caplog.at_level(logging.WARNING):
        done, summaries = fold(tmp_path, chat_server, kind=kind)
    assert (done.did_compact, done.turns_removed, done.summary_method) == (True, len(FACTS), "extractive")
    assert len(chat_server.calls) == MOST_FAILURES
    assert any("summarizer." in reason for reason in done.reasons), "the reason tells the remedy"
    assert all(FALLBACK in summary.metadata for summary in summaries)
    assert "sentences are chosen instead" in caplog.text


def test_a_server_that_never_answers_is_left_after_its_time(tmp_path: Path, chat_server: ChatServer) -> None:
    def keep_silent(call: Call) -> None:  # noqa: ARG001 - as a reply is called
        chat_server.stopped.wait(30)

    chat_server.script += [keep_silent] * 9
    done, _ = fold(tmp_path, chat_server, timeout_seconds=0.2)
    assert done.did_compact
    assert any("did not answer within 0.2 s" in reason for reason in done.reasons)


def test_a_summary_keeps_the_mean_score_of_its_turns(tmp_path: Path, chat_server: ChatServer) -> None:
    chat_server.script += [quoting] * 9
    _, summaries = fold(tmp_path, chat_server)
    assert all(0 < float(str(summary.metadata[GATE_SCORE])) < 1 for summary in summaries)
