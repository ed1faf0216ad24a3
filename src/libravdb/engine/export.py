"""Export and import: a whole store as JSON Lines, and back, without loss.

The first line is a header; every further line is one thing with its `kind`. Vectors are optional: without
them a file can be read by anything and is embedded again on import.
"""

from __future__ import annotations

import base64
import binascii
import errno
import itertools
import json
import os
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import numpy as np

from libravdb.engine.pages import every_record
from libravdb.engine.profile_records import profile_unread
from libravdb.errors import InvalidInput, StoreError
from libravdb.model import (
    Append,
    Change,
    Edge,
    Embedding,
    EnsureCollection,
    Imported,
    Link,
    Record,
    Restore,
    RestoreState,
    SessionState,
    Space,
    SpaceState,
    Topic,
    digest,
)
from libravdb.model.collections import CollectionKind, parse_collection
from libravdb.model.former_spellings import spell_anew
from libravdb.model.json import mend_json
from libravdb.ports.clock import Progress, no_progress
from libravdb.ports.regular_file import lines_of, open_regular
from libravdb.ports.store import Snapshot, Store

FORMAT = "libravdb-export"
VERSION = 1
RECORD_LINE = '{"kind":"record"'
"""How the line of a record begins."""

BATCH = 256
MOST_LINES = 10**12
"""More than any file has."""

_REMEDY = "The lines before it were imported; mend the line and import the file again, nothing is doubled."


def export_lines(
    snapshot: Snapshot,
    *,
    now: int,
    collections: Collection[str] = (),
    with_vectors: bool = False,
    progress: Progress = no_progress,
) -> Iterator[str]:
    """A moment of the store as lines of JSON. With `collections`, only those, and nothing that is not in one."""
    spaces = [space for space in snapshot.spaces() if space.state is SpaceState.ACTIVE]
    chosen = _chosen(snapshot, collections)
    total, done = sum(chosen.values()), 0
    header: dict[str, Any] = {"kind": "header", "format": FORMAT, "version": VERSION, "at": now, "records": total}
    if with_vectors and spaces:
        space = spaces[0]
        header["space"] = {
            "fingerprint": space.fingerprint,
            "dimensions": space.dimensions,
            "description": space.description,
        }
    yield item_line(header)
    for name in chosen:
        yield item_line({"kind": "collection", "name": name})
        for batch in _batches(snapshot, name):
            vectors = _packed(snapshot, spaces[0].fingerprint, batch) if with_vectors and spaces else {}
            for record in batch:
                yield item_line({**_record_item(record), **vectors.get(record.text, {})})
                done += 1
                progress(done, total)
    if collections:
        return
    for edge in snapshot.edges(None):
        yield item_line({"kind": "edge", **_fields(edge, _EDGE)})
    for state in snapshot.states_of(None).items:
        yield item_line({"kind": "session", **_fields(state, _SESSION)})
    for entry in snapshot.journal():
        yield item_line({"kind": "journal", **_fields(entry, _JOURNAL)})


def _chosen(snapshot: Snapshot, collections: Collection[str]) -> dict[str, int]:
    """The collections to be exported, in byte order of their names, with their sizes."""
    if not collections:
        return {info.name: info.records for info in snapshot.collections().items}
    topics = {name: Topic.collection(name) for name in sorted(collections)}
    there = snapshot.revisions(topics.values())
    sizes = snapshot.sizes(collections)
    return {name: sizes[name] for name, topic in topics.items() if there[topic]}


def numbered(lines: Iterable[str], first_line: int = 2) -> Iterator[tuple[int, str]]:
    """Lines with their numbers in a file: the first is its header, the one after it has the number `first_line`."""
    if not 2 <= first_line <= MOST_LINES:
        raise InvalidInput("firstLine", f"is {first_line}", remedy=f"Give a number from 2 to {MOST_LINES:,}.")
    rest = iter(lines)
    yield from zip((1,), rest, strict=False)
    yield from enumerate(rest, start=first_line)


