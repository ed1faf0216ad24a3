"""What makes the database of the containers, on a real server: the password is seen by nobody on the way."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.pages import ROOT
from tests.postgres.server import Server, execute

SCRIPT = ROOT / "deploy" / "postgres" / "make-database.sh"
PASSWORD = 'it\'s $HOME `x` \\ "S3cr3t"'  # noqa: S105 - no real one


@pytest.fixture
def bare(server: Server) -> Iterator[Server]:
    """A server on which nobody is called libravdb, before and after."""
    yield server
    execute(server.url(), "DROP DATABASE IF EXISTS libravdb")
    execute(server.url(), "DROP ROLE IF EXISTS libravdb")


@pytest.fixture
def watched(tmp_path: Path) -> str:
    """The script's command line, with a psql that writes down how it was started."""
    (tmp_path / "database_password").write_text(f"{PASSWORD}\n")
    wrapper = tmp_path / "bin" / "psql"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >> {tmp_path}/started\nPATH=${{PATH#*:}} exec psql "$@"\n')
    wrapper.chmod(0o755)
    return f"PATH={wrapper.parent}:$PATH SECRETS={tmp_path} POSTGRES_USER=postgres {shlex.quote(str(SCRIPT))}"


def test_the_role_of_the_daemons_owns_its_database_and_nothing_shows_its_password(
    bare: Server, watched: str, tmp_path: Path
) -> None:
    log = bare.folder / "log"
    loud = "PGOPTIONS='-c log_min_messages=info -c log_statement=all -c log_min_duration_statement=0'"
    before = log.stat().st_size
    made = bare.shell(f"{loud} {watched}")
    assert made.returncode == 0, made.stderr
    found = execute(
        bare.url("libravdb"),
        "SELECT r.rolname, r.rolsuper, r.rolcanlogin FROM pg_database d JOIN pg_roles r ON r.oid = d.datdba"
        " WHERE d.datname = current_database()",
    )
    assert found == [("libravdb", False, True)]
    again = bare.shell(f"{loud} {watched}")
    assert again.returncode != 0
    assert "already exists" in again.stderr
    told = log.read_bytes()[before:].decode() + (tmp_path / "started").read_text()
    assert "already exists" in told
    assert "--username=postgres" in told
    assert "S3cr3t" not in told + made.stdout + made.stderr + again.stdout + again.stderr


def test_the_password_is_the_one_of_the_file(bare: Server, watched: str) -> None:
    assert bare.shell(watched).returncode == 0
    ((kept,),) = execute(bare.url(), "SELECT rolpassword FROM pg_authid WHERE rolname = 'libravdb'")
    _, how, keys = kept.split("$")  # SCRAM-SHA-256$rounds:salt$StoredKey:ServerKey
    rounds, salt = how.split(":")
    salted = hashlib.pbkdf2_hmac("sha256", PASSWORD.encode(), base64.b64decode(salt), int(rounds))
    stored = hashlib.sha256(hmac.digest(salted, b"Client Key", "sha256")).digest()
    assert base64.b64decode(keys.partition(":")[0]) == stored


def test_without_a_password_no_role_is_made(bare: Server, watched: str, tmp_path: Path) -> None:
    os.truncate(tmp_path / "database_password", 0)
    refused = bare.shell(watched)
    assert refused.returncode == 1
    assert "is missing or empty" in refused.stderr
    assert execute(bare.url(), "SELECT 1 FROM pg_roles WHERE rolname = 'libravdb'") == []
