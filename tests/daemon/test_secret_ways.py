"""Every way in, with secrets in every field: none reaches the disk, the embedder or the logs.

The ways are not listed here: every method of the wire table and every verb of `Memory` is called, with params made from
the types of its fields. A method that is added is called too, and one that these params cannot make run fails the test.
"""

from __future__ import annotations

import dataclasses
import enum
import io
import json
import logging
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.core.ingest.secret_forms import MASTERCARD, URL, mark, noise, web_token
from tests.support import open_file_store

from libravdb.adapters.notes.workspace import WorkspaceFiles
from libravdb.core.ingest.settings import IngestSettings
from libravdb.daemon.call_stats import Calls
from libravdb.daemon.dispatch import Connection, Dispatcher
from libravdb.daemon.guard import Guard
from libravdb.daemon.handlers.engine import EngineMethods
from libravdb.daemon.handlers.inspection import InspectionMethods
from libravdb.daemon.handlers.lifecycle import LifecycleMethods
from libravdb.daemon.handlers.memories import MemoryMethods
from libravdb.daemon.handlers.notes import NoteMethods
from libravdb.daemon.handlers.storage import StorageMethods
from libravdb.daemon.handlers.transfer import TransferMethods
from libravdb.daemon.log_lines import JsonLines
from libravdb.daemon.note_watch import NoteWatch
from libravdb.daemon.tokens import TokenRegistry
from libravdb.engine.engine import Engine
from libravdb.engine.masking import NAMES, Masking
from libravdb.engine.settings import EngineSettings
from libravdb.memory import Memory
from libravdb.model import Where
from libravdb.ports.clock import Progress, no_progress
from libravdb.testing import MemoryStore, WordsEmbedder
from libravdb.wire.fields import camel
from libravdb.wire.methods.table import METHODS

if TYPE_CHECKING:
    from libravdb.model import Vector

NOON = 1_790_000_000_000
TOKEN = mark("gh|p_") + noise(36)
OTHER = mark("sk|-ant-|api03-") + noise(90, URL)
AWS = mark("AK|IA") + "QK7" + "ZXCVBNMASDFGH"
PASSWORD = "Zwiebel" + "fisch!77"
PHRASE = "swordfish" + "tango"
WEB = web_token(9)
DAEMON_TOKEN = "let" + "-the-" + "right-one-in-5521"
NEEDLES = (TOKEN, OTHER, AWS, PASSWORD, PHRASE, WEB, MASTERCARD, DAEMON_TOKEN)

TEXT = (
    f"We deploy the harbor lantern service with {TOKEN} and {AWS}; "
    f"my password is {PASSWORD}, card {MASTERCARD}, and {WEB}."
)
NAME = f"harbor/{OTHER}"
FREE: dict[str, Any] = {
    "note": TEXT,
    f"of {TOKEN}": "x",
    "password": PHRASE,
    "deep": [{"apiKey": AWS}],
    "card": int(MASTERCARD),
}
MESSAGE = {"role": "user", "content": TEXT, "id": NAME, "name": f"Anna {TOKEN}", "metadata": FREE, "tool_calls": []}

LAST = (
    "import_file",
    "import_batch",
    "import_namespace",
    "update_memory",
    "memory_history",
    "delete",
    "delete_batch",
    "delete_authored_document",
    "withdraw",
    "unwatch_notes",
    "forget_turns",
    "forget",
    "retain",
    "move_namespace",
    "flush_namespace",
    "drop_collections",
    "erase_namespace",
)
"""What deletes comes last: nothing is to be clean only because it is gone. Before it comes what imports edges that lead
nowhere: no backup is made of such a store."""

REFUSED = {
    "explain",
    "why_not",
    "replay",
    "feedback",
    "restore_memory",
    "supersede_memory",
    "remove_guidance",
    "profile_pin",
    "profile_edit",
    "profile_forget",
    "expand",
    "reembed",
    "authenticate",
    "read_memory",
    "read_export",
    "verify_erasure",
}
"""What may say no to names that nobody has."""


