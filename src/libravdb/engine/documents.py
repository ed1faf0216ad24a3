"""Authored documents in a store: kept, replaced as a whole, withdrawn, told about.

Nodes stand in one collection per tier, under `<document>#<ordinal>`. Beside them each document has one small record in
a collection of its own, written in the same commit: it tells whether a document is unchanged, and lists all documents
without reading a node. The record has no text, so no search finds it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from libravdb.core.authored.markdown import split
from libravdb.core.authored.settings import AuthoredSettings
from libravdb.core.authored.tiers import RECIPE, ReadRules, TieredDocument, cache_key, is_core, modality_mask, tier
from libravdb.engine.memories import refuse_long
from libravdb.engine.pages import every_record, one_record
from libravdb.engine.retry import retry_on_conflict
from libravdb.errors import DocumentTooHard, InvalidInput
from libravdb.model import (
    MUST_BE_NEW,
    Authored,
    Change,
    DocumentInfo,
    Json,
    Metadata,
    Node,
    NodeKind,
    Outcome,
    Put,
    Record,
    Remark,
    Remove,
    Tier,
    TieredNode,
)
from libravdb.model.collections import AUTHORED, DOCUMENTS
from libravdb.model.json import mend_json
from libravdb.ports.clock import Clock
from libravdb.ports.store import Snapshot, Store
from libravdb.text.tokens import ESTIMATOR
from libravdb.text.unicode import mend

MOST_NODES = 1_000_000
"""What six digits can number."""

RULING_TIERS = (Tier.HARD, Tier.SOFT)
"""The tiers that stand in every prompt."""

FIRST_PAGE = 16
"""Nodes read at first; each further page is twice as long."""

Commit = Callable[[Sequence[Remove], Sequence[Put]], str]
"""Embeds what is new, commits all or nothing, and returns in words what is reduced."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentInput:
    """A document that is given to be kept."""

    source_doc: str
    text: str
    core: bool
    tokenizer: str
    source_meta: Metadata


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentTools:
    """What documents are worked on with: the store, how to commit, how rules are read, and the budget of hard rules."""

    store: Store
    commit: Commit
    read_rules: ReadRules
    hard_budget: int


class Documents:
    """The documents of an author, and the rules in them. Usable from many threads."""

    def __init__(
        self,
        *,
        store: Store,
        commit: Commit,
        read_rules: ReadRules,
        clock: Clock,
        mask: Callable[[str], str],
        settings: AuthoredSettings,
        hard_budget: int,
    ) -> None:
        self._store = store
        self._commit = commit
        self._read_rules = read_rules
        self._clock = clock
        self._mask = mask
        self._settings = settings
        self._hard_budget = hard_budget

    def author(
        self,
        source_doc: str,
        text: str,
        *,
        core: bool | None = None,
        tokenizer: str = ESTIMATOR,
        source_meta: Metadata | None = None,
    ) -> Authored:
        """Keep a Markdown document. A changed one replaces its former self in one commit, an unchanged one stays.

        Without `core` its file name decides. Raises DocumentTooHard when its hard rules exceed their budget; the former
        version then stays.
        """
        source_doc, text = mend(source_doc), self._mask(mend(text))
        if not source_doc.strip():
            raise InvalidInput("source_doc", "is empty", remedy="Name the document.")
        refuse_long(text, field="document", most=self._settings.max_chars, by="authored.max_chars")
        given = DocumentInput(
            source_doc=source_doc,
            text=text,
            core=is_core(source_doc, self._settings.core_names) if core is None else core,
            tokenizer=mend(tokenizer),
            source_meta=mend_json(source_meta or {}),
        )
        desk = DocumentTools(
            store=self._store, commit=self._commit, read_rules=self._read_rules, hard_budget=self._hard_budget
        )
        return retry_on_conflict(lambda: author(desk, given, now=self._clock()))

    def withdraw(self, source_doc: str) -> int:
        """Delete a document with all of its nodes, in one commit; returns how many there were."""
        return withdraw(self._store, mend(source_doc))

    def list(self) -> Mapping[str, DocumentInfo]:
        """Every authored document by its name, without its nodes."""
        return documents(self._store)

    def nodes(self, source_doc: str) -> Sequence[Record]:
        """The nodes of a document in source order; none when it is unknown."""
        return authored_nodes(self._store, mend(source_doc))

    def review(self, given: Mapping[str, str] | None = None) -> tuple[Remark, ...]:
        """What the author of rules should look at: contradictions, duplicates, vagueness, the budget.

        `given` maps names to Markdown that is read as core documents and not stored; without it, what is stored.
        """
        from libravdb.core.authored.review import review  # noqa: PLC0415 - loads the words of all languages

        nodes = (
            ruling_nodes(self._store)
            if given is None
            else ((name, node) for name, text in given.items() for node in split(mend(text)))
        )
        return review(nodes, read_rules=self._read_rules, hard_limit=self._hard_budget)


