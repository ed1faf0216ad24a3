"""The REST surface as one table: a verb and a path for each method of the wire that it offers.

What stands in braces in a path is a field of the method, by its name on the wire. The rest of the fields comes in the
body as JSON, or in the query where the row names them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from libravdb.model import Metadata, Record, Remembered, Scope, Where
from libravdb.model.collections import durable_memory
from libravdb.model.namespaces import named
from libravdb.wire.methods.engine import Counted
from libravdb.wire.methods.method import AnyMethod
from libravdb.wire.methods.table import METHODS

Object = Mapping[str, Any]
PATH_ONLY = ("namespace", "userId", "sessionKey", "agentId")
"""Fields that tell whose memory is meant: the path does, and nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryBody:
    """A text to keep in durable memory. `id` and `at` (milliseconds since 1970) are made where they are missing. From
    `expires_at` on (milliseconds, an ISO time, or a span such as 30d) it is shown by nothing."""

    text: str
    id: str | None = None
    metadata: Metadata | None = None
    at: int | None = None
    expires_at: int | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchBody:
    """A question. `where` is a filter on metadata as people write it (`{"topic": "release", "priority": {"$gte": 3}}`),
    `since` and `until` tell when it was said, `as_of` asks as of a past moment; times in milliseconds since 1970."""

    question: str
    where: Metadata | None = None
    since: int | None = None
    until: int | None = None
    session: str | None = None
    scopes: tuple[Scope, ...] = tuple(Scope)
    k: int | None = None
    budget: int | None = None
    as_of: int | None = None
    is_quiet: bool = False


def as_given(params: Object) -> Object:
    """The fields are those of the method."""
    return params


def _note(params: Object) -> Object:
    told = {name: value for name, value in params.items() if name != "namespace"}
    return {"notes": [{**told, "collection": durable_memory(named(params["namespace"]))}]}


def _asked(params: Object) -> Object:
    told = {name: value for name, value in params.items() if name not in ("where", "since", "until")}
    where = Where.of(params.get("where"))
    filters = {
        "metadata": {key: [*values] for key, values in where.metadata.items()},
        "conditions": [
            {"key": one.key, "operator": one.operator.value, "value": one.value} for one in where.conditions
        ],
        "since": params.get("since"),
        "until": params.get("until"),
    }
    return {**told, "where": filters}


def _forgotten(params: Object) -> Object:
    return {"collection": durable_memory(named(params["namespace"])), "ids": [params["id"]]}


@dataclass(frozen=True, slots=True, kw_only=True)
class RestRow:
    """One resource and what can be done with it.

    `body`: the fields that the body may have, all that are left when it is None. `takes` and `shape` are for a body
    that is not made of the method's own fields. `gives`: the type of the answer where `only` takes one thing out of the
    result: an empty one is not found. `counts`: a result whose number of records is 0 is not found.
    """

    verb: str
    path: str
    method: str
    about: str = ""
    query: tuple[str, ...] = ()
    body: tuple[str, ...] | None = None
    takes: type | None = None
    shape: Callable[[Object], Object] = as_given
    gives: type | None = None
    only: str = ""
    counts: bool = False
    status: int = 200
    segments: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "segments", tuple(self.path.strip("/").split("/")))

    @property
    def row(self) -> AnyMethod:
        """The method behind it."""
        return METHODS[self.method]

    @property
    def summary(self) -> str:
        """What it does, in a sentence."""
        return self.about or self.row.about

    @property
    def variables(self) -> tuple[str, ...]:
        """What stands in braces."""
        return tuple(part[1:-1] for part in self.segments if part.startswith("{"))

    @property
    def has_body(self) -> bool:
        """Whether a body is read."""
        return self.verb in ("POST", "PUT", "PATCH")


