"""What has to be done so that the documents say what the files say. Pure: values in, a plan out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from libravdb.adapters.folders.scan import FolderScan, SeenFile, ancestors

KIND = "watched-note"
"""The `sourceKind` of documents that came from a watched folder. Only these are ever withdrawn."""

INGEST_VERSION = 1
"""Raised when files are read in another way, so that all are read again."""

RACY_MS = 2_000
"""A file that changed less than this before it was read may have changed once more within the same tick of its file
system's clock (two seconds on a memory stick). Its size and time prove nothing then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A document as the library has it. `at` is when it was authored, in milliseconds."""

    size: int
    mtime_ms: int
    digest: str
    core: bool
    at: int
    kind: str = KIND
    version: int = INGEST_VERSION

    @property
    def is_ours(self) -> bool:
        """Whether a watcher brought it. What was added by hand is kept up to date, never withdrawn or demoted."""
        return self.kind == KIND


@dataclass(frozen=True, slots=True, kw_only=True)
class Renamed:
    """A note that lies somewhere else now; its content is the same."""

    old: str
    new: SeenFile


@dataclass(frozen=True, slots=True, kw_only=True)
class ReconcilePlan:
    """What to do, and what needs nothing. `touched` notes have another time and the same content; `kept` documents have
    no file that could be seen, and a reason why that does not mean that it is gone."""

    added: tuple[SeenFile, ...] = ()
    changed: tuple[SeenFile, ...] = ()
    touched: tuple[SeenFile, ...] = ()
    renamed: tuple[Renamed, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def suspects(known: Mapping[str, Known], files: Iterable[SeenFile]) -> Iterator[SeenFile]:
    """The files that must be read: size or time differ from what is known, or prove nothing."""
    return (file for file in files if file.path not in known or not _proves_unchanged(file, known[file.path]))


def _proves_unchanged(file: SeenFile, document: Known) -> bool:
    mtime_ms = file.mtime_ns // 1_000_000
    return (
        (file.size, mtime_ms, is_core(file, document)) == (document.size, document.mtime_ms, document.core)
        and (document.version == INGEST_VERSION or not document.is_ours)
        and abs(document.at - mtime_ms) >= RACY_MS
    )


def is_core(file: SeenFile, document: Known | None) -> bool:
    """Whether a file's rules bind: as the user's patterns say, or as somebody said who added it by hand."""
    return file.core or (document is not None and not document.is_ours and document.core)


def reconcile(known: Mapping[str, Known], seen: FolderScan, *, within: Collection[str]) -> ReconcilePlan:
    """Compare what is known with what was seen at the paths `within`. Files that were read carry their digest.

    A new or changed file with the content of a document whose file is gone is that document, renamed.
    """
    gone, kept = _without_file(known, seen, within)
    homeless: dict[str, list[str]] = defaultdict(list)
    for path in reversed(gone):
        homeless[known[path].digest].append(path)
    sorts: dict[str, list[SeenFile]] = {name: [] for name in ("added", "changed", "touched", "unchanged")}
    renamed: list[Renamed] = []
    for _, file in sorted(seen.files.items()):
        sort = _sort(file, known.get(file.path))
        if sort in ("added", "changed") and homeless.get(file.digest):
            renamed.append(Renamed(old=homeless[file.digest].pop(), new=file))
        else:
            sorts[sort].append(file)
    moved = {each.old for each in renamed}
    return ReconcilePlan(
        added=tuple(sorts["added"]),
        changed=tuple(sorts["changed"]),
        touched=tuple(sorts["touched"]),
        renamed=tuple(renamed),
        removed=tuple(path for path in gone if path not in moved),
        unchanged=tuple(file.path for file in sorts["unchanged"]),
        kept=tuple(kept),
    )


def _sort(file: SeenFile, document: Known | None) -> str:
    if document is None:
        return "added"
    if not file.digest:
        return "unchanged"
    is_current = document.version == INGEST_VERSION or not document.is_ours
    if not is_current or (file.digest, is_core(file, document)) != (document.digest, document.core):
        return "changed"
    stamp = (file.size, file.mtime_ns // 1_000_000)
    return "unchanged" if stamp == (document.size, document.mtime_ms) else "touched"


def _without_file(known: Mapping[str, Known], seen: FolderScan, within: Collection[str]) -> tuple[list[str], list[str]]:
    """Our documents whose file was not seen: those that are gone, and those that stay because nobody knows."""
    refused = {each.path for each in seen.refused}
    unknown = {each.path for each in seen.unknown}
    gone: list[str] = []
    kept: list[str] = []
    for path in sorted(_documents_within(known, within)):
        if path in seen.files or not known[path].is_ours:
            continue
        is_uncertain = path in refused or any(folder in unknown or folder in refused for folder in ancestors(path))
        (kept if is_uncertain else gone).append(path)
    return gone, kept


def _documents_within(known: Mapping[str, Known], within: Collection[str]) -> Iterable[str]:
    if all(path in known for path in within):  # the common case: one note was saved
        return within
    asked = set(within)
    return (path for path in known if any(folder in asked for folder in ancestors(path)))
