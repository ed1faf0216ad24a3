"""Whose memory a call means: one rule, never an empty answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support import open_words_engine

from libravdb.engine.engine import Engine
from libravdb.errors import InvalidInput
from libravdb.memory import Memory
from libravdb.model import Scope
from libravdb.model.namespaces import resolve_namespace
from libravdb.testing import WordsEmbedder


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
        assert memory.engine.flush_namespace(" default ") > 0
        assert [info.name for info in memory.engine.collections() if info.records] == []


@pytest.mark.parametrize("namespace", ["", " \n"])
def test_no_verb_of_the_engine_takes_nobody(tmp_path: Path, namespace: str) -> None:
    with open_words_engine(tmp_path / "m.libravdb", WordsEmbedder()) as engine:
        verbs: dict[str, Callable[[], object]] = {
            "bootstrap": lambda: engine.bootstrap(session="s", namespace=namespace),
            "ingest": lambda: engine.ingest("hello", session="s", namespace=namespace),
            "ingest_batch": lambda: engine.ingest_batch(["hello"], session="s", namespace=namespace),
            "import_transcript": lambda: engine.import_transcript(["hello"], session="s", namespace=namespace),
            "commit_turn": lambda: engine.commit_turn(["hello"], session="s", namespace=namespace, key="k"),
            "judge": lambda: engine.judge("hello", namespace=namespace),
            "assemble": lambda: engine.assemble("hello", session="s", namespace=namespace, budget=100),
            "explain": lambda: engine.explain(namespace=namespace),
            "why_not": lambda: engine.why_not("x", namespace=namespace),
            "replay": lambda: engine.replay("x", namespace=namespace),
            "feedback": lambda: engine.feedback("x", useful=True, namespace=namespace),
            "gate_report": lambda: engine.gate_report(namespace=namespace),
            "restore_memory": lambda: engine.restore_memory("x", namespace=namespace),
            "search": lambda: engine.search("hello", namespace=namespace),
            "read": lambda: engine.read("x", namespace=namespace, scope=Scope.DURABLE),
            "flush_namespace": lambda: engine.flush_namespace(namespace),
        }
        takers = {
            name
            for name, verb in vars(Engine).items()
            if not name.startswith("_") and "namespace" in getattr(verb, "__annotations__", {})
        }
        assert verbs.keys() == takers
        for name, verb in verbs.items():
            with pytest.raises(InvalidInput, match="namespace: is empty") as caught:
                verb()
            assert caught.value.remedy, name
        assert engine.collections() == []
