"""The real OpenClaw host in a folder of its own, with our plugin, our daemon and a model that answers by rule.

The end-to-end test, the demo and the benchmark share it. Nothing here needs a network once the host is installed, and
nothing outside of the folder is touched.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeVar

from libravdb.adapters.sqlite.ownership import holder_of

HOST_VERSION = "2026.9.6"
NODE_VERSION = "24.21.0"
ROOT = Path(__file__).parent.parent
PLUGIN = ROOT / "plugins" / "openclaw"
PLUGIN_ID = "libravdb-memory"
INSTALLATION = "OPENCLAW_INSTALLATION"
"""Names the folder in which the host is or will be installed (`.openclaw` here); about 800 MB."""

TOKEN = "loopback-only"  # noqa: S105 - of a gateway that lives as long as a test

MODELS = {"wide": 64_000, "narrow": 24_000, "medium": 30_000}
"""Models by the tokens of their context."""
AGENTS = {"main": "wide", "other": "wide", "narrow": "narrow"}

Json = dict[str, Any]
T = TypeVar("T")
Answer = str | Json
"""What the model says: text, or a whole message (a call of a tool, or an error under `error`)."""


# ── the model ─────────────────────────────────────────────────────────────────────────────────────────────


class Model:
    """Speaks OpenAI's chat completions on loopback: `requests` is what it received and
    `arrivals` when, `answer` decides what it says."""

    def __init__(self) -> None:
        self.requests: list[Json] = []
        self.arrivals: list[float] = []
        self.script: list[Answer] = []
        self.answer: Callable[[Json], Answer] = lambda _: "Noted."
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._send(200, {"object": "list", "data": [{"id": name, "object": "model"} for name in MODELS]})

            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                owner.arrivals.append(time.perf_counter())
                owner.requests.append(request)
                said = owner.script.pop(0) if owner.script else owner.answer(request)
                if isinstance(said, dict) and "error" in said:
                    self._send(400, said)
                elif request.get("stream"):
                    self._stream(_message(said))
                else:
                    choice = {"index": 0, "message": _message(said), "finish_reason": "stop"}
                    self._send(200, {"id": "c", "object": "chat.completion", "choices": [choice]})

            def _send(self, status: int, content: Json) -> None:
                raw = json.dumps(content).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            def _stream(self, message: Json) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                end = "tool_calls" if message.get("tool_calls") else "stop"
                usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
                for delta, reason in ((message, None), ({}, end)):
                    choice = {"index": 0, "delta": delta, "finish_reason": reason}
                    chunk = {"id": "c", "object": "chat.completion.chunk", "model": "wide", "choices": [choice]}
                    self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
                last = {"id": "c", "object": "chat.completion.chunk", "choices": [], "usage": usage}
                self.wfile.write(f"data: {json.dumps(last)}\n\ndata: [DONE]\n\n".encode())

            def log_message(self, format: str, *args: object) -> None:
                """`requests` tells more."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def call_tool(name: str, **arguments: object) -> Json:
    """A message of the model that calls a tool."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"index": 0, "id": f"call_{name}_{time.monotonic_ns()}", "type": "function", "function": function}
        ],
    }


def too_long() -> Json:
    """What a provider says when a prompt exceeds its context."""
    message = "This model's maximum context length is 32000 tokens. However, your messages resulted in 40000 tokens."
    return {"error": {"message": message, "type": "invalid_request_error", "code": "context_length_exceeded"}}


def _message(said: Answer) -> Json:
    return {"role": "assistant", "content": said} if isinstance(said, str) else said


# ── what a request says ───────────────────────────────────────────────────────────────────────────────────


def text_of(message: Json) -> str:
    """The text of a message of a request."""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)


def system_of(request: Json) -> str:
    """The system prompt of a request."""
    return "\n".join(text_of(message) for message in request["messages"] if message["role"] in ("system", "developer"))


def talk_of(request: Json) -> list[tuple[str, str]]:
    """Who said what in a request, without the system prompt."""
    talk = [message for message in request["messages"] if message["role"] not in ("system", "developer")]
    return [(message["role"], text_of(message)) for message in talk]


def whole_of(request: Json) -> str:
    """All that a request says."""
    return json.dumps(request["messages"], ensure_ascii=False)


# ── the installation ──────────────────────────────────────────────────────────────────────────────────────


def installation() -> Path:
    """The folder of the host, installed from npm when it is not there yet."""
    folder = installation_folder()
    folder.mkdir(parents=True, exist_ok=True)
    for package in missing_packages():
        _npm(folder, package)
    return folder


def installation_folder() -> Path:
    """Where the host is, or will be."""
    return Path(os.environ.get(INSTALLATION) or ROOT / ".openclaw")


def missing_packages() -> list[str]:
    """What has to be fetched from npm before the host can run, with versions."""
    wanted = ((_node_package(), NODE_VERSION), ("openclaw", HOST_VERSION))
    return [f"{package}@{version}" for package, version in wanted if _version_of(package) != version]


def _version_of(package: str) -> str:
    told = installation_folder() / "node_modules" / package / "package.json"
    return str(json.loads(told.read_text(encoding="utf-8"))["version"]) if told.exists() else ""


def _npm(folder: Path, package: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("npm is needed to install the host: install Node.js, then try again.")
    print(f"Fetching {package} from npm into {folder} (once) …", file=sys.stderr)
    environment = {**os.environ, "PATH": f"{_node(folder).parent}{os.pathsep}{os.environ['PATH']}"}
    command = [npm, "install", "--prefix", str(folder), "--silent", "--no-audit", "--no-fund", package]
    subprocess.run(command, cwd=folder, check=True, env=environment)


def _node_package() -> str:
    """The npm package that carries a node for this machine: the host needs a newer one than most have."""
    chip = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(platform.machine().lower(), platform.machine())
    return f"node-{sys.platform}-{chip}"


def _node(folder: Path) -> Path:
    return folder / "node_modules" / _node_package() / "bin" / "node"


# ── the host ──────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True, kw_only=True)
class Host:
    """A home folder with OpenClaw's configuration, a daemon, and a gateway once it was asked for."""

    home: Path
    installed: Path
    model: Model
    config: Json
    daemon: subprocess.Popen[str] | None = None
    gateway: subprocess.Popen[str] | None = None
    gateway_port: int = 0

    # ── paths and environment ──

    @property
    def endpoint(self) -> str:
        return f"unix:{self.home / 'd.sock'}"

    @property
    def log(self) -> str:
        """All that the gateway has logged."""
        path = self.home / "openclaw.log"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("LIBRAVDB_", "OPENCLAW_"))}
        programs = (str(_node(self.installed).parent), str(Path(sys.executable).parent), kept.get("PATH", ""))
        return {
            **kept,
            "PATH": os.pathsep.join(programs),
            "HOME": str(self.home),
            "OPENCLAW_STATE_DIR": str(self.home / "state"),
            "OPENCLAW_CONFIG_PATH": str(self.home / "openclaw.json"),
            "OPENCLAW_NO_UPDATE_CHECK": "1",
            "NO_COLOR": "1",
            "LIBRAVDB_STORE_PATH": str(self.home / "data.libravdb"),
            "LIBRAVDB_DAEMON_ENDPOINT": self.endpoint,
        }

    def write_config(self) -> None:
        """Make the configuration what `config` says."""
        (self.home / "openclaw.json").write_text(json.dumps(self.config, indent=2), encoding="utf-8")

    # ── the daemon ──

    def start_daemon(self) -> None:
        """Start our daemon and wait until it listens."""
        with (self.home / "libravdbd.log").open("a", encoding="utf-8") as log:
            self.daemon = subprocess.Popen(
                [sys.executable, "-m", "libravdb.daemon"],
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.daemon.stdout is not None  # noqa: S101 - it is a pipe
        with self.daemon.stdout as told:
            told.readline()

    def kill_daemon(self) -> None:
        """As a crash would."""
        if self.daemon is not None:
            self.daemon.kill()
            self.daemon.wait()
            self.daemon = None

    def stop_started_daemon(self) -> None:
        """Stop a daemon that the plugin has started: the lock beside the store tells its process."""
        holder = holder_of(self.home / "data.libravdb")
        if holder is not None:
            os.kill(holder.pid, signal.SIGTERM)

    def memory(self, method: str, **params: object) -> Json:
        """One call of our own daemon, as any client would make it."""
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(60)
            line.connect(self.endpoint.removeprefix("unix:"))
            line.sendall(json.dumps(request).encode() + b"\n")
            with line.makefile("rb") as answers:
                reply: Json = json.loads(answers.readline())
        if "error" in reply:
            raise RuntimeError(f"{method}: {reply['error']['message']}")
        result: Json = reply["result"]
        return result

    def times_kept(self, text: str, *, collection: str = "history:agent-id:main") -> int:
        """How often a collection holds exactly this text."""
        found = self.memory("list_collection", collection=collection)["results"]
        return sum(record["text"] == text for record in found)

    # ── the gateway ──

    def start_gateway(self, *, seconds: float = 120) -> None:
        """Start the gateway and wait until it answers."""
        with (self.home / "gateway.out").open("a", encoding="utf-8") as out:
            self.gateway = subprocess.Popen(
                [*self._openclaw, "gateway", "run"],
                env=self.environment,
                cwd=self.home,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
            )
        until = time.monotonic() + seconds
        while not self._is_ready():
            if time.monotonic() > until or self.gateway.poll() is not None:
                raise RuntimeError(f"the gateway did not start: {self.log[-3000:]}")
            time.sleep(0.2)

    def _is_ready(self) -> bool:
        try:
            return bool(self._post("/api/v1/admin/rpc", {"method": "health", "params": {}}, {}).get("ok"))
        except (OSError, RuntimeError):
            return False

    def stop_gateway(self) -> None:
        """As an operator would."""
        if self.gateway is not None:
            os.killpg(self.gateway.pid, signal.SIGTERM)
            try:
                self.gateway.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(self.gateway.pid, signal.SIGKILL)
                self.gateway.wait()
            self.gateway = None

    # ── the command ──

    @property
    def _openclaw(self) -> list[str]:
        return [str(_node(self.installed)), str(self.installed / "node_modules" / "openclaw" / "openclaw.mjs")]

    def run(self, *arguments: str, check: bool = True, seconds: float = 180) -> subprocess.CompletedProcess[str]:
        """Run `openclaw …` to its end."""
        done = subprocess.run(
            [*self._openclaw, *arguments],
            env=self.environment,
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
        if check and done.returncode:
            raise RuntimeError(f"openclaw {' '.join(arguments)}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done

    def say(self, text: str, *, key: str = "agent:main:one") -> list[Json]:
        """One turn through the gateway; gives the requests that the model received for it."""
        before = len(self.model.requests)
        agent = key.split(":")[1]
        body = {"model": f"openclaw/{agent}", "messages": [{"role": "user", "content": text}]}
        self._post("/v1/chat/completions", body, {"x-openclaw-session-key": key})
        return self.model.requests[before:]

    def call_gateway(self, method: str, **params: object) -> str:
        """One call of the gateway's own protocol, by the command; gives what it printed."""
        return self.run("gateway", "call", method, "--params", json.dumps(params), "--json").stdout

    def _post(self, path: str, body: Json, headers: Mapping[str, str]) -> Json:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.gateway_port}{path}",
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}", **headers},
        )
        try:
            with urllib.request.urlopen(request, timeout=180) as reply:  # noqa: S310
                answer: Json = json.loads(reply.read())
        except urllib.error.HTTPError as error:
            with error:
                raise RuntimeError(f"{path}: {error.code} {error.read().decode()[:2000]}") from error
        return answer

    def wait_for(self, look: Callable[[], T], *, seconds: float = 60) -> T:
        """What `look` gives as soon as it gives something."""
        until = time.monotonic() + seconds
        while not (found := look()):
            if time.monotonic() > until:
                raise TimeoutError("it did not happen")
            time.sleep(0.1)
        return found

    def close(self) -> None:
        self.stop_gateway()
        self.kill_daemon()
        self.model.close()


