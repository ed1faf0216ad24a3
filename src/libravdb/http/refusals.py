"""What is said to a request that is not carried out: a status, and one shape of JSON for every error."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from libravdb import errors
from libravdb.wire import codes
from libravdb.wire.codec import encode

STATUSES: tuple[tuple[type[errors.LibraError], int], ...] = (
    (errors.InvalidInput, 400),
    (errors.Forbidden, 403),
    (errors.NotFound, 404),
    (errors.Conflict, 409),
    (errors.DocumentTooHard, 422),
    (errors.TooManyCalls, 429),
    (errors.QuotaExceeded, 507),
    (errors.StoreFull, 507),
    (errors.StoreError, 503),
    (errors.EmbedderError, 503),
    (errors.SummariserError, 503),
    (errors.LibraError, 500),
)
"""The first class that fits gives the status."""


class HttpRefusal(Exception):
    """A request that is answered with an error; `kind` is the class of the error, or what HTTP calls it."""

    def __init__(
        self, status: int, kind: str, message: str, *, remedy: str = "", headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind
        self.message = message
        self.remedy = remedy
        self.headers = dict(headers or {})

    def body(self) -> bytes:
        """The error as JSON."""
        return encode({"error": {"kind": self.kind, "message": self.message, "remedy": self.remedy}})


def refusal_of(error: Mapping[str, Any]) -> HttpRefusal:
    """What an error of the dispatcher is over HTTP."""
    data = error.get("data") or {}
    kind, code = str(data.get("kind") or "Crashed"), error.get("code")
    cls = errors.ERRORS_BY_NAME.get(kind, errors.LibraError)
    status = _status(cls)
    if code == codes.UNAUTHENTICATED:
        status = 403 if data else 401
    elif code == codes.UNKNOWN_METHOD:
        status = 404
    seconds = data.get("retryAfter")
    headers = {"retry-after": str(math.ceil(seconds))} if seconds else {}
    message = data.get("message") or error.get("message") or "error"
    if code == codes.CRASHED:
        message = "The daemon failed to answer; its log says why."
    return HttpRefusal(status, kind, str(message), remedy=str(data.get("remedy") or ""), headers=headers)


def refusal_for(error: errors.LibraError) -> HttpRefusal:
    """What an error of ours is over HTTP."""
    return HttpRefusal(_status(type(error)), type(error).__name__, error.message, remedy=error.remedy)


def _status(cls: type[errors.LibraError]) -> int:
    return next(status for known, status in STATUSES if issubclass(cls, known))


def unauthenticated(*, is_wrong: bool = False) -> HttpRefusal:
    """What is said to who shows no token, or a wrong one."""
    message = "The token is not taken." if is_wrong else "A token is needed."
    return HttpRefusal(
        401,
        "Unauthenticated",
        message,
        remedy="Send the header 'Authorization: Bearer lvdb_…'; 'libravdb token create' makes one.",
        headers={"www-authenticate": 'Bearer realm="libravdb"'},
    )


def not_found(path: str) -> HttpRefusal:
    """There is nothing at a path."""
    return HttpRefusal(
        404, "NotFound", f"There is nothing at {path[:200]!r}.", remedy="/openapi.json lists what there is."
    )


def not_allowed(verb: str, allowed: str) -> HttpRefusal:
    """There is something, but not with this verb."""
    return HttpRefusal(
        405,
        "MethodNotAllowed",
        f"{verb[:20]} is not possible here.",
        remedy=f"Use {allowed}.",
        headers={"allow": allowed},
    )
