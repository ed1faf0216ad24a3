"""Why something does not stand in a prompt: for every id that any door shows, one true answer.

An id may be that of a turn in its session, of the same turn in the history or in durable memory, of a wish, a summary,
a line of the profile or a rule, with its collection before it or without. What it names is looked for where the asker
may look; then the prompt's receipt tells where that stands, why it was left out, or why it was never offered. What is
somebody else's does not exist here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from libravdb.core.assembly.receipt import (
    PROFILE_PLACE,
    Place,
    refusals,
    refusals_in_words,
    standing,
    standing_in_words,
    words_name,
)
from libravdb.core.recall.currency import told_day
from libravdb.engine.profile_records import lines_of, read_profile, stated_in
from libravdb.engine.receipts import StoredReceipt, line_from, receipt_in
from libravdb.engine.session_share import share_of
from libravdb.model import AssemblyMode, Item, Key, ProfileLine, Receipt, Record, WishReach
from libravdb.model.collections import (
    AUTHORED,
    NAMESPACE_KINDS,
    SESSION_KINDS,
    SHARED,
    CollectionKind,
    durable_memory,
    is_authored,
    namespace_collections,
    namespace_of,
    parse_collection,
    raw_turns,
    session_collections,
    session_guidance,
    session_of,
    session_summaries,
    session_view,
    turn_collections,
    turn_history,
    turn_index,
    user_guidance,
)
from libravdb.model.record_ids import guidance_id, shared_turn_id, split_shared_turn_id
from libravdb.model.turn_metadata import RecordKind, TurnKey, TurnMetadata, turn_behind
from libravdb.ports.store import Snapshot

MOST_SESSIONS = 2_000
"""Sessions of the asker in which an id is looked for that nothing else explains."""

UNKNOWN = "No turn or memory of this namespace has that id."

_BOOKKEEPING = (CollectionKind.COMMIT_MARKERS, CollectionKind.PROMPT_RECEIPTS)
_SHARED = (*AUTHORED.values(), SHARED)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case(StoredReceipt):
    """One question about one prompt, at a moment of the store."""

    snapshot: Snapshot
    namespace: str
    receipt: Receipt


def tell_why_not(snapshot: Snapshot, record: Record, asked: str, *, namespace: str) -> str:
    """Why what has an id does not stand in the prompt of a receipt, in words; or that it does, and where."""
    case = _Case(snapshot=snapshot, namespace=namespace, record=record, receipt=receipt_in(record))
    copies = _find(case, asked)
    if copies:
        return " ".join((f"{asked} {_of_record(case, copies)}.", *_remarks(case, copies)))
    line = _line(case, asked)
    return _of_what_is_gone(case, asked) if line is None else f"{asked} {_of_line(case, line)}."


# ── what an id names ──────────────────────────────────────────────────────────────────────────────────────


def _find(case: _Case, asked: str) -> tuple[Record, ...]:
    """The copies of what an id names, looked for from the nearest to the farthest."""
    for keys in (_near(case, asked), _spelled_out(asked), _far(case, asked)):
        if found := _visible(case, keys):
            return found
    return ()


def _near(case: _Case, asked: str) -> Iterator[Key]:
    """Its own session, its namespace, the turn that a shared id tells, and what all share."""
    own = (*session_collections(case.session), *namespace_collections(case.namespace))
    names = (*own, *case.notes.collections, *_SHARED)
    yield from (Key(name, asked) for name in names)
    session, turn = split_shared_turn_id(asked)
    if turn:
        yield from (Key(name, turn) for name in turn_collections(session))


def _spelled_out(asked: str) -> Iterator[Key]:
    """An id behind the name of its collection; either may hold a slash."""
    places = [place for place, letter in enumerate(asked) if letter == "/"]
    for place in places[:_MOST_SLASHES]:
        if asked[:place] != PROFILE_PLACE and asked[place + 1 :]:
            yield Key(asked[:place], asked[place + 1 :])


_MOST_SLASHES = 16


def _far(case: _Case, asked: str) -> Iterator[Key]:
    """The other sessions in which the asker spoke, the last ones by name first."""
    states = case.snapshot.states_of(case.namespace, limit=MOST_SESSIONS).items
    kinds = (raw_turns, session_summaries, session_guidance, session_view)
    yield from (Key(name(state.session), asked) for state in states for name in kinds)


def _visible(case: _Case, keys: Iterator[Key]) -> tuple[Record, ...]:
    """What is there of these keys, in their order, as far as the asker may see it."""
    wanted = [key for key in dict.fromkeys(keys) if _is_open(case, key.collection)]
    found = case.snapshot.records(wanted)
    shares = {
        session: share_of(case.snapshot, session, case.namespace)
        for session in {session_of(key.collection) for key in found}
        if session is not None
    }
    own = (
        found[key]
        for key in wanted
        if key in found and ((session := session_of(key.collection)) is None or shares[session].holds(found[key]))
    )
    return _same_thing(tuple(own))


def _is_open(case: _Case, collection: str) -> bool:
    """Whether a collection is the asker's own, a session's (then its share counts), of the agent whose notes the prompt
    was offered, or everybody's."""
    kind = parse_collection(collection).kind
    if kind in NAMESPACE_KINDS:
        return namespace_of(collection) == case.namespace or collection in case.notes.collections
    return kind in SESSION_KINDS or collection in _SHARED


