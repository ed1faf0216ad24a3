"""A prompt for the host: fetch rules, turns and memories, let `assemble` choose, keep the receipt.

One assembly is one question's embedding and a few searches. What it put into a session's prompts is remembered for a
while: the echo guard of ingest asks for it, and the next assembly stays steady by it.
"""

from __future__ import annotations

import json
import logging
import marshal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, cast

from libravdb.core.assembly.already_shown import forget_shown
from libravdb.core.assembly.assemble import assemble
from libravdb.core.assembly.receipt import budget_bar, explain, trace_from_json
from libravdb.core.assembly.render import parse
from libravdb.core.assembly.settings import AssemblySettings
from libravdb.core.continuity.tail import choose_tail
from libravdb.core.ingest.messages import read_message
from libravdb.core.ingest.own_frames import frame_letters, strip_frames
from libravdb.core.profile.lines import most_important
from libravdb.core.recall.settings import RecallSettings
from libravdb.engine.foresight import foresee
from libravdb.engine.injected_texts import FRAMES, InjectedTexts
from libravdb.engine.known_profiles import KnownProfiles
from libravdb.engine.known_records import TAIL, KnownRecords
from libravdb.engine.known_wishes import KnownWishes
from libravdb.engine.pages import newest
from libravdb.engine.raw_recovery import Recovered, recover
from libravdb.engine.receipts import Issued, Receipts, StoredReceipt, receipt_in, unkept_receipt
from libravdb.engine.replays import Replay, digests_of, read_summaries, summaries_as_of, summaries_then, was_there
from libravdb.engine.search import Asked, Owned, Read, Search, owned
from libravdb.engine.session_share import OwnPart, both, share_of
from libravdb.engine.turn_records import read_turn
from libravdb.engine.why_not import tell_why_not
from libravdb.errors import AssemblyBroken, InvalidInput
from libravdb.model import (
    ANYTHING,
    Answer,
    Assembly,
    AssemblyMode,
    Explained,
    Foreseen,
    Hit,
    Json,
    LeftOut,
    Material,
    PreviewSection,
    ProfileLine,
    Prompt,
    PromptPreview,
    Receipt,
    Record,
    Replayed,
    Role,
    Scope,
    SearchMode,
    Shown,
    Trace,
    Turn,
    Where,
    Why,
)
from libravdb.model.collections import (
    CLOSED,
    CollectionKind,
    Notebook,
    prefix,
    raw_turns,
    scope_of,
    session_view,
    turn_history,
)
from libravdb.model.namespaces import named
from libravdb.model.session_state import SessionMetadata
from libravdb.model.turn_metadata import KIND, ROLE, SESSION, RecordKind, TurnMetadata
from libravdb.ports.clock import Clock
from libravdb.ports.store import Snapshot, Store
from libravdb.text.unicode import mend

TURNS = TAIL
"""Turns at the end of a session that an assembly looks at; what is older is recall's and compaction's."""

MEMORIES = 48
"""Memories that recall offers to one assembly."""

LEAST_COSINE = 0.15
"""Below it, and without a common word, a memory has nothing to do with the question."""

FOREMOST = 32
"""Memories that are offered as they rank; those behind them have to be strong by themselves (`LEAST_STRENGTH`), so that
a large budget is not filled because it is there."""

LEAST_STRENGTH = 0.05
"""See `FOREMOST`."""

NOTE_STRENGTH = 0.3
"""What an agent's note must have of strength to be recalled by itself: whoever wants the others searches for them, as
hosts have it, and a small notebook is not put into every prompt because nothing else is there."""

GUIDANCE = 40
"""Protected rules that are offered to one assembly."""

PROFILE = 64
"""Lines of a profile that are offered to one assembly."""

MOST_ASKED = 100_000
"""Characters of a question that its receipt holds; a longer one cannot be replayed."""

RECALLED_SCOPES = (Scope.SESSION, Scope.DURABLE, Scope.HISTORY, Scope.LORE, Scope.SUMMARY, Scope.GLOBAL)

_log = logging.getLogger(__name__)

