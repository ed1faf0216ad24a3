"""Through the doors of a daemon over a walled store: all that is one's own, as ever, and nothing else, also when the
first wall is broken."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.daemon.test_rights import CUSTOM, NAMELESS, SHARED_SESSION, USERS, House, found, mark, requests
from tests.http.web import ADMIN, ANNA, BEN, Web, registry
from tests.postgres.tenants import walled_store
from tests.served import Served

from libravdb.daemon.dispatch import Connection
from libravdb.daemon.guard import Guard
from libravdb.daemon.rights import Rights
from libravdb.engine.auto_compaction import Growth
from libravdb.model.collections import durable_memory, turn_history
from libravdb.model.namespaces import unnamed
from libravdb.ports.walls import seen_by, sight
from libravdb.wire.methods.access import ACCESS, AccessRole

P = TypeVar("P")


class OpenGuard(Guard):
    """The first wall, broken: whatever is asked is admitted, and whatever is found is told."""

    def admit(self, method: str, params: P, rights: Rights) -> P:  # noqa: ARG002
        return params

    def sift(self, method: str, params: object, result: object, rights: Rights) -> object:  # noqa: ARG002
        return result


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with walled_store() as (store, _):
        served = Served(tmp_path_factory.mktemp("house"), store=store)
        yield House(served)
        served.close()


@pytest.fixture
def broken(house: House) -> Iterator[House]:
    """The same house without its first wall."""
    whole = house.served.dispatcher._guard
    house.served.dispatcher._guard = OpenGuard(house.served.store, house.served.engine.masking)
    yield house
    house.served.dispatcher._guard = whole


# ── the second wall alone ─────────────────────────────────────────────────────────────────────────────────

READING = sorted(name for name, access in ACCESS.items() if access.role is AccessRole.READ and name != "authenticate")


@given(data=st.data(), patterns=st.sampled_from([("alice",), ("bob",), ("alice:*",), ("car*",), ("nobody",)]))
@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
def test_with_a_broken_first_wall_nothing_of_others_is_told(
    broken: House, data: st.DataObject, patterns: tuple[str, ...]
) -> None:
    somebody = broken.token(*patterns, role=AccessRole.READ)
    rights = Rights(name="", role=AccessRole.READ, namespaces=patterns)
    strangers = [f"{mark(name)} rows" for name in (*USERS, unnamed(NAMELESS), CUSTOM) if not rights.allows(name)]
    method, params = data.draw(requests(broken).filter(lambda asked: asked[0] in READING))
    reply = json.dumps(broken.ask(method, params, somebody))
    assert [name for name in strangers if name in reply] == [], (method, params)


def test_what_a_broken_first_wall_would_tell_the_second_does_not(broken: House) -> None:
    asked: dict[str, dict[str, Any]] = {
        "list_collection": {"collection": durable_memory("bob")},
        "search_text": {"collection": turn_history("bob"), "text": "green boat", "k": 5},
        "search": {"question": "green boat", "namespace": "bob"},
        "list_memories": {"userId": "bob"},
        "find_memory": {"userId": "bob", "id": "m1"},
        "assemble": {"sessionId": "of bob", "userId": "bob", "prompt": "where is the boat?", "tokenBudget": 900},
        "export_memory": {"userId": "bob"},
        "list_lifecycle_journal": {"sessionId": "of bob"},
    }
    for method, params in asked.items():
        assert mark("bob") in json.dumps(broken.ask(method, params, broken.token("bob"))), method
        assert mark("bob") not in json.dumps(broken.ask(method, params, broken.token("alice"))), method


def test_over_http_two_tokens_each_see_their_own_alone(tmp_path_factory: pytest.TempPathFactory) -> None:
    with walled_store() as (store, _):
        served = Served(tmp_path_factory.mktemp("web"), store=store, tokens=registry())
        served.dispatcher._guard = OpenGuard(store, served.engine.masking)
        address = served.listen_http()
        admin, anna, ben = (Web(address, token) for token in (ADMIN, ANNA, BEN))
        for name in ("anna", "ben", "team/x"):
            notes = [{"text": f"the green boat of {name}", "collection": durable_memory(name)}]
            assert rpc(admin, "remember", notes=notes)

        def seen(web: Web) -> list[str]:
            names = [durable_memory(name) for name in ("anna", "ben", "team/x")]
            hits = rpc(web, "search", question="green boat", collections=names)["hits"]
            return sorted(hit["record"]["collection"] for hit in hits)

        assert seen(anna) == ["user:anna"]
        assert seen(ben) == ["user:ben", "user:team/x"]
        assert seen(admin) == ["user:anna", "user:ben", "user:team/x"]
        expected = {ADMIN: seen(admin), ANNA: seen(anna), BEN: seen(ben)}
        with ThreadPoolExecutor(8) as several:  # calls share threads and connections, and no limit stays with one
            for token, names in several.map(lambda token: (token, seen(Web(address, token))), [*expected] * 20):
                assert names == expected[token]
        served.close()


def rpc(web: Web, method: str, **params: object) -> Any:
    reply = web.ask("POST", "/rpc", {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).json
    assert "error" not in reply, reply
    return reply["result"]


# ── one's own ─────────────────────────────────────────────────────────────────────────────────────────────


def test_whoever_sees_less_is_answered_the_same_about_his_own(house: House) -> None:
    """By his own token behind the wall as by the owner's connection before it."""
    prompt = {"prompt": "Where is the boat?", "tokenBudget": 900}
    for user in USERS:
        own = house.token(user)
        questions: list[tuple[str, dict[str, Any]]] = [
            ("search", {"question": "Who pays at the harbour?", "namespace": user}),
            ("search", {"question": "green boat", "namespace": user, "session": f"of {user}", "k": 50}),
            ("preview_prompt", {**prompt, "userId": user, "sessionId": f"of {user}"}),
            ("preview_prompt", {**prompt, "userId": user, "sessionId": SHARED_SESSION}),
            ("list_memories", {"userId": user}),
            ("list_sessions", {"userId": user}),
            ("list_turns", {"userId": user}),
            ("list_summaries", {"userId": user, "sessionId": f"of {user}"}),
            ("list_receipts", {"userId": user}),
            ("memory_history", {"userId": user, "id": "m1"}),
            ("profile_show", {"userId": user}),
            ("gate_scores", {"userId": user}),
            ("changes", {"userId": user}),
            ("export_memory", {"userId": user}),
            ("query_raw_session", {"sessionId": f"of {user}", "text": "boat", "k": 9}),
            ("list_collection", {"collection": durable_memory(user)}),
        ]
        for method, params in questions:
            told, expected = house.ask(method, params, own), house.ask(method, params, house.owner)
            assert _told(told) == _told(expected), (user, method)
        assert exported(house, user, own) == exported(house, user, house.owner)


