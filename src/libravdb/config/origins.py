"""Where a value came from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ValueOrigin(StrEnum):
    """The kinds of places a value can come from."""

    DEFAULT = "default"
    FILE = "file"
    ENVIRONMENT = "environment"
    HOST = "host"
    ARGUMENT = "argument"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a value came from: `name` is the key or variable as written, `place` the file or host."""

    source: ValueOrigin
    name: str = ""
    place: str = ""

    def __str__(self) -> str:
        if self.source is ValueOrigin.DEFAULT:
            return "default"
        if self.source is ValueOrigin.ENVIRONMENT:
            return f"environment variable {self.name}"
        if self.source is ValueOrigin.ARGUMENT:
            return f"argument {self.name}"
        return f"{self.place}: {self.name}"


DEFAULT = Origin(source=ValueOrigin.DEFAULT)
