"""Words into terms: what a text holds can be asked for, and the index holds what we believe it holds."""

from __future__ import annotations

import sqlite3
import sys
import time
from collections import defaultdict
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libravdb.adapters.sqlite.schema import full_text, records_and_texts, sessions_edges_journal, vector_spaces
from libravdb.text.analysis import ANALYSIS, MAX_TERM, STOP_WORDS, index_terms, is_older, query_terms, word_spans

FUNCTION_WORDS = frozenset().union(*STOP_WORDS.values())

WORDS = st.one_of(
    st.sampled_from(
        "running Häuser niños mangées книги getUserName HTTP2Server max_retry λόγος हूँ東京 東京 大阪・京都 ภาษาไทย"
        " 학교에 Straße İstanbul ſ ﬁne Ⅷ ² ǅ naïve e\u0301 x1y2 ǆ ẞ ŉ ΐ".split()
    ),
    st.text(st.characters(categories=("L", "N", "M")), min_size=1, max_size=8),
    st.text(min_size=1, max_size=8),
)
TEXTS = st.lists(WORDS, max_size=12).map(" ".join)


def matches(terms: list[str], form: str) -> bool:
    return any(term.startswith(form[:-1]) for term in terms) if form.endswith("*") else form in terms


@settings(deadline=None, max_examples=500)
@given(
    texts=st.lists(WORDS, min_size=1, max_size=12),
    among=st.sampled_from(["the of and", "und der die", "les des", "и в", ""]),
)
def test_every_word_of_a_text_asked_alone_finds_the_text(texts: list[str], among: str) -> None:
    """Whatever language the words around it make the text seem to be in."""
    terms = index_terms(" ".join([*texts, among, among]))
    for word in texts:
        for forms in query_terms(word):
            assert any(matches(terms, form) for form in forms), (word, forms, terms)


@settings(deadline=None, max_examples=300)
@given(TEXTS)
def test_a_text_asked_as_a_question_shares_a_term_with_itself(text: str) -> None:
    terms = index_terms(text)
    assert bool(query_terms(text)) == bool(terms)


@given(TEXTS)
def test_the_same_text_gives_the_same_terms(text: str) -> None:
    assert index_terms(text) == index_terms(text)
    assert query_terms(text) == query_terms(text)


@given(TEXTS)
def test_terms_are_folded_and_of_bounded_length(text: str) -> None:
    for term in index_terms(text):
        assert term
        assert len(term) <= 3 * MAX_TERM  # folding may make three letters out of one, never more
        assert not any(char.isspace() for char in term)


@pytest.mark.parametrize("word", sorted(FUNCTION_WORDS)[::17])
def test_a_function_word_is_dropped_beside_others_and_kept_alone(word: str) -> None:
    assert query_terms(f"{word} elephant") == query_terms("elephant")
    assert query_terms(word)


# ── what FTS5 makes of them ───────────────────────────────────────────────────────────────────────────────


class Index:
    """The store's own full-text table, with a way to read back what it holds."""

    def __init__(self) -> None:
        self.db = sqlite3.connect(":memory:")
        for migration in (records_and_texts, vector_spaces, full_text, sessions_edges_journal):
            migration(self.db)
        self.db.execute("CREATE VIRTUAL TABLE held USING fts5vocab(lexicon, instance)")

    def add(self, row: int, terms: list[str]) -> None:
        self.db.execute("INSERT INTO lexicon (rowid, scope, terms) VALUES (?, 'c1', ?)", (row, " ".join(terms)))

    def held(self) -> dict[int, list[str]]:
        found: dict[int, list[tuple[int, str]]] = defaultdict(list)
        for term, row, offset in self.db.execute("SELECT term, doc, \"offset\" FROM held WHERE col = 'terms'"):
            found[row].append((offset, term))
        return {row: [term for _, term in sorted(places)] for row, places in found.items()}


@settings(deadline=None, max_examples=20)
@given(st.lists(TEXTS, max_size=30))
def test_the_index_holds_exactly_the_terms_it_is_given(texts: list[str]) -> None:
    index = Index()
    for row, text in enumerate(texts):
        index.add(row, index_terms(text))
    assert index.held() == {row: index_terms(text) for row, text in enumerate(texts) if index_terms(text)}
    index.db.close()


def test_no_character_of_unicode_makes_a_term_that_the_index_would_split_or_change() -> None:
    """Alone, inside a word and inside a run of Han: FTS5 has its own tables of letters, marks and cases.

    Of the blocks that hold nothing but ideographs, syllables or nothing at all, some are tried.
    """
    index = Index()
    given_terms: dict[int, list[str]] = {}
    codes = [*range(0x3500), *range(0x3500, 0xA000, 29), *range(0xA000, 0xAC00), *range(0xAC00, 0xD800, 29)]
    codes += [*range(0xE000, 0x20000), *range(0x20000, sys.maxunicode + 1, 487)]
    for code in codes:
        terms = index_terms(f"a{chr(code)}b {chr(code)} 字{chr(code)}字")
        if terms != ["a", "b", "字", "字"]:  # a separator: nothing of it is left
            given_terms[code] = terms
            index.add(code, terms)
    assert index.held() == given_terms
    index.db.close()


