"""Where things stand in the store: the names of collections, and the records that one turn becomes.

A turn is one text in several collections; the store keeps text, vectors and words once for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from libravdb.model import Json, Record, Role, Turn

STABILITY: Mapping[Role, float] = {Role.USER: 0.5, Role.ASSISTANT: 0.25}
OTHER_STABILITY = 0.2
"""How much a turn weighs as guidance by who said it; at compaction, rules of weight .35 and more are protected."""

_TURN_SCOPES = ("session", "session_raw", "session_recall")  # where a session has its turns, under their own ids
_SESSION_SCOPES = (*_TURN_SCOPES, "session_summary", "session_commit", "elevated:session")
_NAMESPACE_SCOPES = ("user", "turns", "history", "elevated:user", "dream", "receipts")


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """A collection that a text enters, the metadata it has there, and what stands before its id there.

    From a view a text may have gone on purpose; it does not come back by being said again.
    """

    collection: str
    metadata: Mapping[str, Json]
    prefix: str = ""
    is_view: bool = False


def session_prefix(session: str) -> str:
    """What tells turns of different sessions apart in a collection that they share."""
    return session.replace("%", "%25").replace("/", "%2F") + "/"


def turn_places(turn: Turn) -> list[Placement]:
    """Where every turn stands: the session's active view, its raw layer, the history of its namespace."""
    facts = turn_facts(turn)
    raw = {**facts, "raw_history": True, "active_view": False}
    history = {**facts, "provenance_class": "history"}
    return [
        Placement(collection=f"session:{turn.session}", metadata=facts),
        Placement(collection=f"session_raw:{turn.session}", metadata=raw),
        Placement(collection=f"history:{turn.namespace}", metadata=history, prefix=session_prefix(turn.session)),
    ]


def turn_facts(turn: Turn) -> dict[str, Json]:
    """What is kept with a turn beside its text."""
    speaker: dict[str, Json] = {"speaker": turn.speaker} if turn.speaker else {}
    return {
        **turn.metadata,
        **speaker,
        "role": turn.role.value,
        "ts": turn.at,
        "userId": turn.namespace,
        "sessionId": turn.session,
        "type": "turn",
        "source_turn_id": turn.id,
        "provenance_class": "session_turn",
        "stability_weight": STABILITY.get(turn.role, OTHER_STABILITY),
    }


def turn_traces(record: Record) -> list[tuple[str, str]]:
    """Every place, as collection and id, where the turn behind a record may have left its text."""
    namespace = record.metadata.get("userId")
    session, turn = _turn_behind(record)
    if not (isinstance(session, str) and isinstance(turn, str)):
        return []
    traces = [(f"{scope}:{session}", turn) for scope in _TURN_SCOPES]
    traces.append((f"elevated:session:{session}", f"guidance:{session}:{turn}"))
    if isinstance(namespace, str):
        shared = session_prefix(session) + turn
        traces += ((f"{scope}:{namespace}", shared) for scope in ("history", "turns", "user"))
        traces.append((f"elevated:user:{namespace}", f"guidance:{session}:{turn}"))
    return traces


def _turn_behind(record: Record) -> tuple[Json, Json]:
    """The session and the id of a turn: where it stands, in a session's own collection, else what is told with it."""
    scope, _, session = record.collection.partition(":")
    if scope in _TURN_SCOPES and record.metadata.get("type") != "summary":
        return session, record.id
    return record.metadata.get("sessionId"), record.metadata.get("source_turn_id")


def namespace_of(record: Record) -> str:
    """Whose a record is: by the collection it stands in, else as it is told with it; empty when nobody knows."""
    for scope in _NAMESPACE_SCOPES:
        if record.collection.startswith(f"{scope}:"):
            return record.collection.removeprefix(f"{scope}:")
    told = record.metadata.get("userId")
    return told if isinstance(told, str) else ""


def namespace_collections(namespace: str) -> tuple[str, ...]:
    """Every collection that belongs to exactly this namespace, and to no other whose name begins alike."""
    return tuple(f"{scope}:{namespace}" for scope in _NAMESPACE_SCOPES)


def session_collections(session: str) -> tuple[str, ...]:
    """Every collection that belongs to exactly this session."""
    return tuple(f"{scope}:{session}" for scope in _SESSION_SCOPES)


def session_of(collection: str) -> str | None:
    """The session that a collection belongs to; None when it is no session's."""
    for scope in _SESSION_SCOPES:
        if collection.startswith(f"{scope}:"):
            return collection.removeprefix(f"{scope}:")
    return None
