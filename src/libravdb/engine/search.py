"""Recall as the engine does it: which collections a namespace's scopes are, one read, ranking, and what fits."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from libravdb.core.recall.abstention import LEAST_TEXTS, PROBES, evidence, floor
from libravdb.core.recall.candidates import gather
from libravdb.core.recall.hops import hop, hop_targets
from libravdb.core.recall.question import read_question
from libravdb.core.recall.rank import Ranking, explain, rank
from libravdb.core.recall.settings import RecallSettings
from libravdb.core.recall.time_coverage import Selected
from libravdb.engine.embedding import Embeddings
from libravdb.errors import InvalidInput
from libravdb.model import ANYTHING, Answer, CandidateSet, Embedding, Hit, Query, Record, Role, Scope, SearchMode, Where
from libravdb.model.collections import CollectionKind, parse_collection, scope_collections, scope_of, session_of
from libravdb.model.namespaces import named
from libravdb.model.session_state import SessionMetadata
from libravdb.ports.store import Clock, Store
from libravdb.text.tokens import prompt_tokens
from libravdb.text.unicode import mend

EmbedQuery = Callable[[str], tuple[Embedding | None, str]]
"""A question's vector, or None and in words why not."""

CountTokens = Callable[[str], int]

MOST_HITS = 10_000
"""More results than this are a listing, not an answer."""

_LINKED = (CollectionKind.TURN_HISTORY, CollectionKind.SESSION_VIEW, CollectionKind.RAW_TURNS)
"""Collections in which the turns beside a turn are there too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What recall found, in order, and what was reduced on the way (empty: nothing)."""

    ranking: Ranking
    survey: CandidateSet
    is_dense: bool
    degraded: str = ""


def recall(
    store: Store,
    text: str,
    *,
    collections: Mapping[str, Scope],
    embed: EmbedQuery,
    now: int,
    k: int,
    settings: RecallSettings,
    where: Where = ANYTHING,
    exclude: Mapping[str, frozenset[str]] | None = None,
) -> Recalled:
    """What some collections hold on a question as of `now`, best first: one embedding, one read, ranking."""
    turns = frozenset(name for name in collections if parse_collection(name).kind in _LINKED)
    question = read_question(text, now=now, participants=participants(store, turns))
    embedding, degraded = embed(question.topic)
    survey = store.survey(
        Query(
            collections=tuple(collections),
            k=max(k, settings.candidates),
            text=question.topic,
            embedding=embedding,
            exclude=exclude or {},
            where=where,
            linked=turns,
            links=settings.links,
        )
    )
    ranking = rank(survey, question, scopes=collections, settings=settings, k=k)
    return Recalled(ranking=ranking, survey=survey, is_dense=embedding is not None, degraded=degraded)


def participants(store: Store, collections: Iterable[str]) -> tuple[str, ...]:
    """The people who speak in these collections; a role is nobody's name."""
    names = {name for collection in sorted(collections) for name in store.speakers(collection)}
    return tuple(sorted(name for name in names if name.lower() not in _ROLES))


_ROLES = frozenset(role.value for role in Role)


def answer(
    store: Store,
    text: str,
    *,
    collections: Mapping[str, Scope],
    embed: EmbedQuery,
    now: int,
    k: int,
    settings: RecallSettings,
    budget: int | None = None,
    where: Where = ANYTHING,
    exclude: Mapping[str, frozenset[str]] | None = None,
    floors: Floors | None = None,
) -> Answer:
    """`recall` as an answer: the best k that fit the budget. With `floors`, nothing when nothing is relevant."""
    found = recall(
        store,
        text,
        collections=collections,
        embed=embed,
        now=now,
        k=k,
        settings=settings,
        where=where,
        exclude=exclude,
    )
    ranking = found.ranking
    order = ranking.order if budget is None else pack(ranking, budget=budget)
    mode = SearchMode.FULL if found.is_dense else SearchMode.LEXICAL_ONLY
    if floors is not None and ranking.order:
        least = floors.floor(store, collections, embed=embed, settings=settings, survey=found.survey)
        if ranking.evidence < least:
            silence = (
                f"nothing is closer to the question than chance: evidence {ranking.evidence:.2f}, floor {least:.2f}"
            )
            return Answer(hits=(), mode=mode, degraded=found.degraded, silence=silence)
    hits = [explain(ranking, place) for place in order[:k]]
    hits = with_hops(store, hits, settings)[:k] if budget is None else hits
    return Answer(hits=tuple(hits), mode=mode, degraded=found.degraded)


def with_hops(store: Store, hits: list[Hit], settings: RecallSettings) -> list[Hit]:
    """The hits with what they name in `hop_targets`: records of the same collection, by id."""
    named = {(hit.record.collection, target) for hit in hits for target in hop_targets([hit])}
    if not named:
        return hits
    found: dict[str, list[Record]] = {}
    for collection, target in sorted(named):
        record = store.get(collection, target)
        if record is not None:
            found.setdefault(target, []).append(record)
    return hop(hits, found, share=settings.hop_share, least=settings.least_hop)


