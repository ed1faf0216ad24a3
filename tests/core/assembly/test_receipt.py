"""Receipts: the whole account, in words and as JSON, and an answer to "why not this one?"."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.assembly.materials import any_material, as_shown, cases, chat, hit, rule

from libravdb.core.assembly.assemble import assemble
from libravdb.core.assembly.receipt import (
    budget_bar,
    explain,
    from_json,
    refusals,
    refusals_in_words,
    standing,
    standing_in_words,
    to_json,
    trace_from_json,
    trace_to_json,
    words_name,
)
from libravdb.core.continuity.tail import choose_tail
from libravdb.errors import InvalidInput
from libravdb.model import Assembly, AssemblyMode, Json, LeftOut, Material, SearchMode, Why

MATERIAL = Material(
    mode=AssemblyMode.AUGMENT,
    budget=500,
    session="s",
    prompt="What shall I plant?",
    messages=as_shown(chat(4)),
    turns=chat(4),
    rules=(rule(1, "- Be brief."),),
    recalled=(hit("h1", "I keep bees.", 0.9), hit("h2", "turn 1", 0.8)),
    left_out=(LeftOut(id="h9", collection="turns:n", why=Why.GATE, reason="score 0.10 is below 0.35"),),
    search_mode=SearchMode.LEXICAL_ONLY,
    degraded="no model is loaded",
    timings={"recall": 4.25},
)


def made(material: Material = MATERIAL) -> Assembly:
    return assemble(material, choose_tail=choose_tail)


def test_it_is_told_in_words() -> None:
    done = made()
    lines = explain(done.receipt)
    assert lines[0] == f"{done.tokens:,} of 500 tokens ({done.tokens / 500:.0%}), augment mode, lexical-only"
    assert "search was reduced: no model is loaded" in lines
    assert any(
        line.startswith("  history:n/h1, ") and "score 0.90 (meaning 0.90, cosine 0.90)" in line for line in lines
    )
    assert "  history:n/h2: already visible, it stands in the conversation" in lines
    assert "  turns:n/h9: gate, score 0.10 is below 0.35" in lines
    assert "took 4.2 ms: recall" in lines
    assert not any(line.startswith("BROKEN") for line in lines)
    assert "BROKEN: x" in explain(replace(done.receipt, violations=("x",)))


def test_what_was_left_out_for_one_reason_is_told_in_one_line() -> None:
    weak = tuple(
        LeftOut(id=f"w{n}", collection="history:n", why=Why.SCORE, reason=f"0.0{n} is below 0.30") for n in range(8)
    )
    full = tuple(LeftOut(id=f"f{n}", collection="user:n", why=Why.BUDGET, reason="all is taken") for n in range(5))
    lines = explain(made(replace(MATERIAL, left_out=(*weak, *full, *MATERIAL.left_out))).receipt)
    assert "  8 memories: score, such as 0.00 is below 0.30" in lines
    assert "  5 memories: budget, all is taken" in lines
    assert "  turns:n/h9: gate, score 0.10 is below 0.35" in lines
    assert "left out: 15" in lines


def test_the_turns_of_a_long_tail_are_told_in_one_line() -> None:
    done = made(replace(MATERIAL, budget=4_000, messages=(), turns=chat(20)))
    lines = [line for line in explain(done.receipt) if "fits the recent tail" in line]
    assert len(lines) == 1
    assert lines[0].startswith("  16 turns, ")


def test_it_answers_for_one_record() -> None:
    receipt = made().receipt
    item = standing(receipt, {("history:n", "h1"), ("user:n", "h1")})
    assert item is not None
    assert standing_in_words(item).startswith("stands in the prompt: recall, ")
    part = replace(item, reasons=("its best passage, 20 of 90 characters",))
    assert standing_in_words(part).startswith("stands in the prompt in part (its best passage, 20 of 90 characters)")
    assert standing(receipt, {("history:n", "h2")}) is None
    seen = refusals(receipt, {("history:n", "h2")})
    assert refusals_in_words(seen) == "was left out: already visible (it stands in the conversation)"
    assert refusals(receipt, {("user:n", "h9")}) == ()


def test_what_the_host_shows_is_named() -> None:
    turns = chat(4)
    assert set(made().receipt.shown) == {turn.id for turn in turns}
    unknown = made(replace(MATERIAL, turns=(), messages=as_shown([replace(turn, id="") for turn in turns])))
    assert set(unknown.receipt.shown) == {words_name(turn.role, turn.text) for turn in turns}
    assert made(replace(MATERIAL, messages=())).receipt.shown == ()


def test_a_prompt_with_very_much_in_it_is_explained_in_some_forty_lines() -> None:
    hits = tuple(hit(f"m{n}", f"Memory number {n} of the bees.", 0.9 - n / 100) for n in range(40))
    rules = tuple(rule(n, f"- Rule {n}.") for n in range(20))
    away = tuple(
        LeftOut(id=f"a{n}", collection="user:n", why=Why.SUPERSEDED, reason=f"s/u{n} says it anew") for n in range(30)
    )
    material = replace(MATERIAL, budget=3_000, messages=(), turns=chat(30), rules=rules, recalled=hits, left_out=away)
    lines = explain(made(material).receipt)
    assert len(lines) <= 40
    assert any(line.startswith("  20 rules, ") for line in lines)
    assert "  30 memories: superseded, such as s/u0 says it anew" in lines


def test_the_bar_shows_every_claim_that_took_something() -> None:
    receipt = made().receipt
    bar, *legend = budget_bar(receipt, width=40)
    assert bar.startswith("[A")
    assert bar[41] == "]"
    assert f"{receipt.tokens:,} / 500 tokens" in bar
    assert [line.split(":")[0].strip() for line in legend] == ["A hard rules", "H recall"]
    assert budget_bar(made(replace(MATERIAL, budget=0)).receipt, width=10)[0][11] == "]"


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_every_receipt_and_every_trace_comes_back_from_json(seed: int) -> None:
    for random in cases(seed, 20):
        done = made(any_material(random))
        assert from_json(json.loads(json.dumps(to_json(done.receipt), allow_nan=False))) == done.receipt
        assert trace_from_json(json.loads(json.dumps(trace_to_json(done.trace)))) == done.trace
        assert explain(done.receipt)
        assert budget_bar(done.receipt)


def test_what_is_no_receipt_is_refused() -> None:
    good = to_json(made().receipt)
    changes: list[dict[str, Json]] = [{"mode": "other"}, {"items": [1]}, {"more": 1}, {"reasons": [1]}]
    for bad in ({}, *({**good, **change} for change in changes)):
        with pytest.raises(InvalidInput, match="receipt"):
            from_json(bad)
    trace = trace_to_json(made().trace)
    changes = [{"sections": 1}, {"recalled": [{"id": "x", "colour": 1}]}]
    for bad in ({}, *({**trace, **change} for change in changes)):
        with pytest.raises(InvalidInput, match="trace"):
            trace_from_json(bad)
