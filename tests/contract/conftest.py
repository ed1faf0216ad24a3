"""Shared by the suites that every implementation of a port passes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.contract.stores import KINDS, open_store

from libravdb.errors import StoreClosed
from libravdb.ports.store import Store


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Each store in turn; whatever a test did to it, it is sound afterwards."""
    opened = open_store(request.param, tmp_path)
    yield opened
    try:
        findings = list(opened.maintenance.verify())
    except StoreClosed:
        findings = []
    opened.close()
    assert findings == []
