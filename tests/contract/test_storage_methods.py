"""The storage methods over every transport: results, orders, defaults, messages and metadata of the wire contract."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest
from tests.served import NOON, Call, Served


def ids(result: dict[str, Any]) -> list[str]:
    return [record["id"] for record in result["results"]]


def test_health_is_ok_and_a_reduced_mode_is_ok_with_its_reason(call: Call, served: Served) -> None:
    assert call("health") == {"ok": True, "message": "ok"}
    served.store.vectors.open(fingerprint="another", dimensions=3, description={})
    served.store.vectors.activate("another")
    health = call("health")
    assert health["ok"] is True
    assert "search uses words only" in health["message"]
    assert call("status")["mode"] == "lexical-only"


def test_status_counts_turns_memories_and_hints(call: Call) -> None:
    for collection, id in (("turns:a", "1"), ("turns:b", "1"), ("user:a", "1"), ("session:x", "1")):
        call("insert_text", {"collection": collection, "id": id, "text": "x"})
    call("session_lifecycle_hint", {"hook": "session_end", "sessionId": "s"})
    status = call("status")
    assert (status["turnCount"], status["memoryCount"], status["lifecycleHintCount"]) == (2, 1, 1)
    assert (status["ok"], status["gatingThreshold"], status["abstractiveReady"]) == (True, 0.34, False)
    assert status["mode"] == "full"
    assert isinstance(status["embeddingProfile"], str)
    assert status["calls"]["insert_text"]["calls"] == 4


def test_collections_are_ensured_idempotently_with_any_name(call: Call) -> None:
    assert call("ensure_collections", {"collections": ["a", "", "a", "ü:中"]}) == {"ok": True}
    assert call("ensure_collections", {"collections": []}) == {"ok": True}
    assert call("ensure_collections") == {"ok": True}
    names = [info["name"] for info in call("list_collections")["collections"]]
    assert names == ["", "a", "ü:中"]


class TestInsertText:
    def test_an_empty_id_is_refused(self, refused: Call) -> None:
        assert refused("insert_text", {"collection": "c", "text": "x"}) == "record id is required"
        assert refused("insert_text") == "record id is required"

    def test_an_identical_repeat_changes_nothing(self, call: Call) -> None:
        params = {"collection": "c", "id": "x", "text": "tea", "metadata": {"b": 1, "a": [True, None]}}
        assert call("insert_text", params) == {"ok": True}
        first = call("list_collection", {"collection": "c"})
        assert call("insert_text", params | {"metadata": {"a": [True, None], "b": 1}}) == {"ok": True}
        assert call("list_collection", {"collection": "c"}) == first
        assert first["results"][0]["version"] == 1

    def test_other_metadata_replaces_the_old_and_counts_a_version(self, call: Call) -> None:
        call("insert_text", {"collection": "c", "id": "x", "text": "tea", "metadata": {"a": 1}})
        call("insert_text", {"collection": "c", "id": "x", "text": "tea", "metadata": {"b": 2}})
        (record,) = call("list_collection", {"collection": "c"})["results"]
        assert record["metadata"] == {"b": 2, "text": "tea", "access_count": 0}
        assert record["version"] == 2

    def test_another_text_under_the_same_id_is_kept_under_a_derived_id(self, call: Call) -> None:
        call("insert_text", {"collection": "c", "id": "x", "text": "first"})
        made = call("insert_text", {"collection": "c", "id": "x", "text": "second"})
        assert made["ok"] is True
        assert made["id"].startswith("x~")
        assert call("insert_text", {"collection": "c", "id": "x", "text": "second"}) == made
        texts = {record["text"] for record in call("list_collection", {"collection": "c"})["results"]}
        assert texts == {"first", "second"}

    def test_metadata_keeps_every_json_type(self, call: Call) -> None:
        metadata = {
            "big": 2**40, "huge": 2**90, "negative": -(2**33), "float": 1.5, "yes": True, "none": None,
            "list": [1, "x", {"y": []}], "text_": "ü 中 \u0001", "": "empty key",
        }  # fmt: skip
        call("insert_text", {"collection": "c", "id": "x", "text": "t", "metadata": metadata})
        (record,) = call("list_collection", {"collection": "c"})["results"]
        assert record["metadata"] == metadata | {"text": "t", "access_count": 0}

    def test_an_empty_text_is_kept_without_text_in_its_metadata(self, call: Call) -> None:
        call("insert_text", {"collection": "c", "id": "x", "text": ""})
        (record,) = call("list_collection", {"collection": "c"})["results"]
        assert (record["text"], record["metadata"]) == ("", {"access_count": 0})

    def test_torn_emoji_are_mended_and_not_lost(self, call: Call) -> None:
        call(
            "insert_text", {"collection": "c", "id": "x", "text": "a \ud83d\ude00 \ud83d", "metadata": {"k": "\udc00"}}
        )
        (record,) = call("list_collection", {"collection": "c"})["results"]
        assert record["text"] == "a 😀 �"
        assert record["metadata"]["k"] == "�"

    def test_nul_which_not_every_database_can_hold_is_replaced_in_texts_and_metadata(self, call: Call) -> None:
        metadata = {"k": "a\0b", "\0": {"list": ["\0"]}}
        call("insert_text", {"collection": "c", "id": "x", "text": "a\0b", "metadata": metadata})
        (record,) = call("list_collection", {"collection": "c"})["results"]
        assert record["text"] == "a�b"
        assert (record["metadata"]["k"], record["metadata"]["�"]) == ("a�b", {"list": ["�"]})


class TestInsertSessionTurn:
    def test_a_turn_stands_in_the_active_view_the_raw_history_and_the_state(self, call: Call) -> None:
        turn = {"sessionId": "s", "id": "t1", "text": "hello", "metadata": {"role": "user", "ts": 1700000000123.0}}
        assert call("insert_session_turn", turn) == {"ok": True}
        (active,) = call("list_collection", {"collection": "session:s"})["results"]
        (raw,) = call("list_collection", {"collection": "session_raw:s"})["results"]
        assert active["metadata"] == {"role": "user", "ts": 1700000000123.0, "text": "hello", "access_count": 0}
        assert raw["metadata"] == active["metadata"] | {"raw_history": True, "active_view": False}
        (state,) = call("list_collection", {"collection": "session_state:s"})["results"]
        assert state["id"] == "__session_state__"
        assert state["metadata"]["type"] == "session_state"
        assert state["metadata"]["compaction_generation"] == 0

    def test_repeats_and_conflicts_behave_as_for_any_text(self, call: Call) -> None:
        turn = {"sessionId": "s", "id": "t1", "text": "hello"}
        call("insert_session_turn", turn)
        assert call("insert_session_turn", turn) == {"ok": True}
        made = call("insert_session_turn", turn | {"text": "other"})
        assert made["id"].startswith("t1~")
        assert ids(call("list_collection", {"collection": "session_raw:s"})) == ["t1", made["id"]]
        assert ids(call("list_collection", {"collection": "session:s"})) == ["t1", made["id"]]

    def test_session_and_id_are_required(self, refused: Call) -> None:
        assert refused("insert_session_turn", {"id": "x", "text": "y"}) == "session ID is required"
        assert refused("insert_session_turn", {"sessionId": "s", "text": "y"}) == "record id is required"


@pytest.fixture
def filled(call: Call) -> Call:
    """Two collections of boats and kites."""
    for collection in ("c", "d"):
        for number in range(6):
            text = f"{'boat' if number % 2 else 'kite'} number {number} {collection}"
            params = {"collection": collection, "id": f"r{number}", "text": text, "metadata": {"n": number}}
            call("insert_text", params)
    return call


class TestSearch:
    def test_scores_fall_and_the_collection_stands_in_the_metadata(self, filled: Call) -> None:
        results = filled("search_text", {"collection": "c", "text": "boat", "k": 4})["results"]
        scores = [record["score"] for record in results]
        assert len(results) == 4
        assert scores == sorted(scores, reverse=True)
        assert all(-1 <= score <= 1 for score in scores)
        assert {record["text"].split()[0] for record in results[:3]} == {"boat"}
        assert all(record["metadata"]["collection"] == "c" for record in results)
        assert all(record["metadata"]["text"] == record["text"] for record in results)

    def test_no_k_gives_all_and_an_unknown_collection_none(self, filled: Call) -> None:
        for k in (None, 0, -3):
            assert len(filled("search_text", {"collection": "c", "text": "boat", "k": k})["results"]) == 6
        assert filled("search_text", {"collection": "nowhere", "text": "boat", "k": 5}) == {"results": []}

    def test_excluded_ids_do_not_shrink_the_page(self, filled: Call) -> None:
        params = {"collection": "c", "text": "boat", "k": 4, "excludeIds": ["r1", "r3", "unknown"]}
        found = ids(filled("search_text", params))
        assert len(found) == 4
        assert not {"r1", "r3"} & set(found)

    def test_several_collections_are_merged_by_score_collection_id_and_cut(self, filled: Call) -> None:
        params = {"collections": ["d", "c", "nowhere"], "text": "number", "k": 5}
        results = filled("search_text_collections", params)["results"]
        assert len(results) == 5
        keys = [(-record["score"], record["metadata"]["collection"], record["id"]) for record in results]
        assert keys == sorted(keys)
        for empty in (
            {"collections": ["c"], "text": "x"},
            {"collections": ["c"], "text": "x", "k": 0},
            {"text": "x", "k": 5},
        ):
            assert filled("search_text_collections", empty) == {"results": []}

    def test_an_empty_text_ties_everything_at_zero(self, filled: Call) -> None:
        found = filled("search_text", {"collection": "c", "text": " ", "k": 2, "excludeIds": ["r0"]})["results"]
        assert [(record["id"], record["score"]) for record in found] == [("r1", 0), ("r2", 0)]
        assert len(filled("search_text", {"collection": "c"})["results"]) == 6

    def test_exclusions_per_collection(self, filled: Call) -> None:
        params = {
            "collections": ["c", "d"], "text": "boat", "k": 12, "excludeByCollection": {"c": ["r1"], "d": ["r2"]},
        }  # fmt: skip
        found = {
            (record["metadata"]["collection"], record["id"])
            for record in filled("search_text_collections", params)["results"]
        }
        assert len(found) == 10
        assert not {("c", "r1"), ("d", "r2")} & found

    def test_the_raw_history_of_a_session_is_searched(self, call: Call, refused: Call) -> None:
        for number in range(3):
            call("insert_session_turn", {"sessionId": "s", "id": f"t{number}", "text": f"boat {number}"})
        params = {"sessionId": "s", "text": "boat 1", "k": 2, "excludeIds": ["t0"]}
        found = call("query_raw_session", params)
        assert ids(found)[0] == "t1"
        assert len(found["results"]) == 2
        assert found["results"][0]["metadata"]["raw_history"] is True
        assert refused("query_raw_session", {"text": "x"}) == "sessionId is required"

    def test_without_an_embedder_words_decide_and_the_result_says_so(self, filled: Call, served: Served) -> None:
        served.embedder.is_broken = True
        found = filled("search_text", {"collection": "c", "text": "kite", "k": 9})
        assert found["mode"] == "lexical-only"
        assert "away" in found["degraded"]
        assert set(ids(found)) == {"r0", "r2", "r4"}
        assert all(0 <= record["score"] <= 1 for record in found["results"])


class TestListing:
    def test_records_come_by_id_in_byte_order_with_score_zero_and_no_collection(self, call: Call) -> None:
        for id in ("b", "a", "ü", "Z", "aa", "𝄞", "｡"):
            call("insert_text", {"collection": "c", "id": id, "text": id})
        results = call("list_collection", {"collection": "c"})["results"]
        assert [record["id"] for record in results] == sorted(("b", "a", "ü", "Z", "aa", "𝄞", "｡"), key=str.encode)
        assert all(record["score"] == 0 and "collection" not in record["metadata"] for record in results)
        assert call("list_collection", {"collection": "nowhere"}) == {"results": []}

    def test_metadata_equality_is_exact(self, call: Call) -> None:
        for id, value in (("a", "1"), ("b", 1), ("c", True), ("d", None), ("e", "2")):
            call("insert_text", {"collection": "c", "id": id, "text": id, "metadata": {"k": value}})
        assert ids(call("list_by_meta", {"collection": "c", "key": "k", "value": "1"})) == ["a"]
        assert ids(call("list_by_meta", {"collection": "c", "key": "k", "value": 1})) == ["b"]
        assert ids(call("list_by_meta", {"collection": "c", "key": "k", "value": True})) == ["c"]

    def test_authored_records_come_by_document_position_ordinal_id(self, call: Call) -> None:
        rows = [
            ("z", "b.md", 5, 1),
            ("y", "a.md", 9, 0),
            ("x", "a.md", 10, 0),
            ("w", "a.md", 9, 0),
            ("v", "a.md", 9, -1),
        ]
        for id, doc, position, ordinal in rows:
            metadata = {"source_doc": doc, "position": position, "ordinal": ordinal}
            call("insert_text", {"collection": "authored:hard", "id": id, "text": id, "metadata": metadata})
        assert ids(call("list_collection", {"collection": "authored:hard"})) == ["v", "w", "y", "x", "z"]


class TestCountingAndDeleting:
    def test_access_is_counted_once_per_distinct_id_and_unknown_ones_are_counted_too(self, filled: Call) -> None:
        updates = [{"collection": "c", "ids": ["r1", "r1", "r2", "zz"]}, {"collection": "nowhere", "ids": ["r1"]}]
        assert filled("bump_access_counts", {"updates": updates}) == {"ok": True, "unknown": 2}
        counts = {
            r["id"]: r["metadata"]["access_count"] for r in filled("list_collection", {"collection": "c"})["results"]
        }
        assert counts == {"r0": 0, "r1": 1, "r2": 1, "r3": 0, "r4": 0, "r5": 0}

    def test_deleting_is_no_error_for_unknown_ids(self, filled: Call) -> None:
        assert filled("delete", {"collection": "c", "id": "r1"}) == {"ok": True}
        assert filled("delete", {"collection": "c", "id": "r1"}) == {"ok": True}
        assert filled("delete_batch", {"collection": "c", "ids": ["r2", "zz", "r2"]}) == {"ok": True}
        assert filled("delete_batch", {"collection": "nowhere", "ids": ["r2"]}) == {"ok": True}
        assert ids(filled("list_collection", {"collection": "c"})) == ["r0", "r3", "r4", "r5"]
        assert ids(filled("search_text", {"collection": "c", "text": "boat 1", "k": 9})) != []


class TestNamespaces:
    @pytest.fixture
    def two(self, call: Call) -> Call:
        for name in (
            "user:a",
            "user:ab",
            "user:a:notes",
            "turns:a",
            "turns:ab",
            "elevated:user:a",
            "dream:a",
            "session:a",
        ):
            call("insert_text", {"collection": name, "id": "x", "text": f"of {name}", "metadata": {"m": 1}})
        return call

    def test_export_gives_exactly_the_namespace(self, two: Call) -> None:
        exported = two("export_memory", {"userId": "a"})["records"]
        assert exported == [{
            "collection": "user:a", "id": "x", "text": "of user:a",
            "metadata": {"m": 1, "text": "of user:a", "access_count": 0},
        }]  # fmt: skip
        assert two("export_memory", {"namespace": "user:a"})["records"] == exported
        assert [r["collection"] for r in two("export_memory", {"namespace": "ab"})["records"]] == ["user:ab"]
        assert len(two("export_memory")["records"]) == 8

    def test_flushing_deletes_exactly_that_namespace_and_it_can_be_written_again(
        self, two: Call, refused: Call
    ) -> None:
        assert refused("flush_namespace") == "namespace or userId is required"
        assert two("flush_namespace", {"userId": "a"}) == {"ok": True}
        left = [info["name"] for info in two("list_collections")["collections"]]
        assert left == ["session:a", "turns:ab", "user:a:notes", "user:ab"]
        two("insert_text", {"collection": "user:a", "id": "x", "text": "again"})
        assert two("search_text", {"collection": "user:a", "text": "again", "k": 1})["results"][0]["text"] == "again"
        assert two("flush_namespace", {"namespace": "user:a"}) == {"ok": True}
        assert [info["name"] for info in two("list_collections")["collections"]] == left

    def test_flush_is_always_done_already(self, call: Call) -> None:
        assert call("flush") == {"ok": True}


HINT: dict[str, object] = {
    "hook": "before_reset", "reason": "reset", "sessionFile": "f", "sessionId": "s", "sessionKey": "k",
    "agentId": "a", "workspaceDir": "w", "messageCount": 12.0, "durationMs": 2**40 + 0.5,
    "transcriptArchived": True, "nextSessionId": "n", "nextSessionKey": "nk", "unknownField": 1,
}  # fmt: skip


class TestJournal:
    def test_a_hint_becomes_one_record_with_its_fields(self, call: Call) -> None:
        assert call("session_lifecycle_hint", HINT) == {
            "ok": True, "hook": "before_reset", "sessionId": "s", "reason": "reset",
        }  # fmt: skip
        (record,) = call("list_lifecycle_journal")["results"]
        metadata = record["metadata"]
        assert metadata["type"] == "session_lifecycle_hint"
        assert metadata["internal"] is True
        assert (metadata["source"], metadata["ingest_kind"]) == ("openclaw-hook", "lifecycle_journal")
        assert (metadata["ts"], metadata["messageCount"], metadata["durationMs"]) == (NOON, 12, 2**40)
        assert "unknownField" not in metadata
        assert call("list_collection", {"collection": "_internal:lifecycle_journal"})["results"] == [record]

    def test_the_newest_stand_last_the_cap_drops_the_oldest_and_limit_keeps_the_newest(self, call: Call) -> None:
        for number in range(8):
            call("session_lifecycle_hint", {"hook": str(number), "sessionId": "s" if number % 2 else "t"})
        hooks = [r["metadata"]["hook"] for r in call("list_lifecycle_journal")["results"]]
        assert hooks == ["3", "4", "5", "6", "7"]
        newest = call("list_lifecycle_journal", {"sessionId": "s", "limit": 2})["results"]
        assert [record["metadata"]["hook"] for record in newest] == ["5", "7"]


class TestDocuments:
    def test_a_core_document_becomes_nodes_in_the_collections_of_their_tiers(self, call: Call) -> None:
        text = "---\nhop_targets: [a.md]\n---\n- be kind\n  - to all\n\n> We stay calm.\n\nLore of ours."
        params = {"sourceDoc": "AGENTS.md", "text": text, "coreDoc": True}
        params["sourceMeta"] = {"sourceRoot": "/r", "sourceMtimeMs": 1700000000000.25, "sourceSize": 9}
        assert call("ingest_markdown_document", params) == {"ok": True, "nodes": 5, "outcome": "added"}
        hard = call("list_collection", {"collection": "authored:hard"})["results"]
        assert [node["id"] for node in hard] == ["AGENTS.md#000000", "AGENTS.md#000001", "AGENTS.md#000002"]
        assert [node["text"] for node in hard][1:] == ["- be kind", "- to all"]
        metadata = hard[2]["metadata"]
        expected = {
            "source_doc": "AGENTS.md", "node_kind": "List", "ordinal": 2, "position": 40, "tier": 1,
            "authority": 1.0, "token_estimate": 2, "promoted": False, "modality_mask": 0, "authored": True,
            "is_core_doc": True, "tokenizer_id": "markdown-ingest:v1", "hop_targets": ["a.md"], "source_root": "/r",
            "source_size": 9, "source_mtime_ms": 1700000000000, "source_path": "", "source_kind": "", "file_hash": "",
            "ingest_version": 0, "hash_backend": "", "text": "- to all", "access_count": 0,
        }  # fmt: skip
        assert {key: metadata[key] for key in expected} == expected
        assert metadata["cache_key"] == sha256(text.encode() + b"\0markdown-ingest:v1").hexdigest()
        (soft,) = call("list_collection", {"collection": "authored:soft"})["results"]
        assert (soft["text"], soft["metadata"]["tier"]) == ("> We stay calm.", 2)
        (lore,) = call("list_collection", {"collection": "authored:variant"})["results"]
        assert (lore["text"], lore["metadata"]["tier"], lore["metadata"]["authority"]) == ("Lore of ours.", 0, 1.0)

    def test_what_is_no_core_document_is_lore_whatever_its_name(self, call: Call) -> None:
        call("ingest_markdown_document", {"sourceDoc": "AGENTS.md", "text": "- be kind\n\n> calm"})
        assert call("list_collection", {"collection": "authored:hard"}) == {"results": []}
        lore = call("list_collection", {"collection": "authored:variant"})["results"]
        assert [node["metadata"]["authority"] for node in lore] == [0.0, 0.0]

    def test_nodes_are_listed_by_document_and_position(self, call: Call) -> None:
        for name in ("b.md", "a.md"):
            text = "".join(f"- item {number}\n" for number in range(12))
            call("ingest_markdown_document", {"sourceDoc": name, "text": text, "coreDoc": True})
        listed = call("list_collection", {"collection": "authored:hard"})["results"]
        assert [node["id"] for node in listed] == [f"{name}#{i:06}" for name in ("a.md", "b.md") for i in range(12)]

    def test_a_changed_document_replaces_all_of_its_nodes_and_no_others(self, call: Call) -> None:
        call("ingest_markdown_document", {"sourceDoc": "notes", "text": "- other", "coreDoc": True})
        params = {"sourceDoc": "AGENTS.md", "text": "- be kind\n- be brief\n\n> calm", "coreDoc": True}
        call("ingest_markdown_document", params)
        again = call("ingest_markdown_document", params)
        assert (again["nodes"], again["outcome"]) == (3, "unchanged")
        changed = call("ingest_markdown_document", params | {"text": "> be wise"})
        assert (changed["nodes"], changed["outcome"]) == (1, "changed")
        everything = [
            node["text"]
            for tier in ("hard", "soft", "variant")
            for node in call("list_collection", {"collection": f"authored:{tier}"})["results"]
        ]
        assert everything == ["- other", "> be wise"]

    def test_a_deleted_document_is_gone_and_an_unknown_one_is_fine(self, call: Call) -> None:
        call("ingest_markdown_document", {"sourceDoc": "AGENTS.md", "text": "- a\n\n> b\n\nc", "coreDoc": True})
        assert call("delete_authored_document", {"sourceDoc": "AGENTS.md"}) == {"ok": True}
        assert call("delete_authored_document", {"sourceDoc": "AGENTS.md"}) == {"ok": True}
        for tier in ("hard", "soft", "variant"):
            assert call("list_collection", {"collection": f"authored:{tier}"}) == {"results": []}

    def test_a_document_that_is_too_hard_is_refused_and_the_former_stays(self, call: Call, refused: Call) -> None:
        params = {"sourceDoc": "AGENTS.md", "text": "- be kind", "coreDoc": True}
        call("ingest_markdown_document", params)
        message = refused("ingest_markdown_document", params | {"text": "- be very kind to all\n" * 2_000})
        assert message.startswith("AGENTS.md: its hard rules take 12,000 tokens, at most 9,600 are allowed;")
        assert ids(call("list_collection", {"collection": "authored:hard"})) == ["AGENTS.md#000000"]

    def test_the_record_of_a_document_is_found_by_no_search(self, call: Call) -> None:
        call("ingest_markdown_document", {"sourceDoc": "AGENTS.md", "text": "- be kind", "coreDoc": True})
        internal = "_internal:authored_documents"
        params = {"collections": [internal, "authored:hard"], "text": "AGENTS.md be kind", "k": 5}
        assert ids(call("search_text_collections", params)) == ["AGENTS.md#000000"]

    def test_rules_are_linted_as_given_or_as_stored(self, call: Call, refused: Call) -> None:
        text = "- be kind to all\n- be kind to all"
        call("ingest_markdown_document", {"sourceDoc": "AGENTS.md", "text": text, "coreDoc": True})
        (remark,) = call("lint_authored")["remarks"]
        assert (remark["kind"], remark["severity"], remark["message"]) == ("duplicate", "warning", "said 2 times")
        assert remark["places"] == [
            {"sourceDoc": "AGENTS.md", "line": 1, "text": "be kind to all"},
            {"sourceDoc": "AGENTS.md", "line": 2, "text": "be kind to all"},
        ]
        assert call("lint_authored", {"documents": [{"sourceDoc": "a.md", "text": "- be kind"}]}) == {"remarks": []}
        assert refused("lint_authored", {"files": []}).startswith("files: is not a known field.")

    def test_the_document_must_be_named(self, refused: Call) -> None:
        for method in ("ingest_markdown_document", "delete_authored_document"):
            assert refused(method, {"text": "x"}) == "sourceDoc is required"

    def test_dream_entries_that_deserve_it_replace_those_of_their_source(self, call: Call, refused: Call) -> None:
        good = {"text": "  a text of sixteen bytes  ", "score": 0.6, "recallCount": 2, "uniqueQueries": 2.0, "line": 3}
        entries = [
            good, good | {"text": "too short"}, good | {"score": 0.59}, good | {"recallCount": 1},
            good | {"uniqueQueries": 1}, good | {"text": "another text of enough", "metadata": {"mood": "calm"}},
        ]  # fmt: skip
        params = {"userId": "u", "sourceDoc": "DREAMS.md", "sourceSize": 10.0, "entries": entries}
        assert call("promote_dream_entries", params) == {"promoted": 2, "rejected": 4}
        other = {"userId": "u", "sourceDoc": "OTHER.md", "entries": [good]}
        assert call("promote_dream_entries", other) == {"promoted": 1, "rejected": 0}
        assert call("promote_dream_entries", params | {"entries": [good]}) == {"promoted": 1, "rejected": 0}
        kept = call("list_collection", {"collection": "dream:u"})["results"]
        assert sorted(record["metadata"]["source_doc"] for record in kept) == ["DREAMS.md", "OTHER.md"]
        assert {record["text"] for record in kept} == {"a text of sixteen bytes"}
        assert refused("promote_dream_entries", {"sourceDoc": "x"}) == "userId is required"
        assert refused("promote_dream_entries", {"userId": "u"}) == "sourceDoc is required"


class TestTheGate:
    def test_the_scalar_comes_with_its_whole_decomposition(self, call: Call) -> None:
        empty = call("gating_scalar", {"userId": "u", "text": "the boat is green"})
        assert (empty["h"], empty["r"]) == (1.0, 0.0)
        assert empty["g"] == pytest.approx((1 - empty["t"]) * empty["gconv"] + empty["t"] * empty["gtech"])
        assert set(empty) >= {"d", "p", "a", "dtech", "inputFreq", "memSaturation", "verdict", "veto", "reasons"}
        for number in range(3):
            call("insert_text", {"collection": "turns:u", "id": str(number), "text": "the boat is green"})
        repeated = call("gating_scalar", {"userId": "u", "text": "the boat is green"})
        assert repeated["inputFreq"] == pytest.approx(0.6)
        for number in range(3):
            call("insert_text", {"collection": "user:u", "id": str(number), "text": "the boat is green"})
        known = call("gating_scalar", {"userId": "u", "text": "the boat is green"})
        assert known["memSaturation"] == 1.0
        assert known["r"] == 0.0
        assert known["h"] == pytest.approx(0.0, abs=1e-3)

    def test_technical_text_is_weighed_by_the_other_branch(self, call: Call) -> None:
        text = "```\nmake test\n```\nFixed src/store/commits.py, see https://ci.example/1 and 3f2a9c1d"
        told = call("gating_scalar", {"userId": "u", "text": text})
        assert told["t"] == 1.0
        assert told["g"] == pytest.approx(told["gtech"])
        assert told["p"] > 0 < told["a"]

    def test_a_text_without_substance_is_vetoed_by_name(self, call: Call) -> None:
        told = call("gating_scalar", {"userId": "u", "text": "thanks a lot!"})
        assert told["veto"] == "no substance"
        assert told["verdict"].startswith("not kept: no substance")
        assert call("gating_scalar", {"userId": "u", "text": ""})["veto"]


class TestCompaction:
    def test_older_turns_leave_the_active_view_and_can_be_reached(self, call: Call, refused: Call) -> None:
        assert refused("compact_session") == "session ID is required"
        for n in range(24):
            text = f"step {n} of the plan for the harbour costs {n * 7} euros and the work is done in src/part{n}.py"
            metadata = {"ts": n, "role": "user"}
            call("insert_session_turn", {"sessionId": "s", "id": f"t{n:02}", "text": text, "metadata": metadata})
        done = call("compact_session", {"sessionId": "s", "targetSize": 10, "continuityMinTurns": 4})
        assert done["didCompact"] is True
        assert done["clustersFormed"] >= 1
        assert done["summaryMethod"] == "extractive"
        view = call("list_collection", {"collection": "session:s"})["results"]
        summaries = [record for record in view if record["metadata"].get("type") == "summary"]
        assert len(view) == 24 - done["turnsRemoved"] + len(summaries)
        assert len(call("list_collection", {"collection": "session_raw:s"})["results"]) == 24
        found = call("expand_summary", {"sessionId": "s", "summaryId": summaries[0]["id"]})["results"]
        assert [record["id"] for record in found] == summaries[0]["metadata"]["source_ids"]
        edges = call("list_collection", {"collection": "session_edge:s"})["results"]
        assert {edge["metadata"]["type"] for edge in edges} == {"coverage_edge"}
        state = call("list_collection", {"collection": "session_state:s"})["results"][0]["metadata"]
        assert state["compaction_generation"] == done["clustersFormed"]
        assert state["last_summary_id"] in {record["id"] for record in summaries}
        again = {"sessionId": "s", "id": "t00", "text": found[0]["text"], "metadata": {"ts": 0, "role": "user"}}
        call("insert_session_turn", again)  # what was folded does not come back by being said again
        assert call("list_collection", {"collection": "session:s"})["results"] == view
        other = call("insert_session_turn", {**again, "text": "something else under the same id"})
        assert len(call("list_collection", {"collection": "session:s"})["results"]) == len(view) + 1
        assert other["id"].startswith("t00~")

    def test_sizes_that_make_no_sense_are_taken_for_the_nearest_that_do(self, call: Call) -> None:
        for n in range(8):
            text = f"step {n} of the plan for the harbour costs {n * 7} euros and the work is done in src/part{n}.py"
            call("insert_session_turn", {"sessionId": "s", "id": f"t{n}", "text": text, "metadata": {"ts": n}})
        done = call("compact_session", {"sessionId": "s", "targetSize": 1, "continuityMinTurns": -3})
        assert (done["didCompact"], done["clustersFormed"]) == (True, 4)
        again = call("compact_session", {"sessionId": "s", "targetSize": -4, "continuityTailBudgetTokens": -1})
        assert again["didCompact"] is False
        view = call("list_collection", {"collection": "session:s"})["results"]
        found = call("expand_summary", {"sessionId": "s", "summaryId": view[0]["id"], "maxDepth": -1})["results"]
        assert len(found) == 2

    def test_what_is_too_little_is_left_alone(self, call: Call) -> None:
        call("insert_session_turn", {"sessionId": "s", "id": "a", "text": "only this"})
        done = call("compact_session", {"sessionId": "s", "force": True})
        assert (done["didCompact"], done["turnsRemoved"], done["clustersFormed"]) == (False, 0, 0)
        assert call("compact_session", {"sessionId": "never seen"})["didCompact"] is False
