"""`libravdb mcp` as hosts start it: a real process over pipes, and a real daemon that it starts itself."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from tests.mcp_door.speaking import call, refusal, speak
from tests.served import environment

from libravdb.app import daemon_of
from libravdb.config import Config, load
from libravdb.daemon_link import WAITING, DaemonLink
from libravdb.errors import DaemonError
from libravdb.mcp.stdio import mend_line

pytestmark = pytest.mark.slow
COMMAND = [sys.executable, "-W", "error", "-m", "libravdb"]


class Home:
    """A home whose daemon, if one was started, is killed at the end."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.other = path / "other.libravdb"
        self.env = environment(path, LIBRAVDB_EMBEDDING_BACKEND="none")

    def config(self, store: Path | None = None) -> Config:
        """The configuration of the usual store, or of another one."""
        path = store or self.path / ".clawdb" / "data.libravdb"
        return load(environ=self.env, arguments={"store.path": path}).config

    def client(self, *arguments: str) -> Client:
        """The SDK's client, which starts the command."""
        command, *rest = COMMAND
        return Client(StdioServerParameters(command=command, args=[*rest, *arguments, "mcp"], env=self.env))

    def kill_daemon(self, store: Path | None = None) -> int:
        """End a daemon as a crash does; gives its process, 0 when there is none."""
        settings = self.config(store).store
        found = daemon_of(settings)
        if found is None:
            return 0
        os.kill(found.pid, signal.SIGKILL)
        while daemon_of(settings) is not None:
            time.sleep(0.01)
        return found.pid


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    """Short, for the sake of the socket's path."""
    with tempfile.TemporaryDirectory(prefix="lv-") as folder:
        home = Home(Path(folder))
        yield home
        home.kill_daemon(home.other)
        home.kill_daemon()


def test_it_starts_a_daemon_and_starts_another_when_that_one_dies(home: Home) -> None:
    async def talk(client: Client) -> tuple[int, int]:
        await call(client, "memory_remember", text="The green boat sails at dawn.")
        first = home.kill_daemon()
        assert "green boat" in await call(client, "memory_search", query="green boat")
        assert "Remembered" in await call(client, "memory_remember", text="The red boat sails at noon.")
        second = home.kill_daemon()
        assert "Remembered" in await call(client, "memory_remember", text="The blue boat sails at night.")
        found = await asyncio.gather(*(call(client, "memory_search", query=f"boat {n}") for n in range(40)))
        assert all("boat" in each for each in found)
        return first, second

    first, second = speak(home.client(), talk)
    assert first
    assert second
    assert first != second


def test_two_namespaces_of_another_store_share_its_daemon_and_never_meet(home: Home) -> None:
    store = home.other

    async def keep(client: Client) -> str:
        kept = await call(client, "memory_remember", text="Ida hides the spare key in the lamp.")
        assert "Ida hides" in await call(client, "memory_search", query="spare key")
        assert "boat" not in await call(client, "memory_search", query="green boat")
        return kept.splitlines()[0].removeprefix("Remembered: ")

    async def look(client: Client) -> list[str]:
        return [
            await call(client, "memory_search", query="spare key in the lamp"),
            await refusal(client, "memory_expand", id=kept),
            await refusal(client, "memory_forget", ids=[kept]),
        ]

    kept = speak(home.client("--store", str(store), "--namespace", "agent-id:ida"), keep)
    seen = speak(home.client("--store", str(store), "--namespace", "agent-id:ole"), look)
    assert not any("hides" in each for each in seen)
    assert home.kill_daemon(store) != home.kill_daemon()


def test_nothing_but_protocol_stands_on_standard_output_whatever_comes_in(home: Home) -> None:
    def request(id: int, tool: str, **arguments: Any) -> bytes:
        told = {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        return json.dumps(told).encode()

    client_info = {"name": "test", "version": "1"}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client_info}
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}).encode(),
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
        b"this is no JSON",
        b"\xff\xfe\x00",
        b"",
        request(2, "memory_remember", text="half a \ud83d smile"),
        request(3, "memory_search", query="bad bytes").replace(b"bad", b"\xff\xfe"),
        request(4, "memory_search", query="x" * 7_000, limit=50),
        request(5, "memory_nothing"),
        b'{"jsonrpc":"2.0","id":6,"method":"no/such/method"}',
        request(7, "memory_remember", text="lamp " * 100_000),
    ]
    with subprocess.Popen([*COMMAND, "mcp"], env=home.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"\n".join(lines) + b"\n")
        process.stdin.flush()
        replies: dict[int, dict[str, Any]] = {}
        while set(replies) < set(range(1, 8)):
            reply = json.loads(process.stdout.readline())
            assert reply["jsonrpc"] == "2.0"
            replies[reply["id"]] = reply
        process.stdin.close()
        assert process.stdout.read() == b""
        assert process.wait(30) == 0
    assert not replies[2]["result"]["isError"]
    assert replies[5]["result"]["isError"]
    assert replies[6]["error"]["code"] == -32601


def test_a_daemon_that_cannot_start_is_told_in_its_own_words(home: Home) -> None:
    folder = home.path / "folder.libravdb"
    folder.mkdir()
    env = {**home.env, "LIBRAVDB_STORE_PATH": str(folder)}
    link = DaemonLink(home.config(folder), environment=env)
    with pytest.raises(DaemonError, match="is a folder, not a file") as raised:
        link.reach()
    assert "Set store.path to a file" in raised.value.remedy


def test_two_who_start_a_daemon_at_once_talk_to_the_same_one(home: Home) -> None:
    home.kill_daemon()
    links = [DaemonLink(home.config(), environment=home.env) for _ in range(3)]
    with ThreadPoolExecutor() as pool:
        found = {holder.pid for holder in pool.map(lambda link: link.reach(), links)}
    assert len(found) == 1
    while sum(thread.name == WAITING for thread in threading.enumerate()) > 1:
        time.sleep(0.01)  # the others end by themselves
    for link in links:
        with link.engine() as engine:
            engine.profile.show(namespace="x")
        link.close()


def test_a_daemon_that_goes_away_in_the_middle_is_told_and_the_next_call_connects_anew(home: Home) -> None:
    link = DaemonLink(home.config(), environment=home.env)

    def lose_it() -> None:
        with link.engine() as engine:
            engine.profile.show(namespace="x")
            assert home.kill_daemon()
            engine.conversations.ingest("hello", session="s", namespace="x")

    with pytest.raises(DaemonError, match="The next call connects anew"):
        lose_it()
    with link.engine() as engine:
        assert engine.profile.show(namespace="x").lines == ()
    link.close()


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ('{"a": "\\ud83d"}\n', '{"a": "\ufffd"}\n'),
        ('{"a": "\\uD83D\\uDE00"}\n', '{"a": "😀"}\n'),
        ('{"a": "b"}\n', '{"a": "b"}\n'),
        ("no json \\ud83d\n", "no json \\ud83d\n"),
        ("[" * 100_000 + "\\ud83d\n", "[" * 100_000 + "\\ud83d\n"),
    ],
)
def test_halves_of_characters_are_mended_and_all_else_stays(line: str, mended: str) -> None:
    assert mend_line(line) == mended
