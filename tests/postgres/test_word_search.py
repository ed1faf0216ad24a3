"""Search by words in a large collection, where texts are ranked before their records are known."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest
from tests.contract.stores import open_space
from tests.postgres.stores import LentStore, open_lent
from tests.puts import put

from libravdb.adapters.memory.store import MemoryStore
from libravdb.adapters.postgres.word_search import SMALL_COLLECTION
from libravdb.model import ANYTHING, Condition, Excluded, Operator, Put, Remove, Where, Word
from libravdb.ports.store import NOTHING_EXCLUDED, Store

RARE = ("amber", "birch", "cedar", "dune", "ember")
COMMON = ("today", "again")
"""Words that stand in more texts than a search of a large collection looks at."""


def records() -> Iterator[Put]:
    """Twice as many records as make a collection large; some of one text, many whose words tell equally much."""
    dice = random.Random(22)
    for number in range(SMALL_COLLECTION * 2):
        words = dice.choices(RARE, k=dice.choice((0, 0, 0, 0, 0, 1, 2))) + dice.choices(COMMON, k=1)
        filler = [f"filler{dice.randrange(40)}" for _ in range(dice.randrange(4))]
        yield put("c", f"{dice.randrange(10**9):09}-{number}", " ".join(words + filler), metadata={"part": number % 3})
    for number in range(40):
        yield put("small", f"{number:02}", f"amber and filler{number}")


@pytest.fixture(scope="module")
def twins() -> Iterator[tuple[LentStore, MemoryStore]]:
    changes = list(records())
    with open_lent() as store, MemoryStore() as twin:
        for one in (store, twin):
            open_space(one)
            for start in range(0, len(changes), 2_000):
                one.commit(changes[start : start + 2_000])
        yield store, twin


def found(
    store: Store,
    words: Sequence[Word],
    *,
    k: int = 50,
    where: Where = ANYTHING,
    exclude: Excluded = NOTHING_EXCLUDED,
    of: Sequence[str] = ("c",),
) -> list[tuple[str, str]]:
    with store.read() as read:
        return [(key.collection, key.id) for key in read.matching(of, words, k=k, where=where, exclude=exclude)]


QUESTIONS: list[tuple[Word, ...]] = [
    (("amber",),),
    (("birch",), ("cedar",)),
    (("dune", "dunes"), ("nowhere",)),
    (("emb*",),),
    (("nowhere",),),
]


@pytest.mark.parametrize("words", QUESTIONS, ids=str)
@pytest.mark.parametrize("k", [1, 7, 300, 10_000])
def test_the_best_are_those_of_the_twin_and_equals_stand_by_id(
    twins: tuple[LentStore, MemoryStore], words: tuple[Word, ...], k: int
) -> None:
    store, twin = twins
    assert found(store, words, k=k) == found(twin, words, k=k)


@pytest.mark.parametrize("words", QUESTIONS, ids=str)
def test_a_filter_and_what_is_excluded_come_before_k(
    twins: tuple[LentStore, MemoryStore], words: tuple[Word, ...]
) -> None:
    _, twin = twins
    third = Where(metadata={"part": (1,)})
    rest = Where(conditions=(Condition(key="part", operator=Operator.LT, value=2),))
    first = frozenset(id for _, id in found(twin, words, k=5))
    for where in (ANYTHING, third, rest):
        for exclude in ({}, {"c": first}, {"other": first}):
            told = [found(each, words, k=20, where=where, exclude=exclude) for each in twins]
            assert told[0] == told[1]
            assert not first & {id for _, id in told[0]} or "c" not in exclude


def test_a_large_and_a_small_collection_are_searched_together(twins: tuple[LentStore, MemoryStore]) -> None:
    store, twin = twins
    words: list[Word] = [("amber",), ("filler7",)]
    assert found(store, words, of=("c", "small"), k=9) == found(twin, words, of=("c", "small"), k=9)


def test_words_that_are_too_common_are_left_out_beside_rarer_ones(twins: tuple[LentStore, MemoryStore]) -> None:
    store, _ = twins
    assert found(store, [("today",), ("amber",)], k=30) == found(store, [("amber",)], k=30)
    assert len(found(store, [("today",)], k=30)) == 30


def test_what_is_kept_of_the_best_is_what_ranking_measures(twins: tuple[LentStore, MemoryStore]) -> None:
    words: list[Word] = [("cedar",), ("filler3",)]
    measured = []
    for one in twins:
        with one.read() as read:
            keys = read.matching(["c"], words, k=30)
            measured.append(read.features(keys, embedding=None, words=words))
    assert len(measured[0]) == 30
    assert measured[0] == measured[1]


def test_changes_of_others_are_found_at_once(twins: tuple[LentStore, MemoryStore]) -> None:
    store, twin = twins
    words: list[Word] = [("ember",)]
    for change in (put("c", "000", "ember ember ember"), Remove(collection="c", id="000")):
        for one in twins:
            one.commit([change])
        assert found(store, words) == found(twin, words)


def test_of_a_word_in_several_forms_texts_are_counted_and_not_forms(twins: tuple[LentStore, MemoryStore]) -> None:
    words: list[Word] = [("amber", "birch"), ("cedar", "filler3", "filler4"), ("amber", "nowhere")]
    told = []
    for one in twins:
        with one.read() as read:
            told.append(read.vocabularies(["c", "small"], words))
    assert told[0] == told[1]


def test_two_words_with_one_checksum_are_two_words(twins: tuple[LentStore, MemoryStore]) -> None:
    for one in twins:
        one.commit(
            [put("pair", "1", "plumless", terms=("plumless",)), put("pair", "2", "buckeroo", terms=("buckeroo",))]
        )
        assert found(one, [("plumless",)], of=["pair"]) == [("pair", "1")]
        assert found(one, [("buckeroo",)], of=["pair"]) == [("pair", "2")]


def test_what_is_remembered_of_words_is_bounded(twins: tuple[LentStore, MemoryStore]) -> None:
    """Nothing changes in the collection, and somebody asks for ever new words."""
    store, _ = twins
    for start in range(0, 60_000, 20_000):
        with store.read() as read:
            read.vocabularies(["small"], [(f"word{number}",) for number in range(start, start + 20_000)])
    assert sum(known.size for _, known in store._caches.words._known.values()) <= 2 * 20_000 + 1_000
