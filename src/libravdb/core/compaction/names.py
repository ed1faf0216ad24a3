"""Names of people, places and products in texts: by how they are written, not by a list.

A capital inside a sentence makes a word a name. One at the head of a sentence proves nothing, so such a word counts
only when it is written as a name elsewhere too. Where nouns are written with capitals (German), and in headings, only
two together or a capital inside the word count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from libravdb.core.compaction.fact_patterns import MONTHS, NUMBER_WORDS, WEEKDAYS
from libravdb.text.analysis import STOP_WORDS
from libravdb.text.sentences import sentences

LONGEST = 4
"""Words of a name, at most."""

_WORD = re.compile(r"[^\W\d_][\w]*(?:[-'’][^\W\d_]\w*)*")
_INNER = re.compile(r"[a-z0-9][A-Z]|^[A-Z]{2,}[a-z0-9]")
_LEADING = " \t*_#>-–—•\"'“‘«(["
_OPENERS = ".!?…:;|\n\ufffc。！？：；"  # behind these a word may have its capital for no other reason
_GERMAN_ARTICLES = frozenset("der die das den dem des ein eine einen einem einer und ist nicht mit für auf".split())
_CROWDED = 0.5  # a sentence of which more words have a capital is a heading
_NO_NAMES = frozenset(
    {word for words in STOP_WORDS.values() for word in words}
    | set(MONTHS)
    | set(WEEKDAYS)
    | set(NUMBER_WORDS)
    | set(
        "i i'm i've i'll i'd ok okay yes no hey hi hello thanks thank wow yeah sure great well oh ah congrats please"
        " also however although while when if let lets let's here there this that these those mr mrs ms dr prof one"
        " first second third monday's note tip step day week ja nein hallo danke sí hola gracias oui non bonjour merci"
        " english german french spanish chinese american british god lol omg".split()
    )
)


def find_names(texts: Sequence[str]) -> list[list[str]]:
    """The names in each text, in order and with repetitions."""
    certain: set[str] = set()
    lower: set[str] = set()
    seen: list[list[tuple[str, bool]]] = []
    for text in texts:
        found = list(_candidates(text, lower))
        certain.update(name for name, is_certain in found if is_certain)
        seen.append(found)
    firsts = {name.split()[0] for name in certain}
    return [
        [
            name
            for name, is_certain in found
            if is_certain or ((name in certain or name in firsts) and name.casefold() not in lower)
        ]
        for found in seen
    ]


def _candidates(text: str, lower: set[str]) -> Iterator[tuple[str, bool]]:
    """Runs of words with capitals, and whether each is certainly a name; `lower` collects words without one."""
    is_german = _is_german(text)
    for start, end in sentences(text):
        words = list(_WORD.finditer(text, start, end))
        lower.update(word[0] for word in words if word[0].islower())
        is_heading = len(words) > 3 and sum(_is_capital(word[0]) for word in words) > _CROWDED * len(words)
        for run in _runs(text, words):
            name = " ".join(word[0] for word in run)
            is_shaped = any(_INNER.search(word[0]) for word in run)
            before = text[max(start, run[0].start() - 12) : run[0].start()].rstrip(_LEADING)
            is_first = not before or before[-1] in _OPENERS
            if is_first and not is_heading and len(run) > 2:  # "Ask Anna Miller": the head may be a verb
                yield " ".join(word[0] for word in run[1:]), True
                continue
            yield name, is_shaped or (not is_first and not is_heading and (len(run) > 1 or not is_german))


def _runs(text: str, words: Sequence[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    """Words with a capital that stand side by side, without those that are never part of a name."""
    run: list[re.Match[str]] = []
    for word in words:
        joined = not run or text[run[-1].end() : word.start()] in (" ", ". ")
        if not (_is_capital(word[0]) and joined and len(run) < LONGEST):
            if run:
                yield run
            run = []
        if _is_capital(word[0]):
            run.append(word)
    if run:
        yield run


def _is_capital(word: str) -> bool:
    folded = word.casefold().replace("’", "'")
    bare = folded.removesuffix("'s")
    return word[0].isupper() and len(bare) > 1 and bare not in _NO_NAMES and folded not in _NO_NAMES


def _is_german(text: str) -> bool:
    words = [word.casefold() for word in re.findall(r"[^\W\d_]+", text[:2000])]
    return sum(word in _GERMAN_ARTICLES for word in words) * 12 > len(words) > 0


def name_key(name: str) -> str:
    """The form in which names are compared: without case and without a possessive ending."""
    return " ".join(word.removesuffix("'s") for word in name.replace("’", "'").casefold().split())


def name_keys(text: str) -> set[str]:
    """Every run of up to four words of a text, as names are compared."""
    words = [word[0].replace("’", "'").casefold().removesuffix("'s") for word in _WORD.finditer(text)]
    return {
        " ".join(words[place : place + length])
        for length in range(1, LONGEST + 1)
        for place in range(len(words) - length + 1)
    }
