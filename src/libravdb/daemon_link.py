"""The way to the daemon that holds the store: found by the store, started when there is none, found again when it was
replaced. The store itself is never opened here."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from libravdb.app import daemon_of, engine_behind
from libravdb.config import Config, settings
from libravdb.errors import DaemonError
from libravdb.ports.claim import Holder

if TYPE_CHECKING:
    from libravdb.client.remote_engine import RemoteEngine

READY_SECONDS = 60.0
WAITING = "libravdb-daemon-end"
"""The thread that waits for a daemon's end."""

_STEP = 0.05
_SPOKEN = "libravdbd: "
"""How a daemon that cannot start begins to tell why."""


class DaemonLink:
    """Lends engines of the daemon, one for each call under way. Usable from many threads.

    `environment` is that of a daemon which has to be started: it holds the settings of this program.
    """

    def __init__(self, config: Config, *, environment: Mapping[str, str]) -> None:
        self._config = config
        self._environment = environment
        self._idle: list[tuple[Holder, RemoteEngine]] = []
        self._lock = threading.Lock()
        self._starting = threading.Lock()

    @contextmanager
    def engine(self) -> Iterator[RemoteEngine]:
        """An engine for one call. Raises DaemonError when there is no daemon and none can be started."""
        holder = self.reach()
        engine = self._taken(holder)
        try:
            yield engine
        except DaemonError as error:
            engine.close()
            raise DaemonError(error.message, remedy=f"{error.remedy} The next call connects anew.".lstrip()) from error
        except BaseException:
            self._give_back(holder, engine)
            raise
        self._give_back(holder, engine)

    def reach(self) -> Holder:
        """The daemon of the store; it is started when there is none. Two who start one at once are no harm: the second
        finds the store taken and ends, and both talk to the first."""
        if found := daemon_of(self._config.store):
            return found
        with self._starting:
            return daemon_of(self._config.store) or self._start()

    def close(self) -> None:
        """Let go of the connections. The daemon goes on for others."""
        with self._lock:
            idle, self._idle = self._idle, []
        for _, engine in idle:
            engine.close()

    # ── connections ───────────────────────────────────────────────────────────────────────────────────────

    def _taken(self, holder: Holder) -> RemoteEngine:
        with self._lock:
            gone = [engine for known, engine in self._idle if known != holder]
            self._idle = [each for each in self._idle if each[0] == holder]
            taken = self._idle.pop()[1] if self._idle else None
        for engine in gone:
            engine.close()
        return taken or engine_behind(holder, self._config)

    def _give_back(self, holder: Holder, engine: RemoteEngine) -> None:
        with self._lock:
            self._idle.append((holder, engine))

    # ── starting ──────────────────────────────────────────────────────────────────────────────────────────

    def _start(self) -> Holder:
        """Start a daemon that outlives us, and wait until somebody serves the store."""
        log = self._log_file()
        told_before = log.stat().st_size if log.exists() else 0
        child = self._spawned(log)
        deadline = time.monotonic() + READY_SECONDS
        while time.monotonic() < deadline:
            has_ended = child.poll() is not None  # before looking: whoever was faster has announced itself by then
            if found := daemon_of(self._config.store):
                threading.Thread(target=child.wait, name=WAITING, daemon=True).start()  # none stays a zombie
                return found
            if has_ended:
                raise _not_started(log, told_before, f"ended with exit code {child.returncode}")
            time.sleep(_STEP)
        raise _not_started(log, told_before, f"was not ready within {READY_SECONDS:.0f} seconds")

    def _spawned(self, log: Path) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "libravdb.daemon", "serve"]
        try:
            log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with open(log, "ab", opener=_private) as out:
                return subprocess.Popen(  # noqa: S603 - no shell, our own program
                    command,
                    env={**self._environment, **self._endpoint(), **self._database()},
                    cwd=log.parent,  # not the project that a host was started in: it outlives that
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=out,
                    start_new_session=True,
                )
        except OSError as error:
            raise DaemonError(
                f"The daemon cannot be started ({error.strerror}).", remedy="Start it yourself: libravdbd"
            ) from error

    def _endpoint(self) -> dict[str, str]:
        """A daemon of another store than the usual one listens on a socket of its own, unless one is configured."""
        usual = str(next(each for each in settings() if each.key == "store.path").default)
        path = self._config.store.local_path.absolute()
        if self._config.daemon.endpoint or path == self._home() / usual.removeprefix("~/"):
            return {}
        name = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
        return {"LIBRAVDB_DAEMON_ENDPOINT": f"unix:{self._home()}/.clawdb/run/{name}.sock"}

    def _database(self) -> dict[str, str]:
        """Which database it serves: with its password, which stands in no file."""
        url = self._config.store.url
        return {"LIBRAVDB_STORE_URL": url} if url else {}

    def _log_file(self) -> Path:
        return self._home() / ".clawdb" / "log" / "libravdbd.log"

    def _home(self) -> Path:
        return Path(self._environment.get("HOME") or "~").expanduser()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _not_started(log: Path, told_before: int, problem: str) -> DaemonError:
    """With what the daemon itself said, where it did."""
    try:
        with log.open("rb") as source:
            source.seek(told_before)
            lines = source.read(65_536).decode(errors="replace").splitlines()
    except OSError:
        lines = []
    for number, line in enumerate(lines):
        if line.startswith(_SPOKEN):
            remedy = lines[number + 1].strip() if number + 1 < len(lines) else ""
            return DaemonError(f"No daemon could be started: {line.removeprefix(_SPOKEN)}", remedy=remedy)
    return DaemonError(f"The daemon {problem}.", remedy=f"{log} tells why; 'libravdb doctor' looks for the cause.")