Rules = Callable[[Snapshot], Sequence[Record]]
"""The authored rules in force at a moment, in authored order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a host asks for: the prompt of a session, with what it shows already, under a budget of tokens."""

    session: str
    namespace: str
    budget: int
    prompt: str = ""
    messages: tuple[Any, ...] = ()
    mode: AssemblyMode = AssemblyMode.AUGMENT
    turn: str = ""
    notes: Notebook = CLOSED
    is_heartbeat: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Questions:
    """A prompt as each of its searches asks it: who is named in it depends on who speaks there."""

    recalled: Asked
    plain: Asked
    raw: Read


@dataclass(frozen=True, slots=True)
class _Moment:
    """What one prompt is made from: a request, what it asks, and the store as it is then. `as_of` is given for a past
    moment alone, for a replay with what the receipt told `then`: a filter by time looks at every record, and nothing
    later is there. `now` is when it was asked."""

    request: Request
    asked: _Questions | None
    snapshot: Snapshot
    now: int
    as_of: int | None = None
    then: Receipt | None = None


class Prompts:
    """Prompts and their receipts. Usable from many threads."""

    def __init__(
        self,
        *,
        store: Store,
        search: Search,
        rules: Rules,
        profiles: KnownProfiles,
        known: KnownRecords,
        wishes: KnownWishes,
        clock: Clock,
        settings: AssemblySettings,
        recall: RecallSettings,
        injected: InjectedTexts,
        receipts: Receipts,
        mask: Callable[[str], str],
    ) -> None:
        self._store = store
        self._search = search
        self._rules = rules
        self._profiles = profiles
        self._known = known
        self._wishes = wishes
        self._clock = clock
        self._settings = settings
        self._recall = recall
        self._injected = injected
        self._receipts = receipts
        self._mask = mask
        self.violations = 0

    def assemble(
        self,
        prompt: str = "",
        *,
        session: str,
        namespace: str,
        budget: int,
        messages: Sequence[Any] = (),
        mode: AssemblyMode = AssemblyMode.AUGMENT,
        turn: str = "",
        notes_of: str = "",
        is_heartbeat: bool = False,
    ) -> Prompt:
        """What the model should see for a prompt, under a hard budget of tokens, with a receipt that explains it.

        `messages` are what the host shows anyway; nothing of it is injected again. In window mode they are the whole
        history, and the result says which of them stay. `notes_of` is the agent whose notes are recalled too, but for
        those that its host shows itself. The same state gives the same bytes. A heartbeat is nobody's question: nothing
        is recalled for it, and it leaves no receipt.
        """
        _require_session(session)
        return self._assembled(
            Request(
                session=session,
                namespace=named(namespace),
                budget=budget,
                prompt="" if is_heartbeat else mend(prompt),
                messages=tuple(messages),
                mode=_mode(mode),
                turn=mend(turn),
                notes=_notebook(notes_of),
                is_heartbeat=is_heartbeat,
            )
        )

    def _assembled(self, request: Request) -> Prompt:
        """The prompt for a request, with its receipt on the way to the store."""
        now = self._clock()
        ticket = self._receipts.ticket(request.namespace)
        asked = self._asked(request, None)
        self._profiles.complete(request.namespace)
        foreseen = replace(_foreseen(request), newest=(turn_history(request.namespace),))
        with self._store.read(foreseen) as snapshot:
            previous = self._receipts.last_trace(request.session, namespace=request.namespace, snapshot=snapshot)
            made = self._made(_Moment(request, asked, snapshot, now), previous=previous)
            until = _newest(snapshot, request.namespace)
            kept = None if request.is_heartbeat else self._receipts.kept(snapshot, request.namespace)
        self._check(made)
        frames = _frames_in(made)
        if request.is_heartbeat:
            self._remember(request, made, frames)
            return _prompt(made, receipt="")
        issued = Issued(
            namespace=request.namespace,
            at=now,
            ticket=ticket,
            facts={**self._facts(request, made, until=until), **self._frame_facts(frames)},
            receipt=made.receipt,
            trace=made.trace,
            previous=previous,
            kept=kept,
        )
        receipt = self._receipts.issue(issued)
        self._remember(request, made, frames, receipt=receipt)
        return _prompt(made, receipt=receipt)

    def _remember(self, request: Request, made: Assembly, frames: frozenset[str], *, receipt: str = "") -> None:
        """What comes back of this prompt is an echo."""
        texts, whose = _texts_in(made.closing), request.namespace
        self._injected.add(request.session, request.prompt, texts, frames=frames, namespace=whose, receipt=receipt)

    def preview(
        self,
        prompt: str = "",
        *,
        session: str,
        namespace: str,
        budget: int,
        mode: AssemblyMode = AssemblyMode.AUGMENT,
        as_of: int | None = None,
        why_not: str = "",
    ) -> PromptPreview:
        """What `assemble` would give now, or as of a moment, without leaving anything: neither a receipt nor a trace,
        and nothing that the echo guard knows. `why_not` is the id of something that is asked about."""
        _require_session(session)
        request = Request(
            session=session, namespace=named(namespace), budget=budget, prompt=mend(prompt), mode=_mode(mode)
        )
        now = self._clock() if as_of is None else as_of
        asked = self._asked(request, as_of)
        with self._store.read(_foreseen(request)) as snapshot:
            previous = self._receipts.last_trace(session, namespace=request.namespace, snapshot=snapshot, as_of=as_of)
            made = self._made(_Moment(request, asked, snapshot, now, as_of), previous=previous)
            facts = self._facts(request, made, until=_newest(snapshot, request.namespace, as_of=as_of))
            receipt = unkept_receipt(request.namespace, facts, made.receipt, at=now)
            told = tell_why_not(snapshot, receipt, why_not, namespace=request.namespace) if why_not else ""
        return _preview(made, why_not=told)

    def forget(self, namespace: str | None = None) -> None:
        """Let go of all that is remembered of a namespace's prompts, or of everybody's: it was deleted."""
        self._receipts.discard(namespace)
        self._injected.forget(namespace)
        self._profiles.forget(namespace)
        self._known.forget()  # nor of whom every record is
        self._wishes.forget(namespace)
        _read_again.cache_clear()  # of whom a message is, is not told there
        _known_letters.cache_clear()
        forget_shown()

    def take_over(self, namespace: str) -> None:
        """Something came to a namespace from another one: the next prompt knows it, whoever makes it."""
        self.forget(namespace)
        self._profiles.read_anew([namespace])

    def explain(self, receipt: str | None = None, *, namespace: str) -> Explained:
        """The account of an assembly by its receipt's id, or of the newest."""
        record = self._receipts.find(receipt or None, namespace=named(namespace))
        told, stored = receipt_in(record), StoredReceipt(record=record)
        return Explained(
            id=record.id,
            session=stored.session,
            prompt=stored.question,
            at=record.at,
            receipt=told,
            words=tuple(explain(told)),
            bar=tuple(budget_bar(told)),
        )

    def why_not(self, record: str, *, namespace: str, receipt: str | None = None) -> str:
        """Why something does not stand in a prompt (the newest one if no receipt is named), or where it does, in words.

        `record` is any id that is shown anywhere; what the gate and newer memories say of it is added.
        """
        namespace = named(namespace)
        prompt = self._receipts.find(receipt or None, namespace=namespace)
        with self._store.read() as snapshot:
            return tell_why_not(snapshot, prompt, record, namespace=namespace)

    def replay(self, receipt: str | None = None, *, namespace: str, messages: Sequence[Any] = ()) -> Replayed:
        """Assemble again what a receipt (the newest if none is named) tells of, as of its moment: which parts have the
        same bytes, and what has changed since.

        The receipt does not hold the host's messages: a caller who had some passes them again.
        """
        namespace = named(namespace)
        record = self._receipts.find(receipt or None, namespace=namespace)
        facts, stored = record.metadata, StoredReceipt(record=record)
        before = facts.get("previous")
        request = Request(
            session=stored.session,
            namespace=namespace,
            budget=_whole(facts.get("budget")),
            prompt=stored.question,
            messages=tuple(messages),
            mode=AssemblyMode(str(facts.get("mode"))),
            turn=str(facts.get("turn", "")),
            notes=stored.notes,
        )
        previous = trace_from_json(before) if isinstance(before, dict) else None
        as_of = stored.moment
        asked = self._asked(request, as_of)
        with self._store.read(_foreseen(request)) as snapshot:
            moment = _Moment(request, asked, snapshot, record.at, as_of, receipt_in(record))
            made = self._made(moment, previous=previous)
            replay = Replay(
                snapshot=snapshot, namespace=namespace, record=record, made=made, has_messages=bool(messages)
            )
            return replay.result()

    # ── the material ──────────────────────────────────────────────────────────────────────────────────────

    def _asked(self, request: Request, as_of: int | None) -> _Questions | None:
        """What will be asked of the store, read and embedded before its moment is fixed; None without a question."""
        if request.budget < 0:
            raise InvalidInput("budget", f"is {request.budget:,}", remedy="A budget is 0 or more tokens.")
        if not request.prompt.strip():
            return None
        turns = turn_history(request.namespace), session_view(request.session), raw_turns(request.session)
        with self._store.read(_foreseen(request, speakers_in=turns)) as snapshot:
            own = _recalled_from(snapshot, request)
            is_alone = share_of(snapshot, request.session, request.namespace).is_alone
            said = raw_turns(request.session) if is_alone else turn_history(request.namespace)
            groups = own.peopled, (), (said,)
            recalled, plain, raw = self._search.read_each(snapshot, request.prompt, groups, as_of=as_of)
        return _Questions(recalled=self._search.embed(recalled), plain=self._search.embed(plain), raw=raw)

    def _made(self, moment: _Moment, *, previous: Trace | None) -> Assembly:
        request, snapshot = moment.request, moment.snapshot
        began = time.perf_counter()
        recalled, elevated = self._recalled(moment), self._elevated(moment)
        refused = _refused(recalled.hits)
        telling = [_in_own_words(hit) for hit in recalled.hits if _place(hit) not in refused]
        recovered = self._recovered(moment, recalled, telling)
        fetched = time.perf_counter()
        summaries = _summaries(moment)
        material = Material(
            mode=request.mode,
            budget=request.budget,
            session=request.session,
            prompt=request.prompt,
            turn=request.turn,
            messages=tuple(_read(message, place) for place, message in enumerate(request.messages)),
            turns=self._turns(moment),
            rules=tuple(self._rules(snapshot)),
            profile=self._profile(moment),
            summaries=summaries,
            folded_summaries=_folded(snapshot, request, previous, summaries),
            elevated=elevated.hits,
            recalled=tuple(telling),
            recovered=recovered.hits,
            reserve=recovered.tokens,
            left_out=tuple(refused.values()),
            silence=recalled.silence,
            now=moment.now,
            search_mode=recalled.mode,
            degraded=recalled.degraded,
            previous=previous,
            timings={"search_ms": round((fetched - began) * 1000, 3)},
        )
        return assemble(material, choose_tail=choose_tail, settings=self._settings)

    def _turns(self, moment: _Moment) -> tuple[Turn, ...]:
        """The end of the session as it was said, oldest first; of a shared session only the namespace's own. Only as of
        a past moment is left out what came later: a clock that is ahead hides nothing."""
        request = moment.request
        share = share_of(moment.snapshot, request.session, request.namespace)

        def read(record: Record) -> Turn | None:
            return read_turn(record, namespace=request.namespace, session=request.session)

        if moment.as_of is None:
            made = self._known.tail(moment.snapshot, request.session, share).of_each("turn", read)
        else:
            said = both(Where(until=moment.as_of + 1), share.where)
            made = [
                read(record) for record in newest(moment.snapshot, raw_turns(request.session), limit=TURNS, where=said)
            ]
        turns = [turn for turn in reversed(made) if turn is not None]
        if len(turns) >= TURNS and all(turn.role is not Role.USER for turn in turns):
            turns[:0] = _task(moment, share.where)
        return tuple(turns)

    def _profile(self, moment: _Moment) -> tuple[ProfileLine, ...]:
        """What is known of the person, as much of it as a prompt may ever hold."""
        lines = self._profiles.lines(moment.snapshot, moment.request.namespace, as_of=moment.as_of)
        return most_important(lines, PROFILE)

    def _recalled(self, moment: _Moment) -> Answer:
        """What is relevant from the past; without a question nothing is."""
        request, snapshot = moment.request, moment.snapshot
        if moment.asked is None:
            return Answer(hits=(), mode=SearchMode.FULL)
        own = _recalled_from(snapshot, request)
        found = self._search.answer(
            snapshot, moment.asked.recalled, own.scopes, own=own.part, k=MEMORIES, as_of=moment.as_of, is_quiet=True
        )
        if moment.as_of is None:
            return found
        return replace(found, hits=tuple(hit for hit in found.hits if was_there(hit.record, moment.now)))

    def _elevated(self, moment: _Moment) -> Answer:
        """The general wishes of the person, whatever is asked; then guidance that is close to the question."""
        request, snapshot = moment.request, moment.snapshot
        own = owned(snapshot, request.namespace, request.session, [Scope.ELEVATED])
        if not any(snapshot.sizes(list(own.scopes)).values()):
            return Answer(hits=(), mode=SearchMode.FULL)
        spoken = self._wishes.spoken(snapshot, request.namespace, as_of=moment.as_of)
        if moment.asked is None:
            return Answer(hits=spoken.hits, mode=SearchMode.FULL)
        found = self._search.answer(
            snapshot, moment.asked.plain, own.scopes, own=own.part, k=GUIDANCE, as_of=moment.as_of
        )
        close = (hit for hit in found.hits if hit.record.id not in spoken.past)
        return replace(found, hits=(*spoken.hits, *close))

    def _recovered(self, moment: _Moment, recalled: Answer, telling: Sequence[Hit]) -> Recovered:
        """Raw turns of the session where recall is weak. Where it is silent they are asked for only if it has not seen
        them: those in the history of the namespace are no closer to the question than chance."""
        request, asked = moment.request, moment.asked
        if asked is None or (recalled.silence and _is_in_history(moment.snapshot, request)):
            return Recovered()

        def search(collection: str, k: int) -> Answer:
            names = {collection: scope_of(collection)}
            share = share_of(moment.snapshot, request.session, request.namespace)
            own = OwnPart(collections=frozenset(names), share=share)
            question = self._search.embed(asked.raw)
            found = self._search.answer(moment.snapshot, question, names, own=own, k=k, as_of=moment.as_of)
            return replace(found, hits=tuple(hit for hit in found.hits if is_telling(hit)))

        return recover(
            telling,
            session=request.session,
            budget=request.budget,
            search=search,
            settings=self._recall,
        )

    # ── receipts ──────────────────────────────────────────────────────────────────────────────────────────

    def _facts(self, request: Request, made: Assembly, *, until: int) -> dict[str, Json]:
        return {
            SESSION: request.session,
            "prompt": self._mask(request.prompt)[:MOST_ASKED],
            "budget": request.budget,
            "mode": request.mode.value,
            "turn": request.turn,
            "until": until,
            **({"notes_of": request.notes.owner} if request.notes.owner else {}),
            **digests_of(made),
        }

    def _frame_facts(self, frames: frozenset[str]) -> dict[str, Json]:
        """By what the echo guards of others who share the store know our frames: digests, which tell no word."""
        return {FRAMES: list[Json](sorted(frames))} if self._store.is_shared else {}

    def _check(self, made: Assembly) -> None:
        """A broken promise stops tests; in production it is told, counted, and the prompt goes out."""
        if not made.receipt.violations:
            return
        self.violations += 1
        told = "; ".join(made.receipt.violations)
        if self._settings.strict:
            raise AssemblyBroken(told)
        _log.error("assembly broke a promise: %s", told)


