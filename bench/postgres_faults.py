"""Bad luck with PostgreSQL, on purpose: kills −9 of the server, of daemons and of writers, a full disk, a failover.

With `--only many` four daemons serve 32 clients of one namespace while one after the other is killed, and every answer
is checked against what was acknowledged (`bench/postgres_daemons.py`).

Each fault is played on a real server with durable settings while writers write, and counts what was acknowledged and is
not there afterwards, what is there twice, and what is there in part; then fsck looks at everything. Run as
`python bench/postgres_faults.py --kills 100`; it prints a table and leaves with 1 when anything was lost. A short form
is part of `make test-postgres`.

A write has three parts in one commit: a record of its own, a journal entry of its own, and an access counted at its
writer's record. The first shows what is lost, the second what is doubled, the third both.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))
from bench.daemon import Daemon, Wire
from bench.faults import NO_MODEL, Ledger, disk
from bench.postgres_daemons import DAEMONS, Fleet, play, said_more_or_less_than_once
from tests.postgres.server import NOBODY, Server, execute, missing_parts
from tests.postgres.set_history import violations

from libravdb.adapters.postgres.store import PostgresStore
from libravdb.engine.pages import every_record
from libravdb.errors import StoreError
from libravdb.model import Append, Change, Key, Put, Touch

WRITERS = 4
STORES = 2
LEDGER, NOTES = "ledger", "notes"


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What one kind of fault did."""

    name: str
    times: int = 0
    acknowledged: int = 0
    refused: int = 0
    unknown: int = 0
    lost: int = 0
    doubled: int = 0
    wrong: list[str] = field(default_factory=list)
    note: str = ""

    @property
    def is_right(self) -> bool:
        """True when every promise held."""
        return not self.lost and not self.doubled and not self.wrong

    def __str__(self) -> str:
        return (
            f"{self.name}: {self.times} times, {self.acknowledged:,} acknowledged, {self.refused} refused,"
            f" {self.unknown} unknown, {self.lost} lost, {self.doubled} doubled, wrong: {self.wrong[:3]} {self.note}"
        )


def write_of(writer: str, number: int) -> list[Change]:
    """One commit of a writer."""
    return [
        Put(collection=NOTES, id=f"{writer}.{number}", text=f"{writer} wrote {number}", at=number, terms=("wrote",)),
        Touch(collection=LEDGER, ids=(writer,)),
        Append(session=writer, at=number, entry={"writer": writer, "number": number}),
    ]


class Writers:
    """Threads that write as fast as they are answered, over several stores, and remember what they were told."""

    def __init__(self, url: str, *, prefix: str = "w", stops_at_refusal: bool = False) -> None:
        self._url = url
        self._stops_at_refusal = stops_at_refusal
        self._is_over = threading.Event()
        self.names = [f"{prefix}{number}" for number in range(WRITERS)]
        self.acknowledged: dict[str, set[int]] = {name: set() for name in self.names}
        self.refused: dict[str, set[int]] = {name: set() for name in self.names}
        self.unknown: dict[str, set[int]] = {name: set() for name in self.names}
        self.crashes: list[str] = []
        self.refusals: list[str] = []

    @contextmanager
    def writing(self) -> Iterator[None]:
        """They write for as long as the block lasts."""
        self._is_over.clear()
        with ExitStack() as opened:
            stores = [opened.enter_context(PostgresStore(self._url)) for _ in range(STORES)]
            stores[0].commit([Put(collection=LEDGER, id=name, text=name, at=0, terms=(name,)) for name in self.names])
            threads = [
                threading.Thread(target=self._write, args=(stores[place % STORES], name))
                for place, name in enumerate(self.names)
            ]
            for thread in threads:
                thread.start()
            try:
                yield
            finally:
                self._is_over.set()
                for thread in threads:
                    thread.join()

    def wait_for(self, more: int, *, seconds: float = 60) -> None:
        """Until so many more were acknowledged."""
        until, goal = time.monotonic() + seconds, self.count + more
        while self.count < goal and time.monotonic() < until and not self.crashes:
            time.sleep(0.001)

    @property
    def count(self) -> int:
        """How many were acknowledged."""
        return sum(map(len, self.acknowledged.values()))

    def _write(self, store: PostgresStore, name: str) -> None:
        number = max(self.acknowledged[name] | self.refused[name] | self.unknown[name], default=0)
        try:
            while not self._is_over.is_set():
                number += 1
                try:
                    store.commit(write_of(name, number))
                    self.acknowledged[name].add(number)
                except StoreError as refusal:
                    told = self.unknown if "is not known" in refusal.problem else self.refused
                    told[name].add(number)
                    self.refusals.append(type(refusal).__name__)
                    if self._stops_at_refusal:
                        return
        except BaseException as crash:  # noqa: BLE001 - told in the table; the thread ends either way
            self.crashes.append(repr(crash))

    def judge(self, outcome: Outcome) -> None:
        """Look at what is there."""
        outcome.acknowledged += self.count
        outcome.refused += sum(map(len, self.refused.values()))
        outcome.unknown += sum(map(len, self.unknown.values()))
        outcome.wrong += self.crashes
        with PostgresStore(self._url) as store:
            judge(store, self.acknowledged, outcome)
            refused = [Key(NOTES, f"{name}.{number}") for name in self.names for number in self.refused[name]]
            with store.read() as read:
                kept = read.records(refused)
        outcome.wrong += [f"refused and kept: {key.id}" for key in kept]


