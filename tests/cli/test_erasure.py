"""`forget --certificate` and `verify-erasure`: on the file, and through the daemon that holds it."""

from __future__ import annotations

import json
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.commands import run_command
from tests.served import Start, environment

Result = subprocess.CompletedProcess[str]
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs `libravdb …` with a home of its own."""

    def run(*arguments: str) -> Result:
        return run_command(*arguments, env=environment(tmp_path, COLUMNS="200"))

    return run


@pytest.fixture(params=["file", "daemon"])
def kept(request: pytest.FixtureRequest, run: Run, start: Start) -> Run:
    """A store with two users, at rest or held by a daemon."""
    if request.param == "daemon":
        process = start()
        assert process.stdout is not None
        assert process.stdout.readline().startswith("unix:")
    assert run("remember", "the zanzibar ferry sank at noon", "--user", "anna").returncode == 0
    assert run("remember", "tea with lemon", "--user", "ben").returncode == 0
    return run


def test_a_user_goes_with_a_certificate_that_can_be_checked(kept: Run, tmp_path: Path) -> None:
    path = tmp_path / "anna.json"
    done = kept("forget", "--user", "anna", "--certificate", str(path))
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 memories" in done.stdout
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not any(word in path.read_text() for word in ("anna", "zanzibar", "ferry"))
    assert "tea" in kept("list", "--user", "ben").stdout
    assert "zanzibar" not in kept("list", "--user", "anna").stdout
    checked = kept("verify-erasure", str(path))
    assert checked.returncode == 0
    assert checked.stdout.splitlines()[-1] == "The certificate holds."
    kept("remember", "back again", "--user", "anna")
    again = kept("--json", "verify-erasure", str(path))
    told = json.loads(again.stdout)
    assert (again.returncode, told["is_valid"], told["written_since"]) == (0, True, 1)


ALTERED: tuple[Callable[[str], str], ...] = (
    lambda text: text.replace('"memories": 1', '"memories": 0'),
    lambda text: text.replace("\n", "\r\n"),
    lambda text: text + "é",
)


def test_an_altered_certificate_does_not_hold(run: Run, tmp_path: Path) -> None:
    run("remember", "the zanzibar ferry sank at noon", "--user", "anna")
    path = tmp_path / "anna.json"
    assert run("forget", "--user", "anna", "--certificate", str(path)).returncode == 0
    text = path.read_text()
    for alter in ALTERED:
        path.write_bytes(alter(text).encode("latin-1"))
        checked = run("--json", "verify-erasure", str(path))
        assert checked.returncode == 1
        (check,) = json.loads(checked.stdout)["checks"]
        assert (check["name"], check["is_passed"]) == ("signature", False)


def test_nothing_goes_when_the_certificate_could_not_be_written(run: Run, tmp_path: Path) -> None:
    run("remember", "the zanzibar ferry sank at noon", "--user", "anna")
    (tmp_path / "there.json").write_text("precious")
    for target in (tmp_path / "there.json", tmp_path / "nowhere" / "x.json"):
        refused = run("forget", "--user", "anna", "--certificate", str(target))
        assert refused.returncode == 1
        assert "cannot be written" in refused.stderr
    assert (tmp_path / "there.json").read_text() == "precious"
    assert "zanzibar" in run("list", "--user", "anna").stdout


AMBIGUOUS = (
    ["forget"],
    ["forget", "--user", "anna"],
    ["forget", "--certificate", "x.json"],
    ["forget", "some-id", "--user", "anna", "--certificate", "x.json"],
    ["forget", "-c", "user:anna", "--certificate", "x.json"],
    ["forget", "--user", " ", "--certificate", "x.json"],
    ["forget", "some-id", "--user", "anna", "--name-in-certificate"],
)


def test_what_may_mean_something_else_deletes_nothing(run: Run) -> None:
    run("remember", "the zanzibar ferry sank at noon", "--user", "anna")
    assert [run(*arguments).returncode for arguments in AMBIGUOUS] == [2] * len(AMBIGUOUS)
    assert "zanzibar" in run("list", "--user", "anna").stdout


def test_the_name_stands_in_it_when_wished_and_copies_are_warned_of(run: Run, tmp_path: Path) -> None:
    run("remember", "the zanzibar ferry sank at noon", "--user", "anna")
    run("backup", str(tmp_path / "copy.db"))
    path = tmp_path / "anna.json"
    done = run("--json", "forget", "--user", "anna", "--certificate", str(path), "--name-in-certificate")
    told = json.loads(done.stdout)
    assert told["certificate"]["namespace"]["name"] == "anna"
    assert [copy["path"] for copy in told["certificate"]["copies"]] == [str(tmp_path / "copy.db")]
    checked = run("verify-erasure", str(path))
    assert checked.returncode == 0
    assert f"may hold it until it is deleted: {tmp_path / 'copy.db'}" in checked.stderr


def test_a_certificate_that_is_not_there_is_told(run: Run, tmp_path: Path) -> None:
    run("remember", "tea")
    missing = run("verify-erasure", str(tmp_path / "none.json"))
    assert (missing.returncode, "cannot be read" in missing.stderr) == (1, True)
