"""What the parts of an engine behind a daemon share."""

from __future__ import annotations

from typing import TypedDict

from libravdb.client.client import Client
from libravdb.model.namespaces import named, resolve_namespace

BATCH = 64
"""Texts sent in one call; their replies come before the daemon has to hold many more."""

FOREVER = 24 * 3600.0
"""The deadline of work that takes as long as it takes: re-embedding, export, import, backup."""


class Whose(TypedDict, total=False):
    """The fields that tell a daemon whose memory is meant."""

    user_id: str
    namespace: str


def whose(namespace: str) -> Whose:
    """How a namespace is told: by the user's id where it is one, which daemons of every version understand."""
    name = named(namespace)
    return Whose(user_id=name) if resolve_namespace(user=name) == name else Whose(namespace=name)


class RemotePart:
    """A part of the engine whose verbs are calls. `ports/engine_api.py` says what each verb does."""

    def __init__(self, client: Client) -> None:
        self._client = client
