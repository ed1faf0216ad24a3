"""The reference of every setting: `python -m libravdb.config.reference` prints the tables of the docs."""

from __future__ import annotations

import inspect
import sys

from libravdb.config.schema import sections, settings
from libravdb.config.values import Setting, render_value

EXPERT = """## Expert settings

These are set like all others. They are listed apart because nobody can choose them by hand: their defaults come from
measurements, and a change is worth making only with a measurement of one's own.
"""


def markdown() -> str:
    """One table per section, what experts may set apart and last."""
    usual = (_table(section, is_expert=False) for section in sections())
    expert = (_table(section, is_expert=True) for section in sections())
    return "\n".join((*filter(None, usual), EXPERT, *filter(None, expert)))


def _table(section: str, *, is_expert: bool) -> str:
    """The table of a section; empty when it has no such settings."""
    rows = "".join(_row(each) for each in settings() if each.section == section and each.expert is is_expert)
    head = "| setting | default | allowed | environment | meaning |\n|---|---|---|---|---|\n"
    about = "" if is_expert else f"{inspect.getdoc(sections()[section])}\n\n"
    return f"### `[{section}]`{', expert' if is_expert else ''}\n\n{about}{head}{rows}" if rows else ""


def _row(each: Setting) -> str:
    variables = ", ".join(f"`{name}`" for name in each.env_names)
    former = f" Before, it was `{each.former}`, which still works." if each.former else ""
    default = render_value(each, each.default)
    return f"| `{each.key}` | `{default}` | {each.allowed} | {variables} | {each.help}{former} |\n"


if __name__ == "__main__":
    sys.stdout.write(markdown())
