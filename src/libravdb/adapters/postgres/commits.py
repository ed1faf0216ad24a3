"""A commit in two round trips: lock and read, then write what differs. A third only where more must be locked first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from libravdb.adapters.postgres.arrays import written
from libravdb.adapters.postgres.changes import CommitDraft, MustKnowMore
from libravdb.adapters.postgres.known import KnownState
from libravdb.adapters.postgres.lookup import HOLDERS, Lookup
from libravdb.adapters.postgres.pipelines import together
from libravdb.adapters.postgres.request import CommitRequest, Writing, request_of
from libravdb.adapters.postgres.schema import SCHEMA, Db
from libravdb.adapters.postgres.transactions import Attempt, StartOver, Transactions
from libravdb.adapters.postgres.writes import statements
from libravdb.model import Revision, Topic
from libravdb.ports.validation import refuse_moved

NEXT_NUMBER = f"SELECT nextval('{SCHEMA}.commits_seq')".encode()
NUMBER = f"currval('{SCHEMA}.commits_seq')"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitOutcome:
    """What a commit did: its number, the revisions of what it touched before, and how many texts got vectors."""

    revision: Revision = 0
    before: Mapping[Topic, Revision] = field(default_factory=dict)
    attached: int = 0


class IndexedAnew(Exception):
    """The index of words is that of another analysis than the terms of a commit."""

    def __init__(self, analysis: str) -> None:
        super().__init__(f"texts are indexed by {analysis!r}")
        self.analysis = analysis


def write(
    transactions: Transactions, changes: Sequence[Writing], unless: Mapping[Topic, Revision], *, analysis: str = ""
) -> CommitOutcome:
    """Apply all changes or none. Their terms are made by this analysis; where the index is that of another one,
    IndexedAnew is raised. Without a name nobody looks."""
    request = request_of(changes, unless)
    return transactions.run(lambda attempt: _attempt(attempt, changes, request, analysis=analysis))


def _attempt(
    attempt: Attempt[CommitOutcome], changes: Sequence[Writing], request: CommitRequest, *, analysis: str
) -> CommitOutcome:
    known = _learn(attempt, request)
    if analysis and request.brings_terms and known.analysis != analysis:
        raise IndexedAnew(known.analysis)
    refuse_moved(request.unless, known.revisions)
    draft = CommitDraft(known, request)
    try:
        draft.apply(changes)
    except MustKnowMore as more:
        request.late.update(dict.fromkeys(more.digests))
        request.beside.update(dict.fromkeys(_holders(attempt.db, more.digests)))
        raise StartOver from None
    if not draft.is_changed:
        return CommitOutcome()
    return _write(attempt, known, draft)


def _learn(attempt: Attempt[CommitOutcome], request: CommitRequest) -> KnownState:
    with together(attempt.db):
        attempt.begin()
        lookup = Lookup(attempt.db, request)
    attempt.check()
    known = lookup.known()
    if known is None:
        raise StartOver
    locked = request.collections.keys() | request.beside.keys()
    unlocked = {name for names in known.late.values() for name in names} - locked
    if unlocked:
        request.beside.update(dict.fromkeys(unlocked))
        raise StartOver
    return known


def _write(attempt: Attempt[CommitOutcome], known: KnownState, draft: CommitDraft) -> CommitOutcome:
    before = {topic: known.revisions[topic] for topic in draft.touched}
    promise = partial(CommitOutcome, before=before, attached=draft.attached)
    made = draft.difference()
    number = None
    with together(attempt.db):
        if draft.is_told:
            number = attempt.db.execute(NEXT_NUMBER)
        for statement, values in statements(made):
            attempt.db.execute(statement.encode(), written(values))
        attempt.finish(lambda revision: promise(revision=revision), number=NUMBER if draft.is_told else "0")
    told = number.fetchone() if number is not None else None
    return promise(revision=told[0] if told else 0)


def _holders(db: Db, digests: Sequence[bytes]) -> list[str]:
    found = db.execute(f"{HOLDERS} WHERE t.digest = ANY(%b::bytea[])".encode(), (list(digests),))
    return [name for (name,) in found]
