"""Engines over one database take turns in one session, as those over one store in memory do."""

from __future__ import annotations

import random

import pytest
from tests.engine.test_known_records import READ, check_that_nothing_deleted_is_kept
from tests.engine.test_receipts import check_that_a_prompt_of_others_is_the_last
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


@pytest.mark.parametrize("read", READ)
def test_who_reads_a_database_while_something_is_deleted_keeps_nothing_of_it(read: str) -> None:
    with open_lent() as store:
        check_that_nothing_deleted_is_kept(store, read)


def test_a_prompt_that_another_daemon_made_while_one_goes_out_is_the_last_of_its_session() -> None:
    with open_lent() as one, PostgresStore(one.url) as other:
        check_that_a_prompt_of_others_is_the_last((one, other))
