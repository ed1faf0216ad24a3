"""One row of the table of methods, and the values that rows of several groups share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, TypeVar

from libravdb.model import Record

Object = Mapping[str, Any]

Params = TypeVar("Params")
Result = TypeVar("Result")


class MethodPace(StrEnum):
    """How long a method may take. Each pace has threads of its own, so that the slow never hold up the quick."""

    QUICK = "quick"
    USUAL = "usual"
    LONG = "long"


@dataclass(frozen=True, slots=True, kw_only=True)
class Method(Generic[Params, Result]):
    """One method: what it takes, what it gives, and what there is to know about it.

    `is_repeatable`: the same call again changes nothing, so a client may send it again when its answer was lost.
    `is_polled`: clients ask it again and again, so it is cheap, counts against no quota and stands in no audit log.
    `verb` names the part and verb of the engine that it only hands its params to; `arguments` tells the names of those
    fields that are called otherwise there.
    """

    name: str
    params: type[Params]
    result: type[Result]
    about: str
    is_strict: bool = False
    is_local: bool = False
    is_repeatable: bool = False
    is_polled: bool = False
    pace: MethodPace = MethodPace.USUAL
    verb: str = ""
    arguments: Mapping[str, str] = field(default_factory=dict)


AnyMethod = Method[Any, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoParams:
    """Nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ok:
    ok: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsResult:
    records: tuple[Record, ...]