# fmt: off
ROWS: tuple[RestRow, ...] = (
    RestRow(verb="GET", path="/v1", method="list_namespaces", query=("limit", "after")),
    RestRow(verb="DELETE", path="/v1/{namespace}", method="drop_collections", about="Delete all that belongs to a namespace, its sessions included."),
    RestRow(verb="POST", path="/v1/{namespace}/erasure", method="erase_namespace", body=("withName",)),
    RestRow(verb="GET", path="/v1/{namespace}/export", method="export_memory", about="The durable memories of a namespace."),
    RestRow(verb="POST", path="/v1/{namespace}/turns", method="ingest_batch", about="Take in new messages of a session, in order; each is text, or an object with role and content.", body=("sessionId", "messages", "isTranscript")),
    RestRow(verb="PUT", path="/v1/{namespace}/turns/{key}", method="commit_turn", body=("sessionId", "messages", "isHeartbeat")),
    RestRow(verb="POST", path="/v1/{namespace}/context", method="assemble", body=("sessionId", "tokenBudget", "prompt", "messages", "mode", "turn", "isHeartbeat")),
    RestRow(verb="POST", path="/v1/{namespace}/search", method="search", takes=SearchBody, shape=_asked),
    RestRow(verb="POST", path="/v1/{namespace}/judge", method="judge", body=("text",)),
    RestRow(verb="POST", path="/v1/{namespace}/memories", method="remember", about="Keep a text in durable memory; the same text twice is one memory.", takes=MemoryBody, shape=_note, gives=Remembered, only="remembered", status=201),
    RestRow(verb="GET", path="/v1/{namespace}/memories", method="list_memories", query=("scope", "limit", "after")),
    RestRow(verb="GET", path="/v1/{namespace}/memories/{id}", method="find_memory", gives=Record, only="records"),
    RestRow(verb="PATCH", path="/v1/{namespace}/memories/{id}", method="update_memory", body=("text", "metadata", "at", "expiresAt")),
    RestRow(verb="DELETE", path="/v1/{namespace}/memories/{id}", method="forget", about="Delete a memory, and the turns that it came from, wherever they left text.", shape=_forgotten, gives=Counted, counts=True),
    RestRow(verb="GET", path="/v1/{namespace}/memories/{id}/history", method="memory_history"),
    RestRow(verb="POST", path="/v1/{namespace}/memories/{id}/feedback", method="feedback", body=("useful",)),
    RestRow(verb="POST", path="/v1/{namespace}/memories/{id}/restore", method="restore_memory", body=()),
    RestRow(verb="GET", path="/v1/{namespace}/sessions", method="list_sessions", query=("limit", "after")),
    RestRow(verb="DELETE", path="/v1/{namespace}/sessions/{sessionId}", method="forget_turns", about="Delete what was said to a namespace in a session, wherever it left text.", query=("isDry",)),
    RestRow(verb="GET", path="/v1/{namespace}/sessions/{sessionId}/summaries/{summaryId}", method="expand", query=("maxDepth", "maxTokens")),
    RestRow(verb="GET", path="/v1/{namespace}/receipts", method="explain", about="The account of the newest prompt."),
    RestRow(verb="GET", path="/v1/{namespace}/receipts/{receipt}", method="explain"),
    RestRow(verb="GET", path="/v1/{namespace}/receipts/{receipt}/absent/{id}", method="why_not"),
    RestRow(verb="GET", path="/v1/{namespace}/profile", method="profile_show"),
    RestRow(verb="PATCH", path="/v1/{namespace}/profile/{id}", method="profile_edit", body=("text",)),
    RestRow(verb="PUT", path="/v1/{namespace}/profile/{id}/pin", method="profile_pin", body=("isPinned",)),
    RestRow(verb="DELETE", path="/v1/{namespace}/profile/{id}", method="profile_forget"),
    RestRow(verb="GET", path="/v1/{namespace}/guidance", method="list_guidance", query=("everything",)),
    RestRow(verb="DELETE", path="/v1/{namespace}/guidance/{id}", method="remove_guidance"),
)
# fmt: on

"""What this version offers; of two rows with the same verb and path the later one counts."""
