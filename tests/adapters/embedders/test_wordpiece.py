"""Our WordPiece against the library's: the same ids and places, for whatever a text may hold."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordPiece as WordPieceModel
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import BertProcessing

from libravdb.adapters.embedders.bundled import shipped_folder
from libravdb.adapters.embedders.wordpiece import REMEMBERED_CHARS, REMEMBERED_WORDS, WordPiece, read_wordpiece
from libravdb.text.sentences import Span

ROOT = Path(__file__).parents[3]
SHIPPED: dict[str, Any] = json.loads((shipped_folder() / "tokenizer.json").read_bytes())
LIBRARY = Tokenizer.from_str(json.dumps(SHIPPED))

SORTED_SIGNS = "\u1b44\u302e\U0001d165\U0001d16d\U0001e944\U0001e94a"
"""Signs that are no accents for the library, but are sorted among them."""

ACCENTS = "\u0301\u0327\u0338\u0345\u05b0\u0f71\u3099"
TRICKY = (
    " \t\n\x00\x0b\x1c\x85\xa0\u200d\u2028\u3000\ufeff\ufffd"  # spaces, controls, what is taken out
    "[]!.,'’“”«»¿—…·\u037e\u0387\u1fef≠≯。！〈\u2329$+^|`"  # punctuation, and what becomes it
    "aZéÉÅßİıŁłﬁΣςжЙѐ"  # capitals and accents
    "今天豈\U0002f800\u2b820カがハ゜각힣ᄀ"  # scripts without spaces
    "\U0001f469\u200d\U0001f467\U0001f1e9\U0001f3fd\ufe0f"  # emoji, joined
    "\ue000\U000f0000\u0378\uffff\U0010ffff\U00011938\u1c89\ua7cb"  # private use, unassigned, newer than the tables
    "ো\u0344\u0f73\u0f76\U0001d160\U0001d1bc"  # what falls into several parts
)


def by_library(tokenizer: Tokenizer, text: str) -> tuple[list[int], list[Span]]:
    encoding = tokenizer.encode(text, add_special_tokens=False)
    return encoding.ids, encoding.offsets


def read(content: object) -> WordPiece:
    found = read_wordpiece(content)
    assert found is not None
    return found


def small(**changes: Any) -> dict[str, Any]:
    """A small tokenizer of the same kind, as the library writes it."""
    letters = "ae\u1112\u1175\u11c2" + SORTED_SIGNS  # in the middle the parts of the last syllable of Hangul
    pieces = ("[UNK]", "[CLS]", "[SEP]", *letters, *(f"##{letter}" for letter in letters), "eeeeeeee")
    model = WordPieceModel({piece: id for id, piece in enumerate(pieces)}, unk_token="[UNK]")  # noqa: S106 - a token
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    tokenizer.add_special_tokens(["[UNK]", "[CLS]", "[SEP]"])
    content: dict[str, Any] = json.loads(tokenizer.to_str())
    return {**content, **changes}


OURS = read(SHIPPED)
SMALL, SMALL_LIBRARY = read(small()), Tokenizer.from_str(json.dumps(small()))


# ── the same as the library ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "plane", [0, *(pytest.param(plane, marks=pytest.mark.thorough) for plane in (1, 2, 3, 4, 14, 15))]
)
def test_every_code_point_of_a_plane_gives_the_library_s_tokens_between_letters_alone_and_among_accents(
    plane: int,
) -> None:
    """Beyond the planes of scripts between letters only: those are a million, and nearly all of them unassigned."""
    shapes = ("a{0}b", "{0}", "e\u0301{0}\u1b44\u0327") if plane < 2 else ("a{0}b",)
    for first in range(plane << 16, plane + 1 << 16, 256):
        chars = [char for char in map(chr, range(first, first + 256)) if not "\ud800" <= char <= "\udfff"]
        for shape in shapes:
            text = " ".join(map(shape.format, chars))
            assert OURS.encode(text) == by_library(LIBRARY, text), f"{first:x}, {shape!r}"


MORSELS = ("[SEP]", "[CLS]", "[MASK", "]", "[[PAD]]", "unbelievable", "éa", " ", *TRICKY)
TEXTS = (
    st.text()
    | st.text(st.characters(min_codepoint=0x80, exclude_categories=["Cs"]))
    | st.text(TRICKY + ACCENTS + SORTED_SIGNS)
    | st.lists(st.sampled_from(MORSELS)).map("".join)
)


@given(TEXTS)
@example("")
@example("a" * 100 + " " + "a" * 101 + " " + "ä" * 100 + " " + "ä" * 101 + "\x00" * 40 + "x" * 99)
@example("x" * 100_000)
def test_any_text_gives_the_library_s_tokens(text: str) -> None:
    assert OURS.encode(text) == by_library(LIBRARY, text)


@given(st.text("ae힣é\u200d\U0001d160" + ACCENTS + SORTED_SIGNS))
@example("eeeeeeeeaeeeeeeee")
@example("힣")
def test_signs_among_accents_come_in_the_library_s_order(text: str) -> None:
    """The shipped vocabulary has none of these signs: in this one their order shows."""
    assert SMALL.encode(text) == by_library(SMALL_LIBRARY, text)


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["docs", "tests", "plugins"])
def test_every_text_of_the_project_gives_the_library_s_tokens(folder: str) -> None:
    paths = [path for path in (ROOT / folder).rglob("*") if path.suffix in (".md", ".py", ".ts", ".js", ".txt")]
    assert paths
    for path in paths:
        text = path.read_text(encoding="utf-8")
        assert OURS.encode(text) == by_library(LIBRARY, text), path


def test_threads_share_one_tokenizer() -> None:
    texts = [f"{word} {number} naïve ideas" for number in range(50) for word in ("Größe", "unbelievably", "今天")] * 4
    alone = [read(SHIPPED).encode(text) for text in texts[:10]]

    with ThreadPoolExecutor(max_workers=8) as pool:
        together = list(pool.map(read(SHIPPED).encode, texts))

    assert together[:10] == alone
    assert together == [OURS.encode(text) for text in texts]


def test_what_is_remembered_of_words_is_bounded() -> None:
    tokenizer = read(SHIPPED)

    tokenizer.encode(" ".join(f"w{number:x}" for number in range(2 * REMEMBERED_WORDS)))
    tokenizer.encode("x" * (REMEMBERED_CHARS + 1))

    remembered = tokenizer._remembered.cache_info()
    assert remembered.currsize == REMEMBERED_WORDS
    assert remembered.misses == 2 * REMEMBERED_WORDS


# ── which files it reads ──────────────────────────────────────────────────────────────────────────────────


def test_what_stands_around_a_text_is_told_in_either_of_two_ways() -> None:
    assert (OURS.head, OURS.tail) == ([101], [102])
    assert (SMALL.head, SMALL.tail) == ([1], [2])


def test_accents_go_with_the_capitals_whether_the_file_says_so_or_nothing() -> None:
    for said in (None, True):
        content = small(normalizer={**SHIPPED["normalizer"], "strip_accents": said})
        assert read(content).encode("É") == ([4], [(0, 1)])


UNUSUAL_TOKEN = {"id": 1, "special": True, "content": "[CLS]"}
PLAIN_FLAGS = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}


@pytest.mark.parametrize(
    "changes",
    [
        {"normalizer": None},
        {"normalizer": {**SHIPPED["normalizer"], "lowercase": False}},
        {"normalizer": {**SHIPPED["normalizer"], "strip_accents": False}},
        {"normalizer": {**SHIPPED["normalizer"], "clean_text": False}},
        {"normalizer": {**SHIPPED["normalizer"], "handle_chinese_chars": False}},
        {"pre_tokenizer": {"type": "Whitespace"}},
        {"post_processor": None},
        {"post_processor": {"type": "ByteLevel"}},
        {"post_processor": {**SHIPPED["post_processor"], "special_tokens": {}}},
        {"post_processor": {**SHIPPED["post_processor"], "single": SHIPPED["post_processor"]["single"][:2]}},
        {"model": {**small()["model"], "type": "BPE"}},
        {"model": {**small()["model"], "continuing_subword_prefix": "@@"}},
        {"model": {**small()["model"], "vocab": {}}},
        {"model": {**small()["model"], "vocab": {"[UNK]": 0, "a": "one"}}},
        {"model": {**small()["model"], "vocab": {"[UNK]": 0, "a": -1}}},
        {"model": {**small()["model"], "unk_token": "<unk>"}},
        {"model": 3},
        {"added_tokens": {}},
        {"added_tokens": [UNUSUAL_TOKEN]},
        {"added_tokens": [{**UNUSUAL_TOKEN, **PLAIN_FLAGS, "lstrip": True}]},
        {"added_tokens": [{**UNUSUAL_TOKEN, **PLAIN_FLAGS, "id": 7}]},
        {"added_tokens": [{**UNUSUAL_TOKEN, **PLAIN_FLAGS, "content": "a", "id": 3}]},
    ],
)
def test_a_tokenizer_of_another_kind_is_left_to_the_library(changes: dict[str, Any]) -> None:
    assert read_wordpiece(small()) is not None
    assert read_wordpiece(small(**changes)) is None


@pytest.mark.parametrize("content", [None, [], 3, "x", {}])
def test_what_is_no_tokenizer_at_all_is_left_to_the_library(content: object) -> None:
    assert read_wordpiece(content) is None
