"""What whoever looks into memory asks for."""

from __future__ import annotations

from collections.abc import Mapping

from libravdb.daemon.dispatch import Handler
from libravdb.daemon.handlers.forwarding import forwarding_handlers
from libravdb.engine.engine import Engine
from libravdb.model import CheckedStore, TriedSearch
from libravdb.ports.clock import Progress, no_progress
from libravdb.wire.methods import inspection as wire
from libravdb.wire.methods.identity import namespace_of
from libravdb.wire.methods.lifecycle import SpeakerParams
from libravdb.wire.methods.method import NoParams


class InspectionMethods:
    """One method of this class per method of the protocol that names no verb, by the same name.

    Lists take a session by the name that `list_sessions` tells; a question is asked in it under the name that it has
    now, as `search` asks it.
    """

    def __init__(self, engine: Engine, *, progress: Progress = no_progress) -> None:
        self._engine = engine
        self._progress = progress

    def handlers(self) -> Mapping[str, Handler]:
        """The handler of each method."""
        own = {method.name: getattr(self, method.name) for method in wire.INSPECTION_METHODS if not method.verb}
        return forwarding_handlers(self._engine, wire.INSPECTION_METHODS) | own

    def list_turns(self, params: wire.ListTurnsParams) -> wire.TurnPage:
        page = self._engine.inspection.list_turns(
            namespace=namespace_of(params),
            session=params.session,
            since=params.since,
            until=params.until,
            limit=params.limit,
            after=params.after,
        )
        return wire.TurnPage(turns=page.items, next=page.next)

    def list_summaries(self, params: SpeakerParams) -> wire.SummariesResult:
        found = self._engine.inspection.list_summaries(params.session_id, namespace=namespace_of(params))
        return wire.SummariesResult(nodes=found)

    def list_receipts(self, params: wire.ListReceiptsParams) -> wire.ReceiptPage:
        page = self._engine.inspection.list_receipts(
            namespace=namespace_of(params), session=params.session, limit=params.limit, after=params.after
        )
        return wire.ReceiptPage(receipts=page.items, next=page.next)

    def try_search(self, params: wire.TrySearchParams) -> TriedSearch:
        return self._engine.inspection.try_search(
            params.question,
            namespace=namespace_of(params),
            session=params.session and self._engine.sessions.current(params.session),
            k=params.k,
            settings=params.settings,
        )

    def check_store(self, _: NoParams) -> CheckedStore:
        return self._engine.inspection.check_store(self._progress)
