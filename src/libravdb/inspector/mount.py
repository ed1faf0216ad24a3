"""The page as a room behind the HTTP door: its files need no token, all that it asks for does."""

from __future__ import annotations

from libravdb.http.door import HttpMount
from libravdb.inspector.files import PATH, serve_page


def inspector_mount() -> HttpMount:
    """What is hung into the door."""
    return HttpMount(path=PATH, app=serve_page, verbs="GET, HEAD, OPTIONS", is_open=True, body_bytes=0)
