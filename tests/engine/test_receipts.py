"""Receipts behind the reply: nobody waits for them, nobody misses one, and none outlives what it tells of."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.engine.test_known_records import Interrupted
from tests.support import open_words_engine

from libravdb.adapters.memory.snapshot import MemorySnapshot
from libravdb.core.assembly.settings import AssemblySettings
from libravdb.core.ingest.echo import InjectedBefore
from libravdb.core.ingest.settings import IngestSettings
from libravdb.engine.engine import Engine
from libravdb.engine.masking import Masking
from libravdb.engine.receipts import BATCH, Issued, Receipts, receipt_in
from libravdb.engine.settings import EngineSettings
from libravdb.errors import NotFound, StoreFull
from libravdb.model import AssemblyMode, Change, Commit, DropCollection, Page, Receipt, Record, Revision, Topic, Trace
from libravdb.ports.store import NO_CONDITION, Store
from libravdb.testing import MemoryStore, WordsEmbedder

pytestmark = pytest.mark.over_postgres

NEVER = 3_600.0
MOST = 10
MASKING = Masking(IngestSettings())


class Shelf(MemoryStore):
    """A store in memory whose disk may be full."""

    is_full = False

    def __init__(self) -> None:
        super().__init__()
        self.commits = 0

    def commit(self, changes: Sequence[Change], *, unless: Mapping[Topic, Revision] = NO_CONDITION) -> Commit:
        if self.is_full:
            raise StoreFull("shelf", "no room")
        self.commits += 1
        return super().commit(changes, unless=unless)


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def receipts(shelf: Shelf) -> Iterator[Receipts]:
    kept = Receipts(shelf, most=MOST, masking=MASKING, pause=NEVER)
    yield kept
    kept.close()


def issued(prompt: str = "What now?", *, namespace: str = "anna", at: int = 1_000, ticket: int = 0) -> Issued:
    receipt = Receipt(
        mode=AssemblyMode.AUGMENT,
        outcome="full",
        budget=100,
        tokens=0,
        host_tokens=0,
        leading_tokens=0,
        ledger=(),
        items=(),
        left_out=(),
        reasons=(prompt,),
        degraded="",
        timings={},
    )
    facts = {"prompt": prompt, "sessionId": "s"}
    return Issued(
        namespace=namespace, at=at, ticket=ticket, facts=facts, receipt=receipt, trace=Trace(turn=prompt), previous=None
    )


def kept_in(shelf: Shelf, namespace: str = "anna") -> list[str]:
    with shelf.read() as read:
        return [str(record.metadata["prompt"]) for record in read.page(f"receipts:{namespace}").items]


def last_turn(receipts: Receipts, shelf: Shelf, *, session: str = "s", namespace: str = "anna") -> str | None:
    """Which turn the last prompt of a session answered, as its trace tells."""
    with shelf.read() as read:
        trace = receipts.last_trace(session, namespace=namespace, snapshot=read)
    return None if trace is None else trace.turn


def test_whoever_asks_for_a_receipt_finds_it_at_once(receipts: Receipts, shelf: Shelf) -> None:
    id = receipts.issue(issued("one"))
    assert shelf.commits == 0
    assert receipt_in(receipts.find(id, namespace="anna")).reasons == ("one",)
    newest = receipts.issue(issued("two"))
    assert receipts.find(None, namespace="anna").id == newest
    assert last_turn(receipts, shelf) == "two"


def test_those_of_a_while_are_one_commit(receipts: Receipts, shelf: Shelf) -> None:
    for number in range(5):
        receipts.issue(issued(str(number)))
    receipts.settle()
    receipts.settle()
    assert shelf.commits == 1
    assert kept_in(shelf) == list("01234")


def test_nobody_has_to_ask(shelf: Shelf) -> None:
    receipts = Receipts(shelf, most=MOST, masking=MASKING, pause=0.01)
    until = time.monotonic() + 20
    for prompt in ("one", "two"):
        receipts.issue(issued(prompt))
        while prompt not in kept_in(shelf):
            assert time.monotonic() < until, "it never came"
            time.sleep(0.005)


def test_very_many_do_not_wait_for_the_clock(receipts: Receipts, shelf: Shelf) -> None:
    for number in range(BATCH + 1):
        receipts.issue(issued(str(number)))
    assert kept_in(shelf) == [str(number) for number in range(BATCH + 1)][-MOST:]


@pytest.mark.parametrize("step", [1, 3, 25])
def test_no_more_are_kept_than_promised_and_those_are_the_newest(receipts: Receipts, shelf: Shelf, step: int) -> None:
    for number in range(50):
        receipts.issue(issued(f"{number}", at=1_000 + number))
        receipts.issue(issued(f"{number}", namespace="ben"))
        if number % step == 0:
            receipts.settle()
    receipts.settle()
    assert kept_in(shelf) == kept_in(shelf, "ben") == [str(number) for number in range(40, 50)]


def test_on_a_full_disk_prompts_go_out_and_receipts_come_when_there_is_room(
    receipts: Receipts, shelf: Shelf, caplog: pytest.LogCaptureFixture
) -> None:
    shelf.is_full = True
    with caplog.at_level(logging.WARNING):
        ids = [receipts.issue(issued(str(number))) for number in range(2 * BATCH)]
    told = [message for message in caplog.messages if "no room" in message]
    assert len(told) == 1, "once, and not for each prompt"
    with pytest.raises(StoreFull):
        receipts.find(ids[-1], namespace="anna")
    shelf.is_full = False
    assert receipts.find(ids[-1], namespace="anna").id == ids[-1]
    with pytest.raises(NotFound, match="The last 10"):
        receipts.find(ids[0], namespace="anna")


def test_closing_writes_what_waits_and_says_when_it_cannot(shelf: Shelf, caplog: pytest.LogCaptureFixture) -> None:
    first, second = (Receipts(shelf, most=MOST, masking=MASKING, pause=NEVER) for _ in range(2))
    first.issue(issued("kept"))
    first.close()
    assert kept_in(shelf) == ["kept"]
    second.issue(issued("lost"))
    shelf.is_full = True
    second.try_to_settle()
    caplog.clear()
    second.close()
    assert "no room" in caplog.text


def test_one_that_cannot_be_kept_does_not_keep_the_others(
    receipts: Receipts, shelf: Shelf, caplog: pytest.LogCaptureFixture
) -> None:
    receipts.issue(issued("before"))
    receipts.issue(issued("x" * 2_000_000, namespace="eve"))
    receipts.issue(issued("torn \ud800", namespace="eve"))
    receipts.issue(issued("after"))
    receipts.settle()
    assert (kept_in(shelf), kept_in(shelf, "eve")) == (["before", "after"], [])
    assert caplog.text.count("cannot be kept") == 2


def test_the_trace_of_a_receipt_that_waits_is_known_without_writing(receipts: Receipts, shelf: Shelf) -> None:
    receipts.issue(issued("one"))
    receipts.issue(issued("two"))
    receipts.issue(issued("of ben", namespace="ben"))
    shelf.is_full = True
    assert last_turn(receipts, shelf) == "two"
    assert last_turn(receipts, shelf, session="other") is None
    shelf.is_full = False


def test_the_trace_of_a_receipt_that_was_written_is_known(receipts: Receipts, shelf: Shelf) -> None:
    receipts.issue(issued("one"))
    receipts.settle()
    assert last_turn(receipts, shelf) == "one"
    receipts.issue(issued("two"))
    receipts.settle()
    assert last_turn(receipts, shelf) == "two"


def test_what_others_do_to_the_receipts_is_noticed(receipts: Receipts, shelf: Shelf) -> None:
    other = Receipts(shelf, most=MOST, masking=MASKING, pause=NEVER)
    receipts.issue(issued("ours"))
    receipts.settle()
    assert last_turn(other, shelf) == "ours"
    other.issue(issued("theirs", at=2_000))
    other.settle()
    assert last_turn(receipts, shelf) == "theirs"
    receipts.issue(issued("of ben", namespace="ben"))
    receipts.settle()
    shelf.commit([DropCollection(name="receipts:anna")])
    assert last_turn(receipts, shelf) is last_turn(other, shelf) is None
    assert last_turn(receipts, shelf, namespace="ben") == "of ben"
    other.close()


def check_that_a_prompt_of_others_is_the_last(stores: tuple[Store, Store]) -> None:
    """While a prompt of one session goes out here, somebody else makes one of another session."""
    with closing(Receipts(stores[0], most=MOST, masking=MASKING)) as ours:
        others = Receipts(stores[1], most=MOST, masking=MASKING)
        ours.issue(issued("ours", at=1))
        with stores[0].read() as snapshot:
            assert ours.last_trace("s", namespace="anna", snapshot=snapshot) == issued("ours").trace
            kept = ours.kept(snapshot, "anna")
        others.issue(issued("theirs", at=2))
        elsewhere = issued("elsewhere", at=3)
        ours.issue(replace(elsewhere, facts={**elsewhere.facts, "sessionId": "t"}, kept=kept))
        with stores[0].read() as snapshot:
            assert ours.last_trace("s", namespace="anna", snapshot=snapshot) == issued("theirs").trace
        others.close()


def test_a_prompt_that_others_made_while_one_goes_out_is_the_last_of_its_session() -> None:
    store = MemoryStore(is_shared=True)
    check_that_a_prompt_of_others_is_the_last((store, store))


def test_a_prompt_that_others_make_while_the_last_trace_is_read_is_the_last_one() -> None:
    store = MemoryStore(is_shared=True)
    writer = Receipts(store, most=MOST, masking=MASKING)
    writer.issue(issued("before", at=1))
    reader = Receipts(store, most=MOST, masking=MASKING)

    def last(session: str, meanwhile: Callable[[], object] = lambda: None) -> Trace | None:
        with store.read() as snapshot:
            moment = Interrupted(snapshot, meanwhile)
            return reader.last_trace(session, namespace="anna", snapshot=moment)

    def happen() -> None:
        writer.issue(issued("meanwhile", at=2))
        last("t")

    assert last("s", happen) == issued("before").trace
    assert last("s") == issued("meanwhile").trace
    reader.close()
    writer.close()


def test_what_could_not_be_written_is_tried_again(shelf: Shelf) -> None:
    receipts = Receipts(shelf, most=MOST, masking=MASKING, pause=0.01)
    shelf.is_full = True
    receipts.issue(issued("one"))
    time.sleep(0.05)
    shelf.is_full = False
    until = time.monotonic() + 20
    while "one" not in kept_in(shelf):
        assert time.monotonic() < until, "it never came"
        time.sleep(0.005)


def test_after_closing_nothing_is_kept_and_that_is_told(shelf: Shelf, caplog: pytest.LogCaptureFixture) -> None:
    receipts = Receipts(shelf, most=MOST, masking=MASKING, pause=NEVER)
    receipts.close()
    id = receipts.issue(issued())
    assert f"receipt {id} is lost" in caplog.text


def test_many_threads_lose_none(shelf: Shelf) -> None:
    receipts = Receipts(shelf, most=1_000, masking=MASKING, pause=0.001)

    def work(name: str) -> None:
        for number in range(50):
            receipts.issue(issued(f"{name}-{number}"))
            if number % 7 == 0:
                receipts.find(None, namespace="anna")

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    receipts.close()
    assert sorted(kept_in(shelf)) == sorted(f"{name}-{number}" for name in "abcd" for number in range(50))


def test_what_is_deleted_takes_along_the_receipts_that_are_still_on_their_way(receipts: Receipts, shelf: Shelf) -> None:
    drawn = {name: receipts.ticket(name) for name in ("anna", "ben", "cara")}
    receipts.issue(issued("waits"))
    receipts.discard("anna")
    for name in ("anna", "ben"):
        receipts.issue(issued("asked before", namespace=name, ticket=drawn[name]))
    receipts.issue(issued("asked after", ticket=receipts.ticket("anna")))
    receipts.settle()
    assert (kept_in(shelf), kept_in(shelf, "ben")) == (["asked after"], ["asked before"])
    receipts.discard()
    receipts.issue(issued("asked before", namespace="cara", ticket=drawn["cara"]))
    receipts.settle()
    assert kept_in(shelf, "cara") == []


class InterruptedSnapshot(MemorySnapshot):
    """A moment in which something else happens while a page is read."""

    def __init__(self, snapshot: MemorySnapshot, meanwhile: Callable[[], object]) -> None:
        super().__init__(snapshot._state)
        self._meanwhile = meanwhile

    def page(self, collection: str, **more: Any) -> Page[Record]:
        found = super().page(collection, **more)
        self._meanwhile()
        return found


def test_a_prompt_that_goes_out_while_the_last_trace_is_read_is_the_last_one(receipts: Receipts, shelf: Shelf) -> None:
    other = Receipts(shelf, most=MOST, masking=MASKING, pause=NEVER)
    other.issue(issued("before"))
    other.close()
    with shelf.read() as read:
        interrupted = InterruptedSnapshot(read, lambda: receipts.issue(issued("meanwhile", at=2_000)))
        trace = receipts.last_trace("s", namespace="anna", snapshot=interrupted)
    assert trace is not None
    assert trace.turn == "before"
    receipts.settle()
    assert last_turn(receipts, shelf) == "meanwhile"


# ── with an engine ────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    settings = EngineSettings(assembly=AssemblySettings(strict=True))
    with open_words_engine(tmp_path / "m.libravdb", WordsEmbedder(), settings=settings) as opened:
        yield opened


def ask(engine: Engine, namespace: str = "anna", prompt: str = "Where is the key?") -> str:
    return engine.prompts.assemble(prompt, session="s", namespace=namespace, budget=500).receipt


def receipts_of(engine: Engine) -> set[str]:
    return {info.name for info in engine.memories.collections() if info.name.startswith("receipts:")}


def test_a_receipt_outlives_its_engine(tmp_path: Path) -> None:
    path = tmp_path / "m.libravdb"
    with open_words_engine(path, WordsEmbedder()) as engine:
        id = ask(engine)
    with open_words_engine(path, WordsEmbedder()) as engine:
        assert engine.prompts.explain(id, namespace="anna").prompt == "Where is the key?"


def test_a_question_without_end_harms_nobody(engine: Engine) -> None:
    endless = engine.prompts.assemble("word " * 30_000, session="e", namespace="eve", budget=500, turn="torn \ud800")
    id = ask(engine)
    assert engine.prompts.explain(id, namespace="anna").prompt == "Where is the key?"
    assert len(engine.prompts.explain(endless.receipt, namespace="eve").prompt) == 100_000
    engine.deletions.flush_namespace("eve")
    assert receipts_of(engine) == {"receipts:anna"}


def test_on_a_full_disk_every_session_gets_its_prompt_and_whoever_asks_why_is_told(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise StoreFull("disk", "no room")

    with monkeypatch.context() as full:
        full.setattr(engine._store, "commit", refuse)
        ids = [
            engine.prompts.assemble("Where is the key?", session=name, namespace="anna", budget=500).receipt
            for name in ("one", "two", "one")
        ]
        with pytest.raises(StoreFull):
            engine.prompts.explain(namespace="anna")
    assert engine.prompts.explain(namespace="anna").id == ids[-1]


@pytest.mark.file_store("a database is copied by its own tools")
def test_a_backup_holds_the_receipts_that_wait(engine: Engine, tmp_path: Path) -> None:
    ask(engine)
    engine.upkeep.backup(tmp_path / "copy.libravdb")
    with open_words_engine(tmp_path / "copy.libravdb", WordsEmbedder()) as copy:
        assert copy.prompts.explain(namespace="anna").prompt == "Where is the key?"


def test_an_export_holds_the_receipts_that_wait(engine: Engine, tmp_path: Path) -> None:
    ask(engine, prompt="And now?")
    engine.upkeep.export_file(tmp_path / "all.jsonl")
    assert "And now?" in (tmp_path / "all.jsonl").read_text(encoding="utf-8")


@pytest.mark.file_store("another process opens it by its path")
def test_a_program_that_ends_without_closing_loses_no_receipt(tmp_path: Path) -> None:
    path = tmp_path / "m.libravdb"
    code = (
        "from pathlib import Path\nfrom libravdb.testing import WordsEmbedder\n"
        "from tests.support import open_words_engine\n"
        f"engine = open_words_engine(Path({str(path)!r}), WordsEmbedder())\n"
        "print(engine.prompts.assemble('Where is the key?', session='s', namespace='anna', budget=500).receipt)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    with open_words_engine(path, WordsEmbedder()) as engine:
        assert engine.prompts.explain(done.stdout.strip(), namespace="anna").prompt == "Where is the key?"


def test_what_waits_goes_with_its_namespace_and_only_with_it(engine: Engine) -> None:
    ask(engine)
    ask(engine, "ben")
    engine.deletions.flush_namespace("anna")
    engine.prompts.explain(namespace="ben")
    assert receipts_of(engine) == {"receipts:ben"}


def test_what_was_put_into_prompts_is_forgotten_with_its_namespace(engine: Engine) -> None:
    key = "The key to the shed is under the blue stone beside the old well"
    for name in ("anna", "ben"):
        engine.conversations.ingest(
            {"role": "user", "content": f"{key}, says {name}"}, session=f"of {name}", namespace=name
        )
        assert (
            key
            in engine.prompts.assemble("Where is the key to the shed?", session="s", namespace=name, budget=500).closing
        )

    def injected(session: str, whose: str) -> InjectedBefore:
        with engine.living.read() as now:
            return engine.conversations._injected(session, whose, now)

    assert [{text[-4:] for text in injected("s", whose).texts} for whose in ("anna", "ben")] == [{"anna"}, {" ben"}]
    engine.deletions.flush_namespace("anna")
    assert [{text[-4:] for text in injected("s", whose).texts} for whose in ("anna", "ben")] == [set(), {" ben"}]
    engine.deletions.flush_everything()
    assert injected("s", "anna") == injected("s", "ben") == InjectedBefore()


def test_what_waits_goes_with_everything(engine: Engine) -> None:
    ask(engine)
    engine.deletions.flush_everything()
    with pytest.raises(NotFound):
        engine.prompts.explain(namespace="anna")
    assert receipts_of(engine) == set()


def test_a_question_that_is_forgotten_while_its_receipt_waits_is_forgotten_there(engine: Engine) -> None:
    said = {"role": "user", "content": "The key is under the blue stone", "id": "k"}
    engine.conversations.ingest(said, session="s", namespace="anna")
    id = ask(engine, prompt="The key is under the blue stone")
    assert engine.deletions.forget("history:anna", ["s/k"]) == 1
    with pytest.raises(NotFound):
        engine.prompts.explain(id, namespace="anna")


@pytest.mark.parametrize("state", ["waiting", "written"])
def test_a_receipt_whose_reasons_tell_what_a_forgotten_memory_stated_goes(engine: Engine, state: str) -> None:
    engine.memories.remember("My aunt Petronella works as a baker", collection="user:anna", id="q")
    engine.memories.remember("I live in Graz.", collection="user:anna", id="home")
    id = ask(engine, prompt="Where does she work?")
    if state == "written":
        assert any("petronella" in line for line in engine.prompts.explain(id, namespace="anna").words)
    engine.deletions.forget("user:anna", ["q"])
    with pytest.raises(NotFound):
        engine.prompts.explain(id, namespace="anna")
    kept = ask(engine, prompt="Where does she work?")
    engine.memories.remember("The ladder is in the shed", collection="user:anna", id="ladder")
    engine.deletions.forget("user:anna", ["ladder"])
    assert engine.prompts.explain(kept, namespace="anna").words
