"""Messages that would become far more than they are."""

from __future__ import annotations

import json

import pytest

from libravdb.wire.crowding import MOST_VALUES, UNCOUNTED, refuse_crowd

MANY = MOST_VALUES + 1


@pytest.mark.parametrize("value", ["[]", "{}", '""', "1", '"a,b"', r'"\""', r'"\\"', '[{"a":[]}]'])
def test_many_values_are_refused_whatever_they_are(value: str) -> None:
    with pytest.raises(ValueError, match="more than 1,000,000 values"):
        refuse_crowd(f'{{"params":[{",".join([value] * MANY)}]}}'.encode())


@pytest.mark.parametrize("text", [",", "[", '"', '\\",', '\\\\",[{', "é,"])
def test_a_long_text_is_one_value_whatever_stands_in_it(text: str) -> None:
    refuse_crowd(json.dumps({"text": text * MANY, "next": 1}, ensure_ascii=False).encode())


def test_what_is_short_is_not_counted() -> None:
    refuse_crowd(b"," * UNCOUNTED)
    with pytest.raises(ValueError, match="values"):
        refuse_crowd(b"," * (UNCOUNTED + 1))
