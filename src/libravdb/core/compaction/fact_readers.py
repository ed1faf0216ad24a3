"""Readers: a text to the facts of one kind, as they are written and as they are compared. Linear in time.

The readers look at a text one after the other; what one of them took the next cannot see, so that the digits of a date
are no numbers and the path of an address is no path.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from libravdb.core.compaction import fact_patterns
from libravdb.core.compaction.stances import find_stance, may_hold_stance
from libravdb.model import FactKind
from libravdb.text.analysis import STOP_WORDS
from libravdb.text.sentences import sentences

LONGEST = 160
"""Characters of a fact that are told; only commands and what is told with its clause come near."""

WHOLE = 100
"""Characters of a sentence that is told whole where something is decided, preferred or denied in it."""

MASK = "\ufffc"
"""Stands where a fact was, for the readers that follow."""

_DIGIT = re.compile(r"\d")
_TRAILING = ".,;:!?)]}'\"*_"
_STOPS = frozenset().union(*STOP_WORDS.values()) | frozenset("more other such each per times time etc ones or".split())

Found = tuple[int, int, str, str]
"""Where a fact stands, how it is written, how it is compared."""

Written = tuple[FactKind, str, str]
"""What a fact is, how it is written, how it is compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedFacts:
    """The facts of a text but its names, in the order of their places, and the text with them masked."""

    facts: tuple[Written, ...]
    rest: str


def read(text: str) -> ExtractedFacts:
    """Show a text to every reader. What one of them took the next cannot see."""
    placed: list[tuple[int, FactKind, str, str]] = []
    rest = text
    for kind, reader in READERS:
        spans: list[tuple[int, int]] = []
        for start, end, written, normal in reader(rest):
            spans.append((start, end))
            if written:
                placed.append((start, kind, written, normal))
        rest = _masked(rest, spans)
    placed.extend(_stances(text))
    placed.sort(key=lambda each: each[0])
    return ExtractedFacts(facts=tuple((kind, written, normal) for _, kind, written, normal in placed), rest=rest)


def _masked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    if not spans:
        return text
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        start = max(start, at)  # noqa: PLW2901 - a word between two numbers may belong to both
        pieces += [text[at:start], MASK * (end - start)]
        at = end
    return "".join([*pieces, text[at:]])


# ── readers: a text to the facts of one kind ──────────────────────────────────────────────────────────────


def _urls(text: str) -> Iterator[Found]:
    if "://" not in text and "www." not in text:
        return
    for found in fact_patterns.URL.finditer(text):
        url = found[0].rstrip(_TRAILING)
        yield found.start(), found.start() + len(url), url, url.rstrip("/")


def _emails(text: str) -> Iterator[Found]:
    if "@" not in text:
        return
    for found in fact_patterns.EMAIL.finditer(text):
        yield found.start(), found.end(), found[0], found[0].casefold()


def _quoted_commands(text: str) -> Iterator[Found]:
    if "`" not in text:
        return
    for found in fact_patterns.INLINE.finditer(text):
        if fact_patterns.QUOTED_COMMAND.match(found[1]):
            yield found.start(), found.end(), found[1], " ".join(found[1].split())


def _prompted_commands(text: str) -> Iterator[Found]:
    if not any(mark in text for mark in ("$ ", "% ", "> ")):
        return
    for found in fact_patterns.PROMPTED.finditer(text):
        yield found.start(), found.end(), found["line"], " ".join(found["line"].split())


def _commands(text: str) -> Iterator[Found]:
    """Commands in prose reach as far as their words look like arguments."""
    behind = 0
    for found in fact_patterns.COMMAND.finditer(text):
        if found.start() < behind:
            continue
        end = found.end()
        for _ in range(8):
            word = fact_patterns.ARGUMENT.match(text, end) or fact_patterns.ARGUMENT.match(text, end - 1)
            if word is None or word.end() <= end or not _is_argument(word["word"]):
                break
            bare = word["word"].rstrip(_TRAILING)
            end = word.start("word") + len(bare)
            if bare != word["word"]:
                break
        behind = end
        command = " ".join(text[found.start() : end].split())
        yield found.start(), end, command, command


