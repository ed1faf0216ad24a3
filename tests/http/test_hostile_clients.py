"""Whatever one HTTP client does, the others are served, and it gets a clear word or is let go."""

from __future__ import annotations

import contextlib
import json
import random
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.http.conftest import HASTY
from tests.http.web import ADMIN, ANNA, BEN, Web, raw, registry
from tests.served import Served

from libravdb.daemon.mcp_mount import mcp_mounts
from libravdb.daemon.server import Limits
from libravdb.wire.endpoint import Endpoint

HEAD = f"POST /rpc HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {ANNA}\r\nContent-Type: application/json\r\n"


@pytest.fixture(autouse=True)
def good(address: Endpoint) -> Iterator[None]:
    """A well-behaved client that must not notice anything."""
    web = Web(address, ADMIN)
    assert web.ask("GET", "/health").status == 200
    yield
    web.close()
    again = Web(address, ADMIN)
    began = time.monotonic()
    assert again.rpc("health")["result"]["ok"]
    assert time.monotonic() - began < 5
    again.close()


def connected(address: Endpoint) -> socket.socket:
    return socket.create_connection((address.host, address.port), timeout=20)


def test_headers_that_never_end_are_given_up(address: Endpoint) -> None:
    slow = [connected(address) for _ in range(20)]
    for one in slow:
        one.sendall(b"GET /health HTTP/1.1\r\nHost: local")
    for one in slow:
        assert b" 408 " in one.makefile("rb").read()
        one.close()


def test_a_header_now_and_then_does_not_keep_a_connection(address: Endpoint) -> None:
    with connected(address) as slow:
        slow.sendall(b"GET /health HTTP/1.1\r\n")
        began = time.monotonic()
        with contextlib.suppress(ConnectionError):
            while time.monotonic() - began < 10:
                slow.sendall(b"X-Slow: 1\r\n")
                slow.settimeout(0.2)
                with contextlib.suppress(TimeoutError):
                    if not slow.recv(4_096):
                        break
        assert time.monotonic() - began < 5


def test_slow_headers_of_a_second_request_are_given_up_too(address: Endpoint) -> None:
    with connected(address) as slow:
        slow.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nGET /hea")
        seen = b""
        while b" 408 " not in seen:
            chunk = slow.recv(4_096)
            assert chunk
            seen += chunk
        assert b" 200 " in seen


def test_a_body_that_stops_is_given_up(address: Endpoint) -> None:
    told = raw(address, f"{HEAD}Content-Length: 100\r\n\r\n{{".encode())
    assert b" 408 " in told
    assert b"RequestTimeout" in told


def test_a_body_that_is_too_large_is_refused_before_it_is_read(address: Endpoint) -> None:
    assert b" 413 " in raw(address, f"{HEAD}Content-Length: 99999999\r\n\r\n".encode())
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    assert b" 413 " in raw(address, f"{HEAD}Transfer-Encoding: chunked\r\n\r\n".encode() + chunk * 20)


def test_strangers_cannot_make_us_hold_a_body(address: Endpoint, house: Served) -> None:
    head = "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n"
    strangers = [connected(address) for _ in range(20)]
    for one in strangers:
        one.sendall(head.encode() + b"x" * 1_000)
    for one in strangers:
        assert b" 401 " in one.recv(4_096)
        one.close()
    assert house.http is not None


def test_who_waits_to_be_asked_for_its_body_is_refused_without_being_asked(address: Endpoint) -> None:
    head = "POST /rpc HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 900000\r\n\r\n"
    told = raw(address, head.encode())
    assert told.startswith(b"HTTP/1.1 401 ")
    assert b"100 Continue" not in told


def test_wrong_tokens_in_great_number_leave_room_for_others(tmp_path: Path) -> None:
    served = Served(tmp_path, tokens=registry())
    limits = Limits(first_delay_seconds=1.0, most_delay_seconds=1.0)
    address = served.listen_http(replace(HASTY, held_off=5), limits=limits)
    guess = b"GET /v1/anna/profile HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer x\r\n\r\n"
    strangers = [connected(address) for _ in range(30)]
    for one in strangers:
        one.sendall(guess)
    assert Web(address, ANNA).ask("GET", "/v1/anna/profile").status == 200
    statuses = [one.recv(4_096)[9:12] for one in strangers]
    assert (statuses.count(b"401"), statuses.count(b"429")) == (5, 25)
    for one in strangers:
        one.close()
    served.close()


