"""Where the daemon listens is written beside the store, also when that is possible only later: a full disk keeps nobody
from being served."""

from __future__ import annotations

import logging
import threading

from libravdb.errors import StoreError
from libravdb.ports.claim import Claim

RETRY_SECONDS = 5.0
logger = logging.getLogger("libravdb.daemon")


def announce(held: Claim, endpoint: str, stopping: threading.Event, *, retry_seconds: float = RETRY_SECONDS) -> None:
    """Write it now, else as soon as there is room."""
    try:
        held.announce(endpoint)
    except StoreError as error:
        logger.warning("others cannot find this daemon by its store yet", extra={"problem": str(error)})
        retry = threading.Thread(
            target=_retry, args=(held, endpoint, stopping, retry_seconds), name="libravdb-announcement", daemon=True
        )
        retry.start()


def _retry(held: Claim, endpoint: str, stopping: threading.Event, pause: float) -> None:
    while not stopping.wait(pause):
        try:
            held.announce(endpoint)
        except StoreError:
            continue
        logger.info("others find this daemon by its store now")
        return