def _require_session(session: str) -> None:
    if not session:
        raise InvalidInput("session", "is empty", remedy="Name the session that the prompt belongs to.")


def _foreseen(request: Request, *, speakers_in: Sequence[str] = ()) -> Foreseen:
    """All that a prompt may be made of, and who speaks in some of it."""
    return foresee(request.namespace, request.session, more=request.notes.collections, speakers_in=speakers_in)


def _recalled_from(snapshot: Snapshot, request: Request) -> Owned:
    """The collections that a prompt recalls from."""
    return owned(
        snapshot,
        request.namespace,
        request.session,
        RECALLED_SCOPES,
        question=request.prompt,
        notes=request.notes,
    )


def _notebook(owner: str) -> Notebook:
    """The notes of an agent that its host does not show itself."""
    return Notebook(owner=named(owner)) if owner.strip() else CLOSED


def _is_in_history(snapshot: Snapshot, request: Request) -> bool:
    """True when the session's turns stand in the history of the namespace; those that came without an owner do not."""
    own = share_of(snapshot, request.session, request.namespace).where
    latest = newest(snapshot, raw_turns(request.session), limit=1, where=own)
    return not latest or TurnMetadata.of(latest[0]).owner == request.namespace


def _summaries(moment: _Moment) -> tuple[Record, ...]:
    """What stands in the session's view for the namespace's older turns, oldest first; as of a past moment, what stood
    there then."""
    request, snapshot = moment.request, moment.snapshot
    if moment.then is not None:
        return summaries_then(snapshot, moment.then, session=request.session, namespace=request.namespace)
    if moment.as_of is not None:
        stood = summaries_as_of(snapshot, moment.as_of, session=request.session, namespace=request.namespace)
        return stood[-MEMORIES:]
    state = SessionMetadata.of(snapshot.states([request.session]).get(request.session))
    if not state.compactions:
        return ()  # nothing was ever folded: the view is all turns, however many
    is_summary = Where(metadata={KIND: (RecordKind.SUMMARY.value,)})
    own = both(is_summary, share_of(snapshot, request.session, request.namespace).where)
    return tuple(reversed(newest(snapshot, session_view(request.session), limit=MEMORIES, where=own)))


