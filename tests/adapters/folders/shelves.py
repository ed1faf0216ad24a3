"""A library in memory for the watch room's tests, and a way to wait for its news."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from libravdb.adapters.folders.settings import WatchSettings
from libravdb.adapters.folders.watcher import Watcher
from libravdb.errors import InvalidInput, LibraError
from libravdb.model import Authored, Did, DocumentInfo, Json, Metadata, News, Outcome, Record
from libravdb.ports.engine_api import DocumentsApi
from libravdb.text.tokens import ESTIMATOR

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
    """A library that keeps count of what it was asked; refuses texts that say "too hard"."""

    held: dict[str, Document] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    reads: int = 0
    trouble: LibraError | None = None

    def author(
        self,
        source_doc: str,
        text: str,
        *,
        core: bool | None = None,
        tokenizer: str = ESTIMATOR,  # noqa: ARG002 - nothing is counted here
        source_meta: Metadata | None = None,
    ) -> Authored:
        if self.trouble is not None:
            raise self.trouble
        self.calls.append(f"author {Path(source_doc).name}")
        if "too hard" in text:
            raise InvalidInput("document", "is too hard")
        self.held[source_doc] = Document(text, bool(core), dict(source_meta or {}), NOW)
        return Authored(outcome=Outcome.ADDED, document=_info(source_doc, self.held[source_doc]))

    def withdraw(self, source_doc: str) -> int:
        if self.trouble is not None:
            raise self.trouble
        self.calls.append(f"withdraw {Path(source_doc).name}")
        return 0 if self.held.pop(source_doc, None) is None else 1

    def list(self) -> Mapping[str, DocumentInfo]:
        self.reads += 1
        return {name: _info(name, document) for name, document in self.held.items()}

    def nodes(self, source_doc: str) -> Sequence[Record]:  # noqa: ARG002 - documents stay whole here
        return ()

    def texts(self, root: Path) -> dict[str, str]:
        """What is held, by path in the root."""
        return {os.path.relpath(name, root): document.text for name, document in self.held.items()}


def _info(name: str, document: Document) -> DocumentInfo:
    return DocumentInfo(
        source_doc=name,
        cache_key=document.text,
        core=document.core,
        nodes=1,
        hard_tokens=0,
        soft_tokens=0,
        source_meta=document.source_meta,
        at=document.at,
    )


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
    library: DocumentsApi,
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