def test_one_caller_cannot_take_all_the_room(address: Endpoint) -> None:
    hoarders = [connected(address) for _ in range(6)]
    for one in hoarders:
        one.sendall(f"{HEAD}Content-Length: 1000000\r\n\r\n".encode() + b"x" * 500_000)
    big = {"sessionId": "s", "messages": ["y" * 700_000]}
    assert Web(address, BEN).ask("POST", "/v1/ben/turns", big).status == 200
    answers = [one.recv(4_096) for one in hoarders]
    assert {answer[9:12] for answer in answers} <= {b"503", b"408"}
    assert any(answer[9:12] == b"503" for answer in answers)
    for one in hoarders:
        one.close()


@pytest.mark.parametrize("path", ["/rpc", "/mcp"])
def test_one_caller_cannot_take_all_connections_with_bodies_that_never_end(tmp_path: Path, path: str) -> None:
    served = Served(tmp_path, tokens=registry())
    options = replace(HASTY, connections=20, stall_seconds=5.0, held_off=2)
    address = served.listen_http(options, mounts=mcp_mounts(served.dispatcher, served.tokens))
    hoarders = [connected(address) for _ in range(20)]
    for one in hoarders:
        one.sendall(f"{HEAD.replace('/rpc', path)}Content-Length: 50000\r\n\r\n{{".encode())
    until = time.monotonic() + 4
    while not 8 <= served.http.connections <= 12 and time.monotonic() < until:
        threading.Event().wait(0.01)
    assert 8 <= served.http.connections <= 12
    assert Web(address, BEN).ask("GET", "/v1/ben/profile").status == 200
    for one in hoarders:
        one.close()
    served.close()


@pytest.mark.parametrize(
    ("told", "status"),
    [
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),
        (b"\x00\xff\xfe\r\n\r\n", 400),
        (b"GET /health HTTP/1.1\r\n\r\n", 400),
        (b"GET /health HTTP/1.1\r\nHost: a\r\nHost: localhost\r\n\r\n", 400),
        (b"GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        (b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX: " + b"y" * 9_000 + b"\r\n\r\n", 431),
        (b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 900_000, 431),
        (f"{HEAD}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{{}}".encode(), 400),
        (f"{HEAD}Content-Length: -1\r\n\r\n".encode(), 400),
        (f"{HEAD}Content-Length: 2\r\nTransfer-Encoding: gzip\r\n\r\n{{}}".encode(), 501),
        (b'{"jsonrpc":"2.0","id":1,"method":"health"}\n\r\n\r\n', 400),
        (b"CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 401),
    ],
)
def test_what_is_no_request_gets_one_clear_word(address: Endpoint, told: bytes, status: int) -> None:
    head, _, body = raw(address, told).partition(b"\r\n\r\n")
    assert int(head[9:12]) == status
    assert set(json.loads(body)["error"]) == {"kind", "message", "remedy"}


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ({"Content-Type": "text/plain"}, b"{}", 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, b"a=b", 415),
        ({"Content-Type": "application/json; charset=utf-16"}, b"{}", 415),
        ({"Content-Type": "application/json", "Content-Encoding": "gzip"}, b"{}", 415),
        ({"Content-Type": "application/json"}, b"\xff\xfe{", 400),
        ({"Content-Type": "application/json"}, b"[" * 100_000, 400),
        ({"Content-Type": "application/json"}, b'{"question":NaN}', 400),
        ({"Content-Type": "application/json"}, b"nonsense", 400),
        ({"Content-Type": "application/json; charset=UTF-8"}, b'{"question":"x"}', 200),
    ],
)
def test_other_encodings_and_kinds_of_bodies_are_refused(
    anna: Web, headers: dict[str, str], body: bytes, status: int
) -> None:
    assert anna.ask("POST", "/v1/anna/search", raw=body, headers=headers).status == status


@pytest.mark.parametrize("body", [b"", b"[]", b'[{"id":1,"method":"health"}]', b"  "])
def test_a_list_of_calls_and_nothing_are_refused(anna: Web, body: bytes) -> None:
    reply = anna.ask("POST", "/rpc", raw=body)
    assert (reply.status, reply.kind) == (400, "InvalidInput")


