"""What `doctor` looks at: each check is a function that tells how one thing is and what to do about it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from libravdb import __version__
from libravdb.app import load_embedder, load_summariser, verify_file
from libravdb.cli.missing_store import nearest_store
from libravdb.cli.output import size
from libravdb.errors import ConfigError, EmbedderError, LibraError
from libravdb.model import SummaryTask
from libravdb.text.tokens import prompt_tokens

if TYPE_CHECKING:
    from libravdb.cli.context import CommandContext
    from libravdb.ports.clock import Progress

LOW_DISK = 200 * 2**20
_TWINS = (
    ("Where does she live?", "Her home is in Lisbon.", "The tax form is due in April."),
    ("Which database did we choose?", "We settled on PostgreSQL for storage.", "Grandma bakes bread on Sundays."),
    ("What must he not eat?", "He is allergic to shellfish.", "The train to Graz leaves at nine."),
)
_TALK = SummaryTask(
    texts=(
        "The release moves to Thursday, because the tests on Windows still fail and Marta is on leave until then.",
        "Fine. I will tell the customers in Graz today and ask Ivo to look at the tests before Wednesday noon.",
        "Thank you. Please also raise the version to 2.4.1 in the file setup.cfg and push the tag when all is green.",
    ),
    roles=("user", "assistant", "user"),
    max_tokens=60,
)
_TALK_TOKENS = sum(prompt_tokens(text) for text in _TALK.texts)


class Health(StrEnum):
    """How a checked thing is."""

    GOOD = "good"
    NOTICE = "notice"
    BAD = "bad"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One line of the report."""

    name: str
    health: Health
    detail: str
    remedy: str = ""


def examine(session: CommandContext, progress: Progress) -> list[Result]:
    """Every check in turn. Without a configuration the others have nothing to look at."""
    results = [_python(), _sqlite()]
    try:
        config = session.loaded.config
    except ConfigError as error:
        return [*results, Result(name="configuration", health=Health.BAD, detail=error.message, remedy=error.remedy)]
    origin = session.loaded.file
    detail = "defaults and environment" if origin is None else f"read from {origin}"
    results.append(Result(name="configuration", health=Health.GOOD, detail=detail))
    checks: tuple[tuple[str, Callable[[], Result]], ...] = (
        ("folder", lambda: _folder(config.store.path)),
        ("disk", lambda: _disk(config.store.path)),
        ("model", lambda: _model(session)),
        ("summariser", lambda: _summariser(session)),
        ("store", lambda: _store(session)),
        ("writing", lambda: _writing(session)),
        ("vectors", lambda: _vectors(session)),
    )
    for done, (name, check) in enumerate(checks):
        progress(done, len(checks))
        try:
            results.append(check())
        except LibraError as error:
            results.append(Result(name=name, health=Health.BAD, detail=error.message, remedy=error.remedy))
    return results


def _python() -> Result:
    version = ".".join(str(part) for part in sys.version_info[:3])
    return Result(name="python", health=Health.GOOD, detail=f"{version}, libravdb {__version__}")


def _sqlite() -> Result:
    db = sqlite3.connect(":memory:")
    try:
        db.execute("CREATE VIRTUAL TABLE probe USING fts5(words)")
        db.execute("SELECT '{}' -> '$.a'")
    except sqlite3.OperationalError as error:
        remedy = "Use a Python whose sqlite3 is 3.38 or newer and has FTS5."
        return Result(name="sqlite", health=Health.BAD, detail=f"{sqlite3.sqlite_version}: {error}", remedy=remedy)
    finally:
        db.close()
    return Result(name="sqlite", health=Health.GOOD, detail=f"{sqlite3.sqlite_version} with full text and JSON")


def _folder(path: Path) -> Result:
    existing = next(folder for folder in path.absolute().parents if folder.exists())
    if not os.access(existing, os.W_OK | os.X_OK):
        remedy = "Give yourself write permission there, or set store.path elsewhere."
        return Result(name="folder", health=Health.BAD, detail=f"{existing} cannot be written to", remedy=remedy)
    if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077:
        mode = stat.S_IMODE(path.stat().st_mode)
        remedy = f"Memory is private: chmod 600 {path}"
        detail = f"{path} can be read by others (mode {mode:o})"
        return Result(name="folder", health=Health.NOTICE, detail=detail, remedy=remedy)
    return Result(name="folder", health=Health.GOOD, detail=f"{path.parent} can be written to")


