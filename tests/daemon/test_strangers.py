"""Whoever has shown no token gets nothing done, holds nobody up, and learns nothing; a browser is never obeyed."""

from __future__ import annotations

import contextlib
import http.client
import json
import logging
import socket
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.served import LOOPBACK, TOKEN, Served, SocketWire, ask, authenticated

from libravdb.daemon.server import Limits
from libravdb.daemon.strangers import Strangers
from libravdb.daemon.tokens import TokenRegistry, digest_of
from libravdb.errors import DaemonError
from libravdb.wire import endpoint

NEVER = 3_600.0
HASTY = Limits(first_delay_seconds=0.0, most_delay_seconds=0.0)
KEPT = {"collection": "user:anna", "id": "1", "text": "The key is under the flower pot."}
WRONG = {"token": "guess"}


def kept(served: Served) -> int:
    with served.store.read() as snapshot:
        return snapshot.sizes([KEPT["collection"]])[KEPT["collection"]]


@pytest.fixture(params=["unix", "tcp"])
def address(request: pytest.FixtureRequest, served: Served, tmp_path: Path) -> endpoint.Endpoint:
    is_unix = request.param == "unix"
    return served.listen(endpoint.Endpoint(path=str(tmp_path / "s.sock")) if is_unix else LOOPBACK, HASTY)


@pytest.fixture
def good(address: endpoint.Endpoint) -> Iterator[SocketWire]:
    """A client that keeps something, and must find it again."""
    wire = SocketWire(address) if address.path else authenticated(address)
    assert ask(wire, "insert_text", KEPT)["result"]["ok"]
    yield wire
    found = ask(wire, "list_collection", {"collection": KEPT["collection"]})["result"]["results"]
    assert [one["text"] for one in found] == [KEPT["text"]]
    wire.close()


# ── listening ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "0.0.0.0"])  # noqa: S104 - refused
def test_tcp_is_not_opened_without_a_token(host: str) -> None:
    with pytest.raises(DaemonError, match="would be open to every user") as refused:
        endpoint.listen(endpoint.Endpoint(host=host, port=0), has_token=False)
    assert "libravdb token create" in refused.value.remedy


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells it there")
def test_more_than_a_thousand_connections_may_wait(served: Served) -> None:
    served.listen(LOOPBACK)
    assert served.listener is not None
    waiting = struct.unpack_from("=I", served.listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 64), 28)[0]
    most = int(Path("/proc/sys/net/core/somaxconn").read_text())
    assert waiting == min(endpoint.BACKLOG, most)
    assert endpoint.BACKLOG >= 1_024


# ── what is not ours ──────────────────────────────────────────────────────────────────────────────────────

EVERYTHING = {"id": 1, "method": "drop_collections", "params": {"everything": True}}
SHOWN = {"id": 0, "method": "authenticate", "params": {"token": TOKEN}}


def lines(*requests: object) -> bytes:
    return b"".join(json.dumps(request).encode() + b"\n" for request in requests)


BODIES = {
    "bare": lines(EVERYTHING),
    "with the token": lines(SHOWN, EVERYTHING),
    "flush": lines(SHOWN, {"id": 2, "method": "flush_namespace", "params": {"userId": "anna"}}),
}


class UnixHttp(http.client.HTTPConnection):
    """HTTP over a unix socket."""

    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=30)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(self._path)


@pytest.mark.usefixtures("good")
@pytest.mark.parametrize("method", ["POST", "PUT", "GET", "OPTIONS"])
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_no_http_request_is_carried_out(served: Served, address: endpoint.Endpoint, method: str, body: bytes) -> None:
    browser = (
        UnixHttp(address.path) if address.path else http.client.HTTPConnection(address.host, address.port, timeout=30)
    )
    with pytest.raises((http.client.HTTPException, OSError)):
        fetch(browser, method, body)
    browser.close()
    assert kept(served) == 1
    calls = {name for name in served.calls.tallies() if name in ("drop_collections", "flush_namespace")}
    assert calls == set()


def fetch(browser: http.client.HTTPConnection, method: str, body: bytes) -> None:
    browser.request(method, "/", body=body, headers={"Content-Type": "text/plain"})
    browser.getresponse()


FOREIGN = {
    "a request line": b"POST / HTTP/1.1\r\nHost: x\r\n\r\n",
    "half a request line": b"POST /a-path-that-does-not-end",
    "a method in small letters": b"post / HTTP/1.1\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a header": b"Host: localhost\r\n",
    "an answer": b"HTTP/1.1 200 OK\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "TLS with a line in it": b"\x16\x03\x01\n",
}


@pytest.mark.usefixtures("good")
@pytest.mark.parametrize("said", FOREIGN.values(), ids=FOREIGN.keys())
def test_another_protocol_is_told_so_in_one_line_and_the_connection_is_closed(
    served: Served, address: endpoint.Endpoint, said: bytes
) -> None:
    browser = SocketWire(address)
    browser.send(said + BODIES["with the token"])
    told = browser.receive()
    assert set(told) == {"jsonrpc", "error"}
    assert "HTTP" in told["error"]["message"] or "TLS" in told["error"]["message"]
    assert browser.is_closed()
    browser.close()
    assert kept(served) == 1


def test_what_is_only_no_json_is_refused_and_the_connection_stays(good: SocketWire) -> None:
    for said in (b"posted\n", b"hello\n", b"get\n", b"[1]\n"):
        good.send(said)
        assert good.receive()["error"]["message"].startswith("invalid request: ")


