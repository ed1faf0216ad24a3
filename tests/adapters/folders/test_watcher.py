"""The watcher over a real file system: what it does, what it tells, and what it leaves alone."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from tests.adapters.folders.shelves import DEADLINE, NOW, OLD, Reader, Shelf, following, make, write
from tests.support import open_words_engine

from libravdb.errors import InvalidInput, StoreClosed, StoreFull
from libravdb.model import Authored, Did
from libravdb.testing import WordsEmbedder


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    write(folder / "a.md", "alpha")
    write(folder / "sub" / "b.md", "beta")
    return folder


# ── one pass ──────────────────────────────────────────────────────────────────────────────────────────────


def test_a_first_pass_takes_all_and_a_second_reads_no_file_and_writes_nothing(shelf: Shelf, root: Path) -> None:
    assert make(shelf, root).sync().counts == {Did.ADDED: 2}
    assert shelf.texts(root) == {"a.md": "alpha", "sub/b.md": "beta"}
    shelf.calls.clear()
    for path in root.rglob("*.md"):
        path.chmod(0)  # root may read all the same; others would fail
    tally = make(shelf, root).sync()
    assert (tally.counts, tally.unchanged, tally.documents) == ({}, 2, 2)
    assert shelf.calls == []
    assert shelf.reads == 2


def test_changes_between_two_passes_are_carried_out(shelf: Shelf, root: Path) -> None:
    make(shelf, root).sync()
    shelf.calls.clear()
    write(root / "a.md", "alpha two")
    (root / "sub" / "b.md").rename(root / "c.md")
    write(root / "d.md", "delta")
    assert make(shelf, root).sync().counts == {Did.ADDED: 1, Did.CHANGED: 1, Did.RENAMED: 1}
    assert shelf.texts(root) == {"a.md": "alpha two", "c.md": "beta", "d.md": "delta"}
    assert shelf.calls[:2] == ["author c.md", "withdraw b.md"], "the new name first, so that nothing is embedded again"


def test_a_touched_file_gets_its_new_time_and_counts_as_unchanged(shelf: Shelf, root: Path) -> None:
    make(shelf, root).sync()
    write(root / "a.md", "alpha", at=OLD + 100)
    assert make(shelf, root).sync().counts == {}
    assert shelf.held[str(root / "a.md")].source_meta["sourceMtimeMs"] == (OLD + 100) * 1000
    shelf.calls.clear()
    make(shelf, root).sync()
    assert shelf.calls == []


def test_a_document_carries_where_it_came_from(shelf: Shelf, root: Path) -> None:
    make(shelf, root).sync()
    assert shelf.held[str(root / "a.md")].source_meta == {
        "sourceRoot": str(root),
        "sourcePath": str(root / "a.md"),
        "sourceKind": "watched-note",
        "fileHash": "8ed3f6ad685b959ead7022518e1af76cd816f8e8ec7ccdda1ed4018e8f2223f8",
        "sourceSize": 5,
        "sourceMtimeMs": OLD * 1000,
        "ingestVersion": 1,
        "hashBackend": "sha256",
    }


def test_only_what_came_from_a_watched_folder_is_ever_withdrawn(shelf: Shelf, root: Path) -> None:
    make(shelf, root).sync()
    shelf.author(str(root / "by hand.md"), "mine", source_meta={})
    shelf.author("/elsewhere/x.md", "far", source_meta={"sourceKind": "watched-note"})
    write(root.parent / "notes-2" / "x.md", "near")
    make(shelf, root.parent / "notes-2").sync()
    (root / "a.md").unlink()
    make(shelf, root).sync()
    assert set(shelf.held) == {
        str(root / "sub" / "b.md"),
        str(root / "by hand.md"),
        "/elsewhere/x.md",
        str(root.parent / "notes-2" / "x.md"),
    }


def test_what_was_added_by_hand_is_kept_up_to_date_and_neither_demoted_nor_withdrawn(shelf: Shelf, root: Path) -> None:
    rules = write(root / "rules.md", "- be kind")
    shelf.author(str(rules), "- be kind", core=True, source_meta={"sourceKind": "file"})
    make(shelf, root).sync()
    write(rules, "- be very kind")
    assert make(shelf, root).sync().counts == {Did.CHANGED: 1}
    held = shelf.held[str(rules)]
    assert (held.text, held.core, held.source_meta["sourceKind"]) == ("- be very kind", True, "file")
    rules.unlink()
    assert make(shelf, root).sync().counts == {}
    assert str(rules) in shelf.held


@pytest.mark.parametrize("how", ["moved away", "an empty mount point"])
def test_a_root_that_is_not_mounted_withdraws_nothing_and_is_reported(shelf: Shelf, root: Path, how: str) -> None:
    make(shelf, root).sync()
    root.rename(root.with_name("unmounted"))
    if how == "an empty mount point":
        root.mkdir()
    reader = Reader()
    assert make(shelf, root, tell=reader).sync().counts == {Did.PROBLEM: 1}
    assert "what is known of it stays" in reader.news[0].detail
    assert len(shelf.held) == 2


def test_a_refused_note_keeps_its_last_accepted_version_and_is_told_with_the_reason(shelf: Shelf, root: Path) -> None:
    make(shelf, root).sync()
    write(root / "a.md", b"\xff\xfe")
    write(root / "sub" / "b.md", "this is too hard")
    write(root / "big.md", "x" * 100)
    reader = Reader()
    make(shelf, root, max_file_bytes=50, tell=reader).sync()
    told = {Path(news.path).name: news.detail for news in reader.news}
    assert told["a.md"].startswith("is not UTF-8")
    assert told["b.md"] == "document: is too hard."
    assert told["big.md"].startswith("has 100 bytes")
    assert shelf.texts(root) == {"a.md": "alpha", "sub/b.md": "beta"}


def test_core_is_what_the_user_asked_for_and_a_changed_wish_is_carried_out(shelf: Shelf, root: Path) -> None:
    write(root / "AGENTS.md", "- be kind")
    make(shelf, root).sync()
    assert not shelf.held[str(root / "AGENTS.md")].core
    assert make(shelf, root, core=("/AGENTS.md",)).sync().counts == {Did.CHANGED: 1}
    assert shelf.held[str(root / "AGENTS.md")].core


def test_a_core_document_whose_rules_do_not_fit_twice_is_renamed_all_the_same(root: Path) -> None:
    class Small(Shelf):
        def author(self, source_doc: str, text: str, **told: Any) -> Authored:
            if len(self.held) >= 2 and source_doc not in self.held:
                raise InvalidInput("document", "does not fit beside the others")
            return super().author(source_doc, text, **told)

    small = Small()
    make(small, root).sync()
    (root / "a.md").rename(root / "z.md")
    reader = Reader()
    assert make(small, root, tell=reader).sync().counts == {Did.RENAMED: 1}
    assert small.texts(root) == {"z.md": "alpha", "sub/b.md": "beta"}


def test_what_keeps_the_library_from_working_is_raised(shelf: Shelf, root: Path) -> None:
    shelf.trouble = StoreFull("/data", "no room")
    with pytest.raises(StoreFull):
        make(shelf, root).sync()


def test_without_folders_there_is_nothing_to_watch(shelf: Shelf) -> None:
    with pytest.raises(InvalidInput, match="folders"):
        make(shelf)


# ── following ─────────────────────────────────────────────────────────────────────────────────────────────


def test_each_kind_of_change_arrives(shelf: Shelf, root: Path) -> None:
    with following(shelf, root) as (watcher, reader):
        assert watcher.state().mode == "notified"
        (root / "new.md").write_text("new")
        reader.wait_for(Did.ADDED, "new.md")
        (root / "new.md").write_text("new again")
        reader.wait_for(Did.CHANGED, "new.md")
        (root / "new.md").rename(root / "sub" / "moved.md")
        assert Path(reader.wait_for(Did.RENAMED, "moved.md").detail).name == "new.md"
        (root / "sub" / "moved.md").unlink()
        reader.wait_for(Did.REMOVED, "moved.md")
        state = watcher.state()
        assert (state.documents, state.problem_count, state.waiting) == (2, 0, 0)
        assert state.last_change == NOW
    assert watcher.state().mode == "stopped"


def test_an_editor_that_writes_by_rename_makes_one_change(shelf: Shelf, root: Path) -> None:
    with following(shelf, root, debounce_ms=200) as (_, reader):
        for number in range(3):
            (root / ".a.md.tmp").write_text(f"draft {number}")
            (root / ".a.md.tmp").replace(root / "a.md")
        reader.wait_for(Did.CHANGED, "a.md")
        (root / "end.md").write_text("end")
        reader.wait_for(Did.ADDED, "end.md")
    assert shelf.texts(root)["a.md"] == "draft 2"
    assert shelf.calls.count("author a.md") == 2, "once in the first scan, once for the burst"


def test_a_whole_folder_comes_and_goes(shelf: Shelf, root: Path, tmp_path: Path) -> None:
    write(tmp_path / "outside" / "deep" / "x.md", "x")
    write(tmp_path / "outside" / "y.md", "y")
    with following(shelf, root) as (_, reader):
        (tmp_path / "outside").rename(root / "inside")
        reader.wait_for(Did.ADDED, "x.md")
        reader.wait_for(Did.ADDED, "y.md")
        (root / "inside").rename(root / "elsewhere")
        reader.wait_for(Did.RENAMED, "x.md")
        reader.wait_for(Did.RENAMED, "y.md")
        (root / "elsewhere").rename(tmp_path / "outside")
        reader.wait_for(Did.REMOVED, "x.md")
        reader.wait_for(Did.REMOVED, "y.md")
    assert set(shelf.texts(root)) == {"a.md", "sub/b.md"}


def test_a_burst_of_files_arrives_whole(shelf: Shelf, root: Path) -> None:
    with following(shelf, root) as (_, reader):
        for number in range(300):
            (root / f"{number}.md").write_text(f"note {number}")
        reader.wait_for(Did.ADDED, count=2 + 300)
    assert shelf.texts(root)["299.md"] == "note 299"
    assert shelf.reads == 1


def test_a_gitignore_that_changes_changes_what_is_known(shelf: Shelf, root: Path) -> None:
    with following(shelf, root) as (_, reader):
        (root / ".gitignore").write_text("sub/\n")
        reader.wait_for(Did.REMOVED, "b.md")
        (root / ".gitignore").unlink()
        reader.wait_for(Did.ADDED, "b.md", count=2)


def test_the_last_note_of_a_folder_can_be_deleted(shelf: Shelf, tmp_path: Path) -> None:
    write(tmp_path / "one" / "a.md", "alpha")
    with following(shelf, tmp_path / "one") as (_, reader):
        (tmp_path / "one" / "a.md").unlink()
        reader.wait_for(Did.REMOVED, "a.md")
    assert shelf.held == {}


def test_a_refused_note_is_not_tried_again_until_it_changes(shelf: Shelf, root: Path) -> None:
    with following(shelf, root) as (watcher, reader):
        write(root / "c.md", "too hard", at=OLD)
        reader.wait_for(Did.REFUSED, "c.md")
        os.utime(root, (OLD, OLD))
        (root / "d.md").write_text("delta")
        reader.wait_for(Did.ADDED, "d.md")
        assert shelf.calls.count("author c.md") == 1
        assert watcher.state().problems == (f"{root / 'c.md'}: document: is too hard.",)
        write(root / "c.md", "softer", at=OLD + 1)
        reader.wait_for(Did.ADDED, "c.md")
        assert watcher.state().problem_count == 0


def test_what_is_saved_during_a_first_scan_does_not_wait_for_its_end(root: Path) -> None:
    for number in range(50):
        write(root / f"{number:02}.md", f"note {number}")
    inside, go_on = threading.Event(), threading.Event()

    class Slow(Shelf):
        def author(self, source_doc: str, text: str, **told: Any) -> Authored:
            done = super().author(source_doc, text, **told)
            if source_doc.endswith("05.md"):
                inside.set()
                assert go_on.wait(DEADLINE)
            return done

    slow, reader = Slow(), Reader()
    watcher = make(slow, root, tell=reader, debounce_ms=0)
    thread = threading.Thread(target=watcher.follow)
    thread.start()
    try:
        assert inside.wait(DEADLINE)
        (root / "urgent.md").write_text("now")
        with watcher._inbox._changed:
            assert watcher._inbox._changed.wait_for(lambda: bool(watcher._inbox._due), DEADLINE)
        go_on.set()
        reader.wait_for(Did.READY)
        added = [Path(news.path).name for news in reader.news if news.did is Did.ADDED]
        assert added.index("urgent.md") < added.index("49.md")
    finally:
        go_on.set()
        watcher.stop()
        thread.join(DEADLINE)


def test_where_notifications_fail_it_looks_again_and_again(shelf: Shelf, root: Path) -> None:
    with following(shelf, root, polling=True, poll_seconds=0.01) as (watcher, reader):
        assert watcher.state().mode == "polling"
        write(root / "c.md", "gamma")
        reader.wait_for(Did.ADDED, "c.md")
        (root / "c.md").unlink()
        reader.wait_for(Did.REMOVED, "c.md")
    assert shelf.reads == 1


def test_a_long_first_scan_that_is_looked_at_again_does_nothing_twice(root: Path) -> None:
    for number in range(50):
        write(root / f"{number:02}.md", f"note {number}")
    looks = threading.Semaphore(0)

    class Slow(Shelf):
        def author(self, source_doc: str, text: str, **told: Any) -> Authored:
            done = super().author(source_doc, text, **told)
            if source_doc.endswith("5.md"):
                assert looks.acquire(timeout=DEADLINE), "the clock has said to look again"
            return done

    slow, reader = Slow(), Reader()
    watcher = make(slow, root, tell=reader, polling=True, poll_seconds=0.01)
    add = watcher._inbox.add

    def added(paths: Iterable[str], *, after: float | None = None, elapsed: float = 0.0) -> None:
        add(paths, after=after, elapsed=elapsed)
        looks.release()

    watcher._inbox.add = added  # type: ignore[method-assign]  # tells when the clock has spoken
    thread = threading.Thread(target=watcher.follow)
    thread.start()
    try:
        reader.wait_for(Did.ADDED, count=52)
    finally:
        watcher.stop()
        thread.join(DEADLINE)
    assert sorted(slow.calls) == sorted(f"author {path.name}" for path in root.rglob("*.md"))


def test_a_library_in_trouble_is_left_alone_and_then_caught_up_with(
    shelf: Shelf, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("libravdb.adapters.folders.watcher.RETRY_SECONDS", 0.05)
    with following(shelf, root) as (watcher, reader):
        shelf.trouble = StoreFull("/data", "no room")
        (root / "c.md").write_text("gamma")
        reader.wait_for(Did.PROBLEM)
        assert "/data: no room." in watcher.state().problems
        shelf.trouble = None
        reader.wait_for(Did.ADDED, "c.md")
        assert watcher.state().problems == ()
        assert len([news for news in reader.news if news.did is Did.PROBLEM]) == 1


def test_a_library_that_closes_ends_the_watch(shelf: Shelf, root: Path) -> None:
    shelf.trouble = StoreClosed("/data", "closed")
    make(shelf, root).follow()
    assert shelf.held == {}


# ── over the real engine ──────────────────────────────────────────────────────────────────────────────────


def test_over_the_engine_only_new_words_are_embedded(root: Path, tmp_path: Path) -> None:
    embedder = WordsEmbedder()
    with open_words_engine(tmp_path / "data.libravdb", embedder) as engine:

        def sync(**counts: int) -> list[str]:
            embedder.embedded.clear()
            assert {str(did): count for did, count in make(engine.documents, root).sync().counts.items()} == counts
            return list(embedder.embedded)

        assert sorted(sync(added=2)) == ["alpha", "beta"]
        assert sync() == []
        (root / "a.md").rename(root / "z.md")
        assert sync(renamed=1) == []
        write(root / "z.md", "alpha\n\ngamma")
        assert sync(changed=1) == ["gamma"]
        (root / "z.md").unlink()
        assert sync(removed=1) == []
        assert [hit.record.text for hit in engine.search("beta", collections=["authored:variant"]).hits] == ["beta"]