def _is_argument(word: str) -> bool:
    bare = word.rstrip(_TRAILING)
    return bool(bare) and MASK not in bare and bare.casefold() not in _STOPS and not bare[0].isupper()


def _paths(text: str) -> Iterator[Found]:
    for found in fact_patterns.PATH.finditer(text):
        path = found[0].rstrip(".")
        if path.lower() not in fact_patterns.PRODUCTS and any(c.isalpha() for c in path):
            yield found.start(), found.start() + len(path), path, path.removeprefix("./")


def _quoted_names(text: str) -> Iterator[Found]:
    """Inline code of one word is the name of something."""
    if "`" not in text:
        return
    for found in fact_patterns.INLINE.finditer(text):
        name = found[1].strip()
        if name and " " not in name and MASK not in name and any(c.isalpha() for c in name):
            yield found.start(), found.end(), name, name.removesuffix("()")


def _identifiers(text: str) -> Iterator[Found]:
    for found in fact_patterns.IDENTIFIER.finditer(text):
        yield found.start(), found.end(), found[0], found[0].removesuffix("()")


def _dates(text: str) -> Iterator[Found]:
    for found in fact_patterns.DATE.finditer(text):
        start = found.start("month") if found["month"] else found.start()
        yield start, found.end(), text[start : found.end()], _date_key(found)


def _date_key(found: re.Match[str]) -> str:
    for year, month, day in (
        ("iy", "im", "id"),
        ("hy", "hm", "hd"),
        ("y1", "m1", "d1"),
        ("y2", "m2", "d2"),
        ("y3", "m3", ""),
    ):
        if found[month]:
            number = fact_patterns.MONTHS.get(found[month].casefold(), 0) or int(found[month])
            return _join_date(found[year], number, found[day] if day else None)
    if found["slash"]:
        return "/".join(part.zfill(2) for part in re.split(r"[/.]", found["slash"]))
    if found["month"]:
        return f"m{fact_patterns.MONTHS[found['month'].casefold()]:02}"
    return " ".join(_digits(word) for word in found[0].casefold().split())


def _join_date(year: str | None, month: int, day: str | None) -> str:
    if year and day:
        return f"{year}-{month:02}-{int(day):02}"
    if day:
        return f"{month:02}-{int(day):02}"
    return f"{year}-{month:02}" if year else f"m{month:02}"


def _times(text: str) -> Iterator[Found]:
    words = {"noon": "12:00", "mittags": "12:00", "mediodía": "12:00", "midi": "12:00"}
    for found in fact_patterns.TIME.finditer(text):
        if found["word"]:
            yield found.start(), found.end(), found[0], words.get(found["word"].casefold(), "00:00")
            continue
        hour = int(found["h1"] or found["h2"] or found["h3"] or found["h4"] or found["h5"])
        minute = found["m1"] or found["m2"] or found["m4"] or found["m5"] or "0"
        second = found["s1"] or found["s2"] or ""
        if found["half"]:
            hour = hour % 12 + (12 if found["half"].casefold() == "p" else 0)
        if hour < 25:
            clock = f"{hour:02}:{int(minute):02}" + (f":{second}" if second else "")
            yield found.start(), found.end(), found[0].rstrip(), clock


def _list_marks(text: str) -> Iterator[Found]:
    """The numbers of a numbered list are no facts: they are masked and not reported."""
    if _DIGIT.search(text) is None:
        return
    for found in fact_patterns.LIST_MARK.finditer(text):
        yield found.start(), found.end(), "", ""


