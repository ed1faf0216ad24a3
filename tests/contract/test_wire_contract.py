"""What unchanged clients rely on, row by row of the wire contract: a daemon in a process of its own, over its socket,
in plain lines of JSON. What every transport must answer alike stands in `test_storage_methods.py`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import count
from typing import Any

import pytest
from tests.served import SocketWire, ask, environment

from libravdb.core.ingest.settings import IngestSettings
from libravdb.daemon.call_stats import Calls
from libravdb.daemon.dispatch import Connection, Dispatcher
from libravdb.daemon.guard import Guard
from libravdb.daemon.tokens import TokenRegistry
from libravdb.engine.masking import Masking
from libravdb.testing import MemoryStore
from libravdb.wire import endpoint

Ask = Callable[..., Any]
NAMES = count()
PACKAGED = {"LIBRAVDB_LIFECYCLE_JOURNAL_MAX_ENTRIES": "3", "LIBRAVDB_GATING_THRESHOLD": "0.41"}
"""Names that the packaging of clients sets."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[endpoint.Endpoint]:
    """One daemon for all: every test uses sessions and users of its own."""
    home = tmp_path_factory.mktemp("home")
    process = subprocess.Popen(
        [sys.executable, "-m", "libravdb.daemon"],
        env=environment(home, LIBRAVDB_RPC_ENDPOINT=f"unix:{home / 's.sock'}", **PACKAGED),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    assert line == f"unix:{home / 's.sock'}"
    yield endpoint.parse(line)
    process.terminate()
    process.communicate(timeout=60)
    assert process.returncode == 0


@pytest.fixture
def line(address: endpoint.Endpoint) -> Iterator[SocketWire]:
    connected = SocketWire(address)
    yield connected
    connected.close()


@pytest.fixture
def told(line: SocketWire) -> Ask:
    """Calls a method and gives its result."""

    def call(method: str, params: object = None) -> Any:
        reply = ask(line, method, params)
        assert set(reply) == {"jsonrpc", "id", "result"}, reply
        return reply["result"]

    return call


@pytest.fixture
def name() -> str:
    return f"n{next(NAMES)}"


def listed(told: Ask, collection: str) -> list[dict[str, Any]]:
    records = told("list_collection", {"collection": collection})["results"]
    assert isinstance(records, list)
    return records


class TestTransport:
    def test_requests_of_one_connection_are_answered_in_their_order(self, line: SocketWire) -> None:
        methods = ["status", "health", "export_memory", "flush", "nonsense", "health"] * 5
        lines = [json.dumps({"id": place, "method": name}) for place, name in enumerate(methods)]
        line.send(("\n".join(lines) + "\n").encode())
        assert [line.receive()["id"] for _ in methods] == list(range(len(methods)))

    def test_a_line_of_sixteen_mebibytes_is_taken(self, line: SocketWire) -> None:
        frame = json.dumps({"id": 1, "method": "health", "params": {"padding": ""}}).encode()
        padding = b"x" * (16 * 2**20 - len(frame))
        line.send(frame[:-3] + padding + frame[-3:] + b"\n")
        assert line.receive() == {"jsonrpc": "2.0", "id": 1, "result": {"ok": True, "message": "ok"}}

    def test_the_environment_that_packaging_sets_is_heard(self, told: Ask, name: str) -> None:
        assert told("status")["gatingThreshold"] == 0.41
        for number in range(5):
            told("session_lifecycle_hint", {"hook": str(number), "sessionId": name})
        journal = told("list_lifecycle_journal")["results"]
        assert [entry["metadata"]["hook"] for entry in journal] == ["2", "3", "4"]


class TestEnvelope:
    @pytest.mark.parametrize("identity", [1, 1.5, "a", "", None, True, [1], {"x": 1}, -(2**60)])
    def test_an_id_is_echoed_as_it_came(self, line: SocketWire, identity: object) -> None:
        reply = ask(line, "flush", id=identity)
        assert json.dumps(reply) == json.dumps({"jsonrpc": "2.0", "id": identity, "result": {"ok": True}})

    def test_without_an_id_the_reply_has_none(self, line: SocketWire) -> None:
        line.send(b'{"method": "flush"}\n')
        assert line.receive() == {"jsonrpc": "2.0", "result": {"ok": True}}

    @pytest.mark.parametrize(
        "request_line",
        [
            b'{"id": 1, "method": "ensure_collections"}',
            b'{"id": 1, "method": "ensure_collections", "params": null}',
            b'{"id": 1, "method": "ensure_collections", "params": {}, "jsonrpc": "1.0"}',
            b'{"id": 1, "method": "ensure_collections", "params": {"collections": [], "later": 1}, "jsonrpc": 7}',
            b'\n  \n\r\n{"id": 1, "method": "ensure_collections", "extra": []}',
        ],
    )
    def test_what_does_not_matter_is_not_looked_at(self, line: SocketWire, request_line: bytes) -> None:
        line.send(request_line + b"\n")
        assert line.receive() == {"jsonrpc": "2.0", "id": 1, "result": {"ok": True}}

    @pytest.mark.parametrize("noise", [b"hello", b"{", b"[1]", b'"x"', b"7", b"\xff\xfe", b'{"id": NaN}'])
    def test_what_is_no_request_is_told_without_an_id_and_the_connection_stays(
        self, line: SocketWire, noise: bytes
    ) -> None:
        line.send(noise + b"\n")
        reply = line.receive()
        assert set(reply) == {"jsonrpc", "error"}
        assert reply["error"]["message"].startswith("invalid request: ")
        assert ask(line, "flush")["result"] == {"ok": True}

    def test_an_unknown_method_is_named(self, line: SocketWire) -> None:
        assert ask(line, "no_such")["error"]["message"] == "unknown method: no_such"

    def test_a_handler_that_crashes_is_told_of_and_the_next_request_is_served(self) -> None:
        def crash(_: object) -> object:
            raise ZeroDivisionError

        dispatcher = Dispatcher(
            {"health": crash, "flush": lambda _: True},
            calls=Calls(),
            guard=Guard(MemoryStore(), Masking(IngestSettings())),
            tokens=TokenRegistry.of_one(""),
        )
        crashed = json.loads(dispatcher.reply(b'{"id": 3, "method": "health"}', Connection()) or b"")
        assert crashed["id"] == 3
        assert crashed["error"]["message"].startswith("internal server panic in health: ")
        assert json.loads(dispatcher.reply(b'{"method": "flush"}', Connection()) or b"")["result"] is True


class TestRecordShape:
    def test_a_listed_record_has_these_fields_and_no_collection(self, told: Ask, name: str) -> None:
        told("insert_text", {"collection": name, "id": "a", "text": "tea", "metadata": {"n": 2**53 + 1}})
        assert listed(told, name) == [
            {
                "id": "a", "score": 0, "text": "tea", "version": 1,
                "metadata": {"n": 2**53 + 1, "text": "tea", "access_count": 0},
            }
        ]  # fmt: skip

    def test_a_found_record_also_tells_its_collection_and_a_cosine(self, told: Ask, name: str) -> None:
        told("insert_text", {"collection": name, "id": "a", "text": "tea"})
        (found,) = told("search_text", {"collection": name, "text": "tea"})["results"]
        assert set(found) == {"id", "score", "text", "metadata", "version"}
        assert found["metadata"] == {"text": "tea", "access_count": 0, "collection": name}
        assert found["score"] == pytest.approx(1, abs=1e-2)

    def test_what_has_no_records_gives_a_list_and_never_null(self, told: Ask, name: str) -> None:
        assert told("list_collection", {"collection": name}) == {"results": []}
        assert told("search_text", {"collection": name, "text": "x"}) == {"results": []}
        assert told("list_lifecycle_journal", {"sessionId": name}) == {"results": []}
        assert told("query_raw_session", {"sessionId": name, "text": "x"}) == {"results": []}
        assert told("expand_summary", {"sessionId": name, "summaryId": "x"}) == {"results": []}
        assert told("search_text_collections") == {"results": []}


REQUIRED = {
    "insert_text": ({}, "record id is required"),
    "insert_session_turn": ({"id": "a"}, "session ID is required"),
    "compact_session": ({}, "session ID is required"),
    "expand_summary": ({"summaryId": "a"}, "sessionId is required"),
    "query_raw_session": ({}, "sessionId is required"),
    "ingest_markdown_document": ({}, "sourceDoc is required"),
    "delete_authored_document": ({}, "sourceDoc is required"),
    "promote_dream_entries": ({"sourceDoc": "a"}, "userId is required"),
    "flush_namespace": ({}, "namespace or userId is required"),
}


class TestDefaults:
    @pytest.mark.parametrize("method", REQUIRED)
    def test_what_is_required_is_asked_for_in_exactly_these_words(self, line: SocketWire, method: str) -> None:
        params, message = REQUIRED[method]
        assert ask(line, method, params)["error"]["message"] == message

    def test_the_other_messages_about_what_is_missing_are_exact_too(self, line: SocketWire) -> None:
        assert ask(line, "expand_summary", {"sessionId": "s"})["error"]["message"] == "summaryId is required"
        assert ask(line, "promote_dream_entries", {"userId": "u"})["error"]["message"] == "sourceDoc is required"
        missing = ask(line, "insert_session_turn", {"sessionId": "s"})
        assert missing["error"]["message"] == "record id is required"

    @pytest.mark.parametrize(
        ("method", "result"),
        [
            ("flush", {"ok": True}),
            ("ensure_collections", {"ok": True}),
            ("bump_access_counts", {"ok": True, "unknown": 0}),
            ("delete", {"ok": True}),
            ("delete_batch", {"ok": True}),
            ("search_text_collections", {"results": []}),
            ("session_lifecycle_hint", {"ok": True, "hook": "", "sessionId": "", "reason": ""}),
        ],
    )
    def test_a_call_that_leaves_everything_out_is_served(self, told: Ask, method: str, result: object) -> None:
        assert told(method) == result

    def test_a_document_without_a_tokenizer_names_the_usual_one_and_is_no_core_document(
        self, told: Ask, name: str
    ) -> None:
        told("ingest_markdown_document", {"sourceDoc": name, "text": "plain"})
        (node,) = [one for one in listed(told, "authored:variant") if one["metadata"]["source_doc"] == name]
        assert (node["metadata"]["tokenizer_id"], node["metadata"]["is_core_doc"]) == ("markdown-ingest:v1", False)

    def test_compaction_without_sizes_takes_twenty_turns_to_a_cluster_and_keeps_no_tail(
        self, told: Ask, name: str
    ) -> None:
        _talk(told, name, turns=40)
        done = told("compact_session", {"sessionId": name})
        assert (done["clustersFormed"], done["turnsRemoved"], done["clustersDeclined"]) == (2, 40, 0)
        required = {"didCompact", "clustersFormed", "clustersDeclined", "turnsRemoved", "meanConfidence"}
        assert required | {"summaryMethod"} <= set(done)


def _talk(told: Ask, session: str, *, turns: int, **metadata: object) -> None:
    for n in range(turns):
        text = f"step {n} of the plan for the harbour costs {n * 7} euros and the work is done in src/part{n}.py"
        facts = {"role": "user", "ts": 1_700_000_000_000 + n, "userId": session, "sessionId": session, "type": "turn"}
        params = {"sessionId": session, "id": f"t{n:03}", "text": text, "metadata": facts | metadata}
        assert told("insert_session_turn", params) == {"ok": True}


class TestWrittenByTheDaemon:
    def test_a_summary(self, told: Ask, name: str) -> None:
        _talk(told, name, turns=20)
        told("compact_session", {"sessionId": name})
        (summary,) = listed(told, f"session_summary:{name}")
        facts = summary["metadata"]
        sources = [f"t{n:03}" for n in range(20)]
        digest = sha256(f"{name}:{','.join(sources)}".encode()).hexdigest()
        assert summary["id"] == f"summary:{digest[:16]}"
        assert (facts["type"], facts["sessionId"], facts["userId"]) == ("summary", name, name)
        assert (facts["source_ids"], facts["ts"]) == (sources, 1_700_000_000_019)
        assert facts["method"] == "extractive"
        assert facts["decay_rate"] == pytest.approx(1 - facts["confidence"])
        for key in ("token_count", "compacted_at", "nomic_align", "nomic_cover", "confidence_nomic"):
            assert isinstance(facts[key], int | float), key
        lineage = facts["continuity_lineage"]
        assert lineage == {
            "source_ids": sources, "source_turn_ids": sources, "parent_summary_ids": [],
            "source_ts_min": 1_700_000_000_000, "source_ts_max": 1_700_000_000_019,
            "compacted_at": facts["compacted_at"], "method": "extractive", "confidence": facts["confidence"],
            "first_turn": sources[0], "last_turn": sources[-1], "turn_count": len(sources),
        }  # fmt: skip
        assert [one["id"] for one in listed(told, f"session:{name}")] == [summary["id"]]

    def test_its_coverage_edges_and_the_state_of_its_session(self, told: Ask, name: str) -> None:
        _talk(told, name, turns=20)
        told("compact_session", {"sessionId": name})
        (summary,) = listed(told, f"session_summary:{name}")
        edges = listed(told, f"session_edge:{name}")
        assert [edge["id"] for edge in edges] == [f"edge:{summary['id']}:t{n:03}" for n in range(20)]
        assert edges[3]["metadata"] == {
            "type": "coverage_edge", "parent_summary_id": summary["id"], "child_id": "t003", "child_type": "turn",
            "child_collection": f"session_raw:{name}", "child_ts": 1_700_000_000_003, "edge_order": 3,
            "compacted_at": summary["metadata"]["compacted_at"], "access_count": 0,
        }  # fmt: skip
        (state,) = listed(told, f"session_state:{name}")
        assert state["id"] == "__session_state__"
        facts = state["metadata"]
        assert (facts["type"], facts["compaction_generation"]) == ("session_state", 1)
        assert facts["last_summary_id"] == summary["id"]
        assert facts["last_compacted_at"] == facts["updated_at"] == summary["metadata"]["compacted_at"]

    def test_a_guidance_shard(self, told: Ask, name: str) -> None:
        _talk(told, name, turns=12)
        rule = {"role": "user", "ts": 1_700_000_000_100, "userId": name, "sessionId": name, "type": "turn"}
        rule |= {"stability_weight": 0.5, "provenance_class": "session_turn"}
        text = "You must never push to the main branch without a review."
        told("insert_session_turn", {"sessionId": name, "id": "rule", "text": text, "metadata": rule})
        told("compact_session", {"sessionId": name})
        for collection in (f"elevated:session:{name}", f"elevated:user:{name}"):
            (shard,) = listed(told, collection)
            assert (shard["id"], shard["text"]) == (f"guidance:{name}:rule", text)
            facts = shard["metadata"]
            expected = {
                "type": "guidance_shard", "source_turn_id": "rule", "source_turn_ts": 1_700_000_000_100,
                "elevated_guidance": True, "protection_reason": "deontic_surface", "authority": 0.5,
                "stability_weight": 0.5, "provenance_class": "session_turn", "userId": name, "role": "user",
            }  # fmt: skip
            assert {key: facts[key] for key in expected} == expected
            assert facts["token_estimate"] > 0

    def test_every_kind_of_node_as_clients_spell_it(self, told: Ask, name: str) -> None:
        text = (
            "---\ntitle: x\n---\n\n# Head\n\nA paragraph.\n\n- an item\n\n> a quote\n\n"
            "```\ncode\n```\n\n<div>\nhtml\n</div>\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
        )
        told("ingest_markdown_document", {"sourceDoc": name, "text": text})
        nodes = [one for one in listed(told, "authored:variant") if one["metadata"]["source_doc"] == name]
        assert [node["metadata"]["node_kind"] for node in nodes] == [
            "YAMLFrontmatter", "Heading", "Paragraph", "List", "Blockquote", "CodeBlock", "HTMLBlock", "Table",
        ]  # fmt: skip
        assert [node["id"] for node in nodes] == [f"{name}#{place:06}" for place in range(8)]

    def test_an_authored_node(self, told: Ask, name: str) -> None:
        text = "- You must lock the door.\n- Never open the window.\n- You may open the roof.\n"
        meta = {
            "sourceRoot": "/r", "sourcePath": "/r/a.md", "sourceKind": "core", "fileHash": "ff", "sourceSize": 7,
            "sourceMtimeMs": 1700000000000.75, "ingestVersion": 3, "hashBackend": "sha256",
        }  # fmt: skip
        params = {"sourceDoc": name, "text": text, "coreDoc": True, "tokenizerId": "t:1", "sourceMeta": meta}
        told("ingest_markdown_document", params)
        nodes = [one for one in listed(told, "authored:hard") if one["metadata"]["source_doc"] == name]
        assert [node["metadata"]["modality_mask"] for node in nodes] == [2, 4, 8]
        facts = nodes[1]["metadata"]
        expected = {
            "source_doc": name, "node_kind": "List", "ordinal": 1, "position": 26, "tier": 1, "promoted": False,
            "authored": True, "is_core_doc": True, "tokenizer_id": "t:1", "hop_targets": [],
            "cache_key": sha256(text.encode() + b"\0t:1").hexdigest(),
            "source_root": "/r", "source_path": "/r/a.md", "source_kind": "core", "file_hash": "ff", "source_size": 7,
            "source_mtime_ms": 1700000000000, "ingest_version": 3, "hash_backend": "sha256",
        }  # fmt: skip
        assert {key: facts[key] for key in expected} == expected
        assert facts["token_estimate"] > 0
        assert facts["authority"] > 0
        told("delete_authored_document", {"sourceDoc": name})

    def test_a_turn_is_kept_with_what_its_client_wrote(self, told: Ask, name: str) -> None:
        written = {
            "role": "assistant", "ts": 1_700_000_000_000, "userId": name, "sessionId": name, "type": "turn",
            "provenance_class": "session_turn", "stability_weight": 0.25, "source_turn_id": "a", "gating_score": 0.5,
        }  # fmt: skip
        told("insert_session_turn", {"sessionId": name, "id": "a", "text": "hello", "metadata": written})
        seen = {**written, "text": "hello", "access_count": 0}
        assert [one["metadata"] for one in listed(told, f"session:{name}")] == [seen]
        raw = {**seen, "raw_history": True, "active_view": False}
        assert [one["metadata"] for one in listed(told, f"session_raw:{name}")] == [raw]

    def test_an_entry_of_the_journal(self, told: Ask, name: str) -> None:
        hint = {
            "hook": "agent_end", "reason": "done", "sessionFile": "/f", "sessionId": name, "sessionKey": "k",
            "agentId": "a", "workspaceDir": "/w", "messageCount": 4, "durationMs": 12, "transcriptArchived": True,
            "nextSessionId": "n", "nextSessionKey": "nk",
        }  # fmt: skip
        reply = told("session_lifecycle_hint", hint)
        assert reply == {"ok": True, "hook": "agent_end", "sessionId": name, "reason": "done"}
        (entry,) = told("list_lifecycle_journal", {"sessionId": name})["results"]
        facts = entry["metadata"]
        fixed = {"type": "session_lifecycle_hint", "internal": True, "source": "openclaw-hook"}
        fixed["ingest_kind"] = "lifecycle_journal"
        assert {key: facts[key] for key in fixed | hint} == fixed | hint
        assert facts["ts"] > 0


GOOD = {"text": "  the owl carried a letter over the sea  ", "score": 0.75, "recallCount": 2, "uniqueQueries": 2}


class TestDreams:
    def test_a_dream_record_has_the_id_and_the_marks_that_clients_look_for(self, told: Ask, name: str) -> None:
        entries = [
            {**GOOD, "section": "Night", "line": 3, "sourceLine": 9, "metadata": {"mood": "calm"}},
            {**GOOD, "score": 0.5},
            {**GOOD, "text": "another owl came back with a reply"},
        ]
        source = {"sourceRoot": "/r", "sourcePath": "/r/D.md", "sourceKind": "markdown", "fileHash": "ff"}
        params = {"userId": name, "sourceDoc": "DREAMS.md", "entries": entries, **source}
        assert told("promote_dream_entries", params) == {"promoted": 2, "rejected": 1}
        first, second = listed(told, f"dream:{name}")
        assert (first["id"], second["id"]) == ("DREAMS.md#dream#000000", "DREAMS.md#dream#000002")
        assert first["text"] == "the owl carried a letter over the sea"
        facts = first["metadata"]
        expected = {
            "type": "dream_promotion", "source_kind": "dream", "dream_score": 0.75, "source_doc": "DREAMS.md",
            "userId": name, "recall_count": 2, "unique_queries": 2, "section": "Night", "line": 3, "source_line": 9,
            "mood": "calm", "source_root": "/r", "source_path": "/r/D.md", "file_hash": "ff",
        }  # fmt: skip
        assert {key: facts[key] for key in expected} == expected

    def test_promoting_a_source_again_replaces_its_records_and_no_others(self, told: Ask, name: str) -> None:
        for source in ("DREAMS.md", "DREAMS.md#dream"):
            told("promote_dream_entries", {"userId": name, "sourceDoc": source, "entries": [GOOD, GOOD]})
        told("promote_dream_entries", {"userId": name, "sourceDoc": "DREAMS.md", "entries": [GOOD]})
        assert [one["id"] for one in listed(told, f"dream:{name}")] == [
            "DREAMS.md#dream#000000", "DREAMS.md#dream#dream#000000", "DREAMS.md#dream#dream#000001",
        ]  # fmt: skip
        told("promote_dream_entries", {"userId": name, "sourceDoc": "DREAMS.md#dream"})
        assert [one["id"] for one in listed(told, f"dream:{name}")] == ["DREAMS.md#dream#000000"]

    @pytest.mark.parametrize(
        "change",
        [
            {"text": "fifteen bytes!!"}, {"score": 0.59}, {"recallCount": 1}, {"uniqueQueries": 1},
            {"text": "      fifteen bytes!!      "},
        ],
    )  # fmt: skip
    def test_an_entry_below_any_of_the_bounds_is_rejected(self, told: Ask, name: str, change: dict[str, Any]) -> None:
        params = {"userId": name, "sourceDoc": "D.md", "entries": [{**GOOD, **change}]}
        assert told("promote_dream_entries", params) == {"promoted": 0, "rejected": 1}

    def test_bounds_count_bytes_and_are_themselves_enough(self, told: Ask, name: str) -> None:
        entry = {"text": "ü" * 8, "score": 0.6, "recallCount": 2, "uniqueQueries": 2}
        params = {"userId": name, "sourceDoc": "D.md", "entries": [entry]}
        assert told("promote_dream_entries", params) == {"promoted": 1, "rejected": 0}

    def test_a_question_about_dreams_is_answered_from_them(self, told: Ask, name: str) -> None:
        told("promote_dream_entries", {"userId": name, "sourceDoc": "D.md", "entries": [GOOD]})
        told("promote_dream_entries", {"userId": f"{name}x", "sourceDoc": "D.md", "entries": [GOOD]})

        def places(question: str) -> set[str]:
            hits = told("search", {"userId": name, "question": question})["hits"]
            return {hit["record"]["collection"] for hit in hits} - {"authored:variant"}

        assert places("What did I dream about the owl?") == {f"dream:{name}"}
        assert places("What about the owl?") == set()
        prompt = {"userId": name, "sessionId": name, "prompt": "What did I dream about the owl?", "tokenBudget": 2_000}
        assert "carried a letter" in json.dumps(told("assemble", prompt))


class TestPrefixedNamespaces:
    @pytest.fixture
    def kept(self, told: Ask, name: str) -> str:
        for owner in (name, f"{name}b"):
            told("insert_text", {"collection": f"user:{owner}", "id": "x", "text": f"of {owner}"})
        turn = {"role": "user", "content": "I keep bees on the roof of the old mill.", "id": "x"}
        told("ingest", {"userId": f"user:{name}", "sessionId": name, "message": turn})  # somebody is called so
        return name

    @pytest.mark.parametrize("how", ["namespace", "prefixed"])
    def test_an_export_means_the_same_with_the_prefix(self, told: Ask, kept: str, how: str) -> None:
        asked = kept if how == "namespace" else f"user:{kept}"
        exported = told("export_memory", {"namespace": asked})["records"]
        assert [(one["collection"], one["text"]) for one in exported] == [(f"user:{kept}", f"of {kept}")]
        assert set(exported[0]) == {"collection", "id", "text", "metadata"}

    def test_a_deletion_means_the_same_with_the_prefix(self, told: Ask, kept: str) -> None:
        assert told("flush_namespace", {"namespace": f"user:{kept}"}) == {"ok": True}
        assert listed(told, f"user:{kept}") == []
        assert len(listed(told, f"user:{kept}b")) == len(listed(told, f"session_raw:{kept}")) == 1

    def test_a_user_whose_own_name_begins_so_is_reached_by_it(self, told: Ask, kept: str) -> None:
        exported = told("export_memory", {"userId": f"user:{kept}"})["records"]
        assert [one["text"] for one in exported] == ["I keep bees on the roof of the old mill."]
        told("flush_namespace", {"userId": f"user:{kept}"})
        assert (len(listed(told, f"user:{kept}")), listed(told, f"session_raw:{kept}")) == (1, [])

    def test_a_prefix_alone_names_nobody(self, line: SocketWire) -> None:
        for method in ("flush_namespace",):
            reply = ask(line, method, {"namespace": "user: "})
            assert reply["error"]["message"] == "namespace or userId is required"


class TestEveryCollectionOfTheContract:
    @pytest.mark.parametrize(
        "pattern",
        [
            "session:{}", "session_raw:{}", "session_summary:{}", "session_edge:{}", "session_state:{}",
            "session_recall:{}", "turns:{}", "user:{}", "elevated:user:{}", "elevated:session:{}", "dream:{}",
            "anything at all {} \N{SNOWMAN}",
        ],
    )  # fmt: skip
    def test_a_client_may_write_list_search_and_delete_in_it(self, told: Ask, name: str, pattern: str) -> None:
        collection = pattern.format(name)
        assert told("ensure_collections", {"collections": [collection, collection]}) == {"ok": True}
        told("insert_text", {"collection": collection, "id": "a", "text": "green tea", "metadata": {"k": "v"}})
        assert [one["id"] for one in listed(told, collection)] == ["a"]
        by_meta = told("list_by_meta", {"collection": collection, "key": "k", "value": "v"})["results"]
        found = told("search_text", {"collection": collection, "text": "tea", "k": 1})["results"]
        assert [one["id"] for one in (*by_meta, *found)] == ["a", "a"]
        update = {"updates": [{"collection": collection, "ids": ["a", "a", "b"]}]}
        assert told("bump_access_counts", update) == {"ok": True, "unknown": 1}
        assert listed(told, collection)[0]["metadata"]["access_count"] == 1
        assert told("delete", {"collection": collection, "id": "a"}) == {"ok": True}
        assert listed(told, collection) == []


class TestErasure:
    def test_a_user_is_erased_with_a_certificate_that_the_daemon_vouches_for(self, told: Ask, name: str) -> None:
        _talk(told, name, turns=3)
        told("insert_text", {"collection": f"user:{name}", "id": "x", "text": "the zanzibar ferry sank at noon"})
        done = told("erase_namespace", {"namespace": name})
        counts = {each["kind"]: each["count"] for each in done["certificate"]["erased"]}
        assert (counts["turns"], counts["memories"]) == (3, 1)
        assert listed(told, f"session_raw:{name}") == listed(told, f"user:{name}") == []
        assert "zanzibar" not in done["text"]
        review = told("verify_erasure", {"certificate": done["text"]})
        assert (review["isValid"], review["writtenSince"]) == (True, 0)
        altered = told("verify_erasure", {"certificate": done["text"].replace('"turns": 3', '"turns": 2')})
        assert [check["name"] for check in altered["checks"] if not check["isPassed"]] == ["signature"]

    def test_whoever_names_nobody_erases_nothing(self, line: SocketWire) -> None:
        for params in ({}, {"namespace": ""}, {"namespace": "  "}):
            assert "namespace" in ask(line, "erase_namespace", params)["error"]["message"]
