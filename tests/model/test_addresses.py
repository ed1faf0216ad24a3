"""No part of a password is shown, however it was written into an address."""

from __future__ import annotations

import re
from urllib.parse import quote

from hypothesis import example, given
from hypothesis import strategies as st

from libravdb.model.addresses import ambiguity_of, is_mistyped_address, passwords_in, without_password

SIGNS = "XZzxj79/@:?#%&=+!,;[]"
"""None of these letters stands in the rest of an address, so that every letter of a password can be looked for."""

PASSWORDS = st.text(SIGNS, min_size=1, max_size=24).filter(lambda text: re.search("[XZzxj]", text))
FORMS = (
    "postgresql://me:{}@host/data",
    "postgres://me:{}@one:543,two:543/data?sslmode=on",
    "POSTGRESQL://me:{}@host/data",
    "postgresql://me:{}@[::1]:543/data",
    "postgresql://:{}@/data?host=/run/pg",
    "postgresql://me@host/data?password={}",
    "postgresql:///data?host=/run&password={}",
    "postgresql://me@host/data?sslpassword={}&sslmode=on",
    "https://me:{}@host:543/v1",
    "https://host/v1?api_key={}",
    "host=h password={}",
)


def letters(text: str) -> set[str]:
    return set(re.findall("[XZzxj79]", text))


@given(word=PASSWORDS, form=st.sampled_from(FORMS))
@example(word="Z/X", form=FORMS[0])
@example(word="Z@X", form=FORMS[0])
@example(word="7/X?Z@", form=FORMS[0])
@example(word="?password=7@X", form=FORMS[0])
@example(word="Z#X", form=FORMS[5])
@example(word="Z@X", form=FORMS[5])
def test_no_letter_of_a_password_is_shown_as_it_was_written_or_encoded(word: str, form: str) -> None:
    for written in (word, quote(word, safe="")):
        address = form.format(written)
        assert letters(without_password(address)) == set(), address
        assert passwords_in(address)


@given(word=PASSWORDS, form=st.sampled_from(FORMS[:2]))
@example(word="Z:X", form=FORMS[0])
def test_what_is_not_refused_is_read_as_it_is_meant(word: str, form: str) -> None:
    """A URL that is plain has the password that is left out when it is shown, and no other."""
    address = form.format(word)
    if not ambiguity_of(address):
        assert passwords_in(address) == (word,)
    assert ambiguity_of(form.format(quote(word, safe=""))) == ""


@given(word=PASSWORDS, form=st.sampled_from(("postgresql:/me:{}@host/d", "postgres//me:{}@host/d", "me:{}@host/d")))
def test_no_file_is_named_after_a_mistyped_address(word: str, form: str) -> None:
    assert is_mistyped_address(form.format(word))
