"""What was put into the last prompts of each session: the echo guard of ingest asks for it.

A process remembers its own prompts, until something of them is deleted. Where others share the store they may delete
it too, and prompts are known by their receipts: a frame by its digest, a text by the record that it came from, as it is
now. Of its own prompts a process remembers the texts as they were shown, as long as the receipt and all records of it
are still there.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from libravdb.core.ingest.echo import InjectedBefore
from libravdb.engine.known_records import KnownRecords
from libravdb.engine.pages import newest
from libravdb.engine.receipts import StoredReceipt, receipt_in
from libravdb.model import Key, Record, Tranche, Where
from libravdb.model.collections import prompt_receipts
from libravdb.model.turn_metadata import SESSION
from libravdb.ports.store import Snapshot

SESSIONS = 256
"""Sessions whose last prompts are remembered; the longest unused go first."""

PROMPTS = 4
"""Last prompts of a session that are remembered."""


FRAMES = "frames"
"""Under it a receipt keeps the digests of the frames of its prompt, in a store that several share."""


class _Answered(NamedTuple):
    prompt: str
    texts: tuple[str, ...]
    frames: frozenset[str]
    receipt: str


class InjectedTexts:
    """What we put into the last prompts of each session, for the echo guard."""

    def __init__(self, *, is_shared: bool = False) -> None:
        self._is_shared = is_shared
        self._lock = threading.Lock()
        self._prompts: OrderedDict[tuple[str, str], deque[_Answered]] = OrderedDict()

    def add(
        self,
        session: str,
        prompt: str,
        texts: Sequence[str],
        *,
        frames: frozenset[str],
        namespace: str,
        receipt: str = "",
    ) -> None:
        """A prompt of a session was answered with these texts in these frames; the same again counts once, by its last
        receipt."""
        answered = _Answered(prompt, tuple(texts), frames, receipt)
        with self._lock:
            known = self._prompts.setdefault((namespace, session), deque(maxlen=PROMPTS))
            self._prompts.move_to_end((namespace, session))
            again = next((place for place, one in enumerate(known) if one[:3] == answered[:3]), None)
            if again is None:
                known.append(answered)
            else:
                known[again] = answered
            while len(self._prompts) > SESSIONS:
                self._prompts.popitem(last=False)

    def of(self, session: str, namespace: str) -> InjectedBefore:
        """What we injected into a session's last prompts for a namespace."""
        known = self._own(session, namespace)
        return InjectedBefore(
            frames=frozenset().union(*(answered.frames for answered in known)),
            texts=tuple(dict.fromkeys(text for answered in known for text in answered.texts)),
            prompts=tuple(dict.fromkeys(answered.prompt for answered in known)),
        )

    def of_all(self, session: str, namespace: str, *, snapshot: Snapshot, known: KnownRecords) -> InjectedBefore:
        """What whoever shares the store injected into them. Our frames count in any case: a heartbeat has no receipt,
        and a digest tells no word."""
        own = self.of(session, namespace)
        if not self._is_shared:
            return own
        shown = {answered.receipt: answered.texts for answered in self._own(session, namespace)}
        told = told_by_receipts(snapshot, session, namespace, known, shown)
        return replace(told, frames=own.frames | told.frames)

    def _own(self, session: str, namespace: str) -> tuple[_Answered, ...]:
        with self._lock:
            return tuple(self._prompts.get((namespace, session), ()))

    def holds(self, namespace: str) -> bool:
        """Whether anything is remembered that was injected for a namespace."""
        with self._lock:
            return any(whose == namespace for whose, _ in self._prompts)

    def forget(self, namespace: str | None = None) -> None:
        """Let go of what was injected for a namespace, or for all."""
        with self._lock:
            for whose in [whose for whose in self._prompts if namespace in (None, whose[0])]:
                del self._prompts[whose]


def told_by_receipts(
    snapshot: Snapshot, session: str, namespace: str, known: KnownRecords, shown: Mapping[str, Sequence[str]]
) -> InjectedBefore:
    """What the receipts of a session's last prompts tell of what was put into them: the texts as they were `shown`, by
    the receipt, where nothing of it was deleted; elsewhere those of its records."""
    last = newest(snapshot, prompt_receipts(namespace), limit=PROMPTS, where=Where(metadata={SESSION: (session,)}))
    places = {each.id: _places_in(each) for each in last}
    found = known.records(snapshot, list(dict.fromkeys(place for each in places.values() for place in each)))
    texts: list[str] = []
    for id, those in places.items():
        is_whole = all(place in found for place in those)
        texts += shown.get(id, ()) if is_whole else ()
        texts += (found[place].text for place in those if place in found)
    return InjectedBefore(
        frames=frozenset(frame for each in last for frame in _frames_of(each)),
        texts=tuple(dict.fromkeys(texts)),
        prompts=tuple(question for each in last if (question := StoredReceipt(record=each).question)),
    )


def _places_in(receipt: Record) -> tuple[Key, ...]:
    """Where the records stand that a prompt was made of; a line of a profile is no record."""
    items = (item for item in receipt_in(receipt).items if item.collection and item.tranche is not Tranche.PROFILE)
    return tuple(Key(item.collection, item.id) for item in items)


def _frames_of(receipt: Record) -> tuple[str, ...]:
    told = receipt.metadata.get(FRAMES)
    return tuple(each for each in told if isinstance(each, str)) if isinstance(told, list) else ()
