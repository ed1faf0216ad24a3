"""What was found clean together is clean one by one: a value that is known is masked as one that is not."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from libravdb.core.ingest.settings import IngestSettings
from libravdb.engine.masking import Masking
from libravdb.model import Json, Put

SECRET = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
texts = st.sampled_from(
    ["turn s/1-x", "shares the words: bees, pond", "the budget is full", "hunter2", f"my key is {SECRET}", SECRET, ""]
)
keys = st.sampled_from(["id", "reason", "tokens", "password", "collection"])
told = st.recursive(
    st.one_of(texts, st.integers(0, 10**6), st.sampled_from([4111111111111111, 0.25, None, True])),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=3)),
    max_leaves=8,
)


def masked(masking: Masking, value: Json, text: str) -> Json:
    changed = masking.change(Put(collection="c", id="i", text="", at=1, metadata={"trace": value, "receipt": text}))
    assert isinstance(changed, Put)
    return dict(changed.metadata)


@settings(max_examples=150, deadline=None)
@given(values=st.lists(told, min_size=1, max_size=4))
def test_a_value_that_was_looked_at_before_is_masked_all_the_same(values: list[Json]) -> None:
    known = Masking(IngestSettings())
    for value in values:
        known.is_clean(value)
        text = known.written("receipt", value)
        assert text == json.dumps(value)
        fresh = masked(Masking(IngestSettings()), value, text)
        assert isinstance(fresh, dict)
        again = masked(known, value, text)
        assert isinstance(again, dict)
        assert again["trace"] == fresh["trace"]
        assert SECRET not in json.dumps(again)


def test_a_receipt_with_a_secret_is_not_taken_for_clean() -> None:
    known = Masking(IngestSettings())
    assert known.is_clean({"id": "turn s/1-x", "reasons": ["said by the user"]})
    assert not known.is_clean({"id": "turn s/1-x", "reasons": [f"shares the words: {SECRET}"]})
    assert not known.is_clean({SECRET: 1})
    text = known.written("receipt", {"reasons": [SECRET]})
    assert SECRET in text
    assert SECRET not in json.dumps(masked(known, None, text))


pieces = st.sampled_from(
    [
        "summary:1f0c",
        "s1/t2",
        "turn-17",
        "hunter2",
        "password:hunter2",
        "4111111111111111",
        SECRET,
        f"s/{SECRET}",
        "2024",
    ]
)


@settings(max_examples=150, deadline=None)
@given(ids=st.lists(st.one_of(pieces, st.from_regex(r"[\w:#/.-]{1,40}", fullmatch=True)), max_size=6), key=keys)
def test_what_is_clean_together_is_clean_alone(ids: list[str], key: str) -> None:
    told: dict[str, Json] = {key: list[Json](ids)}
    if Masking(IngestSettings()).is_clean(told):
        assert Masking(IngestSettings()).metadata(told) == told
