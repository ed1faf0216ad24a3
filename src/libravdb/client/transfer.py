"""Export, import and backup through a daemon that shares no disk with us."""

from __future__ import annotations

import base64
import codecs
import json
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from libravdb.client.client import Client
from libravdb.client.remote_part import FOREVER, whose
from libravdb.engine.export import read_lines, write_file
from libravdb.errors import InvalidInput, OpenElsewhere
from libravdb.model import BackupCopy, Imported
from libravdb.ports.clock import Progress
from libravdb.wire.methods import memories, transfer
from libravdb.wire.methods.lifecycle import IdentityParams
from libravdb.wire.methods.method import Method, Params, Result

BATCH_BYTES = 2**20
BATCH_LINES = 1_000
MOST_ASKED = 60
"""Calls that may lead to other daemons than the one that has an export."""

_PAUSE, _LONGEST_PAUSE = 0.005, 0.2  # seconds; the first two calls follow at once


def fetch_export(
    client: Client, path: Path, *, collections: Sequence[str], with_vectors: bool, progress: Progress
) -> int:
    """Write an export to a file of ours, page by page; all of it is of one moment."""
    params = transfer.OpenExportParams(collections=tuple(collections), with_vectors=with_vectors)
    return _fetched(client, client.call(transfer.OPEN_EXPORT, params, seconds=FOREVER), path, progress)


def fetch_namespace(client: Client, path: Path, namespace: str, progress: Progress) -> int:
    """The same of one namespace."""
    params = IdentityParams(**whose(namespace))
    return _fetched(client, client.call(memories.OPEN_NAMESPACE_EXPORT, params, seconds=FOREVER), path, progress)


def _fetched(client: Client, opened: transfer.OpenedExport, path: Path, progress: Progress) -> int:
    """Read the pages of an open export into a new file, and close it."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with write_file(path) as out:
            done = 0
            while done < opened.size_bytes:
                page = _asked(client, transfer.READ_EXPORT, transfer.ReadExportParams(id=opened.id, offset=done))
                data = base64.b64decode(page.data)
                out.write(decoder.decode(data, final=not data))
                done += len(data)
                progress(done, opened.size_bytes)
    finally:
        with suppress(OpenElsewhere):  # its daemon is gone, and the file with it
            _asked(client, transfer.CLOSE_EXPORT, transfer.CloseExportParams(id=opened.id))
    return opened.records


def _asked(client: Client, method: Method[Params, Result], params: Params) -> Result:
    """The answer of the daemon that has the export, by as many calls as a balancer takes to lead to it."""
    for number in range(MOST_ASKED):
        try:
            return client.call(method, params)
        except OpenElsewhere:
            time.sleep(random.uniform(0, min(_PAUSE * number, _LONGEST_PAUSE)))  # noqa: S311 - out of step with others
    return client.call(method, params)


def send_import(client: Client, path: Path, progress: Progress) -> Imported:
    """Read an export of ours into the daemon's store, batch by batch; a batch that was lost is sent again."""

    def send(header: str, lines: tuple[str, ...], first: int) -> Imported:
        params = transfer.ImportBatchParams(header=header, lines=lines, first_line=first)
        return client.call(transfer.IMPORT_BATCH, params, seconds=FOREVER)

    return _sent(path, send, progress)


def send_namespace(client: Client, path: Path, namespace: str, progress: Progress) -> Imported:
    """The same into one namespace."""

    def send(header: str, lines: tuple[str, ...], first: int) -> Imported:
        params = memories.ImportNamespaceParams(header=header, lines=lines, first_line=first, **whose(namespace))
        return client.call(memories.IMPORT_NAMESPACE, params, seconds=FOREVER)

    return _sent(path, send, progress)


def _sent(path: Path, send: Callable[[str, tuple[str, ...], int], Imported], progress: Progress) -> Imported:
    """Send the lines of a file, batch by batch."""
    total = Imported()
    with read_lines(path) as lines:
        header = next(lines, "").rstrip("\n")
        announced = _announced(header)
        for first, batch in _batches(lines):
            total = _added(total, send(header, tuple(batch), first))
            progress(total.records, max(announced, total.records))
    return total


def save_backup(client: Client, target: Path) -> BackupCopy:
    """Let the daemon copy its store into its own folder of backups."""
    if str(target) != target.name:
        raise InvalidInput(
            "target",
            f"{str(target)!r} names a folder, and the daemon is on another machine",
            remedy="Give a name only: the copy is written into its daemon.backup_folder. 'libravdb export' comes here.",
        )
    return client.call(transfer.SAVE_BACKUP, transfer.SaveBackupParams(name=target.name), seconds=FOREVER)


def _batches(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Lines with the number of the first, so many as fit; there is always one batch, which may be empty."""
    first, batch, size = 2, list[str](), 0
    for number, line in enumerate(lines, start=2):
        if batch and (size + len(line) > BATCH_BYTES or len(batch) >= BATCH_LINES):
            yield first, batch
            first, batch, size = number, [], 0
        batch.append(line.rstrip("\n"))
        size += len(line)
    yield first, batch


def _announced(header: str) -> int:
    """How many records a header announces; a header that is none is refused by the daemon."""
    try:
        return int(json.loads(header)["records"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return 0


def _added(one: Imported, other: Imported) -> Imported:
    return Imported(
        records=one.records + other.records,
        edges=one.edges + other.edges,
        sessions=one.sessions + other.sessions,
        journal=one.journal + other.journal,
        vectors=one.vectors + other.vectors,
        known=one.known + other.known,
    )
