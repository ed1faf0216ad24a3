"""How people are described in casual speech: whose it is, what it is, and what states nothing lasting."""

from __future__ import annotations

import pytest

from libravdb.core.gate.attributes import read_attributes
from libravdb.model import AttributeKind as Kind

STATED = [
    ("nothing with peanuts please, Nora is allergic", Kind.HEALTH, "nora", "peanuts please"),
    ("Theo (my husband) can't do gluten", Kind.HEALTH, "husband theo", "gluten"),
    ("my brother Karl can't have shellfish", Kind.HEALTH, "brother karl", "shellfish"),
    ("walnuts put me in hospital", Kind.HEALTH, "", "walnuts"),
    ("it's latex for me, put that on the form", Kind.HEALTH, "", "latex"),
    ("please add that I'm epileptic", Kind.HEALTH, "", "epileptic"),
    ("I take ramipril 5 mg", Kind.HEALTH, "", "5 mg"),
    ("I am on warfarin", Kind.HEALTH, "", "warfarin"),
    ("I take metformin 850 mg in the evening", Kind.HEALTH, "", "850 mg"),
    ("my dad had a stroke scare, he's on apixaban now", Kind.HEALTH, "father", "apixaban"),
    ("my right shoulder is acting up", Kind.HEALTH, "", "right shoulder"),
    ("Olga won't touch olives", Kind.DIET, "olga", "olives"),
    ("no coriander, tastes of soap", Kind.DIET, "", "coriander"),
    ("moved! first night in Hallein was cold", Kind.HOME, "", "Hallein"),
    ("we're in Ghent now, with a canal view", Kind.HOME, "", "Ghent"),
    ("I'm at 14 Mill Lane in Hexham", Kind.HOME, "", "14 Mill Lane in Hexham"),
    ("my aunt (Vera, lives alone in Zwettl) is coming", Kind.HOME, "aunt", "Zwettl"),
    ("I teach physics at a school in Wels", Kind.WORK, "", "teach physics at a school in Wels"),
    ("we run a small bookshop", Kind.WORK, "", "run a small bookshop"),
    ("I drive a tram", Kind.WORK, "", "drive a tram"),
    ("my cousin Pia is here, she's a midwife", Kind.WORK, "cousin pia", "midwife"),
    ("my sister Ida just rang and cried", Kind.PERSON, "", "Ida"),
    ("Roland, my uncle, snores", Kind.PERSON, "", "Roland"),
    ("the twins, Max and Ella, started school yesterday", Kind.PERSON, "", "Max and Ella"),
    ("Ida's husband Jens eats for three", Kind.PERSON, "ida", "Jens"),
    ("my dog Waldi once ate a shoe", Kind.PET, "", "Waldi"),
    ("my sister Ida's cat Flocke hates me", Kind.PET, "sister ida", "Flocke"),
    ("Hi, I'm Marek, new here", Kind.NAME, "", "Marek"),
    ("I turn 50 on 4 June", Kind.BIRTHDAY, "", "4 June"),
    ("Meine Frau Ines verträgt keine Laktose.", Kind.HEALTH, "wife ines", "Laktose"),
    ("Paul, mein Bruder, kommt am Samstag.", Kind.PERSON, "", "Paul"),
    ("Mi mujer Ana no puede comer gluten.", Kind.HEALTH, "wife ana", "gluten"),
    ("Ma femme Claire ne supporte pas le lactose.", Kind.HEALTH, "wife claire", "lactose"),
]


@pytest.mark.parametrize(("text", "kind", "subject", "value"), STATED)
def test_a_form_of_casual_speech_tells_whose_it_is_and_what(text: str, kind: Kind, subject: str, value: str) -> None:
    found = {(one.kind, one.subject, one.value) for one in read_attributes(text) if not one.is_ended}
    assert (kind, subject, value) in found


@pytest.mark.parametrize(
    "text",
    [
        "I'll look like a ghost in that",
        "a cake shaped like a boat",
        "Mags can't do Wednesdays",
        "can my sister eat nuts?",
        "if I moved to Ghent I would bike more",
        "I'M AN UNCLE",
        "we're in Rome for the weekend",
        "joined Wallhall, 38 euros a month",
    ],
)
def test_what_is_of_the_day_or_no_statement_describes_nobody(text: str) -> None:
    told = (Kind.LIKING, Kind.HEALTH, Kind.DIET, Kind.HOME, Kind.NAME, Kind.WORK)
    assert [one for one in read_attributes(text) if one.kind in told] == []


def test_a_name_holds_whatever_the_sentence_denies_of_its_bearer() -> None:
    (one,) = (one for one in read_attributes("my wife Ines no longer works nights") if one.kind is Kind.PERSON)
    assert (one.value, one.is_ended, one.is_single) == ("Ines", False, False)


def test_a_pronoun_means_a_person_whom_it_fits() -> None:
    found = read_attributes("my dad wants it the way mum did it. He's 79, as of May")
    assert [(one.subject, one.value) for one in found if one.kind is Kind.BIRTHDAY] == [("father", "79")]


def test_running_that_is_given_up_is_said_to_have_ended() -> None:
    (one,) = read_attributes("and no more running, the doctor insists")
    assert (one.kind, one.value, one.is_ended) == (Kind.HABIT, "running", True)
