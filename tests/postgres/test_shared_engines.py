"""Engines over one database take turns in one session, as those over one store in memory do."""

from __future__ import annotations

import random

from tests.engine.test_shared_lives import live
from tests.engine.test_shared_store import VERBS, engines_over, play
from tests.postgres.stores import open_lent

from libravdb.adapters.postgres.store import PostgresStore
from libravdb.testing import FrozenClock


def test_engines_over_one_database_give_the_prompts_of_one_that_does_it_all(database: str) -> None:
    rng = random.Random(7)
    verbs = [*VERBS, *VERBS]
    rng.shuffle(verbs)
    steps = [(verb, rng.randrange(2), rng.randrange(2)) for verb in verbs]
    clock = FrozenClock()
    with engines_over([PostgresStore(database), PostgresStore(database)], clock=clock) as several:
        play(steps, several, clock)


def test_after_every_step_each_engine_over_one_database_tells_what_a_fresh_one_does() -> None:
    with open_lent() as lent:
        live(random.Random(3), 5, open_again=lambda: PostgresStore(lent.url))
