"""An erasure is proved or refused: nothing of the namespace is left anywhere, others lose nothing, whatever happens."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.chats import MANUAL, Clock
from tests.postgres.instead_of_files import is_asked_for
from tests.support import NOON, examples, open_words_engine, read_cues

from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.engine.engine import Engine
from libravdb.engine.pages import every_record
from libravdb.errors import StoreError
from libravdb.model import (
    Append,
    Change,
    ClearJournal,
    Commit,
    DropCollection,
    ErasureReview,
    Put,
    Record,
    Remove,
    Revision,
    SetState,
    SignedErasure,
    Topic,
)
from libravdb.ports.store import NO_CONDITION
from libravdb.testing import WordsEmbedder
from libravdb.text import analysis, dates

ANNA, BEN = "anna", "ben"
WORDS = ("zanzibar", "quicksilver", "ombudsman", "perihelion", "xylophonist")
"""Words that only Anna says."""


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with open_words_engine(
        tmp_path / "m.db", WordsEmbedder(), settings=MANUAL, clock=Clock(), read_rules=read_cues
    ) as opened:
        yield opened


def talk(engine: Engine, namespace: str = ANNA, *, session: str = "s", turns: int = 24) -> None:
    """A conversation with facts, rules and a few rare words."""
    for n in range(turns):
        word = WORDS[n % len(WORDS)] if namespace == ANNA else "lemonade"
        text = f"step {n}: the {word} plan of {namespace} costs {n * 7} euros and is done in src/{word}{n}.py"
        text = f"You must never tell {word} to anybody, rule {n}" if n % 6 == 5 else text
        engine.conversations.ingest(text, session=session, namespace=namespace)


def everything(engine: Engine) -> None:
    """Something of every kind that a namespace can leave behind."""
    talk(engine)
    engine.conversations.commit_turn(["The xylophonist called today."], session="s", namespace=ANNA, key="k1")
    engine.compaction.compact("s", target=6, minimum_turns=2)
    engine.memories.remember("the ombudsman lives in zanzibar", collection="user:anna")
    engine.memories.remember("I'm allergic to quicksilver, and I live in Zanzibar.", collection="user:anna")
    engine.memories.remember("an owl dreamt of quicksilver", collection="dream:anna")
    engine.prompts.assemble("what about the perihelion?", session="s", namespace=ANNA, budget=2_000)
    event = {"hook": "agent_end", "sessionId": "s", "reason": "perihelion passed quietly"}
    engine._store.commit([Append(session="s", at=NOON, entry=event)])


def counts(done: SignedErasure) -> dict[str, int]:
    return {each.kind: each.count for each in done.certificate.erased}


def failed(review: ErasureReview) -> set[str]:
    return {check.name for check in review.checks if not check.is_passed}


def records(engine: Engine) -> list[Record]:
    with engine._store.read() as snapshot:
        names = [info.name for info in snapshot.collections().items]
        return [record for name in names for record in every_record(snapshot, name)]


def bytes_of(folder: Path) -> bytes:
    """All files of a folder, read by another process: whoever closes a file loses his locks on it."""
    read = "import pathlib, sys; [sys.stdout.buffer.write(p.read_bytes()) for p in pathlib.Path(sys.argv[1]).glob('*')]"
    return subprocess.run([sys.executable, "-c", read, str(folder)], check=True, capture_output=True).stdout


# ── what a certificate tells ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.over_postgres
def test_something_of_every_kind_goes_and_is_counted(engine: Engine) -> None:
    talk(engine, BEN, session="b")
    everything(engine)
    done = engine.erasures.erase(ANNA)
    told = counts(done)
    assert [kind for kind, count in told.items() if not count] == []
    assert (told["turns"], told["receipts"], told["markers"], told["journal_entries"]) == (25, 1, 1, 1)
    assert (told["sessions"], told["dream_entries"]) == (1, 1)
    assert all(check.is_passed for check in done.certificate.checks)
    names = [check.name for check in done.certificate.checks]
    assert names == [
        "owners",
        "texts",
        "vectors",
        "index",
        *(["server", "tables"] if is_asked_for() else ["file", "log"]),
        "memory",
    ]
    assert engine.erasures.verify(done.text).is_valid
    assert [one for one in records(engine) if ANNA in repr(one) or any(word in one.text for word in WORDS)] == []
    assert any("lemonade" in one.text for one in records(engine))


@pytest.mark.file_store("its bytes are looked at")
def test_no_byte_of_it_is_left_in_the_file(engine: Engine, tmp_path: Path) -> None:
    talk(engine, BEN, session="b")
    everything(engine)
    engine.erasures.erase(ANNA)
    content = bytes_of(tmp_path).lower()
    assert b"lemonade" in content
    assert [word for word in (*WORDS, ANNA) if word.encode() in content] == []


def test_a_certificate_holds_nothing_of_what_was_deleted_and_the_name_only_if_wished(engine: Engine) -> None:
    everything(engine)
    done = engine.erasures.erase(ANNA)
    assert [word for word in (*WORDS, ANNA, "owl", "plan") if word in done.text.lower()] == []
    talk(engine)
    named = engine.erasures.erase(ANNA, with_name=True)
    assert json.loads(named.text)["namespace"]["name"] == ANNA
    assert engine.erasures.verify(named.text).is_valid


@pytest.mark.over_postgres
def test_a_namespace_that_holds_nothing_gets_a_certificate_of_zeros(engine: Engine) -> None:
    talk(engine, BEN)
    before = records(engine)
    done = engine.erasures.erase(ANNA)
    assert set(counts(done).values()) == {0}
    assert engine.erasures.verify(done.text).is_valid
    assert records(engine) == before
    name, how = ("tables", "all were vacuumed") if is_asked_for() else ("file", "the whole file was written anew")
    (wiped,) = [check for check in done.certificate.checks if check.name == name]
    assert wiped.detail.startswith(f"nothing was there to look for: {how}")


@pytest.mark.over_postgres
def test_others_keep_all_they_have_also_in_a_session_that_is_shared(engine: Engine) -> None:
    for namespace in (ANNA, BEN, "anna:work"):
        talk(engine, namespace, session="shared", turns=6)
        talk(engine, namespace, session=f"of {namespace}", turns=6)
        engine.memories.remember("we all like the same tea in the evening", collection=f"user:{namespace}")
    before = {
        (record.collection, record.id): record.text
        for record in records(engine)
        if record.metadata.get("userId", record.collection.partition(":")[2]) != ANNA
    }
    done = engine.erasures.erase(ANNA)
    after = {(record.collection, record.id): record.text for record in records(engine)}
    assert {key: text for key, text in before.items() if key[0] != "user:anna"} == after
    assert counts(done)["turns"] == 12
    assert engine.erasures.verify(done.text).is_valid


@pytest.mark.parametrize("collection", ["notes", "team:notes", "global", "user:ben"])
def test_notes_in_collections_of_any_name_are_erased_with_their_owner(engine: Engine, collection: str) -> None:
    """What stands in somebody else's memory is theirs, and nothing that is left of anybody."""
    for namespace, word in ((ANNA, "zanzibar"), (BEN, "lemonade")):
        engine.memories.remember(f"{word} is fine", collection=collection, metadata={"userId": namespace})
    done = engine.erasures.erase(ANNA)
    assert engine.erasures.verify(done.text).is_valid
    gone = 0 if collection == "user:ben" else 1
    assert counts(done)["records"] == gone
    assert len(records(engine)) == 2 - gone
    assert engine.erasures.erase(BEN).certificate.written_since == 0
    assert records(engine) == []


