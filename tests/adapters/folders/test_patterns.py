"""Which files count: patterns, .gitignore files, and patterns that make no sense."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.adapters.folders.patterns import Ignored, Selection, fault_of
from libravdb.adapters.folders.settings import WatchSettings
from libravdb.errors import InvalidInput

NAMES = st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=12)


@pytest.mark.parametrize("name", ["a.md", "a/b.markdown", "deep/er/ünï.md", "with space.md"])
def test_markdown_files_count_wherever_they_lie(name: str) -> None:
    assert Selection(WatchSettings()).wants(name)


@pytest.mark.parametrize("name", ["a.txt", "a.md.swp", ".#a.md", "notes/.hidden.md", "md", "A.MD"])
def test_other_files_and_what_editors_leave_behind_do_not_count(name: str) -> None:
    assert not Selection(WatchSettings()).wants(name)


def test_patterns_choose_by_name_by_path_and_by_folder() -> None:
    assert not Selection(WatchSettings()).wants("folder.md/binary")
    daily = Selection(WatchSettings(include=("daily/*.md", "journal/")))
    assert daily.wants("daily/a.md")
    assert not daily.wants("a.md")
    assert daily.wants("old/journal/2020/a.txt")
    but = Selection(WatchSettings(include=("*.md", "!draft*.md")))
    assert but.wants("a/b.md")
    assert not but.wants("a/draft 1.md")


@pytest.mark.parametrize("folder", [".git", ".obsidian", ".trash", "a/.hidden", "node_modules", "a/node_modules"])
def test_hidden_folders_and_packages_are_not_entered(folder: str) -> None:
    assert not Selection(WatchSettings()).enters(folder)
    assert not Selection(WatchSettings()).concerns(f"{folder}/x.md")
    assert Selection(WatchSettings()).enters("notes")


def test_a_changed_gitignore_is_of_concern_though_it_is_hidden() -> None:
    assert Selection(WatchSettings()).concerns("a/.gitignore")
    assert not Selection(WatchSettings()).concerns(".git/.gitignore")


def test_only_what_the_user_names_is_core() -> None:
    assert not Selection(WatchSettings()).is_core("AGENTS.md")
    selection = Selection(WatchSettings(core=("/AGENTS.md",)))
    assert selection.is_core("AGENTS.md")
    assert not selection.is_core("vendor/AGENTS.md")


@pytest.mark.parametrize("pattern", ["!", "\\", "[z-a]", "[[:alpha:]]", "*a*b*c*d", "**/a/**/b/**", "x" * 1001])
def test_a_pattern_that_makes_no_sense_is_refused_by_name(pattern: str) -> None:
    assert fault_of(pattern)
    with pytest.raises(InvalidInput, match="exclude"):
        Selection(WatchSettings(exclude=(pattern,)))


@given(st.text(max_size=40))
def test_any_text_is_a_pattern_or_is_refused_and_never_breaks(pattern: str) -> None:
    if not fault_of(pattern):
        Selection(WatchSettings(include=(pattern,))).wants("a/b.md")
    Ignored().with_file("/r", pattern.encode("utf-8", "surrogatepass")).covers("/r/a/b.md")


def test_a_hostile_pattern_is_skipped_and_not_tried() -> None:
    ignored = Ignored().with_file("/r", b"*a" * 40 + b"c\nb.md\n")
    assert not ignored.covers("/r/" + "a" * 250)
    assert ignored.covers("/r/b.md")


def test_the_deepest_gitignore_that_says_something_decides() -> None:
    outer = Ignored().with_file("/r", b"# a comment\n\ndrafts/\n*.tmp.md\n")
    inner = outer.with_file("/r/a", b"!keep.tmp.md\n/only-here.md\n")
    assert outer.covers("/r/drafts", is_folder=True)
    assert not outer.covers("/r/drafts")
    assert inner.covers("/r/a/x.tmp.md")
    assert not inner.covers("/r/a/keep.tmp.md")
    assert inner.covers("/r/a/only-here.md")
    assert not inner.covers("/r/a/b/only-here.md")


@given(NAMES, NAMES)
def test_a_file_in_no_excluded_folder_and_not_excluded_itself_is_of_concern(folder: str, name: str) -> None:
    selection = Selection(WatchSettings(exclude=("never/",)))
    assert selection.concerns(f"{folder}/{name}") == (folder != "never")
