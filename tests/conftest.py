"""Shared by tests: how properties are explored; a small real model, and a real server on this machine."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import onnx
import pytest
from hypothesis import settings
from onnx import TensorProto, helper, numpy_helper
from tests.postgres.instead_of_files import is_asked_for
from tokenizers import Regex, Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Split
from tokenizers.processors import TemplateProcessing

pytest_plugins = ["tests.served"]

HERE = Path(__file__).parent

# 'make test' gives the same answer for the same code, on a busy machine too; 'make explore' tries more and others.
settings.register_profile("steady", derandomize=True, deadline=None, max_examples=40)
settings.register_profile("explore", deadline=None, print_blob=True)
settings.register_profile("quick", derandomize=True, deadline=None, max_examples=15)
settings.load_profile("steady")

# What 'make quick' leaves out: folders and modules that start processes, or compute for seconds (by --durations).
SLOW = (
    "adapters/folders/test_reconcile.py",
    "adapters/sqlite/test_connection.py",
    "adapters/sqlite/test_fulltext.py",
    "adapters/sqlite/test_kill.py",
    "adapters/sqlite/test_log.py",
    "adapters/sqlite/test_schema.py",
    "adapters/sqlite/test_vector_cache.py",
    "cli",
    "contract/test_embedder.py",
    "contract/test_lifecycle_methods.py",
    "contract/test_store_state_machine.py",
    "contract/test_wire_contract.py",
    "core/assembly/test_assembly.py",
    "core/assembly/test_prefix.py",
    "core/compaction/test_guidance.py",
    "core/gate/test_quality.py",
    "daemon",
    "doors",
    "engine/test_compaction.py",
    "engine/test_erasure.py",
    "engine/test_inspection.py",
    "engine/test_namespace_deletion.py",
    "engine/test_prompts.py",
    "engine/test_shared_lives.py",
    "engine/test_summary_invalidation.py",
    "http",
    "inspector",
    "openclaw",
    "test_crashes.py",
    "test_docs.py",
    "test_faults.py",
    "test_openclaw_plugin.py",
    "test_owners.py",
    "text/test_passages.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of slow modules, and those that shall run over a database now."""
    slow = {HERE / name for name in SLOW}
    for item in items:
        if not slow.isdisjoint((item.path, *item.path.parents)):
            item.add_marker(pytest.mark.slow)
        if is_asked_for() and item.get_closest_marker("over_postgres") and not item.get_closest_marker("file_store"):
            item.add_marker(pytest.mark.postgres)


# ── a small model ─────────────────────────────────────────────────────────────────────────────────────────

SPECIAL = ("[UNK]", "[CLS]", "[SEP]")
LETTERS = tuple(chr(code) for code in range(32, 127))


class BuildModel(Protocol):
    """Writes a model folder: one random vector per printable character, mean or token output."""

    def __call__(
        self,
        *,
        dimensions: int = 16,
        is_pooled: bool = False,
        inputs: tuple[str, ...] = ("input_ids", "attention_mask"),
        table: np.ndarray[Any, np.dtype[np.float32]] | None = None,
    ) -> Path: ...


def write_tokenizer(path: Path) -> None:
    """One token a character, with [CLS] and [SEP], and with the padding and truncation that must not matter."""
    vocabulary = {token: number for number, token in enumerate((*SPECIAL, *LETTERS))}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))  # noqa: S106 - a token, no password
    tokenizer.pre_tokenizer = Split(Regex("."), "isolated")
    tokenizer.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)])
    tokenizer.enable_padding(length=8)
    tokenizer.enable_truncation(8)
    tokenizer.save(str(path))


