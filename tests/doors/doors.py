"""The doors to one engine: a row adds one, and every verb is tried through it.

Each door stands before a store of its own that holds the same, so what two doors answer can be compared word for word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.served import LOOPBACK, TOKEN, Served

from libravdb.memory import Memory
from libravdb.wire.endpoint import Endpoint

Open = Callable[[str], Memory]
"""The memory of a user through a door; whoever opens it closes it."""

Door = Callable[[Served, Path], Open]
"""Makes a served engine reachable."""


def embedded(served: Served, _: Path) -> Open:
    """In the same process, without a daemon. The engine is the fixture's: closing one memory must not end it."""
    return lambda user: Memory(served.engine, user=user, is_owner=False)


def unix_socket(served: Served, folder: Path) -> Open:
    address = str(served.listen(Endpoint(path=str(folder / "s.sock"))))
    return lambda user: Memory.connect(address, user=user)


def tcp_with_token(served: Served, _: Path) -> Open:
    address = str(served.listen(LOOPBACK))
    return lambda user: Memory.connect(address, token=TOKEN, user=user)


def http_with_token(served: Served, _: Path) -> Open:
    address = served.listen_http()
    return lambda user: Memory.connect(f"http://{address.host}:{address.port}", token=TOKEN, user=user)


DOORS: Mapping[str, Door] = {
    "embedded": embedded,
    "unix": unix_socket,
    "tcp": tcp_with_token,
    "http": http_with_token,
}


@contextmanager
def opened(name: str, folder: Path) -> Iterator[Open]:
    """A door before a fresh store."""
    served = Served(folder)
    try:
        yield DOORS[name](served, folder)
    finally:
        served.close()
