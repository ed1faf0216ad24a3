"""Our own client over HTTP: the same engine as over a socket, a few connections for all threads, safe repeats."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.contract.test_remote_engine import READING, fill
from tests.http.web import ADMIN, ANNA, registry
from tests.served import Served, Start, environment

from libravdb.app import connect_to
from libravdb.client.http_transport import HttpTransport
from libravdb.client.pool import MOST_CONNECTIONS
from libravdb.client.remote_engine import RemoteEngine
from libravdb.errors import DaemonError, Forbidden, InvalidInput, LibraError
from libravdb.http.options import HttpOptions
from libravdb.wire.endpoint import Endpoint


def url(address: Endpoint) -> str:
    return f"http://{address.host}:{address.port}"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("filled"), tokens=registry())
    fill(served.engine)
    yield served
    served.close()


@pytest.fixture(scope="module")
def place(filled: Served) -> str:
    return url(filled.listen_http(HttpOptions(idle_seconds=1.0)))


@pytest.fixture
def remote(place: str) -> Iterator[RemoteEngine]:
    with connect_to(place, token=ADMIN) as engine:
        yield engine


@pytest.mark.parametrize("name", [name for name in READING if name != "too little"])
def test_a_question_is_answered_alike_over_http(filled: Served, remote: RemoteEngine, name: str) -> None:
    assert READING[name](remote) == READING[name](filled.engine)


def test_errors_come_back_as_what_they_were(place: str, remote: RemoteEngine) -> None:
    with pytest.raises(InvalidInput):
        remote.search(" ", namespace="anna")
    with connect_to(place, token=ANNA) as anna, pytest.raises(Forbidden):
        anna.search("boat", namespace="ben")
    for token in ("", "guess"):
        with connect_to(place, token=token) as nobody, pytest.raises(DaemonError, match=r"token") as refused:
            nobody.status()
        assert "libravdb token create" in refused.value.remedy
        assert "guess" not in str(refused.value)


def test_export_and_backup_go_through_the_connection(filled: Served, remote: RemoteEngine, tmp_path: Path) -> None:
    assert remote.upkeep.export_file(tmp_path / "export.jsonl") > 0
    assert "Lisbon" in (tmp_path / "export.jsonl").read_text()
    assert remote.upkeep.backup(Path("copy.libravdb")).size_bytes > 0
    assert filled.transfers is not None
    with pytest.raises(InvalidInput, match="folder"):
        remote.upkeep.backup(tmp_path / "copy.libravdb")


def test_threads_do_not_wait_for_one_another(remote: RemoteEngine) -> None:
    failed: list[LibraError] = []

    def work() -> None:
        try:
            for _ in range(10):
                remote.memories.latest("user:anna", limit=2)
        except LibraError as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_a_connection_that_was_closed_while_idle_is_made_again(remote: RemoteEngine) -> None:
    remote.memories.remember("the first", collection="user:zoe")
    threading.Event().wait(1.3)  # the door closes idle ones after a second here
    remote.memories.remember("the second", collection="user:zoe")
    assert len(remote.memories.latest("user:zoe", limit=9)) == 2


def lossy() -> tuple[str, list[bytes], Callable[[], None]]:
    """A server that reads every request and hangs up."""
    listener = socket.create_server(("127.0.0.1", 0))
    heard: list[bytes] = []

    def listen() -> None:
        while True:
            try:
                line, _ = listener.accept()
            except OSError:
                return
            with line:
                heard.append(line.recv(65_536))

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()

    def stop() -> None:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(10)

    return f"http://127.0.0.1:{listener.getsockname()[1]}", heard, stop


@pytest.mark.parametrize(("may_repeat", "times"), [(True, 4), (False, 1)])
def test_only_what_may_be_repeated_is_sent_again(*, may_repeat: bool, times: int) -> None:
    where, heard, stop = lossy()
    transport = HttpTransport(where, token="x", sleep=lambda _: None)  # noqa: S106 - made up
    with pytest.raises(DaemonError, match="No daemon answers"):
        transport.exchange(b"{}\n", seconds=5, may_repeat=may_repeat)
    transport.close()
    stop()
    assert len(heard) == times


def test_nobody_there_is_told_with_the_remedy() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with (
        connect_to(f"http://127.0.0.1:{port}") as engine,
        pytest.raises(DaemonError, match="No daemon answers") as refused,
    ):
        engine.status()
    assert "libravdbd --http" in refused.value.remedy


@pytest.mark.parametrize("address", ["http://", "http://host:99999", "https:///x", "http://a:b@host", "http://h?x=1"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(DaemonError, match="is not an endpoint"):
        connect_to(address)


def test_a_silent_server_is_given_up_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        transport = HttpTransport(f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(DaemonError, match=r"within 0\.2 seconds"):
            transport.exchange(b"{}\n", seconds=0.2, may_repeat=True)
        transport.close()


# ── the daemon as a process ───────────────────────────────────────────────────────────────────────────────


def test_the_daemon_serves_http_beside_its_socket_and_the_command_line_uses_it(start: Start, tmp_path: Path) -> None:
    process = start(LIBRAVDB_DAEMON_HTTP="127.0.0.1:0", LIBRAVDB_DAEMON_TOKEN=ADMIN, LIBRAVDB_EMBEDDING_BACKEND="none")
    assert process.stdout is not None
    unix, web = process.stdout.readline().strip(), process.stdout.readline().strip()
    assert unix.startswith("unix:")
    assert web.startswith("http://127.0.0.1:")
    told = environment(tmp_path, LIBRAVDB_DAEMON_TOKEN=ADMIN)

    def command(*arguments: str) -> str:
        program = [sys.executable, "-m", "libravdb", "--endpoint", web, *arguments]
        done = subprocess.run(program, env=told, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    command("remember", "The ladder is in the shed")
    assert "shed" in command("search", "where is the ladder?")
    assert web in command("status")
    program = [sys.executable, "-m", "libravdb", "--endpoint", web, "stop"]
    assert (
        "works on this machine" in subprocess.run(program, env=told, capture_output=True, text=True, check=False).stderr
    )
    process.terminate()
    _, err = process.communicate(timeout=30)
    assert process.returncode == 0
    assert err.count('"listening"') == 2


def test_threads_that_end_leave_no_connections_behind(tmp_path: Path) -> None:
    served = Served(tmp_path, tokens=registry())
    with connect_to(url(served.listen_http()), token=ADMIN) as engine:
        for _ in range(3 * MOST_CONNECTIONS):
            thread = threading.Thread(target=engine.status)
            thread.start()
            thread.join()
        assert served.http.connections <= MOST_CONNECTIONS
    served.close()