def test_what_the_process_remembers_of_prompts_and_questions_is_let_go(engine: Engine) -> None:
    everything(engine)
    assert engine.prompts._injected.holds(ANNA)
    engine.erasures.erase(ANNA)
    assert not engine.prompts._injected.holds(ANNA)
    assert not engine._receipts.holds(ANNA)
    for cache in (analysis._known_words, analysis._stem, dates.count_dates):
        assert cache.cache_info().currsize == 0
    assert not engine.embeddings._asked


@pytest.mark.file_store("a database is copied by its own tools")
def test_copies_that_were_made_before_are_listed_with_whether_they_are_there(engine: Engine, tmp_path: Path) -> None:
    talk(engine)
    engine.upkeep.backup(tmp_path / "kept.db")
    engine.upkeep.backup(tmp_path / "gone.db")
    engine.upkeep.export_file(tmp_path / "all.jsonl")
    with pytest.raises(StoreError):
        engine.upkeep.backup(tmp_path / "m.db")
    (tmp_path / "gone.db").unlink()
    done = engine.erasures.erase(ANNA)
    told = [(copy.kind, Path(copy.path).name, copy.exists) for copy in done.certificate.copies]
    assert told == [("backup", "kept.db", True), ("backup", "gone.db", False), ("export", "all.jsonl", True)]
    (tmp_path / "kept.db").unlink()
    review = engine.erasures.verify(done.text)
    assert [copy.exists for copy in review.copies] == [False, False, True]
    assert review.is_valid


