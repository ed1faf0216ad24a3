"""Folders of notes: what the files say becomes authored documents, and stays in step with them.

    survey (walk, stat) ─► reconcile (pure) ─► author, withdraw
        ▲
    notices: the file system tells which paths changed, or a clock says to look again

An edge room: it knows files and a library of documents, and neither the engine nor the daemon behind it. It needs the
extra `watch`, all but its settings: whoever opens a watcher asks `require_extra` first.
"""

from __future__ import annotations

from importlib.util import find_spec

from libravdb.errors import ExtraMissing


def require_extra() -> None:
    """Refuse with the remedy where the packages of the extra are not installed."""
    if any(find_spec(name) is None for name in ("pathspec", "watchfiles")):
        raise ExtraMissing("watch", needed_for="watching folders")
