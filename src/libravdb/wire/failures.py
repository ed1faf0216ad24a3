"""Errors as they travel: what went wrong in words, its class, and the remedy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from libravdb.errors import DaemonError, InvalidInput, LibraError, QuotaExceeded
from libravdb.wire.codes import INVALID_REQUEST, code_of


def refusal(message: str, *, code: int, data: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """An error; its message is never empty, clients would take that for success."""
    return {"error": {"message": message or "error", "code": code, **({"data": data} if data else {})}}


def invalid(problem: str) -> dict[str, Any]:
    """The reply to what is no request at all: it has no id."""
    return {"jsonrpc": "2.0", **refusal(f"invalid request: {problem}", code=INVALID_REQUEST)}


def failure(error: LibraError, *, code: int | None = None) -> dict[str, Any]:
    """An error of ours. Storage clients compare messages, so an exact one stands without its remedy."""
    is_exact = isinstance(error, DaemonError) or (isinstance(error, InvalidInput) and error.field == "")
    message = error.message if is_exact else str(error)
    data: dict[str, Any] = {"kind": type(error).__name__, "message": error.message, "remedy": error.remedy}
    if isinstance(error, QuotaExceeded) and error.retry_after:
        data["retryAfter"] = error.retry_after
    return refusal(message, code=code_of(error) if code is None else code, data=data)
