"""What a cluster says that must not get lost: listed before it is folded, looked for in the summary, and what is
missing written behind it in one compact line, the ledger.

The same reading finds facts in the sources and in the summary, so that "1,200 km" is found again in "1200 kilometres"
and "7 May 2023" in "2023-05-07". Decisions, preferences and denials stand in the ledger with their clause; everything
stands there under the day and the speaker of the turn that told it:

    Facts: [2023-10-12] James: I do not eat meat; room 42; [2023-10-14] Anna: ABC-123
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from itertools import groupby

from libravdb.core.compaction.clauses import MOST_WORDS, clause_around
from libravdb.core.compaction.fact_readers import LONGEST, Written, read
from libravdb.core.compaction.names import find_names, name_key, name_keys
from libravdb.model import Fact, FactKind
from libravdb.text.sentences import Span, sentences
from libravdb.text.tokens import prompt_tokens

LEDGER = "Facts: "
"""How a ledger begins. It is the last line of a summary: in a turn the same words are speech."""

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
    FactKind.NAME: 1,
    FactKind.DECISION: 5.5,
    FactKind.PREFERENCE: 5.5,
    FactKind.NEGATION: 5.5,
}
"""Which facts a ledger takes first. A single name usually survives in words; a full one whose clause is known counts
more. What is told with its clause is long."""

STANCES = frozenset((FactKind.DECISION, FactKind.PREFERENCE, FactKind.NEGATION))
"""What is told with its clause."""

_WHOLE = STANCES | {FactKind.COMMAND, FactKind.URL}
"""What says by itself what it is about."""

_RELATIVE = re.compile(r"(?!m\d\d)[^\W\d_]{3,}(?: [^\W_]+)*|\d+ [^\W\d_]+ ago")
_LABEL = re.compile(r"(?P<label>\[[^\]\n]{1,30}\] [^:\n;]{1,80}): ")


class ClauseUse(StrEnum):
    """When a ledger tells what its values are about: before it takes a further value, after all of them, or never."""

    FIRST = "first"
    LAST = "last"
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerGroup:
    """Entries of a ledger under one label, the day and the speaker; an older ledger has none."""

    label: str
    entries: tuple[str, ...]


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


def inventory(
    texts: Sequence[str], *, labels: Sequence[str] = (), ledgers: Sequence[LedgerGroup] = ()
) -> tuple[Fact, ...]:
    """The facts of texts in order, each once, with the place and the label of the text that names it first; then those
    of ledgers that earlier summaries brought, whose places lie behind the texts."""
    bodies = [_readable(text) for text in texts]
    readings = [read(body) for body in bodies]
    names = find_names([reading.rest for reading in readings])
    found = [[*reading.facts, *_named(each)] for reading, each in zip(readings, names, strict=True)]
    found += [list(_read_entries(group.entries)) for group in ledgers]
    about: list[_Clauses | _EntryClauses] = [
        *map(_Clauses, bodies),
        *(_EntryClauses(group.entries) for group in ledgers),
    ]
    known = [*labels, *[""] * (len(texts) - len(labels)), *(group.label for group in ledgers)]
    listed: dict[tuple[FactKind, str], Fact] = {}
    for place, (label, facts) in enumerate(zip(known, found, strict=True)):
        for kind, written, normal in facts:
            fact = listed.get((kind, normal))
            listed[kind, normal] = (
                Fact(
                    kind=kind,
                    text=written,
                    normal=normal,
                    source=place,
                    label=label,
                    clause="" if kind in _WHOLE else about[place].around(written),
                )
                if fact is None
                else replace(fact, count=fact.count + 1)
            )
    return tuple(listed.values())


def survival(facts: Sequence[Fact], text: str) -> Survival:
    """Which of the facts are found in a summary, its ledger included; days and speakers of its lines are no facts."""
    body, line = split_ledger(text)
    entries = [entry for group in read_ledger(line) for entry in group.entries]
    said = "\n".join(_LABEL.sub("", one, count=1) if one.startswith("[") else one for one in body.split("\n"))
    told = (*read(said).facts, *_read_entries(entries))
    held = {(kind, form) for kind, _, normal in told for form in _forms(kind, normal)}
    written = {entry.casefold() for entry in entries}
    flat = " ".join(said.split()).casefold()
    words = name_keys(f"{said}\n{'; '.join(entries)}")
    found: list[Fact] = []
    missing: list[Fact] = []
    for fact in facts:
        is_held = (
            (fact.kind, fact.normal) in held
            or _entry(fact).casefold() in written
            or (fact.kind is FactKind.NAME and fact.normal in words)
            or (fact.kind in STANCES and fact.normal in flat)
        )
        (found if is_held else missing).append(fact)
    return Survival(found=tuple(found), missing=tuple(missing), rates=_rates(found, missing))


def ledger(facts: Iterable[Fact], *, max_tokens: int, clauses: ClauseUse = ClauseUse.LAST) -> str:
    """One line that names the facts, the most telling of them, in the order in which they were said and under their
    labels, in at most so many tokens; empty when none fits. A relative date ("tomorrow") says nothing by itself."""
    telling = [fact for fact in facts if not (fact.kind is FactKind.DATE and _RELATIVE.fullmatch(fact.normal))]
    ranked = sorted(telling, key=lambda fact: (-_telling(fact), fact.source))
    line = _OpenLedger(max_tokens)
    for fact in ranked:
        if not line.holds(fact) and not (clauses is ClauseUse.FIRST and line.add_clause(fact)):
            line.add(fact, _entry(fact))
    for fact in ranked if clauses is ClauseUse.LAST else ():
        line.add_clause(fact)
    return LEDGER + _SEPARATOR.join(_told(line.entries)) if line.entries else ""


class _OpenLedger:
    """A ledger while it is written: its entries, and the tokens that are left."""

    def __init__(self, max_tokens: int) -> None:
        self.entries: dict[str, Fact] = {}
        self._by_label: dict[str, list[str]] = {}
        self._left = max_tokens - _price(LEDGER)

    def holds(self, fact: Fact) -> bool:
        """Whether an entry of the same day and speaker names it already."""
        return any(_tells(entry, fact) for entry in self._by_label.get(fact.label, ()))

    def add_clause(self, fact: Fact) -> bool:
        """Write what a fact is about, if that is known, names it still, and has room."""
        clause = _clause(fact)
        return bool(clause) and _tells(clause, fact) and self.add(fact, clause)

    def add(self, fact: Fact, entry: str) -> bool:
        """Write an entry if there is room; what stood under its label and is named in it gives way."""
        if not entry or entry in self.entries:
            return False
        known = self._by_label.get(fact.label, [])
        label = "" if not fact.label or known else f"{fact.label}: "
        named = [one for one in known if one in entry and _tells(entry, self.entries[one])]
        freed = sum(_price(_SEPARATOR + one) for one in named)
        cost = _price(label + (_SEPARATOR + entry if self.entries else entry))
        if cost > self._left + freed:
            return False
        for one in named:
            del self.entries[one]
        self.entries[entry] = fact
        self._by_label[fact.label] = [*(one for one in known if one not in named), entry]
        self._left += freed - cost
        return True


def _tells(entry: str, fact: Fact) -> bool:
    """Whether somebody who reads an entry finds a fact in it."""
    return (fact.kind, fact.normal) in _told_by(entry)


@lru_cache(maxsize=4096)
def _told_by(entry: str) -> frozenset[tuple[FactKind, str]]:
    facts = {(kind, normal) for kind, _, normal in read(entry).facts}
    return frozenset(facts | {(FactKind.NAME, key) for key in name_keys(entry)})


def _names(whole: str, part: str) -> bool:
    """Whether a part stands in a text, not inside a word of it."""
    return part in whole and re.search(rf"(?<!\w){re.escape(part)}(?!\w)", whole) is not None


def _told(entries: Mapping[str, Fact]) -> Iterator[str]:
    """Entries in order, those of a label behind it."""
    order = {label: place for place, label in enumerate(_labels(entries))}
    ranked = sorted(entries.items(), key=lambda one: order[one[1].label])
    for label, group in groupby(ranked, key=lambda one: one[1].label):
        first, *later = (entry for entry, _ in group)
        yield f"{label}: {first}" if label else first
        yield from later


def _labels(entries: Mapping[str, Fact]) -> list[str]:
    """The labels of entries in the order of time; what has none comes first, so that it stands under no other's."""
    return sorted({fact.label for fact in entries.values()}, key=lambda label: (label[:12], label) if label else ("",))


