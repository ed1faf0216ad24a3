"""What two statements have in common: content words, numbers, names, polarity. Shared by vetoes and kinship."""

from __future__ import annotations

import re
from dataclasses import dataclass

from libravdb.gate.reading import read
from libravdb.gate.words import LANGUAGES
from libravdb.terms import index_terms

_NUMBER = re.compile(r"\d+(?:[.,:]\d+){0,6}")
_NUMBER_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve|eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf"
    "|uno dos tres cuatro cinco seis siete ocho nueve diez once doce|un deux trois quatre cinq six sept huit neuf dix onze douze"
)
_NUMERAL = {
    word: str(value)
    for row in _NUMBER_WORDS.split("|")
    for value, word in enumerate(row.split(), start=1)
    if word not in ("one", "un", "uno")
} | {numeral: str(value) for value, numeral in enumerate("二三四五六七八九十", start=2)}
_LETTERS = re.compile(r"[^\W\d_]+")
_NAME = re.compile(r"(?<=[^\W_] )[A-ZÄÖÜÁÉÍÓÚÀÈÇА-Я][\w'-]*")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_FILLER = frozenset(
    "please always remember make sure note also just really very still actually quite must should shall need want ever"
    " know tell let fyi bitte immer merk dass achte darauf unbedingt siempre recuerda favor asegúrate toujours rappelle"
    " souviens svp ok okay hey well by way current currently right".split()
)
_COMMON = frozenset().union(*(words.common for words in LANGUAGES))


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """A statement taken apart: stems of its content words, its numbers, its names in the middle of a sentence, and
    whether it denies."""

    words: frozenset[str]
    numbers: frozenset[str]
    names: frozenset[str]
    is_negated: bool
    is_changed: bool
    text: str


def content_of(text: str) -> Content:
    """Take a statement apart."""
    reading = read(text)
    plain = reading.text
    terms = [term for term in index_terms(plain) if not (len(term) == 1 and not term.isdigit() and not _UNSPACED.match(term))]
    fillers = {stem for word in _LETTERS.findall(plain) if word.lower() in _COMMON or word.lower() in _FILLER for stem in index_terms(word)}
    numbers = frozenset(_NUMBER.findall(plain)) | {
        _NUMERAL[word.lower()] for word in _LETTERS.findall(plain) if word.lower() in _NUMERAL
    }
    return Content(
        words=frozenset(term for term in terms if term not in fillers),
        numbers=frozenset(numbers),
        names=frozenset(name.lower() for name in _NAME.findall(plain)),
        is_negated=bool(reading.find("negation", plain)),
        is_changed=bool(reading.find("change", plain)),
        text=plain,
    )


def overlap(one: Content, other: Content) -> tuple[float, float]:
    """The share of each statement's content words that the other has too."""
    shared = len(one.words & other.words)
    return shared / max(len(one.words), 1), shared / max(len(other.words), 1)
