"""A prompt, looked at again: which of its parts have the same bytes still, and what has changed since.

A part is proven when what the receipt says stood there gives the same bytes again: its rules, turns and memories are
all there, unchanged. Whether the same would be chosen again is another question, and told beside it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from libravdb.core.assembly.rerender import (
    rerender_memories,
    rerender_profile,
    rerender_rules,
    rerender_summaries,
    rerender_tail,
)
from libravdb.core.ingest.own_frames import strip_frames
from libravdb.core.recall.currency import told_day
from libravdb.engine.pages import every_record
from libravdb.engine.profile_records import lines_of, read_profile
from libravdb.engine.receipts import StoredReceipt, receipt_in
from libravdb.engine.session_share import share_of
from libravdb.engine.successions import durable_key
from libravdb.engine.turn_records import read_turn
from libravdb.model import (
    Assembly,
    Item,
    Json,
    Key,
    Receipt,
    Record,
    Replayed,
    ReplayedSection,
    SectionKind,
    Tranche,
)
from libravdb.model.collections import raw_turns, session_of, session_summaries, session_view
from libravdb.model.turn_metadata import SUPERSEDED_AT, SUPERSEDED_BY, TurnMetadata
from libravdb.ports.store import Snapshot

SECTIONS: Mapping[SectionKind, tuple[Tranche, ...]] = {
    SectionKind.RULES: (Tranche.HARD, Tranche.SOFT),
    SectionKind.PROFILE: (Tranche.PROFILE,),
    SectionKind.SUMMARIES: (Tranche.SUMMARIES,),
    SectionKind.GAP: (),
    SectionKind.TAIL: (Tranche.TAIL, Tranche.EXTENSION),
    SectionKind.MESSAGE: (),
    SectionKind.ELEVATED: (Tranche.ELEVATED,),
    SectionKind.RECALLED: (Tranche.RECALL,),
    SectionKind.DEGRADED: (),
}
"""The parts of a prompt in their order, each with the claims that fill it."""

DIGEST, DIGESTS = "digest", "section_digests"
"""Under these a receipt keeps what names the bytes of a prompt, as a whole and part by part."""


# ── what names the bytes ──────────────────────────────────────────────────────────────────────────────────


def digests_of(made: Assembly) -> dict[str, Json]:
    """What names the bytes of a prompt: of the whole, and of each part that has some. Of the host's messages only
    their places count."""
    whole = "\0".join((made.rules, made.opening, made.closing, str(made.kept), str(made.closing_at)))
    parts: dict[str, Json] = {kind.value: _digest(text) for kind, text in _texts(made).items() if text}
    return {DIGEST: _digest(whole), DIGESTS: parts}


def _texts(made: Assembly) -> dict[SectionKind, str]:
    texts = {
        kind: "".join(section.text for section in made.sections if section.kind is kind)
        for kind in SECTIONS
        if kind is not SectionKind.MESSAGE
    }
    kept = f"{made.kept} {made.closing_at}" if made.kept else ""
    return {kind: kept if kind is SectionKind.MESSAGE else texts[kind] for kind in SECTIONS}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()


# ── looking again ─────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay(StoredReceipt):
    """A receipt, what was assembled again for it, and the store as it is now."""

    snapshot: Snapshot
    namespace: str
    made: Assembly
    has_messages: bool

    def result(self) -> Replayed:
        """The account of it, part by part and in words."""
        then = receipt_in(self.record)
        now = digests_of(self.made)
        is_same = now[DIGEST] == self.record.metadata.get(DIGEST)
        sections = tuple(self._sections(then, now[DIGESTS], is_same=is_same))
        return Replayed(
            id=self.record.id,
            session=self.session,
            prompt=self.question,
            at=self.record.at,
            is_same=is_same,
            is_proven=all(section.is_proven for section in sections),
            sections=sections,
            words=tuple(_in_words(sections)),
            rules=self.made.rules,
            opening=self.made.opening,
            closing=self.made.closing,
        )

    def _sections(self, then: Receipt, found: Json, *, is_same: bool) -> Iterable[ReplayedSection]:
        told = self.record.metadata.get(DIGESTS)
        before = told if isinstance(told, dict) else None
        now = found if isinstance(found, dict) else {}
        for kind, claims in SECTIONS.items():
            stood = [item for item in then.items if item.tranche in claims]
            stands = [item for item in self.made.receipt.items if item.tranche in claims]
            if not (now.get(kind.value) or (before or {}).get(kind.value) or stood):
                continue
            again = is_same or (None if before is None else before.get(kind.value) == now.get(kind.value))
            is_proven = again or (None if before is None else self._is_proven(kind, stood, before.get(kind.value)))
            reasons = () if again is not False else tuple(self._changes(kind, stood, stands, then))
            tokens = sum(line.tokens for line in then.ledger if line.tranche in claims)
            yield ReplayedSection(kind=kind, is_proven=is_proven, is_chosen_again=again, tokens=tokens, reasons=reasons)

    # ── proof ─────────────────────────────────────────────────────────────────────────────────────────────

    def _is_proven(self, kind: SectionKind, stood: Sequence[Item], digest: Json) -> bool:
        """Whether what stood there gives the same bytes again."""
        if not digest:
            return True  # nothing stood there
        if kind is SectionKind.PROFILE:
            ids = {item.id for item in stood}
            lines = lines_of(read_profile(self.snapshot, self.namespace), as_of=self.moment)
            return _digest(rerender_profile([line for line in lines if line.id in ids])) == digest
        found = self._found(stood)
        return len(found) == len(stood) and _digest(self._rendered(kind, found)) == digest

    def _rendered(self, kind: SectionKind, found: Sequence[tuple[Item, Record]]) -> str:
        records = [record for _, record in found]
        match kind:
            case SectionKind.RULES:
                return rerender_rules(records)
            case SectionKind.SUMMARIES:
                return rerender_summaries(records)
            case SectionKind.TAIL:
                turns = (read_turn(one, namespace=self.namespace, session=self.session) for one in records)
                return rerender_tail([turn for turn in turns if turn is not None])
            case SectionKind.ELEVATED | SectionKind.RECALLED:
                return rerender_memories(kind, found, question=self.question, asked_at=self.record.at)
            case _:
                return ""

    def _found(self, items: Sequence[Item]) -> list[tuple[Item, Record]]:
        """What is still there of these, each as it was at the moment of the prompt."""
        places = [(item, self._keys(item)) for item in items]
        stored = self.snapshot.records([key for _, keys in places for key in keys])
        found = [
            (item, record)
            for item, keys in places
            if (record := next((stored[key] for key in keys if key in stored and self._may_see(stored[key])), None))
        ]
        durable = self.snapshot.records([key for _, one in found if (key := durable_key(one)) is not None])
        return [(item, self._as_it_was(record, durable)) for item, record in found]

    def _keys(self, item: Item) -> list[Key]:
        """Where something stood, and where it stands since it was folded."""
        if not item.collection:
            return [Key(raw_turns(self.session), item.id)]
        session = session_of(item.collection)
        is_view = session is not None and item.collection == session_view(session)
        folded = (session_summaries(session), raw_turns(session)) if session is not None and is_view else ()
        return [Key(name, item.id) for name in (item.collection, *folded)]

    def _may_see(self, record: Record) -> bool:
        session = session_of(record.collection)
        return session is None or share_of(self.snapshot, session, self.namespace).holds(record)

    def _as_it_was(self, record: Record, durable: Mapping[Key, Record]) -> Record:
        """A record with the marks of what was outdated at the moment, and without later ones."""
        key = durable_key(record)
        told = TurnMetadata.of(record if key is None else durable.get(key, record))
        facts = {name: one for name, one in record.metadata.items() if name not in (SUPERSEDED_BY, SUPERSEDED_AT)}
        if told.superseded_by is not None and (told.superseded_at or 0) <= self.moment:
            facts |= {SUPERSEDED_BY: told.superseded_by, SUPERSEDED_AT: told.superseded_at}
        text = strip_frames(record.text) if told.holds_frames else record.text
        return replace(record, metadata=facts, text=text)

    # ── what has changed ──────────────────────────────────────────────────────────────────────────────────

    def _changes(self, kind: SectionKind, stood: Sequence[Item], stands: Sequence[Item], then: Receipt) -> list[str]:
        """Why a part comes out otherwise, in words."""
        if then.shown and not self.has_messages and kind in (SectionKind.MESSAGE, SectionKind.TAIL):
            return ["the host's messages are not kept here: give them again"]
        before, after = {_place(item): item for item in stood}, {_place(item): item for item in stands}
        fates = [
            *(
                (_place(item), self._fate(kind, item, is_left=True))
                for place, item in before.items()
                if place not in after
            ),
            *(
                (_place(item), self._fate(kind, item, is_left=False))
                for place, item in after.items()
                if place not in before
            ),
            *(
                (place, fate)
                for place, item in before.items()
                if place in after and (fate := self._rewritten(kind, item, after[place]))
            ),
        ]
        room, limit = (
            sum(one.limit for one in each.ledger if one.tranche in SECTIONS[kind]) for each in (then, self.made.receipt)
        )
        told = _counted(kind, fates)
        if room != limit:
            told.append(f"its room was {room:,} tokens, and is {limit:,}")
        return told or ["the same stands there in another order or in other words"]

    def _fate(self, kind: SectionKind, item: Item, *, is_left: bool) -> str:
        """What became of something that stood there, or whence something comes that stands there now."""
        if kind is SectionKind.PROFILE:
            return "no longer told so" if is_left else "told so since"
        record = next((record for _, record in self._found([item])), None)
        if record is None:
            return "deleted since"
        told = TurnMetadata.of(self._now(record))
        if record.at > self.moment or (told.compacted_at or 0) > self.record.at:
            return "written anew since" if is_left else "made since"
        if told.superseded_at is not None and told.superseded_at > self.moment:
            return f"outdated since {told_day(told.superseded_at)}"
        if is_left and item.collection and record.collection != item.collection:
            return "folded into a summary since"
        return "not chosen again" if is_left else "chosen only now"

    def _rewritten(self, kind: SectionKind, before: Item, after: Item) -> str:
        """What changed about something that stands there as before; empty when nothing did."""
        if kind is SectionKind.PROFILE:
            return "" if before.reasons == after.reasons else "said by another memory since"
        fate = self._fate(kind, before, is_left=True)
        return "" if fate in ("not chosen again", "folded into a summary since") else fate

    def _now(self, record: Record) -> Record:
        """A record with all marks that it has today."""
        keys = [Key(record.collection, record.id), *([key] if (key := durable_key(record)) is not None else [])]
        found = self.snapshot.records(keys)
        return next((found[key] for key in reversed(keys) if key in found), record)


def _place(item: Item) -> tuple[str, str]:
    return item.collection, item.id


_NOUNS = {
    SectionKind.RULES: ("rule", "rules"),
    SectionKind.PROFILE: ("line", "lines"),
    SectionKind.SUMMARIES: ("summary", "summaries"),
    SectionKind.TAIL: ("turn", "turns"),
}
_FEW = 3


def _counted(kind: SectionKind, fates: Sequence[tuple[tuple[str, str], str]]) -> list[str]:
    """How many share a fate, with the ids of the first."""
    groups: dict[str, list[str]] = {}
    for (_, id), fate in fates:
        groups.setdefault(fate, []).append(id)
    one, many = _NOUNS.get(kind, ("memory", "memories"))
    return [f"{len(ids)} {one if len(ids) == 1 else many} {fate} ({_listed(ids)})" for fate, ids in groups.items()]


def _listed(ids: Sequence[str]) -> str:
    return ", ".join((*ids[:_FEW], *(["…"] if len(ids) > _FEW else [])))


def _in_words(sections: Sequence[ReplayedSection]) -> list[str]:
    """A line for all that came out the same, then one for each part that did not."""
    same = [section for section in sections if section.is_chosen_again]
    lines = []
    if same:
        tokens = sum(section.tokens for section in same)
        lines.append(f"the same bytes: {', '.join(one.kind.value for one in same)} ({tokens:,} tokens)")
    for section in sections:
        if section.is_chosen_again:
            continue
        if section.is_proven is None:
            lines.append(f"{section.kind.value}: not known, the receipt is of an earlier version")
            continue
        how = "proven, but it would be chosen otherwise today" if section.is_proven else "differs"
        lines.append(f"{section.kind.value}: {how}: {'; '.join(section.reasons)}")
    return lines


# ── as it was ─────────────────────────────────────────────────────────────────────────────────────────────


def summaries_then(snapshot: Snapshot, then: Receipt, *, session: str, namespace: str) -> tuple[Record, ...]:
    """The summaries that were offered to a prompt, oldest first, whatever was folded since."""
    view = session_view(session)
    offered = [item.id for item in then.items if item.tranche is Tranche.SUMMARIES]
    offered += [one.id for one in then.left_out if one.collection == view]
    return read_summaries(snapshot, offered, session=session, namespace=namespace)


def summaries_as_of(snapshot: Snapshot, moment: int, *, session: str, namespace: str) -> tuple[Record, ...]:
    """A namespace's own summaries that stood in the view of a session at a moment, oldest first: those that were made
    by then, and not folded again by then."""
    own = share_of(snapshot, session, namespace).where
    every = every_record(snapshot, session_summaries(session), where=own)
    made = {record.id: record for record in every if TurnMetadata.of(record).is_summary and was_there(record, moment)}
    above = snapshot.edges(session, children=made) if made else ()
    folded = {edge.child for edge in above if edge.parent in made}
    stood = (replace(one, collection=session_view(session)) for id, one in made.items() if id not in folded)
    return tuple(sorted(stood, key=lambda record: (record.at, record.id)))


def read_summaries(snapshot: Snapshot, ids: Sequence[str], *, session: str, namespace: str) -> tuple[Record, ...]:
    """A namespace's own summaries of a session by their ids, oldest first, whatever was folded since; those that are
    gone are left out."""
    found = snapshot.records([Key(session_summaries(session), id) for id in dict.fromkeys(ids)])
    share = share_of(snapshot, session, namespace)
    own = (replace(record, collection=session_view(session)) for record in found.values() if share.holds(record))
    return tuple(sorted(own, key=lambda record: (record.at, record.id)))


def was_there(record: Record, moment: int) -> bool:
    """False for a summary that was made after a moment, whatever the time of what it stands for."""
    made = TurnMetadata.of(record).compacted_at
    return made is None or made <= moment
