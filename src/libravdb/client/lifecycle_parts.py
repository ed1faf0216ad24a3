"""Conversations, prompts, the gate and compaction of an engine behind a daemon: the methods of a host's life cycle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from libravdb.client.remote_part import FOREVER, RemotePart, whose
from libravdb.errors import InvalidInput
from libravdb.model import (
    AssemblyMode,
    Bootstrapped,
    Committed,
    Compacted,
    Explained,
    GateAccount,
    Judged,
    KeptWish,
    Profile,
    ProfileLine,
    Prompt,
    Record,
    Replayed,
)
from libravdb.ports.clock import Progress, no_progress
from libravdb.wire.methods import inspection, lifecycle


class RemoteConversations(RemotePart):
    def bootstrap(
        self, *, session: str, namespace: str, messages: object = (), progress: Progress = no_progress
    ) -> Bootstrapped:
        listed = _listed(messages)
        params = lifecycle.BootstrapParams(session_id=session, **whose(namespace), messages=listed)
        done = self._client.call(lifecycle.BOOTSTRAP, params, seconds=FOREVER)
        progress(len(listed), len(listed))
        return done

    def ingest(self, message: object, *, session: str, namespace: str) -> Committed:
        return self.ingest_batch([message], session=session, namespace=namespace)

    def ingest_batch(
        self, messages: object, *, session: str, namespace: str, progress: Progress = no_progress
    ) -> Committed:
        return self._ingest(messages, session, namespace, progress, is_transcript=False)

    def import_transcript(
        self, messages: object, *, session: str, namespace: str, progress: Progress = no_progress
    ) -> Committed:
        return self._ingest(messages, session, namespace, progress, is_transcript=True)

    def commit_turn(
        self,
        messages: object,
        *,
        session: str,
        namespace: str,
        key: str,
        former: Sequence[str] = (),  # noqa: ARG002 - the daemon knows them
    ) -> Committed:
        params = lifecycle.CommitTurnParams(session_id=session, **whose(namespace), key=key, messages=_listed(messages))
        return self._client.call(lifecycle.COMMIT_TURN, params, seconds=FOREVER)

    def _ingest(
        self, messages: object, session: str, namespace: str, progress: Progress, *, is_transcript: bool
    ) -> Committed:
        listed = _listed(messages)
        params = lifecycle.IngestBatchParams(
            session_id=session, **whose(namespace), messages=listed, is_transcript=is_transcript
        )
        done = self._client.call(lifecycle.INGEST_BATCH, params, seconds=FOREVER)
        progress(len(listed), len(listed))
        return done


class RemotePrompts(RemotePart):
    def assemble(
        self,
        prompt: str = "",
        *,
        session: str,
        namespace: str,
        budget: int,
        messages: Sequence[Any] = (),
        mode: AssemblyMode = AssemblyMode.AUGMENT,
        turn: str = "",
        notes_of: str = "",
        is_heartbeat: bool = False,
    ) -> Prompt:
        params = lifecycle.AssembleParams(
            session_id=session,
            **whose(namespace),
            token_budget=budget,
            prompt=prompt,
            messages=tuple(messages),
            mode=mode,
            turn=turn,
            notes_of=notes_of,
            is_heartbeat=is_heartbeat,
        )
        return self._client.call(lifecycle.ASSEMBLE, params)

    def explain(self, receipt: str | None = None, *, namespace: str) -> Explained:
        return self._client.call(lifecycle.EXPLAIN, lifecycle.ExplainParams(receipt=receipt or "", **whose(namespace)))

    def why_not(self, record: str, *, namespace: str, receipt: str | None = None) -> str:
        params = lifecycle.WhyNotParams(id=record, receipt=receipt or "", **whose(namespace))
        return self._client.call(lifecycle.WHY_NOT, params).answer

    def replay(self, receipt: str | None = None, *, namespace: str, messages: Sequence[Any] = ()) -> Replayed:
        params = lifecycle.ReplayParams(receipt=receipt or "", messages=tuple(messages), **whose(namespace))
        return self._client.call(lifecycle.REPLAY, params)


class RemoteGate(RemotePart):
    def judge(self, text: str, *, namespace: str) -> Judged:
        return self._client.call(lifecycle.JUDGE, lifecycle.JudgeParams(text=text, **whose(namespace)))

    def feedback(self, id: str, *, useful: bool, namespace: str) -> None:
        self._client.call(lifecycle.FEEDBACK, lifecycle.FeedbackParams(id=id, useful=useful, **whose(namespace)))

    def restore(self, id: str, *, namespace: str) -> None:
        self._client.call(lifecycle.RESTORE_MEMORY, lifecycle.SupersessionParams(id=id, **whose(namespace)))

    def supersede(self, id: str, *, by: str, namespace: str) -> None:
        self._client.call(inspection.SUPERSEDE_MEMORY, inspection.SupersedeParams(id=id, by=by, **whose(namespace)))

    def report(self, *, namespace: str) -> GateAccount:
        return self._client.call(lifecycle.GATE_REPORT, lifecycle.IdentityParams(**whose(namespace)), seconds=FOREVER)


class RemoteGuidance(RemotePart):
    def list(self, *, namespace: str, everything: bool = False) -> list[KeptWish]:
        params = lifecycle.ListGuidanceParams(everything=everything, **whose(namespace))
        return [*self._client.call(lifecycle.LIST_GUIDANCE, params).wishes]

    def remove(self, id: str, *, namespace: str) -> KeptWish:
        return self._client.call(lifecycle.REMOVE_GUIDANCE, lifecycle.RemoveGuidanceParams(id=id, **whose(namespace)))


class RemoteProfiles(RemotePart):
    def show(self, *, namespace: str) -> Profile:
        return self._client.call(lifecycle.PROFILE_SHOW, lifecycle.IdentityParams(**whose(namespace)))

    def rebuild(self, *, namespace: str) -> Profile:
        params = lifecycle.IdentityParams(**whose(namespace))
        return self._client.call(lifecycle.PROFILE_REBUILD, params, seconds=FOREVER)

    def pin(self, id: str, *, namespace: str, is_pinned: bool = True) -> ProfileLine:
        params = lifecycle.PinProfileParams(id=id, is_pinned=is_pinned, **whose(namespace))
        return self._client.call(lifecycle.PROFILE_PIN, params)

    def edit(self, id: str, text: str, *, namespace: str) -> ProfileLine:
        params = lifecycle.EditProfileParams(id=id, text=text, **whose(namespace))
        return self._client.call(lifecycle.PROFILE_EDIT, params)

    def forget(self, id: str, *, namespace: str) -> ProfileLine:
        params = lifecycle.ProfileLineParams(id=id, **whose(namespace))
        return self._client.call(lifecycle.PROFILE_FORGET, params)


class RemoteCompaction(RemotePart):
    def compact(
        self,
        session: str,
        *,
        target: int | None = None,
        minimum_turns: int | None = None,
        tail_tokens: int | None = None,
        support_tokens: int | None = None,
    ) -> Compacted:
        params = lifecycle.CompactParams(
            session_id=session,
            target_turns=target,
            minimum_turns=minimum_turns,
            tail_tokens=tail_tokens,
            support_tokens=support_tokens,
        )
        return self._client.call(lifecycle.COMPACT, params, seconds=FOREVER)

    def expand(
        self,
        summary: str,
        *,
        session: str,
        namespace: str | None = None,
        max_depth: int = 3,
        max_tokens: int | None = None,
    ) -> list[Record]:
        params = lifecycle.ExpandParams(
            session_id=session,
            summary_id=summary,
            max_depth=max_depth,
            max_tokens=max_tokens,
            **({} if namespace is None else whose(namespace)),
        )
        return list(self._client.call(lifecycle.EXPAND, params).records)


def _listed(messages: object) -> tuple[Any, ...]:
    if isinstance(messages, str | bytes) or not isinstance(messages, Sequence):
        raise InvalidInput("messages", "are no list", remedy="Give a list of messages.")
    return tuple(messages)
