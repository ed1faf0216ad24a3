"""A store that another edition filled has the vectors of another model: the daemon makes new ones beside serving.

Questions are answered by words until the new vectors are whole and have passed their check. What was made stays when
the daemon stops in between, and the next one goes on. Whoever goes back by hand is left alone.
"""

from __future__ import annotations

import logging
import threading

from libravdb.engine.embedding import Embeddings
from libravdb.errors import LibraError, SelfCheckFailed, StoreClosed

FIRST_SECONDS = 2.0
"""Until it begins: those who come at the start are served first."""

AGAIN_SECONDS = 600.0
"""Until it is tried again after something that may pass: a full disk, a busy store."""

logger = logging.getLogger("libravdb.daemon")


class _Stopped(Exception):
    """The daemon stops; what is done is kept."""


class ModelUpgrade:
    """Moves a store to the shipped model in a thread of its own, once, if it needs it."""

    def __init__(
        self, embeddings: Embeddings, *, first_seconds: float = FIRST_SECONDS, again_seconds: float = AGAIN_SECONDS
    ) -> None:
        self._embeddings = embeddings
        self._first, self._again = first_seconds, again_seconds
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="libravdb-model-upgrade", daemon=True)

    def start(self) -> None:
        """Begin soon."""
        self._thread.start()

    def ask_to_stop(self) -> None:
        """No further text is embedded."""
        self._stopping.set()

    def wait(self, seconds: float) -> bool:
        """Whether it came to its end within so many seconds."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        pause = self._first
        while not self._stopping.wait(pause):
            if self._is_settled():
                return
            pause = self._again

    def _is_settled(self) -> bool:
        """Whether nothing is left to try: it was moved, need not be, or must not be."""
        try:
            if self._embeddings.is_outgrown():
                self._move()
        except _Stopped:
            logger.info("new vectors are not yet whole; the next start goes on")
        except StoreClosed:
            pass
        except SelfCheckFailed as error:  # told by every answer and by status, with the remedy
            logger.warning("the store keeps its former vectors", extra={"problem": str(error)})
        except LibraError as error:
            logger.warning("new vectors could not be made now", extra={"problem": str(error)})
            return False
        except Exception:
            logger.exception("new vectors could not be made")
        return True

    def _move(self) -> None:
        logger.info("the shipped model has changed: vectors are made anew, search uses words meanwhile")
        done = self._embeddings.reembed(progress=self._go_on)
        logger.info(
            "vectors are made anew; 'libravdb reembed --prune' deletes the former ones",
            extra={"texts": done.embedded, "fingerprint": done.fingerprint},
        )

    def _go_on(self, *_: int) -> None:
        if self._stopping.is_set():
            raise _Stopped
