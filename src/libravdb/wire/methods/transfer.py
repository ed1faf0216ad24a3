"""What goes in and out of a store over the connection itself, for admins who share no disk with the daemon."""

from __future__ import annotations

from dataclasses import dataclass

from libravdb.model import BackupCopy, Imported
from libravdb.wire.methods.method import AnyMethod, Method, MethodPace, Ok

# ── params ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenExportParams:
    """`collections` empty: everything."""

    collections: tuple[str, ...] = ()
    with_vectors: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadExportParams:
    """`offset`: where the page begins, in bytes; a page that was lost can be read again."""

    id: str
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseExportParams:
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportBatchParams:
    """`header`: the first line of the export; `lines`: some of the others, the first of which has the number
    `firstLine`."""

    header: str
    lines: tuple[str, ...]
    first_line: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveBackupParams:
    """`name`: of a new file in the folder that `daemon.backup_folder` names; no path."""

    name: str


# ── results ────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedExport:
    id: str
    records: int
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPage:
    """`data`: bytes of the export in base64; none after its end."""

    data: str


# ── the table ──────────────────────────────────────────────────────────────────────────────────────────

# fmt: off
OPEN_EXPORT = Method(name="open_export", params=OpenExportParams, result=OpenedExport, about="Write one moment of the store as JSON Lines to a private file of the daemon, to be read in pages. Four of one namespace are kept, and four of the whole store; another one takes the place of the one that was read longest ago.", is_strict=True, pace=MethodPace.LONG)
READ_EXPORT = Method(name="read_export", params=ReadExportParams, result=ExportPage, about="A page of an open export, of at most one mebibyte. Another daemon than the one that opened it refuses with the kind `OpenElsewhere`: ask again.", is_strict=True, is_repeatable=True)
CLOSE_EXPORT = Method(name="close_export", params=CloseExportParams, result=Ok, about="Delete the private file of an export; an unknown one is fine, one of another daemon is refused as by `read_export`.", is_strict=True, is_repeatable=True)
IMPORT_BATCH = Method(name="import_batch", params=ImportBatchParams, result=Imported, about="Read some lines of an export into the store. The same again changes nothing.", is_strict=True, is_repeatable=True, pace=MethodPace.LONG)
SAVE_BACKUP = Method(name="save_backup", params=SaveBackupParams, result=BackupCopy, about="Copy the store to a new file in the daemon's own folder of backups. Nothing is overwritten.", is_strict=True, pace=MethodPace.LONG)

TRANSFER_METHODS: tuple[AnyMethod, ...] = (OPEN_EXPORT, READ_EXPORT, CLOSE_EXPORT, IMPORT_BATCH, SAVE_BACKUP)
# fmt: on
