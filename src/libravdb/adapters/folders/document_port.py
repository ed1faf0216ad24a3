"""Where notes go: three verbs of the engine, which the client of the daemon has as well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from libravdb.adapters.folders.reconcile import INGEST_VERSION, KIND, Known
from libravdb.adapters.folders.scan import SeenFile
from libravdb.model import Json

HASH = "sha256"


class Document(Protocol):
    """What the watcher must know of a document."""

    @property
    def core(self) -> bool: ...

    @property
    def source_meta(self) -> Mapping[str, Json]: ...

    @property
    def at(self) -> int: ...


class Library(Protocol):
    """Keeps authored documents. One call is one transaction; the same text again costs nothing."""

    def author(
        self, source_doc: str, text: str, *, core: bool = False, source_meta: Mapping[str, Json] | None = None
    ) -> object:
        """Keep a document, in place of what it was before."""

    def withdraw(self, source_doc: str) -> object:
        """Let go of a document; an unknown one is fine."""

    def documents(self) -> Mapping[str, Document]:
        """All there are, by name."""


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


def known_documents(library: Library) -> dict[str, Known]:
    """What the library has, in the terms of this room; one read."""
    return {name: _known(document) for name, document in library.documents().items()}


def known_file(file: SeenFile, *, at: int, kind: str = KIND) -> Known:
    """What is known of a file that was authored just now."""
    return Known(
        size=file.size, mtime_ms=file.mtime_ns // 1_000_000, digest=file.digest, core=file.core, at=at, kind=kind
    )


def _known(document: Document) -> Known:
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
