"""Under which name a host's session stands: hosts begin a session anew and go on under the same id.

What was said before stays under the former name, and is found in the history of its namespace.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from libravdb.engine.expiry import hides
from libravdb.engine.pages import check_limit, every_record
from libravdb.engine.retry import retry_on_conflict
from libravdb.engine.session_share import share_of
from libravdb.errors import InvalidInput
from libravdb.model import Page, Revision, SessionInfo, SetState, Topic
from libravdb.model.collections import raw_turns
from libravdb.model.namespaces import named
from libravdb.model.session_state import SessionMetadata
from libravdb.ports.clock import Clock
from libravdb.ports.store import Snapshot, Store

ATTEMPTS = 100
"""How often a session is looked at again when others write to its state."""

REMEMBERED = 10_000
"""Sessions of which it is kept in memory how much of them is whose."""

CONTINUATION = "~"


class SessionNames:
    """The names of sessions that were begun anew. Usable from many threads."""

    def __init__(self, *, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._known: dict[tuple[str, str], tuple[tuple[Revision, Revision], SessionInfo]] = {}

    def current(self, session: str) -> str:
        """Under which name a host's session stands here now: its own, until the host has begun it anew."""
        return self._told(session).continued_as or session

    def former(self, session: str) -> tuple[str, ...]:
        """The names under which a host's session stood before, oldest first."""
        return self._told(session).former_names

    def renew(self, session: str) -> str:
        """The host forgets what was said in a session and goes on under the same id; gives its name from now on.

        What was said stays, and is found in the history of its namespace. A session in which nothing was said since is
        as good as new.
        """
        require_session(session)
        return retry_on_conflict(lambda: self._renewed(session), attempts=ATTEMPTS)

    def _renewed(self, session: str) -> str:
        with self._store.read() as snapshot:
            held = snapshot.states([session]).get(session)
            told = SessionMetadata.of(held)
            name = told.continued_as or session
            if held is None or not snapshot.states([name]):
                return name
            later = _unused(snapshot, session, number=len(told.former_names) + 2)
        state = told.renewed(name=later, former=name)
        self._store.commit([SetState(session=session, state=state.facts, at=self._clock(), expect=held.generation)])
        return later

    def list(self, *, namespace: str, limit: int = 100, after: str | None = None) -> Page[SessionInfo]:
        """The sessions in which a namespace spoke, by name, page by page: how much of each is its own, from when."""
        check_limit(limit)
        whose = named(namespace)
        with self._store.read() as snapshot:
            page = snapshot.states_of(whose, after=after, limit=limit)
            found = list(self._infos(snapshot, [state.session for state in page], whose))
        return Page(items=tuple(info for info in found if info.turns), next=page.next)

    def _infos(self, snapshot: Snapshot, sessions: Sequence[str], namespace: str) -> Iterator[SessionInfo]:
        """What a namespace said in these sessions; turns are read again where something changed since."""
        topics = [(Topic.collection(raw_turns(name)), Topic.session(name)) for name in sessions]
        revisions = snapshot.revisions([topic for both in topics for topic in both])
        for session, (turns, state) in zip(sessions, topics, strict=True):
            if hides(snapshot, turns.name):
                yield _info(snapshot, session, namespace)
                continue
            seen = (revisions[turns], revisions[state])
            known = self._known.get((session, namespace))
            if known is None or known[0] != seen:
                known = (seen, _info(snapshot, session, namespace))
                self._known[session, namespace] = known
                if len(self._known) > REMEMBERED:
                    self._known.clear()
            yield known[1]

    def _told(self, session: str) -> SessionMetadata:
        with self._store.read() as snapshot:
            return SessionMetadata.of(snapshot.states([session]).get(session))


def _info(snapshot: Snapshot, session: str, namespace: str) -> SessionInfo:
    """What a namespace said in a session."""
    own = share_of(snapshot, session, namespace).where
    times = [record.at for record in every_record(snapshot, raw_turns(session), where=own)]
    return SessionInfo(name=session, turns=len(times), first=min(times, default=0), last=max(times, default=0))


def _unused(snapshot: Snapshot, session: str, *, number: int) -> str:
    """The next name of a session that begins anew; one that a host uses itself is left to it."""
    numbered = (f"{session}{CONTINUATION}{count}" for count in itertools.count(number))
    return next(name for name in numbered if not snapshot.states([name]))


def hosts_of(session: str) -> tuple[str, ...]:
    """The name under which a host knows a session that was begun anew; none when it never was."""
    host, mark, number = session.rpartition(CONTINUATION)
    return (host,) if mark and host and number.isdecimal() else ()


def require_session(session: str) -> None:
    """Refuse a call that names no session."""
    if not session:
        raise InvalidInput("session", "is empty", remedy="Name the session that the messages belong to.")