def _folded(
    snapshot: Snapshot, request: Request, previous: Trace | None, summaries: Sequence[Record]
) -> tuple[Record, ...]:
    """The summaries of the prompt before that were folded again since: while the window stays, they may stay too."""
    known = {record.id for record in summaries}
    gone = [id for id in (previous.summaries if previous else ()) if id not in known]
    return read_summaries(snapshot, gone, session=request.session, namespace=request.namespace) if gone else ()


def _task(moment: _Moment, own: Where) -> list[Turn]:
    """What a task of very many steps began with."""
    request = moment.request
    asked = both(Where(metadata={ROLE: (Role.USER.value,)}, until=moment.as_of), own)
    latest = newest(moment.snapshot, raw_turns(request.session), limit=1, where=asked)
    found = (read_turn(record, namespace=request.namespace, session=request.session) for record in latest)
    return [turn for turn in found if turn is not None]


def _newest(snapshot: Snapshot, namespace: str, *, as_of: int | None = None) -> int:
    """When the last turn was said; where many come in one moment, that lies a little ahead of the clock."""
    said = ANYTHING if as_of is None else Where(until=as_of + 1)
    latest = newest(snapshot, turn_history(namespace), limit=1, where=said)
    return latest[0].at if latest else 0


def _prompt(made: Assembly, *, receipt: str) -> Prompt:
    return Prompt(
        mode=made.mode,
        rules=made.rules,
        opening=made.opening,
        closing=made.closing,
        closing_at=made.closing_at,
        kept=made.kept,
        budget=made.budget,
        tokens=made.tokens,
        host_tokens=made.receipt.host_tokens,
        leading_tokens=made.receipt.leading_tokens,
        outcome=made.receipt.outcome,
        degraded=made.receipt.degraded,
        receipt=receipt,
    )


