"""Every collection by name: which there are, how each is spelled, and what a name tells.

This is the only place that spells one. The names are on disk and on the wire, so they stay as they are, byte for byte.
What a client calls its own collections is its own business: such a name is `CUSTOM`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from libravdb.model.recall import Scope
from libravdb.model.tier import Tier


class CollectionKind(StrEnum):
    """What a collection holds. Its value is the whole name, or what stands before the owner's name and a colon."""

    SESSION_VIEW = "session"
    RAW_TURNS = "session_raw"
    RECALLED_TURNS = "session_recall"
    SESSION_SUMMARIES = "session_summary"
    COMMIT_MARKERS = "session_commit"
    SESSION_GUIDANCE = "elevated:session"

    COVERAGE_EDGES = "session_edge"
    SESSION_STATE = "session_state"

    DURABLE_MEMORY = "user"
    TURN_INDEX = "turns"
    TURN_HISTORY = "history"
    USER_GUIDANCE = "elevated:user"
    DREAM_ENTRIES = "dream"
    PROMPT_RECEIPTS = "receipts"
    PROFILE = "profile"
    AGENT_NOTES = "agent_notes"
    CURATED_NOTES = "curated_notes"
    FORMER_VERSIONS = "former"

    SHARED = "global"
    HARD_RULES = "authored:hard"
    SOFT_RULES = "authored:soft"
    LORE = "authored:variant"
    DOCUMENTS = "_internal:authored_documents"
    LIFECYCLE_JOURNAL = "_internal:lifecycle_journal"
    UNFINISHED_COPY = "_internal:unfinished_copy"

    CUSTOM = ""


TURN_KINDS = (CollectionKind.SESSION_VIEW, CollectionKind.RAW_TURNS, CollectionKind.RECALLED_TURNS)
"""Where a session has its turns, under their own ids."""

SESSION_KINDS = (
    *TURN_KINDS,
    CollectionKind.SESSION_SUMMARIES,
    CollectionKind.COMMIT_MARKERS,
    CollectionKind.SESSION_GUIDANCE,
)
"""What belongs to one session."""

COVERED_KINDS = (CollectionKind.SESSION_VIEW, CollectionKind.RAW_TURNS, CollectionKind.SESSION_SUMMARIES)
"""What the coverage of a session is about: its active view, what was said, and the summaries that stand for it."""

PROJECTED_KINDS = (CollectionKind.COVERAGE_EDGES, CollectionKind.SESSION_STATE)
"""What clients list as records of a session, though it is kept beside the records."""

NAMESPACE_KINDS = (
    CollectionKind.DURABLE_MEMORY,
    CollectionKind.TURN_INDEX,
    CollectionKind.TURN_HISTORY,
    CollectionKind.USER_GUIDANCE,
    CollectionKind.DREAM_ENTRIES,
    CollectionKind.PROMPT_RECEIPTS,
    CollectionKind.PROFILE,
    CollectionKind.AGENT_NOTES,
    CollectionKind.CURATED_NOTES,
    CollectionKind.FORMER_VERSIONS,
)
"""What belongs to one namespace."""

SHARED_KINDS = (
    CollectionKind.SHARED,
    CollectionKind.HARD_RULES,
    CollectionKind.SOFT_RULES,
    CollectionKind.LORE,
    CollectionKind.DOCUMENTS,
)
"""What all namespaces share: everybody reads it, admins write it."""

_OWNED = {f"{kind}:": kind for kind in (*SESSION_KINDS, *PROJECTED_KINDS, *NAMESPACE_KINDS)}
_FIXED = {kind.value: kind for kind in CollectionKind if kind and kind not in _OWNED.values()}
_GUIDANCE, _AUTHORED = "elevated:", "authored:"


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionName:
    """A name, understood: what the collection holds, and the session or the namespace whose it is.

    `owner` is empty for what all share, and the whole name of a `CUSTOM` one.
    """

    kind: CollectionKind
    owner: str = ""

    def __str__(self) -> str:
        if self.kind is CollectionKind.CUSTOM:
            return self.owner
        return self.kind.value if self.kind.value in _FIXED else _named(self.kind, self.owner)


