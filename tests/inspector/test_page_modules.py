"""What the page reckons without a document is tested in its own language; here it is run with everything else."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

PAGE_TESTS = sorted((Path(__file__).parent / "page").glob("*.test.mjs"))
KNOWS_MODULES = (20, 19)
"""The first Node that takes a file for a module by what stands in it."""


def test_the_modules_of_the_page_pass_their_own_tests() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    if tuple(map(int, re.findall(r"\d+", told)[:2])) < KNOWS_MODULES:
        pytest.skip(f"node {told.strip()} is too old")
    assert len(PAGE_TESTS) > 5
    ran = subprocess.run([node, "--test", *map(str, PAGE_TESTS)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
