"""The daemon's rounds: what has expired goes soon, what is too old with a round, a stop breaks off between."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

import pytest
from tests.support import NOON, open_words_engine

from libravdb.core.retention.settings import RetentionSettings
from libravdb.daemon.retention_rounds import RetentionRounds
from libravdb.engine.engine import Engine
from libravdb.engine.settings import EngineSettings
from libravdb.testing import FrozenClock

DAY = 24 * 3_600_000
WHOSE = "person:anna"


def opened(folder: Path, clock: FrozenClock) -> Engine:
    rules = RetentionSettings(rules=("* memories 2d",))
    return open_words_engine(folder / "m.libravdb", clock=clock, settings=EngineSettings(retention=rules))


def wait_for_lines(caplog: pytest.LogCaptureFixture, **counts: int) -> list[logging.LogRecord]:
    """The lines of the rounds, when they tell of so much; a round that never comes fails the test."""
    pause = threading.Event()
    for _ in range(2_000):
        told = [record for record in caplog.records if record.getMessage() == "retention"]
        if {name: sum(record.__dict__[name] for record in told) for name in counts} == counts:
            return told
        pause.wait(0.01)
    raise AssertionError("the round never came")


def test_a_round_deletes_what_has_expired_and_what_is_too_old_and_logs_numbers_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clock = FrozenClock(NOON)
    caplog.set_level(logging.DEBUG, logger="libravdb.daemon")
    with opened(tmp_path, clock) as engine:
        engine.memories.remember("The boat is red.", collection="notes", expires_at="1d")
        engine.memories.remember("The mill is sold.", collection=f"user:{WHOSE}")
        clock.advance(3 * DAY)
        rounds = RetentionRounds(engine.living, engine.expiry, engine.retention, sweep_seconds=0.01, round_seconds=0.01)
        rounds.start()
        told = wait_for_lines(caplog, expired=1, too_old=1)
        rounds.stop(10)
        assert not any(info.records for info in engine.memories.collections())
    assert not any(word in str(record.__dict__) for record in told for word in ("boat", "mill", WHOSE))


def test_a_sweep_between_two_rounds_leaves_what_is_too_old(tmp_path: Path) -> None:
    clock = FrozenClock(NOON)
    with opened(tmp_path, clock) as engine:
        engine.memories.remember("The boat is red.", collection="notes", expires_at="1d")
        engine.memories.remember("The mill is sold.", collection="user:anna")
        clock.advance(3 * DAY)
        rounds = RetentionRounds(
            engine.living, engine.expiry, engine.retention, sweep_seconds=1.0, round_seconds=3600.0
        )
        rounds._look(is_round=False)
        assert [info.name for info in engine.memories.collections() if info.records] == ["profile:anna", "user:anna"]
        rounds._look(is_round=True)
        assert [info.name for info in engine.memories.collections() if info.records] == []
        rounds.stop()


def test_a_round_ends_when_the_daemon_stops_and_the_next_one_goes_on(tmp_path: Path) -> None:
    clock = FrozenClock(NOON)
    with opened(tmp_path, clock) as engine:
        for n in range(200):
            engine.memories.remember(f"Stone {n}", collection="notes", expires_at="1d")
        clock.advance(DAY)
        rounds = RetentionRounds(engine.living, engine.expiry, engine.retention, sweep_seconds=0.001)
        rounds.stop()
        with pytest.raises(Exception, match=r"^$"):  # broken off after the first batch
            rounds._look(is_round=False)
        left = len(engine.expiry.expired())
        assert 0 < left < 200
        assert engine.expiry.sweep() == left


def test_rounds_end_with_the_store(tmp_path: Path) -> None:
    with opened(tmp_path, FrozenClock(NOON)) as engine:
        rounds = RetentionRounds(engine.living, engine.expiry, engine.retention, sweep_seconds=0.01)
    rounds.start()
    rounds._thread.join(10)
    assert not rounds._thread.is_alive()
