"""`libravdb mcp install | remove | status`: hosts' files are changed in their text, shown first, put back exactly."""

from __future__ import annotations

import json
import os
import stat
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.cli.app import main
from libravdb.cli.mcp.answering import ask_server
from libravdb.cli.mcp.host_file import KEPT, HostFile
from libravdb.cli.mcp.json_text import read_json, with_member, without_member
from libravdb.cli.mcp.mcp_hosts import HOSTS, ServerEntry
from libravdb.cli.mcp.toml_text import read_toml, with_table, without_table
from libravdb.errors import HostError

FILES = {
    "claude": ".claude.json",
    "codex": ".codex/config.toml",
    "gemini": ".gemini/settings.json",
    "cursor": ".cursor/mcp.json",
}
COMMENTED = """\
{
  // the theme
  "theme": "dark", /* and } more */
  "mcpServers": {
    // mine
    "other": {"command": "x"}, // last
  },
}
"""
JSON_FILES = (
    "{}",
    "{ }\n",
    '{"mcpServers":{}}',
    '{"mcpServers": {"other": {"command": "x"}}}',
    '{\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"other": {\n\t\t\t"command": "x"\n\t\t}\n\t}\n}\n',
    '{\r\n    "a": 1\r\n}\r\n',
    '\ufeff{\n  "a": "ä 中 \\u00e4", "b": [1, 2.50, -3e2, null, true]\n}',
    COMMENTED,
    '{"a": "a } brace \\" and // no comment", "b": 1}',
)
TABLES = """\
# mine
model = "o3" # best

[mcp_servers.other] # theirs
command = "x"
args = ["a"]

# profiles
[profiles.fast]
model = "mini"
"""
OURS = """\
[mcp_servers.libravdb]
command = "/old/libravdb"
args = ["mcp"]
[mcp_servers.libravdb.env]
X = "1"

# z
[mcp_servers.z]
"""
OURS_IN_JSON = """\
{
  "mcpServers": {
    "libravdb": {"command": "/old/libravdb", "args": ["mcp"]},
    "z": {"command": "z"}
  }
}
"""
FOREIGN = {
    "claude": '{"mcpServers":{"libravdb":{"type":"http","url":"https://other","headers":{"A":"ghp_abc"}}}}',
    "gemini": '{\n  "mcpServers": {\n    "libravdb": "ghp_abc" // mine\n  }\n}\n',
    "cursor": '{"mcpServers": {"libravdb": {"command": "libravdb", "args": ["forget", "ghp_abc"]}}}',
    "codex": '[mcp_servers.libravdb]\nurl = "x"\nsince = 2026-10-31\n[mcp_servers.libravdb.a.b]\nc = "ghp_abc"\n',
}
"""Servers of somebody else under our name."""

