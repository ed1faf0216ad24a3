"""Health, readiness and numbers over HTTP; the numbers are read with Prometheus' own parser."""

from __future__ import annotations

from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.http.web import ADMIN, Web, registry
from tests.served import Served

from libravdb.daemon.gauges import MOST_NAMESPACES, OTHERS, namespace_records
from libravdb.daemon.metrics_text import metrics_text
from libravdb.daemon.pools import CallPools
from libravdb.daemon.prometheus import CallsCollector
from libravdb.errors import EmbedderError
from libravdb.wire.methods.method import MethodPace


def numbers(web: Web) -> dict[str, float]:
    """By name and, where there is one, the value of its label."""
    text = web.ask("GET", "/metrics").body.decode()
    return {
        " ".join([sample.name, *(value for key, value in sample.labels.items() if key != "le")]): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_what_is_held_what_waits_and_how_it_works_is_told(watch: Web, admin: Web) -> None:
    admin.post("/v1/o%22dd%5C%0A/memories", {"text": "The ladder is in the shed"})
    told = numbers(watch)
    assert told["libravdb_degraded"] == 0
    assert told["libravdb_store_writable"] == 1
    assert told["libravdb_unembedded_texts"] == 0
    assert told["libravdb_queued_calls usual"] == 0
    assert told["libravdb_calls_total remember"] >= 1
    assert told['libravdb_namespace_records o"dd\\'] >= 1
    assert told['libravdb_namespace_bytes o"dd\\'] > 20
    assert told["libravdb_namespaces"] >= 1


def test_of_many_namespaces_those_that_hold_most_are_told_apart(tmp_path: Path) -> None:
    served = Served(tmp_path, tokens=registry())
    for number in range(MOST_NAMESPACES + 5):
        served.engine.memories.remember(f"boat {number}", collection=f"user:u{number}")
    for number in range(2):
        served.engine.memories.remember(f"ship {number}", collection="user:u54")
    told = numbers(Web(served.listen_http(), ADMIN))
    records = {name: value for name, value in told.items() if name.startswith("libravdb_namespace_records")}
    assert len(records) == MOST_NAMESPACES + 1
    assert records["libravdb_namespace_records u54"] >= 3
    assert sum(records.values()) == namespace_records(served.store).total()
    assert f"libravdb_namespace_records {OTHERS}" in records
    served.close()


def test_the_loopback_port_tells_the_same_gauges(tmp_path: Path) -> None:
    served = Served(tmp_path, tokens=registry())
    served.listen_http()
    gauges = served.http_calls._gauges
    families = {family.name: family for family in CallsCollector(served.calls, gauges).collect()}
    assert {f"libravdb_{name}" for name in gauges} <= set(families)
    assert {sample.labels["pace"] for sample in families["libravdb_queued_calls"].samples} == {*MethodPace}
    text = metrics_text(served.calls, gauges)
    assert {family.name for family in text_string_to_metric_families(text)} == set(families)
    served.close()


def test_it_is_alive_while_it_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    served = Served(tmp_path, tokens=registry())
    web = Web(served.listen_http())
    assert web.get("/ready") == {"ready": True, "degraded": False, "problem": ""}
    served.http_calls._warm.clear()
    reply = web.ask("GET", "/ready")
    assert (reply.status, reply.json["problem"]) == (503, "The model is being loaded.")
    served.http_calls._warm.set()
    monkeypatch.setattr(served.engine.embeddings, "_clock", lambda: 0)
    monkeypatch.setattr(served.engine.embeddings, "_away_until", 1)
    monkeypatch.setattr(served.engine.embeddings, "_away", str(EmbedderError("away")))
    assert web.get("/ready")["degraded"]
    served.store.close()
    assert web.ask("GET", "/health").json == {"ok": True}
    reply = web.ask("GET", "/ready")
    assert (reply.status, reply.json["problem"]) == (503, "The store cannot be read.")
    served.close()


def test_calls_that_wait_are_counted() -> None:
    pools = CallPools({MethodPace.QUICK: 1})
    assert pools.waiting(MethodPace.QUICK) == 0
    pools._count(MethodPace.QUICK, 3)
    assert pools.waiting(MethodPace.QUICK) == 2
    pools.close()
