"""Whether a caller may do what it asks, and which of the records found it may see.

`wire/methods/access.py` tells what each method needs and touches; here it is held against the rights of the caller.
What belongs to a namespace is known by its collection. In a session several may speak, so there each record is asked
whose it is, and what names nobody is the session's own. Records of others count as unknown, whether there are any or
not.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any, TypeVar

import msgspec

from libravdb.daemon.rights import ALL, Rights
from libravdb.engine.former_versions import as_it_was, version_traces
from libravdb.engine.masking import Masking
from libravdb.engine.pages import every_record
from libravdb.errors import Forbidden, InvalidInput
from libravdb.model import Answer, Key, MarkedAnswer, Metadata, Record, SummaryNode, TriedSearch
from libravdb.model.collections import (
    NAMESPACE_KINDS,
    PROJECTED_KINDS,
    SESSION_KINDS,
    SHARED_KINDS,
    parse_collection,
    session_collections,
    session_of,
    session_summaries,
)
from libravdb.model.namespaces import named, unnamed
from libravdb.model.session_state import SessionMetadata
from libravdb.model.turn_metadata import OWNER, turn_traces
from libravdb.ports.store import Snapshot, Store
from libravdb.ports.validation import check_name_size
from libravdb.ports.walls import seen_by
from libravdb.wire.methods.access import ACCESS, ADMIN_ONLY, AccessRole, Reach, Written
from libravdb.wire.methods.engine import CollectionsResult, ForgetParams
from libravdb.wire.methods.inspection import SummariesResult
from libravdb.wire.methods.memories import ImportNamespaceParams, ListNamespacesParams, RecordPage
from libravdb.wire.methods.method import RecordsResult
from libravdb.wire.methods.storage import (
    AccessUpdate,
    BumpAccessCounts,
    Delete,
    DeleteBatch,
    EnsureCollections,
    Exported,
    Results,
)

MOST_MADE = 100
"""Collections that one call makes for whoever is no admin."""

_ADMIN = "Ask for a token of role admin: 'libravdb token create --role admin'."
_UNKNOWN = f"unknown:{secrets.token_hex(8)}:"
"""Stands for the ids of records that a caller may not know of: no record has such an id."""

P = TypeVar("P")


class Guard:
    """Asks the store whose a record is. Usable from many threads."""

    def __init__(self, store: Store, masking: Masking) -> None:
        self._store = store
        self._masking = masking

    def admit(self, method: str, params: P, rights: Rights) -> P:
        """The params as they may be carried out; raises Forbidden.

        Names are looked at as the store has them, without secrets: whoever looks at one name and deletes under another
        looks at nothing.
        """
        access = ACCESS.get(method, ADMIN_ONLY)
        if not rights.role.covers(access.role):
            raise Forbidden(
                f"{method} needs the role {access.role}, and this token has the role {rights.role}.", remedy=_ADMIN
            )
        if rights.is_admin:
            return params
        if isinstance(params, EnsureCollections) and len(params.collections) > MOST_MADE:
            raise InvalidInput(
                "collections", f"has {len(params.collections):,} names", remedy=f"Make at most {MOST_MADE} in one call."
            )
        rights = self._masked(rights)
        self._refuse_foreign(access.reach(params), rights)
        params = self._masking.fields(params)
        reach = access.reach(params)
        if reach.is_everything and (access.role is not AccessRole.READ or not rights.is_of_all):
            raise Forbidden(f"{method} is about everything there is, not about one namespace.", remedy=_ADMIN)
        self._check(reach, rights, is_write=access.role is AccessRole.WRITE)
        return params if rights.is_of_all else self._narrowed(params, rights)

    def touched(self, method: str, params: object) -> tuple[str, ...]:
        """The namespaces that a call is about, as they are told; `*` stands for all of them. None when it is about a
        session of several, or about what all share."""
        reach = ACCESS.get(method, ADMIN_ONLY).reach(params)
        if reach.is_everything:
            return (ALL,)
        named_so = [*reach.namespaces, *map(_namespace_of, reach.collections)]
        written = (_owner_of(each.collection, each.metadata) for each in reach.written)
        told = tuple(dict.fromkeys(each for each in (*named_so, *written) if each))
        for each in told:
            check_name_size("namespace", each)  # metadata can name one too
        return told

    def stored(self, namespaces: Iterable[str]) -> tuple[str, ...]:
        """Namespaces as the store has their names, without secrets."""
        return tuple(dict.fromkeys(map(self._masking.name, namespaces)))

    def walled(self, method: str, params: object, rights: Rights) -> AbstractContextManager[None]:
        """A block in which the store shows only what is within these rights, should a flow ask for more: a second wall,
        where the store has one. Whoever writes to a session joins it: it is open to him, whoever spoke there before."""
        if rights.is_of_all:
            return nullcontext()
        access = ACCESS.get(method, ADMIN_ONLY)
        sessions = _named_sessions(access.reach(params), params) if access.role is AccessRole.WRITE else ()
        return seen_by(self.stored(rights.namespaces), sessions=self.stored(sessions))

    def sift(self, method: str, params: object, result: object, rights: Rights) -> object:
        """A result without what is not the caller's to see."""
        if rights.is_of_all:
            return result
        rights = self._masked(rights)
        place = next(iter(ACCESS[method].reach(params).collections), "")
        match result:
            case Results(results=found):
                is_one = method != "search_text_collections"
                kept = tuple(
                    one
                    for one in found
                    if not place or is_own(rights, place if is_one else str(one.metadata["collection"]), one.metadata)
                )
                return replace(result, results=kept)
            case RecordsResult(records=records):
                return replace(result, records=tuple(one for one in records if _is_own(rights, one)))
            case RecordPage(records=records):
                return replace(result, records=tuple(one for one in records if _is_own(rights, one)))
            case Exported(records=exported):
                return replace(result, records=tuple(one for one in exported if _is_own(rights, one)))
            case Answer(hits=hits):
                return replace(result, hits=tuple(hit for hit in hits if _is_own(rights, hit.record)))
            case TriedSearch(usual=usual, tried=tried):
                beside = None if tried is None else _own_hits(tried, rights)
                return replace(result, usual=_own_hits(usual, rights), tried=beside)
            case SummariesResult(nodes=nodes):
                return replace(result, nodes=self._own_nodes(params, nodes, rights))
            case CollectionsResult(collections=infos):
                return replace(result, collections=tuple(one for one in infos if is_listed(rights, one.name)))
            case _:
                return result

    def _own_nodes(self, params: object, nodes: Sequence[SummaryNode], rights: Rights) -> tuple[SummaryNode, ...]:
        """The summaries of a session that are within these rights: whose each is, its record tells."""
        session = getattr(params, "session_id", "")
        keys = {node.id: Key(session_summaries(session), node.id) for node in nodes}
        with self._store.read() as snapshot:
            held = snapshot.records(list(keys.values())) if keys else {}
        return tuple(one for one in nodes if keys[one.id] in held and _is_own(rights, held[keys[one.id]]))

    def _masked(self, rights: Rights) -> Rights:
        """Rights with their namespaces as the store has them."""
        return replace(rights, namespaces=tuple(map(self._masking.name, rights.namespaces)))

    # ── what is touched ───────────────────────────────────────────────────────────────────────────────────

    def _refuse_foreign(self, reach: Reach, rights: Rights) -> None:
        """What names a namespace of somebody else is refused by that name alone, before the rest is looked into."""
        places = (*reach.collections, *(each.collection for each in reach.written))
        owners = (_namespace_of(self._masking.name(place)) for place in dict.fromkeys(places))
        for name in (*map(self._masking.name, reach.namespaces), *owners):
            if name and not rights.allows(name):
                raise _foreign(f"the namespace {name!r}", rights)

    def _check(self, reach: Reach, rights: Rights, *, is_write: bool) -> None:
        for namespace in reach.namespaces:
            if not rights.allows(namespace):
                raise _foreign(f"the namespace {namespace!r}", rights)
        for name in reach.collections:
            self._check_collection(name, rights, is_write=is_write, is_whole=reach.is_whole)
        for written in reach.written:
            self._check_collection(written.collection, rights, is_write=True, is_whole=False)
        if rights.is_of_all:
            return
        for session in reach.sessions:
            self._check_session(session, rights, may_be_new=reach.may_be_new)
        self._check_written(reach.written, rights)

    def _check_collection(self, name: str, rights: Rights, *, is_write: bool, is_whole: bool) -> None:
        found = parse_collection(name)
        if found.kind in SHARED_KINDS:
            if is_write:
                raise Forbidden(f"{name!r} is shared by all: only an admin writes it.", remedy=_ADMIN)
        elif found.kind in NAMESPACE_KINDS:
            if not rights.allows(found.owner):
                raise _foreign(f"the namespace {found.owner!r}", rights)
        elif found.kind in PROJECTED_KINDS or (is_whole and found.kind in SESSION_KINDS):
            if not rights.is_of_all:
                self._check_session(found.owner, rights, may_be_new=False)
        elif found.kind not in SESSION_KINDS and not rights.is_of_all:
            raise _foreign(f"the collection {name!r}, which names no namespace,", rights)

    def _check_session(self, session: str, rights: Rights, *, may_be_new: bool) -> None:
        """A session as a whole is for whoever has the rights of all who speak in it; an unknown one looks the same as
        one of others, unless it may be begun."""
        is_begun = False
        with self._store.read() as snapshot:
            for owner in _owners(snapshot, session):
                is_begun = True
                if not rights.allows(owner):  # at the first of them: how long it takes must not tell how much there is
                    raise _foreign_session(session, rights)
        if not (is_begun or may_be_new):
            raise _foreign_session(session, rights)

    def _check_written(self, written: Sequence[Written], rights: Rights) -> None:
        for each in written:
            told = each.metadata.get(OWNER)
            if not (told is None or (isinstance(told, str) and (not told.strip() or rights.allows(named(told))))):
                raise _foreign("the userId that a record is to carry", rights)
            place = parse_collection(each.collection)
            if place.kind not in SESSION_KINDS:
                continue
            if not is_own(rights, each.collection, each.metadata):
                raise _foreign(f"records of the session {place.owner!r} that carry no userId", rights)
            if each.id is None:
                self._check_session(place.owner, rights, may_be_new=True)
            else:
                self._check_taken(each.collection, each.id, rights)

    def _check_taken(self, collection: str, id: str, rights: Rights) -> None:
        with self._store.read() as snapshot:
            held = snapshot.records([Key(collection, id)])
        if not all(_is_own(rights, record) for record in held.values()):
            raise _foreign(f"the id {id!r} in {collection!r}", rights)

    # ── narrowing ─────────────────────────────────────────────────────────────────────────────────────────

    def _narrowed(self, params: P, rights: Rights) -> P:
        """Params in which an id that is somebody else's is one that nobody has, and that make no collection which is
        held to no quota: one of a session comes with its first record."""
        narrowed: Any = params
        match params:
            case Delete(collection=name, id=id):
                narrowed = replace(params, id=self._own_ids(name, [id], rights)[0])
            case DeleteBatch(collection=name, ids=ids):
                narrowed = replace(params, ids=self._own_ids(name, ids, rights))
            case ForgetParams(collection=name, ids=ids):
                narrowed = replace(params, ids=self._own_ids(name, ids, rights, with_traces=True))
            case EnsureCollections(collections=names):
                narrowed = replace(params, collections=tuple(filter(_is_namespaced, names)))
            case ListNamespacesParams():
                narrowed = replace(params, patterns=rights.namespaces)
            case BumpAccessCounts(updates=updates):
                narrowed = replace(params, updates=tuple(self._own_update(one, rights) for one in updates))
        result: P = narrowed
        return result

    def _own_update(self, update: AccessUpdate, rights: Rights) -> AccessUpdate:
        return replace(update, ids=self._own_ids(update.collection, update.ids, rights))

    def _own_ids(
        self, collection: str, ids: Sequence[str], rights: Rights, *, with_traces: bool = False
    ) -> tuple[str, ...]:
        with self._store.read() as snapshot:
            held = snapshot.records([Key(collection, id) for id in ids])
            foreign = {key.id for key, record in held.items() if not _is_own(rights, record)}
            if with_traces:
                foreign |= {key.id for key, record in held.items() if not _traces_are_own(snapshot, record, rights)}
        return tuple(f"{_UNKNOWN}{id}" if id in foreign else id for id in ids)


