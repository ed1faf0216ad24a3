"""MCP over streamable HTTP: a real server on loopback, real tokens with rights, the SDK's own client."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import logging
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from tests.mcp_door.speaking import call, refusal, resource
from tests.served import NOON, Served

from libravdb.daemon.log_lines import JsonLines
from libravdb.daemon.mcp_mount import mcp_mounts
from libravdb.daemon.rights import checked_rights
from libravdb.daemon.tokens import TokenRegistry, create_token
from libravdb.http.options import HttpOptions
from libravdb.wire.endpoint import Endpoint
from libravdb.wire.methods.access import AccessRole

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
}


Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back."""

    status: int
    text: str
    challenge: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDoor:
    """Where a door listens, and the tokens of the test."""

    url: str
    tokens: dict[str, str]

    def speak(
        self,
        token: str,
        talk: Callable[[Client], Awaitable[Answer]],
        *,
        path: str = "",
        mode: Literal["auto", "legacy"] = "auto",
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """What came of a talk of the SDK's client, with a token, over HTTP."""

        async def run() -> Answer:
            async with httpx2.AsyncClient(headers={**self.shown(token), **(headers or {})}, timeout=30) as http:
                transport = streamable_http_client(self.url + path, http_client=http)
                async with Client(transport, mode=mode) as connected:
                    return await talk(connected)

        return asyncio.run(run())

    def post(
        self, body: Any, *, path: str = "", headers: Mapping[str, str] | None = None, method: str = "POST"
    ) -> Reply:
        """A request by hand."""
        told = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json", **(headers or {})}
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        with contextlib.closing(http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=30)) as connection:
            connection.request(method, "/mcp" + path, body=content, headers=told)
            got = connection.getresponse()
            return Reply(status=got.status, text=got.read().decode(), challenge=got.getheader("WWW-Authenticate", ""))

    def shown(self, token: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[token]}"}


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenDoor]:
    folder = tmp_path_factory.mktemp("http")
    tokens = _tokens(folder / "tokens")
    registry = TokenRegistry.over(folder / "tokens")
    served = Served(folder, tokens=registry)

    address = served.listen_http(mounts=mcp_mounts(served.dispatcher, registry, body_bytes=200_000))
    yield OpenDoor(url=f"http://{address.host}:{address.port}/mcp", tokens=tokens)
    served.close()


def _tokens(path: Path) -> dict[str, str]:
    write, read, admin = AccessRole.WRITE, AccessRole.READ, AccessRole.ADMIN
    rights = {
        "anna": (write, ["anna"]),
        "ben": (write, ["ben"]),
        "reader": (read, ["anna"]),
        "team": (write, ["team:*", "anna"]),
        "pattern": (write, ["team:*"]),
        "admin": (admin, ["*"]),
    }
    made = {
        name: create_token(path, checked_rights(name, role, namespaces), now=NOON)
        for name, (role, namespaces) in rights.items()
    }
    return {**made, "stranger": "lvdb_nothing"}


# ── the same tools ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_tools_work_over_http_with_chatgpts_names_among_them(
    door: OpenDoor, mode: Literal["auto", "legacy"]
) -> None:
    async def talk(client: Client) -> list[str]:
        assert len((await client.list_tools()).tools) == 8
        await call(client, "memory_remember", text="Anna keeps bees on the roof.")
        assert "bees" in await resource(client, f"memory://record/{await _first(client)}")
        assert "bees" in (await client.get_prompt("recall", {"topic": "bees"})).messages[0].content.text  # type: ignore[union-attr]
        await resource(client, "memory://profile")
        return [
            await call(client, "memory_search", query="bees"),
            await call(client, "memory_context", prompt="what of the bees on the roof?"),
            await refusal(client, "memory_search", query=""),
        ]

    found, context, _ = door.speak("anna", talk, mode=mode)
    assert "Anna keeps bees" in found
    assert "Anna keeps bees" in context


async def _first(client: Client) -> str:
    url: str = json.loads(await call(client, "search", query="bees"))["results"][0]["url"]
    return url.removeprefix("memory://record/")


def test_fifty_calls_at_once_are_answered(door: OpenDoor) -> None:
    async def talk(client: Client) -> list[str]:
        return await asyncio.gather(*(call(client, "memory_search", query=f"bees {n}") for n in range(50)))

    assert len(door.speak("anna", talk)) == 50


