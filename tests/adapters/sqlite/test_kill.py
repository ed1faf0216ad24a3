"""Kill −9 at a random moment, a hundred times on one file: what was acknowledged is there, and nothing is torn.

Run as a program, this file is the nursery: it imports once and forks a writer for each round. A writer commits
from four threads and reports each commit after it has returned. What a thread commits follows from the seed,
the round and its number, so the parent can tell what the file must hold from how far each thread came.
"""

from __future__ import annotations

import os
import random
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.engine.pages import every_record, one_record
from libravdb.model import Change, Embedding, Put, Remove
from libravdb.ports.store import Snapshot, Store
from libravdb.testing import MemoryStore
from libravdb.text.analysis import index_terms, query_terms

KILLS = 40
THREADS = 4
SPACE = "model"
COLLECTIONS = ("session", "durable", "user:é")
LEDGER = "ledger"
WORDS = "apple river stone cloud Haus книга 東京 getUserName".split()


def embed(text: str) -> Embedding:
    """A text's vectors follow from the text; longer ones have several."""
    numbers = np.random.default_rng(crc32(text.encode())).standard_normal((1 + len(text) % 3, 8))
    unit = numbers / np.linalg.norm(numbers, axis=1, keepdims=True)
    return Embedding(fingerprint=SPACE, vectors=unit.astype(np.float32))


def commit_of(seed: int, turn: int, thread: int, number: int) -> list[Change]:
    """The changes of one commit: several records in several collections, and the thread's line in the ledger."""
    dice = random.Random(f"{seed} {turn} {thread} {number}")
    changes: list[Change] = []
    for _ in range(dice.randint(2, 7)):
        collection, id = dice.choice(COLLECTIONS), f"{thread}-{dice.randrange(12)}"
        if dice.random() < 0.25:
            changes.append(Remove(collection=collection, id=id))
            continue
        text = "stamp " + " ".join(dice.choices(WORDS, k=dice.randint(1, 3)))  # few texts: many are shared
        changes.append(put(collection, id, text, turn=turn, number=number))
    changes.append(put(LEDGER, f"{thread}", f"stamp {turn} {number}", turn=turn, number=number))
    return changes


def put(collection: str, id: str, text: str, *, turn: int, number: int) -> Put:
    """A record that tells which commit wrote it."""
    return Put(
        collection=collection,
        id=id,
        text=text,
        at=number,
        metadata={"turn": turn, "number": number},
        embedding=embed(text),
        terms=tuple(index_terms(text)),
    )


# ── the writer and its nursery ────────────────────────────────────────────────────────────────────────────


