"""The daemon under abuse, for as long as you like: many clients, a hostile one among them, and kills.

- `python bench/soak.py load --minutes 5`: 64 clients call in a mix while one sends malformed JSON, half lines, huge
  lines, opens thousands of connections, disconnects in the middle of replies and never reads. No other client may see
  an error; memory and descriptors stay bounded.
- `python bench/soak.py kill --times 100`: the daemon is killed with −9 under load and started again; every acknowledged
  turn is there exactly once, and the file is sound.
- `python bench/soak.py talk --turns 10000`: eight hosts ingest at once, with retries, duplicates, renumbered ids and
  kills −9 in between; raw history holds every acknowledged turn exactly once.
- `python bench/soak.py fuzz --frames 1000000`: random frames through the dispatcher; none may crash it.

Each prints what it saw, and leaves with 1 when something broke.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import resource
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

sys.path.insert(0, str(Path(__file__).parents[1]))
from bench.daemon import Daemon, Wire
from bench.talk import talk

from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.daemon.call_stats import Calls
from libravdb.daemon.dispatch import Connection, Dispatcher
from libravdb.daemon.guard import Guard
from libravdb.daemon.handlers.engine import EngineMethods
from libravdb.daemon.handlers.lifecycle import LifecycleMethods
from libravdb.daemon.handlers.storage import StorageMethods
from libravdb.daemon.handlers.transfer import TransferMethods
from libravdb.daemon.tokens import TokenRegistry
from libravdb.engine.engine import Engine
from libravdb.errors import EmbedderError
from libravdb.ports.embedder import Embedder
from libravdb.wire.methods.table import METHODS

console = Console()


# ── load ──────────────────────────────────────────────────────────────────────────────────────────────────


def load(minutes: float, clients: int) -> bool:
    """Honest clients beside a hostile one."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(65_536, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    with tempfile.TemporaryDirectory(prefix="libravdb-soak-") as home:
        daemon = Daemon(Path(home))
        until = time.monotonic() + minutes * 60
        calls: Counter[str] = Counter()
        errors: list[str] = []
        hostilities: Counter[str] = Counter()
        threads = [
            threading.Thread(target=_honest, args=(daemon.path, number, until, calls, errors))
            for number in range(clients - 1)
        ]
        threads.append(threading.Thread(target=Hostile(daemon.path).run, args=(until, hostilities)))
        for thread in threads:
            thread.start()
        peak_memory, peak_descriptors = 0, 0
        while time.monotonic() < until:
            time.sleep(1)
            peak_memory = max(peak_memory, _resident_mb(daemon))
            peak_descriptors = max(peak_descriptors, _descriptors(daemon))
        for thread in threads:
            thread.join()
        deadline = time.monotonic() + 10
        while _descriptors(daemon) > 60 and time.monotonic() < deadline:
            time.sleep(0.1)
        left = _descriptors(daemon)
        health = Wire(daemon.path).ask("health")
        daemon.stop()
        sound = _is_sound(Path(home))
    console.print(f"{sum(calls.values()):,} calls of {clients - 1} clients in {minutes:g} minutes: {dict(calls)}")
    console.print(f"hostile acts: {dict(hostilities)}")
    console.print(f"memory at most {peak_memory} MB, descriptors at most {peak_descriptors}, {left} at the end")
    console.print(f"errors for others: {len(errors)} {errors[:3]}; health {health}; file sound: {sound}")
    return not errors and bool(health["ok"]) and sound and left <= 60


def _honest(path: str, number: int, until: float, calls: Counter[str], errors: list[str]) -> None:
    rng = random.Random(number)
    wire, turn = Wire(path), 0
    while time.monotonic() < until:
        turn += 1
        text = f"client {number} says {rng.choice(('boat', 'kite', 'lamp'))} {turn}"
        mix: list[tuple[str, dict[str, Any]]] = [
            ("insert_session_turn", {"sessionId": f"s{number}", "id": f"t{turn}", "text": text}),
            ("search_text", {"collection": f"session:s{number}", "text": "boat", "k": 5}),
            ("search_text_collections", {"collections": [f"session:s{number}", "user:x"], "text": text, "k": 5}),
            ("list_by_meta", {"collection": f"session_state:s{number}", "key": "type", "value": "session_state"}),
            ("bump_access_counts", {"updates": [{"collection": f"session:s{number}", "ids": [f"t{turn - 1}"]}]}),
            ("health", {}),
        ]
        method, params = rng.choice(mix)
        try:
            wire.ask(method, params)
            calls[method] += 1
        except (OSError, RuntimeError, ValueError) as error:
            errors.append(f"{method}: {error!r}")
            wire = Wire(path)


