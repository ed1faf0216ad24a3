"""A store that is not there: a slip in its path is told, and what would make one."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from libravdb.app import has_store
from libravdb.errors import NotFound

if TYPE_CHECKING:
    from libravdb.ports.settings import StoreSettings

_BESIDE = ("-wal", "-shm", "-journal", ".lock", ".part", ".tokens", ".exports")
"""Endings of files that lie beside a store and are none."""


def refuse_missing(settings: StoreSettings, *, creating: Sequence[str]) -> None:
    """Raises NotFound where there is no store: whoever only reads must not make one."""
    if not settings.url:
        refuse_missing_file(settings.path, creating=creating)
    elif not has_store(settings):
        raise NotFound(
            "store",
            settings.place,
            remedy=f"Nothing is in the database yet. Tables are made by libravdbd and by {', '.join(creating)}.",
        )


def refuse_missing_file(path: Path, *, creating: Sequence[str]) -> None:
    """The same for one that is named by its file."""
    if path.is_dir() or _is_store(path):  # a folder is refused by its own words
        return
    near = nearest_store(path)
    meant = f"Did you mean {near}? " if near else ""
    raise NotFound(
        "store", str(path), remedy=f"{meant}A new one is made by libravdbd and by the commands {', '.join(creating)}."
    )


def nearest_store(path: Path) -> Path | None:
    """The store whose path looks most like this one: a folder or the file spelled a little differently, else the only
    store of the folder."""
    whole = Path(os.path.abspath(path))  # noqa: PTH100 - Path would not take out the dots
    reached = Path(whole.anchor)
    for part in whole.parts[1:]:
        if not (reached / part).exists():
            return _spelled_alike(whole, reached, part) or _only(_stores(whole.parent))
        reached /= part
    return _only(_stores(whole.parent))  # there, but empty


def _spelled_alike(whole: Path, folder: Path, part: str) -> Path | None:
    """The same path with the part that does not exist replaced by one that does."""
    rest = whole.relative_to(folder / part)
    for name in difflib.get_close_matches(part, _names(folder), n=5, cutoff=0.7):
        found = folder / name / rest
        if _is_store(found) and not name.endswith(_BESIDE):
            return found
    return None


def _stores(folder: Path) -> list[Path]:
    found = (folder / name for name in _names(folder) if name.endswith(".libravdb"))
    return [path for path in found if _is_store(path)]


def _only(paths: list[Path]) -> Path | None:
    return paths[0] if len(paths) == 1 else None


def _names(folder: Path) -> Iterable[str]:
    try:
        return sorted(each.name for each in folder.iterdir())
    except OSError:
        return ()


def _is_store(path: Path) -> bool:
    """Whether there is a file with something in it; an empty one would be made into a store."""
    try:
        return path.is_file() and path.stat().st_size > 0
    except (OSError, ValueError):
        return False
