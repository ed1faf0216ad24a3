"""Which kind of attribute a question asks for, whether it asks how things are, and what that does to ranking."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.recall.test_rank import NOW, first, sighting, surveyed

from libravdb.core.recall.asked_kind import asked_kinds
from libravdb.core.recall.question import is_about_now, read_question
from libravdb.core.recall.settings import RecallSettings
from libravdb.model import AttributeKind

DAY = 86_400_000
FAR = sighting("far", at=NOW - 50 * DAY, cosine=0.0)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Where do I live?", AttributeKind.HOME),
        ("What's my phone number again?", AttributeKind.CONTACT),
        ("Who do I work for?", AttributeKind.WORK),
        ("What am I allergic to?", AttributeKind.HEALTH),
        ("What should I cook for us tonight?", AttributeKind.DIET),
        ("What is my sister's name?", AttributeKind.PERSON),
        ("How much is our rent?", AttributeKind.PRICE),
        ("Which port does the api listen on?", AttributeKind.PORT),
        ("Which version of Python do we use?", AttributeKind.VERSION),
        ("Wo wohne ich?", AttributeKind.HOME),
        ("Wie heißt mein Chef?", AttributeKind.PERSON),
        ("¿Dónde trabajo?", AttributeKind.WORK),
        ("Combien coûte mon loyer ?", AttributeKind.PRICE),
        ("我住在哪里？", AttributeKind.HOME),
    ],
)
def test_a_question_tells_the_kind_it_asks_for(question: str, kind: AttributeKind) -> None:
    assert kind in asked_kinds(question)


@pytest.mark.parametrize("text", ["Tell me a joke.", "What happened in Paris?", "Summarise the meeting.", ""])
def test_other_questions_ask_for_none(text: str) -> None:
    assert asked_kinds(text) == frozenset()


@pytest.mark.parametrize(
    ("question", "is_now"),
    [
        ("Where do I live?", True),
        ("Do I still smoke?", True),
        ("Who is my boss at the moment?", True),
        ("Wo arbeite ich?", True),
        ("¿dónde vivo ahora?", True),
        ("où est-ce que j'habite", True),
        ("我现在住在哪里", True),
        ("Where did I live before?", False),
        ("What was my old address?", False),
        ("Wo war ich früher?", False),
        ("¿dónde vivía antes?", False),
        ("我以前住在哪里", False),
    ],
)
def test_how_things_are_is_told_from_how_they_were(question: str, is_now: bool) -> None:  # noqa: FBT001  parametrised
    assert is_about_now(question) is is_now


@given(st.text(max_size=600))
def test_any_text_can_be_read(text: str) -> None:
    asked_kinds(text)
    is_about_now(text)


def test_a_named_day_is_not_about_now() -> None:
    assert not read_question("Where do I have to be on 3 March 2022?", now=NOW).is_about_now


def test_of_equal_matches_the_one_that_was_said_last_holds_now() -> None:
    survey = surveyed(sighting("old", at=NOW - 90 * DAY, cosine=0.52), sighting("new", at=NOW - DAY), FAR)
    assert first(survey, "where do I live") == "new"
    assert first(survey, "where did I live") == "old"


def test_what_matches_far_worse_does_not_win_for_being_new() -> None:
    survey = surveyed(
        sighting("old", at=NOW - 90 * DAY, cosine=0.6, counts=(1, 1)),
        sighting("new", at=NOW - DAY, cosine=0.1),
        FAR,
    )
    assert first(survey, "where do I live") == "old"


def test_what_states_the_attribute_comes_before_what_only_resembles_the_question() -> None:
    settings = replace(RecallSettings(), recent=0.0)
    survey = surveyed(sighting("near", cosine=0.55), sighting("home", states_home=True), FAR)
    assert first(survey, "where do I live", settings=settings) == "home"
    outdated = surveyed(sighting("near", cosine=0.55), sighting("home", states_home=True, superseded_by="x"), FAR)
    assert first(outdated, "where do I live", settings=settings) == "near"
