"""Support: whole sentences of the nearest summaries, within their tokens."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.compaction.prior_summaries import Support, choose_support
from libravdb.model import Source
from libravdb.text.tokens import prompt_tokens


def summary(place: int, text: str, level: int = 1) -> Source:
    return Source(id=f"s{place}", text=text, at=place, level=level)


@given(st.lists(st.tuples(st.text(max_size=120), st.integers(0, 2)), max_size=6), st.integers(0, 120))
def test_support_fits_and_stands_in_order(rows: list[tuple[str, int]], limit: int) -> None:
    earlier = [summary(place, text, level) for place, (text, level) in enumerate(rows)]
    found = choose_support(earlier, max_tokens=limit)
    assert found.tokens == sum(prompt_tokens(text) for text in found.texts) <= limit
    assert [source.at for source in found.sources] == sorted(source.at for source in found.sources)
    assert all(text and text in source.text for source, text in zip(found.sources, found.texts, strict=True))
    assert all(source.is_summary for source in found.sources)


def test_the_nearest_summary_comes_first_and_is_cut_after_a_sentence() -> None:
    near = summary(2, "They moved to Rome in spring. Then they bought a cat.\nFacts: ABC-1")
    found = choose_support([summary(1, "They lived in Oslo."), near], max_tokens=10)
    assert found == Support(sources=(near,), texts=("They moved to Rome in spring.",), tokens=8)


def test_with_room_the_summary_before_is_shown_too_and_ledgers_never_are() -> None:
    earlier = [
        summary(1, "They lived in Oslo."),
        summary(2, "They moved.\nFacts: ABC-1"),
        summary(3, "A turn.", level=0),
    ]
    assert choose_support(earlier).texts == ("They lived in Oslo.", "They moved.")
