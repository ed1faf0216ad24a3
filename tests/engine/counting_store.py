"""A store that counts round trips: every snapshot, commit, look at revisions and call of its parts is one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, cast

from libravdb.model import NOTHING_FORESEEN, Change, Commit, Foreseen, Revision, Topic
from libravdb.ports.store import NO_CONDITION, Maintenance, Snapshot, Store, VectorSpaces


class CountingStore:
    """Implements the port `Store` over another store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.trips: Counter[str] = Counter()

    @property
    def vectors(self) -> VectorSpaces:
        return cast("VectorSpaces", _Counted(self._store.vectors, "vectors", self.trips))

    @property
    def maintenance(self) -> Maintenance:
        return cast("Maintenance", _Counted(self._store.maintenance, "maintenance", self.trips))

    @property
    def is_shared(self) -> bool:
        return self._store.is_shared

    @contextmanager
    def read(self, foreseen: Foreseen = NOTHING_FORESEEN) -> Iterator[Snapshot]:
        self.trips["read"] += 1
        with self._store.read(foreseen) as snapshot:
            yield snapshot

    def commit(self, changes: Sequence[Change], *, unless: Mapping[Topic, Revision] = NO_CONDITION) -> Commit:
        self.trips["commit"] += 1
        return self._store.commit(changes, unless=unless)

    def revisions(self, topics: Collection[Topic]) -> Mapping[Topic, Revision]:
        self.trips["revisions"] += 1
        return self._store.revisions(topics)

    def exclusive(self, name: str, *, is_waiting: bool = True) -> AbstractContextManager[bool]:
        self.trips["exclusive"] += 1
        return self._store.exclusive(name, is_waiting=is_waiting)

    def close(self) -> None:
        self._store.close()


class _Counted:
    """A part of a store whose every call is a round trip."""

    def __init__(self, part: object, name: str, trips: Counter[str]) -> None:
        self._part = part
        self._name = name
        self._trips = trips

    def __getattr__(self, verb: str) -> Callable[..., Any]:
        self._trips[f"{self._name}.{verb}"] += 1
        found: Callable[..., Any] = getattr(self._part, verb)
        return found
