"""The account of a prompt: what stands there, what does not, and why; for people and as JSON."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from functools import cache
from hashlib import blake2b
from typing import Any, TypeVar, cast

from libravdb.errors import InvalidInput
from libravdb.model import (
    AssemblyMode,
    Chosen,
    Hit,
    Item,
    Json,
    LedgerLine,
    LeftOut,
    Material,
    Receipt,
    Record,
    Section,
    SectionKind,
    Tail,
    Trace,
    Tranche,
    Why,
)
from libravdb.model.collections import CollectionKind, is_authored

T = TypeVar("T")

PASSAGE = "its best passage"
"""How the reason begins that a receipt gives for a memory that does not stand there whole."""

RULE_REASONS: Mapping[Tranche, tuple[str, ...]] = {
    Tranche.HARD: ("a hard rule stands in every prompt",),
    Tranche.SOFT: ("a soft rule that fits, in its order",),
}


def item_of(
    record: Record,
    tranche: Tranche,
    *,
    tokens: int,
    reasons: tuple[str, ...],
    score: float = 0.0,
    breakdown: Mapping[str, float] | None = None,
) -> Item:
    """The account of one record."""
    return Item(
        tranche=tranche,
        id=record.id,
        collection=record.collection,
        tokens=tokens,
        score=score,
        breakdown=breakdown or {},
        reasons=reasons,
    )


def breakdown_of(hit: Hit) -> dict[str, float]:
    """The parts of a score as far as they are numbers and say something: to the sixth place, and without those that
    added nothing."""
    return {name: round(value, 6) for name, value in hit.breakdown.items() if value and math.isfinite(value)}


def outcome_of(material: Material, sections: Sequence[Section], tail: Tail) -> str:
    """How the prompt came out: degraded, partial where a task is cut, or as search was: full, or lexical-only."""
    if any(section.kind is SectionKind.DEGRADED for section in sections):
        return "degraded"
    return material.search_mode.value if tail.task is None else "partial"


# ── JSON ──────────────────────────────────────────────────────────────────────────────────────────────────


def to_json(receipt: Receipt) -> dict[str, Json]:
    """The receipt as JSON holds it."""
    return cast("dict[str, Json]", _plain(receipt))


def from_json(told: Mapping[str, Json]) -> Receipt:
    """The receipt that was told; raises InvalidInput when it is none."""
    try:
        known = cast("dict[str, object]", dict(told))
        return Receipt(
            **{  # type: ignore[arg-type]  # what does not fit is refused below
                **known,
                "mode": AssemblyMode(str(told["mode"])),
                "ledger": tuple(_made(LedgerLine, one, tranche=Tranche) for one in _objects(told["ledger"])),
                "items": tuple(_made(Item, one, tranche=Tranche) for one in _objects(told["items"])),
                "left_out": tuple(_made(LeftOut, one, why=Why) for one in _objects(told["left_out"])),
                "reasons": _texts(told["reasons"]),
                "violations": _texts(told.get("violations", [])),
                "shown": _texts(told.get("shown", [])),
            }
        )
    except (KeyError, TypeError, ValueError) as problem:
        raise InvalidInput("receipt", f"is none that was written here ({problem})") from problem


def trace_to_json(trace: Trace) -> dict[str, Json]:
    """The trace as JSON holds it."""
    return cast("dict[str, Json]", _plain(trace))


def trace_from_json(told: Mapping[str, Json]) -> Trace:
    """The trace that was told; raises InvalidInput when it is none."""
    try:
        elevated, recalled = (
            tuple(_made(Chosen, one) for one in _objects(told[name])) for name in ("elevated", "recalled")
        )
        sections = told["sections"]
        if not isinstance(sections, list):
            raise TypeError("sections is no list")  # noqa: TRY301 - refused like any other
        return Trace(
            turn=str(told["turn"]),
            tail_start=str(told["tail_start"]),
            sections=tuple(_texts(one) for one in sections),
            elevated=elevated,
            recalled=recalled,
            summaries=_texts(told.get("summaries", [])),
            profile=_texts(told.get("profile", [])),
            offered=str(told.get("offered", "")),
        )
    except (KeyError, TypeError, ValueError) as problem:
        raise InvalidInput("trace", f"is none that was written here ({problem})") from problem


def _plain(value: object) -> object:
    """Nouns as objects, tuples as lists, names as texts, all the way down."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind in _NOUNS:
        told = [(name, getattr(value, name)) for name in _names(cast("Any", kind))]
        return {name: one if type(one) in _PLAIN else _plain(one) for name, one in told}
    if type(value) is dict:
        is_flat = _PLAIN.issuperset(map(type, value.values()))  # numbers by name, nearly always
        return value if is_flat else {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return _plain(dict(value))
    if isinstance(value, str):
        return str(value)
    raise TypeError(f"{kind.__name__} is nothing that a receipt holds")


@cache
def _names(noun: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(noun))


_PLAIN = frozenset((str, int, float, bool, type(None)))
_NOUNS = frozenset((Receipt, LedgerLine, Item, LeftOut, Trace, Chosen))


def _made(cls: type[T], told: Mapping[str, Json], **names: type) -> T:
    made: dict[str, object] = {key: tuple(one) if isinstance(one, list) else one for key, one in told.items()}
    for key, name in names.items():
        made[key] = name(told[key])
    return cls(**made)


def _objects(value: Json) -> list[dict[str, Json]]:
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise TypeError("a list of objects is missing")
    return cast("list[dict[str, Json]]", value)


def _texts(value: Json) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise TypeError("a list of texts is missing")
    return tuple(cast("list[str]", value))


# ── for people ────────────────────────────────────────────────────────────────────────────────────────────


def explain(receipt: Receipt) -> list[str]:
    """The receipt in words, line by line; what is equal is told once."""
    share = f" ({receipt.tokens / receipt.budget:.0%})" if receipt.budget else ""
    lines = [
        f"{receipt.tokens:,} of {receipt.budget:,} tokens{share}, {receipt.mode.value} mode, {receipt.outcome}",
        f"{receipt.leading_tokens:,} tokens at the beginning are those of the prompt before",
    ]
    if receipt.degraded:
        lines.append(f"search was reduced: {receipt.degraded}")
    lines += receipt.reasons
    for line in receipt.ledger:
        chosen = [item for item in receipt.items if item.tranche is line.tranche]
        if line.tokens or chosen:
            lines.append(f"{line.tranche.value}: {line.tokens:,} tokens, {len(chosen)} in all")
            lines += [f"  {words}" for words in _items_in_words(chosen)]
    if receipt.left_out:
        lines.append(f"left out: {len(receipt.left_out)}")
        lines += [f"  {words}" for words in _left_out_in_words(receipt.left_out)]
    lines += [f"took {milliseconds:.1f} ms: {name}" for name, milliseconds in receipt.timings.items()]
    return lines + [f"BROKEN: {violation}" for violation in receipt.violations]


FEW = 3
"""So many of a kind are told one by one; of more only how many there are."""

MOST_TOLD = 6
"""Things of one claim that are told one by one, the first of them; of the others only how many there are."""

_NUMBER = re.compile(r"\d[\d.,]*")
_NAMED = re.compile(r"^\S*[/:]\S* ")
"""A reason that begins with an id is the same for another id."""


def _left_out_in_words(left_out: Sequence[LeftOut]) -> list[str]:
    """A line each, and one for all that were left out for the same reason, numbers and names aside."""
    kinds: dict[tuple[str, Why, str], list[LeftOut]] = {}
    for one in left_out:
        reason = _NAMED.sub("", _NUMBER.sub("0", one.reason))
        kinds.setdefault((_noun_of(one.collection, "messages"), one.why, reason), []).append(one)
    lines: list[str] = []
    for (noun, why, _), each in kinds.items():
        if len(each) <= FEW and len(left_out) <= MOST_TOLD * FEW:
            lines += [f"{_name(one.collection, one.id)}: {why.value}, {one.reason}" for one in each]
            continue
        such = "" if len({one.reason for one in each}) == 1 else "such as "
        lines.append(f"{_many(len(each), noun)}: {why.value}, {such}{each[0].reason}")
    return _folded(lines)


def _items_in_words(items: Sequence[Item]) -> list[str]:
    """A line each for the first; those that are there for the same reason, with no score to tell them apart, in one."""
    kinds: dict[tuple[str, ...], list[Item]] = {}
    for item in items:
        is_ranked = bool(item.score or item.breakdown)
        same = (_noun_of(item.collection), *item.reasons)
        kinds.setdefault((item.collection, item.id) if is_ranked else same, []).append(item)
    lines: list[str] = []
    for (noun, *_), each in kinds.items():
        if len(each) <= FEW:
            lines += map(_item_in_words, each)
        else:
            tokens = sum(item.tokens for item in each)
            lines.append(f"{_many(len(each), noun)}, {tokens:,} tokens: {'; '.join(each[0].reasons)}")
    return _folded(lines)


def _folded(lines: list[str]) -> list[str]:
    """The first lines, and how many there are besides; one more is not worth a line that says so."""
    if len(lines) <= MOST_TOLD + 1:
        return lines
    return [*lines[:MOST_TOLD], f"and {len(lines) - MOST_TOLD} more"]


def _noun_of(collection: str, bare: str = "turns") -> str:
    """What stands in a collection, in the plural."""
    if is_authored(collection):
        return "rules"
    return "lines" if collection == PROFILE_PLACE else "memories" if collection else bare


def _many(count: int, plural: str) -> str:
    return f"{count} {plural}" if count != 1 else f"1 {_ONE[plural]}"


_ONE = {"rules": "rule", "lines": "line", "memories": "memory", "turns": "turn", "messages": "message"}


def _item_in_words(item: Item) -> str:
    parts = ", ".join(f"{name} {value:.2f}" for name, value in item.breakdown.items())
    score = f", score {item.score:.2f}{f' ({parts})' if parts else ''}" if item.score or parts else ""
    reasons = f": {'; '.join(item.reasons)}" if item.reasons else ""
    return f"{_name(item.collection, item.id)}, {item.tokens:,} tokens{score}{reasons}"


def _name(collection: str, id: str) -> str:
    return f"{collection}/{id}" if collection else id or "a message"


def budget_bar(receipt: Receipt, width: int = 60) -> list[str]:
    """The budget as a bar of letters, one per claim, with a line that tells each; dots are what is left.

    A claim that took anything gets at least one letter, so that nothing is hidden by rounding.
    """
    spent = [line for line in receipt.ledger if line.tokens]
    whole = max(receipt.budget, receipt.tokens, 1)
    marks = {line.tranche: mark for line, mark in zip(receipt.ledger, "ABCDEFGHIJ", strict=False)}
    bar = "".join(marks[line.tranche] * max(1, line.tokens * width // whole) for line in spent)
    lines = [f"[{bar[:width].ljust(width, '.')}] {receipt.tokens:,} / {receipt.budget:,} tokens"]
    return lines + [
        f"  {marks[line.tranche]} {line.tranche.value}: {line.tokens:,} of at most {line.limit:,}" for line in spent
    ]


# ── one thing ─────────────────────────────────────────────────────────────────────────────────────────────

Place = tuple[str, str]
"""A collection and an id in it; of a turn of the conversation itself the collection is empty."""

PROFILE_PLACE = CollectionKind.PROFILE.value
"""What a receipt names as the place of a line of the profile."""


def words_name(role: str, text: str) -> str:
    """What a message without an id is known by in a receipt."""
    words = f"{role}:{' '.join(text.split())}"
    return f"={blake2b(words.encode(errors='surrogatepass'), digest_size=8).hexdigest()}"


def standing(receipt: Receipt, places: Collection[Place]) -> Item | None:
    """What stands in a prompt from one of these places."""
    return next((item for item in receipt.items if (item.collection, item.id) in places), None)


def refusals(receipt: Receipt, places: Collection[Place]) -> tuple[LeftOut, ...]:
    """What is told to be left out from these places."""
    return tuple(one for one in receipt.left_out if (one.collection, one.id) in places)


def standing_in_words(item: Item) -> str:
    """Where something stands, and whether all of it does."""
    part = next((reason for reason in item.reasons if reason.startswith(PASSAGE)), "")
    whole = f" in part ({part})" if part else ""
    return f"stands in the prompt{whole}: {item.tranche.value}, {item.tokens:,} tokens"


def refusals_in_words(refused: Sequence[LeftOut]) -> str:
    """Why something was left out, each reason once."""
    reasons = dict.fromkeys(f"{one.why.value} ({one.reason})" for one in refused)
    return f"was left out: {'; '.join(reasons)}"
