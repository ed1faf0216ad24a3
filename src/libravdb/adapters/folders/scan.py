"""What lies in the watched folders: a walk that costs one stat per note, and nothing for what is excluded.

Whatever cannot be read is reported and stands in nobody's way. A folder that could not be read says nothing about the
notes in it, so none of them counts as gone.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from io import FileIO

from libravdb.adapters.folders.patterns import Ignored, Selection

GITIGNORE = ".gitignore"
GITIGNORE_BYTES = 1_000_000
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenFile:
    """A note as it lies on the disk. `digest` is the SHA-256 of its bytes, empty as long as it was not read."""

    path: str
    root: str
    size: int
    mtime_ns: int
    core: bool = False
    digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A path that was not taken, and why, in words."""

    path: str
    reason: str


@dataclass(slots=True, kw_only=True)
class FolderScan:
    """What a walk found. `unknown` are roots and folders about whose notes it can say nothing."""

    files: dict[str, SeenFile] = field(default_factory=dict)
    refused: list[Refused] = field(default_factory=list)
    unknown: list[Refused] = field(default_factory=list)


class Unreadable(Exception):
    """A note that cannot be taken; the reason is in words."""


class Gone(Unreadable):
    """A note that was there a moment ago."""


# ── the walk ──────────────────────────────────────────────────────────────────────────────────────────────


def survey(
    roots: Sequence[str],
    selection: Selection,
    *,
    within: Iterable[str] | None = None,
    settled: frozenset[str] = frozenset(),
) -> FolderScan:
    """Look at the watched folders, or only at the paths `within` them.

    A root that is empty is taken for one that is not mounted right now, unless `settled` vouches for it. With nested
    roots a file belongs to the first that has it.
    """
    found = FolderScan()
    present = [root for root in roots if _is_present(root, found, is_settled=root in settled)]
    if within is not None and not selection.settings.follow_links:
        for path in reach(within):
            for root in present:
                if is_beneath(path, root):
                    _Walk(root, selection, found).start_at(path)
                elif is_beneath(root, path):
                    _Walk(root, selection, found).start_at(root)
        return found
    asked = None if within is None else list(within)  # a link may lead anywhere, so the whole root is looked at
    for root in present:
        if asked is None or any(is_beneath(path, root) or is_beneath(root, path) for path in asked):
            _Walk(root, selection, found).start_at(root)
    return found


def _is_present(root: str, found: FolderScan, *, is_settled: bool) -> bool:
    try:
        with os.scandir(root) as entries:
            is_empty = next(entries, None) is None
    except NotADirectoryError:
        reason = "is not a folder"
    except FileNotFoundError:
        reason = "is not there; what is known of it stays"
    except (OSError, ValueError) as error:
        reason = f"cannot be read ({_words(error)}); what is known of it stays"
    else:
        if is_settled or not is_empty:
            return True
        reason = "is empty, as if it were not mounted; what is known of it stays"
    found.unknown.append(Refused(path=root, reason=reason))
    return False


class _Walk:
    """One root, walked from the root or from a path in it."""

    def __init__(self, root: str, selection: Selection, found: FolderScan) -> None:
        self._root = root
        self._start = len(root.rstrip("/")) + 1
        self._selection = selection
        self._found = found
        self._links: list[tuple[str, Ignored]] = []
        self._met: set[tuple[int, int]] = set()

    def start_at(self, path: str) -> None:
        """Walk what lies at this path, if the way to it is not excluded."""
        ignored = self._read_ignored(self._root, Ignored())
        here = self._root.rstrip("/")
        for part in path[self._start :].split("/") if path != self._root else ():
            here = f"{here}/{part}"
            try:
                status = os.lstat(here)
            except OSError:
                return  # gone, or a part of the way is no folder
            if not stat.S_ISDIR(status.st_mode):
                if here == path:
                    self._note_entry(here, status, ignored)
                return
            if not self._enters(here, ignored):
                return
            ignored = self._read_ignored(here, ignored)
        self._walk(path, ignored, is_read=True)
        while self._links:  # behind all that is really there: a real path wins over one through a link
            self._follow(*self._links.pop(0))

    def _walk(self, folder: str, ignored: Ignored, *, is_read: bool = False) -> None:
        waiting = [(folder, ignored, is_read)]
        while waiting:
            here, above, is_read = waiting.pop()
            if self._selection.settings.follow_links and not self._is_first_visit(here):
                continue
            entries = self._entries(here)
            if not is_read and any(entry.name == GITIGNORE for entry in entries):
                above = self._read_ignored(here, above)
            for entry in entries:
                if entry.is_symlink():
                    self._links_met(entry.path, above)
                elif entry.is_dir(follow_symlinks=False):
                    if self._enters(entry.path, above):
                        waiting.append((entry.path, above, False))
                elif entry.is_file(follow_symlinks=False) and self._wants(entry.path, above):
                    self._note(entry.path, entry)

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except FileNotFoundError:
            return []  # gone since its parent was read
        except OSError as error:
            self._found.unknown.append(Refused(path=folder, reason=f"cannot be read ({_words(error)})"))
            return []

    def _is_first_visit(self, folder: str) -> bool:
        try:
            status = os.stat(folder)
        except OSError:
            return True  # reading it will say why
        if self._has_met(status):
            return False
        self._met.add((status.st_dev, status.st_ino))
        return True

    def _has_met(self, status: os.stat_result) -> bool:
        return (status.st_dev, status.st_ino) in self._met

    def _links_met(self, path: str, ignored: Ignored) -> None:
        if self._selection.settings.follow_links:
            self._links.append((path, ignored))
        elif self._wants(path, ignored) or (os.path.isdir(path) and self._enters(path, ignored)):
            self._refuse(path, "is a link, and links are not followed (watch.follow_links)")

    def _follow(self, path: str, ignored: Ignored) -> None:
        try:
            status = os.stat(path)
        except OSError:
            return  # leads nowhere, or in a circle
        if stat.S_ISDIR(status.st_mode):
            if self._enters(path, ignored):
                self._walk(path, ignored)
        elif stat.S_ISREG(status.st_mode) and self._wants(path, ignored) and not self._has_met(status):
            self._note_status(path, status)

    # ── one entry ─────────────────────────────────────────────────────────────────────────────────────────

    def _enters(self, path: str, ignored: Ignored) -> bool:
        return self._selection.enters(path[self._start :]) and not ignored.covers(path, is_folder=True)

    def _wants(self, path: str, ignored: Ignored) -> bool:
        return self._selection.wants(path[self._start :]) and not ignored.covers(path)

    def _note_entry(self, path: str, status: os.stat_result, ignored: Ignored) -> None:
        if stat.S_ISLNK(status.st_mode):
            self._links_met(path, ignored)
        elif stat.S_ISREG(status.st_mode) and self._wants(path, ignored):
            self._note_status(path, status)

    def _note(self, path: str, entry: os.DirEntry[str]) -> None:
        try:
            self._note_status(path, entry.stat(follow_symlinks=False))
        except OSError as error:
            if not isinstance(error, FileNotFoundError):
                self._refuse(path, f"cannot be read ({_words(error)})")

    def _note_status(self, path: str, status: os.stat_result) -> None:
        if self._selection.settings.follow_links:
            self._met.add((status.st_dev, status.st_ino))
        if not is_text(path):
            self._refuse(path, "has a name that is not UTF-8")
        elif status.st_size > self._selection.settings.max_file_bytes:
            self._refuse(path, too_large(status.st_size, self._selection.settings.max_file_bytes))
        elif path not in self._found.files:
            self._found.files[path] = SeenFile(
                path=path,
                root=self._root,
                size=status.st_size,
                mtime_ns=status.st_mtime_ns,
                core=self._selection.is_core(path[self._start :]),
            )

    def _refuse(self, path: str, reason: str) -> None:
        self._found.refused.append(Refused(path=path, reason=reason))

    def _read_ignored(self, folder: str, above: Ignored) -> Ignored:
        if not self._selection.settings.gitignore:
            return above
        try:
            content = read_file(f"{folder.rstrip('/')}/{GITIGNORE}", max_bytes=GITIGNORE_BYTES)
        except Unreadable:
            return above
        return above.with_file(folder.rstrip("/"), content)


