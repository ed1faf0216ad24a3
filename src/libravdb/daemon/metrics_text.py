"""The daemon's numbers in the text format of Prometheus, for the HTTP door: it needs no library for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate

from libravdb.daemon.call_stats import BUCKETS_MS, Calls, MethodStats
from libravdb.daemon.gauges import HELP, LABELS, Gauges, GaugeValue
from libravdb.errors import LibraError

_BOUNDS = (*(f"{bound / 1000:g}" for bound in BUCKETS_MS), "+Inf")


def metrics_text(calls: Calls, gauges: Gauges) -> str:
    """Every family of numbers, as it is now."""
    return "\n".join([*_call_lines(calls.tallies()), *_gauge_lines(gauges)]) + "\n"


def _call_lines(tallies: Mapping[str, MethodStats]) -> Iterator[str]:
    yield from _head("calls_total", "Calls answered, failed ones included.", "counter")
    yield from (f"libravdb_calls_total{_label('method', name)} {tally.calls}" for name, tally in tallies.items())
    yield from _head("failures_total", "Calls answered with an error.", "counter")
    yield from (f"libravdb_failures_total{_label('method', name)} {tally.failures}" for name, tally in tallies.items())
    yield from _head("call_seconds", "Time to answer a call.", "histogram")
    for name, tally in tallies.items():
        for bound, count in zip(_BOUNDS, accumulate(tally.buckets), strict=True):
            yield f'libravdb_call_seconds_bucket{{method="{_escaped(name)}",le="{bound}"}} {count}'
        yield f"libravdb_call_seconds_sum{_label('method', name)} {tally.seconds!r}"
        yield f"libravdb_call_seconds_count{_label('method', name)} {tally.calls}"


def _gauge_lines(gauges: Gauges) -> Iterator[str]:
    for name, read in gauges.items():
        try:
            value: GaugeValue = read()
        except (OSError, LibraError):
            continue  # a number that cannot be had is left out; Prometheus shows a gap
        yield from _head(name, HELP.get(name, name.replace("_", " ")), "gauge")
        if isinstance(value, Mapping):
            for label, number in value.items():
                yield f"libravdb_{name}{_label(LABELS[name], label)} {number!r}"
        else:
            yield f"libravdb_{name} {value!r}"


def _head(name: str, help: str, kind: str) -> Iterator[str]:
    yield f"# HELP libravdb_{name} {help}"
    yield f"# TYPE libravdb_{name} {kind}"


def _label(name: str, value: str) -> str:
    return f'{{{name}="{_escaped(value)}"}}'


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
