"""The bytes of a prompt's part, made again from what its receipt says stood there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from libravdb.core.assembly.excerpts import LEAST_PASSAGE, best_passage, stems_of
from libravdb.core.assembly.receipt import PASSAGE
from libravdb.core.assembly.render import (
    entry_of_record,
    framed,
    joined,
    profile_line,
    rule_pieces,
    show_today,
    tier_of,
    turn_pieces,
)
from libravdb.core.assembly.selection import Offer, grouped, offer
from libravdb.model import Hit, Item, ProfileLine, Record, SectionKind, Tier, Turn
from libravdb.text.tokens import prompt_tokens

_MOST_ROOM = 2_000
_LENGTH = re.compile(rf"{PASSAGE}, ([\d,]+) of ")


def rerender_rules(rules: Sequence[Record]) -> str:
    """The frame of these rules, hard ones first."""
    hard = [rule for rule in rules if tier_of(rule) is Tier.HARD]
    soft = [rule for rule in rules if tier_of(rule) is Tier.SOFT]
    return "".join(framed(SectionKind.RULES, (*rule_pieces(hard), *rule_pieces(soft))))


def rerender_profile(lines: Sequence[ProfileLine]) -> str:
    """The frame of these lines."""
    return "".join(framed(SectionKind.PROFILE, map(profile_line, lines)))


def rerender_tail(turns: Sequence[Turn]) -> str:
    """The frame of these turns."""
    return "".join(framed(SectionKind.TAIL, turn_pieces(turns)))


def rerender_summaries(summaries: Sequence[Record]) -> str:
    """The frame of these summaries."""
    return "".join(framed(SectionKind.SUMMARIES, (entry_of_record(one).shown for one in summaries)))


def rerender_memories(
    kind: SectionKind, memories: Sequence[tuple[Item, Record]], *, question: str, asked_at: int
) -> str:
    """The frame of these memories, each whole or as the passage whose length its item tells."""
    stems = stems_of(question)
    offers = [_offer(kind, item, record, stems) for item, record in memories]
    entries = (joined([one.entry for one in group]) for group in grouped(offers))
    return "".join(framed(kind, (entry.shown for entry in entries), today=show_today(asked_at)))


def _offer(kind: SectionKind, item: Item, record: Record, stems: Sequence[str]) -> Offer:
    whole = offer(Hit(record=record, score=item.score, breakdown=item.breakdown, reasons=item.reasons), kind)
    told = next((found for reason in item.reasons if (found := _LENGTH.match(reason))), None)
    if told is None:
        return whole
    passage = _passage(record.text, int(told[1].replace(",", "")), stems)
    return replace(whole, entry=replace(whole.entry, lines=(replace(whole.line, text=passage),)))


def _passage(text: str, length: int, stems: Sequence[str]) -> str:
    """The best passage of so many characters; it is found by the room that it may have had."""
    passages = (
        best_passage(text, limit, stems) for limit in range(LEAST_PASSAGE, min(prompt_tokens(text), _MOST_ROOM))
    )
    return next((passage for passage in passages if len(passage) == length), text)