@lru_cache(maxsize=4_096)
def parse_collection(name: str) -> CollectionName:
    """What a name tells. An owner's own name may hold anything, colons too: it is the whole rest."""
    if name in _FIXED:
        return CollectionName(kind=_FIXED[name])
    family, colon, owner = name.partition(":")
    if family + colon == _GUIDANCE:
        whose, colon, owner = owner.partition(":")
        family = _GUIDANCE + whose
    kind = _OWNED.get(family + colon)
    if kind is None:
        return CollectionName(kind=CollectionKind.CUSTOM, owner=name)
    return CollectionName(kind=kind, owner=owner)


def prefix(kind: CollectionKind) -> str:
    """How the names of all collections of a kind begin, for listing them."""
    return f"{kind}:"


# ── a session's ───────────────────────────────────────────────────────────────────────────────────────────


def session_view(session: str) -> str:
    """The active view of a session: its turns, and summaries in the place of those that were folded."""
    return _named(CollectionKind.SESSION_VIEW, session)


def raw_turns(session: str) -> str:
    """Everything that was said in a session, as it was said."""
    return _named(CollectionKind.RAW_TURNS, session)


def session_summaries(session: str) -> str:
    """The summaries of a session, of every level."""
    return _named(CollectionKind.SESSION_SUMMARIES, session)


def commit_markers(session: str) -> str:
    """Which batches were committed to a session under which keys."""
    return _named(CollectionKind.COMMIT_MARKERS, session)


def session_guidance(session: str) -> str:
    """Turns of a session that are kept word for word: rules and wishes."""
    return _named(CollectionKind.SESSION_GUIDANCE, session)


# ── a namespace's ─────────────────────────────────────────────────────────────────────────────────────────


def durable_memory(namespace: str) -> str:
    """What is kept beyond its session."""
    return _named(CollectionKind.DURABLE_MEMORY, namespace)


def turn_index(namespace: str) -> str:
    """Every judged turn with its verdict, where the gate sees what is repeated."""
    return _named(CollectionKind.TURN_INDEX, namespace)


def turn_history(namespace: str) -> str:
    """Every turn of all sessions."""
    return _named(CollectionKind.TURN_HISTORY, namespace)


def user_guidance(namespace: str) -> str:
    """Turns of all sessions that are kept word for word: rules and wishes."""
    return _named(CollectionKind.USER_GUIDANCE, namespace)


def dream_entries(namespace: str) -> str:
    """What a host's dreaming found worth keeping."""
    return _named(CollectionKind.DREAM_ENTRIES, namespace)


def prompt_receipts(namespace: str) -> str:
    """The accounts of the last prompts."""
    return _named(CollectionKind.PROMPT_RECEIPTS, namespace)


def profile_of(namespace: str) -> str:
    """What the memories of a namespace state about the person, and what he made of it."""
    return _named(CollectionKind.PROFILE, namespace)


def agent_notes(namespace: str) -> str:
    """What an agent wrote down in its workspace, passage by passage, and which folder that is."""
    return _named(CollectionKind.AGENT_NOTES, namespace)


def curated_notes(namespace: str) -> str:
    """The notes of an agent that its host puts into the prompt itself: searched when asked for, never recalled."""
    return _named(CollectionKind.CURATED_NOTES, namespace)


def former_versions(namespace: str) -> str:
    """What memories said before they were updated: read as their history, and never searched."""
    return _named(CollectionKind.FORMER_VERSIONS, namespace)


def is_former(name: str) -> bool:
    """True for what memories said before they were updated, whoever's they are."""
    return parse_collection(name).kind is CollectionKind.FORMER_VERSIONS


def _named(kind: CollectionKind, owner: str) -> str:
    return prefix(kind) + owner


# ── everybody's ───────────────────────────────────────────────────────────────────────────────────────────

SHARED = CollectionKind.SHARED.value
"""Facts that all namespaces share."""

DOCUMENTS = CollectionKind.DOCUMENTS.value
"""One small record for each authored document."""

LIFECYCLE_JOURNAL = CollectionKind.LIFECYCLE_JOURNAL.value
UNFINISHED_COPY = CollectionKind.UNFINISHED_COPY.value
"""The journal as clients list it."""

AUTHORED: Mapping[Tier, str] = {
    Tier.HARD: CollectionKind.HARD_RULES.value,
    Tier.SOFT: CollectionKind.SOFT_RULES.value,
    Tier.LORE: CollectionKind.LORE.value,
}
"""The nodes of authored documents, by how binding they are."""


