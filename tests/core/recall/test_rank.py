"""Ranking: bounded, finite, deterministic, and moved by each cue the way the law says."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.recall.candidates import gather
from libravdb.core.recall.cues import CUES
from libravdb.core.recall.question import read_question
from libravdb.core.recall.rank import explain, rank
from libravdb.core.recall.settings import RecallSettings
from libravdb.model import CandidateSet, Hit, Json, MeasuredCandidate, Record, Scope, Vocabulary

DAY = 86_400_000
NOW = 1_700_000_000_000
HISTORY, DURABLE = "history:a", "user:a"
SCOPES = {HISTORY: Scope.HISTORY, DURABLE: Scope.DURABLE, "session:s": Scope.SESSION}


def sighting(
    id: str,
    text: str = "",
    *,
    cosine: float | None = 0.5,
    counts: tuple[int, ...] = (0, 0),
    at: int = NOW,
    into: str = HISTORY,
    before: str | None = None,
    after: str | None = None,
    accesses: int = 0,
    **metadata: Json,
) -> MeasuredCandidate:
    record = Record(
        collection=into, id=id, text=text or f"text {id}", metadata=metadata, at=at, version=1, access_count=accesses
    )
    return MeasuredCandidate(
        record=record, cosine=cosine, whole=cosine, passage=0, counts=counts, length=10, before=before, after=after
    )


def surveyed(
    *sightings: MeasuredCandidate, holders: tuple[int, ...] = (3, 3), terms: int = 1_000, texts: int = 100
) -> CandidateSet:
    return CandidateSet(
        words=tuple((f"w{n}",) for n in range(len(holders))),
        sightings=sightings,
        vocabularies={HISTORY: Vocabulary(texts=texts, terms=terms, holders=holders)},
    )


def ranked(
    survey: CandidateSet,
    text: str = "where is it",
    settings: RecallSettings | None = None,
    participants: tuple[str, ...] = (),
) -> list[Hit]:
    question = read_question(text, now=NOW, participants=participants)
    ranking = rank(survey, question, scopes=SCOPES, settings=settings or RecallSettings(), k=10)
    return [explain(ranking, place) for place in ranking.order]


def first(survey: CandidateSet, text: str = "where is it", **more: object) -> str:
    return ranked(survey, text, **more)[0].record.id  # type: ignore[arg-type]


SIGHTINGS = st.lists(
    st.builds(
        sighting,
        st.sampled_from([f"s{i}" for i in range(12)]),
        st.sampled_from(["", "?", "Was it? No.", "last Friday", "x" * 5_000, "\ud800", "三月", "7 or eight"]),
        cosine=st.none() | st.floats(-1, 1),
        counts=st.tuples(st.integers(0, 255), st.integers(0, 255)),
        at=st.integers(-(2**62), 2**62),
        into=st.sampled_from([HISTORY, DURABLE, "elsewhere"]),
        before=st.none() | st.sampled_from(["s0", "s1", "gone"]),
        after=st.none() | st.sampled_from(["s2", "s3", "gone"]),
        accesses=st.integers(0, 10**9),
        sessionId=st.sampled_from(["s", "t", None, 3]),
        role=st.sampled_from(["user", "assistant", None]),
        speaker=st.sampled_from(["Anna", "", None]),
        type=st.sampled_from(["turn", "summary"]),
        decay_rate=st.sampled_from([0.3, -1, 7, "x", None]),
        authority=st.sampled_from([1, -2, None, "high"]),
    ),
    max_size=12,
    unique_by=lambda one: (one.record.collection, one.record.id),
)
QUESTIONS = st.sampled_from(
    ["", "?", "When did Anna go?", "how many last Friday", "what did you say in May", "哪天", "which came first"]
)
WEIGHTS = st.builds(
    RecallSettings,
    dense_weight=st.floats(0, 1),
    speaker=st.floats(0, 2),
    question_short=st.floats(0, 2),
    session_short=st.floats(0, 2),
    temporal=st.floats(0, 1),
    recency=st.floats(0, 1),
    relevance=st.floats(0, 1),
    keyword_coverage=st.floats(0, 5),
    standing=st.floats(0, 1),
)


@given(SIGHTINGS, QUESTIONS, WEIGHTS, st.integers(1, 100_000))
def test_scores_are_finite_fall_and_lie_between_zero_and_one(
    sightings: list[MeasuredCandidate], text: str, settings: RecallSettings, terms: int
) -> None:
    hits = ranked(surveyed(*sightings, terms=terms), text, settings, participants=("Anna",))
    scores = [hit.score for hit in hits]
    assert all(math.isfinite(score) and 0 <= score <= 1 for score in scores)
    assert scores == sorted(scores, reverse=True)
    assert all(math.isfinite(part) for hit in hits for part in hit.breakdown.values())


@given(SIGHTINGS, QUESTIONS, st.integers())
def test_the_order_in_which_a_store_met_turns_does_not_show(
    sightings: list[MeasuredCandidate], text: str, seed: int
) -> None:
    """A survey comes by collection and id; whoever wrote first, the same survey is ranked the same."""
    shuffled = sightings[:]
    random.Random(seed).shuffle(shuffled)
    in_order = sorted(shuffled, key=lambda one: (one.record.collection, one.record.id))
    again = sorted(sightings, key=lambda one: (one.record.collection, one.record.id))
    assert ranked(surveyed(*in_order), text) == ranked(surveyed(*again), text)


def test_nothing_met_is_nothing_found() -> None:
    assert ranked(surveyed()) == []
    assert ranked(CandidateSet(words=(), sightings=(), vocabularies={})) == []


def test_closer_in_meaning_or_richer_in_words_comes_first() -> None:
    assert first(surveyed(sighting("a", cosine=0.3), sighting("b", cosine=0.6))) == "b"
    assert first(surveyed(sighting("a", counts=(1, 1)), sighting("b", counts=(1, 0)))) == "a"


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    survey = surveyed(sighting("a", counts=(1, 0)), sighting("b", counts=(0, 1)), holders=(90, 2))
    assert first(survey) == "b"


def test_without_vectors_words_decide_alone() -> None:
    survey = surveyed(sighting("a", cosine=None, counts=(0, 1)), sighting("b", cosine=None, counts=(1, 1)))
    hits = ranked(survey)
    assert hits[0].record.id == "b"
    assert hits[0].breakdown["meaning"] == 0


def test_who_is_named_is_preferred_as_a_speaker_and_is_no_topic() -> None:
    survey = surveyed(sighting("a", speaker="Tom"), sighting("b", speaker="Anna"))
    assert first(survey, "What does Anna's sister like?", participants=("Anna", "Tom")) == "b"
    question = read_question("What does Anna's sister like?", now=NOW, participants=("Anna", "Tom"))
    assert question.topic == "What does sister like?"
    assert question.names == {"Anna"}
    assert read_question("Anna?", now=NOW, participants=("Anna",)).topic == "Anna?"


def test_a_turn_that_asks_stands_behind_one_that_tells() -> None:
    survey = surveyed(sighting("a", "Where did you put the key?"), sighting("b", "I put the key in the drawer."))
    assert first(survey) == "b"


def test_an_answer_inherits_from_the_question_before_it() -> None:
    asked = sighting("a", "Where is the key?", cosine=0.9, counts=(2, 2), after="b", sessionId="s")
    told = sighting("b", "In the drawer.", cosine=0.2, before="a", sessionId="s")
    other = sighting("c", "In the garden.", cosine=0.3, sessionId="t")
    order = [hit.record.id for hit in ranked(surveyed(asked, told, other))]
    assert order.index("b") < order.index("c")


def test_neighbours_lend_words_in_chats_and_not_in_logs_of_long_turns() -> None:
    rows = (
        sighting("a", counts=(3, 0), after="b", sessionId="s"),
        sighting("b", before="a", sessionId="s"),
        sighting("c", sessionId="t"),
    )
    chat = {hit.record.id: hit.breakdown for hit in ranked(surveyed(*rows, terms=1_000))}
    log = {hit.record.id: hit.breakdown for hit in ranked(surveyed(*rows, terms=100_000))}
    assert chat["b"]["words"] > chat["c"]["words"]
    assert log["b"]["words"] == log["c"]["words"]


def test_the_time_asked_about_counts() -> None:
    old, recent = sighting("a", at=NOW - 14 * DAY), sighting("b", at=NOW - 40 * DAY)
    assert first(surveyed(old, recent), "what happened two weeks ago") == "a"
    told = sighting("c", "We met two weeks ago.", at=NOW - 40 * DAY)
    hits = {hit.record.id: hit for hit in ranked(surveyed(told, recent), "what was it 54 days ago")}
    assert hits["c"].breakdown["event_date"] > hits["b"].breakdown["event_date"]


def test_what_the_user_said_counts_more_unless_the_assistant_is_asked_about() -> None:
    survey = surveyed(sighting("a", role="assistant"), sighting("b", role="user"), terms=100_000)
    assert first(survey, "where do I live") == "b"
    hits = {hit.record.id: hit for hit in ranked(survey, "what did you recommend")}
    assert hits["a"].breakdown["role"] == hits["b"].breakdown["role"] == 0


def test_small_talk_of_the_user_stands_behind_what_the_assistant_said_of_the_matter() -> None:
    survey = surveyed(
        sighting("told", cosine=0.7, counts=(1, 1), role="assistant"),
        sighting("small talk", cosine=0.45, role="user"),
        sighting("unrelated", cosine=0.2, role="user"),
    )
    assert first(survey) == "told"


def test_a_short_turn_of_the_assistant_that_holds_more_of_the_question_than_the_users_counts_alike() -> None:
    rows = (sighting("a", counts=(1, 1), role="assistant"), sighting("b", counts=(1, 0), role="user"))
    hits = {hit.record.id: hit for hit in ranked(surveyed(*rows))}
    assert hits["a"].breakdown["role"] > 0
    long = rows[0]._replace(length=400)
    hits = {hit.record.id: hit for hit in ranked(surveyed(long, rows[1]))}
    assert hits["a"].breakdown["role"] == 0


def test_a_rule_taken_out_of_a_turn_does_not_hide_what_else_was_said_there() -> None:
    turn = sighting("s/t1", cosine=0.6, counts=(1, 1), sessionId="s", source_turn_id="t1")
    rule = sighting(
        "rule", cosine=0.3, counts=(0, 0), into=DURABLE, sessionId="s", source_turn_id="t1", is_excerpt=True
    )
    assert [hit.record.id for hit in ranked(surveyed(turn, rule))] == ["s/t1"]
    asked = rule._replace(cosine=0.7, counts=(1, 1))
    assert [hit.record.id for hit in ranked(surveyed(turn, asked))] == ["rule"]


def test_the_session_of_a_good_turn_is_preferred() -> None:
    rows = (
        sighting("a", cosine=0.9, sessionId="s"),
        sighting("b", cosine=0.4, sessionId="s"),
        sighting("c", cosine=0.4, sessionId="t"),
    )
    assert [hit.record.id for hit in ranked(surveyed(*rows))] == ["a", "b", "c"]


def test_one_turn_in_several_scopes_is_one_hit_at_its_best() -> None:
    survey = surveyed(
        sighting("s/t1", sessionId="s", source_turn_id="t1"),
        sighting("s/t1", into=DURABLE, sessionId="s", source_turn_id="t1"),
        sighting("other"),
    )
    hits = ranked(survey)
    assert [hit.record.collection for hit in hits if hit.record.id == "s/t1"] == [DURABLE]
    assert len(hits) == 2


def test_a_doubtful_summary_stands_behind_a_turn() -> None:
    summary = sighting("a", "the gist", type="summary", decay_rate=0.9)
    assert first(surveyed(summary, sighting("b", "what was said", type="turn"))) == "b"


def test_age_alone_changes_nothing_by_default() -> None:
    old = [sighting("a", cosine=0.6, at=NOW - 900 * DAY), sighting("b", at=NOW)]
    assert first(surveyed(*old)) == "a"


@pytest.mark.parametrize("weight", [0.1, 0.5])
def test_with_recency_the_newer_of_equals_wins(weight: float) -> None:
    survey = surveyed(sighting("a", at=NOW - 30 * DAY), sighting("b", at=NOW))
    assert first(survey, settings=replace(RecallSettings(), recency=weight)) == "b"


def test_what_was_used_often_wins_among_equals() -> None:
    assert first(surveyed(sighting("a"), sighting("b", accesses=5))) == "b"


def test_keyword_coverage_prefers_the_turn_that_holds_more_of_the_question() -> None:
    settings = replace(RecallSettings(), keyword_coverage=3.0, dense_weight=1.0)
    survey = surveyed(sighting("a", cosine=0.52), sighting("b", cosine=0.5, counts=(1, 1)), sighting("c", cosine=0.1))
    assert first(survey, settings=settings) == "b"


def test_complementary_turns_win_over_similar_ones_when_time_is_asked_about() -> None:
    rows = (
        sighting("a", cosine=0.60, counts=(2, 0)),
        sighting("b", cosine=0.59, counts=(2, 0)),
        sighting("c", cosine=0.55, counts=(0, 2)),
        sighting("d", cosine=0.25),
    )
    settings = replace(RecallSettings(), temporal=1.0)
    order = [hit.record.id for hit in ranked(surveyed(*rows), "which came first", settings)]
    assert order.index("c") < 2
    plain = replace(settings, temporal=0.0)
    assert [hit.record.id for hit in ranked(surveyed(*rows), "which came first", plain)] == list("abcd")


def test_ties_fall_to_collection_and_id() -> None:
    assert [hit.record.id for hit in ranked(surveyed(sighting("a"), sighting("b"), sighting("c")))] == ["a", "b", "c"]


def test_every_cue_is_named_once_and_has_its_reason() -> None:
    assert len({cue.name for cue in CUES}) == len(CUES)
    assert all(cue.reason and cue.measure.__doc__ for cue in CUES)
    (hit,) = ranked(surveyed(sighting("a", "I sail.", speaker="Anna")), "Does Anna sail?", participants=("Anna",))
    assert "said by a person the question names" in hit.reasons


def test_a_shelf_of_notes_changes_nothing_about_the_words_of_a_chat() -> None:
    """Rarity and lengths come from where a candidate stands, however large the shelf beside it is."""
    chat = (sighting("a", counts=(1, 0)), sighting("b", counts=(0, 1)))
    alone = surveyed(*chat, holders=(90, 2))
    beside = replace(
        alone,
        sightings=(*chat, sighting("n", into="global", counts=(0, 0), cosine=0.45)),
        vocabularies={**alone.vocabularies, "global": Vocabulary(texts=90_000, terms=90_000_000, holders=(1, 80_000))},
    )
    scopes = {**SCOPES, "global": Scope.GLOBAL}
    pools = [gather(survey, scopes=scopes, settings=RecallSettings()) for survey in (alone, beside)]
    assert (pools[0].weights == pools[1].weights[:2]).all()
    assert (pools[0].length_share == pools[1].length_share[:2]).all()
    assert (pools[0].average == pools[1].average[:2]).all()
    assert pools[1].length_share[2] == 1
    assert [hit.record.id for hit in ranked(beside)] == ["b", "a", "n"]


def test_what_is_kept_of_a_chat_has_the_words_of_its_history() -> None:
    survey = surveyed(sighting("a"), sighting("d", into=DURABLE))
    small = Vocabulary(texts=2, terms=9, holders=(1, 1))
    pool = gather(
        replace(survey, vocabularies={**survey.vocabularies, DURABLE: small}), scopes=SCOPES, settings=RecallSettings()
    )
    assert (pool.weights[0] == pool.weights[1]).all()


def test_a_wide_question_sees_other_sessions_before_more_of_the_same() -> None:
    survey = surveyed(
        *(sighting(f"a{n}", cosine=0.6 - n / 1000, sessionId="one") for n in range(8)),
        *(sighting(f"b{n}", cosine=0.59, sessionId=f"other {n}") for n in range(3)),
        sighting("z", cosine=0.1),
    )

    def seen(text: str) -> int:
        return len({hit.record.metadata["sessionId"] for hit in ranked(survey, text)[:6]})

    assert seen("where is it") < seen("summarise everything we said about it") == 4
