"""The campaigns of `make soak` in short: every kind of fault once, and some fuzzed frames beside a few clients."""

from __future__ import annotations

import io
import os

import pytest
from bench.faults import CAMPAIGN, KILLED_IN, kills
from bench.fuzz import fuzz
from rich.console import Console

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="SIGKILL and unix sockets are a POSIX matter")

QUIET = Console(file=io.StringIO())


@pytest.mark.parametrize("work", KILLED_IN)
def test_nothing_acknowledged_is_lost(work: str) -> None:
    outcome = kills(work, 2, QUIET)
    assert outcome.is_right, str(outcome)
    assert outcome.times == 2


@pytest.mark.parametrize("fault", CAMPAIGN)
def test_no_fault_loses_anything(fault: str) -> None:
    outcome = CAMPAIGN[fault](2, QUIET)
    if not outcome.times:
        pytest.skip(outcome.note)
    assert outcome.is_right, str(outcome)


def test_fuzzed_frames_disturb_nobody() -> None:
    assert fuzz(4_000, 8, QUIET)
