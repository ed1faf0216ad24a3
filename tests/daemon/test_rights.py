"""A token reaches its own namespaces and nothing else, whatever it asks, by whatever id or name."""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.puts import put
from tests.served import NOON, Served

from libravdb.daemon.dispatch import Connection
from libravdb.daemon.guard import MOST_MADE, Guard
from libravdb.daemon.rights import Rights, checked_rights
from libravdb.daemon.tokens import TokenEntry, TokenRegistry, digest_of
from libravdb.engine.pages import every_record
from libravdb.errors import Forbidden, InvalidInput
from libravdb.model import NOTHING_FORESEEN, Foreseen, Json, Record, SetState
from libravdb.model.collections import (
    AUTHORED,
    DOCUMENTS,
    LIFECYCLE_JOURNAL,
    SHARED,
    CollectionKind,
    agent_notes,
    dream_entries,
    durable_memory,
    namespace_collections,
    prefix,
    raw_turns,
    session_collections,
    session_view,
    turn_history,
)
from libravdb.model.namespaces import unnamed
from libravdb.model.session_state import SessionMetadata
from libravdb.model.turn_metadata import OWNER, owner_of
from libravdb.ports.store import Snapshot, Store
from libravdb.wire import codes
from libravdb.wire.fields import fields_of
from libravdb.wire.methods.access import ACCESS, AccessRole
from libravdb.wire.methods.table import METHODS

SECRET = "lvdb_made-up"  # noqa: S105 - made up
USERS = ("alice", "bob", "alice:bob", "carol")
SHARED_SESSION, NAMELESS, CUSTOM = "main", "nobody's", "notebook"
FORBIDDEN = codes.code_of(Forbidden(""))


def mark(owner: str) -> str:
    """A word that stands in all that is somebody's, and in nothing else."""
    return f"mark{owner.encode().hex()}end"


def said(owner: str, number: int) -> str:
    return f"{mark(owner)} rows the green boat to harbour number {number}, and always pays {number} coins there."


# ── a store with several people ───────────────────────────────────────────────────────────────────────────


