"""A value in a ledger says in a few words what it is about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.compaction.clauses import MOST_WORDS, clause_around
from libravdb.core.compaction.facts import inventory, ledger, read_ledger


def about(sentence: str, value: str) -> str:
    start = sentence.index(value)
    return clause_around(sentence, start, start + len(value))


@pytest.mark.parametrize(
    ("sentence", "value", "expected"),
    [
        ("The rent is 480 euros.", "480 euros", "The rent is 480 euros"),
        ("The rent for the boat is 480 euros a year, I hear.", "480 euros", "rent for boat is 480 euros a year"),
        ("Ask Bram Visser about the shed, he always has the keys.", "Bram Visser", "Ask Bram Visser about the shed"),
        (
            "Die Miete für die Schmiede beträgt 1047 Euro im Jahr.",
            "1047 Euro",
            "Miete für Schmiede beträgt 1047 Euro im Jahr",
        ),
        ("会议在5月7日。", "5月7日", "会议在5月7日"),
        ("It is 480 euros.", "480 euros", ""),
        ("480 euros", "480 euros", ""),
    ],
)
def test_the_words_around_a_value_are_kept(sentence: str, value: str, expected: str) -> None:
    assert about(sentence, value) == expected


def test_what_is_denied_is_told_whole_or_not_at_all() -> None:
    assert about("The rent is not 480 euros.", "480 euros") == "The rent is not 480 euros"
    assert about("Whatever they say, the yearly rent for the old boat is not 480 euros.", "480 euros") == ""


def test_a_clause_goes_from_ledger_to_ledger_and_stays_the_same() -> None:
    said = ["The rent for the boat is 480 euros a year, I hear.", "The shed roof leaks in 52 places, or so they say."]
    labels = ["[2023-10-12] James", "[2023-10-14] Anna"]
    line = ledger(inventory(said, labels=labels), max_tokens=200)
    assert line == (
        "Facts: [2023-10-12] James: rent for boat is 480 euros a year; [2023-10-14] Anna: shed roof leaks in 52 places"
    )
    assert ledger(inventory([], ledgers=read_ledger(line)), max_tokens=200) == line


def test_where_a_clause_has_no_room_its_value_stands_alone() -> None:
    facts = inventory(["The rent for the boat is 480 euros a year, I hear."])
    assert ledger(facts, max_tokens=6) == "Facts: 480 euros"


def test_a_value_that_a_decision_names_is_not_told_twice() -> None:
    facts = inventory(["We decided to pay 480 euros for it."], labels=["[2023-10-12] James"])
    assert ledger(facts, max_tokens=200) == "Facts: [2023-10-12] James: We decided to pay 480 euros for it"


@given(st.text(max_size=120), st.text(min_size=1, max_size=20), st.text(max_size=120))
def test_a_clause_holds_its_value_and_few_words(before: str, value: str, behind: str) -> None:
    clause = clause_around(before + value + behind, len(before), len(before) + len(value))
    assert not clause or (value in clause and len(clause.split()) <= MOST_WORDS)
