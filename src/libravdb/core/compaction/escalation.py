"""Smaller, or not at all: the rungs that compaction tries for a cluster until one gets it strictly smaller.

The state is a value and each step a function of it. The engine asks `next_step` what to do, lets a summariser write,
and adds what came of it with `tried`:

    climb = begin(texts, views=views)
    while isinstance(step := next_step(climb), Ask):
        climb = tried(climb, step, draft)    # or failed(climb, step, problem)

Both sides are priced in the same unit: the prompt tokens of the texts that leave the active view, and of the summary
with its ledger that enters it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from libravdb.core.compaction.facts import ClauseUse, Survival, inventory, ledger, survival
from libravdb.core.compaction.quality import MIN_ALIGN, Quality, is_about
from libravdb.model import Draft, Fact
from libravdb.text.tokens import prompt_tokens

EXTRACTIVE = "extractive"
"""The method that needs no model of its own and is measured, but never refused, for what it is about."""

MOST_TOKENS = 1200
"""No summary is longer, whatever it stands for: summaries of summaries stay bounded."""


FAULTS_TOLD = 3
"""How many faults of a draft are told as the reason for refusing it."""


class Rung(StrEnum):
    """How hard a cluster is pressed."""

    NORMAL = "normal"
    AGGRESSIVE = "aggressive"
    DETERMINISTIC = "deterministic"


SHARES: dict[Rung, float] = {Rung.NORMAL: 0.35, Rung.AGGRESSIVE: 0.20, Rung.DETERMINISTIC: 0.10}
"""The share of its sources' tokens that a summary may take, ledger included, rung by rung."""

SUMMARY_SHARES: dict[Rung, float] = {Rung.NORMAL: 0.5, Rung.AGGRESSIVE: 0.35, Rung.DETERMINISTIC: 0.2}
"""The same where the sources are summaries: what is said in them was chosen already."""

LEDGER_SHARE = 0.5
"""At most this much of the room is kept free for the ledger."""

REDRAFTS = 2
"""How often an extract is asked to leave room for its ledger: a shorter text may miss more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Let a summariser write at most `text_tokens`; with the ledger it may come to `max_tokens`.

    `is_abstractive` tells whether a model is to write it; it gets one try. On the last rung not even vectors are used.
    """

    rung: Rung
    text_tokens: int
    max_tokens: int
    is_abstractive: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """What replaces the cluster: `text` is the draft with its ledger, `tokens` its price."""

    rung: Rung
    text: str
    method: str
    tokens: int
    source_tokens: int
    model_confidence: float | None
    survival: Survival
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    """The cluster stays as it is."""

    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Climb:
    """A cluster on the ladder: what it holds, which rungs were tried, and what came of them."""

    source_tokens: int
    facts: tuple[Fact, ...]
    is_abstractive: bool
    is_of_summaries: bool = False
    rung: Rung | None = Rung.NORMAL
    text_tokens: int | None = None
    redrafts: int = 0
    folded: Folded | None = None
    reasons: tuple[str, ...] = ()


def begin(
    texts: Sequence[str],
    *,
    facts: Sequence[Fact] | None = None,
    is_abstractive: bool = False,
    is_of_summaries: bool = False,
) -> Climb:
    """A cluster at the foot of the ladder.

    `texts` are what leaves the active view, `facts` what must not get lost of it; without them they are listed from the
    texts. `is_abstractive` tells whether a model may write first, `is_of_summaries` whether the texts are summaries.
    """
    return Climb(
        source_tokens=sum(prompt_tokens(text) for text in texts),
        facts=inventory(texts) if facts is None else tuple(facts),
        is_abstractive=is_abstractive,
        is_of_summaries=is_of_summaries,
    )


def next_step(climb: Climb) -> Ask | Folded | Declined:
    """What to do: write once more, take what there is, or leave the cluster alone."""
    if climb.folded is not None:
        return climb.folded
    if climb.rung is None:
        return Declined(reasons=climb.reasons)
    most = room(climb.source_tokens, climb.rung, is_of_summaries=climb.is_of_summaries)
    if most < 1:
        return Declined(reasons=(*climb.reasons, f"{climb.source_tokens} tokens leave no room for a summary"))
    is_abstractive = climb.is_abstractive and climb.rung is not Rung.DETERMINISTIC
    first = max(1, int((1 - LEDGER_SHARE / 2) * most)) if is_abstractive else most
    return Ask(
        rung=climb.rung,
        text_tokens=first if climb.text_tokens is None else climb.text_tokens,
        max_tokens=most,
        is_abstractive=is_abstractive,
    )


