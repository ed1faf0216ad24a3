"""The proof of soundness itself: every kind of damage is found and named, and looking changes nothing."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.puts import put

from libravdb.adapters.sqlite.integrity import CHECKS, verify_file
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.errors import LibraError, StoreError
from libravdb.model import Append, Change, Edge, Embedding, Json, Link, Put, Remove, SetState, Touch

SPACE = "model"


def embed(*seeds: int) -> Embedding:
    numbers = np.stack([np.random.default_rng(seed).standard_normal(70) for seed in seeds])
    unit = numbers / np.linalg.norm(numbers, axis=1, keepdims=True)
    return Embedding(fingerprint=SPACE, vectors=unit.astype(np.float32))


def edge(parent: str, child: str) -> Link:
    return Link(edge=Edge(session="s", parent=parent, child=child, child_kind="turn", position=0, at=1))


def said(scope: str, id: str, **metadata: Json) -> Put:
    return put(f"{scope}:talk", id, f"{id} as {scope}", metadata=metadata)


def covers(parent: str, child: str, kind: str, position: int) -> Link:
    return Link(edge=Edge(session="talk", parent=parent, child=child, child_kind=kind, position=position, at=1))


def said_gone(text: str) -> str:
    return "DELETE FROM records WHERE text = (SELECT id FROM texts WHERE body = '$SAID')".replace("$SAID", text)


CONVERSATION: list[Change] = [
    *(said("session_raw", f"t{i}", raw_history=True) for i in range(5)),
    said("session_raw", "gone", raw_history=True, withdrawn=1),
    said("session", "t4"),
    said("session_summary", "low", source_ids=["t0", "t1"]),
    said("session_summary", "top", source_ids=["low", "t2", "t3"]),
    said("session", "top"),
    covers("low", "t0", "turn", 0),
    covers("low", "t1", "turn", 1),
    covers("top", "low", "summary", 0),
    covers("top", "t2", "turn", 1),
    covers("top", "t3", "turn", 2),
]
"""Five turns, of which four were folded, and one that somebody took out of the view."""

STATE: dict[str, Json] = {"a": 1, "namespaces": ["alice", "bob"]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A sound store with something of everything, closed."""
    place = tmp_path / "store.db"
    with SqliteStore(place) as store:
        store.vectors.open(fingerprint=SPACE, dimensions=70, description={})
        store.vectors.open(fingerprint="next", dimensions=8, description={})
        store.commit([put("c", f"{i}", f"text {i} of many", at=i, embedding=embed(i, i + 1)) for i in range(20)])
        store.commit([put(f"d{i}", "1", "shared text", at=i) for i in range(20)])
        store.commit([put("c", "blank", " "), put("c", "日", "東京・大阪")])
        store.commit([Remove(collection="c", id="3"), Remove(collection="d7", id="1")])
        store.commit([edge("summary", "1"), edge("summary", "2"), edge("higher", "summary")])
        store.commit(CONVERSATION)
        store.commit([Append(session="s", at=1, entry={"a": 1}), SetState(session="s", state=STATE, at=1)])
    return place