class Attentive(WordsEmbedder):
    """An embedder that remembers what it was asked to embed."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def embed_text(self, text: str) -> Vector:
        self.heard.append(text)
        return super().embed_text(text)

    def embed_texts(self, texts: Sequence[str], progress: Progress = no_progress) -> list[Vector]:
        self.heard.extend(texts)
        return super().embed_texts(texts, progress)

    def embed_query(self, text: str) -> Vector:
        self.heard.append(text)
        return super().embed_query(text)


class Daemon:
    """All of the daemon but its socket, logging everything that it may."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.embedder = Attentive()
        self.store = open_file_store(folder / "data.libravdb", now=NOON)
        self.engine = Engine(store=self.store, load_embedder=lambda _: self.embedder, clock=lambda: NOON)
        calls = Calls()
        storage = StorageMethods(
            self.engine, self.store, clock=lambda: NOON, calls=calls, path="data.libravdb", journal_entries=50
        )
        transfers = TransferMethods(self.engine, folder=folder / "data.libravdb.exports", backup_folder=str(folder))
        handlers = {
            **storage.handlers(),
            **EngineMethods(self.engine).handlers(),
            **LifecycleMethods(self.engine).handlers(),
            **NoteMethods(self.engine, NoteWatch(self.engine.notes, WorkspaceFiles())).handlers(),
            **MemoryMethods(self.engine, transfers).handlers(),
            **InspectionMethods(self.engine).handlers(),
            **transfers.handlers(),
        }
        self.dispatcher = Dispatcher(
            handlers,
            calls=calls,
            guard=Guard(self.store, self.engine.masking),
            tokens=TokenRegistry.of_one(DAEMON_TOKEN),
            log_text=True,
        )

    def call(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        reply = self.dispatcher.reply(line, Connection())
        assert reply is not None
        answer: dict[str, Any] = json.loads(reply)
        return answer


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What a daemon at the level debug would write."""
    written = io.StringIO()
    handler, root = logging.StreamHandler(written), logging.getLogger("libravdb")
    handler.setFormatter(JsonLines())
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield written
    root.removeHandler(handler)
    root.setLevel(before)


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    folder = tmp_path / "store"
    folder.mkdir()
    made = Daemon(folder)
    yield made
    made.engine.close()


def leaks(data: bytes) -> list[str]:
    """The secrets of which a piece stands in these bytes, as they are or in small letters."""
    small = data.lower()
    found = []
    for needle in NEEDLES:
        size = min(12, len(needle))
        pieces = {needle[at : at + size].lower().encode() for at in range(4, len(needle) - size + 1)} or {
            needle.encode()
        }
        found += [piece.decode() for piece in pieces if piece in small][:1]
    return found


def leaking_files(folder: Path) -> dict[str, list[str]]:
    found = {str(path.relative_to(folder)): leaks(path.read_bytes()) for path in folder.rglob("*") if path.is_file()}
    return {name: pieces for name, pieces in found.items() if pieces}


# ── params from types ─────────────────────────────────────────────────────────────────────────────────────


def params_of(kind: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """Params with secrets in every field that can hold text."""
    hints = typing.get_type_hints(kind)
    return {
        camel(field.name): given.get(field.name, filled(hints[field.name], field.name))
        for field in dataclasses.fields(kind)
    }


def filled(hint: Any, name: str) -> Any:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if name == "expires_at":
        return None  # a moment to come, or refused
    if hint is str:
        return NAME if name in NAMES else TEXT
    if hint is Any:
        return MESSAGE
    if origin in (typing.Union, types.UnionType):
        return filled(next(one for one in inner if one is not type(None)), name)
    if origin in (tuple, list):
        return [filled(inner[0], name)]
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        return {NAME: filled(inner[1], name)} if name in NAMES else FREE
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return next(iter(hint)).value
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return {} if hint is Where else params_of(hint, {})
    return {bool: True, int: 4_000, float: 0.9}.get(hint, FREE)


def overrides(method: str, folder: Path) -> dict[str, Any]:
    """What a type cannot tell."""
    told: dict[str, dict[str, Any]] = {
        "export_file": {"path": str(folder / "export.jsonl"), "collections": [], "namespace": ""},
        "import_file": {"path": str(folder.parent / "import.jsonl")},
        "backup": {"path": str(folder / "backup.libravdb")},
        "save_backup": {"name": "saved.libravdb"},
        "import_batch": dict(zip(("header", "lines"), import_lines(), strict=True)),
        "open_export": {"collections": []},
        "reembed": {"step": "missing"},
        "drop_collections": {"names": [NAME], "namespace": "", "everything": False},
        "author": {"tokenizer": "cl100k", "core": False},
        "ingest_markdown_document": {"core_doc": False},
        "session_lifecycle_hint": {"hook": "before_reset"},
        "remember": {"replace": True},
        "commit_turn": {"is_heartbeat": False},
        "assemble": {"is_heartbeat": False},
        "move_namespace": {"to": f"{NAME} again", "dry_run": False},
        "read_memory": {"scope": "durable"},
        "list_memories": {"scope": "durable", "limit": 9, "after": None},
        "list_sessions": {"limit": 9},
        "list_namespaces": {"limit": 9},
        "list_turns": {"limit": 9, "after": None},
        "list_receipts": {"limit": 9, "after": None},
        "try_search": {"k": 9, "settings": {"silence": 0.5}},
        "update_memory": {"id": NAME, "namespace": NAME, "text": f"{TEXT} Since today."},
        "memory_history": {"id": NAME, "namespace": NAME},
        "import_namespace": dict(zip(("header", "lines"), namespace_lines(), strict=True)) | {"namespace": NAME},
        "list_by_meta": {"value": TEXT},
        "watch_notes": {"folder": str(folder.parent / "workspace")},
        "promote_diary": {
            "text": f"## Deep Sleep\n\n- The lantern opens with {TOKEN} {{score=0.9 recall=3 unique=2}}\n",
            "is_dry": False,
        },
    }
    return told.get(method, {})


def import_lines() -> tuple[str, list[str]]:
    """An export of a store that masked nothing: its header, and its other lines."""
    collection = f"user:{NAME}"
    entry = {"kind": "lifecycle_hint", "reason": TEXT, **FREE}
    record = {"collection": collection, "id": NAME, "text": TEXT, "metadata": FREE, "at": NOON, "version": 1}
    lines = [
        {"kind": "header", "format": "libravdb-export", "version": 1, "at": NOON, "records": 1},
        {"kind": "collection", "name": collection},
        {"kind": "record", **record, "access_count": 0},
        {
            "kind": "edge",
            "session": NAME,
            "parent": NAME,
            "child": NAME,
            "child_kind": "turn",
            "position": 0,
            "at": NOON,
        },
        {"kind": "session", "session": NAME, "generation": 1, "state": FREE, "at": NOON},
        {"kind": "journal", "session": NAME, "at": NOON, "entry": entry},
    ]
    header, *others = map(json.dumps, lines)
    return header, others


def namespace_lines() -> tuple[str, list[str]]:
    """An export of one namespace of such a store, whose header is as the store spells it today."""
    header, others = import_lines()
    spelled = Masking(IngestSettings()).name(NAME)
    kept = [json.loads(line) for line in others if json.loads(line)["kind"] in ("record", "collection")]
    return json.dumps({**json.loads(header), "namespace": spelled}), [json.dumps(line) for line in kept]


# ── the ways ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.file_store("its bytes are looked at")
def test_no_method_lets_a_secret_onto_the_disk_into_a_vector_or_into_a_log(
    daemon: Daemon, log: io.StringIO, tmp_path: Path
) -> None:
    header, others = import_lines()
    (tmp_path / "import.jsonl").write_text("\n".join([header, *others]) + "\n", encoding="utf-8")
    (tmp_path / "workspace" / "memory").mkdir(parents=True)
    (tmp_path / "workspace" / "MEMORY.md").write_text(f"# {TOKEN}\n\n{TEXT}\n", encoding="utf-8")
    (tmp_path / "workspace" / "memory" / f"{OTHER}.md").write_text(TEXT, encoding="utf-8")
    methods = sorted(METHODS, key=lambda name: LAST.index(name) if name in LAST else -1)
    refused = {}
    for count, name in enumerate(methods):
        reply = daemon.call(name, params_of(METHODS[name].params, overrides(name, daemon.folder)))
        if "error" in reply:
            refused[name] = reply["error"]["message"]
        if name == "delete":
            daemon.engine.prompts.explain(namespace=NAME)  # receipts are written when they are asked for
            assert leaking_files(daemon.folder) == {}, f"after {methods[:count]}"
    assert {name: why for name, why in refused.items() if name not in REFUSED} == {}
    daemon.engine.close()
    assert leaking_files(daemon.folder) == {}
    assert leaks("\n".join(daemon.embedder.heard).encode()) == []
    assert leaks(log.getvalue().encode()) == []
    assert log.getvalue().count('"event": "call"') == len(METHODS)


def test_no_verb_of_memory_lets_a_secret_onto_the_disk(daemon: Daemon, log: io.StringIO) -> None:
    memory = Memory(daemon.engine, user=NAME)
    memory.remember(f"I live in Graz. My name is Tom, {TOKEN}.")
    exported = daemon.folder.parent / "user.jsonl"
    ways: dict[str, Any] = {
        "add": lambda: memory.add([MESSAGE], TEXT, session=NAME),
        "ingest": lambda: memory.ingest(MESSAGE, TEXT, session=NAME),
        "commit_turn": lambda: memory.commit_turn([MESSAGE], key=f"{NAME}#1", session=NAME),
        "remember": lambda: memory.remember(TEXT, metadata=FREE, id=NAME),
        "update": lambda: memory.update(NAME, f"{TEXT} Since today.", metadata=FREE),
        "history": lambda: memory.history(NAME),
        "get": lambda: memory.get(NAME),
        "list": lambda: memory.list(where={"note": TEXT}),
        "sessions": memory.sessions,
        "users": memory.users,
        "status": memory.status,
        "for_user": lambda: memory.for_user(f"{NAME} again"),
        "export": lambda: memory.export(exported),
        "import_": lambda: memory.import_(exported),
        "author": lambda: memory.author(f"{NAME}.md", f"---\ntoken: {OTHER}\n---\n# {TOKEN}\n\n{TEXT}\n"),
        "search": lambda: memory.search(TEXT, session=NAME),
        "assemble": lambda: memory.assemble(TEXT, session=NAME, messages=[MESSAGE]),
        "explain": memory.explain,
        "why_not": lambda: memory.why_not(NAME),
        "replay": lambda: memory.replay(messages=[MESSAGE]),
        "guidance": memory.guidance,
        "remove_guidance": lambda: [memory.remove_guidance(wish.id) for wish in memory.guidance()],
        "profile": memory.profile,
        "pin_profile": lambda: memory.pin_profile(memory.profile().lines[0].id),
        "edit_profile": lambda: memory.edit_profile(memory.profile().lines[0].id, TEXT),
        "forget_profile": lambda: memory.forget_profile(memory.profile().lines[-1].id),
        "forget": lambda: memory.forget(NAME),
        "erase": lambda: None,  # it deletes what is looked for; the daemon's is tried above
        "forget_all": lambda: None,  # the same
        "open": lambda: None,
        "connect": lambda: None,
        "close": lambda: None,
    }
    verbs = {
        name
        for name, verb in vars(Memory).items()
        if not name.startswith("_") and callable(getattr(Memory, name)) and verb
    }
    assert verbs == set(ways)
    for way in ways.values():
        way()
    found = memory.search("harbor lantern service")
    assert found.hits
    daemon.engine.close()
    assert leaking_files(daemon.folder) == {}
    assert leaks(exported.read_bytes()) == []
    assert leaks("\n".join(daemon.embedder.heard).encode()) == []
    assert leaks(log.getvalue().encode()) == []


def test_a_name_with_a_secret_still_names_the_same_thing(daemon: Daemon) -> None:
    collection = f"notes:{NAME}"
    for text in ("The first of them.", "The second of them."):
        daemon.call("insert_text", {"collection": collection, "id": f"{TOKEN}/{text[4:9]}", "text": text})
    daemon.call("insert_text", {"collection": collection, "id": f"{TOKEN}/first", "text": "The first of them."})
    listed = daemon.call("list_collection", {"collection": collection})["result"]["results"]
    assert [one["text"] for one in listed] == ["The first of them.", "The second of them."]
    assert len({one["id"] for one in listed}) == 2
    daemon.call("delete", {"collection": collection, "id": f"{TOKEN}/first"})
    left = daemon.call("list_collection", {"collection": collection})["result"]["results"]
    assert [one["text"] for one in left] == ["The second of them."]


def test_a_turn_is_known_again_by_an_id_with_a_secret(daemon: Daemon) -> None:
    said = {"sessionId": NAME, "userId": NAME, "message": {"role": "user", "content": "We moved to Oslo.", "id": TOKEN}}
    first, again = (daemon.call("ingest", said)["result"]["turns"][0] for _ in range(2))
    assert (first["reception"], again["reception"]) == ("stored", "known")
    assert first["id"] == again["id"]
    other = {**said, "message": {"role": "user", "content": "We moved to Rome.", "id": OTHER}}
    assert daemon.call("ingest", other)["result"]["turns"][0]["id"] != first["id"]


def test_what_was_kept_under_a_name_with_a_secret_is_forgotten_under_it(daemon: Daemon) -> None:
    kept = daemon.engine.memories.remember("We moved to Oslo.", collection=f"user:{NAME}", id=TOKEN)
    assert OTHER not in kept.record.collection
    assert daemon.engine.deletions.forget(f"user:{NAME}", [TOKEN]) == 1


def test_a_session_with_a_secret_in_its_name_begins_anew(daemon: Daemon) -> None:
    said = {"sessionId": NAME, "userId": "anna", "message": "We moved to Oslo."}
    daemon.call("ingest", said)
    later = daemon.engine.sessions.renew(NAME)
    assert OTHER not in later
    assert daemon.engine.sessions.current(NAME) == later
    assert daemon.call("ingest", said)["result"]["turns"][0]["reception"] == "stored"


def test_a_journal_written_past_the_params_is_masked_too(daemon: Daemon) -> None:
    hint = {"sessionId": NAME, "hook": "session_end", "reason": TEXT}
    daemon.call("session_lifecycle_hint", hint)
    told = json.dumps(daemon.call("list_lifecycle_journal", {"sessionId": NAME}))
    assert "[secret: github token]" in told
    assert leaks(told.encode()) == []


def test_a_question_with_a_secret_leaves_no_word_of_it_in_its_receipt(daemon: Daemon) -> None:
    daemon.call("ingest", {"sessionId": "s", "userId": "anna", "message": f"The lantern says {PHRASE} at night."})
    asked = {"sessionId": "t", "userId": "anna", "prompt": f"lantern, password={PHRASE}!9", "tokenBudget": 2_000}
    daemon.call("assemble", asked)
    told = json.dumps(daemon.call("explain", {"userId": "anna"}))
    assert "lantern" in told
    assert f"shares the words: {PHRASE}" not in told
    assert PHRASE not in told.replace(f"The lantern says {PHRASE}", "")


def test_what_breaks_is_logged_without_what_broke_it(log: io.StringIO) -> None:
    def broken(_: object) -> None:
        raise RuntimeError(f"cannot digest {PHRASE} nor {TOKEN}")

    dispatcher = Dispatcher(
        {"health": broken},
        calls=Calls(),
        guard=Guard(MemoryStore(), Masking(IngestSettings())),
        tokens=TokenRegistry.of_one(DAEMON_TOKEN),
        log_text=True,
    )
    line = json.dumps({"id": 1, "method": "health", "params": {"text": f"password={PHRASE}7 and password='{PHRASE}'"}})
    reply = dispatcher.reply(line.encode(), Connection())
    assert reply is not None
    assert b"panic" in reply
    assert "cannot digest" in log.getvalue()
    assert leaks(log.getvalue().encode()) == []


@pytest.mark.parametrize("token", [DAEMON_TOKEN, f"{DAEMON_TOKEN}x", [DAEMON_TOKEN]])
def test_the_daemons_token_is_never_logged(daemon: Daemon, log: io.StringIO, token: object) -> None:
    daemon.call("authenticate", {"token": token})
    assert '"method": "authenticate"' in log.getvalue()
    assert DAEMON_TOKEN not in log.getvalue()


def test_masking_that_is_switched_off_keeps_everything(tmp_path: Path) -> None:
    settings = EngineSettings(ingest=IngestSettings(mask_secrets=False))
    store = open_file_store(tmp_path / "data.libravdb", now=NOON)
    with Engine(store=store, load_embedder=lambda _: WordsEmbedder(), clock=lambda: NOON, settings=settings) as engine:
        engine.memories.remember(TEXT, collection=f"user:{NAME}", id=NAME, metadata=FREE)
        record = engine.memories.get(f"user:{NAME}", NAME)
        assert record is not None
        assert record.text == TEXT
        assert {key: record.metadata[key] for key in FREE} == FREE