def import_lines(
    store: Store,
    lines: Iterable[str],
    progress: Progress = no_progress,
    *,
    first_line: int = 2,
    unread: Callable[[Sequence[str]], object] = lambda _namespaces: None,
) -> Imported:
    """Read lines of JSON into the store. Importing the same file again changes nothing. `first_line` is the number of
    the line behind the header, where others went before; `unread` is told the namespaces whose memories came without
    what they state.

    Vectors are taken when the store uses the same embedder, or has none yet; else they are left out, and the
    texts can be embedded again.
    """
    total, space, number = 0, NO_SPACE, 0
    counts = Imported()
    batch: list[Change] = []
    owners: dict[CollectionKind, set[str]] = {}
    with store.read() as snapshot:
        known_journal = {_identity(entry.session, entry.at, dict(entry.entry)) for entry in snapshot.journal()}
    for number, line in numbered(lines, first_line):
        if number % BATCH == 0:
            progress(counts.records, max(total, counts.records))
        if not line.strip():
            continue
        item = parse_line(number, line)
        kind = item["kind"]
        try:
            if number == 1 or kind == "header":
                total, space = _read_header(store, number, item)
                continue
            change = read_change(item, space)
        except (AttributeError, KeyError, TypeError, ValueError, binascii.Error) as error:
            raise InvalidInput(f"line {number}", f"is not a {kind} ({brief(error)})", remedy=_REMEDY) from error
        if isinstance(change, Append):
            identity = _identity(change.session, change.at, dict(change.entry))
            if identity in known_journal:
                continue
            known_journal.add(identity)
        if isinstance(change, Restore):
            place = parse_collection(change.record.collection)
            owners.setdefault(place.kind, set()).add(place.owner)
        batch.append(change)
        counts = _counted(counts, change)
        if len(batch) >= BATCH:
            _commit(store, batch, number)
            batch = []
            progress(counts.records, max(total, counts.records))
    bare = sorted(owners.get(CollectionKind.DURABLE_MEMORY, set()) - owners.get(CollectionKind.PROFILE, set()))
    batch += map(profile_unread, bare)
    _commit(store, batch, number)
    unread(bare)
    progress(counts.records, max(total, counts.records))
    return counts


# ── files ─────────────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def write_file(path: Path) -> Iterator[TextIO]:
    """A new file that appears only when it is complete, readable by its owner alone. Nothing is overwritten."""
    part: Path | None = None
    try:
        if path.exists() or not path.name:
            raise FileExistsError(errno.EEXIST, "it exists already")
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        part = Path(name)
        with open(handle, "w", encoding="utf-8", newline="\n") as out:  # noqa: PTH123 - from a descriptor
            yield out
            out.flush()
            os.fsync(handle)
        part.rename(path)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise StoreError(
            str(path), f"cannot be written ({why})", remedy="Name a file that does not exist yet."
        ) from error
    finally:
        if part is not None:
            part.unlink(missing_ok=True)


@contextmanager
def read_lines(path: Path) -> Iterator[Iterator[str]]:
    """The lines of a file that `export` wrote."""
    with open_regular(path, remedy="Name a file that 'libravdb export' wrote.") as source:
        yield decode_lines(lines_of(source))


def decode_lines(source: Iterable[bytes]) -> Iterator[str]:
    """Lines as text; what is not UTF-8 is refused by its number."""
    for number, line in enumerate(source, start=1):
        try:
            yield line.decode()
        except UnicodeDecodeError as error:
            remedy = "Files that 'libravdb export' wrote are UTF-8; is it still compressed?"
            raise InvalidInput(f"line {number}", "is not UTF-8 text", remedy=remedy) from error


# ── writing ───────────────────────────────────────────────────────────────────────────────────────────────

_RECORD = ("collection", "id", "text", "metadata", "at", "version", "access_count")
_EDGE = ("session", "parent", "child", "child_kind", "position", "at")
_SESSION = ("session", "generation", "state", "at")
_JOURNAL = ("session", "at", "entry")


def _batches(snapshot: Snapshot, collection: str) -> Iterator[tuple[Record, ...]]:
    records = every_record(snapshot, collection)
    while batch := tuple(itertools.islice(records, BATCH)):
        yield batch


def _record_item(record: Record) -> dict[str, Any]:
    return {"kind": "record", **_fields(record, _RECORD)}


def record_line(record: Record) -> str:
    """A record without its vectors."""
    return item_line(_record_item(record))


def header_line(*, now: int, records: int, **told: str) -> str:
    """The first line of an export."""
    return item_line({"kind": "header", "format": FORMAT, "version": VERSION, "at": now, "records": records, **told})


def _fields(value: object, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(value, name) for name in names}


def _packed(snapshot: Snapshot, fingerprint: str, records: Sequence[Record]) -> dict[str, dict[str, str | None]]:
    """The vectors of these records' texts as a line holds them, None where a text has none."""
    addresses = {digest(record.text): record.text for record in records}
    found = snapshot.vectors(fingerprint, addresses.keys())
    return {
        text: {
            "vectors": base64.b64encode(found[address].astype("<f2").tobytes()).decode() if address in found else None
        }
        for address, text in addresses.items()
    }


