<<<<<<< HEAD
"""Who keeps folders of notes in step with memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from libravdb.model import Watching, WatchTally


class FolderWatcher(Protocol):
    """A watcher of folders, over an engine of ours or a daemon's."""

    def sync(self) -> WatchTally:
        """Bring the library in step once. Raises what keeps the library from working at all."""

    def follow(self) -> WatchTally:
        """Keep the library in step until `stop`."""

    def stop(self) -> None:
        """Finish the document at hand and leave. May be called from any thread, and before the start."""

    def state(self) -> Watching:
        """For `status`: what is watched, how, and what is wrong."""
=======
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
>>>>>>> main
