"""What was put into the last prompts of each session: the echo guard of ingest asks for it.

A process remembers its own prompts. Where others share the store, theirs are known by their receipts: a frame by its
digest, a text by the record that it came from, as it is now. What was deleted since is not known any more.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Sequence
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


class InjectedTexts:
    """What we put into the last prompts of each session, for the echo guard."""

    def __init__(self, *, is_shared: bool = False) -> None:
        self._is_shared = is_shared
        self._lock = threading.Lock()
        self._prompts: OrderedDict[tuple[str, str], deque[_Answered]] = OrderedDict()

    def add(self, session: str, prompt: str, texts: Sequence[str], *, frames: frozenset[str], namespace: str) -> None:
        """A prompt of a session was answered with these texts in these frames; the same again counts once."""
        answered = _Answered(prompt, tuple(texts), frames)
        with self._lock:
            known = self._prompts.setdefault((namespace, session), deque(maxlen=PROMPTS))
            self._prompts.move_to_end((namespace, session))
            if answered not in known:
                known.append(answered)
            while len(self._prompts) > SESSIONS:
                self._prompts.popitem(last=False)

    def of(self, session: str, namespace: str) -> InjectedBefore:
        """What was injected into a session's last prompts for a namespace."""
        with self._lock:
            known = tuple(self._prompts.get((namespace, session), ()))
        return InjectedBefore(
            frames=frozenset().union(*(answered.frames for answered in known)),
            texts=tuple(dict.fromkeys(text for answered in known for text in answered.texts)),
            prompts=tuple(dict.fromkeys(answered.prompt for answered in known)),
        )

    def of_all(self, session: str, namespace: str, *, snapshot: Snapshot, known: KnownRecords) -> InjectedBefore:
        """The same, and what others who share the store put into the session's last prompts."""
        own = self.of(session, namespace)
        if not self._is_shared:
            return own
        told = told_by_receipts(snapshot, session, namespace, known)
        return InjectedBefore(
            frames=own.frames | told.frames,
            texts=tuple(dict.fromkeys((*own.texts, *told.texts))),
            prompts=tuple(dict.fromkeys((*own.prompts, *told.prompts))),
        )

    def holds(self, namespace: str) -> bool:
        """Whether anything is remembered that was injected for a namespace."""
        with self._lock:
            return any(whose == namespace for whose, _ in self._prompts)

    def forget(self, namespace: str | None = None) -> None:
        """Let go of what was injected for a namespace, or for all."""
        with self._lock:
            for whose in [whose for whose in self._prompts if namespace in (None, whose[0])]:
                del self._prompts[whose]


def told_by_receipts(snapshot: Snapshot, session: str, namespace: str, known: KnownRecords) -> InjectedBefore:
    """What the receipts of a session's last prompts tell of what was put into them."""
    last = newest(snapshot, prompt_receipts(namespace), limit=PROMPTS, where=Where(metadata={SESSION: (session,)}))
    places = dict.fromkeys(
        Key(item.collection, item.id)
        for each in last
        for item in receipt_in(each).items
        if item.collection and item.tranche is not Tranche.PROFILE  # a line of a profile is no record
    )
    found = known.records(snapshot, list(places))
    return InjectedBefore(
        frames=frozenset(frame for each in last for frame in _frames_of(each)),
        texts=tuple(found[place].text for place in places if place in found),
        prompts=tuple(question for each in last if (question := StoredReceipt(record=each).question)),
    )


def _frames_of(receipt: Record) -> tuple[str, ...]:
    told = receipt.metadata.get(FRAMES)
    return tuple(each for each in told if isinstance(each, str)) if isinstance(told, list) else ()
