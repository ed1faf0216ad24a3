"""What is kept in memory is what a fresh read gives, whoever wrote meanwhile, and nothing that was deleted."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.chats import Clock, chat, say
from tests.puts import put
from tests.support import examples, open_file_store, read_cues

from libravdb.core.compaction.settings import CompactionSettings
from libravdb.core.gate.attributes import read_attributes
from libravdb.core.profile.lines import StatedMemory
from libravdb.engine.engine import Engine
from libravdb.engine.expiry import LivingSnapshot
from libravdb.engine.export import export_lines
from libravdb.engine.guidance import spoken_wishes
from libravdb.engine.known_profiles import KnownProfiles
from libravdb.engine.known_records import TAIL, KnownRecords
from libravdb.engine.known_wishes import KnownWishes
from libravdb.engine.own_commits import MOST_STEPS, NotedStore, OwnCommits
from libravdb.engine.pages import newest
from libravdb.engine.profile_records import lines_of, put_stated, read_profile
from libravdb.engine.session_share import NOT_TOLD, SessionShare
from libravdb.engine.settings import EngineSettings
from libravdb.model import (
    Change,
    Commit,
    DropCollection,
    Key,
    Page,
    Prompt,
    Record,
    Remove,
    Topic,
    Touch,
    Where,
)
from libravdb.model.collections import profile_of, raw_turns, user_guidance
from libravdb.model.guidance import WishReach
from libravdb.model.record_ids import profile_source_id
from libravdb.model.turn_metadata import KIND, WISH_REACH, RecordKind
from libravdb.ports.store import Snapshot, Store
from libravdb.testing import MemoryStore, WordsEmbedder

ANNA = "anna"
RAW, OTHER = raw_turns("s"), "user:anna"
IDS = [f"t{number}" for number in range(6)]
MARK = "marked"
WISH = {KIND: RecordKind.WISH.value, WISH_REACH: WishReach.GENERAL.value}
FEW = {RAW: 2, OTHER: 64}
KEYS = [Key(name, id) for name in (RAW, OTHER) for id in IDS]
SHARES = (SessionShare(namespace=ANNA, nameless=NOT_TOLD, is_alone=True), SessionShare(namespace="bob"))

ids, names = st.sampled_from(IDS), st.sampled_from([RAW, OTHER])
puts = st.builds(
    lambda name, one, at, owner, marked: put(
        name,
        one,
        f"{one} at {at}",
        at=at,
        metadata={**({} if owner is None else {"userId": owner}), **({} if marked is None else {MARK: marked})},
    ),
    names,
    ids,
    st.integers(1, 5),
    st.sampled_from([ANNA, "bob", "", None]),
    st.sampled_from([True, True, False, None]),
)
changes = st.one_of(
    puts,
    puts,
    st.builds(lambda name, one: Remove(collection=name, id=one), names, ids),
    st.builds(lambda name, one: Touch(collection=name, ids=(one,)), names, ids),
    st.builds(lambda name: DropCollection(name=name), names),
)
steps = st.lists(
    st.tuples(st.sampled_from(["ours", "theirs", "look", "hold"]), st.lists(changes, min_size=1, max_size=3)),
    max_size=14,
)


@contextmanager
def a_store(kind: str) -> Iterator[Store]:
    if kind == "memory":
        yield MemoryStore()
        return
    with tempfile.TemporaryDirectory() as folder:
        store = open_file_store(Path(folder) / "m.libravdb", now=1)
        try:
            yield store
        finally:
            store.close()


def compare(known: KnownRecords, snapshot: Snapshot) -> None:
    assert known.records(snapshot, KEYS) == dict(snapshot.records(KEYS))
    for name, few in FEW.items():
        marked = newest(snapshot, name, limit=few, where=Where(metadata={MARK: (True,)}))
        assert known.newest_marked(snapshot, name, MARK, limit=few) == marked
    for share in SHARES:
        tail = known.tail(snapshot, "s", share)
        fresh = newest(snapshot, RAW, limit=TAIL, where=share.where)
        assert tail.records == fresh
        assert tail.of_each("text", lambda record: record.text) == [record.text for record in fresh]


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
@settings(max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=steps)
def test_a_known_record_is_what_a_fresh_read_gives(kind: str, steps: list[tuple[str, list[Change]]]) -> None:
    """Also at a moment that is past: a read that began before others wrote sees what was there then."""
    with a_store(kind) as store, ExitStack() as held:
        commits = OwnCommits()
        known, ours = KnownRecords(commits), NotedStore(store, commits)
        moments: list[Snapshot] = []
        for who, some in steps:
            if who == "hold":
                moments.append(held.enter_context(store.read()))
            elif who != "look":
                (ours if who == "ours" else store).commit(some)
            with store.read() as snapshot:
                compare(known, snapshot)
            for moment in moments:
                compare(known, moment)


def test_more_turns_than_are_kept_end_where_a_fresh_read_ends() -> None:
    store, commits = MemoryStore(), OwnCommits()
    known, ours = KnownRecords(commits), NotedStore(store, commits)
    share = SHARES[0]
    for number in range(TAIL + 5):
        ours.commit([put(RAW, f"t{number}", at=number)])
        if number % 50 == 0 or number >= TAIL - 2:
            with store.read() as snapshot:
                assert known.tail(snapshot, "s", share).records == newest(snapshot, RAW, limit=TAIL)


def test_what_somebody_else_may_have_written_is_not_told_as_ours() -> None:
    commits = OwnCommits()
    c, d = Topic.collection("c"), Topic.collection("d")
    commits.note(Commit(revision=1, before={c: 0}), [put("c", "a")])
    commits.note(Commit(revision=7, before={c: 3, d: 0}), [put("c", "b"), put("d", "x")])
    assert commits.between("c", 1, 7) is None
    assert commits.between("c", 2, 7) is None
    commits.note(Commit(revision=3, before={c: 1}), [put("c", "y")])
    assert commits.between("c", 1, 7) == frozenset({"b", "y"})
    assert commits.between("c", 3, 7) == frozenset({"b"})
    assert commits.between("c", 7, 7) == frozenset()
    assert commits.between("c", 0, 7) is None
    assert commits.between("c", 7, 3) is None
    commits.note(Commit(revision=9, before={c: 7, d: 7}), [DropCollection(name="d"), put("c", "e"), put("d", "x")])
    assert commits.between("c", 3, 9) == frozenset({"b", "e"})
    assert commits.between("d", 7, 9) is None, "all of it has gone"
    for number in range(10, 11 + MOST_STEPS):
        commits.note(Commit(revision=number, before={d: number - 1}), [put("d", "z")])
    assert commits.between("c", 3, 7) is None, "it is long ago"


def test_a_text_that_gets_its_vectors_elsewhere_changes_no_record_but_the_revision() -> None:
    commits = OwnCommits()
    commits.note(Commit(revision=5, before={Topic.collection("c"): 2, Topic.collection("d"): 4}), [put("c", "a")])
    assert commits.between("d", 4, 5) == frozenset()


def test_deleted_words_are_not_kept() -> None:
    store, commits = MemoryStore(), OwnCommits()
    known, ours = KnownRecords(commits), NotedStore(store, commits)
    ours.commit([put(RAW, "t0", "a secret plan"), put(OTHER, "t0", "a secret plan")])
    with store.read() as snapshot:
        compare(known, snapshot)
        assert known.holds(ANNA)
        ours.commit([Remove(collection=OTHER, id="t0"), Remove(collection=RAW, id="t0")])
        assert not known.holds(ANNA)
        compare(known, snapshot)  # the moment before it still has them
    with store.read() as snapshot:
        compare(known, snapshot)
    assert not known.holds(ANNA)


def test_what_is_read_of_a_moment_that_is_past_is_not_told_of_a_later_one() -> None:
    store, commits = MemoryStore(), OwnCommits()
    known, ours = KnownRecords(commits), NotedStore(store, commits)
    ours.commit([put(RAW, "t0", "before"), put(RAW, "t1", "beside")])
    with store.read() as before:
        ours.commit([put(RAW, "t0", "after")])
        with store.read() as after:
            assert known.records(after, [Key(RAW, "t1")])
            for moment, text in ((before, "before"), (after, "after")):
                assert known.records(moment, [Key(RAW, "t0")])[Key(RAW, "t0")].text == text


def test_known_wishes_are_those_of_the_moment_also_when_it_is_past() -> None:
    store, known = MemoryStore(), KnownWishes()
    store.commit([put(user_guidance(ANNA), "w1", "From now on answer in German.", metadata=WISH)])
    with store.read() as before:
        store.commit([put(user_guidance(ANNA), "w2", "I prefer short answers.", metadata=WISH)])
        with store.read() as after:
            for moment in (before, after, before):
                assert known.spoken(moment, ANNA) == spoken_wishes(moment, ANNA)
                assert known.spoken(moment, ANNA).hits


class Interrupted(LivingSnapshot):
    """A moment at which something happens between a read and its answer."""

    def __init__(self, snapshot: Snapshot, happen: Callable[[], object]) -> None:
        super().__init__(snapshot, {})
        self._happen = happen

    def records(self, keys: Collection[Key]) -> Mapping[Key, Record]:
        found = super().records(keys)
        self._happen()
        return found

    def page(self, collection: str, **asked: Any) -> Page[Record]:
        found = super().page(collection, **asked)
        self._happen()
        return found


READ: dict[str, Callable[[KnownRecords, Snapshot], object]] = {
    "records": lambda known, snapshot: known.records(snapshot, [Key(RAW, "t0")]),
    "marked": lambda known, snapshot: known.newest_marked(snapshot, RAW, MARK, limit=2),
    "the end of a session": lambda known, snapshot: known.tail(snapshot, "s", SHARES[0]),
}


def check_that_nothing_deleted_is_kept(one: Store, read: str) -> None:
    """Whoever reads while something is deleted is answered as of his moment, and keeps nothing of it."""
    commits = OwnCommits()
    known, ours = KnownRecords(commits), NotedStore(one, commits)
    ours.commit([put(RAW, "t0", "a secret plan", metadata={"userId": ANNA, MARK: True})])
    with one.read() as snapshot:
        moment = Interrupted(snapshot, lambda: ours.commit([Remove(collection=RAW, id="t0")]))
        assert "a secret plan" in str(READ[read](known, moment))
    assert not known.holds(ANNA)


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
@pytest.mark.parametrize("read", READ)
def test_who_reads_while_something_is_deleted_keeps_nothing_of_it(kind: str, read: str) -> None:
    with a_store(kind) as store:
        check_that_nothing_deleted_is_kept(store, read)


# ── profiles ──────────────────────────────────────────────────────────────────────────────────────────────

STATEMENTS = ("I live in Graz.", "I live in Vienna.", "My name is Tom.", "I'm allergic to walnuts.")
memories = st.sampled_from(["m1", "m2", "m3"])
stated = st.builds(
    lambda memory, text, at: put_stated(
        ANNA, StatedMemory(memory=memory, since=at, at=at, attributes=tuple(read_attributes(text)))
    ),
    memories,
    st.sampled_from(STATEMENTS),
    st.integers(1, 9),
)
profile_changes = st.one_of(
    stated,
    stated,
    st.builds(lambda one: Remove(collection=profile_of(ANNA), id=profile_source_id(one)), memories),
    st.just(DropCollection(name=profile_of(ANNA))),
)


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
@settings(max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(["ours", "theirs", "hold"]), st.lists(profile_changes, min_size=1, max_size=3)),
        max_size=10,
    )
)
def test_a_known_profile_is_what_a_fresh_read_gives(kind: str, steps: list[tuple[str, list[Change]]]) -> None:
    with a_store(kind) as store, ExitStack() as held:
        commits = OwnCommits()
        known, ours = KnownProfiles(store=store, commits=commits, clock=Clock()), NotedStore(store, commits)
        moments: list[Snapshot] = []
        for who, some in steps:
            if who == "hold":
                moments.append(held.enter_context(store.read()))
            else:
                (ours if who == "ours" else store).commit(some)
            with store.read() as snapshot:
                for moment in (*moments, snapshot):
                    assert known.lines(moment, ANNA) == lines_of(read_profile(moment, ANNA))


def test_what_a_deleted_memory_stated_is_not_kept() -> None:
    store, commits = MemoryStore(), OwnCommits()
    known, ours = KnownProfiles(store=store, commits=commits, clock=Clock()), NotedStore(store, commits)
    home = StatedMemory(memory="m1", since=1, at=1, attributes=tuple(read_attributes(STATEMENTS[0])))
    ours.commit([put_stated(ANNA, home)])
    with store.read() as snapshot:
        assert [line.text for line in known.lines(snapshot, ANNA)] == ["I live in Graz."]
    assert known.holds(ANNA)
    ours.commit([Remove(collection=profile_of(ANNA), id=profile_source_id("m1"))])
    assert not known.holds(ANNA)


# ── whole prompts ─────────────────────────────────────────────────────────────────────────────────────────

TALK = (
    "I live in Graz since May.",
    "From now on always answer in one sentence.",
    "My sister keeps bees in Linz.",
    "Never book a window seat for me, please.",
    "I moved to Vienna last week.",
    "The garden has a pond and two bridges.",
)
QUESTIONS = ("Where do I live?", "What is in the garden?", "Book me a seat to Linz.")
verbs = st.sampled_from(["say", "say", "chat", "compact", "forget", "erase", "import", "other", "unwish"])


def an_engine(store: Store, clock: Clock) -> Engine:
    embedder = WordsEmbedder()
    quiet = EngineSettings(compaction=CompactionSettings(auto_tokens=0, tail_tokens=60))
    return Engine(store=store, load_embedder=lambda _: embedder, clock=clock, read_rules=read_cues, settings=quiet)


def prompt(engine: Engine, question: str) -> Prompt:
    made = engine.prompts.assemble(question, session="s", namespace=ANNA, budget=600)
    engine._receipts.settle()
    return made


def act(verb: str, number: int, engine: Engine, other: Engine) -> None:
    """What happens between two prompts."""
    match verb:
        case "say" | "other":
            who = engine if verb == "say" else other
            who.conversations.ingest(say(TALK[number % len(TALK)]), session="s", namespace=ANNA)
        case "chat":
            chat(engine, 6, start=number * 6)
        case "compact":
            engine.compaction.compact("s")
        case "forget":
            with engine._store.read() as snapshot:
                last = newest(snapshot, RAW, limit=1)
            engine.deletions.forget(RAW, [record.id for record in last])
        case "erase":
            engine.erasures.erase(ANNA)
        case "import":
            engine.upkeep.import_lines(list(_exported(other)))
        case "unwish":
            for wish in engine.guidance.list(namespace=ANNA)[:1]:
                engine.guidance.remove(wish.id, namespace=ANNA)


def _exported(engine: Engine) -> Iterator[str]:
    with engine._store.read() as snapshot:
        yield from export_lines(snapshot, now=0)


@settings(max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sequence=st.lists(verbs, min_size=2, max_size=8))
def test_an_engine_that_remembers_gives_the_prompts_of_one_that_has_just_begun(sequence: list[str]) -> None:
    """Whatever happened in between, and whoever did it: the bytes are the same, and nothing deleted is served."""
    with a_store("sqlite") as store:
        clock = Clock()
        warm, other = an_engine(store, clock), an_engine(store, clock)
        for number, verb in enumerate(["chat", *sequence]):
            act(verb, number, warm, other)
            question = QUESTIONS[number % len(QUESTIONS)]
            fresh = an_engine(store, clock)
            now = clock()
            made = [_bytes(prompt(engine, question)) for engine in (warm, fresh)]
            assert made[0] == made[1], (verb, now)
            with store.read() as snapshot:
                spoken = KnownWishes().spoken(snapshot, ANNA)
                assert spoken == spoken_wishes(snapshot, ANNA)
                assert warm.prompts._wishes.spoken(snapshot, ANNA) == spoken


def _bytes(made: Prompt) -> tuple[object, ...]:
    return made.rules, made.opening, made.closing, made.closing_at, made.kept, made.tokens
