"""A session's state: as it stands on disk, read without harm whatever it holds, and changed without loss."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from libravdb.model import Json, SessionState
from libravdb.model.session_state import SessionMetadata

KNOWN = (
    "type", "namespaces", "continued_as", "formerly", "compaction_generation", "last_compacted_at", "last_summary_id",
    "updated_at",
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
HOSTILE = st.dictionaries(st.sampled_from(KNOWN) | st.text(max_size=3), JSON)
NEW = SessionMetadata.of(None)


def test_the_first_turn_begins_a_state_as_it_stands_on_disk() -> None:
    assert list(NEW.joined("alice", now=7).facts.items()) == [
        ("type", "session_state"),
        ("compaction_generation", 0),
        ("last_compacted_at", 0),
        ("last_summary_id", ""),
        ("updated_at", 7),
        ("namespaces", ["alice"]),
    ]
    assert NEW.joined(None, now=7).facts["namespaces"] == []


def test_a_state_knows_whose_turns_a_session_holds() -> None:
    shared = NEW.joined("bob", now=1).joined("alice:bob", now=2).joined("bob", now=3)
    assert shared.namespaces == ("alice:bob", "bob")
    assert shared.facts["updated_at"] == 1  # joining is no change of what was folded
    assert shared.left("bob").namespaces == ("alice:bob",)
    assert shared.left("alice").namespaces == shared.namespaces


def test_a_state_knows_the_names_of_a_session_that_began_anew() -> None:
    assert (NEW.continued_as, NEW.former_names, NEW.names) == ("", (), ())
    once = NEW.joined("a", now=1).renewed(name="s~2", former="s")
    twice = once.renewed(name="s~3", former="s~2")
    assert (once.facts["continued_as"], once.facts["formerly"]) == ("s~2", ["s"])
    assert twice.names == ("s", "s~2", "s~3")
    assert twice.namespaces == ("a",)


def test_a_state_counts_what_was_folded() -> None:
    folded = NEW.joined("a", now=1).compacted(summary="summary:1", now=5).compacted(summary="summary:2", now=9)
    assert folded.compactions == 2
    assert folded.facts == {
        "type": "session_state",
        "compaction_generation": 2,
        "last_compacted_at": 9,
        "last_summary_id": "summary:2",
        "updated_at": 9,
        "namespaces": ["a"],
    }
    assert NEW.compacted(summary="x", now=1).facts["type"] == "session_state"


@given(HOSTILE)
def test_whatever_a_state_holds_it_is_read_as_what_it_should_be_or_as_nothing(state: dict[str, Json]) -> None:
    told = SessionMetadata.of(SessionState(session="s", generation=1, state=state, at=0))
    assert all(isinstance(one, str) for one in (*told.namespaces, *told.former_names, *told.names, told.continued_as))
    assert isinstance(told.compactions, int)


@given(HOSTILE)
def test_a_change_keeps_what_it_does_not_know(state: dict[str, Json]) -> None:
    told = SessionMetadata(state)
    changed = (
        told.joined("a", now=1),
        told.left("a"),
        told.renewed(name="s~2", former="s"),
        told.compacted(summary="x", now=1),
    )
    for after in changed:
        assert all(key in after.facts for key in state)
        assert all(after.facts[key] == value for key, value in state.items() if key not in KNOWN)
