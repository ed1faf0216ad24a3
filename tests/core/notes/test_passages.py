"""A note cut into passages: every line in one place, with the headings that it stands under."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.notes.passages import FULL, LONGEST, passages

NOTE = """# Home

The key hangs behind the door.

## Garden

- The hose leaks.
- Tulips come in March.

## Office
### Printer
<!-- trigger: printer -->
It needs black ink.
"""


def test_a_passage_has_its_lines_and_the_headings_above_it() -> None:
    assert [(one.first, one.last, one.text) for one in passages(NOTE)] == [
        (1, 3, "# Home\n\nThe key hangs behind the door."),
        (5, 8, "Home\n## Garden\n\n- The hose leaks.\n- Tulips come in March."),
        (10, 13, "Home\n## Office\n### Printer\nIt needs black ink."),
    ]


def test_a_long_section_ends_at_an_item_and_goes_on_under_its_heading() -> None:
    items = [f"- Item {number} of a long list that tells what was done on that day." for number in range(20)]
    made = passages("\n".join(["## Log", *items]))
    assert len(made) > 1
    assert all(one.text.startswith(("## Log", "Log\n- Item")) for one in made)
    assert all(len(one.text) < 2 * FULL for one in made)


def test_what_looks_like_a_heading_in_code_is_none() -> None:
    (made,) = passages("# Shell\n\n```sh\n# a comment\nls\n```\n\nDone.\n")
    assert made.text.count("\n") == 7


def test_a_wall_of_text_is_cut_somewhere() -> None:
    made = passages("\n".join(["words upon words without an end"] * 400))
    assert len(made) > 5
    assert all(len(one.text) <= LONGEST + 40 for one in made)


@given(st.text(alphabet="ab #-*`\n\r<!>1.", max_size=400) | st.text(max_size=200))
def test_every_line_that_says_something_is_in_exactly_one_passage(text: str) -> None:
    lines = text.splitlines()
    made = passages(text)
    numbers = [number for one in made for number in range(one.first, one.last + 1)]
    assert numbers == sorted(set(numbers))
    for number, line in enumerate(lines, start=1):
        if line.strip() and number not in numbers:
            assert line.strip().startswith("<!--")
    for one in made:
        assert all(line.rstrip() in one.text for line in lines[one.first - 1 : one.last] if "<!--" not in line)
