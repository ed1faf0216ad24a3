"""Reading what somebody named: regular files only, and never more than was agreed.

A device has no end, a pipe may never say anything, and whoever waits for it holds up everybody behind. So what a path
leads to is looked at after it was opened, without waiting, and before a byte of it is read.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from libravdb.errors import InvalidInput

MAX_LINE_BYTES = 64 * 2**20
"""A line of an import: the longest text, its metadata and its vectors take less than a fourth of it."""

MAX_STREAM_BYTES = 64 * 2**30
"""What is taken from a stream that does not end by itself."""

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


@contextmanager
def open_regular(path: Path, *, remedy: str = "Name a regular file.") -> Iterator[BinaryIO]:
    """The file for reading. Raises InvalidInput when there is none, or something else is there."""
    with _opened(path, remedy) as file:
        mode = os.fstat(file.fileno()).st_mode
        if not stat.S_ISREG(mode):
            kind = next((name for is_kind, name in _KINDS if is_kind(mode)), "something else")
            raise InvalidInput(str(path), f"is {kind}, not a regular file", remedy=remedy)
        yield file


def read_regular(path: Path, *, max_bytes: int, remedy: str = "Name a regular file.") -> bytes:
    """All of a file that is not larger than this."""
    with open_regular(path, remedy=remedy) as file:
        return read_bounded(file, name=str(path), max_bytes=max_bytes)


def read_bounded(source: BinaryIO, *, name: str, max_bytes: int) -> bytes:
    """All of a stream, if it ends in time."""
    content = source.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise InvalidInput(name, f"is larger than {max_bytes:,} bytes", remedy="Split it into several.")
    return content


def lines_of(
    source: BinaryIO, *, max_line_bytes: int = MAX_LINE_BYTES, max_bytes: int = MAX_STREAM_BYTES
) -> Iterator[bytes]:
    """The lines of a stream, one at a time in memory; one without an end is refused."""
    number = total = 0
    while line := source.readline(max_line_bytes + 1):
        number += 1
        total += len(line)
        if len(line) > max_line_bytes:
            raise InvalidInput(
                f"line {number}",
                f"is longer than {max_line_bytes:,} bytes",
                remedy="Is it a file that 'libravdb export' wrote?",
            )
        if total > max_bytes:
            raise InvalidInput("the input", f"is larger than {max_bytes:,} bytes", remedy="Split it into several.")
        yield line


def _opened(path: Path, remedy: str) -> BinaryIO:
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
    try:
        return os.fdopen(os.open(path, flags), "rb")
    except IsADirectoryError as error:
        raise InvalidInput(str(path), "is a folder, not a regular file", remedy=remedy) from error
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InvalidInput(str(path), f"cannot be read ({why})", remedy=remedy) from error
