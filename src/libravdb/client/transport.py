"""How lines travel to a daemon and back: over a socket, or within this process.

A lost connection is made again. A request that the daemon may have seen already is sent again only where a repeat
changes nothing. Every call has a deadline.
"""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from libravdb.errors import DaemonError, InvalidInput
from libravdb.wire.codec import encode_strictly
from libravdb.wire.endpoint import Endpoint

PAUSES = (0.05, 0.25, 0.5)
"""Seconds before each further attempt to connect: a daemon that restarts is back within half a second."""


class Transport(Protocol):
    """Carries one line there and one line back."""

    @property
    def is_local(self) -> bool:
        """True when both ends see the same files."""

    def exchange(self, line: bytes, *, seconds: float, may_repeat: bool) -> bytes:
        """The reply to a request."""

    def close(self) -> None:
        """Let go of the connection."""


class InProcessTransport:
    """Calls whatever answers lines in this process; `reply` gives None where nothing is to be said."""

    is_local = True

    def __init__(self, reply: Callable[[bytes], bytes | None]) -> None:
        self._reply = reply

    def exchange(self, line: bytes, *, seconds: float, may_repeat: bool) -> bytes:  # noqa: ARG002 - nothing to wait for
        """The reply, at once."""
        return self._reply(line) or b""

    def close(self) -> None:
        """Nothing to let go of."""


class SocketTransport:
    """One connection, made when it is needed and again when it was lost. One call at a time."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        token: str = "",
        pauses: Sequence[float] = PAUSES,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._endpoint = endpoint
        self._token = token
        self._pauses = pauses
        self._sleep = sleep
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._socket: socket.socket | None = None
        self._rest = b""

    @property
    def is_local(self) -> bool:
        """True on a unix socket: both ends see the same files."""
        return bool(self._endpoint.path)

    def exchange(self, line: bytes, *, seconds: float, may_repeat: bool) -> bytes:
        """The reply to a request, before the deadline."""
        deadline = time.monotonic() + seconds
        self._leave_to_parent()
        if not self._lock.acquire(timeout=seconds):
            raise DaemonError(
                f"Another call over this connection took more than {seconds:g} seconds.",
                remedy="Use a client for each thread.",
            )
        try:
            for pause in (*self._pauses, None):
                was_sent = False
                try:
                    connection = self._connected(deadline)
                    was_sent = True
                    return self._ask(connection, line, deadline)
                except TimeoutError as error:
                    self._drop()
                    raise DaemonError(
                        f"{self._endpoint} did not answer within {seconds:g} seconds.",
                        remedy="Look at 'libravdb status' and the daemon's log; the request may still be carried out.",
                    ) from error
                except OSError as error:
                    self._drop()
                    if pause is None or (was_sent and not may_repeat):
                        raise self._unreachable(error) from error
                    self._sleep(min(pause, max(0.0, deadline - time.monotonic())))
        finally:
            self._lock.release()
        raise AssertionError  # pragma: no cover - the loop returns or raises

    def close(self) -> None:
        """Let go of the connection."""
        self._leave_to_parent()
        with self._lock:
            self._drop()

    def _leave_to_parent(self) -> None:
        """A forked child makes a connection of its own: on a shared one each would get the other's replies."""
        if os.getpid() != self._process:
            self._lock = threading.Lock()
            self._process = os.getpid()
            self._drop()

    def _connected(self, deadline: float) -> socket.socket:
        if self._socket is not None:
            return self._socket
        family = socket.AF_UNIX if self._endpoint.path else socket.AF_INET
        if ":" in self._endpoint.host:
            family = socket.AF_INET6
        made = socket.socket(family, socket.SOCK_STREAM)
        try:
            made.settimeout(_left(deadline))
            made.connect(self._endpoint.path or (self._endpoint.host, self._endpoint.port))
            if self._token and not self._endpoint.path:
                self._authenticate(made, deadline)
        except BaseException:
            made.close()
            raise
        self._socket, self._rest = made, b""
        return made

    def _authenticate(self, made: socket.socket, deadline: float) -> None:
        request = {"jsonrpc": "2.0", "id": 0, "method": "authenticate", "params": {"token": self._token}}
        reply = json.loads(self._ask(made, to_line(request), deadline))
        if "error" in reply:
            raise DaemonError(f"{self._endpoint}: {reply['error']['message']}.", remedy="Check daemon.token.")

    def _ask(self, connection: socket.socket, line: bytes, deadline: float) -> bytes:
        connection.settimeout(_left(deadline))
        connection.sendall(line)
        parts = [self._rest]
        while b"\n" not in parts[-1]:
            connection.settimeout(_left(deadline))
            chunk = connection.recv(2**18)
            if not chunk:
                raise ConnectionResetError("the daemon closed the connection")
            parts.append(chunk)
        reply, _, self._rest = b"".join(parts).partition(b"\n")
        return reply

    def _drop(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        self._rest = b""

    def _unreachable(self, error: OSError) -> DaemonError:
        return DaemonError(
            f"No daemon answers on {self._endpoint} ({error.strerror or error}).",
            remedy="Start it with 'libravdb service start' or 'libravdbd'.",
        )


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def to_line(request: Mapping[str, Any]) -> bytes:
    """A request as it travels."""
    try:
        return encode_strictly(request)
    except (ValueError, TypeError, RecursionError) as error:
        raise InvalidInput("params", f"are not JSON ({error})") from error