def split_ledger(text: str) -> tuple[str, str]:
    """A summary without its ledger, and the ledger: its last line, if it is one."""
    body, newline, last = text.rpartition("\n")
    return (body, last) if newline and last.startswith(LEDGER) else (text, "")


def read_ledger(line: str) -> tuple[LedgerGroup, ...]:
    """The entries of a ledger by who said them when."""
    groups: dict[str, list[str]] = {}
    label = ""
    for told in line.removeprefix(LEDGER).split(_SEPARATOR) if line else ():
        found = _LABEL.match(told)
        label = label if found is None else found["label"]
        entry = told if found is None else told[found.end() :]
        if entry.strip():
            groups.setdefault(label, []).append(entry.strip())
    return tuple(LedgerGroup(label=label, entries=tuple(entries)) for label, entries in groups.items())


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
    full = 3.0 if fact.kind is FactKind.NAME and " " in fact.normal and fact.clause else 0.0
    return WEIGHTS[fact.kind] - bare + full + 0.5 * min(fact.count - 1, 3)


def _entry(fact: Fact) -> str:
    """A fact as the ledger writes it: one line, no separator inside, not longer than is useful."""
    return " ".join(fact.text.replace(_SEPARATOR, ", ").split())[:LONGEST].strip(" ;[")


