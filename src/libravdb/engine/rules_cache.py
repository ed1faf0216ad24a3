"""The authored rules in force, kept in memory as long as nobody changed them."""

from __future__ import annotations

from libravdb.engine.documents import RULING_TIERS, authored_rules
from libravdb.engine.expiry import hides
from libravdb.model import Record, Revision, Topic
from libravdb.model.collections import AUTHORED
from libravdb.ports.store import Snapshot

_TOPICS = tuple(Topic.collection(AUTHORED[tier]) for tier in RULING_TIERS)


class RulesCache:
    """Rules by the revision they were read at: whoever adds, deletes or imports one, in this process or another, the
    next snapshot has other revisions. Usable from many threads: two may read at once, to the same end."""

    def __init__(self) -> None:
        self._known: tuple[tuple[Revision, ...], tuple[Record, ...]] | None = None

    def rules(self, snapshot: Snapshot) -> tuple[Record, ...]:
        """Hard and soft nodes of all documents at this moment, in authored order."""
        if any(hides(snapshot, topic.name) for topic in _TOPICS):
            return authored_rules(snapshot)
        found = snapshot.revisions(_TOPICS)
        revisions = tuple(found[topic] for topic in _TOPICS)
        known = self._known
        if known is None or known[0] != revisions:
            known = self._known = revisions, authored_rules(snapshot)
        return known[1]

    def texts(self, snapshot: Snapshot) -> tuple[str, ...]:
        """What they say."""
        return tuple(rule.text for rule in self.rules(snapshot))
