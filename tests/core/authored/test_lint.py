"""Lint for rules: contradictions, duplicates, vagueness and cost, whatever the order of the rules."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.authored.deontic import read
from libravdb.core.authored.lint import Located, lint
from libravdb.model import Remark, RemarkKind, Severity

SENTENCES = [
    "Use tabs.",
    "Don't use tabs.",
    "No tabs.",
    "You may use tabs.",
    "Always run tests.",
    "Never run tests.",
    "Never run tests on Fridays.",
    "Prefer composition over inheritance.",
    "Prefer inheritance over composition.",
    "Write good code.",
    "Add logging as appropriate.",
    "The sky is blue.",
]


def located(sentence: str, *, line: int = 1, file: str = "AGENTS.md", tokens: int = 5) -> Located:
    return Located(file=file, line=line, text=sentence, tokens=tokens, is_hard=True, rule=read(sentence).rule)


def lines(*sentences: str) -> list[Located]:
    return [located(sentence, line=line) for line, sentence in enumerate(sentences, 1)]


def kinds(remarks: tuple[Remark, ...]) -> list[RemarkKind]:
    return [remark.kind for remark in remarks]


NODES = st.lists(
    st.tuples(st.sampled_from(SENTENCES), st.integers(1, 9), st.sampled_from(["a.md", "b.md"])), max_size=8
).map(lambda rows: [located(sentence, line=line, file=file) for sentence, line, file in rows])


@given(NODES, st.integers())
def test_the_order_of_the_rules_does_not_show(nodes: list[Located], seed: int) -> None:
    shuffled = nodes[:]
    random.Random(seed).shuffle(shuffled)
    assert lint(shuffled, hard_limit=20) == lint(nodes, hard_limit=20)


@given(NODES)
def test_every_remark_points_at_given_places(nodes: list[Located]) -> None:
    known = {node.spot for node in nodes}
    for remark in lint(nodes, hard_limit=1):
        assert set(remark.places) <= known
        assert len(set(remark.places)) == len(remark.places) > 0


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_rule_never_contradicts_itself(sentence: str) -> None:
    assert RemarkKind.CONTRADICTION not in kinds(
        lint([located(sentence), located(sentence), located(sentence, line=2)])
    )


def test_nothing_is_said_about_nothing() -> None:
    assert lint([], hard_limit=0) == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use tabs.", "Don't use tabs."),
        ("Use tabs.", "No tabs."),
        ("Always run tests.", "Never run tests."),
        ("You must log errors.", "You must not log errors."),
        ("Prefer composition over inheritance.", "Prefer inheritance over composition."),
        ("Clarity over brevity.", "Brevity over clarity."),
        ("Verwende Tabs.", "Keine Tabs verwenden."),
        ("Usa tabuladores.", "No uses tabuladores."),
    ],
)
def test_the_same_action_obliged_and_forbidden_is_an_error_with_both_places(one: str, other: str) -> None:
    nodes = [located(one, file="AGENTS.md", line=3), located(other, file="SOUL.md", line=7)]
    for given_order in (nodes, nodes[::-1]):
        (remark,) = lint(given_order)
        assert (remark.kind, remark.severity) == (RemarkKind.CONTRADICTION, Severity.ERROR)
        assert [(spot.file, spot.line) for spot in remark.places] == [("AGENTS.md", 3), ("SOUL.md", 7)]
        assert "AGENTS.md:3" in remark.message
        assert "SOUL.md:7" in remark.message


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Always run tests.", "Never run tests on Fridays."),
        ("Use tabs in Makefiles.", "Don't use tabs in Python files."),
        ("Use tabs.", "Use spaces."),
        ("Call the store from the engine.", "Never call the engine from the store."),
        ("Prefer composition over inheritance.", "Prefer clarity over brevity."),
        ("Commit often.", "Never commit secrets."),
    ],
)
def test_rules_that_differ_in_more_than_their_sign_do_not_contradict(one: str, other: str) -> None:
    assert RemarkKind.CONTRADICTION not in kinds(lint([located(one), located(other, line=2)]))


def test_leave_against_a_ban_is_a_warning() -> None:
    (remark,) = lint(lines("You may use tabs.", "Never use tabs."))
    assert (remark.kind, remark.severity) == (RemarkKind.CONTRADICTION, Severity.WARNING)


def test_a_rule_said_twice_is_one_duplicate_with_all_places() -> None:
    (remark,) = lint(lines("Always run tests.", "Run tests!", "You must always run tests."))
    assert remark.kind is RemarkKind.DUPLICATE
    assert [spot.line for spot in remark.places] == [1, 2, 3]


def test_the_same_words_are_a_duplicate_even_when_they_are_no_rule() -> None:
    assert kinds(lint(lines("Blue is the sky", "blue  is the sky!"))) == [RemarkKind.DUPLICATE]


@pytest.mark.parametrize(
    "sentence", ["Be good.", "Do it properly.", "Write good code.", "Use best practices.", "Add tests as appropriate."]
)
def test_a_rule_that_nobody_can_check_is_vague(sentence: str) -> None:
    assert kinds(lint([located(sentence)])) == [RemarkKind.VAGUE]


@pytest.mark.parametrize(
    "sentence", ["Write good commit messages.", "Use tabs.", "Be concise.", "Keep functions small.", "No emojis."]
)
def test_a_rule_that_names_something_is_not_vague(sentence: str) -> None:
    assert lint([located(sentence)]) == ()


def test_hard_rules_over_the_limit_are_an_error_with_the_costliest_places() -> None:
    nodes = [located(f"Use tool {i}.", line=i, tokens=i) for i in range(1, 8)]
    (remark,) = lint(nodes, hard_limit=27)
    assert (remark.kind, remark.severity) == (RemarkKind.BUDGET, Severity.ERROR)
    assert "28 of 27" in remark.message
    assert [spot.line for spot in remark.places] == [7, 6, 5, 4, 3]
    assert [remark.severity for remark in lint(nodes, hard_limit=28)] == [Severity.WARNING]
    assert lint(nodes, hard_limit=35) == ()


def test_soft_rules_cost_nothing_against_the_hard_limit() -> None:
    soft = Located(file="a.md", line=1, text="Use tabs.", tokens=100, is_hard=False, rule=read("Use tabs.").rule)
    assert lint([soft], hard_limit=1) == ()
