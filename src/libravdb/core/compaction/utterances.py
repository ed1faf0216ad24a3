"""Who said what on which day: turns as they are told in a summary, and the lines of a summary read back.

Every line of a summary begins with its day and its speaker, `[2023-10-12] James: …`. A summary of summaries reads these
lines and never takes the summary for the speech of one role. The ledger is told apart by its place, the last line of a
summary, and by having no such beginning: whatever a person says has one.

Older summaries name a speaker only where he changes, and no days. Their lines get the days that the whole stands for;
a line of which nobody knows the speaker is told as one of an earlier summary.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from libravdb.core.compaction.facts import LedgerGroup, read_ledger, split_ledger
from libravdb.core.compaction.labels import UNDATED, day_of, label_of, speaker_of
from libravdb.core.compaction.sanitise import DATA, sanitise, without_payload
from libravdb.core.compaction.small_talk import is_small_talk
from libravdb.model import Role, Source

PASSING, TOOL = 0.1, 0.5
EARLIER = "Earlier summary"
"""Who speaks in a line of which nobody knows the speaker."""

_TOOL = speaker_of(Role.TOOL)
_DAY = r"\d{4}-\d\d-\d\d"
_LINE = re.compile(rf"\[(?P<day>{_DAY}(?: – {_DAY})?|{UNDATED})\] (?P<speaker>[^:\n]{{1,80}}): (?P<text>.*)", re.DOTALL)
_OLD_LABEL = re.compile(r"(?P<speaker>[^\W\d_][^:\n.!?,;]{0,39}): (?=\S)")
_CALLED = re.compile(r"called (?P<calls>[^\s,]{1,100}(?: \(\d+ calls\))?(?:, [^\s,]{1,100}(?: \(\d+ calls\))?)*)")
_CALLS = re.compile(r"(?P<name>[^\s,]+)(?: \((?P<count>\d+) calls\))?(?:, |$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """What somebody said on a day. `is_passing` marks small talk, `calls` count the tools of one that holds no words;
    `origin` is the place of the source that tells it."""

    day: str
    speaker: str
    text: str
    origin: int = 0
    is_passing: bool = False
    calls: tuple[tuple[str, int], ...] = ()

    @property
    def label(self) -> str:
        """How its line begins."""
        return label_of(self.day, self.speaker)

    @property
    def count(self) -> float:
        """How much it counts when a cluster is folded: small talk goes first, then what tools said."""
        if self.is_passing or self.calls or self.text == DATA:
            return PASSING
        return TOOL if self.speaker == _TOOL else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterSpeech:
    """What the sources of a cluster say, in order, and the ledgers of those that are summaries."""

    utterances: tuple[Utterance, ...]
    ledgers: tuple[LedgerGroup, ...] = ()


def read_said(sources: Sequence[Source]) -> ClusterSpeech:
    """What the sources say. Calls of tools that follow one another are one; what a tool gave back as data is told only
    where nothing else is."""
    utterances: list[Utterance] = []
    ledgers: list[LedgerGroup] = []
    for place, source in enumerate(sources):
        body, line = split_ledger(source.text) if source.is_summary else (source.text, "")
        told = _lines_of(source, body) if source.is_summary else _turn(source)
        utterances.extend(replace(one, origin=place) for one in told)
        ledgers.extend(read_ledger(line))
    spoken = [one for one in utterances if one.text.strip() and one.text != DATA]
    return ClusterSpeech(utterances=tuple(_joined_calls(spoken or utterances)), ledgers=tuple(ledgers))


def _turn(source: Source) -> Iterator[Utterance]:
    role = str(source.role)
    text, calls = (sanitise(source.text), ()) if role == Role.USER else without_payload(sanitise(source.text))
    counted = tuple(Counter(calls).items())
    yield Utterance(
        day=day_of(source.at),
        speaker=speaker_of(role, source.speaker),
        text=text if text.strip() or not counted else _calls_in_words(counted),
        is_passing=source.is_passing or is_small_talk(text),
        calls=() if text.strip() else counted,
    )


def _lines_of(source: Source, body: str) -> Iterator[Utterance]:
    """The lines of a summary as what they are: said by somebody on a day."""
    first, last = day_of(source.since), day_of(source.at)
    span = first if first == last else f"{first} – {last}"
    speaker = EARLIER
    for line in filter(str.strip, body.split("\n")):
        found = _LINE.fullmatch(line)
        if found is None:
            old = _OLD_LABEL.match(line) if source.level == 1 else None  # above that older labels are not to be trusted
            speaker = speaker if old is None else old["speaker"]
            yield Utterance(day=span, speaker=speaker, text=line if old is None else line[old.end() :])
            continue
        text = found["text"]
        called = _CALLED.fullmatch(text)
        yield Utterance(
            day=found["day"],
            speaker=found["speaker"],
            text=text,
            is_passing=is_small_talk(text),
            calls=() if called is None else tuple(_read_calls(called["calls"])),
        )


def _read_calls(told: str) -> Iterator[tuple[str, int]]:
    return ((one["name"], int(one["count"] or 1)) for one in _CALLS.finditer(told))


def _joined_calls(utterances: Sequence[Utterance]) -> Iterator[Utterance]:
    """Utterances, those that are nothing but calls of one speaker and day in one."""
    waiting: Utterance | None = None
    for one in utterances:
        if waiting is not None and one.calls and one.label == waiting.label:
            counts = Counter(dict(waiting.calls))
            counts.update(dict(one.calls))
            waiting = replace(waiting, calls=tuple(counts.items()), text=_calls_in_words(tuple(counts.items())))
            continue
        if waiting is not None:
            yield waiting
        waiting = one if one.calls else None
        if waiting is None:
            yield one
    if waiting is not None:
        yield waiting


def _calls_in_words(calls: Sequence[tuple[str, int]]) -> str:
    return "called " + ", ".join(f"{name} ({count} calls)" if count > 1 else name for name, count in calls)
