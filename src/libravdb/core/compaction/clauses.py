"""What a value is about, in a few words: the ledger keeps "rent for the boat is 480 euros", not "480 euros".

Words are left out, never written anew, and nothing that is denied is shortened: a lost "not" would turn it round.
"""

from __future__ import annotations

import re

from libravdb.core.compaction.negations import count_negations
from libravdb.text.analysis import STOP_WORDS

MOST_WORDS = 8
"""Words of a clause, at most; a value that needs more stands alone."""

MOST_LETTERS = 80
_MOST_SIGNS = 18  # where words are not spaced
_STOPS = frozenset().union(*STOP_WORDS.values())
_ARTICLES = frozenset(
    "the a an der die das den dem des ein eine einen einem einer el los las un una le les une".split()
)
_BREAK = re.compile(
    r"[,;:] |[，；：、]| [–—-] |\. | (?:because|although|while|weil|obwohl|während|porque|aunque|parce que) "
)
_EDGES = " .,;:!?…()[]\"'“”«»*_。！？"
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


def clause_around(sentence: str, start: int, end: int) -> str:
    """The words of a sentence that say what the value between two places in it is about; empty where they are too many,
    or add nothing."""
    value = sentence[start:end]
    whole = _plain(sentence)
    if _HAN.search(sentence):
        said = whole if len(whole) <= _MOST_SIGNS else _plain(_part(sentence, start, end))
        return said if len(value) < len(said) <= _MOST_SIGNS + len(value) else ""
    if len(whole.split()) <= MOST_WORDS:
        return _telling(whole, value)
    if count_negations(sentence):
        return ""
    return _telling(_shortened(_part(sentence, start, end), value), value)


def _plain(text: str) -> str:
    return " ".join(text.split()).strip(_EDGES)


def _part(sentence: str, start: int, end: int) -> str:
    """The part of a sentence between two commas that holds the value; the sentence where that is the value alone."""
    begin = max((found.end() for found in _BREAK.finditer(sentence, 0, start)), default=0)
    after = _BREAK.search(sentence, end)
    part = sentence[begin : len(sentence) if after is None else after.start()]
    return part if len(part.split()) > len(sentence[start:end].split()) + 1 else sentence


def _shortened(part: str, value: str) -> str:
    """A part without its articles, before the value, then without what stands far from it."""
    before, _, behind = part.partition(value)
    head, tail = [word for word in before.split() if word.casefold() not in _ARTICLES], behind.split()
    size = len(value.split())
    if len(head) + size > MOST_WORDS:
        head = head[len(head) + size - MOST_WORDS :]
        while head and head[0].casefold() in _STOPS:
            head = head[1:]
    tail = tail[: max(0, MOST_WORDS - size - len(head))] if behind[:1].isspace() or not behind else []
    while tail and tail[-1].casefold() in _STOPS:
        tail = tail[:-1]
    glue = "" if before and not before[-1].isspace() else " "
    return _plain(" ".join(head) + glue + " ".join((value, *tail)))


def _telling(clause: str, value: str) -> str:
    """A clause that says more than its value, and is short enough."""
    added = [word for word in clause.replace(value, " ").split() if word.casefold().strip(_EDGES) not in _STOPS]
    is_whole = clause.count("`") % 2 == 0 and value in clause
    is_short = len(clause.split()) <= MOST_WORDS and len(clause) <= MOST_LETTERS + len(value)
    return clause if added and is_short and is_whole else ""
