"""The recent tail: the last turns in any case, then whole bundles as far as the budget goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from libravdb.core.continuity.bundles import bundle
from libravdb.core.continuity.tail import MARKER, base_start, choose_tail
from libravdb.model import Role, Tail, Turn

MINIMUM = 4


def chat(roles: str) -> list[Turn]:
    names = {"u": Role.USER, "a": Role.ASSISTANT, "t": Role.TOOL}
    return [
        Turn(namespace="n", session="s", id=str(place), role=names[role], text=role, at=place)
        for place, role in enumerate(roles)
    ]


def tail(
    roles: str, prices: Sequence[int] = (), *, tail_budget: int = 10**6, total: int = 10**6, **known: object
) -> Tail:
    turns = chat(roles)
    costs = list(prices) or [1] * len(turns)
    return choose_tail(
        turns,
        price=lambda place: sum(costs[place:]),
        tail_budget=tail_budget,
        room=lambda _: total,
        **{"minimum": MINIMUM, **known},  # type: ignore[arg-type]  # a test's shorthand
    )


def test_the_mandatory_part_is_the_last_four_turns_or_all_there_are() -> None:
    assert base_start(chat("uauaua"), MINIMUM) == 2
    assert base_start(chat("ua"), MINIMUM) == 0
    assert base_start([], MINIMUM) == 0
    assert base_start(chat("uaua"), 0) == 4


def test_it_takes_in_whole_bundles_while_they_fit() -> None:
    made = tail("uauauaua", tail_budget=7)
    assert (made.start, made.base, made.tokens, made.is_split) == (2, 4, 6, False)
    assert tail("uauauaua", tail_budget=8).start == 0


def test_turns_that_no_tail_could_reach_are_not_priced() -> None:
    asked: list[int] = []

    def price(place: int) -> int:
        asked.append(place)
        return 100 - place

    turns = chat("ua" * 50)
    made = choose_tail(turns, price=price, tail_budget=10, room=lambda _: 10**6, minimum=MINIMUM, held=94, slack=0.3)
    assert made.start == 94
    assert min(asked) >= 84


def test_an_answer_does_not_couple_the_next_question() -> None:
    assert tail("uauauauauaua", tail_budget=4).start == 8


def test_the_last_turns_stay_when_they_exceed_the_tails_budget() -> None:
    made = tail("uauaua", [1, 1, 50, 50, 50, 50], tail_budget=10)
    assert (made.start, made.tokens) == (2, 200)
    assert "more than the 10 of a tail" in made.reasons[0]


def test_a_bundle_that_crosses_the_boundary_is_pulled_in_whole_even_beyond_the_tails_budget() -> None:
    made = tail("uauatttt", tail_budget=4, total=6)
    assert (made.base, made.start, made.is_split) == (3, 2, False)
    assert "complete the first bundle" in made.reasons[-1]


def test_it_is_cut_where_the_last_turns_begin_when_the_total_budget_leaves_no_room() -> None:
    made = tail("uauatttt", tail_budget=4, total=5)
    assert (made.base, made.start, made.is_split, made.task) == (3, 3, True, None)
    assert "does not fit 5 tokens" in made.reasons[0]


# ── a task that no tail can hold ──────────────────────────────────────────────────────────────────────────


def test_an_oversized_task_is_cut_inside_and_its_first_message_stays() -> None:
    made = tail("ua" + "u" + "at" * 50, [100] * 103, tail_budget=2_000, total=3_000)
    assert (made.task, made.is_split) == (2, True)
    assert made.start % 2 == 1  # a step begins there, not a tool's result
    assert 0.9 * 3_000 <= made.tokens + MARKER <= 3_000
    assert f"{made.start - 3:,} turns are left out between a task and its last steps" in made.reasons


def test_a_step_stays_whole_however_many_results_it_has() -> None:
    made = tail("u" + "attt" * 20, [10] * 81, tail_budget=100, total=200)
    assert chat("u" + "attt" * 20)[made.start].role is Role.ASSISTANT
    assert base_start(chat("uatttt"), 3) == 1


def test_step_by_step_a_running_task_never_falls_off_a_cliff() -> None:
    held, before, random = None, 0, Random(3)
    costs = [40, *(random.randint(20, 300) for _ in range(1_200))]
    for steps in range(5, 600):
        made = tail(
            "u" + "at" * steps, costs[: 1 + 2 * steps], tail_budget=4_000, total=8_000, held=held, slack=0.25, firm=500
        )
        assert made.task in (None, 0)
        assert made.tokens >= 0.7 * before
        assert made.tokens + MARKER * (made.task is not None) <= 8_000
        if sum(costs[: 1 + 2 * steps]) > 8_000:
            assert made.tokens >= 0.7 * (8_000 - 500)
        held, before = made.start, made.tokens


def test_an_older_task_that_is_larger_than_a_tail_keeps_its_end() -> None:
    made = tail("u" + "at" * 100 + "uauaua", [100] * 207, tail_budget=3_000, total=6_000)
    assert made.task == 0
    assert 2_500 <= made.tokens <= 3_000


def test_in_the_middle_of_a_turn_older_turns_go_step_by_step() -> None:
    roles, costs = "ua" * 20 + "u" + "at" * 10, [100] * 61
    made = tail(roles, costs, tail_budget=3_000, total=5_000, held=0, slack=0.25, firm=0)
    assert 4_000 <= made.tokens <= 4_300


@given(st.lists(st.sampled_from("uat"), max_size=60), st.data())
@settings(max_examples=300)
def test_no_tail_begins_with_a_result_whose_call_is_cut_off(roles: list[str], data: st.DataObject) -> None:
    roles = ["u", *roles]
    costs = data.draw(st.lists(st.integers(1, 300), min_size=len(roles), max_size=len(roles)))
    total = data.draw(st.integers(1, 4_000))
    slack, held = data.draw(st.sampled_from((0.0, 0.25))), data.draw(st.none() | st.integers(0, len(roles)))
    firm = data.draw(st.none() | st.integers(0, 500))
    turns = chat("".join(roles))
    made = tail("".join(roles), costs, tail_budget=total // 2, total=total, slack=slack, held=held, firm=firm)
    if 0 < made.start < len(turns):
        assert turns[made.start].role is not Role.TOOL
    if made.task is not None:
        assert turns[made.task].role is Role.USER
        assert made.task < made.start <= made.base
        assert made.tokens + MARKER <= total


def test_last_turns_beyond_the_total_budget_are_told() -> None:
    made = tail("uaua", [10, 10, 10, 10], total=39)
    assert (made.start, made.tokens) == (0, 40)
    assert made.reasons == ("the last turns take 40 tokens, and there is room for 39",)


def test_the_total_budget_bounds_the_extension() -> None:
    assert tail("uauauaua", tail_budget=100, total=6).start == 2


def test_a_free_turn_is_always_taken_in() -> None:
    assert tail("uauauaua", [0] * 8, tail_budget=0, total=0).start == 0


def test_an_empty_conversation_has_an_empty_tail() -> None:
    made = tail("", total=0)
    assert (made.base, made.start, made.tokens) == (0, 0, 0)


def test_with_slack_it_stays_where_it_began_while_that_fits() -> None:
    made = tail("ua" * 10, tail_budget=20, held=4, slack=0.5)
    assert (made.start, made.reasons[1]) == (4, "it begins where it began before")


def test_with_slack_it_moves_far_enough_to_stay_there_for_a_while() -> None:
    made = tail("ua" * 10, tail_budget=12, held=4, slack=0.5)
    assert (made.start, made.tokens) == (14, 6)
    assert "50% of 12 tokens left free" in made.reasons[1]


def test_with_slack_it_grows_back_when_the_budget_has_grown() -> None:
    assert tail("ua" * 10, tail_budget=100, held=16, slack=0.5).start == 0


def test_a_place_that_is_no_edge_any_more_is_not_held() -> None:
    assert tail("ua" * 4, tail_budget=6, held=3, slack=0.5).start == 2
    assert tail("ua" * 4, tail_budget=6, held=99, slack=0.5).start == 2


def test_in_the_middle_of_a_turn_it_stays_while_there_is_room_at_all() -> None:
    known = {"tail_budget": 12, "held": 4, "slack": 0.5}
    assert tail("ua" * 10, total=20, firm=4, **known).start == 4  # type: ignore[arg-type]  # a test's shorthand
    assert tail("ua" * 10, total=20, firm=5, **known).start == 8  # type: ignore[arg-type]  # the same


def longest_by_trying(turns: list[Turn], costs: list[int], tail_budget: int, total: int) -> int | None:
    """The definition itself: every bundle-safe suffix that contains the last turns and fits, the longest of them."""
    base = base_start(turns, MINIMUM)
    limit = min(max(tail_budget, sum(costs[base:])), total)
    edges = {each.start for each in bundle(turns)} | {len(turns)}
    fitting = [place for place in range(base + 1) if place in edges and sum(costs[place:]) <= limit]
    return min(fitting, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A conversation with prices and budgets."""

    roles: str
    costs: list[int]
    tail_budget: int
    total: int

    @classmethod
    def drawn(cls, random: Random) -> Case:
        roles = "".join(random.choices("uat", k=random.randrange(14)))
        costs = [random.randrange(9) for _ in roles]
        return cls(roles=roles, costs=costs, tail_budget=random.randrange(60), total=random.randrange(60))

    def tail(self, **known: object) -> Tail:
        return tail(self.roles, self.costs, tail_budget=self.tail_budget, total=self.total, **known)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_it_is_the_longest_suffix_of_the_definition(seed: int) -> None:
    for number in range(100):
        case = Case.drawn(Random(f"{seed}/{number}"))
        made, turns, costs = case.tail(), chat(case.roles), case.costs
        wanted = longest_by_trying(turns, costs, case.tail_budget, case.total)
        assert made.start <= made.base == base_start(turns, MINIMUM)
        assert made.tokens == sum(costs[made.start :])
        assert made.reasons
        if wanted is not None:
            assert (made.start, made.is_split) == (wanted, False)
        elif made.tokens <= case.total:  # a bundle crosses the boundary: it is in as a whole, or has no room
            edge = max(each.start for each in bundle(turns) if each.start <= made.base)
            assert made.start == (edge if sum(costs[edge:]) <= case.total else made.base)
            assert made.is_split == (made.start != edge)
        else:
            assert made.start == made.base


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_a_held_tail_still_fits_and_still_holds_the_last_turns(seed: int) -> None:
    for number in range(100):
        random = Random(f"{seed}/{number}")
        case = Case.drawn(random)
        firm = random.choice((None, random.randrange(20)))
        free, held = case.tail(), case.tail(held=random.randrange(15), slack=random.random(), firm=firm)
        assert held.start <= held.base
        assert held.tokens <= max(case.total, held.base_tokens)
        assert firm is not None or free.start <= held.start
        assert held.is_split == free.is_split