# ── what it is worth later ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.over_postgres
def test_what_is_written_again_is_told_as_newer(engine: Engine) -> None:
    talk(engine)
    done = engine.erasures.erase(ANNA)
    assert engine.erasures.verify(done.text).written_since == 0
    talk(engine, turns=2)
    review = engine.erasures.verify(done.text)
    assert review.is_valid
    assert review.written_since > 0
    (namespace,) = [check for check in review.checks if check.name == "namespace"]
    assert namespace.detail == f"written again since: {review.written_since:,} records, newer than the certificate"


@pytest.mark.file_store("a database is copied by its own tools")
def test_an_older_copy_in_the_place_of_the_store_is_noticed(engine: Engine, tmp_path: Path) -> None:
    talk(engine)
    engine.upkeep.backup(tmp_path / "copy.db")
    done = engine.erasures.erase(ANNA)
    engine.close()
    for name in ("m.db", "m.db-wal", "m.db-shm"):
        (tmp_path / name).unlink(missing_ok=True)
    shutil.copy(tmp_path / "copy.db", tmp_path / "m.db")
    with open_words_engine(tmp_path / "m.db", WordsEmbedder()) as restored:
        assert failed(restored.erasures.verify(done.text)) == {"state", "namespace"}
        for n in range(60):  # commits alone do not make it later
            restored.memories.remember(f"later fact {n}", collection="user:ben")
        assert failed(restored.erasures.verify(done.text)) == {"namespace"}


@pytest.mark.file_store("it is changed behind our back")
def test_a_store_that_is_not_what_it_was_left_with_is_noticed(engine: Engine, tmp_path: Path) -> None:
    talk(engine)
    talk(engine, BEN, session="b")
    done = engine.erasures.erase(ANNA)
    engine.close()
    text = "UPDATE records SET access_count = 99 WHERE row = (SELECT max(row) FROM records)"
    program = "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute(sys.argv[2]); db.commit(); db.close()"
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "m.db"), text], check=True)
    with open_words_engine(tmp_path / "m.db", WordsEmbedder()) as altered:
        assert failed(altered.erasures.verify(done.text)) == {"state"}


@pytest.mark.over_postgres
def test_another_key_does_not_vouch_for_it(engine: Engine, tmp_path: Path) -> None:
    done = engine.erasures.erase(ANNA)
    with open_words_engine(tmp_path / "other.db", WordsEmbedder()) as other:
        assert failed(other.erasures.verify(done.text)) == {"signature"}


@pytest.mark.file_store("the key is a file beside it")
def test_another_store_with_the_same_key_does_not_vouch_for_it(engine: Engine, tmp_path: Path) -> None:
    done = engine.erasures.erase(ANNA)
    with open_words_engine(tmp_path / "other.db", WordsEmbedder()) as other:
        shutil.copy(tmp_path / "m.db.key", tmp_path / "other.db.key")
        assert "store" in failed(other.erasures.verify(done.text))


