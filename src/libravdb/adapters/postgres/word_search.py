"""Search by words: which records of a collection hold the words of a question, ranked by BM25.

The server is asked which terms there are (`words`), and where they stand (the GIN index over `texts.words`); the
ranking is reckoned here, over bags of terms. Rarity and length are those of the collection that is searched, so that
one tenant's words never move another's ranking.

A question's cost is the number of texts its words stand in. Words are therefore taken rarest first until they stand in
enough texts to choose from; in a small collection every word is used. A form that ends with `*` stands for the terms of
the collection that begin so.

Of a small collection the server tells the rows of records, and what is kept of them is mostly at hand. Of a large one
it is not: there texts are ranked (`text_candidates.py`), and the records of the best are looked up.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from libravdb.adapters import term_counts
from libravdb.adapters.bm25 import Scores, gains, idf
from libravdb.adapters.kept_rows import KeptRow
from libravdb.adapters.postgres.collection_heads import CollectionHead
from libravdb.adapters.postgres.keys import text_key, word_key
from libravdb.adapters.postgres.queries import behind
from libravdb.adapters.postgres.read_transaction import Found, PlannedAnew, ReadTransaction, Statement
from libravdb.adapters.postgres.recall_reads import RowsOf
from libravdb.adapters.postgres.schema import SCHEMA
from libravdb.adapters.postgres.text_candidates import (
    FoundText,
    holding,
    records_statement,
    seen,
    texts_statement,
)
from libravdb.adapters.vector_search import Rows
from libravdb.model import Where, Word

SMALL_COLLECTION = 5_000
"""Texts up to which leaving words out saves nothing, and all counts are exact. In a larger one a word that stands in
very many texts, in several forms, is said to stand in as many as these do together."""

_ENOUGH_MIN, _ENOUGH_MAX = 2_000, 8_000  # texts to choose from, in collections from 200,000 to 800,000 texts
_ENOUGH_SHARE = 100
_MAX_WORDS = 64  # a question of more distinct words is a text: its rarest ones say what it is about
_MAX_COLLECTIONS = 256  # whose word counts are remembered
_MAX_TERMS = 20_000  # of a collection: who asks for very many words takes no more memory


@dataclass(frozen=True, slots=True)
class RowsAtHand:
    """What is kept of rows of records: `get` tells it of rows, given by collection, and `keep` takes what was read."""

    get: Callable[[RowsOf], Mapping[int, KeptRow]]
    keep: Callable[[dict[int, KeptRow]], None]


@dataclass(frozen=True, slots=True)
class KnownWords:
    """What was learnt of the words of a collection at one revision: for each form the terms it stands for there, with
    how many texts hold each; and how many texts hold any of several terms."""

    terms: dict[str, dict[str, int]] = field(default_factory=dict)
    together: dict[frozenset[str], int] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How much that is, in terms: a form that stands nowhere is known too, one that begins many is known as all."""
        return sum(map(len, self.terms.values())) + len(self.terms) + len(self.together)

    def of(self, word: Word) -> dict[str, int]:
        """The terms that a word stands for in any of its forms, and how many texts hold each."""
        return {term: held for form in word for term, held in self.terms[form].items()}

    def holders(self, word: Word, texts: int) -> int:
        """How many texts hold a word: exactly where it was counted, else at most so many."""
        found = self.of(word)
        counted = self.together.get(frozenset(found))
        return min(sum(found.values()), texts) if counted is None else counted


