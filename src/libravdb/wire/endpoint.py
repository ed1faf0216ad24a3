"""Where the daemon listens: `unix:/path` or `tcp:host:port`, made into a socket that only its owner can use."""

from __future__ import annotations

import errno
import os
import socket
import struct
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from libravdb.errors import DaemonError
from libravdb.model.addresses import without_password

MAX_UNIX_PATH = 107 if sys.platform == "linux" else 103
"""Bytes of a socket's path that the kernel takes."""

BACKLOG = 4_096
"""Connections that may wait to be accepted; the kernel may allow fewer."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address to listen on or to call. `path` is set for unix, `host` and `port` for tcp."""

    path: str = ""
    host: str = ""
    port: int = 0

    def __str__(self) -> str:
        return f"unix:{self.path}" if self.path else f"tcp:{self.host}:{self.port}"


def parse(text: str) -> Endpoint:
    """An endpoint from its written form."""
    scheme, _, rest = text.partition(":")
    if scheme == "unix" and rest and "\0" not in rest:
        path = os.path.abspath(os.path.expanduser(rest))  # noqa: PTH100, PTH111 - a text that the kernel takes
        if len(os.fsencode(path)) > MAX_UNIX_PATH:
            raise DaemonError(
                f"{path}: the socket's path has {len(os.fsencode(path))} bytes, at most {MAX_UNIX_PATH} are possible.",
                remedy="Set daemon.endpoint to a shorter path, for example unix:/run/user/1000/libravdb.sock.",
            )
        return Endpoint(path=path)
    host, _, port = rest.rpartition(":")
    if scheme == "tcp" and host and port.isascii() and port.isdigit() and int(port) < 65536:
        return Endpoint(host=host.strip("[]"), port=int(port))
    raise DaemonError(
        f"{without_password(text)!r} is not an endpoint.",
        remedy="Write unix:/path/to/socket or tcp:127.0.0.1:37421 (port 0 takes any).",
    )


def default_endpoint(environ: Mapping[str, str]) -> str:
    """Where the daemon listens when nobody says."""
    home = environ.get("HOME")
    if not home:
        raise DaemonError("HOME is not set, so there is no default endpoint.", remedy="Set daemon.endpoint.")
    return f"unix:{home}/.clawdb/run/libravdb.sock"


def listen(endpoint: Endpoint, *, has_token: bool) -> tuple[socket.socket, Endpoint]:
    """A listening socket and the endpoint it really has. A socket file of a dead process is taken over."""
    if endpoint.path:
        return _listen_unix(endpoint)
    if not has_token:
        raise DaemonError(
            f"{endpoint} would be open to every user and program that reaches it, a browser too.",
            remedy="Run 'libravdb token create --role admin' first, or listen on a unix socket, which needs no token.",
        )
    return listen_tcp(endpoint)


def _listen_unix(endpoint: Endpoint) -> tuple[socket.socket, Endpoint]:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    former = os.umask(0o077)
    try:
        Path(endpoint.path).parent.mkdir(parents=True, exist_ok=True)
        os.umask(0o177)
        _remove_stale(endpoint)
        listener.bind(endpoint.path)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise _explained(error, endpoint) from error
    except DaemonError:
        listener.close()
        raise
    finally:
        os.umask(former)
    return listener, endpoint


def _remove_stale(endpoint: Endpoint) -> None:
    """Remove a socket nobody listens on; refuse to take one away from a living process."""
    path = Path(endpoint.path)
    if not path.exists() and not path.is_symlink():
        return
    if not path.is_socket():
        raise DaemonError(f"{path} exists and is not a socket.", remedy="Set daemon.endpoint to another path.")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(endpoint.path)
        except (ConnectionRefusedError, FileNotFoundError):
            path.unlink(missing_ok=True)
            return
        except OSError as error:
            raise _explained(error, endpoint) from error
    raise DaemonError(
        f"Another process listens on {endpoint}.", remedy="Stop it, or set daemon.endpoint to another path."
    )


def listen_tcp(endpoint: Endpoint) -> tuple[socket.socket, Endpoint]:
    """A listening socket on an address, and the endpoint it really has: whoever takes it cares for who may come in."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            endpoint.host, endpoint.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise _explained(OSError(None, str(error)), endpoint) from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise _explained(error, endpoint) from error
    return listener, Endpoint(host=endpoint.host, port=listener.getsockname()[1])


def _explained(error: OSError, endpoint: Endpoint) -> DaemonError:
    remedies = {
        errno.EADDRINUSE: "Another process uses it: stop that, or set daemon.endpoint to another port (0 takes any).",
        errno.EACCES: "You may not listen there: set daemon.endpoint to a place of your own.",
        errno.EPERM: "You may not listen there: set daemon.endpoint to a place of your own.",
        errno.EADDRNOTAVAIL: "This machine does not have that address.",
    }
    remedy = remedies.get(error.errno or 0, "Set daemon.endpoint to another place.")
    return DaemonError(f"Cannot listen on {endpoint} ({error.strerror or error}).", remedy=remedy)


def peer_user(connection: socket.socket) -> int | None:
    """The user id at the other end of a unix socket, as the kernel tells it; None where it cannot."""
    if sys.platform == "linux":
        raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        return int(struct.unpack("3i", raw)[1])
    if sys.platform == "darwin":
        raw = connection.getsockopt(0, 1, 76)  # SOL_LOCAL, LOCAL_PEERCRED: struct xucred
        return int(struct.unpack_from("=Ii", raw)[1])
    return None
