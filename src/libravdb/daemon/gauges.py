"""The daemon's gauges: how much it holds, how well it works, what waits. No number or label holds message text.

What costs a walk through the store is read once in a while, however often somebody asks. Of namespaces only those that
hold most are told apart; the rest is one.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TypeVar

from libravdb.daemon.pools import CallPools
from libravdb.daemon.quotas import measured
from libravdb.engine.engine import Engine
from libravdb.model.collections import namespace_of
from libravdb.ports.store import Store
from libravdb.wire.methods.method import MethodPace

T = TypeVar("T")
GaugeValue = float | Mapping[str, float]
"""One number, or one for each value of the gauge's label."""

Gauges = Mapping[str, Callable[[], GaugeValue]]

MOST_NAMESPACES = 50
"""Namespaces that are told apart."""

OTHERS = "(others)"
READ_SECONDS = 60.0
"""How long what is dear to read stays as it was read, at least."""

READ_SHARE = 0.01
"""Of the time, at most, is spent reading it: a large store is read less often."""

HELP: Mapping[str, str] = {
    "uptime_seconds": "Seconds since the daemon started.",
    "connections": "Clients connected now.",
    "http_connections": "HTTP clients connected now.",
    "store_bytes": "Size of the store.",
    "store_writable": "1 while the store takes writes, 0 when it is damaged, replaced or read-only.",
    "degraded": "1 while search uses words only, or something else is reduced.",
    "records": "Records in the store.",
    "unembedded_texts": "Texts that have no vector yet and are found by words only.",
    "queued_calls": "Calls that no thread has taken up yet, by pace.",
    "namespaces": "Namespaces that hold something.",
    "namespace_records": "Records of the namespaces that hold most; the rest is one.",
    "namespace_bytes": "Bytes of texts and metadata of the namespaces that hold most.",
}

LABELS: Mapping[str, str] = {
    "queued_calls": "pace",
    "namespace_records": "namespace",
    "namespace_bytes": "namespace",
}
"""The label of a gauge that has one."""


def daemon_gauges(store: Store, engine: Engine, pools: CallPools) -> Gauges:
    """What can be told of a store, its engine and the calls to it."""
    stats = _remembered(store.maintenance.stats)
    sizes = _remembered(lambda: namespace_records(store))
    volumes = _remembered(lambda: _volumes(store, sizes()))
    return {
        "store_bytes": lambda: float(stats().size_bytes),
        "store_writable": lambda: float(store.maintenance.health().is_writable),
        "degraded": lambda: float(bool(engine.embeddings.degraded())),
        "records": lambda: float(stats().records),
        "unembedded_texts": lambda: float(stats().unembedded),
        "queued_calls": lambda: {pace.value: float(pools.waiting(pace)) for pace in MethodPace},
        "namespaces": lambda: float(len(sizes())),
        "namespace_records": lambda: _told_apart(sizes()),
        "namespace_bytes": volumes,
    }


def namespace_records(store: Store) -> Counter[str]:
    """How many records stand in each namespace's own collections."""
    found: Counter[str] = Counter()
    with store.read() as snapshot:
        for info in snapshot.collections().items:
            owner = namespace_of(info.name)
            if owner is not None:
                found[owner] += info.records
    return found


def _told_apart(sizes: Counter[str]) -> dict[str, float]:
    most = dict(sizes.most_common(MOST_NAMESPACES))
    rest = sizes.total() - sum(most.values())
    return {**{name: float(size) for name, size in most.items()}, **({OTHERS: float(rest)} if rest else {})}


def _volumes(store: Store, sizes: Counter[str]) -> dict[str, float]:
    return {name: float(measured(store, name).size_bytes) for name, _ in sizes.most_common(MOST_NAMESPACES)}


def _remembered(read: Callable[[], T]) -> Callable[[], T]:
    """The same, read once in a while; whoever asks meanwhile gets what was read then."""
    lock = threading.Lock()
    held: list[tuple[float, T]] = []

    def remembered() -> T:
        with lock:
            began = time.monotonic()
            if not held or began >= held[0][0]:
                found = read()
                ended = time.monotonic()
                held[:] = [(ended + max(READ_SECONDS, (ended - began) / READ_SHARE), found)]
            return held[0][1]

    return remembered
