"""The daemon deletes what has expired within half a minute, and once an hour what is older than the rules of retention
allow: beside serving, a little at a time. No reply waits for it, and no log holds more of it than numbers."""

from __future__ import annotations

import logging
import threading

from libravdb.engine.expiry import Expiry
from libravdb.engine.retention import Retention
from libravdb.errors import LibraError, StoreClosed
from libravdb.ports.store import Store

SWEEP_SECONDS, ROUND_SECONDS = 30.0, 3600.0
"""Between two looks for what has expired, and between two rounds of the rules."""

PAUSE_SECONDS = 0.05
"""After each batch, for whoever wants to write."""

logger = logging.getLogger("libravdb.daemon")


class _RoundBroken(Exception):
    """The daemon is stopping: what was deleted stays so, and the rest waits for the next round."""


class RetentionRounds:
    """Sweeps and applies the rules now and then, in a thread of its own."""

    def __init__(
        self,
        store: Store,
        expiry: Expiry,
        retention: Retention,
        *,
        sweep_seconds: float = SWEEP_SECONDS,
        round_seconds: float = ROUND_SECONDS,
    ) -> None:
        self._store = store
        self._expiry = expiry
        self._retention = retention
        self._sweep_seconds = sweep_seconds
        self._sweeps_a_round = max(1, round(round_seconds / sweep_seconds))
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="libravdb-retention", daemon=True)

    def start(self) -> None:
        """Begin; the first look is soon, the first round of the rules with the second one."""
        self._thread.start()

    def stop(self, seconds: float = 1.0) -> None:
        """No further batch; the one that is under way is waited for, so long."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join(seconds)

    def _run(self) -> None:
        looks = 0
        while not self._stopping.wait(self._sweep_seconds):
            try:
                self._look(is_round=looks % self._sweeps_a_round == 1 % self._sweeps_a_round)
            except (StoreClosed, _RoundBroken):
                return
            except LibraError as error:
                logger.error("retention failed", extra={"problem": str(error)})  # noqa: TRY400 - told in words
            looks += 1

    def _look(self, *, is_round: bool) -> None:
        """One daemon at a time, of those that share the store."""
        with self._store.exclusive("retention", is_waiting=False) as is_alone:
            if is_alone:
                self._look_alone(is_round=is_round)

    def _look_alone(self, *, is_round: bool) -> None:
        expired = self._expiry.sweep(progress=self._go_on)
        done = self._retention.retain(progress=self._go_on) if is_round else None
        expired += 0 if done is None else done.expired
        gone = 0 if done is None else done.records - done.expired
        if expired or gone:
            logger.info("retention", extra={"expired": expired, "too_old": gone})

    def _go_on(self, _done: int, _total: int) -> None:
        if self._stopping.wait(PAUSE_SECONDS):
            raise _RoundBroken
