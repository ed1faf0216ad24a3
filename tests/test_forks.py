"""A forked child that uses its parent's memory is told so at once; it neither waits for ever nor does any harm."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SECONDS = 60
"""Far more than it takes: a child that waits is killed, and the test fails."""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a matter of POSIX")

USES = {
    "remember": "memory.remember('a child writes')",
    "search": "memory.search('what was said')",
    "ingest": "memory.ingest('a child speaks')",
    "assemble": "memory.assemble('what was said')",
    "status": "memory.engine.status()",
    "a part held before": "memories.collections()",
    "the store": "store.maintenance.stats()",
    "its writer": "store.commit([EnsureCollection(name='c')])",
    "its health": "store.maintenance.health()",
}
PARENT = """
import os, sys, threading
from pathlib import Path
from libravdb import Memory
from libravdb.errors import StoreForked
from libravdb.model import EnsureCollection

memory = Memory.open(Path(sys.argv[1]), settings={"embedding.backend": "none"})
memory.remember("the parent writes")
store = memory.engine._store._store._store._store
memories = memory.engine.memories
held = [store._commits._closing, store._pool, store._lulls._change, memory.engine._receipts._lock]
for lock in held:
    lock.acquire()  # as if other threads had them at that moment
child = os.fork()
if child == 0:
    try:
        %s
    except StoreForked as error:
        print("refused:", error, flush=True)
        memory.close()
        os._exit(0)
    os._exit(1)
for lock in reversed(held):
    lock.release()
_, status = os.waitpid(child, 0)
assert os.waitstatus_to_exitcode(status) == 0, status
memory.remember("the parent goes on")
print(memory.engine.status().store.records, flush=True)
memory.close()
"""


def run(script: str, path: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("use", USES)
def test_a_forked_child_is_refused_at_once_and_its_parent_goes_on(use: str, tmp_path: Path) -> None:
    told = run(PARENT % USES[use], tmp_path / "m.libravdb")
    assert "refused:" in told
    assert "after the fork" in told
    assert told.split()[-1] == "2"


def test_a_child_may_open_the_store_once_its_parent_has_closed_it(tmp_path: Path) -> None:
    script = """
    import os, sys
    from pathlib import Path
    from libravdb import Memory

    options = {"embedding.backend": "none"}
    memory = Memory.open(Path(sys.argv[1]), settings=options)
    memory.remember("the parent writes")
    memory.close()
    child = os.fork()
    if child == 0:
        with Memory.open(Path(sys.argv[1]), settings=options) as own:
            own.remember("the child writes")
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    with Memory.open(Path(sys.argv[1]), settings=options) as memory:
        print(memory.engine.status().store.records)
    """
    assert run(script, tmp_path / "m.libravdb") == "2\n"


def test_a_worker_of_multiprocessing_is_refused_too(tmp_path: Path) -> None:
    script = """
    import multiprocessing, sys
    from pathlib import Path
    from libravdb import Memory
    from libravdb.errors import StoreForked

    memory = Memory.open(Path(sys.argv[1]), settings={"embedding.backend": "none"})

    def work(n):
        try:
            memory.remember(f"from worker {n}")
        except StoreForked:
            return "refused"

    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(*pool.map(work, range(4)))
    memory.remember("the parent goes on")
    memory.close()
    """
    assert run(script, tmp_path / "m.libravdb") == "refused refused refused refused\n"