def _same_thing(records: Sequence[Record]) -> tuple[Record, ...]:
    """The first, and its copies elsewhere: an id may by chance be that of other things too."""
    if not records:
        return ()
    first = _thing(records[0])
    return tuple(record for record in records if _thing(record) == first)


def _thing(record: Record) -> object:
    told = TurnMetadata.of(record)
    if told.is_summary:
        return told.session, record.id
    turn = turn_behind(record)
    return record.id if turn is None else (turn, record.id if told.is_excerpt else "")


def _line(case: _Case, asked: str) -> ProfileLine | None:
    """The line of the profile that has an id, with or without its place before it."""
    id = asked.removeprefix(f"{PROFILE_PLACE}/")
    lines = lines_of(read_profile(case.snapshot, case.namespace))
    return next((line for line in lines if line.id == id), None)


# ── the answer ────────────────────────────────────────────────────────────────────────────────────────────


def _of_record(case: _Case, copies: Sequence[Record]) -> str:
    """The one sentence: it stands there, stands there through something else, was left out, or was not offered."""
    first, places = copies[0], _places(case, copies)
    if (item := standing(case.receipt, places)) is not None:
        return standing_in_words(item)
    if words := _shown_by_host(case, first):
        return words
    told = _through_others(case, first)
    if refused := refusals(case.receipt, places):
        told.append(refusals_in_words(refused))
    return "; ".join(told) if told else _not_offered(case, first)


def _of_line(case: _Case, line: ProfileLine) -> str:
    """The same for a line of the profile."""
    places = {(PROFILE_PLACE, line.id)}
    if (item := standing(case.receipt, places)) is not None:
        return standing_in_words(item)
    if refused := refusals(case.receipt, places):
        return refusals_in_words(refused)
    if line.since > case.moment:
        return "came after this prompt was made"
    return "was not offered: more important lines come first, or it was changed after this prompt was made"


def _places(case: _Case, copies: Sequence[Record]) -> frozenset[Place]:
    """Every place under which a receipt may tell of a thing."""
    places: set[Place] = set()
    for record in copies:
        places.add((record.collection, record.id))
        told, turn = TurnMetadata.of(record), turn_behind(record)
        session = told.session or ""
        if told.is_summary:
            places |= {(name(session), record.id) for name in (session_summaries, session_view)}
        elif told.kind in _GUIDANCE:
            places |= {(session_guidance(session), record.id), (user_guidance(case.namespace), record.id)}
        if turn is not None and not told.is_excerpt:
            places |= _places_of_turn(case, turn)
    return frozenset(places)


_GUIDANCE = (RecordKind.WISH, RecordKind.GUIDANCE)


def _places_of_turn(case: _Case, turn: TurnKey) -> set[Place]:
    """Where a turn is kept whole."""
    shared, kept = shared_turn_id(*turn), guidance_id(*turn)
    namespaced = (name(case.namespace) for name in (turn_history, turn_index, durable_memory))
    return {
        *((name, turn.id) for name in turn_collections(turn.session)),
        *((name, shared) for name in namespaced),
        (session_guidance(turn.session), kept),
        (user_guidance(case.namespace), kept),
        *([("", turn.id)] if turn.session == case.session else []),
    }


def _shown_by_host(case: _Case, record: Record) -> str:
    """That a turn stands among the messages that the host shows; empty when it does not."""
    told, turn = TurnMetadata.of(record), turn_behind(record)
    if turn is None or turn.session != case.session or told.is_excerpt:
        return ""
    is_there = {turn.id, words_name(told.role_name, record.text)} & set(case.receipt.shown)
    return "stands in the conversation that the host shows" if is_there else ""


