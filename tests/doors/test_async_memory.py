"""`AsyncMemory` is made from `Memory`, opens and closes as programs that await expect, and leaves nothing half done."""

from __future__ import annotations

import asyncio
import functools
import inspect
import threading
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ParamSpec

import pytest
from tests.support import open_words_engine
from tools import async_memory as tool

from libravdb import AsyncMemory, Memory, async_memory
from libravdb.errors import StoreBusy
from libravdb.ports.clock import Progress, no_progress
from libravdb.testing import WordsEmbedder

QUICK = {"embedding.backend": "none"}
P = ParamSpec("P")


def in_a_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """A test that awaits."""

    @functools.wraps(test)
    def run(*given: P.args, **named: P.kwargs) -> None:
        asyncio.run(test(*given, **named))

    return run


def test_the_file_is_made_from_memory_as_it_is() -> None:
    assert tool.async_memory() == Path(async_memory.__file__).read_text(encoding="utf-8"), "run: make docs"


def test_every_verb_is_there_with_its_signature_and_its_words() -> None:
    verbs = {name: verb for name, verb in vars(Memory).items() if inspect.isfunction(verb) and name[0] != "_"}
    for name, verb in verbs.items():
        awaited = getattr(AsyncMemory, name)
        if name not in tool.OWN:
            assert inspect.signature(awaited) == inspect.signature(verb)
            assert inspect.iscoroutinefunction(awaited)
            assert awaited.__doc__ == verb.__doc__
    for name in ("open", "connect"):
        assert inspect.signature(getattr(AsyncMemory, name)).parameters == (
            inspect.signature(getattr(Memory, name)).parameters
        )


@in_a_loop
async def test_it_is_opened_by_await_or_by_async_with(tmp_path: Path) -> None:
    path = tmp_path / "m.libravdb"
    async with AsyncMemory.open(path, user="anna", settings=QUICK) as memory:
        await memory.remember("The kite is blue")
        assert [hit.text for hit in await memory.search("kite")] == ["The kite is blue"]
        async with memory.for_user("ben") as ben:
            assert list(await ben.list()) == []
        assert (memory.user, ben.user) == ("anna", "ben")
        assert ben.engine is memory.engine
    memory = await AsyncMemory.open(path, user="anna", settings=QUICK)
    assert len(await memory.list()) == 1
    await memory.close()
    Memory.open(path, settings=QUICK).close()  # nobody holds it any more


class Slow(WordsEmbedder):
    """An embedder that waits until it may go on."""

    def __init__(self) -> None:
        super().__init__()
        self.has_begun, self.may_go_on = threading.Event(), threading.Event()

    def embed_texts(self, texts: Sequence[str], progress: Progress = no_progress) -> list[Any]:
        self.has_begun.set()
        self.may_go_on.wait(30)
        return super().embed_texts(texts, progress)


@in_a_loop
async def test_what_was_begun_is_finished_and_what_waits_never_begins(tmp_path: Path) -> None:
    slow = Slow()
    engine = open_words_engine(tmp_path / "m.libravdb", slow)
    memory = AsyncMemory(Memory(engine, user="anna"), threads=ThreadPoolExecutor(1))
    begun = asyncio.create_task(memory.remember("begun", id="begun"))
    waiting = asyncio.create_task(memory.remember("waiting", id="waiting"))
    await asyncio.to_thread(slow.has_begun.wait, 30)
    for task in (begun, waiting):
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    closing = asyncio.create_task(memory.close())
    slow.may_go_on.set()
    await closing
    with open_words_engine(tmp_path / "m.libravdb", WordsEmbedder()) as again:
        assert [one.id for one in again.memories.list(namespace="anna")] == ["begun"]


@in_a_loop
async def test_whoever_is_cancelled_while_he_opens_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "m.libravdb"
    opening = asyncio.ensure_future(_opened(path))
    await asyncio.sleep(0)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    for _ in range(200):
        try:
            memory = await AsyncMemory.open(path, settings=QUICK)
        except StoreBusy:
            await asyncio.sleep(0.05)
        else:
            await memory.close()
            return
    pytest.fail("the file is still held")


async def _opened(path: Path) -> AsyncMemory:
    return await AsyncMemory.open(path, settings=QUICK)
