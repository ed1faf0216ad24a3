"""hop_targets in a front matter, in every form that YAML allows for a list of names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.authored.front_matter import hop_targets
from libravdb.core.authored.markdown import split


@pytest.mark.parametrize(
    ("written", "targets"),
    [
        ("hop_targets: notes.md", ("notes.md",)),
        ("hop_targets:   notes.md   # why", ("notes.md",)),
        ("hop_targets: 'a note.md'", ("a note.md",)),
        ('hop_targets: "a \\"b\\".md"', ('a "b".md',)),
        ("hop_targets: 'it''s.md'", ("it's.md",)),
        ("hop_targets: notes.md#000003", ("notes.md#000003",)),
        ("hop_targets: [a.md, b.md]", ("a.md", "b.md")),
        ("hop_targets: [ 'a, b.md' , \"c.md\", d e.md ]", ("a, b.md", "c.md", "d e.md")),
        ("hop_targets: [a.md,\n  b.md, # why\n  c.md\n]\nother: [x]", ("a.md", "b.md", "c.md")),
        ("hop_targets: [a.md, a.md]", ("a.md",)),
        ("hop_targets: [[A note]]", ("A note",)),
        ('hop_targets: ["[[A note]]", "[[B|shown]]"]', ("A note", "B")),
        ("hop_targets:\n  - a.md\n  - 'b c.md'\nother: 1", ("a.md", "b c.md")),
        ('hop_targets:\n- a.md\n# comment\n- "[[B]]" # why\n\n- c.md\nx:\n- d.md', ("a.md", "B", "c.md")),
        ('"hop_targets": a.md', ("a.md",)),
        ("hop_targets:", ()),
        ("hop_targets: []", ()),
        ("hop_targets: ''", ()),
        ("hop_targets:\n  -\n  - ", ()),
        ("  hop_targets: nested.md", ()),
        ("my_hop_targets: a.md", ()),
        ("hop_targets_of: a.md", ()),
        ("title: hop_targets", ()),
        ("", ()),
    ],
)
def test_targets_are_read_as_they_are_written(written: str, targets: tuple[str, ...]) -> None:
    for end in ("\n", "\r\n"):
        document = f"---\nfirst: 1\n{written}\nlast: 2\n---\n".replace("\n", end)
        assert hop_targets(split(document)[0].text) == targets


def test_an_inline_list_that_never_closes_ends_with_the_front_matter() -> None:
    assert hop_targets("---\nhop_targets: [a.md,\nb.md\n---") == ("a.md", "b.md")


@given(st.text(alphabet=st.sampled_from("ab.,-[]'\"\\# \n:|"), max_size=80))
def test_any_text_is_read_without_complaint(text: str) -> None:
    targets = hop_targets(f"---\nhop_targets: {text}\n---")
    assert all(target.strip() == target != "" for target in targets)
    assert len(set(targets)) == len(targets)


def test_long_hostile_values_are_read() -> None:
    for unit in ("[", "'", '"', "\\", "#", " #", "[[", "a,", "''", " "):
        assert isinstance(hop_targets("hop_targets: [" + unit * 20_000), tuple)
        assert isinstance(hop_targets("hop_targets: " + unit * 20_000), tuple)
