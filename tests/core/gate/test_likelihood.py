"""What probably replaces what, where no rule applies. The cosines are those of the shipped embedder, about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.gate.likelihood import WEIGHTS, differs, likely, pair_features

REPLACED = [
    ("I've got a studio flat in Truro.", "My place is in Falmouth these days.", 0.6),
    ("We keep the rota in a spreadsheet.", "The rota has moved to Deputy, the spreadsheet is archived.", 0.7),
    ("Ich fahre einen alten Polo.", "Den Polo habe ich verkauft, jetzt fahre ich Rad.", 0.6),
    ("Mi gimnasio es Titán.", "He dejado el gimnasio Titán, ahora nado.", 0.7),
    ("Je bosse dans une librairie.", "Je travaille à la poste depuis mars.", 0.55),
    ("我在一家书店打工。", "我现在在银行上班。", 0.7),
]
APART = [
    ("I love plum cake.", "I love cold soba.", 0.7),
    ("The brown hen is called Dot.", "The white hen is called Fern.", 0.8),
    ("My sister Ruth lives in Bath.", "My sister Edie lives in York.", 0.8),
    ("Our boiler is a Vaillant.", "I'd love a heat pump one day.", 0.5),
    ("Room 12 is booked on Monday.", "Room 14 is booked on Monday.", 0.9),
    ("Meine Chefin heißt Frau Lenz.", "Der Chef von meinem Bruder heißt Ott.", 0.7),
    ("Mi móvil acaba en 11.", "El móvil de mi hermana acaba en 45.", 0.8),
    ("Je suis allergique aux noix.", "Je suis allergique au pollen.", 0.8),
    ("我大姨住在苏州。", "我二姨住在杭州。", 0.8),
]


@pytest.mark.parametrize(("old", "new", "cosine"), REPLACED)
def test_another_value_of_the_same_is_told_from_its_signs(old: str, new: str, cosine: float) -> None:
    assert likely(new, old, cosine)


@pytest.mark.parametrize(("old", "new", "cosine"), APART)
def test_what_stands_apart_replaces_nothing(old: str, new: str, cosine: float) -> None:
    assert not likely(new, old, cosine)


def test_nothing_far_apart_is_compared() -> None:
    assert not likely("My place is in Falmouth these days.", "I've got a studio flat in Truro.", 0.1)
    assert not differs("My place is in Falmouth these days.", "I've got a studio flat in Truro.", 0.1)


@given(st.text(max_size=200), st.text(max_size=200), st.floats(0, 1))
def test_every_feature_has_a_weight_whatever_is_said(new: str, old: str, cosine: float) -> None:
    for found in pair_features(new, old, cosine):
        assert set(found) == set(WEIGHTS) - {"bias"}


@given(st.text(max_size=200))
def test_nothing_replaces_itself(text: str) -> None:
    assert not likely(text, text, 1.0)
