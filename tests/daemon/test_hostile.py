"""Whatever one client does, the others are served, and memory and descriptors stay bounded."""

from __future__ import annotations

import json
import random
import socket
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.served import Served, SocketWire, ask

from libravdb.daemon.dispatch import Connection
from libravdb.daemon.server import Limits
from libravdb.wire import endpoint
from libravdb.wire.methods.method import Ok
from libravdb.wire.methods.table import METHODS

LIMITS = Limits(line_bytes=2**21, connections=150, lines_under_way=2, large_line_seconds=0.5, shutdown_seconds=2)


@pytest.fixture
def address(served: Served, tmp_path: Path) -> endpoint.Endpoint:
    return served.listen(endpoint.Endpoint(path=str(tmp_path / "s.sock")), LIMITS)


@pytest.fixture
def good(address: endpoint.Endpoint) -> Iterator[SocketWire]:
    """A well-behaved client that must not notice anything."""
    wire = SocketWire(address)
    assert ask(wire, "health")["result"]["ok"]
    yield wire
    assert ask(wire, "health")["result"]["ok"]
    wire.close()


def test_half_a_line_holds_up_nobody(good: SocketWire, address: endpoint.Endpoint) -> None:
    bad = SocketWire(address)
    bad.send(b'{"method":"fl')
    for number in range(50):
        assert ask(good, "insert_text", {"collection": "c", "id": str(number), "text": "x"})["result"]["ok"]
    bad.send(b'ush","id":1}\n')
    assert bad.receive()["result"] == {"ok": True}
    bad.close()


def test_a_line_over_the_limit_gets_an_error_and_the_connection_stays_usable(
    good: SocketWire, address: endpoint.Endpoint
) -> None:
    bad = SocketWire(address)
    for _ in range(3):
        bad.send(b"x" * (3 * 2**21) + b"\n")
        assert bad.receive()["error"]["message"] == "invalid request: the line has more than 2,097,152 bytes"
        assert ask(bad, "flush")["result"] == {"ok": True}
    bad.close()
    assert ask(good, "flush")["result"] == {"ok": True}


def test_large_lines_that_never_end_are_given_up_and_do_not_starve_others(
    good: SocketWire, address: endpoint.Endpoint
) -> None:
    hoarders = [SocketWire(address) for _ in range(6)]
    for hoarder in hoarders:
        hoarder.send(b"x" * (2**20 + 2**17))
    big = {"collection": "c", "id": "big", "text": "y", "metadata": {"pad": "z" * 900_000}}
    assert ask(good, "insert_text", big)["result"]["ok"]
    for hoarder in hoarders:
        assert "was not finished within" in hoarder.receive()["error"]["message"]
        assert hoarder.is_closed()
        hoarder.close()


def test_a_client_that_never_reads_is_left_with_its_unread_replies(
    good: SocketWire, address: endpoint.Endpoint
) -> None:
    for number in range(20):
        ask(good, "insert_text", {"collection": "c", "id": str(number), "text": "x " * 5_000})
    deaf = SocketWire(address)
    request = json.dumps({"method": "list_collection", "params": {"collection": "c"}}).encode() + b"\n"
    deaf.socket.settimeout(0)
    sent = 0
    try:
        while sent < 2_000:
            deaf.socket.send(request)
            sent += 1
    except BlockingIOError:
        pass
    for number in range(50):
        assert ask(good, "insert_text", {"collection": "d", "id": str(number), "text": "x"})["result"]["ok"]
    deaf.close()


def test_a_client_that_resets_in_the_middle_of_a_reply_harms_nobody(
    good: SocketWire, address: endpoint.Endpoint
) -> None:
    for number in range(10):
        ask(good, "insert_text", {"collection": "c", "id": str(number), "text": "x " * 5_000})
    for _ in range(50):
        rude = SocketWire(address)
        rude.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        rude.send(b'{"method":"list_collection","params":{"collection":"c"}}\n' * 3)
        rude.close()
    assert ask(good, "flush")["result"] == {"ok": True}


def test_a_flood_of_silent_connections_pushes_out_the_silent_and_not_those_who_spoke(
    good: SocketWire, address: endpoint.Endpoint
) -> None:
    before = open_descriptors()
    silent = []
    for _ in range(600):
        one = socket.socket(socket.AF_UNIX)
        one.connect(address.path)
        silent.append(one)
    assert ask(good, "health")["result"]["ok"]
    late = SocketWire(address)
    assert ask(late, "health")["result"]["ok"]
    late.close()
    for one in silent:
        one.close()
    for _ in range(500):
        assert ask(good, "health")["result"]["ok"]
        if open_descriptors() <= before + 2:
            break
    assert open_descriptors() <= before + 2


def open_descriptors() -> int:
    """Descriptors of this process, in which client and server both live."""
    return sum(1 for _ in Path("/dev/fd").iterdir())


