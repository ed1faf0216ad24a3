"""What is said, as a host reports it, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from libravdb.model.json import Metadata
from libravdb.model.records import Record
from libravdb.model.verdicts import Verdict


class Role(StrEnum):
    """Who speaks in a turn."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


_ROLE_WORDS: Mapping[str, Role] = {
    **dict.fromkeys(("user", "human", "customer"), Role.USER),
    **dict.fromkeys(("assistant", "ai", "model", "bot", "agent", "chatbot"), Role.ASSISTANT),
    **dict.fromkeys(("tool", "toolresult", "function", "ipython", "functioncalloutput", "bashexecution"), Role.TOOL),
    **dict.fromkeys(("system", "developer"), Role.SYSTEM),
}
"""The hosts' words for a role, in small letters without separators."""


def role_named(word: str) -> Role | None:
    """The role that a host calls so; None when it is the name of none."""
    return _ROLE_WORDS.get(word.strip().lower().replace("_", "").replace("-", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One thing said in a session. `id` is the host's own; `speaker` is a name, if the host knows one."""

    namespace: str
    session: str
    id: str
    role: Role
    text: str
    at: int
    speaker: str = ""
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingTurn:
    """One thing that a host reports as said, before it becomes a turn.

    `skipped` says in words why it is not to be kept; empty means that it is. `id` and `at` are None while nobody knows
    them. `own_words` are what somebody said of it where the rest is ours; None where all of it is somebody's.
    `metadata` holds what else the host told (`tool`, `tool_call_id`, `is_error`).
    """

    role: Role
    text: str
    id: str | None = None
    at: int | None = None
    speaker: str = ""
    skipped: str = ""
    own_words: str | None = None
    metadata: Metadata = field(default_factory=dict)

    @property
    def judged_text(self) -> str:
        """What the gate judges and what is embedded: somebody's own words."""
        return self.text if self.own_words is None else self.own_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Masked:
    """A text without its secrets: `counts` tells how many of each kind were masked, nothing tells what they were.

    `is_secret_only` is True when nothing but secrets (and the names they were assigned to) was said.
    """

    text: str
    counts: Mapping[str, int]
    is_secret_only: bool


class Reception(StrEnum):
    """What became of one thing said."""

    STORED = "stored"
    KNOWN = "known"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested:
    """What became of one thing said: its id in the session, and, for a judged turn, the gate's verdict.

    `reason` says why it was skipped. `memory` is the id in durable memory, of a new one or of the one it
    `strengthened`; `supersedes` names the memories that it makes outdated. `secrets` counts what was masked, by kind.
    """

    reception: Reception
    role: Role
    id: str = ""
    reason: str = ""
    verdict: Verdict | None = None
    memory: str = ""
    is_strengthened: bool = False
    supersedes: tuple[str, ...] = ()
    secrets: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """What became of a batch of messages. `is_duplicate`: the whole batch was committed before under its key."""

    namespace: str
    turns: tuple[Ingested, ...]
    is_duplicate: bool = False
    degraded: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bootstrapped:
    """Where a session stands: how many turns it holds, and how many of them came with this call."""

    namespace: str
    session: str
    turns: int
    imported: int
    degraded: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgottenTurns:
    """How many turns were forgotten, or would be (`is_dry`), and the latest of them."""

    turns: int
    latest: tuple[Record, ...]
    is_dry: bool = False