def _preview(made: Assembly, *, why_not: str) -> PromptPreview:
    return PromptPreview(
        sections=tuple(
            PreviewSection(kind=one.kind, text=one.text, tokens=one.tokens, is_charged=one.is_charged)
            for one in made.sections
        ),
        receipt=made.receipt,
        words=tuple(explain(made.receipt)),
        tokens=made.tokens,
        budget=made.budget,
        outcome=made.receipt.outcome,
        why_not=why_not,
    )


def is_telling(hit: Hit) -> bool:
    """True when a memory itself has to do with the question: by meaning, or by a word that both have.

    Without either it was ranked for its company alone (its session, its neighbours); on the development data such
    turns were never evidence, and in a small store everything would be injected for any question. What only gave back
    an earlier prompt tells nothing: that from which it came is there itself.
    """
    if TurnMetadata.of(hit.record).is_echo:
        return False
    measured = hit.breakdown.get("cosine")
    return measured is None or measured >= LEAST_COSINE or hit.breakdown.get("words", 0.0) > 0


def _in_own_words(hit: Hit) -> Hit:
    """A memory without the blocks of earlier prompts that a host left in it."""
    if not TurnMetadata.of(hit.record).holds_frames:
        return hit
    return replace(hit, record=replace(hit.record, text=strip_frames(hit.record.text)))


