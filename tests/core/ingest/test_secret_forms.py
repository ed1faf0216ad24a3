"""Secrets as they really stand in texts are caught, talk that only looks so is left alone, and neither takes long."""

from __future__ import annotations

import re
import sys

import pytest
from bench import secret_masks
from hypothesis import given
from hypothesis import strategies as st
from tests.core.ingest.secret_forms import Form, forms
from tests.core.ingest.secret_talk import talk

from libravdb.core.ingest.secret_patterns import PATTERNS
from libravdb.core.ingest.secrets import mask_secrets

FORMS = list(forms())
PARAMS = [pytest.param(form, id=f"{form.group}-{n}") for n, form in enumerate(FORMS)]


@pytest.mark.parametrize("form", PARAMS)
def test_every_form_is_caught(form: Form) -> None:
    assert form.remains(form.text)
    assert not form.remains(mask_secrets(form.text).text)


@pytest.mark.parametrize("form", PARAMS)
def test_every_form_is_caught_in_the_middle_of_talk(form: Form) -> None:
    masked = mask_secrets(f"Hi Tom, as we said yesterday:\n\n{form.text}\n\nLet me know when it works, thanks.")
    assert not form.remains(masked.text)
    assert masked.text.startswith("Hi Tom, as we said yesterday:\n\n")
    assert masked.text.endswith("\n\nLet me know when it works, thanks.")


def test_talk_without_secrets_keeps_its_words() -> None:
    masked = [text for text in talk(10_000) if mask_secrets(text).counts]
    assert len(masked) <= 1, masked[:5]


@given(st.lists(st.sampled_from(FORMS).map(lambda form: form.text) | st.sampled_from(list(talk(600))), max_size=4))
def test_masking_a_masked_talk_changes_nothing(texts: list[str]) -> None:
    once = mask_secrets("\n".join(texts)).text
    assert mask_secrets(once).text == once


def test_the_benchmark_counts_every_form_and_every_turn() -> None:
    assert secret_masks.caught()["all"] == (len(FORMS), len(FORMS))
    assert secret_masks.masked_turns(["plain talk", "my password is Sommer#2024x"]) == (1, 2, 37)


HOSTILE = [
    *("password ", "password=", "pass", "password is ", "my PIN ", "curl -u ", "mysql -p", "docker login ", "is "),
    *("backup codes: ", "seed phrase ", "<password ", "name='password' ", "cookie: a=", "://", "1 ", "4-", "DE89 "),
    *("DE12", "secret ", "token:", "ENV A_", "Private-Lines: 1\n", "eyJ", "sk-", "-----BEGIN ", "密码", "$2b$", '"'),
    "a1B2c3D4e5F6g7H8i9J0k1L2m3N4",
]


def _steps(text: str) -> int:
    """How often a masking steps through Python lines: its work, whatever the machine is doing beside it."""
    count = 0

    def step(*_: object) -> object:
        nonlocal count
        count += 1
        return step

    before = sys.gettrace()
    sys.settrace(step)  # type: ignore[arg-type]
    try:
        mask_secrets(text)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_hostile_text_twice_as_long_takes_about_twice_the_steps(piece: str) -> None:
    short, long = piece * 400, piece * 1_600
    assert _steps(long) <= 5 * _steps(short) + 2_000


def test_no_repetition_in_a_pattern_is_open_ended() -> None:
    """Those that are give nothing back (`*+`), or repeat one class of letters that what follows cannot begin with."""
    for pattern in PATTERNS:
        assert not re.search(r"(?<!\\)[*+](?![+\w])(?!\])", re.sub(r"\[[^\]]*\]", "[]", pattern.regex.pattern)), (
            pattern.kind
        )
