"""The documents' commands as a person meets them, alone and through a running daemon."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.served import Start

import libravdb
from libravdb.cli.app import main

RULES = "---\ntitle: x\n---\n# Rules\n\n- be kind\n  - to all\n\n> We stay calm.\n\nSome lore.\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `libravdb …` in a folder and a home of its own, without a model: documents need none."""
    for name in [name for name in os.environ if name.startswith("LIBRAVDB_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(Path(libravdb.__file__).parents[1]))  # for the daemon, from any folder
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("LIBRAVDB_EMBEDDING_BACKEND", "none")
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, **settings: str) -> Result:
        with monkeypatch.context() as patch:
            for name, value in settings.items():
                patch.setenv(name, value)
            with pytest.raises(SystemExit) as left:
                main(arguments)
        out, err = capsys.readouterr()
        return Result(returncode=int(left.value.code or 0), stdout=out, stderr=err)

    return run


def rows(result: Result) -> list[list[str]]:
    assert result.returncode == 0, result.stderr
    return [line.split("\t") for line in result.stdout.splitlines()]


def test_a_folder_is_added_once_and_only_what_changed_again(run: Run, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    (notes / "deep").mkdir(parents=True)
    (notes / ".hidden").mkdir()
    (notes / "AGENTS.md").write_text(RULES)
    (notes / "deep" / "b.md").write_text("lore")
    (notes / "c.txt").write_text("no Markdown")
    (notes / ".hidden" / "d.md").write_text("hidden")
    agents, deep = str(notes / "AGENTS.md"), str(notes / "deep" / "b.md")
    assert rows(run("authored", "add", "notes", "notes/AGENTS.md")) == [
        ["added", agents, "6 nodes", "9", "4"],
        ["added", deep, "1 nodes", "0", "0"],
    ]
    (notes / "deep" / "b.md").write_text("other lore\n\nof two nodes")
    assert rows(run("authored", "add", "notes")) == [
        ["unchanged", agents, "6 nodes", "9", "4"],
        ["changed", deep, "2 nodes", "0", "0"],
    ]
    listed = json.loads(run("--json", "authored", "list").stdout)
    assert [(one["source_doc"], one["core"], one["nodes"]) for one in listed] == [(agents, True, 6), (deep, False, 2)]
    assert listed[0]["source_meta"]["sourcePath"] == agents
    assert listed[0]["source_meta"]["sourceSize"] == len(RULES)


def test_show_tells_tier_kind_line_tokens_and_text_and_remove_deletes(run: Run, tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text(RULES)
    run("authored", "add", "AGENTS.md")
    assert rows(run("authored", "show", "AGENTS.md")) == [
        ["hard", "front matter", "1", "4", "", "--- title: x ---"],
        ["lore", "heading", "4", "2", "", "# Rules"],
        ["hard", "list item", "6", "3", "obligation", "- be kind"],
        ["hard", "list item", "7", "2", "", "- to all"],
        ["soft", "blockquote", "9", "4", "", "> We stay calm."],
        ["lore", "paragraph", "11", "3", "", "Some lore."],
    ]
    nested = json.loads(run("--json", "authored", "show", "AGENTS.md").stdout)[3]
    assert (nested["context"], nested["position"]) == (["be kind"], RULES.index("- to all"))
    removed = json.loads(run("--json", "authored", "remove", "AGENTS.md").stdout)
    assert removed == {"document": str(tmp_path / "AGENTS.md"), "nodes": 6}
    missing = run("authored", "show", "AGENTS.md")
    assert missing.returncode == 1
    assert "No document named 'AGENTS.md'." in missing.stderr
    assert "authored list" in missing.stderr


def test_a_file_that_is_too_hard_is_refused_and_the_others_are_kept(run: Run, tmp_path: Path) -> None:
    (tmp_path / "SOUL.md").write_text("- be kind to everybody, whoever it is\n" * 3)
    (tmp_path / "notes.md").write_text("lore")
    done = run("--json", "authored", "add", "SOUL.md", "notes.md", LIBRAVDB_AUTHORED_PROMPT_TOKENS="90")
    assert done.returncode == 1
    refused, added = json.loads(done.stdout)
    assert refused["outcome"] == "refused"
    assert "its hard rules take 30 tokens, at most 27 are allowed" in refused["problem"]
    assert added["outcome"] == "added"
    noted = run("authored", "add", "--note", "SOUL.md", LIBRAVDB_AUTHORED_PROMPT_TOKENS="90")
    assert rows(noted)[0][0] == "added"


def test_more_hard_rules_than_fit_together_are_noted(run: Run, tmp_path: Path) -> None:
    for name in ("AGENTS.md", "house.md"):
        (tmp_path / name).write_text("- be kind to everybody, whoever it is\n" * 2)
    settings = {"LIBRAVDB_AUTHORED_PROMPT_TOKENS": "100", "LIBRAVDB_AUTHORED_CORE_NAMES": "House.md, other.md"}
    done = run("authored", "add", "AGENTS.md", "house.md", **settings)
    assert [row[0] for row in rows(done)] == ["added", "added"]
    assert "take 40 tokens together, more than the 30 that are theirs" in " ".join(done.stderr.split())


def test_an_ambiguous_end_of_a_name_is_refused_and_a_missing_file_too(run: Run, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.md").write_text("lore")
    run("authored", "add", "a", "b")
    assert "may be any of" in run("authored", "show", "x.md").stderr
    assert rows(run("authored", "show", "a/x.md"))[0][-1] == "lore"
    assert run("authored", "add", "missing.md").returncode == 2


def test_a_document_that_is_not_utf_8_is_refused_by_line_and_the_others_are_kept(run: Run, tmp_path: Path) -> None:
    (tmp_path / "odd.md").write_bytes(b"- item\r\n\xff\xfe broken\n")
    (tmp_path / "marked.md").write_bytes(b"\xef\xbb\xbf- be kind \x00 and on\n")
    done = run("--json", "authored", "add", "odd.md", "marked.md")
    refused, added = json.loads(done.stdout)
    assert "is not UTF-8 (line 2). Save it as UTF-8" in refused["problem"]
    assert added["outcome"] == "added"
    assert "is not UTF-8" in run("authored", "lint", "odd.md").stderr


def test_lint_tells_every_place_stores_nothing_and_leaves_with_one_on_errors(run: Run, tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("- Always squash commits.\n")
    (tmp_path / "SOUL.md").write_text("# Soul\n\n- Never squash commits.\n")
    (tmp_path / "note.md").write_text("- Never squash commits.\n")
    found = run("authored", "lint", "AGENTS.md", "SOUL.md")
    assert found.returncode == 1
    assert found.stdout.splitlines() == [
        "AGENTS.md:1: error: the same is obliged (AGENTS.md:1) and forbidden (SOUL.md:3) [contradiction]",
        "    AGENTS.md:1: Always squash commits.",
        "    SOUL.md:3: Never squash commits.",
        "1 error, 0 warnings, 0 hints in 2 files.",
    ]
    (remark,) = json.loads(run("--json", "authored", "lint", ".").stdout)
    assert [(place["file"], place["line"]) for place in remark["places"]] == [("AGENTS.md", 1), ("SOUL.md", 3)]
    assert "No store named" in run("authored", "list").stderr


def test_lint_leaves_with_one_on_warnings_only_when_it_is_strict(run: Run, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("- Run the tests before every push.\n- Run the tests before every push.\n")
    assert run("authored", "lint", "note.md").stdout.endswith("0 errors, 1 warning, 0 hints in 1 file.\n")
    assert run("authored", "lint", "note.md").returncode == 0
    assert run("authored", "lint", "--strict", "note.md").returncode == 1
    assert run("authored", "lint", ".").stdout == "0 errors, 0 warnings, 0 hints in 0 files.\n"


def test_the_commands_use_the_daemon_that_holds_the_store(run: Run, start: Start, tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text(RULES)
    daemon = start(LIBRAVDB_EMBEDDING_BACKEND="none")
    assert daemon.stdout is not None
    assert daemon.stdout.readline().startswith("unix:")
    assert rows(run("authored", "add", "AGENTS.md"))[0][0] == "added"
    assert rows(run("authored", "add", "AGENTS.md"))[0][0] == "unchanged"
    assert [row[1] for row in rows(run("authored", "list"))] == ["core"]
    assert len(rows(run("authored", "show", "AGENTS.md"))) == 6
    (tmp_path / "AGENTS.md").write_text("- be kind to everybody, whoever it is\n" * 1_000)
    refused = run("authored", "add", "AGENTS.md")
    assert refused.returncode == 1
    assert "its hard rules take 10,000 tokens, at most 9,600 are allowed" in refused.stdout
    assert "Removed" in run("authored", "remove", "AGENTS.md").stdout
    assert rows(run("authored", "list")) == []
