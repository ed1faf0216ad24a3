"""Parts that several tests share: a reader of a few rules, and an engine over a small real embedder."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from tests.postgres.instead_of_files import is_asked_for, open_instead

from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.core.authored.tiers import ReadRules
from libravdb.engine.compactor import LoadSummariser
from libravdb.engine.engine import Engine, no_rules, no_summariser
from libravdb.engine.settings import EngineSettings
from libravdb.errors import EmbedderError, InvalidInput
from libravdb.model import Json, Modality, Rule
from libravdb.ports.clock import Clock
from libravdb.ports.embedder import Embedder
from libravdb.ports.store import Store
from libravdb.testing import FrozenClock, WordsEmbedder

NOON = 1_790_000_000_000


CUES = {
    "must": Modality.OBLIGATION,
    "always": Modality.OBLIGATION,
    "should": Modality.OBLIGATION,
    "never": Modality.PROHIBITION,
    "may": Modality.PERMISSION,
}


def read_cues(text: str) -> tuple[Rule, ...]:
    """A reader of rules that knows five words: enough to see what others make of what it finds."""
    words = re.findall(r"\w+", text.lower())
    return tuple(
        Rule(
            modality=modality,
            sentence=text,
            start=0,
            end=len(text),
            cue=(text.lower().find(cue), text.lower().find(cue) + len(cue)),
            action=(),
            language="en",
            reason=f"“{cue}”",
        )
        for cue, modality in CUES.items()
        if cue in words
    )


def open_words_engine(
    path: Path,
    embedder: WordsEmbedder | None = None,
    *,
    now: int = NOON,
    settings: EngineSettings | None = None,
    clock: Clock | None = None,
    read_rules: ReadRules = no_rules,
    load_summariser: LoadSummariser = no_summariser,
) -> Engine:
    """An engine over a real store with the given embedder; None means that no embedder can be loaded."""

    def load(description: Mapping[str, Json] | None) -> Embedder:
        if description is not None and description.get("backend") == "words":
            return WordsEmbedder(
                seed=int(str(description["seed"])),
                dimensions=int(str(description["dimensions"])),
                blur=float(str(description["blur"])),
            )
        if embedder is None:
            raise EmbedderError("There is no model.", remedy="Install one.")
        return embedder

    store = open_file_store(path, now=now)
    try:
        return Engine(
            store=store,
            load_embedder=load,
            clock=clock or FrozenClock(now),
            settings=settings,
            read_rules=read_rules,
            load_summariser=load_summariser,
        )
    except InvalidInput:
        store.close()
        raise


def open_file_store(path: Path, *, now: int | None = None) -> Store:
    """A store in a file, or in the database that stands for it (`tests/postgres/instead_of_files.py`)."""
    return open_instead(path) if is_asked_for() else SqliteStore(path, now=now)


def examples(count: int) -> int:
    """So many examples of a property; a fifth over a database, where opening a store and each step take longer."""
    return max(2, count // 5) if is_asked_for() else count
