"""What a caller needs for each method: a role, and rights over what the call touches.

Whoever comes over a unix socket has every right. The daemon asks this table, and nothing else, before it carries out
what somebody else asks; a method that is missing here is an admin's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from libravdb.model.collections import durable_memory, raw_turns, session_view
from libravdb.model.json import Metadata
from libravdb.model.namespaces import DEFAULT, named, told_owner
from libravdb.wire.methods import engine, lifecycle, memories, notes, storage
from libravdb.wire.methods.identity import asked_namespace, namespace_of, stored_namespace, told_namespace
from libravdb.wire.methods.search import SearchParams


class AccessRole(StrEnum):
    """What a token may do in its namespaces; an admin may do everything, everywhere."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def covers(self, needed: AccessRole) -> bool:
        """True when whoever has this role may do what needs that one."""
        order = list(AccessRole)
        return order.index(self) >= order.index(needed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A record that a call writes: where, under which id, and with what beside its text."""

    collection: str
    id: str | None = None
    metadata: Metadata


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What a call touches.

    `namespaces` are used whole. Of `collections` a caller sees what is its own; with `is_whole` all of each is meant.
    `sessions` are used whole, whoever spoke in them; `may_be_new` when the call may be the first of one.
    `is_everything`: all that there is.
    """

    namespaces: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    is_whole: bool = False
    sessions: tuple[str, ...] = ()
    may_be_new: bool = False
    written: tuple[Written, ...] = ()
    is_everything: bool = False


NOTHING = Reach()
EVERYTHING = Reach(is_everything=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What one method needs."""

    role: AccessRole
    reach: Callable[[Any], Reach]


# ── what params touch ─────────────────────────────────────────────────────────────────────────────────────


def nothing(_: object) -> Reach:
    """Nobody's memory; or what all share, to be read."""
    return NOTHING


def everything(_: object) -> Reach:
    """All that there is."""
    return EVERYTHING


def speaker(params: lifecycle.IdentityParams | lifecycle.SpeakerParams) -> Reach:
    """The namespace of who speaks."""
    return Reach(namespaces=(namespace_of(params),))


def namespace(params: storage.NamespaceParams) -> Reach:
    """The namespace that is named; without one, everything."""
    told = stored_namespace(params)
    return Reach(namespaces=(told,)) if told else EVERYTHING


def gated_user(params: storage.GatingScalar) -> Reach:
    return Reach(namespaces=(told_owner(params.user_id.strip() or DEFAULT),))


def dreamer(params: storage.PromoteDreamEntries) -> Reach:
    return Reach(namespaces=(told_owner(params.user_id),)) if params.user_id.strip() else NOTHING


def collection(params: storage.ListCollection | storage.ListByMeta | storage.SearchText) -> Reach:
    """The one collection that is named."""
    return Reach(collections=(params.collection,))


def listed(params: engine.ListRecordsParams) -> Reach:
    return Reach(collections=(params.collection,))


def collections(params: storage.SearchTextCollections) -> Reach:
    return Reach(collections=params.collections)


def made(params: storage.EnsureCollections) -> Reach:
    return Reach(collections=params.collections)


def searched(params: SearchParams) -> Reach:
    """The collections that are named, and the namespace of who asks."""
    told = asked_namespace(params)
    return Reach(
        namespaces=(*(() if told is None else (told,)), *_noted(params.notes_of)), collections=params.collections
    )


def assembled(params: lifecycle.AssembleParams) -> Reach:
    """The namespace of who speaks, and of the agent whose notes are recalled."""
    return Reach(namespaces=(namespace_of(params), *_noted(params.notes_of)))


def _noted(owner: str) -> tuple[str, ...]:
    return (named(owner),) if owner.strip() else ()


def dreaming(params: notes.PromoteDiaryParams) -> Reach:
    return Reach(namespaces=(named(params.namespace),))


def raw_session(params: storage.QueryRawSession) -> Reach:
    return Reach(collections=(raw_turns(params.session_id),))


def covered(params: storage.ExpandSummary) -> Reach:
    """What a summary stands for: records of its session."""
    return Reach(collections=(raw_turns(params.session_id),))


def expanded(params: lifecycle.ExpandParams) -> Reach:
    """The same, of who asks if that is told."""
    told = told_namespace(params)
    return Reach(namespaces=() if told is None else (told,), collections=(raw_turns(params.session_id),))


def erased(params: engine.EraseNamespaceParams) -> Reach:
    return Reach(namespaces=(named(params.namespace),))


def moved(params: engine.MoveNamespaceParams) -> Reach:
    return Reach(namespaces=(named(params.from_), named(params.to)))


def session(params: storage.CompactSession | lifecycle.CompactParams) -> Reach:
    return Reach(sessions=(params.session_id,)) if params.session_id else NOTHING


def hinted(params: storage.SessionLifecycleHint) -> Reach:
    """A session as a whole: a hint can begin it anew."""
    return Reach(sessions=(params.session_id,), may_be_new=True)


def journal(params: storage.ListLifecycleJournal) -> Reach:
    return Reach(sessions=(params.session_id,)) if params.session_id else EVERYTHING


def inserted(params: storage.InsertText) -> Reach:
    return Reach(written=(Written(collection=params.collection, id=params.id, metadata=params.metadata),))


def inserted_turn(params: storage.InsertSessionTurn) -> Reach:
    names = (session_view(params.session_id), raw_turns(params.session_id))
    return Reach(written=tuple(Written(collection=name, id=params.id, metadata=params.metadata) for name in names))


def remembered(params: engine.RememberParams) -> Reach:
    return Reach(
        written=tuple(
            Written(collection=note.collection, id=note.id, metadata=note.metadata or {}) for note in params.notes
        )
    )


def updated(params: memories.UpdateMemoryParams) -> Reach:
    """A memory of who speaks, and what is to be told with it."""
    whose = namespace_of(params)
    written = Written(collection=durable_memory(whose), id=params.id, metadata=params.metadata or {})
    return Reach(namespaces=(whose,), written=(written,))


def removed(params: storage.Delete | storage.DeleteBatch | engine.ForgetParams) -> Reach:
    """Records by their ids; those of others count as unknown."""
    return Reach(collections=(params.collection,))


def counted(params: storage.BumpAccessCounts) -> Reach:
    return Reach(collections=_distinct(update.collection for update in params.updates))


def dropped(params: engine.DropCollectionsParams) -> Reach:
    if params.everything:
        return EVERYTHING
    names = (named(params.namespace),) if params.namespace else ()
    return Reach(namespaces=names, collections=params.names, is_whole=True)


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


# ── the table ─────────────────────────────────────────────────────────────────────────────────────────────

_READ, _WRITE, _ADMIN = AccessRole

_NEEDED: Mapping[str, tuple[AccessRole, Callable[[Any], Reach]]] = {
    "health": (_READ, nothing),
    "status": (_READ, everything),
    "ensure_collections": (_WRITE, made),
    "insert_text": (_WRITE, inserted),
    "insert_session_turn": (_WRITE, inserted_turn),
    "search_text": (_READ, collection),
    "search_text_collections": (_READ, collections),
    "list_collection": (_READ, collection),
    "list_by_meta": (_READ, collection),
    "bump_access_counts": (_WRITE, counted),
    "delete": (_WRITE, removed),
    "delete_batch": (_WRITE, removed),
    "gating_scalar": (_READ, gated_user),
    "compact_session": (_WRITE, session),
    "expand_summary": (_READ, covered),
    "query_raw_session": (_READ, raw_session),
    "ingest_markdown_document": (_ADMIN, everything),
    "delete_authored_document": (_ADMIN, everything),
    "promote_dream_entries": (_WRITE, dreamer),
    "session_lifecycle_hint": (_WRITE, hinted),
    "list_lifecycle_journal": (_READ, journal),
    "export_memory": (_READ, namespace),
    "flush_namespace": (_WRITE, namespace),
    "flush": (_READ, nothing),
    "remember": (_WRITE, remembered),
    "search": (_READ, searched),
    "forget": (_WRITE, removed),
    "list_records": (_READ, listed),
    "list_collections": (_READ, nothing),
    "drop_collections": (_WRITE, dropped),
    "erase_namespace": (_ADMIN, erased),
    "move_namespace": (_ADMIN, moved),
    "retain": (_ADMIN, everything),
    "verify_erasure": (_ADMIN, everything),
    "describe": (_READ, everything),
    "author": (_ADMIN, everything),
    "withdraw": (_ADMIN, everything),
    "list_documents": (_READ, nothing),
    "list_nodes": (_READ, nothing),
    "lint_authored": (_READ, nothing),
    "reembed": (_ADMIN, everything),
    "export_file": (_ADMIN, everything),
    "import_file": (_ADMIN, everything),
    "backup": (_ADMIN, everything),
    "bootstrap": (_WRITE, speaker),
    "ingest": (_WRITE, speaker),
    "ingest_batch": (_WRITE, speaker),
    "commit_turn": (_WRITE, speaker),
    "assemble": (_READ, assembled),
    "compact": (_WRITE, session),
    "expand": (_READ, expanded),
    "explain": (_READ, speaker),
    "why_not": (_READ, speaker),
    "replay": (_READ, speaker),
    "judge": (_READ, speaker),
    "feedback": (_WRITE, speaker),
    "gate_report": (_READ, speaker),
    "read_memory": (_READ, speaker),
    "forget_turns": (_WRITE, speaker),
    "restore_memory": (_WRITE, speaker),
    "list_guidance": (_READ, speaker),
    "remove_guidance": (_WRITE, speaker),
    "profile_show": (_READ, speaker),
    "profile_rebuild": (_WRITE, speaker),
    "profile_pin": (_WRITE, speaker),
    "profile_edit": (_WRITE, speaker),
    "profile_forget": (_WRITE, speaker),
    "find_memory": (_READ, speaker),
    "list_memories": (_READ, speaker),
    "update_memory": (_WRITE, updated),
    "memory_history": (_READ, speaker),
    "list_sessions": (_READ, speaker),
    "list_namespaces": (_READ, nothing),
    "open_namespace_export": (_READ, speaker),
    "import_namespace": (_WRITE, speaker),
    "list_turns": (_READ, speaker),
    "list_summaries": (_READ, speaker),
    "list_receipts": (_READ, speaker),
    "gate_scores": (_READ, speaker),
    "supersede_memory": (_WRITE, speaker),
    "try_search": (_READ, speaker),
    "recall_settings": (_READ, nothing),
    "check_store": (_ADMIN, everything),
    "changes": (_READ, speaker),
    "preview_prompt": (_READ, speaker),
    "watch_notes": (_ADMIN, everything),
    "unwatch_notes": (_ADMIN, everything),
    "list_notes": (_ADMIN, everything),
    "promote_diary": (_WRITE, dreaming),
    "open_export": (_ADMIN, everything),
    "read_export": (_READ, nothing),  # its id is a secret that only its opener knows
    "close_export": (_READ, nothing),
    "import_batch": (_ADMIN, everything),
    "save_backup": (_ADMIN, everything),
    "authenticate": (_READ, nothing),
}

ACCESS: Mapping[str, Access] = {name: Access(role=role, reach=reach) for name, (role, reach) in _NEEDED.items()}

ADMIN_ONLY = Access(role=AccessRole.ADMIN, reach=everything)
