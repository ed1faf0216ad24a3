"""When nothing is to be said: how strong evidence looks in a memory where it means nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from libravdb.core.recall.abstention import LEAST_TEXTS, PROBES, evidence, floor
from libravdb.core.recall.candidates import gather
from libravdb.core.recall.settings import RecallSettings
from libravdb.engine.candidates import survey
from libravdb.model import CandidateSet, Embedding, Revision, Scope, Topic
from libravdb.model.collections import session_of
from libravdb.ports.store import Snapshot
from libravdb.text.analysis import query_terms

EmbedQuery = Callable[[str], Embedding | None]
"""A question's vector, or None without an embedder."""

_STALE = 2.0  # a floor is measured anew when the memory has doubled or halved
_MOST_FLOORS = 256
_PROBED = 8  # candidates of each kind that a probe looks at


@dataclass(frozen=True, slots=True, kw_only=True)
class _Floor:
    """A floor, the size of the memory it was measured in, and which commits had changed that memory last."""

    value: float
    size: int
    revisions: tuple[Revision, ...]


class Floors:
    """How strong evidence looks where it means nothing, per set of collections; measured when first needed.

    One that was measured at another revision stands as long as the memory has neither doubled nor halved, and none of
    its collections has gone or come: a few turns more hardly move what chance looks like. Usable from many threads: two
    may measure at once, to the same end.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[tuple[str, ...], bool], _Floor] = {}
        self._probes: tuple[Embedding, ...] = ()

    def floor(
        self,
        snapshot: Snapshot,
        collections: Mapping[str, Scope],
        *,
        embed: EmbedQuery,
        settings: RecallSettings,
        found: CandidateSet,
    ) -> float:
        """The floor for these collections, whose present size a set of candidates tells.

        What is said in one session stands in the history too: where that is large enough, all sessions share its floor.
        """
        lasting = {name: scope for name, scope in collections.items() if session_of(name) is None}
        measured = lasting if _size(found, lasting) >= LEAST_TEXTS else collections
        size = _size(found, measured)
        if size < LEAST_TEXTS:
            return 0.0
        is_dense = any(one.cosine is not None for one in found.sightings)
        key = tuple(measured), is_dense
        topics = [Topic.collection(name) for name in measured]
        revisions = tuple(snapshot.revisions(topics)[topic] for topic in topics)
        known = self._known.get(key)
        if known is None or not _still_stands(known, size=size, revisions=revisions):
            value = self._measure(snapshot, measured, embed=embed if is_dense else None, settings=settings)
            known = _Floor(value=value, size=size, revisions=revisions)
            if len(self._known) >= _MOST_FLOORS:
                self._known.clear()
            self._known[key] = known
        return known.value

    def _measure(
        self,
        snapshot: Snapshot,
        collections: Mapping[str, Scope],
        *,
        embed: EmbedQuery | None,
        settings: RecallSettings,
    ) -> float:
        strengths: list[float] = []
        vectors = [None] * len(PROBES) if embed is None else self._vectors(embed)
        for probe, embedding in zip(PROBES, vectors, strict=True):
            words = tuple(query_terms(probe))
            found = survey(snapshot, tuple(collections), words=words, embedding=embedding, k=_PROBED)
            strengths.append(evidence(gather(found, scopes=collections, settings=settings)))
        return floor(strengths, settings.silence)

    def _vectors(self, embed: EmbedQuery) -> Sequence[Embedding | None]:
        """The vectors of the probes, which stay the same as long as the embedder does."""
        first = embed(PROBES[0])
        known = self._probes
        if first is not None and known and known[0].fingerprint == first.fingerprint:
            return known
        found = [embed(probe) for probe in PROBES]
        whole = tuple(one for one in found if one is not None)
        is_steady = len(whole) == len(PROBES) and len({one.fingerprint for one in whole}) == 1
        self._probes = whole if is_steady else ()
        return found


def _still_stands(known: _Floor, *, size: int, revisions: tuple[Revision, ...]) -> bool:
    if known.revisions == revisions:
        return True
    are_the_same = [bool(one) for one in known.revisions] == [bool(one) for one in revisions]
    return are_the_same and known.size / _STALE <= size <= known.size * _STALE


def _size(found: CandidateSet, names: Iterable[str]) -> int:
    """The texts of the largest of these collections."""
    return max((found.vocabularies[name].texts for name in names if name in found.vocabularies), default=0)
