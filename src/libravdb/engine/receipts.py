"""Receipts of prompts, written behind the reply: a host waits for its prompt, not for the disk.

Those of about a second go into one commit. Whoever asks for receipts, copies the store or closes it has them written
first; a process that is killed loses those of that second, and nothing else. Nothing else depends on writing them: on
a full disk prompts go out, and deletions do not wait for what they delete. In a store that others share they are
written at once: the next prompt of the session may be made by another process, which goes on from its trace.
"""

from __future__ import annotations

import itertools
import json
import logging
import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from secrets import token_hex

from libravdb.core.assembly.receipt import from_json, to_json, trace_from_json, trace_to_json
from libravdb.engine.masking import Masking
from libravdb.engine.pages import every_record, newest, one_record
from libravdb.engine.retry import retry_on_conflict
from libravdb.errors import Conflict, InvalidInput, LibraError, NotFound, StoreClosed
from libravdb.model import (
    Change,
    Foreseen,
    Item,
    Json,
    Order,
    Page,
    Put,
    Receipt,
    ReceiptView,
    Record,
    Remove,
    Revision,
    Topic,
    Trace,
    Tranche,
    Where,
)
from libravdb.model.collections import CLOSED, Notebook, prompt_receipts
from libravdb.model.turn_metadata import KIND, OWNER, SESSION, RecordKind, TurnMetadata
from libravdb.ports.store import Snapshot, Store
from libravdb.ports.walls import for_nobody

PAUSE = 1.0
"""Seconds that a receipt may wait for others."""

SESSIONS = 256
"""Sessions whose last trace is remembered; the longest unused go first."""

BATCH = 64
"""Receipts that may wait; one more is written at once, together with them."""

