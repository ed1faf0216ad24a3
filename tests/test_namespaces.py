"""Whose memory a call means: one rule, never an empty answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.namespaces import resolve_namespace


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