class House:
    """A served store in which several people have left something everywhere."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.owner = Connection()
        for user in USERS:
            self._move_in(user)
        self.call("insert_session_turn", sessionId=NAMELESS, id="n1", text=said(unnamed(NAMELESS), 1))
        self.call("insert_text", collection=CUSTOM, id="c1", text=said(CUSTOM, 1))
        self.call("author", sourceDoc="AGENTS.md", text="# Rules\n\n- Always be kind.\n")
        with served.store.read() as snapshot:
            records = [record for info in snapshot.collections().items for record in every_record(snapshot, info.name)]
            self.edges = [edge.parent for edge in snapshot.edges(None)]
        self.collections = sorted({
            *(record.collection for record in records),
            *(name for user in USERS for name in namespace_collections(user)),
            *(name for one in (SHARED_SESSION, NAMELESS, "of bob") for name in session_collections(one)),
            *(prefix(kind) + "of bob" for kind in (CollectionKind.COVERAGE_EDGES, CollectionKind.SESSION_STATE)),
            SHARED, LIFECYCLE_JOURNAL, DOCUMENTS, CUSTOM, *AUTHORED.values(),
        })  # fmt: skip
        self.ids = sorted({record.id for record in records} | {*self.edges})
        self.exported = {user: self._exported(user) for user in USERS}

    def _exported(self, user: str) -> list[str]:
        """The lines of somebody's export."""
        opened = self.call("open_namespace_export", namespace=user)
        page = self.call("read_export", id=opened["id"])
        self.call("close_export", id=opened["id"])
        return base64.b64decode(page["data"]).decode().splitlines()

    def call(self, method: str, **params: object) -> Any:
        reply = self.ask(method, params, self.owner)
        assert "error" not in reply, reply
        return reply["result"]

    def ask(self, method: str, params: object, connection: Connection) -> dict[str, Any]:
        line = self.served.dispatcher.reply(
            json.dumps({"id": 1, "method": method, "params": params}).encode(), connection
        )
        assert line is not None
        reply = json.loads(line)
        assert isinstance(reply, dict)
        return reply

    def token(self, *namespaces: str, role: AccessRole = AccessRole.WRITE) -> Connection:
        """Whoever has shown a token with these rights."""
        rights = Rights(name="somebody", role=role, namespaces=namespaces)
        entry = TokenEntry(digest=digest_of(SECRET), rights=rights, created=NOON)
        self.served.dispatcher._tokens = TokenRegistry(lambda: (entry,))
        return Connection(is_local=False, digest=entry.digest)

    def _move_in(self, user: str) -> None:
        own = f"of {user}"
        messages = [
            {"role": role, "content": said(user, number)} for number in range(8) for role in ("user", "assistant")
        ]
        self.call("ingest_batch", sessionId=own, userId=user, messages=messages)
        self.call("compact", sessionId=own, targetTurns=4, minimumTurns=2, tailTokens=0)
        self.call("ingest", sessionId=SHARED_SESSION, userId=user, message=f"{mark(user)} looks at the green boat.")
        self.call("insert_text", collection=durable_memory(user), id="m1", text=said(user, 100))
        self.call("insert_text", collection=dream_entries(user), id="d1", text=said(user, 101))
        self.call("insert_text", collection=agent_notes(user), id="memory/a.md#000000", text=said(user, 102))
        self.call("assemble", sessionId=own, userId=user, prompt=f"{mark(user)} asks for the boat", tokenBudget=900)
        self.call("session_lifecycle_hint", hook="session_end", reason=mark(user), sessionId=own)
        self.call("update_memory", namespace=user, id="m1", text=said(user, 103))
        self.served.engine.prompts.explain(namespace=user)

    def foreign(self, rights: Rights) -> dict[tuple[str, str], Record]:
        """All that is not within these rights, as it is now; receipts come to the store a moment after their prompt."""
        self.served.engine.prompts._receipts.settle()
        with self.served.store.read() as snapshot:
            return {
                (record.collection, record.id): record
                for info in snapshot.collections().items
                for record in every_record(snapshot, info.name)
                if not rights.allows(whose(record))
            }


def whose(record: Record) -> str:
    """Whose a record is; for what names nobody, its collection."""
    return owner_of(record) or record.collection


@pytest.fixture
def house(served: Served) -> House:
    return House(served)


