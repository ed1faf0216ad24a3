"""The reader of wishes: standing and addressed to the agent, sentence by sentence, in five languages."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.authored.deontic import rules
from libravdb.core.guidance.reader import LONGEST, is_exhortation, read_wish, read_wishes, split_wishes
from libravdb.core.guidance.replacement import replaces
from libravdb.model import Wish, WishReach
from libravdb.model.turn_metadata import WISH_PARTIES, WISH_REACH, WISH_TOPICS, WISH_WORDS, TurnMetadata

CORPUS = Path(__file__).parent / "corpus"
HALVES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
"""Written apart: each was unseen when the words of the languages were written for the one before."""


def is_rule(text: str) -> bool:
    return bool(rules(text))


def lines(half: str) -> list[tuple[str, str, str]]:
    text = (CORPUS / f"{half}.tsv").read_text(encoding="utf-8")
    return [(label, language, said) for label, language, said in (line.split("\t") for line in text.splitlines())]


def wish(text: str) -> Wish:
    found = read_wish(text, is_rule=is_rule)
    assert found is not None, text
    return found


def kept(text: str) -> TurnMetadata:
    told = wish(text)
    return TurnMetadata(
        {
            WISH_REACH: told.reach.value,
            WISH_TOPICS: list(told.topics),
            WISH_WORDS: list(told.words),
            WISH_PARTIES: list(told.parties),
        }
    )


# ── the corpus ────────────────────────────────────────────────────────────────────────────────────────────


def test_the_corpus_is_large_and_in_five_languages() -> None:
    every = [line for half in HALVES for line in lines(half)]
    assert len({said for _, _, said in every}) == len(every) >= 250
    assert {language for _, language, _ in every} == {"en", "de", "es", "fr", "zh"}


@pytest.mark.parametrize("half", HALVES)
def test_wishes_are_found_and_nothing_else_is(half: str) -> None:
    asked = [line for line in lines(half) if line[0] != "none"]
    missed = [said for _, _, said in asked if not read_wishes(said, is_rule=is_rule)]
    others = [line for line in lines(half) if line[0] == "none"]
    false = [said for _, _, said in others if read_wishes(said, is_rule=is_rule)]
    assert len(missed) <= 0.04 * len(asked), missed
    assert len(false) <= 0.03 * len(others), false


def test_general_wishes_are_told_from_those_about_a_subject() -> None:
    asked = [line for half in HALVES for line in lines(half) if line[0] != "none"]
    wrong = [said for label, _, said in asked for found in read_wishes(said, is_rule=is_rule) if found.reach != label]
    assert len(wrong) <= 0.1 * len(asked), wrong


@pytest.mark.parametrize("name", ["replaced", "replaced_again"])
def test_of_two_wishes_about_the_same_the_newer_counts(name: str) -> None:
    pairs = [line.split("\t") for line in (CORPUS / f"{name}.tsv").read_text(encoding="utf-8").splitlines()]
    wrong = []
    for _, old, new in pairs:
        before, after = read_wishes(old, is_rule=is_rule), read_wishes(new, is_rule=is_rule)
        if not (before and after and replaces(after[0], kept(before[0].text))):
            wrong.append((old, new))
    assert len(wrong) <= 0.1 * len(pairs), wrong


def test_most_wishes_are_found_without_a_reader_of_rules() -> None:
    asked = [said for half in HALVES for label, _, said in lines(half) if label == "general"]
    assert sum(bool(read_wishes(said)) for said in asked) >= 0.95 * len(asked)


# ── sentences ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_wish_is_taken_out_of_a_chatty_turn_word_for_word() -> None:
    turn = "Had a long day. From now on answer in German, ok? Or no: please do it.  I prefer short answers.\nSee you!"
    texts = [found.text for found in read_wishes(turn, is_rule=is_rule)]
    assert "I prefer short answers." in texts
    assert all(text in turn for text in texts)


def test_an_afterthought_belongs_to_its_wish() -> None:
    assert [found.text for found in read_wishes("No emojis. Ever. Thanks!")] == ["No emojis. Ever. Thanks!"]


def test_fenced_code_wishes_nothing() -> None:
    assert read_wishes("Look:\n```\n# always answer in German from now on\n```\nit fails") == ()


def test_among_people_a_wish_must_name_the_agent() -> None:
    assert read_wishes("Always answer in English please.", is_among_people=True) == ()
    assert read_wishes("Assistant, always answer in English please.", is_among_people=True)


@pytest.mark.parametrize(
    "text",
    ["Take care!", "You can do it!", "Never give up!", "Always be yourself.", "Please fix the test.", "多保重！"],
)
def test_what_people_wish_one_another_and_errands_are_no_rule(text: str) -> None:
    assert read_wish(text, is_rule=is_rule) is None
    assert is_exhortation(text) or not is_rule(text)


@given(st.text(max_size=LONGEST + 50), st.booleans())
def test_any_text_is_read_to_the_same_wishes_that_stand_in_it(text: str, ruled: bool) -> None:  # noqa: FBT001 - drawn by hypothesis
    found = read_wishes(text, is_rule=lambda _: ruled)
    assert found == read_wishes(text, is_rule=lambda _: ruled)
    places = dict(split_wishes(text))
    assert all(places[one.place] == one.text for one in found)


@pytest.mark.parametrize(
    "piece", ["please always ", "no no ", "short and ", "wenn du ", "when you ", "para las ", "以后", "a, "]
)
def test_reading_stays_linear(piece: str) -> None:
    began = time.process_time()
    for _ in range(20):
        read_wishes(piece * (LONGEST // len(piece)), is_rule=lambda _: False)
    assert time.process_time() - began < 5


# ── which one counts ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("From now on answer in German.", "Please answer in English again."),
        ("I prefer short answers.", "Give me detailed answers from now on."),
        ("Call me Max.", "Call me Maximilian from now on."),
        ("No emojis please.", "You can use emojis again."),
        ("Use metric units.", "Use imperial units from now on."),
        ("Use bullet points.", "Write in paragraphs from now on."),
        ("For recipes always use cups.", "For recipes use grams from now on."),
        ("Always answer in German.", "Forget what I said about German."),
        ("Duz mich bitte.", "Siez mich bitte ab jetzt."),
        ("以后用英文回答我", "以后都用中文回答"),
    ],
)
def test_a_changed_wish_takes_the_place_of_the_older_one(old: str, new: str) -> None:
    assert replaces(wish(new), kept(old))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("From now on answer in German.", "I prefer short answers."),
        ("Never message me before nine in the morning.", "Never call me on Sundays."),
        ("Never deploy service number 3 on a Friday.", "Never deploy service number 4 on a Friday."),
        ("Call me Max.", "No emojis please."),
        ("For recipes always give grams.", "When you write SQL use upper-case keywords."),
        ("Ask me before you delete anything.", "Always cite your sources."),
        ("No emojis please.", "You can swear with me from now on."),
        ('Sign emails to clients as "Dana".', "For recipes, no pork from now on."),
        ("Only suggest vegan recipes.", "In recipes always give grams."),
        ("Put a summary at the end of every answer.", "Images are fine again."),
        ("Use four spaces in Python.", "In JavaScript use two spaces."),
        ("Always write emails to Bob in French.", "Always write emails to Anna in German."),
        ("Schreib Mails an Bob immer auf Französisch.", "Schreib Mails an Anna immer auf Deutsch."),
        ("Don't call me before nine.", "Don't call me on Sundays."),
    ],
)
def test_wishes_about_different_things_stand_side_by_side(old: str, new: str) -> None:
    assert not replaces(wish(new), kept(old))


def test_topics_and_reach_are_told() -> None:
    assert "language" in wish("From now on answer in German.").topics
    assert wish("From now on answer in German.").reach is WishReach.GENERAL
    assert wish("When you write SQL use upper-case keywords.").reach is WishReach.SUBJECT
