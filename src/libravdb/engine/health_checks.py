"""What `doctor` and a running engine both look at: each check is a function that tells how one thing is and what to do
about it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from libravdb import __version__
from libravdb.errors import EmbedderError, LibraError
from libravdb.model import Finding, Health, HealthCheck, Status

if TYPE_CHECKING:
    from libravdb.ports.embedder import Embedder

Check = Callable[[], HealthCheck]
LookAround = Callable[[], Iterable[tuple[str, Check]]]
"""What can be checked of the machine and of where the store lies, by name."""

_TWINS = (
    ("Where does she live?", "Her home is in Lisbon.", "The tax form is due in April."),
    ("Which database did we choose?", "We settled on PostgreSQL for storage.", "Grandma bakes bread on Sundays."),
    ("What must he not eat?", "He is allergic to shellfish.", "The train to Graz leaves at nine."),
)


def nothing_around() -> Iterable[tuple[str, Check]]:
    """An engine that was not told where its store lies."""
    return ()


def checked(name: str, check: Check) -> HealthCheck:
    """How a thing is; an error that has a name is what is wrong with it."""
    try:
        return check()
    except LibraError as error:
        return HealthCheck(name=name, health=Health.BAD, detail=error.message, remedy=error.remedy)


def check_python() -> HealthCheck:
    """Which Python runs which version of ours."""
    version = ".".join(str(part) for part in sys.version_info[:3])
    return HealthCheck(name="python", health=Health.GOOD, detail=f"{version}, libravdb {__version__}")


def check_model(embedder: Embedder) -> HealthCheck:
    """Check the files of a model, and that it knows what belongs together."""
    verify = getattr(embedder, "verify_files", None)
    if verify is not None:
        verify()
    if not all(_is_closer(embedder, *each) for each in _TWINS):
        raise EmbedderError(
            f"{embedder.fingerprint} puts unrelated sentences closer than related ones.",
            remedy="It is not a model for semantic search, or not used as it wants; see docs/how-to/embedders.md.",
        )
    detail = f"{embedder.fingerprint}, {embedder.dimensions} dimensions, tells related sentences from others"
    return HealthCheck(name="model", health=Health.GOOD, detail=detail)


def _is_closer(embedder: Embedder, question: str, answer: str, other: str) -> bool:
    query = embedder.embed_query(question)
    return float(embedder.embed_text(answer)[0] @ query) > float(embedder.embed_text(other)[0] @ query)


def check_findings(findings: Sequence[Finding], *, sound: str) -> HealthCheck:
    """Whether every invariant of a store holds; `sound` says so in words."""
    if not findings:
        return HealthCheck(name="store", health=Health.GOOD, detail=sound)
    detail = f"{len(findings):,} broken invariants, the first: {findings[0].invariant} ({findings[0].detail})"
    remedy = "'libravdb fsck' lists them all, 'libravdb repair' saves what is sound."
    return HealthCheck(name="store", health=Health.BAD, detail=detail, remedy=remedy)


def check_vectors(state: Status) -> HealthCheck:
    """Whether every text can be found by meaning."""
    if state.degraded:
        return HealthCheck(name="vectors", health=Health.NOTICE, detail=state.degraded)
    active = state.embedder.get("fingerprint", "none")
    return HealthCheck(name="vectors", health=Health.GOOD, detail=f"every text has vectors of {active}")
