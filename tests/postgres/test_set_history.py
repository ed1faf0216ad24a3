"""The checker of sets: a history that is right is let through, and each way in which it could be wrong is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.postgres.set_history import Seen, SetHistory, Taken, violations


def right() -> SetHistory:
    """Two values that come at once, one of which goes, and looks in between."""
    return SetHistory(
        steps=[
            Taken(start=0, end=2, value="x"),
            Taken(start=1, end=3, value="y"),
            Taken(start=6, end=8, value="x", is_removal=True),
        ],
        looks=[
            Seen(start=0.5, end=2.5, values=frozenset("x")),
            Seen(start=1.5, end=2.6, values=frozenset("xy")),
            Seen(start=4, end=5, values=frozenset("xy")),
            Seen(start=4, end=5, values=frozenset("x"), asked="x"),
            Seen(start=6.5, end=7, values=frozenset("y")),
            Seen(start=9, end=10, values=frozenset(), asked="x"),
        ],
    )


def test_what_is_right_is_let_through() -> None:
    assert violations(right()) == []
    assert violations(SetHistory()) == []


def _look(place: int, **change: object) -> Callable[[SetHistory], None]:
    def apply(history: SetHistory) -> None:
        history.looks[place] = replace(history.looks[place], **change)  # type: ignore[arg-type]

    return apply


MUTANTS: dict[str, tuple[Callable[[SetHistory], None], str]] = {
    "a stale look": (_look(2, values=frozenset("x")), "did not show y"),
    "a stale answer": (_look(3, values=frozenset()), "did not show x"),
    "one that is not dead": (_look(5, values=frozenset("x")), "after it was removed"),
    "one that nobody added": (_look(2, values=frozenset("xyz")), "nobody had added"),
    "one before it was added": (_look(0, start=0, end=0.5, values=frozenset("y")), "nobody had added"),
    "two looks of which neither saw all": (_look(1, values=frozenset("y")), "neither saw both"),
    "a look that goes back": (_look(1, start=2.55, values=frozenset()), "went back"),
    "one that came back": (
        lambda history: history.looks.append(Seen(start=7.1, end=7.5, values=frozenset("xy"))),
        "went back",
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_what_is_wrong_is_found(name: str) -> None:
    change, told = MUTANTS[name]
    history = right()
    change(history)
    assert [each for each in violations(history) if told in each], name


def test_a_step_of_unknown_outcome_may_have_been_taken_or_not() -> None:
    history = right()
    history.steps[2] = replace(history.steps[2], is_known=False)
    history.looks.append(Seen(start=20, end=21, values=frozenset("y"), how="later"))
    assert violations(history) == []
    history.looks.append(Seen(start=22, end=23, values=frozenset("xy"), how="and later"))
    assert violations(history) == ["a look went back behind ('x', True)"] * 2
