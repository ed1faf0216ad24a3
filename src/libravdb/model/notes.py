"""An agent's own notes: the folder that they are in, and what its host's diary of dreams asks to be kept."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteFolder:
    """The workspace whose notes are an agent's: how many notes and passages are known, and what is wrong (empty:
    nothing)."""

    namespace: str
    folder: str
    notes: int = 0
    passages: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiaryEntry:
    """A line of a diary of dreams that asks to be kept, with the host's figures."""

    text: str
    score: float
    recall_count: int
    unique_queries: int
    section: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WeighedEntry:
    """What became of a line: `reason` tells why it is not kept (empty: it is)."""

    entry: DiaryEntry
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamPromotion:
    """What a diary gave; `is_dry`: nothing was written."""

    promoted: int
    rejected: int
    entries: tuple[WeighedEntry, ...]
    is_dry: bool = False
