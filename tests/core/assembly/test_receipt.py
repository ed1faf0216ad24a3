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
    to_json,
    trace_from_json,
    trace_to_json,
    why_not,
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


def test_why_not_answers_for_one_record() -> None:
    receipt = made().receipt
    assert why_not(receipt, "h1").startswith("history:n/h1 stands in the prompt: recall, ")
    assert why_not(receipt, "h2") == "h2 was left out: already visible (it stands in the conversation)."
    assert why_not(receipt, "h9", "turns:n") == "turns:n/h9 was left out: gate (score 0.10 is below 0.35)."
    assert why_not(receipt, "h9", "user:n").startswith("user:n/h9 was not among the candidates")


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
