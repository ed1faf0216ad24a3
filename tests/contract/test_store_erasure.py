"""What every store can say of itself and of what was deleted in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.contract.stores import KINDS, open_store
from tests.puts import put

from libravdb.core.erasure.fragments import cut_all
from libravdb.model import DeletedContent, DropCollection, StoreCopy
from libravdb.ports.store import Store
from libravdb.text.analysis import index_terms

TEXT = "The zanzibar ferry leaves the northern quay at seventeen minutes past four."
DELETED = DeletedContent(terms=frozenset(index_terms(TEXT)), pieces=cut_all([TEXT.encode()]))


@pytest.mark.parametrize("kind", KINDS)
def test_no_two_stores_are_the_same_one(kind: str, tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    with open_store(kind, tmp_path) as one, open_store(kind, tmp_path / "b") as other:
        assert one.maintenance.identity() == one.maintenance.identity() != other.maintenance.identity()
        assert one.maintenance.secret() == one.maintenance.secret() != other.maintenance.secret()
        assert len(one.maintenance.secret()) == 32


def test_the_newest_commit_is_known_by_its_number(store: Store) -> None:
    first = store.commit([put("c", "a", TEXT)]).revision
    assert store.maintenance.revision() == first
    second = store.commit([put("c", "b", TEXT)]).revision
    assert store.maintenance.revision() == second > first


def test_copies_are_remembered_once_each_and_are_no_commits(store: Store, tmp_path: Path) -> None:
    before = store.maintenance.revision()
    (tmp_path / "there").touch()
    there = StoreCopy(kind="backup", path=str(tmp_path / "there"), at=9)
    gone = StoreCopy(kind="export", path=str(tmp_path / "gone"), at=5, exists=False)
    for copy in (there, gone, there):
        store.maintenance.note_copy(copy)
    assert store.maintenance.copies() == (gone, there)
    assert store.maintenance.revision() == before


@pytest.mark.parametrize("is_anew", [False, True])
def test_nothing_is_left_of_what_was_deleted_and_wiped(store: Store, *, is_anew: bool) -> None:
    store.commit([put("user:a", str(n), f"{TEXT} {n}") for n in range(50)] + [put("user:b", "x", "tea with lemon")])
    store.commit([DropCollection(name="user:a")])
    store.maintenance.purge(is_anew=is_anew)
    checks = store.maintenance.residue(DELETED)
    assert {check.name for check in checks} >= {"texts", "vectors", "index"}
    assert [check for check in checks if not check.is_passed] == []
    with store.read() as snapshot:
        assert [record.text for record in snapshot.page("user:b").items] == ["tea with lemon"]


def test_what_somebody_else_holds_is_no_residue(store: Store) -> None:
    store.commit([put("user:a", "x", TEXT), put("user:b", "x", f"{TEXT} As I said.")])
    store.commit([DropCollection(name="user:a")])
    store.maintenance.purge()
    assert all(check.is_passed for check in store.maintenance.residue(DELETED))


def test_the_change_token_is_another_one_after_every_commit_and_the_same_in_between(store: Store) -> None:
    tokens = [store.maintenance.change_token()]
    for number in range(3):
        store.commit([put("c", f"{number}", TEXT)])
        tokens.append(store.maintenance.change_token())
        with store.read() as snapshot:
            snapshot.sizes(["c"])
        assert store.maintenance.change_token() == tokens[-1]
    assert len(set(tokens)) == len(tokens)
