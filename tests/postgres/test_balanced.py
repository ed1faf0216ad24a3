"""Two daemons of one database behind a balancer that sends each request to the other one."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from tests.balancer import balanced
from tests.http.web import ADMIN, ANNA, registry
from tests.postgres.stores import open_lent
from tests.served import Served

from libravdb.adapters.postgres.store import PostgresStore
from libravdb.app import connect_to
from libravdb.client import transfer
from libravdb.client.remote_engine import RemoteEngine
from libravdb.daemon.handlers import transfer as pages
from libravdb.errors import OpenElsewhere
from libravdb.model import Note
from libravdb.model.collections import durable_memory

NOTES = 10


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Served, Served]]:
    """Two daemons, in whose database anna has more than fits into one page."""
    monkeypatch.setattr(pages, "PAGE_BYTES", 2_000)
    with closing(open_lent()) as direct:
        daemons = []
        for name in ("one", "other"):
            (tmp_path / name).mkdir()
            daemons.append(Served(tmp_path / name, store=PostgresStore(direct.url), tokens=registry()))
        notes = [
            Note(text=f"{number} {'boat ' * 200}", collection=durable_memory("anna"), id=f"{number}")
            for number in range(NOTES)
        ]
        daemons[0].engine.memories.remember_many(notes)
        yield daemons[0], daemons[1]
        for daemon in daemons:
            daemon.close()


@pytest.fixture
def balancer(pair: tuple[Served, Served]) -> Iterator[str]:
    with balanced([daemon.listen_http() for daemon in pair]) as url:
        yield url


def memories(export: Path) -> list[bytes]:
    """The lines of an export that hold a memory of anna's."""
    return [line for line in export.read_bytes().splitlines() if b" boat " in line]


def left_open(pair: tuple[Served, Served]) -> int:
    return sum(len(daemon.transfers._exports) for daemon in pair)


def connected(url: str, token: str) -> RemoteEngine:
    return connect_to(url, token=token)


def test_an_export_is_read_whole_and_closed_through_whichever_daemon(
    pair: tuple[Served, Served], balancer: str, tmp_path: Path
) -> None:
    pair[1].engine.upkeep.export_file(tmp_path / "near.jsonl")
    with connected(balancer, ADMIN) as admin, connected(balancer, ANNA) as anna:
        assert admin.upkeep.export_file(tmp_path / "far.jsonl")
        near, far = ((tmp_path / f"{name}.jsonl").read_bytes().split(b"\n", 1) for name in ("near", "far"))
        assert near[1] == far[1]  # the heads tell of which moment they are
        for number in range(4):
            assert anna.namespaces.export_file(tmp_path / f"anna {number}.jsonl", namespace="anna")
    assert left_open(pair) == 0


def test_exports_at_the_same_time_each_reach_their_daemon(
    pair: tuple[Served, Served], balancer: str, tmp_path: Path
) -> None:
    def export(number: int) -> bytes:
        path = tmp_path / f"{number}.jsonl"
        with connected(balancer, ANNA) as anna:
            anna.namespaces.export_file(path, namespace="anna")
        return path.read_bytes()

    with ThreadPoolExecutor(3) as several:
        assert len({found.split(b"\n", 1)[1] for found in several.map(export, range(6))}) == 1
    assert left_open(pair) == 0


def test_an_import_in_parts_goes_through_whichever_daemon(
    pair: tuple[Served, Served], balancer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "BATCH_LINES", 2)
    with connected(balancer, ADMIN) as admin:
        admin.upkeep.export_file(tmp_path / "all.jsonl")
        pair[0].engine.deletions.flush_namespace("anna")
        assert admin.upkeep.import_file(tmp_path / "all.jsonl").records > 0
        admin.upkeep.export_file(tmp_path / "again.jsonl")
    before, after = (memories(tmp_path / f"{name}.jsonl") for name in ("all", "again"))
    assert len(before) == NOTES
    assert before == after


def test_an_export_whose_daemon_is_gone_is_told_as_one_of_another(
    pair: tuple[Served, Served], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(transfer, "_LONGEST_PAUSE", 0.0)
    with connected(f"http://{pair[0].listen_http()}".replace("tcp:", ""), ADMIN) as admin:

        def restart(*_: int) -> None:
            pair[0].transfers._name = "00000000"

        with pytest.raises(OpenElsewhere, match="before it was restarted") as refused:
            admin.upkeep.export_file(tmp_path / "far.jsonl", progress=restart)
    assert "open it anew" in refused.value.remedy
    assert not (tmp_path / "far.jsonl").exists()