RECEIPT = "receipt"
"""Under it a record keeps the account, as JSON."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptReceipts:
    """The receipts of a namespace at a moment: their revision, and what one more pushes out."""

    revision: Revision
    excess: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Issued:
    """A prompt that was given out: whose it is, what was asked (`facts`), its account, and the traces around it.

    `ticket` was drawn when it was asked for: what is deleted meanwhile takes the receipt along. `kept` is what its
    prompt saw of the receipts before it, where it is written at once.
    """

    namespace: str
    at: int
    ticket: int
    facts: Mapping[str, Json]
    receipt: Receipt
    trace: Trace
    previous: Trace | None
    kept: KeptReceipts | None = None


class Receipts:
    """The last receipts of each namespace. Usable from many threads."""

    def __init__(self, store: Store, *, most: int, masking: Masking, pause: float = PAUSE) -> None:
        self._store = store
        self._most = most
        self._masking = masking
        self._pause = pause
        self._lock = threading.Lock()
        self._settling = threading.RLock()
        self._waiting: dict[str, Issued] = {}
        self._timer: threading.Timer | None = None
        self._is_closed = False
        self._told = ""
        self._count = itertools.count()
        self._discarded: dict[str | None, int] = {}
        self._traces = _Traces()

    def ticket(self, namespace: str) -> int:
        """How often something of a namespace was given up so far."""
        with self._lock:
            return self._ticket(namespace)

    def _ticket(self, namespace: str) -> int:
        return self._discarded.get(namespace, 0) + self._discarded.get(None, 0)

    def issue(self, issued: Issued) -> str:
        """Keep a receipt; returns its id, in the order of time also within a millisecond."""
        id = f"{issued.at:013d}-{next(self._count) % 10**4:04d}-{token_hex(3)}"
        with self._lock:
            if issued.ticket != self._ticket(issued.namespace):
                return id  # it tells of what is gone
            if self._is_closed:
                _log.warning("receipt %s is lost: the engine was closed meanwhile", id)
                return id
            self._waiting[id] = issued
            self._traces.note(issued.namespace, str(issued.facts.get(SESSION, "")), issued.trace)
            is_full = len(self._waiting) > BATCH
            self._start_timer()
        if is_full or self._store.is_shared:
            self.try_to_settle()
        return id

    def kept(self, snapshot: Snapshot, namespace: str) -> KeptReceipts | None:
        """What the receipt of a prompt that is made now will meet; None where it is written later anyway."""
        if not self._store.is_shared:
            return None
        topic, collection = _topic(namespace), prompt_receipts(namespace)
        excess = max(0, snapshot.sizes([collection])[collection] + 1 - self._most)
        oldest = snapshot.page(collection, limit=excess).items if excess else ()
        return KeptReceipts(revision=snapshot.revisions([topic])[topic], excess=tuple(one.id for one in oldest))

    def settle(self) -> None:
        """Write what waits, whoever's it is; on an error it goes on waiting. Returns when whatever was issued before is
        written."""
        with self._settling, for_nobody():
            waiting = self._now_waiting()
            if not waiting:
                return
            try:
                self._write(waiting)
            except InvalidInput:  # one of them is no record: it shall not keep the others
                for id, issued in waiting.items():
                    self._write_alone(id, issued)
            self._let_go(waiting)

    def _write(self, waiting: Mapping[str, Issued]) -> None:
        """By what its prompt saw, if only one waits; when somebody wrote meanwhile, by what is there now."""
        issued, *others = waiting.values()
        if issued.kept is not None and not others:
            with suppress(Conflict):
                self._commit(
                    waiting, {issued.namespace: issued.kept.revision}, _removals(issued.namespace, issued.kept.excess)
                )
                return
        retry_on_conflict(lambda: self._write_once(waiting))

    def _write_once(self, waiting: Mapping[str, Issued]) -> None:
        """Unless somebody else writes receipts of the same namespaces meanwhile: then what is known of them is read
        again."""
        namespaces = dict.fromkeys(issued.namespace for issued in waiting.values())
        with self._store.read(Foreseen(collections=tuple(map(prompt_receipts, namespaces)))) as snapshot:
            found = snapshot.revisions([_topic(namespace) for namespace in namespaces])
            excess = [change for namespace in namespaces for change in self._excess(snapshot, namespace, waiting)]
        self._commit(waiting, {namespace: found[_topic(namespace)] for namespace in namespaces}, excess)

    def _commit(self, waiting: Mapping[str, Issued], before: Mapping[str, Revision], excess: Sequence[Change]) -> None:
        puts = [self._put(id, issued) for id, issued in waiting.items()]
        unless = {_topic(namespace): revision for namespace, revision in before.items()}
        done = self._store.commit([*puts, *excess], unless=unless)
        for namespace, revision in before.items():
            self._traces.note_written(namespace, before=revision, after=done.revision)

    def _put(self, id: str, issued: Issued) -> Put:
        """The record of a receipt; most of what it holds was in one before, and is known to hold no secret."""
        trace, previous = _lasting(issued.trace), None if issued.previous is None else _lasting(issued.previous)
        self._masking.is_clean([trace, previous])
        facts: dict[str, Json] = {
            **_receipt_facts(issued.namespace, issued.facts),
            RECEIPT: self._masking.written(RECEIPT, to_json(issued.receipt)),  # nothing in it is ever searched for
            "trace": trace,
            "previous": previous,
        }
        return Put(collection=prompt_receipts(issued.namespace), id=id, text="", at=issued.at, metadata=facts)

    def _write_alone(self, id: str, issued: Issued) -> None:
        try:
            self._write({id: issued})
        except InvalidInput as error:
            _log.warning("receipt %s cannot be kept: %s", id, error)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Nothing is written while this lasts, so that nothing is written behind its deletion."""
        with self._settling:
            yield

    def discard(self, namespace: str | None = None) -> None:
        """Give up what waits of a namespace, or all of it, and what is on its way: it tells of what was deleted."""
        with self._lock:
            self._discarded[namespace] = self._discarded.get(namespace, 0) + 1
            self._traces.forget(namespace)
        waiting = self._now_waiting()
        self._let_go(id for id, issued in waiting.items() if namespace in (None, issued.namespace))

    def holds(self, namespace: str) -> bool:
        """Whether a receipt of a namespace waits to be written, or a trace of its prompts is known."""
        waits = any(issued.namespace == namespace for issued in self._now_waiting().values())
        return waits or self._traces.holds(namespace)

    def _now_waiting(self) -> dict[str, Issued]:
        with self._lock:
            return dict(self._waiting)

    def _let_go(self, ids: Iterable[str]) -> None:
        with self._lock:
            for id in ids:
                self._waiting.pop(id, None)

    def find(self, id: str | None, *, namespace: str) -> Record:
        """A receipt by its id, or the newest."""
        self.settle()
        collection = prompt_receipts(namespace)
        with self._store.read() as snapshot:
            latest = newest(snapshot, collection, limit=1) if id is None else ()
            found = next(iter(latest), None) if id is None else one_record(snapshot, collection, id)
        if found is None:
            remedy = (
                f"The last {self._most:,} of each namespace are kept."
                if id
                else f"No prompt was assembled for {namespace!r} so far; 'libravdb chat' or a host makes one."
            )
            raise NotFound("receipt", id or "", remedy=remedy)
        return found

    def page(self, *, namespace: str, session: str | None, limit: int, after: str | None) -> Page[ReceiptView]:
        """The receipts of a namespace, or of one of its sessions, the newest first. What is no receipt is left out."""
        self.try_to_settle()
        where = Where(metadata={} if session is None else {SESSION: (session,)})
        with self._store.read() as snapshot:
            page = snapshot.page(prompt_receipts(namespace), order=Order.NEWEST, where=where, after=after, limit=limit)
        views = (_view(record) for record in page)
        return Page(items=tuple(view for view in views if view is not None), next=page.next)

    def last_trace(self, session: str, *, namespace: str, snapshot: Snapshot, as_of: int | None = None) -> Trace | None:
        """The trace of a session's last prompt, or of the last one before a moment, if its receipt waits or is still
        there."""
        if as_of is not None:
            return _trace_as_of(snapshot, session, namespace=namespace, moment=as_of)
        for issued in reversed(self._now_waiting().values()):
            if (issued.namespace, issued.facts.get(SESSION)) == (namespace, session):
                return issued.trace
        return self._traces.last(namespace, session, snapshot)

    def drop_telling(
        self, texts: Sequence[str], memories: Sequence[str], namespace: str, snapshot: Snapshot
    ) -> list[Remove]:
        """Give up the receipts of a namespace that tell something of these: whose question holds one of the texts, or
        is held by one, or whose reasons tell in words what one of the memories states. Those that wait go at once, the
        others by what is returned."""
        said = [stripped for text in texts if (stripped := text.strip())]

        def is_asked(facts: Mapping[str, Json]) -> bool:
            prompt = str(facts.get("prompt", "")).strip()
            return bool(prompt) and any(text in prompt or prompt in text for text in said)

        def is_telling(facts: Mapping[str, Json], receipt: Receipt) -> bool:
            return is_asked(facts) or line_from(receipt, memories) is not None

        if not said and not memories:
            return []
        waiting = [(id, one) for id, one in self._now_waiting().items() if one.namespace == namespace]
        self._let_go(id for id, one in waiting if is_telling(one.facts, one.receipt))
        stored = every_record(snapshot, prompt_receipts(namespace))
        return [
            Remove(collection=one.collection, id=one.id) for one in stored if is_telling(one.metadata, receipt_in(one))
        ]

    def close(self) -> None:
        """Write what waits; what cannot be written is lost, and told."""
        self._told = ""  # what is lost now is told, whatever was said before
        with self._lock:
            self._is_closed = True
            if self._timer is not None:
                self._timer.cancel()
        self.try_to_settle()

    def _start_timer(self) -> None:
        """With the lock held. The thread is no daemon: a program that ends without closing waits for it."""
        if self._timer is None and not self._is_closed:
            self._timer = threading.Timer(self._pause, self._settle_later)
            self._timer.start()

    def _settle_later(self) -> None:
        with self._lock:
            self._timer = None
        self.try_to_settle()

    def try_to_settle(self) -> None:
        """A prompt is worth more than its receipt: where the disk is full, it goes out all the same."""
        try:
            self.settle()
            self._told = ""
        except LibraError as error:
            waiting = list(self._now_waiting())
            if str(error) != self._told:  # on a replica it would be said of each prompt
                _log.warning("%s receipts are not written: %s", f"{len(waiting):,}", error)
            self._told = str(error)
            self._let_go(waiting[: max(0, len(waiting) - self._most)])
            if not isinstance(error, StoreClosed):
                with self._lock:
                    self._start_timer()

    def _excess(self, snapshot: Snapshot, namespace: str, waiting: Mapping[str, Issued]) -> list[Change]:
        """What removes the oldest, so that no more are kept than promised."""
        collection = prompt_receipts(namespace)
        held = snapshot.sizes([collection])[collection]
        added = sum(issued.namespace == namespace for issued in waiting.values())
        excess = held + added - self._most
        if excess <= 0:
            return []
        oldest = [record.id for record in snapshot.page(collection, limit=excess).items]
        oldest += sorted(id for id, issued in waiting.items() if issued.namespace == namespace)
        return _removals(namespace, oldest[:excess])


