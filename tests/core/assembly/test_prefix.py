"""A chat that is compacted as it grows: every prompt keeps its budget, and begins mostly as the one before began."""

from __future__ import annotations

from pathlib import Path
from statistics import mean

import pytest
from bench.prefix import CASES, LITTLE, Case, drawn, play

from libravdb.core.assembly.settings import AssemblySettings
from libravdb.core.compaction.settings import CompactionSettings
from libravdb.engine.settings import EngineSettings
from libravdb.model import AssemblyMode
from libravdb.testing import WordsEmbedder

STRICT = EngineSettings(compaction=CompactionSettings(auto_tokens=0), assembly=AssemblySettings(strict=True))


@pytest.mark.parametrize("case", [CASES[0], *CASES[2:4]], ids=lambda case: case.name)
def test_over_a_whole_chat_with_summaries_a_prompt_begins_as_the_one_before(case: Case, tmp_path: Path) -> None:
    steps = list(play(drawn(130), case, embedder=WordsEmbedder(), folder=tmp_path, settings=STRICT))
    assert all(step.made.tokens <= case.budget for step in steps)
    if case.mode is AssemblyMode.WINDOW:
        grown = steps[20:]  # before, the question itself is most of a prompt
        assert mean(step.whole for step in grown) >= 0.65  # a hard case: random words recall a full share each time
        assert sum(step.whole < LITTLE for step in grown) <= len(grown) / 8