def write(path: Path, seed: int, turn: int) -> None:
    """Commit for ever from four threads, telling of each commit that has returned."""
    store = SqliteStore(path, now=1)
    store.vectors.open(fingerprint=SPACE, dimensions=8, description={})

    def run(thread: int) -> None:
        number = 0
        while True:
            number += 1
            store.commit(commit_of(seed, turn, thread, number))
            os.write(1, f"ack {thread} {number}\n".encode())

    threads = [threading.Thread(target=run, args=(thread,)) for thread in range(THREADS)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()


def nurse(path: Path, seed: int) -> None:
    """For each round asked for: fork a writer, tell its number, and tell when it is dead."""
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            write(path, seed, int(line))
        os.write(1, f"born {child}\n".encode())
        os.waitpid(child, 0)
        os.write(1, b"dead\n")


# ── the parent ────────────────────────────────────────────────────────────────────────────────────────────


class Nursery:
    """The other end of the pipes."""

    def __init__(self, path: Path, seed: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(path), str(seed)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._asks, self._tells = self._process.stdin, self._process.stdout
        self._read = b""

    def run_and_kill(self, turn: int, *, after_acks: int, seconds: float) -> dict[int, int]:
        """Start a writer, kill it when it has reported enough and then lived a moment longer; its last reports."""
        self._asks.write(f"{turn}\n".encode())
        (_, pid) = self._line().split()
        acked: dict[int, int] = {}
        for _ in range(after_acks):
            self._note(self._line(), acked)
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            if b"\n" in self._read or select.select([self._tells], [], [], left)[0]:
                self._note(self._line(), acked)
        os.kill(int(pid), signal.SIGKILL)
        while (line := self._line()) != "dead":
            self._note(line, acked)
        return acked

    def _note(self, line: str, acked: dict[int, int]) -> None:
        word, thread, number = line.split()
        assert word == "ack"
        acked[int(thread)] = int(number)

    def _line(self) -> str:
        while b"\n" not in self._read:
            more = os.read(self._tells.fileno(), 65536)
            assert more, "the nursery is gone"
            self._read += more
        line, self._read = self._read.split(b"\n", 1)
        return line.decode()

    def close(self) -> None:
        self._asks.close()
        self._process.wait(30)
        self._tells.close()


def contents(store: Store) -> dict[str, list[object]]:
    with store.read() as read:
        names = [info.name for info in read.collections().items if info.records]
        return {name: list(every_record(read, name)) for name in names}


def came_to(read: Snapshot, turn: int, thread: int) -> int:
    """The number of the thread's last commit of this round that the file holds."""
    line = one_record(read, LEDGER, f"{thread}")
    if line is None or line.text.split()[1] != f"{turn}":
        return 0
    return int(line.text.split()[2])


def check_search(store: Store) -> None:
    """Every record is found by its words and by its vectors: index, arrays and records agree."""
    with store.read() as read:
        for name in (*COLLECTIONS, LEDGER):
            everything = {record.id for record in every_record(read, name)}
            by_words = read.matching([name], query_terms("stamp"), k=1000)
            by_vectors = read.nearest([name], embed("stamp"), k=1000)
            assert {key.id for key in by_words} == everything
            assert {one.key.id for one in by_vectors} == everything
    assert store.maintenance.stats().unembedded == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="SIGKILL and fork are a POSIX matter")
@pytest.mark.parametrize("kills", [KILLS, pytest.param(10 * KILLS, marks=pytest.mark.thorough)])
def test_kills_lose_nothing_and_tear_nothing(tmp_path: Path, kills: int) -> None:
    seed = random.SystemRandom().randrange(2**32)
    dice = random.Random(seed)
    path = tmp_path / "store.db"
    twin = MemoryStore()
    twin.vectors.open(fingerprint=SPACE, dimensions=8, description={})
    nursery = Nursery(path, seed)
    total = 0
    try:
        for turn in range(kills):
            # Some die while opening the file (recovering it, or making it), most in the middle of their work.
            after_acks = 0 if turn % 5 == 0 else dice.randint(1, 40)
            acked = nursery.run_and_kill(turn, after_acks=after_acks, seconds=dice.uniform(0, 0.03))
            note = f"seed {seed}, kill {turn}"
            with SqliteStore(path, now=1) as store:
                with store.read() as read:
                    has_space = bool(read.spaces())
                    came = [came_to(read, turn, thread) for thread in range(THREADS)]
                for thread, reached in enumerate(came):
                    assert reached - acked.get(thread, 0) in (0, 1), f"{note}: thread {thread} lost a commit"
                    for number in range(1, reached + 1):
                        twin.commit(commit_of(seed, turn, thread, number))
                    total += reached
                assert contents(store) == contents(twin), f"{note}: a commit is torn or changed"
                if has_space:
                    check_search(store)
                if turn % 10 == 9:
                    assert list(store.maintenance.verify()) == [], note
    finally:
        nursery.close()
    with SqliteStore(path) as store:
        assert list(store.maintenance.verify()) == [], f"seed {seed}"
        assert store.maintenance.stats().records == twin.maintenance.stats().records > 50
    assert total > 5 * kills


if __name__ == "__main__":
    nurse(Path(sys.argv[1]), int(sys.argv[2]))