# ── examples ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The Cats were running", ["the", "cat", "were", "run"]),
        ("getUserName", ["getusernam", "get", "user", "name"]),
        ("snake_case_name", ["snake", "case", "name"]),
        ("東京都", ["東京", "京都", "都"]),
        ("京", ["京"]),
        ("ジョン・スミス", ["ジョ", "ョン", "ン", "スミ", "ミス", "ス"]),
        ("Ünïcödé", ["unicod"]),
        ("1234 007", ["1234", "007"]),
        ("", []),
        ("!?…—🦊", []),
        ("हूँ। है", ["हूँ", "है"]),
    ],
)
def test_texts_become_these_terms(text: str, terms: list[str]) -> None:
    assert index_terms(text) == terms


def test_one_character_of_an_unspaced_script_is_asked_as_a_prefix() -> None:
    assert query_terms("京") == [("京*",)]
    assert query_terms("東京") == [("東京",)]


def test_a_word_beyond_the_limit_is_known_by_its_head() -> None:
    assert index_terms("q" * 1000) == ["q" * MAX_TERM]
    assert query_terms("q" * 1000) == [("q" * MAX_TERM,)]


@pytest.mark.parametrize(
    "piece",
    [
        "word and other ",
        "a",
        "A",
        "aB",
        "東",
        "é",
        "e\u0301",
        "\u0301",
        "_",
        " ",
        "1",
        "aB1_",
        "हूँ।",
        "\0",
        "('\"*",
    ],
)
def test_huge_inputs_take_time_in_proportion(piece: str) -> None:
    """Sixteen times the text may take sixteen times as long, not 256: a factor of eight is left for noise."""

    def seconds(size: int) -> float:
        text = (piece * size)[:size]
        best = 10.0
        for _ in range(3):
            start = time.thread_time()
            index_terms(text)
            best = min(best, time.thread_time() - start)
        return best

    index_terms(piece * 1000)
    assert seconds(160_000) < 128 * max(seconds(10_000), 0.001)


# ── where words stand ─────────────────────────────────────────────────────────────────────────────────────


@settings(deadline=None, max_examples=300)
@given(text=TEXTS, question=TEXTS)
def test_words_are_shown_exactly_where_the_index_finds_some(text: str, question: str) -> None:
    words, terms = query_terms(question), index_terms(text)
    spans = word_spans(words, text)
    assert bool(spans) == any(matches(terms, form) for forms in words for form in forms)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


@pytest.mark.parametrize(
    ("question", "text", "shown"),
    [
        ("Where do you run?", "I was running, she RUNS.", ["running", "RUNS"]),
        ("the house", "Houses of the north", ["Houses"]),
        ("Häuser", "Das Ha\u0308user und die Ha\u0308usern.", ["Ha\u0308user", "Ha\u0308usern"]),
        ("find", "We ﬁnd it ﬁne, e\u0301tage too.", ["ﬁnd"]),
        ("étage", "We ﬁnd it ﬁne, e\u0301tage too.", ["e\u0301tage"]),
        ("user name", "call getUserName(x)", ["getUserName"]),
        ("東京", "私は東京に住む", ["東京"]),
        ("東京都", "東京都と京都", ["東京都", "京都"]),
        ("京", "東京と京都", ["京", "京"]),
        ("ｶﾞｽ", "the ガス bill, the ｶﾞｽ bill", ["ガス", "ｶﾞｽ"]),
        ("8 apples", "Ⅷ apples and 8 pears", ["apples", "8"]),
        ("nothing here", "of no use", []),
        ("", "of no use", []),
    ],
)
def test_words_are_shown_as_they_are_written(question: str, text: str, shown: list[str]) -> None:
    assert [text[start:end] for start, end in word_spans(query_terms(question), text)] == shown


@pytest.mark.parametrize(
    ("analysis", "than", "expected"),
    [
        (ANALYSIS, ANALYSIS, False),
        ("terms-1 snowball-2.2.0 unicode-14.0.0", "terms-1 snowball-2.2.0 unicode-15.1.0", True),
        ("terms-1 snowball-2.2.0 unicode-15.1.0", "terms-1 snowball-2.2.0 unicode-9.0.0", False),
        ("terms-1 snowball-2.10.0", "terms-1 snowball-2.9.1", False),
        ("terms-2 unicode-14.0.0", "terms-1 unicode-15.0.0", True),
        (ANALYSIS, "", False),
        (ANALYSIS, "plain", False),
    ],
)
def test_an_analysis_is_older_when_any_part_of_it_is(analysis: str, than: str, *, expected: bool) -> None:
    assert is_older(analysis, than) is expected
