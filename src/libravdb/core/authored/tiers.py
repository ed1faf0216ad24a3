"""How binding each node of a document is, what it costs, and whether the document's rules fit their budget. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from libravdb.core.authored.front_matter import hop_targets
from libravdb.core.authored.markdown import prose, split
from libravdb.errors import DocumentTooHard
from libravdb.model import Modality, Node, NodeKind, Rule, Tier, TieredNode
from libravdb.text.tokens import prompt_tokens

RECIPE = 1
"""Grows when nodes, tiers or their metadata change: a document stored by an older recipe is read again."""

CORE_NAMES = frozenset({"agents.md", "soul.md", "claude.md", "identity.md", "user.md"})
"""File names of documents that hold rules, in lower case."""

MODALITY_BITS = {Modality.OBLIGATION: 2, Modality.PROHIBITION: 4, Modality.PERMISSION: 8}

ReadRules = Callable[[str], tuple[Rule, ...]]
"""The deontic reader: the rules that a text lays down."""

CountTokens = Callable[[str], int]

_HARD = frozenset({NodeKind.LIST_ITEM, NodeKind.FRONT_MATTER})
_READABLE = frozenset({NodeKind.LIST_ITEM, NodeKind.BLOCKQUOTE, NodeKind.PARAGRAPH})
"""Kinds whose sentences are read for rules: those that may be hard or soft and are prose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TieredDocument:
    """A document's nodes with their tiers, the tokens of the hard and soft ones, and what its front matter leads to."""

    nodes: tuple[TieredNode, ...]
    hard_tokens: int
    soft_tokens: int
    hop_targets: tuple[str, ...]


def is_core(source_doc: str, core_names: Iterable[str] = ()) -> bool:
    """Whether a document holds rules, by its file name; case does not count."""
    name = re.split(r"[/\\]", source_doc)[-1].casefold()
    return name in CORE_NAMES or name in {one.casefold() for one in core_names}


def cache_key(text: str, tokenizer: str) -> str:
    """`sha256(raw ‖ 0x00 ‖ tokenizer id)` in hex: equal keys mean equal nodes, tiers and budgets."""
    raw, id = (one.encode(errors="surrogatepass") for one in (text, tokenizer))
    return sha256(raw + b"\0" + id).hexdigest()


def tier(
    source_doc: str,
    text: str,
    *,
    core: bool,
    read_rules: ReadRules,
    hard_budget: int,
    count_tokens: CountTokens = prompt_tokens,
) -> TieredDocument:
    """A document as tiered nodes; raises DocumentTooHard when its hard nodes exceed their budget."""
    nodes = split(text)
    prices = [count_tokens(node.text) for node in nodes]
    hard = sum(price for node, price in zip(nodes, prices, strict=True) if core and node.kind in _HARD)
    if hard > hard_budget:  # known before any sentence is read
        raise DocumentTooHard(document=source_doc, tokens=hard, limit=hard_budget)
    tiered = tuple(
        tier_node(node, core=core, read_rules=read_rules, tokens=price)
        for node, price in zip(nodes, prices, strict=True)
    )
    front = next((node.text for node in nodes if node.kind is NodeKind.FRONT_MATTER), "")
    return TieredDocument(
        nodes=tiered, hard_tokens=hard, soft_tokens=total(tiered, Tier.SOFT), hop_targets=hop_targets(front)
    )


def total(nodes: Iterable[TieredNode], tier: Tier) -> int:
    """The tokens of all nodes of a tier."""
    return sum(node.tokens for node in nodes if node.tier is tier)


def modality_mask(modalities: Iterable[Modality]) -> int:
    """The modalities as bits: 2 obligation, 4 prohibition, 8 permission."""
    return sum(MODALITY_BITS[one] for one in set(modalities))


def tier_node(node: Node, *, core: bool, read_rules: ReadRules, tokens: int) -> TieredNode:
    """ι: 1 for a list item or front matter, 2 for a quote or a paragraph with a rule, else 0. All 0 in mere notes."""
    rules = read_rules(prose(node)) if core and node.kind in _READABLE else ()
    tier, reason = _tier_of(node.kind, rules) if core else (Tier.LORE, "not a core document")
    return TieredNode(
        node=node,
        tier=tier,
        authority=1.0 if core else 0.0,
        tokens=tokens,
        rules=tuple(rules),
        is_promoted=tier is Tier.SOFT and node.kind is NodeKind.PARAGRAPH,
        reason=reason,
    )


def _tier_of(kind: NodeKind, rules: Sequence[Rule]) -> tuple[Tier, str]:
    name = kind.replace("_", " ")
    if kind in _HARD:
        return Tier.HARD, name
    if kind is NodeKind.BLOCKQUOTE:
        return Tier.SOFT, name
    if kind is NodeKind.PARAGRAPH and rules:
        return Tier.SOFT, f"paragraph with a rule: {rules[0].reason}"
    return Tier.LORE, f"{name} without a rule"