TOML_FILES = (
    'model = "o3"\n',
    TABLES,
    'model = "o3"',
    'text = """\n[mcp_servers.libravdb]\n"""\n',
    "a = 1\r\n[b]\r\nc = 2\r\n",
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home with an empty project in it, which is where commands run."""
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command: its exit code and what it said."""

    def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(arguments)
        out, err = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return left.value.code, out, err

    return run


# ── install and remove ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("host", FILES)
def test_a_host_is_told_once_and_everything_goes_again(home: Path, run: Run, host: str) -> None:
    path = home / FILES[host]
    code, out, _ = run("mcp", "install", host, "--yes")
    assert code == 0
    assert "+" in out
    document = tomllib.loads(path.read_text()) if path.suffix == ".toml" else json.loads(path.read_text())
    entry = document[HOSTS[host].key]["libravdb"]
    assert Path(entry["command"]).is_absolute()
    assert entry["args"] == ["mcp"]
    assert entry.get("type") == ("stdio" if host == "claude" else None)
    before = path.read_bytes()
    code, out, _ = run("mcp", "install", host, "--yes")
    assert (code, path.read_bytes()) == (0, before)
    assert "in place already" in out
    assert run("mcp", "remove", host, "--yes")[0] == 0
    assert not path.exists()
    assert "nothing to take out" in run("mcp", "remove", host, "--yes")[1]


def test_nothing_is_written_before_somebody_said_yes(home: Path, run: Run) -> None:
    code, out, err = run("mcp", "install", "claude")
    assert code == 1
    assert '+    "libravdb": {' in out
    assert "Add --yes" in err
    assert not (home / ".claude.json").exists()


def test_the_address_of_a_database_goes_into_the_entry_but_never_a_password(home: Path, run: Run) -> None:
    """Without it the host would get another memory, and nobody were told."""
    url = "postgresql://anna{}@db.example.org/memory"
    code, _, err = run("--store", url.format(":hush"), "mcp", "install", "cursor", "--yes")
    assert code == 2
    assert "~/.pgpass" in err
    assert "hush" not in err
    assert not (home / ".cursor").exists()
    assert run("--store", url.format(""), "mcp", "install", "cursor", "--yes")[0] == 0
    entry = json.loads((home / ".cursor" / "mcp.json").read_text())["mcpServers"]["libravdb"]
    assert entry["env"]["LIBRAVDB_STORE_URL"] == url.format("")


def test_namespace_store_and_settings_go_into_the_entry_and_secrets_do_not(
    home: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIBRAVDB_EMBEDDING_BACKEND", "none")
    monkeypatch.setenv("LIBRAVDB_DAEMON_TOKEN", "a secret of mine")
    store = home / "s.libravdb"
    code, _, _ = run("--store", str(store), "mcp", "install", "claude", "--project", "--namespace", "shop", "--yes")
    assert code == 0
    assert "secret" not in (home / "project" / ".mcp.json").read_text()
    entry = json.loads((home / "project" / ".mcp.json").read_text())["mcpServers"]["libravdb"]
    assert entry["args"] == ["--namespace", "shop", "mcp"]
    assert entry["env"] == {"LIBRAVDB_STORE_PATH": str(store), "LIBRAVDB_EMBEDDING_BACKEND": "none"}
    assert not store.exists()
    run("--namespace", "agent-id:coder", "mcp", "install", "codex", "--project", "--yes", "--name", "two")
    told = tomllib.loads((home / "project" / ".codex" / "config.toml").read_text())["mcp_servers"]["two"]
    assert told["args"] == ["--namespace", "agent-id:coder", "mcp"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("install", "nano"),
        ("install", "claude", "--user", "--project"),
        ("install", "claude", "--name", "a b"),
        ("install", "claude", "--namespace", " "),
        ("--user", "anna", "install", "claude"),
        ("--user", " "),
    ],
)
def test_wrong_wishes_are_refused(home: Path, run: Run, arguments: tuple[str, ...]) -> None:
    assert run("mcp", *arguments)[0] in (1, 2)
    assert [*home.iterdir()] == [home / "project"]


def test_the_host_may_have_its_folder_elsewhere(home: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "elsewhere"))
    monkeypatch.setenv("CODEX_HOME", str(home / "codex"))
    assert run("mcp", "install", "claude", "--yes")[0] == run("mcp", "install", "codex", "--yes")[0] == 0
    assert (home / "elsewhere" / ".claude.json").exists()
    assert (home / "codex" / "config.toml").exists()


# ── the file ──────────────────────────────────────────────────────────────────────────────────────────────

ENTRY = ServerEntry(command="/opt/a b/libravdb", args=("--namespace", 'x "y" \\ ä', "mcp"), env={"A_B": "1"})


