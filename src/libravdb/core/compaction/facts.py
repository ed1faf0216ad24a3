"""What a cluster says that must not get lost: listed before it is folded, looked for in the summary, and what is
missing written behind it in one compact line, the ledger.

The same reading finds facts in the sources and in the summary, so that "1,200 km" is found again in "1200 kilometres"
and "7 May 2023" in "2023-05-07".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from libravdb.core.compaction.fact_readers import LONGEST, Written, read
from libravdb.core.compaction.names import find_names, name_key, name_keys
from libravdb.model import Fact, FactKind
from libravdb.text.tokens import prompt_tokens

LEDGER = "Facts: "
"""How a ledger line begins."""

LONGEST_READ = 60_000
"""Characters of a text that are read; of a longer one its head and, half as long, its tail."""

_SEPARATOR = "; "

WEIGHTS: dict[FactKind, float] = {
    FactKind.IDENTIFIER: 9,
    FactKind.PATH: 8,
    FactKind.COMMAND: 8,
    FactKind.URL: 7,
    FactKind.DATE: 6,
    FactKind.NUMBER: 5,
    FactKind.TIME: 5,
    FactKind.NAME: 3,
    FactKind.DECISION: 2,
}
"""Which facts a ledger takes first. Names and decisions usually survive in words, and decisions are long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Survival:
    """Which facts a text holds. `rates` tell the share per kind, for the kinds that there are."""

    found: tuple[Fact, ...]
    missing: tuple[Fact, ...]
    rates: Mapping[FactKind, float] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """The share of all; 1 when there is nothing to lose."""
        total = len(self.found) + len(self.missing)
        return len(self.found) / total if total else 1.0


def inventory(texts: Sequence[str]) -> tuple[Fact, ...]:
    """The facts of texts in order, each once, with the place of the text that names it first."""
    bodies = [split_ledger(_readable(text)) for text in texts]
    listed: dict[tuple[FactKind, str], Fact] = {}
    readings = [read(body) for body, _ in bodies]
    names = find_names([reading.rest for reading in readings])
    for place, (_, entries) in enumerate(bodies):
        found = [*readings[place].facts, *_named(names[place]), *_read_entries(entries)]
        for kind, written, normal in found:
            fact = listed.get((kind, normal))
            listed[kind, normal] = (
                Fact(kind=kind, text=written, normal=normal, source=place)
                if fact is None
                else replace(fact, count=fact.count + 1)
            )
    return tuple(listed.values())


def survival(facts: Sequence[Fact], text: str) -> Survival:
    """Which of the facts are found in a text, its ledger included."""
    body, entries = split_ledger(text)
    told = (*read(body).facts, *_read_entries(entries))
    held = {(kind, form) for kind, _, normal in told for form in _forms(kind, normal)}
    written = {entry.casefold() for entry in entries}
    words = name_keys(text)
    found: list[Fact] = []
    missing: list[Fact] = []
    for fact in facts:
        is_held = (
            (fact.kind, fact.normal) in held
            or _entry(fact).casefold() in written
            or (fact.kind is FactKind.NAME and fact.normal in words)
        )
        (found if is_held else missing).append(fact)
    return Survival(found=tuple(found), missing=tuple(missing), rates=_rates(found, missing))


def ledger(facts: Iterable[Fact], *, max_tokens: int) -> str:
    """One line that names the facts, the most telling first, in at most so many tokens; empty when none fits."""
    ranked = sorted(facts, key=lambda fact: (-_telling(fact), fact.source))
    entries: dict[str, None] = {}
    left = max_tokens - _price(LEDGER)
    for fact in ranked:
        entry = _entry(fact)
        cost = _price(_SEPARATOR + entry if entries else entry)
        if entry and entry not in entries and cost <= left:
            entries[entry] = None
            left -= cost
    return LEDGER + _SEPARATOR.join(entries) if entries else ""


def split_ledger(text: str) -> tuple[str, tuple[str, ...]]:
    """A text without its ledger lines, and their entries."""
    if LEDGER not in text:
        return text, ()
    lines = text.split("\n")
    entries = [entry for line in lines if line.startswith(LEDGER) for entry in line[len(LEDGER) :].split(_SEPARATOR)]
    body = "\n".join(line for line in lines if not line.startswith(LEDGER))
    return body, tuple(entry.strip() for entry in entries if entry.strip())


def _readable(text: str) -> str:
    if len(text) <= LONGEST_READ:
        return text
    tail = LONGEST_READ // 3
    return f"{text[: LONGEST_READ - tail]}\n{text[-tail:]}"


def _price(piece: str) -> float:
    """Tokens of a piece of a line, not rounded up where that can be had cheaply."""
    return len(piece) / 4 if piece.isascii() else float(prompt_tokens(piece))


def _telling(fact: Fact) -> float:
    bare = 2.0 if fact.kind is FactKind.NUMBER and " " not in fact.normal else 0.0
    return WEIGHTS[fact.kind] - bare + 0.5 * min(fact.count - 1, 3)


def _entry(fact: Fact) -> str:
    """A fact as the ledger writes it: one line, no separator inside, not longer than is useful."""
    return " ".join(fact.text.replace(_SEPARATOR, ";").split())[:LONGEST].strip(" ;")


def _rates(found: Sequence[Fact], missing: Sequence[Fact]) -> dict[FactKind, float]:
    kept = {kind: sum(fact.kind is kind for fact in found) for kind in FactKind}
    lost = {kind: sum(fact.kind is kind for fact in missing) for kind in FactKind}
    return {kind: kept[kind] / (kept[kind] + lost[kind]) for kind in FactKind if kept[kind] + lost[kind]}


def _forms(kind: FactKind, normal: str) -> Iterator[str]:
    """Everything that a found fact answers for: a full date also says its month, its day and its year."""
    yield normal
    if kind is FactKind.DATE and re.fullmatch(r"\d{4}-\d\d-\d\d", normal):
        yield from (normal[5:], normal[:7], normal[:4], f"m{normal[5:7]}")
    elif kind is FactKind.DATE and re.fullmatch(r"\d{4}-\d\d", normal):
        yield from (normal[:4], f"m{normal[5:7]}")
    elif kind is FactKind.DATE and re.fullmatch(r"\d\d-\d\d", normal):
        yield f"m{normal[:2]}"
    elif kind is FactKind.NUMBER and " " in normal:
        yield normal.split(" ", 1)[0]


def _named(names: Iterable[str]) -> Iterator[Written]:
    return ((FactKind.NAME, name, name_key(name)) for name in names)


def _read_entries(entries: Iterable[str]) -> Iterator[Written]:
    """The facts of ledger entries; one that reads like none of the others is a name."""
    for entry in entries:
        yield from read(entry).facts or ((FactKind.NAME, entry, name_key(entry)),)
