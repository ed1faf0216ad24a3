"""Several stores on one database, many clients on one namespace: every history that they leave is linearizable.

The checker is tried first: on a history that is right, and on one for each way in which it could be wrong.
"""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace

import pytest
from tests.postgres import history as checks
from tests.postgres.history import Append, Ending, History, Look, violations
from tests.puts import put

A, B = "register a", "register b"
REGISTER = "register"
STORES, CLIENTS, OPERATIONS = 4, 32, 8


# ── the checker ───────────────────────────────────────────────────────────────────────────────────────────


def right() -> History:
    """Three writes, the second to both registers, a refusal, and looks in between."""
    return History(
        appends=[
            Append(start=0, end=1, value="x", collections=(A,), revision=1, before={A: 0}),
            Append(start=2, end=3, value="y", collections=(A, B), revision=2, before={A: 1, B: 0}, named={A: 1}),
            Append(start=2, end=4, value="r", collections=(A,), ending=Ending.REFUSED, named={A: 1}),
            Append(start=4, end=5, value="z", collections=(B,), revision=4, before={B: 2}),
        ],
        looks=[
            Look(start=1.5, end=1.6, revisions={A: 1, B: 0}, values={A: ("x",), B: ()}),
            Look(start=3.5, end=3.6, revisions={A: 2, B: 2}, values={A: ("x", "y"), B: ("y",)}),
            Look(start=4.5, end=5.5, revisions={A: 2, B: 4}, values={A: ("x", "y"), B: ("y", "z")}),
        ],
    )


def test_what_is_right_is_let_through() -> None:
    assert violations(right()) == []
    assert violations(History()) == []


def _append(place: int, **change: object) -> Callable[[History], None]:
    def apply(history: History) -> None:
        history.appends[place] = replace(history.appends[place], **change)  # type: ignore[arg-type]

    return apply


def _look(place: int, **change: object) -> Callable[[History], None]:
    def apply(history: History) -> None:
        history.looks[place] = replace(history.looks[place], **change)  # type: ignore[arg-type]

    return apply


