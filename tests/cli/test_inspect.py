"""`libravdb inspect`: a door of its own on loopback for as long as it runs, with a token that nobody else can read."""

from __future__ import annotations

import http.client
import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.http.web import Web
from tests.served import environment

from libravdb.adapters.sqlite.ownership import daemon_of
from libravdb.cli.inspect import _private_page
from libravdb.wire.endpoint import Endpoint
from libravdb.wire.methods.table import METHODS

WORDS_ONLY = {"LIBRAVDB_EMBEDDING_BACKEND": "none"}
TOLD = "Anna keeps bees on the roof of the town hall."


@dataclass(slots=True)
class Inspecting:
    """A command that serves, and the page that it told of."""

    process: subprocess.Popen[str]
    printed: str
    address: Endpoint = field(init=False)
    token: str = field(init=False)
    namespace: str = field(init=False)

    def __post_init__(self) -> None:
        url = urlsplit(self.printed)
        told = parse_qs(url.fragment, strict_parsing=True)
        assert (url.scheme, url.path) == ("http", "/inspector/")
        self.address = Endpoint(host=str(url.hostname), port=int(url.port or 0))
        (self.token,), (self.namespace,) = told["token"], told["namespace"]

    def web(self) -> Web:
        """The page, as far as it asks."""
        return Web(self.address, self.token)

    def end(self, name: signal.Signals = signal.SIGTERM) -> str:
        """End it, which it does cleanly; what it said on standard error."""
        self.process.send_signal(name)
        _, err = self.process.communicate(timeout=30)
        assert self.process.returncode == 0, err
        return err


Inspect = Callable[..., Inspecting]


