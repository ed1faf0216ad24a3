"""Bundles: a question and its answer belong together, an answer and the next question do not."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from libravdb.core.continuity.bundles import bundle, in_order
from libravdb.model import Bundle, Json, Role, Turn
from libravdb.model.turn_metadata import BUNDLE

ROLES = {"u": Role.USER, "a": Role.ASSISTANT, "t": Role.TOOL, "s": Role.SYSTEM}


def turn(role: str, *, key: Json = None, at: int = 0, id: str = "") -> Turn:
    return Turn(
        namespace="n", session="s", id=id, role=ROLES[role], text="x", at=at, metadata={BUNDLE: key} if key else {}
    )


def spans(turns: list[Turn]) -> list[tuple[int, int]]:
    return [(each.start, each.end) for each in bundle(turns)]


def test_a_question_and_all_that_answers_it_are_one_bundle() -> None:
    assert spans([turn(role) for role in "uauataua"]) == [(0, 2), (2, 6), (6, 8)]


def test_what_comes_before_the_first_question_is_a_bundle_of_its_own() -> None:
    assert bundle([turn("a"), turn("u")]) == (
        Bundle(start=0, end=1, reason="what came before the first question"),
        Bundle(start=1, end=2, reason="a question and what answers it"),
    )


def test_two_questions_in_a_row_are_two_bundles() -> None:
    assert spans([turn(role) for role in "uuua"]) == [(0, 1), (1, 2), (2, 4)]


def test_turns_that_share_an_id_are_one_bundle_with_all_between_them() -> None:
    turns = [turn("u"), turn("a", key="x"), turn("u"), turn("a"), turn("u", key="x"), turn("a"), turn("u")]
    assert spans(turns) == [(0, 6), (6, 7)]
    assert bundle(turns)[0].reason == "they share the bundle 'x'"


def test_ids_that_overlap_couple_all_their_turns() -> None:
    turns = [turn("u", key="x"), turn("u", key="y"), turn("u", key="x"), turn("u", key="y"), turn("u")]
    assert spans(turns) == [(0, 4), (4, 5)]


def test_an_id_that_is_no_text_couples_nothing() -> None:
    assert spans([turn("u", key=7), turn("u", key=7), turn("u", key=["x"])]) == [(0, 1), (1, 2), (2, 3)]


def test_no_turns_make_no_bundle() -> None:
    assert bundle([]) == ()


def test_turns_of_one_moment_stay_as_they_arrived() -> None:
    turns = [turn("u", at=5, id="1"), turn("a", at=3, id="2"), turn("t", at=5, id="3"), turn("u", at=3, id="4")]
    assert [each.id for each in in_order(turns)] == ["2", "4", "1", "3"]


TURNS = st.lists(
    st.builds(turn, st.sampled_from("uats"), key=st.sampled_from([None, None, None, "x", "y"])), max_size=12
)


@settings(max_examples=300)
@given(TURNS)
def test_bundles_follow_each_other_without_gap_and_keep_what_belongs_together(turns: list[Turn]) -> None:
    edges = spans(turns)
    assert [place for start, end in edges for place in range(start, end)] == list(range(len(turns)))
    assert all(start < end for start, end in edges)
    for start, end in edges[1:]:
        assert turns[start].role is Role.USER
        keys = {one.metadata.get(BUNDLE) for one in turns[start:end]} - {None}
        assert not keys & {one.metadata.get(BUNDLE) for one in turns[:start]}
