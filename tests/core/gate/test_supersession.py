"""Kinship: the same, superseding or distinct; and never the same when something that matters differs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.gate.statement import content_of, unmatched
from libravdb.core.gate.supersession import corrects, denies, relate, renews
from libravdb.model import Kin


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Porto.", "i live in porto"),
        ("I'm allergic to peanuts.", "I have a peanut allergy."),
        ("My boss is Denise.", "Denise is my boss."),
    ],
)
def test_the_same_in_other_words_is_the_same(old: str, new: str) -> None:
    assert relate(new, old, 0.9).kin is Kin.SAME


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The meeting is at 3.", "The meeting is at 4."),
        ("I like coffee.", "I do not like coffee."),
        ("My brother is Tom.", "My sister is Tom."),
        ("The meeting is on Monday.", "The meeting is on Friday."),
        ("Ana reviews Bruno's code.", "Bruno reviews Ana's code."),
        ("I love cats.", "I hate cats."),
        ("My name is Ana.", "Her name is Ana."),
        ("My name is Claw.", "Your name is Claw."),
        ("I live in Rome.", "She lives in Rome."),
        ("Ich wohne in Rom.", "Er wohnt in Rom."),
        ("Invoice 1043 was paid.", "Invoice 1044 was paid."),
    ],
)
def test_what_differs_is_never_the_same(old: str, new: str) -> None:
    assert relate(new, old, 1.0).kin is not Kin.SAME


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Munich.", "I moved to Berlin."),
        ("We use Postgres.", "We switched from Postgres to MySQL."),
        ("I eat meat.", "I no longer eat meat."),
        ("The meeting is at 3.", "The meeting is at 4."),
    ],
)
def test_a_newer_contrary_supersedes(old: str, new: str) -> None:
    assert relate(new, old, 0.6).kin is Kin.SUPERSEDES


def test_words_alone_do_not_merge_what_is_far_apart_in_meaning() -> None:
    assert relate("I live in Porto.", "I live in Porto.", 0.1).kin is Kin.DISTINCT


@given(st.text(max_size=120), st.text(max_size=120), st.floats(-1, 1))
def test_any_two_texts_can_be_related(new: str, old: str, cosine: float) -> None:
    assert relate(new, old, cosine).reason


@given(st.integers(1, 999), st.integers(1, 999))
def test_other_numbers_are_never_the_same(one: int, other: int) -> None:
    kin = relate(f"The limit is {one} users.", f"The limit is {other} users.", 0.99).kin
    assert kin is (Kin.SAME if one == other else Kin.SUPERSEDES)


@pytest.mark.parametrize(("new", "old"), [("I program in C#.", "I program in C++."), ("We use C++.", "We use C.")])
def test_languages_that_differ_only_in_a_sign_are_not_the_same(new: str, old: str) -> None:
    assert relate(new, old, 1.0).kin is not Kin.SAME


def test_what_is_ordered_by_length_replaces_nothing() -> None:
    assert relate("invites, 3 lines, German", "toast, 4 lines, rhyming", 0.6).kin is Kin.DISTINCT


def test_a_short_word_is_not_the_beginning_of_a_longer_one() -> None:
    sold = "Mr Kowal sold the building and a Mrs Tran is our landlady now"
    assert relate(sold, "My stepbrother Kwame is a bus driver.", 0.2).kin is Kin.DISTINCT


def test_a_rule_is_outdated_by_no_fact_that_shares_its_words_only() -> None:
    rule, fact = "Never share my phone number with a shop.", "My phone battery died in the middle of the call."
    assert relate(fact, rule, 0.5).kin is Kin.SUPERSEDES  # read as two facts
    assert relate(fact, rule, 0.5, is_rule=lambda text: text == rule).kin is Kin.DISTINCT
    assert relate(rule, fact, 0.5, is_rule=lambda text: text == rule).kin is Kin.DISTINCT
    home = relate("I live in Ulm now.", "I live in Bonn.", 0.5, is_rule=lambda _: True)
    assert home.kin is Kin.SUPERSEDES  # of one attribute


SAID = (
    "I live in Porto.",
    "I moved to Braga.",
    "I no longer work at Siemens.",
    "I work at Siemens.",
    "Standup is at 9:45.",
    "The API now runs on port 9090.",
    "We use Postgres.",
    "We switched from Postgres to MySQL.",
    "My boss is Denise.",
    "Ich wohne in Graz.",
    "Ich esse kein Fleisch mehr.",
    "Ya no vivo en Lima.",
    "我住在上海",
    "我现在住在北京",
    "I hate coffee.",
)


@given(new=st.sampled_from(SAID), old=st.sampled_from(SAID))
def test_without_a_word_in_common_only_what_is_left_or_moved_is_replaced(new: str, old: str) -> None:
    said, known = content_of(new), content_of(old)
    left, right = unmatched(said, known)
    assert said.shares(known) == (len(left) < len(said.words) or len(right) < len(known.words))
    if not said.shares(known):
        assert not any(rule(said, known) for rule in (denies, renews, corrects))
