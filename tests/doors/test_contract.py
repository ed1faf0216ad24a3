"""One contract for every door: asked alike, `Memory` answers alike, whichever way it goes; so does `AsyncMemory`."""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.doors.doors import DOORS, Open, opened
from tests.served import NOON

from libravdb import AsyncMemory, Memory
from libravdb.errors import DaemonError, InvalidInput, LibraError, NotFound, StoreClosed, StoreError
from libravdb.model import AssemblyMode, Prompt, Scope

FACT = "My sister Clara moved to Lisbon in March 2024 and works as a nurse"
TALK = [
    {"role": "user", "content": FACT, "id": "u1"},
    {"role": "assistant", "content": "How nice for her!", "id": "a1"},
    {"role": "user", "content": "Please always answer in German.", "id": "u2"},
]


def filled(memory: Memory) -> Memory:
    """A memory that holds a talk, and three notes."""
    memory.add(TALK, session="monday")
    memory.remember("I live in Graz.", id="home", at=NOON - 9, metadata={"topic": "home", "weight": 1})
    memory.remember("The ladder is in the shed", id="ladder", at=NOON - 8, metadata={"topic": "tools", "weight": 2})
    memory.remember("The saw is in the cellar", id="saw", at=NOON - 7, metadata={"topic": "tools", "weight": 3})
    return memory


def paged(memory: Memory) -> list[object]:
    """A list, page by page."""
    found: list[object] = []
    after = None
    while True:
        page = memory.list(limit=2, after=after)
        found.append([record.id for record in page])
        if (after := page.next) is None:
            return found


def out_and_in(memory: Memory, folder: Path) -> object:
    file = folder / f"{memory.user}.jsonl"
    before = memory.list(), memory.sessions(), memory.profile()
    written, gone = memory.export(file), memory.forget_all()
    assert list(memory.list()) == []
    read = memory.import_(file)
    assert (memory.list(), memory.sessions(), memory.profile()) == before
    file.unlink()
    return written, gone, read


def plain(prompt: Prompt) -> Prompt:
    """A prompt without the name of its receipt, which is another one each time."""
    return dataclasses.replace(prompt, receipt="")


Verb = Callable[[Memory, Path], object]