@pytest.mark.parametrize(
    ("host", "text"),
    [*(("gemini", text) for text in JSON_FILES), *(("codex", text) for text in TOML_FILES)],
)
def test_all_else_in_a_file_stays_and_removing_puts_every_byte_back(tmp_path: Path, host: str, text: str) -> None:
    path = tmp_path / "config"
    path.write_bytes(text.encode())
    path.chmod(0o640)
    file = HostFile(HOSTS[host], path, name="libravdb")
    file.carry_out(file.installing(ENTRY))
    after = path.read_bytes().decode()
    assert HostFile(HOSTS[host], path, name="libravdb").entry == ENTRY
    assert all(line.strip().rstrip(",{} ") in after for line in text.splitlines())
    assert (path.with_name("config" + KEPT)).read_bytes() == text.encode()
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(path.with_name("config" + KEPT).stat().st_mode) == 0o640
    again = HostFile(HOSTS[host], path, name="libravdb")
    again.carry_out(again.removing())
    assert path.read_bytes() == text.encode()
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize("host", ["gemini", "codex"])
def test_what_was_changed_in_between_stays(tmp_path: Path, host: str) -> None:
    path = tmp_path / "config"
    path.write_text("a = 1\n" if host == "codex" else '{\n  "a": 1\n}\n')
    file = HostFile(HOSTS[host], path, name="libravdb")
    file.carry_out(file.installing(ENTRY))
    later = path.read_text()
    later = f"b = 2\n{later}" if host == "codex" else later.replace('"a": 1', '"a": 1,\n  "b": 2')
    path.write_text(later)
    again = HostFile(HOSTS[host], path, name="libravdb")
    again.carry_out(again.removing())
    left = tomllib.loads(path.read_text()) if host == "codex" else json.loads(path.read_text())
    assert {key: value for key, value in left.items() if key != "mcpServers"} == {"a": 1, "b": 2}
    assert not left.get("mcpServers")
    assert [*tmp_path.iterdir()] == [path]


def test_another_entry_of_ours_is_replaced_and_its_neighbours_stay(tmp_path: Path) -> None:
    for host, text in (
        ("cursor", OURS_IN_JSON),
        ("codex", OURS),
    ):
        path = tmp_path / host
        path.write_text(text)
        file = HostFile(HOSTS[host], path, name="libravdb")
        file.carry_out(file.installing(ENTRY))
        assert "old" not in path.read_text()
        assert text.splitlines()[-1] in path.read_text()
        assert ("# z" in path.read_text()) == ("# z" in text)
        again = HostFile(HOSTS[host], path, name="libravdb")
        assert again.entry == ENTRY
        again.carry_out(again.removing())
        assert not HostFile(HOSTS[host], path, name="libravdb").is_installed


@pytest.mark.parametrize("host", FOREIGN)
def test_somebody_elses_server_of_the_same_name_gives_way_only_when_told_and_comes_back(
    home: Path, run: Run, host: str
) -> None:
    path = home / FILES[host]
    path.parent.mkdir(exist_ok=True)
    path.write_text(FOREIGN[host])
    for command in ("install", "remove"):
        code, _, err = run("mcp", command, host, "--yes")
        assert code == 1
        assert "Nothing was changed" in err
        assert path.read_text() == FOREIGN[host]
    code, out, err = run("mcp", "install", host, "--replace", "--yes")
    assert (code, "ghp_abc" in out + err) == (0, False)
    assert f"kept in {path}{KEPT}" in out
    assert Path(f"{path}{KEPT}").read_text() == FOREIGN[host]
    assert run("mcp", "install", host, "--name", "work", "--yes")[0] == 0
    assert run("mcp", "remove", host, "--name", "work", "--yes")[0] == 0
    code, out, err = run("mcp", "remove", host, "--yes")
    assert (code, "ghp_abc" in out + err) == (0, False)
    assert path.read_text() == FOREIGN[host]
    assert [*path.parent.glob(f"*{KEPT}*")] == []


@pytest.mark.parametrize("host", FOREIGN)
def test_somebody_elses_server_comes_back_into_a_file_that_was_changed_meanwhile(
    home: Path, run: Run, host: str
) -> None:
    path = home / FILES[host]
    path.parent.mkdir(exist_ok=True)
    path.write_text(FOREIGN[host])
    run("mcp", "install", host, "--replace", "--yes")
    later = path.read_text()
    path.write_text(f"b = 2\n{later}" if host == "codex" else later.replace("{", '{"b": 2,', 1))
    assert run("mcp", "remove", host, "--yes")[0] == 0
    read = read_toml if host == "codex" else read_json
    assert read(path.read_text()) == {"b": 2, **read(FOREIGN[host])}