@pytest.fixture(scope="module")
def quiet_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The same for tests that change nothing in it."""
    served = Served(tmp_path_factory.mktemp("house"))
    yield House(served)
    served.close()


# ── the table ─────────────────────────────────────────────────────────────────────────────────────────────


def test_every_method_tells_what_it_needs() -> None:
    assert ACCESS.keys() == METHODS.keys()


def test_a_method_that_tells_nothing_is_an_admins(quiet_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(ACCESS, "list_documents")
    assert quiet_house.ask("list_documents", {}, quiet_house.token("*"))["error"]["code"] == FORBIDDEN
    assert "result" in quiet_house.ask("list_documents", {}, quiet_house.token("*", role=AccessRole.ADMIN))


CHANGING = {
    "ensure_collections", "insert_text", "insert_session_turn", "bump_access_counts", "delete", "delete_batch",
    "compact_session", "promote_dream_entries", "session_lifecycle_hint", "flush_namespace", "remember", "forget",
    "drop_collections", "bootstrap", "ingest", "ingest_batch", "commit_turn", "compact", "feedback", "restore_memory",
    "remove_guidance",
    "profile_rebuild", "profile_pin", "profile_edit", "profile_forget", "promote_diary", "forget_turns",
    "update_memory", "import_namespace", "supersede_memory",
}  # fmt: skip
FOR_ADMINS = {
    "ingest_markdown_document", "delete_authored_document", "author", "withdraw", "reembed", "export_file",
    "import_file", "backup", "open_export", "import_batch", "save_backup",
    "erase_namespace", "verify_erasure", "move_namespace", "retain", "watch_notes", "unwatch_notes", "list_notes",
    "check_store",
}  # fmt: skip


@pytest.mark.parametrize("method", sorted(METHODS))
def test_roles(quiet_house: House, method: str) -> None:
    needed = AccessRole.ADMIN if method in FOR_ADMINS else AccessRole.WRITE if method in CHANGING else AccessRole.READ
    assert ACCESS[method].role is needed
    for role in AccessRole:
        if not role.covers(needed):
            refused = quiet_house.ask(method, required(method), quiet_house.token("*", role=role))["error"]
            assert refused["code"] in (FORBIDDEN, codes.UNAUTHENTICATED)
            assert needed in refused["message"] or METHODS[method].is_local


def required(method: str) -> dict[str, object]:
    """Something for every field that must be given."""
    given: dict[str, object] = {}
    for name, field in fields_of(METHODS[method].params).items():
        if field.is_required:
            kind = str(field.hint)
            given[name] = () if "tuple" in kind else 1 if "int" in kind else True if "bool" in kind else "durable"
    return given


# ── whatever is asked ─────────────────────────────────────────────────────────────────────────────────────

PATTERNS = st.sampled_from([("alice",), ("bob",), ("alice", "carol"), ("alice:*",), ("car*",), ("nobody",)])
SESSIONS = (*(f"of {user}" for user in USERS), SHARED_SESSION, NAMELESS, "new", "")
NAMES = (*USERS, "", " bob ", "user:bob", "session:of bob", unnamed(NAMELESS), "nobody")
TEXTS = ("the green boat", "Who pays at the harbour?", "always", "")


def metadata(house: House) -> st.SearchStrategy[dict[str, Json]]:
    """What a client may tell with a record, also what leads to somebody else's."""
    told: dict[str, st.SearchStrategy[Any]] = {
        OWNER: st.sampled_from([*USERS, " bob", "", 5, None]),
        "sessionId": st.sampled_from(SESSIONS),
        "source_turn_id": st.sampled_from(house.ids),
        "collection": st.sampled_from(house.collections),
        "supersedes": st.lists(st.sampled_from(house.ids), max_size=2),
        "superseded_by": st.sampled_from(house.ids),
        "hop_targets": st.lists(st.sampled_from(house.ids), max_size=2),
    }
    return st.fixed_dictionaries({}, optional=told)


