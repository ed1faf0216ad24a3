"""Ids that we give: two turns never share one, whatever their sessions and their hosts call them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from libravdb.model.record_ids import guidance_id, shared_turn_id, split_shared_turn_id

PARTS = st.text(alphabet="ab:/%2F53A~#,", max_size=6)
TURNS = st.tuples(PARTS, PARTS)


@pytest.mark.parametrize("made", [guidance_id, shared_turn_id])
@example(one=("a", "b:c"), other=("a:b", "c"))
@example(one=("a", "b/c"), other=("a/b", "c"))
@example(one=("a", "b:c"), other=("a", "b%3Ac"))
@given(one=TURNS, other=TURNS)
def test_two_turns_never_share_an_id(
    made: Callable[[str, str], str], one: tuple[str, str], other: tuple[str, str]
) -> None:
    assert (made(*one) == made(*other)) == (one == other)


@given(TURNS)
def test_an_id_in_a_shared_collection_tells_its_turn(turn: tuple[str, str]) -> None:
    assert split_shared_turn_id(shared_turn_id(*turn)) == turn


def test_the_ids_that_clients_know_stay_as_they_are() -> None:
    assert guidance_id("agent:main:main", "t1") == "guidance:agent:main:main:t1"
    assert shared_turn_id("s", "t1") == "s/t1"
