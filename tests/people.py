"""People whose names look alike, each with a word that nobody else knows, and the doors through which they come."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tests.support import read_cues

from libravdb.core.compaction.settings import CompactionSettings
from libravdb.daemon.call_stats import Calls
from libravdb.daemon.dispatch import Connection, Dispatcher
from libravdb.daemon.guard import Guard
from libravdb.daemon.handlers.engine import EngineMethods
from libravdb.daemon.handlers.inspection import InspectionMethods
from libravdb.daemon.handlers.lifecycle import LifecycleMethods
from libravdb.daemon.handlers.memories import MemoryMethods
from libravdb.daemon.handlers.storage import StorageMethods
from libravdb.daemon.handlers.transfer import TransferMethods
from libravdb.daemon.tokens import TokenRegistry
from libravdb.engine.engine import Engine
from libravdb.engine.settings import EngineSettings
from libravdb.errors import LibraError
from libravdb.memory import Memory
from libravdb.model import AssemblyMode, Scope
from libravdb.model.collections import durable_memory
from libravdb.model.namespaces import resolve_namespace
from libravdb.ports.clock import Clock
from libravdb.ports.store import Store
from libravdb.testing import WordsEmbedder


@dataclass(frozen=True)
class Person:
    """Somebody, by every way in which his name may be typed, and the word that he alone knows."""

    names: tuple[str, ...]
    word: str

    @property
    def namespace(self) -> str:
        return resolve_namespace(user=self.names[0])


PEOPLE = tuple(
    Person(names=names, word=word)
    for names, word in (
        (("alice", " alice "), "wombatty"),
        (("Alice",), "quokkary"),
        (("alice:bob",), "numbatic"),
        (("josé", "jose\u0301"), "bilbyish"),
        (("jose",), "potoroon"),
        (("session:main",), "dunnarty"),
        (("session-key:main",), "kowarine"),
        (("user-id:alice",), "bettonga"),
        (("user:alice",), "gliderly"),
        (("default",), "cuscusal"),
    )
)
SAYINGS = (
    "Never tell the plan of the {word} garden to anybody.",
    "I prefer {word} tea and must always have it in the garden.",
    "My sister from the {word} garden moved to Lisbon in March 2024.",
    "The key of the garden shed lies below the {word} stone.",
)
"""All about one garden: whoever asks for it comes close to what everybody said."""

QUESTION = "What about the garden, the plan, the tea, the key and my sister?"


def strangers_words(person: Person) -> list[str]:
    return [other.word for other in PEOPLE if other != person]


class Door(Protocol):
    """What a person can ask for; every answer is all that he is told."""

    def say(self, name: str, messages: Sequence[Any], *, session: str, key: str = "") -> object: ...

    def look(self, name: str, *, session: str, ids: Sequence[str], summaries: Sequence[str]) -> list[object]: ...

    def keep(self, name: str, text: str) -> object: ...

    def forget(self, name: str, ids: Sequence[str]) -> object: ...

    def leave(self, name: str) -> object: ...


class LibraryDoor:
    """The embedded `Memory`, and the engine below it; also the parts of an engine behind a daemon."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def _memory(self, name: str) -> Memory:
        return Memory(self._engine, user=name)

    def say(self, name: str, messages: Sequence[Any], *, session: str, key: str = "") -> object:
        memory = self._memory(name)
        if key:
            return memory.commit_turn(messages, key=key, session=session)
        return memory.ingest(*messages, session=session)

    def look(self, name: str, *, session: str, ids: Sequence[str], summaries: Sequence[str]) -> list[object]:
        memory, engine = self._memory(name), self._engine
        whose = memory.user
        told: list[object] = [engine.conversations.bootstrap(session=session, namespace=whose)]
        told += [memory.search(QUESTION, session=session, scopes=[scope], k=50) for scope in Scope]
        told += [memory.search(QUESTION, session=session), memory.search(QUESTION)]
        for mode in AssemblyMode:
            messages = ["Good morning"] if mode is AssemblyMode.WINDOW else []
            made = memory.assemble(QUESTION, session=session, budget=4_000, mode=mode, messages=messages)
            told += [made, memory.explain(made.receipt), engine.prompts.replay(made.receipt, namespace=whose)]
        told += [memory.why_not(id) for id in ids]
        told += [engine.memories.latest(durable_memory(whose), limit=99), engine.gate.report(namespace=whose)]
        told += [engine.memories.read(id, namespace=whose, scope=scope) for id in ids for scope in Scope]
        told += [engine.compaction.expand(one, session=session, namespace=whose) for one in summaries]
        told += [memory.profile(), engine.profile.rebuild(namespace=whose)]
        told += [memory.get(id) for id in ids]
        told += [memory.list(scope=scope) for scope in (Scope.DURABLE, Scope.HISTORY, Scope.ELEVATED)]
        told += [memory.history(record.id) for record in memory.list()]
        told += [memory.sessions()]
        look = engine.inspection
        told += [look.list_turns(namespace=whose), look.list_turns(namespace=whose, session=session)]
        told += [look.list_summaries(session, namespace=whose), look.list_receipts(namespace=whose)]
        told += [look.gate_scores(namespace=whose), look.try_search(QUESTION, namespace=whose, session=session, k=50)]
        told += [look.preview_prompt(QUESTION, session=session, namespace=whose, budget=4_000)]
        told += [
            look.preview_prompt(QUESTION, session=session, namespace=whose, budget=4_000, why_not=id).why_not
            for id in ids[:3]
        ]
        return [*told, engine.gate.judge(QUESTION, namespace=whose), engine.status()]

    def keep(self, name: str, text: str) -> object:
        kept = self._memory(name).remember(text)
        return [kept, self._memory(name).update(kept.id, metadata={"times": kept.record.version})]

    def forget(self, name: str, ids: Sequence[str]) -> object:
        return self._memory(name).forget(*ids)

    def leave(self, name: str) -> object:
        return self._engine.deletions.flush_namespace(self._memory(name).user)