# ── whose memory ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_token_reaches_its_own_namespace_and_no_other(door: OpenDoor) -> None:
    async def keep(client: Client) -> str:
        return (await call(client, "memory_remember", text="Anna hides the spare key behind the third lamp.")).strip()

    async def look(client: Client) -> list[str]:
        return [
            await call(client, "memory_search", query="spare key behind the lamp"),
            await call(client, "memory_context", prompt="where is the spare key?", session="mcp:anna"),
            await refusal(client, "memory_expand", id=kept),
            await refusal(client, "fetch", id=kept),
            await refusal(client, "memory_forget", ids=[kept]),
            await resource(client, "memory://profile"),
        ]

    kept = door.speak("anna", keep).removeprefix("Remembered: ")
    assert not any("third lamp" in each for each in door.speak("ben", look))
    found = door.speak("reader", lambda client: call(client, "memory_search", query="spare key lamp"))
    assert "third lamp" in found


def test_whoever_may_only_read_keeps_and_forgets_nothing(door: OpenDoor) -> None:
    async def talk(client: Client) -> list[str]:
        return [
            await refusal(client, "memory_remember", text="I was here."),
            await refusal(client, "memory_forget", ids=["durable/mem:1"]),
        ]

    assert "needs the role write" in door.speak("reader", talk)[0]


@pytest.mark.parametrize("way", ["path", "header", "both"])
def test_who_may_reach_several_names_one_in_path_or_header(door: OpenDoor, way: str) -> None:
    path = "/team:red" if way in ("path", "both") else ""
    headers = {"Libravdb-Namespace": "team%3Ared"} if way in ("header", "both") else {}

    async def talk(client: Client) -> str:
        return await call(client, "memory_remember", text=f"Red by {way}.")

    assert "Remembered" in door.speak("team", talk, path=path, headers=headers)


@pytest.mark.parametrize(
    ("token", "place", "status", "told"),
    [
        ("team", ("", ""), 400, "Name it in the path"),
        ("pattern", ("", ""), 400, "Name it in the path"),
        ("admin", ("", ""), 400, "Name it in the path"),
        ("team", ("/team:red", "anna"), 400, "path and header differ"),
        ("team", ("/ben", ""), 403, "no right to the namespace"),
        ("anna", ("/ben", ""), 403, "no right to the namespace"),
        ("anna", ("", "ben"), 403, "no right to the namespace"),
        ("anna", ("/*", ""), 403, "no right to the namespace"),
        ("stranger", ("", ""), 401, "Authorization: Bearer"),
        ("stranger", ("/anna", "anna"), 401, "Authorization: Bearer"),
    ],
)
def test_other_requests_are_refused_with_a_remedy(
    door: OpenDoor, token: str, place: tuple[str, str], status: int, told: str
) -> None:
    path, header = place
    headers = {**door.shown(token), **({"Libravdb-Namespace": header} if header else {})}
    reply = door.post(HELLO, path=path, headers=headers)
    assert reply.status == status
    error = json.loads(reply.text)["error"]
    assert set(error) == {"kind", "message", "remedy"}
    assert told in f"{error['message']} {error['remedy']}"
    assert door.tokens[token] not in reply.text


def test_without_a_token_nobody_comes_in(door: OpenDoor) -> None:
    for shown in ("", "Basic YTpi", "Bearer ", "x"):
        reply = door.post(HELLO, headers={"Authorization": shown} if shown else {})
        assert (reply.status, reply.challenge.split()[0]) == (401, "Bearer")


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_nobody_can_hold_a_stream_open(door: OpenDoor, method: str) -> None:
    assert door.post(b"", headers=door.shown("anna"), method=method).status == 405


def test_what_is_possible_is_told_to_anybody(door: OpenDoor) -> None:
    assert door.post(b"", headers={}, method="OPTIONS").status == 204


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff\xfe", b"[]", b"null", b'{"jsonrpc":"2.0","id":1,"method":5}', b'"' + b"x" * 300_000 + b'"'],
)
def test_broken_bodies_get_an_error_and_disturb_nobody(door: OpenDoor, body: bytes) -> None:
    assert 400 <= door.post(body, headers=door.shown("anna")).status < 500
    half = {
        **HELLO,
        "method": "tools/call",
        "params": {"name": "memory_search", "arguments": {"query": "\ud83d"}},
    }
    assert door.post(half, headers=door.shown("anna")).status in (200, 400)
    assert door.post(HELLO, headers=door.shown("anna")).status == 200


