"""Random frames into a real daemon that others use: none crashes it, and nobody else notices."""

from __future__ import annotations

import json
import random
import socket
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.daemon import Daemon, Wire
from bench.faults import NO_MODEL, unsound
from rich.console import Console
from rich.progress import Progress

from libravdb.wire.methods.method import MethodPace
from libravdb.wire.methods.table import METHODS

FUZZERS = 4
BURST = 200


@dataclass(slots=True)
class Fuzzed:
    """What came back to those who sent frames, and to those who only wanted to be served."""

    path: str
    advance: Callable[[int], None]
    kinds: Counter[str] = field(default_factory=Counter)
    panics: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def attack(self, seed: int, frames: int) -> None:
        """Send frames in bursts; a connection that is closed on us is opened again."""
        rng = random.Random(seed)
        while frames > 0:
            try:
                frames -= self._connection(rng, frames)
            except OSError:
                self.kinds["closed on us"] += 1

    def _connection(self, rng: random.Random, frames: int) -> int:
        sent = 0
        with socket.socket(socket.AF_UNIX) as raw, raw.makefile("rb") as replies:
            raw.connect(self.path)
            while sent < frames:
                lines = [_frame(rng) for _ in range(min(BURST, frames - sent))]
                raw.sendall(b"\n".join(lines) + b'\n{"id":"mark","method":"flush"}\n')
                while reply := replies.readline():
                    if not self._is_more(json.loads(reply)):
                        break
                sent += len(lines)
                self.advance(len(lines))
                if not reply:
                    return sent  # it closed the connection, which it may
        return sent

    def _is_more(self, answer: dict[str, Any]) -> bool:
        """False at the end of a burst."""
        if answer.get("id") == "mark" and "result" in answer:
            return False
        message = answer.get("error", {}).get("message")
        self.kinds["result" if message is None else message.split(":")[0][:24]] += 1
        if message is not None and (not message or "panic" in message):
            self.panics.append(message)
        return True

    def live(self, number: int) -> None:
        """A client as there are many: it says something, looks it up, and waits a while."""
        rng, turn = random.Random(1_000 + number), 0
        wire = Wire(self.path)
        while not turn or not self.over.wait(rng.uniform(1.0, 3.0)):  # each asks at least once
            turn += 1
            text, session = f"patient client {number} says {turn}", f"patient {number}"
            try:
                self._timed(wire, "insert_session_turn", {"sessionId": session, "id": f"t{turn}", "text": text})
                found = self._timed(wire, "search_text", {"collection": f"session:{session}", "text": text, "k": 3})
                if text not in [hit["text"] for hit in found["results"]]:
                    self.errors.append(f"not found: {text}")
            except (OSError, RuntimeError, ValueError) as error:
                self.errors.append(repr(error))
                wire = Wire(self.path)

    def _timed(self, wire: Wire, method: str, params: dict[str, Any]) -> dict[str, Any]:
        began = time.perf_counter()
        try:
            return wire.ask(method, params)
        finally:
            self.waits.append((time.perf_counter() - began) * 1000)


def fuzz(frames: int, clients: int, console: Console) -> bool:
    """Random and half-right frames beside clients that must not notice."""
    with tempfile.TemporaryDirectory(prefix="libravdb-fuzz-") as home, Progress(console=console) as bar:
        daemon = Daemon(Path(home), **NO_MODEL)
        task = bar.add_task("Fuzzing", total=frames)
        seen = Fuzzed(daemon.path, lambda count: bar.advance(task, count))
        honest = [threading.Thread(target=seen.live, args=(number,)) for number in range(clients)]
        hostile = [threading.Thread(target=seen.attack, args=(n, -(-frames // FUZZERS))) for n in range(FUZZERS)]
        for thread in (*honest, *hostile):
            thread.start()
        for thread in hostile:
            thread.join()
        seen.over.set()
        for thread in honest:
            thread.join()
        is_healthy = bool(Wire(daemon.path).ask("health")["ok"])
        daemon.stop()
        findings = unsound(Path(home))
    waits = sorted(seen.waits)
    console.print(f"{sum(seen.kinds.values()):,} replies: {seen.kinds.most_common(8)}")
    console.print(
        f"{len(waits):,} calls of {clients} clients beside: {len(seen.errors)} errors {seen.errors[:3]}; answered after"
        f" {waits[len(waits) // 2]:.1f} ms (p50), {waits[len(waits) * 99 // 100]:.1f} ms (p99),"
        f" {waits[-1]:.0f} ms (most)"
    )
    console.print(f"crashes: {len(seen.panics)} {seen.panics[:2]}; healthy: {is_healthy}; fsck: {findings or 'sound'}")
    return not seen.panics and not seen.errors and is_healthy and not findings


FIELDS = sorted({
    "".join([name.split("_")[0], *(word.title() for word in name.split("_")[1:])])
    for method in METHODS.values()
    for name in method.params.__dataclass_fields__
})  # fmt: skip
CHEAP = [
    name
    for name, method in METHODS.items()
    if name not in ("status", "describe") and method.pace is not MethodPace.LONG and not method.is_local
]
"""Neither long work, which would only be slow, nor what names files of this machine, nor what deletes for others."""


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