def _some(items: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    return st.lists(items, max_size=3)


def values(house: House) -> Mapping[str, st.SearchStrategy[Any]]:
    """What stands under each name of a field."""
    ids, collections = st.sampled_from(house.ids), st.sampled_from(house.collections)
    sessions, names, texts = st.sampled_from(SESSIONS), st.sampled_from(NAMES), st.sampled_from(TEXTS)
    message = st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant"]), "content": texts})
    note = st.fixed_dictionaries(
        {"text": texts, "collection": collections}, optional={"id": ids, "metadata": metadata(house)}
    )
    where = st.fixed_dictionaries({}, optional={"metadata": st.fixed_dictionaries({OWNER: _some(names)})})
    return {
        "id": ids, "summary_id": ids, "receipt": ids | st.just(""), "collection": collections, "prefix": collections,
        "session_id": sessions, "session": sessions, "user_id": names, "namespace": names, "text": texts,
        "question": texts, "prompt": texts, "key": st.just(OWNER), "value": names, "metadata": metadata(house),
        "ids": _some(ids), "exclude_ids": _some(ids), "names": _some(collections),
        "collections": _some(collections), "notes": _some(note), "message": message,
        "messages": _some(message), "where": where, "k": st.integers(0, 50), "limit": st.integers(0, 50),
        "token_budget": st.just(2_000), "max_depth": st.integers(1, 3), "useful": st.booleans(),
        "everything": st.booleans(), "replace": st.booleans(), "hook": st.sampled_from(["before_reset", "x"]),
        "scope": st.sampled_from(["elevated", "durable", "lore", "history", "global"]), "mode": st.just("window"),
        "updates": _some(st.fixed_dictionaries({"collection": collections, "ids": _some(ids)})),
        "source_doc": st.sampled_from(["AGENTS.md", "other.md"]), "step": st.just("missing"), "turn": ids,
        "header": st.sampled_from([lines[0] for lines in house.exported.values()]),
        "lines": _some(st.sampled_from([line for lines in house.exported.values() for line in lines[1:]])),
        "patterns": _some(st.sampled_from(["*", "bob", "alice*"])), "after": st.none() | names,
        "by": ids, "why_not": ids, "as_of": st.none() | st.sampled_from([0, NOON, 2 * NOON]),
        "since": st.none() | st.just(NOON), "settings": st.dictionaries(st.just("silence"), st.floats(0, 1)),
        "notes_of": names, "speaker": st.just("Anna"), "is_dry": st.booleans(), "folder": st.just("/nowhere"),
    }  # fmt: skip


def requests(house: House) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    """Any method with any of its params."""
    pool = values(house)

    def params(method: str) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
        fields = fields_of(METHODS[method].params)
        told = {name: pool[field.name] for name, field in fields.items() if field.name in pool}
        needed = {name: told[name] for name in told if fields[name].is_required}
        optional = {name: told[name] for name in told if name not in needed}
        return st.tuples(st.just(method), st.fixed_dictionaries(needed, optional=optional))

    return st.sampled_from(sorted(METHODS.keys() - {"authenticate"})).flatmap(params)


@given(data=st.data(), patterns=PATTERNS, role=st.sampled_from([AccessRole.READ, AccessRole.WRITE]))
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_nothing_of_others_is_told_or_changed(
    house: House, data: st.DataObject, patterns: tuple[str, ...], role: AccessRole
) -> None:
    somebody = house.token(*patterns, role=role)
    rights = Rights(name="", role=role, namespaces=patterns)
    strangers = [name for name in (*USERS, unnamed(NAMELESS), CUSTOM) if not rights.allows(name)]
    before = house.foreign(rights)
    asked = data.draw(st.lists(requests(house), min_size=1, max_size=6))
    for method, params in asked:
        reply = json.dumps(house.ask(method, params, somebody))
        assert [name for name in strangers if mark(name) in reply] == [], (method, params)
        assert "panic" not in reply, (method, params)
    assert house.foreign(rights) == before


# ── one by one ────────────────────────────────────────────────────────────────────────────────────────────


def refused(house: House, connection: Connection, method: str, **params: object) -> str:
    error = house.ask(method, params, connection)["error"]
    assert error["code"] == FORBIDDEN, error
    assert error["data"]["kind"] == "Forbidden"
    assert error["data"]["remedy"]
    return str(error["message"])


def found(house: House, connection: Connection, method: str, **params: object) -> Any:
    reply = house.ask(method, params, connection)
    assert "error" not in reply, reply
    return reply["result"]


def test_whoever_has_a_namespace_works_in_it_as_before(house: House) -> None:
    alice = house.token("alice")
    assert found(house, alice, "search", question="green boat", namespace="alice")["hits"]
    assert found(house, alice, "list_collection", collection=durable_memory("alice"))["results"]
    assert found(house, alice, "ingest", sessionId="of alice", userId="alice", message="A kite.")["turns"]
    assert found(house, alice, "assemble", sessionId="of alice", userId="alice", tokenBudget=900)["tokens"]
    assert found(house, alice, "query_raw_session", sessionId="of alice", text="boat", k=3)["results"]
    assert found(house, alice, "export_memory", userId="alice")["records"]
    turn = {"sessionId": "of alice", "id": "t", "text": "A kite.", "metadata": {OWNER: "alice"}}
    assert found(house, alice, "insert_session_turn", **turn) == {"ok": True}
    assert found(house, alice, "compact", sessionId="of alice")
    summary = house.edges[0]
    for session in ("of alice", "of bob"):
        expanded = found(house, alice, "expand", sessionId=session, summaryId=summary)["records"]
        assert {whose_wire(record) for record in expanded} <= {"alice"}
    assert found(house, alice, "forget", collection=durable_memory("alice"), ids=["m1"]) == {"records": 1}
    assert found(house, alice, "flush_namespace", userId="alice") == {"ok": True}


def whose_wire(record: Mapping[str, Any]) -> object:
    return record["metadata"][OWNER]


def test_in_a_session_of_several_everybody_sees_his_own(quiet_house: House) -> None:
    view = session_view(SHARED_SESSION)
    for user in USERS:
        listed = found(quiet_house, quiet_house.token(user), "list_collection", collection=view)["results"]
        assert {whose_wire(record) for record in listed} == {user}
    both = found(quiet_house, quiet_house.token("alice", "bob"), "list_collection", collection=view)
    assert {whose_wire(record) for record in both["results"]} == {"alice", "bob"}


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("export_memory", {"userId": "bob"}),
        ("export_memory", {}),
        ("flush_namespace", {"userId": "bob"}),
        ("flush_namespace", {"namespace": "alice:bob"}),
        ("drop_collections", {"everything": True}),
        ("drop_collections", {"namespace": "bob"}),
        ("drop_collections", {"names": [durable_memory("alice"), durable_memory("bob")]}),
        ("drop_collections", {"names": [session_view("of bob")]}),
        ("drop_collections", {"names": [session_view(SHARED_SESSION)]}),
        ("drop_collections", {"names": [AUTHORED[next(iter(AUTHORED))]]}),
        ("status", {}),
        ("describe", {}),
        ("list_lifecycle_journal", {}),
        ("list_lifecycle_journal", {"sessionId": "of bob"}),
        ("list_collection", {"collection": LIFECYCLE_JOURNAL}),
        ("list_collection", {"collection": CUSTOM}),
        ("list_collection", {"collection": f"{CollectionKind.SESSION_STATE}:of bob"}),
        ("search_text", {"collection": turn_history("bob"), "text": "boat", "k": 3}),
        ("search", {"question": "boat", "namespace": "bob"}),
        ("search", {"question": "boat", "collections": [durable_memory("alice"), durable_memory("bob")]}),
        ("explain", {"userId": "bob"}),
        ("read_memory", {"userId": "bob", "id": "m1", "scope": "durable"}),
        ("feedback", {"userId": "bob", "id": "m1", "useful": True}),
        ("compact", {"sessionId": "of bob"}),
        ("compact_session", {"sessionId": SHARED_SESSION}),
        ("session_lifecycle_hint", {"sessionId": "of bob", "hook": "before_reset"}),
        ("ingest", {"sessionId": "of alice", "userId": "bob", "message": "x"}),
        ("ingest", {"sessionId": "of alice", "message": "x"}),
        ("insert_text", {"collection": durable_memory("bob"), "id": "x", "text": "x"}),
        ("insert_text", {"collection": durable_memory("alice"), "id": "x", "text": "x", "metadata": {OWNER: "bob"}}),
        ("insert_text", {"collection": SHARED, "id": "x", "text": "x"}),
        ("insert_text", {"collection": CUSTOM, "id": "x", "text": "x"}),
        ("insert_session_turn", {"sessionId": "of alice", "id": "x", "text": "x", "metadata": {OWNER: "bob"}}),
        ("insert_session_turn", {"sessionId": "of alice", "id": "x", "text": "x", "metadata": {OWNER: 5}}),
        ("insert_session_turn", {"sessionId": "of alice", "id": "x", "text": "x"}),
        ("remember", {"notes": [{"text": "x", "collection": durable_memory("bob")}]}),
        ("author", {"sourceDoc": "AGENTS.md", "text": "x"}),
        ("promote_dream_entries", {"userId": "bob", "sourceDoc": "d", "entries": []}),
        ("find_memory", {"userId": "bob", "id": "m1"}),
        ("list_memories", {"userId": "bob"}),
        ("update_memory", {"userId": "bob", "id": "m1", "text": "x"}),
        ("update_memory", {"userId": "alice", "id": "m1", "metadata": {OWNER: "bob"}}),
        ("memory_history", {"userId": "bob", "id": "m1"}),
        ("list_sessions", {"userId": "bob"}),
        ("list_turns", {"userId": "bob"}),
        ("list_turns", {"session": SHARED_SESSION}),
        ("list_summaries", {"userId": "bob", "sessionId": SHARED_SESSION}),
        ("list_summaries", {"sessionId": "of alice"}),
        ("list_receipts", {"userId": "bob"}),
        ("gate_scores", {"userId": "bob"}),
        ("supersede_memory", {"userId": "bob", "id": "m1", "by": "m1"}),
        ("try_search", {"userId": "bob", "question": "boat"}),
        ("changes", {"userId": "bob"}),
        ("preview_prompt", {"userId": "bob", "sessionId": "of alice", "tokenBudget": 900}),
        ("check_store", {}),
        ("open_namespace_export", {"userId": "bob"}),
        ("import_namespace", {"userId": "bob", "header": "{}", "lines": []}),
    ],
)  # fmt: skip
def test_what_is_refused(quiet_house: House, method: str, params: dict[str, object]) -> None:
    nobodys = Rights(name="", role=AccessRole.WRITE, namespaces=())
    before = quiet_house.foreign(nobodys)
    assert refused(quiet_house, quiet_house.token("alice"), method, **params)
    assert quiet_house.foreign(nobodys) == before


