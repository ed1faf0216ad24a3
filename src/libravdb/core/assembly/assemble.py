"""The whole of it: material in, a prompt with its receipt out. One path for both modes.

Precedence: hard rules, mandatory tail, soft rules, profile, tail extension, elevated guidance, summaries, recall. Each
claim is served from what the ones before it have left, at the price of the text that is really rendered.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from libravdb.core.assembly.already_shown import Seen, read_history
from libravdb.core.assembly.budget import Scale, share_of
from libravdb.core.assembly.context import (
    AssemblyContext,
    ProfilePart,
    PromptDraft,
    Rules,
    is_same_window,
    shown_places,
)
from libravdb.core.assembly.covered_turns import coverage_of, is_summary_of, places_of
from libravdb.core.assembly.invariants import check
from libravdb.core.assembly.layout import lay_out, leading_tokens, trace_of
from libravdb.core.assembly.ledger import cut_messages, items_of, ledger_of, shown_names, with_notice
from libravdb.core.assembly.mandatory import gap_pieces, serve_mandatory, tail_pieces
from libravdb.core.assembly.memory_sections import choose_elevated, choose_recalled, choose_summaries
from libravdb.core.assembly.profile_section import without_profile
from libravdb.core.assembly.receipt import outcome_of
from libravdb.core.assembly.render import escape, framed, rule_pieces, tier_of
from libravdb.core.assembly.selection import PROFILE, left, left_record, with_marks
from libravdb.core.assembly.settings import DEFAULTS, AssemblySettings
from libravdb.errors import InvalidInput
from libravdb.model import Assembly, ChooseTail, Hit, Material, Receipt, SectionKind, Tail, Tier, Why
from libravdb.text.tokens import CountTokens, prompt_tokens


def assemble(
    material: Material,
    *,
    choose_tail: ChooseTail,
    settings: AssemblySettings = DEFAULTS,
    count_tokens: CountTokens = prompt_tokens,
) -> Assembly:
    """The prompt for a material; the same material gives the same bytes.

    The sum of the charged sections never exceeds the budget, with one exception that says so: when hard rules and the
    last turns alone exceed it, they stand there exactly, with a notice and nothing else.
    """
    if material.budget < 0:
        raise InvalidInput("budget", f"is {material.budget:,}, a budget is 0 or more tokens")
    material = with_marks(material)
    desk = AssemblyContext(
        material=material,
        settings=settings,
        scale=Scale(count_tokens),
        history=read_history(material),
        seen=Seen(material.session),
    )
    rules, profile, tail = serve_mandatory(desk, choose_tail)
    if rules.hard_tokens + desk.pinned_tokens + tail.base_tokens > material.budget:
        draft = _degraded(desk, rules, tail)
    else:
        draft = _fill(desk, rules, profile, tail)
    return _finished(desk, draft)


def _degraded(desk: AssemblyContext, rules: Rules, tail: Tail) -> PromptDraft:
    """Hard rules and the last turns exactly, a notice with the reasons, and nothing else."""
    budget, base = desk.material.budget, tail.base_tokens
    hard = framed(SectionKind.RULES, rule_pieces(rules.hard))
    own = f", the host's own messages {desk.pinned_tokens:,}" if desk.pinned_tokens else ""
    reasons = (
        f"Hard rules take {rules.hard_tokens:,} tokens, the last turns {base:,}{own}; the budget is {budget:,}.",
        "Only these stand here; soft rules, older turns and memories were left out.",
    )
    tail = replace(tail, start=tail.base, tokens=base)
    soft = (rule for rule in desk.material.rules if tier_of(rule) is Tier.SOFT)
    profile = without_profile(desk, reasons[0])
    refused = (
        *profile.left_out,
        *(left(hit, Why.DEGRADED, reasons[0]) for hit in _offered(desk)),
        *(left_record(one, Why.DEGRADED, reasons[0]) for one in (*soft, *desk.material.summaries)),
    )
    return PromptDraft(
        rules=replace(rules, soft=(), pieces=hard, tokens=rules.hard_tokens, room=0, left_out=()),
        profile=profile,
        tail=tail,
        frames={
            SectionKind.RULES: hard,
            SectionKind.TAIL: tail_pieces(desk, tail),
            SectionKind.DEGRADED: framed(SectionKind.DEGRADED, (f"{escape(reason)}\n" for reason in reasons)),
        },
        choices={},
        ledger=ledger_of(desk, replace(rules, tokens=rules.hard_tokens, room=0), tail, {}, {}),
        left_out=refused,
        reasons=reasons,
    )


def _fill(desk: AssemblyContext, rules: Rules, profile: ProfilePart, tail: Tail) -> PromptDraft:
    """Everything in its precedence, each from what is left."""
    desk.seen.add_text(desk.material.prompt, "the question itself")
    for rule in (*rules.hard, *rules.soft):
        desk.seen.add_record(rule, "the rules")
    for line in profile.lines:
        desk.seen.add_text(line.text, PROFILE)
    shown = shown_places(desk.history.past, tail, is_window=desk.is_window)
    _see_conversation(desk, shown)
    _see_covering(desk, shown)
    taken = desk.pinned_tokens + rules.tokens + profile.tokens
    free = desk.material.budget - taken - tail.tokens
    gap = gap_pieces(desk, tail, free=free)
    gap_tokens = desk.scale.price("".join(gap)) if gap else 0
    free -= gap_tokens
    is_steady = is_same_window(desk, tail, shown)
    limits = {SectionKind.SUMMARIES: free if is_steady else min(free, _summary_limit(desk, tail, taken + gap_tokens))}
    choices = {SectionKind.SUMMARIES: choose_summaries(desk, limits[SectionKind.SUMMARIES], shown, is_steady=is_steady)}
    free -= choices[SectionKind.SUMMARIES].tokens
    for kind, stage, most in (
        (SectionKind.ELEVATED, choose_elevated, share_of(desk.shares.elevated, desk.material.budget)),
        (SectionKind.RECALLED, choose_recalled, _recall_limit(desk)),
    ):
        limits[kind] = min(free, most)
        choices[kind] = stage(desk, limits[kind])
        free -= choices[kind].tokens
    frames = {kind: choice.pieces for kind, choice in choices.items()}
    frames |= {
        SectionKind.RULES: rules.pieces,
        SectionKind.PROFILE: profile.pieces,
        SectionKind.GAP: gap,
        SectionKind.TAIL: tail_pieces(desk, tail),
    }
    refused = [*rules.left_out, *profile.left_out, *(one for choice in choices.values() for one in choice.left_out)]
    return PromptDraft(
        rules=rules,
        profile=profile,
        tail=tail,
        frames=frames,
        choices=choices,
        ledger=ledger_of(desk, rules, tail, limits, choices, profile=profile, gap_tokens=gap_tokens),
        left_out=tuple(refused),
        reasons=(desk.material.silence,) if desk.material.silence else (),
    )


def _offered(desk: AssemblyContext) -> tuple[Hit, ...]:
    return *desk.material.elevated, *desk.material.recovered, *desk.material.recalled


def _see_covering(desk: AssemblyContext, shown: Collection[int]) -> None:
    """Note the summaries of this session that recall found and whose turns all stand in the prompt themselves."""
    own = [hit.record for hit in _offered(desk) if is_summary_of(hit.record, desk.material.session)]
    at = places_of(desk.history.past) if own else {}
    for record in own:
        if coverage_of(record, desk.history.past, at).is_seen(shown):
            desk.seen.add_record(record, "the conversation, turn by turn")


def _recall_limit(desk: AssemblyContext) -> int:
    """What recalled memories may take: their share, and in a window not more than does some good. They change with
    every question, and a provider reads them anew."""
    share = share_of(desk.shares.recall, desk.material.budget)
    return min(share, desk.settings.window_recall_tokens) if desk.is_window else share


def _summary_limit(desk: AssemblyContext, tail: Tail, taken: int) -> int:
    """What summaries may take: their share of what is left when the tail is as long as it may get and guidance takes
    all that it may. Nothing of it depends on the question, so that they stay while the tail stays."""
    budget = desk.material.budget
    standing = share_of(desk.shares.elevated, budget)
    usual = share_of(desk.settings.summary_share, max(0, budget - taken - standing - _usual_tail(desk, tail)))
    return min(usual, max(0, budget - taken - max(tail.limit, tail.tokens)))


def _usual_tail(desk: AssemblyContext, tail: Tail) -> int:
    """What a tail may grow to between two questions."""
    return min(max(tail.limit, tail.tokens), max(tail.base_tokens, share_of(desk.shares.tail, desk.material.budget)))


def _see_conversation(desk: AssemblyContext, shown: Collection[int]) -> None:
    """Note every turn that stands in the prompt, and what the host says besides."""
    for place, step in enumerate(desk.history.past):
        if place not in shown:
            continue
        desk.seen.add_turn(step.turn, "the conversation")
        for said in desk.material.messages[step.place].said if step.place is not None else ():
            if said.text != step.turn.text:
                desk.seen.add_text(said.text, "the conversation")
    for place in desk.history.pinned:
        desk.seen.add_text(desk.material.messages[place].content, "the host's own messages")


def _finished(desk: AssemblyContext, draft: PromptDraft) -> Assembly:
    """Sections in their order, with receipt and trace, checked."""
    sections = lay_out(desk, draft)
    trace = trace_of(desk, draft, sections)
    charged = sum(section.tokens for section in sections if section.is_charged)
    cut = cut_messages(desk, sections)
    receipt = Receipt(
        mode=desk.material.mode,
        outcome=outcome_of(desk.material, sections, draft.tail),
        budget=desk.material.budget,
        tokens=charged,
        host_tokens=sum(section.tokens for section in sections if not section.is_charged),
        leading_tokens=leading_tokens(desk, sections, trace),
        ledger=with_notice(draft.ledger, sections),
        items=items_of(desk, draft),
        left_out=(*draft.left_out, *cut, *desk.material.left_out),
        reasons=(*draft.reasons, *draft.tail.reasons),
        degraded=desk.material.degraded,
        timings=dict(desk.material.timings),
        silence=desk.material.silence,
        shown=shown_names(desk, draft.tail),
    )
    made = Assembly(
        mode=desk.material.mode,
        budget=desk.material.budget,
        sections=sections,
        tail=draft.tail,
        receipt=receipt,
        trace=trace,
    )
    broken = check(made, desk.material, past=desk.history.past, price=desk.scale.price)
    return replace(made, receipt=replace(receipt, violations=broken)) if broken else made
