"""Four daemons on one database and 32 clients on one namespace, each of whose calls goes to another daemon.

A client adds values, corrects and removes some: as notes, as turns of sessions that it shares with others, and as
rules, while sessions are compacted. After every acknowledgement another daemon is asked, by search, by prompt or for
the whole list, and what it shows is written down. The same turn comes from two daemons at once. Whether all of that can
be true is checked by `tests/postgres/set_history.py`. `bench/postgres_faults.py --only many` kills daemons meanwhile.
"""

from __future__ import annotations

import json
import random
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from bench.daemon import Daemon, Wire
from bench.faults import NO_MODEL
from tests.postgres.set_history import Seen, SetHistory, Taken

DAEMONS, CLIENTS, SESSIONS = 4, 32, 8
NAMESPACE = "anna"
NOTES = f"user:{NAMESPACE}"
NOTE, TURN, RULE = "n", "t", "r"
"""How a value begins."""

_VALUE = re.compile(rf"\b[{NOTE}{TURN}{RULE}]\d+x\d+\b")

Histories = Mapping[str, SetHistory]
"""What happened to notes, to turns, and to rules."""


class Fleet:
    """Daemons on one database, each in a home of its own. One that is killed comes back at the same address."""

    def __init__(self, url: str, folder: Path) -> None:
        self._settings = NO_MODEL | {"LIBRAVDB_STORE_URL": url}
        self._homes = [folder / f"d{number}" for number in range(DAEMONS)]
        self._daemons: list[Daemon | None] = [None] * DAEMONS
        for home in self._homes:
            home.mkdir()
        starting = [threading.Thread(target=self._start, args=(number,)) for number in range(DAEMONS)]
        for thread in starting:
            thread.start()
        for thread in starting:
            thread.join()

    @property
    def addresses(self) -> list[str]:
        """The socket of each."""
        return [daemon.path for daemon in self._daemons if daemon is not None]

    def kill(self, number: int) -> None:
        """One dies without a word, and comes back."""
        daemon = self._daemons[number]
        assert daemon is not None  # noqa: S101 - all were started
        daemon.process.kill()
        daemon.process.wait()
        if daemon.process.stdout is not None:
            daemon.process.stdout.close()
        self._start(number)

    def close(self) -> None:
        """Stop all."""
        for daemon in self._daemons:
            if daemon is not None:
                daemon.stop()

    def _start(self, number: int) -> None:
        self._daemons[number] = Daemon(self._homes[number], **self._settings)


