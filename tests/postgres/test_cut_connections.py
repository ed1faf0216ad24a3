"""The connection is cut in every phase of a commit: what was acknowledged is kept, once, and nothing is torn.

Every write of these tests counts: versions, accesses, generations and journal entries each grow by one with it. So
whatever is written twice, or in part, shows in a number.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import pytest
from tests.contract.stores import SPACE, open_space
from tests.postgres.proxy import Action, Fault, Message, Proxy
from tests.postgres.server import Server, execute
from tests.puts import put

psycopg = pytest.importorskip("psycopg")

from tests.postgres.stores import LentStore, open_lent  # noqa: E402  it needs psycopg

from libravdb.adapters.postgres import absence, connection, transactions  # noqa: E402
from libravdb.adapters.postgres.connection import Address  # noqa: E402
from libravdb.adapters.postgres.schema import SCHEMA, Db  # noqa: E402
from libravdb.adapters.postgres.store import PostgresStore  # noqa: E402
from libravdb.app import open_engine  # noqa: E402
from libravdb.config import load  # noqa: E402
from libravdb.errors import Conflict, LibraError, StoreBusy, StoreClosed, StoreError  # noqa: E402
from libravdb.model import Append, Change, Commit, Edge, Key, Link, SetState, Topic, Touch  # noqa: E402
from libravdb.model.collections import durable_memory  # noqa: E402

NOTES, OTHERS, SESSION = "notes", "others", "s"
NEWEST = f"SELECT last_value FROM {SCHEMA}.commits_seq"  # noqa: S608 - our own names
KEYS_OF = f"SELECT count(*) FROM {SCHEMA}.commits WHERE revision = %s"  # noqa: S608 - our own names
LOCK = f"SELECT 1 FROM {SCHEMA}.topics FOR UPDATE"  # noqa: S608 - our own names

Write = Callable[[int], list[Change]]


def one_change(number: int) -> list[Change]:
    """The smallest write there is."""
    return [put(NOTES, "ledger", f"number {number}")]


def many_changes(number: int) -> list[Change]:
    """A write of every kind: two collections, an access, a session and its coverage, the journal."""
    return [
        put(NOTES, "ledger", f"number {number}"),
        put(OTHERS, "ledger", f"number {number}"),
        put(OTHERS, f"note {number}", f"a note of {number}", metadata={"sessionId": SESSION}),
        Touch(collection=NOTES, ids=("counter",)),
        SetState(session=SESSION, state={"number": number}, at=number, expect=number - 1),
        Link(edge=Edge(session=SESSION, parent="p", child=f"{number}", child_kind="turn", position=number, at=number)),
        Append(session=SESSION, at=number, entry={"number": number}),
    ]


WRITES = {"one": one_change, "many": many_changes}


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each part of a write was kept."""

    ledger: int
    other: int
    notes: int
    accesses: int
    generation: int
    edges: int
    journal: int


def counts(store: PostgresStore) -> Counts:
    """What the store holds at this moment."""
    keys = [Key(NOTES, "ledger"), Key(OTHERS, "ledger"), Key(NOTES, "counter")]
    with store.read() as read:
        held = read.records(keys)
        states = read.states([SESSION])
        ledger, other, counter = (held.get(key) for key in keys)
        return Counts(
            ledger=ledger.version if ledger else 0,
            other=other.version if other else 0,
            notes=sum(record.id.startswith("note ") for record in read.page(OTHERS).items),
            accesses=counter.access_count if counter else 0,
            generation=states[SESSION].generation if states else 0,
            edges=len(read.edges(SESSION)),
            journal=len(read.journal()),
        )


def expected(write: Write, number: int) -> Counts:
    """What it holds after so many writes."""
    if write is one_change:
        return Counts(number, 0, 0, 0, 0, 0, 0)
    return Counts(number, number, number, number, number, number, number)


@dataclass(frozen=True, slots=True)
class Stage:
    """A store behind a proxy, and the same database looked at without it."""

    proxy: Proxy
    store: PostgresStore
    direct: LentStore


@pytest.fixture
def stage(server: Server) -> Iterator[Stage]:
    with closing(open_lent()) as direct, Proxy(f"{server.folder}/.s.PGSQL.{server.port}") as proxy:
        name = direct.url.partition("?")[0].rpartition("/")[2]
        with PostgresStore(proxy.url(name)) as store:
            store.commit([put(NOTES, "counter")])
            yield Stage(proxy, store, direct)


def is_commit(message: Message) -> bool:
    return message.is_commit_sent


def is_answer(message: Message) -> bool:
    return message.is_commit_answered


def is_of_client(message: Message) -> bool:
    return message.is_client


