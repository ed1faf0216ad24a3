"""The HTTP door under load: many clients of many tenants at once, and the same load over the unix socket beside it.

`python bench/http_load.py [--minutes 10] [--clients 200] [--tenants 20] [--rate 40]` prints a table and writes
bench/results/http.json. Every answer is searched for marks of other tenants; one found, or one error, fails the run.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from rich.console import Console

sys.path.insert(0, str(Path(__file__).parents[1]))
from bench.daemon import Wire
from bench.figures import Figure, Row, Table, save, single, summary
from bench.table import put_into_page, show

from libravdb.daemon.rights import checked_rights
from libravdb.daemon.tokens import create_token
from libravdb.wire.methods.access import AccessRole

RESULTS = Path(__file__).parent / "results" / "http.json"
THINGS = "boat ladder garden window harbour lantern violin kettle bridge orchard".split()


def mark(tenant: int) -> str:
    """A word that stands in all that is a tenant's, and in nothing else."""
    return f"mark{tenant:03}end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One call, as REST and as a method of the wire."""

    verb: str
    path: str
    body: dict[str, Any]
    method: str
    params: dict[str, Any]


def draw(rng: random.Random, tenant: int, number: int) -> Ask:
    """A call of a tenant: mostly questions, some memories and turns."""
    name, thing = f"tenant-{tenant}", rng.choice(THINGS)
    said = f"{mark(tenant)} keeps the {thing} number {number} near the {rng.choice(THINGS)}"
    kind = rng.random()
    if kind < 0.45:
        body: dict[str, Any] = {"question": f"where is the {thing}?", "k": 5}
        return Ask(
            verb="POST", path=f"/v1/{name}/search", body=body, method="search", params=body | {"namespace": name}
        )
    if kind < 0.65:
        body = {"sessionId": f"{name} now", "prompt": f"where is the {thing}?", "tokenBudget": 600}
        return Ask(
            verb="POST", path=f"/v1/{name}/context", body=body, method="assemble", params=body | {"namespace": name}
        )
    if kind < 0.85:
        note = {"text": said, "collection": f"user:{name}"}
        return Ask(
            verb="POST", path=f"/v1/{name}/memories", body={"text": said}, method="remember", params={"notes": [note]}
        )
    body = {"sessionId": f"{name} {number % 7}", "messages": [{"role": "user", "content": said}]}
    return Ask(
        verb="POST", path=f"/v1/{name}/turns", body=body, method="ingest_batch", params=body | {"namespace": name}
    )


class Line(Protocol):
    """Carries calls to the daemon; gives the text of the answer."""

    def send(self, ask: Ask) -> str: ...


class RestLine:
    """Over HTTP, on one connection that is kept."""

    def __init__(self, address: str, token: str) -> None:
        self._connection = http.client.HTTPConnection(address, timeout=60)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def send(self, ask: Ask) -> str:
        self._connection.request(ask.verb, ask.path, json.dumps(ask.body).encode(), self._headers)
        answer = self._connection.getresponse()
        text = answer.read().decode()
        if answer.status not in (200, 201):
            raise RuntimeError(f"{answer.status} {text[:200]}")
        return text


class SocketLine:
    """Over the unix socket."""

    def __init__(self, path: str) -> None:
        self._wire = Wire(path)

    def send(self, ask: Ask) -> str:
        return json.dumps(self._wire.ask(ask.method, ask.params))


@dataclass(slots=True)
class Load:
    """What a phase has seen."""

    spans: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    cpu_seconds: float = 0.0
    seconds: float = 0.0

    def row(self, label: str) -> Row:
        cells: dict[str, Figure | str] = {
            "calls": single(len(self.spans), "", n=len(self.spans)),
            "errors": single(len(self.errors), "", target=0),
            "of another tenant": single(len(self.foreign), "", target=0),
            "latency": summary(self.spans, "ms"),
            "CPU a call": single(self.cpu_seconds / max(len(self.spans), 1) * 1000, "ms"),
            "CPU": single(self.cpu_seconds / max(self.seconds, 1e-9) * 100, "%"),
        }
        return Row(label=label, cells=cells)