def wreck(path: Path, *statements: str) -> None:
    """Change the file behind the store's back."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA foreign_keys = OFF")
    for statement in statements:
        assert db.execute(statement.replace("$TEXT", TEXT)).rowcount != 0, statement
    db.close()


def found(path: Path) -> dict[str, list[str]]:
    findings: dict[str, list[str]] = {}
    for finding in verify_file(path):
        findings.setdefault(finding.invariant, []).append(finding.detail)
    return findings


def test_a_sound_store_has_no_findings(path: Path) -> None:
    assert found(path) == {}


def test_an_empty_store_has_no_findings(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "store.db").close()
    assert found(tmp_path / "store.db") == {}


TEXT = "(SELECT id FROM texts WHERE body = 'text 1 of many')"  # stands for $TEXT below

SWAPPED = (
    "UPDATE sqlite_master SET sql = 'CREATE INDEX records_by_time ON records (collection, version)'"
    " WHERE name = 'records_by_time'"
)
TAKEN_OUT = (
    "INSERT INTO lexicon (lexicon, rowid, scope, terms)"
    " SELECT 'delete', row, scope, 'text 1 of mani' FROM lexical WHERE text = $TEXT"
)
PUT_BACK = (
    "INSERT INTO lexicon (rowid, scope, terms) SELECT row, scope, '1 text of mani' FROM lexical WHERE text = $TEXT"
)
DAMAGE: list[tuple[str, tuple[str, ...]]] = [
    ("the file is sound", ("PRAGMA writable_schema = ON", SWAPPED)),
    ("references resolve", ("DELETE FROM collections WHERE name = 'd3'",)),
    ("references resolve", ("DELETE FROM texts WHERE id = $TEXT",)),
    ("texts match their address", ("UPDATE texts SET body = 'text 1 of some' WHERE id = $TEXT",)),
    ("texts match their address", ("UPDATE texts SET blank = 1 WHERE id = $TEXT",)),
    ("texts match their address", ("UPDATE texts SET blank = 0 WHERE body = ' '",)),
    ("records are as written", ("UPDATE records SET metadata = '{\"a\":2}' WHERE id = '1'",)),
    ("records are as written", ("UPDATE records SET at = at + 1 WHERE id = '1'",)),
    ("records are as written", ("UPDATE records SET id = 'one' WHERE id = '1' AND collection = 1",)),
    ("records are as written", ("UPDATE records SET checksum = x'' WHERE id = '1'",)),
    ("texts are used", ("INSERT INTO texts (digest, body, blank) VALUES (x'00', 'a', 0)",)),
    ("placements match records", ("DELETE FROM records WHERE id = '1' AND collection = 1",)),
    ("placements match records", ("DELETE FROM placements WHERE text = $TEXT",)),
    ("scopes match placements", ("UPDATE lexical SET scope = 'c1 c2', scopes = 2 WHERE text = $TEXT",)),
    ("scopes match placements", ("UPDATE lexical SET scopes = 7 WHERE text = $TEXT",)),
    ("scopes match placements", ("DELETE FROM lexical WHERE text = $TEXT",)),
    ("full text matches texts", ("INSERT INTO lexicon (lexicon) VALUES ('delete-all')",)),
    ("full text matches texts", ("INSERT INTO lexicon (rowid, scope, terms) VALUES (9999, 'c1', 'ghost')",)),
    ("full text matches texts", (TAKEN_OUT,)),
    ("full text matches texts", (TAKEN_OUT, PUT_BACK)),
    ("vectors match codes", ("DELETE FROM vectors WHERE id = 4",)),
    ("vectors match codes", ("INSERT INTO vectors (vector) VALUES (zeroblob(140))",)),
    ("vectors match codes", ("UPDATE vectors SET vector = zeroblob(10) WHERE id = 4",)),
    ("vectors match codes", ("UPDATE vectors SET vector = (SELECT vector FROM vectors WHERE id = 20) WHERE id = 2",)),
    ("vectors match codes", ("UPDATE codes SET code = zeroblob(32) WHERE text = $TEXT",)),
    ("vectors match codes", ("UPDATE codes SET code = zeroblob(8) WHERE text = $TEXT",)),
    ("vectors match codes", ("UPDATE codes SET space = 99 WHERE text = $TEXT",)),
    ("vectors match codes", ("UPDATE codes SET vectors = 0 WHERE text = $TEXT",)),
    ("one space is active", ("UPDATE spaces SET state = 'retired'",)),
    ("one space is active", ("DROP INDEX one_active_space", "UPDATE spaces SET state = 'active'")),
    ("collections count right", ("UPDATE collections SET texts = texts + 1 WHERE name = 'd3'",)),
    ("collections count right", ("UPDATE collections SET terms = 0 WHERE name = 'd3'",)),
    ("bags match texts", ("DELETE FROM bags WHERE text = $TEXT",)),
    ("bags match texts", ("UPDATE bags SET length = 3 WHERE text = $TEXT",)),
    ("bags match texts", ("UPDATE bags SET bag = zeroblob(4) WHERE text = $TEXT",)),
    ("bags match texts", ("UPDATE bags SET terms = 'text 2 of mani' WHERE text = $TEXT",)),
    ("spaces count right", ("UPDATE spaces SET texts = texts + 1 WHERE state = 'active'",)),
    ("spaces count right", ("UPDATE spaces SET vectors = 0",)),
    ("JSON is valid", ("UPDATE records SET metadata = '{' WHERE id = '1'",)),
    ("JSON is valid", ("UPDATE records SET metadata = '[1]' WHERE id = '1'",)),
    ("JSON is valid", ("UPDATE sessions SET state = 'null'",)),
    ("JSON is valid", ("UPDATE journal SET entry = ''",)),
    ("JSON is valid", ("UPDATE spaces SET description = '}' WHERE fingerprint = 'next'",)),
    ("versions are positive", ("UPDATE records SET version = 0 WHERE id = '1'",)),
    ("versions are positive", ("UPDATE records SET access_count = -1 WHERE id = '1'",)),
    ("versions are positive", ("UPDATE records SET version = 'new' WHERE id = '1'",)),
    ("versions are positive", ("UPDATE sessions SET generation = 0",)),
    ("owners match states", ("DELETE FROM session_owners WHERE owner = 'bob'",)),
    ("owners match states", ("UPDATE session_owners SET owner = 'alice:bob' WHERE owner = 'bob'",)),
    ("owners match states", ("UPDATE session_owners SET session = 'talk' WHERE owner = 'bob'",)),
    ("owners match states", ("UPDATE sessions SET state = '{\"namespaces\": [\"alice\"]}'",)),
    ("owners match states", ("DELETE FROM sessions",)),
    ("revisions are known", ("UPDATE collections SET revision = 0 WHERE name = 'd3'",)),
    ("revisions are known", ("UPDATE collections SET revision = 1000 WHERE name = 'd3'",)),
    ("revisions are known", ("UPDATE revisions SET revision = 1000 WHERE kind = 'session' AND name = 's'",)),
    ("revisions are known", ("UPDATE revisions SET revision = 0 WHERE kind = 'spaces'",)),
    ("revisions are known", ("DELETE FROM revisions WHERE kind = 'session' AND name = 's'",)),
    ("revisions are known", ("DELETE FROM revisions WHERE kind = 'session' AND name = 'talk'",)),
    ("revisions are known", ("DELETE FROM revisions WHERE kind = 'store'",)),
    ("coverage is acyclic", ("INSERT INTO edges VALUES ('s', '1', 'higher', 'turn', 0, 1)",)),
    ("coverage is acyclic", ("INSERT INTO edges VALUES ('s', 'x', 'x', 'turn', 0, 1)",)),
    ("edges lead to what is there", (said_gone("t0 as session_raw"),)),
    ("edges lead to what is there", (said_gone("low as session_summary"),)),
    ("edges lead to what is there", (said_gone("top as session_summary"),)),
    ("edges lead to what is there", ("INSERT INTO edges VALUES ('talk', 'top', 'nobody', 'turn', 3, 1)",)),
    ("summaries have their sources", ("DELETE FROM edges WHERE parent = 'low'",)),
    ("summaries have their sources", ("DELETE FROM edges WHERE parent = 'top' AND child = 't2'",)),
    ("summaries have their sources", ("UPDATE edges SET position = 9 WHERE child = 't2'",)),
    ("everything said is reached", ("DELETE FROM edges WHERE child = 't3'",)),
    ("everything said is reached", ("DELETE FROM edges WHERE child = 'low'",)),
    ("everything said is reached", (said_gone("t4 as session"),)),
    ("everything said is reached", (said_gone("top as session"),)),
]  # fmt: skip


@pytest.mark.parametrize(("invariant", "statements"), DAMAGE)
def test_each_damage_is_found_under_its_own_name(path: Path, invariant: str, statements: tuple[str, ...]) -> None:
    wreck(path, *statements)
    findings = found(path)
    assert invariant in findings, findings
    assert all(detail for details in findings.values() for detail in details)


def test_a_byte_that_changed_in_metadata_is_noticed(path: Path) -> None:
    """The JSON is as valid as before, and every index agrees."""
    with SqliteStore(path) as store:
        store.commit([put("c", "said", "hello", metadata={"role": "assistant"})])
    content = path.read_bytes()
    assert content.count(b'"assistant"') == 1
    path.write_bytes(content.replace(b'"assistant"', b'"asristant"'))
    assert list(found(path)) == ["records are as written"]


def test_records_that_were_changed_by_us_are_as_written(path: Path) -> None:
    with SqliteStore(path) as store:
        for metadata, at in (({"a": 1}, 1), ({"a": 2}, 1), ({"a": 2}, 5), ({}, 5)):
            store.commit([put("c", "said", "hello", metadata=metadata, at=at)])
            store.commit([Touch(collection="c", ids=("said",))])
            assert list(store.maintenance.verify()) == []


def broken_page(content: bytes, page: int, noise: bytes) -> bytes:
    """A copy of a file in which the middle of a page holds something else."""
    start = page * 4096 + 200
    return content[:start] + noise + content[start + len(noise) :]


@pytest.mark.parametrize("noise", [bytes(3000), bytes(range(256)) * 8, b"\xff" * 300], ids=["zeros", "bytes", "ones"])
def test_no_damage_of_a_page_ends_the_checks_with_anything_but_findings(path: Path, noise: bytes) -> None:
    """A page of zeros gives rows whose every column is NULL, also where that is forbidden."""
    content = path.read_bytes()
    for page in range(1, len(content) // 4096):
        path.write_bytes(broken_page(content, page, noise))
        try:
            details = [detail for each in found(path).values() for detail in each]
        except LibraError as error:
            details = [error.problem] if isinstance(error, StoreError) else [str(error)]
        assert all(detail and "\n" not in detail for detail in details), (page, details)


NULLED = (
    ("texts", "body"), ("texts", "digest"), ("records", "metadata"), ("records", "version"), ("sessions", "state"),
    ("journal", "entry"), ("bags", "terms"), ("bags", "bag"), ("lexical", "scope"), ("codes", "code"),
    ("codes", "vectors"), ("vectors", "vector"), ("collections", "name"), ("collections", "revision"),
    ("edges", "position"), ("spaces", "dimensions"), ("spaces", "description"), ("revisions", "revision"),
)  # fmt: skip
"""Columns that never hold NULL, unless the file is damaged."""

HARMLESS = (("collections", "name"), ("edges", "position"))
"""Where some of those values could be true, or SQLite itself tells of NULL by the promises that the test took away."""


@pytest.mark.parametrize("value", ["NULL", "x'ff00'", "-7", "'a'"], ids=["null", "blob", "number", "text"])
@pytest.mark.parametrize(("table", "column"), NULLED)
def test_a_value_that_was_never_written_ends_no_check(path: Path, table: str, column: str, value: str) -> None:
    without_promises(path, table)
    wreck(path, f"UPDATE OR IGNORE {table} SET {column} = {value}")  # noqa: S608 - our own names
    findings = found(path)
    assert all("\n" not in detail for details in findings.values() for detail in details)
    assert findings or (table, column) in HARMLESS


def without_promises(path: Path, table: str) -> None:
    """Let a table's columns hold anything, as a page full of noise does."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA writable_schema = ON")
    db.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') WHERE name = ?", (table,))
    db.close()