class Floors:
    """How strong evidence looks where it means nothing, per set of collections; measured when first needed, and again
    when they have doubled or halved. Usable from many threads: two may measure at once, to the same end."""

    def __init__(self) -> None:
        self._known: dict[tuple[tuple[str, ...], bool], tuple[int, float]] = {}
        self._probes: tuple[Embedding, ...] = ()

    def floor(
        self,
        store: Store,
        collections: Mapping[str, Scope],
        *,
        embed: EmbedQuery,
        settings: RecallSettings,
        survey: CandidateSet,
    ) -> float:
        """The floor for these collections, whose present size a survey tells.

        What is said in one session stands in the history too: where that is large enough, all sessions share its floor.
        """
        lasting = {name: scope for name, scope in collections.items() if session_of(name) is None}
        measured = lasting if _size(survey, lasting) >= LEAST_TEXTS else collections
        size = _size(survey, measured)
        if size < LEAST_TEXTS:
            return 0.0
        is_dense = any(one.cosine is not None for one in survey.sightings)
        key = tuple(measured), is_dense
        measured_at, known = self._known.get(key, (0, 0.0))
        if not measured_at / _STALE <= size <= measured_at * _STALE:
            known = self._measure(store, measured, embed=embed if is_dense else None, settings=settings)
            if len(self._known) >= _MOST_FLOORS:
                self._known.clear()
            self._known[key] = size, known
        return known

    def _measure(
        self, store: Store, collections: Mapping[str, Scope], *, embed: EmbedQuery | None, settings: RecallSettings
    ) -> float:
        strengths: list[float] = []
        vectors = [None] * len(PROBES) if embed is None else self._vectors(embed)
        for probe, embedding in zip(PROBES, vectors, strict=True):
            asked = Query(collections=tuple(collections), k=_PROBED, text=probe, embedding=embedding)
            strengths.append(evidence(gather(store.survey(asked), scopes=collections, settings=settings)))
        return floor(strengths, settings.silence)

    def _vectors(self, embed: EmbedQuery) -> Sequence[Embedding | None]:
        """The vectors of the probes, which stay the same as long as the embedder does."""
        first, _ = embed(PROBES[0])
        known = self._probes
        if first is not None and known and known[0].fingerprint == first.fingerprint:
            return known
        found = [embed(probe)[0] for probe in PROBES]
        whole = tuple(one for one in found if one is not None)
        is_steady = len(whole) == len(PROBES) and len({one.fingerprint for one in whole}) == 1
        self._probes = whole if is_steady else ()
        return found


def _size(survey: CandidateSet, names: Iterable[str]) -> int:
    """The texts of the largest of these collections."""
    return max((survey.vocabularies[name].texts for name in names if name in survey.vocabularies), default=0)


_STALE = 2.0  # a floor is measured anew when the memory has doubled or halved
_MOST_FLOORS = 256
_PROBED = 8  # candidates of each kind that a probe looks at


def until(where: Where, moment: int | None) -> Where:
    """A filter that sees nothing that came after a moment."""
    if moment is None:
        return where
    until = moment + 1 if where.until is None else min(where.until, moment + 1)
    return dataclasses.replace(where, until=until)


def pack(ranking: Ranking, *, budget: int, count: CountTokens = prompt_tokens) -> list[Selected]:
    """The places that fit a token budget, in rank order; one that does not fit is skipped, not cut."""
    packed: list[Selected] = []
    left = budget
    for place in ranking.order:
        cost = count(ranking.record(place).text)
        if cost <= left:
            packed.append(place)
            left -= cost
    return packed


class Search:
    """The question itself: `engine.search("…")`. Usable from many threads."""

    def __init__(self, *, store: Store, embeddings: Embeddings, clock: Clock, settings: RecallSettings) -> None:
        self._store = store
        self._embeddings = embeddings
        self._clock = clock
        self._settings = settings
        self._floors = Floors()

    def __call__(
        self,
        question: str,
        *,
        collections: Sequence[str] = (),
        namespace: str | None = None,
        session: str | None = None,
        scopes: Sequence[Scope] = tuple(Scope),
        k: int | None = None,
        budget: int | None = None,
        where: Where = ANYTHING,
        exclude: Mapping[str, frozenset[str]] | None = None,
        as_of: int | None = None,
        is_quiet: bool = False,
    ) -> Answer:
        """What memory holds on a question, best first, with the account of every hit.

        Asked are the scopes of a namespace (and of a session in it), or collections by name. `budget` keeps only what
        fits so many tokens, in rank order. `as_of` asks as if it were that moment: nothing later is seen, and time is
        counted from there. `is_quiet` shows nothing when nothing is relevant, and says so.
        """
        question = mend(question)
        if not question.strip():
            raise InvalidInput("question", "is empty", remedy="Ask for something.")
        wanted = self._settings.k if k is None else k
        if not 1 <= wanted <= MOST_HITS:
            raise InvalidInput("k", f"is {wanted}", remedy=f"Ask for 1 to {MOST_HITS:,} results.")
        asked = {name: scope_of(name) for name in collections}
        if namespace is not None:
            whose = named(namespace)
            own = session if session and self._owns(whose, session) else None
            asked |= scope_collections(whose, own, scopes)
        elif not asked:
            raise InvalidInput("collections", "are empty", remedy="Name collections, or a namespace to search.")
        return answer(
            self._store,
            question,
            collections=asked,
            embed=self._embeddings.of_question,
            now=self._clock() if as_of is None else as_of,
            k=wanted,
            budget=budget,
            settings=self._settings,
            where=until(where, as_of),
            exclude=exclude,
            floors=self._floors if is_quiet else None,
        )

    def _owns(self, namespace: str, session: str) -> bool:
        """True when nobody else speaks in the session: what others said there is not this namespace's to see."""
        return not {*SessionMetadata.of(self._store.session_state(session)).namespaces} - {namespace}