def test_each_name_has_its_own_copy(home: Path, run: Run) -> None:
    path = home / ".claude.json"
    path.write_text('{\n  "a": 1\n}\n')
    run("mcp", "install", "claude", "--name", "work", "--yes")
    with_work = path.read_text()
    run("mcp", "install", "claude", "--yes")
    path.write_text(with_work)
    assert "Taken out" in run("mcp", "remove", "claude", "--name", "work", "--yes")[1]
    assert path.read_text() == '{\n  "a": 1\n}\n'


@pytest.mark.parametrize("command", ["install", "remove", "status"])
def test_a_link_that_leads_in_a_circle_is_told_of(home: Path, run: Run, command: str) -> None:
    (home / ".claude.json").symlink_to(home / ".claude.json")
    code, out, err = run("mcp", command, *(() if command == "status" else ("claude", "--yes")))
    assert code == 1
    assert "cannot be followed" in out + err


@pytest.mark.parametrize("host", FILES)
def test_the_change_that_is_shown_holds_nothing_of_the_neighbours(home: Path, run: Run, host: str) -> None:
    path = home / FILES[host]
    path.parent.mkdir(exist_ok=True)
    is_toml = host == "codex"
    own = '{"command": "/old/libravdb", "args": ["mcp"], "env": {"LIBRAVDB_DAEMON_TOKEN": "ghp_own"}}'
    path.write_text(
        '[mcp_servers.gh.env]\nT = "ghp_abc"\n[mcp_servers.libravdb]\ncommand = "/old/libravdb"\nargs = ["mcp"]\n'
        '[mcp_servers.libravdb.env]\nLIBRAVDB_DAEMON_TOKEN = "ghp_own"\n[z]\nT = "ghp_abc"\n'
        if is_toml
        else f'{{"mcpServers":{{"gh":{{"command":"gh","env":{{"T":"ghp_abc"}}}},"libravdb":{own}}}, "T": "ghp_abc"}}'
    )
    for arguments in (("install", host), ("install", host, "--yes"), ("remove", host, "--yes")):
        for form in ((), ("--json",)):
            _, out, err = run(*form, "mcp", *arguments)
            assert "ghp_" not in out + err
    assert "libravdb" not in path.read_text()
    assert path.read_text().count("ghp_abc") == 2


@pytest.mark.parametrize(
    ("host", "content"),
    [
        ("claude", b'{"a": }'),
        ("claude", b'{"a": 1'),
        ("claude", b"[]"),
        ("claude", b'{"mcpServers": []}'),
        ("claude", b'{"a": 1} x'),
        ("claude", b'{"a": 1 "b": 2}'),
        ("claude", b"\xff\xfe{}"),
        ("claude", b"[" * 100_000),
        ("codex", b"a = "),
        ("codex", b"mcp_servers = 1\n"),
        ("codex", b'mcp_servers = {other = {command = "x"}}\n'),
        ("codex", b'[mcp_servers]\nlibravdb = {command = "x"}\n'),
    ],
)
def test_a_file_that_cannot_be_changed_safely_is_left_alone(home: Path, run: Run, host: str, content: bytes) -> None:
    path = home / FILES[host]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    code, _, err = run("mcp", "install", host, "--yes")
    assert code == 1
    assert "Nothing was changed" in err
    assert path.read_bytes() == content


def test_a_file_that_is_a_link_stays_one_and_one_that_changes_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("{}")
    link.symlink_to(real)
    file = HostFile(HOSTS["gemini"], link, name="libravdb")
    change = file.installing(ENTRY)
    real.write_text('{"new": 1}')
    with pytest.raises(HostError, match="changed meanwhile"):
        file.carry_out(change)
    file = HostFile(HOSTS["gemini"], link, name="libravdb")
    file.carry_out(file.installing(ENTRY))
    assert link.is_symlink()
    assert json.loads(real.read_text())["new"] == 1


DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@given(
    others=st.dictionaries(st.text(max_size=5), DOCUMENTS, max_size=3),
    servers=st.none() | st.dictionaries(st.text(max_size=5), DOCUMENTS, max_size=3),
    indent=st.sampled_from([None, 0, 2, 4, "\t"]),
)
def test_any_json_keeps_its_other_members(others: dict[str, Any], servers: Any, indent: Any) -> None:
    document = {**others, **({} if servers is None else {"mcpServers": servers})}
    text = json.dumps(document, indent=indent)
    assert read_json(text) == document
    made = with_member(text, "mcpServers", "libravdb", {"command": "x"})
    assert read_json(made) == {
        **document,
        "mcpServers": {**document.get("mcpServers", {}), "libravdb": {"command": "x"}},
    }
    assert json.loads(made) == read_json(made)
    assert with_member(made, "mcpServers", "libravdb", {"command": "x"}) == made
    left = read_json(without_member(made, "mcpServers", "libravdb"))
    servers_left = {name: value for name, value in (servers or {}).items() if name != "libravdb"}
    assert left == {**document, "mcpServers": servers_left}


@given(st.text(st.characters(codec="utf-8")), st.lists(st.text(st.characters(codec="utf-8"))))
def test_any_text_is_written_as_toml_reads_it(command: str, args: list[str]) -> None:
    made = with_table("a = 1\n", "mcp_servers", "libravdb", {"command": command, "args": args, "env": {command: "x"}})
    entry = {"command": command, "args": args, "env": {command: "x"}}
    assert read_toml(made) == {"a": 1, "mcp_servers": {"libravdb": entry}}
    assert read_toml(without_table(made, "mcp_servers", "libravdb")) == {"a": 1}


@given(st.text())
def test_what_is_no_json_is_a_value_error_and_nothing_else(text: str) -> None:
    try:
        read_json(text)
    except ValueError:
        return
    assert with_member(text, "a", "b", 1) if isinstance(read_json(text), dict) else True


# ── status ────────────────────────────────────────────────────────────────────────────────────────────────

ANSWERING = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": {}}), flush=True)
"""


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (ANSWERING, ""),
        ("", "ended"),
        ("print('hello')", "no protocol"),
        ("import time; time.sleep(60)", "in time"),
        (ANSWERING.replace('"result": {}', '"error": {"message": "out of memory"}'), "out of memory"),
    ],
)
def test_a_server_is_asked_as_a_host_asks_it(code: str, told: str) -> None:
    entry = ServerEntry(command=sys.executable, args=("-c", code))
    if not told:
        ask_server(entry, {})
        return
    with pytest.raises(HostError, match=told):
        ask_server(entry, {}, seconds=2)


@pytest.fixture
def program(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program of an installation whose server answers, on PATH as well."""
    folder = home / "installed" / "bin"
    folder.mkdir(parents=True)
    (folder / "libravdb").write_text(f"#!{sys.executable}\n{ANSWERING}")
    (folder / "libravdb").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    return folder / "libravdb"


def _answers(run: Run) -> dict[tuple[str, str], str]:
    return {(row["host"], row["scope"]): row["answers"] for row in json.loads(run("--json", "mcp", "status")[1])}


