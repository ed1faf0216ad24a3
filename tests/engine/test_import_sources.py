"""What is read from a path is a regular file, looked at before a byte is read; a stream has bounds."""

from __future__ import annotations

import io
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.adapters.memory.store import MemoryStore
from libravdb.engine.engine import Engine
from libravdb.errors import InvalidInput
from libravdb.ports.regular_file import lines_of, open_regular, read_bounded, read_regular
from libravdb.testing import WordsEmbedder

SECONDS = 60
"""Far more than a refusal takes: what waits is killed, and the test fails."""


@pytest.fixture
def strange(tmp_path: Path) -> Iterator[dict[str, Path]]:
    """Things that are no regular file."""
    fifo, folder, listening = tmp_path / "fifo", tmp_path / "folder", tmp_path / "socket"
    os.mkfifo(fifo)
    folder.mkdir()
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(listening))
        links = {}
        for name, target in {"fifo": fifo, "zero": Path("/dev/zero"), "folder": folder}.items():
            links[name] = tmp_path / f"link-to-{name}"
            links[name].symlink_to(target)
        yield {
            "a pipe": fifo,
            "a folder": folder,
            "a socket": listening,
            "a device": Path("/dev/zero"),
            "a link to a device": links["zero"],
            "a link to a pipe": links["fifo"],
            "a link to a folder": links["folder"],
            "nothing": tmp_path / "missing",
        }


KINDS = (
    "a pipe",
    "a folder",
    "a socket",
    "a device",
    "a link to a device",
    "a link to a pipe",
    "a link to a folder",
    "nothing",
)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_regular_file_is_refused_before_it_is_read(kind: str, strange: dict[str, Path]) -> None:
    path = strange[kind]
    with pytest.raises(InvalidInput) as caught, open_regular(path):
        pytest.fail("it was opened")
    assert str(path) in str(caught.value)
    if kind in ("a pipe", "a folder", "a device"):
        assert f"is {kind}, not a regular file" in str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
def test_an_import_refuses_it_and_the_engine_goes_on(kind: str, strange: dict[str, Path], tmp_path: Path) -> None:
    embedder = WordsEmbedder()
    with Engine(store=MemoryStore(), load_embedder=lambda _: embedder, clock=lambda: 1) as engine:
        engine.memories.remember("a note", collection="c")
        with pytest.raises(InvalidInput):
            engine.upkeep.import_file(strange[kind])
        assert engine.upkeep.export_file(tmp_path / "all.jsonl") == 1


@pytest.mark.parametrize("kind", ["a pipe", "a device", "a link to a pipe"])
@pytest.mark.parametrize(
    "command", [("import",), ("ingest", "--session", "s"), ("authored", "add"), ("authored", "lint")]
)
def test_no_command_waits_for_it(command: tuple[str, ...], kind: str, strange: dict[str, Path], tmp_path: Path) -> None:
    done = run(*command, str(strange[kind]), home=tmp_path)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr


def run(*words: str, home: Path, stdin: int | None = subprocess.DEVNULL) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "HOME": str(home), "LIBRAVDB_EMBEDDING_BACKEND": "none"}
    return subprocess.run(
        [sys.executable, "-m", "libravdb", "--store", str(home / "m.libravdb"), *words],
        env=environ,
        stdin=stdin,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def test_a_stream_without_lines_is_refused(tmp_path: Path) -> None:
    with Path("/dev/zero").open("rb") as endless:
        done = run("import", "-", home=tmp_path, stdin=endless.fileno())
    assert done.returncode != 0
    assert "line 1" in done.stderr
    assert "longer than" in done.stderr


@given(lines=st.lists(st.binary(max_size=20).map(lambda line: line.replace(b"\n", b"") + b"\n"), max_size=8))
def test_lines_come_out_as_they_are_or_are_refused(lines: list[bytes]) -> None:
    given_lines = b"".join(lines)
    if all(len(line) <= 10 for line in lines) and len(given_lines) <= 40:
        assert list(lines_of(io.BytesIO(given_lines), max_line_bytes=10, max_bytes=40)) == lines
    else:
        with pytest.raises(InvalidInput, match=r"l[oa][nr]ger than"):
            list(lines_of(io.BytesIO(given_lines), max_line_bytes=10, max_bytes=40))


@given(content=st.binary(max_size=20))
def test_what_is_read_whole_is_bounded(content: bytes) -> None:
    if len(content) <= 10:
        assert read_bounded(io.BytesIO(content), name="it", max_bytes=10) == content
    else:
        with pytest.raises(InvalidInput, match="it: is larger than 10 bytes"):
            read_bounded(io.BytesIO(content), name="it", max_bytes=10)


def test_a_regular_file_is_read_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert read_regular(tmp_path / "link", max_bytes=100) == b"content"
