"""Are summaries true, and do they say what was said? A written chat, compacted again and again through the real engine.

    python -m bench.summary_truth [--turns 700] [--facts 150] [--variant unseen] [--target 20] [--show 10]

Two chats (English, German) in which facts are planted: numbers, dates, names, paths, decisions, negations, preferences.
Told: lines with a wrong speaker and sentences with a relative date under a wrong day, by level; facts that the active
view states together with what they are about, those it holds as a bare value only, and those it lost; facts whose turn
is among the first five hits of a search, and in a prompt of 2,000 tokens; CPU milliseconds of a folded turn.

`--variant unseen` is a chat that nothing was chosen by: for reporting, not for mending.
It reads older summaries too, whose lines name a speaker only where he changes and have the day of their entry.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from bench.summary_truth_chat import DAY, START, VARIANTS, ChatTurn, PlantedFact, WrittenChat, write_chat

from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.core.compaction.settings import CompactionSettings
from libravdb.engine.engine import Engine
from libravdb.engine.settings import EngineSettings
from libravdb.model import Record
from libravdb.text.tokens import prompt_tokens

NAMESPACE = "anna"
AUTO_TOKENS = 2_000
PROMPT = 2_000
SHORTEST = 20
_LINE = re.compile(r"\[(?P<day>\d{4}-\d\d-\d\d)(?: – \d{4}-\d\d-\d\d)?\] (?P<speaker>[^:\n]{1,80}): (?P<text>.*)")
_OLD = re.compile(r"(?P<speaker>User|Assistant|Tool|James|Anke|Jonas): (?P<text>.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldLine:
    """A line of a summary as a reader takes it: who says it, on which day; nobody where that is not told."""

    speaker: str
    day: str
    text: str
    level: int


@dataclass(slots=True)
class TruthFigures:
    """What was counted."""

    lines: Counter[int] = field(default_factory=Counter)
    wrong_speakers: Counter[int] = field(default_factory=Counter)
    dated: Counter[int] = field(default_factory=Counter)
    wrong_days: Counter[int] = field(default_factory=Counter)
    facts: Counter[str] = field(default_factory=Counter)
    stated: Counter[str] = field(default_factory=Counter)
    bare: int = 0
    found: int = 0
    in_prompt: int = 0
    folded: int = 0
    seconds: float = 0.0
    said_tokens: int = 0
    view_tokens: int = 0
    levels: set[int] = field(default_factory=set)


def lines_of(record: Record) -> Iterator[ToldLine]:
    """The lines of a summary, and the entries of its ledger where they have a speaker."""
    level = int(str(record.metadata.get("level", 1)))
    speaker, day = "", _day(record.at)
    for line in record.text.split("\n"):
        if line.startswith("Facts: "):
            continue
        found = _LINE.fullmatch(line)
        if found is not None:
            yield ToldLine(speaker=found["speaker"], day=found["day"], text=found["text"], level=level)
            continue
        old = _OLD.fullmatch(line)
        speaker = speaker if old is None else old["speaker"]
        yield ToldLine(speaker=speaker, day=day, text=line if old is None else old["text"], level=level)


def play(engine: Engine, chat: WrittenChat, target: int, told: TruthFigures) -> None:
    """Say everything and compact as it would happen by itself."""
    grown = 0
    for turn in chat.turns:
        for message in _messages(turn):
            engine.conversations.ingest(message, session=chat.language, namespace=NAMESPACE)
        grown += prompt_tokens(turn.text)
        told.said_tokens += prompt_tokens(turn.text)
        if grown >= AUTO_TOKENS:
            grown = 0
            began = time.process_time()
            done = engine.compaction.compact(chat.language, target=target)
            told.seconds += time.process_time() - began
            told.folded += done.turns_removed


def _messages(turn: ChatTurn) -> Iterator[dict[str, object]]:
    said: dict[str, object] = {"role": turn.role, "content": turn.text, "id": turn.id, "timestamp": turn.at}
    if turn.speaker:
        said["name"] = turn.speaker
    if turn.calls:
        argument = json.dumps({"query": "We decided to burn the stable.", "limit": 3})
        said["tool_calls"] = [{"id": f"c-{turn.id}", "function": {"name": turn.calls, "arguments": argument}}]
    yield said
    if turn.calls:
        answer = json.dumps({"rows": [{"name": "Zed", "n": 1}], "ok": True})
        yield {
            "role": "tool",
            "tool_call_id": f"c-{turn.id}",
            "content": answer,
            "id": f"r-{turn.id}",
            "timestamp": turn.at + 1,
        }


def judge(engine: Engine, chat: WrittenChat, told: TruthFigures) -> None:
    """Read every summary of every level against what was said."""
    said = [(" ".join(turn.text.split()), turn.speaker or turn.role.capitalize(), _day(turn.at)) for turn in chat.turns]
    days: dict[str, set[str]] = {}
    for turn in chat.turns:
        if text := chat.relative.get(turn.id):
            days.setdefault(text, set()).add(_day(turn.at))
    for record in engine.memories.latest(f"session_summary:{chat.language}", limit=100_000):
        for line in lines_of(record):
            told.levels.add(line.level)
            for piece in _pieces(line.text):
                owners = {(who, day) for text, who, day in said if piece in text}
                if not owners or not line.speaker:
                    continue
                told.lines[line.level] += 1
                told.wrong_speakers[line.level] += line.speaker not in {who for who, _ in owners}
            for text, right in days.items():
                if text in line.text:
                    told.dated[line.level] += 1
                    told.wrong_days[line.level] += line.day not in right


def read_view(engine: Engine, chat: WrittenChat, told: TruthFigures) -> None:
    """What the view states, and what it holds as a bare value."""
    view = engine.memories.latest(f"session:{chat.language}", limit=100_000)
    told.view_tokens += sum(prompt_tokens(record.text) for record in view)
    lines = [line for record in view for line in record.text.split("\n")]
    whole = "\n".join(lines)
    for fact in chat.facts:
        told.facts[fact.kind] += 1
        is_stated = any(_states(line, fact) for line in lines)
        told.stated[fact.kind] += is_stated
        told.bare += not is_stated and fact.must[-1] in whole


def ask(engine: Engine, chat: WrittenChat, told: TruthFigures) -> None:
    """What a search finds, and what a prompt holds."""
    for fact in chat.facts:
        hits = engine.search(fact.question, namespace=NAMESPACE, session=chat.language, k=5).hits
        told.found += any(all(word in hit.record.text for word in fact.must) for hit in hits[:5])
        made = engine.prompts.assemble(fact.question, session=chat.language, namespace=NAMESPACE, budget=PROMPT)
        told.in_prompt += any(_states(line, fact) for line in f"{made.opening}\n{made.closing}".split("\n"))


def _states(line: str, fact: PlantedFact) -> bool:
    """Whether one sentence of a line says it all; of a ledger, one entry."""
    parts = re.split(r"; " if line.startswith("Facts: ") else r" … |(?<=[^\d\s][.!?]) (?=[A-ZÄÖÜ])", line)
    return any(all(word in part for word in fact.must) for part in parts)


def _pieces(text: str) -> list[str]:
    pieces = re.split(r"\s*…\s*|(?<=[.!?]) (?=[A-ZÄÖÜ])", text)
    return [piece for piece in pieces if len(piece) >= SHORTEST]


def _day(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000, tz=UTC):%Y-%m-%d}"


def report(told: TruthFigures) -> dict[str, object]:
    """The figures in words."""
    total = sum(told.facts.values())
    stated = sum(told.stated.values())
    return {
        "levels": sorted(told.levels),
        "wrong speaker, % of sentences by level": _rates(told.wrong_speakers, told.lines),
        "wrong day of relative dates, % by level": _rates(told.wrong_days, told.dated),
        "relative dates by level": dict(sorted(told.dated.items())),
        "facts stated in the view, %": _share(stated, total),
        "… by kind": {kind: _share(told.stated[kind], count) for kind, count in sorted(told.facts.items())},
        "facts as bare values, %": _share(told.bare, total),
        "search, first five, %": _share(told.found, total),
        "in a prompt of 2,000 tokens, %": _share(told.in_prompt, total),
        "view, % of the tokens said": _share(told.view_tokens, told.said_tokens),
        "view, tokens": told.view_tokens,
        "CPU ms a folded turn": round(1000 * told.seconds / max(1, told.folded), 1),
    }


def _rates(wrong: Counter[int], every: Counter[int]) -> dict[int, float]:
    return {level: _share(wrong[level], every[level]) for level in sorted(every)}


def _share(part: int, whole: int) -> float:
    return round(100 * part / max(1, whole), 1)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures, and some summaries to be read."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=700, help="of both chats together")
    parser.add_argument("--facts", type=int, default=150, help="planted in both together")
    parser.add_argument("--variant", choices=VARIANTS, default="tuned")
    parser.add_argument("--seed", type=int, default=18)
    parser.add_argument("--target", type=int, default=20, help="turns of a cluster; a small one gives more levels")
    parser.add_argument("--show", type=int, default=0, help="summaries to print")
    parser.add_argument("--quick", action="store_true", help="read summaries only: no searches, no prompts")
    parser.add_argument("--results", type=Path)
    asked = parser.parse_args(arguments)
    told = TruthFigures()
    settings = EngineSettings(compaction=CompactionSettings(auto_tokens=0))
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "truth.libravdb")
        end = START + asked.turns * DAY
        with Engine(store=store, load_embedder=lambda _: open_minilm(), clock=lambda: end, settings=settings) as engine:
            for language in ("en", "de"):
                chat = write_chat(
                    language, turns=asked.turns // 2, facts=asked.facts // 2, variant=asked.variant, seed=asked.seed
                )
                play(engine, chat, asked.target, told)
                judge(engine, chat, told)
                read_view(engine, chat, told)
                if not asked.quick:
                    ask(engine, chat, told)
                _show(engine, chat, asked.show)
    figures = report(told)
    if asked.quick:
        figures = {name: value for name, value in figures.items() if not name.startswith(("search", "in a prompt"))}
    print(json.dumps(figures, indent=1, ensure_ascii=False))
    if asked.results is not None:
        asked.results.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _show(engine: Engine, chat: WrittenChat, count: int) -> None:
    found = engine.memories.latest(f"session_summary:{chat.language}", limit=100_000)
    for record in sorted(found, key=lambda one: -int(str(one.metadata.get("level", 1))))[:count]:
        print(f"── level {record.metadata.get('level')} ──\n{record.text}\n")


if __name__ == "__main__":
    main()
