"""What is kept beside the text of a record: the keys, what they tell, and the turn that a record came from.

Metadata come from clients too, and hold whatever a client wrote: what has the wrong type counts as not told. This is
the only place that spells these keys; they are on disk and on the wire, so they stay as they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from libravdb.model.attributes import AttributeKind, StatedAttribute
from libravdb.model.collections import (
    TURN_KINDS,
    durable_memory,
    namespace_of,
    parse_collection,
    profile_of,
    raw_turns,
    session_guidance,
    session_summaries,
    turn_collections,
    turn_history,
    turn_index,
    user_guidance,
)
from libravdb.model.json import Json, Metadata
from libravdb.model.namespaces import named
from libravdb.model.record_ids import guidance_id, profile_source_id, shared_turn_id
from libravdb.model.records import Edge, Record
from libravdb.model.turns import Role, Turn
from libravdb.model.verdicts import Verdict

OWNER, SESSION, SOURCE_TURN = "userId", "sessionId", "source_turn_id"
KIND, ROLE, SPEAKER, SAID_AT = "type", "role", "speaker", "ts"
PROVENANCE, STABILITY = "provenance_class", "stability_weight"
BUNDLE = "continuity_bundle_id"
RAW_HISTORY, ACTIVE_VIEW, WITHDRAWN = "raw_history", "active_view", "withdrawn"
SUPERSEDES, SUPERSEDED_BY, SUPERSEDED_AT = "supersedes", "superseded_by", "superseded_at"
STATES = "states_"
"""Begins the keys that tell of which kinds the attributes are that a memory states: `states_home`."""
TIMES_SEEN, LAST_SEEN_AT, USEFUL, USEFUL_AT = "times_seen", "last_seen_at", "useful", "useful_at"
REPEATS = "repeats_memory_id"
"""The memory that a turn said once more, told in the repetition index: it goes with the memory."""
WISH_REACH, WISH_TOPICS, WISH_WORDS, WISH_PARTIES = "wish_reach", "wish_topics", "wish_words", "wish_parties"
EXCERPT = "is_excerpt"
"""Mark of a record that holds a sentence of its turn, not all of it: the turn itself is another text."""
IS_SECRET_ONLY, SECRETS = "is_secret_only", "secrets"
ECHO, HOLDS_FRAMES = "is_echo", "holds_frames"
"""Marks of what came back from our own prompts: all of a turn, or blocks in it. It is kept, and neither promoted nor
recalled."""
PASSING = "is_passing"
"""Mark of a turn that states nothing: a greeting, an acknowledgement, a request of the moment. It is kept, and hardly
ever what somebody looks for."""

EXPIRES_AT = "memory_expires_at"
"""From this moment on, in milliseconds, a record is shown by nothing, and soon it is deleted. What is made of a record
carries it too."""

SOURCE_MEMORY, STATED, LAST_STATED_AT = "source_memory_id", "stated_attributes", "last_stated_at"
FORGOTTEN_LINES, PROFILE_LINE = "forgotten_lines", "profile_line"
IS_PINNED, IS_EDITED, IS_DATED = "is_pinned", "is_edited", "is_dated"
"""What a profile keeps: of which memory it is, what that states, which of it was forgotten, and lines as the person
wants them."""

UPDATED_AT = "memory_updated_at"
"""When a memory was given another text or other metadata by its id."""
FORMER_METADATA, FORMER_VERSION = "former_metadata", "former_version"
"""What a memory had before it was updated, and its version then; the former text is the text of the record."""

COMPACTED_AT = "compacted_at"
"""When a summary was made."""
LINEAGE = "continuity_lineage"
"""Under it stands where a summary came from, by the keys of the next line."""
SOURCE_TURNS, SOURCES_SINCE, SOURCES_UNTIL, SUPPORT = (
    "source_turn_ids",
    "source_ts_min",
    "source_ts_max",
    "support_summary_ids",
)
PARENT_SUMMARIES = "parent_summary_ids"
FIRST_TURN, LAST_TURN, TURN_COUNT = "first_turn", "last_turn", "turn_count"
"""The first, the last and the number of raw turns behind a summary, at every level; older summaries do not tell."""
LEVEL, METHOD, CONFIDENCE = "level", "method", "confidence"
FACTS_KEPT, FACTS_LISTED = "facts_kept", "facts_listed"
"""How a summary was made: how far above turns it stands, by whom, how sure that is, and how many of the facts in what
it stands for it holds."""
FALLBACK = "summary_fallback"
"""Why a configured summariser did not write this summary; absent where it did, or where there is none."""

_GATE = "gating_"
GATE_SCORE, GATE_ADMITTED, GATE_VETO, GATE_VERDICT = "gating_score", "gating_admitted", "gating_veto", "gating_verdict"
GATE_TECHNICAL, GATE_CONVERSATIONAL, GATE_ENGINEERING = "gating_t", "gating_gconv", "gating_gtech"

ROLE_STABILITY: Mapping[Role, float] = {Role.USER: 0.5, Role.ASSISTANT: 0.25}
OTHER_STABILITY = 0.2
"""How much a turn weighs as guidance by who said it; at compaction, rules of weight .35 and more are protected."""


class RecordKind(StrEnum):
    """What a record is, as its metadata tell it."""

    TURN = "turn"
    SUMMARY = "summary"
    GUIDANCE = "guidance_shard"
    WISH = "standing_wish"
    DREAM = "dream_promotion"
    RECEIPT = "receipt"
    COMMIT = "commit"
    COVERAGE_EDGE = "coverage_edge"
    LIFECYCLE_HINT = "session_lifecycle_hint"
    PROFILE_SOURCE = "profile_source"
    PROFILE_LINE = "profile_line"
    PROFILE_BUILT = "profile_built"
    FORMER_VERSION = "former_version"


class Provenance(StrEnum):
    """By which way a turn came to stand where it stands."""

    SESSION_TURN = "session_turn"
    HISTORY = "history"
    TURN_INDEX = "turn_index"
    DURABLE_MEMORY = "durable_user_memory"


@dataclass(slots=True)  # not frozen: thousands are made for every prompt, and those that are take half as long again
class TurnMetadata:
    """The metadata of a record, read by what they mean. What was not told, or is ill-typed, is None or empty."""

    facts: Metadata

    @classmethod
    def of(cls, record: Record | Turn) -> TurnMetadata:
        """What is told with a record or a turn."""
        return cls(record.metadata)

    @property
    def owner(self) -> str | None:
        """The namespace whose it is."""
        return _text(self.facts.get(OWNER))

    @property
    def session(self) -> str | None:
        """The session in which it was said."""
        return _text(self.facts.get(SESSION))

    @property
    def source_turn(self) -> str | None:
        """The id, in its session, of the turn that it came from."""
        return _text(self.facts.get(SOURCE_TURN))

    @property
    def kind(self) -> str:
        """What it is; one of `RecordKind`, or a client's own word."""
        return _text(self.facts.get(KIND)) or ""

    @property
    def is_summary(self) -> bool:
        """True for what compaction wrote."""
        return self.facts.get(KIND) == RecordKind.SUMMARY

    @property
    def role_name(self) -> str:
        """Who spoke, as it is written: a role, `summary`, or a client's own word."""
        return _text(self.facts.get(ROLE)) or ""

    @property
    def role(self) -> Role | None:
        """Who spoke: the user where nothing is told, None where it is no role that we know."""
        told = self.facts.get(ROLE, Role.USER)
        return Role(told) if isinstance(told, str) and told in _ROLES else None

    @property
    def speaker(self) -> str:
        """The name of who spoke, if the host knew one."""
        return _text(self.facts.get(SPEAKER)) or ""

    @property
    def said_at(self) -> int | None:
        """When it was said, in milliseconds, as the host told it."""
        told = _number(self.facts.get(SAID_AT))
        return None if told is None or abs(told) >= _MOST_TIME else int(told)

    @property
    def provenance(self) -> str:
        """One of `Provenance`, or a client's own word."""
        return _text(self.facts.get(PROVENANCE)) or ""

    @property
    def stability(self) -> float:
        """How much it weighs as guidance: as it is told, else by who said it."""
        told = _number(self.facts.get(STABILITY))
        return _stability_of(self.role) if told is None else float(told)

    @property
    def bundle(self) -> str:
        """By which a host couples turns itself."""
        return bundle_in(self.facts)

    @property
    def is_secret_only(self) -> bool:
        """True for a turn in which nothing but a secret was said."""
        return self.facts.get(IS_SECRET_ONLY) is True

    @property
    def is_echo(self) -> bool:
        """True for a turn that only gives back what we put into a prompt."""
        return self.facts.get(ECHO) is True

    @property
    def holds_frames(self) -> bool:
        """True for a turn that holds blocks of ours beside its own words."""
        return self.facts.get(HOLDS_FRAMES) is True

    @property
    def is_passing(self) -> bool:
        """True for a turn that states nothing."""
        return self.facts.get(PASSING) is True

    @property
    def is_withdrawn(self) -> bool:
        """True for a raw turn that was asked to leave the active view."""
        return WITHDRAWN in self.facts

    @property
    def supersedes(self) -> tuple[str, ...]:
        """The memories that it makes outdated."""
        return _texts(self.facts.get(SUPERSEDES))

    @property
    def superseded_by(self) -> str | None:
        """The memory that makes it outdated."""
        return _text(self.facts.get(SUPERSEDED_BY))

    @property
    def is_outdated(self) -> bool:
        """True when something is told to have taken its place."""
        return bool(self.facts.get(SUPERSEDED_BY))

    @property
    def is_excerpt(self) -> bool:
        """True when it holds a sentence of its turn."""
        return self.facts.get(EXCERPT) is True

    @property
    def is_wish(self) -> bool:
        """True for a standing wish that was kept when it was said."""
        return self.facts.get(KIND) == RecordKind.WISH

    def states(self, kind: AttributeKind) -> bool:
        """True for a memory that states an attribute of a kind."""
        return self.facts.get(f"{STATES}{kind.value}") is True

    @property
    def superseded_at(self) -> int | None:
        """Since when it is outdated."""
        told = _number(self.facts.get(SUPERSEDED_AT))
        return None if told is None or abs(told) >= _MOST_TIME else int(told)

    @property
    def updated_at(self) -> int | None:
        """When it was updated last; None when it never was."""
        told = _number(self.facts.get(UPDATED_AT))
        return None if told is None or abs(told) >= _MOST_TIME else int(told)

    @property
    def withdrawn_at(self) -> int | None:
        """When somebody took it back."""
        told = _number(self.facts.get(WITHDRAWN))
        return None if told is None else int(told)

    @property
    def wish_topics(self) -> tuple[str, ...]:
        """What a wish is about."""
        return _texts(self.facts.get(WISH_TOPICS))

    @property
    def wish_words(self) -> tuple[str, ...]:
        """The stems of what a wish says."""
        return _texts(self.facts.get(WISH_WORDS))

    @property
    def wish_parties(self) -> tuple[str, ...]:
        """Those whom a wish is about alone, by name."""
        return _texts(self.facts.get(WISH_PARTIES))

    @property
    def wish_reach(self) -> str:
        """For which prompts a wish counts."""
        return _text(self.facts.get(WISH_REACH)) or ""

    @property
    def times_seen(self) -> int:
        """How often a memory was said."""
        told = self.facts.get(TIMES_SEEN)
        return told if isinstance(told, int) else 1

    @property
    def gate_score(self) -> float | None:
        """The gate's score."""
        told = _number(self.facts.get(GATE_SCORE))
        return None if told is None else float(told)

    @property
    def is_admitted(self) -> bool:
        """Whether the gate kept it."""
        return self.facts.get(GATE_ADMITTED) is True

    @property
    def gate_veto(self) -> str:
        """What forbade to keep it; empty when nothing did."""
        return _text(self.facts.get(GATE_VETO)) or ""

    @property
    def gate_verdict(self) -> str:
        """The gate's verdict in words."""
        return _text(self.facts.get(GATE_VERDICT)) or ""

    @property
    def repeats(self) -> str | None:
        """The memory that a judged turn said once more."""
        return _text(self.facts.get(REPEATS))

    @property
    def is_useful(self) -> bool | None:
        """Whether somebody said that it was useful."""
        told = self.facts.get(USEFUL)
        return told if isinstance(told, bool) else None

    @property
    def lineage(self) -> Metadata:
        """Where a summary came from."""
        told = self.facts.get(LINEAGE)
        return told if isinstance(told, dict) else {}

    @property
    def source_turns(self) -> tuple[str, ...]:
        """The ids of the turns that a summary stands for."""
        return _texts((self.lineage or self.facts).get(SOURCE_TURNS))

    @property
    def compacted_at(self) -> int | None:
        """When a summary was made."""
        told = self.facts.get(COMPACTED_AT)
        return told if isinstance(told, int) else None

    @property
    def level(self) -> int:
        """How far above turns a summary stands: 1 where it stands for turns."""
        return max(1, _count(self.facts.get(LEVEL)))

    @property
    def method(self) -> str:
        """How a summary was made."""
        return _text(self.facts.get(METHOD)) or ""

    @property
    def confidence(self) -> float:
        """How sure a summary is; 0 where that is not told."""
        return float(_number(self.facts.get(CONFIDENCE)) or 0.0)

    @property
    def facts_kept(self) -> int:
        """How many of the facts in what it stands for a summary holds."""
        return _count(self.facts.get(FACTS_KEPT))

    @property
    def facts_listed(self) -> int:
        """How many facts there are in what a summary stands for."""
        return _count(self.facts.get(FACTS_LISTED))

    @property
    def fallback(self) -> str:
        """Why a configured summariser did not write a summary."""
        return _text(self.facts.get(FALLBACK)) or ""

    @property
    def support_summaries(self) -> tuple[str, ...]:
        """The earlier summaries that a summary leaned on without standing for them."""
        return _texts(self.lineage.get(SUPPORT))

    @property
    def is_folded_again(self) -> bool:
        """Whether a summary stands for other summaries too."""
        return bool(_texts(self.lineage.get(PARENT_SUMMARIES)))

    @property
    def source_span(self) -> tuple[int, int] | None:
        """When the first and the last of the turns were said that a summary stands for, at every level."""
        since, until = self.lineage.get(SOURCES_SINCE), self.lineage.get(SOURCES_UNTIL)
        return (since, until) if isinstance(since, int) and isinstance(until, int) else None

    @property
    def turn_count(self) -> int | None:
        """How many raw turns stand behind a summary, at every level; None where that is not told."""
        told = self.lineage.get(TURN_COUNT)
        if isinstance(told, int) and not isinstance(told, bool):
            return told
        return len(self.source_turns) if self._is_of_turns else None

    @property
    def turn_bounds(self) -> tuple[str, str] | None:
        """The ids of the first and the last raw turn behind a summary, at every level."""
        first, last = _text(self.lineage.get(FIRST_TURN)), _text(self.lineage.get(LAST_TURN))
        if first and last:
            return first, last
        return (self.source_turns[0], self.source_turns[-1]) if self._is_of_turns else None

    @property
    def _is_of_turns(self) -> bool:
        """True for a summary of nothing but turns: it names them all."""
        return bool(self.source_turns) and not self.lineage.get("parent_summary_ids")