def _disk(path: Path) -> Result:
    existing = next(folder for folder in path.absolute().parents if folder.exists())
    free = shutil.disk_usage(existing).free
    if free < LOW_DISK:
        return Result(name="disk", health=Health.NOTICE, detail=f"only {size(free)} free", remedy="Free some space.")
    return Result(name="disk", health=Health.GOOD, detail=f"{size(free)} free")


def _model(session: CommandContext) -> Result:
    """Load the embedder, check its files, and check that it knows what belongs together."""
    config = session.loaded.config.embedding
    if config.backend == "none":
        detail = "switched off; search uses words only"
        return Result(name="model", health=Health.NOTICE, detail=detail, remedy="Set embedding.backend to 'bundled'.")
    embedder = load_embedder(config)
    verify = getattr(embedder, "verify_files", None)
    if verify is not None:
        verify()
    right = 0
    for question, answer, other in _TWINS:
        query = embedder.embed_query(question)
        right += float(embedder.embed_text(answer)[0] @ query) > float(embedder.embed_text(other)[0] @ query)
    embedder.close()
    if right < len(_TWINS):
        raise EmbedderError(
            f"{embedder.fingerprint} puts unrelated sentences closer than related ones.",
            remedy="It is not a model for semantic search, or not used as it wants; see docs/how-to/embedders.md.",
        )
    detail = f"{embedder.fingerprint}, {embedder.dimensions} dimensions, tells related sentences from others"
    return Result(name="model", health=Health.GOOD, detail=detail)


def _summariser(session: CommandContext) -> Result:
    """Load the summariser, if one is configured, and let it write once."""
    summariser = load_summariser(session.loaded.config.summarizer)
    if summariser is None:
        detail = "sentences are chosen; no model that writes is configured"
        return Result(name="summariser", health=Health.GOOD, detail=detail)
    try:
        draft = summariser.summarise(_TALK)
    finally:
        summariser.close()
    sure = "" if draft.confidence is None else f", sure to {draft.confidence:.0%}"
    detail = f"{summariser.name} makes {prompt_tokens(draft.text)} tokens of {_TALK_TOKENS}{sure}"
    return Result(name="summariser", health=Health.GOOD, detail=detail)


def _store(session: CommandContext) -> Result:
    path = session.loaded.config.store.path
    if not path.exists():
        detail, near = f"{path} does not exist yet; the first memory makes it", nearest_store(path)
        if near is None:
            return Result(name="store", health=Health.GOOD, detail=detail)
        return Result(name="store", health=Health.NOTICE, detail=detail, remedy=f"Did you mean {near}?")
    findings = list(verify_file(path))
    if findings:
        detail = f"{len(findings)} broken invariants, the first: {findings[0].invariant} ({findings[0].detail})"
        remedy = "'libravdb fsck' lists them all, 'libravdb repair' saves what is sound."
        return Result(name="store", health=Health.BAD, detail=detail, remedy=remedy)
    return Result(name="store", health=Health.GOOD, detail=f"{path} ({size(path.stat().st_size)}) is sound")


def _writing(session: CommandContext) -> Result:
    """Whether whoever holds the store takes writes."""
    if not session.loaded.config.store.path.exists():
        return Result(name="writing", health=Health.GOOD, detail="nothing stands against it")
    with session.engine() as engine:
        found = engine.status().health
    if not found.is_writable:
        return Result(name="writing", health=Health.BAD, detail=found.problem, remedy=found.remedy)
    return Result(name="writing", health=Health.GOOD, detail="the store takes writes")


def _vectors(session: CommandContext) -> Result:
    path = session.loaded.config.store.path
    if not path.exists():
        return Result(name="vectors", health=Health.GOOD, detail="none yet")
    with session.engine() as engine:
        state = engine.status()
    if state.degraded:
        return Result(name="vectors", health=Health.NOTICE, detail=state.degraded)
    return Result(name="vectors", health=Health.GOOD, detail=f"every text has vectors of {_active(state.embedder)}")


def _active(embedder: Mapping[str, object]) -> str:
    return str(embedder.get("fingerprint", "none"))
