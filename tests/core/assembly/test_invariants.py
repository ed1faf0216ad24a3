"""The checks themselves: each invariant that is broken on purpose is reported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.core.assembly.materials import as_shown, chat, hit, record, rule

from libravdb.core.assembly.already_shown import read_history
from libravdb.core.assembly.assemble import assemble
from libravdb.core.assembly.invariants import check
from libravdb.core.continuity.tail import choose_tail
from libravdb.model import Assembly, AssemblyMode, Material, Section, SectionKind
from libravdb.text.tokens import prompt_tokens

TURNS = chat(8)
MATERIAL = Material(
    mode=AssemblyMode.WINDOW,
    budget=3_000,
    session="s",
    messages=as_shown(TURNS),
    turns=TURNS,
    rules=(rule(1, "- Be brief."), rule(2, "> One.", tier=2), rule(3, "> Two.", tier=2)),
    recalled=(hit("h1", "I keep bees."),),
    summaries=(record("summary:1", "Bees.", type="summary", continuity_lineage={"source_turn_ids": ["t99"]}),),
)
MADE = assemble(MATERIAL, choose_tail=choose_tail)


def checked(made: Assembly, material: Material = MATERIAL) -> tuple[str, ...]:
    return check(made, material, past=read_history(material).past, price=prompt_tokens)


def with_section(kind: SectionKind, change: Callable[[Section], Section | None]) -> Assembly:
    changed = [change(one) if one.kind is kind else one for one in MADE.sections]
    return replace(MADE, sections=tuple(one for one in changed if one))


def with_items(change: Callable[[list[object]], object]) -> Assembly:
    items: list[object] = list(MADE.receipt.items)
    change(items)
    return replace(MADE, receipt=replace(MADE.receipt, items=tuple(items)))  # type: ignore[arg-type]


def test_a_sound_prompt_breaks_nothing() -> None:
    assert checked(MADE) == ()
    assert MADE.receipt.violations == ()


BROKEN = {
    "1": with_section(SectionKind.RULES, lambda one: replace(one, pieces=one.pieces[:1])),
    "2": with_section(SectionKind.MESSAGE, lambda one: replace(one, pieces=(one.text + " ",))),
    "3": with_items(lambda items: items.append(items[-1])),
    "5": replace(MADE, budget=10),
    "8": replace(MADE, tail=replace(MADE.tail, start=1)),
    "11": with_items(lambda items: items.pop(1)),
    "12": with_items(lambda items: items.__setitem__(-1, replace(MADE.receipt.items[-1], score=float("nan")))),
}


@pytest.mark.parametrize("number", BROKEN)
def test_a_broken_invariant_is_named(number: str) -> None:
    assert any(one.startswith(f"invariant {number}:") for one in checked(BROKEN[number]))


def test_more_ways_to_break_are_named_too() -> None:
    gone = with_section(SectionKind.MESSAGE, lambda _: None)
    assert "invariant 2: message 0 of the tail is missing" in checked(gone)
    twice = replace(MADE, sections=(*MADE.sections, *(one for one in MADE.sections if one.place == 3)))
    assert "invariant 3: message 3 stands there twice" in checked(twice)
    dear = with_section(SectionKind.RECALLED, lambda one: replace(one, tokens=one.tokens + 1))
    assert "invariant 5: the price of the part recalled is not that of its text" in checked(dear)
    negative = with_items(
        lambda items: items.__setitem__(-1, replace(MADE.receipt.items[-1], breakdown={"x": float("inf")}))
    )
    assert "invariant 12: a part of a score is no number" in checked(negative)


def test_a_summary_or_a_memory_of_what_stands_in_the_tail_is_named() -> None:
    covering = record("summary:1", "Bees.", type="summary", continuity_lineage={"source_turn_ids": ["t7"]})
    assert "invariant 4: the summary summary:1 stands for turns that all stand there themselves" in checked(
        MADE, replace(MATERIAL, summaries=(covering,))
    )
    again = hit("h1", "I keep bees.", sessionId="s", source_turn_id="t7")
    assert "invariant 3: history:n/h1 stands in the tail already" in checked(MADE, replace(MATERIAL, recalled=(again,)))


def test_an_outdated_memory_without_its_successor_is_named() -> None:
    outdated = hit("h1", "I keep bees.", superseded_by="h2")
    broken = "invariant 13: history:n/h1 stands without h2, which took its place"
    assert broken in checked(MADE, replace(MATERIAL, recalled=(outdated,)))
    seen = hit("h1", "I keep bees.", superseded_by="s/t7")
    assert checked(MADE, replace(MATERIAL, recalled=(seen,))) == ()


def test_a_tail_that_is_not_word_for_word_is_named() -> None:
    material = replace(MATERIAL, messages=())
    made = assemble(material, choose_tail=choose_tail)
    changed = tuple(
        replace(one, pieces=tuple(piece.replace("turn 7", "turn x") for piece in one.pieces)) for one in made.sections
    )
    assert checked(made, material) == ()
    assert "invariant 2: the tail does not hold its turns word for word" in checked(
        replace(made, sections=changed), material
    )


def test_a_boundary_between_turns_that_share_a_bundle_is_named() -> None:
    coupled = tuple(replace(one, metadata={"continuity_bundle_id": "b"}) for one in TURNS)
    material = replace(MATERIAL, messages=as_shown(coupled))
    assert checked(MADE, material) == ()
    assert "invariant 8: the tail begins inside a bundle, at place 4" in checked(
        replace(MADE, tail=replace(MADE.tail, start=4)), material
    )
