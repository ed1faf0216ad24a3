"""Shares and scales: what a claim may take, and a price that is always that of the whole text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.assembly.budget import Growing, Scale, share_of, soft_room
from libravdb.core.assembly.settings import DEFAULTS, Shares
from libravdb.model import AssemblyMode
from libravdb.text.tokens import prompt_tokens, prompt_weight, tokens_of


def test_the_presets_are_those_of_the_two_modes() -> None:
    assert DEFAULTS.shares(AssemblyMode.AUGMENT) == Shares(hard=0.30, soft=0.20, tail=0.25, elevated=0.15, recall=1.0)
    assert DEFAULTS.shares(AssemblyMode.WINDOW) == Shares(hard=0.15, soft=0.10, tail=0.50, elevated=0.05, recall=0.25)


@pytest.mark.parametrize(
    ("hard", "base", "room"), [(100, 100, 200), (600, 300, 100), (700, 400, 0), (0, 0, 200), (1000, 0, 0)]
)
def test_soft_rules_have_their_share_or_what_the_mandatory_parts_leave(hard: int, base: int, room: int) -> None:
    assert soft_room(1000, share=0.2, hard=hard, base=base) == room


@given(st.floats(0, 1), st.integers(0, 2**70))
def test_a_share_never_exceeds_the_whole(share: float, budget: int) -> None:
    assert 0 <= share_of(share, budget) <= budget


def by_words(text: str) -> int:
    return len(text.split())


@pytest.mark.parametrize("count", [prompt_tokens, by_words])
@given(pieces=st.lists(st.tuples(st.text(max_size=12) | st.text("aя漢 ", max_size=12), st.booleans()), max_size=6))
def test_a_growing_frame_costs_what_its_text_costs(count: object, pieces: list[tuple[str, bool]]) -> None:
    assert callable(count)
    frame = Growing(Scale(count), "<a>\n", "</a>\n")
    assert (frame.price, frame.pieces) == (0, ())
    for piece, is_before in pieces:
        longer = frame.price_with(piece)
        if is_before:
            frame.prepend(piece)
        else:
            frame.append(piece)
            assert frame.price == longer
        assert frame.price == count("".join(frame.pieces))


@given(st.lists(st.text(max_size=8) | st.text("aя漢\U00020000", max_size=8)))
def test_weights_of_pieces_add_up_to_that_of_the_whole(pieces: list[str]) -> None:
    whole = "".join(pieces)
    assert sum(prompt_weight(piece) for piece in pieces) == prompt_weight(whole)
    assert tokens_of(prompt_weight(whole)) == prompt_tokens(whole)
