"""A typed client of the daemon, over any transport."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import msgspec

from libravdb.client.transport import Transport, to_line
from libravdb.errors import ERRORS_BY_NAME, DaemonError, InvalidInput, LibraError, QuotaExceeded
from libravdb.wire import codec
from libravdb.wire.codes import RESTART, UNKNOWN_METHOD
from libravdb.wire.methods.method import Method, Params, Result


class Client:
    """Calls the methods of the protocol, typed by their rows. The daemon's errors come back as what they were there."""

    def __init__(self, transport: Transport, *, seconds: float = 30.0) -> None:
        self._transport = transport
        self._seconds = seconds
        self._ids = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def is_local(self) -> bool:
        """True when the daemon sees our files."""
        return self._transport.is_local

    def close(self) -> None:
        """Let go of the connection."""
        self._transport.close()

    def exchange(self, line: bytes, *, seconds: float, may_repeat: bool) -> bytes:
        """The reply to a request that somebody else wrote, as it comes."""
        return self._transport.exchange(line.strip() + b"\n", seconds=seconds, may_repeat=may_repeat)

    def call(self, method: Method[Params, Result], params: Params, *, seconds: float | None = None) -> Result:
        """Call a method of the table with its params; gives its result."""
        self._ids += 1
        request = {"jsonrpc": "2.0", "id": self._ids, "method": method.name, "params": params}
        line = self._transport.exchange(
            to_line(request),
            seconds=self._seconds if seconds is None else seconds,
            may_repeat=method.is_repeatable,
        )
        try:
            reply = msgspec.json.decode(line)
            if "error" not in reply:
                return codec.read(method.result, reply["result"], is_strict=False)
        except InvalidInput as error:
            raise _nonsense(method.name, error.message.rstrip(".")) from error
        except (msgspec.DecodeError, ValueError, TypeError, KeyError) as error:
            raise _nonsense(method.name, str(error)) from error
        raise _error(reply["error"])


def _nonsense(method: str, problem: str) -> DaemonError:
    return DaemonError(
        f"The answer to {method} is not one of a libravdb daemon ({problem}).", remedy="Check daemon.endpoint."
    )


def _error(told: Mapping[str, Any]) -> LibraError:
    """The error that happened in the daemon, as the class it had there; its message and remedy are kept.

    A daemon of another version may know no remedy for what it does not know.
    """
    data = told.get("data") or {}
    cls = ERRORS_BY_NAME.get(str(data.get("kind")), DaemonError)
    remedy = data.get("remedy") or (RESTART if told.get("code") == UNKNOWN_METHOD else "")
    error = cls.__new__(cls)
    LibraError.__init__(error, str(data.get("message") or told.get("message")), remedy=str(remedy))
    if isinstance(error, QuotaExceeded):
        error.retry_after = float(data.get("retryAfter") or 0.0)
    return error
