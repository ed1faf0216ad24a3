"""Names of collections: on disk and on the wire as ever, told apart whatever their owners are called, spelled once."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.spelling import misspelled, misspelled_in, texts_of

from libravdb.model import Scope, Tier
from libravdb.model import collections as names
from libravdb.model.collections import (
    AUTHORED,
    NAMESPACE_KINDS,
    PROJECTED_KINDS,
    SESSION_KINDS,
    CollectionKind,
    CollectionName,
    namespace_collections,
    namespace_of,
    parse_collection,
    prefix,
    scope_of,
    session_collections,
    session_of,
)

OWNED = (*SESSION_KINDS, *PROJECTED_KINDS, *NAMESPACE_KINDS)
FIXED = tuple(kind for kind in CollectionKind if kind is not CollectionKind.CUSTOM and kind not in OWNED)
HOSTILE = ("", "alice", "alice:bob", ":", "::", "a%3Ab", "%", "session:s", "user:alice", "elevated:session:s", "global")
OWNERS = st.text() | st.sampled_from(HOSTILE)
BEGINNINGS = ("", *(f"{kind}:" for kind in OWNED), *(f"{kind}:" for kind in FIXED), "elevated:", "authored:", "session")


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        (names.session_view, "session:o"),
        (names.raw_turns, "session_raw:o"),
        (names.session_summaries, "session_summary:o"),
        (names.commit_markers, "session_commit:o"),
        (names.session_guidance, "elevated:session:o"),
        (names.durable_memory, "user:o"),
        (names.turn_index, "turns:o"),
        (names.turn_history, "history:o"),
        (names.user_guidance, "elevated:user:o"),
        (names.dream_entries, "dream:o"),
        (names.prompt_receipts, "receipts:o"),
        (names.profile_of, "profile:o"),
        (names.agent_notes, "agent_notes:o"),
        (names.curated_notes, "curated_notes:o"),
    ],
)
def test_a_name_is_spelled_as_it_stands_on_disk(name: Callable[[str], str], spelled: str) -> None:
    """Stores and clients of earlier versions know these names: changing one loses what stands under it."""
    assert name("o") == spelled


def test_what_belongs_together_and_what_all_share_is_spelled_as_it_stands_on_disk() -> None:
    assert session_collections("s") == (
        "session:s", "session_raw:s", "session_recall:s", "session_summary:s", "session_commit:s", "elevated:session:s",
    )  # fmt: skip
    assert namespace_collections("n") == (
        "user:n", "turns:n", "history:n", "elevated:user:n", "dream:n", "receipts:n", "profile:n",
        "agent_notes:n", "curated_notes:n", "former:n",
    )  # fmt: skip
    assert [prefix(kind) for kind in PROJECTED_KINDS] == ["session_edge:", "session_state:"]
    assert AUTHORED == {Tier.HARD: "authored:hard", Tier.SOFT: "authored:soft", Tier.LORE: "authored:variant"}
    assert names.SHARED == "global"
    assert names.DOCUMENTS == "_internal:authored_documents"
    assert names.LIFECYCLE_JOURNAL == "_internal:lifecycle_journal"


@given(st.sampled_from(OWNED), OWNERS)
def test_a_name_tells_its_kind_and_its_owner_whatever_the_owner_is_called(kind: CollectionKind, owner: str) -> None:
    name = CollectionName(kind=kind, owner=owner)
    assert str(name) == prefix(kind) + owner
    assert parse_collection(str(name)) == name


@pytest.mark.parametrize("kind", FIXED)
def test_what_all_share_has_no_owner(kind: CollectionKind) -> None:
    assert str(CollectionName(kind=kind)) == kind.value
    assert parse_collection(kind.value) == CollectionName(kind=kind)


@given(st.builds("{}{}".format, st.sampled_from(BEGINNINGS), OWNERS))
def test_any_name_at_all_can_be_read_and_written_again(name: str) -> None:
    assert str(parse_collection(name)) == name


@given(OWNERS)
def test_a_collection_belongs_to_exactly_its_owner(owner: str) -> None:
    assert {session_of(name) for name in session_collections(owner)} == {owner}
    assert {namespace_of(name) for name in namespace_collections(owner)} == {owner}
    assert {namespace_of(name) for name in session_collections(owner)} == {None}
    assert {session_of(name) for name in namespace_collections(owner)} == {None}


@given(OWNERS, OWNERS)
def test_two_owners_never_share_a_collection(one: str, other: str) -> None:
    if one != other:
        assert not {*session_collections(one)} & {*session_collections(other)}
        assert not {*namespace_collections(one)} & {*namespace_collections(other)}
    assert not {*session_collections(one)} & {*namespace_collections(other)}


@pytest.mark.parametrize(
    "name",
    ["", "notes", "session", "user", "elevated:session", "elevated:x", "authored:other", "global:x", "Session:s"],
)
def test_a_name_of_a_clients_own_belongs_to_nobody(name: str) -> None:
    assert parse_collection(name) == CollectionName(kind=CollectionKind.CUSTOM, owner=name)
    assert (session_of(name), namespace_of(name)) == (None, None)


def test_a_name_tells_its_scope() -> None:
    told = {
        "session:s": Scope.SESSION,
        "session_raw:s": Scope.SESSION,
        "session_summary:s": Scope.SUMMARY,
        "elevated:user:n": Scope.ELEVATED,
        "elevated:session:s": Scope.ELEVATED,
        "elevated:of a client": Scope.ELEVATED,
        "user:n": Scope.DURABLE,
        "turns:n": Scope.HISTORY,
        "history:n": Scope.HISTORY,
        "authored:variant": Scope.LORE,
        "authored:hard": Scope.GLOBAL,
        "global": Scope.GLOBAL,
        "notes": Scope.GLOBAL,
    }
    assert {name: scope_of(name) for name in told} == told


# ── spelled once ──────────────────────────────────────────────────────────────────────────────────────────

ELSEWHERE = (
    "model/collections.py",
    "model/namespaces.py",  # a namespace named after a session begins with "session:"
    "model/record_ids.py",  # the id of an entry of a dream diary begins with "dream:"
    "model/session_state.py",  # a state tells its kind, "session_state", as clients list it
)
SPELLED = (*(f"{kind}:" for kind in OWNED), "elevated:", "authored:", "_internal:")
WORDS = {kind.value for kind in CollectionKind if {"_", ":"} & {*kind.value}}
READS = {"get", "scan", "latest", "holding", "collections", "speakers", "sizes", "page"}


def spelled_names(node: ast.AST) -> Iterator[ast.expr]:
    """Texts that begin as a collection's name does, and f-strings that are given as one."""
    for constant, text in texts_of(node):
        if text.startswith(SPELLED) or text in WORDS:
            yield constant
    if isinstance(node, ast.keyword) and node.arg == "collection" and isinstance(node.value, ast.JoinedStr):
        yield node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in READS:
        is_asked = ast.unparse(node.func.value).endswith(("store", "engine", "snapshot"))
        yield from (each for each in node.args[:1] if is_asked and isinstance(each, ast.JoinedStr))


def test_no_name_is_spelled_outside_its_module() -> None:
    assert misspelled(spelled_names, except_in=ELSEWHERE) == []


@pytest.mark.parametrize(
    "code",
    [
        'store.scan(f"session_raw:{session}")',
        'store.get(f"{scope}:{session}", id)',
        'self._store.latest(f"{scope}:{session}", limit=1)',
        'Put(collection=f"{scope}:{session}", id=id)',
        'name.startswith("history:")',
        'name.removeprefix("elevated:user:")',
        'scope in ("session_summary", "session_raw")',
        'LORE = "authored:variant"',
        'RECEIPTS = "receipts:"',
        'JOURNAL = "_internal:lifecycle_journal"',
    ],
)
def test_a_name_that_is_spelled_is_found(code: str) -> None:
    assert misspelled_in(code, spelled_names)


@pytest.mark.parametrize(
    "code", ['Role("user")', 'kind = "session"', 'f"{host}:{port}"', 'told.get("history")', '"the user: nobody"']
)
def test_words_that_name_no_collection_are_left_alone(code: str) -> None:
    assert misspelled_in(code, spelled_names) == []
