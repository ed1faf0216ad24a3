"""Looking into memory with a token: nothing of others is told, also where two share the name of a session."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.daemon.test_audit import lines
from tests.http.web import ADMIN, ANNA, BEN, READER, registry
from tests.served import NOON, Served

from libravdb.daemon.audit import open_audit
from libravdb.daemon.dispatch import Connection
from libravdb.daemon.quotas import QuotaRules
from libravdb.daemon.settings import Quota
from libravdb.daemon.tokens import digest_of
from libravdb.engine.engine import Engine
from libravdb.errors import Forbidden
from libravdb.model.collections import durable_memory, raw_turns, session_summaries
from libravdb.wire import codes
from libravdb.wire.methods.inspection import INSPECTION_METHODS

SESSION = "main"
FORBIDDEN = codes.code_of(Forbidden(""))
QUESTION = "Which garden must be watered, and when?"


def word_of(whose: str) -> str:
    """Stands in all that is somebody's, and in nothing else."""
    return f"mark{whose}end"


class House:
    """Two people who gave a session the same name."""

    def __init__(self, served: Served) -> None:
        self.served = served
        for whose in ("anna", "ben"):
            for number in range(40):
                said = f"{word_of(whose)} {number}: we must water garden {number % 7} at {number % 24} o'clock."
                self.call("ingest", userId=whose, sessionId=SESSION, message=said)
            for id in ("m1", "m2"):
                note = {"text": f"{word_of(whose)} keeps {id}", "collection": durable_memory(whose), "id": id}
                self.call("remember", notes=[note])
            self.call("assemble", userId=whose, sessionId=SESSION, prompt=f"{word_of(whose)} asks", tokenBudget=900)
        self.call("compact", sessionId=SESSION, targetTurns=4, minimumTurns=2, tailTokens=0)
        with served.store.read() as snapshot:
            self.summaries = [one.id for one in snapshot.page(session_summaries(SESSION))]
            self.turns = [one.id for one in snapshot.page(raw_turns(SESSION))]

    def ask(self, method: str, token: str = "", **params: object) -> dict[str, Any]:
        connection = Connection(is_local=False, digest=digest_of(token)) if token else Connection()
        request = {"id": 1, "method": method, "params": params}
        reply = self.served.dispatcher.reply(json.dumps(request).encode(), connection)
        assert reply is not None
        told: dict[str, Any] = json.loads(reply)
        return told

    def call(self, method: str, token: str = "", **params: object) -> Any:
        told = self.ask(method, token, **params)
        assert "error" not in told, told
        return told["result"]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    served = Served(tmp_path_factory.mktemp("house"), tokens=registry())
    yield House(served)
    served.close()


def looked(house: House, token: str, whose: str) -> dict[str, Any]:
    """All that somebody is told who looks everywhere."""
    told = {
        "turns": house.call("list_turns", token, namespace=whose, session=SESSION, limit=100),
        "every turn": house.call("list_turns", token, namespace=whose, limit=100),
        "summaries": house.call("list_summaries", token, namespace=whose, sessionId=SESSION),
        "receipts": house.call("list_receipts", token, namespace=whose, session=SESSION),
        "scores": house.call("gate_scores", token, namespace=whose),
        "search": house.call(
            "try_search", token, namespace=whose, session=SESSION, question=QUESTION, k=99, settings={"silence": 0.0}
        ),
        "changes": house.call("changes", token, namespace=whose),
    }
    for id in (*house.summaries[:4], *house.turns[:4], *house.turns[-4:], "m1"):
        told[f"why not {id}"] = house.call(
            "preview_prompt",
            token,
            namespace=whose,
            sessionId=SESSION,
            prompt=QUESTION,
            tokenBudget=3_000,
            mode="window",
            whyNot=id,
        )
    told["then"] = house.call(
        "preview_prompt", token, namespace=whose, sessionId=SESSION, prompt=QUESTION, tokenBudget=3_000, asOf=NOON
    )
    return told


@pytest.mark.parametrize(("token", "whose", "other"), [(ANNA, "anna", "ben"), (BEN, "ben", "anna")])
def test_in_a_session_of_one_name_nobody_sees_the_other(house: House, token: str, whose: str, other: str) -> None:
    told = looked(house, token, whose)
    assert word_of(other) not in json.dumps(told)
    assert told["turns"] == told["every turn"]
    assert len(told["turns"]["turns"]) == 40
    assert [one["prompt"] for one in told["receipts"]["receipts"]] == [f"{word_of(whose)} asks"]
    assert len(told["scores"]["scores"]) == 40
    for part in ("turns", "summaries", "receipts", "scores", "search"):
        assert word_of(whose) in json.dumps(told[part]), part
    strangers = {node["id"] for node in told["summaries"]["nodes"]}
    others = house.call("list_summaries", namespace=other, sessionId=SESSION)["nodes"]
    assert strangers
    assert others
    assert not strangers & {node["id"] for node in others}
    assert {turn["foldedInto"] for turn in told["turns"]["turns"]} - {""} <= strangers
    assert any(turn["foldedInto"] for turn in told["turns"]["turns"])


