"""Several engines over one store, as daemons over one database: a session may go on in another one with every turn."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.chats import ANNA, chat, said, say
from tests.engine.lives import QUESTIONS, TALK
from tests.puts import put
from tests.support import read_cues

from libravdb.core.compaction.settings import CompactionSettings
from libravdb.daemon.retention_rounds import RetentionRounds
from libravdb.engine.engine import Engine
from libravdb.engine.pages import newest
from libravdb.engine.prepared_store import PreparedStore
from libravdb.engine.settings import EngineSettings
from libravdb.errors import StoreBusy
from libravdb.model import Prompt
from libravdb.model.collections import durable_memory, profile_of, prompt_receipts, raw_turns, user_guidance
from libravdb.model.guidance import WishReach
from libravdb.model.turn_metadata import ECHO, KIND, WISH_REACH, RecordKind
from libravdb.ports.store import Store
from libravdb.testing import FrozenClock, MemoryStore, WordsEmbedder

QUIET = EngineSettings(compaction=CompactionSettings(auto_tokens=0, tail_tokens=60))


class Kept(PreparedStore):
    """A store that outlives the engine over it."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, lambda changes: changes)

    def close(self) -> None:
        """It is somebody else's too."""


@contextmanager
def engines(count: int, *, clock: FrozenClock, is_shared: bool = True) -> Iterator[list[Engine]]:
    """Engines over one store, each of which believes to be a process of its own."""
    with MemoryStore(is_shared=is_shared) as store, engines_over([Kept(store)] * count, clock=clock) as several:
        yield several


@contextmanager
def engines_over(stores: Sequence[Store], *, clock: FrozenClock) -> Iterator[list[Engine]]:
    """An engine over each of these stores, which they close."""
    embedder = WordsEmbedder()
    with ExitStack() as held:
        yield [
            held.enter_context(
                Engine(store=store, load_embedder=lambda _: embedder, clock=clock, read_rules=read_cues, settings=QUIET)
            )
            for store in stores
        ]


def prompt(engine: Engine, question: str) -> Prompt:
    return engine.prompts.assemble(question, session="s", namespace=ANNA, budget=600)


def seen(made: Prompt) -> tuple[object, ...]:
    """What a model sees of a prompt."""
    return made.rules, made.opening, made.closing, made.closing_at, made.kept, made.tokens


# ── whole conversations ───────────────────────────────────────────────────────────────────────────────────

VERBS = ("say", "say", "chat", "compact", "forget", "remember", "echo", "recite", "erase", "unwish")
verbs = st.sampled_from(VERBS)


def act(verb: str, number: int, engine: Engine, last: Prompt) -> None:
    """What happens between two prompts; `last` is the one that the host has shown."""
    match verb:
        case "say":
            engine.conversations.ingest(say(TALK[number % len(TALK)], id=f"t{number}"), session="s", namespace=ANNA)
        case "chat":
            chat(engine, 6, start=number * 6)
        case "compact":
            engine.compaction.compact("s")
        case "forget":
            with engine.living.read() as snapshot:
                gone = newest(snapshot, raw_turns("s"), limit=1)
            engine.deletions.forget(raw_turns("s"), [record.id for record in gone])
        case "remember":
            engine.memories.remember(
                f"The pond is {number} feet deep.", collection=durable_memory(ANNA), id=f"m{number}"
            )
        case "echo":  # with our frames in it
            back = f"{last.opening}\n{last.closing}\nAnd what else?"
            engine.conversations.ingest(say(back, id=f"t{number}"), session="s", namespace=ANNA)
        case "recite":  # without them
            lines = [line for line in TALK if line in last.closing]
            engine.conversations.ingest(
                say("\n".join(lines) or "ok", "tool", id=f"t{number}"), session="s", namespace=ANNA
            )
        case "erase":
            engine.deletions.flush_namespace(ANNA)
        case "unwish":
            for wish in engine.guidance.list(namespace=ANNA)[:1]:
                engine.guidance.remove(wish.id, namespace=ANNA)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(st.tuples(verbs, st.integers(0, 1), st.integers(0, 1)), min_size=2, max_size=10))
def test_engines_that_take_turns_give_the_prompts_of_one_that_does_it_all(steps: list[tuple[str, int, int]]) -> None:
    """Whoever writes and whoever is asked: what was acknowledged is in the next prompt, and the bytes are the same."""
    clock = FrozenClock()
    with engines(2, clock=clock) as several:
        play(steps, several, clock)


def play(steps: Sequence[tuple[str, int, int]], several: Sequence[Engine], clock: FrozenClock) -> None:
    """Let several engines take these steps, each told by what is done, who does it and who is asked afterwards, beside
    one that takes them all."""
    with engines(1, clock=clock, is_shared=False) as (one,):
        shown = prompt(one, QUESTIONS[0])
        assert seen(prompt(several[0], QUESTIONS[0])) == seen(shown)
        for number, (verb, writer, asked) in enumerate([("chat", 0, 1), *steps]):
            clock.advance(1_000)
            act(verb, number, one, shown)
            act(verb, number, several[writer], shown)
            clock.advance(1_000)
            question = QUESTIONS[number % len(QUESTIONS)]
            shown = prompt(one, question)
            assert seen(prompt(several[asked], question)) == seen(shown), (number, verb)
            assert _stored(several[0]) == _stored(several[1]) == _stored(one)


