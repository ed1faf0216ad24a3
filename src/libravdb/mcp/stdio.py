"""MCP over standard input and output: one JSON-RPC message per line, and nothing else."""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import AsyncIterator, Mapping
from typing import Any, cast

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.server.stdio import stdio_server

from libravdb.config import Config
from libravdb.daemon_link import DaemonLink
from libravdb.mcp.caller import MemoryCaller
from libravdb.mcp.server import make_server
from libravdb.model.json import mend_json


def serve_stdio(config: Config, *, namespace: str, environment: Mapping[str, str], has_aliases: bool = False) -> None:
    """Serve the memory of one namespace until standard input ends. Logs go to standard error."""
    _set_up_logging()
    link = DaemonLink(config, environment=environment)
    caller = MemoryCaller(namespace=namespace, engine=link.engine)
    try:
        anyio.run(_serve, make_server(lambda _: caller, has_aliases=has_aliases))
    finally:
        link.close()


def _set_up_logging() -> None:
    handler = logging.StreamHandler(sys.stderr)
    told = "%(levelname)s %(name)s: %(message)s %(kind)s %(where)s"
    handler.setFormatter(logging.Formatter(told, defaults={"kind": "", "where": ""}))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])


async def _serve(server: MCPServer[Any]) -> None:
    """As the SDK does, save that what is read is mended first: it drops a line with half a character, and whoever sent
    it would wait for ever."""
    lowlevel = server._lowlevel_server  # noqa: SLF001 - the SDK offers no other way to give it lines
    async with stdio_server(stdin=cast("anyio.AsyncFile[str]", _MendedLines())) as (read, write):
        await lowlevel.run(read, write, lowlevel.create_initialization_options())


class _MendedLines:
    """The lines of standard input; what is no UTF-8, and halves of characters, are replaced."""

    def __init__(self) -> None:
        source = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
        self._lines = anyio.wrap_file(source)

    async def __aiter__(self) -> AsyncIterator[str]:
        async for line in self._lines:
            yield mend_line(line)


def mend_line(line: str) -> str:
    """A line in which no half of a character is escaped; what is no JSON stays as it is."""
    if "\\ud" not in line.lower():
        return line
    try:
        return json.dumps(mend_json(json.loads(line)), ensure_ascii=False) + "\n"
    except (ValueError, RecursionError):
        return line