def test_a_refusal_does_not_tell_whether_there_is_something(house: House) -> None:
    alice = house.token("alice")
    for there, nowhere in (("of bob", "of nobody"), (SHARED_SESSION, "unheard")):
        told = refused(house, alice, "compact", sessionId=there)
        assert refused(house, alice, "compact", sessionId=nowhere) == told.replace(there, nowhere)
    told = refused(house, alice, "explain", userId="bob", receipt=house.ids[0])
    assert refused(house, alice, "explain", userId="nobody", receipt="none") == told.replace("bob", "nobody")
    taken = house.foreign(Rights(name="", role=AccessRole.WRITE, namespaces=("alice",)))
    bobs = next(id for name, id in taken if name == raw_turns(SHARED_SESSION))
    for id in (bobs, "no such id"):
        assert found(house, alice, "delete", collection=raw_turns(SHARED_SESSION), id=id) == {"ok": True}
        assert found(house, alice, "forget", collection=raw_turns(SHARED_SESSION), ids=[id]) == {"records": 0}
        bumped = {"updates": [{"collection": raw_turns(SHARED_SESSION), "ids": [id]}]}
        assert found(house, alice, "bump_access_counts", **bumped) == {"ok": True, "unknown": 1}
    assert house.foreign(Rights(name="", role=AccessRole.WRITE, namespaces=("alice",))) == taken


