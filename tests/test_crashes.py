"""Kill −9 between any two statements: ingest, compact, forget and expand in any order, and every invariant holds after
every step.

Run as a program, this file is the nursery: it imports once and forks a worker for each piece of work. A worker counts
the statements that SQLite is about to run for it and kills itself before the one it was told; it reports what was
acknowledged. The parent opens the file that is left and looks.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from tests.chats import ANNA, MANUAL, Clock, active, chat, check, open_engine, raw, said

from libravdb.core.retention.settings import RetentionSettings
from libravdb.engine.engine import Engine

ROOT = Path(__file__).parents[1]
NEVER = 10**9
SPREAD = 20
"""Places of one compaction at which a worker is killed, spread evenly from a start drawn by chance."""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="SIGKILL and fork are a POSIX matter")


# ── the worker and its nursery ────────────────────────────────────────────────────────────────────────────


def work(path: str, verb: str, values: list[int], fuse: int) -> None:
    """Do one piece of work, and die before the statement that the fuse counts down to."""
    engine = open_aged(Path(path)) if verb == "retain" else open_engine(Path(path))
    count = 0

    def burn(_: str) -> None:
        nonlocal count
        count += 1
        if count > fuse:
            os.kill(os.getpid(), signal.SIGKILL)

    engine._store._store._store._store._writer.set_trace_callback(burn)  # type: ignore[attr-defined]  # the file's own
    if verb == "talk":
        start, turns = values
        for message in said(turns, start=start):
            engine.conversations.ingest(message, session="s", namespace=ANNA)
            tell("ack", str(message["id"]))
    elif verb == "compact":
        target, minimum = values
        engine.compaction.compact("s", target=target, minimum_turns=minimum, tail_tokens=60)
    elif verb == "retain":
        engine.retention.retain()
    else:
        engine.deletions.forget("session_raw:s", [f"t{n:05}-x" for n in values])
    engine.close()  # the writer runs statements behind its answer: all are counted now
    tell("done", str(count))


def open_aged(path: Path) -> Engine:
    """An engine years later, with a rule by which every turn is too old; the batches are small."""
    from libravdb.engine import retention  # noqa: PLC0415 - in the worker

    retention.BATCH = 4
    clock = Clock()
    clock.now += 3 * 365 * 24 * 3_600_000
    rules = RetentionSettings(rules=("* turns 2y",))
    return open_engine(path, clock=clock, settings=replace(MANUAL, retention=rules))


def tell(*words: str) -> None:
    os.write(1, (" ".join(words) + "\n").encode())


def nurse() -> None:
    """For each line: fork a worker, and tell when it is dead."""
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                work(*json.loads(line))
            except BaseException:  # noqa: BLE001 - told to the parent, which fails
                traceback.print_exc()
                tell("failed")
            os._exit(0)
        os.waitpid(child, 0)
        tell("dead")


class Nursery:
    """The other end of the pipes."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.test_crashes"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )

    def run(self, path: Path, verb: str, values: list[int], *, fuse: int) -> list[list[str]]:
        """What a worker reported before its end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([str(path), verb, values, fuse]) + "\n")
        self._process.stdin.flush()
        told = []
        while (line := self._process.stdout.readline().split()) != ["dead"]:
            assert line, "the nursery is gone"
            told.append(line)
        assert ["failed"] not in told
        return told

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    opened = Nursery()
    yield opened
    opened.close()


# ── the parent ────────────────────────────────────────────────────────────────────────────────────────────


def look(engine: Engine, turns: set[str]) -> None:
    """Everything that must hold, whatever happened before."""
    check(engine)
    assert list(engine.upkeep.verify()) == []
    assert raw(engine) == turns


def test_a_kill_before_any_statement_of_a_compaction_leaves_whole_clusters(tmp_path: Path, nursery: Nursery) -> None:
    seed = random.SystemRandom().randrange(10**6)
    path = tmp_path / "m.libravdb"
    with open_engine(path) as engine:
        chat(engine, 30)
        before, turns = len(active(engine)), raw(engine)
    copy = tmp_path / "copy.libravdb"
    copy.write_bytes(path.read_bytes())
    told = nursery.run(copy, "compact", [6, 2], fuse=NEVER)
    statements = int(told[-1][1])
    assert statements > SPREAD
    sizes = set()
    for fuse in range(seed % (statements // SPREAD), statements, statements // SPREAD):
        copy = tmp_path / f"{fuse}.libravdb"
        copy.write_bytes(path.read_bytes())
        assert nursery.run(copy, "compact", [6, 2], fuse=fuse) == [], f"seed {seed}, fuse {fuse}: nobody was killed"
        with open_engine(copy) as engine:
            look(engine, turns)
            sizes.add(len(active(engine)))
    assert before in sizes
    assert len(sizes) >= 3, "no kill fell between two clusters"


def test_a_kill_in_the_middle_of_retention_leaves_a_sound_store_and_the_next_run_finishes(
    tmp_path: Path, nursery: Nursery
) -> None:
    path, copy = tmp_path / "m.libravdb", tmp_path / "copy.libravdb"
    with open_engine(path) as engine:
        chat(engine, 16)
        engine.compaction.compact("s", target=4, minimum_turns=2, tail_tokens=60)
    copy.write_bytes(path.read_bytes())
    statements = int(nursery.run(copy, "retain", [], fuse=NEVER)[-1][1])
    sizes = set()
    for fuse in range(random.SystemRandom().randrange(9), statements, max(1, statements // 12)):
        copy = tmp_path / f"{fuse}.libravdb"
        copy.write_bytes(path.read_bytes())
        assert nursery.run(copy, "retain", [], fuse=fuse) == [], f"fuse {fuse}: nobody was killed"
        with open_engine(copy) as engine:
            look(engine, raw(engine))
            sizes.add(len(raw(engine)))
        with open_aged(copy) as engine:
            engine.retention.retain()
            look(engine, set())
            assert engine.retention.retain().records == 0
    assert len(sizes) >= 2, "no kill fell between two batches"


class Life(RuleBasedStateMachine):
    """Talk, fold, forget, expand and reopen; with or without a kill in the middle."""

    root: Path
    nursery: Nursery

    @initialize()
    def begin(self) -> None:
        self.path = Path(tempfile.mkdtemp(dir=self.root)) / "m.libravdb"
        self.engine = open_engine(self.path)
        self.turns: set[str] = set()
        self.next = 0

    @rule(turns=st.integers(1, 30))
    def talk(self, turns: int) -> None:
        chat(self.engine, turns, start=self.next)
        self.turns |= {f"t{n:05}-x" for n in range(self.next, self.next + turns)}
        self.next += turns

    @rule(size=st.integers(2, 12), minimum=st.integers(0, 8))
    def fold(self, size: int, minimum: int) -> None:
        self.engine.compaction.compact("s", target=size, minimum_turns=minimum)

    @rule(which=st.integers(0, 10**6))
    def forget(self, which: int) -> None:
        if self.turns:
            turn = sorted(self.turns)[which % len(self.turns)]
            self.engine.deletions.forget("session_raw:s", [turn])
            self.turns.discard(turn)

    @rule(which=st.integers(0, 10**6), depth=st.integers(1, 4))
    def expand(self, which: int, depth: int) -> None:
        summaries = self.engine.memories.latest("session_summary:s", limit=10**6)
        if summaries:
            found = self.engine.compaction.expand(summaries[which % len(summaries)].id, session="s", max_depth=depth)
            assert found
            assert [(one.at, one.id) for one in found] == sorted((one.at, one.id) for one in found)

    @rule()
    def reopen(self) -> None:
        self.engine.close()
        self.engine = open_engine(self.path)

    @rule(turns=st.integers(1, 8), fuse=st.integers(0, 400))
    def die_talking(self, turns: int, fuse: int) -> None:
        told = self._crash("talk", [self.next, turns], fuse)
        acknowledged = {line[1] for line in told if line[0] == "ack"}
        held = raw(self.engine)
        assert self.turns | acknowledged <= held
        assert len(held) - len(self.turns | acknowledged) <= 1, "more than the turn that was being written"
        self.turns, self.next = held, self.next + turns

    @rule(size=st.integers(2, 12), minimum=st.integers(0, 4), fuse=st.integers(0, 2_000))
    def die_folding(self, size: int, minimum: int, fuse: int) -> None:
        self._crash("compact", [size, minimum], fuse)

    @rule(which=st.integers(0, 10**6), fuse=st.integers(0, 300))
    def die_forgetting(self, which: int, fuse: int) -> None:
        if self.turns:
            turn = sorted(self.turns)[which % len(self.turns)]
            told = self._crash("forget", [int(turn[1:6])], fuse)
            if told or turn not in raw(self.engine):
                self.turns.discard(turn)

    def _crash(self, verb: str, values: list[int], fuse: int) -> list[list[str]]:
        self.engine.close()
        told = self.nursery.run(self.path, verb, values, fuse=fuse)
        self.engine = open_engine(self.path)
        return told

    @invariant()
    def holds(self) -> None:
        if hasattr(self, "engine"):
            look(self.engine, self.turns)

    def teardown(self) -> None:
        if hasattr(self, "engine"):
            self.engine.close()


def test_invariants_hold_after_every_step_with_kills_in_between(tmp_path: Path, nursery: Nursery) -> None:
    machine = type("LifeHere", (Life,), {"root": tmp_path, "nursery": nursery})
    run_state_machine_as_test(machine, settings=settings(max_examples=8, stateful_step_count=12, deadline=None))


if __name__ == "__main__":
    nurse()
