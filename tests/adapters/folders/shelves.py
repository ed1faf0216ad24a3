"""A library in memory for the watch room's tests, and a way to wait for its news."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from libravdb.adapters.folders.document_port import Library
from libravdb.adapters.folders.progress import Did, News
from libravdb.adapters.folders.settings import WatchSettings
from libravdb.adapters.folders.watcher import Watcher
from libravdb.errors import InvalidInput, LibraError
from libravdb.model import Json

OLD = 1_600_000_000
"""Seconds; a file this old proves by its time that it has not changed."""

NOW = (OLD + 1_000) * 1_000
DEADLINE = 30.0


@dataclass(frozen=True)
class Document:
    """A document with its text."""

    text: str
    core: bool
    source_meta: Mapping[str, Json]
    at: int


@dataclass
class Shelf:
    """A Library that keeps count of what it was asked; refuses texts that say "too hard"."""

    held: dict[str, Document] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    reads: int = 0
    trouble: LibraError | None = None

    def author(
        self, source_doc: str, text: str, *, core: bool = False, source_meta: Mapping[str, Json] | None = None
    ) -> None:
        if self.trouble is not None:
            raise self.trouble
        self.calls.append(f"author {Path(source_doc).name}")
        if "too hard" in text:
            raise InvalidInput("document", "is too hard")
        self.held[source_doc] = Document(text, core, dict(source_meta or {}), NOW)

    def withdraw(self, source_doc: str) -> None:
        if self.trouble is not None:
            raise self.trouble
        self.calls.append(f"withdraw {Path(source_doc).name}")
        self.held.pop(source_doc, None)

    def documents(self) -> Mapping[str, Document]:
        self.reads += 1
        return dict(self.held)

    def texts(self, root: Path) -> dict[str, str]:
        """What is held, by path in the root."""
        return {os.path.relpath(name, root): document.text for name, document in self.held.items()}


class Reader:
    """Hears the news and waits for some of it."""

    def __init__(self) -> None:
        self.news: list[News] = []
        self._changed = threading.Condition()

    def __call__(self, news: News) -> None:
        with self._changed:
            self.news.append(news)
            self._changed.notify_all()

    def wait_for(self, did: Did, name: str = "", *, count: int = 1) -> News:
        """The news of that kind about a file of that name; fails when it does not come."""

        def found() -> list[News]:
            return [each for each in self.news if each.did is did and (not name or Path(each.path).name == name)]

        with self._changed:
            assert self._changed.wait_for(lambda: len(found()) >= count, DEADLINE), (did, name, self.news)
            return found()[count - 1]


def ignore(news: News) -> None:
    """Nobody listens."""


def make(
    library: Library,
    *roots: Path,
    tell: Callable[[News], None] = ignore,
    **given: object,
) -> Watcher:
    told: dict[str, Any] = {"debounce_ms": 20, "cpu_share": 1.0, **given}
    return Watcher(library, WatchSettings(folders=roots, **told), clock=lambda: NOW, tell=tell)


@contextmanager
def following(shelf: Shelf, *roots: Path, **given: object) -> Iterator[tuple[Watcher, Reader]]:
    """A watcher in a thread, past its first scan; stopped at the end, whatever happens."""
    reader = Reader()
    watcher = make(shelf, *roots, tell=reader, **given)
    thread = threading.Thread(target=watcher.follow)
    thread.start()
    try:
        reader.wait_for(Did.READY)
        yield watcher, reader
    finally:
        watcher.stop()
        thread.join(DEADLINE)
        assert not thread.is_alive()


def write(path: Path, text: str | bytes, *, at: int = OLD) -> Path:
    """A file, made with its folders, that seems to be old."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    os.utime(path, (at, at))
    return path
