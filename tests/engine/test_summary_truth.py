"""Summaries over a real engine: who said what on which day, at every level, and nothing that nobody said."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.chats import ANNA, check, open_engine, say

from libravdb.core.compaction.labels import day_of, speaker_of
from libravdb.engine.engine import Engine
from libravdb.model import Record
from libravdb.model.turn_metadata import TurnMetadata

DAY = 86_400_000
START = 1_694_500_000_000
LINE = re.compile(r"\[(?P<day>\d{4}-\d\d-\d\d)\] (?P<speaker>[^:\n]{1,80}): (?P<text>.*)")
NAMES = ("", "James", "Dr: No", "assistant", "Zoë [x]", "李雷")
WORDS = ("ferry", "piano", "cellar", "archive", "choir", "kiln")


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with open_engine(tmp_path / "m.libravdb") as opened:
        yield opened
        check(opened)


def summaries(engine: Engine) -> list[Record]:
    return engine.memories.latest("session_summary:s", limit=10_000)


def body(record: Record) -> list[str]:
    *lines, last = record.text.split("\n")
    return lines if last.startswith("Facts: ") else [*lines, last]


def tell(engine: Engine, *messages: dict[str, object]) -> None:
    for message in messages:
        engine.conversations.ingest(message, session="s", namespace=ANNA)


def filler(engine: Engine, count: int, *, start: int = 0) -> None:
    for n in range(start, start + count):
        text = f"Letter {n} came from Ghent with a stamp of {1800 + n}, and the {WORDS[n % 6]} was mentioned twice."
        tell(engine, say(text, "assistant" if n % 2 else "user", id=f"l{n:04}-x", timestamp=START + n * DAY // 4))


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(st.sampled_from(NAMES), st.booleans(), st.integers(0, 2), st.sampled_from(WORDS), st.booleans()),
        min_size=30,
        max_size=90,
    )
)
def test_any_chat_keeps_speakers_and_days_true_at_every_level(
    said: list[tuple[str, bool, int, str, bool]],
) -> None:
    """Every line tells words of a turn of that day and speaker; every summary shrinks; every raw turn is reached."""
    with tempfile.TemporaryDirectory() as folder, open_engine(Path(folder) / "m.libravdb") as engine:
        known: dict[str, tuple[str, str]] = {}
        at = START
        for n, (name, is_answer, days, word, asks) in enumerate(said):
            at += days * DAY + 1_000
            role = "assistant" if is_answer else "user"
            mark = "?" if asks else "."
            text = f"Yesterday word{n}x met the {word}{mark} Then item{n}x cost {n + 7} euros at the {word}."
            tell(engine, say(text, role, id=f"t{n:04}-x", timestamp=at, **({"name": name} if name else {})))
            known[f"{n}x"] = (day_of(at), speaker_of(role, name))
            if n % 15 == 14:
                engine.compaction.compact("s", target=4, tail_tokens=40)
        for record in summaries(engine):
            for line in body(record):
                found = LINE.fullmatch(line)
                assert found is not None, line
                for mark in re.findall(r"(?:word|item)(\d+x)", found["text"]):
                    assert known[mark] == (found["day"], found["speaker"]), line
        check(engine)


def test_coverage_is_known_at_every_level(engine: Engine) -> None:
    for part in range(6):
        filler(engine, 30, start=30 * part)
        engine.compaction.compact("s", target=4, tail_tokens=100)
    assert max(int(str(record.metadata["level"])) for record in summaries(engine)) >= 3
    for record in summaries(engine):
        turns = engine.compaction.expand(record.id, session="s", max_depth=99)
        told = TurnMetadata.of(record)
        assert told.turn_count == len(turns)
        assert told.turn_bounds == (turns[0].id, turns[-1].id)
        assert told.source_span == (turns[0].at, turns[-1].at)


def test_a_line_of_a_user_that_begins_like_a_ledger_does_not_vanish(engine: Engine) -> None:
    tell(engine, say("Facts: the vault opens with 40917 and Odette knows.", id="f0-x", timestamp=START))
    filler(engine, 40)
    engine.compaction.compact("s")
    first = next(record for record in summaries(engine) if "f0-x" in str(record.metadata["source_ids"]))
    assert "40917" in first.text


def test_arguments_of_calls_and_data_of_tools_are_nobodys_speech(engine: Engine) -> None:
    argument = json.dumps({"query": "We decided to burn the stable.", "path": "secret/plan.py"})
    for n in range(24):
        call = {"id": f"c{n}", "function": {"name": "search", "arguments": argument}}
        tell(
            engine,
            say(f"Question {n}: which letter of {1800 + n} is the oldest of the {n} boxes?", id=f"q{n:02}-x"),
            say("", "assistant", id=f"a{n:02}-x", tool_calls=[call]),
            say('{"rows": [{"name": "Zed", "n": 1}]}', "tool", id=f"r{n:02}-x", tool_call_id=f"c{n}"),
            say(f"Letter {n} of {1700 + n} lies in box {n} beside the window.", "assistant", id=f"b{n:02}-x"),
        )
    engine.compaction.compact("s")
    whole = "\n".join(record.text for record in summaries(engine))
    assert whole
    assert not any(words in whole for words in ("burn the stable", "Zed", "rows", "secret/plan.py", "tool call"))
    answered = re.findall(r"Letter (\d+) of", whole)
    assert answered
    assert all(f"Question {n}: which letter" in whole for n in answered), "an answer without its question"


def test_an_entry_of_a_summary_tells_from_when_to_when(engine: Engine) -> None:
    filler(engine, 60)
    engine.compaction.compact("s")
    made = engine.prompts.assemble("what now?", session="s", namespace=ANNA, budget=1_000)
    assert re.search(r'at="\d{4}-\d\d-\d\d – \d{4}-\d\d-\d\d" source="summary"', made.opening)
