"""The command as a person meets it: run in a process of its own, with the shipped model and a real store."""

from __future__ import annotations

import hashlib
import json
import os
import pty
import select
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.adapters.summarisers.copiers import Copier
from tests.commands import run_command

from libravdb.config import Config, settings

if TYPE_CHECKING:
    from tests.conftest import ChatServer

Result = subprocess.CompletedProcess[str]
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs `libravdb …` with a home of its own; `env` and `stdin` may be given."""

    def run(*arguments: str, stdin: str = "", env: dict[str, str] | None = None) -> Result:
        return run_command(*arguments, stdin=stdin, env=_environment(tmp_path) | (env or {}))

    return run


def _environment(home: Path) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("LIBRAVDB_")}
    return kept | {"HOME": str(home), "NO_COLOR": "1", "COLUMNS": "100", "TZ": "UTC", "PYTHONWARNINGS": "error"}


def test_remember_then_search_finds_it_by_meaning(run: Run) -> None:
    assert run("remember", "Anna is allergic to peanuts", "--at", "2026-10-03T12:00").returncode == 0
    run("remember", "The train to Graz leaves at nine")
    found = run("search", "which food must be avoided?")
    assert found.returncode == 0
    assert found.stderr == ""
    score, when, id, text, why = found.stdout.splitlines()[0].split("\t")
    assert (when, text) == ("2026-10-03 12:00", "Anna is allergic to peanuts")
    assert float(score) > 0
    assert id.startswith("mem:")
    assert "similar in meaning" in why


def test_json_is_one_document_with_the_whole_account(run: Run) -> None:
    run("remember", "We deploy on Tuesdays", "--meta", "topic=release", "--meta", "build=12")
    answer = json.loads(run("--json", "search", "deploy", "--where", "build=12").stdout)
    assert answer["mode"] == "full"
    (hit,) = answer["hits"]
    assert hit["metadata"] == {"topic": "release", "build": 12}
    assert {"meaning", "words", "cosine", "relevance", "scope", "standing"} <= set(hit["breakdown"])
    assert json.loads(run("--json", "search", "deploy", "--where", 'build="12"').stdout)["hits"] == []


def test_list_forget_and_their_counts(run: Run) -> None:
    run("remember", "one", "--id", "a")
    run("remember", "two", "--id", "b")
    assert [line.split("\t")[1:] for line in run("list").stdout.splitlines()] == [["b", "two"], ["a", "one"]]
    assert run("list", "--collections").stdout == "user:default\t2\n"
    assert run("forget", "a", "zzz").stdout == "Forgot 1. 1 were not there.\n"
    missing = run("forget", "a")
    assert missing.returncode == 1
    assert "No record named 'a'" in missing.stderr


@pytest.mark.parametrize("command", ["compact", "history"])
def test_an_unknown_session_is_named_with_a_remedy(run: Run, command: str) -> None:
    run("remember", "one")
    missing = run(command, "nosuch")
    assert missing.returncode == 1
    assert "No session named 'nosuch'" in missing.stderr
    assert "libravdb ingest" in missing.stderr


def test_lines_of_standard_input_are_remembered_each_by_itself(run: Run) -> None:
    done = run("remember", "-", "--lines", stdin="first\n\nsecond\nfirst\n")
    assert done.stdout == "Remembered 2 texts in user:default; 1 were known already.\n"
    empty = run("remember", "-", stdin="")
    assert empty.returncode == 1


def test_users_are_kept_apart(run: Run) -> None:
    run("remember", "likes tea", "--user", "anna")
    run("remember", "likes coffee", "--user", "annabel")
    assert "coffee" not in run("search", "likes", "--user", "anna").stdout
    run("flush", "--user", "anna", "--yes")
    assert "likes tea" not in run("list", "--user", "anna").stdout
    assert "likes coffee" in run("list", "--user", "annabel").stdout


def test_flushing_a_user_takes_the_users_sessions_along(run: Run, tmp_path: Path) -> None:
    chat = tmp_path / "chat.json"
    chat.write_text('[{"role": "user", "content": "My locker code is 4711, keep it to yourself."}]')
    for user in ("anna", "ben"):
        assert run("ingest", str(chat), "--session", f"of-{user}", "--user", user).returncode == 0
    run("flush", "--user", "anna", "--yes")
    assert "4711" not in run("list", "-c", "session_raw:of-anna").stdout
    assert "4711" in run("list", "-c", "session_raw:of-ben").stdout
    assert run("fsck").returncode == 0


def test_a_user_is_the_same_however_the_name_is_spaced(run: Run, tmp_path: Path) -> None:
    chat = tmp_path / "chat.json"
    chat.write_text('[{"role": "user", "content": "My sister Clara moved to Lisbon in March 2024."}]')
    assert "durable memory of anna" in run("ingest", str(chat), "--user", " anna ", "--session", "s").stdout
    run("remember", "Clara is a nurse", "--user", "anna ")
    assert run("search", "Clara", "--user", "anna").stdout.count("Clara") >= 2
    assert "is empty" in run("flush", "--user", " ", "--yes").stderr
    run("flush", "--user", "  anna", "--yes")
    assert json.loads(run("--json", "status").stdout)["store"]["records"] == 0


def test_export_flush_import_brings_everything_back(run: Run, tmp_path: Path) -> None:
    run("remember", "keeps bees", "--id", "x", "--meta", "n=1")
    before = run("--json", "list").stdout
    file = tmp_path / "out.jsonl"
    assert run("export", str(file), "--vectors").returncode == 0
    assert run("flush", "--everything", "--yes").stdout == "Deleted 1 records.\n"
    assert run("--json", "list").stdout == "[]\n"
    assert "Imported 1 records" in run("import", str(file)).stdout
    assert run("--json", "list").stdout == before
    assert run("export").stdout.splitlines()[2:] == run("export", "-").stdout.splitlines()[2:]
    assert run("fsck").returncode == 0


def test_flush_does_nothing_unless_somebody_says_yes(run: Run) -> None:
    run("remember", "precious")
    refused = run("flush", "--user", "default")
    assert refused.returncode == 2
    assert "--yes" in refused.stderr
    assert run("flush").returncode == 2
    assert "precious" in run("list").stdout


def test_backup_gives_a_sound_copy_and_overwrites_nothing(run: Run, tmp_path: Path) -> None:
    run("remember", "kept twice")
    copy = tmp_path / "copy.libravdb"
    assert run("backup", str(copy)).returncode == 0
    assert "kept twice" in run("--store", str(copy), "list").stdout
    assert run("fsck", str(copy)).returncode == 0
    again = run("backup", str(copy))
    assert again.returncode == 1
    assert "exists already" in again.stderr


def test_backup_tells_the_digest_of_what_it_wrote(run: Run, tmp_path: Path) -> None:
    run("remember", "kept twice")
    copy = tmp_path / "copy.libravdb"
    told = json.loads(run("--json", "backup", str(copy)).stdout)
    assert told["sha256"] == hashlib.sha256(copy.read_bytes()).hexdigest()
    assert told["size_bytes"] == copy.stat().st_size


def test_a_damaged_store_is_told_and_repaired(run: Run, tmp_path: Path) -> None:
    for text in ("the first note", "the second note"):
        run("remember", text)
    path = tmp_path / ".clawdb" / "data.libravdb"
    path.write_bytes(path.read_bytes().replace(b"the second note", b"the setond note"))
    listed = run("list")
    assert listed.returncode == 1
    assert "libravdb repair" in listed.stderr
    refused = run("remember", "a third note")
    assert refused.returncode == 1
    assert "damaged" in refused.stderr
    assert "read-only" in run("status").stderr
    done = json.loads(run("--json", "repair", "--replace").stdout)
    assert done["saved"]["records"] == 1
    assert [loss["count"] for loss in done["losses"] if loss["kind"] == "records"] == [1]
    assert Path(done["kept"]).exists()
    assert run("fsck").returncode == 0
    assert "the first note" in run("list").stdout
    assert run("remember", "a third note").returncode == 0


def test_fsck_tells_what_is_broken_and_leaves_with_one(run: Run, tmp_path: Path) -> None:
    run("remember", "to be damaged")
    path = tmp_path / ".clawdb" / "data.libravdb"
    db = sqlite3.connect(path)
    db.execute("UPDATE texts SET body = 'damaged'")
    db.commit()
    db.close()
    found = run("fsck")
    assert found.returncode == 1
    assert "texts match their address" in found.stdout
    assert run("doctor").returncode == 1


def test_doctor_is_content_with_a_sound_installation(run: Run) -> None:
    run("remember", "something")
    report = json.loads(run("--json", "doctor").stdout)
    assert {line["name"] for line in report} == {
        "python", "sqlite", "configuration", "folder", "disk", "model", "summariser", "store", "writing", "vectors",
    }  # fmt: skip
    assert {line["health"] for line in report} <= {"good", "notice"}
    assert run("doctor").returncode == 0
    assert "openclaw configuration" in run("doctor", "--openclaw").stdout


def test_doctor_lets_the_configured_summariser_write(run: Run, tmp_path: Path, chat_server: ChatServer) -> None:
    local = {
        "LIBRAVDB_EMBEDDING_BACKEND": "none",
        "LIBRAVDB_SUMMARIZER_BACKEND": "onnx",
        "LIBRAVDB_SUMMARIZER_MODEL_PATH": str(Copier().save(tmp_path / "writer")),
    }
    server = {
        "LIBRAVDB_EMBEDDING_BACKEND": "none",
        "LIBRAVDB_SUMMARIZER_BACKEND": "ollama",
        "LIBRAVDB_SUMMARIZER_ENDPOINT": chat_server.url,
        "LIBRAVDB_SUMMARIZER_MODEL": "m",
    }
    for env, words in ((local, "sure to 100%"), (server, "ollama makes")):
        (line,) = (each for each in json.loads(run("--json", "doctor", env=env).stdout) if each["name"] == "summariser")
        assert line["health"] == "good"
        assert words in line["detail"]
    broken = run("--json", "doctor", env={**local, "LIBRAVDB_SUMMARIZER_PROFILE": "t6"})
    (line,) = (each for each in json.loads(broken.stdout) if each["name"] == "summariser")
    assert (line["health"], broken.returncode) == ("bad", 1)
    assert "t5-small" in line["remedy"]


def test_doctor_names_a_broken_configuration(run: Run) -> None:
    report = run("doctor", env={"LIBRAVDB_SEARCH_K": "many"})
    assert report.returncode == 1
    assert "search.k" in report.stdout


def test_config_shows_each_value_and_its_origin_and_hides_secrets(run: Run) -> None:
    shown = run("config", env={"LIBRAVDB_SEARCH_K": "3", "LIBRAVDB_EMBEDDING_API_KEY": "hush-hush"})
    lines = {line.split("\t")[0]: line.split("\t")[1:] for line in shown.stdout.splitlines()}
    assert lines["search.k"] == ["3", "environment variable LIBRAVDB_SEARCH_K"]
    assert lines["search.dense_weight"] == [str(Config().search.dense_weight), "default"]
    assert "hush" not in shown.stdout + shown.stderr


def test_config_leaves_expert_settings_out_until_asked_or_set(run: Run) -> None:
    def keys(*options: str, **env: str) -> list[str]:
        return [line.split("\t")[0] for line in run("config", *options, env=env).stdout.splitlines()]

    everything = [each.key for each in settings()]
    usual = [each.key for each in settings() if not each.expert]
    assert keys() == usual
    assert keys("--expert") == everything
    assert set(keys(LIBRAVDB_SEARCH_SPEAKER="0.5")) - set(usual) == {"search.speaker"}
    told = json.loads(run("--json", "config").stdout)
    assert [each["key"] for each in told] == everything
    assert [each["key"] for each in told if not each["expert"]] == usual


def test_without_an_embedder_every_answer_says_so(run: Run) -> None:
    off = {"LIBRAVDB_EMBEDDING_BACKEND": "none"}
    assert "words only" in run("remember", "the ferry leaves at nine", env=off).stderr
    found = run("search", "ferry", env=off)
    assert "the ferry leaves at nine" in found.stdout
    assert "words only" in found.stderr
    assert json.loads(run("--json", "search", "ferry", env=off).stdout)["mode"] == "lexical-only"
    assert "lexical-only" in run("status", env=off).stdout
    assert "1 texts have no vectors yet" in run("status").stderr
    assert "Embedded 1 texts" in run("reembed").stdout
    assert run("status").stderr == ""


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("remember", ""), 1, "text: is empty"),
        (("search", " "), 1, "question: is empty"),
        (("search", "x", "-k", "0"), 2, "0 is not in the range"),
        (("remember", "x", "--at", "yesterday"), 2, "is not a date or time"),
        (("remember", "x", "--meta", "novalue"), 2, "key=value"),
        (("remember", "x", "--user", "a", "-c", "b"), 2, "not both"),
        (("remember", "x", "-c", "n" * 2000), 1, "collection: has 2,000 bytes"),
        (("serach", "x"), 2, "No such command"),
        (("remember", "x", "--user", ""), 2, "--user is empty"),
        (("--store", "/", "list"), 1, "is a folder"),
        (("import", "no-such-file"), 1, "cannot be read"),
        (("fsck", "no-such-file"), 1, "No store named"),
        (("--config", "no-such-file", "status"), 2, "no-such-file"),
        (("reembed", "--rollback"), 1, "nothing to go back to"),
    ],
)
def test_a_wrong_call_gets_a_clear_error(run: Run, arguments: tuple[str, ...], code: int, message: str) -> None:
    run("remember", "there is a store", env={"LIBRAVDB_EMBEDDING_BACKEND": "none"})
    done = run(*arguments)
    assert done.returncode == code
    assert message in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_text_beyond_the_limit_is_refused_with_the_numbers(run: Run) -> None:
    done = run("remember", "-", stdin="x" * 1_000_001)
    assert done.returncode == 1
    assert "1,000,001 characters, at most 1,000,000" in " ".join(done.stderr.split())
    assert "store.max_text_chars" in done.stderr


def test_an_argument_that_is_no_text_is_told_too(run: Run, tmp_path: Path) -> None:
    words = [sys.executable.encode(), b"-m", b"libravdb", b"remember", b"caf\xe9 ok"]
    done = subprocess.run(words, capture_output=True, check=False, env=_environment(tmp_path))
    assert done.returncode == 0
    assert b"no UTF-8" in done.stderr
    assert json.loads(run("--json", "list").stdout)[0]["text"] == "caf\ufffd ok"


def test_bytes_that_are_no_text_are_kept_as_replacement_characters(run: Run, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "libravdb", "remember", "-"],
        input=b"caf\xe9 \xff\x00 ok",
        capture_output=True,
        check=False,
        env=_environment(tmp_path),
    )
    assert done.returncode == 0
    assert b"no UTF-8" in done.stderr
    assert json.loads(run("--json", "list").stdout)[0]["text"] == "caf\ufffd \ufffd\ufffd ok"


def test_a_path_that_is_no_text_is_shown_all_the_same(run: Run, tmp_path: Path) -> None:
    path = os.fsdecode(bytes(tmp_path) + b"/caf\xe9.libravdb")
    strict = {"LIBRAVDB_EMBEDDING_BACKEND": "none", "PYTHONIOENCODING": "utf-8:strict"}
    run("--store", path, "remember", "x", env=strict)
    assert run("fsck", path, env=strict).stdout == f"{tmp_path}/caf\\udce9.libravdb: sound.\n"
    assert json.loads(run("--json", "fsck", path, env=strict).stdout)["path"] == path


def test_control_characters_in_memories_do_not_reach_the_terminal(run: Run) -> None:
    run("remember", "red \x1b[31m and \x07 bell")
    assert "\x1b" not in run("list").stdout
    assert "\x1b" not in run("search", "bell").stdout


def test_a_known_text_takes_the_metadata_of_the_last_call(run: Run) -> None:
    run("remember", "tea at four", "--id", "x", "--meta", "cups=2")
    again = run("remember", "tea at four", "--id", "x", "--meta", "k=NaN")
    assert again.stdout == "Known already: x in user:default\n"
    told = json.loads(run("--json", "list").stdout)[0]["metadata"]
    assert (told["cups"], told["k"]) == (2, "NaN")


def test_output_that_cannot_be_written_is_told_in_a_line(run: Run, tmp_path: Path) -> None:
    run("remember", "x")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "libravdb", "--json", "list"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env=_environment(tmp_path),
        )
    assert done.returncode != 0
    assert "Traceback" not in done.stderr


def test_help_teaches_by_example(run: Run) -> None:
    for command in ("remember", "search", "list", "forget", "export", "import", "flush", "backup", "reembed", "config"):
        shown = run(command, "--help")
        assert shown.returncode == 0
        assert f"libravdb {command}" in shown.stdout
        assert "Examples:" in shown.stdout


def test_a_reader_who_leaves_early_gets_no_complaint(run: Run, tmp_path: Path) -> None:
    run("remember", "-", "--lines", stdin="\n".join(f"line {n} {'x' * 200}" for n in range(600)))
    with subprocess.Popen(
        [sys.executable, "-m", "libravdb", "export"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_environment(tmp_path),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""


def test_the_demo_shows_what_was_found_and_why(run: Run) -> None:
    shown = run("demo")
    assert shown.returncode == 0
    assert "Jonas is allergic to hazelnuts" in shown.stdout
    assert "similar in meaning" in shown.stdout
    assert "search mode: full" in shown.stdout
    assert "libravdb demo --keep, then libravdb inspect --user demo." in shown.stdout
    assert run("list", "--collections").stdout == ""


def test_on_a_terminal_there_are_tables_and_flush_asks(run: Run, tmp_path: Path) -> None:
    run("remember", "shown in a frame")
    (tmp_path / "chat.json").write_text('["The ferry leaves at nine.", "And the train at ten."]')
    run("ingest", str(tmp_path / "chat.json"), "--session", "trip")
    assert "└── " in _on_terminal(tmp_path, ["history", "trip"], "")
    assert "╭" in _on_terminal(tmp_path, ["demo"], "").partition("What should I keep away from Jonas?")[2]
    assert "│" in _on_terminal(tmp_path, ["list"], "")
    assert "╭" in _on_terminal(tmp_path, ["search", "frame"], "")
    asked = _on_terminal(tmp_path, ["flush", "--user", "default"], "n\n")
    assert "for good? [y/N]" in asked
    assert "shown in a frame" in run("list").stdout
    _on_terminal(tmp_path, ["flush", "--user", "default"], "y\n")
    assert run("list").stdout == ""


def _on_terminal(home: Path, arguments: list[str], typed: str) -> str:
    """Run the command on a pseudo-terminal, type into it, and give back what a person saw."""
    child, terminal = pty.fork()
    if child == 0:  # pragma: no cover - the child becomes the command
        environment = _environment(home) | {"TERM": "xterm-256color"}
        os.execve(  # noqa: S606 - our own program
            sys.executable, [sys.executable, "-m", "libravdb", *arguments], environment
        )
    os.write(terminal, typed.encode())
    seen = b""
    while True:
        ready, _, _ = select.select([terminal], [], [], 60)
        if not ready:
            os.kill(child, signal.SIGKILL)
            break
        try:
            seen += os.read(terminal, 65536)
        except OSError:
            break
    os.waitpid(child, 0)
    os.close(terminal)
    return seen.decode(errors="replace")