def test_forgetting_does_not_follow_metadata_to_somebody_else(house: House) -> None:
    alice = house.token("alice")
    rights = Rights(name="", role=AccessRole.WRITE, namespaces=("alice",))
    before = house.foreign(rights)
    bobs = next(id for name, id in before if name == raw_turns("of bob"))
    leading = {"sessionId": "of bob", "source_turn_id": bobs}
    found(house, alice, "insert_text", collection=durable_memory("alice"), id="bait", text="x", metadata=leading)
    assert found(house, alice, "forget", collection=durable_memory("alice"), ids=["bait"]) == {"records": 0}
    assert house.foreign(rights) == before


def test_lists_of_collections_name_only_ones_own(house: House) -> None:
    names = {one["name"] for one in found(house, house.token("alice"), "list_collections")["collections"]}
    assert durable_memory("alice") in names
    assert not [name for name in names if "bob" in name or "carol" in name]
    everybody = {one["name"] for one in found(house, house.token("*"), "list_collections")["collections"]}
    assert durable_memory("bob") in everybody


def test_namespaces_are_listed_within_ones_rights_and_no_page_tells_of_another(house: House) -> None:
    for patterns, seen in ((("alice",), ["alice"]), (("alice*",), ["alice", "alice:bob"]), (("*",), sorted(USERS))):
        somebody = house.token(*patterns)
        names, after = [], None
        while True:
            page = found(house, somebody, "list_namespaces", limit=1, after=after, patterns=["*"])
            names += [one["name"] for one in page["namespaces"]]
            if (after := page.get("next")) is None:
                break
            assert after in seen
        assert names == seen


