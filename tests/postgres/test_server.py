"""The server that the other tests rely on."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from tests.postgres.server import LIBRARIES, NOBODY, Server, execute, fresh_database, installation, reachable_programs


def test_every_database_is_new_and_has_no_extension(database: str) -> None:
    execute(database, "CREATE TABLE notes (text text)")
    with fresh_database() as other:
        assert execute(other, "SELECT to_regclass('notes')") == [(None,)]
        assert execute(other, "SELECT extname FROM pg_extension") == [("plpgsql",)]


def test_a_dropped_database_is_gone_though_somebody_is_connected(server: Server) -> None:
    psycopg = pytest.importorskip("psycopg")
    with fresh_database() as url:
        connection = psycopg.connect(url)
    with pytest.raises(psycopg.OperationalError):
        connection.execute("SELECT 1")
    connection.close()
    assert execute(server.url(), "SELECT count(*) FROM pg_database WHERE datname LIKE 'test_%%'")


def test_a_durable_server_keeps_what_was_committed_when_it_is_killed(durable_server: Server) -> None:
    url = durable_server.create_database()
    execute(url, "CREATE TABLE notes (text text)")
    execute(url, "INSERT INTO notes VALUES (%s)", "kept")
    durable_server.kill()
    durable_server.start()
    assert execute(url, "SELECT text FROM notes") == [("kept",)]
    durable_server.restart()
    assert execute(url, "SELECT text FROM notes") == [("kept",)]
    assert execute(url, "SHOW fsync") == [("on",)]


def test_a_server_can_listen_on_the_network_of_this_machine() -> None:
    own = Server(is_on_network=True)
    try:
        assert execute(own.url(), "SELECT 1") == [(1,)]
        assert "@127.0.0.1:" in own.url()
    finally:
        own.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's server runs as somebody else")
def test_programs_in_a_home_that_is_closed_to_others_are_copied_with_their_libraries(server: Server) -> None:
    closed, opened = server.folder / "closed", server.folder / "opened"
    package = installation().parent
    shutil.copytree(installation(), closed / package.name / installation().name)
    if (package.parent / LIBRARIES).is_dir():
        shutil.copytree(package.parent / LIBRARIES, closed / LIBRARIES)
    closed.chmod(0o700)
    opened.mkdir()
    try:
        programs = reachable_programs(closed / package.name / installation().name, opened)
        assert programs.is_relative_to(opened)
        for program in ("initdb", "postgres", "pg_basebackup"):
            as_nobody = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
            told = subprocess.run([*as_nobody, programs / program, "--version"], capture_output=True, check=False)
            assert (told.returncode, told.stderr) == (0, b"")
    finally:
        shutil.rmtree(closed)
        shutil.rmtree(opened)
