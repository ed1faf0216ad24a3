"""Tokens with rights: the file that keeps them, and a daemon that notices its changes."""

from __future__ import annotations

import json
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.commands import run_command
from tests.core.ingest.secret_forms import mark, noise
from tests.served import LOOPBACK, TOKEN, Served, SocketWire, Start, ask, authenticated, environment

from libravdb.daemon.rights import checked_rights
from libravdb.daemon.server import Limits
from libravdb.daemon.tokens import (
    PREFIX,
    TokenRegistry,
    create_token,
    digest_of,
    read_tokens,
    remove_token,
)
from libravdb.errors import DaemonError, InvalidInput, NotFound
from libravdb.model.collections import durable_memory
from libravdb.wire.endpoint import parse
from libravdb.wire.methods.access import AccessRole

HASTY = Limits(first_delay_seconds=0.0, most_delay_seconds=0.0)
ANNA = checked_rights("laptop", AccessRole.WRITE, ["anna", "team-*"])

GOOD = {"sha256": "0" * 64, "name": "a", "namespaces": ["anna"], "role": "read", "created": 1}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data.libravdb.tokens"


def test_a_token_is_long_random_and_kept_as_its_digest_only(file: Path) -> None:
    made = {create_token(file, checked_rights(str(n), AccessRole.READ, ["a"]), now=n) for n in range(20)}
    assert len(made) == 20
    for token in made:
        assert token.startswith(PREFIX)
        assert len(token) >= len(PREFIX) + 43  # 256 bits, six a character
        assert token not in file.read_text()
        assert digest_of(token) in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    assert [one.rights.name for one in read_tokens(file)] == [str(n) for n in range(20)]
    assert list(file.parent.iterdir()) == [file]


def test_what_was_written_is_read_back(file: Path) -> None:
    token = create_token(file, ANNA, now=5)
    (entry,) = read_tokens(file)
    assert (entry.rights, entry.created, entry.digest) == (ANNA, 5, digest_of(token))
    with pytest.raises(InvalidInput, match="has a token already"):
        create_token(file, ANNA, now=6)
    with pytest.raises(NotFound):
        remove_token(file, "desktop")
    assert read_tokens(file) == (entry,)
    remove_token(file, "laptop")
    assert read_tokens(file) == ()


@pytest.mark.parametrize("field", ["name", "namespace"])
@pytest.mark.parametrize("secret", [mark("gh|p_") + noise(36), "password: hunTer" + "2!xyz9"])
def test_a_name_that_holds_a_secret_is_refused_and_not_repeated(file: Path, field: str, secret: str) -> None:
    told = {"name": "laptop", "namespace": "anna", field: secret}
    rights = checked_rights(told["name"], AccessRole.READ, [told["namespace"]])
    with pytest.raises(InvalidInput, match=f"{field}: holds a secret") as refused:
        create_token(file, rights, now=1)
    assert secret not in f"{refused.value} {refused.value.remedy}"
    assert not file.exists()


def test_writers_at_the_same_time_lose_nothing(file: Path) -> None:
    def make(number: int) -> None:
        create_token(file, checked_rights(str(number), AccessRole.READ, ["a"]), now=number)

    threads = [threading.Thread(target=make, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {one.rights.name for one in read_tokens(file)} == {str(number) for number in range(12)}


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666, 0o601])
def test_a_file_that_others_can_reach_is_refused(file: Path, mode: int) -> None:
    token = create_token(file, ANNA, now=1)
    tokens = TokenRegistry.over(file)
    file.chmod(mode)
    with pytest.raises(DaemonError, match="others can reach") as refused:
        read_tokens(file)
    assert "chmod 600" in refused.value.remedy
    assert tokens.rights(digest_of(token)) is None
    file.chmod(0o600)
    assert tokens.rights(digest_of(token)) == ANNA


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"format": "libravdb-tokens", "version": 2, "tokens": []}',
        '{"format": "libravdb-tokens", "version": 1, "tokens": [{}]}',
        '{"format": "libravdb-tokens", "version": 1, "tokens": [5]}',
        json.dumps({"format": "libravdb-tokens", "version": 1, "tokens": [{**GOOD, "sha256": "00"}]}),
        json.dumps({"format": "libravdb-tokens", "version": 1, "tokens": [{**GOOD, "role": "god"}]}),
        json.dumps({"format": "libravdb-tokens", "version": 1, "tokens": [{**GOOD, "role": "admin"}]}),
        "[" * 100_000,
    ],
)
def test_a_file_that_is_no_list_of_tokens_lets_nobody_in(file: Path, content: str) -> None:
    token = create_token(file, ANNA, now=1)
    tokens = TokenRegistry.over(file, token="configured")  # noqa: S106 - made up
    assert tokens.rights(digest_of(token)) == ANNA
    file.write_text(content)
    with pytest.raises(DaemonError, match="cannot be read"):
        read_tokens(file)
    assert tokens.rights(digest_of(token)) is None
    assert tokens.rights(digest_of("configured")) is not None


