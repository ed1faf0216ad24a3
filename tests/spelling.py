"""Which strings the code spells, as Python reads them: for tests that a name or a key is spelled in one place only."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import libravdb

SOURCE = Path(libravdb.__file__).parent

Look = Callable[[ast.AST], Iterator[ast.expr]]
"""Gives what a node spells that it should not."""


def misspelled(look: Look, *, except_in: Collection[str]) -> list[str]:
    """Where the package spells something, as `file:line code`; files are told by their path in the package."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if not name.startswith(tuple(except_in)):
            found += [f"{name}:{spot}" for spot in misspelled_in(path.read_text(encoding="utf-8"), look)]
    return found


def misspelled_in(code: str, look: Look) -> list[str]:
    """The same for a piece of code, as `line code`."""
    return [f"{one.lineno} {ast.unparse(one)}" for node in ast.walk(ast.parse(code)) for one in look(node)]


def texts_of(node: ast.AST) -> Iterator[tuple[ast.Constant, str]]:
    """A text that a node is; of an f-string each piece is a node of its own."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node, node.value
