"""What is dear to read is read seldom, however often somebody asks."""

from __future__ import annotations

import pytest

from libravdb.daemon import gauges


class Clock:
    """A time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def monotonic(self) -> float:
        return self.now


@pytest.mark.parametrize(("takes", "pause"), [(0.1, gauges.READ_SECONDS), (30.0, 30.0 / gauges.READ_SHARE)])
def test_a_reading_lasts_for_a_minute_or_a_hundred_times_what_it_took(
    monkeypatch: pytest.MonkeyPatch, takes: float, pause: float
) -> None:
    clock, reads = Clock(), []
    monkeypatch.setattr(gauges, "time", clock)

    def read() -> int:
        clock.now += takes
        reads.append(clock.now)
        return len(reads)

    told = gauges._remembered(read)
    assert told() == told() == 1
    clock.now += pause - 1
    assert told() == 1
    clock.now += 1
    assert told() == 2