@pytest.mark.parametrize("content", ["", "\n"])
def test_an_empty_file_of_tokens_is_told_as_one(file: Path, content: str) -> None:
    file.write_text(content)
    file.chmod(0o600)
    with pytest.raises(DaemonError, match="the file is empty") as refused:
        read_tokens(file)
    assert "create the tokens anew" in refused.value.remedy


def test_the_file_may_take_rights_from_the_configured_token(file: Path) -> None:
    token = create_token(file, ANNA, now=1)
    assert TokenRegistry.over(file, token=token).rights(digest_of(token)) == ANNA


def test_a_running_daemon_notices_new_and_removed_tokens(served: Served, file: Path) -> None:
    served.dispatcher._tokens = TokenRegistry.over(file, token=TOKEN)
    address = served.listen(LOOPBACK, HASTY)
    token = create_token(file, ANNA, now=1)
    wire = authenticated(address, token)
    own = {"collection": durable_memory("anna"), "id": "1", "text": "x"}
    assert ask(wire, "insert_text", own)["result"] == {"ok": True}
    assert "no right to" in ask(wire, "insert_text", {**own, "collection": durable_memory("ben")})["error"]["message"]
    remove_token(file, "laptop")
    assert "authentication required" in ask(wire, "insert_text", own)["error"]["message"]
    admin = authenticated(address)
    assert ask(admin, "status")["result"]["ok"]
    late = SocketWire(address)
    assert "not the right one" in ask(late, "authenticate", {"token": token})["error"]["message"]
    for one in (wire, admin, late):
        one.close()


def test_showing_another_token_changes_the_rights(served: Served, file: Path) -> None:
    served.dispatcher._tokens = TokenRegistry.over(file, token=TOKEN)
    address = served.listen(LOOPBACK, HASTY)
    token = create_token(file, ANNA, now=1)
    wire = authenticated(address)
    assert ask(wire, "status")["result"]["ok"]
    assert ask(wire, "authenticate", {"token": token})["result"] == {"ok": True}
    assert "everything" in ask(wire, "status")["error"]["message"]
    assert "not the right one" in ask(wire, "authenticate", {"token": "wrong"})["error"]["message"]
    assert "authentication required" in ask(wire, "health")["error"]["message"]
    wire.close()


def test_on_a_unix_socket_nobody_needs_a_token_or_loses_rights_by_one(served: Served, tmp_path: Path) -> None:
    wire = SocketWire(served.listen(parse(f"unix:{tmp_path}/s.sock")))
    for token in ("wrong", TOKEN):
        assert ask(wire, "authenticate", {"token": token})["result"] == {"ok": True}
        assert ask(wire, "status")["result"]["ok"]
    wire.close()


# ── the commands and the daemon ───────────────────────────────────────────────────────────────────────────


def shell(home: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return run_command("--json", *arguments, env=environment(home, LIBRAVDB_EMBEDDING_BACKEND="none", **variables))


def told(done: subprocess.CompletedProcess[str]) -> Any:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_one_command_is_enough_to_listen_on_tcp(start: Start, tmp_path: Path) -> None:
    on_tcp = {"LIBRAVDB_RPC_ENDPOINT": "tcp:127.0.0.1:0", "LIBRAVDB_EMBEDDING_BACKEND": "none"}
    _, refused = start(**on_tcp).communicate(timeout=30)
    assert "libravdb token create --role admin" in refused
    admin = told(shell(tmp_path, "token", "create", "--role", "admin"))["token"]
    daemon = start(**on_tcp)
    assert daemon.stdout is not None
    address = parse(daemon.stdout.readline().strip())
    anna = told(shell(tmp_path, "token", "create", "--name", "anna", "--namespace", "anna", "--role", "read"))["token"]
    assert [one["name"] for one in told(shell(tmp_path, "token", "list"))] == ["default", "anna"]
    assert told(shell(tmp_path, "remember", "a boat", LIBRAVDB_DAEMON_TOKEN=admin))
    refused_write = shell(tmp_path, "remember", "a kite", "--user", "anna", LIBRAVDB_DAEMON_TOKEN=anna)
    assert json.loads(refused_write.stderr)["error"]["kind"] == "Forbidden"
    assert told(shell(tmp_path, "list", "--user", "anna", LIBRAVDB_DAEMON_TOKEN=anna)) == []
    assert told(shell(tmp_path, "token", "remove", "default")) == {"removed": "default"}
    wire = SocketWire(address)
    assert "not the right one" in ask(wire, "authenticate", {"token": admin})["error"]["message"]
    wire.close()
    daemon.terminate()
    _, log = daemon.communicate(timeout=30)
    assert admin not in log
    assert anna not in log
