"""The order of a prompt: rules, profile, summaries, tail, the host's messages, and last what depends on the question.

So a prompt begins as the one before it began, and a provider's cache holds.
"""

from __future__ import annotations

from collections.abc import Sequence

from libravdb.core.assembly.already_shown import turn_name
from libravdb.core.assembly.context import (
    AssemblyContext,
    PromptDraft,
    digest_of,
    mark_at,
    offered_summaries,
    tail_steps,
)
from libravdb.core.assembly.profile_section import name_of_line
from libravdb.core.assembly.selection import Choice, name_of, score_of
from libravdb.model import Chosen, Section, SectionKind, Trace

_OPENING = (SectionKind.RULES, SectionKind.PROFILE, SectionKind.SUMMARIES, SectionKind.GAP, SectionKind.TAIL)


def lay_out(desk: AssemblyContext, draft: PromptDraft) -> tuple[Section, ...]:
    """The sections in their order; our frames as they were chosen, messages as the host gave them."""
    stays = {step.place for step in tail_steps(desk.history.past, draft.tail)} | desk.history.pinned
    messages = [
        Section(
            kind=SectionKind.MESSAGE,
            pieces=(desk.material.messages[place].content,),
            tokens=desk.prices[place],
            place=place,
            is_charged=desk.is_window,
        )
        for place in desk.history.places
        if place in stays or not desk.is_window
    ]
    at = sum(place in stays or not desk.is_window for place in desk.history.places[: desk.history.closing_at])
    return (
        *_frames(desk, draft, *_OPENING),
        *messages[:at],
        *_frames(desk, draft, SectionKind.ELEVATED, SectionKind.RECALLED, SectionKind.DEGRADED),
        *messages[at:],
    )


def _frames(desk: AssemblyContext, draft: PromptDraft, *kinds: SectionKind) -> list[Section]:
    return [
        Section(kind=kind, pieces=pieces, tokens=desk.scale.price("".join(pieces)))
        for kind in kinds
        if (pieces := draft.frames.get(kind, ()))
    ]


def trace_of(desk: AssemblyContext, draft: PromptDraft, sections: Sequence[Section]) -> Trace:
    """What the next prompt has to know of this one."""
    before = desk.material.previous or Trace(turn="")
    return Trace(
        turn=turn_name(desk.material),
        tail_start=mark_at(desk, draft.tail.start),
        elevated=_traced(draft.choices.get(SectionKind.ELEVATED), before.elevated),
        recalled=_traced(draft.choices.get(SectionKind.RECALLED), before.recalled),
        summaries=_names(draft.choices.get(SectionKind.SUMMARIES)),
        profile=tuple(name_of_line(line) for line in draft.profile.lines),
        offered=offered_summaries(desk.material),
        sections=tuple(tuple(digest_of(piece) for piece in section.pieces) for section in sections),
    )


def _names(choice: Choice | None) -> tuple[str, ...]:
    return () if choice is None else tuple(hit.record.id for hit in choice.hits)


def _traced(choice: Choice | None, before: Sequence[Chosen]) -> tuple[Chosen, ...]:
    """What was chosen; what stands there from an earlier call was chosen then, found again or not."""
    if choice is None:
        return ()
    if choice.is_standing and before:
        return tuple(before)
    return tuple(Chosen(id=name_of(hit.record), score=score_of(hit)) for hit in choice.hits)


def leading_tokens(desk: AssemblyContext, sections: Sequence[Section], trace: Trace) -> int:
    """How many tokens at the beginning of the prompt are those of the one before."""
    before = desk.material.previous.sections if desk.material.previous else ()
    tokens = 0
    for section, now, then in zip(sections, trace.sections, before, strict=False):
        if now == then:
            tokens += section.tokens
            continue
        pairs = enumerate(zip(now, then, strict=False))
        shared = next((place for place, (one, other) in pairs if one != other), min(len(now), len(then)))
        return tokens + (desk.scale.price("".join(section.pieces[:shared])) if shared else 0)
    return tokens
