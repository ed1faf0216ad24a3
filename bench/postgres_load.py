"""A day of many tenants, compressed: daemons over one PostgreSQL, and how many tenants each of the two holds.

`python bench/postgres_load.py [--tenants 1000] [--minutes 10] [--daemons 2]` starts the server and the daemons itself,
prints tables and writes bench/results/postgres_load.json. Conversations begin along the curve of a day; in each
somebody speaks, thinks and speaks again, every time through any of the daemons. Every answer is searched for marks of
other tenants, every prompt for what was said last: one found there, one missing here, or one error fails the run.
"""

from __future__ import annotations

import argparse
import heapq
import http.client
import itertools
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console

sys.path.insert(0, str(Path(__file__).parents[1]))
from bench.figures import Figure, Row, Table, save, single, summary
from bench.table import put_into_page, show
from tests.postgres.server import Server, missing_parts

from libravdb.daemon.rights import checked_rights
from libravdb.daemon.tokens import create_token
from libravdb.wire.methods.access import AccessRole

RESULTS = Path(__file__).parent / "results" / "postgres_load.json"
THINGS = "boat ladder garden window harbour lantern violin kettle bridge orchard".split()

DAY = 86_400.0
NIGHT_SHARE = 0.1
"""How many conversations begin at the quietest hour, beside the busiest."""

BUSIEST_HOUR = 15.0
CONVERSATIONS = 1.0
"""Of one tenant in a day, on average: many do not come every day."""

TURNS = 6.0
"""Of one conversation, on average: a prompt, then what was said and answered."""

THINK_SECONDS = 40.0
SEARCH_SHARE = 0.3
"""How many turns also search by a tool."""

IDLE_SECONDS = 10.0
"""After which a client opens another connection: daemons close those that nobody uses."""

FULL = 0.6
"""How much of its CPU a daemon or a server should use in the busiest hour."""


# ── the day ───────────────────────────────────────────────────────────────────────────────────────────────


def busyness(hour: float) -> float:
    """How busy an hour is beside the busiest: (1 + cos)/2 between the share of the night and 1."""
    wave = (1 + math.cos((hour - BUSIEST_HOUR) / 24 * 2 * math.pi)) / 2
    return NIGHT_SHARE + (1 - NIGHT_SHARE) * wave


PEAK = 1 / (sum(busyness(minute / 60) for minute in range(1440)) / 1440)
"""The busiest hour beside the average one."""


def arrival(rng: random.Random) -> float:
    """When a conversation begins, in seconds of the day: drawn along the curve, by rejection."""
    while True:
        hour = rng.uniform(0, 24)
        if rng.random() < busyness(hour):
            return hour * 3600


@dataclass(slots=True)
class Conversation:
    """One session of one tenant: what is left to do in it, and what was said last."""

    tenant: int
    name: str
    turns: int
    rng: random.Random
    said: str = ""
    waiting: list[str] = field(default_factory=list)


def conversations(tenants: int, *, a_day: float = CONVERSATIONS, seed: int = 1) -> Iterator[tuple[float, Conversation]]:
    """The conversations of a day with the moment at which each begins."""
    rng = random.Random(seed)
    for tenant in range(tenants):
        for number in range(_poisson(rng, a_day)):
            turns = 1 + int(rng.expovariate(1 / (TURNS - 0.5)))
            own = random.Random(rng.random())
            yield arrival(rng), Conversation(tenant=tenant, name=f"tenant-{tenant}/{number}", turns=turns, rng=own)


def _poisson(rng: random.Random, mean: float) -> int:
    limit, product, count = math.exp(-mean), rng.random(), 0
    while product > limit:
        product *= rng.random()
        count += 1
    return count


# ── calls ─────────────────────────────────────────────────────────────────────────────────────────────────


def mark(tenant: int) -> str:
    """A word that stands in all that is a tenant's, and in nothing else."""
    return f"mark{tenant:06}end"


MARKS = re.compile(r"mark\d{6}end")


@dataclass(frozen=True, slots=True, kw_only=True)
class RestCall:
    """One call of a tenant."""

    kind: str
    path: str
    body: dict[str, Any]