def _stored(engine: Engine) -> dict[str, list[tuple[object, ...]]]:
    """Everything that is kept but for receipts, which have names by chance."""
    with engine.living.read() as snapshot:
        names = [info.name for info in snapshot.collections().items if info.name != prompt_receipts(ANNA)]
        pages = {name: snapshot.page(name).items for name in names}
    return {name: [(one.id, one.text, one.metadata) for one in records] for name, records in pages.items() if records}


# ── what must not wait in memory ──────────────────────────────────────────────────────────────────────────


def test_a_receipt_is_there_for_everybody_when_its_prompt_is() -> None:
    with engines(2, clock=FrozenClock()) as (one, other):
        chat(one, 4)
        made = prompt(one, QUESTIONS[1])
        assert other.prompts.explain(made.receipt, namespace=ANNA).id == made.receipt
        assert prompt(other, QUESTIONS[1]).closing == made.closing


def test_what_another_engine_put_into_a_prompt_is_not_taken_for_something_said() -> None:
    with engines(2, clock=FrozenClock()) as (one, other):
        for number, text in enumerate(TALK):
            one.conversations.ingest(say(text, id=f"t{number}"), session="before", namespace=ANNA)
        made = prompt(one, QUESTIONS[1])
        assert "pond" in made.closing
        framed = other.conversations.ingest(say(f"{made.closing}\nAnd the bees?", id="a"), session="s", namespace=ANNA)
        tool = other.conversations.ingest(say(TALK[5], "tool", id="b"), session="s", namespace=ANNA)
        with other.living.read() as snapshot:
            kept = {record.id: record for record in newest(snapshot, raw_turns("s"), limit=9)}
        assert kept[framed.turns[0].id].text.strip() == "And the bees?"
        assert kept[tool.turns[0].id].metadata[ECHO] is True


def test_what_one_engine_deletes_another_one_shows_to_nobody() -> None:
    with engines(2, clock=FrozenClock()) as (one, other):
        one.memories.remember("The pond is nine feet deep.", collection=durable_memory(ANNA), id="m")
        assert "nine feet" in prompt(other, "How deep is the pond?").closing
        one.deletions.forget(durable_memory(ANNA), ["m"])
        assert "nine feet" not in prompt(other, "How deep is the pond?").closing


DELETED: dict[str, Callable[[Engine], object]] = {
    "the memory": lambda engine: engine.deletions.forget(durable_memory(ANNA), ["m"]),
    "the namespace": lambda engine: engine.deletions.flush_namespace(ANNA),
    "everything": lambda engine: engine.deletions.flush_everything(),
}


@pytest.mark.parametrize("deleted", DELETED)
def test_what_somebody_else_has_deleted_is_no_echo_when_it_is_said_anew(deleted: str) -> None:
    with engines(2, clock=FrozenClock()) as (one, other):
        one.memories.remember(TALK[5], collection=durable_memory(ANNA), id="m")
        assert "pond" in prompt(one, QUESTIONS[1]).closing
        DELETED[deleted](other)
        said = one.conversations.ingest(say(TALK[5], "tool", id="a"), session="s", namespace=ANNA)
        with one.living.read() as snapshot:
            kept = {record.id: record for record in newest(snapshot, raw_turns("s"), limit=9)}
        assert ECHO not in kept[said.turns[0].id].metadata


# ── what is kept in memory ────────────────────────────────────────────────────────────────────────────────


def _expiring_rule(engine: Engine) -> None:
    engine.documents.author("AGENTS.md", "- Answer in English.\n")
    (node,) = engine.documents.nodes("AGENTS.md")
    engine.memories.remember(
        "You must greet the zebra.", collection=node.collection, id="z", metadata=node.metadata, expires_at="1d"
    )


EXPIRING: dict[str, Callable[[Engine], object]] = {
    "a rule": _expiring_rule,
    "a wish": lambda engine: engine.memories.remember(
        "From now on always mention the zebra.",
        collection=user_guidance(ANNA),
        metadata={KIND: RecordKind.WISH.value, WISH_REACH: WishReach.GENERAL.value},
        expires_at="1d",
    ),
    "a line of the profile": lambda engine: engine.memories.remember(
        "I'm allergic to zebra hair.", collection=durable_memory(ANNA), expires_at="1d"
    ),
}


@pytest.mark.parametrize("kind", EXPIRING)
def test_what_has_expired_is_in_no_prompt_of_an_engine_that_knew_it(kind: str) -> None:
    """Before anybody has written, which would sweep it."""
    clock = FrozenClock()
    with engines(2, clock=clock) as (one, other):
        EXPIRING[kind](one)
        shown = prompt(other, "What now?")
        assert "zebra" in shown.rules + shown.closing
        clock.advance(2 * 86_400_000)
        told = other.inspection.preview_prompt("What now?", session="s", namespace=ANNA, budget=600)
        assert not any("zebra" in section.text for section in told.sections)