def last_said(memory: Record) -> int:
    """When a memory was said last: one that was said again is as young as that."""
    told = memory.metadata.get(LAST_SEEN_AT)
    return max(memory.at, told) if isinstance(told, int) else memory.at


def expiry_of(facts: Metadata) -> int | None:
    """From when on a record is shown by nothing; None for ever. Only a whole number tells it."""
    told = facts.get(EXPIRES_AT)
    return told if isinstance(told, int) and not isinstance(told, bool) else None


def expiry_facts(facts: Metadata) -> dict[str, Json]:
    """What goes on to whatever is made of a record that expires."""
    moment = expiry_of(facts)
    return {} if moment is None else {EXPIRES_AT: moment}


def bundle_in(facts: Metadata) -> str:
    """By which a host couples turns itself; asked of every turn of a session for every prompt."""
    return _text(facts.get(BUNDLE)) or ""


def _stability_of(role: Role | None) -> float:
    return OTHER_STABILITY if role is None else ROLE_STABILITY.get(role, OTHER_STABILITY)


_ROLES = frozenset(role.value for role in Role)
_MOST_TIME = 2**62


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _count(value: Json) -> int:
    """A whole number; 0 where there is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _number(value: Json) -> int | float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and isinstance(value, int | float) and math.isfinite(value) else None


# ── the turn behind a record ──────────────────────────────────────────────────────────────────────────────


class TurnKey(NamedTuple):
    """What names a turn wherever it stands: its session, and its id there."""

    session: str
    id: str


def turn_behind(record: Record) -> TurnKey | None:
    """The turn that a record came from: by where it stands in a session's own collections, else by what is told with
    it. None for a summary, and for what was never said in a session."""
    facts = record.metadata  # asked for every candidate of every question
    if facts.get(KIND) == RecordKind.SUMMARY:
        return None
    place = parse_collection(record.collection)
    if place.kind in TURN_KINDS:
        return TurnKey(place.owner, record.id)
    session, turn = facts.get(SESSION), facts.get(SOURCE_TURN)
    return TurnKey(session, turn) if isinstance(session, str) and isinstance(turn, str) else None


def turn_traces(record: Record) -> list[tuple[str, str]]:
    """Every place, as collection and id, where the turn behind a record may have left its text."""
    turn, owner = turn_behind(record), owner_of(record)
    if turn is None:
        return []
    traces = [(name, turn.id) for name in turn_collections(turn.session)]
    kept, shared = guidance_id(*turn), shared_turn_id(*turn)
    traces.append((session_guidance(turn.session), kept))
    if owner:
        traces += ((name, shared) for name in (turn_history(owner), turn_index(owner), durable_memory(owner)))
        traces.append((user_guidance(owner), kept))
        traces.append((profile_of(owner), profile_source_id(shared)))
    return traces


def owner_of(record: Record) -> str:
    """Whose a record is: by the collection it stands in, else as it is told with it; empty when nobody knows."""
    whose = namespace_of(record.collection)
    return (TurnMetadata.of(record).owner or "") if whose is None else whose


def child_collection(edge: Edge) -> str:
    """Where what an edge leads to stands: among the summaries of its session, or among its raw turns."""
    is_summary = edge.child_kind == RecordKind.SUMMARY
    return session_summaries(edge.session) if is_summary else raw_turns(edge.session)


# ── writing ───────────────────────────────────────────────────────────────────────────────────────────────


def turn_facts(turn: Turn) -> dict[str, Json]:
    """What is kept with a turn beside its text."""
    speaker: dict[str, Json] = {SPEAKER: turn.speaker} if turn.speaker else {}
    return {
        **turn.metadata,
        **speaker,
        ROLE: turn.role.value,
        SAID_AT: turn.at,
        OWNER: turn.namespace,
        SESSION: turn.session,
        KIND: RecordKind.TURN.value,
        SOURCE_TURN: turn.id,
        PROVENANCE: Provenance.SESSION_TURN.value,
        STABILITY: _stability_of(turn.role),
    }


def raw_facts(facts: Metadata) -> dict[str, Json]:
    """The metadata of a turn as its raw record has them."""
    return {**facts, RAW_HISTORY: True, ACTIVE_VIEW: False}


def view_facts(facts: Metadata) -> dict[str, Json]:
    """The metadata of a raw record as the turn has them in the active view."""
    return {key: value for key, value in facts.items() if key not in (RAW_HISTORY, ACTIVE_VIEW)}


def named_owner(facts: Metadata) -> Metadata:
    """Metadata that a client wrote, with its owner by the name under which he is found."""
    told = _text(facts.get(OWNER)) or ""
    return {**facts, OWNER: named(told)} if told.strip() else facts


def dream_facts(score: Json) -> dict[str, Json]:
    """What tells an entry of a host's dream diary from everything else."""
    return {KIND: RecordKind.DREAM.value, "source_kind": "dream", "dream_score": score}


def gate_facts(verdict: Verdict) -> dict[str, Json]:
    """What is stored of a verdict with the turn that was judged."""
    return {
        GATE_SCORE: verdict.score,
        GATE_TECHNICAL: verdict.technical,
        "gating_h": verdict.novelty,
        "gating_r": verdict.repetition,
        "gating_d": verdict.load,
        "gating_p": verdict.specificity,
        "gating_a": verdict.action,
        "gating_dtech": verdict.detail,
        GATE_CONVERSATIONAL: verdict.conversational,
        GATE_ENGINEERING: verdict.engineering,
        GATE_ADMITTED: verdict.is_admitted,
        GATE_VETO: verdict.veto,
        GATE_VERDICT: verdict.words(),
    }


def stated_facts(attributes: Iterable[StatedAttribute]) -> dict[str, Json]:
    """By what a memory is found that states attributes of a kind."""
    return {f"{STATES}{one.kind.value}": True for one in attributes if not one.is_ended}


def gate_facts_in(facts: Metadata) -> dict[str, Json]:
    """What metadata hold of a verdict."""
    return {key: value for key, value in facts.items() if key.startswith(_GATE)}
