"""Ten documents as people write them, and what becomes of each; the files beside them hold every node.

After a deliberate change: `UPDATE_GOLDEN=1 python -m pytest tests/core/authored/test_golden.py`, then read the
difference.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from libravdb.core.authored.deontic import rules
from libravdb.core.authored.tiers import is_core, tier
from libravdb.model import TieredNode

FOLDER = Path(__file__).parents[2] / "golden" / "authored"
DOCUMENTS = sorted(FOLDER.glob("*.md"))
CONFIGURED = {"house-rules.md"}


def told(one: TieredNode) -> dict[str, object]:
    node = one.node
    return {
        "line": node.line,
        "kind": node.kind.value,
        "tier": one.tier.name.lower(),
        "text": node.text if len(node.text) <= 60 else f"{node.text[:59]}…",
        "tokens": one.tokens,
        "bytes": [node.start, node.end],
        **({"context": list(node.context)} if node.context else {}),
        **({"rules": sorted(one.modalities)} if one.modalities else {}),
    }


def account(path: Path) -> str:
    text = path.read_bytes().decode()
    core = is_core(path.name, CONFIGURED)
    made = tier(path.name, text, core=core, read_rules=rules, hard_budget=10_000)
    head = {
        "core": core,
        "hard_tokens": made.hard_tokens,
        "soft_tokens": made.soft_tokens,
        "hop_targets": list(made.hop_targets),
    }
    lines = ",\n".join("    " + json.dumps(told(one), ensure_ascii=False) for one in made.nodes)
    return json.dumps(head, ensure_ascii=False, indent=2)[:-2] + f',\n  "nodes": [\n{lines}\n  ]\n}}\n'


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_a_document_gets_the_nodes_and_tiers_written_beside_it(document: Path) -> None:
    beside = document.with_suffix(".json")
    found = account(document)
    if os.environ.get("UPDATE_GOLDEN"):
        beside.write_text(found, encoding="utf-8")
    assert json.loads(found) == json.loads(beside.read_text(encoding="utf-8"))


def test_there_are_ten_documents_and_nothing_else_beside_them() -> None:
    assert len(DOCUMENTS) == 10
    assert sorted(path.stem for path in FOLDER.glob("*.json")) == [path.stem for path in DOCUMENTS]
