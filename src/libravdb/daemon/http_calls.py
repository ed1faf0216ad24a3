"""The daemon behind its HTTP door: the same dispatcher, the same threads, the same tokens."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from libravdb.daemon.call_stats import Calls
from libravdb.daemon.dispatch import CONFIGURED, Connection, Dispatcher
from libravdb.daemon.gauges import Gauges
from libravdb.daemon.metrics_text import metrics_text
from libravdb.daemon.pools import CallPools
from libravdb.daemon.strangers import Strangers
from libravdb.daemon.tokens import TokenRegistry, digest_of
from libravdb.engine.engine import Engine
from libravdb.errors import StoreError
from libravdb.http.backend import HttpCaller, Readiness
from libravdb.ports.store import Store
from libravdb.wire.methods.method import MethodPace
from libravdb.wire.methods.table import METHODS

T = TypeVar("T")
DOOR = "http"

_UNREADABLE = "The store cannot be read."
_UNWRITABLE = "The store takes no writes."

logger = logging.getLogger("libravdb.daemon")


class HttpCalls:
    """Implements `HttpBackend`. Used within one event loop; calls run in the threads of the pools."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        *,
        store: Store,
        engine: Engine,
        tokens: TokenRegistry,
        pools: CallPools,
        strangers: Strangers,
        calls: Calls,
        gauges: Gauges,
        warm: threading.Event,
    ) -> None:
        self._dispatcher = dispatcher
        self._store = store
        self._engine = engine
        self._tokens = tokens
        self._pools = pools
        self._strangers = strangers
        self._calls = calls
        self._gauges = gauges
        self._warm = warm
        self._problem = ""

    def caller(self, token: str, address: str) -> HttpCaller | None:
        """Who shows a token; None when it is not taken."""
        digest = digest_of(token)
        rights = self._tokens.rights(digest)
        if rights is None:
            return None
        return HttpCaller(
            digest=digest,
            name=rights.name or CONFIGURED,
            role=rights.role.value,
            namespaces=rights.namespaces,
            is_of_all=rights.is_of_all,
            address=address,
        )

    async def hold_off(self, address: str) -> None:
        """Count a wrong token against an address; the answer to it waits, and nobody waits with it."""
        failures = self._strangers.failed(address)
        logger.warning("wrong token", extra={"peer": address, "failures": failures, "door": DOOR})
        await asyncio.sleep(self._strangers.seconds(address))

    async def reply(self, line: bytes, caller: HttpCaller) -> bytes:
        """The reply to a JSON-RPC request."""
        connection = _connection(caller)
        reply = await self._pools.run(self._dispatcher.pace(line), self._dispatcher.reply, line, connection)
        if connection.showed_wrong_token:
            await self.hold_off(caller.address)
        return reply or b""

    async def answer(
        self,
        method: str,
        params: Callable[[], Mapping[str, Any]],
        caller: HttpCaller,
        finish: Callable[[Mapping[str, Any]], T],
    ) -> T:
        """Call a method with what `params` gives, and make the answer of its outcome."""

        def work() -> T:
            return finish(self._dispatcher.answer({"method": method, "params": params()}, _connection(caller)))

        return await self._pools.run(METHODS[method].pace, work)

    async def readiness(self) -> Readiness:
        """Whether the model was loaded and the store takes writes; told also while the store is away."""
        return await self._pools.run(MethodPace.QUICK, self._readiness)

    def _readiness(self) -> Readiness:
        if not self._warm.is_set():
            return Readiness(problem="The model is being loaded.")
        try:
            health = self._store.maintenance.health()
            is_degraded = health.is_readable and bool(self._engine.embeddings.degraded())
        except StoreError as error:  # closed, or gone between the two questions
            self._note_problem(f"{error}")
            return Readiness(problem=_UNREADABLE)
        self._note_problem(health.words())
        if not health.is_readable:
            return Readiness(problem=_UNREADABLE)
        problem = "" if health.is_writable else _UNWRITABLE
        return Readiness(problem=problem, is_readable=True, is_degraded=is_degraded)

    def _note_problem(self, problem: str) -> None:
        """Log what is wrong when it changes: who asks again and again needs no token, and is not told where."""
        if problem and problem != self._problem:
            logger.warning("not ready", extra={"problem": problem})
        self._problem = problem

    async def metrics(self) -> str:
        """The numbers; what is dear to read is read beside the loop."""
        return await self._pools.run(MethodPace.USUAL, metrics_text, self._calls, self._gauges)


def _connection(caller: HttpCaller) -> Connection:
    return Connection(is_local=False, digest=caller.digest, door=DOOR, address=caller.address)
