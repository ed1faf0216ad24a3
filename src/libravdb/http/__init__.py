"""The HTTP door: JSON-RPC by POST, a small REST surface, health and numbers, beside the daemon's socket.

    protocol (one connection) ─► door (who asks, from where) ─► rpc | rest (rows of the table of methods) ─► backend

It knows no engine: whoever serves it hands it a `HttpBackend`. Its libraries are those of the extra `http`, which is
looked for once, here.
"""

from __future__ import annotations

from importlib.util import find_spec

from libravdb.errors import ExtraMissing


def require_extra() -> None:
    """Raise ExtraMissing when the libraries of the door are not installed."""
    if any(find_spec(name) is None for name in ("starlette", "uvicorn", "h11")):
        raise ExtraMissing("http", needed_for="serving HTTP")
