"""The files that people and machines expect beside the code: workflow, hooks, templates, changelog, make targets."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.conftest import SLOW
from tests.pages import ROOT, named
from tools import release_check, try_wheel

from libravdb import __version__

GITHUB = ROOT / ".github"
WORKFLOW = GITHUB / "workflows" / "ci.yml"
FORMS = sorted(path for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def read_yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def project() -> dict[str, Any]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)


def developing() -> set[str]:
    """The packages that developers have."""
    lines = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8").splitlines()
    return {line.partition(">=")[0] for line in lines if not line.startswith("#")}


# ── the workflow ──────────────────────────────────────────────────────────────────────────────────────────


def jobs() -> dict[str, Any]:
    found: dict[str, Any] = read_yaml(WORKFLOW)["jobs"]
    return found


def steps() -> list[dict[str, Any]]:
    return [step for job in jobs().values() for step in job["steps"]]


def test_the_workflow_runs_for_every_push_to_main_every_tag_and_every_pull_request() -> None:
    triggers = read_yaml(WORKFLOW)[True]  # YAML 1.1 reads the key `on` as a truth value
    assert triggers == {"push": {"branches": ["main"], "tags": ["v*"]}, "pull_request": None}


def test_the_workflow_may_only_read_and_knows_no_secret() -> None:
    text = WORKFLOW.read_text(encoding="utf-8")
    assert read_yaml(WORKFLOW)["permissions"] == {"contents": "read"}
    assert text.count("permissions:") == 1
    assert "secrets." not in text
    assert "pull_request_target" not in text


def test_every_action_has_a_major_version_and_every_job_an_end() -> None:
    used = [step["uses"] for step in steps() if "uses" in step]
    assert len(used) >= 6
    assert [name for name in used if not re.fullmatch(r"actions/[a-z-]+@v\d+", name)] == []
    assert [name for name, job in jobs().items() if "timeout-minutes" not in job] == []


def test_a_checkout_leaves_no_credentials_behind() -> None:
    checkouts = [step for step in steps() if step.get("uses", "").startswith("actions/checkout@")]
    assert len(checkouts) == len(jobs())
    assert all(step["with"] == {"persist-credentials": False} for step in checkouts)


def test_nothing_from_outside_is_put_into_a_shell_line() -> None:
    assert [step["run"] for step in steps() if "${{" in step.get("run", "")] == []


def test_the_workflow_calls_make_targets_that_exist_and_all_that_make_test_does() -> None:
    called = {
        word
        for step in steps()
        for line in re.findall(r"^make (.+)$", step.get("run", ""), re.MULTILINE)
        for word in line.split()
        if "=" not in word
    }
    assert called <= TARGETS
    done_by_test = re.search(r"^check: (.+)$", MAKEFILE, re.MULTILINE)
    assert done_by_test is not None
    assert {*done_by_test[1].split(), "test-wheel"} <= called


@pytest.mark.parametrize("job", ["tests", "wheel"])
def test_the_workflow_tries_every_python_that_the_package_names_on_every_system(job: str) -> None:
    matrix = jobs()[job]["strategy"]["matrix"]
    classifiers = project()["project"]["classifiers"]
    versions = [found[1] for each in classifiers if (found := re.search(r"Python :: (3\.\d+)$", each))]
    assert matrix["python"] == versions
    assert project()["project"]["requires-python"] == f">={versions[0]}"
    assert {name.partition("-")[0] for name in matrix["os"]} == {"ubuntu", "macos"}
    assert {"Operating System :: MacOS", "Operating System :: POSIX :: Linux"} <= set(classifiers)


# ── hooks and templates ───────────────────────────────────────────────────────────────────────────────────


def test_hooks_before_a_commit_use_the_tools_of_the_environment_and_fetch_nothing() -> None:
    (repository,) = read_yaml(ROOT / ".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    tools = {hook["id"]: hook["entry"].split()[0] for hook in repository["hooks"]}
    assert set(tools) == {"ruff-check", "ruff-format", "mypy"}
    assert {tool.removeprefix(".venv/bin/") for tool in tools.values()} <= developing()
    assert all(hook["language"] == "system" and hook["name"] for hook in repository["hooks"])


@pytest.mark.parametrize("path", FORMS, ids=named)
def test_an_issue_form_has_what_the_platform_wants(path: Path) -> None:
    form = read_yaml(path)
    assert {"name", "description", "body"} <= set(form) <= {"name", "description", "body", "labels", "title"}
    fields = [part for part in form["body"] if part["type"] != "markdown"]
    assert {part["type"] for part in form["body"]} <= {"markdown", "textarea", "input", "dropdown", "checkboxes"}
    assert len({part["id"] for part in fields}) == len(fields)
    assert all(part["attributes"]["label"] for part in fields)
    assert any(part.get("validations", {}).get("required") for part in fields)
    assert all(part["attributes"]["options"] for part in fields if part["type"] == "dropdown")


def test_there_is_a_form_for_defects_ideas_and_pages() -> None:
    assert [path.stem for path in FORMS] == ["bug", "docs", "idea"]
    assert set(read_yaml(GITHUB / "ISSUE_TEMPLATE" / "config.yml")) == {"blank_issues_enabled"}


@pytest.mark.parametrize("path", [*FORMS, GITHUB / "pull_request_template.md"], ids=named)
def test_files_and_pages_that_a_template_names_exist(path: Path) -> None:
    paths = re.findall(r"\b(?:docs/[\w./-]+\.md|[A-Z_]+\.md)\b", path.read_text(encoding="utf-8"))
    assert [name for name in paths if not (ROOT / name).is_file()] == []


# ── make ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_target_is_phony_and_told_by_help() -> None:
    phony = re.search(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)
    assert phony is not None
    told = set(re.findall(r"^([a-z-]+):.*##", MAKEFILE, re.MULTILINE))
    assert set(phony[1].split()) == TARGETS
    assert TARGETS - told == {"check"}  # what `test` does, for those who know it by that name


def test_what_make_quick_leaves_out_is_there() -> None:
    assert [name for name in SLOW if not (ROOT / "tests" / name).exists()] == []
    assert list(SLOW) == sorted(SLOW)


def test_the_sdist_has_every_page_and_all_that_the_tests_read() -> None:
    included = set(project()["tool"]["hatch"]["build"]["targets"]["sdist"]["include"])
    pages = {path.name for path in ROOT.glob("*.md")}
    assert pages | {"src", "tests", "docs", "bench", "tools", "plugins", ".github", "requirements-dev.txt"} <= included


PLUGIN = ("openclaw.plugin.json", "package.json", "index.js", "README.md")


def test_a_wheel_that_lacks_its_model_its_page_or_its_plugin_or_brings_tests_is_refused() -> None:
    whole = [
        "libravdb/py.typed",
        "libravdb/adapters/embedders/models/minilm/model.onnx",
        "libravdb/adapters/embedders/models/minilm/LICENSE",
        "libravdb/inspector/page/index.html",
        "libravdb/inspector/page/views/timeline.js",
        *(f"libravdb/openclaw_plugin/{name}" for name in PLUGIN),
        "libravdb_memory-0.1.0.dist-info/licenses/LICENSE",
        "libravdb_memory-0.1.0.dist-info/licenses/NOTICE",
    ]
    try_wheel.check_contents(whole)
    with pytest.raises(try_wheel.WheelBroken, match=r"model\.onnx"):
        try_wheel.check_contents([name for name in whole if "onnx" not in name])
    with pytest.raises(try_wheel.WheelBroken, match="inspector/page"):
        try_wheel.check_contents([name for name in whole if "timeline" not in name])
    with pytest.raises(try_wheel.WheelBroken, match="openclaw_plugin"):
        try_wheel.check_contents([name for name in whole if "index.js" not in name])
    with pytest.raises(try_wheel.WheelBroken, match="tests/"):
        try_wheel.check_contents([*whole, "tests/test_docs.py"])
    with pytest.raises(try_wheel.WheelBroken, match=r"test/host\.js"):
        try_wheel.check_contents([*whole, "libravdb/openclaw_plugin/test/host.js"])


# ── the changelog ─────────────────────────────────────────────────────────────────────────────────────────


def test_the_version_has_a_section_in_the_changelog_or_its_changes_wait_for_one() -> None:
    told = release_check.sections(CHANGELOG)
    assert next(iter(told)) == "Unreleased"
    assert __version__ in told or told["Unreleased"].strip()


def test_released_sections_are_dated_and_the_newest_stands_first() -> None:
    released = [found for found in release_check.HEADING.finditer(CHANGELOG) if found["version"] != "Unreleased"]
    numbers = [tuple(int(part) for part in found["version"].split(".")) for found in released]
    assert all(found["date"] for found in released)
    assert numbers == sorted(set(numbers), reverse=True)
    assert all(number <= tuple(int(part) for part in __version__.split(".")) for number in numbers)


READY = (
    "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-11-20\n\n### Added\n- A thing.\n\n## [1.1.0] - 2026-10-01\n"
)


def test_a_tag_that_agrees_with_version_and_changelog_can_be_released() -> None:
    assert release_check.problems("v1.2.0", version="1.2.0", changelog=READY) == []


@pytest.mark.parametrize(
    ("tag", "changelog", "problem"),
    [
        ("v1.3.0", READY, "the tag must be v1.2.0"),
        ("", READY, "The tag is missing"),
        ("v1.2.0", READY.replace("[1.2.0]", "[1.2.1]"), "no section [1.2.0]"),
        ("v1.2.0", READY.replace(" - 2026-11-20", ""), "has no date"),
        ("v1.2.0", READY.replace("- A thing.", ""), "tells nothing"),
        ("v1.2.0", READY.replace("## [Unreleased]\n", ""), "no section [Unreleased]"),
        ("v1.2.0", READY.replace("## [Unreleased]\n", "## [Unreleased]\n- Late.\n"), "is not empty"),
    ],
)
def test_what_keeps_a_tag_from_being_released_is_said(tag: str, changelog: str, problem: str) -> None:
    (found,) = release_check.problems(tag, version="1.2.0", changelog=changelog)
    assert problem in found


def test_the_version_that_is_checked_is_that_of_the_package() -> None:
    source = (ROOT / "src" / "libravdb" / "__init__.py").read_text(encoding="utf-8")
    assert release_check.version_of(source) == __version__
