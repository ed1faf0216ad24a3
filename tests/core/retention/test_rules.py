"""Rules of retention as they are written: the first that fits counts, one that makes no sense is refused."""

from __future__ import annotations

import pytest

from libravdb.core.retention.rules import age_of, read_retention
from libravdb.errors import InvalidInput
from libravdb.model import RetainedKind

DAY = 24 * 3_600_000
TURNS, MEMORIES, RECEIPTS, JOURNAL = RetainedKind


def test_the_first_rule_that_fits_counts() -> None:
    rules = read_retention(
        ["person:boss turns forever", "person:* turns 90d", "* receipts 12h", "* turns 2w", "a b* memories 1y"]
    )
    assert age_of(rules, "person:boss", TURNS) is None
    assert age_of(rules, "person:anna", TURNS) == 90 * DAY
    assert age_of(rules, "anna", TURNS) == 14 * DAY
    assert age_of(rules, "anna", RECEIPTS) == DAY // 2
    assert age_of(rules, "a bc", MEMORIES) == 365 * DAY
    assert age_of(rules, "anna", MEMORIES) is None
    assert age_of(rules, "anna", JOURNAL) is None
    assert read_retention(()) == ()


@pytest.mark.parametrize(
    ("pattern", "fits", "fails"),
    [
        ("person:*", ["person:", "person:a", "person:a:b\nc"], ["Person:a", "aperson:x", "person"]),
        ("*@x.org", ["a@x.org"], ["a@xyorg", "a@x.org "]),
        ("a.c", ["a.c"], ["abc"]),
        ("*", ["", "anything"], []),
        ("a*b*c", ["abc", "a1b2c"], ["ab", "acb"]),
    ],
)
def test_a_star_stands_for_anything_and_nothing_else_is_special(
    pattern: str, fits: list[str], fails: list[str]
) -> None:
    (rule,) = read_retention([f"{pattern} turns 1d"])
    assert all(rule.fits(name) for name in fits)
    assert not any(rule.fits(name) for name in fails)


@pytest.mark.parametrize(
    ("lines", "field", "remedy"),
    [
        (["* turns"], "rule 1", "namespaces kind age"),
        ([""], "rule 1", "namespaces kind age"),
        (["* turns 90d", "x turn 1d"], "rule 2", "Did you mean 'turns'"),
        (["* wishes 90d"], "rule 1", "turns, memories, receipts, journal"),
        (["* summaries 90d"], "rule 1", "rule about turns"),
        (["* guidance 90d"], "rule 1", "never deleted by a rule"),
        (["* turns 90"], "rule 1", "90d"),
        (["* turns 0d"], "rule 1", "90d"),
        (["* turns -3d"], "rule 1", "90d"),
        (["* turns soon"], "rule 1", "forever"),
        (["* turns 90d", "person:* turns 30d"], "rule 2", "Move it before"),
        (["a* turns 90d", "a*b* turns forever"], "rule 2", "Move it before"),
        (["* turns 1d"] * 2, "rule 2", "remove it"),
        (["x turns 1d"] * 1_001, "rules", "patterns"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused_by_its_line(lines: list[str], field: str, remedy: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_retention(lines)
    assert caught.value.field == field
    assert remedy in caught.value.remedy
