"""What a daemon tells of itself while the server is away: probes are answered at once, and never with a crash."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.http.web import ADMIN, ANNA, Web, registry
from tests.postgres.proxy import Proxy
from tests.postgres.server import Server
from tests.postgres.stores import open_lent
from tests.served import Served

from libravdb.adapters.postgres import absence
from libravdb.adapters.postgres.store import PostgresStore


@pytest.fixture
def proxied(server: Server) -> Iterator[tuple[Proxy, PostgresStore]]:
    """A way to the server that can be closed, and a store behind it."""
    with closing(open_lent()) as direct, Proxy(f"{server.folder}/.s.PGSQL.{server.port}") as proxy:
        name = direct.url.partition("?")[0].rpartition("/")[2]
        with PostgresStore(proxy.url(name)) as store:
            yield proxy, store


def test_while_the_database_is_away_a_daemon_is_not_ready_and_says_so(
    proxied: tuple[Proxy, PostgresStore],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    proxy, store = proxied
    served = Served(tmp_path, store=store, tokens=registry())
    web = Web(served.listen_http())
    assert web.ask("GET", "/ready").status == 200
    with caplog.at_level(logging.WARNING, "libravdb"), proxy.refusing():
        for path in ("/ready", "/ready", "/ready?for=read"):
            reply = web.ask("GET", path)
            assert (reply.status, reply.json["problem"]) == (503, "The store cannot be read.")
        monkeypatch.setattr(absence, "RECONNECT_SECONDS", 0.0)  # what else is asked waits otherwise
        assert Web(web.address, ADMIN).ask("GET", "/metrics").status == 200
        assert (
            "cannot be reached"
            in Web(web.address, ANNA)
            .ask("POST", "/rpc", {"jsonrpc": "2.0", "id": 1, "method": "health", "params": {}})
            .body.decode()
        )
    told = [record for record in caplog.records if record.message == "not ready"]
    assert len(told) == 1, "once, and not for each probe"
    assert "cannot be reached" in told[0].__dict__["problem"]
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
    assert web.ask("GET", "/ready").json == {"ready": True, "degraded": False, "problem": ""}
    served.close()