VERBS: Mapping[str, Verb] = {
    "a list": lambda memory, _: memory.add(TALK),
    "a text": lambda memory, _: memory.add("Anna is allergic to peanuts and to hazelnuts"),
    "a message": lambda memory, _: memory.add({"role": "user", "content": FACT}),
    "several": lambda memory, _: memory.ingest(TALK[0], TALK[1:], "And she likes boats.", session="s"),
    "nothing": lambda memory, _: memory.add(),
    "a turn once": lambda memory, _: [memory.commit_turn(TALK, key="t1") for _ in range(2)],
    "remember": lambda memory, _: [
        memory.remember("The key is red", metadata={"n": 1}, at=datetime(2026, 9, 1, tzinfo=UTC), id="key")
        for _ in range(2)
    ],
    "search": lambda memory, _: filled(memory).search("Where is the ladder, and where is Clara?"),
    "search within": lambda memory, _: [
        filled(memory).search("Where is it kept?", where={"topic": "tools"}, k=1, scopes=[Scope.DURABLE]),
        memory.search("shed cellar", since=NOON - 7, until=NOON - 6, scopes=[Scope.DURABLE]),
        memory.search("shed cellar", where={"weight": {"$gte": 3}}, scopes=[Scope.DURABLE]),
        memory.search("ladder", as_of=datetime.fromtimestamp((NOON - 8.5) / 1000, UTC)),
        memory.search("quantum chromodynamics", is_quiet=True, session="monday"),
    ],
    "assemble": lambda memory, _: plain(
        filled(memory).assemble("Where is Clara?", budget=900, session="monday", mode=AssemblyMode.WINDOW)
    ),
    "explain": lambda memory, _: (
        memory.explain(filled(memory).assemble("Clara?").receipt).words[:-1],  # the last one tells how long it took
        memory.why_not("ladder"),
        [part.kind for part in memory.replay().sections],
    ),
    "get": lambda memory, _: [filled(memory).get(id) for id in ("ladder", "u1", "monday/u1", "nothing")],
    "list": lambda memory, _: paged(filled(memory)),
    "list within": lambda memory, _: [
        filled(memory).list(where={"topic": "tools"}, since=NOON - 8),
        memory.list(scope=Scope.HISTORY, limit=2),
        memory.list(scope=Scope.ELEVATED),
    ],
    "update": lambda memory, _: [
        filled(memory).update("ladder", "The ladder is in the attic", metadata={"weight": None, "by": "hand"}),
        memory.update("ladder", metadata={"weight": 9}),
        memory.history("ladder"),
        memory.search("ladder shed", scopes=[Scope.DURABLE]),
    ],
    "forget": lambda memory, _: [filled(memory).forget("ladder", "nothing"), memory.forget(["saw"]), memory.list()],
    "forget all": lambda memory, _: [filled(memory).forget_all(), memory.list(), memory.sessions()],
    "erase": lambda memory, _: filled(memory).erase(with_name=True).certificate.namespace.name,
    "profile": lambda memory, _: [
        filled(memory).profile(),
        memory.pin_profile(memory.profile().lines[0].id),
        memory.edit_profile(memory.profile().lines[0].id, "I live in Wien."),
        memory.forget_profile(memory.profile().lines[0].id),
        str(memory.profile()),
    ],
    "guidance": lambda memory, _: [
        filled(memory).guidance(),
        memory.remove_guidance(memory.guidance()[0].id),
        memory.guidance(everything=True),
    ],
    "author": lambda memory, _: memory.author("notes/AGENTS.md", "- Never delete a branch\n", core=True),
    "sessions": lambda memory, _: [filled(memory).sessions(), memory.sessions(limit=1, after="a")],
    "users": lambda memory, _: [filled(memory).user in [one.name for one in memory.users(limit=1_000)]],
    "status": lambda memory, _: (memory.status().mode, memory.status().embedder),
    "out and in": lambda memory, folder: out_and_in(filled(memory), folder),
    "somebody else": lambda memory, _: [
        filled(memory).for_user("ben of " + memory.user).get("ladder"),
        memory.for_user("ben of " + memory.user).remember("Ben's own"),
        memory.get("ladder"),
    ],
    "one of a page": lambda memory, _: filled(memory).list()[0],
    "words for members": lambda memory, _: [
        filled(memory).list(scope="history"),  # type: ignore[arg-type]  # on purpose
        memory.search("ladder", scopes=["durable"]),  # type: ignore[list-item]  # on purpose
        plain(memory.assemble("Clara?", mode="window")),  # type: ignore[arg-type]  # on purpose
    ],
    "metadata of every kind": lambda memory, _: memory.remember(
        "The kite is blue",
        metadata={"a": [1, 2], "b": {"c": [None, True]}, "d": "half \ud800", "e": 1e308, "f": -(2**63)},
    ),
    "an empty prompt": lambda memory, _: plain(memory.assemble("")),
    "no ids": lambda memory, _: [memory.forget(), memory.forget([])],
    "odd texts": lambda memory, _: [memory.add("\ud800 half a letter"), memory.remember("a\0b  🙂 ﬁ Å")],
}

REFUSED: Mapping[str, Verb] = {
    "a role": lambda memory, _: memory.add([{"role": "user", "content": "x"}, {"role": "usr", "content": "y"}]),
    "a turn's role": lambda memory, _: memory.commit_turn([{"role": "usr", "content": "x"}], key="k"),
    "no role": lambda memory, _: memory.add({"content": "x"}),
    "no message": lambda memory, _: memory.add(5),
    "an empty text": lambda memory, _: memory.remember(" "),
    "an id in use": lambda memory, _: [memory.remember(text, id="x") for text in ("one", "two")],
    "an empty question": lambda memory, _: memory.search(" "),
    "too many": lambda memory, _: memory.search("x", k=100_000),
    "a time": lambda memory, _: memory.search("x", since="yesterday"),  # type: ignore[arg-type]  # on purpose
    "a filter": lambda memory, _: memory.list(where={"x": {"y": 1}}),
    "a page": lambda memory, _: memory.list(limit=0),
    "a cursor": lambda memory, _: memory.list(after="nowhere"),
    "a session's scope": lambda memory, _: memory.list(scope=Scope.SESSION),
    "nothing to update": lambda memory, _: memory.update("x"),
    "an unknown memory": lambda memory, _: memory.update("x", "y"),
    "an unknown history": lambda memory, _: memory.history("x"),
    "an unknown wish": lambda memory, _: memory.remove_guidance("x"),
    "an unknown line": lambda memory, _: memory.pin_profile("x"),
    "an unknown receipt": lambda memory, _: memory.explain("x"),
    "metadata": lambda memory, _: memory.remember("x", metadata={"x": "\0".join("ab")} | {"y" * 2_000_000: 1}),
    "a moment beyond": lambda memory, _: memory.remember("x", at=datetime.min),  # noqa: DTZ901 - without a zone, on purpose
    "a number beyond": lambda memory, _: memory.list(limit=10**30),
    "a NUL in an id": lambda memory, _: memory.remember("x", id="a\0b"),
    "a word for scopes": lambda memory, _: memory.search("x", scopes="durable"),  # type: ignore[arg-type]  # on purpose
    "an unknown scope": lambda memory, _: memory.search("x", scopes=["bad"]),  # type: ignore[list-item]  # on purpose
    "no number": lambda memory, _: memory.remember("x", metadata={"x": float("nan")}),
    "too deep": lambda memory, _: memory.remember("x", metadata={"x": json.loads("[" * 500 + "]" * 500)}),
    "an endless object": lambda memory, _: memory.remember("x", metadata=_endless()),
    "a file that is there": lambda memory, folder: memory.export(_written(folder / "y.jsonl", "kept")),
    "no file": lambda memory, folder: memory.import_(folder / "nothing.jsonl"),
    "no export": lambda memory, folder: memory.import_(_written(folder / "x.jsonl", '{"kind":"header"}\n')),
}


