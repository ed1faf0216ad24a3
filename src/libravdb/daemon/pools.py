"""Threads that carry out calls, a pool for each pace, shared by all doors."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from libravdb.wire.methods.method import MethodPace

P = ParamSpec("P")
T = TypeVar("T")


class CallPools:
    """Runs calls beside the event loop: the slow never hold up the quick. Knows how many are under way or wait."""

    def __init__(self, sizes: Mapping[MethodPace, int]) -> None:
        self._sizes = dict(sizes)
        self._pools = {pace: ThreadPoolExecutor(size, thread_name_prefix=_name(pace)) for pace, size in sizes.items()}
        self._lock = threading.Lock()
        self._calls = dict.fromkeys(sizes, 0)

    async def run(self, pace: MethodPace, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What a function gives, run in the pool of a pace."""

        def work() -> T:
            try:
                return function(*args, **kwargs)
            finally:
                self._count(pace, -1)

        self._count(pace, 1)
        submitted = self._pools[pace].submit(work)
        try:
            return await asyncio.wrap_future(submitted)
        except asyncio.CancelledError:
            if submitted.cancel():
                self._count(pace, -1)  # it never began
            raise

    def waiting(self, pace: MethodPace) -> int:
        """Calls that no thread has taken up yet."""
        return max(self._calls[pace] - self._sizes[pace], 0)

    def close(self) -> None:
        """Let go of the threads; what waits is not begun any more."""
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)

    def _count(self, pace: MethodPace, change: int) -> None:
        with self._lock:
            self._calls[pace] += change


def _name(pace: MethodPace) -> str:
    return "libravdb-call" if pace is MethodPace.USUAL else f"libravdb-{pace}"
