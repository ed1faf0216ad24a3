"""Looking into the memory behind a daemon."""

from __future__ import annotations

from collections.abc import Mapping

from libravdb.client.remote_part import FOREVER, RemotePart, whose
from libravdb.model import (
    AssemblyMode,
    CheckedStore,
    GateScores,
    Page,
    PromptPreview,
    RecallSetting,
    ReceiptView,
    SummaryNode,
    TriedSearch,
    TurnView,
)
from libravdb.ports.clock import Progress, no_progress
from libravdb.wire.methods import inspection
from libravdb.wire.methods.lifecycle import IdentityParams, SpeakerParams
from libravdb.wire.methods.method import NoParams


class RemoteInspection(RemotePart):
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
        params = inspection.ListTurnsParams(
            **whose(namespace), session=session, since=since, until=until, limit=limit, after=after
        )
        page = self._client.call(inspection.LIST_TURNS, params)
        return Page(items=page.turns, next=page.next)

    def list_summaries(self, session: str, *, namespace: str) -> tuple[SummaryNode, ...]:
        params = SpeakerParams(session_id=session, **whose(namespace))
        return self._client.call(inspection.LIST_SUMMARIES, params).nodes

    def list_receipts(
        self, *, namespace: str, session: str | None = None, limit: int = 50, after: str | None = None
    ) -> Page[ReceiptView]:
        params = inspection.ListReceiptsParams(**whose(namespace), session=session, limit=limit, after=after)
        page = self._client.call(inspection.LIST_RECEIPTS, params)
        return Page(items=page.receipts, next=page.next)

    def gate_scores(self, *, namespace: str, limit: int = 2_000) -> GateScores:
        return self._client.call(inspection.GATE_SCORES, inspection.GateScoresParams(**whose(namespace), limit=limit))

    def changes(self, *, namespace: str) -> int:
        return self._client.call(inspection.CHANGES, IdentityParams(**whose(namespace))).revision

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
        params = inspection.PreviewPromptParams(
            session_id=session,
            **whose(namespace),
            token_budget=budget,
            prompt=prompt,
            mode=mode,
            as_of=as_of,
            why_not=why_not,
        )
        return self._client.call(inspection.PREVIEW_PROMPT, params)

    def try_search(
        self,
        question: str,
        *,
        namespace: str,
        session: str | None = None,
        k: int | None = None,
        settings: Mapping[str, float] | None = None,
    ) -> TriedSearch:
        params = inspection.TrySearchParams(
            **whose(namespace), question=question, session=session, k=k, settings=settings or {}
        )
        return self._client.call(inspection.TRY_SEARCH, params)

    def recall_settings(self) -> tuple[RecallSetting, ...]:
        return self._client.call(inspection.RECALL_SETTINGS, NoParams()).settings

    def check_store(self, progress: Progress = no_progress) -> CheckedStore:  # noqa: ARG002 - the daemon has its own
        return self._client.call(inspection.CHECK_STORE, NoParams(), seconds=FOREVER)
