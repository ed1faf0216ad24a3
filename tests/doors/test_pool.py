"""A few connections serve many threads: never more than agreed, each closed when all are, none shared by a fork."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from libravdb.client.pool import PooledTransport
from libravdb.errors import DaemonError


class Line:
    """A transport that answers when it may, and remembers who used it."""

    is_local = True
    may_answer = threading.Event()
    begun = threading.Semaphore(0)

    def __init__(self) -> None:
        self.busy = threading.Lock()
        self.closed = 0

    def exchange(self, line: bytes, *, seconds: float, may_repeat: bool) -> bytes:
        assert self.busy.acquire(blocking=False), "two exchanges over one connection"
        assert (seconds > 0, may_repeat) == (True, True)
        self.begun.release()
        self.may_answer.wait(10)
        self.busy.release()
        return line[::-1]

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def lines() -> list[Line]:
    Line.may_answer, Line.begun = threading.Event(), threading.Semaphore(0)
    return []


@pytest.fixture
def pool(lines: list[Line]) -> PooledTransport:
    def connect() -> Line:
        lines.append(Line())
        return lines[-1]

    return PooledTransport(connect, most=3)


def test_many_threads_share_a_few_connections(pool: PooledTransport, lines: list[Line]) -> None:
    Line.may_answer.set()
    with ThreadPoolExecutor(32) as threads:
        asked = [f"{number}".encode() for number in range(300)]
        told = list(threads.map(lambda line: pool.exchange(line, seconds=10, may_repeat=True), asked))
    assert told == [line[::-1] for line in asked]
    assert 1 <= len(lines) <= 3
    pool.close()
    assert [line.closed for line in lines] == [1] * len(lines)


def test_whoever_finds_none_free_in_time_is_told(pool: PooledTransport, lines: list[Line]) -> None:
    with ThreadPoolExecutor(3) as threads:
        waiting = [threads.submit(pool.exchange, b"x", seconds=10, may_repeat=True) for _ in range(3)]
        assert all(Line.begun.acquire(timeout=10) for _ in range(3))
        with pytest.raises(DaemonError, match="none of 3 connections was free"):
            pool.exchange(b"x", seconds=0.01, may_repeat=True)
        pool.close()
        assert not any(line.closed for line in lines), "they are lent"
        Line.may_answer.set()
        assert [one.result() for one in waiting] == [b"x"] * 3
    assert [line.closed for line in lines] == [1, 1, 1]
    assert pool.exchange(b"ab", seconds=1, may_repeat=True) == b"ba", "whoever asks again is connected again"


def test_a_forked_process_has_connections_of_its_own(
    pool: PooledTransport, lines: list[Line], monkeypatch: pytest.MonkeyPatch
) -> None:
    Line.may_answer.set()
    pool.exchange(b"x", seconds=1, may_repeat=True)
    monkeypatch.setattr(os, "getpid", lambda: -1)  # as a child would see it
    pool.exchange(b"x", seconds=1, may_repeat=True)
    assert len(lines) == 2
    assert pool.is_local
