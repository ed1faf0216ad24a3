"""Lines under way: what all of them hold stays bounded, and who stalls loses his place to who does not."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.served import LOOPBACK, Served, SocketWire, ask, authenticated

from libravdb.daemon.frames import CHUNK, FrameBudget, LineReader, LineRefused, LineTooLong
from libravdb.daemon.server import Limits
from libravdb.wire import endpoint

MIB = 2**20
NEVER = 3_600.0
TIGHT = Limits(line_bytes=8 * MIB, lines_under_way=2, stall_seconds=0.3, large_line_seconds=NEVER, shutdown_seconds=2)
LARGE_CALL = {"collection": "c", "id": "big", "text": "y", "pad": "z" * (4 * MIB)}


def stalled(wire: SocketWire) -> SocketWire:
    """Half a line of 2 MiB; what the daemon does not take stays in the kernel."""
    wire.socket.settimeout(0)
    half = b'{"id":1,"method":"insert_text","params":{"text":"' + b"x" * (2 * MIB)
    with contextlib.suppress(BlockingIOError, ConnectionError):
        wire.socket.sendall(half)
    wire.socket.settimeout(30)
    return wire


@pytest.mark.parametrize("limits", [TIGHT, Limits()], ids=["tight", "as shipped"])
@pytest.mark.parametrize("is_known", [False, True], ids=["strangers", "known"])
def test_lines_that_stall_do_not_hold_up_a_large_call(served: Served, limits: Limits, *, is_known: bool) -> None:
    address = served.listen(LOOPBACK, limits)
    hoarders = [stalled(authenticated(address) if is_known else SocketWire(address)) for _ in range(32)]
    good = authenticated(address)
    assert ask(good, "insert_text", LARGE_CALL) == {"jsonrpc": "2.0", "id": 7, "result": {"ok": True}}
    assert ask(good, "health")["result"]["ok"]
    for wire in (*hoarders, good):
        wire.close()


def test_on_a_unix_socket_as_well(served: Served, tmp_path: Path) -> None:
    address = served.listen(endpoint.Endpoint(path=str(tmp_path / "s.sock")), TIGHT)
    hoarders = [stalled(SocketWire(address)) for _ in range(32)]
    good = SocketWire(address)
    assert ask(good, "insert_text", LARGE_CALL) == {"jsonrpc": "2.0", "id": 7, "result": {"ok": True}}
    for wire in (*hoarders, good):
        wire.close()


def test_who_lost_his_place_is_told(served: Served, tmp_path: Path) -> None:
    address = served.listen(endpoint.Endpoint(path=str(tmp_path / "s.sock")), TIGHT)
    hoarders = [SocketWire(address) for _ in range(12)]
    for hoarder in hoarders:
        hoarder.send(b"x" * (2 * MIB))
    good = SocketWire(address)
    assert ask(good, "insert_text", LARGE_CALL) == {"jsonrpc": "2.0", "id": 7, "result": {"ok": True}}
    assert "others needed its place" in hoarders[0].receive()["error"]["message"]
    assert hoarders[0].is_closed()
    for wire in (*hoarders, good):
        wire.close()


# ── one reader ────────────────────────────────────────────────────────────────────────────────────────────


def reading(chunks: list[bytes], *, line_bytes: int, budget: int) -> list[bytes | str]:
    """What a reader makes of a stream that comes in these pieces; in the end nothing is held."""

    async def run() -> list[bytes | str]:
        stream = asyncio.StreamReader(limit=CHUNK)
        shared = FrameBudget(budget, stall_seconds=NEVER)
        reader = LineReader(stream, shared, line_bytes, NEVER)
        feeding = asyncio.create_task(feed(stream, chunks))
        told: list[bytes | str] = []
        while True:
            try:
                line = await reader.line()
            except LineTooLong:
                told.append("too long")
                continue
            assert shared.used == 0
            if line is None:
                await feeding
                return told
            told.append(line)

    return asyncio.run(run())


async def feed(stream: asyncio.StreamReader, chunks: list[bytes]) -> None:
    for chunk in chunks:
        stream.feed_data(chunk)
        await asyncio.sleep(0)
    stream.feed_eof()


LINES = st.lists(st.integers(0, 6 * CHUNK).map(lambda size: b"x" * size), max_size=4)


@given(
    sent=LINES, cut=st.integers(9_000, 3 * CHUNK), most=st.integers(CHUNK, 4 * CHUNK), budget=st.integers(0, 8 * CHUNK)
)
@settings(max_examples=60, deadline=None)
def test_a_stream_is_split_alike_however_it_comes_and_however_little_room_there_is(
    sent: list[bytes], cut: int, most: int, budget: int
) -> None:
    whole = b"".join(line + b"\n" for line in sent)
    chunks = [whole[start : start + cut] for start in range(0, len(whole), cut)]
    for line, told in zip(sent, reading(chunks, line_bytes=most, budget=budget), strict=True):
        assert told == line or (told == "too long" and len(line) > most)
        if len(line) > most + 2 * max(cut, CHUNK):
            assert told == "too long"


# ── the budget ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_frame_without_progress_gives_way_and_one_with_progress_does_not() -> None:
    async def run() -> None:
        budget = FrameBudget(4 * CHUNK, stall_seconds=0.0)
        stalled, flowing = asyncio.StreamReader(), asyncio.StreamReader()
        stalled.feed_data(b"x" * 3 * CHUNK)
        first = asyncio.create_task(LineReader(stalled, budget, MIB, NEVER).line())
        for _ in range(20):
            await asyncio.sleep(0)
        assert budget.used > 0
        flowing.feed_data(b"y" * 5 * CHUNK + b"\n")
        assert await LineReader(flowing, budget, MIB, NEVER).line() == b"y" * 5 * CHUNK
        with pytest.raises(LineRefused, match="others needed its place"):
            await first
        assert budget.used == 0

    asyncio.run(run())


def test_one_line_may_go_beyond_the_budget_and_the_next_waits_for_it() -> None:
    async def run() -> None:
        budget = FrameBudget(0, stall_seconds=NEVER)
        streams = [asyncio.StreamReader() for _ in range(3)]
        for stream in streams:
            stream.feed_data(b"x" * 2 * CHUNK)
        reads = [asyncio.create_task(LineReader(stream, budget, MIB, NEVER).line()) for stream in streams]
        for _ in range(20):
            await asyncio.sleep(0)
        held = budget.used
        assert held > 0
        for stream, read in zip(streams, reads, strict=True):
            stream.feed_data(b"\n")
            assert await read == b"x" * 2 * CHUNK
            assert budget.used <= held
        assert budget.used == 0

    asyncio.run(run())


def test_a_slow_large_line_is_given_up_after_its_time() -> None:
    async def run() -> None:
        stream = asyncio.StreamReader()
        stream.feed_data(b"x" * (MIB + CHUNK + 1))
        budget = FrameBudget(8 * MIB, stall_seconds=NEVER)
        with pytest.raises(LineRefused, match="not finished within 0 s"):
            await LineReader(stream, budget, 8 * MIB, 0.0).line()
        assert budget.used == 0

    asyncio.run(run())


def test_a_client_that_goes_in_the_middle_gives_its_place_back() -> None:
    async def run() -> None:
        stream = asyncio.StreamReader()
        stream.feed_data(b"x" * 3 * CHUNK)
        stream.feed_eof()
        budget = FrameBudget(8 * MIB, stall_seconds=NEVER)
        assert await LineReader(stream, budget, MIB, NEVER).line() is None
        assert budget.used == 0

    asyncio.run(run())


def test_many_may_connect_at_once(served: Served, tmp_path: Path) -> None:
    """More than a short backlog holds, before any of them is accepted."""
    address = served.listen(endpoint.Endpoint(path=str(tmp_path / "s.sock")), Limits(connections=2_000))
    waiting = [socket.socket(socket.AF_UNIX) for _ in range(400)]
    for one in waiting:
        one.settimeout(0)
        one.connect(address.path)
    good = SocketWire(address)
    assert ask(good, "health")["result"]["ok"]
    good.close()
    for one in waiting:
        one.close()
