"""What whoever looks into memory asks for: lists with what became of each thing, prompts and searches that leave
nothing, and how the store is. Unknown fields are refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from libravdb.model import (
    AssemblyMode,
    CheckedStore,
    GateScores,
    PromptPreview,
    RecallSetting,
    ReceiptView,
    SummaryNode,
    TriedSearch,
    TurnView,
)
from libravdb.wire.methods.lifecycle import IdentityParams, SpeakerParams
from libravdb.wire.methods.method import AnyMethod, Method, MethodPace, NoParams, Ok

# ── params ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class ListTurnsParams(IdentityParams):
    """`session`: one of the namespace's, by the name that `list_sessions` tells; all of them without it. Told are turns
    from `since` on and before `until`. `after`: the `next` of the page before."""

    session: str | None = None
    since: int | None = None
    until: int | None = None
    limit: int = 50
    after: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListReceiptsParams(IdentityParams):
    """`session`: one of the namespace's; all of them without it. `after`: the `next` of the page before."""

    session: str | None = None
    limit: int = 50
    after: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GateScoresParams(IdentityParams):
    """`limit`: how many of the newest judged turns are looked at."""

    limit: int = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SupersedeParams(IdentityParams):
    """`id`: of the memory that is outdated, `by`: of the one that holds in its place."""

    id: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrySearchParams(IdentityParams):
    """`k`: as configured where it is missing. `settings`: of the section `[search]`, by their names there; they hold for
    this question alone."""

    question: str
    session: str | None = None
    k: int | None = None
    settings: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewPromptParams(SpeakerParams):
    """`as_of`: a past moment, in milliseconds. `why_not`: the id of a turn, memory, summary, wish, rule or line of the
    profile, as any method shows it."""

    token_budget: int
    prompt: str = ""
    mode: AssemblyMode = AssemblyMode.AUGMENT
    as_of: int | None = None
    why_not: str = ""


# ── results ────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPage:
    """`next`: where the following page begins; missing after the last one."""

    turns: tuple[TurnView, ...]
    next: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SummariesResult:
    nodes: tuple[SummaryNode, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptPage:
    """`next`: where the following page begins; missing after the last one."""

    receipts: tuple[ReceiptView, ...]
    next: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsResult:
    settings: tuple[RecallSetting, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesResult:
    revision: int


# ── the table ──────────────────────────────────────────────────────────────────────────────────────────

# fmt: off
LIST_TURNS = Method(name="list_turns", params=ListTurnsParams, result=TurnPage, about="What was said to a namespace, in all of its sessions or in one, the newest first, page by page: what the gate said of each turn, which memory it became, and which summary stands for it.", is_strict=True, is_repeatable=True)
LIST_SUMMARIES = Method(name="list_summaries", params=SpeakerParams, result=SummariesResult, about="The summaries of a session, of every level, the oldest first, with what each stands for; only what is the namespace's own.", is_strict=True, is_repeatable=True)
LIST_RECEIPTS = Method(name="list_receipts", params=ListReceiptsParams, result=ReceiptPage, about="The accounts of the last prompts of a namespace, the newest first, page by page; `explain` tells all of one.", is_strict=True, is_repeatable=True)
GATE_SCORES = Method(name="gate_scores", params=GateScoresParams, result=GateScores, verb="inspection.gate_scores", about="How the gate scored the newest judged turns of a namespace, the newest first, and the threshold that holds today.", is_strict=True, is_repeatable=True)
SUPERSEDE_MEMORY = Method(name="supersede_memory", params=SupersedeParams, result=Ok, verb="gate.supersede", about="Let a memory make another one outdated, as the gate does when something new replaces it; `restore_memory` takes it back.", is_strict=True, is_repeatable=True)
TRY_SEARCH = Method(name="try_search", params=TrySearchParams, result=TriedSearch, about="What a question finds in a namespace, with the places in each text where it is met; and beside it what it would find with other settings, which are not kept.", is_strict=True, is_repeatable=True)
RECALL_SETTINGS = Method(name="recall_settings", params=NoParams, result=SettingsResult, verb="inspection.recall_settings", about="The settings of search as they are in force, with their defaults and what they may be.", is_strict=True, is_repeatable=True, pace=MethodPace.QUICK)
CHECK_STORE = Method(name="check_store", params=NoParams, result=CheckedStore, about="Look at the machine, the model, the store and its vectors, and at every invariant of the store while it is in use; reads only.", is_strict=True, is_repeatable=True, pace=MethodPace.LONG)
CHANGES = Method(name="changes", params=IdentityParams, result=ChangesResult, verb="inspection.changes", about="A number that is another one whenever something of a namespace has changed, for clients that ask again and again; in a file it grows, in PostgreSQL all daemons tell the same. It counts against no quota, and the audit log tells only of those that were refused.", is_strict=True, is_repeatable=True, is_polled=True, pace=MethodPace.QUICK)
PREVIEW_PROMPT = Method(name="preview_prompt", params=PreviewPromptParams, result=PromptPreview, verb="inspection.preview_prompt", arguments={"token_budget": "budget"}, about="What `assemble` would give, now or as of a past moment, part by part and with its account. Nothing is kept of it: there is no receipt, and the next prompt comes out the same.", is_strict=True, is_repeatable=True)

INSPECTION_METHODS: tuple[AnyMethod, ...] = (
    LIST_TURNS, LIST_SUMMARIES, LIST_RECEIPTS, GATE_SCORES, SUPERSEDE_MEMORY, TRY_SEARCH, RECALL_SETTINGS, CHECK_STORE, CHANGES, PREVIEW_PROMPT,
)
# fmt: on
