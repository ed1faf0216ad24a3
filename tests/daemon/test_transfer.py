"""Export, import and backup over TCP: in bounded pieces, of one moment, for admins alone."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.served import LOOPBACK, TOKEN, Served, SocketWire, ask, authenticated

from libravdb.client import transfer
from libravdb.client.client import Client
from libravdb.client.remote_engine import RemoteEngine
from libravdb.client.transport import SocketTransport
from libravdb.daemon.handlers.transfer import MOST_EXPORTS, MOST_OF_ALL, PAGE_BYTES
from libravdb.daemon.rights import checked_rights
from libravdb.daemon.tokens import TokenRegistry, create_token
from libravdb.errors import DaemonError, Forbidden, InvalidInput, NotFound, OpenElsewhere, StoreError
from libravdb.model import Note
from libravdb.model.collections import durable_memory
from libravdb.wire.endpoint import Endpoint
from libravdb.wire.methods.access import AccessRole

ANNA = durable_memory("anna")


@pytest.fixture
def address(served: Served) -> Endpoint:
    return served.listen(LOOPBACK)


@pytest.fixture
def remote(address: Endpoint) -> Iterator[RemoteEngine]:
    with connected(address) as engine:
        yield engine


def connected(address: Endpoint, token: str = TOKEN) -> RemoteEngine:
    return RemoteEngine(Client(SocketTransport(address, token=token)))


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Served]:
    (tmp_path / "other").mkdir()
    served = Served(tmp_path / "other")
    yield served
    served.close()


def fill(served: Served, *, records: int, length: int) -> None:
    notes = [Note(text=f"{number} ü {'x' * length}", collection=ANNA, id=str(number)) for number in range(records)]
    served.engine.memories.remember_many(notes)
    served.engine.conversations.ingest("The boat is green.", session="s", namespace="anna")


def test_what_is_exported_over_tcp_is_what_is_exported_beside_the_store_and_can_be_imported(
    served: Served, remote: RemoteEngine, other: Served, tmp_path: Path
) -> None:
    fill(served, records=300, length=9_000)
    seen: list[tuple[int, int]] = []
    there = remote.upkeep.export_file(tmp_path / "far.jsonl", progress=lambda done, total: seen.append((done, total)))
    here = served.engine.upkeep.export_file(tmp_path / "near.jsonl")
    assert there == here > 300
    assert (tmp_path / "far.jsonl").read_bytes() == (tmp_path / "near.jsonl").read_bytes()
    assert len(seen) > 2
    assert seen[-1] == ((tmp_path / "far.jsonl").stat().st_size,) * 2
    with connected(other.listen(LOOPBACK)) as target:
        first = target.upkeep.import_file(tmp_path / "far.jsonl")
        assert first.records == there
        assert target.upkeep.import_file(tmp_path / "far.jsonl").records == there
    other.engine.upkeep.export_file(tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "near.jsonl").read_bytes()


def test_nothing_is_left_of_an_export_that_was_read(served: Served, remote: RemoteEngine, tmp_path: Path) -> None:
    fill(served, records=3, length=10)
    remote.upkeep.export_file(tmp_path / "far.jsonl")
    folder = tmp_path / "data.libravdb.exports"
    assert list(folder.iterdir()) == []
    assert folder.stat().st_mode & 0o777 == 0o700
    with pytest.raises(StoreError, match="exists already"):
        remote.upkeep.export_file(tmp_path / "far.jsonl")
    assert list(folder.iterdir()) == []
    served.transfers.close()
    assert not folder.exists()


def test_an_export_is_of_one_moment_and_its_pages_are_bounded(served: Served, address: Endpoint) -> None:
    fill(served, records=200, length=9_000)
    wire = authenticated(address)
    opened = ask(wire, "open_export")["result"]
    fill(served, records=210, length=9_000)
    pages = b""
    while len(pages) < opened["sizeBytes"]:
        page = base64.b64decode(ask(wire, "read_export", {"id": opened["id"], "offset": len(pages)})["result"]["data"])
        assert 0 < len(page) <= PAGE_BYTES
        pages += page
    assert sum(json.loads(line)["kind"] == "record" for line in pages.splitlines()) == opened["records"]
    assert ask(wire, "read_export", {"id": opened["id"], "offset": len(pages)})["result"] == {"data": ""}
    assert "offset" in ask(wire, "read_export", {"id": opened["id"], "offset": -1})["error"]["message"]
    wire.close()


def test_exports_that_nobody_closes_make_room(address: Endpoint, tmp_path: Path) -> None:
    wire = authenticated(address)
    opened = [ask(wire, "open_export")["result"]["id"] for _ in range(MOST_EXPORTS)]
    assert "result" in ask(wire, "read_export", {"id": opened[0]})
    opened.append(ask(wire, "open_export")["result"]["id"])
    gone = [id for id in opened if "error" in ask(wire, "read_export", {"id": id})]
    assert gone == [opened[1]]
    assert len(list((tmp_path / "data.libravdb.exports").iterdir())) == MOST_EXPORTS
    assert "open export" in ask(wire, "read_export", {"id": "../data.libravdb"})["error"]["message"]
    wire.close()


def test_exports_of_one_namespace_take_no_place_of_another(address: Endpoint) -> None:
    wire = authenticated(address)
    annas = ask(wire, "open_namespace_export", {"userId": "anna"})["result"]["id"]
    for _ in range(MOST_OF_ALL):
        ask(wire, "open_namespace_export", {"userId": "ben"})
    for number in range(MOST_OF_ALL - MOST_EXPORTS):
        ask(wire, "open_namespace_export", {"userId": f"guest {number}"})
    bens = ask(wire, "open_namespace_export", {"userId": "ben"})["result"]["id"]
    assert "result" in ask(wire, "read_export", {"id": annas})
    assert "result" in ask(wire, "read_export", {"id": bens})
    wire.close()


def test_a_line_that_is_wrong_is_named_by_its_number_in_the_file(
    monkeypatch: pytest.MonkeyPatch, served: Served, remote: RemoteEngine, tmp_path: Path
) -> None:
    fill(served, records=30, length=10)
    served.engine.upkeep.export_file(tmp_path / "good.jsonl")
    lines = (tmp_path / "good.jsonl").read_text().splitlines()
    lines[20] = '{"kind":"record"}'
    (tmp_path / "bad.jsonl").write_text("\n".join(lines))
    monkeypatch.setattr(transfer, "BATCH_LINES", 7)
    with pytest.raises(InvalidInput, match="line 21"):
        remote.upkeep.import_file(tmp_path / "bad.jsonl")
    (tmp_path / "no.jsonl").write_text("no header\n")
    with pytest.raises(InvalidInput, match="line 1"):
        remote.upkeep.import_file(tmp_path / "no.jsonl")


@pytest.mark.parametrize("method", ["import_batch", "import_namespace"])
@pytest.mark.parametrize("first", [-1, 0, 1, 10**15, 2**63])
def test_a_number_that_no_line_has_is_refused_at_once(address: Endpoint, method: str, first: int) -> None:
    wire = authenticated(address)
    params = {"header": _header(), "lines": ["{}"], "firstLine": first}
    params |= {"namespace": "anna"} if method == "import_namespace" else {}
    assert "firstLine" in ask(wire, method, params)["error"]["message"]
    wire.close()


@pytest.mark.parametrize("method", ["import_batch", "import_namespace"])
def test_a_batch_far_down_a_file_costs_no_more_than_the_first(address: Endpoint, method: str) -> None:
    wire = authenticated(address)
    params = {"header": _header(), "lines": ["", "{}"], "firstLine": 10**11}
    params |= {"namespace": "anna"} if method == "import_namespace" else {}
    assert "line 100000000001" in ask(wire, method, params)["error"]["message"]
    wire.close()


def test_an_import_of_nothing_but_blank_lines_can_be_stopped(served: Served) -> None:
    def stop(*_: int) -> None:
        raise DaemonError("stopping")

    lines = [_header(), *[""] * 10_000, "no line that is reached"]
    with pytest.raises(DaemonError, match="stopping"):
        served.engine.upkeep.import_lines(lines, stop)
    with pytest.raises(DaemonError, match="stopping"):
        served.engine.namespaces.import_lines(lines, namespace="anna", progress=stop)


def _header() -> str:
    told = {"kind": "header", "format": "libravdb-export", "version": 1, "records": 0, "namespace": "anna"}
    return json.dumps(told)


@given(lengths=st.lists(st.integers(0, 700_000), max_size=12), many=st.integers(0, 3 * transfer.BATCH_LINES))
def test_batches_are_bounded_and_leave_nothing_out(lengths: list[int], many: int) -> None:
    lines = ["x" * length for length in lengths] + ["y"] * many
    batches = list(transfer._batches(f"{line}\n" for line in lines))
    assert [line for _, batch in batches for line in batch] == lines
    number = 2
    for first, batch in batches:
        assert first == number
        number += len(batch)
        assert len(batch) <= transfer.BATCH_LINES
        assert len(batch) == 1 or sum(map(len, batch)) <= transfer.BATCH_BYTES


# ── backup ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.file_store("a database is copied by its own tools")
def test_a_backup_over_tcp_is_written_into_the_daemons_folder(
    served: Served, remote: RemoteEngine, tmp_path: Path
) -> None:
    fill(served, records=3, length=10)
    remote.upkeep.backup(Path("monday.libravdb"))
    copy = tmp_path / "backups" / "monday.libravdb"
    content = copy.read_bytes()
    assert copy.stat().st_mode & 0o777 == 0o600
    with pytest.raises(StoreError):
        remote.upkeep.backup(Path("monday.libravdb"))
    assert copy.read_bytes() == content
    with pytest.raises(InvalidInput, match="names a folder"):
        remote.upkeep.backup(tmp_path / "here.libravdb")


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../x", "a/b", "/etc/passwd", "a\\b", ".hidden", "a\nb", "a\0b", "~", "x" * 300, "~root", "ü"],
)
def test_no_name_leads_out_of_that_folder(address: Endpoint, tmp_path: Path, name: str) -> None:
    wire = authenticated(address)
    assert "not a plain file name" in ask(wire, "save_backup", {"name": name})["error"]["message"]
    wire.close()
    assert not (tmp_path / "backups").exists()


@pytest.mark.file_store("a database is copied by its own tools")
def test_without_a_folder_no_backup_is_written(served: Served, remote: RemoteEngine) -> None:
    served.transfers._backup_folder = ""
    with pytest.raises(DaemonError, match="backup_folder is not set"):
        remote.upkeep.backup(Path("monday.libravdb"))


# ── who may ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("role", [AccessRole.READ, AccessRole.WRITE])
def test_only_an_admin_may(served: Served, tmp_path: Path, role: AccessRole) -> None:
    tokens = tmp_path / "tokens"
    served.dispatcher._tokens = TokenRegistry.over(tokens)
    token = create_token(tokens, checked_rights("x", role, ["*"]), now=1)
    (tmp_path / "all.jsonl").write_text('{"kind":"header","format":"libravdb-export","version":1,"records":0}\n')
    with connected(served.listen(LOOPBACK), token) as remote:
        with pytest.raises(Forbidden, match="needs the role admin"):
            remote.upkeep.export_file(tmp_path / "far.jsonl")
        with pytest.raises(Forbidden, match="needs the role admin"):
            remote.upkeep.import_file(tmp_path / "all.jsonl")
        with pytest.raises(Forbidden, match="needs the role admin"):
            remote.upkeep.backup(Path("monday.libravdb"))
    assert not (tmp_path / "far.jsonl").exists()


def test_an_export_that_is_not_there_is_told(address: Endpoint) -> None:
    wire: SocketWire = authenticated(address)
    error = ask(wire, "read_export", {"id": "none"})["error"]
    assert error["data"]["kind"] == NotFound.__name__
    assert ask(wire, "close_export", {"id": "none"})["result"] == {"ok": True}
    wire.close()


def test_an_export_of_another_daemon_is_told_as_one(served: Served, address: Endpoint) -> None:
    wire = authenticated(address)
    id = ask(wire, "open_export")["result"]["id"]
    foreign = f"{'0' * 8}-{id.partition('-')[2]}"
    for method in ("read_export", "close_export"):
        data = ask(wire, method, {"id": foreign})["error"]["data"]
        assert data["kind"] == OpenElsewhere.__name__
        assert "Ask again" in data["remedy"]
    assert list(served.transfers._exports) == [id]
    wire.close()
