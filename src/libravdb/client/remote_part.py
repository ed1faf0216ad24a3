"""What the parts of an engine behind a daemon share."""

from __future__ import annotations

from libravdb.client.client import Client

BATCH = 64
"""Texts sent in one call; their replies come before the daemon has to hold many more."""

FOREVER = 24 * 3600.0
"""The deadline of work that takes as long as it takes: re-embedding, export, import, backup."""


class RemotePart:
    """A part of the engine whose verbs are calls. `ports/engine_api.py` says what each verb does."""

    def __init__(self, client: Client) -> None:
        self._client = client