ODD: Mapping[str, object] = {
    "None": None,
    "a number": 5,
    "a fraction": 1.5,
    "bytes": b"x",
    "a list": [object()],
    "half a letter": "\ud800",
    "an object": object(),
    "a claim": True,
}
"""What people give by mistake."""

Takes = Callable[[Memory, Any], object]

TAKES: Mapping[str, Takes] = {
    "add messages": lambda memory, odd: memory.add(odd),
    "add session": lambda memory, odd: memory.add("x", session=odd),
    "commit_turn messages": lambda memory, odd: memory.commit_turn(odd, key="k"),
    "commit_turn key": lambda memory, odd: memory.commit_turn([], key=odd),
    "commit_turn session": lambda memory, odd: memory.commit_turn([], key="k", session=odd),
    "remember text": lambda memory, odd: memory.remember(odd),
    "remember metadata": lambda memory, odd: memory.remember("x", metadata=odd),
    "remember metadata within": lambda memory, odd: memory.remember(f"x {odd!r}", metadata={"x": [odd]}),
    "remember metadata key": lambda memory, odd: memory.remember(
        f"y {odd!r}",
        metadata={None if isinstance(odd, list) else odd: 1},  # type: ignore[dict-item]  # on purpose
    ),
    "remember at": lambda memory, odd: memory.remember("x", at=odd),
    "remember id": lambda memory, odd: memory.remember("z", id=odd),
    "remember expires_at": lambda memory, odd: memory.remember("v", expires_at=odd),
    "search question": lambda memory, odd: memory.search(odd),
    "search k": lambda memory, odd: memory.search("x", k=odd),
    "search where": lambda memory, odd: memory.search("x", where=odd),
    "search where key": lambda memory, odd: memory.search("x", where={"a": odd}),
    "search since": lambda memory, odd: memory.search("x", since=odd),
    "search as_of": lambda memory, odd: memory.search("x", as_of=odd),
    "search is_quiet": lambda memory, odd: memory.search("x", is_quiet=odd),
    "search session": lambda memory, odd: memory.search("x", session=odd),
    "search scopes": lambda memory, odd: memory.search("x", scopes=odd),
    "assemble prompt": lambda memory, odd: plain(memory.assemble(odd)),
    "assemble budget": lambda memory, odd: plain(memory.assemble("x", budget=odd)),
    "assemble session": lambda memory, odd: plain(memory.assemble("x", session=odd)),
    "assemble messages": lambda memory, odd: plain(memory.assemble("x", messages=odd)),
    "assemble mode": lambda memory, odd: plain(memory.assemble("x", mode=odd)),
    "explain": lambda memory, odd: memory.explain(odd).words[:1],
    "why_not": lambda memory, odd: memory.why_not(odd, receipt="x"),
    "replay": lambda memory, odd: memory.replay("x", messages=odd),
    "get": lambda memory, odd: memory.get(odd),
    "list where": lambda memory, odd: memory.list(where={"x": {"$in": odd}}),
    "list until": lambda memory, odd: memory.list(until=odd) and None,
    "list scope": lambda memory, odd: memory.list(scope=odd),
    "list limit": lambda memory, odd: memory.list(limit=odd) and None,
    "list after": lambda memory, odd: memory.list(after=odd) and None,
    "update id": lambda memory, odd: memory.update(odd, "x"),
    "update text": lambda memory, odd: memory.update("nothing", odd),
    "update metadata": lambda memory, odd: memory.update("nothing", metadata=odd),
    "history": lambda memory, odd: memory.history(odd),
    "forget": lambda memory, odd: memory.forget(odd),
    "forget within": lambda memory, odd: memory.forget("x", [odd]),
    "erase": lambda memory, odd: memory.for_user("x").erase(with_name=odd).certificate.namespace.name,
    "pin_profile": lambda memory, odd: memory.pin_profile(odd, is_pinned=odd),
    "edit_profile": lambda memory, odd: memory.edit_profile("x", odd),
    "forget_profile": lambda memory, odd: memory.forget_profile(odd),
    "author name": lambda memory, odd: memory.author(odd, "x"),
    "author text": lambda memory, odd: memory.author("x.md", odd),
    "author core": lambda memory, odd: memory.author("x.md", "x", core=odd),
    "guidance": lambda memory, odd: memory.guidance(everything=odd),
    "remove_guidance": lambda memory, odd: memory.remove_guidance(odd),
    "sessions limit": lambda memory, odd: memory.sessions(limit=odd),
    "sessions after": lambda memory, odd: memory.sessions(after=odd),
    "users limit": lambda memory, odd: memory.users(limit=odd) and None,
    "users after": lambda memory, odd: memory.users(after=odd) and None,
    "export": lambda memory, odd: memory.export(odd if isinstance(odd, str) is False else "\0"),
    "import_": lambda memory, odd: memory.import_(odd if isinstance(odd, str) is False else "\0"),
    "for_user": lambda memory, odd: memory.for_user(odd).get("x"),
}
"""Every argument of every verb, given something odd."""


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def _endless() -> dict[str, Any]:
    endless: dict[str, Any] = {}
    endless["self"] = endless
    return endless


