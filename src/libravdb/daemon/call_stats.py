"""Counters and latency histograms, per method; cheap enough to be always on."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

BUCKETS_MS = (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000)
"""Upper ends of the histogram's buckets; the last one is open."""


@dataclass(slots=True)
class MethodStats:
    """What is known of one method."""

    calls: int = 0
    failures: int = 0
    seconds: float = 0.0
    buckets: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS_MS) + 1))


class Calls:
    """Told of every call; safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tallies: dict[str, MethodStats] = {}

    def note(self, method: str, *, seconds: float, failed: bool) -> None:
        """One call is over."""
        with self._lock:
            tally = self._tallies.setdefault(method, MethodStats())
            tally.calls += 1
            tally.failures += failed
            tally.seconds += seconds
            tally.buckets[bisect_left(BUCKETS_MS, seconds * 1000)] += 1

    def tallies(self) -> dict[str, MethodStats]:
        """A copy of what is known, per method, all of the same moment."""
        with self._lock:
            return {
                method: replace(tally, buckets=list(tally.buckets)) for method, tally in sorted(self._tallies.items())
            }

    def snapshot(self) -> Mapping[str, Mapping[str, Any]]:
        """Per method: calls, failures, mean, and the histogram with its bounds."""
        return {
            method: {
                "calls": tally.calls,
                "failures": tally.failures,
                "meanMs": round(tally.seconds * 1000 / tally.calls, 3),
                "histogramMs": {
                    **{f"le{bound:g}": count for bound, count in zip(BUCKETS_MS, tally.buckets, strict=False)},
                    "more": tally.buckets[-1],
                },
            }
            for method, tally in sorted(self.tallies().items())
        }