def is_of_server(message: Message) -> bool:
    return not message.is_client


def messages_of(stage: Stage, write: Write, start: int) -> tuple[list[Message], int]:
    """What passes in one commit, once everything is prepared; and the number of writes so far."""
    for number in range(start, start + 4):
        stage.store.commit(write(number))
    with stage.proxy.recording() as seen:
        stage.store.commit(write(start + 4))
    assert sum(map(is_commit, seen)) == sum(map(is_answer, seen)) == 1
    return seen, start + 4


def check(stage: Stage, write: Write, number: int, *, kept: Commit, note: str) -> None:
    """The acknowledged write is there, once, under the number that was told."""
    assert counts(stage.direct) == expected(write, number), note
    topics = kept.before.keys()
    assert Topic.collection(NOTES) in topics, note
    assert set(stage.direct.revisions(topics).values()) == {kept.revision}, note
    assert all(before < kept.revision for before in kept.before.values()), note


# ── the server can be reached again ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize("action", [Action.CUT_BEFORE, Action.CUT_WITHIN])
@pytest.mark.parametrize("sender", [is_of_client, is_of_server])
def test_a_cut_at_any_message_is_survived_and_writes_once(
    stage: Stage, name: str, action: Action, sender: Callable[[Message], bool]
) -> None:
    write = WRITES[name]
    seen, number = messages_of(stage, write, 1)
    places = [place for place, message in enumerate(filter(sender, seen)) if _is_telling(message, action)]
    assert len(places) > 4
    for place in places:
        number += 1
        fault = stage.proxy.arm(Fault(where=sender, action=action, number=place))
        kept = stage.store.commit(write(number))
        stage.proxy.disarm()
        check(stage, write, number, kept=kept, note=f"{action} message {place}, met: {fault.met.is_set()}")
    assert list(stage.direct.maintenance.verify()) == []


def _is_telling(message: Message, action: Action) -> bool:
    """All messages where the cut may fall between two; within one, those that carry a statement or its end."""
    if action is Action.CUT_BEFORE:
        return message.is_client or message.kind in "CZ"
    return bool(message.statement) or message.kind in "SZ"


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize(
    ("where", "action", "is_kept_at_first"),
    [
        (is_commit, Action.CUT_BEFORE, False),  # the server never got it
        (is_answer, Action.CUT_BEFORE, True),  # it was kept, and nobody was told
        (is_answer, Action.CUT_WITHIN, True),  # half of the answer came
        (is_answer, Action.CRASH, True),  # a pooler lost its connection to the server
    ],
)
def test_an_unknown_outcome_is_resolved_by_the_key(
    stage: Stage, name: str, *, where: Callable[[Message], bool], action: Action, is_kept_at_first: bool
) -> None:
    write = WRITES[name]
    stage.store.commit(write(1))
    newest = execute(stage.direct.url, NEWEST)[0][0]
    fault = stage.proxy.arm(Fault(where=where, action=action))
    kept = stage.store.commit(write(2))
    assert fault.met.is_set()
    check(stage, write, 2, kept=kept, note=action)
    if is_kept_at_first:
        assert kept.revision == newest + 1  # that of the commit whose answer was lost: it was not made again
    assert execute(stage.direct.url, KEYS_OF, kept.revision) == [(1,)]
    check(stage, write, 3, kept=stage.store.commit(write(3)), note="afterwards")


def test_it_is_resolved_though_the_second_attempt_is_cut_too(stage: Stage) -> None:
    stage.store.commit(many_changes(1))
    first = stage.proxy.arm(Fault(where=is_commit, action=Action.CUT_BEFORE))
    second = Fault(where=is_answer, action=Action.CUT_BEFORE)
    arming = threading.Thread(target=lambda: first.met.wait(10) and stage.proxy.arm(second))
    arming.start()
    kept = stage.store.commit(many_changes(2))
    arming.join()
    stage.proxy.disarm()
    check(stage, many_changes, 2, kept=kept, note=f"second cut: {second.met.is_set()}")


def test_a_condition_that_our_own_lost_commit_changed_is_no_conflict(stage: Stage) -> None:
    before = stage.store.commit(one_change(1)).revision
    stage.proxy.arm(Fault(where=is_answer, action=Action.CUT_BEFORE))
    kept = stage.store.commit(one_change(2), unless={Topic.collection(NOTES): before})
    assert kept.before == {Topic.collection(NOTES): before}
    check(stage, one_change, 2, kept=kept, note="")


