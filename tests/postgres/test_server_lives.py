"""When a server is another one than before, numbers leave a gap behind all that were ever given out."""

from __future__ import annotations

from time import time

import pytest
from tests.contract.stores import near_ids, open_space, vector
from tests.postgres.server import execute
from tests.postgres.stores import LentStore, open_lent
from tests.puts import put

from libravdb.adapters.postgres.schema import SCHEMA
from libravdb.adapters.postgres.server_lives import ROWS_A_SECOND
from libravdb.adapters.postgres.store import PostgresStore
from libravdb.adapters.postgres.vector_reads import PLACE_BITS

YEAR = 366 * 86_400


def rows_given_out(store: LentStore) -> int:
    return int(execute(store.url, f"SELECT last_value FROM {SCHEMA}.records_seq")[0][0])  # noqa: S608  our own name


def met_as_another(store: LentStore) -> PostgresStore:
    """The store, opened at a server that seems to be another one than before."""
    execute(store.url, f"UPDATE {SCHEMA}.facts SET value = 'another one' WHERE name = 'server'")  # noqa: S608
    return PostgresStore(store.url)


def test_the_gap_is_left_once_and_grows_with_time_and_not_with_how_often_a_server_starts() -> None:
    with open_lent() as store:
        store.commit([put("c", "1", "one")])
        before = rows_given_out(store)
        met_as_another(store).close()
        first, met_at = rows_given_out(store), time()
        assert first > before + ROWS_A_SECOND
        for _ in range(20):
            met_as_another(store).close()
        assert rows_given_out(store) - first <= (time() - met_at + 2) * ROWS_A_SECOND + 20
        kept = rows_given_out(store)
        PostgresStore(store.url).close()
        assert rows_given_out(store) == kept


def test_behind_the_gap_vectors_are_found_and_their_ids_last_for_decades() -> None:
    with open_lent() as store:
        open_space(store)
        store.commit([put("c", "1", "one", embedding=vector([1, 0]))])
        assert near_ids(store, [1, 0], of="c") == ["1"]
        with met_as_another(store) as other:
            other.commit([put("c", "2", "two", embedding=vector([9, 1]))])
            assert near_ids(other, [1, 0], of="c") == near_ids(store, [1, 0], of="c") == ["1", "2"]
        assert rows_given_out(store) + 60 * YEAR * ROWS_A_SECOND < 2 ** (63 - PLACE_BITS)


@pytest.mark.parametrize("far", [2**42, 2**42 + 5])
def test_numbers_that_are_beyond_the_clock_go_on(far: int) -> None:
    """A store that wrote faster than anybody reckoned with, or a clock that was set back."""
    with open_lent() as store:
        execute(store.url, f"SELECT setval('{SCHEMA}.records_seq', %s)", far)
        met_as_another(store).close()
        assert rows_given_out(store) == far + 1
