"""Compaction as it is asked for. What does the work is loaded when it is first needed: its patterns take their time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from libravdb.core.authored.tiers import ReadRules
from libravdb.core.compaction.settings import CompactionSettings
from libravdb.engine.embedding import Embeddings
from libravdb.errors import InvalidInput
from libravdb.model import Compacted, Edge, Record
from libravdb.model.namespaces import named
from libravdb.ports.clock import Clock
from libravdb.ports.store import Store

if TYPE_CHECKING:
    from libravdb.engine.compactor import Compactor, LoadSummariser

LEAST_TARGET = 2
"""A summary of a single turn would save nothing."""


class Compaction:
    """Folds sessions into summaries, and finds what stands behind one. Usable from many threads."""

    def __init__(
        self,
        *,
        store: Store,
        embeddings: Embeddings,
        read_rules: ReadRules,
        load_summariser: LoadSummariser,
        clock: Clock,
        settings: CompactionSettings,
    ) -> None:
        self._store = store
        self._embeddings = embeddings
        self._read_rules = read_rules
        self._load_summariser = load_summariser
        self._clock = clock
        self._settings = settings
        self._made_compactor: Compactor | None = None
        self._making = threading.Lock()

    @property
    def is_abstractive(self) -> bool:
        """True when a model writes summaries."""
        return self._compactor().is_abstractive

    def compact(
        self,
        session: str,
        *,
        target: int | None = None,
        minimum_turns: int | None = None,
        tail_tokens: int | None = None,
        support_tokens: int | None = None,
    ) -> Compacted:
        """Fold what is older than the recent tail of a session into summaries. Raw turns stay, and can be reached.

        Every cluster is one transaction; a kill in between leaves whole clusters folded or not at all.
        """
        if not session:
            raise InvalidInput("session", "is empty", remedy="Name the session to be compacted.")
        _require("target", target, least=LEAST_TARGET, remedy="A summary stands for 2 turns or more.")
        for name, value in (
            ("minimum_turns", minimum_turns),
            ("tail_tokens", tail_tokens),
            ("support_tokens", support_tokens),
        ):
            _require(name, value, least=0, remedy="Give 0 or more, or leave it out for what is configured.")
        return self._compactor().compact(
            session,
            target=target,
            minimum_turns=minimum_turns,
            tail_tokens=tail_tokens,
            support_tokens=support_tokens,
        )

    def expand(
        self,
        summary: str,
        *,
        session: str,
        namespace: str | None = None,
        max_depth: int = 3,
        max_tokens: int | None = None,
    ) -> list[Record]:
        """What a summary stands for, in order, down to a depth and within a budget; a summary at the end of the depth
        stands for itself. Who is named sees only what is his own."""
        _require("max_depth", max_depth, least=1, remedy="1 gives what the summary itself stands for.")
        _require("max_tokens", max_tokens, least=0, remedy="Give 0 or more, or leave it out for no limit.")
        whose = None if namespace is None else named(namespace)
        return list(self._compactor().expand(session, summary, namespace=whose, depth=max_depth, max_tokens=max_tokens))

    def coverage(self, session: str) -> list[Edge]:
        """Which summary of a session stands for what."""
        with self._store.read() as snapshot:
            return list(snapshot.edges(session))

    def fold(self, session: str, stopping: Callable[[], bool]) -> Compacted:
        """Compact a session as configured, off the reply path, unless somebody does already; asks after every cluster
        whether to stop."""
        return self._compactor().compact(session, stopping=stopping, is_waiting=False)

    def close(self) -> None:
        """Let go of the model that writes summaries."""
        if self._made_compactor is not None:
            self._made_compactor.close()

    def _compactor(self) -> Compactor:
        """What folds sessions; made when it is first needed, since its patterns take their time to load."""
        with self._making:
            if self._made_compactor is None:
                from libravdb.engine.compactor import Compactor  # noqa: PLC0415 - see above

                self._made_compactor = Compactor(
                    store=self._store,
                    embeddings=self._embeddings,
                    is_rule=lambda text: bool(self._read_rules(text)),
                    load_summariser=self._load_summariser,
                    clock=self._clock,
                    settings=self._settings,
                )
            return self._made_compactor


def _require(field: str, value: int | None, *, least: int, remedy: str) -> None:
    if value is not None and value < least:
        raise InvalidInput(field, f"is {value}", remedy=remedy)
