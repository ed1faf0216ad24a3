"""Quotas of namespaces: records, bytes and calls a minute hold for every door, also when many ask at once."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.http.web import ADMIN, ANNA, BEN, registry
from tests.served import Served

from libravdb.client.remote_engine import RemoteEngine
from libravdb.config import Config, DaemonSettings, load
from libravdb.daemon.dispatch import Connection
from libravdb.daemon.quotas import (
    COPIES,
    SHARED_SECONDS,
    SHRINKING,
    STEADY,
    USUAL_COPIES,
    CallRates,
    QuotaRules,
    Quotas,
    measured,
)
from libravdb.daemon.settings import Quota, read_override
from libravdb.daemon.tokens import digest_of
from libravdb.errors import ConfigError, InvalidInput, QuotaExceeded, TooManyCalls
from libravdb.model import Note, Volume
from libravdb.model.collections import durable_memory
from libravdb.wire.methods.access import ACCESS, AccessRole
from libravdb.wire.methods.engine import RememberParams
from libravdb.wire.methods.table import METHODS

MOST = 20
FACT = "My sister Clara moved to Lisbon in March 2024, likes boats and always pays number {} in cash"


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Served]:
    """A namespace may hold twenty records; `big` has no limit."""
    rules = QuotaRules(Quota(records=MOST), [("big*", Quota()), ("tiny", Quota(size_bytes=8_192))])
    served = Served(tmp_path, rules=rules)
    yield served
    served.close()


def remember(served: Served, namespace: str, text: str) -> dict[str, Any]:
    notes = [{"text": text, "collection": durable_memory(namespace)}]
    request = {"id": 1, "method": "remember", "params": {"notes": notes}}
    reply = served.dispatcher.reply(json.dumps(request).encode(), Connection())
    assert reply is not None
    told: dict[str, Any] = json.loads(reply)
    return told


# ── room ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_full_namespace_is_refused_by_name_and_others_are_not(small: Served) -> None:
    replies = [remember(small, "anna", FACT.format(number)) for number in range(MOST)]
    assert "result" in replies[0]
    error = replies[-1]["error"]
    assert error["data"]["kind"] == "QuotaExceeded"
    assert f"of {MOST} records, and this call may add {USUAL_COPIES}" in error["data"]["message"]
    assert MOST - USUAL_COPIES < measured(small.store, "anna").records <= MOST
    assert "daemon.quota_records" in error["data"]["remedy"]
    assert "result" in remember(small, "ben", "mine")
    for number in range(2 * MOST):
        assert "result" in remember(small, "bigger", FACT.format(number))


def test_many_at_once_never_go_beyond(small: Served) -> None:
    outcomes: list[str] = []

    def work(name: int) -> None:
        for number in range(6):
            outcomes.extend(remember(small, "anna", f"{name} {number} green boats"))

    threads = [threading.Thread(target=work, args=(name,)) for name in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    held = measured(small.store, "anna").records
    assert 0 < held <= MOST
    assert (outcomes.count("result"), outcomes.count("error")) == (held, 72 - held)
    for number in range(MOST):  # whoever was refused beside others finds the room that they did not need
        remember(small, "anna", f"{number} red boats")
    assert MOST - USUAL_COPIES < measured(small.store, "anna").records <= MOST


def test_deleting_makes_room_at_once(small: Served) -> None:
    most = MOST - USUAL_COPIES + 1
    ids = [remember(small, "anna", f"boat {n}")["result"]["remembered"][0]["record"]["id"] for n in range(most)]
    assert "error" in remember(small, "anna", "one more")
    with RemoteEngine(small.client()) as engine:
        engine.deletions.forget(durable_memory("anna"), ids[:2])
    assert "result" in remember(small, "anna", "one more")
    assert "result" in remember(small, "anna", "two more")
    assert "error" in remember(small, "anna", "three more")


def test_bytes_are_counted_too(small: Served) -> None:
    assert "result" in remember(small, "tiny", "short")
    assert remember(small, "tiny", "x" * 5_000)["error"]["data"]["kind"] == "QuotaExceeded"
    assert "MiB" in remember(small, "tiny", "x" * 5_000)["error"]["data"]["message"]
    assert "result" in remember(small, "tiny", "also short")
    assert measured(small.store, "tiny").size_bytes < 8_192


def test_turns_are_counted_with_all_that_they_become(small: Served) -> None:
    with RemoteEngine(small.client()) as engine:

        def say(number: int) -> None:
            engine.conversations.ingest_batch([FACT.format(number)], session="s", namespace="anna")

        say(0)
        with pytest.raises(QuotaExceeded) as refused:
            list(map(say, range(1, MOST)))
        assert refused.value.retry_after == 0
        assert engine.search("Where is Clara?", namespace="anna").hits
        engine.prompts.assemble("Where is Clara?", session="s", namespace="anna", budget=500)
    assert 0 < measured(small.store, "anna").records <= MOST + 1  # its receipt came later


def test_a_turn_becomes_no_more_records_than_are_reserved_for_it(tmp_path: Path) -> None:
    served = Served(tmp_path)
    for number in range(5):
        before = measured(served.store, "anna").records
        served.engine.conversations.ingest_batch(
            [f"Always call me Anna, never use {number} emojis. {FACT.format(number)}"], session="s", namespace="anna"
        )
        assert 0 < measured(served.store, "anna").records - before <= COPIES["ingest_batch"]
    served.close()


def test_only_what_is_the_namespaces_own_is_measured(tmp_path: Path) -> None:
    served = Served(tmp_path)
    for name in ("anna", "ben"):
        served.engine.conversations.ingest_batch([FACT.format(name)], session="shared", namespace=name)
    anna, ben = (measured(served.store, name) for name in ("anna", "ben"))
    assert anna.records == ben.records > 0
    assert measured(served.store, "nobody") == Volume()
    served.engine.deletions.flush_namespace("anna")
    assert measured(served.store, "anna") == Volume()
    assert measured(served.store, "ben") == ben
    served.close()


def test_every_writing_method_is_known_to_make_room_to_stay_or_to_grow() -> None:
    writing = {name for name, access in ACCESS.items() if access.role is AccessRole.WRITE}
    assert set(METHODS) >= SHRINKING | STEADY | set(COPIES)
    assert writing >= (SHRINKING | STEADY | set(COPIES)) - {"erase_namespace"}


# ── calls ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_calls_a_minute_hold_under_concurrency(tmp_path: Path) -> None:
    served = Served(tmp_path, rules=QuotaRules(Quota(calls=30)))
    quotas = served.dispatcher._quotas
    assert quotas is not None
    quotas._rates._clock = lambda: 0.0
    kinds: list[str] = []

    def work() -> None:
        with RemoteEngine(served.client()) as engine:
            for _ in range(10):
                try:
                    engine.profile.show(namespace="anna")
                    kinds.append("ok")
                except TooManyCalls as refused:
                    kinds.append("refused" if 0 < refused.retry_after <= 2 else "wrong")

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (kinds.count("ok"), kinds.count("refused")) == (30, 50)
    with RemoteEngine(served.client()) as engine:
        assert engine.profile.show(namespace="ben").lines == ()
        assert engine.status().store.records >= 0
    served.close()


def test_refused_calls_count_against_who_asks_and_not_against_whom_they_are_about(tmp_path: Path) -> None:
    served = Served(tmp_path, rules=QuotaRules(Quota(calls=20)), tokens=registry())
    quotas = served.dispatcher._quotas
    assert quotas is not None
    quotas._rates._clock = lambda: 0.0

    def kinds(token: str, method: str, **params: object) -> list[str]:
        connection = Connection(digest=digest_of(token))
        request = {"method": method, "params": params}
        replies = [served.dispatcher.answer(request, connection) for _ in range(20)]
        return [str(reply["error"]["data"]["kind"]) if "error" in reply else "ok" for reply in replies]

    assert kinds(BEN, "find_memory", namespace="anna", id="1") == ["Forbidden"] * 20
    for method in ("find_memory", "backup", "save_backup"):
        assert kinds(BEN, method, namespace="anna", id="1") == ["TooManyCalls"] * 20
    assert kinds(BEN, "find_memory", namespace="n" * 10**6, id="1") == ["TooManyCalls"] * 20
    assert kinds(BEN, "find_memory", nonsense=1) == ["TooManyCalls"] * 20
    assert kinds(BEN, "find_memory", namespace="ben", id="1") == ["ok"] * 20
    assert kinds(ANNA, "find_memory", namespace="anna", id="1") == ["ok"] * 20
    assert kinds(ANNA, "find_memory", namespace="anna", id="1") == ["TooManyCalls"] * 20
    assert kinds(ADMIN, "describe") == ["ok"] * 20
    assert kinds(ADMIN, "verify_erasure", namespace="x") == kinds(ADMIN, "verify_erasure", namespace="x")
    served.close()


@given(
    per_minute=st.integers(1, 30),
    steps=st.lists(st.floats(0, 20, allow_nan=False), min_size=1, max_size=20),
)
def test_no_minute_sees_more_than_its_calls_and_a_burst(per_minute: int, steps: list[float]) -> None:
    now = 0.0
    rates = CallRates(lambda: now)
    taken: list[float] = []
    for step in steps:
        now += step
        while rates.take("x", per_minute) == 0.0:
            taken.append(now)
            if len(taken) > 2_000:
                break
        for moment in taken:
            assert sum(moment <= other < moment + 60 for other in taken) <= 2 * per_minute
    wait = rates.take("x", per_minute)
    if wait:
        now += wait + 1e-6
        assert rates.take("x", per_minute) == 0.0


def test_daemons_that_share_a_store_see_what_the_others_wrote() -> None:
    """Each admits a call that would fit, and finds the room taken when little of it is left."""
    held, now = [0], [0.0]

    def measure(_: str) -> Volume:
        return Volume(records=held[0])

    def admitted(quotas: Quotas) -> bool:
        params = RememberParams(notes=(Note(collection="user:anna", text="a boat"),))
        try:
            with quotas.admitted("remember", params, ["anna"]):
                held[0] += 1
        except QuotaExceeded:
            return False
        return True

    rules = QuotaRules(Quota(records=100))
    several = [Quotas(rules, measure, clock=lambda: now[0], is_shared=True) for _ in range(3)]
    for number in range(200):
        now[0] += 0.05
        admitted(several[number % 3])
    assert 80 < held[0] <= 100
    held[0] = 0  # another daemon deleted everything
    now[0] += SHARED_SECONDS
    assert all(map(admitted, several))


def test_without_quotas_nothing_is_measured() -> None:
    def never(_: str) -> Volume:
        raise AssertionError

    quotas = Quotas(QuotaRules(Quota()), never)
    assert quotas.is_off
    with quotas.admitted("remember", object(), ("anna",)):
        pass


# ── settings ──────────────────────────────────────────────────────────────────────────────────────────────


def test_the_first_override_that_fits_counts_and_leaves_the_rest_as_usual() -> None:
    settings = DaemonSettings(
        quota_records=10, quota_calls=5, quota_overrides=("team-a records=0", "team-* mb=2 calls=7", "a b records=1")
    )
    rules = QuotaRules.read(settings)
    assert rules.of("anna") == Quota(records=10, calls=5)
    assert rules.of("team-a") == Quota(records=0, calls=5)
    assert rules.of("team-b") == Quota(records=10, size_bytes=2 * 2**20, calls=7)
    assert rules.of("a b") == Quota(records=1, calls=5)
    assert QuotaRules.read(DaemonSettings()).is_off


@pytest.mark.parametrize("text", ["", "records=5", "team-*", "team-* records=-1", "team-* records", "x users=4"])
def test_an_override_that_is_not_understood_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        read_override(text, Quota())
    with pytest.raises(ConfigError, match=r"daemon\.quota_overrides"):
        Config(daemon=DaemonSettings(quota_overrides=(text,)))


def test_overrides_come_from_the_environment_too() -> None:
    told = {"LIBRAVDB_DAEMON_QUOTA_OVERRIDES": "team-* records=5,big calls=0", "HOME": "/nowhere"}
    assert load(environ=told).config.daemon.quota_overrides == ("team-* records=5", "big calls=0")