def test_an_admin_sees_whom_he_names(house: House) -> None:
    for whose in ("anna", "ben"):
        found = house.call("list_summaries", ADMIN, namespace=whose, sessionId=SESSION)
        assert found == house.call("list_summaries", namespace=whose, sessionId=SESSION)


def test_memories_of_others_are_unknown(house: House) -> None:
    refused = house.ask("supersede_memory", ANNA, namespace="anna", id="m1", by="nothing")["error"]
    assert refused["data"]["kind"] == "NotFound"
    assert house.ask("supersede_memory", ANNA, namespace="ben", id="m1", by="m2")["error"]["code"] == FORBIDDEN
    assert house.ask("supersede_memory", READER, namespace="anna", id="m1", by="m2")["error"]["code"] == FORBIDDEN


def test_only_an_admin_checks_the_store(house: House) -> None:
    for token in (ANNA, READER):
        assert house.ask("check_store", token)["error"]["code"] == FORBIDDEN
    told = house.call("check_store", ADMIN)
    assert {one["name"]: one["health"] for one in told["checks"]}["store"] == "good"
    assert told["findings"] == []


def test_the_settings_of_search_are_everybodys(house: House) -> None:
    assert house.call("recall_settings", ANNA) == house.call("recall_settings", ADMIN)


def test_what_is_null_is_left_out(house: House) -> None:
    told = house.call("try_search", ANNA, namespace="anna", question="x")
    assert "tried" not in told
    settings = {one["name"]: one for one in house.call("recall_settings", ANNA)["settings"]}
    assert "most" not in settings["k"]
    assert settings["k"]["least"] == 1


def test_an_unknown_field_is_refused_by_name(house: House) -> None:
    for method in INSPECTION_METHODS:
        refused = house.ask(method.name, nonsense=1)["error"]
        assert "nonsense" in refused["message"] or refused["code"] == FORBIDDEN


# ── what is polled ────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Served]:
    """Three calls a minute, and an audit log."""
    audit = open_audit(str(tmp_path / "audit.jsonl"))
    rules = QuotaRules(Quota(calls=3))
    served = Served(tmp_path, tokens=registry(), rules=rules, audit=audit)
    yield served
    served.close()
    audit.close()


def asked(served: Served, method: str, token: str, **params: object) -> dict[str, Any]:
    request = {"id": 1, "method": method, "params": params}
    reply = served.dispatcher.reply(json.dumps(request).encode(), Connection(is_local=False, digest=digest_of(token)))
    assert reply is not None
    told: dict[str, Any] = json.loads(reply)
    return told


def test_polling_counts_against_no_quota_and_fills_no_log(small: Served, tmp_path: Path) -> None:
    for _ in range(20):
        assert "result" in asked(small, "changes", ANNA, namespace="anna")
    assert not (tmp_path / "audit.jsonl").read_text()
    assert "result" in asked(small, "list_turns", ANNA, namespace="anna")
    assert asked(small, "changes", ANNA, namespace="ben")["error"]["code"] == FORBIDDEN
    assert [(one["method"], one["outcome"]) for one in lines(tmp_path / "audit.jsonl")] == [
        ("list_turns", "ok"),
        ("changes", "Forbidden"),
    ]
    for _ in range(2):
        asked(small, "list_turns", ANNA, namespace="anna")
    assert asked(small, "list_turns", ANNA, namespace="anna")["error"]["data"]["kind"] == "TooManyCalls"
    assert "result" in asked(small, "changes", ANNA, namespace="anna")


def test_one_method_is_polled() -> None:
    assert [method.name for method in INSPECTION_METHODS if method.is_polled] == ["changes"]


# ── sessions that were begun anew ─────────────────────────────────────────────────────────────────────────


def test_lists_take_sessions_as_they_are_listed_and_prompts_as_their_host_names_them(served: Served) -> None:
    engine: Engine = served.engine
    told = House.__new__(House)
    told.served = served
    told.call("ingest", userId="anna", sessionId="chat", message="The ladder is in the shed, and it is red.")
    told.call("session_lifecycle_hint", sessionId="chat", hook="before_reset")
    told.call("ingest", userId="anna", sessionId="chat", message="The kite is in the attic, and it is blue.")
    names = [one["name"] for one in told.call("list_sessions", userId="anna")["sessions"]]
    assert len(names) == 2
    texts = [[turn["text"] for turn in told.call("list_turns", userId="anna", session=name)["turns"]] for name in names]
    assert sorted(map(len, texts)) == [1, 1]
    shown = told.call("preview_prompt", userId="anna", sessionId="chat", tokenBudget=900)
    made = told.call("assemble", userId="anna", sessionId="chat", tokenBudget=900)
    assert "".join(section["text"] for section in shown["sections"]) == made["opening"] + made["closing"]
    assert engine.sessions.current("chat") != "chat"