def test_one_who_never_reads_is_let_go(tmp_path: Path) -> None:
    served = Served(tmp_path, tokens=registry())
    address = served.listen_http(HASTY)
    served.engine.conversations.ingest_batch(["z" * 200_000], session="s", namespace="deaf")
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        deaf.connect((address.host, address.port))
        body = json.dumps({"id": 1, "method": "list_collection", "params": {"collection": "history:deaf"}})
        one = HEAD.replace(ANNA, ADMIN) + f"Content-Length: {len(body)}\r\n\r\n{body}"
        deaf.sendall(one.encode() * 40)
        for wanted in (1, 0):
            until = time.monotonic() + 20
            while served.http.connections != wanted and time.monotonic() < until:
                threading.Event().wait(0.01)
            assert served.http.connections == wanted
    served.close()


def test_a_flood_of_idle_connections_pushes_out_the_idle(tmp_path: Path) -> None:
    served = Served(tmp_path, tokens=registry())
    address = served.listen_http(replace(HASTY, connections=40))
    flood = [connected(address) for _ in range(120)]
    assert Web(address, ANNA).ask("GET", "/v1/anna/profile").status == 200
    assert served.http.connections <= 40
    for one in flood:
        one.close()
    served.close()


def test_resets_in_the_middle_harm_nobody(address: Endpoint) -> None:
    for number in range(30):
        with connected(address) as rude:
            rude.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
            rude.sendall(
                f"{HEAD}Content-Length: {40 + number}\r\n\r\n".encode() + b'{"id":1,"method":"health","params":{}}'
            )


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    data=st.one_of(
        st.binary(max_size=400),
        st.builds(
            lambda body: HEAD.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body, st.binary(max_size=300)
        ),
        st.builds(
            lambda verb, path, line: b"%s %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n" % (verb, path, line),
            st.sampled_from([b"GET", b"POST", b"PATCH", b"DELETE", b"HEAD", b"X"]),
            st.binary(min_size=1, max_size=40),
            st.binary(max_size=60),
        ),
    )
)
def test_no_bytes_crash_it_or_keep_it(address: Endpoint, data: bytes) -> None:
    with connected(address) as line, contextlib.suppress(ConnectionError):
        line.sendall(data)
        line.shutdown(socket.SHUT_WR)
        while line.recv(65_536):
            pass


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.text(max_size=30).map(lambda text: "/v1/" + text.encode(errors="surrogatepass").hex("%")),
    body=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    ),
    verb=st.sampled_from(["GET", "POST", "PUT", "PATCH", "DELETE"]),
)
def test_no_request_is_answered_with_a_crash(address: Endpoint, verb: str, path: str, body: object) -> None:
    web = Web(address, ADMIN)
    assert web.ask(verb, path, body).status < 500
    assert web.ask(verb, "/v1/anna/search", body).status < 500
    web.close()


def test_it_stops_while_clients_hang_on(tmp_path: Path) -> None:
    served = Served(tmp_path, tokens=registry())
    address = served.listen_http(HASTY)
    idle, half = connected(address), connected(address)
    half.sendall(b"POST /rpc HTTP/1.1\r\nHost: local")
    web = Web(address, ANNA)
    assert web.ask("GET", "/health").status == 200
    began = time.monotonic()
    served.close()
    assert time.monotonic() - began < 10
    idle.close()
    half.close()
    web.close()


def test_many_tenants_at_once_get_their_own(address: Endpoint) -> None:
    wrong: list[str] = []

    def live(token: str, name: str) -> None:
        web, rng = Web(address, token), random.Random(name)
        for number in range(8):
            web.post(f"/v1/{name}/memories", {"text": f"{name} keeps the key number {rng.random()} {number}"})
            hits = web.post(f"/v1/{name}/search", {"question": "who keeps the key number?"})["hits"]
            wrong.extend(hit["record"]["text"] for hit in hits if not hit["record"]["text"].startswith(name))
        web.close()

    people = [(ANNA, "anna"), (BEN, "ben"), (ADMIN, "carla"), (ADMIN, "dirk"), (ADMIN, "emil")]
    threads = [threading.Thread(target=live, args=one) for one in people * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