def command(home: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "libravdb", *arguments],
        env=environment(home, **WORDS_ONLY, **settings),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home with a store; the daemon that the first command starts serves all of them, and is stopped in the end."""
    home = tmp_path_factory.mktemp("home")
    assert command(home, "remember", TOLD, "--id", "bees").returncode == 0
    yield home
    assert command(home, "stop").returncode == 0


@pytest.fixture
def inspect(home: Path) -> Iterator[Inspect]:
    """Starts the command; whatever still runs at the end is killed."""
    running: list[subprocess.Popen[str]] = []

    def inspect(*arguments: str, before: tuple[str, ...] = (), **settings: str) -> Inspecting:
        process = subprocess.Popen(
            [sys.executable, "-m", "libravdb", *before, "inspect", *arguments],
            env=environment(home, **WORDS_ONLY, **settings),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
        )
        running.append(process)
        assert process.stdout is not None
        printed = process.stdout.readline().strip()
        assert printed, process.communicate()[1]
        return Inspecting(process, json.loads(printed)["address"] if "--json" in before else printed)

    yield inspect
    for process in running:
        process.kill()
        process.communicate()


def result(web: Web, method: str, **params: object) -> Any:
    told = web.rpc(method, **params)
    assert "error" not in told, told
    return told["result"]


def refusal(web: Web, method: str, **params: object) -> dict[str, Any]:
    error: dict[str, Any] = web.rpc(method, **params)["error"]
    return error


def closed(address: Endpoint) -> bool:
    connection = http.client.HTTPConnection(address.host, address.port, timeout=5)
    try:
        connection.request("GET", "/health")
    except ConnectionRefusedError:
        return True
    finally:
        connection.close()
    return False


def test_it_prints_where_the_page_is_and_serves_until_it_is_asked_to_end(inspect: Inspect) -> None:
    inspecting = inspect("--no-browser", "--user", "anna & co")
    assert (inspecting.address.host, inspecting.namespace) == ("127.0.0.1", "anna & co")
    assert len(inspecting.token) >= 40
    web = inspecting.web()
    assert b"<!doctype html>" in web.ask("GET", "/inspector/").body
    assert web.get("/caller") == {"name": "inspect", "role": "admin", "namespaces": ["*"], "isOfAll": True}
    assert [record["text"] for record in result(web, "find_memory", namespace="default", id="bees")["records"]] == [
        TOLD
    ]
    assert "Ctrl-C ends it" in inspecting.end()
    assert closed(inspecting.address)


def test_ctrl_c_ends_it_and_the_daemon_goes_on(inspect: Inspect, home: Path) -> None:
    err = inspect("--no-browser").end(signal.SIGINT)
    assert "Traceback" not in err
    assert daemon_of(home / ".clawdb" / "data.libravdb") is not None


def test_as_json_it_tells_the_same(inspect: Inspect) -> None:
    inspecting = inspect("--no-browser", before=("--json",))
    assert inspecting.web().get("/caller")["role"] == "admin"
    assert [set(json.loads(line)) for line in inspecting.end().splitlines()] == [{"note"}]


def test_it_can_be_given_a_port(inspect: Inspect) -> None:
    first = inspect("--no-browser")
    port = first.address.port
    first.end()
    assert inspect("--no-browser", "--port", str(port)).address.port == port


def test_each_page_has_a_token_of_its_own_that_dies_with_it(inspect: Inspect) -> None:
    one, other = inspect("--no-browser"), inspect("--no-browser")
    assert one.token != other.token
    assert Web(other.address, one.token).ask("GET", "/caller").status == 401


def test_whoever_has_no_token_or_a_wrong_one_gets_nothing_and_waits(inspect: Inspect) -> None:
    inspecting = inspect("--no-browser")
    assert Web(inspecting.address).ask("GET", "/caller").status == 401
    began = time.monotonic()
    assert Web(inspecting.address, "guess").ask("POST", "/rpc", {}).status == 401
    assert time.monotonic() - began >= 0.9
    web = inspecting.web()
    assert web.ask("GET", "/caller", headers={"Host": "evil.example"}).status == 421
    assert web.ask("GET", "/caller", headers={"Origin": "https://evil.example"}).status == 403


def test_what_was_looked_at_can_be_mended_there(inspect: Inspect) -> None:
    web = inspect("--no-browser").web()
    note = {"text": "The spare key is under the blue flower pot.", "collection": "user:default", "id": "key"}
    assert result(web, "remember", notes=[note])
    assert result(web, "forget", collection="user:default", ids=["key"])


def test_a_page_that_only_looks_can_change_nothing(inspect: Inspect, home: Path) -> None:
    web = inspect("--no-browser", "--read-only").web()
    assert web.get("/caller")["role"] == "read"
    note = {"text": "Never kept.", "collection": "user:default"}
    for method, params in (
        ("remember", {"notes": [note]}),
        ("forget", {"collection": "user:default", "ids": ["bees"]}),
        ("ingest_batch", {"sessionId": "s", "namespace": "default", "messages": ["hello"]}),
        ("flush_namespace", {"namespace": "default"}),
        ("reembed", {}),
    ):
        refused = refusal(web, method, **params)
        assert "needs the role" in refused["message"], method
        assert "--read-only" in refused["message"], method
    assert web.ask("POST", "/v1/default/memories", {"text": "Never kept."}).status == 403
    assert result(web, "search", question="bees", namespace="default")["hits"]
    assert "Never kept" not in command(home, "list").stdout


def test_a_page_cannot_ask_for_files_of_the_machine(inspect: Inspect, tmp_path: Path) -> None:
    web = inspect("--no-browser").web()
    local = [method.name for method in METHODS.values() if method.is_local]
    assert "export_file" in local
    for name in (*local, "authenticate"):
        assert "is not for pages" in refusal(web, name, path=str(tmp_path / "out"))["message"], name
    assert list(tmp_path.iterdir()) == []


def test_the_numbers_are_the_daemons_own(inspect: Inspect) -> None:
    reply = inspect("--no-browser").web().ask("GET", "/metrics")
    assert (reply.status, reply.kind) == (404, "NotFound")


def test_what_is_no_method_is_answered_as_the_daemon_does(inspect: Inspect) -> None:
    web = inspect("--no-browser").web()
    assert "nonsense" in refusal(web, "nonsense")["message"]
    assert web.ask("POST", "/rpc", {"jsonrpc": "2.0", "id": 1}).json["error"]
    assert web.ask("POST", "/rpc", [1]).status == 400


# ── the browser ───────────────────────────────────────────────────────────────────────────────────────────


def test_the_browser_is_given_a_private_file_and_never_the_token(inspect: Inspect, tmp_path: Path) -> None:
    """Every user of a machine can read the command lines of all others."""
    seen, script = tmp_path / "seen", tmp_path / "browser"
    lines = (
        "#!/bin/sh",
        'file="${1#file://}"',
        f'exec > "{seen}.part"',
        'ls -ld "$file"',
        'ls -ld "$(dirname "$file")"',
        'echo "$1"',
        'cat "$file"',
        f'mv "{seen}.part" "{seen}"',
    )
    script.write_text("\n".join(lines))
    script.chmod(0o700)
    inspecting = inspect(BROWSER=str(script))
    while not seen.exists():
        assert inspecting.process.poll() is None
        os.sched_yield()
    page, folder, argument, content = seen.read_text().split("\n", 3)
    assert (page[:10], folder[:10]) == ("-rw-------", "drwx------")
    assert inspecting.token not in argument
    assert inspecting.token in content
    inspecting.end()
    assert not Path(argument.removeprefix("file://")).exists()


def test_the_private_file_leads_to_the_page_and_holds_no_markup_of_a_name() -> None:
    address = 'http://127.0.0.1:1/inspector/#token=t&namespace="><script>alert(1)</script>'
    with _private_page(address) as page:
        assert stat.S_IMODE(page.stat().st_mode) == 0o600
        text = page.read_text(encoding="utf-8")
        assert "http://127.0.0.1:1/inspector/#token=t&amp;namespace=" in text
        assert "<script>" not in text
    assert not page.exists()


# ── a daemon that serves the page itself ──────────────────────────────────────────────────────────────────


def test_the_page_of_a_daemon_that_serves_http_is_named_with_the_configured_token(tmp_path: Path) -> None:
    done = command(
        tmp_path,
        "--endpoint",
        "https://memory.example.org/",
        "inspect",
        "--no-browser",
        "--user",
        "anna",
        LIBRAVDB_DAEMON_TOKEN="lvdb_x",  # noqa: S106 - made up
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "https://memory.example.org/inspector/#token=lvdb_x&namespace=anna\n"


@pytest.mark.parametrize(
    ("endpoint", "token", "told"),
    [("https://memory.example.org", "", "LIBRAVDB_DAEMON_TOKEN"), ("tcp:127.0.0.1:1", "lvdb_x", "http://host:port")],
)
def test_a_daemon_that_serves_no_page_is_told(tmp_path: Path, endpoint: str, token: str, told: str) -> None:
    done = command(tmp_path, "--endpoint", endpoint, "inspect", "--no-browser", LIBRAVDB_DAEMON_TOKEN=token)
    assert (done.returncode, done.stdout) == (1, "")
    assert told in done.stderr


# ── what is missing ───────────────────────────────────────────────────────────────────────────────────────


def test_a_store_that_is_not_there_is_told_and_none_is_made(tmp_path: Path) -> None:
    store = tmp_path / "typo.libravdb"
    done = command(tmp_path, "--json", "--store", str(store), "inspect", "--no-browser")
    assert (done.returncode, done.stdout) == (1, "")
    assert json.loads(done.stderr)["error"]["kind"] == "NotFound"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("before", [(), ("--endpoint", "https://memory.example.org")])
def test_without_the_extra_the_error_names_it(tmp_path: Path, before: tuple[str, ...]) -> None:
    code = f"import sys; sys.modules['starlette'] = None; from libravdb.cli import main; main({[*before, 'inspect']!r})"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(tmp_path), capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "pip install 'libravdb-memory[http]'" in done.stderr


@pytest.mark.parametrize("port", ["70000", "-1", "http"])
def test_a_port_that_is_none_is_refused(tmp_path: Path, port: str) -> None:
    done = command(tmp_path, "inspect", "--port", port)
    assert done.returncode == 2
    assert "--port" in done.stderr
