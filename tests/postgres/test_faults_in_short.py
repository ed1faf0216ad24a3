"""The campaign of `make soak-postgres` in short: every kind of fault a few times."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from tests.postgres.server import missing_parts

pytest.importorskip("psycopg")

from bench.postgres_faults import CAMPAIGN  # noqa: E402  it needs psycopg

pytestmark = pytest.mark.skipif(bool(missing_parts()), reason=missing_parts() or "there is a server")

QUIET = Console(file=io.StringIO())


@pytest.mark.parametrize("fault", CAMPAIGN)
def test_no_fault_loses_or_doubles_anything(fault: str) -> None:
    outcome = CAMPAIGN[fault](2, QUIET)
    if not outcome.times:
        pytest.skip(outcome.note)
    assert outcome.is_right, str(outcome)
    assert outcome.acknowledged
