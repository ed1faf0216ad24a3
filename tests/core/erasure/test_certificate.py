"""A certificate is believed as it was signed, every byte of it, and by the one key that signed it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.erasure.certificate import digest_of, is_signed_by, key_id, read, sign
from libravdb.model import ErasureCertificate, ErasureCheck, ErasureCount, NamespaceDigest, StoreCopy

KEY = b"k" * 32
CERTIFICATE = ErasureCertificate(
    issued_at=1_790_000_000_000,
    store="ab" * 16,
    namespace=NamespaceDigest(salt="cd", digest=digest_of("anna", salt="cd"), name="anna é"),
    revision=7,
    erased=(ErasureCount(kind="turns", count=3), ErasureCount(kind="words", count=12)),
    state_revision=8,
    state_digest="ef" * 32,
    written_since=0,
    checks=(ErasureCheck(name="file", is_passed=True, detail="looked for"),),
    copies=(StoreCopy(kind="backup", path="/a/b", at=5, exists=False),),
)
TEXT = sign(CERTIFICATE, key=KEY)


def holds(text: str, key: bytes = KEY) -> bool:
    """Whether anybody may believe this text."""
    try:
        _, signed_by = read(text)
    except (ValueError, RecursionError):
        return False
    return signed_by == key_id(key) and is_signed_by(text, key)


def test_what_was_signed_is_read_back_and_believed() -> None:
    assert read(TEXT) == (CERTIFICATE, key_id(KEY))
    assert holds(TEXT)
    assert TEXT.isascii()


@given(st.integers(0, len(TEXT) - 1), st.characters(codec="utf-8"))
def test_another_character_anywhere_is_noticed(place: int, character: str) -> None:
    altered = TEXT[:place] + character + TEXT[place + 1 :]
    assert holds(altered) is (altered == TEXT)


@given(st.integers(0, len(TEXT)), st.text(min_size=1, max_size=3))
def test_nothing_can_be_put_in(place: int, more: str) -> None:
    assert not holds(TEXT[:place] + more + TEXT[place:])


@given(st.integers(0, len(TEXT) - 1), st.integers(1, 40))
def test_nothing_can_be_taken_out(place: int, count: int) -> None:
    assert not holds(TEXT[:place] + TEXT[place + count :])


@given(st.binary(min_size=32, max_size=32))
def test_no_other_key_signed_it(key: bytes) -> None:
    assert holds(TEXT, key) is (key == KEY)


@pytest.mark.parametrize("text", ["", "[]", "{}", "7", '{"format": "libravdb-erasure"}', "[" * 100_000, "{" * 9])
def test_what_is_no_certificate_is_said_to_be_none(text: str) -> None:
    assert not holds(text)


def test_a_later_format_is_told_by_its_number() -> None:
    with pytest.raises(ValueError, match="has format version 2, this program reads 1"):
        read('{"format": "libravdb-erasure", "version": 2}')


def test_the_same_name_has_another_digest_under_another_salt() -> None:
    assert len({digest_of("anna", salt="a"), digest_of("anna", salt="b"), digest_of("ben", salt="a")}) == 3
