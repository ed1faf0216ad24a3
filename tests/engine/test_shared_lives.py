"""Daemons that share a store keep much in memory: after every acknowledged write all of them tell what one tells that
has just begun, and one that was asked to do everything alone."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import ExitStack

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.lives import OF_ONE_STORE, Step, Told, begin, happen, life, told
from tests.engine.test_shared_store import Kept
from tests.support import examples

from libravdb.ports.store import Store
from libravdb.testing import FrozenClock, MemoryStore, WordsEmbedder


def live(rng: random.Random, steps: int, *, open_again: Callable[[], Store]) -> None:
    """Let two engines live a life over one store, and compare them after each step."""
    clock, embedder = FrozenClock(), WordsEmbedder()
    with ExitStack() as held:
        several = [held.enter_context(begin(open_again(), clock, embedder)) for _ in range(2)]
        alone = held.enter_context(begin(MemoryStore(is_shared=True), clock, embedder))
        lived: list[tuple[Step, int]] = []
        for step, who, pause in life(rng, steps):
            clock.advance(pause)
            lived.append((step, who))
            happen(several[who], step)
            happen(alone, step)
            clock.advance(1_000)
            asked = Step("look", rng.randrange(60))
            found = [told(engine, asked) for engine in several]
            with begin(open_again(), clock, embedder) as fresh:
                expected = told(fresh, asked)
            for number, one in enumerate(found):
                assert _differing(one, expected) == {}, (lived, f"engine {number}")
            assert _differing(_lasting(told(alone, asked)), _lasting(expected)) == {}, (lived, "one alone")


def _lasting(answers: Told) -> Told:
    return {asked: answer for asked, answer in answers.items() if not asked.startswith(OF_ONE_STORE)}


def _differing(one: Told, other: Told) -> dict[str, object]:
    return {asked: (answer, other[asked]) for asked, answer in one.items() if answer != other[asked]}


@settings(max_examples=examples(6), deadline=None)
@given(seed=st.integers(0, 10**6))
def test_after_every_step_each_engine_tells_what_a_fresh_one_does(seed: int) -> None:
    with MemoryStore(is_shared=True) as store:
        live(random.Random(seed), 14, open_again=lambda: Kept(store))