def item_line(item: dict[str, Any]) -> str:
    """One thing, as a line holds it."""
    return json.dumps(item, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


# ── reading ───────────────────────────────────────────────────────────────────────────────────────────────


class _Vectors(NamedTuple):
    """Whose vectors a file brings that this store can use; no dimensions means none."""

    fingerprint: str = ""
    dimensions: int = 0


NO_SPACE = _Vectors()
"""No vectors are taken."""


def parse_line(number: int, line: str) -> dict[str, Any]:
    """What a line holds: an object with a kind."""
    try:
        item = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"line {number}", f"is not JSON ({brief(error)})", remedy=_REMEDY) from error
    if not isinstance(item, dict) or not isinstance(item.get("kind"), str):
        raise InvalidInput(f"line {number}", "is not an object with a kind", remedy=_REMEDY)
    return mend_json(item) if "\\u0000" in line else item  # as an export of an older version may hold


def check_header(number: int, item: dict[str, Any]) -> None:
    """Refuse what is not the first line of an export that we read."""
    if number != 1 or item.get("format") != FORMAT:
        raise InvalidInput(
            f"line {number}", f"is not the header of a {FORMAT} file", remedy="Export with 'libravdb export'."
        )
    if item.get("version") != VERSION:
        raise InvalidInput(
            "line 1",
            f"has format version {item.get('version')!r}, this program reads {VERSION}",
            remedy="Upgrade with 'pip install -U libravdb-memory'.",
        )


def _read_header(store: Store, number: int, item: dict[str, Any]) -> tuple[int, _Vectors]:
    """The number of records announced, and the vectors worth taking."""
    check_header(number, item)
    space = item.get("space")
    if isinstance(space, dict):
        if not _spaces(store):
            store.vectors.open(
                fingerprint=str(space["fingerprint"]),
                dimensions=int(space["dimensions"]),
                description=dict(space["description"]),
            )
        for known in _spaces(store):
            if known.fingerprint == space["fingerprint"] and known.state is not SpaceState.RETIRED:
                return int(item.get("records", 0)), _Vectors(known.fingerprint, known.dimensions)
    return int(item.get("records", 0)), NO_SPACE


def _spaces(store: Store) -> tuple[Space, ...]:
    with store.read() as snapshot:
        return snapshot.spaces(is_counted=False)


def read_change(item: dict[str, Any], space: _Vectors) -> Change:
    """What a line changes. Raises KeyError, TypeError or ValueError where it is not as an export writes it."""
    kind = item["kind"]
    if kind == "collection":
        return EnsureCollection(name=item["name"])
    if kind == "record":
        record = _spelled_anew(Record(**{name: item[name] for name in _RECORD}))
        return Restore(record=record, embedding=_unpacked(item.get("vectors"), space))
    if kind == "edge":
        return Link(edge=Edge(**{name: item[name] for name in _EDGE}))
    if kind == "session":
        return RestoreState(state=SessionState(**{name: item[name] for name in _SESSION}))
    if kind == "journal":
        return Append(session=item["session"], at=item["at"], entry=dict(item["entry"]))
    raise ValueError(f"unknown kind {kind!r}")


def _spelled_anew(record: Record) -> Record:
    """The record as today's version would have written it."""
    id, metadata = spell_anew(record.collection, record.id, record.metadata)
    return replace(record, id=id, metadata=metadata)


def _unpacked(packed: str | None, space: _Vectors) -> Embedding | None:
    if packed is None or not space.dimensions:
        return None
    flat = np.frombuffer(base64.b64decode(packed, validate=True), dtype="<f2").astype(np.float32)
    return Embedding(fingerprint=space.fingerprint, vectors=flat.reshape(-1, space.dimensions))


def _commit(store: Store, batch: list[Change], number: int) -> None:
    if not batch:
        return
    try:
        store.commit(batch)
    except InvalidInput as error:
        raise InvalidInput(
            f"a line up to {number}", f"holds {error.field} that {error.problem}", remedy=_REMEDY
        ) from error


def _counted(counts: Imported, change: Change) -> Imported:
    match change:
        case Restore(embedding=embedding):
            vectors = 0 if embedding is None else len(embedding.vectors)
            return replace(counts, records=counts.records + 1, vectors=counts.vectors + vectors)
        case Link():
            return replace(counts, edges=counts.edges + 1)
        case RestoreState():
            return replace(counts, sessions=counts.sessions + 1)
        case Append():
            return replace(counts, journal=counts.journal + 1)
        case _:
            return counts


def _identity(session: str, at: int, entry: dict[str, Any]) -> str:
    return json.dumps([session, at, entry], sort_keys=True)


def brief(error: Exception) -> str:
    """An error in a few words."""
    return f"{type(error).__name__}: {error}" if not isinstance(error, KeyError) else f"{error} is missing"