# ── reading ───────────────────────────────────────────────────────────────────────────────────────────────


def author(desk: DocumentTools, given: DocumentInput, *, now: int) -> Authored:
    """Keep a document: a changed one replaces all of its nodes in one commit, an unchanged one costs nothing.

    Raises DocumentTooHard when its hard nodes exceed their budget, and Conflict when somebody else wrote the same
    document meanwhile; in both cases what was there stays as it was.
    """
    key = cache_key(given.text, given.tokenizer)
    with desk.store.read() as snapshot:
        record = one_record(snapshot, DOCUMENTS, given.source_doc)
        former = list(_nodes(snapshot, given.source_doc))
    if record is not None and _is_current(record, given, key=key, nodes=len(former)):
        return _unchanged(desk, given, record)
    made = tier(
        given.source_doc,
        given.text,
        core=given.core,
        read_rules=desk.read_rules,
        hard_budget=desk.hard_budget,
    )
    info = DocumentInfo(
        source_doc=given.source_doc,
        cache_key=key,
        core=given.core,
        nodes=len(made.nodes),
        hard_tokens=made.hard_tokens,
        soft_tokens=made.soft_tokens,
        source_meta=given.source_meta,
        at=now,
    )
    gone, puts = _differences(former, _puts(given, made, key=key, now=now))
    degraded = desk.commit(gone, [_record_of(info, expect=record), *puts])
    return Authored(outcome=Outcome.CHANGED if record or former else Outcome.ADDED, document=info, degraded=degraded)


def withdraw(store: Store, source_doc: str) -> int:
    """Delete a document with all of its nodes, in one commit; returns how many there were."""
    with store.read() as snapshot:
        former = [Remove(collection=one.collection, id=one.id) for one in _nodes(snapshot, source_doc)]
    changes: list[Change] = [*former, Remove(collection=DOCUMENTS, id=source_doc)]
    store.commit(changes)
    return len(former)


def documents(store: Store) -> dict[str, DocumentInfo]:
    """Every document by its name, in byte order, without its nodes."""
    with store.read() as snapshot:
        return {record.id: _info_of(record) for record in every_record(snapshot, DOCUMENTS)}


def authored_nodes(store: Store, source_doc: str) -> list[Record]:
    """The nodes of a document in source order."""
    with store.read() as snapshot:
        return sorted(_nodes(snapshot, source_doc), key=authored_order)


def ruling_nodes(store: Store) -> Iterator[tuple[str, Node]]:
    """The hard and soft nodes of all documents with their documents' names, as far as the store holds them."""
    with store.read() as snapshot:
        rules = authored_rules(snapshot)
    for record in rules:
        kind = NodeKind.of(record.metadata.get("node_kind"))
        if kind is not None:  # a client may put anything into these collections
            yield (
                str(record.metadata.get("source_doc", "")),
                Node(
                    kind=kind,
                    ordinal=_count(record.metadata, "ordinal"),
                    start=_count(record.metadata, "position"),
                    end=_count(record.metadata, "position_end"),
                    line=_count(record.metadata, "line"),
                    text=record.text,
                ),
            )


def authored_rules(snapshot: Snapshot) -> tuple[Record, ...]:
    """Hard and soft nodes of all documents, in authored order."""
    found = [record for tier in RULING_TIERS for record in every_record(snapshot, AUTHORED[tier])]
    return tuple(sorted(found, key=authored_order))


def authored_order(record: Record) -> tuple[str, float, float, str]:
    """Document, position, ordinal, id: the order in which authored nodes are listed."""

    def number(key: str) -> float:
        value = record.metadata.get(key)
        return value if isinstance(value, int | float) else 0

    return str(record.metadata.get("source_doc", "")), number("position"), number("ordinal"), record.id


# ── reading ───────────────────────────────────────────────────────────────────────────────────────────────


def _nodes(snapshot: Snapshot, source_doc: str) -> Iterator[Record]:
    """The nodes of a document, found by their ids: no other document's nodes are read, whatever the store holds."""
    for collection in AUTHORED.values():
        after = prefix = f"{source_doc}#"
        limit = FIRST_PAGE
        while page := snapshot.page(collection, after=after, limit=limit).items:
            for record in page:
                if not record.id.startswith(prefix):
                    break
                # "a#b" is a document too, and its ids begin as those of "a" do.
                if record.metadata.get("source_doc") == source_doc:
                    yield record
            if not page[-1].id.startswith(prefix):
                break
            after, limit = page[-1].id, 2 * limit


