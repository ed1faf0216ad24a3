"""Conversations with questions, in one shape: our development files and the public originals are all read here.

A folder may hold `*.jsonl` or `*.jsonl.gz` of our shape, `locomo10.json`, and `longmemeval_s*.json`.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One turn, with the moment its session has in the data."""

    id: str
    role: str
    speaker: str
    text: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A stretch of turns."""

    id: str
    turns: tuple[Said, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question with the turns and sessions that answer it; `at` is its now (None: right after the last turn)."""

    id: str
    kind: str
    text: str
    at: int | None
    is_answerable: bool
    evidence: frozenset[str]
    sessions: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """What one namespace remembers, and what it is asked."""

    id: str
    dataset: str
    sessions: tuple[Session, ...]
    questions: tuple[Asked, ...]

    @property
    def end(self) -> int:
        """A day after the last turn."""
        return max(turn.at for session in self.sessions for turn in session.turns) + 86_400_000


def load(folder: Path) -> list[Conversation]:
    """Every conversation of a folder, files by name."""
    found: list[Conversation] = []
    for path in sorted(folder.iterdir()):
        if path.name.endswith((".jsonl", ".jsonl.gz")):
            found.extend(_ours(json.loads(line)) for line in _lines(path))
        elif path.name.startswith("locomo") and path.suffix == ".json":
            found.extend(_locomo(one) for one in json.loads(path.read_text(encoding="utf-8")))
        elif path.name.startswith("longmemeval") and path.suffix == ".json":
            found.extend(_longmemeval(one) for one in json.loads(path.read_text(encoding="utf-8")))
    return found


def _lines(path: Path) -> Iterator[str]:
    if path.suffix == ".gz":
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            yield from lines
    else:
        with path.open(encoding="utf-8") as lines:
            yield from lines


def _ours(found: dict[str, Any]) -> Conversation:
    return Conversation(
        id=found["id"],
        dataset=found["dataset"],
        sessions=tuple(
            Session(
                id=session["id"],
                turns=tuple(
                    Said(id=t["id"], role=t["role"], speaker=t["speaker"], text=t["text"], at=_moment(session["at"]))
                    for t in session["turns"]
                    if t["text"].strip()
                ),
            )
            for session in found["sessions"]
        ),
        questions=tuple(
            Asked(
                id=q["id"],
                kind=q["kind"],
                text=q["text"],
                at=_moment(q["at"]) if q["at"] else None,
                is_answerable=q["answerable"],
                evidence=frozenset(q["evidence"]),
                sessions=frozenset(q["evidence_sessions"]),
            )
            for q in found["questions"]
        ),
    )


def _moment(written: str) -> int:
    return int(datetime.fromisoformat(written).replace(tzinfo=UTC).timestamp() * 1000)


# ── the public originals ──────────────────────────────────────────────────────────────────────────────────

_DIALOGUE = re.compile(r"D(\d+):(\d+)")


def _locomo(found: dict[str, Any]) -> Conversation:
    talk = found["conversation"]
    sessions: list[Session] = []
    numbers = sorted(int(key[8:]) for key in talk if re.fullmatch(r"session_\d+", key))
    for number in numbers:
        at = datetime.strptime(talk[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        turns = tuple(
            Said(
                id=turn["dia_id"],
                role="user",
                speaker=turn["speaker"],
                text=_captioned(turn),
                at=int(at.timestamp() * 1000),
            )
            for turn in talk[f"session_{number}"]
            if _captioned(turn).strip()
        )
        sessions.append(Session(id=f"session_{number}", turns=turns))
    known = {turn.id: session.id for session in sessions for turn in session.turns}
    questions = [_locomo_question(f"{found['sample_id']}-{place}", qa, known) for place, qa in enumerate(found["qa"])]
    return Conversation(id=found["sample_id"], dataset="locomo", sessions=tuple(sessions), questions=tuple(questions))


def _captioned(turn: dict[str, Any]) -> str:
    caption = turn.get("blip_caption")
    return f"{turn['text']} [image: {caption}]" if caption else str(turn["text"])


def _locomo_question(id: str, qa: dict[str, Any], known: dict[str, str]) -> Asked:
    """Evidence strings are sometimes joined or padded ("D8:6; D9:17", "D30:05"): what can be read is read."""
    named = [f"D{int(s)}:{int(t)}" for text in qa.get("evidence", ()) for s, t in _DIALOGUE.findall(text)]
    evidence = frozenset(name for name in named if name in known)
    return Asked(
        id=id,
        kind=str(qa["category"]),
        text=qa["question"],
        at=None,
        is_answerable=bool(evidence),
        evidence=evidence,
        sessions=frozenset(known[name] for name in evidence),
    )


def _longmemeval(found: dict[str, Any]) -> Conversation:
    """Ids of sessions give the answer away ("answer_…"): they become numbers."""
    sessions: list[Session] = []
    evidence: set[str] = set()
    haystack = zip(found["haystack_session_ids"], found["haystack_dates"], found["haystack_sessions"], strict=True)
    names: dict[str, str] = {}
    for number, (name, date, turns) in enumerate(haystack):
        names[name] = f"s{number}"
        at = _longmemeval_moment(date)
        said: list[Said] = []
        for place, turn in enumerate(turns):
            id = f"s{number}t{place}"
            if turn["content"].strip():
                said.append(Said(id=id, role=turn["role"], speaker="", text=turn["content"], at=at))
            if turn.get("has_answer"):
                evidence.add(id)
        sessions.append(Session(id=names[name], turns=tuple(said)))
    question = Asked(
        id=found["question_id"],
        kind=found["question_type"],
        text=found["question"],
        at=_longmemeval_moment(found["question_date"]),
        is_answerable=not found["question_id"].endswith("_abs"),
        evidence=frozenset(evidence),
        sessions=frozenset(names[name] for name in found["answer_session_ids"] if name in names),
    )
    return Conversation(
        id=found["question_id"], dataset="longmemeval-s", sessions=tuple(sessions), questions=(question,)
    )


def _longmemeval_moment(written: str) -> int:
    found = datetime.strptime(written, "%Y/%m/%d (%a) %H:%M").replace(tzinfo=UTC)
    return int(found.timestamp() * 1000)