def _through_others(case: _Case, record: Record) -> list[str]:
    """What stands in the prompt for a thing that does not stand there itself: its turn or a sentence of it, a line of
    the profile, or a summary."""
    told, turn = TurnMetadata.of(record), turn_behind(record)
    if turn is None:
        above = _behind_summary(case, told.session or "", record.id) if told.is_summary else []
        return [*_told_by_profile(case, {record.id}), *above]
    return [
        *(_with_its_turn(case, turn) if told.is_excerpt else _in_part(case, turn)),
        *_told_by_profile(case, {shared_turn_id(*turn), record.id}),
        *_behind_summary(case, turn.session, turn.id),
    ]


def _with_its_turn(case: _Case, turn: TurnKey) -> list[str]:
    """That the turn stands there of which a sentence was asked for."""
    is_shown = turn.session == case.session and turn.id in case.receipt.shown
    is_there = is_shown or standing(case.receipt, _places_of_turn(case, turn)) is not None
    return [f"stands there with its turn {shared_turn_id(*turn)}"] if is_there else []


def _in_part(case: _Case, turn: TurnKey) -> list[str]:
    """That a sentence of the turn stands there."""
    found = _sentence_of(case, turn)
    return [] if found is None else [f"stands there in part: its sentence {found.id} {standing_in_words(found)}"]


def _told_by_profile(case: _Case, memories: set[str]) -> list[str]:
    line = line_from(case.receipt, memories)
    return [] if line is None else [f"is told by the profile, line {line.id}, which stands in the prompt"]


def _sentence_of(case: _Case, turn: TurnKey) -> Item | None:
    whole = guidance_id(*turn)
    names = (session_guidance(turn.session), user_guidance(case.namespace))
    return next(
        (one for one in case.receipt.items if one.collection in names and one.id.startswith(f"{whole}%s")), None
    )


def _behind_summary(case: _Case, session: str, child: str) -> list[str]:
    """The summary that stands in the prompt for a turn or an older summary; else why the nearest one does not."""
    if session != case.session:
        return []
    above = _summaries_above(case, session, child)
    for id in above:
        places = {(session_view(session), id), (session_summaries(session), id)}
        if standing(case.receipt, places) is not None:
            return [f"stands in summary {id}, which stands in the prompt"]
    for id in above:
        places = {(session_view(session), id), (session_summaries(session), id)}
        if refused := refusals(case.receipt, places):
            return [f"is folded into summary {id}, which {refusals_in_words(refused)}"]
    return []


def _summaries_above(case: _Case, session: str, child: str) -> list[str]:
    """Every summary that stands for something, the nearest first."""
    parents: dict[str, list[str]] = {}
    for edge in case.snapshot.edges(session):
        parents.setdefault(edge.child, []).append(edge.parent)
    found: dict[str, None] = {}
    waiting = [child]
    while waiting:
        new = [one for each in waiting for one in parents.get(each, ()) if one not in found]
        found |= dict.fromkeys(new)
        waiting = new
    return list(found)


# ── what was not offered ──────────────────────────────────────────────────────────────────────────────────


def _not_offered(case: _Case, record: Record) -> str:
    """Why something was not even looked at."""
    told, turn, kind = TurnMetadata.of(record), turn_behind(record), parse_collection(record.collection).kind
    if kind in _BOOKKEEPING or kind is CollectionKind.PROFILE:
        return _of_bookkeeping(case, record)
    if turn is not None and turn.session == case.session and case.question and _is_question(case, record):
        return "is the question of this prompt, which the host shows"
    if _is_later(case, record):
        return "came after this prompt was made"
    if is_authored(record.collection) and kind is not CollectionKind.LORE:
        return "was not offered: its document was not in force when this prompt was made"
    if told.kind in _GUIDANCE:
        return f"was not offered: {_wish_not_offered(told)}"
    if told.is_summary:
        return f"was not offered: {_summary_not_offered(case, told)}"
    older = _not_in_tail(case) if turn is not None and turn.session == case.session else ""
    return f"was not offered: {older}{_not_recalled(case, record, turn)}"


def _is_later(case: _Case, record: Record) -> bool:
    """Whether something came after the prompt. Up to which turn of the namespace it knew is told exactly."""
    is_own_turn = turn_behind(record) is not None and TurnMetadata.of(record).owner == case.namespace
    return record.at > (case.until or case.moment if is_own_turn else case.moment)


