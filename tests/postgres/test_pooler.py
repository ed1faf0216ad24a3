"""A store behind PgBouncer in transaction mode: every transaction may run on another connection of the server.

`make test-postgres` runs what is here; that the whole contract holds behind it was tried by hand (docs/postgres.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

import pytest
from tests.contract.stores import near_ids, open_space, vector, words
from tests.postgres.history import violations
from tests.postgres.pooler import Pooler, may_prepare, missing_pooler
from tests.postgres.server import Server
from tests.puts import put

psycopg = pytest.importorskip("psycopg")

from tests.postgres.test_history import play  # noqa: E402  it needs psycopg

from libravdb.adapters.postgres.connection import Address  # noqa: E402
from libravdb.adapters.postgres.store import PostgresStore  # noqa: E402
from libravdb.errors import StoreError  # noqa: E402

pytestmark = pytest.mark.skipif(bool(missing_pooler()), reason=missing_pooler() or "there is a pooler")


@pytest.fixture
def pooler(server: Server) -> Iterator[Pooler]:
    """One that has far fewer connections than its clients."""
    own = Pooler(server, size=4)
    yield own
    own.close()


def test_statements_are_prepared_only_where_nobody_mixes_them_up(database: str, pooler: Pooler) -> None:
    with Address(database).connect() as direct, Address(pooler.url(database)).connect() as pooled:
        assert direct.prepare_threshold
        assert pooled.prepare_threshold is None


@pytest.mark.skipif(not may_prepare(), reason="this PgBouncer is older than 1.21")
def test_where_it_gives_them_names_of_its_own_they_are_prepared(database: str, server: Server) -> None:
    with closing(Pooler(server, size=4, is_preparing=True)) as own, Address(own.url(database)).connect() as pooled:
        assert pooled.prepare_threshold


def test_what_many_threads_ask_at_once_is_answered_to_each(database: str, pooler: Pooler) -> None:
    with PostgresStore(pooler.url(database)) as store:
        open_space(store)

        def work(number: int) -> None:
            name = f"c{number}"
            for turn in range(4):
                store.commit([put(name, f"{turn}", f"text {number} {turn}", embedding=vector([1, turn]))])
                assert near_ids(store, [1, turn], of=name, k=1) == [f"{turn}"]
                assert sorted(words(store, f"{number}", of=name)) == sorted(f"{n}" for n in range(turn + 1))

        with ThreadPoolExecutor(12) as pool:
            list(pool.map(work, range(12)))
        assert list(store.maintenance.verify()) == []


def test_commits_behind_it_are_linearizable(database: str, pooler: Pooler) -> None:
    with ExitStack() as opened:
        stores = [opened.enter_context(PostgresStore(pooler.url(database))) for _ in range(4)]
        assert violations(play(stores)) == []


def test_what_one_holds_alone_is_held_behind_it_and_free_at_once(database: str, pooler: Pooler) -> None:
    with PostgresStore(pooler.url(database)) as one, PostgresStore(pooler.url(database)) as other:
        for _ in range(5):
            with one.exclusive("compaction", is_waiting=False) as is_alone:
                assert is_alone
                with other.exclusive("compaction", is_waiting=False) as is_second:
                    assert not is_second
                other.commit([put("c", "1", "in between")])


def test_options_that_it_refuses_are_told_with_the_remedy(database: str, pooler: Pooler) -> None:
    with pytest.raises(StoreError, match=r"Take 'options' out of store\.url"):
        PostgresStore(f"{pooler.url(database)}&options=-c%20geqo%3Doff")