def _told(reply: dict[str, Any]) -> object:
    """What a reply tells; of a prompt its sections, and not how long it took."""
    assert "error" not in reply, reply
    return reply["result"].get("sections", reply["result"])


def exported(house: House, user: str, connection: Connection) -> list[str]:
    opened = found(house, connection, "open_namespace_export", userId=user)
    page = found(house, connection, "read_export", id=opened["id"])
    found(house, connection, "close_export", id=opened["id"])
    return base64.b64decode(page["data"]).decode().splitlines()[1:]


def test_behind_the_wall_everything_is_done_as_before_it(house: House) -> None:
    carol = house.token("carol")
    alice = exported(house, "alice", house.owner)
    for session in ("new one", "of carol", SHARED_SESSION):  # whoever speaks in a session of others joins it
        for number in range(3):
            said = {"sessionId": session, "userId": "carol", "message": f"The kite {number} of {session} flies."}
            assert found(house, carol, "ingest", **said)["turns"][0]["reception"] == "stored"
            made = found(house, carol, "assemble", sessionId=session, userId="carol", prompt="a kite?", tokenBudget=900)
            assert "kite" in json.dumps(made)
    assert found(house, carol, "session_lifecycle_hint", hook="before_reset", sessionId="new one")
    assert found(house, carol, "ingest", sessionId="new one", userId="carol", message="The kite is new.")["turns"]
    turn = {"sessionId": "of carol", "id": "t", "text": "A kite.", "metadata": {"userId": "carol"}}
    assert found(house, carol, "insert_session_turn", **turn) == {"ok": True}
    assert found(house, carol, "compact", sessionId="of carol", targetTurns=4, minimumTurns=2, tailTokens=0)
    header, *lines = _lines(house, carol)
    assert found(house, carol, "forget_turns", userId="carol", sessionId="new one")
    assert found(house, carol, "flush_namespace", userId="carol") == {"ok": True}
    assert not found(house, carol, "list_memories", userId="carol")["records"]
    done = found(house, carol, "import_namespace", userId="carol", header=header, lines=lines)
    assert done["records"]
    assert _lines(house, carol)[1:] == lines
    assert exported(house, "alice", house.owner) == alice


def _lines(house: House, connection: Connection) -> list[str]:
    opened = found(house, connection, "open_namespace_export", userId="carol")
    page = found(house, connection, "read_export", id=opened["id"])
    return base64.b64decode(page["data"]).decode().splitlines()


# ── what is done for all ──────────────────────────────────────────────────────────────────────────────────


def test_what_a_call_starts_beside_itself_is_not_held_by_its_limit() -> None:
    seen: list[object] = []
    growth = Growth(lambda session, _: seen.append((session, sight())), auto_tokens=1)
    with seen_by(["alice"]):
        growth.note("a session", 2)
    growth.note("another", 2)
    while len(seen) < 2:
        threading.Event().wait(0.01)
    growth.close()
    assert seen == [("a session", None), ("another", None)]


def test_receipts_are_written_whoever_writes_them_down(house: House) -> None:
    """A thread writes those of others too that wait meanwhile: what it may not see would look like a conflict."""
    engine = house.served.engine
    before = len(engine.inspection.list_receipts(namespace="bob").items)
    with seen_by(["alice"]):
        engine.prompts.assemble("The boat?", session="of bob", namespace="bob", budget=900)
    assert len(engine.inspection.list_receipts(namespace="bob").items) == before + 1


def test_what_has_expired_is_hidden_from_everybody_who_could_see_it(house: House) -> None:
    engine, served, name = house.served.engine, house.served, durable_memory("bob")
    engine.memories.remember("Bob's kite is red.", collection=name, id="kite", expires_at="1h")
    served.now += 2 * 3_600_000
    for patterns in (("alice",), ("bob",), ("*b",), ("alice",), ("bob",)):
        with seen_by(patterns):
            assert engine.memories.get(name, "kite") is None
            assert (engine.memories.get(name, "m1") is None) is (patterns == ("alice",))
    assert engine.memories.get(name, "kite") is None
    with seen_by(["bob"]):
        engine.memories.remember("Bob's kite is green.", collection=name, id="kite")
        assert engine.memories.get(name, "kite") is not None