def test_every_invariant_is_tried_by_some_damage() -> None:
    assert {invariant for invariant, _ in CHECKS} == {invariant for invariant, _ in DAMAGE}


def test_the_same_edges_in_two_sessions_are_no_cycle(path: Path) -> None:
    with SqliteStore(path) as store:
        store.commit([Link(edge=Edge(session="r", parent="1", child="higher", child_kind="turn", position=0, at=1))])
    assert found(path) == {}


def test_a_long_chain_of_summaries_is_followed_without_running_out_of_stack(path: Path) -> None:
    links = [
        Link(edge=Edge(session="long", parent=f"{i}", child=f"{i + 1}", child_kind="turn", position=0, at=1))
        for i in range(5000)
    ]
    with SqliteStore(path) as store:
        store.commit(links)
    assert found(path) == {}
    wreck(path, "INSERT INTO edges VALUES ('long', '5000', '0', 'turn', 0, 1)")
    assert list(found(path)) == ["coverage is acyclic"]


def test_a_vector_with_dimensions_that_round_to_zero_is_sound(tmp_path: Path) -> None:
    """The code has the sign of the exact number; float16 has none for a number that small."""
    tiny = np.full((1, 70), 1e-9, dtype=np.float32)
    tiny[0, 0], tiny[0, 1] = 1, -1e-9
    with SqliteStore(tmp_path / "store.db") as store:
        store.vectors.open(fingerprint=SPACE, dimensions=70, description={})
        store.commit([put("c", "1", "a", embedding=Embedding(fingerprint=SPACE, vectors=tiny))])
        assert list(store.maintenance.verify()) == []


