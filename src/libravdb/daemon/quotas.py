"""What one namespace may take: records, bytes, calls a minute. Held for every door, whoever asks.

How much a namespace holds is measured when that is needed and counted on from there: what a call may add is reserved
before it runs, so that many at once cannot pass together where one could. A reservation is an upper bound; where it
does not fit any more, the store is asked again. Several daemons over one database know nothing of one another's
reservations: each measures more often, and a quota can be passed by what they admit in the same moment.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import msgspec

from libravdb.daemon.rights import ALL
from libravdb.daemon.settings import DaemonSettings, Quota, read_override, usual_quota
from libravdb.errors import QuotaExceeded, TooManyCalls
from libravdb.model import Volume
from libravdb.model.collections import namespace_collections, session_collections
from libravdb.model.namespaces import fits, nameless_session
from libravdb.ports.store import Store
from libravdb.wire.methods.access import ACCESS, ADMIN_ONLY, AccessRole

SHRINKING = frozenset(
    "delete delete_batch forget forget_turns flush_namespace drop_collections compact compact_session erase_namespace"
    " remove_guidance profile_forget".split()
)
"""What a full namespace may always do: it makes room."""

STEADY = frozenset(
    "bump_access_counts session_lifecycle_hint feedback restore_memory supersede_memory profile_rebuild"
    " profile_pin".split()
)
"""What writes and adds next to nothing, or something that is bounded otherwise."""

COPIES = {"ingest": 8, "ingest_batch": 8, "commit_turn": 8, "bootstrap": 8}
USUAL_COPIES = 3
"""How many records one item of a call can become at most: a turn stands in its session, in the history, in the gate's
index, and perhaps in durable memory, guidance and profile; a memory in the profile too."""

BESIDE = 512
"""Bytes of metadata that a record gets beside what was sent."""

FRESH_SECONDS = 60.0
"""How long a measure is counted on from; what the engine adds by itself is seen after that."""

FULL_SECONDS = 1.0
"""How long a namespace that was found full counts as full, unless something of it is deleted."""

SHARED_SECONDS = 5.0
"""The same where other daemons write to the store too; with little room left every call is measured."""

LITTLE_ROOM = 0.1
"""The last share of a quota."""

NOTHING = Volume()
MOST_KNOWN = 10_000
"""Namespaces that are kept in mind; those that were asked about longest ago go first."""


class QuotaRules:
    """Which quota a namespace has."""

    def __init__(self, usual: Quota, overrides: Sequence[tuple[str, Quota]] = ()) -> None:
        self.usual = usual
        self._overrides = tuple(overrides)
        self.of = lru_cache(maxsize=MOST_KNOWN)(self._of)

    @classmethod
    def read(cls, settings: DaemonSettings) -> QuotaRules:
        """The rules as configured."""
        usual = usual_quota(settings)
        return cls(usual, [read_override(text, usual) for text in settings.quota_overrides])

    @property
    def is_off(self) -> bool:
        """True when nobody is limited."""
        return self.usual == Quota() and all(quota == Quota() for _, quota in self._overrides)

    def _of(self, namespace: str) -> Quota:
        return next((quota for pattern, quota in self._overrides if fits(namespace, pattern)), self.usual)


class CallRates:
    """Calls a minute, by name: a bucket that a call takes from and that fills up evenly. Safe from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, name: str, per_minute: int) -> float:
        """Take one call; gives the seconds until there is one to take, 0 when it was taken."""
        with self._lock:
            now = self._clock()
            left, since = self._left.pop(name, (float(per_minute), now))
            left = min(left + (now - since) * per_minute / 60, float(per_minute))
            is_taken = left >= 1
            self._left[name] = (left - is_taken, now)
            while len(self._left) > MOST_KNOWN:
                self._left.popitem(last=False)
            return 0.0 if is_taken else (1 - left) * 60 / per_minute