def next_call(talk: Conversation, numbers: Iterator[int]) -> RestCall:
    """What comes next in a conversation: a prompt, perhaps a search, then the turn itself."""
    if not talk.waiting:
        talk.waiting = ["prompt", *(["search"] if talk.rng.random() < SEARCH_SHARE else []), "turn"]
    kind, thing = talk.waiting.pop(0), talk.rng.choice(THINGS)
    base = f"/v1/tenant-{talk.tenant}"
    question = f"where is the {thing}?"
    if kind == "prompt":
        body: dict[str, Any] = {"sessionId": talk.name, "prompt": question, "tokenBudget": 1500}
        return RestCall(kind=kind, path=f"{base}/context", body=body)
    if kind == "search":
        return RestCall(kind=kind, path=f"{base}/search", body={"question": question, "k": 5})
    said = f"code{next(numbers)}x"
    talk.said = said
    messages = [
        {"role": "user", "content": f"{mark(talk.tenant)} keeps the {thing} {said} near the {talk.rng.choice(THINGS)}"},
        {"role": "assistant", "content": f"Noted: the {thing} of {mark(talk.tenant)} has a new place."},
    ]
    return RestCall(kind=kind, path=f"{base}/turns", body={"sessionId": talk.name, "messages": messages})


@dataclass(slots=True)
class Tally:
    """What a day has seen."""

    spans: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    late: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)

    @property
    def calls(self) -> int:
        """How many were answered."""
        return sum(map(len, self.spans.values()))