class Hostile:
    """One client with bad intentions; each act is a method."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._rng = random.Random(666)
        self._held: list[socket.socket] = []

    def run(self, until: float, acts: Counter[str]) -> None:
        """Act at random until the time is over."""
        kinds = (self.garbage, self.half_line, self.huge_line, self.flood, self.never_reads, self.resets)
        while time.monotonic() < until:
            act = self._rng.choice(kinds)
            try:
                act()
                acts[act.__name__] += 1
            except OSError:
                acts["refused"] += 1
            if len(self._held) > 4000:
                self._let_go()
        self._let_go()

    def garbage(self) -> None:
        with self._connect() as raw:
            raw.sendall(self._rng.randbytes(5000) + b"\n" + b"{" * 50_000 + b"\n")
            raw.recv(100)

    def half_line(self) -> None:
        raw = self._connect()
        raw.sendall(b'{"method":"search_text","params":{"text":"')
        self._held.append(raw)

    def huge_line(self) -> None:
        with self._connect() as raw:
            raw.sendall(b"x" * (40 * 2**20) + b"\n")
            raw.recv(100)

    def flood(self) -> None:
        for _ in range(1000):
            self._held.append(self._connect())

    def never_reads(self) -> None:
        raw = self._connect()
        raw.settimeout(0)
        self._held.append(raw)
        with contextlib.suppress(BlockingIOError):
            for _ in range(5000):
                raw.send(b'{"method":"status"}\n')

    def resets(self) -> None:
        for _ in range(20):
            with self._connect() as raw:
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                raw.sendall(b'{"method":"status"}\n' * 5)

    def _connect(self) -> socket.socket:
        made = socket.socket(socket.AF_UNIX)
        made.settimeout(10)
        made.connect(self._path)
        return made

    def _let_go(self) -> None:
        for raw in self._held:
            raw.close()
        self._held.clear()


def _resident_mb(daemon: Daemon) -> int:
    pages = int(Path(f"/proc/{daemon.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 10**6


def _descriptors(daemon: Daemon) -> int:
    return sum(1 for _ in Path(f"/proc/{daemon.process.pid}/fd").iterdir())


def _is_sound(home: Path) -> bool:
    store = home / ".clawdb" / "data.libravdb"
    command = [sys.executable, "-m", "libravdb", "fsck", str(store)]
    done = subprocess.run(command, env=os.environ | {"HOME": str(home)}, capture_output=True, text=True, check=False)
    if done.returncode:
        console.print(done.stdout + done.stderr)
    return done.returncode == 0


# ── kill ──────────────────────────────────────────────────────────────────────────────────────────────────


def kill(times: int, clients: int) -> bool:
    """Kill −9 under load, start again, and look whether everything that was acknowledged is there once."""
    rng = random.Random(times)
    acknowledged: dict[str, dict[str, str]] = {f"s{number}": {} for number in range(clients)}
    starts, is_right = [], True
    with tempfile.TemporaryDirectory(prefix="libravdb-soak-") as home:
        for _ in track(range(times), description="Killing", console=console):
            daemon = Daemon(Path(home))
            starts.append(daemon.start_ms)
            threads = [
                threading.Thread(target=_write_until_dead, args=(daemon.path, session, acknowledged[session]))
                for session in acknowledged
            ]
            for thread in threads:
                thread.start()
            time.sleep(rng.uniform(0.05, 0.6))
            daemon.process.kill()
            daemon.process.wait()
            for thread in threads:
                thread.join()
        daemon = Daemon(Path(home))
        starts.append(daemon.start_ms)
        wire = Wire(daemon.path)
        for session, turns in acknowledged.items():
            held = wire.ask("list_collection", {"collection": f"session_raw:{session}"})["results"]
            texts = Counter(record["text"] for record in held)
            is_right &= all(texts[text] == 1 for text in turns.values())
        daemon.stop()
        is_right &= _is_sound(Path(home))
    starts.sort()
    console.print(
        f"{times} kills, {sum(map(len, acknowledged.values())):,} acknowledged turns, each there exactly once and the"
        f" file sound: {is_right}; listening again after {starts[len(starts) // 2]:.0f} ms (p50),"
        f" {starts[-1]:.0f} ms (most)"
    )
    return is_right


def _write_until_dead(path: str, session: str, acknowledged: dict[str, str]) -> None:
    """Write turns, each retried under its id after a kill, as a host would."""
    try:
        wire = Wire(path)
        while True:
            id = f"t{len(acknowledged)}"
            text = f"{session} says number {id}"
            wire.ask("insert_session_turn", {"sessionId": session, "id": id, "text": text})
            acknowledged[id] = text
    except (OSError, ValueError, RuntimeError):
        return


# ── fuzz ──────────────────────────────────────────────────────────────────────────────────────────────────


def fuzz(frames: int) -> bool:
    """Random and half-right frames straight into the dispatcher."""
    rng = random.Random(frames)
    kinds: Counter[str] = Counter()
    panics: list[bytes] = []

    def no_embedder(_: object) -> Embedder:
        raise EmbedderError("switched off: frames are many and texts are nonsense")

    with tempfile.TemporaryDirectory(prefix="libravdb-fuzz-") as folder:
        store = SqliteStore(Path(folder) / "data.libravdb")
        engine = Engine(store=store, load_embedder=no_embedder, clock=lambda: 0)
        calls = Calls()
        storage = StorageMethods(engine, store, clock=lambda: 0, calls=calls, path="", journal_entries=50)
        handlers = {
            **storage.handlers(),
            **EngineMethods(engine).handlers(),
            **LifecycleMethods(engine).handlers(),
            **TransferMethods(engine, store_path=Path(folder) / "data.libravdb").handlers(),
        }
        dispatcher = Dispatcher(handlers, calls=calls, guard=Guard(store), tokens=TokenRegistry.of_one(""))
        for _ in track(range(frames), description="Fuzzing", console=console):
            line = _frame(rng)
            reply = dispatcher.reply(line, Connection(is_local=False))
            if reply is None:
                kinds["blank"] += 1
                continue
            answer = json.loads(reply)
            message = answer.get("error", {}).get("message")
            kinds["result" if message is None else message.split(":")[0][:24]] += 1
            if message is not None and (not message or "panic" in message):
                panics.append(line)
            if rng.random() < 0.0005:
                store.commit([])
        findings = list(store.maintenance.verify())
        engine.close()
    console.print(f"{frames:,} frames: {kinds.most_common(8)}")
    console.print(f"crashes: {len(panics)} {panics[:2]}; findings of fsck: {findings}")
    return not panics and not findings


FIELDS = sorted({
    "".join([name.split("_")[0], *(word.title() for word in name.split("_")[1:])])
    for method in METHODS.values()
    for name in method.params.__dataclass_fields__
})  # fmt: skip
CHEAP = [name for name in METHODS if name not in ("export_memory", "status", "describe", "reembed")]


def _frame(rng: random.Random) -> bytes:
    kind = rng.random()
    if kind < 0.1:
        return rng.randbytes(rng.randrange(60)).replace(b"\n", b"")
    request: dict[str, Any] = {"method": rng.choice(CHEAP), "params": _params(rng)}
    if rng.random() < 0.8:
        request["id"] = _value(rng, 1)
    if kind < 0.2:
        request["method"] = _value(rng, 1)
    line = json.dumps(request).encode()
    if kind < 0.3:
        line = line[: rng.randrange(len(line))]
    elif kind < 0.4:
        position = rng.randrange(len(line))
        line = line[:position] + rng.randbytes(1).replace(b"\n", b" ") + line[position + 1 :]
    return line


def _params(rng: random.Random) -> object:
    if rng.random() < 0.1:
        return _value(rng, 2)
    return {rng.choice(FIELDS): _value(rng, 2) for _ in range(rng.randrange(6))}


def _value(rng: random.Random, depth: int) -> object:
    choices: list[Callable[[], object]] = [
        lambda: rng.choice(["", "c", "s", "user:a", "authored:hard", "\ud800", "\x00", "boat", "x" * 2000]),
        lambda: rng.choice(["", "c", "s", "x", "session_state:s", "ü中", "a boat"]),
        lambda: rng.randrange(-3, 20),
        lambda: rng.choice([2**31, 2**63, 2**90, -(2**70), 1.5, -0.0, 1e308]),
        lambda: rng.choice([True, False, None]),
    ]
    if depth:
        choices += [
            lambda: [_value(rng, depth - 1) for _ in range(rng.randrange(4))],
            lambda: {rng.choice([*FIELDS, "ts", "k", ""]): _value(rng, depth - 1) for _ in range(rng.randrange(4))},
        ]
    return rng.choice(choices)()


def main() -> None:
    """Run one kind of abuse."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    kinds = parser.add_subparsers(dest="kind", required=True)
    loading = kinds.add_parser("load", help="64 clients, one of them hostile")
    loading.add_argument("--minutes", type=float, default=5)
    loading.add_argument("--clients", type=int, default=64)
    killing = kinds.add_parser("kill", help="kill −9 and restart under load")
    killing.add_argument("--times", type=int, default=100)
    killing.add_argument("--clients", type=int, default=8)
    talking = kinds.add_parser("talk", help="hosts ingest conversations under kills −9")
    talking.add_argument("--turns", type=int, default=10_000)
    talking.add_argument("--clients", type=int, default=8)
    talking.add_argument("--kills", type=int, default=20)
    fuzzing = kinds.add_parser("fuzz", help="random frames through the dispatcher")
    fuzzing.add_argument("--frames", type=int, default=1_000_000)
    options = parser.parse_args()
    match options.kind:
        case "load":
            passed = load(options.minutes, options.clients)
        case "kill":
            passed = kill(options.times, options.clients)
        case "talk":
            passed = talk(options.turns, options.clients, options.kills, console)
        case _:
            passed = fuzz(options.frames)
    console.print("[green]passed[/]" if passed else "[red]failed[/]")
    sys.exit(not passed)


if __name__ == "__main__":
    main()
