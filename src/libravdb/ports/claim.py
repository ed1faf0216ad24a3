"""Who owns a store: one daemon, or one program, or commands among themselves; a database belongs to nobody."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, Self


class ClaimKind(StrEnum):
    """What wants a store, and so with whom it shares."""

    COMMAND = "command"
    """Beside other commands."""

    PROGRAM = "program"
    """Alone; it says at once who it is."""

    DAEMON = "daemon"
    """Alone; it says where it listens as soon as it does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Who holds a store: a daemon when it has an endpoint, else a program."""

    pid: int
    endpoint: str = ""
    program: str = ""


class SharedClaim:
    """Implements `Claim` for a store that everybody may use at once: it claims nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """There is nothing to let go of."""

    def announce(self, endpoint: str) -> None:
        """Whoever wants to use a daemon of such a store is told where it listens."""

    def retract(self) -> None:
        """Nobody came by this claim."""

    def close(self) -> None:
        """There is nothing to let go of."""


class Claim(Protocol):
    """The right to a store; close it to let go. The death of its process lets go of it too."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def announce(self, endpoint: str) -> None:
        """Write down who holds the store and where it listens."""

    def retract(self) -> None:
        """Nobody should come any more: whoever asks from now on waits until the store is free."""

    def close(self) -> None:
        """Let go."""
