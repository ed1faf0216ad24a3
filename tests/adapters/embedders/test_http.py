"""Embedding servers: what is asked of them, and how little of what they say is believed."""

from __future__ import annotations

import json
import socket
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pytest

from libravdb.adapters.embedders import http
from libravdb.adapters.embedders.http import EndpointEmbedder
from libravdb.errors import EndpointError, InvalidInput

if TYPE_CHECKING:
    from tests.conftest import Call, EmbeddingServer, Reply

KEY = "sk-very-secret-1234"
KINDS = pytest.mark.parametrize("kind", ["openai", "ollama"])


class Connect(Protocol):
    """Makes an embedder for the test's server."""

    def __call__(self, kind: str = "openai", **settings: Any) -> EndpointEmbedder: ...


class Patience:
    """Instead of sleeping: remembers how long it was asked to wait."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.waits.append(seconds)


@pytest.fixture
def patience() -> Patience:
    return Patience()


@pytest.fixture
def connect(embedding_server: EmbeddingServer, patience: Patience) -> Connect:
    def make(kind: str = "openai", **settings: Any) -> EndpointEmbedder:
        return EndpointEmbedder(
            **{"kind": kind, "url": embedding_server.url, "model": "m", "sleep": patience, **settings}
        )

    return make


def status(code: int, body: bytes = b"", **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda call: call.answer(code, body, named)


def content(body: object) -> Reply:
    return status(200, json.dumps(body).encode())


# ── asking ────────────────────────────────────────────────────────────────────────────────────────────────


def test_making_one_asks_nothing_and_dimensions_ask_once(connect: Connect, embedding_server: EmbeddingServer) -> None:
    embedder = connect()
    assert embedding_server.calls == []

    assert (embedder.dimensions, embedder.dimensions) == (8, 8)

    assert len(embedding_server.calls) == 1


def test_configured_dimensions_are_sent_and_need_no_question(
    connect: Connect, embedding_server: EmbeddingServer
) -> None:
    embedder = connect(dimensions=8)

    assert embedder.dimensions == 8
    assert embedder.fingerprint.startswith("openai-")
    assert embedding_server.calls == []
    embedder.embed_query("hello")
    assert embedding_server.calls[0].body["dimensions"] == 8


@pytest.mark.parametrize(
    ("kind", "given", "asked"),
    [
        ("openai", "", "/v1/embeddings"),
        ("openai", "/", "/v1/embeddings"),
        ("openai", "/v1", "/v1/embeddings"),
        ("openai", "/v1/", "/v1/embeddings"),
        ("openai", "/proxy/v1/embeddings", "/proxy/v1/embeddings"),
        ("openai", "/v1/embeddings?version=2", "/v1/embeddings?version=2"),
        ("ollama", "", "/api/embed"),
        ("ollama", "/api", "/api/embed"),
        ("ollama", "/api/embed", "/api/embed"),
    ],
)
def test_an_address_may_be_given_in_full_or_in_part(
    embedding_server: EmbeddingServer, kind: str, given: str, asked: str
) -> None:
    embedder = EndpointEmbedder(kind=kind, url=embedding_server.url + given, model="m")
    embedding_server.script.append(content({"data": [{"index": 0, "embedding": [1, 2]}], "embeddings": [[1, 2]]}))

    embedder.embed_query("hello")

    assert embedding_server.calls[0].path == asked


@KINDS
def test_texts_go_out_in_batches_of_64_and_come_back_in_order(
    connect: Connect, embedding_server: EmbeddingServer, kind: str
) -> None:
    texts = [f"text number {number}" for number in range(150)]

    rows = connect(kind).embed_texts(texts)

    assert [len(call.body["input"]) for call in embedding_server.calls] == [64, 64, 22]
    for text, row in zip(texts, rows, strict=True):
        expected = np.array(embedding_server.vector(text))
        np.testing.assert_allclose(row[0], expected / np.linalg.norm(expected), atol=1e-6)


def test_long_texts_are_cut_into_windows_and_no_word_is_lost(
    connect: Connect, embedding_server: EmbeddingServer
) -> None:
    text = " ".join(f"word{number}" for number in range(1000))

    rows = connect().embed_text(text)

    sent = embedding_server.calls[0].body["input"]
    assert max(map(len, sent)) <= http.WINDOW_BYTES * 1.2
    assert len(rows) == 1 + len(sent) // 2
    assert " ".join(sent[len(sent) // 2 :]) == text


def test_prefixes_are_put_before_questions_and_texts(connect: Connect, embedding_server: EmbeddingServer) -> None:
    embedder = connect(query_prefix="search_query: ", document_prefix="search_document: ")

    embedder.embed_query("who?")
    embedder.embed_text("she")

    assert [call.body["input"] for call in embedding_server.calls] == [["search_query: who?"], ["search_document: she"]]


def test_the_probe_shows_that_a_server_changed_its_model(connect: Connect, embedding_server: EmbeddingServer) -> None:
    embedder = connect()
    before = embedder.probe()
    np.testing.assert_array_equal(embedder.probe(), before)
    embedding_server.script.append(content({"data": [{"index": 0, "embedding": [1] * 8}]}))

    assert float(embedder.probe() @ before) < 0.99
    assert embedder.fingerprint == connect().fingerprint


def test_model_kind_dimensions_and_prefixes_make_the_fingerprint(connect: Connect) -> None:
    base: dict[str, Any] = {"dimensions": 8}
    fingerprints = {
        connect(**base).fingerprint,
        connect("ollama", **base).fingerprint,
        connect(**base, model="other").fingerprint,
        connect(dimensions=16).fingerprint,
        connect(**base, query_prefix="q: ").fingerprint,
    }

    assert len(fingerprints) == 5
    assert connect(**base, url="http://elsewhere.example").fingerprint in fingerprints


# ── failing and recovering ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("code", [429, 500, 502, 503, 504])
def test_a_failure_that_may_pass_is_tried_again_with_growing_waits(
    connect: Connect, embedding_server: EmbeddingServer, patience: Patience, code: int
) -> None:
    embedding_server.script += [status(code), status(code)]

    assert connect().embed_query("hello").shape == (8,)

    assert patience.waits == [0.5, 1.0]
    assert len(embedding_server.calls) == 3


def test_after_the_last_retry_the_failure_is_told(connect: Connect, embedding_server: EmbeddingServer) -> None:
    embedding_server.script += [status(503, b"model is loading")] * 3

    with pytest.raises(EndpointError, match=r"answers 503: model is loading \(tried 3 times\)") as failed:
        connect().embed_query("hello")
    assert failed.value.remedy


@pytest.mark.parametrize("code", [301, 400, 401, 403, 404, 422])
def test_a_refusal_is_not_tried_again(
    connect: Connect, embedding_server: EmbeddingServer, patience: Patience, code: int
) -> None:
    embedding_server.script.append(status(code, b"no", Location="http://elsewhere.example"))

    with pytest.raises(EndpointError, match=f"answers {code}: no") as failed:
        connect().embed_query("hello")

    assert failed.value.remedy
    assert len(embedding_server.calls) == 1
    assert patience.waits == []


def test_the_wait_that_a_server_asks_for_is_kept(
    connect: Connect, embedding_server: EmbeddingServer, patience: Patience
) -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=20), usegmt=True)
    embedding_server.script += [status(429, Retry_After="7"), status(503, Retry_After=soon)]

    connect().embed_query("hello")

    assert patience.waits[0] == 7
    assert patience.waits[1] == pytest.approx(20, abs=3)


@pytest.mark.parametrize("header", ["", "soon", "nan", "inf", "-5"])
def test_a_wait_that_makes_no_sense_does_no_harm(
    connect: Connect, embedding_server: EmbeddingServer, patience: Patience, header: str
) -> None:
    embedding_server.script.append(status(429, Retry_After=header))

    connect().embed_query("hello")

    assert patience.waits[0] in (0, 0.5)


def test_a_wait_longer_than_the_timeout_is_not_begun(
    connect: Connect, embedding_server: EmbeddingServer, patience: Patience
) -> None:
    embedding_server.script.append(status(429, Retry_After="3600"))

    with pytest.raises(EndpointError, match="asks to wait 3600 s, longer than 30 s"):
        connect().embed_query("hello")
    assert patience.waits == []


def test_a_server_that_is_not_there_is_named(patience: Patience) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    embedder = EndpointEmbedder(kind="ollama", url=f"http://127.0.0.1:{port}", model="m", sleep=patience)

    with pytest.raises(EndpointError, match=rf"127\.0\.0\.1:{port}.*ConnectionRefused.*Check"):
        embedder.embed_query("hello")
    assert patience.waits == [0.5, 1.0]


def dribble(prefix: bytes, server: EmbeddingServer) -> Reply:
    """Sends something, then a byte every few milliseconds until the client hangs up or the test is over."""

    def reply(call: Call) -> None:
        call.send(prefix)
        while not server.stopped.wait(0.005):
            call.send(b" ")

    return reply


def silence(prefix: bytes, server: EmbeddingServer) -> Reply:
    def reply(call: Call) -> None:
        call.send(prefix)
        server.stopped.wait(30)

    return reply


@pytest.mark.parametrize(
    "prefix",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{",
        b"HTTP/1.1 200 OK\r\n\r\n{",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n",
        b"HTTP/1.1 200 OK\r\nX-Slow: ",
        b"HTTP/1.1 ",
    ],
    ids=["body", "endless body", "chunk", "header", "status line"],
)
def test_a_server_that_dribbles_or_falls_silent_is_left_at_the_deadline(
    connect: Connect, embedding_server: EmbeddingServer, prefix: bytes
) -> None:
    for slow in (dribble(prefix, embedding_server), silence(prefix, embedding_server)):
        embedding_server.script.append(slow)
        with pytest.raises(EndpointError, match=r"did not answer within 0\.2 s"):
            connect(timeout_seconds=0.2, retries=0).embed_query("hello")


def test_a_slow_attempt_is_followed_by_another(connect: Connect, embedding_server: EmbeddingServer) -> None:
    embedding_server.script.append(silence(b"", embedding_server))

    assert connect(timeout_seconds=0.5, retries=1).embed_query("hello").shape == (8,)


@pytest.mark.parametrize(
    "raw",
    [b"", b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{}", b"HTTP/1.1 abc\r\n\r\n"],
)
def test_a_connection_that_breaks_is_tried_again(
    connect: Connect, embedding_server: EmbeddingServer, raw: bytes
) -> None:
    embedding_server.script.append(lambda call: call.send(raw))

    assert connect().embed_query("hello").shape == (8,)


# ── nonsense ──────────────────────────────────────────────────────────────────────────────────────────────


def openai(*vectors: object) -> bytes:
    return json.dumps({"data": [{"index": n, "embedding": v} for n, v in enumerate(vectors)]}).encode()


GOOD = [1.0] * 8
NONSENSE = [
    (b"", "not JSON"),
    (b"<html>", "not JSON"),
    (b"\xff\xfe\x00", "not JSON"),
    (b"[" * 200_000, "not JSON"),
    (b"[]", "without a list 'data'"),
    (b'{"data": 5}', "without a list 'data'"),
    (b'{"error": "out of memory"}', "without a list 'data'"),
    (openai(), "0 vectors for 1 texts"),
    (openai(GOOD, GOOD), "2 vectors for 1 texts"),
    (b'{"data": [3]}', "no index"),
    (b'{"data": [{"embedding": [1]}]}', "no index"),
    (b'{"data": [{"index": true, "embedding": [1]}]}', "no index"),
    (b'{"data": [{"index": 1, "embedding": [1]}]}', "number the texts from 0"),
    (b'{"data": [{"index": 0}]}', "not a list of numbers"),
    (openai("AAAA"), "not a list of numbers"),
    (openai([None] * 8), "not a list of numbers"),
    (openai(["1"] * 8), "not a list of numbers"),
    (openai([True] * 8), "not a list of numbers"),
    (openai([GOOD]), "not a list of numbers"),
    (openai([]), "empty vector"),
    (openai([0.0] * 8), "zero or not finite"),
    (openai([float("nan")] * 8), "zero or not finite"),
    (openai([float("inf")] * 8), "zero or not finite"),
    (openai([1e300] * 8), "zero or not finite"),
    (openai([10**400] * 8), "too large"),
]


@pytest.mark.parametrize(("raw", "words"), NONSENSE)
def test_nonsense_is_refused_in_words_and_not_tried_again(
    connect: Connect, embedding_server: EmbeddingServer, raw: bytes, words: str
) -> None:
    embedding_server.script.append(status(200, raw))

    with pytest.raises(EndpointError, match=words) as failed:
        connect().embed_query("hello")

    assert failed.value.remedy
    assert len(embedding_server.calls) == 1


def test_indexes_that_repeat_are_refused(connect: Connect, embedding_server: EmbeddingServer) -> None:
    item = {"index": 0, "embedding": GOOD}
    embedding_server.script.append(content({"data": [item, item]}))

    with pytest.raises(EndpointError, match="number the texts from 0"):
        connect().embed_texts(["a", "b"])


def test_ollama_answers_are_checked_too(connect: Connect, embedding_server: EmbeddingServer) -> None:
    embedding_server.script += [content({"embedding": GOOD}), content({"embeddings": [GOOD, GOOD]})]

    with pytest.raises(EndpointError, match="without a list 'embeddings'"):
        connect("ollama").embed_query("hello")
    with pytest.raises(EndpointError, match="2 vectors for 1 texts"):
        connect("ollama").embed_query("hello")


def test_vectors_of_another_length_than_configured_or_seen_are_refused(
    connect: Connect, embedding_server: EmbeddingServer
) -> None:
    with pytest.raises(EndpointError, match="8 dimensions, but 16 are configured"):
        connect(dimensions=16).embed_query("hello")
    embedder = connect()
    embedder.embed_query("hello")
    embedding_server.script.append(status(200, openai([1, 2, 3])))
    with pytest.raises(EndpointError, match="3 dimensions, but 8 came before"):
        embedder.embed_query("hello")
    embedding_server.script.append(status(200, openai(GOOD, [1, 2, 3])))
    with pytest.raises(EndpointError, match="3 dimensions, but 8 came before"):
        connect().embed_texts(["a", "b"])


def test_an_answer_that_is_too_large_is_not_read_to_its_end(
    connect: Connect, embedding_server: EmbeddingServer
) -> None:
    def declared(call: Call) -> None:
        call.send(b"HTTP/1.1 200 OK\r\nContent-Length: 99000000000\r\n\r\n{")

    def streamed(call: Call) -> None:
        call.send(b"HTTP/1.1 200 OK\r\n\r\n")
        for _ in range(34):
            call.send(b" " * 2**20)

    embedding_server.script += [declared, streamed]

    for _ in range(2):
        with pytest.raises(EndpointError, match="more than 33554432 bytes"):
            connect().embed_query("hello")


# ── keys and addresses ────────────────────────────────────────────────────────────────────────────────────


def test_the_key_travels_in_the_header_and_shows_nowhere(connect: Connect, embedding_server: EmbeddingServer) -> None:
    embedder = connect(api_key=KEY, retries=0)
    embedding_server.script += [
        status(401, f"Incorrect API key provided: {KEY}".encode()),
        status(500, f"crashed with {KEY}".encode()),
    ]
    shown = [repr(embedder), json.dumps(dict(embedder.description))]
    for _ in range(2):
        with pytest.raises(EndpointError) as failed:
            embedder.embed_query("hello")
        shown += [str(failed.value), repr(failed.value.__cause__), repr(vars(failed.value))]

    assert embedding_server.calls[0].headers["Authorization"] == f"Bearer {KEY}"
    assert not any(KEY in each for each in (*shown, embedder.fingerprint))


def test_without_a_key_no_authorisation_is_sent(connect: Connect, embedding_server: EmbeddingServer) -> None:
    connect().embed_query("hello")

    assert "Authorization" not in embedding_server.calls[0].headers


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:11434",
        "ftp://host",
        "file:///etc/passwd",
        "http://",
        "http://host:99999",
        "http://user:secret@host",
        "http://host/a b",
        "http://host/\r\nX: y",
        "http://[::1",
    ],
)
def test_an_address_that_is_none_is_refused_without_showing_a_password(url: str) -> None:
    with pytest.raises(InvalidInput, match="endpoint") as refused:
        EndpointEmbedder(kind="openai", url=url, model="m")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "settings",
    [
        {"kind": "grpc"},
        {"model": ""},
        {"api_key": "line\nbreak"},
        {"api_key": "ключ"},
        {"timeout_seconds": 0},
        {"retries": -1},
        {"dimensions": -1},
    ],
)
def test_settings_that_cannot_work_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput) as refused:
        EndpointEmbedder(**{"kind": "openai", "url": "http://localhost", "model": "m", **settings})
    assert str(settings.get("api_key") or "–") not in str(refused.value)
