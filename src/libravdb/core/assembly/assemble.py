"""The whole of it: material in, a prompt with its receipt out. One path for both modes.

Precedence: hard rules, mandatory tail, soft rules, profile, tail extension, elevated guidance, summaries, recall. Each
claim is served from what the ones before it have left, at the price of the text that is really rendered.
"""

from __future__ import annotations

from dataclasses import replace

from libravdb.core.assembly.already_shown import Seen, read_history
from libravdb.core.assembly.budget import Scale, share_of
from libravdb.core.assembly.context import AssemblyContext, ProfilePart, PromptDraft, Rules
from libravdb.core.assembly.invariants import check
from libravdb.core.assembly.layout import lay_out, leading_tokens, trace_of
from libravdb.core.assembly.ledger import cut_messages, items_of, ledger_of, shown_names, with_notice
from libravdb.core.assembly.mandatory import serve_mandatory, tail_pieces
from libravdb.core.assembly.memory_sections import choose_elevated, choose_recalled, choose_summaries
from libravdb.core.assembly.profile_section import without_profile
from libravdb.core.assembly.receipt import outcome_of
from libravdb.core.assembly.render import escape, framed, rule_pieces, tier_of
from libravdb.core.assembly.selection import PROFILE, Choice, left, left_record, with_marks
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
    _see_conversation(desk, tail)
    free = desk.material.budget - desk.pinned_tokens - rules.tokens - profile.tokens - tail.tokens
    limits: dict[SectionKind, int] = {}
    choices: dict[SectionKind, Choice] = {}
    for kind, stage, limit_of in (
        (SectionKind.ELEVATED, choose_elevated, _elevated_limit),
        (SectionKind.SUMMARIES, choose_summaries, _summary_limit),
        (SectionKind.RECALLED, choose_recalled, _recall_limit),
    ):
        limits[kind] = limit_of(desk, free)
        choices[kind] = stage(desk, limits[kind])
        free -= choices[kind].tokens
    frames = {kind: choice.pieces for kind, choice in choices.items()}
    frames |= {
        SectionKind.RULES: rules.pieces,
        SectionKind.PROFILE: profile.pieces,
        SectionKind.TAIL: tail_pieces(desk, tail),
    }
    refused = [*rules.left_out, *profile.left_out, *(one for choice in choices.values() for one in choice.left_out)]
    return PromptDraft(
        rules=rules,
        profile=profile,
        tail=tail,
        frames=frames,
        choices=choices,
        ledger=ledger_of(desk, rules, tail, limits, choices, profile=profile),
        left_out=tuple(refused),
        reasons=(desk.material.silence,) if desk.material.silence else (),
    )


def _offered(desk: AssemblyContext) -> tuple[Hit, ...]:
    return *desk.material.elevated, *desk.material.recovered, *desk.material.recalled


def _elevated_limit(desk: AssemblyContext, free: int) -> int:
    return min(free, share_of(desk.shares.elevated, desk.material.budget))


def _summary_limit(desk: AssemblyContext, free: int) -> int:
    return share_of(desk.settings.summary_share, free)


def _recall_limit(desk: AssemblyContext, free: int) -> int:
    return min(free, share_of(desk.shares.recall, desk.material.budget))


def _see_conversation(desk: AssemblyContext, tail: Tail) -> None:
    """Note every turn that stands in the prompt, and what the host says besides."""
    for place, step in enumerate(desk.history.past):
        is_kept = place >= tail.start or (step.place is not None and not desk.is_window)
        if is_kept:
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
        outcome=outcome_of(desk.material, sections),
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
