"""What can still be read of a damaged store, in no moment but its last, and what cannot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from libravdb.model import Edge, Embedding, JournalEntry, Loss, Record, SessionState, Space
from libravdb.ports.clock import Progress, no_progress


class Salvage(Protocol):
    """Each part is read once, whole; what is given is sound."""

    def spaces(self) -> tuple[Space, ...]:
        """Vector spaces."""

    def collections(self) -> tuple[str, ...]:
        """The names of the collections."""

    def records(self, progress: Progress = no_progress) -> Iterator[tuple[Record, Embedding | None]]:
        """Records, with their vectors in the active space where those are sound."""

    def edges(self) -> Iterator[Edge]:
        """Coverage edges."""

    def states(self) -> Iterator[SessionState]:
        """States of sessions."""

    def journal(self) -> Iterator[JournalEntry]:
        """Journal entries, oldest first."""

    def losses(self) -> tuple[Loss, ...]:
        """What could not be read, as far as it is known; asked last."""
