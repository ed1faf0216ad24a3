"""What the docs say is true: their code and commands run, their settings load, their references are complete."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from tests.pages import PAGES, ROOT, blocks, named, written
from tools import generated_docs

from libravdb.cli.app import command_line
from libravdb.config import settings

REFERENCE = ROOT / "docs" / "reference"


def examples(language: str) -> list[object]:
    found: list[object] = [
        pytest.param(block.text, id=block.place) for page in PAGES for block in blocks(page, language)
    ]
    assert found, f"the docs have no {language} block"
    return found


def clean_environment(home: Path, *, path: str = "") -> dict[str, str]:
    return {"HOME": str(home), "PATH": path, "LC_ALL": "C.UTF-8", "TZ": "UTC"}


# ── examples ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("code", examples("python"))
def test_python_in_the_docs_runs(code: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path,
        env=clean_environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


class Step(NamedTuple):
    """A command of a console block, and the lines that the page shows below it."""

    command: str
    shown: list[str]


def steps(page: Path) -> Iterator[Step]:
    """The commands of a page in order: `$ ` begins one, `> ` goes on with it, all else is what it prints."""
    for block in blocks(page, "console"):
        step = Step("", [])
        for line in block.text.splitlines():
            if line.startswith("$ "):
                if step.command:
                    yield step
                step = Step(line[2:], [])
            elif line.startswith(">") and not step.shown:
                step = Step(f"{step.command}\n{line[2:]}", [])
            else:
                assert step.command, f"{block.place}: no command stands before {line!r}"
                step.shown.append(line)
        yield step


def is_shown(printed: list[str], shown: list[str]) -> bool:
    """Whether a command printed what the page shows: `…` stands for any text, alone on a line for any lines."""
    if shown and shown[0] == "…":
        return any(is_shown(printed[place:], shown[1:]) for place in range(len(printed) + 1))
    if not shown or not printed:
        return printed == shown
    pattern = ".*".join(re.escape(piece) for piece in shown[0].split("…"))
    return re.fullmatch(pattern, printed[0]) is not None and is_shown(printed[1:], shown[1:])


def test_shown_output_is_compared_line_by_line_but_for_what_is_left_open() -> None:
    assert is_shown(["a 1 b", "c"], ["a … b", "c"])
    assert is_shown(["a", "x", "y", "c"], ["a", "…", "c"])
    assert not is_shown(["a", "b"], ["a"])
    assert not is_shown(["a", "x", "y"], ["a", "…", "c"])


CONSOLE = [page for page in PAGES if blocks(page, "console")]


@pytest.mark.parametrize("page", CONSOLE, ids=named)
def test_commands_in_the_docs_print_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    """A page is one session: its commands run in order, in one folder, with a home of their own."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, module in (("libravdb", "libravdb"), ("libravdbd", "libravdb.daemon")):
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {module} "$@"\n')
        (programs / name).chmod(0o755)
    folder = tmp_path / "here"
    folder.mkdir()
    for command, shown in steps(page):
        done = subprocess.run(
            ["sh", "-c", command],  # noqa: S607 - the shell reads the quotes
            cwd=folder,
            env=clean_environment(folder, path=f"{programs}:/usr/bin:/bin"),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        printed = done.stdout.splitlines()
        assert is_shown(printed, shown or ["…"]), f"{command}\nprinted: {printed}\nshown:   {shown}"


@pytest.mark.parametrize("settings_file", examples("toml"))
def test_settings_in_the_docs_are_taken(settings_file: str, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(settings_file, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "libravdb", "--config", str(path), "config"],
        env=clean_environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


# ── references ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("page", list(generated_docs.pages()), ids=named)
def test_what_a_command_made_is_up_to_date(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert generated_docs.renewed(text) == text, "run: make docs"


def test_every_reference_that_is_made_is_looked_at() -> None:
    made = {page.name for page in generated_docs.pages() if page.parent == REFERENCE}
    assert {"cli.md", "configuration.md", "memory-api.md", "protocol.md"} <= made


def test_every_command_and_every_setting_is_documented() -> None:
    commands = (REFERENCE / "cli.md").read_text(encoding="utf-8")
    configuration = (REFERENCE / "configuration.md").read_text(encoding="utf-8")
    named = command_line.list_commands(click.Context(command_line))
    assert "search" in named
    assert [name for name in named if f"`libravdb {name}`" not in commands] == []
    assert [each.key for each in settings() if f"`{each.key}`" not in configuration] == []


def test_every_dependency_is_named_with_its_reason() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    required = re.findall(r'^  "([A-Za-z0-9-]+)>=', project, re.MULTILINE)
    developing = re.findall(r"^([A-Za-z-]+)>=", (ROOT / "requirements-dev.txt").read_text(), re.MULTILINE)
    page = (ROOT / "docs" / "internals" / "dependencies.md").read_text(encoding="utf-8")
    assert len(required) >= 6
    assert [name for name in (*required, *developing) if f"`{name}`" not in page] == []


def test_the_glossary_tells_every_word_once_and_in_order() -> None:
    words = re.findall(r"^\| ([^|]+) \|", written(REFERENCE / "glossary.md"), re.MULTILINE)[2:]
    assert len(words) > 50
    assert words == sorted(set(words), key=str.casefold)


SECURITY = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("named_test", sorted(set(re.findall(r"`tests/((?:\w+/)*test_\w+\.py(?:::\w+)?)`", SECURITY))))
def test_every_test_that_proves_a_promise_exists(named_test: str) -> None:
    file, _, name = named_test.partition("::")
    text = (ROOT / "tests" / file).read_text(encoding="utf-8")
    assert not name or f"def {name}(" in text


def test_every_promise_of_security_names_a_test() -> None:
    rows = [line for line in SECURITY.splitlines() if line.startswith("| ") and "| promise |" not in line]
    assert len(rows) > 20
    assert [row for row in rows if ".py" not in row and "benchmarks.md" not in row] == []
