"""What every store promises about time: a read is of one moment, and a change is noticed by its revision."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier

import pytest
from tests.contract.stores import (
    OTHER,
    SPACE,
    ask,
    edge,
    is_there,
    kept,
    listed,
    names,
    near_ids,
    open_space,
    record,
    vector,
    words,
)
from tests.puts import put, restore

from libravdb.errors import Conflict, InvalidInput, StoreClosed
from libravdb.model import (
    SPACES,
    Append,
    Change,
    ClearJournal,
    DropCollection,
    DropState,
    EnsureCollection,
    Foreseen,
    Key,
    Link,
    Metadata,
    Order,
    Remove,
    RestoreState,
    Revision,
    SessionState,
    SetState,
    Topic,
    Touch,
    Unlink,
    digest,
)
from libravdb.ports.store import Snapshot, Store

C, D, E, NEW = (Topic.collection(name) for name in ("c", "d", "e", "new"))
S, T, U = (Topic.session(name) for name in "stu")
TOPICS = (C, D, E, NEW, S, T, U, SPACES)

# ── one moment ────────────────────────────────────────────────────────────────────────────────────────────


def begin(store: Store) -> None:
    """A little of everything."""
    open_space(store)
    open_space(store, OTHER, 3)
    turns: list[Metadata] = [{"sessionId": "s", "speaker": who} for who in ("Tom", "Anna")]
    store.commit(
        [
            put("c", "1", "green tea", at=1, metadata=turns[0], embedding=vector([1, 0])),
            put("c", "2", "black tea", at=2, metadata=turns[1], embedding=vector([0, 1])),
            put("d", "1", "coffee"),
            EnsureCollection(name="e"),
            SetState(session="s", state={"namespaces": ["u"]}, at=1),
            SetState(session="t", state={}, at=1),
            Link(edge=edge("p", "a")),
            Append(session="s", at=1, entry={"n": 1}),
        ]
    )


def everything(read: Snapshot, space: str = SPACE) -> dict[str, object]:
    """Whatever can be asked of a store."""
    asked = vector([1, 0], space=space)
    keys = [Key("c", "1"), Key("c", "2"), Key("c", "3"), Key("d", "1")]
    texts = [digest(text) for text in ("green tea", "black tea", "coffee", "new tea")]
    tea = [("tea",), ("green",)]
    return {
        "revisions": read.revisions(TOPICS),
        "records": read.records(keys),
        "page": [read.page(name, order=order) for name in ("c", "d", "new") for order in Order],
        "holding": read.holding("c", texts),
        "distinct": read.distinct("c", "speaker", limit=9),
        "sizes": read.sizes(["c", "d", "e", "new"]),
        "collections": read.collections(),
        "states": read.states(["s", "t", "u"]),
        "states of": [read.states_of(None), read.states_of("u")],
        "edges": read.edges(None),
        "journal": read.journal(),
        "nearest": read.nearest(["c", "d"], asked, k=9),
        "matching": read.matching(["c", "d"], tea, k=9),
        "neighbours": read.neighbours(keys),
        "features": read.features(keys, embedding=asked, words=tea),
        "vocabularies": read.vocabularies(["c", "d", "e", "new"], tea),
        "spaces": read.spaces(),
        "vectors": {text: found.tolist() for text, found in read.vectors(space, texts).items()},
    }


UPHEAVAL: list[Change] = [
    put("c", "1", "changed", at=9, metadata={"sessionId": "s", "speaker": "Zoe"}, embedding=vector([0, 1])),
    Remove(collection="c", id="2"),
    put("c", "3", "new tea", at=3, metadata={"sessionId": "s"}, embedding=vector([1, 1])),
    put("new", "1", "green tea"),
    DropCollection(name="d"),
    SetState(session="s", state={}, at=2),
    DropState(session="t"),
    SetState(session="u", state={"namespaces": ["u"]}, at=2),
    Unlink(session="s"),
    ClearJournal(),
]


def test_a_commit_inside_an_open_read_does_not_show_in_it(store: Store) -> None:
    begin(store)
    with store.read() as read:
        before = everything(read)
        assert store.commit(UPHEAVAL).revision > 0
        assert everything(read) == before
    after = ask(store, everything)
    assert [name for name, answer in after.items() if answer == before[name]] == []


def test_the_moment_of_a_read_is_its_beginning_and_not_its_first_question(store: Store) -> None:
    begin(store)
    before = ask(store, everything)
    with store.read() as read:
        store.commit(UPHEAVAL)
        store.commit([put("c", "1", "green tea", at=1), DropCollection(name="e")])
        ask(store, everything)  # others may read what is new, and what a store remembers of it is not of this moment
        assert everything(read) == before


def test_what_was_foreseen_changes_no_answer(store: Store) -> None:
    begin(store)
    foreseen = Foreseen(
        collections=("c", "nowhere", "d", "c"),
        sessions=("s", "nobody", "s"),
        newest=("c", "d", "e", "nowhere", "c"),
        records=(Key("c", "1"), Key("c", "9"), Key("nowhere", "1"), Key("c", "1")),
        texts=tuple((name, digest(text)) for name in ("c", "nowhere") for text in ("green tea", "oolong")),
        distinct=(("c", "speaker"), ("c", "sessionId"), ("d", "speaker"), ("nowhere", "speaker")),
    )
    with store.read() as plain, store.read(foreseen) as read:
        before = everything(plain)
        assert everything(read) == before
        assert read.revisions(TOPICS) == plain.revisions(TOPICS)
        store.commit([put("c", "3", "rooibos"), put("nowhere", "1", "mint"), SetState(session="s", state={}, at=9)])
        assert everything(read) == before
        assert read.revisions(TOPICS) == plain.revisions(TOPICS)
        assert read.sizes(["nowhere", "c"]) == {"nowhere": 0, "c": 2}
        for name in ("c", "d", "e", "nowhere"):
            for limit in (0, 1, 2):
                latest = plain.page(name, order=Order.NEWEST, limit=limit)
                assert read.page(name, order=Order.NEWEST, limit=limit) == latest
                assert read.distinct(name, "speaker", limit=limit) == plain.distinct(name, "speaker", limit=limit)
            hidden = {"c": frozenset("2")}
            unseen = plain.page(name, order=Order.NEWEST, limit=1, exclude=hidden)
            assert read.page(name, order=Order.NEWEST, limit=1, exclude=hidden) == unseen
            assert read.distinct(name, "sessionId", limit=9) == plain.distinct(name, "sessionId", limit=9)


def test_a_switch_of_spaces_inside_an_open_read_does_not_show_in_it(store: Store) -> None:
    begin(store)
    with store.read() as read, store.read() as late:
        before = everything(read)
        store.vectors.add([(digest("coffee"), vector([1, 1])), (digest("green tea"), vector([1, 0, 0], space=OTHER))])
        store.vectors.activate(OTHER)
        store.vectors.drop(SPACE)
        asked = vector([1, 0, 0], space=OTHER)
        assert [one.key.id for one in ask(store, lambda new: new.nearest(["c"], asked, k=9))] == ["1"]
        assert everything(read) == before
        assert everything(late) == before


def test_an_index_made_anew_inside_an_open_read_does_not_show_in_it(store: Store) -> None:
    begin(store)
    with store.read() as read:
        before = everything(read)
        store.maintenance.reindex("other", lambda text: (text.replace(" ", ""),))
        assert everything(read) == before
    assert words(store, "tea") == []


def test_reads_may_stand_inside_one_another_each_of_its_own_moment(store: Store) -> None:
    store.commit([put("c", "1")])
    with store.read() as first:
        store.commit([put("c", "2")])
        with store.read() as second:
            store.commit([put("c", "3")])
            assert [len(read.page("c").items) for read in (first, second)] == [1, 2]
        assert len(first.page("c").items) == 1
    assert listed(store) == ["1", "2", "3"]


def test_a_snapshot_is_of_no_use_after_its_block(store: Store) -> None:
    begin(store)
    with store.read() as read:
        assert read.sizes(["c"]) == {"c": 2}
    for question in (
        lambda: read.sizes(["c"]),
        lambda: read.page("c"),
        lambda: read.revisions([C]),
        lambda: read.matching(["c"], [("tea",)], k=1),
        lambda: read.nearest(["c"], vector([1, 0]), k=1),
        read.spaces,
    ):
        with pytest.raises(StoreClosed) as caught:
            question()
        assert caught.value.remedy


def test_a_read_that_fails_leaves_the_store_in_order(store: Store) -> None:
    begin(store)
    with store.read() as read, pytest.raises(InvalidInput):
        read.page("c", order=Order.NEWEST, after="nonsense")
    with pytest.raises(ZeroDivisionError):
        ask(store, lambda read: 1 // len(read.page("nowhere").items))
    store.commit([put("c", "3")])
    assert ask(store, lambda again: again.sizes(["c"])) == {"c": 3}


# ── revisions ─────────────────────────────────────────────────────────────────────────────────────────────


def test_where_there_is_nothing_the_revision_is_zero(store: Store) -> None:
    assert store.revisions(TOPICS) == dict.fromkeys(TOPICS, 0)
    assert store.revisions([]) == {}
    assert ask(store, lambda read: read.revisions([C, C])) == {C: 0}


@pytest.mark.parametrize(
    ("change", "touched", "gone"),
    [
        pytest.param(put("c", "3"), {C}, set(), id="put a new one"),
        pytest.param(put("new", "1"), {NEW}, set(), id="put into a new collection"),
        pytest.param(put("c", "1", "other"), {C}, set(), id="put another text"),
        pytest.param(put("c", "1", "green tea", at=8), {C}, set(), id="put another time"),
        pytest.param(put("c", "1", "green tea", metadata={"k": 1}), {C}, set(), id="put other metadata"),
        pytest.param(put("d", "1", "coffee"), set(), set(), id="put the same"),
        pytest.param(put("d", "1", "coffee", embedding=vector([1, 0])), {D}, set(), id="put the same with vectors"),
        pytest.param(
            put("e", "1", "coffee", embedding=vector([1, 0])), {D, E}, set(), id="put vectors of a text of others"
        ),
        pytest.param(
            put("d", "1", "coffee", embedding=vector([1, 0, 0], space=OTHER)), set(), set(), id="put idle vectors"
        ),
        pytest.param(restore(record("1", "coffee", of="d")), {D}, set(), id="restore"),
        pytest.param(restore(record("9", of="new")), {NEW}, set(), id="restore into a new collection"),
        pytest.param(Remove(collection="c", id="1"), {C}, set(), id="remove"),
        pytest.param(Remove(collection="d", id="1"), {D}, set(), id="remove the last"),
        pytest.param(Remove(collection="c", id="nobody"), set(), set(), id="remove nobody"),
        pytest.param(Remove(collection="new", id="1"), set(), set(), id="remove from nowhere"),
        pytest.param(Touch(collection="c", ids=("1", "nobody")), {C}, set(), id="touch"),
        pytest.param(Touch(collection="c", ids=("nobody",)), set(), set(), id="touch nobody"),
        pytest.param(Touch(collection="new", ids=("1",)), set(), set(), id="touch nowhere"),
        pytest.param(EnsureCollection(name="new"), {NEW}, set(), id="ensure"),
        pytest.param(EnsureCollection(name="e"), set(), set(), id="ensure what is there"),
        pytest.param(DropCollection(name="c"), set(), {C}, id="drop"),
        pytest.param(DropCollection(name="e"), set(), {E}, id="drop an empty one"),
        pytest.param(DropCollection(name="new"), set(), set(), id="drop nothing"),
        pytest.param(Link(edge=edge("p", "b")), {S}, set(), id="link"),
        pytest.param(Link(edge=edge("p", "a", 3)), {S}, set(), id="link otherwise"),
        pytest.param(Link(edge=edge("p", "a")), set(), set(), id="link the same"),
        pytest.param(Link(edge=edge("p", "a", session="u")), {U}, set(), id="link in a new session"),
        pytest.param(Unlink(session="s"), {S}, set(), id="unlink"),
        pytest.param(Unlink(session="s", parent="nobody"), set(), set(), id="unlink nobody"),
        pytest.param(Unlink(session="t"), set(), set(), id="unlink nothing"),
        pytest.param(SetState(session="s", state={"namespaces": ["u"]}, at=1), {S}, set(), id="set the same state"),
        pytest.param(SetState(session="u", state={}, at=1), {U}, set(), id="set a new state"),
        pytest.param(
            RestoreState(state=SessionState(session="t", generation=1, state={}, at=1)), {T}, set(), id="restore state"
        ),
        pytest.param(DropState(session="s"), {S}, set(), id="drop the state of a session with edges"),
        pytest.param(DropState(session="t"), set(), {T}, id="drop a state"),
        pytest.param(DropState(session="u"), set(), set(), id="drop no state"),
    ],
)
def test_a_change_shows_in_the_revisions_of_what_it_touches_and_in_no_other(
    store: Store, change: Change, touched: set[Topic], gone: set[Topic]
) -> None:
    begin(store)
    before = store.revisions(TOPICS)
    done = store.commit([change])
    number = done.revision
    after = store.revisions(TOPICS)
    assert after == {**before, **dict.fromkeys(touched, number), **dict.fromkeys(gone, 0)}
    assert done.before == {topic: before[topic] for topic in touched | gone}
    if touched or gone:
        assert number > max(before.values())
    else:
        assert number == 0
    assert ask(store, lambda read: read.revisions(TOPICS)) == after


@pytest.mark.parametrize(
    "change", [Append(session="s", at=1, entry={}), ClearJournal(), ClearJournal(seqs=frozenset({1}))]
)
def test_the_journal_is_no_topic_but_its_changes_are_commits(store: Store, change: Change) -> None:
    begin(store)
    before = store.revisions(TOPICS)
    assert store.commit([change]).revision > max(before.values())
    assert store.revisions(TOPICS) == before
    assert store.commit([ClearJournal(seqs=frozenset({99}))]).revision == 0


def test_all_that_a_commit_touches_gets_its_number_and_each_commit_a_greater_one(store: Store) -> None:
    first = store.commit([put("c", "1"), put("d", "1"), SetState(session="s", state={}, at=1)]).revision
    assert store.revisions([C, D, S, T]) == {C: first, D: first, S: first, T: 0}
    second = store.commit([put("c", "1", "other"), put("d", "1")]).revision
    assert store.revisions([C, D]) == {C: second, D: first}
    assert second > first > 0
    assert store.commit([put("c", "1", "other"), Touch(collection="d", ids=("nobody",))]).revision == 0


def test_a_commit_tells_from_where_it_brought_what_it_touched(store: Store) -> None:
    """A collection whose text gets its vectors by a record of another is touched too."""
    open_space(store)
    first = store.commit([put("c", "1", "green tea"), put("d", "1", "green tea")])
    assert first.before == {C: 0, D: 0}
    second = store.commit([put("c", "2", "green tea", embedding=vector([1, 0]))])
    assert second.before == {C: first.revision, D: first.revision}
    third = store.commit([put("c", "3"), put("c", "4"), SetState(session="s", state={}, at=1)])
    assert third.before == {C: second.revision, S: 0}
    assert store.commit([put("c", "3")]).before == {}


# ── one at a time ─────────────────────────────────────────────────────────────────────────────────────────


def test_nobody_else_is_inside_what_is_exclusive(store: Store) -> None:
    with store.exclusive("compaction s") as is_alone:
        assert is_alone
        with ThreadPoolExecutor(1) as pool:

            def look(name: str) -> bool:
                with store.exclusive(name, is_waiting=False) as is_inside:
                    return is_inside

            assert not pool.submit(look, "compaction s").result()
            assert pool.submit(look, "compaction t").result()
    with store.exclusive("compaction s", is_waiting=False) as is_alone:
        assert is_alone


def test_who_waits_for_what_is_exclusive_comes_in_after_the_others(store: Store) -> None:
    inside: list[int] = []
    most: list[int] = []

    def work(number: int) -> None:
        with store.exclusive("work") as is_alone:
            assert is_alone
            inside.append(number)
            most.append(len(inside))
            store.commit([put("c", f"{number}")])
            inside.remove(number)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(12)))
    assert most == [1] * 12


@pytest.mark.parametrize("name", ["", "a\0b", "\ud800", "x" * 10_000])
def test_what_is_exclusive_may_have_any_name(store: Store, name: str) -> None:
    with store.exclusive(name) as is_alone:
        assert is_alone


def test_an_error_lets_go_of_what_is_exclusive(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.exclusive("work"):
        raise ZeroDivisionError
    with store.exclusive("work", is_waiting=False) as is_alone:
        assert is_alone


# ── revisions of what is gone ─────────────────────────────────────────────────────────────────────────────


def test_what_was_dropped_and_made_anew_has_a_greater_revision(store: Store) -> None:
    begin(store)
    before = store.revisions([C, S, T])
    again: list[Change] = [
        DropCollection(name="c"),
        put("c", "1", "green tea"),
        DropState(session="t"),
        SetState(session="t", state={}, at=1),
        DropState(session="s"),
        Unlink(session="s"),
    ]
    done = store.commit(again)
    number = done.revision
    assert store.revisions([C, S, T]) == {C: number, S: 0, T: number}
    assert done.before == before
    store.commit([DropCollection(name="c"), DropState(session="t")])
    assert store.revisions([C, T]) == {C: 0, T: 0}
    last = store.commit([EnsureCollection(name="c"), SetState(session="t", state={}, at=1)]).revision
    assert store.revisions([C, T]) == {C: last, T: last}
    assert last > number > max(before.values())


def test_vectors_that_come_later_show_where_they_are_searched(store: Store) -> None:
    begin(store)
    store.commit([put("e", "1", "coffee")])
    before = store.revisions(TOPICS)
    assert store.vectors.add([(digest("coffee"), vector([1, 0])), (digest("gone"), vector([1, 0]))]) == 1
    after = store.revisions(TOPICS)
    assert {topic for topic in TOPICS if after[topic] != before[topic]} == {D, E}
    assert after[D] == after[E] > max(before.values())
    assert store.vectors.add([(digest("coffee"), vector([0, 1]))]) == 0
    assert store.vectors.add([(digest("coffee"), vector([1, 0, 0], space=OTHER))]) == 1
    assert store.revisions(TOPICS) == after


def test_which_spaces_there_are_has_a_revision_of_its_own(store: Store) -> None:
    store.commit([put("c", "1", "tea")])
    told: list[Revision] = []

    def tell() -> None:
        told.append(store.revisions([SPACES])[SPACES])

    tell()
    open_space(store)
    tell()
    open_space(store, OTHER, 3)
    tell()
    store.vectors.activate(OTHER)
    tell()
    open_space(store)  # retired, and now built up again
    tell()
    store.vectors.drop(SPACE)
    tell()
    assert told[0] == 0
    assert told == sorted(set(told))
    open_space(store, OTHER, 3)
    store.vectors.add([(digest("tea"), vector([1, 0, 0], space=OTHER))])
    store.commit([put("c", "2", "milk", embedding=vector([1, 0, 0], space=OTHER))])
    tell()
    assert told[-1] == told[-2]


def test_an_index_made_anew_shows_in_every_collection(store: Store) -> None:
    begin(store)
    before = store.revisions(TOPICS)
    store.maintenance.reindex("other", lambda text: (text.replace(" ", ""),))
    after = store.revisions(TOPICS)
    assert {topic for topic in TOPICS if after[topic] != before[topic]} == {C, D, E}
    assert min(after[C], after[D], after[E]) > max(before.values())


def test_a_commit_that_was_refused_leaves_no_mark(store: Store) -> None:
    begin(store)
    before = store.revisions(TOPICS)
    with pytest.raises(Conflict):
        store.commit([put("c", "9"), put("new", "1"), SetState(session="t", state={}, at=1, expect=7)])
    with pytest.raises(InvalidInput):
        store.commit([put("c", "9"), put("c", "10", "nobody knows this", terms=None)])
    assert store.revisions(TOPICS) == before


# ── conditions ────────────────────────────────────────────────────────────────────────────────────────────

MOVES: dict[str, tuple[Topic, Callable[[Store], object]]] = {
    "a record more": (C, lambda store: store.commit([put("c", "3")])),
    "a record less": (C, lambda store: store.commit([Remove(collection="c", id="1")])),
    "another text": (C, lambda store: store.commit([put("c", "1", "other")])),
    "an access": (C, lambda store: store.commit([Touch(collection="c", ids=("1",))])),
    "a drop": (C, lambda store: store.commit([DropCollection(name="c")])),
    "dropped and made anew as it was": (D, lambda store: _make_anew(store, "d")),
    "the first record": (NEW, lambda store: store.commit([put("new", "1")])),
    "another state": (S, lambda store: store.commit([SetState(session="s", state={}, at=2)])),
    "the same state again": (T, lambda store: store.commit([SetState(session="t", state={}, at=1)])),
    "a state less": (T, lambda store: store.commit([DropState(session="t")])),
    "a session dropped and made anew": (T, lambda store: _begin_again(store, "t")),
    "coverage": (S, lambda store: store.commit([Link(edge=edge("q", "a"))])),
    "no coverage": (S, lambda store: store.commit([Unlink(session="s")])),
    "a new session": (U, lambda store: store.commit([SetState(session="u", state={}, at=1)])),
    "vectors": (D, lambda store: store.vectors.add([(digest("coffee"), vector([1, 0]))])),
    "another space in use": (SPACES, lambda store: store.vectors.activate(OTHER)),
    "a space more": (SPACES, lambda store: open_space(store, "model-c", 4)),
    "a space less": (SPACES, lambda store: store.vectors.drop(OTHER)),
}


def _make_anew(store: Store, name: str) -> None:
    found = ask(store, lambda read: read.page(name)).items
    store.commit([DropCollection(name=name)])
    store.commit([restore(one) for one in found])


def _begin_again(store: Store, session: str) -> None:
    state = ask(store, lambda read: read.states([session]))[session]
    store.commit([DropState(session=session)])
    store.commit([RestoreState(state=state)])


@pytest.mark.parametrize("what", MOVES)
def test_a_commit_is_refused_when_a_topic_has_moved_since(store: Store, what: str) -> None:
    begin(store)
    topic, move = MOVES[what]
    seen = store.revisions(TOPICS)
    move(store)
    before = ask(store, everything) if topic != SPACES else ask(store, lambda read: read.page("c"))
    changes: list[Change] = [put("e", "1"), SetState(session="u", state={}, at=9), Append(session="s", at=9, entry={})]
    now = store.revisions([topic])[topic]
    assert now != seen[topic]
    for unless in ({topic: seen[topic]}, dict(seen)):
        with pytest.raises(Conflict) as caught:
            store.commit(changes, unless=unless)
        assert (caught.value.expected, caught.value.actual) == (seen[topic], now)
        assert topic.name in caught.value.what
        assert caught.value.remedy
    after = ask(store, everything) if topic != SPACES else ask(store, lambda read: read.page("c"))
    assert after == before
    assert store.commit(changes, unless=store.revisions(TOPICS)).revision > 0


def test_the_topic_that_moved_is_named(store: Store) -> None:
    begin(store)
    for topic, named in ((C, "Collection 'c'"), (S, "Session 's'"), (SPACES, "The set of vector spaces")):
        with pytest.raises(Conflict) as caught:
            store.commit([put("c", "9")], unless={topic: 10**6})
        assert caught.value.what == named
        assert (caught.value.expected, caught.value.actual) == (10**6, store.revisions([topic])[topic])


def test_what_was_decided_by_a_moment_is_committed_while_it_holds(store: Store) -> None:
    begin(store)
    with store.read() as read:
        seen = read.revisions([C, S, NEW, SPACES])
    store.commit([put("d", "2"), SetState(session="t", state={}, at=2), Append(session="s", at=2, entry={})])
    number = store.commit([put("c", "3"), SetState(session="s", state={}, at=3)], unless=seen).revision
    assert store.revisions([C, S]) == {C: number, S: number}
    with pytest.raises(Conflict):
        store.commit([put("c", "4")], unless=seen)
    assert not is_there(store, "4")


def test_what_must_not_be_there_yet_has_the_revision_zero(store: Store) -> None:
    store.commit([put("c", "1")], unless={C: 0, S: 0, SPACES: 0})
    with pytest.raises(Conflict):
        store.commit([put("c", "1", "other")], unless={C: 0})
    store.commit([DropCollection(name="c")])
    store.commit([put("c", "1", "third")], unless={C: 0})
    assert kept(store, "1").text == "third"


def test_conditions_are_checked_although_nothing_is_to_be_changed(store: Store) -> None:
    begin(store)
    seen = store.revisions([C])
    assert store.commit([], unless=seen).revision == 0
    store.commit([put("c", "3")])
    with pytest.raises(Conflict):
        store.commit([], unless=seen)
    with pytest.raises(Conflict):
        store.commit([put("d", "1", "coffee")], unless=seen)  # the same again


def test_conditions_are_checked_before_anything_else(store: Store) -> None:
    begin(store)
    moved: Mapping[Topic, Revision] = {C: 10**6}
    for change in (
        put("c", "1", expect=77),
        put("c", "9", "nobody knows this", terms=None),
        put("c", "9", embedding=vector([1, 0], space="unknown")),
        SetState(session="s", state={}, at=1, expect=77),
    ):
        with pytest.raises(Conflict) as caught:
            store.commit([change], unless=moved)
        assert caught.value.what == "Collection 'c'"


def test_a_condition_may_name_what_the_commit_itself_changes(store: Store) -> None:
    begin(store)
    store.commit([put("c", "9"), put("c", "10"), DropCollection(name="d")], unless=store.revisions([C, D]))
    assert names(store) == ["c", "e"]


def test_of_many_who_decide_by_the_same_moment_one_wins_each_time(store: Store) -> None:
    """A counter that everybody reads, adds one to and writes: nothing is lost, however they meet."""
    store.commit([put("c", "count", metadata={"n": 0})])
    threads, rounds = 6, 5
    together = Barrier(threads)

    def count(_: int) -> None:
        together.wait()
        done = 0
        while done < rounds:
            with store.read() as read:
                seen = read.revisions([C])
                n = read.records([Key("c", "count")])[Key("c", "count")].metadata["n"]
            assert isinstance(n, int)
            with suppress(Conflict):
                store.commit([put("c", "count", metadata={"n": n + 1})], unless=seen)
                done += 1

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(count, range(threads)))
    assert kept(store, "count").metadata == {"n": threads * rounds}
    assert kept(store, "count").version == threads * rounds + 1


def test_a_search_by_vectors_follows_every_commit_also_beside_open_reads(store: Store) -> None:
    begin(store)
    with store.read() as old:
        for i in range(5):
            store.commit([put("c", f"n{i}", f"new {i}", embedding=vector([1, i / 10]))])
            assert near_ids(store, [1, 0], k=1 + i + 1)[-1] == f"n{i}"
            assert [one.key.id for one in old.nearest(["c"], vector([1, 0]), k=99)] == ["1", "2"]