Pair = tuple[Open, Open]
"""The engine itself, and a door: two stores to which the same is done in the same order."""

PairOf = Callable[[str, str], Pair]


@pytest.fixture(scope="module")
def pair_of(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PairOf]:
    """A pair for a purpose, made when it is first asked for."""
    made: dict[tuple[str, str], Pair] = {}
    with ExitStack() as stack:

        def pair(purpose: str, door: str) -> Pair:
            if (purpose, door) not in made:
                here, there = (
                    stack.enter_context(opened(name, tmp_path_factory.mktemp(name))) for name in ("embedded", door)
                )
                made[purpose, door] = here, there
            return made[purpose, door]

        yield pair


@pytest.fixture(params=DOORS)
def door(request: pytest.FixtureRequest, pair_of: PairOf) -> Open:
    """Each door in turn."""
    return pair_of("alone", request.param)[1]


OTHERS = [name for name in DOORS if name != "embedded"]


def answered(act: Callable[[], object]) -> object:
    """What a door answers: a value, or an error with its words and its remedy."""
    try:
        return act()
    except LibraError as error:
        return type(error), error.message, error.remedy


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_gives_the_same_through_every_door(pair_of: PairOf, tmp_path: Path, verb: str, name: str) -> None:
    with ExitStack() as stack:
        here, there = (stack.enter_context(open_memory(verb)) for open_memory in pair_of("verbs", name))
        assert VERBS[verb](there, tmp_path) == VERBS[verb](here, tmp_path)


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("verb", REFUSED)
def test_what_is_refused_is_refused_in_the_same_words(pair_of: PairOf, tmp_path: Path, verb: str, name: str) -> None:
    with ExitStack() as stack:
        here, there = (stack.enter_context(open_memory(verb)) for open_memory in pair_of("verbs", name))
        refused = [answered(partial(REFUSED[verb], memory, tmp_path)) for memory in (here, there)]
    assert refused[0] == refused[1]
    assert isinstance(refused[0], tuple)
    kind, message, _ = refused[0]
    assert kind in (InvalidInput, NotFound, StoreError)
    assert message


def test_whatever_is_given_by_mistake_every_door_says_the_same(pair_of: PairOf) -> None:
    """Never an error of Python's own: a LibraError, and what is refused at the door says what to give instead."""
    for name in OTHERS:
        with ExitStack() as stack:
            here, there = (stack.enter_context(open_memory("odd")) for open_memory in pair_of("odd", name))
            for verb, take in TAKES.items():
                for odd, given in ODD.items():
                    told = [answered(partial(take, memory, given)) for memory in (here, there)]
                    assert told[0] == told[1], f"{verb} takes {odd}"
                    if isinstance(told[0], tuple) and told[0][0] is InvalidInput:
                        assert told[0][2], f"{verb} tells no remedy for {odd}: {told[0][1]}"


