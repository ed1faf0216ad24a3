"""A setting that is an address is shown without the password that it may hold."""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path
from urllib.parse import quote

import pytest

from libravdb.cli.mcp.host_file import HostFile
from libravdb.cli.mcp.mcp_hosts import HOSTS, NAME, InstallScope, ServerEntry
from libravdb.cli.mcp.own_program import brought_settings
from libravdb.cli.service.passed_on import passed_on, withheld
from libravdb.config import Config, load, render_value, settings
from libravdb.daemon.log_lines import JsonLines, hidden_settings
from libravdb.errors import ConfigError
from libravdb.model.addresses import passwords_in, without_password
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
        ("postgresql://host:5432/a%40b", "postgresql://host:5432/a%40b"),
        ("postgresql://a:b@one:1,[::1]:2,three/d", "postgresql://a:********@one:1,[::1]:2,three/d"),
        ("POSTGRES://a:b@host/d", "POSTGRES://a:********@host/d"),
        ("postgresql://a:b/c@host:5432/d", "postgresql://********@host:5432/d"),
        ("postgresql://a:b@c@host/d", "postgresql://********@host/d"),
        ("postgresql://a:b?c@host/d", "postgresql://********@host/d"),
        ("postgresql://a:b/c", "postgresql://a:********"),
        ("postgresql://a@host/d?password=b@c#d&e", "postgresql://********"),
        ("postgresql://host/d?password=b#c&d&sslmode=require", "postgresql://host/d?password=********&sslmode=require"),
        ("postgresql://host/d?%70assword=b", "postgresql://host/d?%70assword=********"),
        ("host=h password='b c' dbname=d", "host=h password=******** dbname=d"),
        ("https://token@host/v1", "https://********@host/v1"),
        ("https://host/v1?api-version=2&key=b", "https://host/v1?api-version=2&key=********"),
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


SLIPS = ("/", "@", "?", "#", "%", " ", "\n", "a/b@c/d", "//", "@@")
"""Signs in passwords that were written into an address as they are."""


def parts_shown(refused: ConfigError) -> list[str]:
    """What an error tells of the password `s3cr…3t`."""
    return re.findall("s3cr|3t", f"{refused}{refused.remedy}{refused!r}")


@pytest.mark.parametrize("signs", SLIPS)
def test_an_address_whose_password_is_not_encoded_is_refused_without_being_repeated(signs: str) -> None:
    url = f"postgresql://anna:s3cr{signs}3t@db.example.org/memory"
    for variables, arguments in (({"LIBRAVDB_STORE_URL": url}, {}), ({}, {"store.url": url})):
        with pytest.raises(ConfigError, match=r"store\.url") as refused:
            load(environ={"HOME": "/h", **variables}, arguments=arguments)
        assert "%2F" in refused.value.remedy
        assert parts_shown(refused.value) == []


@pytest.mark.parametrize("signs", SLIPS)
def test_the_same_password_encoded_is_taken(signs: str) -> None:
    url = f"postgresql://anna:{quote(f's3cr{signs}3t', safe='')}@db.example.org/memory"
    store = load(environ={"LIBRAVDB_STORE_URL": url, "HOME": "/h"}).config.store
    assert store.url == url
    assert store.place == "postgresql://anna:********@db.example.org/memory"


def test_an_address_that_is_no_text_is_not_repeated() -> None:
    with pytest.raises(ConfigError, match="must be text") as refused:
        load(environ={"HOME": "/h"}, arguments={"store.url": "postgresql:/anna:s3cr3t@host/\udcff"})
    assert parts_shown(refused.value) == []


@pytest.mark.parametrize(
    "path",
    [
        "postgresql:/anna:s3cr3t@host/d",
        "postgresql:anna:s3cr3t@host/d",
        "postgres//anna:s3cr3t@host/d",
        "postgressql:/anna:s3cr3t@host/d",
        "POSTGRESQL:/anna:s3cr3t@host/d",
        "//anna:s3cr3t@host/d",
        "anna:s3cr3t@host/d",
        "host=h user=anna password=s3cr3t",
        "password=s3cr3t host=h",
    ],
)
def test_a_mistyped_address_is_no_name_of_a_file(path: str) -> None:
    for key in ("LIBRAVDB_STORE_PATH", "LIBRAVDB_DB_PATH"):
        with pytest.raises(ConfigError, match="reads like the address of a database") as refused:
            load(environ={key: path, "HOME": "/h"})
        assert parts_shown(refused.value) == []


@pytest.mark.parametrize("path", ["/srv/12:30@home/m.db", "~/m@work.db", "postgresql/m.db", "user=a/m", "a@b:c.db"])
def test_a_path_may_have_signs_of_an_address(path: str) -> None:
    assert load(environ={"LIBRAVDB_STORE_PATH": path, "HOME": "/h"}).config.store.path.name == Path(path).name


@pytest.mark.parametrize("key", ["embedding.endpoint", "summarizer.endpoint", "daemon.endpoint"])
@pytest.mark.parametrize("user", ["anna:s3cr3t", "anna:s3cr/3t", "s3cr3t"])
def test_addresses_of_servers_are_shown_without_a_password_too(key: str, user: str) -> None:
    setting, address = next(each for each in settings() if each.key == key), f"http://{user}@host:80/v1"
    told = load(environ={setting.env: address, "HOME": "/h"})
    assert render_value(setting, address).endswith('********@host:80/v1"')
    assert not re.findall("s3cr|3t", repr(told.config))
    assert passed_on(told) == {}
    assert withheld(told) == [setting.env]


def test_an_entry_of_a_host_is_shown_without_the_password_in_its_arguments(tmp_path: Path) -> None:
    path = tmp_path / "host.json"
    args = ["--store", CLOSED, "mcp"]
    path.write_text(json.dumps({"mcpServers": {NAME: {"command": NAME, "args": args}}}), encoding="utf-8")
    shown = "".join(HostFile(HOSTS["claude"], path, name=NAME).removing().lines)
    assert without_password(CLOSED) in shown
    assert "word-9" not in shown
    assert "word-7" not in shown


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
