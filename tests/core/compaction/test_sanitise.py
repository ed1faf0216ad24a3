"""The summariser's view: payloads become markers, words stay."""

from __future__ import annotations

import base64
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.compaction.sanitise import LONG_RUN, sanitise


def fenced(lines: int, language: str = "python") -> str:
    body = "\n".join(f"print({place})" for place in range(lines))
    return f"Look:\n```{language}\n{body}\n```\nDone."


def test_a_big_code_block_becomes_a_marker_with_its_first_line() -> None:
    assert sanitise(fenced(40)) == "Look:\n[python, 40 lines: print(0) …]\nDone."


def test_a_small_code_block_stays() -> None:
    assert sanitise(fenced(5)) == fenced(5)


def test_a_fence_that_is_never_closed_reaches_to_the_end() -> None:
    assert sanitise("```\n" + "x = 1\n" * 50).startswith("[code, ")


def test_a_longer_fence_holds_a_shorter_one() -> None:
    inner = "\n".join(["```", *["x"] * 20, "```"])
    assert sanitise(f"````md\n{inner}\n````\nend") == "[md, 22 lines: x …]\nend"


def test_data_uris_and_payloads_become_markers() -> None:
    payload = base64.b64encode(hashlib.sha512(b"x").digest() * 9).decode()
    assert sanitise(f"![a](data:image/png;base64,{payload})") == "![a]([data: image/png, 790 characters])"
    assert sanitise(f"key: {payload} end") == f"key: [base64, {len(payload)} characters] end"
    assert sanitise("ab" * 80) == "[hex, 160 characters]"


def test_a_dump_of_bytes_becomes_a_marker_and_a_row_of_numbers_stays() -> None:
    assert sanitise("00000010: " + "7f 45 4c 46 " * 6) == "[hex, 82 characters]"
    numbers = " ".join(["10", "20", "35"] * 10)
    assert sanitise(numbers) == numbers


@pytest.mark.parametrize(
    "text",
    [
        hashlib.sha256(b"x").hexdigest(),
        "/very/long/path" * 10,
        "a-very-long-name-" * 10,
        "https://example.org/" + "path/" * 30,
        "Ein ganz normaler Satz, der etwas länger ist als die Grenze, ab der eine Zeile überhaupt geprüft wird.",
        "",
        "\x00\ud800",
    ],
)
def test_what_is_made_of_words_stays(text: str) -> None:
    assert sanitise(text) == text


@given(st.text(alphabet="a `~\n", max_size=200))
def test_text_of_fences_never_fails_and_never_hides_prose_outside_of_them(text: str) -> None:
    shown = sanitise(text)
    assert ("a" in shown) == ("a" in text) or "lines" in shown


@pytest.mark.parametrize("piece", ["```", "~~~\n", "data:a/b,", "A1a=", "ab ", "0x", "data:" + ";a=b" * 5])
def test_long_adversarial_texts_are_read_in_one_pass(piece: str) -> None:
    """Quadratic reading would take minutes here."""
    text = piece * (400_000 // len(piece))
    assert len(sanitise(text)) <= len(text) + LONG_RUN