def test_after_close_every_verb_says_so(tmp_path: Path) -> None:
    for name in DOORS:
        with opened(name, _folder(tmp_path / name)) as open_memory:
            is_embedded = name == "embedded"
            memory = Memory.open(tmp_path / "own.libravdb") if is_embedded else open_memory("closing")
            child = memory.for_user("child")
            child.close()
            assert child.get("x") is None
            memory.close()
            memory.close()
            for left in (memory, child):
                for verb in (left.status, left.list, partial(left.add, "x"), partial(left.for_user, "y")):
                    with pytest.raises(StoreClosed, match="memory: is closed") as caught:
                        verb()
                    assert caught.value.remedy == "Open it again."


def test_after_close_an_awaited_verb_says_so(tmp_path: Path) -> None:
    async def closing() -> None:
        memory = await AsyncMemory.open(tmp_path / "own.libravdb")
        child = memory.for_user("child")
        await memory.close()
        for left in (memory, child):
            with pytest.raises(StoreClosed, match="memory: is closed"):
                await left.status()

    asyncio.run(closing())


def test_every_verb_is_tried_through_the_doors() -> None:
    code = inspect.getsource(inspect.getmodule(test_every_verb_is_tried_through_the_doors))  # type: ignore[arg-type]  # there is one
    verbs = {name for name in vars(Memory) if not name.startswith("_")} - {"open", "connect", "close", "engine"}
    assert {name for name in verbs if f".{name}(" not in code} == set()


# ── the class itself ──────────────────────────────────────────────────────────────────────────────────────


def test_a_wrong_role_is_told_with_the_roles_and_nothing_is_kept(door: Open) -> None:
    with door("roles") as memory:
        with pytest.raises(InvalidInput, match=r"messages\[1\]\.role: is 'usr'") as caught:
            memory.add(["first", {"role": "usr", "content": "x"}])
        with pytest.raises(InvalidInput, match=r"messages\[1\]\.role: is 'usr'"):
            memory.commit_turn(["first", {"role": "usr", "content": "x"}], key="k")
        assert caught.value.remedy == "Known roles: user, assistant, tool, system."
        assert list(memory.sessions()) == []


def test_closing_a_child_closes_nothing(door: Open) -> None:
    with door("owner of many") as memory:
        with memory.for_user("child") as child:
            child.remember("The kite is blue")
        assert memory.for_user("child").search("kite")[0].text == "The kite is blue"
        assert memory.engine is child.engine


def test_nobody_answers_where_there_is_no_daemon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DaemonError, match="No daemon answers on unix:") as caught:
        Memory.connect(f"unix:{tmp_path}/nowhere.sock")
    assert "libravdbd" in caught.value.remedy
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(DaemonError, match=rf"No daemon answers on unix:{tmp_path}/\.clawdb"):
        Memory.connect()


def test_a_wrong_token_is_refused(tmp_path: Path) -> None:
    with opened("tcp", tmp_path) as door, door("anna") as memory:
        address = str(memory.engine._client._transport._free[0]._endpoint)  # type: ignore[attr-defined]  # where it is
        with pytest.raises(DaemonError, match="token"):
            Memory.connect(address, token="wrong")  # noqa: S106 - made up


# ── awaiting ──────────────────────────────────────────────────────────────────────────────────────────────


class Awaited:
    """`AsyncMemory` with the face of `Memory`: each verb is awaited in a loop of its own."""

    def __init__(self, memory: AsyncMemory) -> None:
        self._memory = memory

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._memory, name)
        if name == "for_user":
            return lambda user: Awaited(found(user))
        if not inspect.iscoroutinefunction(found):
            return found
        return lambda *given, **named: asyncio.run(found(*given, **named))


@pytest.mark.parametrize("verb", [*VERBS, *REFUSED])
def test_an_awaited_verb_gives_the_same(pair_of: PairOf, tmp_path: Path, verb: str) -> None:
    act = {**VERBS, **REFUSED}[verb]
    with ExitStack() as stack:
        here, there = (stack.enter_context(open_memory(verb)) for open_memory in pair_of("awaited", "unix"))
        awaited = AsyncMemory(there)
        told = answered(lambda: act(Awaited(awaited), tmp_path))  # type: ignore[arg-type]  # it has the same face
        assert told == answered(lambda: act(here, tmp_path))
        asyncio.run(awaited.close())
