"""Prints what became of each setting of the earlier OpenClaw plugin: `python tools/openclaw_keys.py`.

The plugin reads the same file; `docs/reference/openclaw-keys.md` is made from it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

KEYS = Path(__file__).parent.parent / "plugins" / "openclaw" / "earlier.json"


def markdown() -> str:
    """A row for each setting that lives on, and one for those that ended for the same reason."""
    keys: dict[str, dict[str, Any]] = json.loads(KEYS.read_text(encoding="utf-8"))
    lines = ["| setting | now |", "|---|---|"]
    lines += [f"| `{name}` | `{row['became']}`{_when(row)} |" for name, row in keys.items() if "became" in row]
    lines += ["", "| without effect | why |", "|---|---|"]
    ended: dict[str, list[str]] = {}
    for name, row in keys.items():
        if "became" not in row:
            ended.setdefault(row["why"], []).append(f"`{name}`")
    lines += [f"| {', '.join(names)} | {why} |" for why, names in ended.items()]
    return "\n".join(lines) + "\n"


def _when(row: dict[str, Any]) -> str:
    """Under which condition, and with which values."""
    told = [
        f"{key} is {' or '.join(f'`{_shown(one)}`' for one in values)}" for key, values in row.get("when", {}).items()
    ]
    values = ", ".join(f"`{before}` → `{now}`" for before, now in row.get("values", {}).items())
    return "".join((f", where {' and '.join(told)}" if told else "", f": {values}" if values else ""))


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


if __name__ == "__main__":
    print(markdown(), end="")
