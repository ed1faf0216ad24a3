"""Clusters: a partition in order, cut where bundles end, with the sizes that were asked for."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.compaction.clusters import LONGEST_BUNDLE, SINGLE, WAITING, Cluster, cluster, plan, topic_shifts
from libravdb.model import Source

COUNTS = st.integers(0, 300)
TARGETS = st.integers(2, 40)
BUNDLES = st.lists(st.integers(1, 9), max_size=60)


def sources(*levels: int) -> list[Source]:
    return [Source(id=f"s{place}", text="x", at=place, level=level) for place, level in enumerate(levels)]


def starts(sizes: list[int]) -> set[int]:
    return {sum(sizes[:place]) for place in range(len(sizes))}


def is_partition(clusters: tuple[Cluster, ...], count: int) -> bool:
    places = [place for each in clusters for place in range(each.start, each.end)]
    return places == list(range(count)) and all(each.size > 0 for each in clusters)


@given(COUNTS, TARGETS)
def test_turn_i_stands_in_cluster_floor_of_i_c_over_n_when_every_turn_is_an_edge(count: int, target: int) -> None:
    clusters = cluster(count, edges=range(count), target=target)
    wanted = -(-count // target)
    place_of = {place: index for index, each in enumerate(clusters) for place in range(each.start, each.end)}
    if wanted and count // wanted >= 2:  # below that a cluster would be a single turn
        assert place_of == {place: place * wanted // count for place in range(count)}
    assert all(each.size <= max(target, 3) for each in clusters)


@given(BUNDLES, TARGETS)
def test_clusters_are_a_partition_in_order_and_cut_no_bundle(sizes: list[int], target: int) -> None:
    clusters = cluster(sum(sizes), edges=starts(sizes), target=target)
    assert is_partition(clusters, sum(sizes))
    if max(sizes, default=0) <= LONGEST_BUNDLE * target:
        assert {each.start for each in clusters} <= starts(sizes)


@given(BUNDLES, TARGETS)
def test_a_cluster_is_a_single_turn_only_when_there_is_one(sizes: list[int], target: int) -> None:
    clusters = cluster(sum(sizes), edges=starts(sizes), target=target)
    singles = [each for each in clusters if each.size == 1]
    assert len(singles) == (sum(sizes) == 1)
    assert all(each.declined == (SINGLE if each.size == 1 else "") for each in clusters)


@given(BUNDLES, TARGETS)
def test_no_cluster_is_larger_than_its_share_and_the_bundles_at_its_edges(sizes: list[int], target: int) -> None:
    longest = max(sizes, default=0)
    clusters = cluster(sum(sizes), edges=starts(sizes), target=target)
    # A cut moves by at most a bundle; where two cuts meet, or one would leave a single turn, one of them is dropped.
    assert all(each.size <= 2 * max(target, longest) + 2 * longest + 4 for each in clusters)


def test_forty_turns_make_two_clusters_of_twenty() -> None:
    assert [(each.start, each.end) for each in cluster(40, edges=range(40))] == [(0, 20), (20, 40)]


def test_a_cut_moves_to_the_nearest_edge_and_says_so() -> None:
    first, second = cluster(40, edges={17, 24})
    assert (first.start, first.end, second.start, second.end) == (0, 17, 17, 40)
    assert second.reasons == ("begins at turn 17 with its bundle, not at 20",)


def test_of_two_edges_at_the_same_distance_the_earlier_one_is_taken() -> None:
    assert [each.start for each in cluster(40, edges={18, 22})] == [0, 18]


def test_turns_without_an_edge_stay_together() -> None:
    assert [(each.start, each.end) for each in cluster(40, edges=())] == [(0, 40)]


def test_a_cut_moves_to_where_the_subject_changes() -> None:
    rows = [np.array([1, 0], dtype=np.float32)] * 17 + [np.array([0, 1], dtype=np.float32)] * 23
    shifts = topic_shifts(rows)
    assert max(shifts, key=lambda place: shifts[place]) == 17
    first, second = cluster(40, edges=range(40), shifts=shifts)
    assert (first.end, second.reasons) == (17, ("begins at turn 17 with another subject, not at 20",))


def test_without_a_change_of_subject_nothing_moves() -> None:
    assert topic_shifts([None] * 30) == {}
    assert topic_shifts([np.array([1, 0], dtype=np.float32)] * 30) == {}


@given(BUNDLES, st.integers(4, 40), st.data())
def test_any_shifts_leave_a_partition_cut_at_bundles_and_of_bounded_size(
    sizes: list[int], target: int, data: st.DataObject
) -> None:
    count, longest = sum(sizes), max(sizes, default=0)
    shifts = data.draw(st.dictionaries(st.integers(0, max(0, count)), st.floats(0, 2), max_size=20))
    clusters = cluster(count, edges=starts(sizes), target=target, shifts=shifts)
    assert is_partition(clusters, count)
    assert all(each.size <= 2.5 * max(target, longest) + 2 * longest + 4 for each in clusters)
    if longest <= LONGEST_BUNDLE * target:
        assert {each.start for each in clusters} <= starts(sizes)


def test_work_of_a_thousand_steps_on_one_question_is_cut_all_the_same() -> None:
    clusters = cluster(1000, edges={0})
    assert len(clusters) == 50
    assert all(each.size == 20 for each in clusters)


@given(st.lists(st.integers(0, 3), max_size=120), TARGETS)
def test_a_plan_takes_every_source_once_and_in_order(levels: list[int], target: int) -> None:
    found = sources(*levels)
    planned = plan(found, edges=range(len(found)), target=target)
    assert is_partition(planned, len(found))
    for each in planned:
        held = [source.level for source in found[each.start : each.end]]
        assert each.declined or each.level > max(held)


def test_summaries_wait_until_there_are_enough_of_them() -> None:
    planned = plan(sources(*[1] * 19, *[0] * 20), edges=range(39))
    assert [(each.start, each.end, each.level, each.declined) for each in planned] == [
        (0, 19, 2, WAITING),
        (19, 39, 1, ""),
    ]


def test_dear_summaries_are_folded_although_they_are_few() -> None:
    long = [Source(id=f"s{place}", text="x" * 4_800, at=place, level=1) for place in range(4)]
    assert [(each.size, each.declined) for each in plan(long[:3], edges=())] == [(3, WAITING)]
    assert [(each.size, each.level, each.declined) for each in plan(long, edges=())] == [(2, 2, ""), (2, 2, "")]


def test_twenty_summaries_become_a_summary_of_summaries() -> None:
    planned = plan(sources(*[1] * 20, *[0] * 20), edges=range(40))
    assert [(each.start, each.end, each.level) for each in planned] == [(0, 20, 2), (20, 40, 1)]


def test_a_turn_left_behind_between_summaries_is_folded_with_them() -> None:
    planned = plan(sources(*[1] * 10, 0, *[1] * 9), edges=())
    assert [(each.start, each.end, each.level, each.declined) for each in planned] == [(0, 20, 2, "")]


def test_a_session_of_any_length_stays_bounded() -> None:
    """Fold again and again: what is left grows with the logarithm of the turns, not with the turns."""
    view: list[Source] = []
    most = 0
    for start in range(0, 40_000, 20):
        view += [Source(id=f"t{start + place}", text="x", at=start + place) for place in range(20)]
        folded: list[Source] = []
        for each in plan(view, edges=range(len(view))):
            inside = view[each.start : each.end]
            folded += inside if each.declined else [Source(id="s", text="x", at=inside[-1].at, level=each.level)]
        view = folded
        most = max(most, len(view))
    assert most <= 20 * 4
    assert [earlier.level >= later.level for earlier, later in pairwise(view)] == [True] * (len(view) - 1)
