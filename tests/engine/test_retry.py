"""Looking again: whoever meets somebody else's commit decides anew, a bounded number of times."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from libravdb.engine.retry import ATTEMPTS, retry_on_conflict
from libravdb.errors import Conflict, InvalidInput


def failing(times: int, error: Exception) -> tuple[Callable[[], int], list[int]]:
    """Work that fails so many times, then gives how often it was done; and the list of its attempts."""
    done: list[int] = []

    def work() -> int:
        done.append(len(done) + 1)
        if len(done) <= times:
            raise error
        return len(done)

    return work, done


def conflict() -> Conflict:
    return Conflict("Record 'x'", expected=1, actual=2)


def test_work_without_conflict_is_done_once() -> None:
    work, done = failing(0, conflict())
    assert retry_on_conflict(work) == 1
    assert done == [1]


@pytest.mark.parametrize("times", [1, 2, 9])
def test_work_is_done_again_until_it_gets_through(times: int) -> None:
    work, _ = failing(times, conflict())
    assert retry_on_conflict(work, attempts=10) == times + 1


@pytest.mark.parametrize("attempts", [1, 2, 10])
def test_the_last_conflict_is_raised_after_so_many_attempts(attempts: int) -> None:
    work, done = failing(10_000, conflict())
    with pytest.raises(Conflict, match="Record 'x' is at version 2, not 1"):
        retry_on_conflict(work, attempts=attempts)
    assert len(done) == attempts


def test_without_a_number_it_looks_again_for_long() -> None:
    work, done = failing(10_000, conflict())
    with pytest.raises(Conflict):
        retry_on_conflict(work)
    assert len(done) == ATTEMPTS == 1_000


def test_any_other_failure_is_no_reason_to_look_again() -> None:
    work, done = failing(1, InvalidInput("id", "is empty"))
    with pytest.raises(InvalidInput):
        retry_on_conflict(work)
    assert done == [1]
