"""The daemon's numbers for Prometheus: what `Calls` has counted, and a few gauges, on a loopback port.

Needs the extra `metrics`, which is looked for only when a port is configured. A thread waits for scrapes; between
them it costs nothing. There is no message text in any number or label.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import socketserver
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, cast

from libravdb.daemon.call_stats import BUCKETS_MS, Calls, MethodStats
from libravdb.daemon.gauges import HELP, LABELS, Gauges
from libravdb.errors import DaemonError, LibraError

if TYPE_CHECKING:
    from prometheus_client import Metric
    from prometheus_client.registry import Collector

HOST = "127.0.0.1"
SCRAPE_SECONDS = 10
"""How long one scraper may take to ask, so that silent ones do not gather."""

_BOUNDS = (*(f"{bound / 1000:g}" for bound in BUCKETS_MS), "+Inf")

logger = logging.getLogger("libravdb.daemon")


def start(port: int, calls: Calls, *, gauges: Gauges) -> Callable[[], None]:
    """Serve the numbers on this loopback port until the returned function is called. Port 0 is off.

    Each gauge is asked at each scrape and appears as `libravdb_` and its name; `uptime_seconds` is always there.
    """
    if port == 0:
        return _nothing
    try:
        from prometheus_client import CollectorRegistry, MetricsHandler  # noqa: PLC0415 - an extra, loaded when wanted
    except ImportError as error:
        raise DaemonError(
            "daemon.metrics_port is set, and the package prometheus-client is not installed.",
            remedy="Run pip install 'libravdb-memory[metrics]', or set daemon.metrics_port to 0.",
        ) from error
    since = time.monotonic()
    gauges = {"uptime_seconds": lambda: time.monotonic() - since, **gauges}
    registry = CollectorRegistry()
    registry.register(cast("Collector", CallsCollector(calls, gauges)))
    handler = type("Scrape", (MetricsHandler,), {"registry": registry, "timeout": SCRAPE_SECONDS})
    return _serve(_listen(port, handler), port)


def _nothing() -> None:
    """Nothing was started, nothing is to be stopped."""


class CallsCollector:
    """Reads the counters afresh at each scrape, so that serving a call costs nothing more than before."""

    def __init__(self, calls: Calls, gauges: Gauges) -> None:
        self._calls = calls
        self._gauges = gauges

    def collect(self) -> Iterator[Metric]:
        """Every family of numbers."""
        yield from _families(self._calls.tallies())
        yield from self._read_gauges()

    def _read_gauges(self) -> Iterator[Metric]:
        from prometheus_client.core import GaugeMetricFamily  # noqa: PLC0415 - an extra

        for name, read in self._gauges.items():
            try:
                value = read()
            except (OSError, LibraError):
                continue  # a number that cannot be had is left out; Prometheus shows a gap
            told = HELP.get(name, name.replace("_", " "))
            if not isinstance(value, Mapping):
                yield GaugeMetricFamily(f"libravdb_{name}", told, value=value)
                continue
            family = GaugeMetricFamily(f"libravdb_{name}", told, labels=(LABELS[name],))
            for label, number in value.items():
                family.add_metric((label,), number)
            yield family


def _families(tallies: Mapping[str, MethodStats]) -> Iterator[Metric]:
    from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily  # noqa: PLC0415 - an extra

    called = CounterMetricFamily("libravdb_calls", "Calls answered, failed ones included.", labels=("method",))
    failed = CounterMetricFamily("libravdb_failures", "Calls answered with an error.", labels=("method",))
    took = HistogramMetricFamily("libravdb_call_seconds", "Time to answer a call.", labels=("method",))
    for method, tally in tallies.items():
        called.add_metric((method,), tally.calls)
        failed.add_metric((method,), tally.failures)
        buckets = list(zip(_BOUNDS, accumulate(tally.buckets), strict=True))
        took.add_metric((method,), buckets, sum_value=tally.seconds)
    yield from (called, failed, took)


class _Scrapes(socketserver.ThreadingTCPServer):
    """http.server's own would ask the name service for its name first, which may take seconds."""

    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:  # noqa: ARG002 - the base's signature
        logger.warning("scrape failed", exc_info=True)  # noqa: LOG014 - called from the base's handler


def _listen(port: int, handler: type[socketserver.BaseRequestHandler]) -> _Scrapes:
    try:
        return _Scrapes((HOST, port), handler)
    except OSError as error:
        raise DaemonError(
            f"Cannot listen on {HOST}:{port} for metrics ({error.strerror or error}).",
            remedy="Set daemon.metrics_port to a free port, or to 0 for none.",
        ) from error


def _serve(server: _Scrapes, port: int) -> Callable[[], None]:
    """Answer scrapes in a thread. Unlike serve_forever it does not wake up twice a second to see whether it may go."""
    stopping = threading.Event()

    def answer() -> None:
        while not stopping.is_set():
            server.handle_request()

    thread = threading.Thread(target=answer, name="libravdb-metrics", daemon=True)
    thread.start()

    def stop() -> None:
        if stopping.is_set():
            return
        stopping.set()
        with contextlib.suppress(OSError), socket.create_connection((HOST, port)):  # wakes the thread, which may go
            thread.join()
        server.server_close()

    return stop
