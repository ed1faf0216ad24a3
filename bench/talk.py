"""Many hosts talk to one daemon that is killed again and again: everything acknowledged is in raw history once.

Each client has a script of turns. It sends them as single messages, batches and keyed turns, and does what real hosts
do: sends again after a broken connection, sends again for no reason, numbers its messages anew, reuses an id for
another text, and repeats whole windows.
"""

from __future__ import annotations

import random
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.daemon import Daemon, Wire
from rich.console import Console
from rich.progress import Progress

SHARED = 2  # clients a session
START = 1_790_000_000_000
SMALL_TALK = ("ok", "yes", "go on", "thanks")


@dataclass(slots=True)
class Place:
    """Where the daemon is just now; clients wait here while it restarts."""

    path: str = ""
    is_over: bool = False
    change: threading.Condition = field(default_factory=threading.Condition)

    def connect(self) -> Wire:
        """A connection, as soon as there is a daemon."""
        while True:
            with self.change:
                self.change.wait_for(lambda: self.path)
                path = self.path
            try:
                return Wire(path)
            except OSError:
                time.sleep(0.01)  # killed a moment ago


class Host:
    """One client: says its turns in order and retries each until it is acknowledged."""

    def __init__(self, number: int, turns: int, place: Place) -> None:
        self.session = f"session {number // SHARED}"
        self.said: Counter[str] = Counter()
        self._name = f"host-{number}"
        self._offset = number * 97
        self._rng = random.Random(number)
        self._turns = turns
        self._place = place
        self._wire: Wire | None = None

    def run(self) -> None:
        """Say everything."""
        count = 0
        while count < self._turns:
            size = min(self._rng.choice((1, 1, 1, 2, 5)), self._turns - count)
            messages = [self._message(count + n) for n in range(size)]
            self._send(messages, key=f"{self._name} {count}")
            self.said.update(str(message["content"]) for message in messages)
            count += size

    def _message(self, number: int) -> dict[str, Any]:
        is_small = self._rng.random() < 0.1
        text = (
            self._rng.choice(SMALL_TALK) if is_small else f"{self._name} notes fact {number} about machine {number * 7}"
        )
        role = "assistant" if self._rng.random() < 0.4 else "user"
        # Another text may come under an id in use: every tenth number is used twice.
        id = f"{self._name}-m{number - number % 10 if number % 10 == 1 else number}-x"
        return {"role": role, "content": text, "id": id, "timestamp": START + number * 1000 + self._offset}

    def _send(self, messages: list[dict[str, Any]], *, key: str) -> None:
        params: dict[str, Any] = {"sessionId": self.session, "userId": "team"}
        if len(messages) == 1 and self._rng.random() < 0.5:
            calls = [("ingest", params | {"message": messages[0]})]
        elif self._rng.random() < 0.5:
            calls = [("ingest_batch", params | {"messages": messages})]
        else:
            calls = [("commit_turn", params | {"messages": messages, "key": key})]
        if self._rng.random() < 0.2:
            calls *= 2  # again, for no reason
        if self._rng.random() < 0.1:
            renumbered = [message | {"id": f"{message['id']}-new"} for message in messages]
            calls.append(("ingest_batch", params | {"messages": renumbered}))
        for method, body in calls:
            self._ask(method, body)

    def _ask(self, method: str, params: dict[str, Any]) -> None:
        while True:
            try:
                self._wire = self._wire or self._place.connect()
                self._wire.ask(method, params)
            except (OSError, ValueError):
                self._wire = None
            else:
                return


def talk(turns: int, clients: int, kills: int, console: Console) -> bool:
    """Let them talk, kill the daemon under them, and look at what is left."""
    place = Place()
    hosts = [Host(number, turns // clients, place) for number in range(clients)]
    rng = random.Random(turns)
    with tempfile.TemporaryDirectory(prefix="libravdb-talk-") as home, Progress(console=console) as bar:
        task = bar.add_task("Talking", total=turns)
        threads = [threading.Thread(target=host.run) for host in hosts]
        daemon = _start(Path(home), place)
        for thread in threads:
            thread.start()
        done, killed, next_kill = 0, 0, turns / (kills + 1)
        while any(thread.is_alive() for thread in threads):
            time.sleep(rng.uniform(0.01, 0.05))
            done = sum(host.said.total() for host in hosts)
            bar.update(task, completed=done)
            if killed < kills and done >= next_kill:
                with place.change:
                    place.path = ""
                daemon.process.kill()
                daemon.process.wait()
                killed, next_kill = killed + 1, next_kill + turns / (kills + 1)
                daemon = _start(Path(home), place)
        wrong = _compare(hosts, daemon)
        daemon.stop()
    console.print(
        f"{sum(host.said.total() for host in hosts):,} turns of {clients} hosts, {killed} kills −9:"
        f" {len(wrong)} missing or doubled"
    )
    for line in wrong[:20]:
        console.print(f"  {line}")
    return not wrong


def _start(home: Path, place: Place) -> Daemon:
    daemon = Daemon(home)
    with place.change:
        place.path = daemon.path
        place.change.notify_all()
    return daemon


def _compare(hosts: list[Host], daemon: Daemon) -> list[str]:
    """Texts that raw history does not hold exactly as often as they were said."""
    wire = Wire(daemon.path)
    wrong = []
    for session in sorted({host.session for host in hosts}):
        said = sum((host.said for host in hosts if host.session == session), Counter[str]())
        held = Counter(
            record["text"]
            for record in wire.ask("list_collection", {"collection": f"session_raw:{session}"})["results"]
        )
        wrong += [
            f"{session}: {text!r} said {said[text]}, held {held[text]}"
            for text in sorted({*said, *held})
            if said[text] != held[text]
        ]
    return wrong