# ── the log ───────────────────────────────────────────────────────────────────────────────────────────────

CANARY = "CANARY-content-42"
QUOTING: tuple[dict[str, Any], ...] = (
    {"method": "prompts/get", "params": {"name": "recall", "arguments": {"topic": CANARY, "zz": CANARY}}},
    {"method": "prompts/get", "params": {"name": CANARY}},
    {"method": "tools/call", "params": {"name": CANARY, "arguments": {CANARY: 1}}},
    {"method": "tools/call", "params": {"name": "memory_search", "arguments": {"query": {CANARY: 1}}}},
    {"method": "resources/read", "params": {"uri": f"memory://{CANARY}"}},
    {"method": CANARY, "params": {"x": CANARY}},
)


class _Heard(logging.Handler):
    """Keeps lines as the daemon would write them."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(JsonLines())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.name} {self.format(record)}")


@pytest.fixture
def heard() -> Iterator[_Heard]:
    """What is logged by us, and what comes past us to the root."""
    handler, ours = _Heard(), logging.getLogger("libravdb.mcp")
    level, propagate = ours.level, ours.propagate
    ours.setLevel(logging.DEBUG)
    ours.propagate = False
    for log in (ours, logging.getLogger()):
        log.addHandler(handler)
    yield handler
    for log in (ours, logging.getLogger()):
        log.removeHandler(handler)
    ours.setLevel(level)
    ours.propagate = propagate


def test_the_log_holds_nothing_of_what_is_asked(door: OpenDoor, heard: _Heard) -> None:
    for asked in QUOTING:
        door.post({"jsonrpc": "2.0", "id": 1, **asked}, headers=door.shown("anna"))
    try:
        int(CANARY)
    except ValueError:
        logging.getLogger("mcp.server.runner").exception("handler for %r raised", CANARY)
    assert CANARY not in "".join(heard.lines)
    told = json.loads(heard.lines[-1].partition(" ")[2])
    assert (told["event"], told["level"], told["part"]) == ("mcp failed", "error", "mcp.server.runner")
    assert told["kind"] == "ValueError"
    assert told["where"].startswith("test_http.py:")


def test_whoever_hangs_up_in_the_middle_leaves_nothing(door: OpenDoor, heard: _Heard) -> None:
    place = urlsplit(door.url)
    token = door.tokens["anna"]
    head = (
        f"POST /mcp HTTP/1.1\r\nHost: {place.netloc}\r\nAuthorization: Bearer {token}\r\nContent-Length: 1000\r\n"
        "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\r\n"
    )
    for _ in range(20):
        with socket.create_connection((place.hostname, place.port), timeout=30) as connection:
            connection.sendall(head.encode() + b'{"jsonrpc": "2.0", "method": "' + CANARY.encode())
    assert door.post(HELLO, headers=door.shown("anna")).status == 200
    assert heard.lines == []


def test_a_body_that_stops_or_is_too_large_is_refused_and_all_together_take_little(tmp_path: Path) -> None:
    tokens = _tokens(tmp_path / "tokens")
    registry = TokenRegistry.over(tmp_path / "tokens")
    served = Served(tmp_path, tokens=registry)
    options = HttpOptions(stall_seconds=1.0, bodies_bytes=2**21)
    address = served.listen_http(options, mounts=mcp_mounts(served.dispatcher, registry))
    head = f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {tokens['anna']}\r\n"
    assert b" 413 " in _answer_to(address, f"{head}Content-Length: {2**20 + 1}\r\n\r\n".encode())
    assert b" 408 " in _answer_to(address, f"{head}Content-Length: 100\r\n\r\n{{".encode())
    with socket.create_connection((address.host, address.port), timeout=20) as hoarder:
        hoarder.sendall(f"{head}Content-Length: {2**20}\r\n\r\n{{".encode())
        threading.Event().wait(0.2)
        assert b" 503 " in _answer_to(address, f"{head}Content-Length: {2**19}\r\n\r\n".encode())
    served.close()


def _answer_to(address: Endpoint, told: bytes) -> bytes:
    """The first that comes back."""
    with socket.create_connection((address.host, address.port), timeout=20) as client:
        client.sendall(told)
        return client.recv(4_096)