def _is_current(record: Record, given: DocumentInput, *, key: str, nodes: int) -> bool:
    """Whether the document stands as it was given. Nodes are counted: somebody may have dropped their collection."""
    told = record.metadata
    return (
        told.get("cache_key") == key
        and told.get("core") is given.core
        and told.get("recipe") == RECIPE
        and told.get("nodes") == nodes
    )


def _unchanged(desk: DocumentTools, given: DocumentInput, record: Record) -> Authored:
    info = _info_of(record)
    if info.hard_tokens > desk.hard_budget:  # the budget has become smaller since
        raise DocumentTooHard(document=info.source_doc, tokens=info.hard_tokens, limit=desk.hard_budget)
    if dict(info.source_meta) != dict(given.source_meta):  # the file was touched: its nodes stay as they are
        info = replace(info, source_meta=given.source_meta)
        desk.commit((), [_record_of(info, expect=record)])
    return Authored(outcome=Outcome.UNCHANGED, document=info)


def _differences(former: Sequence[Record], puts: Iterable[Put]) -> tuple[list[Remove], list[Put]]:
    """What to delete and what to write. A node that keeps its place and its text keeps its time and access count."""
    before = {(record.collection, record.id): record for record in former}
    written: list[Put] = []
    for put in puts:
        known = before.get((put.collection, put.id))
        if known is not None and known.text == put.text:
            del before[put.collection, put.id]
            put = replace(put, at=known.at)  # noqa: PLW2901 - the same node
        written.append(put)
    return [Remove(collection=record.collection, id=record.id) for record in before.values()], written


# ── shapes ────────────────────────────────────────────────────────────────────────────────────────────────


def _puts(given: DocumentInput, made: TieredDocument, *, key: str, now: int) -> Iterator[Put]:
    if len(made.nodes) > MOST_NODES:
        raise InvalidInput("text", f"has {len(made.nodes):,} nodes, at most {MOST_NODES:,} can be numbered")
    shared: dict[str, Json] = {
        "source_doc": given.source_doc,
        "authored": True,
        "is_core_doc": given.core,
        "tokenizer_id": given.tokenizer,
        "cache_key": key,
        "hop_targets": list(made.hop_targets),
        **{_snake(name): value for name, value in given.source_meta.items()},
    }
    for node in made.nodes:
        yield Put(
            collection=AUTHORED[node.tier],
            id=f"{given.source_doc}#{node.node.ordinal:06}",
            text=node.node.text,
            at=now,
            metadata={**shared, **_metadata_of(node)},
        )


def _metadata_of(tiered: TieredNode) -> dict[str, Json]:
    node = tiered.node
    context: dict[str, Json] = {"context": list(node.context)} if node.context else {}
    return {
        "node_kind": node.kind.spelled,
        "ordinal": node.ordinal,
        "position": node.start,
        "position_end": node.end,
        "line": node.line,
        "tier": int(tiered.tier),
        "tier_reason": tiered.reason,
        "authority": tiered.authority,
        "token_estimate": tiered.tokens,
        "promoted": tiered.is_promoted,
        "modality_mask": modality_mask(tiered.modalities),
        **context,
    }


def _snake(name: str) -> str:
    """sourceMtimeMs as nodes spell it: source_mtime_ms."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _record_of(info: DocumentInfo, *, expect: Record | None) -> Put:
    return Put(
        collection=DOCUMENTS,
        id=info.source_doc,
        text="",
        at=info.at,
        metadata={
            "recipe": RECIPE,
            "cache_key": info.cache_key,
            "core": info.core,
            "nodes": info.nodes,
            "hard_tokens": info.hard_tokens,
            "soft_tokens": info.soft_tokens,
            "source_meta": dict(info.source_meta),
        },
        expect=MUST_BE_NEW if expect is None else expect.version,
    )


def _info_of(record: Record) -> DocumentInfo:
    told = record.metadata
    source_meta = told.get("source_meta")
    return DocumentInfo(
        source_doc=record.id,
        cache_key=str(told.get("cache_key", "")),
        core=told.get("core") is True,
        nodes=_count(told, "nodes"),
        hard_tokens=_count(told, "hard_tokens"),
        soft_tokens=_count(told, "soft_tokens"),
        source_meta=source_meta if isinstance(source_meta, Mapping) else {},
        at=record.at,
    )


def _count(told: Metadata, key: str) -> int:
    value = told.get(key)
    return value if isinstance(value, int) else 0