def _not_in_tail(case: _Case) -> str:
    """Why a turn of the session does not stand in its place in the conversation."""
    is_hosts = case.receipt.mode is AssemblyMode.WINDOW and bool(case.receipt.shown)
    where = "it is not among the messages that stay" if is_hosts else "it is older than the recent tail"
    return f"{where}, and "


def _of_bookkeeping(case: _Case, record: Record) -> str:
    """A record that no prompt ever shows; what a profile keeps of a memory is told by its lines."""
    memory = stated_in(record)
    told = [] if memory is None else _told_by_profile(case, {memory.memory})
    return told[0] if told else "was not offered: it is kept for bookkeeping, and stands in no prompt"


def _is_question(case: _Case, record: Record) -> bool:
    return " ".join(record.text.split()) == " ".join(case.question.split())


def _wish_not_offered(told: TurnMetadata) -> str:
    if told.withdrawn_at is not None:
        return "the wish was removed"
    if told.is_outdated:
        return f"the wish {told.superseded_by} took its place"
    if told.wish_reach == WishReach.GENERAL.value:
        return "newer wishes come first, and there are many"
    return "it is about a subject, and the question is not close to it"


def _summary_not_offered(case: _Case, told: TurnMetadata) -> str:
    if told.session != case.session:
        return f"it is a summary of session {told.session}, and this prompt is of session {case.session}"
    if (made := told.compacted_at) is not None and made >= case.record.at:
        return "it was made after this prompt"
    return "newer summaries come first, and recall did not find it"


def _not_recalled(case: _Case, record: Record, turn: TurnKey | None) -> str:
    """Why recall did not bring a turn or a memory."""
    if not case.question.strip():
        return "nothing was asked, so nothing was recalled"
    if case.receipt.silence:
        return f"recall was silent ({case.receipt.silence})"
    if turn is not None and turn.session != case.session and not _is_searched(case, record, turn):
        return f"it was said in session {turn.session} by nobody named, and this prompt is of session {case.session}"
    if parse_collection(record.collection).kind is CollectionKind.DREAM_ENTRIES:
        return "dreams are looked at only when a question is about them, or others rank before it"
    return "recall did not find it among the best for this question"


def _is_searched(case: _Case, record: Record, turn: TurnKey) -> bool:
    """Whether a turn of another session stands where this prompt searched."""
    if namespace_of(record.collection) is not None:
        return True
    shared = shared_turn_id(*turn)
    keys = [Key(name(case.namespace), shared) for name in (turn_history, durable_memory)]
    return bool(case.snapshot.records(keys))


def _of_what_is_gone(case: _Case, asked: str) -> str:
    """What the receipt tells of an id that names nothing here any more."""
    turn = split_shared_turn_id(asked)
    names = {asked, *([turn[1]] if turn[0] == case.session and turn[1] else [])}

    def is_meant(collection: str, id: str) -> bool:
        return id in names or f"{collection}/{id}" == asked

    items = [one for one in case.receipt.items if is_meant(one.collection, one.id)]
    refused = [one for one in case.receipt.left_out if is_meant(one.collection, one.id)]
    if items:
        return f"{asked} {standing_in_words(items[0])}. It is gone since."
    if names & set(case.receipt.shown):
        return f"{asked} stands in the conversation that the host shows. It is gone since, or was never kept."
    if refused:
        return f"{asked} {refusals_in_words(refused)}. It is gone since, or was never kept."
    return UNKNOWN


# ── remarks ───────────────────────────────────────────────────────────────────────────────────────────────


def _remarks(case: _Case, copies: Sequence[Record]) -> Iterator[str]:
    """What the gate and newer memories say of a turn, and that a rule was written anew."""
    turn = next((turn for record in copies if (turn := turn_behind(record)) is not None), None)
    ids = [record.id for record in copies] + ([shared_turn_id(*turn)] if turn is not None else [])
    keys = [Key(name(case.namespace), id) for name in (turn_index, durable_memory) for id in dict.fromkeys(ids)]
    found = case.snapshot.records(keys)
    for key in keys:
        told = TurnMetadata.of(found[key]) if key in found else None
        if told is None:
            continue
        if key.collection == turn_index(case.namespace) and told.gate_verdict:
            yield f"The gate said of it: {told.gate_verdict}."
        if key.collection == durable_memory(case.namespace) and told.superseded_by is not None:
            since = f" since {day}" if (day := told_day(told.superseded_at)) else ""
            yield f"A newer memory made it outdated{since}: {told.superseded_by}."
    if is_authored(copies[0].collection) and copies[0].at > case.moment:
        yield "Its document was written anew after this prompt was made."
