"""What every store finds: candidates by words and by vectors, the turns beside them, and what ranking measures."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.contract.stores import (
    SPACE,
    SURROGATE,
    ask,
    near,
    near_ids,
    new_collection,
    open_space,
    record,
    vector,
    words,
)
from tests.puts import put, restore

from libravdb.errors import InvalidInput
from libravdb.model import (
    Beside,
    DropCollection,
    EnsureCollection,
    Features,
    Json,
    Key,
    Put,
    Remove,
    Vocabulary,
    Where,
    Word,
    digest,
)
from libravdb.ports.store import Snapshot, Store
from libravdb.text.analysis import query_terms

# ── words ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The cats were running through the gardens", "cat"),
        ("The cats were running through the gardens", "run garden"),
        ("Wir haben die Häuser der Katzen gesehen und uns gefreut", "Haus"),
        ("Wir haben die Häuser der Katzen gesehen und uns gefreut", "Katze"),
        ("Nous avons mangé des pommes dans les jardins", "jardin pomme"),
        ("Las niñas comían manzanas en el jardín de la casa", "niña"),
        ("Las niñas comían manzanas en el jardín de la casa", "manzana"),
        ("Я люблю читать книги о путешествиях", "книга"),
        ("Я люблю читать книги о путешествиях", "ПУТЕШЕСТВИЕ"),
        ("Meet me at the café in Zürich", "cafe zurich"),
        ("the naive resume", "naïve résumé"),
        ("please read my résumé", "resume"),
        ("das Büro", "buro"),
        ("e\u0301clair", "éclair"),
        ("Straße", "STRASSE"),
        ("λόγος", "ΛΟΓΟΣ"),
        ("İstanbul", "istanbul"),
        ("ｆｕｌｌｗｉｄｔｈ", "fullwidth"),
        ("東京都に住んでいます", "東京"),
        ("東京都に住んでいます", "京"),
        ("東京都に住んでいます", "す"),
        ("東京都に住んでいます", "住んで"),
        ("我爱北京天安门", "天安门"),
        ("我爱北京天安门", "爱"),
        ("ジョン・スミスさん", "スミス"),
        ("ｼﾞｮﾝ", "ジョン"),
        ("저는 학교에 갑니다", "학교"),
        ("ฉันรักภาษาไทย", "ภาษา"),
        ("ฉันรักภาษาไทย", "ก"),
        ("मैं हिंदी सीख रहा हूँ।", "हूँ"),
        ("मैं हिंदी सीख रहा हूँ।", "हिंदी"),
        ("བོད་ཡིག", "ཡིག"),
        ("call getUserName() first", "user"),
        ("call getUserName() first", "getusername"),
        ("parseHTTPResponse2 failed", "http response"),
        ("set MAX_RETRY_COUNT to 5", "retry"),
        ("set max_retry_count to 5", "MAX_RETRY_COUNT"),
        ("error E1234 in main.py:42", "main.py"),
        ("error E1234 in main.py:42", "e1234"),
        ("it costs 1234 euros", "1234"),
        ("to be or not to be", "to be"),
        ("see https://example.org/path?x=1", "example path"),
        ("mail me@example.org", "me@example.org"),
        ("word" * 100, "word" * 100),
    ],
)
def test_a_word_is_found_in_any_language_and_form(store: Store, text: str, question: str) -> None:
    store.commit([put("c", "1", text), put("c", "2", "nothing alike: 42 quux ŋ")])
    assert words(store, question, k=1) == ["1"]


@pytest.mark.parametrize(
    "question",
    ['"cat"', "cat AND dog", "cat OR", "NEAR(cat dog)", "NOT cat", "cat*", "(cat", "cat)", "scope : c1 cat",
     "cat - ^ +", "terms:cat", "{cat}", 'cat"" OR 1', "cat; DROP TABLE records",
     "c1 cat", "\0cat\0", "'cat'", "cat\\", "%cat%", "cat " + SURROGATE],
)  # fmt: skip
def test_the_syntax_of_a_full_text_engine_has_no_meaning_in_a_question(store: Store, question: str) -> None:
    store.commit([put("c", "1", "a cat"), put("d", "2", "the bird")])
    assert words(store, question) == ["1"]
    assert store.maintenance.stats().records == 2


@pytest.mark.parametrize("question", ["", " ", "...", "\0", '"', "*", "🦊", "()", "-", "c1"])
def test_a_question_without_words_of_the_text_finds_nothing(store: Store, question: str) -> None:
    store.commit([put("c", "1", "a cat"), put("c", "2", "")])
    assert words(store, question) == []


@pytest.mark.parametrize(
    "form",
    ['cat"OR"dog', 'cat")OR("dog', "cat'", '"', '""', "'", "terms:cat", "{terms}:cat", "^cat", "cat+dog", "(cat",
     "cat)", "-cat", "NEAR(cat,dog)", "%", "_", "cat;--", "c1", "OR", "NOT", "cat**", "\\", "🦊", "::", "$1"],
)  # fmt: skip
def test_a_form_is_a_term_and_nothing_of_an_engines_language(store: Store, form: str) -> None:
    """Words come as they are: whatever stands in one, it is looked up, and never obeyed."""
    store.commit([put("c", "1", "a cat"), put("c", "2", "a dog"), put("d", "3", "nothing")])
    with store.read() as read:
        assert set(read.matching(["c"], [(form,)], k=9)) <= {Key("c", "1")}
        assert Key("c", "2") not in read.matching(["c"], [(form,), (form + "x",)], k=9)
        read.features([Key("c", "1")], embedding=None, words=[(form,)])
        assert read.vocabularies(["c"], [(form,)])["c"].holders[0] <= 1
    assert store.maintenance.stats().records == 3


@pytest.mark.parametrize("form", ["", "*", " ", "two words", "tab\t", "line\n*", " *"])
def test_what_is_no_word_is_refused(store: Store, form: str) -> None:
    store.commit([put("c", "1", "a cat")])
    questions: list[Callable[[Snapshot], object]] = [
        lambda read: read.matching(["c"], [("cat",), ("cat", form)], k=9),
        lambda read: read.features([Key("c", "1")], embedding=None, words=[(form,)]),
        lambda read: read.vocabularies(["c"], [(form,)]),
    ]
    for question in questions:
        with store.read() as read:
            with pytest.raises(InvalidInput) as caught:
                question(read)
            assert caught.value.field == "words"


def test_no_text_is_analysed_by_a_store(store: Store) -> None:
    store.commit([put("c", "1", "cats and dogs", terms=("bird", "bird", "fishes")), put("c", "2", "cats", terms=())])
    with store.read() as read:
        assert read.matching(["c"], [("cats",), ("cat",), ("dog",), ("fish",)], k=9) == ()
        assert read.matching(["c"], [("bird",)], k=9) == (Key("c", "1"),)
        features = read.features(
            [Key("c", "1"), Key("c", "2")], embedding=None, words=[("bird",), ("cat",), ("fish*", "fishes")]
        )
        assert features[Key("c", "1")] == Features(counts=(2, 0, 2), length=3)
        assert features[Key("c", "2")] == Features(counts=(0, 0, 0), length=0)


def test_a_form_that_ends_with_a_star_stands_for_all_that_begin_so(store: Store) -> None:
    store.commit([put("c", "1", "cartoon cart car"), put("c", "2", "cat"), put("c", "3", "scar")])
    with store.read() as read:
        assert read.matching(["c"], [("car*",)], k=9) == (Key("c", "1"),)
        assert set(read.matching(["c"], [("ca*",)], k=9)) == {Key("c", "1"), Key("c", "2")}
        assert read.matching(["c"], [("c*", "scar")], k=9)[0] in {Key("c", "1"), Key("c", "2"), Key("c", "3")}
        assert len(read.matching(["c"], [("c*", "scar")], k=9)) == 3
        assert read.features([Key("c", "1")], embedding=None, words=[("car*",), ("car",), ("cart*", "cat")])[
            Key("c", "1")
        ].counts == (3, 1, 2)
        assert read.vocabularies(["c"], [("ca*",), ("car*", "scar"), ("x*",)])["c"].holders == (2, 2, 0)


def test_a_better_match_comes_before_a_weaker_one(store: Store) -> None:
    filler = [put("c", f"f{i}", f"filler number {i}") for i in range(20)]
    store.commit([*filler, put("c", "a", "zebra in the garden"), put("c", "z", "zebra zebra")])
    assert words(store, "zebra", k=1) == ["z"]
    assert words(store, "zebra garden", k=1) == ["a"]
    assert words(store, "zebra") == ["z", "a"]
    assert words(store, "zebra garden") == ["a", "z"]


def test_a_rare_word_tells_more_than_a_common_one(store: Store) -> None:
    store.commit([put("c", f"{i:02}", f"tea number {i}") for i in range(30)] + [put("c", "x", "zebra at night today")])
    assert words(store, "tea zebra", k=2) == ["x", "00"]


def test_equal_texts_are_equal_matches(store: Store) -> None:
    store.commit(
        [
            put("c", "4", "green tea"),
            put("c", "2", "green tea"),
            put("c", "3", "black tea"),
            put("c", "1", "coffee"),
            *(put("c", f"f{i}", f"filler {i}") for i in range(9)),
        ]
    )
    assert words(store, "green tea") == ["2", "4", "3"]


def test_a_word_that_every_text_has_still_finds(store: Store) -> None:
    store.commit([put("c", str(i), f"tea {i}") for i in range(30)])
    assert len(words(store, "tea", k=100)) == 30


def test_among_equal_words_the_ids_decide(store: Store) -> None:
    store.commit([put("c", str(i), "the same tea") for i in (5, 3, 9, 1, 7)])
    assert words(store, "tea", k=2) == ["1", "3"]
    assert words(store, "tea", k=2, exclude={"c": frozenset({"1"})}) == ["3", "5"]


def test_among_other_texts_that_tell_as_much_the_ids_decide(store: Store) -> None:
    order = [7, 3, 0, 9, 1, 8, 2, 6, 4, 5]
    store.commit([put("c", f"{i}", f"green tea in cup{i}") for i in order])
    store.commit([put("c", f"x{i}", f"water number{i}") for i in range(30)])
    assert words(store, "green tea cup", k=99) == [f"{i}" for i in range(10)]
    assert words(store, "green tea", k=4) == ["0", "1", "2", "3"]


def test_a_replaced_text_is_no_longer_found_by_its_old_words(store: Store) -> None:
    store.commit([put("c", "1", "old elephant")])
    store.commit([put("c", "1", "new giraffe")])
    assert words(store, "elephant") == []
    assert words(store, "giraffe") == ["1"]


def test_one_text_in_thirty_collections_is_found_in_each_and_leaves_each_alone(store: Store) -> None:
    names = [f"c{i}" for i in range(30)]
    for name in names:
        store.commit([put(name, "1", "a shared elephant")])
    assert store.maintenance.stats().texts == 1
    assert all(words(store, "elephant", of=name) == ["1"] for name in names)
    store.commit([Remove(collection=name, id="1") for name in names[:20]])
    assert [name for name in names if words(store, "elephant", of=name)] == names[20:]
    store.commit([put(name, "2", "a shared elephant") for name in names[:10]])
    assert [name for name in names if words(store, "elephant", of=name)] == names[:10] + names[20:]
    found = ask(store, lambda read: read.matching(names, query_terms("elephant"), k=1))
    assert [key.collection for key in found] == names[:10] + names[20:]
    store.commit([DropCollection(name=name) for name in names])
    assert store.maintenance.stats().texts == 0


def test_one_text_under_many_ids_is_found_under_each(store: Store) -> None:
    open_space(store)
    shared = [put("c", f"{i:03}", "same words", embedding=vector([1, 0])) for i in range(200)]
    store.commit([*shared, put("c", "other", "different words", embedding=vector([0, 1]))])
    assert store.maintenance.stats().texts == 2
    assert words(store, "same", k=1000) == [f"{i:03}" for i in range(200)]
    assert words(store, "same", k=3) == ["000", "001", "002"]
    assert near_ids(store, [1, 0], k=3) == ["000", "001", "002"]
    store.commit([Remove(collection="c", id="000")])
    assert words(store, "same", k=3) == ["001", "002", "003"]
    assert near_ids(store, [1, 0], k=3) == ["001", "002", "003"]
    assert store.maintenance.stats().texts == 2


SAID = st.lists(st.sampled_from("apple boat cedar drum ember fjord".split()), min_size=1, max_size=8).map(" ".join)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    here=st.lists(SAID, min_size=1, max_size=10), there=st.lists(SAID, max_size=10), question=SAID, k=st.integers(1, 9)
)
def test_what_others_write_never_moves_the_order_of_a_collection(
    store: Store, here: list[str], there: list[str], question: str, k: int
) -> None:
    """Rarity and length are those of the collection itself: before, while and after another one fills."""
    asked, own, other = query_terms(question), new_collection(), new_collection()

    def found() -> tuple[object, ...]:
        with store.read() as read:
            keys = read.matching([own], asked, k=99)
            assert keys[:k] == read.matching([own], asked, k=k)
            assert keys == tuple(key for key in read.matching([other, own], asked, k=99) if key.collection == own)
            return keys, read.vocabularies([own], asked), read.features(keys, embedding=None, words=asked)

    store.commit([put(own, f"{i}", text) for i, text in enumerate(here)])
    alone = found()
    store.commit([put(other, f"{i}", text) for i, text in enumerate(there)])
    assert found() == alone
    store.commit([DropCollection(name=other)])
    assert found() == alone


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(SAID, min_size=1, max_size=12), question=SAID)
def test_whoever_holds_a_word_is_found_and_nobody_else(store: Store, texts: list[str], question: str) -> None:
    name = new_collection()
    store.commit([put(name, f"{i}", text) for i, text in enumerate(texts)])
    asked = query_terms(question)
    with store.read() as read:
        keys = [Key(name, f"{i}") for i in range(len(texts))]
        counts = {key: one.counts for key, one in read.features(keys, embedding=None, words=asked).items()}
        assert set(read.matching([name], asked, k=99)) == {key for key in keys if any(counts[key])}
        distinct = {text: counts[Key(name, f"{i}")] for i, text in enumerate(texts)}
        told = read.vocabularies([name], asked)[name]
    assert told.texts == len(distinct)
    assert told.holders == tuple(sum(1 for held in distinct.values() if held[place]) for place in range(len(asked)))


# ── what a search gives back ──────────────────────────────────────────────────────────────────────────────


def test_exclusions_never_shorten_the_answer(store: Store) -> None:
    open_space(store)
    store.commit([put("c", f"{i:03}", f"tea number {i}", at=i, embedding=vector([1, i / 100])) for i in range(300)])
    excluded = frozenset(f"{i:03}" for i in range(250))
    hidden = {"c": excluded}
    assert near_ids(store, [1, 0], k=20, exclude=hidden) == [f"{i:03}" for i in range(250, 270)]
    assert len(words(store, "tea", k=20, exclude=hidden)) == 20
    assert not excluded & set(words(store, "tea", k=300, exclude=hidden))
    assert len(words(store, "tea", k=300, exclude={"d": excluded})) == 300
    assert len(near(store, [1, 0], k=300, exclude={"d": excluded})) == 300


def test_filters_never_shorten_the_answer(store: Store) -> None:
    open_space(store)
    store.commit(
        [put("c", f"{i:03}", "tea", at=i, metadata={"odd": i % 2}, embedding=vector([1, 0])) for i in range(300)]
    )
    where = Where(metadata={"odd": (1,)}, since=100)
    assert words(store, "tea", k=5, where=where) == ["101", "103", "105", "107", "109"]
    assert near_ids(store, [1, 0], k=5, where=where) == ["101", "103", "105", "107", "109"]
    hidden = {"c": frozenset({"101", "102", "105"})}
    assert words(store, "tea", k=3, where=where, exclude=hidden) == ["103", "107", "109"]
    assert near_ids(store, [1, 0], k=3, where=where, exclude=hidden) == ["103", "107", "109"]


def test_the_best_that_a_filter_lets_through_are_found_behind_better_ones(store: Store) -> None:
    open_space(store)
    store.commit([put("c", f"a{i:03}", f"tea tea tea {i}", embedding=vector([1, i / 1000])) for i in range(200)])
    store.commit([put("c", f"z{i}", f"one tea {i}", at=7, embedding=vector([0, 1], [i, 1])) for i in range(5)])
    where = Where(since=7)
    assert words(store, "tea", k=2, where=where) == ["z0", "z1"]
    assert near_ids(store, [1, 0], k=2, where=where) == ["z4", "z3"]


def test_candidates_come_by_collection_as_asked_and_each_collection_once(store: Store) -> None:
    open_space(store)
    store.commit([put(name, id, "tea", embedding=vector([1, 0])) for name in ("b", "a", "c") for id in ("2", "1")])
    asked = ("c", "nowhere", "a", "c")
    expected = [Key("c", "1"), Key("c", "2"), Key("a", "1"), Key("a", "2")]
    with store.read() as read:
        assert list(read.matching(asked, [("tea",)], k=5)) == expected
        assert [one.key for one in read.nearest(asked, vector([1, 0]), k=5)] == expected
        assert list(read.matching(asked, [("tea",)], k=1)) == expected[::2]
        assert [one.key for one in read.nearest(asked, vector([1, 0]), k=1)] == expected[::2]


@pytest.mark.parametrize("k", [0, -1, -(2**70)])
def test_asking_for_no_candidates_gives_none(store: Store, k: int) -> None:
    open_space(store)
    store.commit([put("c", "1", "tea", embedding=vector([1, 0]))])
    assert words(store, "tea", k=k) == []
    assert near(store, [1, 0], k=k) == []


def test_a_k_may_be_larger_than_any_store(store: Store) -> None:
    open_space(store)
    store.commit([put("c", "1", "tea", embedding=vector([1, 0])), put("c", "2", "tea too")])
    assert words(store, "tea", k=2**80) == ["1", "2"]
    assert near_ids(store, [1, 0], k=2**80) == ["1"]


def test_a_search_without_a_question_finds_nothing(store: Store) -> None:
    open_space(store)
    store.commit([put("c", "1", "tea", embedding=vector([1, 0])), EnsureCollection(name="e")])
    with store.read() as read:
        assert read.matching(["c"], [], k=5) == ()
        assert read.matching(["c"], [()], k=5) == ()
        assert read.matching([], [("tea",)], k=5) == ()
        assert read.matching(["e"], [("tea",)], k=5) == ()
        assert read.nearest([], vector([1, 0]), k=5) == ()
        assert read.nearest(["nowhere", "e"], vector([1, 0]), k=5) == ()


def test_a_record_counts_as_its_best_passage(store: Store) -> None:
    open_space(store)
    store.commit(
        [
            put("c", "long", "one two three", embedding=vector([0, 1], [1, 0], [1, 1])),
            put("c", "short", "four", embedding=vector([3, 1])),
            put("c", "away", "five", embedding=vector([-1, 0])),
        ]
    )
    assert [(one.key.id, one.passage) for one in near(store, [1, 0], k=1)] == [("long", 1)]
    assert [(one.key.id, one.passage) for one in near(store, [0, 1], k=1)] == [("long", 0)]
    found = [(one.key.id, round(one.cosine, 3), one.passage) for one in near(store, [1, 0])]
    assert found == [("long", 1.0, 1), ("short", 0.949, 0), ("away", -1.0, 0)]


def test_whole_texts_can_be_compared_alone(store: Store) -> None:
    open_space(store)
    store.commit(
        [
            put("c", "long", "one two three", embedding=vector([0, 1], [1, 0])),
            put("c", "short", "four", embedding=vector([3, 4])),
        ]
    )
    assert [(one.key.id, one.passage) for one in near(store, [1, 0])] == [("long", 1), ("short", 0)]
    found = near(store, [1, 0], is_whole=True)
    assert [(one.key.id, one.passage) for one in found] == [("short", 0), ("long", 0)]
    assert [one.cosine for one in found] == pytest.approx([0.6, 0], abs=1e-3)


def test_among_equal_passages_the_first_counts(store: Store) -> None:
    open_space(store)
    store.commit([put("c", "1", "x", embedding=vector([0, 1], [1, 0], [1, 0]))])
    assert near(store, [1, 0])[0].passage == 1
    key = Key("c", "1")
    assert ask(store, lambda read: read.features([key], embedding=vector([1, 0]), words=[]))[key].passage == 1


def test_among_equal_vectors_the_ids_decide(store: Store) -> None:
    open_space(store)
    store.commit([put("c", f"{i}", f"text {i}", embedding=vector([2, 1], [1, 3])) for i in (5, 3, 9, 1, 7)])
    assert near_ids(store, [1, 0]) == ["1", "3", "5", "7", "9"]
    assert near_ids(store, [1, 0], k=2) == ["1", "3"]
    assert near_ids(store, [0, 1], k=2, exclude={"c": frozenset({"1"})}) == ["3", "5"]


def test_cosines_are_those_of_the_stored_float16_vectors(store: Store) -> None:
    open_space(store, dimensions=7)
    numbers = np.random.default_rng(3).standard_normal((4, 7))
    stored_as = vector(*numbers)
    asked = vector(np.random.default_rng(4).standard_normal(7).tolist())
    store.commit([put("c", "1", "x", embedding=stored_as)])
    key = Key("c", "1")
    with store.read() as read:
        stored = read.vectors(SPACE, [digest("x")])[digest("x")]
        (found,) = read.nearest(["c"], asked, k=1)
        (whole,) = read.nearest(["c"], asked, k=1, is_whole=True)
        features = read.features([key], embedding=asked, words=[])[key]
    assert stored.dtype == np.float32
    assert np.array_equal(stored, stored_as.vectors.astype(np.float16).astype(np.float32))
    exact = stored.astype(np.float64) @ asked.vectors[0].astype(np.float64)
    assert found.cosine == features.cosine == pytest.approx(float(exact.max()), abs=1e-12)
    assert found.passage == features.passage == int(exact.argmax())
    assert whole.cosine == features.whole == pytest.approx(float(exact[0]), abs=1e-12)


def test_search_sees_every_write_at_once(store: Store) -> None:
    open_space(store)
    assert near(store, [1, 0]) == []
    for i in range(20):
        store.commit([put("c", f"{i:02}", f"text {i}", embedding=vector([1, i]))])
        assert len(near(store, [1, 0], k=100)) == i + 1
    store.commit([put("c", "03", "replaced", embedding=vector([-1, 0]))])
    assert near_ids(store, [-1, 0], k=1) == ["03"]
    store.commit([put("c", "04", "text 4", at=77)])
    assert near_ids(store, [1, 0], k=100, where=Where(since=77)) == ["04"]
    store.commit([Remove(collection="c", id=f"{i:02}") for i in range(0, 20, 2)])
    assert len(near(store, [1, 0], k=100)) == 10


# ── the turns beside ──────────────────────────────────────────────────────────────────────────────────────


def turn(id: str, text: str, *, at: int, session: Json = "s", of: str = "c", **metadata: Json) -> Put:
    return put(of, id, text, at=at, metadata={"sessionId": session, **metadata})


def beside(store: Store, ids: Sequence[str], *, of: str = "c", **more: object) -> dict[str, tuple[str, str]]:
    """For each id the ids before and after, empty where there is none."""
    found = ask(store, lambda read: read.neighbours([Key(of, id) for id in ids], **more))  # type: ignore[arg-type]
    assert all(key.collection == of for one in found.values() for key in (one.before, one.after) if key is not None)
    return {
        key.id: (one.before.id if one.before else "", one.after.id if one.after else "") for key, one in found.items()
    }


def test_the_turns_beside_a_turn_are_those_of_its_session_by_time_then_arrival(store: Store) -> None:
    store.commit(
        [
            turn("a", "good morning", at=1),
            turn("b", "where is the lantern", at=2),
            turn("c", "under the stairs", at=2),
            turn("d", "thanks", at=3),
            turn("e", "a stranger", at=2, session="other"),
            turn("b", "elsewhere", at=2, of="d"),
        ]
    )
    assert beside(store, ["b"]) == {"b": ("a", "c")}
    assert beside(store, ["a", "b", "c", "d", "e"]) == {
        "a": ("", "b"),
        "b": ("a", "c"),
        "c": ("b", "d"),
        "d": ("c", ""),
        "e": ("", ""),
    }
    assert beside(store, ["b"], of="d") == {"b": ("", "")}


def test_turns_of_one_moment_follow_one_another_as_they_arrived(store: Store) -> None:
    store.commit([turn(id, f"text {id}", at=1) for id in ("z", "a", "m")])
    assert beside(store, ["z", "a", "m"]) == {"z": ("", "a"), "a": ("z", "m"), "m": ("a", "")}
    store.commit([turn("z", "said anew", at=1)])
    assert beside(store, ["z"]) == {"z": ("m", "")}
    store.commit([turn("a", "text a", at=1, mood="changed")])  # told otherwise, but not said anew
    assert beside(store, ["a"]) == {"a": ("", "m")}
    store.commit([restore(record("a", "text a", metadata={"sessionId": "s"}))])
    assert beside(store, ["a"]) == {"a": ("z", "")}
    store.commit([turn("m", "text m", at=5), Remove(collection="c", id="z")])
    assert beside(store, ["a", "m"]) == {"a": ("", "m"), "m": ("a", "")}


def test_a_session_is_whatever_its_turns_name_alike(store: Store) -> None:
    sessions: list[Json] = ["1", 1, True, None, ["s"], {"a": 1}, ""]
    store.commit([turn(f"{place}{n}", "text", at=n, session=one) for place, one in enumerate(sessions) for n in (0, 1)])
    store.commit([put("c", "none0", at=0), put("c", "none1", at=1)])
    for place in range(len(sessions)):
        assert beside(store, [f"{place}0", f"{place}1"]) == {
            f"{place}0": ("", f"{place}1"),
            f"{place}1": (f"{place}0", ""),
        }
    assert beside(store, ["none0", "none1"]) == {"none0": ("", ""), "none1": ("", "")}


def test_of_what_is_not_there_nothing_is_told(store: Store) -> None:
    store.commit([turn("a", "hello", at=1), EnsureCollection(name="e")])
    with store.read() as read:
        assert read.neighbours([Key("c", "nobody"), Key("nowhere", "a"), Key("e", "a")]) == {}
        assert read.neighbours([]) == {}
        assert read.neighbours([Key("c", "a"), Key("c", "nobody")]) == {Key("c", "a"): Beside()}


def test_the_turns_of_several_collections_are_told_in_one_question(store: Store) -> None:
    store.commit([turn(id, f"text {id}", at=at, of=name) for name in "cd" for at, id in enumerate("xyz")])
    with store.read() as read:
        assert read.neighbours([Key("c", "y"), Key("d", "z")]) == {
            Key("c", "y"): Beside(before=Key("c", "x"), after=Key("c", "z")),
            Key("d", "z"): Beside(before=Key("d", "y")),
        }


def test_what_a_filter_or_an_exclusion_hides_is_nobodys_neighbour(store: Store) -> None:
    store.commit(
        [
            turn("a", "hello", at=1),
            turn("b", "the lantern", at=2, by="me"),
            turn("d", "bye", at=3),
            turn("e", "really", at=4, by="me"),
        ]
    )
    hidden = {"c": frozenset("a")}
    assert beside(store, ["b"], where=Where(until=3)) == {"b": ("a", "")}
    assert beside(store, ["b"], exclude=hidden) == {"b": ("", "d")}
    assert beside(store, ["b"], where=Where(until=3), exclude=hidden) == {"b": ("", "")}
    assert beside(store, ["b"], exclude={"d": frozenset("a")}) == {"b": ("a", "d")}
    # Nobody takes the place of a hidden turn: the one behind it is not beside.
    assert beside(store, ["b"], where=Where(metadata={"by": ("me",)})) == {"b": ("", "")}


def test_a_hidden_turn_that_was_asked_for_is_a_neighbour(store: Store) -> None:
    store.commit([turn(id, f"text {id}", at=at) for at, id in enumerate("abcd")])
    hidden = {"c": frozenset("bc")}
    assert beside(store, ["a", "b"], exclude=hidden) == {"a": ("", "b"), "b": ("a", "")}
    assert beside(store, ["b", "c"], where=Where(since=9)) == {"b": ("", "c"), "c": ("b", "")}


# ── what ranking measures ─────────────────────────────────────────────────────────────────────────────────


def test_words_are_counted_in_each_text_and_in_the_collection(store: Store) -> None:
    store.commit(
        [
            put("c", "a", "boats and boats"),
            put("c", "b", "a boat at sea"),
            put("c", "d", "the sea"),
            put("other", "x", "boat"),
        ]
    )
    asked = query_terms("boat sea")
    with store.read() as read:
        keys = read.matching(["c", "nowhere"], asked, k=5)
        assert {
            key.id: (one.counts, one.length) for key, one in read.features(keys, embedding=None, words=asked).items()
        } == {
            "a": ((2, 0), 3),
            "b": ((1, 1), 4),
            "d": ((0, 1), 2),
        }
        assert read.vocabularies(["c", "nowhere"], asked) == {"c": Vocabulary(texts=3, terms=9, holders=(2, 2))}


def test_a_word_is_counted_in_all_its_forms(store: Store) -> None:
    store.commit([put("c", "1", "x", terms=("run", "ran", "run", "tea")), put("c", "2", "y", terms=("ran",))])
    asked: list[Word] = [("run", "ran"), ("running",), ("tea", "coffee")]
    with store.read() as read:
        features = read.features([Key("c", "1"), Key("c", "2")], embedding=None, words=asked)
        assert [features[Key("c", id)].counts for id in "12"] == [(3, 0, 1), (1, 0, 0)]
        assert read.vocabularies(["c"], asked)["c"].holders == (2, 0, 1)
        assert read.vocabularies(["c"], [])["c"] == Vocabulary(texts=2, terms=5, holders=())


def test_a_vocabulary_counts_each_text_of_the_collection_once(store: Store) -> None:
    store.commit(
        [put("c", f"{i}", "green tea") for i in range(5)]
        + [put("c", "x", "tea"), put("d", "1", "green"), EnsureCollection(name="e")]
    )
    asked: list[Word] = [("tea",), ("green",)]
    told = {
        "c": Vocabulary(texts=2, terms=3, holders=(2, 1)),
        "d": Vocabulary(texts=1, terms=1, holders=(0, 1)),
        "e": Vocabulary(texts=0, terms=0, holders=(0, 0)),
    }
    assert ask(store, lambda read: read.vocabularies(["d", "c", "e", "nowhere"], asked)) == told
    store.commit([Remove(collection="c", id="x"), put("c", "0", "black coffee please")])
    assert ask(store, lambda read: read.vocabularies(["c"], asked)) == {
        "c": Vocabulary(texts=2, terms=5, holders=(1, 1))
    }


def test_features_are_told_of_what_there_is_found_or_not(store: Store) -> None:
    open_space(store)
    store.commit(
        [
            put("c", "near", "coffee", embedding=vector([1, 0])),
            put("c", "far", "tea", embedding=vector([0, 1], [3, 4])),
            put("c", "bare", "tea without a vector"),
            put("d", "far", "tea"),
        ]
    )
    asked: list[Word] = [("tea",)]
    keys = [Key("c", id) for id in ("near", "far", "bare", "nobody")] + [Key("d", "far"), Key("nowhere", "near")]
    with store.read() as read:
        assert [key.id for key in read.matching(["c"], asked, k=1)] == ["far"]
        found = read.features(keys, embedding=vector([1, 0]), words=asked)
        assert found.keys() == {Key("c", "near"), Key("c", "far"), Key("c", "bare"), Key("d", "far")}
        assert found[Key("c", "near")].counts == (0,)
        assert found[Key("c", "near")].cosine == pytest.approx(1, abs=1e-3)
        assert found[Key("c", "far")].cosine == pytest.approx(0.6, abs=1e-3)
        assert found[Key("c", "far")].whole == pytest.approx(0, abs=1e-3)
        assert (found[Key("c", "far")].passage, found[Key("c", "near")].passage) == (1, 0)
        assert found[Key("d", "far")] == found[Key("c", "far")]  # one text has the same vectors everywhere
        assert found[Key("c", "bare")] == Features(counts=(1,), length=4)
        unasked = read.features(keys, embedding=None, words=asked)
        assert {one.cosine for one in unasked.values()} == {None}
        assert unasked[Key("c", "far")] == Features(counts=(1,), length=1)
        assert read.features([], embedding=vector([1, 0]), words=asked) == {}


def test_features_are_exact_whatever_was_asked_before(store: Store) -> None:
    """What a store remembers of one question must not answer another."""
    open_space(store)
    store.commit(
        [
            put("c", "1", "tea", embedding=vector([1, 0], [0, 1])),
            put("c", "2", "milk", embedding=vector([0, 1], [1, 2], [2, 1])),
        ]
    )
    keys = [Key("c", "1"), Key("c", "2")]
    questions = [vector([1, 0]), vector([0, 1]), vector([1, 1])]
    fresh = [ask(store, lambda read, one=one: read.features(keys, embedding=one, words=[])) for one in questions]  # type: ignore[misc]
    with store.read() as read:
        for asked in questions:
            for is_whole in (True, False):
                read.nearest(["c"], asked, k=1, is_whole=is_whole)
                assert [read.features(keys, embedding=one, words=[]) for one in questions] == fresh