def test_a_conflict_is_told_though_the_connection_was_cut(stage: Stage) -> None:
    before = stage.store.commit(one_change(1)).revision
    stage.direct.commit(one_change(2))
    stage.proxy.arm(Fault(where=is_of_client, action=Action.CUT_BEFORE, number=3))
    with pytest.raises(Conflict):
        stage.store.commit(one_change(3), unless={Topic.collection(NOTES): before})
    assert counts(stage.direct) == expected(one_change, 2)


def test_a_slow_network_changes_nothing(stage: Stage) -> None:
    stage.proxy.delay(0.001)
    for number in (1, 2):
        check(stage, many_changes, number, kept=stage.store.commit(many_changes(number)), note="slow")


@pytest.mark.parametrize("where", [is_commit, is_answer])
def test_a_connection_that_swallows_everything_is_resolved_when_it_breaks(
    stage: Stage, where: Callable[[Message], bool]
) -> None:
    stage.store.commit(many_changes(1))
    fault = stage.proxy.arm(Fault(where=where, action=Action.FREEZE))
    results: list[Commit] = []
    writing = threading.Thread(target=lambda: results.append(stage.store.commit(many_changes(2))))
    writing.start()
    assert fault.met.wait(30)
    assert counts(stage.direct) == expected(many_changes, 1 + (where is is_answer))  # reads wait for nobody
    stage.proxy.sever()
    writing.join(60)
    check(stage, many_changes, 2, kept=results[0], note="frozen")


@pytest.mark.parametrize("where", [is_commit, is_of_client])
def test_a_writer_that_vanished_silently_holds_up_others_and_tears_nothing(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, where: Callable[[Message], bool]
) -> None:
    monkeypatch.setitem(connection._SETTINGS, "lock_timeout", "2s")  # what waits for it waits half a minute otherwise
    stage.store.commit(many_changes(1))
    fault = stage.proxy.arm(Fault(where=where, action=Action.ABANDON, number=0 if where is is_commit else 30))
    kept: Commit | None = None
    with suppress(StoreError):  # the server may still wait for the end of the first attempt
        kept = stage.store.commit(many_changes(2))
    assert fault.met.is_set()
    assert counts(stage.direct) == expected(many_changes, 2 if kept else 1)
    stage.proxy.sever()  # the server notices
    number = 3 if kept else 2
    check(stage, many_changes, number, kept=stage.store.commit(many_changes(number)), note="when it was noticed")


def test_reads_go_on_after_a_cut(stage: Stage) -> None:
    stage.store.commit(many_changes(1))
    with stage.store.read() as read:
        assert read.sizes([NOTES]) == {NOTES: 2}
    stage.proxy.sever()
    assert counts(stage.store) == expected(many_changes, 1)


@pytest.mark.parametrize("is_write", [False, True])
def test_a_pooler_that_lost_its_connection_to_the_server_is_asked_again(stage: Stage, *, is_write: bool) -> None:
    """Of statements that are sent one by one its own words reach us, and not that it hangs up then."""
    open_space(stage.direct)
    fault = stage.proxy.arm(Fault(where=is_of_server, action=Action.CRASH))
    if is_write:
        stage.store.vectors.activate(SPACE)
    else:
        assert stage.store.maintenance.revision() == stage.direct.maintenance.revision()
    assert fault.met.is_set()


def test_a_read_that_is_cut_says_that_it_can_be_repeated(stage: Stage) -> None:
    stage.store.commit(many_changes(1))
    with stage.store.read() as read:
        stage.proxy.sever()
        with pytest.raises(StoreError, match="connection was lost") as raised:
            read.sizes([NOTES])
    assert raised.value.remedy.startswith("Repeat what was asked")


@pytest.mark.parametrize("where", [is_commit, is_answer])
def test_a_write_that_ran_longer_than_a_server_is_waited_for_is_made_again_and_resolved_all_the_same(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, where: Callable[[Message], bool]
) -> None:
    """The ten seconds begin when the connection is lost, not with the write."""
    stage.store.commit(many_changes(1))
    monkeypatch.setattr(absence, "RECONNECT_SECONDS", 0.0)
    stage.proxy.arm(Fault(where=where, action=Action.CUT_BEFORE))
    check(stage, many_changes, 2, kept=stage.store.commit(many_changes(2)), note="")


