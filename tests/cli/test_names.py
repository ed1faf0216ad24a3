"""Names that are no text are refused by every command, before it does anything: mended, two of them were one name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from libravdb.cli.app import command_line, main
from libravdb.cli.names import NAME_TYPE

BROKEN = os.fsdecode(b"anna\xff")
"""As Python gives a command's argument whose bytes are no UTF-8."""

NAMING = {"--user", "--namespace", "--collection", "--session", "--agent", "--after"}
"""Options that name somebody or something, in every command that has them."""

CALLS: tuple[tuple[str, ...], ...] = (
    ("forget", "--user", BROKEN, "--certificate", "c.json"),
    ("--namespace", BROKEN, "forget", "mem:1"),
    ("remember", "tea", "--user", BROKEN),
    ("remember", "tea", "--id", BROKEN),
    ("remember", "tea", "--collection", BROKEN),
    ("flush", "--user", BROKEN, "--yes"),
    ("export", "--user", BROKEN),
    ("move-memory", "--from", BROKEN, "--to", "ben"),
    ("move-memory", "--from", "ben", "--to", BROKEN),
    ("history", BROKEN),
    ("compact", BROKEN),
    ("dream-promote", "--agent", BROKEN),
    ("token", "create", "--name", BROKEN),
    ("token", "create", "--namespace", "ben", "--namespace", BROKEN),
    ("token", "remove", BROKEN),
)


def parameters(command: click.Command, path: str = "") -> Iterator[tuple[str, click.Parameter]]:
    """Every parameter of every command, with where it stands."""
    yield from ((f"{path} {' '.join(each.opts)}", each) for each in command.params)
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from parameters(inner, f"{path} {name}")


@pytest.mark.parametrize("call", CALLS, ids=lambda call: ascii(" ".join(call)))
def test_a_name_that_is_no_text_is_refused_and_nothing_is_done(
    call: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LIBRAVDB_STORE_PATH", str(tmp_path / "m.libravdb"))
    with pytest.raises(SystemExit) as left:
        main(call)
    assert left.value.code == 2
    assert r"'anna\udcff' is not UTF-8, so it is no name. Write it as UTF-8." in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_every_option_that_names_somebody_looks_at_the_name() -> None:
    naming = {
        place: each.type is NAME_TYPE
        for place, each in parameters(command_line)
        if not NAMING.isdisjoint(each.opts) and not (isinstance(each, click.Option) and each.is_flag)
    }
    assert len(naming) > 20
    assert [place for place, is_looked_at in naming.items() if not is_looked_at] == []


def test_names_of_any_language_are_taken_as_they_are() -> None:
    for name in ("anna", "Zoë", "北京", "\U0001f98e", ""):
        assert NAME_TYPE.convert(name, None, None) == name
