"""A daemon of its own process with the HTTP door, over a copy of a store, and tokens for people of every kind."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from tests.http.web import Web
from tests.inspector.filled_store import BEN, MARA
from tests.served import environment

from libravdb.daemon.rights import checked_rights
from libravdb.daemon.tokens import create_token
from libravdb.wire.endpoint import Endpoint
from libravdb.wire.methods.access import AccessRole

STORE = Path(".clawdb") / "data.libravdb"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """Who may look: `ben` reaches his own namespace and nothing else."""

    admin: str
    write: str
    read: str
    ben: str


class RunningDaemon:
    """A `libravdbd` that serves HTTP on loopback."""

    def __init__(self, home: Path, *, store: Path | None = None, **settings: str) -> None:
        self.home = home
        path = home / STORE
        path.parent.mkdir(parents=True, mode=0o700)
        if store is not None:
            shutil.copyfile(store, path)
        self.token_file = path.with_name(path.name + ".tokens")
        self.tokens = Tokens(
            admin=self.new_token("admin", AccessRole.ADMIN, "*"),
            write=self.new_token("writer", AccessRole.WRITE, MARA),
            read=self.new_token("reader", AccessRole.READ, MARA),
            ben=self.new_token("ben's laptop", AccessRole.WRITE, BEN),
        )
        self.log = (home / "daemon.log").open("wb")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "libravdb.daemon", "--http", "127.0.0.1:0"],
            env=environment(home, **settings),
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )
        assert self.process.stdout is not None
        lines = [self.process.stdout.readline().strip() for _ in range(2)]
        assert lines[1].startswith("http://"), (home / "daemon.log").read_text()
        self.url = lines[1]
        host, _, port = lines[1].removeprefix("http://").rpartition(":")
        self.address = Endpoint(host=host, port=int(port))
        self._fresh = count(1)

    def new_token(self, name: str, role: AccessRole, *namespaces: str) -> str:
        """A token that the daemon takes from now on."""
        return create_token(self.token_file, checked_rights(name, role, list(namespaces)), now=0)

    def page(self, path: str = "") -> str:
        """The address of the inspector, with what follows it."""
        return f"{self.url}/inspector/{path}"

    def call(self, method: str, **params: object) -> Any:
        """Ask as another client, an admin."""
        web = Web(self.address, self.tokens.admin)
        told = web.rpc(method, **params)
        web.close()
        assert "error" not in told, told
        return told["result"]

    def say(self, text: str, *, namespace: str, session: str = "now", role: str = "user") -> None:
        """Let somebody say something."""
        messages = [{"role": role, "content": text}]
        self.call("ingest_batch", sessionId=session, namespace=namespace, messages=messages)

    def fresh_namespace(self) -> str:
        """A name that nobody has used, for a test that writes."""
        return f"somebody-{next(self._fresh)}"

    def stop(self) -> None:
        """Stop it as a service manager would."""
        self.process.terminate()
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.log.close()