def _numbers(text: str) -> Iterator[Found]:
    if _DIGIT.search(text) is None:
        return
    for found in fact_patterns.NUMBER.finditer(text):
        value = re.sub(r"[,'\u202f](?=\d{3}(?!\d))", "", found["value"])
        value = re.sub(r"(?<=\.\d)0+$", "", value.replace(",", ".")) + re.sub(
            r"[\s$€£]", "", (found["range"] or "").replace("–", "-").replace("—", "-")
        )
        unit = (found["money"] or found["sign"] or found["joined"] or found["han"] or "").strip()
        end = found.end()
        scale = (found["scale"] or "").strip().casefold()
        start, end, label = _with_label(text, found.start(), end, is_named=bool(unit))
        key = " ".join(filter(None, (value + (found["ordinal"] or ""), scale, _unit(unit or label))))
        yield start, end, text[start:end], key


def _counts(text: str) -> Iterator[Found]:
    for found in fact_patterns.COUNTED.finditer(text):
        _, end, label = _with_label(text, found.start(), found.end(), is_named=False)
        if label:
            words = re.split(r"[ -]", found["words"].casefold())
            key = " ".join((*(_digits(word) for word in words), _unit(label)))
            yield found.start(), end, text[found.start() : end], key


def _with_label(text: str, start: int, end: int, *, is_named: bool) -> tuple[int, int, str]:
    """A number with the word that says what it counts, behind it or else before it."""
    if is_named:
        return start, end, ""
    after = fact_patterns.FOLLOWING.match(text, end)
    if after and _counts_things(after["word"]):
        return start, after.end(), after["word"]
    before = fact_patterns.PRECEDING.search(text[max(0, start - 28) : start])
    if before and before["word"].casefold() not in _STOPS:
        begin = start - len(before[0])
        return begin, end, before["word"]
    return start, end, ""


def _counts_things(word: str) -> bool:
    folded = word.casefold()
    return folded in fact_patterns.UNITS or (folded not in _STOPS and (len(word) <= 3 or not word.isupper()))


def _unit(unit: str) -> str:
    folded = unit.casefold()
    known = fact_patterns.UNITS.get(folded)
    if known:
        return known
    return folded[:-1] if len(folded) > 3 and folded.endswith("s") and not folded.endswith("ss") else folded


def _digits(word: str) -> str:
    value = fact_patterns.NUMBER_WORDS.get(word)
    return str(value) if value is not None else (_unit(word) if word.isalpha() else word)


def _stances(text: str) -> Iterator[tuple[int, FactKind, str, str]]:
    """The sentences in which something is decided, preferred or denied: a short one whole, a longer one from the clause
    on that does it."""
    if not may_hold_stance(text):
        return
    for start, end in sentences(text):
        sentence = text[start:end]
        stance = find_stance(sentence)
        if stance is None:
            continue
        kind, place = stance
        clause = max(sentence.rfind(mark, 0, place) for mark in (", ", "; ", ": ", "，"))
        is_cut = len(sentence) > WHOLE and clause >= 0 and place - clause > 2
        begin = clause + 2 if is_cut else 0
        said = " ".join(sentence[begin : begin + LONGEST].split()).rstrip(_TRAILING)
        if said:
            yield start + begin, kind, said, said.casefold()


READERS: tuple[tuple[FactKind, Callable[[str], Iterator[Found]]], ...] = (
    (FactKind.URL, _urls),
    (FactKind.IDENTIFIER, _emails),
    (FactKind.COMMAND, _quoted_commands),
    (FactKind.COMMAND, _prompted_commands),
    (FactKind.COMMAND, _commands),
    (FactKind.PATH, _paths),
    (FactKind.IDENTIFIER, _quoted_names),
    (FactKind.DATE, _dates),
    (FactKind.TIME, _times),
    (FactKind.NUMBER, _list_marks),
    (FactKind.IDENTIFIER, _identifiers),
    (FactKind.NUMBER, _numbers),
    (FactKind.NUMBER, _counts),
)
"""Who reads a text, in order: what looks most like something comes first."""
