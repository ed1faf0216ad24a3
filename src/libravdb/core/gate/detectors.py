"""Detectors: what in a text speaks for keeping it, each with its weight and the words that fired.

A detector maps a reading to the pieces it recognised. A family is a tuple of them; a detector is added by adding a
line. Technical ones look at artefacts and know no language, the others ask the words of the reading's languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from libravdb.core.gate.languages.states import STATE
from libravdb.core.gate.parsed_turn import ParsedTurn, content_weight
from libravdb.model import Firing
from libravdb.text import technical

Find = Callable[[ParsedTurn], list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """A detector: its name, the weight it adds, and how it finds what it looks for."""

    name: str
    weight: float
    find: Find


def fire(signals: tuple[Signal, ...], reading: ParsedTurn) -> tuple[Firing, ...]:
    """The detectors that found something, in their order."""
    found = ((signal, tuple(signal.find(reading))) for signal in signals)
    return tuple(
        Firing(signal=signal.name, weight=signal.weight, evidence=evidence) for signal, evidence in found if evidence
    )


# ── T: is this a technical text? ──────────────────────────────────────────────────────────────────────────


def find_code_fence(reading: ParsedTurn) -> list[str]:
    """A fenced block that holds something."""
    return ["```"] if technical.FENCE.search(reading.text) and len(reading.text) > 8 else []


def find_path(reading: ParsedTurn) -> list[str]:
    """File paths and file names."""
    return technical.paths(reading.text)


def find_definition(reading: ParsedTurn) -> list[str]:
    """A function, class or table being defined, in the notation of a programming language."""
    return _matches(technical.DEFINITION, reading.text)


def find_command(reading: ParsedTurn) -> list[str]:
    """A command as one would type it into a shell."""
    return _matches(technical.COMMAND, reading.text)


def find_url(reading: ParsedTurn) -> list[str]:
    """An address or an endpoint."""
    return technical.urls(reading.text)


def find_trace(reading: ParsedTurn) -> list[str]:
    """A stack trace, a panic, or the line that heads one."""
    return _matches(technical.TRACE, reading.text)


def find_hash(reading: ParsedTurn) -> list[str]:
    """A commit, a UUID, an address in memory."""
    return technical.hashes(reading.text)


TECHNICAL = (
    Signal(name="code fence", weight=0.5, find=find_code_fence),
    Signal(name="file path", weight=0.4, find=find_path),
    Signal(name="definition of a function or class", weight=0.4, find=find_definition),
    Signal(name="shell command", weight=0.4, find=find_command),
    Signal(name="URL or endpoint", weight=0.3, find=find_url),
    Signal(name="stack trace", weight=0.5, find=find_trace),
    Signal(name="hash or hex id", weight=0.3, find=find_hash),
)

# ── Dnl: does it say something about somebody? ────────────────────────────────────────────────────────────


def find_date(reading: ParsedTurn) -> list[str]:
    """A date, a day, a season, a time of day, a span reaching back or ahead."""
    return reading.find("date", reading.prose)


def find_quantity(reading: ParsedTurn) -> list[str]:
    """A number with what it counts, in digits or words."""
    return reading.find("quantity", reading.prose)


def find_person(reading: ParsedTurn) -> list[str]:
    """A person: by name, by kin or role, or by a pronoun that can only mean a person, the speaker included."""
    return reading.find("person", reading.prose) + reading.find("speaker", reading.prose)


def find_preference(reading: ParsedTurn) -> list[str]:
    """A liking, an aversion, a diet, a choice, a standing wish; asserted, not asked."""
    return [word for text in reading.told for word in reading.find("preference", text) + reading.find("rule", text)]


def find_self_fact(reading: ParsedTurn) -> list[str]:
    """What holds for the speaker or the speaker's own: is, has, does, plans, rules; asserted, not asked."""
    told = reading.told
    found = [word for text in told for word in reading.find("fact", text) + reading.find("rule", text)]
    return found or [text for text in told if _tells_a_state(reading, text)]


