"""No read or write of single records walks through a table: SQLite's plan of every statement says so."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
from tests.puts import put

from libravdb.adapters.sqlite.group_commit import Done
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.model import (
    SPACES,
    Change,
    Condition,
    Edge,
    Embedding,
    Json,
    Key,
    Link,
    Operator,
    Order,
    Remove,
    SetState,
    Topic,
    Touch,
    Where,
    digest,
)
from libravdb.ports.store import Snapshot
from libravdb.text.analysis import query_terms

LARGE = (
    "records",
    "texts",
    "codes",
    "vectors",
    "lexical",
    "placements",
    "bags",
    "edges",
    "sessions",
    "session_owners",
    "journal",
    "revisions",
    "collections",
)
BEGINS_A_READ = "SELECT 1 FROM revisions LIMIT 1"  # looks at one row, whichever it is
SAID: dict[str, Json] = {"sessionId": "s", "userId": "u", "speaker": "Ann"}
STATE: dict[str, Json] = {"namespaces": ["u"]}
EMBEDDING = Embedding(fingerprint="f", vectors=np.array([[1, 0, 0, 0]], dtype=np.float32))
TOPICS = (Topic.collection("c"), Topic.session("s"), SPACES)


def test_no_statement_of_the_daily_work_scans_a_large_table(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "m.libravdb") as store:
        store.vectors.open(fingerprint="f", dimensions=4, description={})
        seen: set[str] = set()
        work(store)
        trace(store, seen.add)
        work(store)
        trace(store, None)
        scans = [(sql, step) for sql in seen - {BEGINS_A_READ} for step in _scans(store._writer, sql)]
    assert len(seen) > 50
    assert scans == []


def trace(store: SqliteStore, callback: Callable[[str], object] | None) -> None:
    """On the writer's own thread: from another one SQLite would wait for the writer, and the writer for Python."""

    def begin(db: sqlite3.Connection) -> Done[None]:
        db.set_trace_callback(callback)
        return Done(None, {})

    store._commits.submit(begin)
    for db in store._idle:
        db.set_trace_callback(callback)


def work(store: SqliteStore) -> None:
    """What a day brings: turns, a summary that stands for them, questions, a correction."""
    for n in range(3):
        turn = put("c", str(n), f"text {n}", at=n, metadata=SAID, embedding=EMBEDDING)
        store.commit([turn, put("d", str(n), f"text {n}", at=n)], unless=store.revisions(TOPICS))
    covers = Edge(session="s", parent="p", child="0", child_kind="turn", position=0, at=1)
    changes: list[Change] = [
        put("c", "0", "changed", at=9, metadata=SAID),
        Touch(collection="c", ids=("1",)),
        Link(edge=covers),
        SetState(session="s", state=STATE, at=1),
    ]
    store.commit(changes)
    store.vectors.add([(digest("changed"), EMBEDDING)])
    with store.read() as read:
        ask(read)
    store.commit([Remove(collection="c", id="2")])


def ask(read: Snapshot) -> None:
    """Every question that a snapshot answers."""
    keys = [Key("c", "1"), Key("d", "2")]
    words = query_terms("text changed")
    read.revisions(TOPICS)
    read.records(keys)
    for order in Order:
        page = read.page("c", order=order, limit=2)
        read.page("c", order=order, limit=2, after=page.next)
        read.page("c", order=order, limit=2, where=Where(metadata={"userId": ("u", None)}, may_lack=("userId",)))
        read.page("c", order=order, limit=2, where=Where(metadata={"userId": ("u",)}))
        own = (
            Condition("userId", Operator.EQ, "u"),
            Condition("n", Operator.GTE, 3),
            Condition("speaker", Operator.NE, "x"),
        )
        read.page("c", order=order, limit=2, where=Where(conditions=own), exclude={"c": frozenset(("1",))})
    read.expired(9)
    read.expired(9, limit=1)
    read.holding("c", [digest("text 1"), digest("other")])
    read.distinct("c", "speaker", limit=3)
    read.sizes(["c", "d"])
    read.collections(prefix="c", limit=2)
    read.collections(owner="u", limit=2)
    read.states(["s"])
    read.states_of("u", limit=2)
    read.edges("s")
    read.edges("s", parents=["p"])
    read.journal(sessions=["s"], limit=3)
    read.spaces()
    read.vectors("f", [digest("text 1")])
    read.nearest(["c", "d"], EMBEDDING, k=2)
    read.matching(["c", "d"], words, k=2)
    read.neighbours(keys)
    read.features(keys, embedding=EMBEDDING, words=words)
    read.vocabularies(["c", "d"], words)


def _scans(db: sqlite3.Connection, sql: str) -> list[str]:
    """Steps of the plan that walk through a large table without an index on what is asked."""
    if not re.match(r"\s*(SELECT|UPDATE|DELETE|INSERT)", sql):
        return []
    plan = [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {sql}")]
    pairs = re.findall(r"\b(?:FROM|JOIN)\s+(\w+)\s+(\w)\b", sql)
    names = {*LARGE, *(alias for table, alias in pairs if table in LARGE)}
    return [step for step in plan if (found := re.match(r"SCAN (\w+)", step)) and found.group(1) in names]
