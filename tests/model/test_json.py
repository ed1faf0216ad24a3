"""JSON that came in torn can be stored whole."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from libravdb.model.json import mend_json

TEXTS = st.text(st.characters(), max_size=50)


@given(st.recursive(st.none() | st.integers() | TEXTS, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner)))
def test_every_text_of_an_object_is_mended(value: Any) -> None:
    clean = mend_json({"value": value})
    assert json.dumps(clean, ensure_ascii=False).encode()
    assert "\\u0000" not in json.dumps(clean).replace("\\\\", "")
    assert mend_json(clean) == clean