def _refused(hits: Sequence[Hit]) -> dict[str, LeftOut]:
    """What of the hits, in rank order, is not offered to a prompt, by its place in the store, and why."""
    refused: dict[str, LeftOut] = {}
    offered = 0
    for hit in hits:
        strength = hit.breakdown.get("strength", 1.0)
        if not is_telling(hit):
            is_echo = TurnMetadata.of(hit.record).is_echo
            reason = (
                "it only gives back an earlier prompt" if is_echo else "it has neither meaning nor word of the question"
            )
        elif hit.record.collection.startswith(_NOTES) and strength < NOTE_STRENGTH:
            reason = f"a note whose strength {strength:.2f} is below {NOTE_STRENGTH:.2f}"
        elif offered >= FOREMOST and strength < LEAST_STRENGTH:
            reason = f"behind the first {FOREMOST}, and its strength {strength:.2f} is below {LEAST_STRENGTH:.2f}"
        else:
            offered += 1
            continue
        refused[_place(hit)] = LeftOut(
            id=hit.record.id, collection=hit.record.collection, why=Why.SCORE, reason=reason, score=hit.score
        )
    return refused


_NOTES = prefix(CollectionKind.AGENT_NOTES)


def _place(hit: Hit) -> str:
    return f"{hit.record.collection}/{hit.record.id}"


