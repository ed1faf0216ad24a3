"""retain, --expires and --where as a person meets them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from tests.commands import run_command

from libravdb.cli.context import comparison, where
from libravdb.model import Condition, Operator, Where

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs `libravdb …` with a home of its own, by words alone, with these rules of retention."""

    def run(*arguments: str, rules: str = '["* memories 30d"]') -> subprocess.CompletedProcess[str]:
        config = tmp_path / "config.toml"
        config.write_text(f'[embedding]\nbackend = "none"\n[retention]\nrules = {rules}\n', encoding="utf-8")
        kept = {key: value for key, value in os.environ.items() if not key.startswith("LIBRAVDB_")}
        env = kept | {"HOME": str(tmp_path), "NO_COLOR": "1", "COLUMNS": "100", "TZ": "UTC"}
        return run_command("--config", str(config), *arguments, env=env)

    return run


def test_a_dry_run_shows_a_table_and_the_run_deletes_the_same(run: Run) -> None:
    run("remember", "The mill is sold", "--at", "2020-01-01")
    run("remember", "The boat is red")
    told = run("retain", "--dry-run")
    assert told.returncode == 0
    assert told.stdout.splitlines()[0].split("\t")[:2] == ["default", "memories"]
    assert told.stdout.splitlines()[0].endswith("\t1")
    assert "mill" in run("list").stdout
    refused = run("retain")
    assert refused.returncode == 2
    assert "--yes" in refused.stderr
    assert "Deleted 1 records." in run("retain", "--yes").stdout
    assert "mill" not in run("list").stdout
    assert "boat" in run("list").stdout
    told = run("retain", "--yes")
    assert (told.returncode, "Nothing is too old" in told.stdout) == (0, True)
    answer = json.loads(run("--json", "retain", "--dry-run").stdout)
    assert answer == {"retained": {"rows": [], "expired": 0, "is_dry_run": True}, "records": 0}


def test_a_rule_that_makes_no_sense_is_refused_by_its_line_before_anything_is_done(run: Run) -> None:
    told = run("status", rules='["* turns 90d", "person:* turn 30d"]')
    assert told.returncode == 2
    assert "retention.rules" in told.stderr
    assert "rule 2" in told.stderr
    assert "Did you mean 'turns'?" in told.stderr


def test_what_expires_is_kept_with_its_moment_and_a_past_one_is_refused(run: Run) -> None:
    kept = json.loads(run("--json", "remember", "The guest password is tulip", "--expires", "30d").stdout)
    day = 24 * 3_600_000
    assert 29 * day < kept[0]["metadata"]["memory_expires_at"] - kept[0]["at"] <= 30 * day
    for written in ("2001-01-01", "soon", "0d"):
        refused = run("remember", "x", "--expires", written)
        assert refused.returncode == 2
        assert "--expires" in refused.stderr


def test_conditions_filter_what_is_listed_and_found(run: Run) -> None:
    for n in range(4):
        run("remember", f"Boat {n} is red", "--meta", f"priority={n}", *(("--meta", "state=done") if n == 3 else ()))
    texts = run("list", "--where", "priority>=2", "--where", "state!=done").stdout
    assert ("Boat 2" in texts, "Boat 3" in texts, "Boat 1" in texts) == (True, False, False)
    texts = run("search", "boat", "--where", "state?").stdout
    assert ("Boat 3" in texts, "Boat 0" in texts) == (True, False)
    refused = run("list", "--where", "priority")
    assert (refused.returncode, ">=" in refused.stderr) == (2, True)
    assert "$gte" in run("list", "--where", "priority>=true").stderr


@pytest.mark.parametrize(
    ("written", "condition"),
    [
        ("a=1", Condition("a", Operator.EQ, 1)),
        ("a=", Condition("a", Operator.EQ, "")),
        ("a=b=c", Condition("a", Operator.EQ, "b=c")),
        ("a!=b", Condition("a", Operator.NE, "b")),
        ("a>2026-12-01", Condition("a", Operator.GT, "2026-12-01")),
        ("a>=2.5", Condition("a", Operator.GTE, 2.5)),
        ("a<null", Condition("a", Operator.LT, None)),
        ("a<=-1", Condition("a", Operator.LTE, -1)),
        ("a?", Condition("a", Operator.EXISTS, value=True)),
        ("!a b?", Condition("a b", Operator.EXISTS, value=False)),
        ("a=b?", Condition("a", Operator.EQ, "b?")),
        ("a=>b", Condition("a", Operator.EQ, ">b")),
    ],
)
def test_a_condition_is_read_as_it_is_written(written: str, condition: Condition) -> None:
    assert comparison(written) == condition


@pytest.mark.parametrize("written", ["", "a", "=1", ">=1", "?", "!?", "a b"])
def test_what_is_no_condition_is_refused_with_the_forms(written: str) -> None:
    with pytest.raises(click.BadParameter, match=r"!=, >, >=, < and <="):
        comparison(written)


def test_several_values_of_one_key_mean_any_of_them_and_all_else_must_hold() -> None:
    told = [comparison(one) for one in ("a=1", "a=2", "b=x", "a>0", "c?")]
    conditions = (Condition("a", Operator.GT, 0), Condition("c", Operator.EXISTS, value=True))
    assert where(told, 3, None) == Where(metadata={"a": (1, 2), "b": ("x",)}, conditions=conditions, since=3)