# ── content ───────────────────────────────────────────────────────────────────────────────────────────────


def read_file(path: str, *, max_bytes: int, follow_links: bool = False) -> bytes:
    """A regular file's bytes; Unreadable says why there are none. Never waits: a pipe in its place is refused."""
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow_links else os.O_NOFOLLOW)
    try:
        with open(path, "rb", buffering=0, opener=lambda name, _: os.open(name, flags)) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise Unreadable("is not a regular file")
            content = b"".join(_chunks(file, max_bytes + 1))
    except FileNotFoundError as error:
        raise Gone("is gone") from error
    except (OSError, ValueError) as error:
        raise Unreadable(f"cannot be read ({_words(error)})") from error
    if len(content) > max_bytes:
        raise Unreadable(too_large(max(status.st_size, len(content)), max_bytes))
    return content


def _chunks(file: FileIO, most: int) -> Iterator[bytes]:
    while most > 0 and (chunk := file.read(min(_CHUNK, most))):
        most -= len(chunk)
        yield chunk


def read_text(content: bytes) -> str:
    """The text of a note; Unreadable when it is in no encoding that we read."""
    try:
        return content.decode("utf-8-sig")  # some editors put a byte order mark first
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Unreadable(f"is not UTF-8 (line {line}); save it as UTF-8") from error


def with_digest(file: SeenFile, selection: Selection) -> SeenFile:
    """The same, read: with its content's digest."""
    content = read_file(
        file.path, max_bytes=selection.settings.max_file_bytes, follow_links=selection.settings.follow_links
    )
    return replace(file, digest=hashlib.sha256(content).hexdigest())


# ── paths ─────────────────────────────────────────────────────────────────────────────────────────────────


def is_beneath(path: str, folder: str) -> bool:
    """Whether the path is the folder or lies in it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def reach(paths: Iterable[str]) -> list[str]:
    """Where to look when these paths have changed: a .gitignore concerns all of its folder."""
    parts = (path.rpartition("/") for path in paths)
    return outermost(
        (folder or "/") if name == GITIGNORE else f"{folder}{slash}{name}" for folder, slash, name in parts
    )


def outermost(paths: Iterable[str]) -> list[str]:
    """The paths that lie in none of the others, in order."""
    kept: set[str] = set()
    for path in sorted(set(paths), key=len):
        if not any(folder in kept for folder in ancestors(path)):
            kept.add(path)
    return sorted(kept)


def ancestors(path: str) -> Iterator[str]:
    """The path itself and the folders it lies in, innermost first."""
    while path:
        yield path
        path = path.rpartition("/")[0]
    yield "/"


def is_text(path: str) -> bool:
    """Whether a name is UTF-8: bytes of a name that are not arrive as halves of characters."""
    return not any("\ud800" <= char <= "\udfff" for char in path)


def too_large(size: int, most: int) -> str:
    """In words, that a file is over the limit."""
    return f"has {size:,} bytes, at most {most:,} are taken (watch.max_file_bytes)"


def _words(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error)
