"""What a document tells of its file: written when a note is authored, and read back to see whether the file changed."""

from __future__ import annotations

from libravdb.adapters.folders.reconcile import INGEST_VERSION, KIND, Known
from libravdb.adapters.folders.scan import SeenFile
from libravdb.model import DocumentInfo, Json
from libravdb.ports.engine_api import DocumentsApi

HASH = "sha256"


def source_meta(file: SeenFile, *, kind: str = KIND) -> dict[str, Json]:
    """Where a document came from, as clients of the wire protocol write it."""
    return {
        "sourceRoot": file.root,
        "sourcePath": file.path,
        "sourceKind": kind,
        "fileHash": file.digest,
        "sourceSize": file.size,
        "sourceMtimeMs": file.mtime_ns // 1_000_000,
        "ingestVersion": INGEST_VERSION,
        "hashBackend": HASH,
    }


def known_documents(library: DocumentsApi) -> dict[str, Known]:
    """What the library has, in the terms of this room; one read."""
    return {name: _known(document) for name, document in library.list().items()}


def known_file(file: SeenFile, *, at: int, kind: str = KIND) -> Known:
    """What is known of a file that was authored just now."""
    return Known(
        size=file.size, mtime_ms=file.mtime_ns // 1_000_000, digest=file.digest, core=file.core, at=at, kind=kind
    )


def _known(document: DocumentInfo) -> Known:
    told = document.source_meta
    return Known(
        size=_number(told.get("sourceSize")),
        mtime_ms=_number(told.get("sourceMtimeMs")),
        digest=str(told.get("fileHash", "")) if told.get("hashBackend") == HASH else "",
        core=document.core,
        at=document.at,
        kind=str(told.get("sourceKind", "")),
        version=_number(told.get("ingestVersion")),
    )


def _number(value: Json) -> int:
    return int(value) if isinstance(value, int | float) else -1
