"""Small disks of their own: to be filled, and to be made read-only. They need the right to mount, else tests skip."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest


class SmallDisk:
    """A file system in memory of a few hundred kilobytes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filler = folder / "filler"

    def fill(self) -> None:
        """Not a byte is left."""
        with self._filler.open("ab", buffering=0) as file:
            for size in (65_536, 4_096, 1):
                try:
                    while True:
                        file.write(b"\1" * size)
                except OSError as error:
                    assert error.errno == errno.ENOSPC  # noqa: PT017 - a disk that is full is what we want

    def free(self) -> None:
        """Room again."""
        self._filler.unlink()

    def freeze(self) -> None:
        """Read-only from now on."""
        _mount("-o", "remount,ro", str(self.folder))

    def thaw(self) -> None:
        """Writable again."""
        _mount("-o", "remount,rw", str(self.folder))


def _mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True, capture_output=True)  # noqa: S607 - wherever the system has it


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    try:
        _mount("-t", "tmpfs", "-o", "size=3m,mode=700", "tmpfs", str(folder))
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("a disk of its own can be mounted by root only")
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True, capture_output=True)  # noqa: S607 - as above
        assert not os.path.ismount(folder)
