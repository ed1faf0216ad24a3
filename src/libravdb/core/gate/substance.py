"""Does a turn state anything that lasts: about the user, their world, their work, a decision, a plan, a rule?

Several cues together decide, sentence by sentence. What is only asked, only requested once, only social or only about
the conversation itself is set aside; a sentence that remains and says something concrete gives the turn substance.
"""

from __future__ import annotations

import re

from libravdb.core.gate.parsed_turn import ParsedTurn, Sentence, content_weight, read
from libravdb.text import technical

_ENOUGH_WORDS = 4
_BRIEF = 12
_SNIPPET = 80
_CAPITAL = re.compile(r"(?<=[^\W_] )[A-ZÄÖÜÁÉÍÓÚÀÈÇА-Я][^\W_]+|\b[A-Z]{2,}\b")
_OWNED = re.compile(
    r"(?<!\w)(?:my|our|meine?|unsere?|mi|nuestr[oa]|mon|ma|notre|meu|minha|mio|mia|mijn|onze|мо[йя]|наша?) \w{3,}"
    r"|我的|私の",
    re.IGNORECASE,
)
_ORDERED = re.compile(
    r"\b(?:\d+|two|three|four|five|ten|zwei|drei|vier|dos|tres|deux|trois) ?(?:short )?(?:words?|lines?|sentences?"
    r"|bullets?|bullet points?|paragraphs?|wörtern?|zeilen|sätzen?|palabras|líneas|frases|mots|lignes|phrases)\b"
    r"|[\d一二两三四五十]+ ?(?:个字|字|句话|行)",
    re.IGNORECASE,
)
"""How long a text is to be that somebody orders."""
_STRONG = ("preference", "rule")
_ROUTINE_DATES = frozenset("today heute hoy aujourd'hui oggi hoje vandaag сегодня 今天 今日 now tonight".split())


def find_substance(reading: ParsedTurn) -> str:
    """The first sentence that states something, as said; empty when the turn states nothing."""
    return next((part for each in reading.sentences if (part := _stated(reading, each))), "") or _pasted(reading)


def is_passing(text: str) -> bool:
    """True for a turn that nobody will look for: it states nothing, is short or only asks, and holds no figure that
    could be an answer."""
    is_brief = len(text.split(maxsplit=_BRIEF)) < _BRIEF or text.rstrip().endswith(("?", "？"))
    if not is_brief:
        return False
    told = _ORDERED.sub(" ", text)
    if any(letter.isdigit() for letter in told):
        return False
    reading = read(told)
    is_order = told != text and not reading.find("fact", reading.text)  # "invitation, 3 lines"
    return is_order or not find_substance(reading)


def _stated(reading: ParsedTurn, sentence: Sentence) -> str:
    """What of a sentence is a lasting statement, or nothing."""
    if sentence.is_question:
        parts = [part for part in sentence.clauses() if part in reading.asserted]
    elif sentence.is_request and not _is_standing(reading, sentence.text):
        parts = [part for part in sentence.clauses() if not reading.begins("request", part) and _is_own(reading, part)]
    else:
        parts = [sentence.text]
    return next((part for part in parts if _says_something(reading, part)), "")


def _says_something(reading: ParsedTurn, text: str) -> bool:
    """True when enough is left after the social phrases, or what is left is concrete."""
    rest = reading.strip_chatter(text)
    weight = content_weight(rest)
    if not weight:
        return False
    if any(reading.find(kind, rest) for kind in _STRONG):
        return True
    is_concrete = _is_concrete(reading, rest)
    if reading.begins("deictic", rest):
        return (is_concrete and weight >= 2) or bool(_OWNED.search(rest))
    if (is_concrete and weight >= 2) or _is_own(reading, rest):
        return True
    return weight >= _ENOUGH_WORDS


def _is_concrete(reading: ParsedTurn, text: str) -> bool:
    """A date that is not just today, a quantity, a name, or a decision taken."""
    dates = [date for date in reading.find("date", text) if date not in _ROUTINE_DATES]
    kinds = ("quantity", "decision", "fix", "release", "configuration")
    return (
        bool(dates)
        or any(reading.find(kind, text) for kind in kinds)
        or bool(_CAPITAL.search(text))
        or technical.THING in text
    )


def _is_own(reading: ParsedTurn, text: str) -> bool:
    """A fact about the speaker or the speaker's own, or about a person."""
    return bool(reading.find("fact", text)) and bool(
        reading.find("person", text) or reading.find("speaker", text) or content_weight(text) > 1
    )


def _is_standing(reading: ParsedTurn, text: str) -> bool:
    return bool(reading.find("rule", text))


def _pasted(reading: ParsedTurn) -> str:
    """Code and traces are substance even without a sentence; a lone path, address or command is not."""
    if reading.prose.strip():
        return ""
    if technical.TRACE.search(reading.text) or technical.DEFINITION.search(reading.text):
        return "pasted code or trace"
    return "pasted code" if technical.is_code(reading.text) and len(reading.text) > _SNIPPET else ""
