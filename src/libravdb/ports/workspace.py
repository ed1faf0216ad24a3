"""The port of whatever knows the files that an agent's notes are in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


class UnreadableWorkspace(OSError):
    """The folder of an agent is not there, or cannot be looked at: nothing is known about its notes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteStamp:
    """What tells that a file changed."""

    size: int
    mtime_ns: int
    inode: int

    @property
    def mtime_ms(self) -> int:
        """When it was written, in milliseconds."""
        return self.mtime_ns // 1_000_000


class Workspaces(Protocol):
    """Folders of agents."""

    def notes_in(self, folder: str) -> Mapping[str, NoteStamp]:
        """The notes of a workspace by their paths within it; raises UnreadableWorkspace."""

    def diary_in(self, folder: str) -> tuple[str, NoteStamp] | None:
        """The diary of dreams of a workspace, if it has one."""

    def read_note(self, folder: str, path: str) -> bytes:
        """What a note or a diary says; raises OSError."""
