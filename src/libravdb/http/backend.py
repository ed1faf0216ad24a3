"""What the HTTP door needs from whoever carries out its calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpCaller:
    """Whoever has shown a token that is taken: its digest, its name, its role, whether it has all namespaces, and from
    where it asks. `namespaces` are the patterns of the token."""

    digest: str
    name: str
    role: str
    namespaces: tuple[str, ...] = ()
    is_of_all: bool = False
    address: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """Whether calls can be carried out as they should be; `problem` says why not. `is_readable`: those that only read
    can. `is_degraded`: search uses words only."""

    problem: str = ""
    is_readable: bool = False
    is_degraded: bool = False


class HttpBackend(Protocol):
    """Carries out calls in threads of its own, and knows the tokens."""

    def caller(self, token: str, address: str) -> HttpCaller | None:
        """Who shows a token; None when it is not taken."""

    async def hold_off(self, address: str) -> None:
        """A wrong token came from an address: note it, and wait as long as the answer is to wait."""

    async def reply(self, line: bytes, caller: HttpCaller) -> bytes:
        """The reply to a JSON-RPC request, as it was sent."""

    async def answer(
        self,
        method: str,
        params: Callable[[], Mapping[str, Any]],
        caller: HttpCaller,
        finish: Callable[[Mapping[str, Any]], T],
    ) -> T:
        """Call a method: `params` gives what it is called with, `finish` makes the answer of its outcome. Both run
        beside the event loop."""

    async def readiness(self) -> Readiness:
        """Whether all is well."""

    async def metrics(self) -> str:
        """The numbers, as Prometheus reads them."""
