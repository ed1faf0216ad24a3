"""The calls of a page, handed on to the daemon over its socket: `libravdb inspect` opens a door where the daemon has
none. The one token that is taken was made for this door and dies with it."""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from libravdb.daemon_link import DaemonLink
from libravdb.errors import DaemonError, Forbidden, LibraError
from libravdb.http.backend import HttpCaller, Readiness
from libravdb.http.refusals import HttpRefusal
from libravdb.model.namespaces import ANY
from libravdb.wire import codec
from libravdb.wire.codec import encode
from libravdb.wire.failures import failure
from libravdb.wire.methods.access import ACCESS, ADMIN_ONLY, AccessRole
from libravdb.wire.methods.connection import CONNECTION_METHODS
from libravdb.wire.methods.method import NoParams
from libravdb.wire.methods.storage import HEALTH
from libravdb.wire.methods.table import METHODS

T = TypeVar("T")
NAME = "inspect"
LONGEST = 24 * 3600.0
"""Seconds that a call may take: the page shows that it waits, and a re-embedding takes its time."""

WRONG_TOKEN_SECONDS = 1.0


class ForwardedCalls:
    """Implements `HttpBackend`. Used within one event loop; calls run in worker threads."""

    def __init__(self, link: DaemonLink, *, token: str, role: AccessRole) -> None:
        self._link = link
        self._token = token
        self._role = role

    def caller(self, token: str, address: str) -> HttpCaller | None:
        """The one who was given the token."""
        if not hmac.compare_digest(token.encode(), self._token.encode()):
            return None
        return HttpCaller(
            digest=NAME, name=NAME, role=self._role.value, namespaces=(ANY,), is_of_all=True, address=address
        )

    async def hold_off(self, address: str) -> None:  # noqa: ARG002 - all come from this machine
        """Let who showed a wrong token wait."""
        await asyncio.sleep(WRONG_TOKEN_SECONDS)

    async def reply(self, line: bytes, caller: HttpCaller) -> bytes:
        """The reply to a JSON-RPC request, as the daemon gives it."""
        return await asyncio.to_thread(self._replied, line, caller)

    async def answer(
        self,
        method: str,
        params: Callable[[], Mapping[str, Any]],
        caller: HttpCaller,
        finish: Callable[[Mapping[str, Any]], T],
    ) -> T:
        """Call a method with what `params` gives, and make the answer of its outcome."""
        return await asyncio.to_thread(lambda: finish(self._outcome(method, params(), caller)))

    async def readiness(self) -> Readiness:
        """Whether a daemon answers."""

        def ask() -> Readiness:
            try:
                with self._link.engine() as engine:
                    engine.client.call(HEALTH, NoParams())
            except LibraError as error:
                return Readiness(problem=str(error))
            return Readiness()

        return await asyncio.to_thread(ask)

    async def metrics(self) -> str:
        """The numbers are the daemon's own."""
        raise HttpRefusal(
            404, "NotFound", "This door serves the inspector alone.", remedy="Set daemon.metrics_port, or daemon.http."
        )

    def _replied(self, line: bytes, caller: HttpCaller) -> bytes:
        try:
            request = json.loads(line)
            name, id = str(request["method"]), {"id": request["id"]} if "id" in request else {}
        except (ValueError, TypeError, KeyError, RecursionError):
            name, id = "", {}
        try:
            self._check(name, caller)
            with self._link.engine() as engine:
                return engine.client.exchange(line, seconds=LONGEST, may_repeat=_is_repeatable(name)) + b"\n"
        except LibraError as error:
            return encode({"jsonrpc": "2.0", **id, **failure(error)})

    def _outcome(self, name: str, params: Mapping[str, Any], caller: HttpCaller) -> Mapping[str, Any]:
        try:
            self._check(name, caller)
            method = METHODS[name]
            given = codec.read(method.params, params, is_strict=True)
            with self._link.engine() as engine:
                return {"result": engine.client.call(method, given, seconds=LONGEST)}
        except LibraError as error:
            return failure(error)

    def _check(self, name: str, caller: HttpCaller) -> None:
        """Over its socket the daemon lets everything through: what a page may not ask for is refused here."""
        method = METHODS.get(name)
        if method is None:
            return  # the daemon says which methods there are
        needed = ACCESS.get(name, ADMIN_ONLY).role
        if not AccessRole(caller.role).covers(needed):
            raise Forbidden(
                f"{name} needs the role {needed}, and this page has the role {caller.role}.",
                remedy="Open it without --read-only.",
            )
        if method.is_local or method in CONNECTION_METHODS:
            raise DaemonError(f"{name} is not for pages.", remedy="Use the command line.")


def _is_repeatable(name: str) -> bool:
    return name in METHODS and METHODS[name].is_repeatable