def test_when_everybody_has_spoken_one_more_is_told_that_it_is_full(served: Served, tmp_path: Path) -> None:
    address = served.listen(endpoint.Endpoint(path=str(tmp_path / "s.sock")), Limits(connections=3))
    wires = [SocketWire(address) for _ in range(3)]
    for wire in wires:
        assert ask(wire, "health")["result"]["ok"]
    extra = SocketWire(address)
    assert "too many connections" in extra.receive()["error"]["message"]
    assert extra.is_closed()
    extra.close()
    for wire in wires:
        assert ask(wire, "health")["result"]["ok"]
        wire.close()


def test_one_slow_call_does_not_delay_another_connection(
    served: Served, good: SocketWire, address: endpoint.Endpoint
) -> None:
    entered, leave = threading.Event(), threading.Event()

    def slow(_: object) -> Ok:
        entered.set()
        assert leave.wait(30)
        return Ok()

    handlers = served.dispatcher._handlers
    assert isinstance(handlers, dict)
    handlers["flush"] = slow
    stuck = SocketWire(address)
    stuck.send(b'{"id":1,"method":"flush"}\n{"id":2,"method":"health"}\n')
    assert entered.wait(10)
    for _ in range(20):
        assert ask(good, "health")["result"]["ok"]
    leave.set()
    assert [stuck.receive()["id"], stuck.receive()["id"]] == [1, 2]
    stuck.close()


def test_many_clients_at_once_lose_and_double_nothing(address: endpoint.Endpoint, good: SocketWire) -> None:
    def work(client: int) -> None:
        wire = SocketWire(address)
        rng = random.Random(client)
        for number in range(60):
            params = {"sessionId": f"s{client}", "id": f"t{number}", "text": f"turn {client} {number}"}
            for _ in range(rng.choice([1, 1, 2])):
                reply = ask(wire, "insert_session_turn", params)
                assert reply["result"] == {"ok": True}, reply
            found = ask(
                wire, "query_raw_session", {"sessionId": f"s{client}", "text": f"turn {client} {number}", "k": 1}
            )
            assert found["result"]["results"][0]["id"] == f"t{number}"
        wire.close()

    failures: list[BaseException] = []

    def guarded(client: int) -> None:
        try:
            work(client)
        except BaseException as error:  # noqa: BLE001 - carried to the main thread
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(client,)) for client in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    for client in range(12):
        listed = ask(good, "list_collection", {"collection": f"session_raw:s{client}"})["result"]["results"]
        assert len(listed) == 60


def test_no_depth_is_too_much(served: Served) -> None:
    """Also not one that can just be read, and is too much for whoever looks at it further down."""
    for depth in (*range(900, 1_010), 100_000):
        metadata = b'{"a":' + b"[" * depth + b"]" * depth + b"}"
        params = b'{"collection":"c","id":"x","text":"t","metadata":' + metadata + b"}"
        reply = served.dispatcher.reply(b'{"method":"insert_text","params":' + params + b"}", Connection())
        assert reply is not None
        message = json.loads(reply)["error"]["message"]
        assert "nested" in message, depth
        assert "panic" not in message, depth


def test_a_crowd_of_values_is_refused_before_it_is_read(served: Served) -> None:
    line = b'{"method":"health","params":{"junk":[' + b"[]," * 2_000_000 + b"[]]}}"
    reply = served.dispatcher.reply(line, Connection())
    assert reply is not None
    assert json.loads(reply)["error"]["message"] == "invalid request: more than 1,000,000 values"


# ── the dispatcher under nonsense ─────────────────────────────────────────────────────────────────────────

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)
FIELDS = sorted({
    "".join([field.split("_")[0], *(word.title() for word in field.split("_")[1:])])
    for method in METHODS.values()
    for field in method.params.__dataclass_fields__
})  # fmt: skip
PARAMS = st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=8), VALUES, max_size=6) | VALUES
REQUESTS = st.fixed_dictionaries(
    {"method": st.sampled_from(sorted(METHODS)) | VALUES, "params": PARAMS}, optional={"id": VALUES}
).map(lambda request: json.dumps(request).encode())
FRAMES = REQUESTS | st.binary(max_size=200) | st.builds(lambda line, cut: line[:cut], REQUESTS, st.integers(0, 80))


@given(frames=st.lists(FRAMES, min_size=1, max_size=20))
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_frame_crashes_the_dispatcher(served: Served, frames: list[bytes]) -> None:
    for frame in frames:
        for line in frame.split(b"\n"):
            reply = served.dispatcher.reply(line, Connection(is_local=False))
            if line.strip():
                assert reply is not None
                answer = json.loads(reply)
                assert ("result" in answer) != ("error" in answer)
                if "error" in answer:
                    assert answer["error"]["message"]
                    assert "internal server panic" not in answer["error"]["message"], line