@settings(max_examples=examples(30))
@given(data=st.data())
def test_a_change_of_any_byte_is_noticed_by_the_store(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with open_words_engine(tmp_path_factory.mktemp("e") / "m.db", WordsEmbedder()) as engine:
        text = engine.erasures.erase(ANNA).text
        place = data.draw(st.integers(0, len(text) - 1))
        other = data.draw(st.characters(codec="ascii").filter(lambda one: one != text[place]))
        review = engine.erasures.verify(text[:place] + other + text[place + 1 :])
        assert (review.is_valid, failed(review)) == (False, {"signature"})


# ── bad luck ──────────────────────────────────────────────────────────────────────────────────────────────


class InterruptedStore(SqliteStore):
    """A store where something else happens before and right after a commit that deletes."""

    before: Callable[[], object] | None = None
    after: Callable[[], object] | None = None

    def commit(self, changes: Sequence[Change], *, unless: Mapping[Topic, Revision] = NO_CONDITION) -> Commit:
        happening, self.before = self.before, None
        if happening is not None:
            happening()
        done = super().commit(changes, unless=unless)
        happening, self.after = self.after, None
        if happening is not None:
            happening()
        return done


@pytest.fixture
def interrupted(tmp_path: Path) -> Iterator[tuple[Engine, InterruptedStore]]:
    store = InterruptedStore(tmp_path / "i.db", now=NOON)
    with Engine(store=store, load_embedder=lambda _: WordsEmbedder(), clock=Clock(), settings=MANUAL) as engine:
        yield engine, store


class ForgetfulStore(SqliteStore):
    """A store that leaves undone what it should delete."""

    undone: Callable[[Change], bool] | None = None

    def commit(self, changes: Sequence[Change], *, unless: Mapping[Topic, Revision] = NO_CONDITION) -> Commit:
        undone = self.undone or (lambda _: False)
        return super().commit([change for change in changes if not undone(change)], unless=unless)


@pytest.mark.parametrize(
    "undone",
    [
        lambda change: isinstance(change, DropCollection) and change.name == "user:anna",
        lambda change: isinstance(change, DropCollection) and change.name == "session_raw:s",
        lambda change: isinstance(change, Remove) and change.collection == "session_raw:shared",
        lambda change: isinstance(change, SetState),
        lambda change: isinstance(change, ClearJournal),
    ],
)
def test_what_was_not_deleted_is_found_and_there_is_no_certificate(
    tmp_path: Path, undone: Callable[[Change], bool]
) -> None:
    store = ForgetfulStore(tmp_path / "f.db", now=NOON)
    with Engine(store=store, load_embedder=lambda _: WordsEmbedder(), clock=Clock(), settings=MANUAL) as engine:
        everything(engine)
        for namespace in (ANNA, BEN):
            talk(engine, namespace, session="shared", turns=2)
        store.undone = undone
        with pytest.raises(StoreError, match="something of it may be left in: owners"):
            engine.erasures.erase(ANNA)
        store.undone = None
        assert engine.erasures.erase(ANNA).certificate.written_since == 0


@pytest.mark.file_store("its bytes are looked at")
def test_where_nothing_can_be_looked_for_old_bytes_go_with_the_file(engine: Engine, tmp_path: Path) -> None:
    """A program without care, or a crash before the log was emptied, may have left some."""
    careless = (
        "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "db.execute('PRAGMA secure_delete = OFF'); db.execute(\"CREATE TABLE x AS SELECT 'zanzibar ferry' AS y\");"
        "db.execute('DROP TABLE x'); db.execute('PRAGMA wal_checkpoint(TRUNCATE)')"
    )
    subprocess.run([sys.executable, "-c", careless, str(tmp_path / "m.db")], check=True)
    assert b"zanzibar" in bytes_of(tmp_path)
    engine.erasures.erase(ANNA)
    assert b"zanzibar" not in bytes_of(tmp_path)


def test_a_turn_that_comes_between_plan_and_commit_is_deleted_too(
    interrupted: tuple[Engine, InterruptedStore],
) -> None:
    engine, store = interrupted
    talk(engine, turns=4)
    store.before = lambda: engine.conversations.ingest("the late quicksilver turn", session="s", namespace=ANNA)
    done = engine.erasures.erase(ANNA)
    assert records(engine) == []
    assert (counts(done)["turns"], done.certificate.written_since) == (5, 0)


def test_a_turn_that_comes_right_after_is_told_as_newer(interrupted: tuple[Engine, InterruptedStore]) -> None:
    engine, store = interrupted
    talk(engine, turns=4)
    store.after = lambda: engine.conversations.ingest("the late quicksilver turn", session="s", namespace=ANNA)
    done = engine.erasures.erase(ANNA)
    assert {record.text for record in records(engine)} == {"the late quicksilver turn"}
    assert (counts(done)["turns"], done.certificate.written_since) == (4, len(records(engine)) + 1)
    review = engine.erasures.verify(done.text)
    assert (review.is_valid, review.written_since) == (True, done.certificate.written_since)


def test_the_very_same_words_said_again_right_after_are_newer_and_no_residue(
    interrupted: tuple[Engine, InterruptedStore],
) -> None:
    engine, store = interrupted
    talk(engine, turns=4)
    store.after = lambda: talk(engine, turns=4)
    done = engine.erasures.erase(ANNA)
    assert done.certificate.written_since > 0
    assert engine.erasures.verify(done.text).is_valid


def test_a_record_that_stands_again_unchanged_where_others_write_is_a_doubt_and_no_certificate(
    interrupted: tuple[Engine, InterruptedStore],
) -> None:
    engine, store = interrupted
    for namespace in (ANNA, BEN):
        talk(engine, namespace, session="shared", turns=2)
    (kept, *_) = [one for one in records(engine) if one.collection == "session_raw:shared" and ANNA in one.text]
    again = Put(collection=kept.collection, id=kept.id, text=kept.text, at=kept.at, metadata=kept.metadata)
    store.after = lambda: engine._store.commit([again])
    with pytest.raises(StoreError, match="something of it may be left in: owners"):
        engine.erasures.erase(ANNA)
    assert engine.erasures.erase(ANNA).certificate.written_since == 0


def test_while_everybody_writes_no_certificate_is_false_and_nobody_loses_a_turn(engine: Engine) -> None:
    said: dict[str, list[str]] = {ANNA: [], BEN: []}
    stop = threading.Event()

    def write(namespace: str) -> None:
        for number in range(200):
            if stop.is_set():
                return
            text = f"{namespace} says the word number {number} and nothing else of any weight"
            engine.conversations.ingest(text, session=f"of {namespace}", namespace=namespace)
            said[namespace].append(text)

    threads = [threading.Thread(target=write, args=(namespace,)) for namespace in said]
    for thread in threads:
        thread.start()
    try:
        for _ in range(4):
            known = set(said[ANNA])
            done = engine.erasures.erase(ANNA)
            assert not known & {record.text for record in records(engine)}
            assert engine.erasures.verify(done.text).is_valid
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert set(said[BEN]) <= {record.text for record in records(engine)}


KILLED = """
import os, signal, sys
from pathlib import Path
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.engine.engine import Engine
from libravdb.testing import WordsEmbedder

store = SqliteStore(Path(sys.argv[1]))
moment = 1_790_000_500_000
def clock():
    with store.read() as snapshot:
        if not snapshot.sizes(["user:anna"])["user:anna"]:
            os.kill(os.getpid(), signal.SIGKILL)
    return moment
Engine(store=store, load_embedder=lambda _: WordsEmbedder(), clock=clock).erasures.erase("anna")
"""


@pytest.mark.file_store("another process opens it by its path")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="SIGKILL is a POSIX matter")
def test_a_kill_between_deletion_and_certificate_loses_nothing_else_and_it_can_be_repeated(tmp_path: Path) -> None:
    path = tmp_path / "k.db"
    with open_words_engine(path, WordsEmbedder(), settings=MANUAL, clock=Clock()) as engine:
        everything(engine)
        talk(engine, BEN, session="b")
        bens = [record for record in records(engine) if record.metadata.get("userId") == BEN]
    killed = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    with open_words_engine(path, WordsEmbedder(), settings=MANUAL, clock=Clock()) as engine:
        assert list(engine.upkeep.verify()) == []
        done = engine.erasures.erase(ANNA)
        assert set(counts(done).values()) == {0}
        assert engine.erasures.verify(done.text).is_valid
        assert [record for record in records(engine) if record.metadata.get("userId") == BEN] == bens
    content = bytes_of(tmp_path).lower()
    assert [word for word in (*WORDS, ANNA) if word.encode() in content] == []