def _traces_are_own(snapshot: Snapshot, record: Record, rights: Rights) -> bool:
    """Whether all that goes with a record is its owner's: metadata can name a turn of somebody else, those that it had
    before too."""
    former = map(as_it_was, version_traces(snapshot, [(record.collection, record.id)]))
    places = {place for one in (record, *former) for place in turn_traces(one)}
    traces = snapshot.records([Key(*place) for place in places])
    return all(_is_own(rights, trace) for trace in traces.values())


def _owners(snapshot: Snapshot, session: str) -> Iterator[str]:
    """All who speak in a session, under every name that it had or has: those that its state tells first, then those
    of its records, one by one."""
    state = SessionMetadata.of(snapshot.states([session]).get(session))
    names = {session, *state.names}
    states = map(SessionMetadata.of, snapshot.states(names).values())
    yield from {owner for one in states for owner in one.namespaces}
    for name in (name for one in sorted(names) for name in session_collections(one)):
        for record in every_record(snapshot, name):
            yield _owner(record.collection, record.metadata)


def _owner(collection: str, metadata: Metadata) -> str:
    """Whose a record of a session is; the session's own when it does not tell."""
    told = metadata.get(OWNER)
    if isinstance(told, str) and told.strip():
        return named(told)
    return unnamed(parse_collection(collection).owner)


