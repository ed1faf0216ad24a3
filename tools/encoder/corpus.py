"""The conversations that we wrote for the encoder, with questions and the turns that answer them.

    python -m tools.encoder.corpus check [FILE …]          is every file sound, and what does the corpus hold?
    python -m tools.encoder.corpus build --split held OUT  one part of it in the shape that `bench.recall` reads

A file is a conversation, written to be read:

    # Two flatmates move
    == 2025-03-02 19:20
    Nadia: We got the flat!
    Tom [deposit]: The deposit is 1,450 euros, due on Friday.
      A line that goes on begins with two spaces.
    == 2025-03-09 08:05
    assistant: …
    ??
    single: How much do they pay up front? | deposit
    update: Where does Nadia work now? | new-job < old-job ~ toms-job
    none: What is the landlord called? | ~ deposit

After the bar stand the turns that answer the question, after `<` those that answered it before something changed,
after `~` near misses: turns that look like an answer and are none.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

from tools.encoder.commands import run

FOLDER = Path(__file__).parent / "chats"
FEWEST_TURNS, FEWEST_QUESTIONS, FEWEST_KINDS = 18, 12, 5
COPIED = 0.75
"""A question with a larger share of its words in the answering turn copies it."""


class Kind(StrEnum):
    """What a question asks for."""

    SINGLE = "single"
    LIST = "list"
    TIME = "time"
    UPDATE = "update"
    PREFERENCE = "preference"
    WHO = "who"
    TECHNICAL = "technical"
    INFERENCE = "inference"
    NONE = "none"


class Split(StrEnum):
    """What a conversation is used for: to learn from, to choose by, or only to look at."""

    TRAIN = "train"
    DEVELOPMENT = "dev"
    HELD = "held"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What one speaker said; `tag` is how questions name it."""

    speaker: str
    text: str
    session: int
    at: datetime
    tag: str | None

    @property
    def role(self) -> str:
        """The role that a host would give to the speaker."""
        return self.speaker if self.speaker in ("assistant", "tool") else "user"

    @property
    def name(self) -> str:
        """The name of a speaker who has one."""
        return "" if self.speaker in ("user", "assistant", "tool") else self.speaker


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with the places of turns that answer it, answered it once, or only seem to."""

    kind: Kind
    text: str
    evidence: frozenset[int]
    outdated: frozenset[int]
    near: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """A conversation of one or several sessions, with its questions."""

    id: str
    title: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]

    @property
    def split(self) -> Split:
        """By the name alone, so that a conversation keeps its part whatever is written beside it."""
        share = sha256(self.id.encode()).digest()[0]
        return Split.HELD if share < 52 else Split.DEVELOPMENT if share < 90 else Split.TRAIN

    @property
    def names(self) -> frozenset[str]:
        """Everybody who says something and has a name."""
        return frozenset(turn.name for turn in self.turns if turn.name)


class CorpusError(ValueError):
    """A file that is not in the shape above."""


def load(folder: Path = FOLDER) -> list[Talk]:
    """Every conversation, by name."""
    return [read(path, folder) for path in sorted(folder.glob("*/*.chat"))]


def read(path: Path, folder: Path = FOLDER) -> Talk:
    """One conversation."""
    is_ours = path.resolve().is_relative_to(folder.resolve())
    id = f"{path.parent.name}/{path.stem}" if is_ours else path.stem
    try:
        return parse(path.read_text(encoding="utf-8"), id)
    except (CorpusError, UnicodeDecodeError) as error:
        raise CorpusError(f"{path}: {error}") from error


# ── reading ───────────────────────────────────────────────────────────────────────────────────────────────

_SAID = re.compile(r"(?P<speaker>[^\s\[\]:=?#][^\[\]:]{0,39}?)(?: \[(?P<tag>[\w-]+)\])?: (?P<text>\S.*)")
_ASKED = re.compile(r"(?P<kind>[a-z]+): (?P<text>.+\S) \|(?P<tags>[^|]*)")


@dataclass(slots=True)
class _Reading:
    title: str = ""
    at: datetime | None = None
    sessions: int = 0
    turns: list[Turn] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)

    def take(self, line: str) -> None:
        if line.startswith("# ") and not self.turns:
            self.title = line[2:].strip()
        elif line.startswith("== "):
            moment = datetime.strptime(line[3:].strip(), "%Y-%m-%d %H:%M")  # noqa: DTZ007 - told as the clock said
            if self.at is not None and moment <= self.at:
                raise CorpusError(f"the session of {moment} is not later than the one before")
            self.at, self.sessions = moment, self.sessions + 1
        elif line.startswith("  ") and self.turns:
            last = self.turns[-1]
            self.turns[-1] = Turn(
                speaker=last.speaker, text=f"{last.text}\n{line[2:]}", session=last.session, at=last.at, tag=last.tag
            )
        elif found := _SAID.fullmatch(line):
            self._say(found)
        else:
            raise CorpusError(f"neither a turn nor a session: {line[:60]!r}")

    def _say(self, found: re.Match[str]) -> None:
        if self.at is None:
            raise CorpusError("a turn before the first '== date' line")
        if (tag := found["tag"]) is not None:
            if tag in self.places:
                raise CorpusError(f"two turns are tagged [{tag}]")
            self.places[tag] = len(self.turns)
        self.turns.append(
            Turn(speaker=found["speaker"], text=found["text"].strip(), session=self.sessions, at=self.at, tag=tag)
        )

    def question(self, line: str) -> Question:
        found = _ASKED.fullmatch(line)
        if found is None or found["kind"] not in list(Kind):
            raise CorpusError(f"not 'kind: question | tags' with a kind of {', '.join(Kind)}: {line[:80]!r}")
        tags, _, near = found["tags"].partition("~")
        evidence, _, outdated = tags.partition("<")
        kind = Kind(found["kind"])
        question = Question(
            kind=kind,
            text=found["text"],
            evidence=self._named(evidence, line),
            outdated=self._named(outdated, line),
            near=self._named(near, line),
        )
        if bool(question.evidence) == (kind is Kind.NONE):
            raise CorpusError(f"'none' has no evidence, and every other kind has some: {line[:80]!r}")
        if len({*question.evidence, *question.outdated, *question.near}) < sum(
            map(len, (question.evidence, question.outdated, question.near))
        ):
            raise CorpusError(f"a turn stands on both sides: {line[:80]!r}")
        return question

    def _named(self, tags: str, line: str) -> frozenset[int]:
        names = [name for name in re.split(r"[,\s]+", tags.strip()) if name]
        if unknown := [name for name in names if name not in self.places]:
            raise CorpusError(f"no turn is tagged {', '.join(unknown)}: {line[:80]!r}")
        return frozenset(self.places[name] for name in names)


def parse(text: str, id: str) -> Talk:
    """The conversation that a text in the shape above tells."""
    said, bar, asked = text.partition("\n??\n")
    if not bar:
        raise CorpusError("no line '??' before the questions")
    reading = _Reading()
    for number, line in enumerate(said.splitlines(), 1):
        if line.strip():
            try:
                reading.take(line)
            except (CorpusError, ValueError) as error:
                raise CorpusError(f"line {number}: {error}") from error
    questions = tuple(reading.question(line.strip()) for line in asked.splitlines() if line.strip())
    return Talk(id=id, title=reading.title, turns=tuple(reading.turns), questions=questions)


# ── checking ──────────────────────────────────────────────────────────────────────────────────────────────

_WORD = re.compile(r"[^\W_]{4,}")
_PLAIN = frozenset("about been does have from into that their them then there they this were what when where which "
                   "while with would your will could should said told tell know ever".split())  # fmt: skip


def faults(talk: Talk) -> Iterator[str]:
    """What makes a conversation too poor to learn from."""
    if not talk.title:
        yield "no title"
    if len(talk.turns) < FEWEST_TURNS:
        yield f"{len(talk.turns)} turns, at least {FEWEST_TURNS}"
    if len(talk.questions) < FEWEST_QUESTIONS:
        yield f"{len(talk.questions)} questions, at least {FEWEST_QUESTIONS}"
    if len(kinds := {question.kind for question in talk.questions}) < FEWEST_KINDS:
        yield f"only the kinds {', '.join(sorted(kinds))}: at least {FEWEST_KINDS}"
    if len({question.text.casefold() for question in talk.questions}) < len(talk.questions):
        yield "a question is asked twice"
    copied = [question.text for question in talk.questions if _is_copied(talk, question)]
    if len(copied) > len(talk.questions) / 4:
        yield f"{len(copied)} questions repeat the words of their answer, such as {copied[0]!r}"


def _is_copied(talk: Talk, question: Question) -> bool:
    asked = _words(question.text) - {name.casefold() for name in talk.names}
    said = {word for place in question.evidence for word in _words(talk.turns[place].text)}
    return bool(asked) and len(asked & said) / len(asked) > COPIED


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold())) - _PLAIN


def check(paths: Sequence[Path]) -> int:
    """Print every fault, then what the files hold; the number of faults."""
    talks, found = [], 0
    for path in paths:
        try:
            talks.append(talk := read(path))
        except (CorpusError, OSError) as error:
            told: Iterable[str] = [str(error)]
        else:
            told = [f"{path}: {fault}" for fault in faults(talk)]
        for line in told:
            found += 1
            print(line, file=sys.stderr)
    kinds = Counter(question.kind for talk in talks for question in talk.questions)
    print(
        f"{len(talks)} conversations, {sum(len(talk.turns) for talk in talks):,} turns, {kinds.total():,} questions: "
        + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
    )
    for split, count in sorted(Counter(talk.split for talk in talks).items()):
        print(f"  {split}: {count} conversations")
    return found


def digest(talks: Iterable[Talk]) -> str:
    """One hash over everything that the conversations say and ask."""
    lines = (json.dumps(shaped(talk, "talk"), sort_keys=True, ensure_ascii=False) for talk in talks)
    return sha256("\n".join(lines).encode()).hexdigest()


# ── the shape of bench.recall ─────────────────────────────────────────────────────────────────────────────


def shaped(talk: Talk, dataset: str) -> dict[str, object]:
    """As `bench.recall.data` reads it, one conversation a line."""
    ids = [f"t{place}" for place in range(len(talk.turns))]
    sessions: dict[int, list[int]] = {}
    for place, turn in enumerate(talk.turns):
        sessions.setdefault(turn.session, []).append(place)
    return {
        "id": talk.id,
        "dataset": dataset,
        "sessions": [
            {
                "id": f"s{number}",
                "at": talk.turns[places[0]].at.isoformat(),
                "turns": [
                    {
                        "id": ids[place],
                        "role": talk.turns[place].role,
                        "speaker": talk.turns[place].name,
                        "text": talk.turns[place].text,
                    }
                    for place in places
                ],
            }
            for number, places in sessions.items()
        ],
        "questions": [
            {
                "id": f"{talk.id}-{number}",
                "kind": question.kind.value,
                "text": question.text,
                "at": None,
                "answerable": question.kind is not Kind.NONE,
                "evidence": sorted(ids[place] for place in question.evidence),
                "outdated": sorted(ids[place] for place in question.outdated),
                "near": sorted(ids[place] for place in question.near),
                "evidence_sessions": sorted({f"s{talk.turns[place].session}" for place in question.evidence}),
            }
            for number, question in enumerate(talk.questions)
        ],
    }


def build(split: Split, target: Path) -> None:
    """Write one part of the corpus as `FOLDER/chats-SPLIT.jsonl.gz`."""
    target.mkdir(parents=True, exist_ok=True)
    name = f"chats-{split.value}"
    chosen = [talk for talk in load() if talk.split is split]
    lines = "".join(json.dumps(shaped(talk, name), ensure_ascii=False) + "\n" for talk in chosen)
    (target / f"{name}.jsonl.gz").write_bytes(gzip.compress(lines.encode(), mtime=0))
    print(f"{target / name}.jsonl.gz: {len(chosen)} conversations")


def main() -> None:
    """Check or build."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    checking = commands.add_parser("check", help="is every file sound, and what does the corpus hold?")
    checking.add_argument("files", type=Path, nargs="*", help="these instead of the whole corpus")
    building = commands.add_parser("build", help="one part in the shape that bench.recall reads")
    building.add_argument("--split", type=Split, choices=list(Split), required=True)
    building.add_argument("target", type=Path, help="the folder for it")
    asked = parser.parse_args()
    if asked.command == "check":
        sys.exit(bool(check(asked.files or sorted(FOLDER.glob("*/*.chat")))))
    build(asked.split, asked.target)


if __name__ == "__main__":
    run(main)
