"""Secrets as they really stand in texts are caught, talk that only looks so is left alone, and neither takes long."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.ingest.secret_forms import Form, forms
from tests.core.ingest.secret_talk import talk

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