@pytest.mark.parametrize("text", ["- You must greet the zebra.\n", "You should never ride the zebra.\n"])
def test_a_rule_that_one_engine_authors_or_withdraws_counts_for_the_next_prompt_of_another(text: str) -> None:
    with engines(2, clock=FrozenClock()) as (one, other):
        one.documents.author("AGENTS.md", "- Answer in English.\n\nYou should never shout.\n")
        assert "zebra" not in prompt(other, "What now?").rules
        one.documents.author("SOUL.md", text)
        assert "zebra" in prompt(other, "What now?").rules
        one.documents.withdraw("SOUL.md")
        assert "zebra" not in prompt(other, "What now?").rules


# ── what comes in from elsewhere ──────────────────────────────────────────────────────────────────────────

STATED = "My name is Anna and I'm allergic to walnuts."


def _exported(folder: Path, *, is_whole: bool) -> Path:
    """A file with memories that were not read for a profile, as an export of their collection alone is."""
    path = folder / "memory.jsonl"
    with engines(1, clock=FrozenClock(), is_shared=False) as (source,):
        source.memories.remember(STATED, collection=durable_memory(ANNA), id="m")
        if is_whole:
            source.upkeep.export_file(path, collections=[durable_memory(ANNA)])
            return path
        source.namespaces.export_file(path, namespace=ANNA)
    kept = [line for line in path.read_text().splitlines() if f'"{profile_of(ANNA)}"' not in line]
    path.write_text("\n".join(kept) + "\n")
    return path


TAKEN_IN: dict[str, Callable[[Engine, Path], object]] = {
    "a file of a store": lambda engine, folder: engine.upkeep.import_file(_exported(folder, is_whole=True)),
    "a file of a namespace": lambda engine, folder: engine.namespaces.import_file(
        _exported(folder, is_whole=False), namespace=ANNA
    ),
    "another namespace": lambda engine, _: engine.deletions.move_namespace("ben", to_namespace=ANNA),
}


@pytest.mark.parametrize("way", TAKEN_IN)
def test_what_one_engine_takes_in_stands_in_the_profile_that_another_knows_to_be_complete(
    way: str, tmp_path: Path
) -> None:
    with engines(2, clock=FrozenClock()) as (one, other):
        one.living.commit([put(durable_memory("ben"), "m", STATED)])  # as an earlier edition kept it
        assert "walnuts" not in prompt(other, QUESTIONS[0]).rules
        TAKEN_IN[way](one, tmp_path)
        assert "walnuts" in prompt(other, QUESTIONS[0]).rules


# ── what runs once ────────────────────────────────────────────────────────────────────────────────────────


def _while_inside(store: Store, name: str, work: Callable[[], object]) -> None:
    """Do this work while somebody else is inside of what is exclusive."""
    is_inside, is_over = threading.Event(), threading.Event()

    def hold() -> None:
        with store.exclusive(name):
            is_inside.set()
            is_over.wait(30)

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        assert is_inside.wait(30)
        work()
    finally:
        is_over.set()
        holder.join()


def test_a_session_that_somebody_compacts_is_left_alone_by_the_others() -> None:
    with engines(2, clock=FrozenClock()) as (one, other):
        chat(one, 40)
        found: list[Sequence[str]] = []
        _while_inside(
            one.living, "compaction of s", lambda: found.append(other.compaction.fold("s", stopping=bool).reasons)
        )
        assert found == [("somebody else compacts this session now",)]
        assert other.compaction.fold("s", stopping=bool).did_compact


def test_two_engines_that_compact_one_session_fold_everything_once() -> None:
    with engines(2, clock=FrozenClock()) as several:
        several[0].conversations.ingest_batch(said(60), session="s", namespace=ANNA)
        with ThreadPoolExecutor(2) as pool:
            done = list(pool.map(lambda engine: engine.compaction.compact("s").clusters_formed, several))
        children = [edge.child for edge in several[0].compaction.coverage("s") if edge.child_kind == "turn"]
        assert max(done) > 0
        assert len(children) == len(set(children))


def test_vectors_are_made_anew_by_one_engine_at_a_time() -> None:
    with engines(2, clock=FrozenClock()) as (one, other):
        chat(one, 4)

        def refused() -> None:
            with pytest.raises(StoreBusy, match="gets new vectors from another process"):
                other.embeddings.reembed()

        _while_inside(one.living, "reembedding", refused)
        assert other.embeddings.reembed().fingerprint == WordsEmbedder().fingerprint


def test_a_round_of_retention_is_made_by_one_daemon_at_a_time() -> None:
    clock = FrozenClock()
    with engines(2, clock=clock) as (one, other):
        one.memories.remember("The boat is red.", collection="notes", expires_at="1d")
        clock.advance(2 * 86_400_000)
        rounds = RetentionRounds(other.living, other.expiry, other.retention)
        _while_inside(one.living, "retention", lambda: rounds._look(is_round=True))
        assert len(one.expiry.expired()) == 1
        rounds._look(is_round=True)
        assert one.expiry.expired() == ()
