"""The lifecycle methods, over every transport: what a host's plugin may rely on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.contract.stores import ask
from tests.served import Served

Call = Callable[..., Any]

FACT = "My sister Clara moved to Lisbon in March 2024 and works as a nurse"


def say(text: str, role: str = "user", **more: object) -> dict[str, object]:
    return {"role": role, "content": text, **more}


IDENTITIES: list[dict[str, str]] = [
    {},
    {"sessionKey": "agent:main:x"},
    {"agentId": "main"},
    {"userId": " \n ", "agentId": " main "},
    {"userId": " anna "},
]


def live(call: Call, who: dict[str, str]) -> str:
    """Take something in by every door, ask, begin anew, fold; gives the namespace."""
    namespaces = {
        call("bootstrap", {**who, "messages": [say("good morning to you", id="b-x")]})["namespace"],
        call("ingest", {**who, "message": say(FACT, id="i-x")})["namespace"],
        call("ingest_batch", {**who, "messages": [say("noted, thank you", "assistant", id="n-x")]})["namespace"],
        call("commit_turn", {**who, "key": "k", "messages": [say("Never share my address", id="c-x")]})["namespace"],
    }
    call("commit_turn", {**who, "key": "heartbeat", "messages": [], "isHeartbeat": True})
    call("assemble", {**who, "prompt": "Where does Clara live?", "tokenBudget": 900})
    call("compact", {"sessionId": who["sessionId"], "minimumTurns": 0, "tailTokens": 0, "targetTurns": 2})
    call("session_lifecycle_hint", {"hook": "before_reset", "reason": "reset", **who})
    namespaces.add(call("ingest", {**who, "message": "and what about her brother?"})["namespace"])
    (namespace,) = namespaces
    return str(namespace)


def held(served: Served) -> list[str]:
    """Every collection that holds something."""
    return [info.name for info in ask(served.store, lambda read: read.collections()).items if info.records]


def history(call: Call, namespace: str) -> list[str]:
    return [record["text"] for record in call("list_collection", {"collection": f"history:{namespace}"})["results"]]


class TestIdentity:
    @pytest.mark.parametrize(
        ("told", "namespace"),
        [
            ({"userId": "u", "sessionKey": "k", "agentId": "a"}, "u"),
            ({"sessionKey": "k", "agentId": "a"}, "session-key:k"),
            ({"agentId": "a"}, "agent-id:a"),
            ({"userId": "  "}, "session:s"),
        ],
    )
    def test_the_namespace_follows_from_who_speaks(self, call: Call, told: dict[str, str], namespace: str) -> None:
        done = call("ingest", {"sessionId": "s", "message": "hello there", **told})
        assert done["namespace"] == namespace
        assert history(call, namespace) == ["hello there"]

    @pytest.mark.parametrize("told", IDENTITIES)
    def test_what_is_written_for_somebody_is_read_for_the_same_and_for_nobody_else(
        self, call: Call, served: Served, told: dict[str, str]
    ) -> None:
        """Whoever names no user gets a working memory, whoever writes a name with spaces the memory of that name."""
        who = {"sessionId": "s", **told}
        namespace = live(call, who)
        assert FACT in str(call("assemble", {**who, "prompt": "Where does Clara live?", "tokenBudget": 900}))
        assert call("explain", who)["receipt"]
        assert call("gate_report", who)["report"]["judged"] > 0
        assert call("judge", {**who, "text": FACT})
        hits = call("search", {"question": "Where does Clara live?", "session": "s", **told})["hits"]
        assert FACT in [hit["record"]["text"] for hit in hits]
        (memory, *_) = call("list_collection", {"collection": f"user:{namespace}"})["results"]
        assert call("read_memory", {**who, "id": memory["id"], "scope": "durable"})["records"]
        assert call("feedback", {**who, "id": memory["id"], "useful": True}) == {"ok": True}
        assert {name.split(":", 1)[1] for name in held(served) if name.startswith("history:")} == {namespace}

    @pytest.mark.parametrize("told", IDENTITIES)
    def test_nothing_is_left_when_a_namespace_goes_whatever_it_is_named_by(
        self, call: Call, served: Served, told: dict[str, str]
    ) -> None:
        namespace = live(call, {"sessionId": "s", **told})
        call("session_lifecycle_hint", {"hook": "session_end", "sessionId": "s", **told})
        call("flush_namespace", {"userId": f" {namespace} "})
        assert held(served) == []
        with served.store.read() as read:
            assert (read.states_of(None).items, read.edges(None), read.journal()) == ((), (), ())

    def test_a_turn_that_an_old_client_stores_without_a_user_goes_with_its_session(
        self, call: Call, served: Served
    ) -> None:
        call("insert_session_turn", {"sessionId": "s", "id": "1", "text": "the boat is green"})
        call("insert_session_turn", {"sessionId": "shared", "id": "1", "text": "the boat is red"})
        call("ingest", {"sessionId": "shared", "userId": "ben", "message": "the boat is blue"})
        call("flush_namespace", {"namespace": "session:s"})
        call("flush_namespace", {"namespace": "session:shared"})
        raw = [name for name in held(served) if name.startswith("session_raw:")]
        assert raw == ["session_raw:shared"]
        turns = ask(served.store, lambda read: read.page("session_raw:shared")).items
        assert [record.text for record in turns] == ["the boat is blue"]

    def test_events_of_others_stay_in_the_journal(self, call: Call, served: Served) -> None:
        for user, session in (("ben", "shared"), ("anna", "shared"), ("anna", "own"), ("ben", "his")):
            call("ingest", {"sessionId": session, "userId": user, "message": f"{user} was here"})
        for session in ("own", "shared", "his", "empty"):
            call("session_lifecycle_hint", {"hook": "session_start", "sessionId": session})
        call("flush_namespace", {"userId": "anna"})
        journal = ask(served.store, lambda read: read.journal())
        assert [entry.session for entry in journal] == ["shared", "his", "empty"]

    @pytest.mark.parametrize("method", ["flush_namespace", "drop_collections"])
    def test_nobody_is_no_namespace_to_delete(self, call: Call, refused: Call, served: Served, method: str) -> None:
        call("ingest", {"sessionId": "s", "message": "hello"})
        assert refused(method, {"namespace": "  "})
        assert held(served)


class TestIngest:
    def test_a_message_is_taken_in_and_judged(self, call: Call) -> None:
        done = call("ingest", {"sessionId": "s", "userId": "u", "message": say(FACT, id="u1")})
        (turn,) = done["turns"]
        assert (turn["reception"], turn["id"], turn["memory"]) == ("stored", "u1", "s/u1")
        assert turn["verdict"]["score"] >= turn["verdict"]["threshold"]
        assert turn["verdict"]["reasons"]
        listed = call("list_collection", {"collection": "user:u"})["results"]
        assert [record["text"] for record in listed] == [FACT]

    def test_a_batch_keeps_its_order_and_says_what_became_of_each(self, call: Call) -> None:
        messages = [
            say("one", id="a"),
            say("HEARTBEAT_OK", "assistant"),
            say("two", "assistant", id="b"),
            say("one", id="a"),
        ]
        done = call("ingest_batch", {"sessionId": "s", "userId": "u", "messages": messages})
        assert [turn["reception"] for turn in done["turns"]] == ["stored", "skipped", "stored", "known"]
        assert done["turns"][1]["reason"] == "heartbeat"

    def test_a_bad_message_is_refused_by_the_name_of_its_field(self, call: Call, refused: Call) -> None:
        wrong = {
            "sessionId": "s",
            "messages": [say("fine"), {"role": "user", "content": [{"type": "text", "text": 7}]}],
        }
        assert refused("ingest_batch", wrong).startswith("messages[1].content[0].text: is a number")
        assert call("list_collection", {"collection": "session_raw:s"})["results"] == []

    @pytest.mark.parametrize("method", ["bootstrap", "ingest", "ingest_batch", "commit_turn"])
    def test_unknown_and_missing_fields_are_refused_by_name(self, refused: Call, method: str) -> None:
        whole = {"sessionId": "s", "message": "x", "messages": [], "key": "k"}
        names = {"ingest": ("message",), "ingest_batch": ("messages",), "commit_turn": ("key", "messages")}.get(
            method, ()
        )
        params = {name: whole[name] for name in ("sessionId", *names)}
        assert "nonsense" in refused(method, params | {"nonsense": 1})
        for name in params:
            assert name in refused(method, {key: value for key, value in params.items() if key != name})
        assert "session" in refused(method, params | {"sessionId": ""})


class TestCommitTurn:
    def test_a_key_is_committed_once(self, call: Call) -> None:
        params = {"sessionId": "s", "userId": "u", "key": "k1", "messages": [say("ok"), say("fine", "assistant")]}
        assert [call("commit_turn", params)["isDuplicate"] for _ in range(3)] == [False, True, True]
        assert sorted(history(call, "u")) == ["fine", "ok"]

    def test_a_heartbeat_keeps_nothing_and_its_key_counts(self, call: Call) -> None:
        params = {"sessionId": "s", "key": "k1", "messages": [say("look around")], "isHeartbeat": True}
        assert call("commit_turn", params)["turns"] == []
        assert call("commit_turn", params)["isDuplicate"] is True
        assert call("list_collection", {"collection": "session_raw:s"})["results"] == []


class TestBootstrap:
    def test_a_transcript_is_imported_once(self, call: Call) -> None:
        params = {"sessionId": "s", "userId": "u", "messages": [say("one"), say("two", "assistant")]}
        first, again = call("bootstrap", params), call("bootstrap", params)
        assert (first["imported"], first["turns"]) == (2, 2)
        assert (again["imported"], again["turns"]) == (0, 2)
        assert call("bootstrap", {"sessionId": "new"})["namespace"] == "session:new"


class TestTheGate:
    def test_a_text_is_judged_without_being_stored(self, call: Call) -> None:
        told = call("judge", {"text": FACT, "userId": "u"})
        assert told["verdict"]["veto"] == ""
        assert call("list_collections", {})["collections"] == []

    def test_feedback_and_report(self, call: Call, refused: Call) -> None:
        call("ingest", {"sessionId": "s", "userId": "u", "message": say(FACT, id="u1")})
        assert call("feedback", {"id": "s/u1", "useful": True, "userId": "u"}) == {"ok": True}
        told = call("gate_report", {"userId": "u"})
        assert (told["report"]["judged"], told["report"]["admitted"], told["labels"], told["useful"]) == (1, 1, 1, 1)
        assert told["calibration"].get("threshold") is None
        assert "nobody" in refused("feedback", {"id": "nobody", "useful": True, "userId": "u"})

    def test_an_outdated_memory_can_be_restored(self, call: Call, refused: Call) -> None:
        for id, text in (("u1", "I live in Munich"), ("u2", "I moved to Berlin")):
            call("ingest", {"sessionId": "s", "userId": "u", "message": say(text, id=id)})
        assert call("restore_memory", {"id": "s/u1", "userId": "u"}) == {"ok": True}
        assert "not outdated" in refused("restore_memory", {"id": "s/u1", "userId": "u"})

    def test_standing_wishes_are_listed_and_removed(self, call: Call, refused: Call) -> None:
        call("ingest", {"sessionId": "s", "userId": "u", "message": say("From now on answer in German.", id="u1")})
        (wish,) = call("list_guidance", {"userId": "u"})["wishes"]
        assert (wish["text"], wish["reach"], wish["session"]) == ("From now on answer in German.", "general", "s")
        assert call("list_guidance", {"userId": "v"})["wishes"] == []
        assert call("remove_guidance", {"userId": "u", "id": wish["id"]})["text"] == wish["text"]
        assert call("list_guidance", {"userId": "u"})["wishes"] == []
        assert len(call("list_guidance", {"userId": "u", "everything": True})["wishes"]) == 1
        assert "nothing" in refused("remove_guidance", {"userId": "u", "id": "nothing"})


class TestProfile:
    def test_a_line_is_shown_pinned_corrected_and_forgotten(self, call: Call, refused: Call) -> None:
        who = {"userId": "u"}
        call("ingest", {"sessionId": "s", "message": say("I'm allergic to walnuts.", id="u1"), **who})
        (line,) = call("profile_show", who)["lines"]
        assert (line["kind"], line["text"], line["source"]) == ("health", "I'm allergic to walnuts.", "s/u1")
        assert call("profile_pin", {"id": line["id"], **who})["isPinned"]
        told = {"id": line["id"], "text": "I must not eat walnuts.", **who}
        assert call("profile_edit", told)["text"] == "I must not eat walnuts."
        assert call("profile_rebuild", who)["lines"] == call("profile_show", who)["lines"]
        asked = {"sessionId": "new", "tokenBudget": 600, "prompt": "What should I cook for us tonight?", **who}
        assert "I must not eat walnuts." in call("assemble", asked)["rules"]
        assert call("profile_forget", {"id": line["id"], **who})["id"] == line["id"]
        assert call("profile_show", who) == {"namespace": "u", "lines": []}
        assert "profile show" in refused("profile_pin", {"id": line["id"], **who})
        assert "text" in refused("profile_edit", {**told, "text": " "})


class TestAssemble:
    def test_a_prompt_comes_with_its_parts_and_a_receipt_that_explains_it(self, call: Call) -> None:
        call("ingest", {"sessionId": "old", "userId": "u", "message": say(FACT, id="u1-x")})
        params = {"sessionId": "s", "userId": "u", "tokenBudget": 1000, "prompt": "Where did my sister Clara move?"}
        made = call("assemble", params)
        assert (made["rules"] + made["opening"] + made["closing"]).count(FACT) == 1
        assert (made["mode"], made["outcome"], made["closingAt"], made["kept"]) == ("augment", "full", 0, [])
        assert 0 < made["tokens"] <= 1000
        told = call("explain", {"userId": "u", "receipt": made["receipt"]})
        assert told["receipt"]["tokens"] == made["tokens"]
        assert told["words"]
        assert told["bar"]
        assert call("explain", {"userId": "u"})["id"] == made["receipt"]
        assert "it stands in the profile" in call("why_not", {"userId": "u", "id": "old/u1-x"})["answer"]

    def test_a_window_says_which_messages_stay(self, call: Call) -> None:
        messages = [say(f"message {n} " + "word " * 50, "assistant" if n % 2 else "user") for n in range(30)]
        params = {"sessionId": "s", "tokenBudget": 900, "mode": "window", "messages": messages, "prompt": "and?"}
        made = call("assemble", params)
        assert made["kept"][-1] == 29
        assert made["tokens"] <= 900

    def test_bad_requests_are_refused_by_name(self, refused: Call) -> None:
        assert "tokenBudget" in refused("assemble", {"sessionId": "s"})
        assert "budget" in refused("assemble", {"sessionId": "s", "tokenBudget": -1})
        assert "mode" in refused("assemble", {"sessionId": "s", "tokenBudget": 1, "mode": "sideways"})
        assert "messages[0]" in refused("assemble", {"sessionId": "s", "tokenBudget": 1, "messages": [3]})
        assert "nobody" in refused("explain", {"userId": "u", "receipt": "nobody"})


class TestCompaction:
    def test_a_session_is_folded_and_unfolded(self, call: Call, refused: Call) -> None:
        for n in range(30):
            text = f"step {n} of the plan for the harbour costs {n * 7} euros and the work is done in src/part{n}.py"
            call(
                "ingest", {"sessionId": "s", "userId": "u", "message": say(text, id=f"t{n:02}-x", timestamp=10**12 + n)}
            )
        done = call("compact", {"sessionId": "s", "targetTurns": 10, "tailTokens": 100})
        assert done["didCompact"] is True
        assert done["tokensAfter"] < done["tokensBefore"]
        found = call("expand", {"sessionId": "s", "summaryId": done["summaries"][0]})["records"]
        assert found[0]["id"] == "t00-x"
        assert len(
            call("expand", {"sessionId": "s", "summaryId": done["summaries"][0], "maxTokens": 60})["records"]
        ) < len(found)
        assert "session" in refused("compact", {"sessionId": ""})
        for size in (1, -4):
            assert "target" in refused("compact", {"sessionId": "s", "targetTurns": size})
        assert "minimum_turns" in refused("compact", {"sessionId": "s", "minimumTurns": -1})
        assert "max_tokens" in refused("expand", {"sessionId": "s", "summaryId": "x", "maxTokens": -1})
        assert "max_depth" in refused("expand", {"sessionId": "s", "summaryId": "x", "maxDepth": 0})


class TestReset:
    @pytest.mark.parametrize("hint", [{"hook": "before_reset"}, {"hook": "session_end", "reason": "reset"}])
    def test_a_session_that_was_reset_begins_anew_under_its_id(self, call: Call, hint: dict[str, str]) -> None:
        call("commit_turn", {"sessionId": "s", "userId": "u", "key": "1", "messages": [say(FACT)]})
        call("session_lifecycle_hint", {**hint, "sessionId": "s"})
        made = call("assemble", {"sessionId": "s", "userId": "u", "tokenBudget": 900, "mode": "window"})
        assert made["opening"] == ""
        call("commit_turn", {"sessionId": "s", "userId": "u", "key": "2", "messages": [say("A new beginning.")]})
        assert sorted(history(call, "u")) == ["A new beginning.", FACT]
        made = call("assemble", {"sessionId": "s", "userId": "u", "tokenBudget": 900, "mode": "window"})
        assert "A new beginning." in made["opening"]
        assert FACT not in made["opening"]

    def test_what_was_said_before_a_reset_is_recalled(self, call: Call) -> None:
        call("commit_turn", {"sessionId": "s", "userId": "u", "key": "1", "messages": [say(FACT)]})
        call("session_lifecycle_hint", {"hook": "before_reset", "sessionId": "s"})
        asked = {"sessionId": "s", "userId": "u", "tokenBudget": 900, "mode": "window", "prompt": "my sister Clara"}
        assert FACT in call("assemble", asked)["rules"]

    def test_two_hints_of_one_reset_are_one_reset_and_other_ends_are_none(self, call: Call) -> None:
        for key in ("1", "2"):
            call("commit_turn", {"sessionId": "s", "userId": "u", "key": key, "messages": [say(f"Said under {key}.")]})
            call("session_lifecycle_hint", {"hook": "session_end", "reason": "shutdown", "sessionId": "s"})
        call("session_lifecycle_hint", {"hook": "before_reset", "sessionId": "s"})
        call("session_lifecycle_hint", {"hook": "session_end", "reason": "reset", "sessionId": "s"})
        call("session_lifecycle_hint", {"hook": "before_reset", "sessionId": ""})
        done = call("bootstrap", {"sessionId": "s", "userId": "u"})
        assert (done["session"], done["turns"]) == ("s~2", 0)

    def test_a_turn_that_is_offered_again_after_a_reset_is_known(self, call: Call) -> None:
        turn = {"sessionId": "s", "userId": "u", "key": "1", "messages": [say(FACT)]}
        call("commit_turn", turn)
        for _ in range(2):
            call("session_lifecycle_hint", {"hook": "before_reset", "sessionId": "s"})
            call("commit_turn", {**turn, "key": "2", "messages": [say("Something else.", id="else")]})
        assert call("commit_turn", turn)["isDuplicate"]
        assert history(call, "u").count(FACT) == 1

    def test_a_session_does_not_begin_anew_under_a_name_that_the_host_uses(self, call: Call) -> None:
        for session in ("s", "s~2"):
            call("commit_turn", {"sessionId": session, "userId": "u", "key": "1", "messages": [say(f"In {session}.")]})
        call("session_lifecycle_hint", {"hook": "before_reset", "sessionId": "s"})
        assert call("bootstrap", {"sessionId": "s", "userId": "u"})["session"] == "s~3"
        assert call("bootstrap", {"sessionId": "s~2", "userId": "u"})["turns"] == 1

    def test_a_session_may_begin_anew_again_and_again(self, call: Call) -> None:
        for number in range(4):
            told = {"sessionId": "s", "userId": "u"}
            call("commit_turn", {**told, "key": str(number), "messages": [say(f"Number {number}.")]})
            assert call("bootstrap", told)["turns"] == 1
            call("session_lifecycle_hint", {"hook": "before_reset", "sessionId": "s"})
        assert call("bootstrap", {"sessionId": "s", "userId": "u"})["session"] == "s~5"
        assert len(history(call, "u")) == 4
        call("flush_namespace", {"userId": "u"})
        assert history(call, "u") == []


class TestReading:
    def test_a_memory_is_read_whole_by_its_id_and_only_by_its_namespace(self, call: Call) -> None:
        call("ingest", {"sessionId": "s", "userId": "u", "message": say(FACT, id="u1")})
        for scope in ("history", "durable"):
            wanted = {"id": "s/u1", "scope": scope}
            (record,) = call("read_memory", {**wanted, "userId": "u"})["records"]
            assert record["text"] == FACT
            assert call("read_memory", {**wanted, "userId": "v"})["records"] == []
        assert call("read_memory", {"id": "s/u2", "scope": "history", "userId": "u"})["records"] == []

    def test_bad_requests_are_refused_by_name(self, refused: Call) -> None:
        assert "scope" in refused("read_memory", {"id": "x", "scope": "attic"})
        assert "history" in refused("read_memory", {"id": "x", "scope": "session", "sessionId": "s"})
        assert "id" in refused("read_memory", {"scope": "history"})

    def test_a_deletion_that_may_mean_two_things_deletes_neither(self, call: Call, refused: Call) -> None:
        call("ingest", {"sessionId": "s", "userId": "u", "message": say(FACT, id="u1")})
        assert "more than one" in refused("drop_collections", {"names": ["user:u"], "namespace": "u"})
        assert "more than one" in refused("drop_collections", {"namespace": "u", "everything": True})
        assert history(call, "u") == [FACT]