def test_a_namespace_goes_out_and_comes_in_by_its_own_token_alone(house: House) -> None:
    alice = house.token("alice")
    opened = found(house, alice, "open_namespace_export", userId="alice")
    header, *lines = base64.b64decode(found(house, alice, "read_export", id=opened["id"])["data"]).decode().splitlines()
    assert mark("alice") in "".join(lines)
    assert not [user for user in USERS if user != "alice" and mark(user) in "".join(lines)]
    found(house, alice, "close_export", id=opened["id"])
    found(house, alice, "flush_namespace", userId="alice")
    assert found(house, alice, "import_namespace", userId="alice", header=header, lines=lines)["records"]
    assert found(house, alice, "search", question="green boat", namespace="alice")["hits"]
    assert "m1" in [one["id"] for one in found(house, alice, "list_memories", userId="alice")["records"]]
    _, *bobs = house.exported["bob"]
    rights = Rights(name="", role=AccessRole.WRITE, namespaces=("alice",))
    before = house.foreign(rights)
    for line in bobs:
        reply = house.ask("import_namespace", {"userId": "alice", "header": header, "lines": [line]}, alice)
        assert "not of 'alice'" in reply["error"]["message"] or "does not have" in reply["error"]["message"]
    assert house.foreign(rights) == before


def test_forgetting_does_not_follow_what_a_memory_had_before_to_somebody_else(house: House) -> None:
    alice = house.token("alice")
    rights = Rights(name="", role=AccessRole.WRITE, namespaces=("alice",))
    before = house.foreign(rights)
    bobs = next(id for name, id in before if name == raw_turns("of bob"))
    leading = {"sessionId": "of bob", "source_turn_id": bobs}
    found(house, alice, "insert_text", collection=durable_memory("alice"), id="bait", text="x", metadata=leading)
    found(house, alice, "update_memory", userId="alice", id="bait", text="y")
    assert found(house, alice, "forget", collection=durable_memory("alice"), ids=["bait"]) == {"records": 0}
    assert house.foreign(rights) == before


def test_shared_rules_are_read_by_all(house: House) -> None:
    alice = house.token("alice", role=AccessRole.READ)
    assert found(house, alice, "list_documents")["documents"]
    assert found(house, alice, "list_nodes", sourceDoc="AGENTS.md")["records"]


def test_who_has_all_namespaces_is_no_admin(house: House) -> None:
    everybody = house.token("*")
    assert found(house, everybody, "status")["ok"]
    assert found(house, everybody, "export_memory")["records"]
    assert found(house, everybody, "list_collection", collection=CUSTOM)["results"]
    refused(house, everybody, "drop_collections", everything=True)
    refused(house, everybody, "insert_text", collection=SHARED, id="x", text="x")
    refused(house, everybody, "author", sourceDoc="AGENTS.md", text="x")
    admin = house.token("*", role=AccessRole.ADMIN)
    assert found(house, admin, "drop_collections", everything=True)["records"]


# ── patterns ──────────────────────────────────────────────────────────────────────────────────────────────

SOME = st.text(st.sampled_from("ab:*.["), min_size=1, max_size=6)


@given(pattern=SOME, namespace=SOME)
def test_a_pattern_is_a_name_with_stars(pattern: str, namespace: str) -> None:
    rights = Rights(name="x", role=AccessRole.READ, namespaces=(pattern,))
    assert rights.allows(pattern)
    assert rights.allows(namespace) == fits(pattern, namespace)


def fits(pattern: str, name: str) -> bool:
    """The meaning of a pattern, told slowly."""
    if not pattern:
        return not name
    if pattern[0] == "*":
        return fits(pattern[1:], name) or (bool(name) and fits(pattern, name[1:]))
    return bool(name) and name[0] == pattern[0] and fits(pattern[1:], name[1:])


