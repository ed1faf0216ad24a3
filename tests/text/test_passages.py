"""Passages: what becomes a vector of its own."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.text import passages
from libravdb.text.passages import spans, split, windows
from libravdb.text.sentences import sentences


def sentence_texts(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


def letters(text: str) -> str:
    return "".join(text.split())


TEXTS = st.text() | st.text(alphabet=" \n.!?…。！a1BÄ\"')-:\r\u2028")


@given(TEXTS)
def test_no_letter_is_lost_and_the_order_is_kept(text: str) -> None:
    assert "".join(letters(passage) for passage in split(text)) == letters(text)


@given(TEXTS)
def test_passages_are_slices_in_order_without_spaces_around_them(text: str) -> None:
    before = 0
    for start, end in spans(text):
        assert before <= start < end
        assert text[start:end] == text[start:end].strip()
        before = end


@given(TEXTS)
def test_only_the_sole_passage_of_a_text_may_be_short(text: str) -> None:
    found = split(text)

    assert len(found) <= 1 or all(len(each.encode(errors="surrogatepass")) >= passages.SHORT for each in found)


@given(st.integers(0, 5000), st.integers(1, 300))
def test_windows_cover_everything_once_and_none_is_too_long(length: int, size: int) -> None:
    runs = windows(length, size)

    assert runs[0][0] == 0
    assert runs[-1][1] == length
    assert all(end == begin for (_, end), (begin, _) in pairwise(runs))
    assert all(end - begin <= size for begin, end in runs)
    assert max(end - begin for begin, end in runs) - min(end - begin for begin, end in runs) <= 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It rained. We stayed in!  Did you?", ["It rained.", "We stayed in!", "Did you?"]),
        ("i was late. she had left.", ["i was late.", "she had left."]),
        ("Really?! Yes.", ["Really?!", "Yes."]),
        ('He said "stop." Then he left.', ['He said "stop."', "Then he left."]),
        ("It cost 3.5 euros at example.org.", ["It cost 3.5 euros at example.org."]),
        ("Bring fruit, e.g. apples.", ["Bring fruit, e.g. apples."]),
        ("Ask Dr. Smith or J. R. Miller.", ["Ask Dr. Smith or J. R. Miller."]),
        ("Apples, pears, etc. are sold.", ["Apples, pears, etc. are sold."]),
        ('"Really?" he asked.', ['"Really?" he asked.']),
        ("Am 3. Mai kam z.B. Herr Müller. Er blieb.", ["Am 3. Mai kam z.B. Herr Müller.", "Er blieb."]),
        ("Er sagte: „Nein.“ Dann ging er.", ["Er sagte: „Nein.“", "Dann ging er."]),
        ("¿Vienes? ¡Sí! Ya voy.", ["¿Vienes?", "¡Sí!", "Ya voy."]),
        ("Il pleut… Tant pis.", ["Il pleut…", "Tant pis."]),
        ("今天天气很好。我们走吧！好吗？", ["今天天气很好。", "我们走吧！", "好吗？"]),
        ("彼は「はい。」と言った。", ["彼は「はい。」", "と言った。"]),
        ("मैं घर गया। वह सो गया।", ["मैं घर गया।", "वह सो गया।"]),
        ("- milk\n- bread\n* eggs", ["- milk", "- bread", "* eggs"]),
        ("1. Wash.\n2. Dry.", ["1. Wash.", "2. Dry."]),
        ("x = 1\ny = 2\nprint(x)", ["x = 1", "y = 2", "print(x)"]),
        ("Title\n\nbody text", ["Title", "body text"]),
        (
            "This line was wrapped by an editor at some\ncolumn. The end.",
            ["This line was wrapped by an editor at some\ncolumn.", "The end."],
        ),
        ("one\r\nTwo", ["one", "Two"]),
        ("   ", []),
    ],
)
def test_sentences_end_where_a_reader_says_so(text: str, expected: list[str]) -> None:
    assert sentence_texts(text) == expected


def test_short_sentences_join_their_neighbour() -> None:
    long = "The committee decided to move the meeting to the second Thursday in May."

    assert split(f"Hello! {long} Bye.") == [f"Hello! {long} Bye."]
    assert split(f"{long} {long}") == [long, long]


def test_chinese_characters_count_for_more_than_letters() -> None:
    sentence = "我们把会议改到了五月的第二个星期四下午三点钟。"

    assert split(sentence * 2) == [sentence, sentence]


@pytest.mark.parametrize(
    "unit", [".", "a", ". ", "\n", " ", "a.\n", "。", ".)", "a b. ", "x\n", "...x ", "\r\n ", '."', "Dr. "]
)
def test_a_megabyte_of_anything_is_read_to_its_end(unit: str) -> None:
    """A quadratic reading of a megabyte would take hours and never come here."""
    text = unit * (1_000_000 // len(unit)) + "x"

    found = split(text)

    assert found[-1].endswith("x")
    assert sum(map(len, found)) <= len(text)


def test_reading_passages_loads_no_model_library() -> None:
    code = """
import sys, libravdb.text.passages
print(sorted({'onnxruntime', 'numpy', 'tokenizers'} & set(sys.modules)))
"""

    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert shown.stdout.strip() == "[]"
