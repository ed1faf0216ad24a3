"""Whether something of a namespace has changed: one number for clients that ask every second. No record is read."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256

from libravdb.model import Revision, Topic, digest
from libravdb.model.collections import namespace_collections, raw_turns, session_view
from libravdb.model.namespaces import nameless_session
from libravdb.ports.store import Snapshot, Store

REMEMBERED = 1_024
"""Namespaces that somebody asked about; the longest unused go first, and in a file seem changed when they are asked for
again."""

SESSIONS_AT_ONCE = 1_000

_BYTES = 6  # of a digest: a number that JavaScript holds too


@dataclass(frozen=True, slots=True, kw_only=True)
class _ToldChanges:
    """How a namespace stood at the last look: what told the moment of the store, a digest of what changed its parts
    last, and the number that was told."""

    token: str
    parts: bytes
    revision: Revision


class NamespaceChanges:
    """Numbers of how a namespace stands. Usable from many threads.

    In a file they grow with the namespace, and never shrink. Where several processes share the store, all tell the same
    number of the same state, whatever each of them was asked before: so it is made of the state alone, and does not
    grow, since nothing is kept of a part that was deleted.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._seen: OrderedDict[bytes, _ToldChanges] = (
            OrderedDict()
        )  # by a digest: the name of one that is erased stays nowhere

    def revision(self, namespace: str) -> Revision:
        """A number that is another one when something of the namespace, or of its sessions, has changed.

        As long as nobody writes anything, one look at the store tells it.
        """
        token = self._store.maintenance.change_token()
        with self._lock:
            seen = self._seen.get(digest(namespace))
        if seen is not None and seen.token == token:
            return seen.revision
        newest = 0 if self._store.is_shared else self._store.maintenance.revision()
        with self._store.read() as snapshot:
            parts = _digest(_parts(snapshot, namespace))
        return self._noted(namespace, newest, parts, token=token)

    def _noted(self, namespace: str, newest: Revision, parts: bytes, *, token: str) -> Revision:
        with self._lock:
            seen = self._seen.pop(digest(namespace), None)
            revision = int.from_bytes(parts[:_BYTES]) if self._store.is_shared else _grown(seen, newest, parts)
            self._seen[digest(namespace)] = _ToldChanges(token=token, parts=parts, revision=revision)
            while len(self._seen) > REMEMBERED:
                self._seen.popitem(last=False)
            return revision


def _grown(seen: _ToldChanges | None, newest: Revision, parts: bytes) -> Revision:
    """Where a collection was dropped its own number goes back to 0: so what is told is the store's, or one more."""
    if seen is None:
        return newest
    return seen.revision if seen.parts == parts else max(newest, seen.revision + 1)


def _digest(parts: Iterable[tuple[Topic, Revision]]) -> bytes:
    """The same in every process for the same parts, of which no two stand at one place."""
    told = sha256()
    for topic, revision in parts:
        told.update(f"{topic.kind}\n{len(topic.name)}\n{topic.name}\n{revision}\n".encode())
    return told.digest()


def _parts(snapshot: Snapshot, namespace: str) -> Iterator[tuple[Topic, Revision]]:
    """What belongs to a namespace, with the commit that changed it last. Whatever compaction does moves a session and
    its view; what is said or deleted there moves its turns."""
    yield from snapshot.revisions([Topic.collection(name) for name in namespace_collections(namespace)]).items()
    nameless = nameless_session(namespace)
    if nameless is not None:
        yield from snapshot.revisions(_topics(nameless)).items()
    after: str | None = None
    while True:
        page = snapshot.states_of(namespace, after=after, limit=SESSIONS_AT_ONCE)
        yield from snapshot.revisions([topic for state in page for topic in _topics(state.session)]).items()
        if page.next is None:
            return
        after = page.next


def _topics(session: str) -> list[Topic]:
    names = session_view(session), raw_turns(session)
    return [Topic.session(session), *(Topic.collection(name) for name in names)]
