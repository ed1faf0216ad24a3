"""What is said about the connection itself."""

from __future__ import annotations

from dataclasses import dataclass

from libravdb.wire.methods.method import AnyMethod, Method, MethodPace, Ok


@dataclass(frozen=True, slots=True, kw_only=True)
class Authenticate:
    """The token of a TCP endpoint; the first request of each connection there."""

    token: str = ""


# fmt: off
AUTHENTICATE = Method(name="authenticate", params=Authenticate, result=Ok, about="Show the token of a TCP endpoint.", is_strict=True, pace=MethodPace.QUICK)

CONNECTION_METHODS: tuple[AnyMethod, ...] = (
    AUTHENTICATE,
)
# fmt: on
