"""The campaign of `make soak-postgres` in short: every kind of fault a few times."""

from __future__ import annotations

import io
from contextlib import closing

import pytest
from rich.console import Console
from tests.postgres.server import missing_parts
from tests.puts import put

pytest.importorskip("psycopg")

from bench.postgres_faults import CAMPAIGN, LEDGER, Outcome, judge, write_of
from tests.postgres.stores import open_lent

from libravdb.adapters.postgres.store import PostgresStore
from libravdb.model import Append, Touch

pytestmark = pytest.mark.skipif(bool(missing_parts()), reason=missing_parts() or "there is a server")

QUIET = Console(file=io.StringIO())


@pytest.mark.parametrize("fault", CAMPAIGN)
def test_no_fault_loses_or_doubles_anything(fault: str) -> None:
    outcome = CAMPAIGN[fault](1 if fault == "many" else 2, QUIET)
    if not outcome.times:
        pytest.skip(outcome.note)
    assert outcome.is_right, str(outcome)
    assert outcome.acknowledged


def test_what_is_lost_doubled_or_torn_is_seen() -> None:
    with closing(open_lent()) as store:
        store.commit([put(LEDGER, "w")])
        store.commit(write_of("w", 1))
        assert judged(store, {1}).is_right
        assert judged(store, {1, 2}).lost == 1
        store.commit([Append(session="w", at=1, entry={"writer": "w", "number": 1})])
        assert judged(store, {1}).doubled == 1
        store.commit([Append(session="w", at=2, entry={"writer": "w", "number": 2})])
        store.commit([Touch(collection=LEDGER, ids=("w",))])
        assert [each.partition(" ")[0] for each in judged(store, {1}).wrong] == ["torn:", "w"]
        store.commit([*write_of("w", 1)[:1], put("notes", "w.1", "another text")])
        assert judged(store, {1}).doubled == 2


def judged(store: PostgresStore, numbers: set[int]) -> Outcome:
    outcome = Outcome(name="none")
    judge(store, {"w": numbers}, outcome)
    return outcome
