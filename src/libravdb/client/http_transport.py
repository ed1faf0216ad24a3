"""Lines to a daemon over HTTP: each request is a POST to `/rpc`, on one connection that is kept; a pool lends it."""

from __future__ import annotations

import http.client
import json
import os
import select
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from libravdb.client.transport import PAUSES
from libravdb.errors import ERRORS_BY_NAME, DaemonError, LibraError
from libravdb.model.addresses import without_password


class HttpTransport:
    """For one thread at a time, as a pool lends it. A lost connection is made again; a request that the daemon may
    have seen already is sent again only where a repeat changes nothing."""

    is_local = False

    def __init__(
        self,
        url: str,
        *,
        token: str = "",
        pauses: Sequence[float] = PAUSES,
        sleep: Callable[[float], None] = time.sleep,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._url = url.rstrip("/")
        self._place = _place(url)
        self._headers = {"Content-Type": "application/json", **_shown(token)}
        self._pauses = pauses
        self._sleep = sleep
        self._tls = tls
        self._held: http.client.HTTPConnection | None = None
        self._process = os.getpid()

    def exchange(self, line: bytes, *, seconds: float, may_repeat: bool) -> bytes:
        """The reply to a request, before the deadline."""
        deadline = time.monotonic() + seconds
        for pause in (*self._pauses, None):
            connection, is_fresh = self._connection()
            was_sent = False
            try:
                _set_timeout(connection, deadline)
                if is_fresh:
                    connection.connect()
                was_sent = True
                return self._ask(connection, line, deadline)
            except TimeoutError as error:
                self._drop(connection)
                raise DaemonError(
                    f"{self._url} did not answer within {seconds:g} seconds.",
                    remedy="Look at the daemon's log; the request may still be carried out.",
                ) from error
            except (OSError, http.client.HTTPException) as error:
                self._drop(connection)
                if pause is None or (was_sent and not may_repeat):
                    raise self._unreachable(error) from error
                self._sleep(min(pause, max(0.0, deadline - time.monotonic())))
        raise AssertionError  # pragma: no cover - the loop returns or raises

    def close(self) -> None:
        """Let go of the connection."""
        if self._held is not None:
            self._held.close()
            self._held = None

    def _ask(self, connection: http.client.HTTPConnection, line: bytes, deadline: float) -> bytes:
        connection.request("POST", f"{self._place.path}/rpc", body=line, headers=self._headers)
        _set_timeout(connection, deadline)
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise _refusal(answer.status, body, self._url)
        return body

    def _connection(self) -> tuple[http.client.HTTPConnection, bool]:
        """The connection of this process, and whether it was only made."""
        held, is_own = self._held, self._process == os.getpid()
        if held is not None and is_own and held.sock is not None and not _is_ended(held.sock):
            return held, False
        if is_own:
            self.close()
        self._held, self._process = self._made(), os.getpid()
        return self._held, True

    def _made(self) -> http.client.HTTPConnection:
        host, port = self._place.hostname or "", self._place.port
        if self._place.scheme == "https":
            return http.client.HTTPSConnection(host, port, context=self._tls or ssl.create_default_context())
        return http.client.HTTPConnection(host, port)

    def _drop(self, connection: http.client.HTTPConnection) -> None:
        connection.close()
        self._held = None

    def _unreachable(self, error: Exception) -> DaemonError:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        return DaemonError(
            f"No daemon answers on {self._url} ({why}).", remedy="Start it there with 'libravdbd --http HOST:PORT'."
        )


def _is_ended(connection: socket.socket) -> bool:
    """Whether the other end has closed a connection on which nothing is awaited: then nothing is sent into it."""
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    return bool(poll.poll(0))


def _place(url: str) -> Any:  # noqa: ANN401 - what urlsplit gives
    try:
        place = urlsplit(url.rstrip("/"))
        if (
            place.hostname
            and place.scheme in ("http", "https")
            and not place.query
            and "@" not in url
            and place.port != 0
        ):
            return place
    except ValueError:
        pass
    raise DaemonError(
        f"{without_password(url)!r} is not an endpoint.",
        remedy="Write http://host:port or https://host:port; a token belongs into daemon.token.",
    )


def _shown(token: str) -> dict[str, str]:
    if not token:
        return {}
    if not token.isascii() or not token.isprintable():
        raise DaemonError("The token has characters that HTTP cannot carry.", remedy="Check daemon.token.")
    return {"Authorization": f"Bearer {token}"}


def _set_timeout(connection: http.client.HTTPConnection, deadline: float) -> None:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    connection.timeout = left
    if connection.sock is not None:
        connection.sock.settimeout(left)


def _refusal(status: int, body: bytes, url: str) -> LibraError:
    """What the door says, as the error that it was there."""
    try:
        told = json.loads(body)["error"]
        kind, message, remedy = str(told["kind"]), str(told["message"]), str(told["remedy"])
    except (ValueError, KeyError, TypeError, RecursionError):
        remedy = "Check the endpoint, and the proxy before it."
        return DaemonError(f"{url} answers with status {status}, not as a libravdb daemon.", remedy=remedy)
    cls = ERRORS_BY_NAME.get(kind, DaemonError)
    error = cls.__new__(cls)
    LibraError.__init__(error, message if cls is not DaemonError else f"{url}: {message}", remedy=remedy)
    return error
