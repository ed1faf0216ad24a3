"""The house as it is drawn: imports point one way, no room knows its neighbours, and a name means one thing.

What is read is every import of every file, also those inside functions and those for type checkers alone: a type that
a file names is something that it knows.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import libravdb

SOURCE = Path(libravdb.__file__).parent
PACKAGE = "libravdb"

LAYERS = (
    ("errors",),
    ("text",),
    ("model",),
    ("core",),
    ("ports",),
    ("engine", "adapters", "wire"),
    ("client", "config"),
    ("app", "arguments"),
    ("daemon_link",),
    ("http", "mcp"),
    ("inspector",),
    ("memory", "daemon"),
    ("async_memory",),
    ("cli",),
)
"""Imports point down this list, bottom first; what stands in one line does not know its neighbours."""

FACE = ("__init__", "__main__", "testing")
"""The public face: it names rooms, and nobody inside names it, save for the version and what the command line uses."""

DOORS = ("cli", "daemon", "http", "inspector", "mcp", "memory", "async_memory")
KNOWING = ("app", "testing")
"""The only files that name an adapter."""


# ── what imports what ─────────────────────────────────────────────────────────────────────────────────────


@cache
def modules() -> Mapping[str, Path]:
    """Every module of the package by its name without the package's; a folder's own file has the folder's name."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)] = path
    return found


@cache
def graph() -> Mapping[str, frozenset[str]]:
    """The modules that each module imports."""
    return {
        name: frozenset(imported_modules(path.read_text(encoding="utf-8"))) - {name} for name, path in modules().items()
    }


def imported_modules(code: str) -> Iterator[str]:
    """The modules of the package that a file imports; `from libravdb import x` is the face unless x is a module."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (_module(alias.name) for alias in node.names if _is_ours(alias.name))
        elif isinstance(node, ast.ImportFrom) and node.module and _is_ours(node.module):
            for alias in node.names:
                inner = _module(f"{node.module}.{alias.name}")
                yield inner if inner in modules() else _module(node.module)


def _is_ours(name: str) -> bool:
    return name.split(".", maxsplit=1)[0] == PACKAGE


def _module(name: str) -> str:
    return name.removeprefix(PACKAGE).removeprefix(".") or "__init__"


def room_of(module: str) -> str:
    """The room that a module stands in: a folder, or a file of its own."""
    return module.split(".", maxsplit=1)[0]


def chamber_of(module: str) -> str:
    """The chamber within core or adapters; a file that stands there by itself is shared by all, and has none."""
    parts = module.split(".")
    folder = ".".join(parts[:2])
    return folder if len(parts) > 1 and modules()[folder].name == "__init__.py" else ""


def edges() -> list[tuple[str, str]]:
    """Every import as who and whom."""
    return [(module, other) for module, others in sorted(graph().items()) for other in sorted(others)]


def level_of(module: str) -> int:
    """How high a module stands; the face is above all."""
    rooms = [number for number, layer in enumerate(LAYERS) if room_of(module) in layer]
    return rooms[0] if rooms else len(LAYERS)


def is_settings(module: str) -> bool:
    return module.rpartition(".")[2] == "settings"


# ── the rule ──────────────────────────────────────────────────────────────────────────────────────────────


def test_every_module_stands_in_a_layer() -> None:
    drawn = {room for layer in LAYERS for room in layer} | {*FACE}
    assert {room_of(module) for module in modules()} - drawn == set()


def test_imports_point_down() -> None:
    """Config declares no setting itself: it may read the `settings` of any room, the daemon's above it too."""
    wrong = [
        f"{module} imports {other}"
        for module, other in edges()
        if room_of(module) != room_of(other)
        and room_of(other) not in FACE
        and level_of(module) <= level_of(other)
        and not (room_of(module) == "config" and is_settings(other))
    ]
    assert wrong == []


def test_nobody_below_the_doors_names_the_public_face() -> None:
    """Save for the version, which is a fact of the package as a whole."""
    wrong = [
        module
        for module, others in graph().items()
        if "__init__" in others
        and room_of(module) not in (*FACE, *DOORS, "client")
        and names_from_the_face(modules()[module]) - {"__version__"}
    ]
    assert wrong == []


def names_from_the_face(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == PACKAGE
        for alias in node.names
        if alias.name not in modules()
    }


@pytest.mark.parametrize("room", ["core", "adapters"])
def test_chambers_do_not_know_one_another(room: str) -> None:
    wrong = [
        f"{module} imports {other}"
        for module, other in edges()
        if room_of(module) == room_of(other) == room
        and chamber_of(module)
        and chamber_of(other)
        and chamber_of(module) != chamber_of(other)
    ]
    assert wrong == []


def test_only_the_wiring_names_an_adapter() -> None:
    wrong = [
        f"{module} imports {other}"
        for module, other in edges()
        if room_of(other) == "adapters"
        and room_of(module) not in ("adapters", *KNOWING)
        and not (room_of(module) == "config" and is_settings(other))
    ]
    assert wrong == []


def test_adapters_do_not_know_the_engine() -> None:
    assert [(who, whom) for who, whom in edges() if (room_of(who), room_of(whom)) == ("adapters", "engine")] == []


def test_doors_reach_no_room_of_the_core() -> None:
    wrong = [f"{who} imports {whom}" for who, whom in edges() if room_of(who) in DOORS and room_of(whom) == "core"]
    assert wrong == []


# ── cycles and names ──────────────────────────────────────────────────────────────────────────────────────


def find_cycle(imports: Mapping[str, frozenset[str]]) -> list[str]:
    """Modules that import one another in a circle; empty when none do."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_module_imports_itself_through_others() -> None:
    """Imports for type checkers count too. The face is left out: it names what it offers, and gives the version."""
    inner = {module: others - {*FACE} for module, others in graph().items() if module not in FACE}
    assert find_cycle(inner) == []


def test_a_circle_of_imports_is_found() -> None:
    circle = {"a": frozenset({"b"}), "b": frozenset({"c"}), "c": frozenset({"a"}), "d": frozenset({"a"})}
    assert sorted(set(find_cycle(circle))) == ["a", "b", "c"]
    assert find_cycle({"a": frozenset({"b"}), "b": frozenset()}) == []


def test_a_class_name_means_one_thing_in_the_whole_package() -> None:
    """A leading underscore makes no other name of it."""
    meant: dict[str, set[str]] = defaultdict(set)
    for module, path in modules().items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                meant[node.name.lstrip("_")].add(module)
    assert {name: sorted(where) for name, where in meant.items() if len(where) > 1} == {}
