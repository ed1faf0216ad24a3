"""The package as a whole: its public face, its weight at import, and the direction of its imports."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import libravdb
from libravdb import errors

SOURCE = Path(libravdb.__file__).parent
HEAVY = {"numpy", "sqlite3", "onnxruntime", "tokenizers", "Stemmer", "rich", "click", "markdown_it"}
FLOW = ("assemble", "authored", "compact", "continuity", "gate", "ingest", "recall")
"""Rooms of pure functions: values in, values out."""

EDGE = ("store", "embed", "summarise", "watch")
"""Rooms that know disk, models or files, and nobody who uses them."""


def test_importing_the_package_loads_nothing_heavy_and_touches_no_file_or_environment() -> None:
    """Checked by Python's own audit events, in a process of its own."""
    code = f"""
import os, sys
before = set(sys.modules)
touched = []
def watch(event, arguments):
    if event in ("open", "socket.connect", "os.mkdir", "os.listdir"):
        path = arguments[0] if arguments else ""
        if isinstance(path, int):
            return  # a descriptor that is open already: Python writes its cache of compiled modules
        path = str(path)
        if not path.endswith((".py", ".pyc")) and "__pycache__" not in path and "site-packages" not in path:
            touched.append((event, path))
class Watched(dict):
    def __getitem__(self, key): touched.append(("environ", key)); return super().__getitem__(key)
sys.addaudithook(watch)
os.environ = Watched(os.environ)
import libravdb
sys.path_importer_cache
heavy = {HEAVY!r} & (set(sys.modules) - before)
touched = [item for item in touched if item[0] != "os.listdir"]
assert not heavy, heavy
assert not touched, touched
print(libravdb.__version__)
"""
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.strip() == libravdb.__version__


def test_every_public_name_can_be_reached_and_others_cannot() -> None:
    for name in libravdb.__all__:
        assert getattr(libravdb, name) is not None
    assert set(libravdb.__all__) <= set(dir(libravdb))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = libravdb.nonsense


def imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.startswith("libravdb")}


def modules(room: str) -> list[Path]:
    return sorted((SOURCE / room).rglob("*.py"))


@pytest.mark.parametrize("room", FLOW)
def test_a_flow_room_imports_only_nouns_and_words(room: str) -> None:
    allowed = (
        "libravdb.model",
        "libravdb.errors",
        "libravdb.mending",
        "libravdb.tokens",
        "libravdb.terms",
        "libravdb.sentences",
        f"libravdb.{room}",
    )
    for path in modules(room):
        assert {name for name in imports(path) if not name.startswith(allowed)} <= {"libravdb"}, path


@pytest.mark.parametrize("room", EDGE)
def test_an_edge_room_imports_no_engine_and_no_other_edge(room: str) -> None:
    others = set(EDGE) - {room}
    banned = (
        "libravdb.engine", "libravdb.wiring", "libravdb.cli", "libravdb.config", *(f"libravdb.{one}" for one in others),
    )  # fmt: skip
    for path in modules(room):
        assert not {name for name in imports(path) if name.startswith(banned)}, path


def test_the_engine_knows_ports_and_no_implementation() -> None:
    banned = {"store", "embed", "summarise", "cli", "daemon", "watch", "wiring"}
    shell = "documents embeddings engine exchange judging leaving reembed sessions".split()
    for name in shell:
        assert not {each for each in imports(SOURCE / f"{name}.py") if banned & set(each.split(".")[1:2])}


def test_errors_say_what_to_do_and_stand_in_one_tree() -> None:
    tree = {cls for cls in vars(errors).values() if isinstance(cls, type) and issubclass(cls, errors.LibraError)}
    drawn = errors.__doc__ or ""
    assert [cls.__name__ for cls in tree if cls.__name__ not in drawn] == []
    error = errors.Conflict("Record 'x'", expected=1, actual=2)
    assert str(error) == "Record 'x' is at version 2, not 1; nothing was written. Read it again and retry."