class Lines:
    """The connections of one thread, one to each daemon."""

    def __init__(self, addresses: Sequence[str], tokens: Sequence[str]) -> None:
        self._addresses = addresses
        self._tokens = tokens
        self._open: dict[str, http.client.HTTPConnection] = {}
        self._used: dict[str, float] = {}

    def send(self, talk: Conversation, call: RestCall) -> str:
        """The answer of any daemon."""
        address = talk.rng.choice(self._addresses)
        if time.monotonic() - self._used.get(address, 0.0) > IDLE_SECONDS and address in self._open:
            self._open.pop(address).close()
        connection = self._open.setdefault(address, http.client.HTTPConnection(address, timeout=60))
        headers = {"Authorization": f"Bearer {self._tokens[talk.tenant]}", "Content-Type": "application/json"}
        try:
            connection.request("POST", call.path, json.dumps(call.body).encode(), headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            self._used[address] = time.monotonic()
        except (OSError, http.client.HTTPException):
            self._open.pop(address).close()
            raise
        if answer.status not in (200, 201):
            raise RuntimeError(f"{answer.status} {text[:200]}")
        return text

    def close(self) -> None:
        """Close all of them."""
        for connection in self._open.values():
            connection.close()


class Agenda:
    """What is due when, for any number of threads; it is over when nothing is left and nobody works."""

    def __init__(self, entries: Iterator[tuple[float, Conversation]]) -> None:
        self._order = itertools.count()
        self._heap = [(due, next(self._order), talk) for due, talk in entries]
        heapq.heapify(self._heap)
        self._under_way = 0
        self._changed = threading.Condition()

    def take(self) -> tuple[float, Conversation] | None:
        """The next conversation, once it is due; None when the day is over."""
        with self._changed:
            while True:
                pause = self._heap[0][0] - time.monotonic() if self._heap else None
                if pause is not None and pause <= 0:
                    due, _, talk = heapq.heappop(self._heap)
                    self._under_way += 1
                    return due, talk
                if pause is None and not self._under_way:
                    self._changed.notify_all()
                    return None
                self._changed.wait(pause)

    def give_back(self, talk: Conversation, due: float | None) -> None:
        """Go on with a conversation later, or never."""
        with self._changed:
            self._under_way -= 1
            if due is not None:
                heapq.heappush(self._heap, (due, next(self._order), talk))
            self._changed.notify_all()


def live(agenda: Agenda, lines: Lines, tally: Tally, *, factor: float, numbers: Iterator[int]) -> None:
    """Work at the agenda until the day is over."""
    while (entry := agenda.take()) is not None:
        due, talk = entry
        tally.late.append((time.monotonic() - due) * 1000)
        before = talk.said
        call = next_call(talk, numbers)
        began = time.perf_counter()
        try:
            told = lines.send(talk, call)
        except (OSError, RuntimeError, http.client.HTTPException, ValueError) as error:
            tally.errors.append(f"{call.kind}: {type(error).__name__}: {error}")
            agenda.give_back(talk, None)
            continue
        tally.spans[call.kind].append((time.perf_counter() - began) * 1000)
        tally.foreign += [found for found in MARKS.findall(told) if found != mark(talk.tenant)]
        if call.kind == "prompt" and before and before not in told:
            tally.stale.append(f"{talk.name}: {before} was said and is not in the prompt")
        if call.kind == "turn":
            talk.turns -= 1
        think = talk.rng.expovariate(1 / THINK_SECONDS) / factor if call.kind == "turn" else 0.0
        agenda.give_back(talk, time.monotonic() + think if talk.turns else None)
    lines.close()


# ── what serves them ──────────────────────────────────────────────────────────────────────────────────────


def cpu_of(pid: int, *, is_with_ended: bool = False) -> float:
    """CPU seconds of a process so far; with those of its children that have ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11 : 15 if is_with_ended else 13])) / os.sysconf("SC_CLK_TCK")


def server_cpu(server: Server) -> float:
    """CPU seconds of the server: its first process, those it has started, and those that have ended."""
    first = int((server.folder / "data" / "postmaster.pid").read_text(encoding="utf-8").split("\n", 1)[0])
    children = Path(f"/proc/{first}/task/{first}/children").read_text(encoding="ascii").split()
    return cpu_of(first, is_with_ended=True) + sum(cpu_of(int(pid)) for pid in children)


@contextmanager
def running_daemon(home: Path, url: str, tokens: Path) -> Iterator[tuple[int, str]]:
    """A daemon over the database; its process and its address."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("LIBRAVDB_")}
    told = {"HOME": str(home), "LIBRAVDB_STORE_URL": url, "LIBRAVDB_DAEMON_TOKENS_FILE": str(tokens)}
    process = subprocess.Popen(
        [sys.executable, "-m", "libravdb.daemon", "--http", "127.0.0.1:0"],
        env=environment | told,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None  # noqa: S101 - a pipe was asked for
        process.stdout.readline()
        address = process.stdout.readline().strip().removeprefix("http://")
        if not address:
            raise RuntimeError("the daemon did not start: run libravdbd with the same settings to see why")
        yield process.pid, address
    finally:
        process.terminate()
        process.communicate(timeout=60)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What a day took: CPU seconds of daemons and server, seconds by the clock, bytes by which the tables grew."""

    daemons: float
    server: float
    seconds: float
    bytes: int


def spend_day(options: argparse.Namespace) -> tuple[Tally, Spent]:
    """Start everything, let the day pass, stop everything."""
    tally, factor = Tally(), DAY / (options.minutes * 60)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="lv-bench-")))
        server = Server(is_durable=True)
        stack.callback(server.close)
        url = server.create_database()
        file = folder / "tokens"
        tokens = [
            create_token(file, checked_rights(f"t{one}", AccessRole.WRITE, [f"tenant-{one}"]), now=0)
            for one in range(options.tenants)
        ]
        daemons = []
        for number in range(options.daemons):
            home = folder / str(number)
            home.mkdir()
            daemons.append(stack.enter_context(running_daemon(home, url, file)))
        addresses = [address for _, address in daemons]
        for address in addresses:  # loads the model
            Lines([address], tokens).send(
                Conversation(tenant=0, name="tenant-0/warm", turns=1, rng=random.Random(0)),
                RestCall(kind="search", path="/v1/tenant-0/search", body={"question": "warm up"}),
            )

        def cpu() -> tuple[float, float]:
            return sum(cpu_of(pid) for pid, _ in daemons), server_cpu(server)

        empty, before, began = _bytes(url), cpu(), time.monotonic()
        agenda = Agenda(
            (began + due / factor, talk) for due, talk in conversations(options.tenants, a_day=options.conversations)
        )
        numbers = itertools.count()
        threads = [
            threading.Thread(
                target=live,
                args=(agenda, Lines(addresses, tokens), tally),
                kwargs={"factor": factor, "numbers": numbers},
            )
            for _ in range(options.clients)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seconds, after = time.monotonic() - began, cpu()
        size = _bytes(url) - empty
    spent = Spent(daemons=after[0] - before[0], server=after[1] - before[1], seconds=seconds, bytes=size)
    return tally, spent


def _bytes(url: str) -> int:
    from tests.postgres.server import execute  # noqa: PLC0415 - needs the driver

    ((size,),) = execute(
        url,
        "SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class"
        " WHERE relnamespace = 'libravdb'::regnamespace AND relkind = 'r'",
    )
    return int(size)


# ── what it says ──────────────────────────────────────────────────────────────────────────────────────────


def tables(tally: Tally, spent: Spent, options: argparse.Namespace) -> list[Table]:
    """What was measured, and what follows from it."""
    rows = [
        Row(label=kind, cells={"calls": single(len(spans), "", n=len(spans)), "latency": summary(spans, "ms")})
        for kind, spans in sorted(tally.spans.items())
    ]
    calls = max(tally.calls, 1)
    turns = max(len(tally.spans["turn"]), 1)
    cells: dict[str, Figure | str] = {
        "calls": single(tally.calls, "", n=tally.calls),
        "late": summary(tally.late or [0.0], "ms"),
        "errors": single(len(tally.errors), "", target=0),
        "of another tenant": single(len(tally.foreign), "", target=0),
        "stale prompts": single(len(tally.stale), "", target=0),
        "CPU of daemons a call": single(spent.daemons / calls * 1000, "ms"),
        "CPU of the server a call": single(spent.server / calls * 1000, "ms"),
        "tables a turn": single(spent.bytes / turns / 1000, "kB"),
    }
    rows.append(Row(label="all", cells=cells))
    notes = [
        (
            f"{options.tenants:,} tenants, {options.conversations:g} conversations a day of {TURNS:g} turns each,"
            f" {THINK_SECONDS:g} s of thought between two; a day in {spent.seconds / 60:.1f} minutes,"
            f" {options.daemons} daemons."
        ),
        (
            "Clients, daemons and server share the machine. Late: behind the moment at which a call was due."
            " Of few tenants the tables count half-empty pages."
        ),
    ]
    title = "A day of many tenants over PostgreSQL"
    day = Table(name="postgres-day", title=title, rows=rows, notes=notes)
    return [day] if tally.errors else [day, holding(tally, spent, options)]  # of failed calls nothing follows


def holding(tally: Tally, spent: Spent, options: argparse.Namespace) -> Table:
    """How many tenants a daemon and a database hold, and what a million need; from the CPU of a call."""
    calls = max(tally.calls, 1)
    of_tenant = calls / options.tenants / DAY * PEAK
    daemon, core = (FULL / (of_tenant * max(cpu / calls, 1e-9)) for cpu in (spent.daemons, spent.server))
    commits = len(tally.spans["turn"]) / options.tenants / DAY * PEAK
    million = 1_000_000
    rows = [
        Row(label="one daemon (one core)", cells={"tenants": single(daemon, "")}),
        Row(label="one core of the database", cells={"tenants": single(core, "")}),
        Row(
            label="a million tenants",
            cells={
                "daemons": single(million / daemon, ""),
                "cores of the database": single(million / core, ""),
                "calls a second": single(million * of_tenant, "/s"),
                "turns a second": single(million * commits, "/s"),
                "tables after a year": single(spent.bytes / options.tenants * 365 * million / 1e12, "TB"),
            },
        ),
    ]
    notes = [
        (
            f"A tenant makes {calls / options.tenants:.1f} calls a day; in the busiest hour {PEAK:.2f} times the"
            f" average, which is {of_tenant:.5f} a second."
        ),
        f"tenants = {FULL:g} / (calls a second of a tenant × CPU seconds of a call): {FULL:.0%} in the busiest hour.",
        (
            "A daemon counts as one core: its work in Python is done by one thread at a time. CPU alone is reckoned:"
            " memory for codes, the disk and one database's commits a second are limits of their own; namespaces grow."
        ),
    ]
    return Table(name="postgres-holding", title="How many tenants they hold", rows=rows, notes=notes)


def main() -> None:
    """Measure, print, save."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tenants", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=10.0, help="that the day takes")
    parser.add_argument("--conversations", type=float, default=CONVERSATIONS, help="of a tenant in the day, on average")
    parser.add_argument("--daemons", type=int, default=2)
    parser.add_argument("--clients", type=int, default=32, help="calls under way at most")
    parser.add_argument("--docs", action="store_true", help="put the kept tables into docs/internals/benchmarks.md")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the file of results")
    options = parser.parse_args()
    if options.docs:
        put_into_page("postgres_load", options.out)
        return
    if missing := missing_parts():
        sys.exit(missing)
    tally, spent = spend_day(options)
    shown = tables(tally, spent, options)
    for table in shown:
        show(table, Console(width=max(Console().width, 160)))
    save(shown, options.out, is_quick=options.tenants < 1000)
    wrong = [*tally.errors, *tally.foreign, *tally.stale]
    if wrong:
        print(*wrong[:20], sep="\n")
        sys.exit(1)


if __name__ == "__main__":
    main()