def _removals(namespace: str, ids: Iterable[str]) -> list[Change]:
    return [Remove(collection=prompt_receipts(namespace), id=id) for id in ids]


class _Traces:
    """The last trace of each session, by the revision of the namespace's receipts it is known to be right at: our own
    writes move it along, anybody else's make it be read again. Usable from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, str], Trace | None] = OrderedDict()
        self._revisions: dict[str, Revision] = {}

    def note(self, namespace: str, session: str, trace: Trace | None) -> None:
        """A session's last prompt had this trace."""
        with self._lock:
            self._keep(namespace, session, trace)

    def note_written(self, namespace: str, *, before: Revision, after: Revision) -> None:
        """We changed a namespace's receipts ourselves; what somebody else changed before that is not known here."""
        with self._lock:
            if self._revisions.get(namespace, before) != before:
                self._forget(namespace)
            self._revisions[namespace] = after

    def last(self, namespace: str, session: str, snapshot: Snapshot) -> Trace | None:
        """The trace of a session's last prompt at this moment, as its receipt tells it."""
        topic = _topic(namespace)
        revision = snapshot.revisions([topic])[topic]
        with self._lock:
            if self._revisions.get(namespace) == revision and (namespace, session) in self._known:
                return self._known[namespace, session]
            if self._revisions.get(namespace) != revision:
                self._forget(namespace)
                self._revisions[namespace] = revision
        trace = _trace_as_of(snapshot, session, namespace=namespace)
        with self._lock:
            is_newest = self._revisions.get(namespace) == revision and (namespace, session) not in self._known
            if is_newest:  # no prompt of the session went out meanwhile
                self._keep(namespace, session, trace)
        return trace

    def holds(self, namespace: str) -> bool:
        """Whether a trace of a namespace is known."""
        with self._lock:
            return any(owner == namespace for owner, _ in self._known)

    def forget(self, namespace: str | None) -> None:
        """Let go of what is known of a namespace, or of all."""
        with self._lock:
            self._forget(namespace)

    def _keep(self, namespace: str, session: str, trace: Trace | None) -> None:
        self._known[namespace, session] = trace
        self._known.move_to_end((namespace, session))
        while len(self._known) > SESSIONS:
            self._known.popitem(last=False)

    def _forget(self, namespace: str | None) -> None:
        for owner in [owner for owner in self._known if namespace in (None, owner[0])]:
            del self._known[owner]