def press(
    connect: Callable[[int], Line], *, clients: int, tenants: int, seconds: float, rate: float, cpu: Callable[[], float]
) -> Load:
    """Let all clients ask for a while, each at its own pace, so that together they make `rate` calls a second."""
    load, pause = Load(), clients / rate
    marks = {mark(tenant) for tenant in range(tenants)}
    start = threading.Barrier(clients + 1)
    until = [0.0]

    def live(client: int) -> None:
        rng, tenant = random.Random(client), client % tenants
        line = connect(tenant)
        others = marks - {mark(tenant)}
        start.wait()
        time.sleep(rng.random() * pause)
        number = client * 1_000_000
        while time.monotonic() < until[0]:
            number += 1
            began = time.perf_counter()
            try:
                told = line.send(draw(rng, tenant, number))
            except (OSError, RuntimeError, http.client.HTTPException, ValueError) as error:
                load.errors.append(f"{type(error).__name__}: {error}")
                line = connect(tenant)
                continue
            load.spans.append((time.perf_counter() - began) * 1000)
            load.foreign.extend(other for other in others if other in told)
            time.sleep(max(0.0, rng.expovariate(1 / pause)))

    threads = [threading.Thread(target=live, args=(client,)) for client in range(clients)]
    for thread in threads:
        thread.start()
    before, began = cpu(), time.monotonic()
    until[0] = began + seconds
    start.wait()
    time.sleep(seconds)
    load.seconds, load.cpu_seconds = time.monotonic() - began, cpu() - before
    for thread in threads:
        thread.join()
    return load


class Daemon:
    """A running `libravdbd` with HTTP beside its socket, and a token for each tenant."""

    def __init__(self, home: Path, tenants: int) -> None:
        store = home / ".clawdb" / "data.libravdb"
        file = store.with_name(store.name + ".tokens")
        self.tokens = [
            create_token(file, checked_rights(f"t{one}", AccessRole.WRITE, [f"tenant-{one}"]), now=0)
            for one in range(tenants)
        ]
        environment = {key: value for key, value in os.environ.items() if not key.startswith("LIBRAVDB_")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "libravdb.daemon", "--http", "127.0.0.1:0"],
            env=environment | {"HOME": str(home)},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None  # noqa: S101 - a pipe was asked for
        self.path = self.process.stdout.readline().strip().removeprefix("unix:")
        self.address = self.process.stdout.readline().strip().removeprefix("http://")

    def cpu_seconds(self) -> float:
        """CPU time the process has used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        """Stop it as a service manager would."""
        self.process.terminate()
        self.process.wait(60)
        if self.process.stdout is not None:
            self.process.stdout.close()


def main() -> None:
    """Measure, print, save."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--minutes", type=float, default=10.0, help="of load over HTTP; the socket gets a tenth of it before and after"
    )
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--tenants", type=int, default=20)
    parser.add_argument("--rate", type=float, default=40.0, help="calls a second, of all clients together")
    parser.add_argument("--docs", action="store_true", help="put the kept table into docs/internals/benchmarks.md")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the file of results")
    options = parser.parse_args()
    if options.docs:
        put_into_page("http", options.out, file="http_load")
        return
    with tempfile.TemporaryDirectory(prefix="libravdb-bench-") as home:
        daemon = Daemon(Path(home), options.tenants)
        shape = {
            "clients": options.clients,
            "tenants": options.tenants,
            "rate": options.rate,
            "cpu": daemon.cpu_seconds,
        }
        try:
            RestLine(daemon.address, daemon.tokens[0]).send(draw(random.Random(0), 0, 0))
            by_socket = press(lambda _: SocketLine(daemon.path), seconds=options.minutes * 6, **shape)
            by_http = press(
                lambda tenant: RestLine(daemon.address, daemon.tokens[tenant]), seconds=options.minutes * 60, **shape
            )
            again = press(lambda _: SocketLine(daemon.path), seconds=options.minutes * 6, **shape)
        finally:
            daemon.stop()
    note = (
        f"{options.clients} clients of {options.tenants} tenants, {options.rate:g} calls a second in all: searches,"
        " prompts, memories, turns. The clients share the machine with the daemon; the store grows from row to row."
    )
    rows = [by_socket.row("unix socket, before"), by_http.row("HTTP"), again.row("unix socket, after")]
    table = Table(name="http", title="HTTP beside the unix socket", rows=rows, notes=[note])
    show(table, Console())
    save([table], options.out, is_quick=options.minutes < 10)
    wrong = [*by_socket.errors, *by_http.errors, *again.errors, *by_socket.foreign, *by_http.foreign, *again.foreign]
    if wrong:
        print(*wrong[:20], sep="\n")
        sys.exit(1)


if __name__ == "__main__":
    main()
