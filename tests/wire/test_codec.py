"""Values on the wire: what is written is read back as it was, whatever it is."""

from __future__ import annotations

import dataclasses
import json
import types
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libravdb.model import Json
from libravdb.wire import codec
from libravdb.wire.methods.method import Ok
from libravdb.wire.methods.storage import InsertText, SearchText
from libravdb.wire.methods.table import METHODS

NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)
PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    str: st.text(max_size=20),
    bool: st.booleans(),
    int: st.integers(),
    float: st.floats(allow_nan=False, allow_infinity=False),
    Any: ANY_JSON,
    Json: ANY_JSON,
}


@cache
def values(hint: Any) -> st.SearchStrategy[Any]:
    """Whatever fits a type of the table."""
    if hint in PLAIN:
        return PLAIN[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return st.one_of(*(st.none() if option is type(None) else values(option) for option in arguments))
    if origin is tuple and arguments[-1] is Ellipsis:
        return st.lists(values(arguments[0]), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values, arguments))
    if origin is Mapping:
        return st.dictionaries(st.text(max_size=8), values(arguments[1]), max_size=3)
    if issubclass(hint, Enum):
        return st.sampled_from(hint)
    hints = get_type_hints(hint)
    return st.builds(hint, **{field.name: values(hints[field.name]) for field in dataclasses.fields(hint)})


@pytest.mark.parametrize("result", sorted({method.result for method in METHODS.values()}, key=str))
@given(data=st.data())
@settings(max_examples=30)
def test_every_result_is_read_back_as_it_was_written(result: type, data: st.DataObject) -> None:
    value = data.draw(values(result))
    line = codec.encode(codec.write(value))
    assert codec.read(result, json.loads(line), is_strict=False) == value


def test_what_json_knows_under_another_name_is_written_as_what_it_is() -> None:
    """Numbers of numpy, and mappings that nobody may change."""
    assert codec.encode({"score": np.float64(0.5), "facts": types.MappingProxyType({"a": 1})}) == (
        b'{"score":0.5,"facts":{"a":1}}\n'
    )


def test_half_a_character_is_written_as_it_came() -> None:
    assert json.loads(codec.encode({"id": "x\ud800", "result": codec.write(Ok())})) == {
        "id": "x\ud800",
        "result": {"ok": True},
    }


@pytest.mark.parametrize("metadata", [{"a": float("nan")}, {"a": b"x"}, {"a": {1, 2}}, {"a": object()}])
def test_a_client_sends_nothing_that_is_not_json(metadata: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError)):
        codec.encode_strictly({"params": InsertText(metadata=metadata)})


@pytest.mark.parametrize(("given", "read"), [(3, 3), (3.9, 3), (-0.5, 0), (2**70, 2**70), (None, 0)])
def test_any_number_serves_where_an_integer_is_meant(given: object, read: int) -> None:
    assert codec.read(SearchText, {"k": given, "unknown": 1}, is_strict=False) == SearchText(k=read)
