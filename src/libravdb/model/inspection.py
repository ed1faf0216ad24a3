"""What is told to whoever looks into memory: turns, summaries, receipts and scores as they are listed, and what a
prompt or a search would be."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from libravdb.model.prompts import Receipt, SectionKind
from libravdb.model.recall import Hit, SearchMode
from libravdb.model.upkeep import Finding

Span = tuple[int, int]
"""Where a piece of a text begins and where it ends, counted in characters (code points)."""


# ── what was said ─────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnVerdict:
    """What the gate said of a turn, in words and as it was decided. `veto` is a name, or empty."""

    words: str
    score: float
    is_admitted: bool
    veto: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnView:
    """A turn, and what became of it.

    `id` names it in the history of its namespace, and everywhere else that takes an id. `verdict` is missing where
    nobody judged it. `memory` is the durable memory that it became or said once more, `folded_into` the topmost summary
    that stands for it in its session; both are empty when there is none. `is_outdated`: a newer memory replaced it.
    """

    id: str
    session: str
    at: int
    role: str
    speaker: str
    text: str
    verdict: TurnVerdict | None
    memory: str
    folded_into: str
    is_outdated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryChild:
    """What a summary stands for: a turn, by its id in the history of its namespace, or another summary."""

    id: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryNode:
    """A summary of a session, and what it stands for, in order.

    `level` is 1 for a summary of turns. It tells of what was said from `first_at` to `at`, in `turn_count` turns. Of
    the `facts_listed` in what it stands for, it holds `facts_kept`. `is_active`: it stands in the session's view, and
    in no other summary. `fallback` tells why a configured summariser did not write it.
    """

    id: str
    level: int
    text: str
    at: int
    first_at: int
    turn_count: int
    method: str
    confidence: float
    facts_kept: int
    facts_listed: int
    is_active: bool
    fallback: str
    children: tuple[SummaryChild, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateScore:
    """A judged turn as a point on the scale of the gate; `admission` names what admits it whatever the score, and of
    its text only the beginning is told."""

    id: str
    at: int
    score: float
    is_admitted: bool
    veto: str
    admission: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GateScores:
    """The newest judged turns, newest first, and the score from which on a turn is kept today."""

    threshold: float
    scores: tuple[GateScore, ...]


# ── prompts ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptView:
    """A receipt where many are listed: what was asked, and how the prompt came out. `items` stood in it, `left_out`
    were looked at and left out."""

    id: str
    session: str
    prompt: str
    at: int
    mode: str
    outcome: str
    budget: int
    tokens: int
    leading_tokens: int
    items: int
    left_out: int
    silence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewSection:
    """A part of a prompt as the model would read it; `is_charged`: it is paid from our budget."""

    kind: SectionKind
    text: str
    tokens: int
    is_charged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptPreview:
    """A prompt that was given to nobody: its parts in order, its receipt, and that receipt in words. `why_not` answers
    for one record, if that was asked."""

    sections: tuple[PreviewSection, ...]
    receipt: Receipt
    words: tuple[str, ...]
    tokens: int
    budget: int
    outcome: str
    why_not: str = ""


# ── search ────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedHit:
    """A hit, and where in its text the question is met: `words` of it, and the `passage` that is closest in meaning,
    which is missing where that is the whole text. `successor` is the memory that replaced it; empty when none did."""

    hit: Hit
    words: tuple[Span, ...]
    passage: Span | None
    successor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedAnswer:
    """What a search found. `silence` is what a prompt would say for showing nothing of it; empty when it would show
    something."""

    hits: tuple[MarkedHit, ...]
    mode: SearchMode
    degraded: str
    silence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedSearch:
    """What a question finds as search is configured, and what it would find with other settings, if there were any."""

    usual: MarkedAnswer
    tried: MarkedAnswer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallSetting:
    """A setting of search as it is in force. `least` and `most` are missing where there is no bound. `is_tuned`: it is
    set by measurement, not by hand."""

    name: str
    value: float
    default: float
    help: str
    least: float | None
    most: float | None
    is_tuned: bool


# ── health ────────────────────────────────────────────────────────────────────────────────────────────────


class Health(StrEnum):
    """How a checked thing is."""

    GOOD = "good"
    NOTICE = "notice"
    BAD = "bad"


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthCheck:
    """One thing that was looked at, how it is, and what to do about it."""

    name: str
    health: Health
    detail: str
    remedy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedStore:
    """What was looked at, and every broken invariant that was found in the store."""

    checks: tuple[HealthCheck, ...]
    findings: tuple[Finding, ...]