def _named_sessions(reach: Reach, params: object) -> set[str]:
    """The sessions that a call names, by themselves, by their collections or in what it brings."""
    told = getattr(params, "session_id", "")
    places = [*reach.collections, *(each.collection for each in reach.written)]
    if isinstance(params, ImportNamespaceParams):
        places += {_line_collection(line) for line in params.lines}
    return {each for each in (told, *reach.sessions, *map(session_of, places)) if each}


class _RecordLine(msgspec.Struct):
    """What is looked at of a line of an export."""

    collection: str = ""


_RECORD_LINES = msgspec.json.Decoder(_RecordLine)


def _line_collection(line: str) -> str:
    """The collection of a record of an export; empty for another line, or one that will be refused."""
    try:
        return _RECORD_LINES.decode(line).collection
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return ""


def _namespace_of(collection: str) -> str:
    place = parse_collection(collection)
    return place.owner if place.kind in NAMESPACE_KINDS else ""


def _owner_of(collection: str, metadata: Metadata) -> str:
    """Whose a record will be that is written there; empty for what nobody owns."""
    place = parse_collection(collection)
    told = metadata.get(OWNER)
    if place.kind in SESSION_KINDS:
        return _owner(collection, metadata)
    return _namespace_of(collection) or (named(told) if isinstance(told, str) and told.strip() else "")


