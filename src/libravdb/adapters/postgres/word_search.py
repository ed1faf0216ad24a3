"""Search by words: which records of a collection hold the words of a question, ranked by BM25.

The server is asked which terms there are (`words`), and where they stand (the GIN index over `texts.words`); the
ranking is reckoned here, over bags of terms. Rarity and length are those of the collection that is searched, so that
one tenant's words never move another's ranking.

A question's cost is the number of texts its words stand in. Words are therefore taken rarest first until they stand in
enough texts to choose from; in a small collection every word is used. A form that ends with `*` stands for the terms of
the collection that begin so.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from libravdb.adapters import term_counts
from libravdb.adapters.bm25 import gains, idf
from libravdb.adapters.kept_rows import KeptRow
from libravdb.adapters.postgres.collection_heads import CollectionHead
from libravdb.adapters.postgres.filters import where_sql
from libravdb.adapters.postgres.keys import text_key, word_key
from libravdb.adapters.postgres.queries import behind
from libravdb.adapters.postgres.read_transaction import PlannedAnew, ReadTransaction
from libravdb.adapters.postgres.schema import SCHEMA
from libravdb.adapters.vector_search import Rows
from libravdb.model import Where, Word

SMALL_COLLECTION = 5_000
"""Texts up to which leaving words out saves nothing, and counts are exact."""

_ENOUGH_MIN, _ENOUGH_MAX = 2_000, 8_000  # texts to choose from, in collections from 200,000 to 800,000 texts
_ENOUGH_SHARE = 100
_MAX_WORDS = 64  # a question of more distinct words is a text: its rarest ones say what it is about
_MAX_COLLECTIONS = 256  # whose word counts are remembered

Bags = Callable[[Collection[int]], Mapping[int, KeptRow]]
"""Rows of records by what is read of them."""


@dataclass(frozen=True, slots=True)
class KnownWords:
    """What was learnt of the words of a collection at one revision: for each form the terms it stands for there, with
    how many texts hold each; and how many texts hold any of several terms."""

    terms: dict[str, dict[str, int]] = field(default_factory=dict)
    together: dict[frozenset[str], int] = field(default_factory=dict)

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
        known = self._learn(read, heads, words)
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
        bags: Bags,
    ) -> dict[int, dict[int, str]]:
        """The k best records of each collection by BM25, row to id; equal scores by id."""
        forms: list[Word] = [(form,) for form in dict.fromkeys(form for word in words for form in word)]
        known = self._learn(read, heads, [*words, *forms])
        chosen = {head.id: _telling_forms(head, words, known[head.id]) for head in heads}
        keys = [
            word_key(head.id, term) for head in heads for form in chosen[head.id] for term in known[head.id].terms[form]
        ]
        places = [head.id for head in heads if any(known[head.id].terms[form] for form in chosen[head.id])]
        if not keys:
            return {}
        candidates = _candidates(read, places, keys, where, excluded)
        kept = bags(np.concatenate(list(candidates.values())).tolist() if candidates else [])
        return {
            head.id: _best(head, candidates[head.id], kept, chosen[head.id], known=known[head.id], k=k)
            for head in heads
            if head.id in candidates
        }

    def _learn(
        self, read: ReadTransaction, heads: Sequence[CollectionHead], words: Sequence[Word]
    ) -> dict[int, KnownWords]:
        """What has to be known of these words, from the server where it is not."""
        known = {head.id: self._known_of(head) for head in heads}
        forms = {form for word in words for form in word}
        lacking = [head.id for head in heads if not forms <= known[head.id].terms.keys()]
        if lacking:
            found = _read_terms(read, lacking, forms)
            for id in lacking:
                known[id].terms.update(found[id])
        open_ = [
            (head.id, terms)
            for head in heads
            if head.texts <= SMALL_COLLECTION
            for word in dict.fromkeys(words)
            if len(terms := frozenset(known[head.id].of(word))) > 1 and terms not in known[head.id].together
        ]
        for (id, terms), count in zip(open_, _count_together(read, open_), strict=True):
            known[id].together[terms] = count
        return known

    def _known_of(self, head: CollectionHead) -> KnownWords:
        """What is known of a collection at this revision; a reader of an older one begins anew, and keeps nothing."""
        with self._lock:
            revision, known = self._known.get(head.id, (-1, KnownWords()))
            if revision > head.revision:
                return KnownWords()
            if revision < head.revision:
                known = KnownWords()
                self._known[head.id] = head.revision, known
            self._known.move_to_end(head.id)
            while len(self._known) > _MAX_COLLECTIONS:
                self._known.popitem(last=False)
            return known


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


def _best(
    head: CollectionHead, rows: Rows, kept: Mapping[int, KeptRow], forms: list[str], *, known: KnownWords, k: int
) -> dict[int, str]:
    """The k rows that tell most, with their ids."""
    held = [kept[row] for row in rows.tolist()]
    counts = term_counts.count([one.bag for one in held], [tuple(known.terms[form]) for form in forms])
    weights = np.array([idf(known.holders((form,), head.texts), head.texts) for form in forms])
    lengths = np.array([one.length for one in held], dtype=np.int64)
    scores = (gains(counts, lengths[:, None], head.average) * weights).sum(axis=1)  # equal texts tie exactly
    if k < rows.size:
        last = np.partition(scores, rows.size - k)[rows.size - k]
        places = np.flatnonzero(scores >= last)
    else:
        places = np.arange(rows.size)
    ranked = sorted(
        (-score, held[place].id, place) for place, score in zip(places, scores[places].tolist(), strict=True)
    )
    return {int(rows[place]): id for _, id, place in ranked[:k]}


# ── what the server is asked ──────────────────────────────────────────────────────────────────────────────


def _read_terms(
    read: ReadTransaction, collections: Sequence[int], forms: Iterable[str]
) -> dict[int, dict[str, dict[str, int]]]:
    """For each collection, of each form the terms it stands for, and how many texts hold each."""
    whole = {text_key(form): form for form in forms if not form.endswith("*")}
    begun = {form[:-1]: form for form in forms if form.endswith("*")}
    statement = (
        f"SELECT w.collection, w.term, w.holders, NULL FROM {SCHEMA}.words w"
        " WHERE w.collection = ANY(%s::integer[]) AND w.term = ANY(%s::text[])"
    )
    values: list[object] = [list(collections), list(whole)]
    if begun:
        statement += (
            " UNION ALL SELECT w.collection, w.term, w.holders, p.start"
            f" FROM unnest(%s::text[], %s::text[]) p(start, behind) JOIN {SCHEMA}.words w"
            " ON w.term >= p.start AND (p.behind IS NULL OR w.term < p.behind)"
            " WHERE w.collection = ANY(%s::integer[])"
        )
        values += [list(begun), [behind(start) for start in begun], list(collections)]
    found: dict[int, dict[str, dict[str, int]]] = {id: {form: {} for form in forms} for id in collections}
    for id, term, held, start in read.ask(statement, values):
        if held > 0:
            form = whole[term] if start is None else begun[start]
            found[id][form][form if start is None else term] = held
    return found


def _count_together(read: ReadTransaction, asked: Sequence[tuple[int, frozenset[str]]]) -> list[int]:
    """For each of these sets of terms, how many texts of its collection hold any of them."""
    if not asked:
        return []
    numbered = [(n, id, word_key(id, term)) for n, (id, terms) in enumerate(asked) for term in terms]
    columns = [list(column) for column in zip(*numbered, strict=True)]
    if read.is_limited:
        rows = read.ask(f"SELECT * FROM {SCHEMA}.texts_counted(%s::integer[], %s::integer[], %s::bigint[])", columns)
    else:
        rows = read.ask(
            "SELECT k.n, count(DISTINCT t.digest) FROM unnest(%s::integer[], %s::integer[], %s::bigint[])"
            f" k(n, collection, word) JOIN {SCHEMA}.texts t ON t.collection = k.collection AND t.words @> ARRAY[k.word]"
            " WHERE t.collection = ANY(%s::integer[]) GROUP BY k.n",
            (*columns, list({id for id, _ in asked})),
        )
    counts: dict[int, int] = dict(rows)
    return [counts.get(n, 0) for n in range(len(asked))]


def _candidates(
    read: ReadTransaction,
    collections: Sequence[int],
    keys: Sequence[int],
    where: Where,
    excluded: Mapping[int, Collection[str]],
) -> dict[int, Rows]:
    """The rows of the records that hold any of these words, of each collection that has some; a filter and what is
    excluded come first."""
    condition, values = where_sql(where)
    hidden = [(id, name) for id in collections for name in excluded.get(id, ())]
    if hidden:
        condition += " AND (r.collection, r.id) NOT IN (SELECT * FROM unnest(%s::integer[], %s::text[]))"
    holding = f"SELECT * FROM {SCHEMA}.texts t WHERE t.collection = ANY(%s::integer[]) AND t.words && %s::bigint[]"
    if read.is_limited:
        holding = f"SELECT * FROM {SCHEMA}.texts_with(%s::integer[], %s::bigint[])"
    statement = (
        f"SELECT r.collection, string_agg(int8send(r.row), ''::bytea) FROM ({holding}) t"
        f" JOIN {SCHEMA}.records r ON r.collection = t.collection AND r.digest = t.digest"
        f" WHERE r.collection = ANY(%s::integer[]){condition} GROUP BY r.collection"
    )
    found = read.ask(
        PlannedAnew(statement),
        (
            list(collections),
            list(keys),
            list(collections),
            *values,
            *(([id for id, _ in hidden], [name for _, name in hidden]) if hidden else ()),
        ),
    )
    return {id: np.frombuffer(rows, dtype=">i8").astype(np.int64) for id, rows in found}