def judge(store: PostgresStore, acknowledged: dict[str, set[int]], outcome: Outcome) -> None:
    """Compare what was told with what is there."""
    with store.read() as read:
        held = {record.id: record for record in every_record(read, NOTES)}
        entries = Counter(f"{one.entry['writer']}.{one.entry['number']}" for one in read.journal())
        ledger = read.records([Key(LEDGER, name) for name in acknowledged])
    told = {f"{name}.{number}" for name, numbers in acknowledged.items() for number in numbers}
    outcome.lost += len(told - held.keys())
    outcome.doubled += sum(count > 1 for count in entries.values())
    outcome.doubled += sum(record.version > 1 for record in held.values())
    if entries.keys() != held.keys():
        outcome.wrong.append(f"torn: {sorted(entries.keys() ^ held.keys())[:3]}")
    for name in acknowledged:
        counted = ledger[Key(LEDGER, name)].access_count if Key(LEDGER, name) in ledger else 0
        there = sum(id.startswith(f"{name}.") for id in held)
        if counted != there:
            outcome.wrong.append(f"{name} counted {counted} writes, and {there} are there")
    outcome.wrong += [f"fsck: {finding}" for finding in store.maintenance.verify()]


@contextmanager
def durable() -> Iterator[Server]:
    """A server that keeps what it promised."""
    server = Server(is_durable=True)
    try:
        yield server
    finally:
        server.close()


# ── faults ────────────────────────────────────────────────────────────────────────────────────────────────


def kill_server(times: int, console: Console) -> Outcome:
    """All processes of the server die at a random moment; writers go on when it is back."""
    outcome, dice = Outcome(name="kill −9 of the server", times=times), random.Random(1)
    with durable() as server:
        writers = Writers(server.create_database())
        with writers.writing():
            for _ in track(range(times), description="Killing the server", console=console):
                writers.wait_for(dice.randint(5, 60))
                time.sleep(dice.uniform(0, 0.02))
                server.kill()
                server.start()
        writers.judge(outcome)
    return outcome


def sever_backends(times: int, console: Console) -> Outcome:
    """The server ends every connection at a random moment."""
    outcome, dice = Outcome(name="all connections ended", times=times), random.Random(2)
    with durable() as server:
        url = server.create_database()
        writers = Writers(url)
        with writers.writing():
            for _ in track(range(times), description="Ending connections", console=console):
                writers.wait_for(dice.randint(5, 60))
                server.sever_connections(url)
        writers.judge(outcome)
    return outcome


def kill_writers(times: int, console: Console) -> Outcome:
    """A process that writes dies at a random moment, while another one goes on."""
    outcome, dice = Outcome(name="kill −9 of a writing process", times=times), random.Random(3)
    with durable() as server:
        url = server.create_database()
        acknowledged: dict[str, set[int]] = {}
        beside = Writers(url, prefix="beside-")
        with beside.writing():
            for round in track(range(times), description="Killing writers", console=console):
                acknowledged |= _run_and_kill(url, round, after=dice.randint(1, 60), seconds=dice.uniform(0, 0.02))
        outcome.acknowledged = sum(map(len, acknowledged.values())) + beside.count
        outcome.wrong += beside.crashes
        with PostgresStore(url) as store:
            judge(store, acknowledged | beside.acknowledged, outcome)
    return outcome


