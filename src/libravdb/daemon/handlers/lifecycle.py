"""The lifecycle methods: one call per step of a host's life, so that a host's plugin stays thin."""

from __future__ import annotations

from collections.abc import Mapping

from libravdb.daemon.dispatch import Handler
from libravdb.engine.engine import Engine
from libravdb.errors import InvalidInput
from libravdb.model import Bootstrapped, Committed, Compacted, Explained, GateAccount, Judged, Prompt, Scope
from libravdb.model.namespaces import resolve_namespace
from libravdb.wire.methods import lifecycle as wire
from libravdb.wire.methods.method import Ok, RecordsResult


class LifecycleMethods:
    """One method of this class per method of the protocol, by the same name."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def handlers(self) -> Mapping[str, Handler]:
        """The handler of each method."""
        return {method.name: getattr(self, method.name) for method in wire.LIFECYCLE_METHODS}

    def bootstrap(self, params: wire.BootstrapParams) -> Bootstrapped:
        return self._engine.bootstrap(
            session=self._session(params), namespace=_namespace(params), messages=params.messages
        )

    def ingest(self, params: wire.IngestParams) -> Committed:
        return self._engine.ingest(params.message, session=self._session(params), namespace=_namespace(params))

    def ingest_batch(self, params: wire.IngestBatchParams) -> Committed:
        take = self._engine.import_transcript if params.is_transcript else self._engine.ingest_batch
        return take(params.messages, session=self._session(params), namespace=_namespace(params))

    def commit_turn(self, params: wire.CommitTurnParams) -> Committed:
        messages = () if params.is_heartbeat else params.messages
        return self._engine.commit_turn(
            messages,
            session=self._session(params),
            namespace=_namespace(params),
            key=params.key,
            former=self._engine.former_sessions(params.session_id),
        )

    def assemble(self, params: wire.AssembleParams) -> Prompt:
        return self._engine.assemble(
            params.prompt,
            session=self._session(params),
            namespace=_namespace(params),
            budget=params.token_budget,
            messages=params.messages,
            mode=params.mode,
            turn=params.turn,
        )

    def compact(self, params: wire.CompactParams) -> Compacted:
        return self._engine.compact(
            self._session(params),
            target=params.target_turns,
            minimum_turns=params.minimum_turns,
            tail_tokens=params.tail_tokens,
            support_tokens=params.support_tokens,
        )

    def expand(self, params: wire.ExpandParams) -> RecordsResult:
        found = self._engine.expand(
            params.summary_id, session=self._session(params), max_depth=params.max_depth, max_tokens=params.max_tokens
        )
        return RecordsResult(records=tuple(found))

    def explain(self, params: wire.ExplainParams) -> Explained:
        return self._engine.explain(params.receipt or None, namespace=_namespace(params))

    def why_not(self, params: wire.WhyNotParams) -> wire.WhyNotResult:
        answer = self._engine.why_not(params.id, namespace=_namespace(params), receipt=params.receipt or None)
        return wire.WhyNotResult(answer=answer)

    def judge(self, params: wire.JudgeParams) -> Judged:
        return self._engine.judge(params.text, namespace=_namespace(params))

    def feedback(self, params: wire.FeedbackParams) -> Ok:
        self._engine.feedback(params.id, useful=params.useful, namespace=_namespace(params))
        return Ok()

    def gate_report(self, params: wire.IdentityParams) -> GateAccount:
        return self._engine.gate_report(namespace=_namespace(params))

    def read_memory(self, params: wire.ReadMemoryParams) -> RecordsResult:
        if params.scope in (Scope.SESSION, Scope.SUMMARY):
            raise InvalidInput(
                "scope", f"is {params.scope}, which is a session's", remedy="What was said in one is in scope history."
            )
        found = self._engine.read(params.id, namespace=_namespace(params), scope=params.scope)
        return RecordsResult(records=() if found is None else (found,))

    def restore_memory(self, params: wire.SupersessionParams) -> Ok:
        self._engine.restore_memory(params.id, namespace=_namespace(params))
        return Ok()

    def _session(self, params: wire.SpeakerParams | wire.CompactParams | wire.ExpandParams) -> str:
        """The session that a call means: after a reset the host goes on under the same id."""
        return self._engine.current_session(params.session_id)


def _namespace(params: wire.IdentityParams | wire.SpeakerParams) -> str:
    return resolve_namespace(
        user=params.user_id, session_key=params.session_key, agent=params.agent_id, session=params.session_id
    )