@contextmanager
def open_host(
    home: Path,
    *,
    settings: Mapping[str, Any] | None = None,
    plugin: Path | None = PLUGIN,
    agents: Mapping[str, str] = AGENTS,
    tools: Sequence[str] = ("memory_search", "memory_get", "sessions_spawn"),
) -> Iterator[Host]:
    """A host in a folder, with the plugin in both slots; what was started is stopped at the end.

    Without a plugin it is the host as it comes.
    """
    model = Model()
    port = _free_port()
    host = Host(home=home, installed=installation(), model=model, config={}, gateway_port=port)
    entry = {
        "enabled": True,
        "config": {"daemon": {"endpoint": host.endpoint}, "startDaemon": False, **(settings or {})},
    }
    (home / "workspace").mkdir(parents=True, exist_ok=True)
    host.config = {
        "logging": {"file": str(home / "openclaw.log"), "level": "debug"},
        "gateway": {
            "port": port,
            "mode": "local",
            "bind": "loopback",
            "auth": {"mode": "token", "token": TOKEN},
            "http": {"endpoints": {"chatCompletions": {"enabled": True}}},
        },
        "models": {
            "providers": {
                "local": {
                    "baseUrl": model.url,
                    "apiKey": "none",
                    "api": "openai-completions",
                    "models": [_described(name, window) for name, window in MODELS.items()],
                }
            }
        },
        "agents": {
            "ownership": "explicit",
            "defaults": {
                "systemAgent": {"agentId": next(iter(agents))},
                "model": {"primary": "local/wide"},
                "skipBootstrap": True,
                "workspace": str(home / "workspace"),
            },
            "entries": {name: {"model": {"primary": f"local/{model}"}} for name, model in agents.items()},
        },
        "tools": {"allow": list(tools), "toolSearch": False},
        "plugins": {"entries": {"admin-http-rpc": {"enabled": True}}},
    }
    if plugin is not None:
        host.config["plugins"] = {
            "load": {"paths": [str(plugin)]},
            "slots": {"memory": PLUGIN_ID, "contextEngine": PLUGIN_ID},
            "entries": {PLUGIN_ID: entry, "admin-http-rpc": {"enabled": True}},
        }
    host.write_config()
    try:
        yield host
    finally:
        host.close()


def _described(name: str, window: int) -> Json:
    free = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}
    return {
        "id": name,
        "name": name,
        "reasoning": False,
        "input": ["text"],
        "cost": free,
        "contextWindow": window,
        "maxTokens": 1024,
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