def _read(message: object, place: int) -> Shown:
    """A host's message. It shows the same ones again at every turn, so what was read of them is remembered."""
    try:
        packed = marshal.dumps(cast("Any", message), _MARSHALLED)
        if len(packed) <= _MOST_READ:
            return _read_again(packed)
    except (ValueError, InvalidInput):  # no plain data, or none that is a message: its place tells which
        pass
    return _shown(message, f"messages[{place}]")


_MARSHALLED = 2  # the last format in which equal values have equal bytes
_MOST_READ = 8_000  # bytes of a message that is remembered


@lru_cache(maxsize=1_024)
def _read_again(packed: bytes) -> Shown:
    return _shown(marshal.loads(packed), "message")  # noqa: S302 - bytes that we have just packed ourselves


def _shown(message: object, field: str) -> Shown:
    """A host's message with what the model reads of it, which is all but its bookkeeping."""
    said = read_message(message, field=field)
    if isinstance(message, str):
        return Shown(content=message, said=said)
    inner = message.get("message", message) if isinstance(message, Mapping) else {}
    content = inner.get("content", "") if isinstance(inner, Mapping) else ""
    calls = inner.get("tool_calls") if isinstance(inner, Mapping) else None
    text = content if isinstance(content, str) else _content_text(content)
    return Shown(content=text + (json.dumps(calls, ensure_ascii=False) if calls else ""), said=said)


def _content_text(content: object) -> str:
    """Parts as the model reads them: text as it is, everything else as it is written."""
    parts = content if isinstance(content, Sequence) else [content]
    texts = (
        part["text"]
        if isinstance(part, Mapping) and isinstance(part.get("text"), str)
        else json.dumps(part, ensure_ascii=False, default=str)
        for part in parts
        if part is not None
    )
    return "\n".join(texts)


def _texts_in(closing: str) -> list[str]:
    """What entries of our frames say, for the echo guard."""
    return [text for block in parse(closing) or () for entry in block.entries for text in entry.texts]


def _frames_in(made: Assembly) -> frozenset[str]:
    """The frames of a prompt, as they are known again when a host gives them back. Most of them stood in the prompt
    before."""
    ours = [section.text for section in made.sections if section.place is None]
    return frozenset().union(*(_known_letters(text) if len(text) <= _MOST_READ else _letters(text) for text in ours))


def _letters(text: str) -> frozenset[str]:
    """What names the frames that a text consists of."""
    return frozenset(frame_letters(block.text) for block in parse(text) or ())


_known_letters = lru_cache(maxsize=256)(_letters)


def _whole(value: Json) -> int:
    return value if isinstance(value, int) else 0


def _mode(told: str) -> AssemblyMode:
    """The mode of that name: a program may write it as a word."""
    try:
        return AssemblyMode(told)
    except ValueError:
        known = " or ".join(AssemblyMode)
        raise InvalidInput("mode", f"{told!r} is none", remedy=f"Choose {known}.") from None
