"""The wishes that count for every prompt of a person, kept in memory as long as nobody changed them."""

from __future__ import annotations

from collections import OrderedDict

from libravdb.engine.expiry import hides
from libravdb.engine.guidance import SpokenWishes, spoken_wishes
from libravdb.model import Revision, Topic
from libravdb.model.collections import user_guidance
from libravdb.ports.store import Snapshot

REMEMBERED = 256
"""Namespaces whose wishes are kept; the longest unused go first."""


class KnownWishes:
    """Wishes by the revision they were read at. Usable from many threads: two may read at once, to the same end."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[Revision, SpokenWishes]] = OrderedDict()

    def spoken(self, snapshot: Snapshot, namespace: str, *, as_of: int | None = None) -> SpokenWishes:
        """The general wishes of a namespace as they are at a moment."""
        topic = Topic.collection(user_guidance(namespace))
        revision = snapshot.revisions([topic])[topic]
        if not revision:
            return SpokenWishes()
        if as_of is not None:
            return spoken_wishes(snapshot, namespace, as_of=as_of)
        if hides(snapshot, topic.name):
            return spoken_wishes(snapshot, namespace)
        known = self._known.get(namespace)
        if known is None or known[0] != revision:
            known = revision, spoken_wishes(snapshot, namespace)
            self._known[namespace] = known
            while len(self._known) > REMEMBERED:
                self._known.pop(next(iter(self._known)), None)
        return known[1]

    def forget(self, namespace: str | None = None) -> None:
        """Let go of what is remembered of a namespace, or of everybody's."""
        if namespace is None:
            self._known.clear()
        else:
            self._known.pop(namespace, None)

    def holds(self, namespace: str) -> bool:
        """Whether a wish of a namespace is remembered."""
        known = self._known.get(namespace)
        return known is not None and bool(known[1].hits or known[1].past)
