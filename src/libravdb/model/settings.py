"""How a setting is declared: once, in the room that uses it, with its default, one line of help and its range.

A section of the configuration is a frozen dataclass of such fields. The same class is what the room works with, so
that there is no second place for a default to be written in. `libravdb.config` puts the sections together and reads
them from files, the environment and hosts; the docs, the plugin's manifest and the command line are made from them.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, TypeVar, cast

from libravdb.errors import InvalidInput
from libravdb.model.addresses import MASK, without_password

T = TypeVar("T")

LARGEST = 2**31 - 1
NOTHING: Mapping[str, Any] = MappingProxyType({})

_SLACK = 1e-9  # 0.1 + 0.2 is not 0.3


def setting(
    default: T,
    help: str,
    *,
    minimum: float = 0,
    maximum: float = LARGEST,
    choices: tuple[str, ...] = (),
    spellings: Mapping[str, str] = NOTHING,
    alias: str = "",
    former: str = "",
    secret: bool = False,
    address: bool = False,
    expert: bool = False,
) -> T:
    """A field of a section: its default, one line of help, and what it allows.

    `spellings` maps older words for a choice to today's. `alias` is another flat name: `db_path` is
    `LIBRAVDB_DB_PATH` in the environment and `dbPath` in a host's JSON. `former` is the dotted key it had before, which
    still works everywhere. A `secret` is never shown, an `address` without the password that it may hold. `expert`
    marks what is tuned on measurements and not by hand: it is set like any other, but listed apart.
    """
    facts = {
        "help": help,
        "minimum": minimum,
        "maximum": maximum,
        "choices": choices,
        "spellings": spellings,
        "alias": alias,
        "former": former,
        "secret": secret,
        "address": address,
        "expert": expert,
    }
    return field(default=default, metadata=facts)


def tuned(default: T, help: str, *, minimum: float = 0, maximum: float = 1, alias: str = "") -> T:
    """An expert's setting: a number that is set by measurement, not by hand. Most are weights or shares, up to 1."""
    return setting(default, help, minimum=minimum, maximum=maximum, alias=alias, expert=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum:
    """Settings of one section that divide a whole among them: they sum to 1, or to at most 1.

    A section names its sums in a class variable `SUMS`.
    """

    names: tuple[str, ...]
    what: str
    is_exact: bool = False

    def fault(self, values: Sequence[float]) -> str:
        """What is wrong with these values; empty when they fit."""
        total = sum(values)
        if total <= 1 + _SLACK and (total >= 1 - _SLACK or not self.is_exact):
            return ""
        parts = " + ".join(f"{value:g}" for value in values)
        return f"must sum to {'' if self.is_exact else 'at most '}1, not to {total:g} ({parts})"


def check_section(section: Any) -> None:  # noqa: ANN401 - any dataclass of settings
    """Refuse a section made by hand whose numbers are out of range or whose sums do not fit."""
    for each in fields(section):
        if type(each.default) in (int, float):
            _check_number(each, getattr(section, each.name))
    for each in section.SUMS:
        fault = each.fault([getattr(section, name) for name in each.names])
        if fault:
            raise InvalidInput(", ".join(each.names), f"{each.what} {fault}", remedy="Change one of them.")


def changed_section(section: T, told: Mapping[str, float]) -> T:
    """A section with other values for some of its numbers; a name or a value that it does not take is refused."""
    known = {each.name: each for each in fields(cast("Any", section)) if type(each.default) in (int, float)}
    values: dict[str, float] = {}
    for name, value in told.items():
        if name not in known:
            nearest = difflib.get_close_matches(name[:_MOST_COMPARED], known, n=1, cutoff=0.0)[0]
            problem = f"{name[:_MOST_COMPARED]!r} is not a known setting"
            raise InvalidInput("settings", problem, remedy=f"Did you mean {nearest!r}?")
        _check_number(known[name], value)
        is_whole = type(known[name].default) is int
        if is_whole and value != int(value):
            raise InvalidInput(
                name, f"must be a whole number, not {value:g}", remedy=f"The default is {known[name].default}."
            )
        values[name] = int(value) if is_whole else float(value)
    return cast("T", replace(cast("Any", section), **values))


_MOST_COMPARED = 200  # characters of a name that nobody knows: a hostile one may be very long


def _check_number(field: Field[Any], value: object) -> None:
    least, most, remedy = field.metadata["minimum"], field.metadata["maximum"], f"The default is {field.default}."
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InvalidInput(field.name, f"must be a finite number, not {value!r}", remedy=remedy)
    if not least <= value <= most:
        raise InvalidInput(field.name, f"must lie between {least:g} and {most:g}, not at {value:g}", remedy=remedy)


def masked_repr(section: Any) -> str:  # noqa: ANN401 - any dataclass of settings
    """Like any dataclass's, with secrets masked."""
    shown = ((each, getattr(section, each.name)) for each in fields(section))
    told = (f"{each.name}={_masked(each, value)!r}" for each, value in shown)
    return f"{type(section).__name__}({', '.join(told)})"


def _masked(field: Field[Any], value: object) -> object:
    if field.metadata["address"] and isinstance(value, str):
        return without_password(value)
    return MASK if field.metadata["secret"] and value else value
