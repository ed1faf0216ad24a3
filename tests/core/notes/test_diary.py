"""Which lines of a diary of dreams ask to be kept, and which of them deserve it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.notes.diary import read_diary, why_unworthy

DIARY = """# Dream Diary

## Light Sleep
- Not asked for {score=0.9 recall=9 unique=9}

## Deep Sleep
- Keep the recent tail of a session {score=0.82 recall=3 unique=2}
- Too weak to be kept for long {score=0.2, recall=1, unique=1}
- Without figures
```
- In code, so not meant {score=0.9 recall=3 unique=2}
```

## Promoted From Short-Term Memory (2026-11-02)
<!-- openclaw-memory-promotion:abc -->
- The router is in the cellar [score=0.812 signals=4 recalls=3 avg=0.700 source=memory/2026-11-01.md:3-4] <!-- x -->
"""


def test_lines_with_figures_under_the_right_headings_are_read() -> None:
    told = [(one.text, one.score, one.recall_count, one.unique_queries, one.line) for one in read_diary(DIARY)]
    assert told == [
        ("Keep the recent tail of a session", 0.82, 3, 2, 7),
        ("Too weak to be kept for long", 0.2, 1, 1, 8),
        ("The router is in the cellar", 0.812, 3, 3, 16),
    ]


@pytest.mark.parametrize(
    ("text", "score", "recalls", "questions", "why"),
    [
        ("The router is in the cellar", 0.6, 2, 2, ""),
        ("too short", 0.9, 5, 5, "16 bytes"),
        ("The router is in the cellar", 0.59, 5, 5, "score"),
        ("The router is in the cellar", 0.9, 1, 5, "recalled"),
        ("The router is in the cellar", 0.9, 5, 1, "questions"),
    ],
)
def test_what_is_unworthy_is_told_why(text: str, score: float, recalls: int, questions: int, why: str) -> None:
    said = why_unworthy(text=text, score=score, recall_count=recalls, unique_queries=questions)
    assert (why in said) if why else said == ""


@given(st.text(alphabet="#- {}[]score=recal01nu.einf\n", max_size=300))
def test_no_diary_is_too_odd_to_be_read(text: str) -> None:
    assert all(one.text for one in read_diary(f"## Deep Sleep\n{text}"))
