"""The package as a whole: its public face, its weight at import, and its tree of errors."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import libravdb
from libravdb import errors, model

SOURCE = Path(libravdb.__file__).parent
HEAVY = {"numpy", "sqlite3", "onnxruntime", "tokenizers", "Stemmer", "rich", "click", "markdown_it"}
RULES = (
    "addresses",
    "collections",
    "former_spellings",
    "json",
    "namespaces",
    "record_ids",
    "session_state",
    "settings",
    "turn_metadata",
)
"""Modules of the model that hold rules about names, ids, keys and settings, not nouns; each is imported by its name."""


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


def test_the_model_gives_every_noun_by_its_name_and_hides_none() -> None:
    nouns = {
        name
        for path in (SOURCE / "model").glob("[a-z]*.py")
        if path.stem not in RULES
        for name, value in vars(import_module(f"libravdb.model.{path.stem}")).items()
        if getattr(value, "__module__", "").startswith("libravdb.model.") and not name.startswith("_")
    }
    assert nouns <= set(model.__all__)
    assert all(hasattr(model, name) for name in model.__all__)


def test_errors_say_what_to_do_and_stand_in_one_tree() -> None:
    tree = {cls for cls in vars(errors).values() if isinstance(cls, type) and issubclass(cls, errors.LibraError)}
    drawn = errors.__doc__ or ""
    assert [cls.__name__ for cls in tree if cls.__name__ not in drawn] == []
    error = errors.Conflict("Record 'x'", expected=1, actual=2)
    assert str(error) == "Record 'x' is at version 2, not 1; nothing was written. Read it again and retry."
