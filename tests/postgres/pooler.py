"""A real PgBouncer before a server: it lends a connection of the server for a transaction, and then to somebody else.

It is a package of the system (Debian: `pgbouncer`), so tests that need it are skipped where it is not installed.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from tests.postgres.server import NOBODY, SECONDS, Server

PORT = 6432

_SETTINGS = """
[databases]
* = host={server} port={port}

[pgbouncer]
listen_addr =
listen_port = {own_port}
unix_socket_dir = {folder}
auth_type = trust
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = {size}
max_client_conn = 500
server_reset_query =
"""


def missing_pooler() -> str:
    """Why no pooler can be had here; empty when it can."""
    if shutil.which("pgbouncer") is None:
        return "no PgBouncer for tests: pgbouncer is not installed (a package of the system)"
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        return "no PgBouncer for tests: it refuses to run as root, and there is no setpriv"
    return ""


def may_prepare() -> bool:
    """Whether the pooler of this machine can tell prepared statements of its clients apart: from 1.21 on."""
    if missing_pooler():
        return False
    told = subprocess.run([shutil.which("pgbouncer") or "", "--version"], capture_output=True, text=True, check=True)
    return tuple(map(int, told.stdout.split()[1].split(".")[:2])) >= (1, 21)


class Pooler:
    """PgBouncer in transaction mode before a server on this machine, gone with `close`."""

    def __init__(self, server: Server, *, size: int, is_preparing: bool = False) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="lv-pb-"))
        settings = self.folder / "pgbouncer.ini"
        written = _SETTINGS.format(server=server.folder, port=server.port, own_port=PORT, folder=self.folder, size=size)
        if may_prepare():
            written += f"max_prepared_statements = {500 if is_preparing else 0}\n"
        settings.write_text(written)
        (self.folder / "users").write_text('"postgres" ""\n')
        if os.geteuid() == 0:
            for path in (self.folder, *self.folder.iterdir()):
                os.chown(path, NOBODY, NOBODY)
        self._log = (self.folder / "log").open("ab")
        self._process = subprocess.Popen(
            [*_as_nobody(), shutil.which("pgbouncer") or "", str(settings)],
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )
        self._wait_until_it_listens()

    def url(self, direct: str) -> str:
        """Where a database of the server is found through the pooler."""
        return f"{direct.partition('?')[0]}?host={self.folder}&port={PORT}"

    def close(self) -> None:
        """Stop it, and leave nothing behind."""
        self._process.kill()  # it would wait for its clients
        self._process.wait(SECONDS)
        self._log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _wait_until_it_listens(self) -> None:
        given_up = time.monotonic() + SECONDS
        while not _is_listening(self.folder / f".s.PGSQL.{PORT}"):
            if time.monotonic() > given_up or self._process.poll() is not None:
                raise TimeoutError((self.folder / "log").read_text(encoding="utf-8"))
            time.sleep(0.01)


def _is_listening(path: Path) -> bool:
    """A socket is there a moment before anybody listens."""
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(path)) == 0


def _as_nobody() -> list[str]:
    """PgBouncer refuses to run as root; on Linux the kernel stops it when its tests are killed."""
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return []
    own = [f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if os.geteuid() == 0 else []
    return [setpriv, "--pdeathsig", "TERM", *own]