@dataclass(slots=True)
class _Held:
    """What is known of one namespace: a measure, and what may have come since."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    measured: Volume | None = None
    measured_at: float = 0.0
    since: Volume = NOTHING
    under_way: Volume = NOTHING

    def with_more(self, more: Volume) -> Volume:
        return _sum(self.measured or NOTHING, self.since, self.under_way, more)


class Quotas:
    """Holds calls against the quotas of the namespaces that they touch. Safe from any thread."""

    def __init__(
        self,
        rules: QuotaRules,
        measure: Callable[[str], Volume],
        *,
        clock: Callable[[], float] = time.monotonic,
        is_shared: bool = False,
    ) -> None:
        self._rules = rules
        self._is_shared = is_shared
        self._measure = measure
        self._clock = clock
        self._rates = CallRates(clock)
        self._lock = threading.Lock()
        self._namespaces: OrderedDict[str, _Held] = OrderedDict()

    @classmethod
    def over(cls, store: Store, settings: DaemonSettings) -> Quotas:
        """The quotas as configured, measured in a store."""
        rules = QuotaRules.read(settings)
        return cls(rules, lambda namespace: measured(store, namespace), is_shared=store.is_shared)

    @property
    def is_off(self) -> bool:
        """True when nobody is limited."""
        return self._rules.is_off

    @contextmanager
    def admitted(self, method: str, params: object, namespaces: Sequence[str]) -> Iterator[None]:
        """Let a call run; raises QuotaExceeded before it does anything."""
        role = ACCESS.get(method, ADMIN_ONLY).role
        namespaces = [each for each in namespaces if each != ALL]
        with ExitStack() as reserved:
            if role is AccessRole.WRITE and method not in SHRINKING | STEADY:
                for namespace in namespaces:
                    reserved.enter_context(self._reserved(namespace, method, params))
            yield
        if method in SHRINKING:
            for namespace in namespaces:
                self._held(namespace).measured = None

    # ── calls ─────────────────────────────────────────────────────────────────────────────────────────────

    def count(self, method: str, namespaces: Sequence[str], *, who: str, is_admin: bool) -> None:
        """Count a call before anything is done for it; raises TooManyCalls. It counts against the namespaces that it
        is about, and against `who` when they are none of his, or none."""
        if is_admin and ACCESS.get(method, ADMIN_ONLY).role is AccessRole.ADMIN:
            return
        namespaces = [each for each in namespaces if each != ALL]
        counted = [(f"namespace {name!r}", self._rules.of(name).calls) for name in namespaces]
        if not namespaces and who:
            counted = [(f"token {who!r}", self._rules.usual.calls)]
        for name, calls in counted:
            seconds = self._rates.take(name, calls) if calls else 0.0
            if seconds:
                raise TooManyCalls(
                    f"The {name} may be asked about {calls:,} times a minute; nothing was done.",
                    retry_after=seconds,
                    remedy=f"Try again in {math.ceil(seconds)} s, or let an admin raise daemon.quota_calls.",
                )

    # ── room ──────────────────────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def _reserved(self, namespace: str, method: str, params: object) -> Iterator[None]:
        quota = self._rules.of(namespace)
        if not quota.records and not quota.size_bytes:
            yield
            return
        more, held = _estimate(method, params), self._held(namespace)
        with held.lock:
            self._refuse_full(namespace, held, quota, more)
            held.under_way = _sum(held.under_way, more)
        try:
            yield
        finally:
            with held.lock:
                held.under_way = _less(held.under_way, more)
                held.since = _sum(held.since, more)

    def _refuse_full(self, namespace: str, held: _Held, quota: Quota, more: Volume) -> None:
        now = self._clock()
        age = math.inf if held.measured is None else now - held.measured_at
        is_fitting = _fits(held.with_more(more), quota)
        if is_fitting and age < self._fresh_seconds(held.with_more(more), quota):
            return
        if is_fitting or age > FULL_SECONDS or held.since != NOTHING:
            held.since = NOTHING  # what ends while it is measured is counted twice rather than not at all
            held.measured = self._measure(namespace)
            held.measured_at = now
        if not _fits(held.with_more(more), quota):
            raise _full(namespace, held, quota, more)

    def _fresh_seconds(self, volume: Volume, quota: Quota) -> float:
        """How long a measure may be counted on from."""
        if not self._is_shared:
            return FRESH_SECONDS
        return SHARED_SECONDS if _fits(volume, quota, share=1 - LITTLE_ROOM) else 0.0

    def _held(self, namespace: str) -> _Held:
        with self._lock:
            held = self._namespaces.pop(namespace, None) or _Held()
            self._namespaces[namespace] = held
            while len(self._namespaces) > MOST_KNOWN:
                _, oldest = self._namespaces.popitem(last=False)
                if oldest.under_way != NOTHING:
                    self._namespaces[_] = oldest
                    break
            return held


def measured(store: Store, namespace: str) -> Volume:
    """How much a namespace holds: its own collections, and its records in sessions and elsewhere."""
    session = nameless_session(namespace)
    names = (*namespace_collections(namespace), *(() if session is None else session_collections(session)))
    with store.read() as snapshot:
        return snapshot.volume(names, owner=namespace)


def _estimate(method: str, params: Any) -> Volume:  # noqa: ANN401 - the params of any method
    """What a call may add at most, roughly."""
    lists = (getattr(params, name, None) for name in ("messages", "notes", "entries", "records", "lines"))
    items = next((len(each) for each in lists if each is not None), 1)
    copies = COPIES.get(method, USUAL_COPIES)
    records, size = items * copies, len(msgspec.json.encode(params, enc_hook=str)) * copies
    return Volume(records=records, size_bytes=size + records * BESIDE)


def _full(namespace: str, held: _Held, quota: Quota, more: Volume) -> QuotaExceeded:
    now = held.with_more(NOTHING)
    if quota.records and now.records + more.records > quota.records:
        told = f"{now.records:,} of {quota.records:,} records, and this call may add {more.records:,}"
    else:
        told = (
            f"{now.size_bytes / 2**20:,.1f} of {quota.size_bytes / 2**20:,.0f} MiB, and this call may add"
            f" {more.size_bytes / 2**20:,.1f}"
        )
    return QuotaExceeded(
        f"The namespace {namespace!r} holds {told}; nothing was written.",
        remedy="Delete something of it, or let an admin raise daemon.quota_records, daemon.quota_mb or an override.",
    )


def _fits(volume: Volume, quota: Quota, *, share: float = 1.0) -> bool:
    return (not quota.records or volume.records <= share * quota.records) and (
        not quota.size_bytes or volume.size_bytes <= share * quota.size_bytes
    )


def _sum(*several: Volume) -> Volume:
    return Volume(records=sum(one.records for one in several), size_bytes=sum(one.size_bytes for one in several))


def _less(one: Volume, other: Volume) -> Volume:
    return Volume(records=one.records - other.records, size_bytes=one.size_bytes - other.size_bytes)
