"""Namespaces: which there are, and one of them as a file, out and in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from libravdb.engine.embedding import Embeddings
from libravdb.engine.export import RECORD_LINE, read_lines, write_file
from libravdb.engine.known_profiles import KnownProfiles
from libravdb.engine.namespace_export import NamespaceImport, namespace_lines
from libravdb.engine.pages import check_limit
from libravdb.engine.upkeep import Upkeep
from libravdb.model import Change, Imported, NamespaceInfo, Page, Volume
from libravdb.model.collections import namespace_collections, namespace_of
from libravdb.model.namespaces import ANY, fits, named
from libravdb.ports.clock import Clock, Progress, no_progress
from libravdb.ports.store import Snapshot, Store

NOT_MEASURED = Volume(records=0, size_bytes=0)


class Namespaces:
    """Whose memory the store holds. Usable from many threads."""

    def __init__(
        self,
        *,
        store: Store,
        embeddings: Embeddings,
        upkeep: Upkeep,
        profiles: KnownProfiles,
        mask: Callable[[Change], Change],
        clock: Clock,
    ) -> None:
        self._mask = mask
        self._store = store
        self._embeddings = embeddings
        self._upkeep = upkeep
        self._profiles = profiles
        self._clock = clock

    def list(
        self,
        *,
        patterns: Sequence[str] = (ANY,),
        limit: int = 100,
        after: str | None = None,
        with_sizes: bool = True,
    ) -> Page[NamespaceInfo]:
        """The namespaces that hold something and fit a pattern, by name, page by page. Sizes cost as much as there is:
        without them both are 0."""
        check_limit(limit)
        with self._store.read() as snapshot:
            names = sorted(name for name in _names(snapshot, patterns) if after is None or name > after)
            shown = names[:limit]
            volumes = {name: _volume(snapshot, name) if with_sizes else NOT_MEASURED for name in shown}
        infos = tuple(
            NamespaceInfo(name=name, records=each.records, bytes=each.size_bytes) for name, each in volumes.items()
        )
        return Page(items=infos, next=shown[-1] if len(names) > len(shown) else None)

    def export_file(self, path: Path, *, namespace: str, progress: Progress = no_progress) -> int:
        """Write all that is a namespace's own, and its part of its sessions, as JSON Lines; returns how many."""
        whose = named(namespace)
        self._upkeep.note_export(path)
        return self.write_private(path, namespace=whose, progress=progress)

    def write_private(self, path: Path, *, namespace: str, progress: Progress = no_progress) -> int:
        """The same to a file of our own that is deleted again, so that it is noted nowhere as a copy."""
        records = 0
        with self._store.read() as snapshot, write_file(path) as out:
            for line in namespace_lines(snapshot, named(namespace), now=self._clock(), progress=progress):
                out.write(line + "\n")
                records += line.startswith(RECORD_LINE)
        return records

    def import_file(self, path: Path, *, namespace: str, progress: Progress = no_progress) -> Imported:
        """Read a file that `export_file` wrote of the same namespace. What is there stays as it is, and is counted as
        known: the same again changes nothing."""
        with read_lines(path) as lines:
            return self.import_lines(lines, namespace=namespace, progress=progress)

    def import_lines(
        self, lines: Iterable[str], *, namespace: str, progress: Progress = no_progress, first_line: int = 2
    ) -> Imported:
        """Read lines of such a file: its header, and then those from the number `first_line` on."""
        whose = named(namespace)
        try:
            reading = NamespaceImport(self._store, self._embeddings, whose, clock=self._clock, mask=self._mask)
            return reading.read(lines, progress, first_line=first_line)
        finally:
            self._profiles.read_anew([whose])


def _volume(snapshot: Snapshot, name: str) -> Volume:
    return snapshot.volume(namespace_collections(name), owner=name)


def _names(snapshot: Snapshot, patterns: Sequence[str]) -> set[str]:
    """The namespaces whose own collections hold something, and that fit a pattern."""
    owners = {namespace_of(info.name) for info in snapshot.collections() if info.records}
    return {owner for owner in owners if owner is not None and any(fits(owner, each) for each in patterns)}
