"""Export, import and backup for whoever shares no disk with the daemon: pages, batches, and names in place of files.

An export is one moment of the store. It lies in a private folder of this machine until it is closed, others take its
place, or the daemon stops. Its id names the daemon too: where several share a store behind a balancer, those who do not
have it say so, and the client asks again until it reaches the one that has.
"""

from __future__ import annotations

import base64
import re
import secrets
import shutil
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from libravdb.daemon.dispatch import Handler
from libravdb.engine.engine import Engine
from libravdb.errors import DaemonError, InvalidInput, NotFound, OpenElsewhere
from libravdb.model import BackupCopy, Imported
from libravdb.ports.clock import Progress, no_progress
from libravdb.ports.settings import StoreSettings
from libravdb.wire.methods import transfer as wire
from libravdb.wire.methods.method import Ok

PAGE_BYTES = 2**20
MOST_EXPORTS = 4
"""Exports of one namespace, or of the whole store, that are kept open."""

MOST_OF_ALL = 64
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{32}")
"""Of an export: whose it is, and the secret that only its opener knows."""

_NAME = re.compile(r"[\w-][\w .-]{0,199}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class _OpenExport:
    """A file, and whose records stand in it; of everybody when it names nobody."""

    path: Path
    namespace: str


def exports_folder(settings: StoreSettings, address: str) -> Path:
    """Where the exports of the daemon at this address lie: beside the file of its store. Of a database there may be
    more daemons than one on a machine, and none takes another's away."""
    path = settings.local_path
    whose = f".{sha256(address.encode()).hexdigest()[:8]}" if settings.url else ""
    return path.with_name(f"{path.name}{whose}.exports")


class TransferMethods:
    """One method of this class per method of the protocol, by the same name. Usable from many threads."""

    def __init__(
        self, engine: Engine, *, folder: Path, backup_folder: str = "", progress: Progress = no_progress
    ) -> None:
        self._engine = engine
        self._folder = folder
        self._backup_folder = backup_folder
        self._progress = progress
        self._name = secrets.token_hex(4)
        self._lock = threading.Lock()
        self._exports: OrderedDict[str, _OpenExport] = OrderedDict()
        self.close()

    def handlers(self) -> Mapping[str, Handler]:
        """The handler of each method."""
        return {method.name: getattr(self, method.name) for method in wire.TRANSFER_METHODS}

    def close(self) -> None:
        """Delete what was not closed, and what a daemon that was killed has left."""
        with self._lock:
            self._exports.clear()
            shutil.rmtree(self._folder, ignore_errors=True)

    def open_export(self, params: wire.OpenExportParams) -> wire.OpenedExport:
        return self.opened(
            lambda path: self._engine.upkeep.export_file(
                path, collections=params.collections, with_vectors=params.with_vectors, progress=self._progress
            )
        )

    def opened(self, write: Callable[[Path], int], *, namespace: str = "") -> wire.OpenedExport:
        """An export that was just written to a file of ours, to be read in pages by who knows its id."""
        id = f"{self._name}-{secrets.token_hex(16)}"
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._folder / id
        records = write(path)
        size = path.stat().st_size
        with self._lock:
            self._exports[id] = _OpenExport(path=path, namespace=namespace)
            self._make_room(namespace)
        return wire.OpenedExport(id=id, records=records, size_bytes=size)

    def read_export(self, params: wire.ReadExportParams) -> wire.ExportPage:
        if params.offset < 0:
            raise InvalidInput("offset", f"is {params.offset}", remedy="Give 0 or more.")
        self._refuse_foreign(params.id)
        with self._lock:
            export = self._exports.get(params.id)
            if export is None:
                raise NotFound("open export", params.id, remedy="Open it anew: others took its place.")
            self._exports.move_to_end(params.id)
            source = export.path.open("rb")
        with source:
            source.seek(params.offset)
            return wire.ExportPage(data=base64.b64encode(source.read(PAGE_BYTES)).decode())

    def close_export(self, params: wire.CloseExportParams) -> Ok:
        self._refuse_foreign(params.id)
        with self._lock:
            self._drop(params.id)
        return Ok()

    def _refuse_foreign(self, id: str) -> None:
        if _ID.fullmatch(id) and not id.startswith(f"{self._name}-"):
            raise OpenElsewhere("open export", id)

    def _make_room(self, namespace: str) -> None:
        """Let go of what was read longest ago: within a namespace that has too many, else where there are most."""
        held = Counter(export.namespace for export in self._exports.values())
        while held[namespace] > MOST_EXPORTS or held.total() > MOST_OF_ALL:
            crowded = namespace if held[namespace] > MOST_EXPORTS else held.most_common(1)[0][0]
            self._drop(next(id for id, export in self._exports.items() if export.namespace == crowded))
            held[crowded] -= 1

    def _drop(self, id: str) -> None:
        export = self._exports.pop(id, None)
        if export is not None:
            export.path.unlink(missing_ok=True)

    def import_batch(self, params: wire.ImportBatchParams) -> Imported:
        lines = (params.header, *params.lines)
        return self._engine.upkeep.import_lines(lines, self._progress, first_line=params.first_line)

    def save_backup(self, params: wire.SaveBackupParams) -> BackupCopy:
        if not _NAME.fullmatch(params.name):
            remedy = "Give a file name of letters, digits, dots, dashes and underscores, without a folder."
            raise InvalidInput("name", f"{params.name!r} is not a plain file name", remedy=remedy)
        if not self._engine.upkeep.makes_backups:
            return self._engine.upkeep.backup(Path(params.name))  # which tells who does; no folder would help
        if not self._backup_folder:
            raise DaemonError(
                "daemon.backup_folder is not set, so no backup can be written for somebody on another machine.",
                remedy="Set it where the daemon is configured, and restart the daemon.",
            )
        folder = Path(self._backup_folder).expanduser().absolute()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        target = folder / params.name
        return self._engine.upkeep.backup(target, self._progress)
