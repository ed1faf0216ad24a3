"""Which files of a workspace are notes, and what they say. Links are not followed: they can point at anything."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping

from libravdb.ports.workspace import NoteStamp, UnreadableWorkspace

MAX_BYTES = 1_048_576
"""Largest note that is taken."""

MOST_NOTES = 5_000
"""Files that are looked at; a workspace with more has something else in its folder of notes."""

DEEPEST = 6
"""Folders within folders."""

CURATED = ("MEMORY.md", "memory.md")
DIARY = ("DREAMS.md", "dreams.md")
FOLDER = "memory"
MACHINES = frozenset({"dreaming", ".dreams"})
"""Folders of notes that the host's dreaming writes: reports, not notes."""


class WorkspaceFiles:
    """Workspaces on this machine's disks."""

    def notes_in(self, folder: str) -> Mapping[str, NoteStamp]:
        """The notes of a workspace by their paths within it, `/` between folders."""
        try:
            here = {entry.name: entry for entry in os.scandir(folder)}
        except OSError as error:
            raise UnreadableWorkspace(f"{folder}: {error.strerror or error}") from error
        first = next((name for name in CURATED if name in here), None)
        found = {} if first is None else dict(_stamped(first, here[first]))
        if FOLDER in here and here[FOLDER].is_dir(follow_symlinks=False):
            for path, entry in _beneath(f"{folder}/{FOLDER}", FOLDER, DEEPEST):
                found |= dict(_stamped(path, entry))
                if len(found) >= MOST_NOTES:
                    break
        return found

    def diary_in(self, folder: str) -> tuple[str, NoteStamp] | None:
        """The diary of dreams of a workspace, if it has one."""
        for name in DIARY:
            try:
                told = os.lstat(f"{folder}/{name}")
            except OSError:
                continue
            if stat.S_ISREG(told.st_mode):
                return name, _stamp(told)
        return None

    def read_note(self, folder: str, path: str) -> bytes:
        """What a note says. Raises OSError, also for what is no regular file or too large."""
        flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY | os.O_NOFOLLOW
        with os.fdopen(os.open(f"{folder}/{path}", flags), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError(f"{path} is no regular file")
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise OSError(f"{path} is larger than {MAX_BYTES:,} bytes")
        return content


def _beneath(folder: str, path: str, depth: int) -> Iterator[tuple[str, os.DirEntry[str]]]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise UnreadableWorkspace(f"{folder}: {error.strerror or error}") from error
    for entry in entries:
        if entry.name.startswith(".") or (path == FOLDER and entry.name in MACHINES):
            continue
        within = f"{path}/{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            if depth > 1:
                yield from _beneath(entry.path, within, depth - 1)
        elif entry.name.endswith(".md"):
            yield within, entry


def _stamped(path: str, entry: os.DirEntry[str]) -> Iterator[tuple[str, NoteStamp]]:
    try:
        told = entry.stat(follow_symlinks=False)
    except OSError:
        return  # gone meanwhile
    if stat.S_ISREG(told.st_mode):
        yield path, _stamp(told)


def _stamp(told: os.stat_result) -> NoteStamp:
    return NoteStamp(size=told.st_size, mtime_ns=told.st_mtime_ns, inode=told.st_ino)
