"""The walk over real folders: what is found, what is refused and why, and what is left alone."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st
from tests.adapters.folders.shelves import write

from libravdb.adapters.folders.patterns import Selection
from libravdb.adapters.folders.scan import FolderScan, Unreadable, outermost, read_file, read_text, survey, with_digest
from libravdb.adapters.folders.settings import WatchSettings

as_user = pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unreadable for root")


def look(root: Path, *, within: list[Path] | None = None, **selection: object) -> FolderScan:
    return survey(
        [str(root)],
        Selection(WatchSettings(**selection)),  # type: ignore[arg-type]  # each test names what it needs
        within=None if within is None else [str(path) for path in within],
    )


def names(found: FolderScan, root: Path) -> list[str]:
    return sorted(os.path.relpath(path, root) for path in found.files)


def reasons(found: FolderScan, root: Path) -> dict[str, str]:
    return {os.path.relpath(each.path, root): each.reason for each in (*found.refused, *found.unknown)}


def test_notes_are_found_and_the_rest_is_left_alone(tmp_path: Path) -> None:
    for name in ("a.md", "b/c.markdown", "b/.obsidian/x.md", "node_modules/y.md", "z.txt", ".git/d.md", "e/.f.md"):
        write(tmp_path / name, "x")
    found = look(tmp_path)
    assert names(found, tmp_path) == ["a.md", "b/c.markdown"]
    assert reasons(found, tmp_path) == {}
    file = found.files[str(tmp_path / "a.md")]
    assert (file.size, file.mtime_ns, file.root) == (1, 1_600_000_000 * 10**9, str(tmp_path))


def test_gitignore_files_count_also_nested_ones_unless_told_otherwise(tmp_path: Path) -> None:
    for name in ("a.md", "drafts/b.md", "c/d.md", "c/e.md", "c/f/g.md"):
        write(tmp_path / name, "x")
    write(tmp_path / ".gitignore", "drafts/\n")
    write(tmp_path / "c" / ".gitignore", "e.md\nf/\n")
    assert names(look(tmp_path), tmp_path) == ["a.md", "c/d.md"]
    assert len(look(tmp_path, gitignore=False).files) == 5


def test_a_look_at_some_paths_obeys_the_same_rules_as_a_look_at_all(tmp_path: Path) -> None:
    for name in ("a.md", "drafts/b.md", "c/d.md", "c/e.md", "c/f/g.md", ".git/h.md"):
        write(tmp_path / name, "x")
    write(tmp_path / ".gitignore", "drafts/\n")
    everything = set(look(tmp_path).files)
    for path in [tmp_path, *tmp_path.rglob("*"), tmp_path / "gone.md", tmp_path / "a.md" / "below"]:
        below = {name for name in everything if Path(name) == path or path in Path(name).parents}
        if path.name != ".gitignore":
            assert set(look(tmp_path, within=[path]).files) == below
    assert set(look(tmp_path, within=[tmp_path / ".gitignore"]).files) == everything


TREES = st.recursive(
    st.sampled_from(["", "x", "long " * 50]),
    lambda inner: st.dictionaries(st.sampled_from(["a.md", "b.md", "c", ".d", "e.txt"]), inner, max_size=4),
    max_leaves=10,
)


def plant(folder: Path, tree: object) -> None:
    if isinstance(tree, dict):
        folder.mkdir(exist_ok=True)
        for name, inner in tree.items():
            plant(folder / name, inner)
    else:
        folder.write_text(str(tree))


@effort(max_examples=40)
@given(tree=TREES, data=st.data())
def test_in_any_tree_exactly_the_visible_markdown_files_are_found(
    tmp_path_factory: pytest.TempPathFactory, tree: object, data: st.DataObject
) -> None:
    root = tmp_path_factory.mktemp("tree")
    plant(root / "top", {"top": tree})
    expected = {
        str(path)
        for path in root.rglob("*.md")
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(root).parts)
    }
    assert set(look(root).files) == expected
    some = data.draw(st.lists(st.sampled_from([root, *root.rglob("*")]), max_size=3))
    below = {name for name in expected if any(Path(name) == path or path in Path(name).parents for path in some)}
    assert set(look(root, within=some).files) == below


def test_links_are_told_about_and_not_followed(tmp_path: Path) -> None:
    write(tmp_path / "out" / "secret.md", "x")
    root = tmp_path / "root"
    root.mkdir()
    (root / "folder").symlink_to(tmp_path / "out")
    (root / "file.md").symlink_to(tmp_path / "out" / "secret.md")
    (root / "picture.png").symlink_to(tmp_path / "out")
    found = look(root)
    assert found.files == {}
    assert set(reasons(found, root)) == {"folder", "file.md", "picture.png"}
    assert "watch.follow_links" in reasons(found, root)["file.md"]
    with pytest.raises(Unreadable):
        read_file(str(root / "file.md"), max_bytes=10)


def test_links_that_are_followed_end_where_they_have_been(tmp_path: Path) -> None:
    write(tmp_path / "out" / "x.md", "x")
    root = tmp_path / "root"
    write(root / "a" / "real.md", "x")
    (root / "a" / "up").symlink_to(root)
    (root / "a" / "self").symlink_to(root / "a" / "self")
    (root / "0.md").symlink_to(root / "a" / "real.md")
    (root / "out").symlink_to(tmp_path / "out")
    (root / "twice").symlink_to(tmp_path / "out")
    assert names(look(root, follow_links=True), root) == ["a/real.md", "out/x.md"]
    some = look(root, within=[root / "a"], follow_links=True)
    assert names(some, root) == ["a/real.md", "out/x.md"]


def test_a_file_that_is_too_large_is_refused_by_name(tmp_path: Path) -> None:
    write(tmp_path / "big.md", "x" * 11)
    write(tmp_path / "fits.md", "x" * 10)
    found = look(tmp_path, max_file_bytes=10)
    assert names(found, tmp_path) == ["fits.md"]
    assert reasons(found, tmp_path) == {"big.md": "has 11 bytes, at most 10 are taken (watch.max_file_bytes)"}
    with pytest.raises(Unreadable, match="at most 10"):
        read_file(str(tmp_path / "big.md"), max_bytes=10)


def test_a_name_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    try:
        (tmp_path / "caf\udce9.md").write_text("x")
    except OSError:
        pytest.skip("this file system takes no such names")
    assert [each.reason for each in look(tmp_path).refused] == ["has a name that is not UTF-8"]


def test_pipes_and_folders_that_are_called_like_notes_are_no_notes(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "folder.md").mkdir()
    assert look(tmp_path).files == {}
    with pytest.raises(Unreadable, match="not a regular file"):
        read_file(str(tmp_path / "pipe.md"), max_bytes=10)


@as_user
def test_a_folder_that_may_not_be_read_is_reported_and_what_lies_in_it_is_unknown(tmp_path: Path) -> None:
    write(tmp_path / "closed" / "a.md", "x")
    (tmp_path / "closed").chmod(0)
    try:
        found = look(tmp_path)
    finally:
        (tmp_path / "closed").chmod(0o700)
    assert [each.path for each in found.unknown] == [str(tmp_path / "closed")]


def test_a_root_that_is_missing_empty_or_no_folder_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    write(tmp_path / "file", "x")
    roots = [str(tmp_path / name) for name in ("gone", "empty", "file", "n\0l")]
    found = survey(roots, Selection(WatchSettings()))
    assert [each.path for each in found.unknown] == roots
    assert survey(roots[1:2], Selection(WatchSettings()), settled=frozenset(roots)).unknown == []


def test_with_nested_roots_each_file_is_seen_once_and_hidden_roots_are_fine(tmp_path: Path) -> None:
    write(tmp_path / "a.md", "x")
    write(tmp_path / ".inner" / "b.md", "x")
    write(tmp_path / "sub" / "c.md", "x")
    roots = [str(tmp_path), str(tmp_path / ".inner"), str(tmp_path / "sub")]
    found = survey(roots, Selection(WatchSettings()))
    assert names(found, tmp_path) == [".inner/b.md", "a.md", "sub/c.md"]
    assert found.files[str(tmp_path / "sub" / "c.md")].root == str(tmp_path)


def test_a_very_deep_tree_is_walked(tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(300):
        folder = folder / "d"
    write(folder / "x.md", "x")
    assert len(look(tmp_path).files) == 1


def test_text_is_utf8_with_or_without_a_mark_and_nothing_else() -> None:
    assert read_text(b"\xef\xbb\xbfcaf\xc3\xa9") == "café"
    assert read_text(b"") == ""
    with pytest.raises(Unreadable, match=r"not UTF-8 \(line 2\)"):
        read_text(b"fine\n\xff\xfe")


def test_the_digest_is_of_the_bytes(tmp_path: Path) -> None:
    write(tmp_path / "a.md", b"\xef\xbb\xbfx")
    (file,) = look(tmp_path).files.values()
    assert with_digest(file, Selection(WatchSettings())).digest == hashlib.sha256(b"\xef\xbb\xbfx").hexdigest()
    (tmp_path / "a.md").unlink()
    with pytest.raises(Unreadable, match="is gone"):
        with_digest(file, Selection(WatchSettings()))


@given(st.lists(st.sampled_from(["/", "/a", "/a/b", "/a/b/c", "/ab", "/b"])))
def test_the_outermost_paths_cover_all_and_none_lies_in_another(paths: list[str]) -> None:
    kept = outermost(paths)
    assert set(kept) <= set(paths)
    for path in paths:
        assert sum(path == top or path.startswith(top.rstrip("/") + "/") for top in kept) == 1
