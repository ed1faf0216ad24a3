"""The watcher inside the daemon: a thread that starts once the daemon listens and goes when it stops."""

from __future__ import annotations

import logging
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from libravdb.app import open_watcher
from libravdb.config import WatchSettings
from libravdb.engine.engine import Engine
from libravdb.model import Watching

if TYPE_CHECKING:
    from libravdb.model import News

logger = logging.getLogger("libravdb.daemon")

_LEVELS = {"refused": logging.WARNING, "problem": logging.WARNING, "ready": logging.INFO}
"""All else, a note that was added or changed, is a line at debug."""


def open_watch(engine: Engine, config: WatchSettings) -> FolderWatch | NoWatch:
    """The watch over the configured folders, not yet started; a pattern or package that is wrong is told at once."""
    return FolderWatch(engine, config) if config.folders else NoWatch()


class NoWatch:
    """No folder is configured."""

    def start(self) -> None:
        """Nothing to start."""

    def ask_to_stop(self) -> None:
        """Nothing to stop."""

    def stop(self, seconds: float) -> None:
        """Nothing to wait for."""

    def state(self) -> Watching | None:
        """Nothing is watched."""
        return None


class FolderWatch:
    """One watcher in one thread."""

    def __init__(self, engine: Engine, config: WatchSettings) -> None:
        self._watcher = open_watcher(engine, config, tell=self._log)
        self._thread = threading.Thread(target=self._run, name="libravdb-watcher")
        self._failure = ""

    def start(self) -> None:
        """Begin with the first scan, beside serving."""
        self._thread.start()

    def ask_to_stop(self) -> None:
        """Leave after the document at hand."""
        self._watcher.stop()

    def stop(self, seconds: float) -> None:
        """Wait until it has left, but not for longer: a document that is half embedded is not half written."""
        self._watcher.stop()
        if self._thread.ident is not None:
            self._thread.join(seconds)

    def state(self) -> Watching | None:
        """For `status`."""
        state = self._watcher.state()
        if not self._failure:
            return state
        problems = (self._failure, *state.problems)
        return replace(state, mode="failed", problems=problems, problem_count=state.problem_count + 1)

    def _run(self) -> None:
        try:
            self._watcher.follow()
        except Exception as error:
            logger.exception("watcher failed")
            self._failure = f"The watcher failed ({type(error).__name__}: {error}). Restart the daemon."

    def _log(self, news: News) -> None:
        extra = {"path": news.path, "detail": news.detail}
        logger.log(_LEVELS.get(news.did, logging.DEBUG), "note %s", news.did, extra=extra)