# ── what a name tells ─────────────────────────────────────────────────────────────────────────────────────


def session_of(name: str) -> str | None:
    """The session that a collection belongs to; None when it is no session's."""
    found = parse_collection(name)
    return found.owner if found.kind in SESSION_KINDS else None


def namespace_of(name: str) -> str | None:
    """The namespace that a collection belongs to; None when it is no namespace's."""
    found = parse_collection(name)
    return found.owner if found.kind in NAMESPACE_KINDS else None


def is_nobodys(name: str) -> bool:
    """True for what is neither a session's nor a namespace's: there each record tells itself whose it is."""
    return session_of(name) is None and namespace_of(name) is None


def is_authored(name: str) -> bool:
    """True for nodes of authored documents, in whatever tier."""
    return name.startswith(_AUTHORED)


def is_guidance(name: str) -> bool:
    """True for turns that are kept word for word, whoever's they are."""
    return name.startswith(_GUIDANCE)


def scope_of(name: str) -> Scope:
    """The scope that a collection's name tells; what has no such name is shared by all."""
    return Scope.ELEVATED if is_guidance(name) else _SCOPES.get(parse_collection(name).kind, Scope.GLOBAL)


_SCOPES: Mapping[CollectionKind, Scope] = {
    CollectionKind.SESSION_VIEW: Scope.SESSION,
    CollectionKind.RAW_TURNS: Scope.SESSION,
    CollectionKind.SESSION_SUMMARIES: Scope.SUMMARY,
    CollectionKind.DURABLE_MEMORY: Scope.DURABLE,
    CollectionKind.DREAM_ENTRIES: Scope.DURABLE,
    CollectionKind.TURN_INDEX: Scope.HISTORY,
    CollectionKind.TURN_HISTORY: Scope.HISTORY,
    CollectionKind.LORE: Scope.LORE,
    CollectionKind.AGENT_NOTES: Scope.LORE,
    CollectionKind.CURATED_NOTES: Scope.LORE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Notebook:
    """The agent whose notes may be seen (empty: nobody's); `has_curated`: also those that its host shows anyway."""

    owner: str = ""
    has_curated: bool = False

    @property
    def collections(self) -> tuple[str, ...]:
        """Where these notes are."""
        if not self.owner:
            return ()
        return (agent_notes(self.owner), *((curated_notes(self.owner),) if self.has_curated else ()))


CLOSED = Notebook()
"""Nobody's notes."""


# ── all that belong together ──────────────────────────────────────────────────────────────────────────────


def namespace_collections(namespace: str) -> tuple[str, ...]:
    """Every collection that belongs to exactly this namespace, and to no other whose name begins alike."""
    return tuple(_named(kind, namespace) for kind in NAMESPACE_KINDS)


def session_collections(session: str) -> tuple[str, ...]:
    """Every collection that belongs to exactly this session."""
    return tuple(_named(kind, session) for kind in SESSION_KINDS)


def turn_collections(session: str) -> tuple[str, ...]:
    """The collections in which a session's turns stand under their own ids."""
    return tuple(_named(kind, session) for kind in TURN_KINDS)


def scope_collections(
    namespace: str, session: str | None, scopes: Sequence[Scope], *, has_dreams: bool = False, notes: Notebook = CLOSED
) -> dict[str, Scope]:
    """The collections behind the scopes of a namespace, nearest scope first. What a host dreamt belongs to durable
    memory for those who ask about it; an agent's notes stand beside the lore of documents."""
    found: dict[str, Scope] = {}
    for scope in scopes:
        match scope:
            case Scope.SESSION if session:
                found[session_view(session)] = scope
            case Scope.ELEVATED:
                found[user_guidance(namespace)] = scope
                if session:
                    found[session_guidance(session)] = scope
            case Scope.DURABLE:
                found[durable_memory(namespace)] = scope
                if has_dreams:
                    found |= {dream_entries(whose): scope for whose in (namespace, notes.owner) if whose}
            case Scope.LORE:
                found[AUTHORED[Tier.LORE]] = scope
                found |= dict.fromkeys(notes.collections, scope)
            case Scope.SUMMARY if session:
                found[session_summaries(session)] = scope
            case Scope.HISTORY:
                found[turn_history(namespace)] = scope
            case Scope.GLOBAL:
                found[SHARED] = scope
    return found
