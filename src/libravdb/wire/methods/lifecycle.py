"""The steps of a host's life. They name who speaks, and the namespace follows from it; unknown fields are refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from libravdb.model import (
    AssemblyMode,
    Bootstrapped,
    Committed,
    Compacted,
    Explained,
    ForgottenTurns,
    GateAccount,
    Judged,
    KeptWish,
    Profile,
    ProfileLine,
    Prompt,
    Replayed,
    Scope,
)
from libravdb.wire.methods.method import AnyMethod, Method, MethodPace, Ok, RecordsResult

# ── params ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityParams:
    """Who is meant: a namespace as it was resolved, else the first of these that is given names it."""

    user_id: str = ""
    session_key: str = ""
    agent_id: str = ""
    session_id: str = ""
    namespace: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeakerParams:
    """Who speaks, in a session that must be named."""

    session_id: str
    user_id: str = ""
    session_key: str = ""
    agent_id: str = ""
    namespace: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BootstrapParams(SpeakerParams):
    """`messages`: the session's transcript from its start, if the host has one."""

    messages: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestParams(SpeakerParams):
    """`message`: text, or an object with role and content, in the shape of any known host."""

    message: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestBatchParams(SpeakerParams):
    """`is_transcript`: the messages are the session from its start, not only what is new."""

    messages: tuple[Any, ...]
    is_transcript: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitTurnParams(SpeakerParams):
    """`key`: the host's name for this turn; a retry comes under the same. `is_heartbeat`: nothing is kept."""

    key: str
    messages: tuple[Any, ...]
    is_heartbeat: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AssembleParams(SpeakerParams):
    """`messages`: what the host shows anyway; in window mode its whole history. `turn`: a name for the current turn.
    `notes_of`: the namespace of the agent whose notes are recalled too, but for those that its host shows itself.
    `is_heartbeat`: nobody asks; nothing is recalled, and there is no receipt."""

    token_budget: int
    prompt: str = ""
    messages: tuple[Any, ...] = ()
    mode: AssemblyMode = AssemblyMode.AUGMENT
    turn: str = ""
    notes_of: str = ""
    is_heartbeat: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactParams:
    """Missing numbers: as configured."""

    session_id: str
    target_turns: int | None = None
    minimum_turns: int | None = None
    tail_tokens: int | None = None
    support_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpandParams(SpeakerParams):
    """Only what is the speaker's own; who names neither a user nor a key, an agent or a namespace sees all of it."""

    summary_id: str
    max_depth: int = 3
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainParams(IdentityParams):
    """`receipt` empty: the newest."""

    receipt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayParams(IdentityParams):
    """`receipt` empty: the newest. `messages`: what the host showed then, which no receipt holds."""

    receipt: str = ""
    messages: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyNotParams(IdentityParams):
    """`id`: of a turn, memory, summary, wish, rule or line of the profile, as any method shows it. `receipt` empty: the
    newest."""

    id: str
    receipt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackParams(IdentityParams):
    """`id`: of a memory or a judged turn."""

    id: str
    useful: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeParams(IdentityParams):
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadMemoryParams(IdentityParams):
    """`id` and `scope` of a hit; a session's own scopes have none, what was said in it is in `history`."""

    id: str
    scope: Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetTurnsParams(IdentityParams):
    """Turns of the namespace: of the session, under every name that it had, or by `speaker`, or both. `is_dry`: only
    tell which."""

    speaker: str = ""
    is_dry: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SupersessionParams(IdentityParams):
    """`id`: of the memory that was taken to be outdated."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListGuidanceParams(IdentityParams):
    """`everything`: replaced and removed wishes too."""

    everything: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveGuidanceParams(IdentityParams):
    """`id`: of a standing wish."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileLineParams(IdentityParams):
    """`id`: of a line, as `profile_show` tells it."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PinProfileParams(ProfileLineParams):
    """`is_pinned` false: the line goes with the times again."""

    is_pinned: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class EditProfileParams(ProfileLineParams):
    """`text`: the line as it should be."""

    text: str


# ── results ────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyNotResult:
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GuidanceResult:
    wishes: tuple[KeptWish, ...]


# ── the table ──────────────────────────────────────────────────────────────────────────────────────────

# fmt: off
BOOTSTRAP = Method(name="bootstrap", params=BootstrapParams, result=Bootstrapped, verb="conversations.bootstrap", about="Open a session and take in what its transcript holds that is not stored yet. The same again adds nothing.", is_strict=True, pace=MethodPace.LONG)
INGEST = Method(name="ingest", params=IngestParams, result=Committed, verb="conversations.ingest", about="Take in one message: raw history, the session's view, the gate's verdict. Durable when it returns.", is_strict=True)
INGEST_BATCH = Method(name="ingest_batch", params=IngestBatchParams, result=Committed, about="Take in new messages, in order. What the session holds already is known, not stored again.", is_strict=True)
COMMIT_TURN = Method(name="commit_turn", params=CommitTurnParams, result=Committed, about="Take in the messages of one turn of the host, all or none, once per key.", is_strict=True)
ASSEMBLE = Method(name="assemble", params=AssembleParams, result=Prompt, verb="prompts.assemble", arguments={"token_budget": "budget"}, about="What the model should see for a prompt, under a hard token budget: rules, recent turns, guidance, memories. The same state gives the same bytes.", is_strict=True)
COMPACT = Method(name="compact", params=CompactParams, result=Compacted, verb="compaction.compact", arguments={"target_turns": "target"}, about="Fold what is older than the recent tail of a session into summaries; raw turns stay and can be reached.", is_strict=True, pace=MethodPace.LONG)
EXPAND = Method(name="expand", params=ExpandParams, result=RecordsResult, verb="compaction.expand", arguments={"summary_id": "summary"}, about="What a summary stands for, in order, down to a depth and within a token budget.", is_strict=True)
EXPLAIN = Method(name="explain", params=ExplainParams, result=Explained, verb="prompts.explain", about="The account of an assembly: every item with its reasons, all that was left out, the budget.", is_strict=True)
WHY_NOT = Method(name="why_not", params=WhyNotParams, result=WhyNotResult, verb="prompts.why_not", arguments={"id": "record"}, about="Whether anything that has an id stands in a prompt, and if not, why, in words.", is_strict=True)
REPLAY = Method(name="replay", params=ReplayParams, result=Replayed, verb="prompts.replay", about="Assemble a prompt again as of its moment: which parts are proven to have the same bytes, and what has changed since.", is_strict=True, is_repeatable=True)
JUDGE = Method(name="judge", params=JudgeParams, result=Judged, verb="gate.judge", about="The gate's verdict on a text with every reason; nothing is stored.", is_strict=True)
FEEDBACK = Method(name="feedback", params=FeedbackParams, result=Ok, verb="gate.feedback", about="Tell whether a memory was useful: the gate's threshold can be calibrated by it.", is_strict=True)
GATE_REPORT = Method(name="gate_report", params=IdentityParams, result=GateAccount, verb="gate.report", about="How the gate decided so far: distributions, the share that was kept, a threshold that feedback suggests.", is_strict=True, pace=MethodPace.LONG)
READ_MEMORY = Method(name="read_memory", params=ReadMemoryParams, result=RecordsResult, about="One memory of a namespace by its id and scope, whole; none when the namespace has none of that id.", is_strict=True)
FORGET_TURNS = Method(name="forget_turns", params=ForgetTurnsParams, result=ForgottenTurns, about="Delete what was said to a namespace in a session or by somebody, wherever it left text: history, durable memory, summaries, profile.", is_strict=True, is_repeatable=True, pace=MethodPace.LONG)
RESTORE_MEMORY = Method(name="restore_memory", params=SupersessionParams, result=Ok, verb="gate.restore", about="Undo that a memory was taken to be outdated by a newer one; both stay.", is_strict=True)
LIST_GUIDANCE = Method(name="list_guidance", params=ListGuidanceParams, result=GuidanceResult, verb="guidance.list", about="The standing wishes of a namespace to the agent, the newest first: what each is about, since when, where it was said.", is_strict=True)
REMOVE_GUIDANCE = Method(name="remove_guidance", params=RemoveGuidanceParams, result=KeptWish, verb="guidance.remove", about="Let a standing wish count no more; what was said stays in the history.", is_strict=True)
PROFILE_SHOW = Method(name="profile_show", params=IdentityParams, result=Profile, verb="profile.show", about="What is known and current about a person, in his own words, with where each line comes from.", is_strict=True, is_repeatable=True)
PROFILE_REBUILD = Method(name="profile_rebuild", params=IdentityParams, result=Profile, verb="profile.rebuild", about="Read the profile anew from all memories of a namespace; what was pinned, corrected and forgotten stays so.", is_strict=True, is_repeatable=True, pace=MethodPace.LONG)
PROFILE_PIN = Method(name="profile_pin", params=PinProfileParams, result=ProfileLine, verb="profile.pin", about="Keep a line of the profile as it is, whatever is said later, and first of all in a small budget.", is_strict=True, is_repeatable=True)
PROFILE_EDIT = Method(name="profile_edit", params=EditProfileParams, result=ProfileLine, verb="profile.edit", about="Correct a line of the profile; the correction stands until something newer is said about the same thing.", is_strict=True)
PROFILE_FORGET = Method(name="profile_forget", params=ProfileLineParams, result=ProfileLine, verb="profile.forget", about="Take a line out of the profile; it does not come back from the same memories.", is_strict=True)

LIFECYCLE_METHODS: tuple[AnyMethod, ...] = (
    BOOTSTRAP, INGEST, INGEST_BATCH, COMMIT_TURN, ASSEMBLE, COMPACT, EXPAND, EXPLAIN, WHY_NOT, REPLAY, JUDGE, FEEDBACK,
    GATE_REPORT, READ_MEMORY, FORGET_TURNS, RESTORE_MEMORY, LIST_GUIDANCE, REMOVE_GUIDANCE, PROFILE_SHOW, PROFILE_REBUILD, PROFILE_PIN,
    PROFILE_EDIT, PROFILE_FORGET,
)
# fmt: on
