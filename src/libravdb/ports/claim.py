"""Who owns a store: one daemon, or one program, or commands among themselves."""

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
