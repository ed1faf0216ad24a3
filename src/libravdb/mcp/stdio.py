"""MCP over standard input and output: one JSON-RPC message per line, and nothing else."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping

from libravdb.config import Config
from libravdb.mcp.caller import MemoryCaller
from libravdb.mcp.daemon_link import DaemonLink
from libravdb.mcp.server import make_server


def serve_stdio(config: Config, *, namespace: str, environment: Mapping[str, str], has_aliases: bool = False) -> None:
    """Serve the memory of one namespace until standard input ends. Logs go to standard error."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    link = DaemonLink(config, environment=environment)
    caller = MemoryCaller(namespace=namespace, engine=link.engine)
    try:
        make_server(lambda _: caller, has_aliases=has_aliases).run("stdio")
    finally:
        link.close()
