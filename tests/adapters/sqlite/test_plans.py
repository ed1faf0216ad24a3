"""No read or write of single records walks through a table: SQLite's plan of every statement says so."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import numpy as np

from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.model import Embedding, Json, Put, Query, Remove, Touch

LARGE = ("records", "texts", "codes", "vectors", "lexical", "placements", "bags", "edges", "sessions", "journal")


def test_no_statement_of_the_daily_work_scans_a_large_table(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "m.libravdb") as store:
        store.open_space(fingerprint="f", dimensions=4, description={})
        seen: set[str] = set()
        vector = np.array([[1, 0, 0, 0]], dtype=np.float32)
        embedding = Embedding(fingerprint="f", vectors=vector)

        said: dict[str, Json] = {"sessionId": "s"}

        def work() -> None:
            for n in range(3):
                put = Put(collection="c", id=str(n), text=f"text {n}", at=n, metadata=said, embedding=embedding)
                store.commit([put, Put(collection="d", id=str(n), text=f"text {n}", at=n)])
            store.commit([Put(collection="c", id="0", text="changed", at=9), Touch(collection="c", ids=("1",))])
            store.get("c", "1")
            store.scan("c", limit=2)
            store.latest("c", limit=2)
            store.holding("c", "text 1")
            store.unembedded_among("f", ["text 1", "other"])
            store.vectors("f", "text 1")
            store.search(Query(collections=("c", "d"), k=2, text="text", embedding=embedding))
            asked = Query(collections=("c", "d"), k=2, text="text", embedding=embedding, linked=frozenset("c"))
            store.survey(asked)
            store.commit([Remove(collection="c", id="2")])
            store.spaces()
            store.session_state("s")
            store.edges("s")
            store.edges("s", parent="p")
            store.journal(session="s", limit=3)

        work()
        for db in (store._writer, *store._idle):
            db.set_trace_callback(seen.add)
        work()
        for db in (store._writer, *store._idle):
            db.set_trace_callback(None)
        scans = [(sql, step) for sql in seen for step in _scans(store._writer, sql)]
    assert len(seen) > 30
    assert scans == []


def _scans(db: sqlite3.Connection, sql: str) -> list[str]:
    """Steps of the plan that walk through a large table without an index on what is asked."""
    if not re.match(r"\s*(SELECT|UPDATE|DELETE|INSERT)", sql):
        return []
    plan = [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {sql}")]
    pairs = re.findall(r"\b(?:FROM|JOIN)\s+(\w+)\s+(\w)\b", sql)
    names = {*LARGE, *(alias for table, alias in pairs if table in LARGE)}
    return [step for step in plan if (found := re.match(r"SCAN (\w+)", step)) and found.group(1) in names]
