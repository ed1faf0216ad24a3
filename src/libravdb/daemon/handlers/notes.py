"""The methods about an agent's notes: those that are more than a verb of the engine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from libravdb.daemon.dispatch import Handler
from libravdb.daemon.handlers.forwarding import forwarding_handlers
from libravdb.daemon.note_watch import NoteWatch
from libravdb.engine.engine import Engine
from libravdb.errors import InvalidInput
from libravdb.model import NoteFolder
from libravdb.model.namespaces import named
from libravdb.wire.methods import notes as wire
from libravdb.wire.methods.engine import Counted
from libravdb.wire.methods.method import NoParams


class NoteMethods:
    """One method of this class per method of the protocol that names no verb, by the same name."""

    def __init__(self, engine: Engine, watch: NoteWatch) -> None:
        self._engine = engine
        self._watch = watch

    def handlers(self) -> Mapping[str, Handler]:
        """The handler of each method."""
        own = {method.name: getattr(self, method.name) for method in wire.NOTE_METHODS if not method.verb}
        return forwarding_handlers(self._engine, wire.NOTE_METHODS) | own

    def watch_notes(self, params: wire.WatchNotesParams) -> NoteFolder:
        folder = os.path.normpath(params.folder)
        if "\0" in folder or not Path(folder).is_absolute():
            raise InvalidInput("folder", "is no absolute path", remedy="Name the agent's workspace from the root on.")
        return self._watch.watch(folder, namespace=self._owner(params.namespace))

    def unwatch_notes(self, params: wire.UnwatchNotesParams) -> Counted:
        return Counted(records=self._watch.unwatch(namespace=self._owner(params.namespace)))

    def list_notes(self, _: NoParams) -> wire.NoteFoldersResult:
        return wire.NoteFoldersResult(folders=self._watch.folders())

    def _owner(self, namespace: str) -> str:
        """The agent as the store knows it."""
        return self._engine.masking.name(named(namespace))
