"""Looking into memory: lists with what became of each thing, prompts and searches that leave nothing, and how all is.

What an inspector shows was decided elsewhere; here it is read, and nothing is decided anew.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Mapping

from libravdb.core.recall.settings import RecallSettings
from libravdb.engine.embedding import Embeddings
from libravdb.engine.health_checks import (
    LookAround,
    check_findings,
    check_model,
    check_python,
    check_vectors,
    checked,
    nothing_around,
)
from libravdb.engine.marked_search import MOST_MARKED, MarkedSearch
from libravdb.engine.namespace_changes import NamespaceChanges
from libravdb.engine.pages import check_limit
from libravdb.engine.prompts import Prompts
from libravdb.engine.receipts import Receipts
from libravdb.engine.search import Search, check_wanted, owned, required_question
from libravdb.engine.summary_nodes import read_nodes
from libravdb.engine.turn_views import read_scores, read_turns
from libravdb.errors import InvalidInput
from libravdb.model import (
    AssemblyMode,
    CheckedStore,
    Finding,
    GateScores,
    Health,
    HealthCheck,
    Page,
    PromptPreview,
    RecallSetting,
    ReceiptView,
    Scope,
    Status,
    SummaryNode,
    TriedSearch,
    TurnView,
)
from libravdb.model.namespaces import named
from libravdb.model.settings import LARGEST, changed_section
from libravdb.ports.clock import Progress, no_progress
from libravdb.ports.store import Store

MOST_RECEIPTS = 200
"""Receipts on one page: each holds all that its prompt was made of."""

MOST_SCORES = 10_000
MOST_FINDINGS = 1_000
"""Broken invariants that are told; a store that has more is not mended one by one."""


class Inspection:
    """Looks, and leaves everything as it is. Usable from many threads."""

    def __init__(
        self,
        *,
        store: Store,
        search: Search,
        prompts: Prompts,
        receipts: Receipts,
        embeddings: Embeddings,
        changes: NamespaceChanges,
        threshold: float,
        embedded_chars: int,
        status: Callable[[], Status],
        look_around: LookAround = nothing_around,
    ) -> None:
        self._store = store
        self._search = search
        self._prompts = prompts
        self._receipts = receipts
        self._embeddings = embeddings
        self._changes = changes
        self._threshold = threshold
        self._embedded_chars = embedded_chars
        self._status = status
        self._look_around = look_around

    # ── lists ─────────────────────────────────────────────────────────────────────────────────────────────

    def list_turns(
        self,
        *,
        namespace: str,
        session: str | None = None,
        since: int | None = None,
        until: int | None = None,
        limit: int = 50,
        after: str | None = None,
    ) -> Page[TurnView]:
        """What was said to a namespace, in all of its sessions or in one, the newest first, page by page; and what
        became of each turn."""
        check_limit(limit)
        with self._store.read() as snapshot:
            return read_turns(
                snapshot, named(namespace), session=session, since=since, until=until, limit=limit, after=after
            )

    def list_summaries(self, session: str, *, namespace: str) -> tuple[SummaryNode, ...]:
        """A namespace's own summaries of a session, of every level, the oldest first, with what each stands for."""
        if not session:
            raise InvalidInput("session", "is empty", remedy="Name the session whose summaries are meant.")
        with self._store.read() as snapshot:
            return read_nodes(snapshot, session, named(namespace))

    def list_receipts(
        self, *, namespace: str, session: str | None = None, limit: int = 50, after: str | None = None
    ) -> Page[ReceiptView]:
        """The accounts of the last prompts of a namespace, or of one session of it, the newest first, page by page."""
        check_limit(limit, most=MOST_RECEIPTS)
        return self._receipts.page(namespace=named(namespace), session=session, limit=limit, after=after)

    def gate_scores(self, *, namespace: str, limit: int = 2_000) -> GateScores:
        """How the gate scored the newest judged turns of a namespace, and the threshold that holds today."""
        check_limit(limit, most=MOST_SCORES)
        with self._store.read() as snapshot:
            return GateScores(threshold=self._threshold, scores=read_scores(snapshot, named(namespace), limit=limit))

    def changes(self, *, namespace: str) -> int:
        """A number that is another one whenever something of a namespace, or of the sessions it speaks in, has changed.
        In a file it grows."""
        return self._changes.revision(named(namespace))

    # ── trying ────────────────────────────────────────────────────────────────────────────────────────────

    def preview_prompt(
        self,
        prompt: str = "",
        *,
        session: str,
        namespace: str,
        budget: int,
        mode: AssemblyMode = AssemblyMode.AUGMENT,
        as_of: int | None = None,
        why_not: str = "",
    ) -> PromptPreview:
        """What `assemble` would give, now or as of a past moment; nothing is kept of it. `why_not` is the id of
        something that is asked about."""
        return self._prompts.preview(
            prompt, session=session, namespace=namespace, budget=budget, mode=mode, as_of=as_of, why_not=why_not
        )

    def try_search(
        self,
        question: str,
        *,
        namespace: str,
        session: str | None = None,
        k: int | None = None,
        settings: Mapping[str, float] | None = None,
    ) -> TriedSearch:
        """What a question finds in a namespace, and where in each text it is met; with `settings`, also what it would
        find with those in place of the ones in force."""
        question, whose, usual = required_question(question), named(namespace), self._search.settings
        tried = changed_section(usual, settings or {})
        wanted = min(usual.k, MOST_MARKED) if k is None else k
        tried_wanted = tried.k if settings and "k" in settings else wanted
        for each in (wanted, tried_wanted):
            check_wanted(each, most=MOST_MARKED)
        with self._store.read() as snapshot:
            peopled = owned(snapshot, whose, session, tuple(Scope), question=question).peopled
            read = self._search.read(snapshot, question, peopled, as_of=None)
        asked = self._search.embed(read)
        with self._store.read() as snapshot:
            marked = MarkedSearch(
                search=self._search,
                snapshot=snapshot,
                asked=asked,
                namespace=whose,
                session=session,
                embedded_chars=self._embedded_chars,
            )
            return TriedSearch(
                usual=marked.answer(usual, k=wanted),
                tried=marked.answer(tried, k=tried_wanted) if settings else None,
            )

    def recall_settings(self) -> tuple[RecallSetting, ...]:
        """The settings of search as they are in force."""
        section, usual = self._search.settings, RecallSettings()
        return tuple(
            RecallSetting(
                name=each.name,
                value=getattr(section, each.name),
                default=getattr(usual, each.name),
                help=each.metadata["help"],
                least=each.metadata["minimum"],
                most=None if each.metadata["maximum"] >= LARGEST else each.metadata["maximum"],
                is_tuned=each.metadata["expert"],
            )
            for each in dataclasses.fields(section)
        )

    # ── health ────────────────────────────────────────────────────────────────────────────────────────────

    def check_store(self, progress: Progress = no_progress) -> CheckedStore:
        """Look at the machine, the model, the store and its vectors; every invariant is checked while others work."""
        findings = tuple(itertools.islice(self._store.maintenance.verify(progress), MOST_FINDINGS))
        return CheckedStore(checks=tuple(self._checks(findings)), findings=findings)

    def _checks(self, findings: tuple[Finding, ...]) -> Iterator[HealthCheck]:
        yield check_python()
        for name, check in self._look_around():
            yield checked(name, check)
        yield checked("model", self._check_model)
        yield check_findings(findings, sound="every invariant holds")
        yield checked("vectors", lambda: check_vectors(self._status()))

    def _check_model(self) -> HealthCheck:
        """The model that is in use; without one the engine goes on by words, and says why."""
        ready = self._embeddings.ready()
        if ready.embedder is None:
            return HealthCheck(name="model", health=Health.NOTICE, detail=ready.degraded)
        return check_model(ready.embedder)
