"""The engine's verbs over the daemon, so that a command need not know where the engine is.

A part is loaded when it is first asked for: a command that searches loads no row of the methods of conversations.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from libravdb.client.client import Client
    from libravdb.client.engine_parts import (
        RemoteDeletions,
        RemoteDocuments,
        RemoteEmbeddings,
        RemoteErasures,
        RemoteMemories,
        RemoteRetention,
        RemoteUpkeep,
    )
    from libravdb.client.inspection_part import RemoteInspection
    from libravdb.client.lifecycle_parts import (
        RemoteCompaction,
        RemoteConversations,
        RemoteGate,
        RemoteGuidance,
        RemoteProfiles,
        RemotePrompts,
    )
    from libravdb.client.listing_parts import RemoteNamespaces, RemoteSessions
    from libravdb.client.notes_part import RemoteNotes
    from libravdb.client.search_part import RemoteSearch
    from libravdb.model import Status


class RemoteEngine:
    """An engine behind a daemon. `ports/engine_api.py` says what each verb does."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @property
    def client(self) -> Client:
        """What its calls go through."""
        return self._client

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connection."""
        self._client.close()

    def status(self) -> Status:
        from libravdb.wire.methods.engine import DESCRIBE
        from libravdb.wire.methods.method import NoParams

        return self._client.call(DESCRIBE, NoParams())

    @cached_property
    def conversations(self) -> RemoteConversations:
        from libravdb.client.lifecycle_parts import RemoteConversations

        return RemoteConversations(self._client)

    @cached_property
    def prompts(self) -> RemotePrompts:
        from libravdb.client.lifecycle_parts import RemotePrompts

        return RemotePrompts(self._client)

    @cached_property
    def search(self) -> RemoteSearch:
        from libravdb.client.search_part import RemoteSearch

        return RemoteSearch(self._client)

    @cached_property
    def memories(self) -> RemoteMemories:
        from libravdb.client.engine_parts import RemoteMemories

        return RemoteMemories(self._client)

    @cached_property
    def sessions(self) -> RemoteSessions:
        from libravdb.client.listing_parts import RemoteSessions

        return RemoteSessions(self._client)

    @cached_property
    def namespaces(self) -> RemoteNamespaces:
        from libravdb.client.listing_parts import RemoteNamespaces

        return RemoteNamespaces(self._client)

    @cached_property
    def deletions(self) -> RemoteDeletions:
        from libravdb.client.engine_parts import RemoteDeletions

        return RemoteDeletions(self._client)

    @cached_property
    def retention(self) -> RemoteRetention:
        from libravdb.client.engine_parts import RemoteRetention

        return RemoteRetention(self._client)

    @cached_property
    def erasures(self) -> RemoteErasures:
        from libravdb.client.engine_parts import RemoteErasures

        return RemoteErasures(self._client)

    @cached_property
    def documents(self) -> RemoteDocuments:
        from libravdb.client.engine_parts import RemoteDocuments

        return RemoteDocuments(self._client)

    @cached_property
    def notes(self) -> RemoteNotes:
        from libravdb.client.notes_part import RemoteNotes

        return RemoteNotes(self._client)

    @cached_property
    def gate(self) -> RemoteGate:
        from libravdb.client.lifecycle_parts import RemoteGate

        return RemoteGate(self._client)

    @cached_property
    def inspection(self) -> RemoteInspection:
        from libravdb.client.inspection_part import RemoteInspection

        return RemoteInspection(self._client)

    @cached_property
    def guidance(self) -> RemoteGuidance:
        from libravdb.client.lifecycle_parts import RemoteGuidance

        return RemoteGuidance(self._client)

    @cached_property
    def profile(self) -> RemoteProfiles:
        from libravdb.client.lifecycle_parts import RemoteProfiles

        return RemoteProfiles(self._client)

    @cached_property
    def compaction(self) -> RemoteCompaction:
        from libravdb.client.lifecycle_parts import RemoteCompaction

        return RemoteCompaction(self._client)

    @cached_property
    def embeddings(self) -> RemoteEmbeddings:
        from libravdb.client.engine_parts import RemoteEmbeddings

        return RemoteEmbeddings(self._client)

    @cached_property
    def upkeep(self) -> RemoteUpkeep:
        from libravdb.client.engine_parts import RemoteUpkeep

        return RemoteUpkeep(self._client)