def _trace_as_of(snapshot: Snapshot, session: str, *, namespace: str, moment: int | None = None) -> Trace | None:
    """The trace of a session's last prompt up to a moment, as its receipt tells it."""
    until = None if moment is None else moment + 1
    where = Where(metadata={SESSION: (session,)}, until=until)
    stored = newest(snapshot, prompt_receipts(namespace), limit=1, where=where)
    told = stored[0].metadata.get("trace") if stored else None
    return trace_from_json(told) if isinstance(told, dict) else None


def _topic(namespace: str) -> Topic:
    return Topic.collection(prompt_receipts(namespace))


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReceipt:
    """A receipt as the store holds it, and what it tells of its prompt."""

    record: Record

    @property
    def session(self) -> str:
        """The session that the prompt was made for."""
        return TurnMetadata.of(self.record).session or ""

    @property
    def question(self) -> str:
        """What was asked."""
        return str(self.record.metadata.get("prompt", ""))

    @property
    def until(self) -> int:
        """When the last turn was said that the prompt could know; 0 when nobody told."""
        told = self.record.metadata.get("until")
        return told if isinstance(told, int) else 0

    @property
    def notes(self) -> Notebook:
        """The agent's notes that it was offered."""
        told = self.record.metadata.get("notes_of")
        return Notebook(owner=told) if isinstance(told, str) else CLOSED

    @property
    def moment(self) -> int:
        """The moment up to which the prompt could know anything."""
        return max(self.record.at, self.until)


def unkept_receipt(namespace: str, facts: Mapping[str, Json], receipt: Receipt, *, at: int) -> Record:
    """The record of a receipt that is kept nowhere, for whoever asks about its prompt."""
    told: dict[str, Json] = {**_receipt_facts(namespace, facts), RECEIPT: json.dumps(to_json(receipt))}
    collection = prompt_receipts(namespace)
    return Record(collection=collection, id="", text="", metadata=told, at=at, version=0, access_count=0)


def _receipt_facts(namespace: str, facts: Mapping[str, Json]) -> dict[str, Json]:
    return {KIND: RecordKind.RECEIPT.value, OWNER: namespace, **facts}


def receipt_in(record: Record) -> Receipt:
    """The account that a record holds."""
    told = record.metadata.get(RECEIPT)
    return from_json(json.loads(told) if isinstance(told, str) else {})


def _view(record: Record) -> ReceiptView | None:
    """A receipt where many are listed; None for what somebody else put among them."""
    try:
        told = receipt_in(record)
    except (InvalidInput, ValueError, RecursionError):
        return None
    stored = StoredReceipt(record=record)
    return ReceiptView(
        id=record.id,
        session=stored.session,
        prompt=stored.question,
        at=record.at,
        mode=told.mode.value,
        outcome=told.outcome,
        budget=told.budget,
        tokens=told.tokens,
        leading_tokens=told.leading_tokens,
        items=len(told.items),
        left_out=len(told.left_out),
        silence=told.silence,
    )


def line_from(receipt: Receipt, memories: Collection[str]) -> Item | None:
    """The line of the profile in a prompt that comes from one of these memories; its reasons tell of whom it is."""
    lines = (item for item in receipt.items if item.tranche is Tranche.PROFILE)
    endings = tuple(f", from {memory}" for memory in memories)
    return next((item for item in lines if item.reasons and item.reasons[0].endswith(endings)), None)


def _lasting(trace: Trace) -> dict[str, Json]:
    """What is kept of a trace: its digests grow with the host's history and only count what stayed the same."""
    return trace_to_json(replace(trace, sections=()))
