"""The lines of a profile: the newest value of each thing, in any order of coming in, as the person wants them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.profile.kinds import ORDER, line_id
from libravdb.core.profile.lines import (
    LineOverride,
    StatedMemory,
    current_lines,
    stated_of_person,
    without_forgotten,
    without_line,
)
from libravdb.model import AttributeKind, ProfileLine, StatedAttribute

Kind = AttributeKind
SINGLE = frozenset({Kind.NAME, Kind.HOME, Kind.WORK, Kind.BIRTHDAY, Kind.STATUS})


def told(
    kind: AttributeKind,
    value: str,
    sentence: str = "",
    *,
    subject: str = "",
    name: str = "",
    is_ended: bool = False,
) -> StatedAttribute:
    return StatedAttribute(
        subject=subject,
        kind=kind,
        name=name,
        value=value,
        sentence=sentence or f"My {kind.value} is {value}.",
        is_single=kind in SINGLE,
        is_ended=is_ended,
    )


def memory(at: int, *attributes: StatedAttribute, **more: str) -> StatedMemory:
    return StatedMemory(memory=more.pop("memory", f"s/u{at}"), since=at, at=at, attributes=attributes, **more)  # type: ignore[arg-type]


def texts(*memories: StatedMemory) -> list[str]:
    return [line.text for line in current_lines(memories)]


GRAZ = told(Kind.HOME, "Graz", "I live in Graz.")
VIENNA = told(Kind.HOME, "Vienna", "I have moved to Vienna.")
WALNUTS = told(Kind.HEALTH, "walnuts", "I'm allergic to walnuts.", name="allergy")
BEES = told(Kind.HEALTH, "bees", "I'm allergic to bees too.", name="allergy")


def test_the_newest_value_of_each_thing_stands_there() -> None:
    assert texts(memory(1, GRAZ), memory(2, VIENNA)) == ["I have moved to Vienna."]
    assert texts(memory(3, GRAZ, memory="s/again"), memory(2, VIENNA)) == ["I live in Graz."]


def test_what_holds_side_by_side_stands_side_by_side_until_one_ends() -> None:
    both = memory(1, WALNUTS), memory(2, BEES)
    assert sorted(texts(*both)) == ["I'm allergic to bees too.", "I'm allergic to walnuts."]
    ended = replace(BEES, sentence="I'm no longer allergic to bees.", is_ended=True)
    assert texts(*both, memory(3, ended)) == ["I'm allergic to walnuts."]
    none_left = replace(ended, value="")
    assert texts(*both, memory(3, none_left)) == []


def test_what_ended_comes_back_when_it_is_said_anew() -> None:
    ended = replace(GRAZ, is_ended=True)
    assert texts(memory(1, GRAZ), memory(2, ended)) == []
    assert texts(memory(1, GRAZ), memory(2, ended), memory(3, GRAZ)) == ["I live in Graz."]


def test_health_stands_first_whatever_came_first() -> None:
    lines = current_lines([memory(1, told(Kind.LIKING, "jazz")), memory(2, GRAZ), memory(3, WALNUTS)])
    assert [line.kind for line in lines] == [Kind.HEALTH, Kind.HOME, Kind.LIKING]


def test_people_around_him_have_lines_and_things_have_none() -> None:
    sister = told(Kind.HOME, "Porto", "My sister Ana lives in Porto.", subject="sister")
    child = told(Kind.HEALTH, "peanuts", "Our son is allergic to peanuts.", subject="son")
    port = told(Kind.PORT, "8080", "The API listens on 8080.", subject="api")
    car = told(Kind.VEHICLE, "Golf", "My sister drives a Golf.", subject="sister")
    kept = stated_of_person([sister, child, port, car, told(Kind.PRICE, "900"), told(Kind.VERSION, "3.12")])
    lines = current_lines([memory(1, *kept), memory(2, GRAZ)])
    assert [(line.kind, line.text) for line in lines] == [
        (Kind.HEALTH, "Our son is allergic to peanuts."),
        (Kind.HOME, "I live in Graz."),
        (Kind.PERSON, "My sister Ana lives in Porto."),
    ]


def test_two_things_of_one_sentence_are_told_each_by_its_own_words() -> None:
    sentence = "My name is Tom and I live in Graz."
    first = memory(1, told(Kind.NAME, "Tom", sentence), told(Kind.HOME, "Graz", sentence))
    assert texts(first) == ["My name is Tom", "I live in Graz."]
    assert texts(first, memory(2, VIENNA)) == ["My name is Tom", "I have moved to Vienna."]


def test_one_text_stands_there_once() -> None:
    sentence = "I'm allergic to walnuts and shellfish."
    both = [told(Kind.HEALTH, value, sentence, name="allergy") for value in ("walnuts", "shellfish")]
    assert texts(memory(1, *both)) == [sentence]


def test_who_is_only_named_stands_in_what_is_told_of_him() -> None:
    said = "My son Paul is allergic to hazelnuts."
    named = told(Kind.PERSON, "Paul", said, name="son")
    allergy = told(Kind.HEALTH, "hazelnuts", said, subject="son paul", name="allergy")
    assert texts(memory(1, named, allergy)) == [said]
    assert texts(memory(1, named)) == ["My son Paul"]
    cured = replace(allergy, sentence="Paul is no longer allergic to hazelnuts.", is_ended=True)
    assert texts(memory(1, named, allergy), memory(2, cured)) == ["My son Paul"]
    home = told(Kind.HOME, "Porto", "My son Paul lives in Porto.", subject="son paul")
    again = told(Kind.PERSON, "Paul", "I rang my son Paul.", name="son")
    assert texts(memory(1, home), memory(2, again)) == ["My son Paul lives in Porto."]


def test_who_has_a_longer_name_or_is_told_of_only_further_down_does_not_stand_for_him() -> None:
    pauline = told(Kind.HEALTH, "nuts", "My son Pauline-Maria is allergic to nuts.", subject="son", name="allergy")
    named = told(Kind.PERSON, "Paul", "I rang my son Paul.", name="son")
    assert texts(memory(1, pauline), memory(2, named)) == [pauline.sentence, "my son Paul"]
    cat = told(Kind.PET, "Mimi", "My son Paul has a cat, Mimi.")
    assert texts(memory(1, cat), memory(2, named)) == ["my son Paul", cat.sentence]
    pinned = ProfileLine(
        id=line_id(named), kind=Kind.PERSON, subject="", text="my son Paul", since=2, source="s/u2", is_pinned=True
    )
    home = told(Kind.HOME, "Porto", "My son Paul lives in Porto.", subject="son paul")
    lines = current_lines([memory(1, home), memory(2, named)], [LineOverride(line=pinned, at=3)])
    assert {line.text for line in lines} == {home.sentence, "my son Paul"}


def test_words_that_count_from_the_day_they_were_said_are_marked() -> None:
    noon = 1_790_000_000_000
    moved = told(Kind.HOME, "Vienna", "I moved to Vienna last week.")
    born = told(Kind.BIRTHDAY, "March 3rd", "My birthday is on March 3rd.")
    marked = {line.text: line.is_dated for line in current_lines([memory(noon, moved, born, WALNUTS)])}
    assert marked == {WALNUTS.sentence: False, moved.sentence: True, born.sentence: False}


# ── outdated memories ─────────────────────────────────────────────────────────────────────────────────────


def test_an_outdated_memory_keeps_what_its_successor_does_not_speak_of() -> None:
    old = replace(memory(1, GRAZ, told(Kind.PET, "Rex", "I have a dog, Rex.")), superseded_by="s/u2", superseded_at=2)
    assert texts(old, memory(2, VIENNA)) == ["I have moved to Vienna.", "I have a dog, Rex."]


def test_an_outdated_memory_whose_successor_says_nothing_we_read_keeps_only_what_may_do_harm() -> None:
    old = replace(memory(1, GRAZ, WALNUTS), superseded_by="s/gone", superseded_at=2)
    assert texts(old) == ["I'm allergic to walnuts."]
    assert texts(replace(old, superseded_by=None)) == ["I'm allergic to walnuts.", "I live in Graz."]


def test_what_is_said_again_after_it_was_outdated_holds_again() -> None:
    old = replace(memory(1, GRAZ), superseded_by="s/u2", superseded_at=2)
    assert texts(replace(old, at=3), memory(2, VIENNA)) == ["I live in Graz."]


# ── what the person does ──────────────────────────────────────────────────────────────────────────────────


def wanted(line: ProfileLine, at: int, **changes: object) -> LineOverride:
    return LineOverride(line=replace(line, **changes), at=at)  # type: ignore[arg-type]


def test_a_pinned_line_stays_whatever_is_said_later() -> None:
    (line,) = current_lines([memory(1, GRAZ)])
    pinned = wanted(line, 1, is_pinned=True)
    assert [one.text for one in current_lines([memory(1, GRAZ), memory(2, VIENNA)], [pinned])] == ["I live in Graz."]
    assert [one.text for one in current_lines([], [pinned])] == ["I live in Graz."]


def test_a_corrected_line_stands_until_something_newer_is_said_about_the_same_thing() -> None:
    (line,) = current_lines([memory(1, GRAZ)])
    edited = wanted(line, 5, text="I live in Graz, by the river.", is_edited=True)
    assert [one.text for one in current_lines([memory(1, GRAZ)], [edited])] == ["I live in Graz, by the river."]
    later = [memory(1, GRAZ), memory(6, told(Kind.PET, "Rex"))]
    assert current_lines(later, [edited])[0].text == "I live in Graz, by the river."
    assert [one.text for one in current_lines([memory(1, GRAZ), memory(6, VIENNA)], [edited])] == [VIENNA.sentence]
    ended = memory(7, replace(GRAZ, is_ended=True))
    assert current_lines([memory(1, GRAZ), ended], [edited]) == ()


def test_a_forgotten_line_leaves_no_word_in_its_memories_and_no_older_value_comes_up() -> None:
    memories = [memory(1, GRAZ), memory(2, VIENNA, WALNUTS)]
    line = next(one for one in current_lines(memories) if one.kind is Kind.HOME)
    left = [without_line(one, line) for one in memories]
    assert [one.text for one in current_lines(left)] == [WALNUTS.sentence]
    assert "Vienna" not in repr(left)
    assert "Graz" not in repr(left)
    assert without_forgotten(replace(left[1], attributes=(VIENNA, WALNUTS))).attributes == (WALNUTS,)
    assert texts(*left, memory(3, VIENNA)) == [WALNUTS.sentence, VIENNA.sentence]


# ── several who speak ─────────────────────────────────────────────────────────────────────────────────────


def test_in_a_group_each_speaks_for_himself() -> None:
    lines = current_lines([memory(1, GRAZ, speaker="Tom"), memory(2, VIENNA, speaker="Ana")])
    assert sorted(line.text for line in lines) == ["Ana: I have moved to Vienna.", "Tom: I live in Graz."]
    alone = current_lines([memory(1, GRAZ, speaker="Tom"), memory(2, VIENNA)])
    assert [line.text for line in alone] == ["I have moved to Vienna."]
    tom = next(line for line in lines if line.text.startswith("Tom"))
    assert without_line(memory(1, GRAZ, speaker="Tom"), tom).attributes == ()


# ── properties ────────────────────────────────────────────────────────────────────────────────────────────

VALUES = ("Graz", "walnuts", "Anna", "Köln", "东京", "a, b", "x" * 300)
SENTENCES = ("I have {}.", "My name is Tom and we like {}, you know.", "我喜欢{}。", "{}", "Ich mag {} und Kaffee.")


def statements(draw: Random, count: int) -> list[StatedMemory]:
    found = []
    for at in range(count):
        attributes = tuple(
            told(
                draw.choice(ORDER),
                value := draw.choice(VALUES),
                draw.choice(SENTENCES).format(value),
                subject=draw.choice(("", "", "sister")),
                is_ended=draw.random() < 0.2,
            )
            for _ in range(draw.randrange(1, 4))
        )
        superseded = f"s/u{draw.randrange(count)}" if draw.random() < 0.2 else None
        one = memory(at, *attributes, speaker=draw.choice(("", "", "Tom")))
        found.append(replace(one, superseded_by=superseded, superseded_at=at + draw.randrange(3)))
    return found


@given(st.integers(0, 2**32), st.integers(0, 12))
def test_the_order_in_which_statements_come_in_does_not_matter(seed: int, count: int) -> None:
    draw = Random(seed)
    memories = statements(draw, count)
    shuffled = draw.sample(memories, len(memories))
    assert current_lines(memories) == current_lines(shuffled)


@given(st.integers(0, 2**32), st.integers(1, 12))
def test_a_forgotten_line_is_gone_and_the_others_stay(seed: int, count: int) -> None:
    memories = statements(Random(seed), count)
    lines = current_lines(memories)
    for line in lines:
        left = current_lines([without_line(one, line) for one in memories])
        assert line.id not in {one.id for one in left}


@given(st.integers(0, 2**32), st.integers(0, 12))
def test_no_two_lines_have_one_name_or_one_text_and_kinds_stand_in_their_order(seed: int, count: int) -> None:
    lines = current_lines(statements(Random(seed), count))
    assert len({line.id for line in lines}) == len({line.text for line in lines}) == len(lines)
    places = [ORDER.index(line.kind) for line in lines]
    assert places == sorted(places)
    assert all("\n" not in line.text and line.text.strip() for line in lines)


@pytest.mark.parametrize("kind", ORDER)
def test_a_line_keeps_its_name_when_only_the_spelling_of_its_value_changes(kind: AttributeKind) -> None:
    assert line_id(told(kind, "Green  Tea")) == line_id(told(kind, "green tea."))
    is_single = kind in SINGLE
    assert (line_id(told(kind, "coffee")) == line_id(told(kind, "tea"))) is is_single
