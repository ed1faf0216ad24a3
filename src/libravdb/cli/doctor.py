"""What `doctor` looks at: each check is a function that tells how one thing is and what to do about it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from libravdb.app import checks_around, has_store, load_embedder, load_summariser, verify_file, verify_store
from libravdb.cli.database_care import DATABASE_REMEDY
from libravdb.cli.missing_store import nearest_store
from libravdb.daemon.tokens import read_tokens, tokens_path
from libravdb.engine.health_checks import check_findings, check_model, check_python, check_vectors, checked
from libravdb.errors import ConfigError
from libravdb.model import Health, HealthCheck, SummaryTask
from libravdb.text.sizes import size
from libravdb.text.tokens import prompt_tokens

if TYPE_CHECKING:
    from libravdb.cli.context import CommandContext
    from libravdb.ports.clock import Progress
    from libravdb.ports.settings import StoreSettings

_IN_STORE = ("tenants", "store", "writing", "vectors")
"""Checks that look into the store: a database that cannot be used has been told before."""

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


def examine(session: CommandContext, progress: Progress) -> list[HealthCheck]:
    """Every check in turn. Without a configuration the others have nothing to look at."""
    results = [check_python()]
    try:
        config = session.loaded.config
    except ConfigError as error:
        detail, remedy = error.message, error.remedy
        return [*results, HealthCheck(name="configuration", health=Health.BAD, detail=detail, remedy=remedy)]
    origin = session.loaded.file
    detail = "defaults and environment" if origin is None else f"read from {origin}"
    results.append(HealthCheck(name="configuration", health=Health.GOOD, detail=detail))
    checks: tuple[tuple[str, Callable[[], HealthCheck]], ...] = (
        *checks_around(config.store),
        *((("tenants", lambda: _tenants(session)),) if config.store.url and not config.store.tenant_role else ()),
        ("model", lambda: _model(session)),
        ("summariser", lambda: _summariser(session)),
        ("store", lambda: _store(session)),
        ("writing", lambda: _writing(session)),
        ("vectors", lambda: _vectors(session)),
    )
    for done, (name, check) in enumerate(checks):
        progress(done, len(checks))
        if name in _IN_STORE and _is_bad(results, "database"):
            continue  # each would say the same again
        results.append(checked(name, check))
    return results


def _is_bad(results: Sequence[HealthCheck], name: str) -> bool:
    return any(each.name == name and each.health is Health.BAD for each in results)


def _tenants(session: CommandContext) -> HealthCheck:
    """Whether tokens are limited to namespaces in a database that could hold them to that itself."""
    config = session.loaded.config
    entries = read_tokens(tokens_path(config.daemon, config.store.local_path))
    limited = sum(not entry.rights.is_of_all for entry in entries)
    if not limited:
        detail = "no token is limited to namespaces; there is no second wall"
        return HealthCheck(name="tenants", health=Health.GOOD, detail=detail)
    detail = f"{limited:,} tokens are limited to namespaces, and the daemon alone holds them to that"
    remedy = "Set store.tenant_role for a second wall in the database: docs/postgres.md, Roles."
    return HealthCheck(name="tenants", health=Health.NOTICE, detail=detail, remedy=remedy)


def _model(session: CommandContext) -> HealthCheck:
    """Load the embedder, check its files, and check that it knows what belongs together."""
    config = session.loaded.config.embedding
    if config.backend == "none":
        detail, remedy = "switched off; search uses words only", "Set embedding.backend to 'bundled'."
        return HealthCheck(name="model", health=Health.NOTICE, detail=detail, remedy=remedy)
    with contextlib.closing(load_embedder(config)) as embedder:
        return check_model(embedder)


def _summariser(session: CommandContext) -> HealthCheck:
    """Load the summariser, if one is configured, and let it write once."""
    summariser = load_summariser(session.loaded.config.summarizer)
    if summariser is None:
        detail = "sentences are chosen; no model that writes is configured"
        return HealthCheck(name="summariser", health=Health.GOOD, detail=detail)
    try:
        draft = summariser.summarise(_TALK)
    finally:
        summariser.close()
    sure = "" if draft.confidence is None else f", sure to {draft.confidence:.0%}"
    detail = f"{summariser.name} makes {prompt_tokens(draft.text)} tokens of {_TALK_TOKENS}{sure}"
    return HealthCheck(name="summariser", health=Health.GOOD, detail=detail)


def _store(session: CommandContext) -> HealthCheck:
    settings = session.loaded.config.store
    if settings.url:
        return _database(settings)
    path = settings.path
    if not path.exists():
        detail, near = f"{path} does not exist yet; the first memory makes it", nearest_store(path)
        if near is None:
            return HealthCheck(name="store", health=Health.GOOD, detail=detail)
        return HealthCheck(name="store", health=Health.NOTICE, detail=detail, remedy=f"Did you mean {near}?")
    return check_findings(list(verify_file(path)), sound=f"{path} ({size(path.stat().st_size)}) is sound")


def _database(settings: StoreSettings) -> HealthCheck:
    if not has_store(settings):
        detail = f"{settings.place} holds no memory yet; the first one makes the tables"
        return HealthCheck(name="store", health=Health.GOOD, detail=detail)
    found = check_findings(list(verify_store(settings)), sound=f"{settings.place} is sound")
    return found if found.health is Health.GOOD else replace(found, remedy=DATABASE_REMEDY)


def _writing(session: CommandContext) -> HealthCheck:
    """Whether whoever holds the store takes writes."""
    if not has_store(session.loaded.config.store):
        return HealthCheck(name="writing", health=Health.GOOD, detail="nothing stands against it")
    with session.engine() as engine:
        found = engine.status().health
    if not found.is_writable:
        return HealthCheck(name="writing", health=Health.BAD, detail=found.problem, remedy=found.remedy)
    return HealthCheck(name="writing", health=Health.GOOD, detail="the store takes writes")


def _vectors(session: CommandContext) -> HealthCheck:
    if not has_store(session.loaded.config.store):
        return HealthCheck(name="vectors", health=Health.GOOD, detail="none yet")
    with session.engine() as engine:
        return check_vectors(engine.status())
