"""How long names may be that somebody sends: looked at before anything is masked, counted or written down."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from libravdb.engine.masking import NAMES, UNTOUCHED
from libravdb.ports.validation import check_name_size
from libravdb.wire.fields import camel


def refuse_long_names(params: Any) -> None:  # noqa: ANN401 - the params of any method
    """Refuse, by field, a name that no store could hold, in params and in all that they list."""
    for field in dataclasses.fields(params):
        value = getattr(params, field.name)
        if field.name in NAMES:
            _check(camel(field.name), value)
        elif field.name not in UNTOUCHED and isinstance(value, tuple):
            for one in value:
                if not dataclasses.is_dataclass(one):
                    break  # texts, or numbers
                refuse_long_names(one)


def _check(field: str, value: object) -> None:
    if isinstance(value, str):
        check_name_size(field, value)
    elif isinstance(value, Mapping):
        _check_each(field, value.keys())
        _check_each(field, value.values())
    elif isinstance(value, Iterable):
        _check_each(field, value)
    elif dataclasses.is_dataclass(value):
        refuse_long_names(value)


def _check_each(field: str, values: Iterable[object]) -> None:
    for one in values:
        _check(field, one)
