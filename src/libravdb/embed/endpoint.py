"""An embedder that asks a server: OpenAI-compatible (`/v1/embeddings`) or Ollama (`/api/embed`).

Everything the server says is checked before it becomes a vector. An attempt ends after `timeout_seconds`, also
against a server that sends a byte now and then, and no wait between two attempts is longer: a call is over after
`timeout_seconds · (2 · retries + 1)` at the latest. The API key leaves this file only in the request's header.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import math
import socket
import ssl
import threading
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

import numpy as np

from libravdb.embed.passages import RECIPE, require_text, split, windows
from libravdb.embed.rows import is_usable, unit, weighted_mean
from libravdb.errors import EndpointError, InvalidInput
from libravdb.ports import no_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from libravdb.model import Metadata, Vector
    from libravdb.ports import Progress

PATHS = {"openai": "/v1/embeddings", "ollama": "/api/embed"}
BATCH = 64
WINDOW_BYTES = 1500
"""Where a text is cut for a server whose tokenizer is unknown: about 350 tokens of English, 500 of Chinese."""
ANSWER_LIMIT = 32 * 1024 * 1024
"""64 vectors of 4,096 numbers, written out, are about 6 MB."""
FIRST_WAIT = 0.5
PROBE = "The lighthouse keeper wrote down the weather every evening."
"""A sentence whose vector tells whether a server still runs the same model under the same name."""

_CHECK_SERVER = "Check that embedding.endpoint is the address of an embedding server and that it runs."
_CHECK_MODEL = "Check embedding.model and the server's log."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """The pieces of one text to be asked for: first the windows of the whole, then the passages."""

    windows: list[str]
    passages: list[str]


class _Passing(Exception):
    """An attempt failed in a way that may pass; `wait` is what the server asked for."""

    def __init__(self, problem: str, *, wait: float | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.wait = wait


class EndpointEmbedder:
    """Texts to vectors by a server; see `Embedder` in `ports.py`. Making one asks nothing of the network."""

    def __init__(
        self,
        *,
        kind: str,
        url: str,
        model: str,
        api_key: str = "",
        dimensions: int = 0,
        timeout_seconds: float = 30,
        retries: int = 2,
        query_prefix: str = "",
        document_prefix: str = "",
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if kind not in PATHS:
            raise InvalidInput("backend", f"{kind!r} is no kind of server", remedy="Known are: openai, ollama.")
        if not model:
            raise InvalidInput("model", "is empty", remedy="Set embedding.model to the server's name for it.")
        if any(not "!" <= character <= "~" for character in api_key):
            raise InvalidInput("api_key", "holds a space or a character that no HTTP header may hold")
        if timeout_seconds <= 0 or retries < 0 or dimensions < 0:
            raise InvalidInput("timeout_seconds, retries, dimensions", "must not be negative, nor the first 0")
        self._kind = kind
        self._target = _Target.parse(url, PATHS[kind])
        self._model = model
        self._api_key = api_key
        self._asked_dimensions = dimensions
        self._seen_dimensions = dimensions
        self._timeout = timeout_seconds
        self._retries = retries
        self._prefixes = (query_prefix, document_prefix)
        self._sleep = sleep

    def __repr__(self) -> str:
        return f"EndpointEmbedder(kind={self._kind!r}, url={self._target.shown!r}, model={self._model!r})"

    @property
    def fingerprint(self) -> str:
        """A server shows no bytes of its model: its name stands for it. Compare `probe` to notice a change."""
        content = [RECIPE, WINDOW_BYTES, self._kind, self._model, self.dimensions, *self._prefixes]
        return f"{self._kind}-{hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]}"

    @property
    def dimensions(self) -> int:
        """The length of every vector; when it was not configured, the server is asked once."""
        if not self._seen_dimensions:
            self._ask([PROBE])
        return self._seen_dimensions

    @property
    def description(self) -> Metadata:
        """What it is and whom it asks; never the key."""
        return {
            "backend": self._kind,
            "name": self._model,
            "model": self._model,
            "endpoint": self._target.shown,
            "dimensions": self._seen_dimensions,
            "query_prefix": self._prefixes[0],
            "document_prefix": self._prefixes[1],
        }

    def probe(self) -> Vector:
        """The vector that the server gives to a fixed sentence now, of shape (dimensions,)."""
        return self._ask([PROBE])[0]

    def embed_text(self, text: str) -> Vector:
        """All vectors of a text to be kept, as rows: the whole first, then its passages."""
        return self.embed_texts([text])[0]

    def embed_texts(self, texts: Sequence[str], progress: Progress = no_progress) -> list[Vector]:
        """`embed_text` for many, in requests of up to 64 pieces."""
        plans = [_plan(text) for text in texts]
        wanted = [self._prefixes[1] + piece for plan in plans for piece in (*plan.windows, *plan.passages)]
        vectors: list[Vector] = []
        rows: list[Vector] = []
        used = 0
        for begin in range(0, len(wanted), BATCH):
            vectors += self._ask(wanted[begin : begin + BATCH])
            while len(rows) < len(plans) and used + _count(plans[len(rows)]) <= len(vectors):
                plan = plans[len(rows)]
                rows.append(self._rows(plan, vectors[used : used + _count(plan)]))
                used += _count(plan)
                progress(len(rows), len(plans))
        return rows

    def embed_query(self, text: str) -> Vector:
        """One vector for a question, of shape (dimensions,)."""
        require_text(text)
        pieces = _cut(text)
        asked = [self._prefixes[0] + piece for piece in pieces]
        vectors = [v for begin in range(0, len(asked), BATCH) for v in self._ask(asked[begin : begin + BATCH])]
        return self._mean(vectors, pieces)

    def close(self) -> None:
        """Nothing is held open between calls."""

    def _rows(self, plan: _Plan, vectors: list[Vector]) -> Vector:
        count = len(plan.windows)
        return np.stack([self._mean(vectors[:count], plan.windows), *vectors[count:]])

    def _mean(self, vectors: list[Vector], pieces: list[str]) -> Vector:
        if len(vectors) == 1:
            return vectors[0]
        mean = weighted_mean(vectors, [len(piece) for piece in pieces])
        if not is_usable(mean):
            raise self._nonsense("gives vectors for the parts of a text that cancel each other out")
        return unit(mean)

    # ── asking ────────────────────────────────────────────────────────────────────────────────────────────

    def _ask(self, inputs: list[str]) -> list[Vector]:
        """The vectors of at most one batch of inputs, checked and at length 1."""
        body: dict[str, Any] = {"model": self._model, "input": inputs}
        if self._kind == "openai":
            body["encoding_format"] = "float"
        if self._asked_dimensions:
            body["dimensions"] = self._asked_dimensions
        answer = self._try_to_fetch(json.dumps(body).encode())
        return [self._vector(numbers) for numbers in self._embeddings(answer, len(inputs))]

    def _try_to_fetch(self, body: bytes) -> bytes:
        for attempt in range(self._retries + 1):
            try:
                return self._fetch(body, deadline=time.monotonic() + self._timeout)
            except _Passing as failure:
                tried = f"{failure.problem} (tried {attempt + 1} times)" if attempt else failure.problem
                if attempt == self._retries:
                    raise EndpointError(self._target.shown, tried, remedy=_CHECK_SERVER) from failure
                self._sleep(self._wait(attempt, failure, tried))
        raise AssertionError("the last attempt returns or raises")

    def _wait(self, attempt: int, failure: _Passing, tried: str) -> float:
        """What the server asks for, unless that is too much; else twice as long with each attempt."""
        if failure.wait is None:
            return min(FIRST_WAIT * (1 << min(attempt, 10)), self._timeout)
        if failure.wait > self._timeout:
            problem = f"{tried}; it asks to wait {failure.wait:.0f} s, longer than {self._timeout:g} s"
            remedy = "Try again later, or raise embedding.timeout_seconds."
            raise EndpointError(self._target.shown, problem, remedy=remedy) from failure
        return failure.wait

    def _fetch(self, body: bytes, *, deadline: float) -> bytes:
        headers = {
            "Host": self._target.authority,
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Connection": "close",
        }
        if self._api_key:
            headers["Authorization"] = f"Bearer {self._api_key}"
        exchange = _Exchange(self._target, deadline)
        try:
            status, wait, answer = exchange.post(body, headers)
        except _TooLarge as error:
            raise self._nonsense(f"answers with more than {ANSWER_LIMIT} bytes") from error
        except ssl.SSLCertVerificationError as error:
            problem = f"has a certificate that is not trusted: {error.verify_message}"
            raise EndpointError(self._target.shown, problem, remedy=_CHECK_SERVER) from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            if exchange.is_late:
                raise _Passing(f"did not answer within {self._timeout:g} s") from error
            raise _Passing(f"cannot be asked: {type(error).__name__}: {self._without_key(str(error))}") from error
        if status == http.HTTPStatus.OK:
            return answer
        said = self._without_key(answer[:300].decode(errors="replace")).strip()
        problem = f"answers {status}: {said}" if said else f"answers {status}"
        if status == http.HTTPStatus.TOO_MANY_REQUESTS or status >= 500:
            raise _Passing(problem, wait=wait)
        raise EndpointError(self._target.shown, problem, remedy=_remedy(status, asked=self._asked_dimensions))

    def _without_key(self, words: str) -> str:
        """Servers like to repeat the key they refuse."""
        return words.replace(self._api_key, "***") if self._api_key else words

    # ── believing nothing ─────────────────────────────────────────────────────────────────────────────────

    def _embeddings(self, answer: bytes, count: int) -> list[object]:
        """The lists of numbers in the answer, in the order of the inputs."""
        try:
            content = json.loads(answer)
        except (ValueError, RecursionError) as error:
            raise self._nonsense("answers with something that is not JSON") from error
        key = "data" if self._kind == "openai" else "embeddings"
        items = content.get(key) if isinstance(content, dict) else None
        if not isinstance(items, list):
            raise self._nonsense(f"answers without a list {key!r}")
        if len(items) != count:
            raise self._nonsense(f"answers with {len(items)} vectors for {count} texts")
        return self._in_order(items) if self._kind == "openai" else items

    def _in_order(self, items: list[object]) -> list[object]:
        ordered: dict[int, object] = {}
        for item in items:
            index = item.get("index") if isinstance(item, dict) else None
            if not isinstance(item, dict) or not isinstance(index, int) or isinstance(index, bool):
                raise self._nonsense("answers with a vector that has no index")
            ordered[index] = item.get("embedding")
        if sorted(ordered) != list(range(len(items))):
            raise self._nonsense("answers with indexes that do not number the texts from 0")
        return [ordered[index] for index in range(len(items))]

    def _vector(self, numbers: object) -> Vector:
        if not isinstance(numbers, list) or not all(type(number) in (int, float) for number in numbers):
            raise self._nonsense("answers with a vector that is not a list of numbers")
        self._check_dimensions(len(numbers))
        try:
            with np.errstate(over="ignore"):
                vector = np.array(numbers, dtype=np.float64).astype(np.float32)
        except OverflowError as error:
            raise self._nonsense("answers with a number that is too large") from error
        if not is_usable(vector):
            raise self._nonsense("answers with a vector that is zero or not finite")
        return unit(vector)

    def _check_dimensions(self, given: int) -> None:
        if given == 0:
            raise self._nonsense("answers with an empty vector")
        if self._seen_dimensions and given != self._seen_dimensions:
            origin = "are configured" if self._asked_dimensions else "came before"
            problem = f"answers with vectors of {given} dimensions, but {self._seen_dimensions} {origin}"
            remedy = "Set embedding.dimensions to what the model gives, or to 0."
            raise EndpointError(self._target.shown, problem, remedy=remedy)
        self._seen_dimensions = given

    def _nonsense(self, problem: str) -> EndpointError:
        return EndpointError(self._target.shown, problem, remedy=_CHECK_MODEL)


# ── what a text is cut into ───────────────────────────────────────────────────────────────────────────────


def _plan(text: str) -> _Plan:
    require_text(text)
    pieces = [piece for passage in split(text) for piece in _cut(passage)]
    return _Plan(windows=_cut(text), passages=pieces if len(pieces) > 1 else [])


def _count(plan: _Plan) -> int:
    return len(plan.windows) + len(plan.passages)


def _cut(text: str) -> list[str]:
    """Nearly equal pieces of about `WINDOW_BYTES`, cut at a space where there is one nearby."""
    text = text.strip()
    size = max(1, WINDOW_BYTES * len(text) // len(text.encode()))
    ends = [_space_before(text, end, size // 8) for _, end in windows(len(text), size)[:-1]]
    edges = [0, *ends, len(text)]
    pieces = (text[begin:end].strip() for begin, end in pairwise(edges))
    return [piece for piece in pieces if piece]


def _space_before(text: str, end: int, reach: int) -> int:
    space = text.rfind(" ", end - reach, end)
    return end if space < 0 else space + 1


# ── the exchange ──────────────────────────────────────────────────────────────────────────────────────────


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
    def parse(cls, url: str, api_path: str) -> _Target:
        """`http://host`, `https://host/v1` or the full address of the method: each is understood."""
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError as error:
            raise InvalidInput("endpoint", f"is no address: {error}") from error
        if parts.scheme not in ("http", "https") or not host:
            problem = f"starts with {parts.scheme!r}, not with http:// or https:// and a host"
            raise InvalidInput("endpoint", problem, remedy="Give an address such as http://localhost:11434.")
        if parts.username or parts.password:
            problem = "holds a user name or a password"
            raise InvalidInput("endpoint", problem, remedy="Use embedding.api_key.")
        if not all("!" <= character <= "~" for character in url):
            raise InvalidInput("endpoint", "holds a space or a character that is not ASCII")
        path = parts.path.rstrip("/")
        root = api_path.rpartition("/")[0]
        if path.endswith(root):
            path += api_path.removeprefix(root)
        elif not path.endswith(api_path.rpartition("/")[2]):
            path += api_path
        is_secure = parts.scheme == "https"
        return cls(
            is_secure=is_secure,
            host=host,
            authority=parts.netloc,
            port=port or (443 if is_secure else 80),
            path=f"{path}?{parts.query}" if parts.query else path,
            shown=urlunsplit((parts.scheme, parts.netloc, path, "", "")),
        )


class _Exchange:
    """One request and its answer before a deadline.

    A socket's timeout starts anew with every byte, so a timer shuts the socket down when the time is over: at
    whatever point of handshake, headers or body the server dawdles. Only the look-up of the host's name, which
    the system does, cannot be interrupted.
    """

    def __init__(self, target: _Target, deadline: float) -> None:
        self._target = target
        self._deadline = deadline
        self._socket: socket.socket | None = None
        self.is_late = False

    def post(self, body: bytes, headers: dict[str, str]) -> tuple[int, float | None, bytes]:
        """Status, the wait that the server asked for, and the body."""
        timer = threading.Timer(max(0.0, self._deadline - time.monotonic()), self._hang_up)
        timer.daemon = True
        timer.start()
        connection = http.client.HTTPConnection(self._target.host, self._target.port)
        try:
            connection.sock = self._connect()
            connection.request("POST", self._target.path, body=body, headers=headers)
            with connection.getresponse() as response:
                answer = _read(response)
            if self.is_late:  # an answer that ends with the connection looks complete when we hang up
                raise TimeoutError  # noqa: TRY301 - the same end as a timeout of the socket's own
            return response.status, _retry_after(response.getheader("Retry-After")), answer
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


def _read(response: http.client.HTTPResponse) -> bytes:
    if response.length is not None and response.length > ANSWER_LIMIT:
        raise _TooLarge
    answer = response.read(ANSWER_LIMIT + 1)
    if len(answer) > ANSWER_LIMIT:
        raise _TooLarge
    if response.length:
        raise http.client.IncompleteRead(answer, response.length)
    return answer


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


def _remedy(status: int, *, asked: int) -> str:
    if status in (401, 403):
        return "Check embedding.api_key."
    if status == http.HTTPStatus.NOT_FOUND:
        return "Check embedding.endpoint and embedding.model."
    if 300 <= status < 400:
        return "Set embedding.endpoint to the address it points to; redirects are not followed."
    if asked:
        return f"{_CHECK_MODEL} Some servers refuse a choice of dimensions: then set embedding.dimensions to 0."
    return _CHECK_MODEL