def test_checking_changes_no_byte(path: Path) -> None:
    before = hashlib.sha256(path.read_bytes()).digest()
    mtime = path.stat().st_mtime_ns
    assert found(path) == {}
    wreck(path, "UPDATE journal SET entry = ''")
    assert hashlib.sha256(path.read_bytes()).digest() != before  # the test can tell
    with SqliteStore(path):
        pass
    before, mtime = hashlib.sha256(path.read_bytes()).digest(), path.stat().st_mtime_ns
    assert found(path)
    assert (hashlib.sha256(path.read_bytes()).digest(), path.stat().st_mtime_ns) == (before, mtime)


def test_a_store_can_be_checked_while_it_is_written(path: Path) -> None:
    """One moment is checked, whatever happens meanwhile."""
    with SqliteStore(path) as store:
        told: list[int] = []

        def write(done: int, _total: int) -> None:
            told.append(done)
            store.commit([put("c", f"new {done}", f"new text {done}")])
            store.commit([Remove(collection="c", id=f"{done}")])

        assert list(store.maintenance.verify(write)) == []
        assert told == list(range(len(CHECKS) + 1))


def test_progress_counts_the_checks(path: Path) -> None:
    told: list[tuple[int, int]] = []
    note: Callable[[int, int], None] = lambda done, total: told.append((done, total))  # noqa: E731 - as short as that
    assert list(verify_file(path, note)) == []
    assert told == [(done, len(CHECKS)) for done in range(len(CHECKS) + 1)]
