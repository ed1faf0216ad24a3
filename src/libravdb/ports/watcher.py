"""The port of whatever keeps documents in step with files."""

from __future__ import annotations

from typing import Protocol

from libravdb.model import Watching, WatchTally


class FolderWatcher(Protocol):
    """Watches folders of notes, and tells what becomes of each."""

    def sync(self) -> WatchTally:
        """Look at everything once."""

    def follow(self) -> WatchTally:
        """Look at everything, then go on until somebody calls `stop`."""

    def stop(self) -> None:
        """Finish the note at hand and leave."""

    def state(self) -> Watching:
        """What it does right now."""
