"""How long what is kept: the kinds that a rule can be about, and what a run deleted, or would."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class RetainedKind(StrEnum):
    """What a rule of retention can be about.

    Turns are what was said, wherever it stands as said; what was kept of it stays. Memories are what is kept beyond its
    session, with what a profile has of it. Receipts are the accounts of prompts. The journal holds the events of
    sessions.
    """

    TURNS = "turns"
    MEMORIES = "memories"
    RECEIPTS = "receipts"
    JOURNAL = "journal"


@dataclass(frozen=True, slots=True, kw_only=True)
class RetainedRow:
    """What went, or would go, of one kind in one namespace: all that is older than `before`, in milliseconds. The
    namespace is empty for events of sessions that several share."""

    namespace: str
    kind: RetainedKind
    records: int
    before: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Retained:
    """What a run of the rules deleted, or would: row by row, and how many records had expired by themselves."""

    rows: tuple[RetainedRow, ...] = ()
    expired: int = 0
    is_dry_run: bool = False

    @property
    def records(self) -> int:
        """All of it together."""
        return self.expired + sum(row.records for row in self.rows)
