"""The lifecycle methods: one call per step of a host's life, so that a host's plugin stays thin."""

from __future__ import annotations

from collections.abc import Mapping

from libravdb.daemon.dispatch import Handler
from libravdb.daemon.handlers.forwarding import forwarding_handlers
from libravdb.engine.engine import Engine
from libravdb.errors import InvalidInput
from libravdb.model import Committed, ForgottenTurns, Scope
from libravdb.wire.methods import lifecycle as wire
from libravdb.wire.methods.identity import namespace_of
from libravdb.wire.methods.method import RecordsResult


class LifecycleMethods:
    """One method of this class per method of the protocol that names no verb, by the same name."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def handlers(self) -> Mapping[str, Handler]:
        """The handler of each method."""
        own = {method.name: getattr(self, method.name) for method in wire.LIFECYCLE_METHODS if not method.verb}
        return forwarding_handlers(self._engine, wire.LIFECYCLE_METHODS) | own

    def ingest_batch(self, params: wire.IngestBatchParams) -> Committed:
        take = (
            self._engine.conversations.import_transcript
            if params.is_transcript
            else self._engine.conversations.ingest_batch
        )
        return take(params.messages, session=self._session(params), namespace=namespace_of(params))

    def commit_turn(self, params: wire.CommitTurnParams) -> Committed:
        messages = () if params.is_heartbeat else params.messages
        return self._engine.conversations.commit_turn(
            messages,
            session=self._session(params),
            namespace=namespace_of(params),
            key=params.key,
            former=self._engine.sessions.former(params.session_id),
        )

    def read_memory(self, params: wire.ReadMemoryParams) -> RecordsResult:
        if params.scope in (Scope.SESSION, Scope.SUMMARY):
            raise InvalidInput(
                "scope", f"is {params.scope}, which is a session's", remedy="What was said in one is in scope history."
            )
        found = self._engine.memories.read(params.id, namespace=namespace_of(params), scope=params.scope)
        return RecordsResult(records=() if found is None else (found,))

    def forget_turns(self, params: wire.ForgetTurnsParams) -> ForgottenTurns:
        names = self._engine.sessions
        told = params.session_id
        return self._engine.deletions.forget_turns(
            namespace=namespace_of(params),
            sessions=frozenset({told, *names.former(told), names.current(told)}) if told else frozenset(),
            speaker=params.speaker,
            is_dry=params.is_dry,
        )

    def _session(self, params: wire.SpeakerParams) -> str:
        """The session that a call means: after a reset the host goes on under the same id."""
        return self._engine.sessions.current(params.session_id)
