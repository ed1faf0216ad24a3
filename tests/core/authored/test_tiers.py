"""Tiers: what binds, what it costs, and what is refused."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support import read_cues

from libravdb.core.authored.settings import AuthoredSettings
from libravdb.core.authored.tiers import (
    TieredDocument,
    cache_key,
    is_core,
    modality_mask,
    tier,
    total,
)
from libravdb.engine.settings import EngineSettings
from libravdb.errors import DocumentTooHard
from libravdb.model import Modality, NodeKind, Tier
from libravdb.text.tokens import prompt_tokens


def tiered(text: str, *, core: bool = True, hard_budget: int = 10**9) -> TieredDocument:
    return tier("AGENTS.md", text, core=core, read_rules=read_cues, hard_budget=hard_budget)


DOCUMENT = """---
title: x
---
# Heading that must not count

- item that never bends
- plain item

> quote

A paragraph that must hold and may bend.

A paragraph of lore.

    code that must not count

| must | b |
|------|---|

<p>must not count</p>
"""


def test_lists_and_front_matter_are_hard_quotes_and_ruling_paragraphs_soft_the_rest_lore() -> None:
    found = [(one.node.kind.value, int(one.tier), one.reason) for one in tiered(DOCUMENT).nodes]
    assert found == [
        ("front_matter", 1, "front matter"),
        ("heading", 0, "heading without a rule"),
        ("list_item", 1, "list item"),
        ("list_item", 1, "list item"),
        ("blockquote", 2, "blockquote"),
        ("paragraph", 2, "paragraph with a rule: “must”"),
        ("paragraph", 0, "paragraph without a rule"),
        ("code", 0, "code without a rule"),
        ("table", 0, "table without a rule"),
        ("html", 0, "html without a rule"),
    ]


def test_only_the_soft_paragraph_was_promoted_by_its_rule() -> None:
    assert [one.node.kind for one in tiered(DOCUMENT).nodes if one.is_promoted] == [NodeKind.PARAGRAPH]


def test_modalities_are_bits_of_a_mask() -> None:
    masks = [modality_mask(one.modalities) for one in tiered(DOCUMENT).nodes]
    assert masks == [0, 0, 4, 0, 0, 2 + 8, 0, 0, 0, 0]
    assert modality_mask(Modality) == 14


def test_every_node_of_a_note_is_lore_without_authority_and_nobody_reads_it_for_rules() -> None:
    nodes = tiered(DOCUMENT, core=False).nodes
    assert {(one.tier, one.authority, one.modalities, one.reason) for one in nodes} == {
        (Tier.LORE, 0.0, frozenset(), "not a core document")
    }
    assert {one.authority for one in tiered(DOCUMENT).nodes} == {1.0}


def test_tokens_are_those_of_the_text_that_is_injected() -> None:
    made = tiered(DOCUMENT)
    assert [one.tokens for one in made.nodes] == [prompt_tokens(one.node.text) for one in made.nodes]
    assert made.hard_tokens == sum(one.tokens for one in made.nodes if one.tier is Tier.HARD)
    assert made.soft_tokens == sum(one.tokens for one in made.nodes if one.tier is Tier.SOFT)


def test_a_host_may_count_tokens_itself() -> None:
    made = tier(
        "SOUL.md", "- a b c", core=True, read_rules=read_cues, hard_budget=4, count_tokens=lambda t: len(t.split())
    )
    assert made.hard_tokens == 4


def test_the_budget_is_exact_and_the_refusal_names_document_tokens_and_limit() -> None:
    hard = tiered(DOCUMENT).hard_tokens
    tiered(DOCUMENT, hard_budget=hard)
    with pytest.raises(DocumentTooHard) as caught:
        tiered(DOCUMENT, hard_budget=hard - 1)
    error = caught.value
    assert (error.document, error.tokens, error.limit) == ("AGENTS.md", hard, hard - 1)
    assert str(error).startswith(f"AGENTS.md: its hard rules take {hard} tokens, at most {hard - 1} are allowed;")
    assert "authored.prompt_tokens" in error.remedy
    tiered(DOCUMENT, core=False, hard_budget=0)


def test_budgets_are_shares_of_the_whole() -> None:
    assert AuthoredSettings(prompt_tokens=1_001).hard_budget(0.3) == 300
    assert AuthoredSettings().hard_budget(0.3) == EngineSettings().hard_budget == 9_600


@pytest.mark.parametrize(
    "name",
    ["AGENTS.md", "agents.MD", "/home/u/SOUL.md", r"C:\work\Claude.md", "a/b/IDENTITY.md", "USER.md", "x/RULES.md"],
)
def test_core_documents_are_told_by_their_file_name(name: str) -> None:
    assert is_core(name, {"rules.MD"})


@pytest.mark.parametrize("name", ["", "notes.md", "AGENTS.md/notes.md", "my-AGENTS.md", "AGENTS.md.bak", "agents"])
def test_other_documents_are_notes(name: str) -> None:
    assert not is_core(name, {"rules.md"})


def test_the_cache_key_is_the_hash_of_text_and_tokenizer() -> None:
    assert cache_key("é", "t:v1") == sha256(b"\xc3\xa9\x00t:v1").hexdigest()
    assert cache_key("a", "b") != cache_key("a", "c")


@given(st.text(max_size=200))
@settings(max_examples=50, deadline=None)
def test_any_text_has_tiers_that_add_up(text: str) -> None:
    made = tiered(text)
    assert made.hard_tokens == total(made.nodes, Tier.HARD)
    assert {one.tier for one in made.nodes} <= set(Tier)