def room(source_tokens: int, rung: Rung, *, is_of_summaries: bool = False) -> int:
    """`min(share·toks(C), most, toks(C) − 1)`: what a summary and its ledger may take on a rung."""
    shares = SUMMARY_SHARES if is_of_summaries else SHARES
    return min(int(shares[rung] * source_tokens), MOST_TOKENS, source_tokens - 1)


def failed(climb: Climb, ask: Ask, problem: str) -> Climb:
    """A summariser had nothing to give: extraction takes over on the same rung, or the next rung comes."""
    return _onward(climb, ask, f"{ask.rung}: {problem}")


def tried(climb: Climb, ask: Ask, draft: Draft, quality: Quality | None = None, *, least: float = MIN_ALIGN) -> Climb:
    """What came of a step: folded, or a further rung.

    A model's draft is accepted when it has no faults and `quality` says that it is about its sources, by `least`; an
    extract needs neither. An extract is asked once or twice to leave room for the facts it misses. Then a draft counts
    as it is, with as much of the ledger as fits.
    """
    text = draft.text.strip()
    tokens = prompt_tokens(text)
    problem = _problem(draft, tokens, ask, quality, least)
    if problem:
        return failed(climb, ask, f"{draft.method} {problem}")
    missing = survival(climb.facts, text).missing
    first, later = (ClauseUse.FIRST,) * 2 if climb.is_of_summaries else (ClauseUse.NEVER, ClauseUse.LAST)
    wanted = max(1, ask.max_tokens - _ledger_room(missing, ask, first))
    if tokens > wanted and climb.redrafts < REDRAFTS and draft.method == EXTRACTIVE:
        return replace(climb, text_tokens=wanted, redrafts=climb.redrafts + 1)
    line = ledger(missing, max_tokens=ask.max_tokens - tokens - 1, clauses=later)
    return _settled(climb, ask, draft, f"{text}\n{line}" if line else text)


def _problem(draft: Draft, tokens: int, ask: Ask, quality: Quality | None, least: float) -> str:
    """Why a draft cannot be used, or nothing."""
    if not tokens:
        return "wrote nothing"
    if tokens > ask.max_tokens:
        return f"wrote {tokens} tokens, {ask.max_tokens} were allowed"
    if draft.method == EXTRACTIVE:
        return ""
    if draft.faults:
        return "; ".join(draft.faults[:FAULTS_TOLD])
    if quality is None:
        return "cannot be measured: there are no vectors"
    if is_about(quality, least):
        return ""
    return f"is about something else (align {quality.align:.2f}, needed {least:.2f})"


def _ledger_room(missing: Sequence[Fact], ask: Ask, clauses: ClauseUse) -> int:
    line = ledger(missing, max_tokens=ask.max_tokens, clauses=clauses)
    needed = prompt_tokens(line) + 1 if line else 0  # and its line break
    return min(needed, int(LEDGER_SHARE * ask.max_tokens))


def _settled(climb: Climb, ask: Ask, draft: Draft, whole: str) -> Climb:
    """Folded, if that makes it smaller: the one place where a cluster may be replaced."""
    tokens = prompt_tokens(whole)
    if tokens >= climb.source_tokens:
        return failed(climb, ask, f"{tokens} tokens are not fewer than {climb.source_tokens}")
    reason = f"{ask.rung}: {draft.method} says it in {tokens} of {climb.source_tokens} tokens"
    folded = Folded(
        rung=ask.rung,
        text=whole,
        method=draft.method,
        tokens=tokens,
        source_tokens=climb.source_tokens,
        model_confidence=draft.confidence,
        survival=survival(climb.facts, whole),
        reasons=(*climb.reasons, reason, *draft.notes),
    )
    return replace(climb, folded=folded, reasons=folded.reasons)


def _onward(climb: Climb, ask: Ask, reason: str) -> Climb:
    reasons = (*climb.reasons, reason)
    if ask.is_abstractive:
        return replace(climb, is_abstractive=False, text_tokens=None, redrafts=0, reasons=reasons)
    order = [*Rung, None]
    return replace(climb, rung=order[order.index(ask.rung) + 1], text_tokens=None, redrafts=0, reasons=reasons)
