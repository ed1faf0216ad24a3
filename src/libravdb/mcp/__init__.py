"""The door for agents that speak MCP: six tools, a few resources and a prompt over the daemon's engine.

    host ─► stdio | http_door ─► server (the SDK) ─► memory_tools (plain functions) ─► a daemon's engine
                                                      └─► entries (framed as data, cut)

Whose memory it is, is fixed by who starts it or by the token, never by the model. It needs the extra `mcp`: whoever
serves asks `require_extra` first.
"""

from __future__ import annotations

from importlib.util import find_spec

from libravdb.errors import ExtraMissing


def require_extra() -> None:
    """Refuse with the remedy where the packages of the extra are not installed."""
    if any(find_spec(name) is None for name in ("mcp", "mcp_types")):  # the second came with version 2
        raise ExtraMissing("mcp", needed_for="the door for MCP")
