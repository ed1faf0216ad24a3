"""What every store does with vectors: spaces beside one another, one of them in use, and texts that wait for theirs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.contract.stores import (
    OTHER,
    SPACE,
    ask,
    is_there,
    kept,
    listed,
    near,
    near_ids,
    open_space,
    rows,
    vector,
    words,
)
from tests.puts import put

from libravdb.errors import InvalidInput, NotFound, SpaceMismatch
from libravdb.model import Embedding, Features, Key, Remove, SpaceState, digest
from libravdb.ports.store import Store


def waiting(store: Store, fingerprint: str = SPACE, limit: int = 99) -> list[str]:
    return [one.text for one in store.vectors.missing(fingerprint, limit=limit)]


def test_without_a_space_a_search_goes_by_words_alone(store: Store) -> None:
    store.commit([put("c", "1", "tea")])
    assert words(store, "tea") == ["1"]
    assert near(store, [1, 0]) == []
    key = Key("c", "1")
    assert ask(store, lambda read: read.features([key], embedding=vector([1, 0]), words=[("tea",)])) == {
        key: Features(counts=(1,), length=1)
    }
    with pytest.raises(SpaceMismatch):
        store.commit([put("c", "2", "coffee", embedding=vector([1, 0]))])
    assert not is_there(store, "2")


def test_the_first_space_is_active_and_the_next_is_building(store: Store) -> None:
    first = store.vectors.open(fingerprint=SPACE, dimensions=2, description={"a": [1]})
    assert (first.state, first.dimensions, first.description) == (SpaceState.ACTIVE, 2, {"a": [1]})
    assert (first.texts, first.vectors) == (0, 0)
    second = store.vectors.open(fingerprint="a first by name", dimensions=3, description={})
    assert second.state == SpaceState.BUILDING
    assert store.vectors.open(fingerprint=SPACE, dimensions=2, description={"other": 1}) == first
    assert ask(store, lambda read: read.spaces()) == (first, second)


def test_spaces_that_are_not_counted_are_the_same_but_for_their_counts(store: Store) -> None:
    open_space(store)
    open_space(store, OTHER, 3)
    store.commit([put("c", "1", "tea", embedding=vector([1, 0]))])
    counted = ask(store, lambda read: read.spaces())
    assert [space.texts for space in counted] == [1, 0]
    plain = ask(store, lambda read: read.spaces(is_counted=False))
    assert [replace(space, texts=0, vectors=0) for space in plain] == [
        replace(space, texts=0, vectors=0) for space in counted
    ]


def test_a_space_is_only_what_can_be_one(store: Store) -> None:
    for fingerprint, dimensions in (("", 2), ("f", 0), ("f", -1)):
        with pytest.raises(InvalidInput):
            store.vectors.open(fingerprint=fingerprint, dimensions=dimensions, description={})
    open_space(store)
    with pytest.raises(SpaceMismatch):
        store.vectors.open(fingerprint=SPACE, dimensions=3, description={})
    with pytest.raises(NotFound):
        store.vectors.activate("unknown")
    with pytest.raises(NotFound):
        store.vectors.drop("unknown")
    with pytest.raises(InvalidInput, match="in use"):
        store.vectors.drop(SPACE)
    assert [space.fingerprint for space in ask(store, lambda read: read.spaces())] == [SPACE]


def test_vectors_of_two_embedders_are_never_mixed(store: Store) -> None:
    open_space(store)
    store.commit([put("c", "1", "tea", embedding=vector([1, 0]))])
    flat = Embedding(fingerprint=SPACE, vectors=np.ones(2, np.float32))
    with store.read() as read:
        for error, bad in (
            (SpaceMismatch, vector([1, 0], space=OTHER)),
            (SpaceMismatch, vector([1, 0, 0])),
            (InvalidInput, flat),
        ):
            with pytest.raises(error):
                read.nearest(["c"], bad, k=1)
            with pytest.raises(error):
                read.nearest([], bad, k=0)
            with pytest.raises(error):
                read.features([Key("c", "1")], embedding=bad, words=[])
        with pytest.raises(SpaceMismatch) as caught:
            read.nearest(["c"], vector([1, 0], space=OTHER), k=1)
    assert (caught.value.offered, caught.value.active) == (OTHER, SPACE)
    assert caught.value.remedy
    with pytest.raises(SpaceMismatch):
        store.commit([put("c", "2", "coffee", embedding=vector([1, 0], space=OTHER))])
    with pytest.raises(SpaceMismatch):
        store.commit([put("c", "2", "coffee", embedding=vector([1, 0, 0]))])
    with pytest.raises(SpaceMismatch):
        store.vectors.add([(digest("tea"), vector([1, 0], space=OTHER))])
    assert listed(store) == ["1"]


def test_a_new_space_is_filled_beside_the_old_one_and_switched_to_in_one_step(store: Store) -> None:
    open_space(store)
    store.commit([put("c", "1", "tea", embedding=vector([1, 0])), put("c", "2", "coffee", embedding=vector([0, 1]))])
    open_space(store, OTHER, 3)
    store.commit([put("c", "3", "milk", embedding=vector([1, 0, 0], space=OTHER))])
    late = store.vectors.missing(OTHER, limit=10)
    assert [text.text for text in late] == ["tea", "coffee"]
    assert store.vectors.add([(text.digest, vector([0, 1, 0], space=OTHER)) for text in late]) == 2
    assert near_ids(store, [1, 0]) == ["1", "2"]
    store.vectors.activate(OTHER)
    spaces = ask(store, lambda read: read.spaces())
    assert [(space.fingerprint, space.state, space.texts) for space in spaces] == [
        (OTHER, SpaceState.ACTIVE, 3),
        (SPACE, SpaceState.RETIRED, 2),
    ]
    with pytest.raises(SpaceMismatch):
        near(store, [1, 0])
    found = ask(store, lambda read: read.nearest(["c"], vector([1, 0, 0], space=OTHER), k=9))
    assert [(one.key.id, one.cosine) for one in found] == [("3", 1), ("1", 0), ("2", 0)]
    with pytest.raises(SpaceMismatch):
        store.commit([put("c", "4", "water", embedding=vector([1, 0]))])
    store.vectors.drop(SPACE)
    assert [space.fingerprint for space in ask(store, lambda read: read.spaces())] == [OTHER]
    assert ask(store, lambda read: read.vectors(SPACE, [digest("tea")])) == {}


def test_a_retired_space_can_be_opened_again_and_keeps_its_vectors(store: Store) -> None:
    open_space(store)
    store.commit([put("c", "1", "tea", embedding=vector([1, 0])), put("c", "2", "coffee")])
    assert len(near(store, [1, 0])) == 1
    open_space(store, OTHER, 3)
    store.vectors.activate(OTHER)
    again = store.vectors.open(fingerprint=SPACE, dimensions=2, description={})
    assert (again.state, again.texts, again.description) == (SpaceState.BUILDING, 1, {"name": SPACE})
    store.vectors.add([(digest("coffee"), vector([0, 1]))])
    store.vectors.activate(SPACE)
    assert near_ids(store, [1, 0]) == ["1", "2"]


def test_of_the_retired_spaces_the_one_in_use_last_is_told(store: Store) -> None:
    for fingerprint in ("x", "y", "z"):
        open_space(store, fingerprint)
        store.vectors.activate(fingerprint)
    store.vectors.activate("x")
    retired = {space.fingerprint: space.retired for space in ask(store, lambda read: read.spaces())[1:]}
    assert max(retired, key=lambda fingerprint: retired[fingerprint]) == "z"


def test_activating_the_active_space_changes_nothing(store: Store) -> None:
    open_space(store)
    store.commit([put("c", "1", "tea", embedding=vector([1, 0]))])
    store.vectors.activate(SPACE)
    assert [space.state for space in ask(store, lambda read: read.spaces())] == [SpaceState.ACTIVE]
    assert len(near(store, [1, 0])) == 1


def test_texts_without_vectors_are_listed_oldest_first_without_blank_ones(store: Store) -> None:
    open_space(store)
    store.commit([put("c", "3", "third"), put("c", "1", "first"), put("c", "blank", " \n"), put("c", "empty", "")])
    store.commit([put("c", "2", "second", embedding=vector([1, 0])), put("d", "4", "third"), put("c", "5", "last")])
    assert waiting(store) == ["third", "first", "last"]
    assert waiting(store, limit=2) == ["third", "first"]
    assert store.vectors.missing(SPACE, limit=1)[0].digest == digest("third")
    assert len(waiting(store, "unknown")) == 4
    assert store.maintenance.stats().unembedded == 3


def test_vectors_are_told_of_those_texts_that_have_some(store: Store) -> None:
    open_space(store)
    store.commit([put("c", "1", "known", embedding=vector([1, 0], [0, 1])), put("c", "2", "waiting")])
    texts = [digest(text) for text in ("new", "known", "waiting", "known", "")]
    found = ask(store, lambda read: read.vectors(SPACE, texts))
    assert list(found) == [digest("known")]
    assert np.array_equal(found[digest("known")], rows([1, 0], [0, 1]))
    assert ask(store, lambda read: read.vectors("unknown", texts)) == {}
    assert ask(store, lambda read: read.vectors(SPACE, [])) == {}


def test_the_vectors_of_hundreds_of_texts_are_told_at_once(store: Store) -> None:
    open_space(store)
    store.commit([put("c", f"{i}", f"text {i}", embedding=vector([1, i], [i, 1])) for i in range(1_200)])
    found = ask(store, lambda read: read.vectors(SPACE, [digest(f"text {i}") for i in range(1_200)]))
    assert len(found) == 1_200
    for i in (0, 7, 600, 1_199):
        expected = rows([1, i], [i, 1]).astype(np.float16).astype(np.float32)
        assert np.array_equal(found[digest(f"text {i}")], expected)


def test_samples_are_spread_over_the_store_oldest_first(store: Store) -> None:
    store.commit([put("c", f"{i}", f"text {i}") for i in range(10)] + [put("c", "blank", " ")])
    assert [one.text for one in store.vectors.sample(5)] == [f"text {i}" for i in range(0, 10, 2)]
    assert [one.text for one in store.vectors.sample(100)] == [f"text {i}" for i in range(10)]
    assert len(store.vectors.sample(3)) <= 3
    assert store.vectors.sample(3) == store.vectors.sample(3)


def test_vectors_that_come_later_are_searched_from_then_on(store: Store) -> None:
    open_space(store)
    store.commit([put("c", "1", "tea"), put("d", "2", "tea"), put("c", "3", "coffee", embedding=vector([0, 1]))])
    assert near_ids(store, [1, 0]) == ["3"]
    assert store.vectors.add([(digest("tea"), vector([1, 0], [0, 1])), (digest("gone"), vector([1, 0]))]) == 1
    assert near_ids(store, [1, 0]) == ["1", "3"]
    assert near_ids(store, [1, 0], of="d") == ["2"]
    assert store.vectors.add([(digest("tea"), vector([0, 1]))]) == 0
    kept_vectors = ask(store, lambda read: read.vectors(SPACE, [digest("tea")]))[digest("tea")]
    assert np.array_equal(kept_vectors, rows([1, 0], [0, 1]))
    assert [(space.texts, space.vectors) for space in ask(store, lambda read: read.spaces())] == [(2, 3)]


def test_the_same_put_again_may_bring_the_vectors_that_were_missing(store: Store) -> None:
    open_space(store)
    store.commit([put("c", "1", "tea")])
    assert near(store, [1, 0]) == []
    store.commit([put("c", "1", "tea", embedding=vector([1, 0]))])
    assert kept(store, "1").version == 1
    assert len(near(store, [1, 0])) == 1


@pytest.mark.parametrize(
    "vectors", [np.zeros((1, 2)), np.ones(2), np.empty((0, 2)), np.full((1, 2), np.nan), np.ones((1, 2))]
)
def test_vectors_that_are_none_are_refused_when_they_come_later_too(store: Store, vectors: NDArray[Any]) -> None:
    open_space(store)
    store.commit([put("c", "1", "tea"), put("c", "2", "coffee")])
    bad = Embedding(fingerprint=SPACE, vectors=vectors.astype(np.float32))
    with pytest.raises(InvalidInput) as caught:
        store.vectors.add([(digest("coffee"), vector([1, 0])), (digest("tea"), bad)])
    assert caught.value.field == "embedding"
    assert store.maintenance.stats().unembedded == 2


def test_adding_vectors_is_atomic(store: Store) -> None:
    open_space(store)
    store.commit([put("c", "1", "tea"), put("c", "2", "coffee")])
    with pytest.raises(SpaceMismatch):
        store.vectors.add([(digest("tea"), vector([1, 0])), (digest("coffee"), vector([1, 0, 0]))])
    assert store.maintenance.stats().unembedded == 2
    assert store.vectors.add([]) == 0


def test_a_text_is_erased_with_its_last_record_vectors_and_all(store: Store) -> None:
    open_space(store)
    store.commit([put(name, "1", "tea", embedding=vector([1, 0], [0, 1])) for name in "cd"])
    assert store.maintenance.stats().texts == 1
    assert [space.vectors for space in ask(store, lambda read: read.spaces())] == [2]
    store.commit([Remove(collection="c", id="1")])
    assert list(ask(store, lambda read: read.vectors(SPACE, [digest("tea")]))) == [digest("tea")]
    assert near_ids(store, [1, 0], of="d") == ["1"]
    store.commit([put("d", "1", "coffee")])
    assert ask(store, lambda read: read.vectors(SPACE, [digest("tea")])) == {}
    assert waiting(store) == ["coffee"]
    assert [(space.texts, space.vectors) for space in ask(store, lambda read: read.spaces())] == [(0, 0)]
    store.commit([put("d", "2", "tea")])
    assert waiting(store) == ["coffee", "tea"]


def test_the_caller_keeps_no_hold_on_vectors(store: Store) -> None:
    open_space(store)
    given = vector([1, 0])
    store.commit([put("c", "1", "tea", embedding=given)])
    given.vectors[:] = rows([0, 1])
    read = ask(store, lambda read: read.vectors(SPACE, [digest("tea")]))[digest("tea")]
    assert np.array_equal(read, rows([1, 0]))
    if read.flags.writeable:
        read[:] = 0
    assert near(store, [1, 0])[0].cosine == 1