def _run_and_kill(url: str, round: int, *, after: int, seconds: float) -> dict[str, set[int]]:
    """Start a process that writes, kill it when it has told of so many and lived a moment longer; what it told."""
    command = [sys.executable, __file__, "--write", url, "--name", f"r{round}-"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None  # noqa: S101 - a pipe was asked for
    told: dict[str, set[int]] = {}
    with process.stdout as lines:
        for place, line in enumerate(lines):
            if place == after:
                time.sleep(seconds)
                os.kill(process.pid, signal.SIGKILL)
            name, _, number = line.strip().rpartition(" ")
            if line.endswith("\n"):
                told.setdefault(name, set()).add(int(number))
    process.wait()
    return told


def write_for_ever(url: str, prefix: str) -> None:
    """The process that is killed: tells of each commit when it has returned."""
    store = PostgresStore(url)
    names = [f"{prefix}{number}" for number in range(WRITERS)]
    store.commit([Put(collection=LEDGER, id=name, text=name, at=0, terms=(name,)) for name in names])

    def run(name: str) -> None:
        number = 0
        while True:
            number += 1
            store.commit(write_of(name, number))
            os.write(1, f"{name} {number}\n".encode())

    for name in names:
        threading.Thread(target=run, args=(name,)).start()


def kill_daemons(times: int, console: Console) -> Outcome:
    """Two daemons on one database die at a random moment; two others take their place."""
    outcome, dice = Outcome(name="kill −9 of a daemon", times=times), random.Random(4)
    with durable() as server, tempfile.TemporaryDirectory(prefix="libravdb-kill-") as folder:
        settings = NO_MODEL | {"LIBRAVDB_STORE_URL": server.create_database()}
        homes = [Path(folder) / name for name in ("a", "b")]
        for home in homes:
            home.mkdir()
        ledgers = [Ledger("a"), Ledger("b")]
        for _ in track(range(times), description="Killing daemons", console=console):
            daemons = [Daemon(home, **settings) for home in homes]
            with ledgers[0].writing(daemons[0].path), ledgers[1].writing(daemons[1].path):
                goal, until = sum(map(len, ledgers)) + dice.randint(4, 60), time.monotonic() + 8
                while sum(map(len, ledgers)) < goal and time.monotonic() < until:
                    time.sleep(0.005)
                for daemon in daemons:
                    daemon.process.kill()
                    daemon.process.wait()
            for daemon in daemons:
                _release(daemon)
        daemon = Daemon(homes[0], **settings)
        wire = Wire(daemon.path)
        outcome.lost = sum(ledger.lost(wire) for ledger in ledgers)  # what is there twice counts as lost
        outcome.acknowledged = sum(map(len, ledgers))
        daemon.stop()
        with PostgresStore(settings["LIBRAVDB_STORE_URL"]) as store:
            outcome.wrong += [f"fsck: {finding}" for finding in store.maintenance.verify()]
    if not outcome.acknowledged:
        outcome.wrong.append("no daemon took a write")
    return outcome


def many_daemons(times: int, console: Console) -> Outcome:
    """Four daemons and 32 clients on one namespace; one daemon after the other dies and comes back."""
    outcome, dice = Outcome(name="many daemons, one killed", times=times), random.Random(6)
    with durable() as server, tempfile.TemporaryDirectory(prefix="lv-many-") as folder:
        url = server.create_database()
        fleet = Fleet(url, Path(folder))

        def kill() -> None:
            for _ in track(range(times), description="Killing one of many daemons", console=console):
                time.sleep(dice.uniform(0, 1))
                fleet.kill(dice.randrange(DAEMONS))

        histories, clients = play(fleet, rounds=1, during=kill)
        outcome.lost = len(said_more_or_less_than_once(clients, fleet.addresses[0]))
        fleet.close()
        steps = [step for history in histories.values() for step in history.steps]
        outcome.acknowledged = sum(step.is_known for step in steps)
        outcome.unknown = len(steps) - outcome.acknowledged
        outcome.wrong += [repr(client.failure) for client in clients if client.failure]
        outcome.wrong += [each for history in histories.values() for each in violations(history)]
        with PostgresStore(url) as store:
            outcome.wrong += [f"fsck: {finding}" for finding in store.maintenance.verify()]
    outcome.note = f"{sum(len(history.looks) for history in histories.values()):,} answers looked at"
    return outcome


def _release(daemon: Daemon) -> None:
    if daemon.process.stdout is not None:
        daemon.process.stdout.close()


def full_disk(times: int, console: Console) -> Outcome:
    """The disk of the tables fills up under the writers: refused, nothing lost; with room again all goes on."""
    outcome = Outcome(name="full disk", times=times)
    with durable() as server:
        for round in track(range(times), description="Filling a disk", console=console):
            with disk(40) as folder:
                if folder is None:
                    outcome.note, outcome.times = "not run: mounting a small disk needs root", 0
                    return outcome
                _fill_and_free(server, folder, f"small_{round}", outcome)
    return outcome


def _fill_and_free(server: Server, folder: Path, name: str, outcome: Outcome) -> None:
    place = folder / "tables"
    place.mkdir()
    folder.chmod(0o755)
    os.chown(place, NOBODY, NOBODY)
    execute(server.url(), f"CREATE TABLESPACE {name} LOCATION '{place}'")
    url = server.create_database()
    database = url.partition("?")[0].rpartition("/")[2]
    execute(server.url(), f'ALTER DATABASE "{database}" SET TABLESPACE {name}')
    writers = Writers(url, stops_at_refusal=True)
    with writers.writing():
        writers.wait_for(20)
        ballast = folder / "ballast"
        _fill_up(ballast)
        until = time.monotonic() + 60
        while len(writers.refusals) < WRITERS and time.monotonic() < until and not writers.crashes:
            time.sleep(0.05)
    if set(writers.refusals) != {"StoreFull"}:
        outcome.wrong.append(f"on a full disk: {Counter(writers.refusals)}")
    ballast.unlink()
    with writers.writing():
        writers.wait_for(20)
    writers.judge(outcome)
    server.drop_database(url)
    execute(server.url(), f"DROP TABLESPACE {name}")


def _fill_up(file: Path) -> None:
    """Take all the space there is."""
    with file.open("ab", buffering=0) as out:
        for size in (65_536, 4_096):
            try:
                while True:
                    out.write(b"x" * size)
            except OSError:
                continue


def failover(times: int, console: Console) -> Outcome:
    """The server dies under its writers, and a base copy that was taken while they wrote takes its place at the same
    address; it replays the log."""
    outcome, dice = Outcome(name="failover to a restored copy", times=times), random.Random(5)
    with durable() as server:
        writers = Writers(server.create_database())
        with writers.writing():
            for _ in track(range(times), description="Failing over", console=console):
                server.copy_files()
                writers.wait_for(dice.randint(5, 60))
                time.sleep(dice.uniform(0, 0.02))
                server.fail_over()
        writers.judge(outcome)
    return outcome


def statement_timeout(times: int, console: Console) -> Outcome:
    """Somebody holds what the writers need for longer than a statement may take: refused, and nothing of it kept."""
    outcome, dice = Outcome(name="statement timeout", times=times), random.Random(6)
    with durable() as server:
        url = server.create_database()
        writers = Writers(f"{url}&options=-cstatement_timeout%3D1000")
        with writers.writing():
            for _ in track(range(times), description="Holding locks", console=console):
                writers.wait_for(dice.randint(5, 60))
                before = len(writers.refusals)
                with psycopg.connect(url) as holder:
                    holder.execute("SELECT FROM libravdb.topics WHERE kind = 1 FOR UPDATE")
                    until = time.monotonic() + 20
                    while len(writers.refusals) < before + WRITERS and time.monotonic() < until:
                        time.sleep(0.01)
        writers.judge(outcome)
    if outcome.refused < times * WRITERS:
        outcome.wrong.append(f"only {outcome.refused} were refused")
    return outcome


CAMPAIGN: dict[str, Callable[[int, Console], Outcome]] = {
    "server": kill_server,
    "connections": sever_backends,
    "writers": kill_writers,
    "daemons": kill_daemons,
    "many": many_daemons,
    "disk": full_disk,
    "failover": failover,
    "timeout": statement_timeout,
}


def table_of(outcomes: list[Outcome]) -> Table:
    """All of it at a glance."""
    table = Table("fault", "times", "acknowledged", "refused", "unknown", "lost", "doubled", "wrong", "note")
    for one in outcomes:
        numbers: list[Any] = [one.times, one.acknowledged, one.refused, one.unknown, one.lost, one.doubled]
        table.add_row(one.name, *(f"{number:,}" for number in numbers), "; ".join(one.wrong[:3]) or "–", one.note)
    return table


def main() -> None:
    """Play all faults, or some."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=100, help="rounds of each kind of kill")
    parser.add_argument("--others", type=int, default=10, help="rounds of each of the other faults")
    parser.add_argument("--only", choices=CAMPAIGN, action="append", help="this fault alone; may be repeated")
    parser.add_argument("--write", help=argparse.SUPPRESS)
    parser.add_argument("--name", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.write:
        write_for_ever(options.write, options.name)
        return
    console = Console()
    if missing := missing_parts():
        console.print(missing)
        sys.exit(1)
    outcomes = []
    for name in options.only or CAMPAIGN:
        times = options.others if name in {"disk", "failover", "timeout", "many"} else options.kills
        outcomes.append(CAMPAIGN[name](times, console))
        console.print(str(outcomes[-1]))
    console.print(table_of(outcomes))
    sys.exit(not all(outcome.is_right for outcome in outcomes))


if __name__ == "__main__":
    main()
