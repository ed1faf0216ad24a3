"""The daemon keeps an agent's notes in step with its workspace: through a real process and a real file system."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from tests.daemon.test_folder_watch import until
from tests.daemon.test_process import connect, ready
from tests.served import Start
from tests.support import open_words_engine

from libravdb.adapters.notes.workspace import WorkspaceFiles
from libravdb.client.client import Client
from libravdb.daemon.note_watch import NoteWatch
from libravdb.errors import InvalidInput
from libravdb.model import NoteFolder
from libravdb.testing import WordsEmbedder
from libravdb.wire.methods import engine as wire
from libravdb.wire.methods import notes
from libravdb.wire.methods.method import NoParams
from libravdb.wire.methods.search import SEARCH, SearchParams

AGENT = "agent-id:main"
BOAT = "Anna keeps a green boat in Trieste."


def found(client: Client, question: str) -> list[str]:
    params = SearchParams(question=question, namespace="anna", notes_of=AGENT, k=3)
    return [hit.record.text for hit in client.call(SEARCH, params).hits]


def watch(client: Client, folder: Path) -> NoteFolder:
    return client.call(notes.WATCH_NOTES, notes.WatchNotesParams(namespace=AGENT, folder=str(folder)))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    (folder / "memory").mkdir(parents=True)
    (folder / "MEMORY.md").write_text("The harbour master is called Zeno.")
    (folder / "memory" / "boat.md").write_text(BOAT)
    (folder / "README.md").write_text("No note of anybody.")
    return folder


def test_notes_are_found_followed_and_remembered_over_a_restart(start: Start, workspace: Path) -> None:
    process = start()
    with connect(ready(process)) as client:
        told = watch(client, workspace)
        assert (told.notes, told.passages, told.problem) == (2, 2, "")
        assert watch(client, workspace) == told
        assert found(client, "green boat")[0] == BOAT
        (workspace / "memory" / "boat.md").write_text("Anna sold the green boat to Bela.")
        until(lambda: found(client, "green boat")[0] == "Anna sold the green boat to Bela.")
        (workspace / "memory" / "bread.md").write_text("The rye bread needs nine hours.")
        until(lambda: "The rye bread needs nine hours." in found(client, "rye bread"))
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    (workspace / "memory" / "bread.md").unlink()
    process = start()
    with connect(ready(process)) as client:
        until(lambda: "The rye bread needs nine hours." not in found(client, "rye bread"))
        assert found(client, "green boat")[0] == "Anna sold the green boat to Bela."
        gone = client.call(notes.UNWATCH_NOTES, notes.UnwatchNotesParams(namespace=AGENT))
        assert gone == wire.Counted(records=2)
        assert client.call(notes.LIST_NOTES, NoParams()).folders == ()
        assert found(client, "green boat") == []


def test_a_diary_is_watched_and_what_it_loses_is_forgotten(start: Start, workspace: Path) -> None:
    line = "- The router stands in the cellar {score=0.9 recall=3 unique=2}\n"
    (workspace / "DREAMS.md").write_text(f"## Deep Sleep\n\n{line}")
    with connect(ready(start())) as client:
        watch(client, workspace)
        asked = "What did you dream about the router?"
        dream = "The router stands in the cellar"
        assert found(client, asked)[0] == dream
        (workspace / "DREAMS.md").unlink()
        until(lambda: dream not in found(client, asked))


@pytest.mark.parametrize("folder", ["", "memory", "./x", "/a\0b"])
def test_only_an_absolute_path_names_a_workspace(start: Start, folder: str) -> None:
    with connect(ready(start())) as client, pytest.raises(InvalidInput, match="absolute"):
        client.call(notes.WATCH_NOTES, notes.WatchNotesParams(namespace=AGENT, folder=folder))


# ── without a process ─────────────────────────────────────────────────────────────────────────────────────


def test_a_workspace_that_is_away_keeps_its_notes_and_says_so(tmp_path: Path, workspace: Path) -> None:
    with open_words_engine(tmp_path / "data.libravdb", WordsEmbedder()) as engine:
        watcher = NoteWatch(engine.notes, WorkspaceFiles())
        assert watcher.watch(str(workspace), namespace=AGENT).notes == 2
        workspace.rename(tmp_path / "elsewhere")
        away = watcher.watch(str(workspace), namespace=AGENT)
        assert (away.notes, "No such file" in away.problem) == (2, True)
        (tmp_path / "elsewhere").rename(workspace)
        assert watcher.watch(str(workspace), namespace=AGENT).problem == ""


def test_links_hidden_files_reports_of_dreaming_and_what_is_too_large_are_no_notes(
    tmp_path: Path, workspace: Path
) -> None:
    (tmp_path / "secret.md").write_text("The vault opens with heliotrope.")
    (workspace / "memory" / "link.md").symlink_to(tmp_path / "secret.md")
    (workspace / "memory" / "folder").symlink_to(tmp_path)
    (workspace / "memory" / ".hidden.md").write_text("hidden")
    (workspace / "memory" / "dreaming" / "deep").mkdir(parents=True)
    (workspace / "memory" / "dreaming" / "deep" / "a.md").write_text("a report")
    (workspace / "memory" / "deeper").mkdir()
    (workspace / "memory" / "deeper" / "b.md").write_text("A deeper note.")
    (workspace / "memory" / "large.md").write_bytes(b"x" * 1_100_000)
    os.mkfifo(workspace / "memory" / "pipe.md")
    with open_words_engine(tmp_path / "data.libravdb", WordsEmbedder()) as engine:
        told = NoteWatch(engine.notes, WorkspaceFiles()).watch(str(workspace), namespace=AGENT)
        assert set(engine.notes.known(namespace=AGENT)) == {"MEMORY.md", "memory/boat.md", "memory/deeper/b.md"}
        assert "large.md" in told.problem


def test_a_deleted_namespace_stays_deleted_until_somebody_asks_for_its_notes_again(
    tmp_path: Path, workspace: Path
) -> None:
    with open_words_engine(tmp_path / "data.libravdb", WordsEmbedder()) as engine:
        watcher = NoteWatch(engine.notes, WorkspaceFiles())
        watcher.watch(str(workspace), namespace=AGENT)
        engine.deletions.flush_namespace(AGENT)
        (workspace / "memory" / "boat.md").write_text("Something new about the boat.")
        watcher._looked()
        assert engine.notes.known(namespace=AGENT) == {}
        assert watcher.watch(str(workspace), namespace=AGENT).notes == 2


def test_a_note_whose_name_holds_a_secret_is_followed_too(tmp_path: Path, workspace: Path) -> None:
    path = workspace / "memory" / ("gh" + "p_" + "aZ3kQ9xV7bN2mL5pR8tY1wE6uI4oA0sD9fGh" + ".md")
    path.write_text("Kept under an odd name.")
    with open_words_engine(tmp_path / "data.libravdb", WordsEmbedder()) as engine:
        watcher = NoteWatch(engine.notes, WorkspaceFiles())
        assert watcher.watch(str(workspace), namespace=AGENT).notes == 3
        assert not any("aZ3kQ9" in name for name in engine.notes.known(namespace=AGENT))
        watcher._looked()
        assert watcher.folders()[0].notes == 3
        path.unlink()
        watcher._looked()
        assert watcher.folders()[0].notes == 2
