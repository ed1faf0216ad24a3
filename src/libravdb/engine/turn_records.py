"""The records that one turn becomes: one text in several collections; the store keeps text, vectors and words once."""

from __future__ import annotations

from dataclasses import dataclass

from libravdb.model import Metadata, Record, Turn
from libravdb.model.collections import raw_turns, session_view, turn_history
from libravdb.model.namespaces import told_owner
from libravdb.model.record_ids import session_prefix
from libravdb.model.turn_metadata import (
    OWNER,
    PROVENANCE,
    SESSION,
    SOURCE_TURN,
    Provenance,
    TurnMetadata,
    raw_facts,
    turn_facts,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """A collection that a text enters, the metadata it has there, and what stands before its id there.

    From a view a text may have gone on purpose; it does not come back by being said again.
    """

    collection: str
    metadata: Metadata
    prefix: str = ""
    is_view: bool = False


def turn_places(turn: Turn) -> list[Placement]:
    """Where every turn stands: the session's active view, its raw layer, the history of its namespace."""
    facts = turn_facts(turn)
    history = {**facts, PROVENANCE: Provenance.HISTORY.value}
    return [
        Placement(collection=session_view(turn.session), metadata=facts),
        Placement(collection=raw_turns(turn.session), metadata=raw_facts(facts)),
        Placement(collection=turn_history(turn.namespace), metadata=history, prefix=session_prefix(turn.session)),
    ]


def client_turn_places(id: str, *, session: str, metadata: Metadata) -> list[Placement]:
    """Where a turn stands that a client wrote as it likes; in the history only if it tells whose it is."""
    owner = client_turn_owner(metadata)
    metadata = {**metadata, OWNER: owner} if owner else metadata
    places = [
        Placement(collection=session_view(session), metadata=metadata, is_view=True),
        Placement(collection=raw_turns(session), metadata=raw_facts(metadata)),
    ]
    if owner:  # what was said can be found by its owner, whoever stored it
        history = {SESSION: session, SOURCE_TURN: id, **metadata}
        places.append(Placement(collection=turn_history(owner), metadata=history, prefix=session_prefix(session)))
    return places


def client_turn_owner(metadata: Metadata) -> str | None:
    """Whose a turn is that a client wrote; None when it does not tell."""
    told = TurnMetadata(metadata).owner
    return told_owner(told) if told is not None and told.strip() else None


def read_turn(record: Record, *, namespace: str, session: str) -> Turn | None:
    """The turn that a raw record holds; None when nobody said it whose role we know."""
    told = TurnMetadata.of(record)
    if told.role is None:
        return None
    return Turn(
        namespace=namespace,
        session=session,
        id=record.id,
        role=told.role,
        text=record.text,
        at=record.at if told.said_at is None else min(told.said_at, record.at),
        speaker=told.speaker,
        metadata=record.metadata,
    )
