"""Spans of time and moments as people write them in options, rules and requests: 30d, 12h, 2026-12-01."""

from __future__ import annotations

import re
from datetime import datetime

_WRITTEN = re.compile(r"(\d{1,7})\s*(min|h|d|w|y)", re.ASCII)
_MINUTE = 60_000
_UNITS = {"min": _MINUTE, "h": 60 * _MINUTE, "d": 1440 * _MINUTE, "w": 10_080 * _MINUTE, "y": 525_600 * _MINUTE}

DURATIONS = "30min, 12h, 90d, 6w or 2y"
"""How a span is written, for whoever wrote something else."""


def read_duration(written: str) -> int | None:
    """A span in milliseconds; a year has 365 days. None when it is none, or nothing at all."""
    found = _WRITTEN.fullmatch(written.strip().lower())
    if found is None or not int(found[1]):
        return None
    return int(found[1]) * _UNITS[found[2]]


def read_moment(written: str, *, now: int) -> int | None:
    """A moment in milliseconds: so long from now, or a date or time as ISO 8601 writes it; without a zone it is the
    machine's. None when it is neither."""
    span = read_duration(written)
    if span is not None:
        return now + span
    try:
        return int(datetime.fromisoformat(written.strip()).astimezone().timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        return None
