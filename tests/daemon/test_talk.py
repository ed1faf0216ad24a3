"""Hosts talk to a daemon that is killed under them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.thorough
def test_every_acknowledged_turn_is_in_raw_history_once_after_kills() -> None:
    """A short run of the soak; `python bench/soak.py talk` is the long one."""
    command = [sys.executable, "bench/soak.py", "talk", "--turns", "100", "--clients", "4", "--kills", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "100 turns of 4 hosts, 2 kills −9: 0 missing or doubled" in done.stdout
