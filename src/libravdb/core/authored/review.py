"""Documents to remarks: which rules stand where, and what their author should look at. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from libravdb.core.authored.lint import Located, lint
from libravdb.core.authored.markdown import prose
from libravdb.core.authored.tiers import CountTokens, ReadRules, tier_node
from libravdb.model import Node, Remark, Tier, TieredNode
from libravdb.text.tokens import prompt_tokens


def review(
    nodes: Iterable[tuple[str, Node]],
    *,
    read_rules: ReadRules,
    hard_limit: int | None = None,
    count_tokens: CountTokens = prompt_tokens,
) -> tuple[Remark, ...]:
    """Remarks on nodes of core documents, each given with its document's name; `hard_limit` is for all together."""
    located = [
        one
        for document, node in nodes
        for one in _located(document, tier_node(node, core=True, read_rules=read_rules, tokens=count_tokens(node.text)))
    ]
    return lint(located, hard_limit=hard_limit)


def _located(document: str, tiered: TieredNode) -> Iterator[Located]:
    """Every rule of a node with its own line; a hard or soft node without a rule stands for itself. Lore is left out.

    The tokens of a node stand with its first rule, so that they count once.
    """
    if tiered.tier is Tier.LORE:
        return
    node, is_hard, said = tiered.node, tiered.tier is Tier.HARD, prose(tiered.node)
    if not tiered.rules:
        yield Located(file=document, line=node.line, text=_flat(said), tokens=tiered.tokens, is_hard=is_hard)
    for number, rule in enumerate(tiered.rules):
        yield Located(
            file=document,
            line=node.line + said.count("\n", 0, rule.start),
            text=_flat(rule.sentence),
            tokens=tiered.tokens if number == 0 else 0,
            is_hard=is_hard,
            rule=rule,
        )


def _flat(text: str) -> str:
    return " ".join(text.split())
