"""Recall as the engine does it: a question is read and embedded, then one snapshot gives all that ranking needs."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from libravdb.core.gate.prompt_content import without_content
from libravdb.core.recall.currency import arrange, concerning
from libravdb.core.recall.hops import hop, hop_targets
from libravdb.core.recall.question import Question, is_about_dreams, read_question
from libravdb.core.recall.rank import Ranking, explain, rank
from libravdb.core.recall.settings import RecallSettings
from libravdb.core.recall.time_coverage import Selected
from libravdb.engine.candidates import survey
from libravdb.engine.chance import ChanceSimilarity
from libravdb.engine.embedding import Embeddings, Ready, has_no_vectors, is_in_use
from libravdb.engine.foresight import foresee
from libravdb.engine.known_records import KnownRecords
from libravdb.engine.session_share import NOBODYS_PART, OwnPart, share_of
from libravdb.engine.successions import read_successions
from libravdb.errors import InvalidInput
from libravdb.model import (
    ANYTHING,
    Answer,
    CandidateSet,
    Embedding,
    Excluded,
    Hit,
    Key,
    Record,
    Role,
    Scope,
    SearchMode,
    Where,
    Word,
)
from libravdb.model.collections import (
    CLOSED,
    CollectionKind,
    Notebook,
    is_former,
    parse_collection,
    scope_collections,
    scope_of,
    session_of,
)
from libravdb.model.namespaces import named
from libravdb.model.turn_metadata import SPEAKER
from libravdb.ports.clock import Clock
from libravdb.ports.store import NOTHING_EXCLUDED, Snapshot, Store
from libravdb.text.analysis import query_terms
from libravdb.text.tokens import prompt_tokens
from libravdb.text.unicode import mend

CountTokens = Callable[[str], int]

MOST_HITS = 10_000
"""More results than this are a listing, not an answer."""

MOST_SPEAKERS = 256
"""People of a collection whose names a question may hold."""

_WIDER = 2
"""How many times more candidates a question has whose answer lies in many places."""

_TURNS = (CollectionKind.TURN_HISTORY, CollectionKind.SESSION_VIEW, CollectionKind.RAW_TURNS)
"""Collections in which the turns beside a turn are there too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A question, read, and what can be done with vectors at the moment it was read."""

    question: Question
    ready: Ready


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, ready to be asked: read, in words, and as a vector if there is one; else it is said why not."""

    question: Question
    words: tuple[Word, ...]
    embedding: Embedding | None
    degraded: str

    def without_vector(self) -> Asked:
        """The same question, asked by words alone."""
        return dataclasses.replace(self, embedding=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What recall found, in order, and what was reduced on the way (empty: nothing)."""

    ranking: Ranking
    candidates: CandidateSet
    is_dense: bool
    degraded: str = ""


class Search:
    """The question itself: `engine.search("…")`. Usable from many threads."""

    def __init__(
        self, *, store: Store, embeddings: Embeddings, known: KnownRecords, clock: Clock, settings: RecallSettings
    ) -> None:
        self._store = store
        self._embeddings = embeddings
        self._known = known
        self._clock = clock
        self.settings = settings
        self._chance = ChanceSimilarity(changed=known.changed if store.is_shared else None)

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
        notes_of: str = "",
    ) -> Answer:
        """What memory holds on a question, best first, with the account of every hit.

        Asked are the scopes of a namespace (and of a session in it), or collections by name. `budget` keeps only what
        fits so many tokens, in rank order. `as_of` asks as if it were that moment: nothing later is seen, and time is
        counted from there. `is_quiet` shows nothing when nothing is relevant, and says so. `notes_of` is the agent
        whose notes are searched too, as part of the lore.
        """
        question = required_question(question)
        wanted = self.settings.k if k is None else k
        check_wanted(wanted, most=MOST_HITS)
        if namespace is None and not collections:
            raise InvalidInput("collections", "are empty", remedy="Name collections, or a namespace to search.")

        notes = Notebook(owner=named(notes_of), has_curated=True) if notes_of.strip() else CLOSED

        def asked_of(snapshot: Snapshot) -> Owned:
            named_ones = Owned(scopes={name: scope_of(name) for name in collections if not is_former(name)})
            if namespace is None:
                return named_ones
            own = owned(snapshot, named(namespace), session, scopes, question=question, notes=notes)
            return dataclasses.replace(own, scopes={**named_ones.scopes, **own.scopes})

        whose = None if namespace is None else named(namespace)
        scoped = [] if whose is None else scope_collections(whose, session, scopes)
        speakers = [name for name in (*scoped, *collections) if is_of_turns(name)]
        with self._store.read(foresee(whose, session, more=collections, speakers_in=speakers)) as snapshot:
            read = self.read(snapshot, question, asked_of(snapshot).peopled, as_of=as_of)
        asked = self.embed(read)
        with self._store.read(foresee(whose, session, more=collections)) as snapshot:
            own = asked_of(snapshot)
            return self.answer(
                snapshot,
                asked,
                own.scopes,
                own=own.part,
                k=wanted,
                budget=budget,
                where=where,
                exclude=exclude,
                as_of=as_of,
                is_quiet=is_quiet,
            )

    def read(self, snapshot: Snapshot, text: str, collections: Iterable[str], *, as_of: int | None) -> Read:
        """Read a question by who speaks in these collections; `embed` makes it ready to be asked."""
        return self.read_each(snapshot, text, [collections], as_of=as_of)[0]

    def read_each(
        self, snapshot: Snapshot, text: str, groups: Sequence[Iterable[str]], *, as_of: int | None
    ) -> list[Read]:
        """The same for several groups of collections; where the same people speak, the question is read once."""
        now = self._clock() if as_of is None else as_of
        ready, topic = self._embeddings.ready(snapshot), without_content(text)
        peopled = [participants(snapshot, collections) for collections in groups]
        read = {
            people: Read(question=read_question(text, now=now, participants=people, without_content=topic), ready=ready)
            for people in dict.fromkeys(peopled)
        }
        return [read[people] for people in peopled]

    def embed(self, read: Read) -> Asked:
        """A question ready to be asked. No moment of the store is held meanwhile: a server may take its time."""
        embedding, degraded = self._embeddings.of_question(read.question.topic, read.ready)
        return Asked(
            question=read.question,
            words=tuple(query_terms(read.question.topic)),
            embedding=embedding,
            degraded=degraded,
        )

    def answer(
        self,
        snapshot: Snapshot,
        asked: Asked,
        collections: Mapping[str, Scope],
        *,
        k: int,
        own: OwnPart = NOBODYS_PART,
        budget: int | None = None,
        where: Where = ANYTHING,
        exclude: Excluded | None = None,
        as_of: int | None = None,
        is_quiet: bool = False,
        settings: RecallSettings | None = None,
    ) -> Answer:
        """What these collections hold on a question at a moment of the store; in those of a session only what is the
        asker's own. `settings` hold instead of those that are configured."""
        return answer(
            snapshot,
            asked,
            collections=collections,
            own=own,
            k=k,
            budget=budget,
            settings=settings or self.settings,
            where=until(where, as_of),
            exclude=exclude or NOTHING_EXCLUDED,
            is_quiet=is_quiet,
            chance=self._chance,
            known=self._known,
        )


def required_question(question: str) -> str:
    """A question as it can be asked; refused when it is empty."""
    question = mend(question)
    if not question.strip():
        raise InvalidInput("question", "is empty", remedy="Ask for something.")
    return question


def check_wanted(k: int, *, most: int) -> None:
    """Refuse to give no results, or too many."""
    if not 1 <= k <= most:
        raise InvalidInput("k", f"is {k}", remedy=f"Ask for 1 to {most:,} results.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Owned:
    """Collections with their scopes, and which part of those of a session may be seen."""

    scopes: Mapping[str, Scope]
    part: OwnPart = NOBODYS_PART

    @property
    def peopled(self) -> list[str]:
        """Where nobody but the asker and who spoke with him is met. All that he said is in his history too."""
        is_alone = self.part.share is None or self.part.share.is_alone
        return [name for name in self.scopes if is_alone or name not in self.part.collections]


def owned(
    snapshot: Snapshot,
    namespace: str,
    session: str | None,
    scopes: Sequence[Scope],
    *,
    question: str = "",
    notes: Notebook = CLOSED,
) -> Owned:
    """The collections behind the scopes of a namespace that a question is asked of; of a session only what is the
    namespace's own, and dreams only if it is about them. `notes` are an agent's, who may be somebody else."""
    found = scope_collections(namespace, session, scopes, has_dreams=is_about_dreams(question), notes=notes)
    shared = frozenset(name for name in found if session_of(name) is not None)
    if not session or not shared:
        return Owned(scopes=found)
    return Owned(scopes=found, part=OwnPart(collections=shared, share=share_of(snapshot, session, namespace)))


def participants(snapshot: Snapshot, collections: Iterable[str]) -> tuple[str, ...]:
    """The people who speak in these collections; a role is nobody's name."""
    names = {
        name
        for collection in sorted(collections)
        if is_of_turns(collection)
        for name in snapshot.distinct(collection, SPEAKER, limit=MOST_SPEAKERS)
    }
    return tuple(sorted(name for name in names if name and name.lower() not in _ROLES))


def is_of_turns(collection: str) -> bool:
    """True for a collection in which the turns beside a turn are there too."""
    return parse_collection(collection).kind in _TURNS


_ROLES = frozenset(role.value for role in Role)


def recall(
    snapshot: Snapshot,
    asked: Asked,
    *,
    collections: Mapping[str, Scope],
    k: int,
    settings: RecallSettings,
    own: OwnPart = NOBODYS_PART,
    where: Where = ANYTHING,
    exclude: Excluded = NOTHING_EXCLUDED,
    chance: ChanceSimilarity | None = None,
    known: KnownRecords | None = None,
) -> Recalled:
    """What some collections hold on a question, best first."""
    embedding, degraded = comparable(snapshot, asked)
    found = survey(
        snapshot,
        tuple(collections),
        words=asked.words,
        embedding=embedding,
        k=max(k, settings.candidates * (_WIDER if asked.question.is_wide else 1)),
        where=where,
        exclude=exclude,
        linked=[name for name in collections if is_of_turns(name)],
        links=settings.links,
        own=own,
        times=asked.question.times,
        timed=settings.timed,
        known=known,
    )
    by_chance = chance.measure(snapshot, collections, found, embedding) if chance and embedding else None
    ranking = rank(found, asked.question, scopes=collections, settings=settings, k=k, chance=by_chance)
    is_dense = embedding is not None or (asked.embedding is not None and has_no_vectors(snapshot))
    return Recalled(ranking=ranking, candidates=found, is_dense=is_dense, degraded=degraded)


def comparable(snapshot: Snapshot, asked: Asked) -> tuple[Embedding | None, str]:
    """The question's vector, unless the store went over to other vectors after it was made."""
    if asked.embedding is None:
        return None, asked.degraded
    if has_no_vectors(snapshot):
        return None, asked.degraded
    if not is_in_use(snapshot, asked.embedding):
        return None, "The store's vectors were changed just now: this answer uses words only. Ask again."
    return asked.embedding, asked.degraded


def answer(
    snapshot: Snapshot,
    asked: Asked,
    *,
    collections: Mapping[str, Scope],
    k: int,
    settings: RecallSettings,
    own: OwnPart = NOBODYS_PART,
    budget: int | None = None,
    where: Where = ANYTHING,
    exclude: Excluded = NOTHING_EXCLUDED,
    is_quiet: bool = False,
    chance: ChanceSimilarity | None = None,
    known: KnownRecords | None = None,
) -> Answer:
    """`recall` as an answer: the best k that fit the budget. When `is_quiet`, nothing when nothing is relevant."""
    if is_quiet and asked.question.without_content:
        mode = SearchMode.LEXICAL_ONLY if asked.embedding is None else SearchMode.FULL
        return Answer(hits=(), mode=mode, degraded=asked.degraded, silence=asked.question.without_content)
    found = recall(
        snapshot,
        asked,
        collections=collections,
        k=k,
        settings=settings,
        own=own,
        where=where,
        exclude=exclude,
        chance=chance,
        known=known,
    )
    ranking = found.ranking
    order = ranking.order if budget is None else pack(ranking, budget=budget)
    mode = SearchMode.FULL if found.is_dense else SearchMode.LEXICAL_ONLY
    if is_quiet and len(ranking.pool) and (ranking.evidence < settings.silence or not ranking.has_earned):
        best = f"the strongest hit has {ranking.evidence:.2f} of {settings.silence:.2f}"
        return Answer(hits=(), mode=mode, degraded=found.degraded, silence=f"nothing speaks to the question: {best}")
    hits = [explain(ranking, place) for place in order[:k]]
    hits = with_hops(snapshot, hits, settings, own)[:k] if budget is None else hits
    outdated = read_successions(
        snapshot,
        (hit.record for hit in hits),
        collections=collections,
        where=where,
        exclude=exclude,
        known_records=known,
    )
    hits, outdated = concerning(hits, outdated, asked.question)
    hits = arrange(hits, outdated)[:k]
    return Answer(hits=tuple(hits if budget is None else fitting(hits, budget)), mode=mode, degraded=found.degraded)


def fitting(hits: Sequence[Hit], budget: int, count: CountTokens = prompt_tokens) -> list[Hit]:
    """The hits that fit a token budget, in their order."""
    kept: list[Hit] = []
    for hit in hits:
        cost = count(hit.record.text)
        if cost <= budget:
            kept.append(hit)
            budget -= cost
    return kept


def with_hops(snapshot: Snapshot, hits: list[Hit], settings: RecallSettings, own: OwnPart = NOBODYS_PART) -> list[Hit]:
    """The hits with what they name in `hop_targets`: records of the same collection, by id."""
    named = {Key(hit.record.collection, target) for hit in hits for target in hop_targets([hit])}
    if not named:
        return hits
    found: dict[str, list[Record]] = {}
    for key, record in sorted(snapshot.records(named).items()):
        if not own.lets_see(record):
            continue
        found.setdefault(key.id, []).append(record)
    return hop(hits, found, share=settings.hop_share, least=settings.least_hop)


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