# ── without a token ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "said",
    [
        lines(EVERYTHING),
        b"nonsense\n",
        b"\n",
        lines({"id": 1, "method": "no such method"}),
        lines({"id": 1, "method": "authenticate", "params": {"token": TOKEN, "more": 1}}),
        lines({"id": 1, "method": "authenticate", "params": {"token": 5}}),
        lines({"id": 1, "method": "authenticate"}),
        lines({"id": 1, "method": "authenticate", "params": {"token": ""}}),
        lines({"id": 1, "method": "authenticate", "params": {"token": TOKEN[:-1]}}),
        lines({"id": 1, "method": "authenticate", "params": {"token": digest_of(TOKEN)}}),
    ],
)
def test_after_a_few_lines_without_the_token_the_connection_is_closed(served: Served, said: bytes) -> None:
    address = served.listen(LOOPBACK, HASTY)
    stranger = SocketWire(address)
    stranger.send(said * 20 + lines(SHOWN, EVERYTHING))
    answers = list(replies(stranger))
    assert len(answers) <= HASTY.stranger_failures
    assert all("error" in one for one in answers)
    assert all(tally.failures == tally.calls for tally in served.calls.tallies().values())
    stranger.close()


def replies(wire: SocketWire) -> Iterator[dict[str, Any]]:
    with contextlib.suppress(AssertionError, ConnectionError):
        while True:
            yield wire.receive()


def test_a_stranger_is_not_told_which_methods_there_are(served: Served) -> None:
    address = served.listen(LOOPBACK, HASTY)
    told = []
    for method in ("drop_collections", "no such method"):
        stranger = SocketWire(address)
        told.append(ask(stranger, method)["error"]["message"])
        stranger.close()
    assert told == ["authentication required: call authenticate with the token first"] * 2


def test_a_stranger_has_room_for_a_short_line_only(served: Served) -> None:
    address = served.listen(LOOPBACK, HASTY)
    stranger = SocketWire(address)
    stranger.send(b'{"method":"authenticate","params":{"token":"' + b"x" * 2**17)
    assert "at most 8,192 bytes" in stranger.receive()["error"]["message"]
    assert stranger.is_closed()
    stranger.close()


def test_a_stranger_who_says_nothing_is_sent_away(served: Served) -> None:
    address = served.listen(LOOPBACK, Limits(stranger_seconds=0.0))
    stranger = SocketWire(address)
    assert "nobody authenticated" in stranger.receive()["error"]["message"]
    assert stranger.is_closed()
    stranger.close()


def test_who_has_authenticated_may_be_silent(served: Served) -> None:
    address = served.listen(LOOPBACK, Limits(stranger_seconds=5.0, first_delay_seconds=NEVER, most_delay_seconds=NEVER))
    wires = [authenticated(address) for _ in range(5)]
    for wire in wires:
        assert ask(wire, "health")["result"]["ok"]
        wire.close()


# ── wrong tokens ──────────────────────────────────────────────────────────────────────────────────────────


def test_answers_to_wrong_tokens_wait_without_holding_up_anybody(served: Served) -> None:
    """More of them than there are threads: none sits in one."""
    limits = Limits(first_delay_seconds=NEVER, most_delay_seconds=NEVER, quick_threads=1, threads=1, shutdown_seconds=2)
    address = served.listen(LOOPBACK, limits)
    guessing = [SocketWire(address) for _ in range(30)]
    for one in guessing:
        one.send(lines({"id": 1, "method": "authenticate", "params": WRONG}))
    good = authenticated(address)
    while served.calls.tallies()["authenticate"].failures < len(guessing):
        assert ask(good, "health")["result"]["ok"]
    assert ask(good, "insert_text", KEPT)["result"]["ok"]
    for one in (*guessing, good):
        one.close()


def test_wrong_tokens_are_logged_with_their_peer_and_number_and_without_the_token(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    address = served.listen(LOOPBACK, HASTY)
    with caplog.at_level(logging.DEBUG, logger="libravdb.daemon"):
        for _ in range(2):
            stranger = SocketWire(address)
            for _ in range(3):
                said = ask(stranger, "authenticate", {"token": "lvdb_a-guess-that-is-wrong"})["error"]["message"]
                assert said == "the token is not the right one"
            assert stranger.is_closed()
            stranger.close()
    told = [(vars(one)["peer"], vars(one)["failures"]) for one in caplog.records if one.message == "wrong token"]
    assert told == [("127.0.0.1", number) for number in range(1, 7)]
    assert "guess" not in str([vars(one) for one in caplog.records])


def test_a_token_is_never_taken_for_its_beginning_or_its_digest() -> None:
    tokens = TokenRegistry.of_one("right")
    assert tokens.rights(digest_of("right")) is not None
    for wrong in ("", "r", "righ", "right ", "rightx", "RIGHT", digest_of("right")):
        assert tokens.rights(digest_of(wrong)) is None
    assert TokenRegistry.of_one("").rights(digest_of("")) is None
    assert TokenRegistry.of_one("").rights("") is None


ADDRESSES = st.sampled_from(["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"])


@given(attempts=st.lists(ADDRESSES, max_size=60), most=st.integers(1, 3))
def test_the_wait_grows_by_address_up_to_a_bound_and_few_addresses_are_kept(attempts: list[str], most: int) -> None:
    strangers = Strangers(first_seconds=0.25, most_seconds=5.0, addresses=most)
    counts: dict[str, int] = {}
    for address in attempts:
        before = strangers.seconds(address)
        count = strangers.failed(address)
        after = strangers.seconds(address)
        assert after == 5.0 or after == (2 * before or 0.25)
        assert count == counts.get(address, 0) + 1 or count == 1
        counts[address] = count
        assert len(strangers._failures) <= most
    assert strangers.seconds("192.168.0.1") == 0.0
