"""The accounts of a prompt: what each claim took, what stands there, and what of the host's history does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from libravdb.core.assembly.budget import share_of
from libravdb.core.assembly.context import NO_PROFILE, AssemblyContext, ProfilePart, PromptDraft, Rules, shown_places
from libravdb.core.assembly.profile_section import profile_items
from libravdb.core.assembly.receipt import RULE_REASONS, breakdown_of, item_of, words_name
from libravdb.core.assembly.render import entry_of_turn, rule_line
from libravdb.core.assembly.selection import Choice, score_of
from libravdb.model import Item, LedgerLine, LeftOut, Section, SectionKind, Tail, Tranche, Turn, Why

MOST_CUT = 50
"""Messages of the host that a receipt names one by one; a session may have thousands."""

MOST_SHOWN = 2_000
"""Messages of the host that a receipt names as standing there."""

TRANCHES = {
    SectionKind.ELEVATED: Tranche.ELEVATED,
    SectionKind.SUMMARIES: Tranche.SUMMARIES,
    SectionKind.RECALLED: Tranche.RECALL,
}


def ledger_of(
    desk: AssemblyContext,
    rules: Rules,
    tail: Tail,
    limits: Mapping[SectionKind, int],
    choices: Mapping[SectionKind, Choice],
    *,
    profile: ProfilePart = NO_PROFILE,
    gap_tokens: int = 0,
) -> tuple[LedgerLine, ...]:
    """What each claim could take and took. A frame that serves two claims is charged to the first without the second,
    and the rest of its price to the second."""
    budget, shares = desk.material.budget, desk.shares
    soft = max(0, rules.tokens - rules.hard_tokens)
    extension = max(0, tail.tokens - tail.base_tokens) + gap_tokens
    lines = [
        (Tranche.HARD, share_of(shares.hard, budget), rules.tokens - soft),
        (Tranche.TAIL, budget, tail.tokens + gap_tokens - extension),
        (Tranche.SOFT, rules.room, soft),
        (Tranche.PROFILE, profile.room, profile.tokens),
        (Tranche.EXTENSION, share_of(shares.tail, budget), extension),
        *(
            (tranche, limits.get(kind, 0), choices[kind].tokens if kind in choices else 0)
            for kind, tranche in TRANCHES.items()
        ),
    ]
    if desk.pinned_tokens:
        lines.insert(0, (Tranche.HOST, budget, desk.pinned_tokens))
    if not limits:
        lines.append((Tranche.NOTICE, 0, 0))
    return tuple(LedgerLine(tranche=tranche, limit=limit, tokens=tokens) for tranche, limit, tokens in lines)


def with_notice(ledger: tuple[LedgerLine, ...], sections: Sequence[Section]) -> tuple[LedgerLine, ...]:
    """The price of the notice of a degraded prompt, which no claim covers."""
    notice = sum(section.tokens for section in sections if section.kind is SectionKind.DEGRADED)
    return tuple(replace(line, tokens=notice) if line.tranche is Tranche.NOTICE else line for line in ledger)


def items_of(desk: AssemblyContext, draft: PromptDraft) -> tuple[Item, ...]:
    """Everything that stands in the prompt on our account, in the order of the claims."""
    price = desk.scale.price
    items = [
        item_of(rule, tranche, tokens=price(rule_line(rule)), reasons=RULE_REASONS[tranche])
        for tranche, rules in ((Tranche.HARD, draft.rules.hard), (Tranche.SOFT, draft.rules.soft))
        for rule in rules
    ]
    items += profile_items(desk, draft.profile)
    shown = shown_places(desk.history.past, draft.tail, is_window=True)
    for place, step in enumerate(desk.history.past):
        if place not in shown:
            continue
        if step.place is not None and not desk.is_window:
            continue  # the host's own account
        is_base = place >= draft.tail.base
        items.append(
            Item(
                tranche=Tranche.TAIL if is_base else Tranche.EXTENSION,
                id=step.turn.id,
                collection="",
                tokens=price(_line_of(step.turn)) if step.place is None else desk.prices[step.place],
                score=0.0,
                breakdown={},
                reasons=(_tail_reason(place, draft.tail),),
            )
        )
    for kind, choice in draft.choices.items():
        items.extend(
            item_of(
                hit.record,
                TRANCHES[kind],
                tokens=price(part),
                reasons=hit.reasons,
                score=score_of(hit),
                breakdown=breakdown_of(hit),
            )
            for hit, part in zip(choice.hits, choice.parts, strict=True)
        )
    return tuple(items)


def _tail_reason(place: int, tail: Tail) -> str:
    if place == tail.task:
        return "the task that the steps behind it belong to"
    return "one of the last turns" if place >= tail.base else "fits the recent tail"


def _line_of(turn: Turn) -> str:
    return "".join(line.shown for line in entry_of_turn(turn).lines)


def shown_names(desk: AssemblyContext, tail: Tail) -> tuple[str, ...]:
    """What names the messages of the host that stand in the prompt, the newest if there are very many: turns by their
    ids, and what may be kept under another id by its words."""
    names: dict[str, None] = {}
    shown = shown_places(desk.history.past, tail, is_window=desk.is_window)
    for place, step in enumerate(desk.history.past):
        if step.place is None or place not in shown:
            continue
        said = desk.material.messages[step.place].said
        ids = (step.turn.id, *(one.id or "" for one in said))
        names |= dict.fromkeys(id for id in ids if id)
        if len(said) > 1 or not step.turn.id:
            names |= dict.fromkeys(words_name(one.role, one.text) for one in said)
    for place in desk.history.pinned:
        names |= dict.fromkeys(words_name(one.role, one.text) for one in desk.material.messages[place].said)
    return tuple(names)[-MOST_SHOWN:]


def cut_messages(desk: AssemblyContext, sections: Sequence[Section]) -> list[LeftOut]:
    """Messages that do not stay because they are older than the tail; of very many the newest are told one by one."""
    kept = {section.place for section in sections}
    cut = [place for place in desk.history.places if place not in kept]
    reason = "older than the recent tail; summaries and recall stand for it"
    known = {step.place: step.turn.id for step in desk.history.past if step.turn.id}
    names = [known.get(place) or _name_of_message(desk, place) for place in cut[-MOST_CUT:]]
    if len(cut) > MOST_CUT:
        names.insert(0, f"{len(cut) - MOST_CUT:,} messages before them")
    return [LeftOut(id=name, collection="", why=Why.BUDGET, reason=reason) for name in names]


def _name_of_message(desk: AssemblyContext, place: int) -> str:
    said = desk.material.messages[place].said
    return (said[0].id if said else None) or f"message {place}"
