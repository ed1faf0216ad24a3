"""A store behind the second wall, with several people in it who have left something everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache

import numpy as np
from tests.postgres.server import execute, fresh_database, shared_server

from libravdb.adapters.postgres.schema import SCHEMA
from libravdb.adapters.postgres.store import PostgresStore
from libravdb.model import Append, Change, Edge, Embedding, Link, Put, Record, SetState
from libravdb.model.collections import (
    AUTHORED,
    NAMESPACE_KINDS,
    SESSION_KINDS,
    SHARED,
    SHARED_KINDS,
    parse_collection,
    session_collections,
)
from libravdb.model.namespaces import fits, unnamed
from libravdb.model.session_state import SessionMetadata
from libravdb.ports.settings import StoreSettings
from libravdb.ports.store import Snapshot
from libravdb.text.analysis import index_terms

ROLE = "libravdb_tenants"
PEOPLE = ("anna", "ben", "team/a", "team/b", "100%", "a_na", 'quo"te\\d')
"""Names that mean something to LIKE, to arrays and to JSON are among them."""

SPACE = "words-4"
TOGETHER, UNKEPT, CUSTOM = "together", "unkept", "notebook"
"""A session of several; one of which there are records and no state; a collection that names nobody."""


@cache
def tenant_role() -> str:
    """The role of the tenants, made once for a server; nobody logs in under it."""
    execute(shared_server().url(), f"CREATE ROLE {ROLE} NOLOGIN")
    return ROLE


def with_wall(**more: object) -> StoreSettings:
    """The settings of a store with a second wall."""
    return StoreSettings(tenant_role=tenant_role(), **more)  # type: ignore[arg-type]


@contextmanager
def walled_store() -> Iterator[tuple[PostgresStore, str]]:
    """An empty one in a database of its own, and its address."""
    with fresh_database() as url, PostgresStore(url, settings=with_wall()) as store:
        yield store, url


def vector_of(text: str) -> Embedding:
    """Some vector that is the text's own."""
    made = np.random.default_rng(list(text.encode())).normal(size=(1, 4)).astype(np.float32)
    return Embedding(fingerprint=SPACE, vectors=made / np.linalg.norm(made))


def put(collection: str, id: str, text: str, owner: str | None = None, **facts: object) -> Put:
    """A text of somebody's."""
    metadata = {**({} if owner is None else {"userId": owner}), **facts}
    return Put(
        collection=collection,
        id=id,
        text=text,
        at=1,
        metadata=metadata,  # type: ignore[arg-type]
        terms=tuple(index_terms(text)),
        embedding=vector_of(text),
    )


def fill(store: PostgresStore, people: Sequence[str] = PEOPLE) -> None:
    """Let everybody leave something in each place that there is."""
    store.vectors.open(fingerprint=SPACE, dimensions=4, description={})
    for who in people:
        store.commit(list(_left_by(who)))
    together = SetState(session=TOGETHER, state={"namespaces": list(people)}, at=1)
    shared = [put(name, "s", "all know the green boat") for name in (SHARED, *AUTHORED.values())]
    nameless = put("session_raw:nameless", "n", "nobody rows the green boat", sessionId="nameless")
    store.commit([together, *shared, nameless, put(CUSTOM, "own", "the green boat of nobody")])


def _left_by(who: str) -> Iterator[Change]:
    said = f"{who} rows the green boat of {who}"
    for kind in NAMESPACE_KINDS:
        yield put(f"{kind}:{who}", "1", said, who, memory_expires_at=5)
        yield put(f"{kind}:{who}", "2", "ok", who)
    own = f"of {who}"
    for kind in SESSION_KINDS:
        yield put(f"{kind}:{own}", "1", said, who, sessionId=own)
        yield put(f"{kind}:{TOGETHER}", f"by {who}", f"{who} speaks to all", who, sessionId=TOGETHER)
    yield put(f"session:{UNKEPT} {who}", "1", said, who, sessionId=f"{UNKEPT} {who}")
    yield put(f"{CUSTOM} of {who}", "1", said, who)
    yield SetState(session=own, state={"namespaces": [who]}, at=1)
    yield Link(edge=Edge(session=own, parent=f"p {who}", child=f"c {who}", child_kind="turn", position=0, at=1))
    yield Append(session=own, at=1, entry={"said": said})


# ── who sees what, said once more in other words ──────────────────────────────────────────────────────────


class Seen:
    """What somebody may see of a store, by all that is in it."""

    def __init__(self, everything: Snapshot, records: Sequence[Record], patterns: Sequence[str]) -> None:
        self._patterns = patterns
        self._speaks = {
            state.session
            for state in everything.states_of(None).items
            if any(map(self.is_own, SessionMetadata.of(state).namespaces))
        }
        self._holds = {one.collection for one in records if self.is_own(str(one.metadata.get("userId", "")))}

    def is_own(self, namespace: str) -> bool:
        return any(fits(namespace, each) for each in self._patterns)

    def session(self, name: str) -> bool:
        places = set(session_collections(name))
        return name in self._speaks or self.is_own(unnamed(name)) or bool(places & self._holds)

    def collection(self, name: str) -> bool:
        place = parse_collection(name)
        if place.kind in SHARED_KINDS:
            return True
        if place.kind in NAMESPACE_KINDS:
            return self.is_own(place.owner)
        return self.session(place.owner) if place.kind in SESSION_KINDS else name in self._holds


def tables(url: str) -> list[str]:
    """Every table of a store, without the partitions."""
    found = execute(
        url,
        f"SELECT relname FROM pg_class WHERE relnamespace = '{SCHEMA}'::regnamespace AND relkind IN ('r', 'p')"  # noqa: S608
        " AND NOT relispartition ORDER BY 1",
    )
    return [name for (name,) in found]
