"""What is told of watched folders: what became of each note."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Did(StrEnum):
    """What became of a note; READY means that the first scan is over."""

    ADDED = "added"
    CHANGED = "changed"
    RENAMED = "renamed"
    REMOVED = "removed"
    REFUSED = "refused"
    PROBLEM = "problem"
    READY = "ready"


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """One line of what happens; `detail` is the reason, or the former path of a renamed note."""

    did: Did
    path: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchTally:
    """What was done so far, and how many notes needed nothing when all were looked at last."""

    counts: Mapping[Did, int]
    unchanged: int
    documents: int
