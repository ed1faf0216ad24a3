"""What a turn states: whose attribute has which value; and nothing where nothing is asserted."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.gate.attributes import forget_attributes, read_attributes
from libravdb.core.gate.languages.forms import FORMS
from libravdb.model import AttributeKind

LANGUAGES = {"english", "german", "spanish", "french", "chinese"}


@pytest.mark.parametrize(
    ("text", "subject", "kind", "name", "value"),
    [
        ("I live in Aarhus.", "", "home", "", "Aarhus"),
        ("My cousin moved to Split last year.", "cousin", "home", "", "Split"),
        ("Well, I started at Fjord Labs on Monday.", "", "work", "employer", "Fjord Labs"),
        ("My niece's favourite animal is the otter", "niece", "favourite", "anim", "the otter"),
        ("My aunt is called Wilma.", "", "person", "aunt", "Wilma"),
        ("our rent is 830 euros", "", "price", "rent", "830 euros"),
        ("The billing API listens on port 8123.", "bill api", "port", "", "8123"),
        ("Call me Fitz.", "", "name", "nickname", "Fitz"),
        ("Ich wohne seit März in Erfurt.", "", "home", "", "Erfurt"),
        ("Meine Tante heißt Gerda.", "", "person", "aunt", "Gerda"),
        ("Trabajo en Endesa.", "", "work", "employer", "Endesa"),
        ("Mi cumpleaños es el 4 de mayo.", "", "birthday", "birthday", "4 de mayo"),
        ("J'habite à Rouen.", "", "home", "", "Rouen"),
        ("Mon loyer est de 610 euros.", "", "price", "rent", "610 euros"),
        ("我住在厦门。", "", "home", "", "厦门"),
        ("我女儿今年六岁。", "daughter", "birthday", "age", "六"),
    ],
)
def test_a_statement_tells_whose_attribute_has_which_value(
    text: str, subject: str, kind: str, name: str, value: str
) -> None:
    told = [(one.subject, one.kind.value, one.name, one.value) for one in read_attributes(text)]
    assert (subject, kind, name, value) in told


@pytest.mark.parametrize(
    "text",
    [
        "Where does my sister live?",
        "I wish I lived in Oslo.",
        "I lived in Turku as a child.",
        "If I worked at Fjord Labs I would be rich.",
        "You live in a data centre.",
        "Wo wohnt mein Bruder?",
        "Ich würde gern in Kiel wohnen.",
        "¿Dónde vive mi hermana?",
        "J'aimerais habiter à Rouen.",
        "我小时候住在厦门。",
    ],
)
def test_what_is_asked_wished_or_past_states_no_home_and_no_work(text: str) -> None:
    kinds = {one.kind for one in read_attributes(text)}
    assert not kinds & {AttributeKind.HOME, AttributeKind.WORK}


@pytest.mark.parametrize(
    "text",
    [
        "I no longer work at Fjord Labs.",
        "I gave up the trombone.",
        "We cancelled the cruise.",
        "Ich rauche nicht mehr.",
        "Ya no trabajo en Endesa.",
        "J'ai arrêté de fumer.",
        "我不喝咖啡了。",
    ],
)
def test_what_no_longer_holds_is_ended(text: str) -> None:
    assert any(one.is_ended for one in read_attributes(text))


def test_allergies_stand_side_by_side_and_a_home_does_not() -> None:
    (allergy,) = read_attributes("I'm allergic to kiwi.")
    (home,) = read_attributes("I live in Cork.")
    assert not allergy.is_single
    assert home.is_single


def test_a_fact_inside_a_longer_turn_is_read_with_its_sentence() -> None:
    text = "What a week! We moved to Bergen on Friday. The boxes are still everywhere."
    home = next(one for one in read_attributes(text) if one.kind is AttributeKind.HOME)
    assert (home.value, home.sentence) == ("Bergen", "We moved to Bergen on Friday.")


def test_five_languages_have_their_forms() -> None:
    assert set(FORMS) == LANGUAGES


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    for one in read_attributes(text):
        assert one.value or one.is_ended
        assert not (one.is_single and one.is_ended)


@pytest.mark.parametrize("piece", ["my ", "a.", "the api is ", "ich bin nicht mehr ", "我的", "x" * 50, "1,"])
def test_long_and_odd_turns_are_read_in_bounded_time(piece: str) -> None:
    forget_attributes()
    began = time.perf_counter()
    read_attributes(piece * (20_000 // len(piece)))
    assert time.perf_counter() - began < 2