def is_own(rights: Rights, collection: str, metadata: Metadata) -> bool:
    """Whether a record is within these rights, by where it stands and what is told with it."""
    place = parse_collection(collection)
    if place.kind in NAMESPACE_KINDS:
        return rights.allows(place.owner)
    if place.kind in SESSION_KINDS:
        return rights.allows(_owner(collection, metadata))
    return place.kind in (*SHARED_KINDS, *PROJECTED_KINDS) or rights.is_of_all


def _is_own(rights: Rights, record: Any) -> bool:  # noqa: ANN401 - a record of the store, or one on its way out
    return is_own(rights, record.collection, record.metadata)


def _own_hits(answer: MarkedAnswer, rights: Rights) -> MarkedAnswer:
    return replace(answer, hits=tuple(one for one in answer.hits if _is_own(rights, one.hit.record)))


def is_listed(rights: Rights, collection: str) -> bool:
    """Whether a collection's name and size may be told: those of sessions may belong to anybody."""
    place = parse_collection(collection)
    if place.kind in NAMESPACE_KINDS:
        return rights.allows(place.owner)
    return place.kind in SHARED_KINDS or rights.is_of_all


def _is_namespaced(collection: str) -> bool:
    return parse_collection(collection).kind in NAMESPACE_KINDS


def _foreign_session(session: str, rights: Rights) -> Forbidden:
    refused = _foreign(f"all who speak in the session {session!r}", rights)
    return Forbidden(refused.message, remedy="Give it a name that others do not use too, such as 'anna/monday'.")


def _foreign(what: str, rights: Rights) -> Forbidden:
    patterns: Iterable[str] = rights.namespaces
    return Forbidden(
        f"This token has no right to {what}; its namespaces are {', '.join(map(repr, patterns))}.",
        remedy=f"Ask for a token with that namespace: 'libravdb token create --namespace …' ({ALL!r} is all of them).",
    )
