"""How earlier versions spelled what they wrote, and how it is spelled now: for stores and exports of theirs."""

from __future__ import annotations

from libravdb.model.authored import NodeKind
from libravdb.model.collections import CollectionKind, is_authored, parse_collection, prefix
from libravdb.model.json import Json, Metadata
from libravdb.model.record_ids import dream_id
from libravdb.model.turn_metadata import KIND, dream_facts

_DREAM = "dream_entry"


def spell_anew(collection: str, id: str, metadata: Metadata) -> tuple[str, Metadata]:
    """The id and the metadata of a record as today's version writes them; those that need no change are given back."""
    if is_authored(collection):
        return id, _node(metadata)
    if parse_collection(collection).kind is CollectionKind.DREAM_ENTRIES and metadata.get(KIND) == _DREAM:
        return _dream_id(id, metadata), {**metadata, **dream_facts(metadata.get("score"))}
    return id, metadata


def _node(metadata: Metadata) -> Metadata:
    kind = NodeKind.of(told := metadata.get("node_kind"))
    if kind is None or kind.spelled == told:
        return metadata
    spelled: dict[str, Json] = {**metadata, "node_kind": kind.spelled}
    return spelled


def _dream_id(id: str, metadata: Metadata) -> str:
    source, ordinal = metadata.get("source_doc"), id.rpartition(":")[2]
    if (
        not isinstance(source, str)
        or not id.startswith(prefix(CollectionKind.DREAM_ENTRIES))
        or not ordinal.isdecimal()
    ):
        return id
    return dream_id(source, int(ordinal))