@pytest.mark.parametrize(
    ("name", "role", "namespaces"),
    [(" ", "read", ["a"]), ("x", "read", []), ("x", "admin", ["a"]), ("x", "read", [" "]), ("a\nb", "read", ["a"])],
)
def test_rights_that_make_no_sense_are_refused(name: str, role: str, namespaces: Sequence[str]) -> None:
    with pytest.raises(InvalidInput):
        checked_rights(name, AccessRole(role), namespaces)


def test_a_name_with_a_secret_in_it_guards_what_it_names(house: House) -> None:
    key = "gh" + "p_" + "".join(random.Random(5).choices(string.ascii_letters + string.digits, k=36))
    session, turn = f"chat {key}", f"turn {key}"
    house.call("insert_session_turn", sessionId=session, id=turn, text="Bob likes figs", metadata={"userId": "bob"})
    alice = house.token("alice")
    for method, params in (
        ("delete", {"collection": raw_turns(session), "id": turn}),
        ("delete_batch", {"collection": raw_turns(session), "ids": [turn]}),
        ("bump_access_counts", {"updates": [{"collection": raw_turns(session), "ids": [turn]}]}),
        ("session_lifecycle_hint", {"hook": "before_reset", "sessionId": session}),
        ("insert_text", {"collection": raw_turns(session), "id": turn, "text": "no", "metadata": {"userId": "alice"}}),
    ):
        house.ask(method, params, alice)
        (held,) = house.call("list_collection", collection=raw_turns(session))["results"]
        assert (held["text"], held["metadata"]["userId"], held["metadata"]["access_count"]) == (
            "Bob likes figs",
            "bob",
            0,
        )
    owner = house.token(f"user {key}")
    house.ask("ingest", {"userId": f"user {key}", "sessionId": "own", "message": "I keep bees on the roof."}, owner)
    assert found(house, owner, "search", userId=f"user {key}", question="bees")["hits"]


@pytest.mark.parametrize("size", [1, 2_000])
@pytest.mark.parametrize("others_state", [True, False])
def test_a_session_of_others_is_refused_at_its_first_record_however_long_it_is(
    served: Served, size: int, *, others_state: bool
) -> None:
    turns = [put(raw_turns("s"), f"{n:04}", metadata={OWNER: "bob"}) for n in range(size)]
    served.store.commit(turns)
    if others_state:
        served.store.commit([SetState(session="s", state=SessionMetadata({}).joined("bob", now=1).facts, at=1)])
    store = PageCountingStore(served.store)
    rights = Rights(name="x", role=AccessRole.WRITE, namespaces=("alice",))
    with pytest.raises(Forbidden):
        Guard(cast("Store", store), served.engine.masking)._check_session("s", rights, may_be_new=True)
    assert store.pages <= (0 if others_state else 2 * len(session_collections("s")))


class PageCountingStore:
    """Counts the pages of records that are read from a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.pages = 0

    @contextmanager
    def read(self, foreseen: Foreseen = NOTHING_FORESEEN) -> Iterator[Any]:
        with self._store.read(foreseen) as snapshot:
            yield _PageCounting(snapshot, self)


class _PageCounting:
    def __init__(self, snapshot: Snapshot, counts: PageCountingStore) -> None:
        self._snapshot, self._counts = snapshot, counts

    def __getattr__(self, verb: str) -> Any:
        self._counts.pages += verb == "page"
        return getattr(self._snapshot, verb)


def test_only_an_admin_makes_many_collections_at_once(quiet_house: House) -> None:
    names = [session_view(f"new {number}") for number in range(MOST_MADE + 1)]
    reply = quiet_house.ask("ensure_collections", {"collections": names}, quiet_house.token("alice"))
    assert reply["error"]["data"]["kind"] == "InvalidInput"


def test_nobody_else_makes_collections_that_are_held_to_no_quota(quiet_house: House) -> None:
    names = [session_view("new"), durable_memory("alice")]
    assert "result" in quiet_house.ask("ensure_collections", {"collections": names}, quiet_house.token("alice"))
    listed = {one["name"] for one in quiet_house.call("list_collections")["collections"]}
    assert durable_memory("alice") in listed
    assert session_view("new") not in listed
