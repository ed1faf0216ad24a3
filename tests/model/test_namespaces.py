"""Whose memory a call means: one rule, never an empty answer."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support import open_words_engine

from libravdb.engine.notes import NoteFile
from libravdb.errors import InvalidInput
from libravdb.memory import Memory
from libravdb.model import Scope
from libravdb.model.namespaces import PREFIXES, named, nameless_session, resolve_namespace, told_owner, unnamed
from libravdb.testing import WordsEmbedder
from libravdb.text.unicode import mend


@pytest.mark.parametrize(
    ("known", "namespace"),
    [
        ({"user": "anna", "session_key": "k", "agent": "a", "session": "s"}, "anna"),
        ({"session_key": "agent:main:x", "agent": "main", "session": "s"}, "session-key:agent:main:x"),
        ({"agent": "main", "session": "s"}, "agent-id:main"),
        ({"session": "s"}, "session:s"),
        ({}, "default"),
        ({"user": "  ", "session_key": "\n", "agent": "main"}, "agent-id:main"),
        ({"user": " anna "}, "anna"),
    ],
)
def test_the_most_personal_name_wins(known: dict[str, str], namespace: str) -> None:
    assert resolve_namespace(**known) == namespace


@given(st.text(), st.text(), st.text(), st.text())
def test_a_namespace_is_never_empty_and_always_storable(user: str, key: str, agent: str, session: str) -> None:
    namespace = resolve_namespace(user=user, session_key=key, agent=agent, session=session)
    assert namespace.strip() == namespace
    assert namespace.encode()


def test_an_agent_and_a_user_of_one_name_stay_apart() -> None:
    assert resolve_namespace(user="anna") != resolve_namespace(agent="anna") != resolve_namespace(session="anna")


def test_half_a_character_in_a_name_is_mended() -> None:
    assert resolve_namespace(user="an\ud800na") == "an\ufffdna"


@pytest.mark.parametrize("user", ["", "  ", "default", " default "])
def test_a_program_that_names_nobody_has_a_memory_all_the_same(tmp_path: Path, user: str) -> None:
    with Memory(open_words_engine(tmp_path / "m.libravdb", WordsEmbedder()), user=user) as memory:
        memory.ingest("I keep bees on the roof")
        memory.remember("The ladder is in the shed")
        assert memory.user == "default"
        assert {hit.record.text for hit in memory.search("bees ladder").hits} == {
            "I keep bees on the roof",
            "The ladder is in the shed",
        }
        assert memory.assemble("Where are my bees?").receipt == memory.explain().id
        assert memory.engine.deletions.flush_namespace(" default ") > 0
        assert [info.name for info in memory.engine.memories.collections() if info.records] == []


@pytest.mark.parametrize("namespace", ["", " \n"])
def test_no_verb_of_the_engine_takes_nobody(tmp_path: Path, namespace: str) -> None:
    with open_words_engine(tmp_path / "m.libravdb", WordsEmbedder()) as engine:
        note = NoteFile(path="a.md", content=b"a", mtime_ms=1)
        export = tmp_path / "export.jsonl"
        export.write_text("{}")
        verbs: dict[str, Callable[[], object]] = {
            "conversations.bootstrap": lambda: engine.conversations.bootstrap(session="s", namespace=namespace),
            "conversations.ingest": lambda: engine.conversations.ingest("hello", session="s", namespace=namespace),
            "conversations.ingest_batch": lambda: engine.conversations.ingest_batch(
                ["hello"], session="s", namespace=namespace
            ),
            "conversations.import_transcript": lambda: engine.conversations.import_transcript(
                ["hello"], session="s", namespace=namespace
            ),
            "conversations.commit_turn": lambda: engine.conversations.commit_turn(
                ["hello"], session="s", namespace=namespace, key="k"
            ),
            "compaction.expand": lambda: engine.compaction.expand("x", session="s", namespace=namespace),
            "gate.judge": lambda: engine.gate.judge("hello", namespace=namespace),
            "prompts.assemble": lambda: engine.prompts.assemble("hello", session="s", namespace=namespace, budget=100),
            "prompts.explain": lambda: engine.prompts.explain(namespace=namespace),
            "prompts.why_not": lambda: engine.prompts.why_not("x", namespace=namespace),
            "prompts.replay": lambda: engine.prompts.replay("x", namespace=namespace),
            "gate.feedback": lambda: engine.gate.feedback("x", useful=True, namespace=namespace),
            "gate.report": lambda: engine.gate.report(namespace=namespace),
            "gate.supersede": lambda: engine.gate.supersede("x", by="y", namespace=namespace),
            "inspection.list_turns": lambda: engine.inspection.list_turns(namespace=namespace),
            "inspection.list_summaries": lambda: engine.inspection.list_summaries("s", namespace=namespace),
            "inspection.list_receipts": lambda: engine.inspection.list_receipts(namespace=namespace),
            "inspection.gate_scores": lambda: engine.inspection.gate_scores(namespace=namespace),
            "inspection.changes": lambda: engine.inspection.changes(namespace=namespace),
            "inspection.try_search": lambda: engine.inspection.try_search("hello", namespace=namespace),
            "inspection.preview_prompt": lambda: engine.inspection.preview_prompt(
                "hello", session="s", namespace=namespace, budget=100
            ),
            "prompts.preview": lambda: engine.prompts.preview("hello", session="s", namespace=namespace, budget=100),
            "guidance.list": lambda: engine.guidance.list(namespace=namespace),
            "guidance.remove": lambda: engine.guidance.remove("x", namespace=namespace),
            "gate.restore": lambda: engine.gate.restore("x", namespace=namespace),
            "profile.show": lambda: engine.profile.show(namespace=namespace),
            "profile.rebuild": lambda: engine.profile.rebuild(namespace=namespace),
            "profile.pin": lambda: engine.profile.pin("x", namespace=namespace),
            "profile.edit": lambda: engine.profile.edit("x", "text", namespace=namespace),
            "profile.forget": lambda: engine.profile.forget("x", namespace=namespace),
            "search.__call__": lambda: engine.search("hello", namespace=namespace),
            "memories.read": lambda: engine.memories.read("x", namespace=namespace, scope=Scope.DURABLE),
            "memories.find": lambda: engine.memories.find("x", namespace=namespace),
            "memories.list": lambda: engine.memories.list(namespace=namespace),
            "memories.update": lambda: engine.memories.update("x", namespace=namespace, text="y"),
            "memories.history": lambda: engine.memories.history("x", namespace=namespace),
            "sessions.list": lambda: engine.sessions.list(namespace=namespace),
            "namespaces.export_file": lambda: engine.namespaces.export_file(tmp_path / "x", namespace=namespace),
            "namespaces.write_private": lambda: engine.namespaces.write_private(tmp_path / "y", namespace=namespace),
            "namespaces.import_file": lambda: engine.namespaces.import_file(export, namespace=namespace),
            "namespaces.import_lines": lambda: engine.namespaces.import_lines([], namespace=namespace),
            "erasures.erase": lambda: engine.erasures.erase(namespace),
            "deletions.flush_namespace": lambda: engine.deletions.flush_namespace(namespace),
            "deletions.let_turns_go": lambda: engine.deletions.let_turns_go(
                namespace, ["x"], still=lambda _, found: [*found]
            ),
            "deletions.let_memories_go": lambda: engine.deletions.let_memories_go(
                namespace, ["x"], still=lambda _, found: [*found]
            ),
            "deletions.move_namespace": lambda: engine.deletions.move_namespace(namespace, to_namespace="anna"),
            "deletions.forget_turns": lambda: engine.deletions.forget_turns(namespace=namespace, speaker="anna"),
            "notes.watch": lambda: engine.notes.watch(str(tmp_path), namespace=namespace),
            "notes.unwatch": lambda: engine.notes.unwatch(namespace=namespace),
            "notes.is_watched": lambda: engine.notes.is_watched(str(tmp_path), namespace=namespace),
            "notes.known": lambda: engine.notes.known(namespace=namespace),
            "notes.keep": lambda: engine.notes.keep(note, namespace=namespace),
            "notes.withdraw": lambda: engine.notes.withdraw("a.md", namespace=namespace),
            "notes.promote": lambda: engine.notes.promote("a diary", source_doc="DREAMS.md", namespace=namespace),
        }
        takers = {
            f"{part}.{name}"
            for part, does in vars(engine).items()
            for name, verb in vars(type(does)).items()
            if not part.startswith("_")
            and (not name.startswith("_") or name == "__call__")
            and "namespace" in getattr(verb, "__annotations__", {})
        }
        assert verbs.keys() == takers - {"gate.begin", "prompts.forget", "prompts.take_over", "deletions.leave"}, (
            "other parts call these"
        )
        for name, verb in verbs.items():
            with pytest.raises(InvalidInput, match="namespace: is empty") as caught:
                verb()
            assert caught.value.remedy, name
        assert engine.memories.collections() == []


# ── nobody can be taken for another ───────────────────────────────────────────────────────────────────────

KINDS = ("user", "session_key", "agent", "session")
NAMES = st.one_of(
    st.text(),
    st.sampled_from(["alice", "Alice", "alice:bob", "josé", "jose\u0301", "é", "default", "user:alice", " alice "]),
    st.tuples(st.sampled_from([*PREFIXES, "user-id:user-id:", "user-id:person:"]), st.text()).map("".join),
)


def meant(kind: str, value: str) -> tuple[str, str]:
    """Who is meant, apart from how his name was typed; nobody counts as the user `default`."""
    name = mend(value).strip() if kind == "session" else unicodedata.normalize("NFC", mend(value)).strip()
    return (kind, name) if name else ("user", "default")


@given(st.sampled_from(KINDS), NAMES, st.sampled_from(KINDS), NAMES)
def test_two_namespaces_are_the_same_only_if_the_same_is_meant(kind: str, one: str, other: str, two: str) -> None:
    are_the_same = resolve_namespace(**{kind: one}) == resolve_namespace(**{other: two})
    assert are_the_same == (meant(kind, one) == meant(other, two))


@given(st.sampled_from(KINDS), NAMES)
def test_a_namespace_that_was_resolved_is_named_as_it_is(kind: str, value: str) -> None:
    namespace = resolve_namespace(**{kind: value})
    assert named(namespace) == namespace


@pytest.mark.parametrize(
    "derived", ["session-key:agent:x", "agent-id:main", "session:s", "user-id:session:s", "user:x"]
)
def test_no_user_can_choose_a_derived_name(derived: str) -> None:
    assert resolve_namespace(user=derived) == f"user-id:{derived}"
    assert named(derived) == derived, "whoever names a namespace, not a user, still reaches it"


def test_clients_of_storage_tell_derived_names_themselves() -> None:
    told = {"agent-id:main": "agent-id:main", " jose\u0301": "josé", "user:x": "user-id:user:x", "anna": "anna"}
    assert {name: told_owner(name) for name in told} == told
    assert resolve_namespace(user="user:x") == told_owner("user:x")


def test_a_name_is_the_same_however_its_accents_were_typed() -> None:
    assert resolve_namespace(user="jose\u0301") == resolve_namespace(user="josé") == named("jose\u0301") == "josé"
    assert len({resolve_namespace(user=name) for name in ("alice", "Alice", "alice:bob")}) == 3


def test_sessions_of_two_spellings_are_two_and_so_is_what_came_without_a_name() -> None:
    assert unnamed("e\u0301") != unnamed("é")
    assert nameless_session(named(unnamed("e\u0301"))) == "e\u0301"


@given(st.sampled_from(["person:", "group:"]), st.text())
def test_nobody_can_choose_the_name_of_a_person_or_a_group_of_a_host(prefix: str, rest: str) -> None:
    chosen = resolve_namespace(user=prefix + rest)
    assert not chosen.startswith(("person:", "group:"))
    assert chosen == f"user-id:{unicodedata.normalize('NFC', mend(prefix + rest)).strip()}"


def test_the_plugin_derives_names_with_the_same_prefixes() -> None:
    code = Path(__file__).parents[2] / "plugins" / "openclaw" / "identity.js"
    found = re.search(r"DERIVED = \[(.*?)\]", code.read_text(encoding="utf-8"))
    assert found is not None
    assert set(re.findall(r'"([^"]+)"', found[1])) == set(PREFIXES)
