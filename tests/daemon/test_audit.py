"""The audit log: who, what, which namespace, how it ended; never what was said; whole lines, whatever happens to it."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.http.web import ADMIN, ANNA, BEN, Web, registry
from tests.served import Served, SocketWire, ask

from libravdb.daemon.audit import REFUSED_CHARS, AuditFile, NoAudit, open_audit
from libravdb.errors import DaemonError
from libravdb.model.collections import durable_memory
from libravdb.wire.endpoint import Endpoint

SAID = "The vault opens with seven turns"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log" / "audit.jsonl"


@pytest.fixture
def audited(tmp_path: Path, log: Path) -> Iterator[Served]:
    audit = opened(log)
    served = Served(tmp_path, tokens=registry(), audit=audit)
    yield served
    served.close()
    audit.close()


def opened(log: Path) -> AuditFile:
    audit = open_audit(str(log))
    assert isinstance(audit, AuditFile)
    return audit


def lines(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()]


def note(audit: AuditFile, method: str = "search") -> None:
    audit.note(who="x", door="http", address="", method=method, namespaces=("a",), outcome="ok", seconds=0.001)


def test_every_door_tells_who_did_what_where_and_how_it_ended(audited: Served, log: Path, tmp_path: Path) -> None:
    anna, ben = (Web(audited.listen_http(), token) for token in (ANNA, BEN))
    anna.post("/v1/anna/memories", {"text": SAID, "metadata": {"place": SAID}})
    assert ben.ask("POST", "/v1/anna/search", {"question": SAID}).status == 403
    anna.rpc("search", question="", namespace="anna")
    wire = SocketWire(audited.listen(Endpoint(path=str(tmp_path / "s.sock"))))
    ask(wire, "status")
    ask(wire, "nonsense")
    wire.close()
    told = [(one["who"], one["door"], one["method"], one["namespaces"], one["outcome"]) for one in lines(log)]
    assert told == [
        ("anna's laptop", "http", "remember", ["anna"], "ok"),
        ("ben's laptop", "http", "search", ["anna"], "Forbidden"),
        ("anna's laptop", "http", "search", ["anna"], "InvalidInput"),
        ("", "unix", "status", ["*"], "ok"),
        ("", "unix", "unknown", [], "DaemonError"),
    ]
    assert {one["address"] for one in lines(log)[:3]} == {"127.0.0.1"}
    assert all(one["at"].endswith("Z") and one["ms"] >= 0 for one in lines(log))
    assert "vault" not in log.read_text()
    assert "lvdb_" not in log.read_text()


def test_a_secret_in_a_name_is_not_told(audited: Served, log: Path) -> None:
    token = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    Web(audited.listen_http(), ADMIN).ask("GET", f"/v1/{token}/profile")
    assert token not in log.read_text()
    assert lines(log)[0]["method"] == "profile_show"


LONG = "Patient X is ill. " * 100_000
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("find_memory", {"namespace": LONG, "id": "1"}),
    ("find_memory", {"namespace": "anna", "id": LONG}),
    ("list_collection", {"collection": durable_memory(LONG)}),
    ("remember", {"notes": [{"text": "x", "collection": durable_memory("anna"), "metadata": {"userId": LONG}}]}),
    ("remember", {"notes": [{"text": "x", "collection": "session:s", "metadata": {"userId": LONG}}]}),
    ("delete_batch", {"collection": durable_memory("anna"), "ids": ["1", LONG]}),
    ("bump_access_counts", {"updates": [{"collection": LONG, "ids": ["1"]}]}),
    ("search_text_collections", {"collections": [LONG], "text": "x", "k": 1, "excludeByCollection": {LONG: [LONG]}}),
]


@pytest.mark.parametrize("token", [ANNA, ADMIN])
@pytest.mark.parametrize(("method", "params"), CALLS)
def test_nothing_that_is_too_long_for_a_name_is_told(
    audited: Served, log: Path, token: str, method: str, params: dict[str, Any]
) -> None:
    Web(audited.listen_http(), token).rpc(method, **params)
    assert log.stat().st_size < 2_000
    assert [one["method"] for one in lines(log)] == [method]


def test_of_a_refused_call_the_names_are_cut(audited: Served, log: Path) -> None:
    Web(audited.listen_http(), ANNA).rpc("find_memory", namespace="x" * 1_000, id="1")
    assert lines(log)[0]["outcome"] == "Forbidden"
    assert lines(log)[0]["namespaces"] == ["x" * REFUSED_CHARS]


def test_it_is_for_its_owner_alone(log: Path) -> None:
    log.parent.mkdir()
    log.touch(mode=0o644)
    audit = opened(log)
    note(audit)
    audit.close()
    assert log.stat().st_mode & 0o777 == 0o600


def test_a_rotated_file_is_begun_anew(log: Path) -> None:
    audit = opened(log)
    note(audit, "search")
    log.rename(log.with_suffix(".1"))
    note(audit, "judge")
    log.unlink()
    note(audit, "ingest")
    audit.close()
    assert [one["method"] for one in lines(log.with_suffix(".1"))] == ["search"]
    assert [one["method"] for one in lines(log)] == ["ingest"]
    assert log.stat().st_mode & 0o777 == 0o600


def test_lines_of_many_threads_stay_whole(log: Path) -> None:
    audit = opened(log)

    def work() -> None:
        for _ in range(100):
            note(audit)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    audit.close()
    assert len(lines(log)) == 800


def test_what_cannot_be_written_holds_nobody_up_and_is_told_once(log: Path, caplog: pytest.LogCaptureFixture) -> None:
    audit = opened(log)
    log.unlink()
    log.mkdir()  # nothing can be opened there
    with caplog.at_level(logging.ERROR, "libravdb.daemon"):
        for _ in range(5):
            note(audit)
    audit.close()
    assert [record.message for record in caplog.records] == ["the audit log cannot be written"]


def test_a_file_that_cannot_be_made_is_refused_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    for name in ("folder", "link"):
        with pytest.raises(DaemonError, match="audit log") as refused:
            open_audit(str(tmp_path / name))
        assert "daemon.audit_file" in refused.value.remedy
    assert isinstance(open_audit(""), NoAudit)
