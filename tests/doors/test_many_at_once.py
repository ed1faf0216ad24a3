"""A thousand calls of threads and of tasks through every door, and one model for all of them."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.doors.doors import DOORS, opened
from tests.served import environment

from libravdb import AsyncMemory, Memory
from libravdb.model import Committed, Record

CALLS, USERS = 1_000, 10


def ask(memory: Memory, number: int) -> bool:
    """One call of a user, a write in every fifth; True when it answers for that user alone."""
    own = memory.for_user(f"user {number % USERS}")
    match number // USERS % 10:
        case 0:
            return own.remember(f"{own.user} keeps boat {number}", id=f"boat {number}").record.id == f"boat {number}"
        case 5:
            return isinstance(own.add(f"{own.user} rows to harbour {number}", session=f"s {own.user}"), Committed)
        case 1 | 6:
            return all(own.user in hit.text for hit in own.search("Who keeps a boat?", k=3))
        case 2 | 3 | 7:
            return all(own.user in record.text for record in own.list(limit=5))
        case _:
            return own.get("nothing") is None


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[pytest.mark.thorough] * (one in ("unix", "tcp"))) for one in DOORS]
)
def test_a_thousand_calls_of_threads_all_answer(name: str, tmp_path: Path) -> None:
    with opened(name, tmp_path) as door, door("owner") as memory, ThreadPoolExecutor(100) as threads:
        assert all(threads.map(lambda number: ask(memory, number), range(CALLS)))
        kept = {user: len(memory.for_user(f"user {user}").list(limit=1_000)) for user in range(USERS)}
    assert all(kept.values())


def test_a_thousand_tasks_all_answer(tmp_path: Path) -> None:
    async def calls(memory: AsyncMemory) -> list[Record | None]:
        users = [memory.for_user(f"user {number}") for number in range(USERS)]
        kept = await asyncio.gather(*(user.remember(f"{user.user} has a kite", id="kite") for user in users))
        assert all(one.is_new for one in kept)
        found = await asyncio.gather(*(users[number % USERS].get("kite") for number in range(CALLS)))
        await memory.close()
        return found

    with opened("unix", tmp_path) as door:
        found = asyncio.run(calls(AsyncMemory(door("owner"))))
    assert [record and record.text for record in found] == [f"user {n % USERS} has a kite" for n in range(CALLS)]


MEASURE = """
import gc, resource, sys, tempfile
from pathlib import Path
from libravdb import Memory

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1])

folder = Path(tempfile.mkdtemp())
first = Memory.open(folder / "0.libravdb")
first.remember("The kite is blue")
one = resident()
others = [first.for_user(f"user {n}") for n in range(50)]
for memory in others:
    memory.remember("The kite is red")
    assert memory.search("Which colour has the kite?").mode == "full"
more = [Memory.open(folder / f"{n}.libravdb") for n in range(1, 6)]
for memory in more:
    memory.remember("The kite is green")
    assert memory.search("Which colour has the kite?").mode == "full"
many = resident()
for memory in (first, *more):
    memory.close()
gc.collect()
from libravdb.adapters.embedders import shared_models
print(one, many, len(shared_models._loaded))
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="what is resident cannot be told here")
def test_fifty_users_and_six_files_hold_one_model_which_goes_with_the_last(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MEASURE], env=environment(tmp_path), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    one, many, left = map(int, done.stdout.split())
    assert many <= 1.3 * one
    assert left == 0
