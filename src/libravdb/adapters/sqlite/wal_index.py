"""What the index of the write-ahead log says was committed, compared with what the log still holds.

SQLite reads a log up to the first frame that does not fit, and takes the rest for an unfinished write. The index beside
it (`-shm`) was brought up to date only after the frames had reached the disk: when it knows of more, the log was cut
off, overwritten or taken away. To be asked before SQLite opens the file, which makes the index anew.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_VERSION = 3_007_000
_INDEX_HEADER = 48
_LOG_HEADER, _FRAME_HEADER = 32, 24
_MAGIC_LITTLE, _MAGIC_BIG = 0x377F0682, 0x377F0683
_HALF = 2**31
_Words = NDArray[np.uint32]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommittedFrames:
    """What the index says: how many frames are committed, how many of them the file has already, in which log."""

    frames: int
    moved: int
    salts: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class LogHeader:
    """How to read a log: the size of its pages, the order of their bytes, its salts and where its checksum begins."""

    page: int
    order: str
    salts: bytes
    seed: tuple[int, int]


def count_lost_frames(path: Path) -> int:
    """How many frames were committed that neither the file nor its log has; 0 where there is nothing to compare."""
    real = path.resolve()
    index, log = real.with_name(f"{real.name}-shm"), real.with_name(f"{real.name}-wal")
    before = _read(index, _INDEX_HEADER * 2 + 4)
    known = read_index(before)
    if known is None or known.frames <= known.moved:
        return 0
    held = _read(log)
    if _read(index, _INDEX_HEADER * 2 + 4) != before:  # somebody is writing: the log is alive
        return 0
    header = read_log_header(held)
    if header is None:
        return known.frames
    if header.salts != known.salts and _is_newer(header.salts[:4], known.salts[:4]):
        return 0
    return known.frames - count_frames(held, header, known)


def read_index(raw: bytes) -> CommittedFrames | None:
    """The index's header; None where it is not whole."""
    first, second = raw[:_INDEX_HEADER], raw[_INDEX_HEADER : 2 * _INDEX_HEADER]
    if len(raw) < 2 * _INDEX_HEADER + 4 or first != second:
        return None
    version, _, _, is_made, _, _, frames = struct.unpack("=IIIBBHI", first[:20])
    words = np.frombuffer(first[:40], dtype=np.uint32)
    if version != _VERSION or not is_made or struct.unpack("=II", first[40:48]) != checksum(words, (0, 0)):
        return None
    (moved,) = struct.unpack("=I", raw[2 * _INDEX_HEADER :])
    return CommittedFrames(frames=frames, moved=moved, salts=first[32:40])


def read_log_header(log: bytes) -> LogHeader | None:
    """The log's header; None where it is not whole."""
    if len(log) < _LOG_HEADER:
        return None
    magic, _, page = struct.unpack(">III", log[:12])
    order = {_MAGIC_LITTLE: "<u4", _MAGIC_BIG: ">u4"}.get(magic)
    if order is None or not 512 <= page <= 65_536:
        return None
    found = checksum(np.frombuffer(log[:24], dtype=order).astype(np.uint32), (0, 0))
    if struct.unpack(">II", log[24:32]) != found:
        return None
    return LogHeader(page=page, order=order, salts=log[16:24], seed=found)


def count_frames(log: bytes, header: LogHeader, known: CommittedFrames) -> int:
    """How many of the committed frames are whole, from the first one on."""
    if header.salts != known.salts:
        return 0
    size = _FRAME_HEADER + header.page
    count = min(known.frames, (len(log) - _LOG_HEADER) // size)
    frames = np.frombuffer(log, dtype=np.uint8, count=count * size, offset=_LOG_HEADER).reshape(count, size)
    return _whole(frames, header)


def _whole(frames: NDArray[np.uint8], header: LogHeader) -> int:
    """How many frames continue the checksum of the one before."""
    covered = np.concatenate([frames[:, :8], frames[:, _FRAME_HEADER:]], axis=1)
    sums = np.ascontiguousarray(covered).view(header.order).astype(np.uint32)
    seed = header.seed
    weights, (a, b, c, d) = _weights(sums.shape[1] // 2)
    added = sums @ weights
    for number, frame in enumerate(frames):
        head = frame[:_FRAME_HEADER].tobytes()
        first, second = seed
        seed = (
            (a * first + b * second + int(added[number, 0])) % 2**32,
            (c * first + d * second + int(added[number, 1])) % 2**32,
        )
        if head[8:16] != header.salts or struct.unpack(">II", head[16:24]) != seed:
            return number
    return len(frames)


def checksum(words: _Words, seed: tuple[int, int]) -> tuple[int, int]:
    """The log's checksum, pair after pair: s1 += x + s2, then s2 += y + s1."""
    first, second = seed
    for x, y in words.reshape(-1, 2).tolist():
        first = (first + x + second) % 2**32
        second = (second + y + first) % 2**32
    return first, second


def _weights(pairs: int) -> tuple[_Words, tuple[int, int, int, int]]:
    """What each word adds to the checksum, and what becomes of the seed: the checksum is linear, so that all frames of
    a log are summed up at once, a hundred times faster than word by word."""
    weights = np.zeros((pairs * 2, 2), dtype=np.uint32)
    a, b, c, d = 1, 0, 0, 1  # the power of ((1, 1), (1, 2)) that later pairs apply
    for pair in range(pairs - 1, -1, -1):
        weights[2 * pair] = ((a + b) % 2**32, (c + d) % 2**32)
        weights[2 * pair + 1] = (b, d)
        a, b, c, d = (a + b) % 2**32, (a + 2 * b) % 2**32, (c + d) % 2**32, (c + 2 * d) % 2**32
    return weights, (a, b, c, d)


def _is_newer(salt: bytes, known: bytes) -> bool:
    """Whether the log was begun anew since: its first salt counts."""
    return 0 < (int.from_bytes(salt, "big") - int.from_bytes(known, "big")) % 2**32 < _HALF


def _read(path: Path, size: int = -1) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError:
        return b""
