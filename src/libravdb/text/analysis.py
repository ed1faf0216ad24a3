"""Text to terms, for the full-text index and for the questions put to it.

A word of a script with spaces becomes one term: case and accents folded, stemmed in the language the text
seems to be written in. A run of a script without spaces (Han, Kana, Thai …) becomes its overlapping pairs of
characters, plus its last character alone, so that one character can be found as a prefix anywhere.

A text is indexed under one form per word. A question is too short to tell its language, so each of its words
is looked up in every form that some language here would have indexed it under.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import Stemmer

from libravdb.text.sentences import Span
from libravdb.text.unicode import normalised

ANALYSIS = f"terms-1 snowball-{Stemmer.version()} unicode-{unicodedata.unidata_version}"
"""Names this analysis; the store keeps it, and an index made by another one is made anew when the store is opened."""


def is_older(analysis: str, than: str) -> bool:
    """Whether any part of an analysis has an earlier version than the same part of another one."""
    ours, theirs = _versions(analysis), _versions(than)
    return any(ours[part] < theirs[part] for part in ours.keys() & theirs.keys())


def _versions(analysis: str) -> dict[str, tuple[int, ...]]:
    """The version of each part of a name such as `ANALYSIS`."""
    parts = (part.partition("-") for part in analysis.split())
    return {name: tuple(map(int, re.findall(r"\d+", version))) for name, _, version in parts}


MAX_TERM = 64
"""Longer words (base64, hashes of hashes) are indexed by their head: nobody types the rest."""


def _only(kinds: str, first: int, last: int) -> str:
    """The characters of a range whose category is of these kinds (L letters, M marks, N numbers), as ranges.

    Blocks hold punctuation beside letters: the danda that ends a Hindi sentence, the dot between Japanese
    names. FTS5 would split a term there, and the index would not hold what we believe it holds.
    """
    wanted = {code for code in range(first, last + 1) if unicodedata.category(chr(code))[0] in kinds}
    starts = sorted(code for code in wanted if code - 1 not in wanted)
    ends = sorted(code for code in wanted if code + 1 not in wanted)
    return "".join(f"{chr(start)}-{chr(end)}" for start, end in zip(starts, ends, strict=True))


# Scripts written without spaces between words, and Hangul, whose particles cling to the word.
_UNSPACED = (
    _only("LMN", 0x0E00, 0x0FFF)  # Thai, Lao, Tibetan
    + _only("LMN", 0x1000, 0x109F)  # Myanmar
    + _only("LMN", 0x1780, 0x17FF)  # Khmer
    + "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"  # Hangul
    + "\u3005-\u3007"  # iteration marks
    + _only("LMN", 0x3040, 0x30FF)  # Kana
    + "\u31f0-\u31ff"
    + "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
# A run of unspaced script, or of letters, digits and the marks that belong to them. Marks matter: an Indic
# vowel sign is no separator.
_MARKS = "\u0300-\u036f" + _only("M", 0x0900, 0x0DFF)
_RUN = re.compile(f"(?P<unspaced>[{_UNSPACED}]+)|(?P<word>[^\\W_{_UNSPACED}](?:[^\\W_{_UNSPACED}]|[{_MARKS}])*)")
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_CYRILLIC = re.compile("[\u0400-\u04ff]")

# The commonest function words: they tell the language of a text, and a question may drop them.
STOP_WORDS: dict[str, frozenset[str]] = {
    "english": frozenset(
        "a about all also am an and any are as at be been but by can could did do does for from had has have he"
        " her him his how i if in into is it its just me my no not of on or our she so some than that the their"
        " them then there these they this those to up us was we were what when where which who why will with"
        " would you your d ll m re s t ve don didn doesn isn wasn".split()
    ),
    "german": frozenset(
        "aber als am an auch auf aus bei bin bis da das dass dein dem den der des die dir doch du ein eine einem"
        " einen einer er es euch für habe haben hat hatte ich ihm ihn ihr im in ist ja kann mein mich mir mit"
        " nach nicht noch nur oder sein sich sie sind so über um und uns unter vom von vor war was wenn wer wie"
        " wir wird wo zu zum zur".split()
    ),
    "spanish": frozenset(
        "al algo ante como con cual cuando de del desde donde el ella ellos en era es esa ese eso esta este esto"
        " fue ha hasta hay la las le les lo los me mi mis muy más nada ni no nos o para pero por porque qué que"
        " quien se ser si sin sobre su sus también te tiene tu un una uno y ya yo".split()
    ),
    "french": frozenset(
        "ai au aux avec ce ces cette dans de des du elle en es est et eux il ils je la le les leur lui ma mais me"
        " mes moi mon ne nos notre nous on ou où par pas pour qu que qui sa sans se ses son sont sur ta te tes"
        " toi ton tu un une vos votre vous été était à".split()
    ),
    "russian": frozenset(
        "а без бы был была были было быть в вам вас весь во вот все всё вы где да для до его ее если есть еще её"
        " же за и из или им их к как ко когда кто ли мне мы на нас не него нет ни но о об он она они от по под"
        " при с со так там то только у уже что чтобы это этот я".split()
    ),
}
LANGUAGES = tuple(STOP_WORDS)
_LATIN = tuple(language for language in LANGUAGES if language != "russian")
ALL_STOP_WORDS = frozenset().union(*STOP_WORDS.values())


def index_terms(text: str) -> list[str]:
    """Every term of a text, in order, one form per word."""
    runs = list(_RUN.finditer(_normalise(text)))
    language = _guess_language([run["word"].lower() for run in runs if run["word"]])
    terms: list[str] = []
    for run in runs:
        if run["word"]:
            terms.extend(_stem(part, language) for part in _word_parts(run["word"]))
        else:
            terms.extend(_pairs(run["unspaced"]))
    return terms


def query_terms(text: str) -> list[tuple[str, ...]]:
    """For each distinct word of a question the forms it may be indexed under; a trailing '*' asks for a prefix.

    Function words are left out unless there is nothing else.
    """
    return list(query_words(text))


def query_words(text: str) -> Mapping[tuple[str, ...], str]:
    """The same with each word as it was written."""
    return _known_words(text) if len(text) <= _MOST_KNOWN else _read_words(text)


_MOST_KNOWN = 2_000  # characters of a question that is remembered: it is asked of every collection


@lru_cache(maxsize=256)
def _known_words(text: str) -> Mapping[tuple[str, ...], str]:
    return MappingProxyType(_read_words(text))


def _read_words(text: str) -> dict[tuple[str, ...], str]:
    words: dict[tuple[str, ...], str] = {}
    fillers: dict[tuple[str, ...], str] = {}
    for run in _RUN.finditer(_normalise(text)):
        if run["word"]:
            for part in _word_parts(run["word"]):
                kept = fillers if part in ALL_STOP_WORDS else words
                kept.setdefault(_forms(part), run["word"])
        elif len(run["unspaced"]) == 1:
            words.setdefault((run["unspaced"] + "*",), run["unspaced"])
        else:
            for pair in _pairs(run["unspaced"])[:-1]:
                words.setdefault((pair,), pair)
    return words or fillers


def _normalise(text: str) -> str:
    """Compatibility forms unified (full-width letters, ligatures), accents composed, apostrophes straight."""
    return normalised(text, "NFKC")


def _word_parts(word: str) -> list[str]:
    """A word with its case folded as FTS5 does (ς and σ are one); an identifier such as getUserName also gives
    its parts."""
    parts = [word.casefold()[:MAX_TERM]]
    if word.isascii() and not (word.islower() or word.isupper() or word.istitle()):
        pieces = _CAMEL.findall(word)
        if len(pieces) > 1:
            parts.extend(piece.lower()[:MAX_TERM] for piece in pieces)
    return parts


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] + [run[-1]]


def _guess_language(words: list[str]) -> str:
    """The language whose function words are most frequent among the first few hundred; English on a tie."""
    counts = dict.fromkeys(LANGUAGES, 0)
    for word in words[:400]:
        if word in ALL_STOP_WORDS:
            for language in LANGUAGES:
                counts[language] += word in STOP_WORDS[language]
    return max(LANGUAGES, key=lambda language: (counts[language], language == "english"))


def _forms(word: str) -> tuple[str, ...]:
    """Every form that some language here would index the word under, each once, in a fixed order."""
    return tuple(dict.fromkeys(_stem(word, language) for language in _LATIN))


@lru_cache(maxsize=65536)
def _stem(word: str, language: str) -> str:
    """One word's index form: a number as it is, Cyrillic by the Russian rules, others by the language's."""
    if word.isdigit():
        return word
    if _CYRILLIC.search(word):
        language = "russian"
    elif language == "russian":
        language = "english"
    if language == "english":  # its rules know no accents: "résumé" must end up where "resume" does
        word = _fold(word)
    return _fold(_stemmer(language).stemWord(word)) or word


@lru_cache(maxsize=len(LANGUAGES))
def _stemmer(language: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(language, 0)


def _fold(word: str) -> str:
    """Accents removed from Latin, Greek and Cyrillic letters; the marks of other scripts are letters."""
    if word.isascii():
        return word
    decomposed = normalised(word, "NFD")
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not "\u0300" <= c <= "\u036f"))


def shared_words(question: str, text: str) -> list[str]:
    """The words of a question, as they were written there, that the index would find in the text."""
    held = set(index_terms(text))
    found = (word for forms, word in query_words(question).items() if any(form.rstrip("*") in held for form in forms))
    return list(dict.fromkeys(found))


# ── where words stand ─────────────────────────────────────────────────────────────────────────────────────


def word_spans(words: Iterable[tuple[str, ...]], text: str) -> list[Span]:
    """Where the index would find these words of a question in a text: begin and end of each in the text as it is
    written, in order; what overlaps is one."""
    forms = {form for word in words for form in word}
    begun = tuple(form[:-1] for form in forms if form.endswith("*"))
    if not forms:
        return []
    read = _read_text(text)
    runs = list(_RUN.finditer(read.text))
    language = _guess_language([run["word"].lower() for run in runs if run["word"]])
    found: list[Span] = []
    for run in runs:
        if run["unspaced"]:
            found.extend(_pair_spans(run.start(), run["unspaced"], forms, begun))
        elif any(_stem(part, language) in forms for part in _word_parts(run["word"])):
            found.append(run.span())
    return _joined(read.span(*one) for one in found)


def _pair_spans(start: int, run: str, forms: set[str], begun: tuple[str, ...]) -> Iterator[Span]:
    """Where pairs of characters of an unspaced run are asked for, or single ones."""
    for place, pair in enumerate(_pairs(run)):
        if pair in forms:
            yield start + place, start + place + len(pair)
        elif begun and pair.startswith(begun):
            yield start + place, start + place + 1


def _joined(spans: Iterable[Span]) -> list[Span]:
    joined: list[Span] = []
    for start, end in spans:
        if joined and start < joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


@dataclass(frozen=True, slots=True)
class _ReadText:
    """A text as it is analysed. `places` tells where each of its characters begins and ends in the text as it is
    written; None where both are the same."""

    text: str
    places: Sequence[Span] | None = None

    def span(self, start: int, end: int) -> Span:
        """A piece of it in the text as it is written."""
        return (start, end) if self.places is None else (self.places[start][0], self.places[end - 1][1])


def _read_text(text: str) -> _ReadText:
    if _normalise(text) == text:
        return _ReadText(text)
    pieces: list[str] = []
    places: list[Span] = []
    for start, end in _characters(text):
        piece = _normalise(text[start:end])
        pieces.append(piece)
        places.extend([(start, end)] * len(piece))
    return _ReadText("".join(pieces), places)


def _characters(text: str) -> Iterator[Span]:
    """The characters of a text, each with those behind it that are composed with it."""
    start = 0
    for place in range(1, len(text) + 1):
        if place == len(text) or place - start >= _MOST_COMPOSED or not _is_composed(text[start:place], text[place]):
            yield start, place
            start = place


_MOST_COMPOSED = 32  # no language puts more marks on one letter


def _is_composed(before: str, letter: str) -> bool:
    """Whether a character becomes another one by what stands before it: an accent, a voice mark, a Hangul vowel."""
    return not letter.isascii() and _normalise(before + letter) != _normalise(before) + _normalise(letter)


def forget_words() -> None:
    """Let go of the questions and words that were read before."""
    _known_words.cache_clear()
    _stem.cache_clear()