class WireDoor:
    """The methods of the daemon, as a client of another language calls them: a user's id goes out as it was typed."""

    def __init__(self, reply: Dispatcher) -> None:
        self._dispatcher = reply
        self._connection = Connection()

    def call(self, method: str, **params: object) -> Any:
        line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        reply = self._dispatcher.reply(line.encode(), self._connection)
        assert reply is not None
        return json.loads(reply)

    def say(self, name: str, messages: Sequence[Any], *, session: str, key: str = "") -> object:
        told = {"userId": name, "sessionId": session, "messages": list(messages)}
        done = self.call("commit_turn", key=key, **told) if key else self.call("ingest_batch", **told)
        assert "error" not in done, done
        return done

    def look(self, name: str, *, session: str, ids: Sequence[str], summaries: Sequence[str]) -> list[object]:
        asked = {"userId": name, "sessionId": session}
        told = [self.call("search", question=QUESTION, userId=name, session=session, scopes=[one]) for one in Scope]
        told.append(self.call("search", question=QUESTION, userId=name, session=session))
        for mode in AssemblyMode:
            messages = ["Good morning"] if mode is AssemblyMode.WINDOW else []
            told.append(
                self.call("assemble", prompt=QUESTION, tokenBudget=4_000, mode=mode, messages=messages, **asked)
            )
            told.append(self.call("explain", userId=name))
        told += [self.call("why_not", id=id, userId=name) for id in ids]
        for scope in ("history", "durable", "elevated"):
            told += [self.call("read_memory", id=id, userId=name, scope=scope) for id in ids]
        told += [self.call("expand", summaryId=one, **asked) for one in summaries]
        told += [self.call("profile_show", userId=name), self.call("profile_rebuild", userId=name)]
        told += [self.call("export_memory", namespace=resolve_namespace(user=name))]
        told += [self.call("find_memory", id=id, userId=name) for id in ids]
        told += [self.call("list_memories", userId=name, scope=scope) for scope in ("durable", "history", "elevated")]
        told += [self.call("list_sessions", userId=name)]
        told += [self.call(method, userId=name) for method in ("list_turns", "list_receipts", "gate_scores")]
        told += [self.call("list_turns", userId=name, session=session), self.call("list_summaries", **asked)]
        told += [self.call("try_search", question=QUESTION, userId=name, session=session, k=50)]
        told += [self.call("preview_prompt", prompt=QUESTION, tokenBudget=4_000, **asked)]
        return [*told, self.call("gate_report", userId=name), self.call("judge", text=QUESTION, userId=name)]

    def keep(self, name: str, text: str) -> object:
        note = {"text": text, "collection": durable_memory(resolve_namespace(user=name))}
        return self.call("remember", notes=[note])

    def forget(self, name: str, ids: Sequence[str]) -> object:
        return self.call("forget", collection=durable_memory(resolve_namespace(user=name)), ids=list(ids))

    def leave(self, name: str) -> object:
        return self.call("flush_namespace", namespace=resolve_namespace(user=name))


def open_engine(store: Store, clock: Clock) -> Engine:
    """An engine that reads a few rules, and folds when it is told to."""
    embedder = WordsEmbedder()
    settings = EngineSettings(compaction=CompactionSettings(auto_tokens=0))
    return Engine(store=store, load_embedder=lambda _: embedder, clock=clock, read_rules=read_cues, settings=settings)


def dispatcher_of(engine: Engine, store: Store, clock: Clock) -> Dispatcher:
    """What a daemon does with each line, over an engine."""
    calls = Calls()
    storage = StorageMethods(engine, store, clock=clock, calls=calls, path="m.libravdb", journal_entries=9)
    transfers = TransferMethods(engine, folder=Path("nowhere") / "m.libravdb.exports")
    handlers = {
        **storage.handlers(),
        **EngineMethods(engine).handlers(),
        **LifecycleMethods(engine).handlers(),
        **MemoryMethods(engine, transfers).handlers(),
        **InspectionMethods(engine).handlers(),
    }
    return Dispatcher(handlers, calls=calls, guard=Guard(store, engine.masking), tokens=TokenRegistry.of_one(""))


def quietly(act: object) -> object:
    """What a door answers, or in words why it does not: an error is told to the person too."""
    assert callable(act)
    try:
        return act()
    except LibraError as error:
        return f"{error} {error.remedy}"
