"""Whether a server that a host would start answers: one round trip down to the memory itself, as the host makes it."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections.abc import Mapping
from typing import Any

from libravdb.cli.mcp.mcp_hosts import ServerEntry
from libravdb.errors import HostError

SECONDS = 90.0
"""Time enough to start a daemon on a slow machine."""

_CLIENT = {"name": "libravdb mcp status", "version": "1"}
_LINES = (
    {
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": _CLIENT},
    },
    {"method": "notifications/initialized"},
    {"id": 2, "method": "resources/read", "params": {"uri": "memory://profile"}},
)
_REMEDY = "'libravdb mcp install' writes it anew; 'libravdb doctor' looks for the cause."


def ask_server(entry: ServerEntry, environ: Mapping[str, str], *, seconds: float = SECONDS) -> None:
    """Start the server, read one resource and end it. Raises HostError with the remedy."""
    try:
        process = subprocess.Popen(  # noqa: S603 - no shell, the program that the host starts
            [entry.command, *entry.args],
            env={**environ, **entry.env},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError as error:
        raise HostError(f"{entry.command} cannot be started ({error.strerror}).", remedy=_REMEDY) from error
    with process:
        try:
            _talk(process, time.monotonic() + seconds)
        except BrokenPipeError as error:
            raise HostError("The server ended at once.", remedy=_REMEDY) from error
        finally:
            process.kill()


def _talk(process: subprocess.Popen[bytes], deadline: float) -> None:
    assert process.stdin is not None  # noqa: S101 - it is a pipe
    for message in _LINES:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        process.stdin.flush()
        if "id" in message:
            reply = _reply(process, message["id"], deadline)
            if "error" in reply:
                raise HostError(str(reply["error"].get("message", "The server refused.")), remedy=_REMEDY)


def _reply(process: subprocess.Popen[bytes], id: object, deadline: float) -> dict[str, Any]:
    assert process.stdout is not None  # noqa: S101 - it is a pipe
    rest = b""
    while (left := deadline - time.monotonic()) > 0:
        is_told, _, _ = select.select([process.stdout], [], [], left)
        chunk = os.read(process.stdout.fileno(), 65_536) if is_told else b""
        if is_told and not chunk:
            raise HostError("The server ended without an answer.", remedy=_REMEDY)
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            reply = _parsed(line)
            if reply.get("id") == id:
                return reply
    raise HostError("The server did not answer in time.", remedy=_REMEDY)


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        reply = json.loads(line)
    except ValueError as error:
        raise HostError(f"The server says what is no protocol: {line[:60]!r}.", remedy=_REMEDY) from error
    return reply if isinstance(reply, dict) else {}