class Client:
    """Adds, removes and looks, through whichever daemon; `failure` is what must not happen."""

    def __init__(self, number: int, addresses: Sequence[str], histories: Histories) -> None:
        self._number = number
        self._addresses = addresses
        self._histories = histories
        self._dice = random.Random(number)
        self._wires: dict[str, Wire] = {}
        self.sent_turns: list[str] = []
        self.failure: BaseException | None = None

    def run(self, is_over: Callable[[int], bool]) -> None:
        """Round after round, until it is over."""
        number = 0
        try:
            while not is_over(number):
                self._say(f"{TURN}{self._number}x{number}", f"s{self._number % SESSIONS}")
                self._keep_a_note(f"{NOTE}{self._number}x{number}", f"{NOTE}{self._number}x{number}9999")
                if self._number == 0:
                    self._rule(f"{RULE}0x{number}", f"{RULE}0x{number - 1}" if number else "")
                self._look_at_all()
                self._say_twice(f"{self._number}.{number}", f"s{self._number % SESSIONS}")
                number += 1
        except BaseException as failure:  # noqa: BLE001 - told by whoever waits for us
            self.failure = failure

    # ── what it does ──────────────────────────────────────────────────────────────────────────────────────

    def _say(self, value: str, session: str) -> None:
        """A turn in a session goes to one daemon, and its prompt is asked of another."""
        message = {"role": "user", "content": f"My locker of {_name(value)} has the code {value} since May."}
        params = {"sessionId": session, "userId": NAMESPACE, "message": message | {"id": f"m {value}"}}
        if self._take("ingest", params, added=value) is not None:
            self._ask_for(value, session, f"What is the code of my locker of {_name(value)}?")

    def _keep_a_note(self, value: str, later: str) -> None:
        """A note is found; then it is corrected or deleted, and what it said is found no more."""
        name = _name(value)
        kept = self._take("remember", {"notes": [_note(name, value)]}, added=value)
        if kept is None:
            return
        self._search_for(value, name)
        id = kept["remembered"][0]["record"]["id"]
        if self._dice.random() < 0.5:
            done = self._take("forget", {"collection": NOTES, "ids": [id]}, removed=value)
        else:
            corrected = {"notes": [_note(name, later) | {"id": id}], "replace": True}
            done = self._take("remember", corrected, added=later, removed=value)
        if done is not None:
            self._search_for(value, name)
            self._search_for(later, name)
            self._ask_for(value, f"s{self._number % SESSIONS}", f"What opens the locker of {name}?")

    def _rule(self, value: str, former: str) -> None:
        """A rule takes the place of a former one, for everybody's prompts."""
        told = {"sourceDoc": "AGENTS.md", "text": f"# Rules\n\n- You must always mention {value}.\n", "core": True}
        if self._take("author", told, added=value, removed=former) is not None:
            for one in filter(None, (value, former)):
                self._ask_for(one, "s0", "What is in force?")

    def _say_twice(self, key: str, session: str) -> None:
        """The same turn comes to two daemons at once, as when a host repeats what was not answered."""
        text = f"turn {key} is said once"
        params = {
            "sessionId": session,
            "userId": NAMESPACE,
            "key": key,
            "messages": [{"role": "user", "content": text}],
        }
        addresses = self._dice.sample(self._addresses, 2)
        told: list[bool] = []

        def send(address: str) -> None:
            try:
                Wire(address).ask("commit_turn", params)
                told.append(True)
            except (OSError, ValueError, RuntimeError):
                return

        sending = [threading.Thread(target=send, args=(address,)) for address in addresses]
        for thread in sending:
            thread.start()
        for thread in sending:
            thread.join()
        if told:
            self.sent_turns.append(text)

    # ── what it sees ──────────────────────────────────────────────────────────────────────────────────────

    def _ask_for(self, value: str, session: str, question: str) -> None:
        params = {"sessionId": session, "userId": NAMESPACE, "tokenBudget": 4_000, "prompt": question}
        self._look("assemble", params, value)

    def _search_for(self, value: str, name: str) -> None:
        self._look("search", {"question": f"locker of {name}", "userId": NAMESPACE, "k": 10}, value)

    def _look_at_all(self) -> None:
        self._look("list_collection", {"collection": NOTES}, "")

    def _look(self, method: str, params: dict[str, Any], asked: str) -> None:
        """A read that a dying daemon did not answer is repeated."""
        while True:
            start = time.monotonic()
            try:
                answer = self._ask(method, params)
                break
            except (OSError, ValueError):
                continue
        end, shown = time.monotonic(), frozenset(_VALUE.findall(json.dumps(answer)))
        values = shown & {asked} if asked else frozenset(one for one in shown if one.startswith(NOTE))
        seen = Seen(start=start, end=end, values=values, asked=asked, how=f"{method} of {asked}".strip())
        self._histories[asked[:1] or NOTE].looks.append(seen)

    def _take(
        self, method: str, params: dict[str, Any], *, added: str = "", removed: str = ""
    ) -> dict[str, Any] | None:
        """A step, or two at once; None when nobody knows whether it was taken."""
        start, answer = time.monotonic(), None
        with suppress(OSError, ValueError):  # its daemon died
            answer = self._ask(method, params)
        end, is_known = time.monotonic(), answer is not None
        for value in filter(None, (added, removed)):
            taken = Taken(start=start, end=end, value=value, is_removal=value == removed, is_known=is_known)
            self._histories[value[0]].steps.append(taken)
        return answer

    def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        address, wire = self._reached()
        try:
            return wire.ask(method, params)
        except (OSError, ValueError):
            self._wires.pop(address, None)
            raise

    def _reached(self) -> tuple[str, Wire]:
        """A daemon that is there, and a connection to it."""
        while True:
            address = self._dice.choice(self._addresses)
            with suppress(OSError):
                if address not in self._wires:
                    self._wires[address] = Wire(address)
                return address, self._wires[address]


def _note(name: str, value: str) -> dict[str, Any]:
    return {"collection": NOTES, "text": f"The locker of {name} opens with {value}."}


def _name(value: str) -> str:
    """A word that stands for a value without being it."""
    return "box" + value.replace("x", "and")


@contextmanager
def compacting(addresses: Sequence[str]) -> Iterator[None]:
    """All sessions are compacted again and again, by whichever daemon."""
    is_over, dice = threading.Event(), random.Random(3)

    def run() -> None:
        while not is_over.wait(0.05):
            params = {"sessionId": f"s{dice.randrange(SESSIONS)}", "minimumTurns": 2, "tailTokens": 60}
            try:
                Wire(dice.choice(addresses)).ask("compact", params)
            except (OSError, ValueError):
                continue

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def play(fleet: Fleet, *, rounds: int, during: Callable[[], object]) -> tuple[Histories, list[Client]]:
    """Let all clients do at least so many rounds, and go on until something that happens meanwhile is over."""
    histories, has_happened = {kind: SetHistory() for kind in (NOTE, TURN, RULE)}, threading.Event()
    clients = [Client(number, fleet.addresses, histories) for number in range(CLIENTS)]
    with compacting(fleet.addresses):
        threads = [
            threading.Thread(target=client.run, args=(lambda done: done >= rounds and has_happened.is_set(),))
            for client in clients
        ]
        for thread in threads:
            thread.start()
        try:
            during()
        finally:
            has_happened.set()
            for thread in threads:
                thread.join()
    return histories, clients


def said_more_or_less_than_once(clients: Sequence[Client], address: str) -> list[str]:
    """Turns that were acknowledged, and do not stand exactly once."""
    wire, said = Wire(address), Counter[str]()
    for number in range(SESSIONS):
        held = wire.ask("list_collection", {"collection": f"session_raw:s{number}"})["results"]
        said.update(record["text"] for record in held)
    return [text for client in clients for text in client.sent_turns if said[text] != 1]