def _tells_a_state(reading: ParsedTurn, text: str) -> bool:
    """A plain statement of how things are. In a turn of the user it is about their world, if its subject is no pointer
    at the conversation ("that is", "you are") and it is no mere remark of two words."""
    rest = reading.strip_chatter(text)
    return bool(STATE.search(rest)) and not reading.begins("deictic", rest) and content_weight(rest) >= 3


PLAIN = (
    Signal(name="date", weight=0.3, find=find_date),
    Signal(name="quantity", weight=0.2, find=find_quantity),
    Signal(name="reference to a person", weight=0.3, find=find_person),
    Signal(name="preference", weight=0.4, find=find_preference),
    Signal(name="fact about oneself", weight=0.3, find=find_self_fact),
)

# ── P: how many precise things does it name? Each counts. ─────────────────────────────────────────────────


def find_call(reading: ParsedTurn) -> list[str]:
    """A call, or the name of a function."""
    return technical.calls(reading.text)


def find_error_code(reading: ParsedTurn) -> list[str]:
    """An error by its code or its class."""
    return technical.error_codes(reading.text)


def find_git_reference(reading: ParsedTurn) -> list[str]:
    """A commit, a branch, a tag, a pull request."""
    return technical.git_references(reading.text)


PRECISE = (
    Signal(name="file path", weight=0.4, find=find_path),
    Signal(name="call or function", weight=0.3, find=find_call),
    Signal(name="error code", weight=0.5, find=find_error_code),
    Signal(name="git reference", weight=0.4, find=find_git_reference),
    Signal(name="URL", weight=0.3, find=find_url),
)

# ── A: was something done or decided? ─────────────────────────────────────────────────────────────────────


def find_decision(reading: ParsedTurn) -> list[str]:
    """A choice of design: decided, instead of, migrate to."""
    return _said(reading, "decision")


def find_fix(reading: ParsedTurn) -> list[str]:
    """A repair or the cause of a failure."""
    return _said(reading, "fix")


def find_release(reading: ParsedTurn) -> list[str]:
    """Something was merged, shipped, published."""
    return _said(reading, "release")


def find_configuration(reading: ParsedTurn) -> list[str]:
    """A setting was changed, or is given."""
    return _said(reading, "configuration") + _matches(technical.SETTING, reading.text)


ACTION = (
    Signal(name="architectural decision", weight=0.5, find=find_decision),
    Signal(name="fix or resolution", weight=0.4, find=find_fix),
    Signal(name="release or merge", weight=0.3, find=find_release),
    Signal(name="configuration change", weight=0.4, find=find_configuration),
)

# ── Dtech: does it describe how something is built? ───────────────────────────────────────────────────────


def find_technical_definition(reading: ParsedTurn) -> list[str]:
    """A definition in code, or in words: class Invoice has …, parse_date() treats …."""
    return find_definition(reading) + _matches(technical.DEFINED, reading.text)


def find_data_structure(reading: ParsedTurn) -> list[str]:
    """Tables, columns, relations, containers."""
    return _matches(technical.STRUCTURE, reading.text)


def find_dependency(reading: ParsedTurn) -> list[str]:
    """An import, a pinned version, a file that lists dependencies."""
    return _matches(technical.DEPENDENCY, reading.text)


def find_test(reading: ParsedTurn) -> list[str]:
    """A test or its runner."""
    return _matches(technical.TEST, reading.text)


def find_doc_comment(reading: ParsedTurn) -> list[str]:
    """Documentation inside code."""
    return _matches(technical.DOC_COMMENT, reading.text)


DETAIL = (
    Signal(name="definition", weight=0.4, find=find_technical_definition),
    Signal(name="data structure", weight=0.3, find=find_data_structure),
    Signal(name="dependency", weight=0.3, find=find_dependency),
    Signal(name="test", weight=0.2, find=find_test),
    Signal(name="doc comment", weight=0.2, find=find_doc_comment),
)


def _matches(expression: re.Pattern[str], text: str) -> list[str]:
    return [found[0].strip() for found in expression.finditer(text)]


def _said(reading: ParsedTurn, kind: str) -> list[str]:
    return [
        word for sentence in reading.sentences if not sentence.is_question for word in reading.find(kind, sentence.text)
    ]
