"""How a line of a summary begins: the day and the speaker, `[2023-10-12] James`."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from libravdb.model import Role

UNDATED = "undated"
LONGEST_NAME = 60

_ROLES = frozenset(("user", "assistant", "tool", "system"))
_ENDING = re.compile(r"[:;\[\]]")


def day_of(at: int) -> str:
    """The day of a moment, in UTC."""
    try:
        return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at)).strftime("%Y-%m-%d").zfill(10)
    except OverflowError:
        return UNDATED


def speaker_of(role: str, name: str = "") -> str:
    """How a name, else a role, is written before what was said: on one line, without what ends a speaker."""
    told, kind = _plain(name), _plain(role)
    shown = (kind.capitalize() if kind in _ROLES else kind) or str(Role.USER).capitalize()
    if told.casefold() in _ROLES:  # somebody who is called like a role does not speak in it
        return shown if told.casefold() == shown.casefold() else f"{shown} ({told})"
    return told or shown


def _plain(name: str) -> str:
    return " ".join(_ENDING.sub(" ", name).split())[:LONGEST_NAME].strip()


def label_of(day: str, speaker: str) -> str:
    """How a line begins; without a day where none is known."""
    return f"[{day}] {speaker}" if day else speaker
