"""What of a long text gets vectors: bounded, in order, and the sentences that tell most."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.text.excerpt import LONGEST, excerpt

LIMIT = 2_000
FILLER = "and then we went on and on about this and that for a while. "


PIECES = st.sampled_from([FILLER, "x", "\n", "Anna paid 3,400 euros. ", "我们决定了。"])


@given(st.text(max_size=3_000) | st.lists(PIECES, max_size=400).map("".join))
def test_an_excerpt_is_bounded_and_its_lines_stand_in_the_text_in_order(text: str) -> None:
    found = excerpt(text, LIMIT)
    if len(text.encode(errors="surrogatepass")) <= LIMIT:
        assert found == text
        return
    assert len(found.encode(errors="surrogatepass")) <= LIMIT + 3 * LONGEST
    place = 0
    for line in found.split("\n"):
        place = text.index(line, place) + len(line)


@pytest.mark.parametrize(
    "telling",
    [
        "We decided to move the archive to Trieste on 14 March.",
        "The rent of the flat in the Lindengasse is 1,020 euros.",
        "Wir haben beschlossen, dass Otto die Schlüssel behält.",
        "Nunca llames a Marisol antes de las nueve.",
    ],
)
def test_the_sentence_that_tells_most_is_taken_wherever_it_stands(telling: str) -> None:
    for before in (40, 200, 700):
        text = FILLER * before + telling + " " + FILLER * (800 - before)
        assert telling in excerpt(text, LIMIT)


def test_head_and_end_are_always_there() -> None:
    text = "It begins here, with this sentence. " + FILLER * 500 + "It ends here, with this one."
    found = excerpt(text, LIMIT)
    assert found.startswith("It begins here, with this sentence.")
    assert found.endswith("It ends here, with this one.")


def test_text_without_any_stop_is_taken_in_pieces_from_all_of_it() -> None:
    text = "".join(f"word{number} " for number in range(20_000))
    found = excerpt(text, 8_000)
    assert 4_000 < len(found) <= 8_000 + LONGEST
    assert "word19999" in found
    assert any(f"word{number} " in found for number in range(7_000, 13_000))


def test_a_character_that_says_as_much_as_a_word_costs_as_much() -> None:
    text = "我们决定把档案搬到的里雅斯特去。" * 2_000
    assert len(excerpt(text, 6_000)) <= 2_000 + LONGEST
    assert len(excerpt(text, 6_000)) > 1_000