def test_an_outcome_that_becomes_open_late_is_asked_for_once_more(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.store.commit(many_changes(1))
    monkeypatch.setattr(absence, "RECONNECT_SECONDS", 0.0)
    last = Fault(where=is_answer, action=Action.CUT_BEFORE)

    def is_first(message: Message) -> bool:
        if message.is_client:
            threading.Thread(target=stage.proxy.arm, args=(last,)).start()
        return message.is_client

    first = stage.proxy.arm(Fault(where=is_first, action=Action.CUT_BEFORE))
    kept = stage.store.commit(many_changes(2))
    assert first.met.is_set()
    assert last.met.is_set()
    check(stage, many_changes, 2, kept=kept, note="")


def test_after_the_last_attempt_nobody_says_that_nothing_was_written_when_that_is_open(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transactions, "MOST_ATTEMPTS", 1)
    stage.proxy.arm(Fault(where=is_answer, action=Action.CUT_BEFORE))
    with pytest.raises(StoreError, match="is not known"):
        stage.store.commit(one_change(1))
    assert counts(stage.direct) == expected(one_change, 1)


# ── the server cannot be reached again ────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize(
    ("where", "action", "is_kept"),
    [
        (is_of_client, Action.CUT_BEFORE, False),
        (is_commit, Action.CUT_BEFORE, False),
        (is_commit, Action.CUT_AFTER, None),
        (is_answer, Action.CUT_BEFORE, True),
        (is_answer, Action.CUT_WITHIN, True),
    ],
)
def test_what_was_not_acknowledged_is_whole_or_absent(
    stage: Stage,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    *,
    where: Callable[[Message], bool],
    action: Action,
    is_kept: bool | None,
) -> None:
    monkeypatch.setattr(absence, "RECONNECT_SECONDS", 0.1)  # a minute of tests otherwise
    write = WRITES[name]
    stage.store.commit(write(1))
    stage.proxy.arm(Fault(where=where, action=action))
    stage.proxy.refuse_from_next_fault()
    with pytest.raises(StoreError) as raised:
        stage.store.commit(write(2))
    assert raised.value.remedy
    assert ("is not known" in str(raised.value)) == (where is not is_of_client), raised.value
    stage.proxy.accept_again()
    number = _settled(stage, write, is_kept=is_kept)
    check(stage, write, number + 1, kept=stage.store.commit(write(number + 1)), note="afterwards")
    assert list(stage.direct.maintenance.verify()) == []


def test_a_store_that_is_closed_meanwhile_tells_that_nobody_knows(stage: Stage) -> None:
    stage.store.commit(one_change(1))
    fault = stage.proxy.arm(Fault(where=is_answer, action=Action.CUT_BEFORE))
    stage.proxy.refuse_from_next_fault()
    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(stage.store.commit, one_change(2))
        assert fault.met.wait(30)
        stage.store.close()
        with pytest.raises(StoreError, match="is not known"):
            writing.result()


