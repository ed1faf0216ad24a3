"""From documents to remarks, with the real reader: every place by its file and its own line."""

from __future__ import annotations

from libravdb.core.authored.deontic import rules
from libravdb.core.authored.markdown import split
from libravdb.core.authored.review import review
from libravdb.model import Remark, RemarkKind, Severity


def remarks(documents: dict[str, str], hard_limit: int | None = None) -> tuple[Remark, ...]:
    nodes = ((name, node) for name, text in documents.items() for node in split(text))
    return review(nodes, read_rules=rules, hard_limit=hard_limit)


def test_a_contradiction_names_both_places_by_their_lines() -> None:
    found = remarks({
        "AGENTS.md": "# Git\n\n- One more thing.\n  And another.\n  Always squash commits.\n",
        "SOUL.md": "---\na: 1\n---\n\n> A quote.\n>\n> Never squash commits.\n",
    })  # fmt: skip
    (contradiction,) = [remark for remark in found if remark.kind is RemarkKind.CONTRADICTION]
    assert contradiction.severity is Severity.ERROR
    assert [(spot.file, spot.line, spot.text) for spot in contradiction.places] == [
        ("AGENTS.md", 5, "Always squash commits."),
        ("SOUL.md", 7, "Never squash commits."),
    ]


def test_the_same_rule_in_two_tiers_is_said_twice() -> None:
    (duplicate,) = remarks({"a.md": "- Run the tests before every push.\n\nRun the tests before every push.\n"})
    assert (duplicate.kind, duplicate.severity) == (RemarkKind.DUPLICATE, Severity.WARNING)
    assert [spot.line for spot in duplicate.places] == [1, 3]


def test_lore_is_nobodys_rule() -> None:
    text = "# Build\n\nThe shop sells tea.\n\n```\nalways squash commits\n```\n"
    assert remarks({"a.md": text, "b.md": text}) == ()


def test_the_budget_is_that_of_all_hard_nodes_together_each_counted_once() -> None:
    text = "- Run the tests. Never push to main.\n- a plain item\n\n> a quote that costs nothing here\n"
    assert remarks({"a.md": text}, hard_limit=100) == ()
    (budget,) = remarks({"a.md": text}, hard_limit=10)
    assert (budget.kind, budget.severity) == (RemarkKind.BUDGET, Severity.ERROR)
    assert budget.message.startswith("hard rules cost 13 of 10 tokens")
    assert {spot.line for spot in budget.places} == {1, 2}
