"""A setting that is an address is shown without the password that it may hold."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from libravdb.cli.mcp.mcp_hosts import InstallScope, ServerEntry
from libravdb.cli.mcp.own_program import brought_settings
from libravdb.cli.service.passed_on import passed_on, withheld
from libravdb.config import Config, load, render_value, settings
from libravdb.daemon.log_lines import JsonLines, hidden_settings
from libravdb.errors import ConfigError
from libravdb.model.settings import passwords_in, without_password
from libravdb.ports.settings import StoreSettings

URL = next(each for each in settings() if each.key == "store.url")
OPEN = "postgresql://anna@db.example.org:5432/memory?sslmode=require"
CLOSED = "postgresql://anna:p%40ss-word-9@db.example.org:5432/memory?sslpassword=other-word-7"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        (OPEN, OPEN),
        (CLOSED, "postgresql://anna:********@db.example.org:5432/memory?sslpassword=********"),
        (
            "postgresql:///memory?host=/run/pg&password=x&user=a",
            "postgresql:///memory?host=/run/pg&password=********&user=a",
        ),
        ("postgresql://[::1]:5432/memory", "postgresql://[::1]:5432/memory"),
        ("postgresql://a:b:c@host/d", "postgresql://a:********@host/d"),
        ("postgresql://host:5432/a@b", "postgresql://host:5432/a@b"),
        ("", ""),
    ],
)
def test_an_address_is_shown_without_its_passwords(address: str, shown: str) -> None:
    assert without_password(address) == shown
    assert bool(passwords_in(address)) == (address != shown)
    assert render_value(URL, address) == f'"{shown}"'


def test_no_part_of_the_configuration_shows_it() -> None:
    config = Config(store=StoreSettings(url=CLOSED))
    assert "word-9" not in repr(config)
    assert "word-7" not in repr(config)
    assert config.store.place == without_password(CLOSED)
    assert "word-9" not in str(config.store.local_path)


def test_no_line_of_the_log_shows_it() -> None:
    lines = JsonLines(hidden_settings(Config(store=StoreSettings(url=CLOSED))))
    for told in (CLOSED, "password is p@ss-word-9", "sent other-word-7"):
        written = lines.format(logging.makeLogRecord({"msg": told}))
        assert "ss-word-9" not in written
        assert "other-word-7" not in written


def test_what_is_no_database_is_refused_without_being_repeated() -> None:
    with pytest.raises(ConfigError, match="is not the address of a PostgreSQL database") as refused:
        load(environ={"LIBRAVDB_STORE_URL": CLOSED.replace("postgresql", "mysql"), "HOME": "/h"})
    assert "word-9" not in f"{refused.value}{refused.value.remedy}"


def test_an_address_goes_into_a_services_file_only_without_a_password() -> None:
    told = load(environ={"LIBRAVDB_STORE_URL": OPEN, "HOME": "/h"})
    assert passed_on(told) == {"LIBRAVDB_STORE_URL": OPEN}
    assert withheld(told) == []
    secret = load(environ={"LIBRAVDB_STORE_URL": CLOSED, "HOME": "/h"})
    assert passed_on(secret) == {}
    assert withheld(secret) == ["LIBRAVDB_STORE_URL"]


def test_files_of_this_machine_are_named_after_the_database_and_not_after_its_password() -> None:
    here = Path("/srv/data.libravdb")
    names = [StoreSettings(path=here, url=url).local_path for url in (OPEN, CLOSED, CLOSED.replace("ss-word-9", "new"))]
    assert len(set(names)) == 2
    assert names[1] == names[2]
    assert all(name.parent == here.parent and name != here for name in names)
    assert StoreSettings(path=here).local_path == here


@pytest.mark.parametrize("arguments", [("--store", OPEN), (f"--store={OPEN}",)])
def test_a_projects_file_cannot_send_a_memory_to_a_database_unasked(arguments: tuple[str, ...]) -> None:
    entry = ServerEntry(command="libravdb", args=(*arguments, "mcp"), env={})
    assert brought_settings(entry, InstallScope.PROJECT, {}) == ["--store DATABASE"]
    harmless = ServerEntry(command="libravdb", args=("--store", "x.libravdb", "mcp"), env={"LIBRAVDB_STORE_URL": OPEN})
    assert brought_settings(harmless, InstallScope.PROJECT, {}) == ["LIBRAVDB_STORE_URL"]
