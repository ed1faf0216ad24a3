"""The page on the protocol is made from the table of methods."""

from __future__ import annotations

from pathlib import Path

import pytest

from libravdb import errors
from libravdb.wire.codes import CODES, code_of
from libravdb.wire.methods.storage import STORAGE_METHODS
from libravdb.wire.methods.table import METHODS
from libravdb.wire.reference import markdown

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "protocol.md"


def test_the_page_is_up_to_date() -> None:
    made = PAGE.read_text(encoding="utf-8").split(": begin -->\n")[1].split("<!-- made by")[0]
    assert made == markdown(), "run python -m libravdb.wire.reference and paste it into docs/reference/protocol.md"


def test_every_method_is_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in METHODS if f"### `{name}`" not in page] == []
    assert len(STORAGE_METHODS) == 24


@pytest.mark.parametrize("cls", [errors.ERRORS_BY_NAME[name] for name in sorted(errors.ERRORS_BY_NAME)])
def test_every_error_has_a_code_and_only_relatives_share_one(cls: type[errors.LibraError]) -> None:
    error = cls.__new__(cls)
    code = code_of(error)
    assert -32999 <= code <= -32000
    owners = [owner for owner, owned in CODES if owned == code]
    assert len(owners) == 1
    assert issubclass(cls, owners[0])
