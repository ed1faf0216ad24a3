"""The numbers as Prometheus gets them: the real endpoint is scraped over HTTP and read with the official parser."""

from __future__ import annotations

import socket
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator, Mapping

import pytest

from libravdb.daemon import prometheus
from libravdb.daemon.call_stats import BUCKETS_MS, Calls
from libravdb.errors import DaemonError, StoreClosed

Numbers = dict[tuple[str, str, str], float]
"""By name of the sample, method and upper bound."""

Serve = Callable[[Calls, Mapping[str, Callable[[], float]]], int]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((prometheus.HOST, 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts the exporter on a free port, and stops it afterwards."""
    pytest.importorskip("prometheus_client", reason="needs the extra 'metrics'")
    stops: list[Callable[[], None]] = []

    def serve(calls: Calls, gauges: Mapping[str, Callable[[], float]]) -> int:
        port = free_port()
        stops.append(prometheus.start(port, calls, gauges=gauges))
        return port

    yield serve
    for stop in stops:
        stop()


def scrape(port: int) -> Numbers:
    from prometheus_client.parser import text_string_to_metric_families  # noqa: PLC0415 - an extra

    with urllib.request.urlopen(f"http://{prometheus.HOST}:{port}/metrics", timeout=10) as reply:
        families = list(text_string_to_metric_families(reply.read().decode()))
    assert all(family.documentation for family in families)
    return {
        (sample.name, sample.labels.get("method", ""), sample.labels.get("le", "")): sample.value
        for family in families
        for sample in family.samples
    }


def test_calls_and_failures_are_counted_per_method(serve: Serve) -> None:
    calls = Calls()
    port = serve(calls, {})
    calls.note("health", seconds=0.001, failed=False)
    calls.note("health", seconds=0.001, failed=True)
    calls.note("search_text", seconds=0.2, failed=False)
    numbers = scrape(port)
    assert numbers["libravdb_calls_total", "health", ""] == 2
    assert numbers["libravdb_failures_total", "health", ""] == 1
    assert numbers["libravdb_calls_total", "search_text", ""] == 1
    assert numbers["libravdb_failures_total", "search_text", ""] == 0


def test_the_histogram_is_cumulative_in_seconds_with_the_known_bounds(serve: Serve) -> None:
    calls = Calls()
    port = serve(calls, {})
    for milliseconds in (0.1, 0.5, 0.7, 5, 6, 9_000):
        calls.note("health", seconds=milliseconds / 1000, failed=False)
    numbers = scrape(port)
    buckets = {le: count for (name, _, le), count in numbers.items() if name == "libravdb_call_seconds_bucket"}
    assert [float(le) for le in buckets] == [bound / 1000 for bound in BUCKETS_MS] + [float("inf")]
    assert list(buckets.values()) == [2, 3, 3, 4, 5, 5, 5, 5, 5, 5, 5, 5, 6]
    assert numbers["libravdb_call_seconds_count", "health", ""] == 6
    assert numbers["libravdb_call_seconds_sum", "health", ""] == pytest.approx(9.0123)


def test_the_numbers_agree_with_the_snapshot_while_calls_go_on(serve: Serve) -> None:
    calls = Calls()
    calls.note("health", seconds=0.003, failed=True)
    port = serve(calls, {})

    def work() -> None:
        for _ in range(2_000):
            calls.note("health", seconds=0.003, failed=True)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    during = scrape(port)
    for thread in threads:
        thread.join()
    counted = during["libravdb_calls_total", "health", ""]  # a scrape sees all numbers of one moment
    assert during["libravdb_failures_total", "health", ""] == counted
    assert during["libravdb_call_seconds_count", "health", ""] == counted
    assert scrape(port)["libravdb_calls_total", "health", ""] == calls.snapshot()["health"]["calls"] == 8_001


def test_gauges_are_asked_at_each_scrape_and_uptime_grows(serve: Serve) -> None:
    connections = [3.0]
    port = serve(Calls(), {"connections": lambda: connections[0], "store_bytes": lambda: 4096})
    first = scrape(port)
    connections[0] = 5
    second = scrape(port)
    assert first["libravdb_connections", "", ""] == 3
    assert second["libravdb_connections", "", ""] == 5
    assert second["libravdb_store_bytes", "", ""] == 4096
    assert 0 <= first["libravdb_uptime_seconds", "", ""] < second["libravdb_uptime_seconds", "", ""]


def test_a_gauge_that_cannot_be_read_is_left_out(serve: Serve) -> None:
    def missing() -> float:
        raise FileNotFoundError

    def closed() -> float:
        raise StoreClosed("memory", "is closed")

    numbers = scrape(serve(Calls(), {"store_bytes": missing, "records": closed, "connections": lambda: 1}))
    assert ("libravdb_store_bytes", "", "") not in numbers
    assert ("libravdb_records", "", "") not in numbers
    assert numbers["libravdb_connections", "", ""] == 1


def test_a_silent_client_keeps_nobody_waiting(serve: Serve) -> None:
    calls = Calls()
    calls.note("health", seconds=0.001, failed=False)
    port = serve(calls, {})
    with socket.create_connection((prometheus.HOST, port)):
        assert scrape(port)["libravdb_calls_total", "health", ""] == 1


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.2 is not there from the start")
def test_only_this_machine_can_ask(serve: Serve) -> None:
    port = serve(Calls(), {})
    with socket.socket() as other:
        other.bind(("127.0.0.2", port))  # a listener on every address would hold this one too


def test_after_stop_the_port_is_free_at_once_and_stopping_again_does_nothing() -> None:
    pytest.importorskip("prometheus_client", reason="needs the extra 'metrics'")
    port = free_port()
    stop = prometheus.start(port, Calls(), gauges={})
    stop()
    stop()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((prometheus.HOST, port))
    prometheus.start(port, Calls(), gauges={})()


def test_a_port_in_use_is_told_with_the_remedy() -> None:
    pytest.importorskip("prometheus_client", reason="needs the extra 'metrics'")
    with socket.socket() as taken:
        taken.bind((prometheus.HOST, 0))
        taken.listen()
        with pytest.raises(DaemonError, match=r"daemon\.metrics_port") as caught:
            prometheus.start(taken.getsockname()[1], Calls(), gauges={})
    assert "in use" in caught.value.message


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    with pytest.raises(DaemonError) as caught:
        prometheus.start(free_port(), Calls(), gauges={})
    assert "pip install 'libravdb-memory[metrics]'" in caught.value.remedy


def test_port_0_is_off_and_needs_no_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    before = threading.active_count()
    stop = prometheus.start(0, Calls(), gauges={})
    assert threading.active_count() == before
    stop()