@pytest.fixture
def build_model(tmp_path: Path) -> BuildModel:
    """Builds small model folders of any shape."""
    count = 0

    def build(
        *,
        dimensions: int = 16,
        is_pooled: bool = False,
        inputs: tuple[str, ...] = ("input_ids", "attention_mask"),
        table: np.ndarray[Any, np.dtype[np.float32]] | None = None,
    ) -> Path:
        nonlocal count
        count += 1
        folder = tmp_path / f"model-{count}"
        folder.mkdir()
        rows = len(SPECIAL) + len(LETTERS)
        if table is None:
            table = np.random.default_rng(7).standard_normal((rows, dimensions)).astype(np.float32)
        nodes = [helper.make_node("Gather", ["table", "input_ids"], ["tokens"])]
        shape: list[str | int] = ["batch", "length", table.shape[1]]
        if is_pooled:
            nodes.append(helper.make_node("ReduceMean", ["tokens", "axis"], ["pooled"], keepdims=0))
            shape.pop(1)
        graph = helper.make_graph(
            nodes,
            "small",
            [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in inputs],
            [helper.make_tensor_value_info("pooled" if is_pooled else "tokens", TensorProto.FLOAT, shape)],
            [
                numpy_helper.from_array(table, "table"),
                numpy_helper.from_array(np.array([1], dtype=np.int64), "axis"),
            ],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
        onnx.save(model, folder / "model.onnx")
        write_tokenizer(folder / "tokenizer.json")
        return folder

    return build


# ── a small server ────────────────────────────────────────────────────────────────────────────────────────


class Call:
    """One request as it arrived, and the means to answer it in any way."""

    def __init__(self, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        self.handler = handler
        self.path = handler.path
        self.headers = handler.headers
        self.body: dict[str, Any] = json.loads(body)

    def answer(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
        """Send a complete answer."""
        self.handler.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **(headers or {})}.items():
            self.handler.send_header(name, value)
        self.handler.end_headers()
        self.handler.wfile.write(content)

    def say(self, text: object, *, end: str = "stop") -> None:
        """Send a message of a chat in the caller's protocol."""
        message = {"role": "assistant", "content": text}
        ollama = {"model": "m", "message": message, "done": True, "done_reason": end}
        openai = {"choices": [{"index": 0, "message": message, "finish_reason": end}]}
        content = ollama if self.path == "/api/chat" else openai
        self.answer(200, json.dumps(content).encode(), {"Content-Type": "application/json"})

    def send(self, raw: bytes) -> None:
        """Send bytes as they are."""
        self.handler.wfile.write(raw)
        self.handler.wfile.flush()


Reply = Callable[[Call], None]


class LocalServer:
    """`script` holds replies for the next calls, then it behaves; `calls` remembers what arrived."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.script: list[Reply] = []
        self.stopped = threading.Event()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                owner.serve(Call(self, body))

            def log_message(self, format: str, *args: object) -> None:
                """Tests read `calls` instead."""

        class Server(ThreadingHTTPServer):
            def handle_error(self, request: object, client_address: object) -> None:
                """A client that hangs up on purpose is no news."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def serve(self, call: Call) -> None:
        self.calls.append(call)
        if self.script:
            self.script.pop(0)(call)
        else:
            self.behave(call)

    def behave(self, call: Call) -> None:
        raise NotImplementedError

    def close(self) -> None:
        self.stopped.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class EmbeddingServer(LocalServer):
    """Speaks both protocols with vectors out of hashes."""

    def __init__(self, dimensions: int = 8) -> None:
        self.dimensions = dimensions
        super().__init__()

    def behave(self, call: Call) -> None:
        vectors = [self.vector(text) for text in call.body["input"]]
        if call.path == "/api/embed":
            content: dict[str, Any] = {"model": call.body["model"], "embeddings": vectors}
        else:
            items = [{"index": place, "embedding": vector} for place, vector in enumerate(vectors)]
            content = {"data": items[::-1]}  # in any order: the index counts
        call.answer(200, json.dumps(content).encode())

    def vector(self, text: str) -> list[float]:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
        numbers: list[float] = np.random.default_rng(seed).standard_normal(self.dimensions).tolist()
        return numbers


class ChatServer(LocalServer):
    """Speaks both protocols of chat; its summary is the first half of the last thing said, each word once."""

    def behave(self, call: Call) -> None:
        conversation = call.body["messages"][-1]["content"].splitlines()[1:-1]
        most = call.body.get("max_tokens") or call.body["options"]["num_predict"]
        words = list(dict.fromkeys(conversation[-1].partition(": ")[2].split()))
        call.say(" ".join(words[: max(1, min(len(words) // 2, most // 8))]))


@pytest.fixture
def embedding_server() -> Iterator[EmbeddingServer]:
    """A server on this machine, stopped afterwards."""
    server = EmbeddingServer()
    yield server
    server.close()


@pytest.fixture
def chat_server() -> Iterator[ChatServer]:
    """A server on this machine, stopped afterwards."""
    server = ChatServer()
    yield server
    server.close()
