"""A server that is asked in JSON over HTTP, and believed nothing: what embedders and summarisers at an address share.

An attempt ends after `timeout_seconds`, also against a server that sends a byte now and then, and no wait between two
attempts is longer: a question is over after `timeout_seconds · (2 · retries + 1)` at the latest. The API key leaves
this file only in the request's header. Redirects are not followed and proxies not used.
"""

from __future__ import annotations

import http.client
import json
import math
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit, urlunsplit

from libravdb.errors import InvalidInput, LibraError

FIRST_WAIT = 0.5
ANSWER_LIMIT = 32 * 1024 * 1024
_ADDRESS = "Give an address such as http://localhost:11434."

Fail = Callable[[str, str, str], LibraError]
"""Makes the error of the room that asks, from the address, the problem and the remedy."""


class _Passing(Exception):
    """An attempt failed in a way that may pass; `wait` is what the server asked for."""

    def __init__(self, problem: str, *, wait: float | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.wait = wait


class Remote:
    """One method of one server. `section` names the settings it comes from, for remedies; making one asks nothing of
    the network. Safe to use from several threads."""

    def __init__(
        self,
        *,
        url: str,
        api_path: str,
        section: str,
        fail: Fail,
        api_key: str = "",
        timeout_seconds: float,
        retries: int,
        answer_limit: int = ANSWER_LIMIT,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if any(not "!" <= character <= "~" for character in api_key):
            raise InvalidInput("api_key", "holds a space or a character that no HTTP header may hold")
        if timeout_seconds <= 0 or retries < 0:
            raise InvalidInput("timeout_seconds, retries", "must not be negative, nor the first 0")
        self._target = _Target.parse(url, api_path, section=section)
        self._section = section
        self._fail = fail
        self._api_key = api_key
        self._timeout = timeout_seconds
        self._retries = retries
        self._answer_limit = answer_limit
        self._sleep = sleep

    def __repr__(self) -> str:
        return f"Remote({self.shown!r})"

    @property
    def shown(self) -> str:
        """The address for people, without a query."""
        return self._target.shown

    def ask(self, body: Mapping[str, object], *, hint: str = "") -> object:
        """The JSON that the server answers. `hint` is said in addition when it refuses the question."""
        answer = self._try_to_fetch(json.dumps(body).encode(), hint)
        try:
            content: object = json.loads(answer.body)
        except (ValueError, RecursionError) as error:
            kind = f" ({answer.content_type})" if answer.content_type else ""
            raise self.nonsense(f"answers with something that is not JSON{kind}") from error
        return content

    def nonsense(self, problem: str) -> LibraError:
        """An answer that arrived and cannot be used; asking again would not help."""
        return self._error(problem, self._check_model)

    def _error(self, problem: str, remedy: str) -> LibraError:
        return self._fail(self.shown, problem, remedy)

    @property
    def _check_model(self) -> str:
        return f"Check {self._section}.model and the server's log."

    @property
    def _check_server(self) -> str:
        return f"Check that {self._section}.endpoint is the address of such a server and that it runs."

    # ── trying ────────────────────────────────────────────────────────────────────────────────────────────

    def _try_to_fetch(self, body: bytes, hint: str) -> _Response:
        for attempt in range(self._retries + 1):
            try:
                return self._fetch(body, hint, deadline=time.monotonic() + self._timeout)
            except _Passing as failure:
                tried = f"{failure.problem} (tried {attempt + 1} times)" if attempt else failure.problem
                if attempt == self._retries:
                    raise self._error(tried, self._check_server) from failure
                self._sleep(self._wait(attempt, failure, tried))
        raise AssertionError("the last attempt returns or raises")

    def _wait(self, attempt: int, failure: _Passing, tried: str) -> float:
        """What the server asks for, unless that is too much; else twice as long with each attempt."""
        if failure.wait is None:
            return min(FIRST_WAIT * (1 << min(attempt, 10)), self._timeout)
        if failure.wait > self._timeout:
            problem = f"{tried}; it asks to wait {failure.wait:.0f} s, longer than {self._timeout:g} s"
            remedy = f"Try again later, or raise {self._section}.timeout_seconds."
            raise self._error(problem, remedy) from failure
        return failure.wait

    def _fetch(self, body: bytes, hint: str, *, deadline: float) -> _Response:
        headers = {
            "Host": self._target.authority,
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Connection": "close",
        }
        if self._api_key:
            headers["Authorization"] = f"Bearer {self._api_key}"
        exchange = _Exchange(self._target, deadline, limit=self._answer_limit)
        try:
            answer = exchange.post(body, headers)
        except _TooLarge as error:
            raise self.nonsense(f"answers with more than {self._answer_limit} bytes") from error
        except ssl.SSLCertVerificationError as error:
            problem = f"has a certificate that is not trusted: {error.verify_message}"
            raise self._error(problem, self._check_server) from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            if exchange.is_late:
                raise _Passing(f"did not answer within {self._timeout:g} s") from error
            raise _Passing(f"cannot be asked: {type(error).__name__}: {self._without_key(str(error))}") from error
        if answer.status == http.HTTPStatus.OK:
            return answer
        said = self._without_key(answer.body[:300].decode(errors="replace")).strip()
        problem = f"answers {answer.status}: {said}" if said else f"answers {answer.status}"
        if answer.status == http.HTTPStatus.TOO_MANY_REQUESTS or answer.status >= 500:
            raise _Passing(problem, wait=answer.wait)
        raise self._error(problem, self._remedy(answer.status, hint))

    def _without_key(self, words: str) -> str:
        """Servers like to repeat the key they refuse."""
        return words.replace(self._api_key, "***") if self._api_key else words

    def _remedy(self, status: int, hint: str) -> str:
        if status in (401, 403):
            return f"Check {self._section}.api_key."
        if status == http.HTTPStatus.NOT_FOUND:
            return f"Check {self._section}.endpoint and {self._section}.model."
        if 300 <= status < 400:
            return f"Set {self._section}.endpoint to the address it points to; redirects are not followed."
        return f"{self._check_model} {hint}".rstrip()


# ── the exchange ──────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class _Response:
    """What came back; `wait` is what the server asked for, in seconds."""

    status: int
    content_type: str
    wait: float | None
    body: bytes


class _TooLarge(Exception):
    """The answer exceeds the limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Target:
    """Where to connect and what to ask for; `shown` is the address for people, without a query."""

    is_secure: bool
    host: str
    port: int
    authority: str
    path: str
    shown: str

    @classmethod
    def parse(cls, url: str, api_path: str, *, section: str) -> _Target:
        """`http://host`, `https://host/v1` or the full address of the method: each is understood."""
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError:  # which may quote a part of a password
            raise InvalidInput("endpoint", "is no address", remedy=_ADDRESS) from None
        if parts.scheme not in ("http", "https") or not host:
            problem = f"starts with {parts.scheme!r}, not with http:// or https:// and a host"
            raise InvalidInput("endpoint", problem, remedy=_ADDRESS)
        if "@" in parts.netloc or (port is not None and "@" in url):  # what looks like a port may begin a password
            problem = "holds a user name or a password"
            raise InvalidInput("endpoint", problem, remedy=f"Use {section}.api_key.")
        if not all("!" <= character <= "~" for character in url):
            raise InvalidInput("endpoint", "holds a space or a character that is not ASCII")
        path = _method_path(parts.path.rstrip("/"), api_path)
        is_secure = parts.scheme == "https"
        return cls(
            is_secure=is_secure,
            host=host,
            authority=parts.netloc,
            port=port or (443 if is_secure else 80),
            path=f"{path}?{parts.query}" if parts.query else path,
            shown=urlunsplit((parts.scheme, parts.netloc, path, "", "")),
        )


def _method_path(path: str, api_path: str) -> str:
    """The given path and as much of the method's as it lacks; one that ends as the method does is taken as it is."""
    steps = api_path.split("/")
    for count in range(len(steps), 1, -1):
        begun = "/".join(steps[:count])
        if path.endswith(begun):
            return path + api_path.removeprefix(begun)
    return path if path.endswith(f"/{steps[-1]}") else path + api_path


class _Exchange:
    """One request and its answer before a deadline.

    A socket's timeout starts anew with every byte, so a timer shuts the socket down when the time is over: at
    whatever point of handshake, headers or body the server dawdles. Only the look-up of the host's name, which
    the system does, cannot be interrupted.
    """

    def __init__(self, target: _Target, deadline: float, *, limit: int) -> None:
        self._target = target
        self._limit = limit
        self._deadline = deadline
        self._socket: socket.socket | None = None
        self.is_late = False

    def post(self, body: bytes, headers: dict[str, str]) -> _Response:
        """Send the question, and read the answer to its end or to the limit."""
        timer = threading.Timer(max(0.0, self._deadline - time.monotonic()), self._hang_up)
        timer.daemon = True
        timer.start()
        connection = http.client.HTTPConnection(self._target.host, self._target.port)
        try:
            connection.sock = self._connect()
            connection.request("POST", self._target.path, body=body, headers=headers)
            with connection.getresponse() as response:
                answer = _read(response, self._limit)
            if self.is_late:  # an answer that ends with the connection looks complete when we hang up
                raise TimeoutError  # noqa: TRY301 - the same end as a timeout of the socket's own
            return _Response(
                status=response.status,
                content_type=_media_type(response.getheader("Content-Type")),
                wait=_retry_after(response.getheader("Retry-After")),
                body=answer,
            )
        except TimeoutError:
            self.is_late = True
            raise
        finally:
            timer.cancel()
            connection.close()

    def _connect(self) -> socket.socket:
        left = max(0.001, self._deadline - time.monotonic())
        plain = socket.create_connection((self._target.host, self._target.port), timeout=left)
        self._socket = plain
        if self._target.is_secure:
            context = ssl.create_default_context()
            try:
                secure = context.wrap_socket(plain, server_hostname=self._target.host, do_handshake_on_connect=False)
                self._socket = secure
                secure.do_handshake()
            except BaseException:
                self._socket.close()
                raise
        return self._socket

    def _hang_up(self) -> None:
        self.is_late = True
        if self._socket is not None:
            try:
                # Not SSLSocket.shutdown: that one takes the TLS state away from under the reading thread.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
            except OSError:
                return  # the exchange ended at the same moment


def _read(response: http.client.HTTPResponse, limit: int) -> bytes:
    if response.length is not None and response.length > limit:
        raise _TooLarge
    answer = response.read(limit + 1)
    if len(answer) > limit:
        raise _TooLarge
    if response.length:
        raise http.client.IncompleteRead(answer, response.length)
    return answer


def _media_type(header: str | None) -> str:
    """`text/html` out of `text/html; charset=utf-8`, as far as it can be shown."""
    kind = (header or "").partition(";")[0].strip()[:60]
    return kind if kind.isascii() and kind.isprintable() else ""


def _retry_after(header: str | None) -> float | None:
    """Seconds to wait: the header holds them, or a date."""
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(header).timestamp() - time.time()
        except ValueError:
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None