def _settled(stage: Stage, write: Write, *, is_kept: bool | None) -> int:
    """How many writes there are, none of them in part. The server may still be working on what it got last."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'"
    while execute(stage.direct.url, waiting) != [(1,)]:
        pass
    held = counts(stage.direct)
    number = 2 if held == expected(write, 2) else 1
    assert held == expected(write, number), "torn"
    assert is_kept is None or is_kept == (number == 2)
    return number


def test_a_server_that_refuses_is_told_clearly_and_without_the_password() -> None:
    with pytest.raises(StoreError) as raised:
        PostgresStore("postgresql://somebody:hunter2@127.0.0.1:1/memory")
    told = f"{raised.value} {raised.value!r} {raised.value.remedy} {raised.value.__cause__} {raised.value.__context__}"
    assert "hunter2" not in told
    assert "127.0.0.1" in str(raised.value)
    assert "store.url" in raised.value.remedy


def test_a_database_that_is_not_there_is_told_with_its_remedy(server: Server) -> None:
    with pytest.raises(LibraError) as raised:
        PostgresStore(server.url("nowhere"))
    assert "nowhere" in str(raised.value)
    assert "createdb" in raised.value.remedy


def test_no_error_of_a_cut_shows_the_password(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(absence, "RECONNECT_SECONDS", 0.1)
    with closing(open_lent()) as direct, Proxy(f"{server.folder}/.s.PGSQL.{server.port}") as proxy:
        name = direct.url.partition("?")[0].rpartition("/")[2]
        with PostgresStore(proxy.url(name).replace("postgres@", "postgres:hunter2@")) as store:
            store.commit(one_change(1))
            with proxy.refusing():
                for work in (lambda: store.commit(one_change(2)), lambda: counts(store)):
                    with pytest.raises(StoreError) as raised:
                        work()
                    assert "hunter2" not in f"{raised.value} {raised.value.remedy} {raised.value.__context__} {store!r}"
            store.commit(one_change(2))
            assert counts(store) == expected(one_change, 2)


# ── the server itself ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("server")
def test_a_statement_that_takes_too_long_is_stopped_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection._SETTINGS, "statement_timeout", "3s")
    with closing(open_lent()) as store, closing(psycopg.connect(store.url)) as other:
        store.commit([put(NOTES, "counter")])
        store.commit(many_changes(1))
        other.execute(LOCK)
        with pytest.raises(StoreBusy) as raised:
            store.commit(many_changes(2))
        assert raised.value.remedy
        other.rollback()
        assert counts(store) == expected(many_changes, 1)
        store.commit(many_changes(2))
        assert counts(store) == expected(many_changes, 2)


def test_a_server_that_is_restarted_between_two_commits_is_found_again(durable_server: Server) -> None:
    with PostgresStore(durable_server.create_database()) as store:
        store.commit([put(NOTES, "counter")])
        store.commit(many_changes(1))
        durable_server.restart()
        store.commit(many_changes(2))
        durable_server.kill()
        durable_server.start()
        store.commit(many_changes(3))
        assert counts(store) == expected(many_changes, 3)
        assert list(store.maintenance.verify()) == []


def test_a_commit_waits_for_a_server_that_comes_back(durable_server: Server) -> None:
    with PostgresStore(durable_server.create_database()) as store:
        store.commit([put(NOTES, "counter")])
        store.commit(many_changes(1))
        durable_server.kill()
        results: list[Commit] = []
        writing = threading.Thread(target=lambda: results.append(store.commit(many_changes(2))))
        writing.start()
        durable_server.start()
        writing.join(60)
        assert results
        assert counts(store) == expected(many_changes, 2)


def test_a_read_waits_for_a_server_that_comes_back(durable_server: Server) -> None:
    with PostgresStore(durable_server.create_database()) as store:
        store.commit([put(NOTES, "counter")])
        store.commit(one_change(1))
        durable_server.kill()
        results: list[Counts] = []
        reading = threading.Thread(target=lambda: results.append(counts(store)))
        reading.start()
        durable_server.start()
        reading.join(60)
        assert results == [expected(one_change, 1)]


def test_who_remembers_and_ingests_while_the_server_restarts_waits_for_it(
    durable_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(absence, "RECONNECT_SECONDS", 60.0)  # a busy machine starts a server slowly
    settings = {"store.url": durable_server.create_database(), "embedding.backend": "none"}
    with open_engine(load(environ={"HOME": str(tmp_path)}, arguments=settings).config) as engine:

        def remember(number: int) -> None:
            engine.memories.remember(f"the boat number {number} sails", collection=durable_memory("anna"))

        def ingest(number: int) -> None:
            engine.conversations.ingest(f"This is turn {number}.", session=f"{number}", namespace="anna")

        def look(number: int) -> None:
            assert engine.search(f"boat number {number}", namespace="anna").hits

        remember(0)
        for number, end in enumerate((durable_server.stop, durable_server.kill), start=1):
            end()
            with ThreadPoolExecutor(3) as pool:
                calls = [pool.submit(work, number) for work in (remember, ingest, look)]
                durable_server.start()
                for call in calls:
                    call.result(60)


@pytest.fixture
def away(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """A store that was used, and whose server cannot be reached now; who is patient waits for a minute."""
    monkeypatch.setattr(absence, "RECONNECT_SECONDS", 60.0)
    stage.store.commit(one_change(1))
    with stage.proxy.refusing():
        yield stage


def test_who_asks_how_the_store_is_or_opens_it_does_not_wait(away: Stage) -> None:
    began = monotonic()
    assert "cannot be reached" in away.store.maintenance.health().problem
    with pytest.raises(StoreError, match="cannot be reached"):
        PostgresStore(away.proxy.url(away.direct.url.partition("?")[0].rpartition("/")[2]))
    assert monotonic() - began < 30


def test_closing_ends_the_wait_for_a_server_that_is_away(away: Stage) -> None:
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(counts, away.store)
        until = monotonic() + 30
        while away.store._database._absence._missed_at is None:
            assert monotonic() < until
        away.store.close()
        with pytest.raises(StoreClosed):
            reading.result(30)


def test_a_server_that_stays_away_is_waited_for_once_and_not_by_each_call(
    away: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(absence, "RECONNECT_SECONDS", 0.2)
    attempts: list[str] = []
    connect = Address.connect

    def counted(address: Address, *, is_preparing: bool) -> Db:
        attempts.append(address.shown)
        return connect(address, is_preparing=is_preparing)

    monkeypatch.setattr(Address, "connect", counted)
    for _ in range(5):
        with pytest.raises(StoreError, match="cannot be reached"):
            counts(away.store)
    waited = len(attempts)
    with pytest.raises(StoreError, match="cannot be reached"):
        counts(away.store)
    assert len(attempts) == waited + 1
