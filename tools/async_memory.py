"""Writes `src/libravdb/async_memory.py` from the signatures of `Memory`: `python tools/async_memory.py`.

Every verb of `Memory` becomes one that awaits a worker thread. Nothing is implemented a second time: a verb that is
added to `Memory` is there after the next run, and a test tells when one is missing.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "libravdb"
TARGET = SOURCE / "async_memory.py"
OWN = ("open", "connect", "for_user", "close", "engine")
"""What begins and ends is written by hand, in the head below."""

HEAD = '''"""Memory for programs that await: every verb of `Memory`, carried out by a worker thread.

Made by `python tools/async_memory.py` from the signatures of `Memory`; do not edit it. A task that is cancelled leaves
nothing half done: what a thread has begun it finishes, and what still waits for one never begins.
"""

from __future__ import annotations

import asyncio
import builtins
import contextvars
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeVar

from libravdb.memory import SESSION, Memory, closed_memory
from libravdb.model import (
{names}
)
from libravdb.model.namespaces import DEFAULT

if TYPE_CHECKING:
    from libravdb.ports.engine_api import EngineApi

THREADS = 16
"""Verbs that are carried out at a time; the others wait."""

P = ParamSpec("P")
T = TypeVar("T")


class OpeningMemory:
    """A memory that is being opened: `memory = await …`, or `async with … as memory`."""

    def __init__(self, open_memory: Callable[[], Memory]) -> None:
        self._open = open_memory
        self._opened: AsyncMemory | None = None

    def __await__(self) -> Generator[Any, None, AsyncMemory]:
        return self._made().__await__()

    async def __aenter__(self) -> AsyncMemory:
        self._opened = await self._made()
        return self._opened

    async def __aexit__(self, *_: object) -> None:
        if self._opened is not None:
            await self._opened.close()

    async def _made(self) -> AsyncMemory:
        threads = ThreadPoolExecutor(THREADS, thread_name_prefix="libravdb-memory")
        opening = threads.submit(self._open)
        try:
            return AsyncMemory(await asyncio.wrap_future(opening), threads=threads)
        except BaseException:
            opening.add_done_callback(_close_unused)
            threads.shutdown(wait=False)
            raise


def _close_unused(opening: Future[Memory]) -> None:
    """Whoever was cancelled while a memory was opened cannot close it any more."""
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


class AsyncMemory:
    """What an agent remembers of one user, for programs that await. Close it, or use it in an `async with`.

    `engine` is the whole engine underneath, as of `Memory`: its verbs do not await.
    """

    def __init__(self, memory: Memory, *, threads: ThreadPoolExecutor | None = None, is_owner: bool = True) -> None:
        self._memory = memory
        self._threads = threads or ThreadPoolExecutor(THREADS, thread_name_prefix="libravdb-memory")
        self._is_owner = is_owner

    @property
    def engine(self) -> EngineApi:
        """The engine underneath."""
        return self._memory.engine

    @property
    def user(self) -> str:
        """Whose memory it is, by the name of the namespace."""
        return self._memory.user

    @classmethod
    def open(
        cls, path: Path | str, *, user: str = DEFAULT, settings: Mapping[str, object] | None = None
    ) -> OpeningMemory:
        """The memory in a file, made when missing; as `Memory.open`, to be awaited or used in an `async with`."""
        return OpeningMemory(partial(Memory.open, path, user=user, settings=settings))

    @classmethod
    def connect(cls, endpoint: str | None = None, *, token: str | None = None, user: str = DEFAULT) -> OpeningMemory:
        """The memory of a running daemon; as `Memory.connect`, to be awaited or used in an `async with`."""
        return OpeningMemory(partial(Memory.connect, endpoint, token=token, user=user))

    def for_user(self, user: str) -> AsyncMemory:
        """The memory of another user over the same engine, model and threads. Closing it closes nothing: that is left
        to the one that was opened."""
        return AsyncMemory(self._memory.for_user(user), threads=self._threads, is_owner=False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Wait for what is being done, then let go of the file and the model; of what `for_user` gave, nothing."""
        if self._is_owner:
            await asyncio.shield(asyncio.to_thread(self._close))

    def _close(self) -> None:
        self._threads.shutdown(wait=True)
        self._memory.close()

    async def _done(self, verb: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """What a verb gives, carried out by a worker thread."""
        context = contextvars.copy_context()
        work: Callable[[], T] = partial(verb, *given, **named)
        try:
            begun = self._threads.submit(context.run, work)
        except RuntimeError as error:  # the threads are gone
            raise closed_memory() from error
        return await asyncio.wrap_future(begun)
'''


def async_memory() -> str:
    """The whole file, formatted."""
    tree = ast.parse((SOURCE / "memory.py").read_text(encoding="utf-8"))
    (memory,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Memory")
    verbs = [
        _awaiting(node)
        for node in memory.body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and node.name not in OWN
    ]
    told = "\n".join(verbs)
    names = sorted({name for name in _model_names(tree) if name in _words(told)})
    head = HEAD.replace("{names}", "\n".join(f"    {name}," for name in names))
    return _formatted(head + "\n" + told)


def _awaiting(node: ast.FunctionDef) -> str:
    """A verb with the same signature that awaits a thread."""
    given = node.args
    passed = [
        *(each.arg for each in given.args[1:]),
        *([f"*{given.vararg.arg}"] if given.vararg else []),
        *(f"{each.arg}={each.arg}" for each in given.kwonlyargs),
    ]
    returned = ast.unparse(node.returns) if node.returns else "None"
    call = ", ".join((f"self._memory.{node.name}", *passed))
    document = ast.get_docstring(node, clean=False)
    return (
        f"    async def {node.name}({ast.unparse(given)}) -> {returned}:\n"
        f'        """{document}"""\n'
        f"        return await self._done({call})\n"
    )


def _model_names(tree: ast.Module) -> list[str]:
    return [
        alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module == "libravdb.model"
        for alias in node.names
    ]


def _words(code: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(f"class _:\n{code}")) if isinstance(node, ast.Name)}


def _formatted(code: str) -> str:
    for command in (("check", "--fix-only", "--select", "I"), ("format",)):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "-q", "--stdin-filename", str(TARGET), "-"],
            input=code,
            capture_output=True,
            text=True,
            check=True,
        )
        code = done.stdout
    return code


if __name__ == "__main__":
    TARGET.write_text(async_memory(), encoding="utf-8")