MUTANTS: dict[str, tuple[Callable[[History], None], object]] = {
    "two commits with one number": (_append(3, revision=2, before={B: 1}), checks.numbers_are_unique),
    "a commit before what it followed": (_append(1, before={A: 1, B: 3}), checks.numbers_are_unique),
    "a commit that tells no former revision": (_append(0, before={}), checks.numbers_are_unique),
    "a condition that did not hold": (_append(1, named={A: 0}), checks.numbers_are_unique),
    "two that followed the same": (_append(3, before={B: 0}), checks.writes_follow_one_another),
    "a write that nobody made": (_append(3, before={B: 3}), checks.writes_follow_one_another),
    "a lower number after a higher one": (_append(1, start=6, end=7), checks.order_agrees_with_time),
    "a stale look": (
        _look(1, revisions={A: 1, B: 0}, values={A: ("x",), B: ()}),
        checks.looks_see_what_was_acknowledged,
    ),
    "a look into the future": (
        _look(0, start=0.1, end=0.2, revisions={A: 2, B: 2}),
        checks.looks_see_what_was_acknowledged,
    ),
    "a revision out of nowhere": (_look(2, revisions={A: 3, B: 4}), checks.looks_see_what_was_acknowledged),
    "a look that goes back": (_look(2, revisions={A: 1, B: 4}), checks.looks_never_go_back),
    "a lost value": (_look(2, values={A: ("x",), B: ("y", "z")}), checks.looks_show_exactly_their_moment),
    "a doubled value": (_look(2, values={A: ("x", "y", "y"), B: ("y", "z")}), checks.looks_show_exactly_their_moment),
    "values in another order": (
        _look(2, values={A: ("y", "x"), B: ("y", "z")}),
        checks.looks_show_exactly_their_moment,
    ),
    "two moments in one look": (_look(1, revisions={A: 1, B: 2}), checks.looks_never_mix_moments),
    "a refusal without a reason": (_append(2, named={A: 2}), checks.refusals_have_a_reason),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_what_is_wrong_is_found(name: str) -> None:
    change, check = MUTANTS[name]
    history = right()
    change(history)
    assert callable(check)
    assert list(check(history)), name
    assert violations(history)


def test_every_check_is_tried() -> None:
    assert {check for _, check in MUTANTS.values()} == set(checks.CHECKS)


def test_a_write_of_unknown_outcome_may_have_been_kept_or_not() -> None:
    history = right()
    history.appends[1] = replace(history.appends[1], ending=Ending.UNKNOWN, revision=0, before={})
    assert violations(history) == []
    history.looks.append(Look(start=6, end=7, revisions={A: 2, B: 4}, values={A: ("x", "y", "y"), B: ("y", "z")}))
    assert any("twice" in each for each in violations(history))


# ── the store ─────────────────────────────────────────────────────────────────────────────────────────────

psycopg = pytest.importorskip("psycopg")

from tests.postgres.stores import open_lent  # noqa: E402  it needs psycopg

from libravdb.adapters.postgres.store import PostgresStore  # noqa: E402
from libravdb.errors import Conflict, StoreError  # noqa: E402
from libravdb.model import Change, Key, Topic  # noqa: E402


class Client:
    """Appends to registers and looks at them, and writes down what it did."""

    def __init__(self, store: PostgresStore, name: str, history: History) -> None:
        self._store = store
        self._name = name
        self._history = history
        self._dice = random.Random(name)
        self.failure: BaseException | None = None

    def run(self, operations: int, together: threading.Barrier) -> None:
        """So many operations, beginning when all others do, and further ones until one was kept.

        Of clients who all write the same two records, how many get through at their first tries is up to the
        machine; that each of them gets through in the end is not.
        """
        try:
            together.wait(60)
            is_kept = False
            for number in itertools.count():
                if number >= operations and is_kept:
                    break
                look = self._look_again_and_again()
                chosen = self._dice.choice([(A,), (B,), (A, B), (A, B)])
                ending = self._append(f"{self._name}.{number}", chosen, look, is_conditional=self._dice.random() < 0.7)
                is_kept = is_kept or ending is Ending.KEPT
                self._look_again_and_again()
        except BaseException as failure:  # noqa: BLE001  told by the thread that waits for us
            self.failure = failure

    def _look_again_and_again(self) -> Look:
        """A read whose connection is cut is an error, and may be repeated."""
        for _ in range(20):
            try:
                return self._look()
            except StoreError:
                continue
        return self._look()

    def _look(self) -> Look:
        start = time.monotonic()
        with self._store.read() as read:
            held = read.records([Key(name, REGISTER) for name in (A, B)])
            told = read.revisions([Topic.collection(name) for name in (A, B)])
        values = {
            name: _values(held[Key(name, REGISTER)].text) if Key(name, REGISTER) in held else () for name in (A, B)
        }
        revisions = {name: told[Topic.collection(name)] for name in (A, B)}
        look = Look(start=start, end=time.monotonic(), revisions=revisions, values=values)
        self._history.looks.append(look)
        return look

    def _append(self, value: str, names: tuple[str, ...], look: Look, *, is_conditional: bool) -> Ending:
        changes: list[Change] = [
            put(name, REGISTER, " ".join((*look.values[name], value)), expect=len(look.values[name])) for name in names
        ]
        named = {name: look.revisions[name] for name in names}  # the same condition as the versions that we expect
        unless = {Topic.collection(name): revision for name, revision in named.items()} if is_conditional else {}
        start = time.monotonic()
        made = Append(start=start, end=start, value=value, collections=names, named=named)
        try:
            commit = self._store.commit(changes, unless=unless)
        except Conflict:
            made = replace(made, end=time.monotonic(), ending=Ending.REFUSED)
        except StoreError:
            made = replace(made, end=time.monotonic(), ending=Ending.UNKNOWN)
        else:
            before = {topic.name: revision for topic, revision in commit.before.items()}
            made = replace(made, end=time.monotonic(), revision=commit.revision, before=before)
        self._history.appends.append(made)
        return made.ending


def _values(text: str) -> tuple[str, ...]:
    return tuple(text.split())


@pytest.fixture
def stores() -> Iterator[list[PostgresStore]]:
    """Several on one database, each with connections and caches of its own, as several daemons have."""
    with closing(open_lent()) as first, ExitStack() as others:
        yield [first, *(others.enter_context(PostgresStore(first.url)) for _ in range(STORES - 1))]


def play(stores: list[PostgresStore], during: Callable[[], object] = lambda: None) -> History:
    history, together = History(), threading.Barrier(CLIENTS + 1)
    clients = [Client(stores[number % len(stores)], f"c{number}", history) for number in range(CLIENTS)]
    threads = [threading.Thread(target=client.run, args=(OPERATIONS, together)) for client in clients]
    for thread in threads:
        thread.start()
    together.wait(60)
    during()
    for thread in threads:
        thread.join()
    assert [client.failure for client in clients if client.failure] == []
    assert len(history.appends) >= CLIENTS * OPERATIONS
    assert len({one.value.split(".")[0] for one in history.kept(A) + history.kept(B)}) == CLIENTS
    return history


def test_commits_of_many_clients_of_several_stores_are_linearizable(stores: list[PostgresStore]) -> None:
    history = play(stores)
    assert violations(history) == []
    assert not [one for one in history.appends if one.ending is Ending.UNKNOWN]
    assert list(stores[0].maintenance.verify()) == []


def test_they_are_while_connections_are_cut(stores: list[PostgresStore]) -> None:
    from tests.postgres.server import shared_server  # noqa: PLC0415  only where there is one

    url: str = stores[0].url  # type: ignore[attr-defined]
    dice = random.Random(7)

    def cut() -> None:
        for _ in range(6):
            time.sleep(dice.uniform(0.02, 0.1))  # wherever they are then
            shared_server().sever_connections(url)

    history = play(stores, cut)
    assert violations(history) == []
    assert list(stores[0].maintenance.verify()) == []