def _clause(fact: Fact) -> str:
    """What a fact is about, as the ledger writes it; empty where nothing says so."""
    return " ".join(fact.clause.replace(_SEPARATOR, ", ").split())[:LONGEST].strip(" ;[")


class _Clauses:
    """The sentences of a text, to say of its values what they are about; cut only when they are asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._spans: list[Span] | None = None

    def around(self, written: str) -> str:
        """The clause of the sentence that names something first."""
        found = re.search(rf"(?<!\w){re.escape(written)}(?!\w)", self._text)
        if found is None:
            return ""
        if self._spans is None:
            self._spans = sentences(self._text)
        at = bisect_right(self._spans, found.start(), key=lambda span: span[0]) - 1
        start, end = self._spans[at] if at >= 0 else (0, 0)
        return clause_around(self._text[start:end], found.start() - start, found.end() - start) if end else ""


class _EntryClauses:
    """The entries of a ledger, which say already what their values are about."""

    def __init__(self, entries: Sequence[str]) -> None:
        self._entries = entries

    def around(self, written: str) -> str:
        """The entry that names something first, unless it is longer than a clause."""
        entry = next((one for one in self._entries if _names(one, written)), "")
        return entry if entry != written and len(entry.split()) <= MOST_WORDS else ""


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


def _read_entries(entries: Sequence[str]) -> Iterator[Written]:
    """The facts of ledger entries and the names in them; one that reads like none of the others is a name."""
    readings = [read(entry) for entry in entries]
    names = find_names([reading.rest for reading in readings])
    for entry, reading, named in zip(entries, readings, names, strict=True):
        yield from (*reading.facts, *_named(named)) or ((FactKind.NAME, entry, name_key(entry)),)
