"""The daemon under abuse, for as long as you like: many clients, a hostile one among them, and kills.

- `python bench/soak.py load --minutes 5`: 64 clients call in a mix while one sends malformed JSON, half lines, huge
  lines, opens thousands of connections, disconnects in the middle of replies and never reads. No other client may see
  an error; memory and descriptors stay bounded.
- `python bench/soak.py talk --turns 10000`: eight hosts ingest at once, with retries, duplicates, renumbered ids and
  kills −9 in between; raw history holds every acknowledged turn exactly once.
- `python bench/soak.py faults --kills 1000`: kills −9 under load and in compaction, import, re-embedding and backup;
  full and read-only disks, corrupted pages, a truncated log, clock jumps, a vanished file, a second owner. Nothing that
  was acknowledged may be lost, and every file must be sound.
- `python bench/soak.py fuzz --frames 1000000`: random frames into the daemon beside 64 honest clients; none may crash
  it, and none of the clients may notice.

Each prints what it saw, and leaves with 1 when something broke.
"""

from __future__ import annotations

import argparse
import contextlib
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
from pathlib import Path
from typing import Any

from rich.console import Console

sys.path.insert(0, str(Path(__file__).parents[1]))
from bench.daemon import Daemon, Wire
from bench.faults import campaign
from bench.fuzz import fuzz
from bench.talk import talk

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


def main() -> None:
    """Run one kind of abuse."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    kinds = parser.add_subparsers(dest="kind", required=True)
    loading = kinds.add_parser("load", help="64 clients, one of them hostile")
    loading.add_argument("--minutes", type=float, default=5)
    loading.add_argument("--clients", type=int, default=64)
    talking = kinds.add_parser("talk", help="hosts ingest conversations under kills −9")
    talking.add_argument("--turns", type=int, default=10_000)
    talking.add_argument("--clients", type=int, default=8)
    talking.add_argument("--kills", type=int, default=20)
    faulting = kinds.add_parser("faults", help="kills in every kind of work, bad disks, damage, thieves, clocks")
    faulting.add_argument("--kills", type=int, default=1_000)
    faulting.add_argument("--others", type=int, default=40, help="times each of the other faults")
    fuzzing = kinds.add_parser("fuzz", help="random frames into a daemon that others use")
    fuzzing.add_argument("--frames", type=int, default=1_000_000)
    fuzzing.add_argument("--clients", type=int, default=64)
    options = parser.parse_args()
    match options.kind:
        case "load":
            passed = load(options.minutes, options.clients)
        case "talk":
            passed = talk(options.turns, options.clients, options.kills, console)
        case "faults":
            outcomes = campaign(kill=options.kills, others=options.others, console=console)
            passed = all(outcome.is_right for outcome in outcomes)
        case _:
            passed = fuzz(options.frames, options.clients, console)
    console.print("[green]passed[/]" if passed else "[red]failed[/]")
    sys.exit(not passed)


if __name__ == "__main__":
    main()
