"""Fusion of meaning and words: bounded, monotone, independent of the order of candidates."""

from __future__ import annotations

import math
import random

from hypothesis import given
from hypothesis import strategies as st

from libravdb.model import Candidate, Hit, Record
from libravdb.recall.fuse import fuse


def candidate(id: str, cosine: float | None, bm25: float | None, collection: str = "c") -> Candidate:
    record = Record(collection=collection, id=id, text=id, metadata={}, at=0, version=1, access_count=0)
    return Candidate(record=record, cosine=cosine, passage=None if cosine is None else 0, bm25=bm25)


def ranked(candidates: list[Candidate], weight: float = 0.6, *, is_dense: bool = True) -> list[Hit]:
    return fuse(candidates, dense_weight=weight, is_dense=is_dense, shared_words=str.split)


CANDIDATES = st.lists(
    st.tuples(st.none() | st.floats(-1, 1), st.none() | st.floats(0, 50), st.sampled_from("ab")), max_size=12
).map(lambda rows: [candidate(f"r{i}", cosine, bm25, where) for i, (cosine, bm25, where) in enumerate(rows)])


@given(CANDIDATES, st.floats(0, 1), st.sampled_from([True, False]))
def test_scores_lie_between_zero_and_one_and_fall(candidates: list[Candidate], weight: float, dense: bool) -> None:  # noqa: FBT001 - drawn by hypothesis
    scores = [hit.score for hit in ranked(candidates, weight, is_dense=dense)]
    assert len(scores) == len(candidates)
    assert all(0 <= score <= 1 and math.isfinite(score) for score in scores)
    assert scores == sorted(scores, reverse=True)


@given(CANDIDATES, st.integers())
def test_the_order_of_candidates_does_not_show(candidates: list[Candidate], seed: int) -> None:
    shuffled = candidates[:]
    random.Random(seed).shuffle(shuffled)
    assert ranked(shuffled) == ranked(candidates)


@given(CANDIDATES)
def test_a_candidate_that_is_better_in_both_ranks_higher(candidates: list[Candidate]) -> None:
    place = {hit.record.id: rank for rank, hit in enumerate(ranked(candidates))}
    for one in candidates:
        for other in candidates:
            if None in (one.cosine, one.bm25, other.cosine, other.bm25):
                continue
            assert one.cosine is not None
            assert other.cosine is not None
            assert one.bm25 is not None
            assert other.bm25 is not None
            if one.cosine > other.cosine + 1e-6 and one.bm25 > other.bm25 + 1e-6:
                assert place[one.record.id] < place[other.record.id]


@given(CANDIDATES, st.floats(0, 1))
def test_the_parts_add_up_to_the_score(candidates: list[Candidate], weight: float) -> None:
    for hit in ranked(candidates, weight):
        assert math.isclose(hit.score, hit.breakdown["meaning"] + hit.breakdown["words"], abs_tol=1e-12)


def test_without_an_embedder_words_alone_decide() -> None:
    hits = ranked([candidate("a", None, 1.0), candidate("b", None, 2.0)], is_dense=False)
    assert [(hit.record.id, hit.score) for hit in hits] == [("b", 1.0), ("a", 0.0)]


def test_a_lone_hit_counts_in_full() -> None:
    assert ranked([candidate("a", 0.3, 2.0)])[0].score == 1.0


def test_ties_fall_to_the_collection_then_the_id() -> None:
    hits = ranked([candidate("b", 0.5, None), candidate("a", 0.5, None), candidate("a", 0.5, None, "b")])
    assert [(hit.record.collection, hit.record.id) for hit in hits] == [
        ("b", "a"),
        ("c", "a"),
        ("c", "b"),
    ]


def test_reasons_name_the_passage_and_the_words() -> None:
    record = Record(collection="c", id="x", text="a b", metadata={}, at=0, version=1, access_count=0)
    hit = ranked([Candidate(record=record, cosine=0.5, passage=2, bm25=1.0)])[0]
    assert hit.reasons == ("similar in meaning (0.50, best in passage 2)", "shares the words: a, b")
