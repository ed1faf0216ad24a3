"""Texts to tokens as a lower-case BERT reads them: the shipped model does, and most small models that embed English.

    text ─► words (cut at spaces, punctuation, ideographs) ─► folded (cleaned, no accents, lower case) ─► pieces

The ids and places are those of the library `tokenizers` for the same `tokenizer.json`, on every Python: tests compare
every code point, and texts of any kind. Our own, because the library brings a downloader and an HTTP client along.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from string import punctuation
from typing import Any, NamedTuple

from libravdb.adapters.embedders.bert_characters import (
    FOLDS,
    IDEOGRAPHS,
    MARKS,
    ORDERS,
    PUNCTUATION,
    REMOVED,
    SPACES,
    SPREADS,
)
from libravdb.text.sentences import Span

CONTINUING = "##"
"""How a vocabulary marks a piece that is not the first of its word."""

REMEMBERED_WORDS, REMEMBERED_CHARS = 8_192, 20
"""Of how many words the pieces are remembered, and how long such a word may be: 2 MB of usual words, 12 of no words."""


class TokenSpan(NamedTuple):
    """A token, and the part of its word that it stands for."""

    id: int
    begin: int
    end: int


class WordPiece:
    """Cuts texts into pieces of a vocabulary. Safe to use from several threads, and after a fork."""

    def __init__(
        self,
        vocabulary: Mapping[str, int],
        *,
        unknown: int,
        longest_word: int,
        special: Mapping[str, int],
        head: list[int],
        tail: list[int],
    ) -> None:
        self.head = head
        self.tail = tail
        self._vocabulary = vocabulary
        self._unknown = unknown
        self._longest_word = longest_word
        self._longest_piece = max(map(len, vocabulary))
        self._special = special
        longest_first = sorted(special, key=len, reverse=True)
        self._words = re.compile("|".join((*map(re.escape, longest_first), _WORD)))
        self._remembered = lru_cache(maxsize=REMEMBERED_WORDS)(self._pieces)

    def encode(self, text: str) -> tuple[list[int], list[Span]]:
        """Token ids of the text, and where in it each token begins and ends; `head` and `tail` are not among them."""
        ids: list[int] = []
        places: list[Span] = []
        for match in self._words.finditer(text):
            word, start = match.group(), match.start()
            pieces = self._remembered(word) if len(word) <= REMEMBERED_CHARS else self._pieces(word)
            for id, begin, end in pieces:
                ids.append(id)
                places.append((start + begin, start + end))
        return ids, places

    def _pieces(self, word: str) -> tuple[TokenSpan, ...]:
        if word in self._special:
            return (TokenSpan(self._special[word], 0, len(word)),)
        if word.isascii() and word.isalnum():
            return tuple(self._cut(word.lower()))
        folded, places = _folded(word)
        return tuple(TokenSpan(id, places[begin], places[end - 1] + 1) for id, begin, end in self._cut(folded))

    def _cut(self, word: str) -> list[TokenSpan]:
        """The longest piece that the word begins with, then that its rest does; all unknown when one is missing."""
        if len(word) > self._longest_word:
            return [TokenSpan(self._unknown, 0, len(word))]
        pieces: list[TokenSpan] = []
        begin, prefix = 0, ""
        while begin < len(word):
            longest = min(len(word), begin + self._longest_piece)
            for end in range(longest, begin, -1):
                id = self._vocabulary.get(prefix + word[begin:end])
                if id is not None:
                    break
            else:
                return [TokenSpan(self._unknown, 0, len(word))]
            pieces.append(TokenSpan(id, begin, end))
            begin, prefix = end, CONTINUING
        return pieces


# ── tokenizer.json ────────────────────────────────────────────────────────────────────────────────────────


def read_wordpiece(content: object) -> WordPiece | None:
    """The tokenizer that a `tokenizer.json` describes, if it is that of a plain lower-case BERT; else None.

    Whatever is not as usual is left to the library, which knows every variant, and what is wrong with a broken one.
    """
    match content:
        case {
            "model": {
                "type": "WordPiece",
                "continuing_subword_prefix": "##",
                "unk_token": str(unknown),
                "max_input_chars_per_word": int(longest_word),
                "vocab": dict(vocabulary),
            },
            "normalizer": {
                "type": "BertNormalizer",
                "clean_text": True,
                "handle_chinese_chars": True,
                "lowercase": True,
                "strip_accents": None | True,  # null: they go with the capitals
            },
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "post_processor": dict(processor),
            "added_tokens": list(added),
        } if _is_usual(vocabulary, unknown, added):
            around = _around(processor)
        case _:
            return None
    if around is None:
        return None
    return WordPiece(
        vocabulary,
        unknown=vocabulary[unknown],
        longest_word=longest_word,
        special={token["content"]: token["id"] for token in added},
        head=[around[0]],
        tail=[around[1]],
    )


def _is_usual(vocabulary: Mapping[str, Any], unknown: str, added: list[Any]) -> bool:
    return (
        unknown in vocabulary
        and set(map(type, vocabulary.values())) == {int}
        and min(vocabulary.values()) >= 0
        and all(_is_found_as_it_stands(token, vocabulary) for token in added)
    )


def _is_found_as_it_stands(token: object, vocabulary: Mapping[str, object]) -> bool:
    """Whether [SEP] in a text is that token, whatever is around it.

    It must begin with a sign that ends a word: otherwise it could begin within one, where we do not look.
    """
    match token:
        case {
            "id": int(id),
            "content": str(content),
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
        }:
            return vocabulary.get(content) == id and content[:1] in tuple(punctuation)
    return False


def _around(processor: Mapping[str, Any]) -> tuple[int, int] | None:
    """What stands before and behind every text: [CLS] and [SEP]."""
    match processor:
        case {"type": "BertProcessing", "cls": [str(), int(head)], "sep": [str(), int(tail)]}:
            return head, tail
        case {
            "type": "TemplateProcessing",
            "single": [
                {"SpecialToken": {"id": str(first)}},
                {"Sequence": {"id": "A"}},
                {"SpecialToken": {"id": str(last)}},
            ],
            "special_tokens": dict(tokens),
        }:
            match tokens.get(first), tokens.get(last):
                case {"ids": [int(head)]}, {"ids": [int(tail)]}:
                    return head, tail
    return None


# ── characters ────────────────────────────────────────────────────────────────────────────────────────────


def _folded(word: str) -> tuple[str, list[int]]:
    """The word as the vocabulary spells it, and for each character the place in the word that it comes from."""
    tables = _tables()
    if not tables.kept_marks.isdisjoint(word):
        return _folded_and_sorted(word, tables)
    parts = [tables.becomes[char] for char in word]
    return "".join(parts), [place for place, part in enumerate(parts) for _ in part]


def _folded_and_sorted(word: str, tables: _CharacterTables) -> tuple[str, list[int]]:
    """The same for a word with signs that stay and yet are sorted among the accents around them (Unicode, 3.11).

    The library gives places as if sorting had moved no character: the first behind a letter comes from the first.
    """
    becomes, marks, orders = tables.becomes, tables.marks, tables.orders
    kept = [(place, char) for place, char in enumerate(word) if becomes[char] or char in marks]
    parts = [
        (orders.get(part, 0), part, nth == 0) for _, char in kept for nth, part in enumerate(becomes[char] or char)
    ]
    folded, places, at = "", [], -1
    for _, run in groupby(parts, key=lambda part: part[0] > 0):
        for _, char, is_first in sorted(run, key=lambda part: part[0]):
            at += is_first
            if char not in marks:
                folded += char
                places.append(kept[at][0])
    return folded, places


@dataclass(frozen=True, slots=True, kw_only=True)
class _CharacterTables:
    """`kept_marks` are sorted as accents are, but stay; for all else nothing needs sorting."""

    becomes: _Becomes
    marks: frozenset[str]
    orders: Mapping[str, int]
    kept_marks: frozenset[str]


@cache
def _tables() -> _CharacterTables:
    """Made for the first word that is more than letters and digits of English."""
    becomes, marks, orders = _Becomes(), frozenset(_chars(MARKS)), dict(_orders())
    spread = {char for char, to in becomes.items() if len(to) > 1 and not orders.keys().isdisjoint(to)}
    kept_marks = frozenset((orders.keys() - marks) | spread)
    return _CharacterTables(becomes=becomes, marks=marks, orders=orders, kept_marks=kept_marks)


class _Becomes(dict[str, str]):
    """What a character is folded to; nothing for one that is taken out."""

    def __init__(self) -> None:
        super().__init__(dict.fromkeys((*_chars(REMOVED), *_chars(MARKS)), ""))
        for line in FOLDS.strip("\n").split("\n"):
            first, _, targets = line.partition(" ")
            self.update((chr(code), to) for code, to in enumerate(targets, int(first, 16)) if to != " ")
        for line in SPREADS.strip("\n").split("\n"):
            char, *parts = (chr(int(code, 16)) for code in line.split())
            self[char] = "".join(parts)

    def __missing__(self, char: str) -> str:
        """What is too many for a table, and the same in every version of Unicode: Hangul, private use, itself."""
        if "가" <= char <= "힣":
            return unicodedata.normalize("NFD", char)
        return "" if unicodedata.category(char) == "Co" else char


def _ranges(table: str) -> list[Span]:
    """The first and the last code point of each range in a table."""
    ends = (each.split("-") for each in table.split())
    return [(int(each[0], 16), int(each[-1], 16)) for each in ends]


def _chars(table: str) -> Iterator[str]:
    return (chr(code) for first, last in _ranges(table) for code in range(first, last + 1))


def _set(*tables: str) -> str:
    """The inside of a regular expression's brackets."""
    return "".join(rf"\U{first:08x}-\U{last:08x}" for table in tables for first, last in _ranges(table))


def _orders() -> Iterator[tuple[str, int]]:
    order = 0
    for each in ORDERS.split():
        if each.endswith(":"):
            order = int(each[:-1])
        else:
            yield from ((mark, order) for mark in _chars(each))


_WORD = f"[^{_set(PUNCTUATION, IDEOGRAPHS, SPACES)}]+|[^{_set(SPACES)}]"