class TermSearch:
    """Searches, and remembers how common words are. Usable from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.clear()

    def clear(self) -> None:
        """Let go of all words."""
        with self._lock:
            self._known: OrderedDict[int, tuple[int, KnownWords]] = OrderedDict()

    def holders(
        self, read: ReadTransaction, heads: Sequence[CollectionHead], words: Sequence[Word]
    ) -> dict[int, tuple[int, ...]]:
        """How many texts of each collection hold each word, in any of its forms: exactly in a small collection."""
        known = {head.id: self._known_of(head) for head in heads}
        self._learn(read, heads, known, words)
        return {head.id: tuple(known[head.id].holders(word, head.texts) for word in words) for head in heads}

    def search(
        self,
        read: ReadTransaction,
        heads: Sequence[CollectionHead],
        words: Sequence[Word],
        *,
        k: int,
        where: Where,
        excluded: Mapping[int, Collection[str]],
        rows: RowsAtHand,
    ) -> dict[int, dict[int, str]]:
        """The k best records of each collection by BM25, row to id; equal scores by id."""
        forms: list[Word] = [(form,) for form in dict.fromkeys(form for word in words for form in word)]
        known = {head.id: self._known_of(head) for head in heads}
        small = [head for head in heads if head.texts <= SMALL_COLLECTION]
        large = [head for head in heads if head.texts > SMALL_COLLECTION]
        is_short = len(words) <= _MAX_WORDS and not any(form.endswith("*") for (form,) in forms)
        if not large and is_short and _lacking(known, forms):
            asked = [form for (form,) in forms]
            statements = [
                _candidates_statement(head.id, asked, where, excluded, is_limited=read.is_limited) for head in heads
            ]
            candidates = _candidates_in(_learn_together(read, known, words, statements))
            chosen = {head.id: _telling_forms(head, words, known[head.id]) for head in heads}
        else:
            self._learn(read, heads, known, [*words, *forms])
            chosen = {head.id: _telling_forms(head, words, known[head.id]) for head in heads}
            statements = [
                _candidates_statement(head.id, terms, where, excluded, is_limited=read.is_limited)
                for head in small
                if (terms := _terms(chosen[head.id], known[head.id]))
            ]
            candidates = _candidates_in(read.ask_each(statements))
        kept = rows.get({id: found.tolist() for id, found in candidates.items()})
        best = {
            head.id: _best(head, candidates[head.id], kept, chosen[head.id], known=known[head.id], k=k)
            for head in small
            if head.id in candidates
        }
        for head in large:
            hidden = excluded.get(head.id, ())
            best[head.id], fresh = _best_of_many(
                read, head, chosen[head.id], known=known[head.id], k=k, where=where, hidden=hidden
            )
            rows.keep(fresh)
        return best

    def _learn(
        self,
        read: ReadTransaction,
        heads: Sequence[CollectionHead],
        known: Mapping[int, KnownWords],
        words: Sequence[Word],
    ) -> None:
        """What has to be known of these words, from the server where it is not."""
        lacking = _lacking(known, words)
        if lacking:
            forms = {form for word in words for form in word}
            found = read.ask_each([_terms_statement(id, forms) for id in lacking])
            _note_terms(known, found, lacking, forms)
        open_ = [
            (head.id, terms)
            for head in heads
            for word in dict.fromkeys(words)
            if len(terms := frozenset(held := known[head.id].of(word))) > 1
            and terms not in known[head.id].together
            and (head.texts <= SMALL_COLLECTION or sum(held.values()) <= _ENOUGH_MAX)
        ]
        if open_:
            counts: dict[int, int] = dict(read.ask_each(_together_statements(open_, is_limited=read.is_limited)))
            for number, (id, terms) in enumerate(open_):
                known[id].together[terms] = counts.get(number, 0)

    def _known_of(self, head: CollectionHead) -> KnownWords:
        """What is known of a collection at this revision; a reader of an older one begins anew, and keeps nothing."""
        with self._lock:
            revision, known = self._known.get(head.id, (-1, KnownWords()))
            if revision > head.revision:
                return KnownWords()
            if revision < head.revision or known.size > _MAX_TERMS:
                known = KnownWords()
                self._known[head.id] = head.revision, known
            self._known.move_to_end(head.id)
            while len(self._known) > _MAX_COLLECTIONS:
                self._known.popitem(last=False)
            return known


def _lacking(known: Mapping[int, KnownWords], words: Sequence[Word]) -> list[int]:
    """The collections of which it is not known how common these words are."""
    forms = {form for word in words for form in word}
    return [id for id, each in known.items() if not forms <= each.terms.keys()]


def _learn_together(
    read: ReadTransaction, known: Mapping[int, KnownWords], words: Sequence[Word], beside: Sequence[Statement]
) -> Found:
    """All that has to be known of words without prefixes in small collections, in one round trip with other questions;
    their answers. Whether a word stands there in several of its forms is not known before, so those that have several
    are counted."""
    forms = {form for word in words for form in word}
    lacking = _lacking(known, words)
    several = [(id, frozenset(word)) for id in lacking for word in dict.fromkeys(words) if len(set(word)) > 1]
    asking = [_terms_statement(id, forms) for id in lacking]
    answers = read.ask_all([*asking, *beside, *_together_statements(several, is_limited=read.is_limited)])
    terms, found, counted = (
        [row for rows in part for row in rows]
        for part in (
            answers[: len(asking)],
            answers[len(asking) : len(asking) + len(beside)],
            answers[len(asking) + len(beside) :],
        )
    )
    _note_terms(known, terms, lacking, forms)
    counts: dict[int, int] = dict(counted)
    for number, (id, word) in enumerate(several):
        met = frozenset(known[id].of(tuple(word)))
        if len(met) > 1:
            known[id].together[met] = counts.get(number, 0)
    return found


def _telling_forms(head: CollectionHead, words: Sequence[Word], known: KnownWords) -> list[str]:
    """The forms of the rarest words that stand in enough texts together; of all words in a small collection."""
    chosen = list(dict.fromkeys(words))
    if head.texts > SMALL_COLLECTION or len(chosen) > _MAX_WORDS:
        enough = min(max(head.texts // _ENOUGH_SHARE, _ENOUGH_MIN), _ENOUGH_MAX)
        counted = sorted((held, word) for word in chosen if (held := known.holders(word, head.texts)))
        chosen, texts = [], 0
        for held, word in counted[:_MAX_WORDS]:
            if chosen and texts + held > enough:
                break
            chosen.append(word)
            texts += held
    return list(dict.fromkeys(form for word in chosen for form in word))


def _terms(forms: Iterable[str], known: KnownWords) -> list[str]:
    """The terms that forms stand for."""
    return [term for form in forms for term in known.terms[form]]


def _scores(
    bags: Sequence[bytes], lengths: Iterable[int], head: CollectionHead, forms: Sequence[str], known: KnownWords
) -> Scores:
    """What each of these texts tells by the forms it holds; below 0 where it holds none of them."""
    counts = term_counts.count(bags, [tuple(known.terms[form]) for form in forms])
    weights = np.array([idf(known.holders((form,), head.texts), head.texts) for form in forms])
    long = np.fromiter(lengths, dtype=np.int64)
    scores = np.asarray((gains(counts, long[:, None], head.average) * weights).sum(axis=1))  # equal texts tie exactly
    # What only has the checksum of a word holds none. The rest of a very long one that begins so is not known here.
    is_held = counts.any(axis=1) | any(form.endswith("*") for form in forms)
    return np.where(is_held, scores, -1.0)


def _first(scores: Scores, k: int) -> list[int]:
    """The places of the k best of those that hold something, and of all that tell as much as the last of them."""
    places = np.flatnonzero(scores >= 0)
    if k < places.size:
        last = np.partition(scores[places], places.size - k)[places.size - k]
        places = places[scores[places] >= last]
    return [int(place) for place in places]


def _best(
    head: CollectionHead, rows: Rows, kept: Mapping[int, KeptRow], forms: list[str], *, known: KnownWords, k: int
) -> dict[int, str]:
    """The k rows that tell most, with their ids."""
    held = [kept[row] for row in rows.tolist()]
    scores = _scores([one.bag for one in held], [one.length for one in held], head, forms, known)
    ranked = sorted((-float(scores[place]), held[place].id, place) for place in _first(scores, k))
    return {int(rows[place]): id for _, id, place in ranked[:k]}


def _best_of_many(
    read: ReadTransaction,
    head: CollectionHead,
    forms: list[str],
    *,
    known: KnownWords,
    k: int,
    where: Where,
    hidden: Collection[str],
) -> tuple[dict[int, str], dict[int, KeptRow]]:
    """The same in a large collection: the rows that tell most, with their ids, and what was read of them. Each text has
    a record that may be found, so the records of the k best texts are enough."""
    terms = _terms(forms, known)
    if not terms:
        return {}, {}
    asked = texts_statement(head.id, terms, where, hidden, is_limited=read.is_limited)
    texts = [FoundText(*told) for told in read.ask(*asked)]
    scores = _scores([text.bag for text in texts], [text.length for text in texts], head, forms, known)
    best = {texts[place].digest: place for place in _first(scores, k)}
    if not best:
        return {}, {}
    found = read.ask(*records_statement(head.id, list(best), where, hidden))
    ranked = sorted((-float(scores[best[digest]]), id, row, best[digest]) for digest, row, id in found)[:k]
    fresh = {row: KeptRow(id, texts[place].length, texts[place].bag) for _, id, row, place in ranked}
    return {row: id for _, id, row, _ in ranked}, fresh


# ── what the server is asked ──────────────────────────────────────────────────────────────────────────────


def _terms_statement(collection: int, forms: Iterable[str]) -> Statement:
    """What asks which terms forms stand for in a collection, and how many texts hold each."""
    whole = [text_key(form) for form in forms if not form.endswith("*")]
    begun = [form[:-1] for form in forms if form.endswith("*")]
    statement = (
        f"SELECT w.collection, w.term, w.holders, NULL FROM {SCHEMA}.words w"
        " WHERE w.collection = %s AND w.term = ANY(%s::text[])"
    )
    values: list[object] = [collection, whole]
    if begun:
        statement += (
            " UNION ALL SELECT w.collection, w.term, w.holders, p.start"
            f" FROM unnest(%s::text[], %s::text[]) p(start, behind) JOIN {SCHEMA}.words w"
            " ON w.term >= p.start AND (p.behind IS NULL OR w.term < p.behind)"
            " WHERE w.collection = %s"
        )
        values += [begun, [behind(start) for start in begun], collection]
    return statement, values


def _note_terms(
    known: Mapping[int, KnownWords], answer: Found, collections: Sequence[int], forms: Collection[str]
) -> None:
    """Learn for each collection of each form the terms it stands for, and how many texts hold each."""
    whole = {text_key(form): form for form in forms if not form.endswith("*")}
    found: dict[int, dict[str, dict[str, int]]] = {id: {form: {} for form in forms} for id in collections}
    for id, term, held, start in answer:
        if held > 0:
            form = whole[term] if start is None else f"{start}*"
            found[id][form][form if start is None else term] = held
    for id, terms in found.items():
        known[id].terms.update(terms)


def _together_statements(asked: Sequence[tuple[int, frozenset[str]]], *, is_limited: bool) -> list[Statement]:
    """What asks for each of these sets of terms, by its place, how many texts of its collection hold any of them."""
    if not asked:
        return []
    if is_limited:
        numbered = [(n, id, word_key(id, term)) for n, (id, terms) in enumerate(asked) for term in terms]
        columns = [list(column) for column in zip(*numbered, strict=True)]
        return [(f"SELECT * FROM {SCHEMA}.texts_counted(%s::integer[], %s::integer[], %s::bigint[])", columns)]
    told = (
        "SELECT k.n, count(DISTINCT t.digest) FROM unnest(%s::integer[], %s::bigint[]) k(n, word)"
        f" CROSS JOIN LATERAL (SELECT t.digest FROM {SCHEMA}.texts t"
        " WHERE t.collection = %s AND t.words @> ARRAY[k.word] OFFSET 0) t GROUP BY k.n"
    )
    grouped: dict[int, list[tuple[int, int]]] = {}
    for number, (id, terms) in enumerate(asked):
        grouped.setdefault(id, []).extend((number, word_key(id, term)) for term in terms)
    return [
        (PlannedAnew(told), ([n for n, _ in words], [word for _, word in words], id)) for id, words in grouped.items()
    ]


def _candidates_statement(
    collection: int,
    terms: Collection[str],
    where: Where,
    excluded: Mapping[int, Collection[str]],
    *,
    is_limited: bool,
) -> Statement:
    """What asks for the rows of the records that hold any of these words; a filter and what is excluded come first."""
    condition, values = seen(where, excluded.get(collection, ()))
    source, held = holding(collection, terms, is_limited=is_limited)
    told = (
        f"SELECT %s::integer, string_agg(int8send(r.row), ''::bytea)"
        f" FROM (SELECT t.digest FROM {source} OFFSET 0) t CROSS JOIN LATERAL (SELECT r.row"
        f" FROM {SCHEMA}.records r WHERE r.collection = %s AND r.digest = t.digest{condition} OFFSET 0) r"
    )
    return PlannedAnew(told), (collection, *held, collection, *values)


def _candidates_in(found: Found) -> dict[int, Rows]:
    """The rows that were found, of each collection that has some."""
    return {id: np.frombuffer(rows, dtype=">i8").astype(np.int64) for id, rows in found if rows}
