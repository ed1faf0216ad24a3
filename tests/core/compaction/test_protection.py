"""Protection: rules of users are kept word for word, and a broken model takes nothing away."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.authored.deontic import rules
from libravdb.core.compaction.protection import PROTOTYPES, Reason, find_hint, make_shard, protect
from libravdb.model import Source


def is_rule(text: str) -> bool:
    return bool(rules(text))


def turn(text: str, stability: float = 0.5, level: int = 0) -> Source:
    return Source(id="t1", text=text, at=7, stability=stability, level=level)


@pytest.mark.parametrize(
    "text", ["Never ever commit to main.", "Please don't delete my files.", "Wir dürfen freitags nie deployen."]
)
def test_a_rule_of_the_user_is_protected(text: str) -> None:
    assert protect(turn(text), is_rule=is_rule).reason is Reason.DEONTIC


def test_a_rule_said_by_the_assistant_is_not() -> None:
    found = protect(turn("Never ever commit to main.", stability=0.25), is_rule=is_rule)
    assert found.reason is None
    assert found.words == "stability 0.25 is below 0.35"


def test_a_hint_counts_with_likeness_to_known_guidance_only() -> None:
    text = "Shorter replies are what I prefer."
    assert protect(turn(text), is_rule=lambda _: False, cosines=(0.1, 0.78)).reason is Reason.BOOSTER
    assert protect(turn(text), is_rule=lambda _: False, cosines=(0.77,)).reason is None
    assert protect(turn("The sky is blue."), is_rule=lambda _: False, cosines=(0.99,)).reason is None


@given(st.text(), st.floats(), st.lists(st.floats(), max_size=4), st.booleans())
def test_a_model_can_only_add_protection(text: str, stability: float, cosines: list[float], ruled: bool) -> None:  # noqa: FBT001 - drawn by hypothesis
    without = protect(turn(text, stability), is_rule=lambda _: ruled)
    found = protect(turn(text, stability), is_rule=lambda _: ruled, cosines=cosines)
    assert without.reason is None or found.reason is without.reason
    assert found.words


@given(st.text())
def test_cosines_that_are_no_numbers_count_nothing(text: str) -> None:
    assert protect(turn(text), is_rule=lambda _: False, cosines=(math.nan, math.inf)).reason is None


def test_a_summary_is_not_looked_at_again() -> None:
    assert protect(turn("Never commit to main.", level=1), is_rule=is_rule).reason is None


@pytest.mark.parametrize(
    "text", ["I'd rather not", "Don’t", "Das sollte kurz sein", "Prefiero té", "Évite ça", "请先问我", "You must"]
)
def test_hints_are_known_in_five_languages(text: str) -> None:
    assert find_hint(text)


@pytest.mark.parametrize("text", ["", "The keeper mustered his avoidance", "Muster", "天气很好"])
def test_parts_of_words_are_no_hints(text: str) -> None:
    assert find_hint(text) == ""


def test_every_prototype_is_guidance_on_its_surface() -> None:
    assert [text for text in PROTOTYPES if not find_hint(text) and not is_rule(text)] == ["我喜欢简短的回答。"]


def test_a_shard_holds_the_turn_word_for_word_under_one_id() -> None:
    shard = make_shard(turn("Never commit  to main."), Reason.DEONTIC, session="s", user="u")
    assert (shard.id, shard.text, shard.at) == ("guidance:s:t1", "Never commit  to main.", 7)
    assert shard.metadata == {
        "type": "guidance_shard",
        "source_turn_id": "t1",
        "source_turn_ts": 7,
        "elevated_guidance": True,
        "protection_reason": "deontic_surface",
        "authority": 0.5,
        "stability_weight": 0.5,
        "provenance_class": "session_turn",
        "sessionId": "s",
        "userId": "u",
        "role": "user",
        "token_estimate": 6,
    }