def test_status_tells_who_knows_it_and_who_gets_no_answer(home: Path, run: Run, program: Path) -> None:
    assert "No host knows the memory yet" in run("mcp", "status")[1]
    good = {"command": str(program), "args": ["mcp"]}
    (home / ".claude.json").write_text(json.dumps({"mcpServers": {"libravdb": good, "other": {"command": "x"}}}))
    code, out, _ = run("--json", "mcp", "status")
    assert code == 0
    (row,) = json.loads(out)
    assert (row["host"], row["scope"], row["answers"]) == ("claude", "user", "yes")
    (home / "project" / ".mcp.json").write_text('{"mcpServers": {"libravdb": {"command": "/no/such/libravdb"}}}')
    (home / ".gemini").mkdir()
    (home / ".gemini" / "settings.json").write_text("{")
    (home / ".cursor").mkdir()
    (home / ".cursor" / "mcp.json").write_text('{"mcpServers": {"libravdb": {"url": "http://x"}}}')
    assert run("mcp", "status")[0] == 1
    told = _answers(run)
    assert told["claude", "user"] == "yes"
    assert "Another program" in told["claude", "project"]
    assert "install claude --project --replace" in told["claude", "project"]
    assert "cannot be read" in told["gemini", "user"]
    assert "starts no program" in told["cursor", "user"]


@pytest.mark.parametrize(
    "entry",
    [
        {"command": "/bin/sh", "args": ["-c", "touch pwned"]},
        {"command": "./libravdb", "args": ["mcp"]},
        {"command": "PROJECT/libravdb", "args": ["mcp"]},
        {"command": "libravdb", "args": ["mcp"], "env": {"PATH": "PROJECT"}},
        {"command": "libravdb", "args": ["mcp"], "env": {"PYTHONPATH": "PROJECT"}},
        {"command": "libravdb", "args": ["mcp"], "env": {"LIBRAVDB_DAEMON_ENDPOINT": "tcp:10.0.0.1:1"}},
        {"command": "libravdb", "args": ["--endpoint", "tcp:10.0.0.1:1", "mcp"]},
        {"command": "libravdb", "args": ["--config=evil.toml", "mcp"]},
        {"command": "libravdb", "args": ["forget", "mcp"]},
        {"command": "libravdb", "args": ["mcp", "install", "claude", "--yes"]},
        {"command": "libravdb", "args": ["--namespace", "mcp"]},
        {"command": "libravdb"},
        {"command": ""},
    ],
)
@pytest.mark.parametrize("host", ["claude", "gemini", "cursor"])
def test_status_starts_nothing_that_a_project_brings_along(
    home: Path, run: Run, program: Path, host: str, entry: dict[str, Any]
) -> None:
    project = home / "project"
    (project / "libravdb").write_text("#!/bin/sh\ntouch pwned\n")
    (project / "libravdb").chmod(0o755)
    program.write_text("#!/bin/sh\ntouch pwned\n")
    path = project / HOSTS[host].project_file
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"mcpServers": {"libravdb": entry}}).replace("PROJECT", str(project)))
    told = _answers(run)[host, "project"]
    assert "not started" in told
    assert not (project / "pwned").exists()


@pytest.mark.parametrize(
    "entry",
    [
        {"command": "libravdb", "args": ["--namespace", "mcp", "mcp"]},
        {"command": "LINK", "args": ["mcp", "--user=anna", "--aliases"]},
        {"command": "libravdb", "args": ["mcp"], "env": {"LIBRAVDB_STORE_PATH": "s", "LIBRAVDB_SEARCH_K": "5"}},
    ],
)
def test_status_tries_this_installation_however_it_is_named(
    home: Path, run: Run, program: Path, entry: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "bin").mkdir()
    (home / "bin" / "libravdb").symlink_to(program)
    monkeypatch.setenv("LIBRAVDB_SEARCH_K", "5")
    text = json.dumps({"mcpServers": {"libravdb": entry}}).replace("LINK", str(home / "bin" / "libravdb"))
    (home / "project" / ".mcp.json").write_text(text)
    assert _answers(run)["claude", "project"] == "yes"


# ── without the extra ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("arguments", [("mcp",), ("mcp", "install", "claude", "--yes")])
def test_without_the_extra_the_command_says_what_to_install(
    home: Path, run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    code, out, err = run(*arguments)
    assert (code, out) == (1, "")
    assert "pip install 'libravdb-memory[mcp]'" in err
    assert [*home.iterdir()] == [home / "project"]
