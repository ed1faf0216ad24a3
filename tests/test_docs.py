"""What the docs say is true: their code runs, their references are complete, their links resolve."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from libravdb.cli.app import command_line
from libravdb.config.schema import settings

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[object]:
    found: list[object] = [
        pytest.param(code, id=f"{page.relative_to(ROOT)}:{page.read_text()[: match.start()].count(chr(10)) + 1}")
        for page in PAGES
        for match in FENCE.finditer(page.read_text(encoding="utf-8"))
        for kind, code in [match.groups()]
        if kind == language
    ]
    assert found, f"the docs have no {language} block"
    return found


@pytest.mark.parametrize("code", blocks("python"))
def test_python_in_the_docs_runs(code: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_readme_shows_what_the_command_prints(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    calls = re.findall(r"^\$ libravdb (.*)\n(?!\$|```)(.*)$", readme, re.MULTILINE)
    assert len(calls) >= 2
    for call, shown in calls:
        done = subprocess.run(
            ["sh", "-c", f'"{sys.executable}" -m libravdb {call}'],  # noqa: S607 - the shell reads the quotes
            env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout.splitlines() == [shown], done.stderr


def test_the_reference_of_the_command_line_is_up_to_date() -> None:
    page = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    made = page.split(": begin -->\n")[1].split("<!-- made by")[0]
    # In a process of its own: click remembers how help was shown before.
    told = subprocess.run([sys.executable, "-m", "libravdb.cli.reference"], capture_output=True, text=True, check=True)
    assert made == told.stdout, "run python -m libravdb.cli.reference and paste it into docs/reference/cli.md"


def test_every_command_and_every_setting_is_documented() -> None:
    commands = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    configuration = (ROOT / "docs" / "reference" / "configuration.md").read_text(encoding="utf-8")
    assert [name for name in command_line.commands if f"`libravdb {name}`" not in commands] == []
    assert [each.key for each in settings() if f"`{each.key}`" not in configuration] == []


def test_links_between_pages_resolve() -> None:
    broken = [
        f"{page.relative_to(ROOT)} -> {target}"
        for page in PAGES
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert broken == []


def test_every_dependency_is_named_with_its_reason() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    required = re.findall(r'^  "([A-Za-z0-9-]+)>=', project, re.MULTILINE)
    developing = re.findall(r"^([a-z-]+)>=", (ROOT / "requirements-dev.txt").read_text(), re.MULTILINE)
    page = (ROOT / "docs" / "internals" / "dependencies.md").read_text(encoding="utf-8")
    assert len(required) >= 6
    assert [name for name in (*required, *developing) if f"`{name}`" not in page] == []
