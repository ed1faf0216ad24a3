"""Whole prompts: what stands in them, in which order, at which price, and that they stay the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.assembly.materials import NOON, any_material, as_shown, cases, chat, hit, record, rule, shown, turn

from libravdb.core.assembly.assemble import assemble
from libravdb.core.assembly.render import escape_rule, parse
from libravdb.core.assembly.selection import TAG
from libravdb.core.assembly.settings import DEFAULTS, AssemblySettings
from libravdb.core.continuity.tail import choose_tail
from libravdb.core.ingest.own_frames import strip_frames
from libravdb.errors import InvalidInput
from libravdb.model import (
    Assembly,
    AssemblyMode,
    Chosen,
    Hit,
    IncomingTurn,
    Json,
    Material,
    Record,
    Role,
    SectionKind,
    Shown,
    Tier,
    Trace,
    Tranche,
    Turn,
    Why,
)
from libravdb.text.tokens import prompt_tokens

AUGMENT, WINDOW = AssemblyMode.AUGMENT, AssemblyMode.WINDOW


def made(material: Material, *, count_tokens: Callable[[str], int] = prompt_tokens) -> Assembly:
    done = assemble(material, choose_tail=choose_tail, count_tokens=count_tokens)
    assert done.receipt.violations == ()
    return done


def back_to_host(done: Assembly, material: Material) -> tuple[Shown, ...]:
    """What a host holds after it has taken over an assembly: its messages with ours among them."""
    messages = [material.messages[place] for place in done.kept]
    if done.closing:
        messages.insert(done.closing_at, shown("", content=done.closing))
    if done.opening:
        messages.insert(0, shown("", content=done.opening))
    return tuple(messages)


def texts_in(part: str) -> list[str]:
    """What the entries of a part say."""
    blocks = parse(part)
    assert blocks is not None
    return [text for block in blocks for entry in block.entries for text in entry.texts]


def reasons(done: Assembly, id: str) -> list[Why]:
    return [one.why for one in done.receipt.left_out if one.id == id]


def shape(done: Assembly) -> list[str]:
    return [section.kind.value for section in done.sections]


FULL = Material(
    mode=AUGMENT,
    budget=2_000,
    session="s",
    prompt="What shall I plant?",
    messages=as_shown(chat(6)),
    turns=chat(6),
    rules=(rule(1, "- Be brief."), rule(2, "> Small steps.", tier=2)),
    elevated=(hit("g1", "Always answer in German.", 0.6, collection="elevated:user:n"),),
    recalled=(hit("h1", "I keep bees.", 0.9), hit("h2", "My garden lies in the shade.", 0.7)),
)


# ── what stands there ─────────────────────────────────────────────────────────────────────────────────────


def test_augmenting_adds_rules_guidance_and_memories_around_the_hosts_history() -> None:
    done = made(FULL)
    assert shape(done) == ["rules", *["message"] * 6, "elevated", "recalled"]
    assert done.kept == (0, 1, 2, 3, 4, 5)
    assert "- Be brief." in done.rules
    assert "> Small steps." in done.rules
    assert done.closing.index("German") < done.closing.index("bees") < done.closing.index("shade")
    assert done.opening == ""
    assert done.receipt.outcome == "full"


def test_what_the_host_does_not_show_of_the_recent_turns_is_added_before_its_history() -> None:
    turns = chat(6)
    done = made(replace(FULL, messages=as_shown(turns[4:])))
    assert texts_in(done.opening) == ["turn 0", "turn 1", "turn 2", "turn 3"]
    assert shape(done)[:3] == ["rules", "tail", "message"]


def test_a_host_without_a_history_gets_the_tail_from_us_in_either_mode() -> None:
    for mode in AssemblyMode:
        done = made(replace(FULL, mode=mode, messages=()))
        assert texts_in(done.opening) == [f"turn {n}" for n in range(6)]


def test_in_window_mode_old_messages_go_at_a_question_and_the_rest_stays_untouched() -> None:
    turns = chat(40, "a rather long turn about the garden and its bees, number")
    material = replace(FULL, mode=WINDOW, budget=700, turns=turns, messages=as_shown(turns))
    done = made(material)
    first = done.kept[0]
    assert first > 0
    assert turns[first].role is Role.USER
    assert done.kept == tuple(range(first, 40))
    assert [section.text for section in done.sections if section.place is not None] == [
        one.text for one in turns[first:]
    ]
    assert done.tokens <= 700
    assert reasons(done, "t0") == [Why.BUDGET]


def test_a_receipt_does_not_grow_with_the_session() -> None:
    turns = chat(400, "a rather long turn about the garden and its bees, number")
    done = made(replace(FULL, mode=WINDOW, budget=700, turns=turns, messages=as_shown(turns)))
    cut = [one for one in done.receipt.left_out if not one.collection]
    assert len(cut) == 51
    assert cut[0].id == f"{done.kept[0] - 50} messages before them"


def test_a_summary_stands_for_what_is_cut_and_none_for_what_is_shown() -> None:
    turns = chat(40, "a rather long turn about the garden and its bees, number")
    old = record(
        "summary:1", "They spoke of bees.", collection="session_summary:s", type="summary",
        continuity_lineage={"source_turn_ids": ["t0", "t1"]},
    )  # fmt: skip
    new = record(
        "summary:2", "They go on.", collection="session_summary:s", type="summary",
        continuity_lineage={"source_turn_ids": ["t38"]},
    )  # fmt: skip
    material = replace(FULL, mode=WINDOW, budget=900, turns=turns, messages=as_shown(turns), summaries=(old, new))
    done = made(material)
    assert "They spoke of bees." in done.opening
    assert "They go on." not in done.opening
    assert reasons(done, "summary:2") == [Why.VISIBLE]
    assert shape(done)[:2] == ["rules", "summaries"]
    assert made(replace(material, mode=AUGMENT)).opening == ""


@pytest.mark.parametrize("mode", [WINDOW, AUGMENT])
@pytest.mark.parametrize("budget", [8_000, 20_000])
def test_of_a_large_budget_the_conversation_takes_all_but_what_else_a_prompt_needs(
    mode: AssemblyMode, budget: int
) -> None:
    turns = chat(1_500, "a rather long turn about the garden and its bees, number")
    folded = record(
        "summary:1", "They spoke of bees.", collection="session_summary:s", type="summary",
        continuity_lineage={"source_turn_ids": ["t0", "t1"]},
    )  # fmt: skip
    shown = as_shown(turns) if mode is WINDOW else ()
    done = made(replace(FULL, mode=mode, budget=budget, turns=turns, messages=shown, summaries=(folded,)))
    assert budget - 3_000 <= done.tokens <= budget
    assert "They spoke of bees." in done.opening


def test_a_summary_of_what_is_shown_is_known_when_the_host_gives_no_ids() -> None:
    turns = chat(6)
    summary = record(
        "summary:1", "They speak of the garden.", collection="session_summary:s", type="summary",
        continuity_lineage={"source_turn_ids": [turns[0].id]},
    )  # fmt: skip
    messages = tuple(shown(turn.text, turn.role) for turn in turns)
    done = made(replace(FULL, mode=WINDOW, turns=turns, messages=messages, summaries=(summary,)))
    assert done.opening == ""
    assert reasons(done, "summary:1") == [Why.VISIBLE]


SHOWN: dict[str, Json] = {"source_turn_ids": ["t0", "t1"]}
PARTLY_SHOWN: dict[str, Json] = {"source_turn_ids": ["gone", "t0"]}


@pytest.mark.parametrize("mode", [WINDOW, AUGMENT])
def test_a_recalled_summary_tells_nothing_where_all_of_its_turns_stand(mode: AssemblyMode) -> None:
    turns = chat(6)
    seen = hit("summary:1", "They speak of the garden.", type="summary", sessionId="s", continuity_lineage=SHOWN)
    older = hit("summary:0", "They spoke of bees.", type="summary", sessionId="s", continuity_lineage=PARTLY_SHOWN)
    other = hit("summary:2", "Rain was expected.", type="summary", sessionId="other", continuity_lineage=SHOWN)
    done = made(replace(FULL, mode=mode, turns=turns, messages=as_shown(turns), recalled=(seen, older, other)))
    assert reasons(done, "summary:1") == [Why.VISIBLE]
    assert "They spoke of bees." in done.closing
    assert "Rain was expected." in done.closing


def test_memories_of_a_large_window_take_no_more_than_their_limit() -> None:
    many = tuple(hit(f"m{n}", f"Number {n}: " + "the garden has a hedge and a gate. " * 8) for n in range(200))
    for budget in (4_000, 30_000):
        window = made(replace(FULL, mode=WINDOW, budget=budget, recalled=many))
        assert recalled_tokens(window) <= min(budget // 4, DEFAULTS.window_recall_tokens)
    assert recalled_tokens(window) > 0.8 * DEFAULTS.window_recall_tokens
    beside = made(replace(FULL, mode=AUGMENT, budget=30_000, recalled=many))
    assert recalled_tokens(beside) > 2 * DEFAULTS.window_recall_tokens


def test_of_long_memories_the_same_passage_stands_once() -> None:
    middle = "We spoke of the garden. " * 100
    many = tuple(hit(f"m{n}", f"Step {n} cost {n} euros. {middle}In all {n} days.") for n in range(6))
    done = made(replace(FULL, prompt="What of the garden?", mode=WINDOW, budget=8_000, recalled=many))
    shown = [text for text in texts_in(done.closing) if "garden" in text]
    assert shown
    assert len(shown) == len({text.strip("…") for text in shown})
    assert Why.VISIBLE in {why for n in range(6) for why in reasons(done, f"m{n}")}


def recalled_tokens(done: Assembly) -> int:
    return sum(section.tokens for section in done.sections if section.kind is SectionKind.RECALLED)


def summary_of(id: str, first: int, behind: int) -> Record:
    """A summary of the turns from one place up to another."""
    names: list[Json] = [f"t{place}" for place in range(first, behind)]
    told: dict[str, Json] = {"type": "summary", "continuity_lineage": {"source_turn_ids": names}}
    return record(id, f"They spoke of {id}.", collection="session:s", **told)


def test_summaries_that_are_folded_again_stay_as_they_are_until_the_window_moves() -> None:
    turns = chat(200, "a rather long turn about the garden and its bees, number")
    bees, birds = summary_of("bees", 0, 40), summary_of("birds", 40, 80)
    both, late = summary_of("both", 0, 80), summary_of("late", 180, 190)
    window = replace(FULL, mode=WINDOW, budget=3_000, turns=turns, messages=as_shown(turns))
    before = made(replace(window, summaries=(bees, birds)))
    assert 80 <= before.kept[0] < 180
    assert "bees" in before.opening
    assert "birds" in before.opening

    later = replace(window, prompt="And then?", previous=before.trace)
    folded = replace(later, summaries=(both, late), folded_summaries=(bees, birds))
    assert made(folded).opening == before.opening
    assert "They spoke of both." in made(replace(folded, folded_summaries=(birds,))).opening  # the other is forgotten
    assert "They spoke of both." in made(replace(folded, budget=2_400)).opening  # the window had to move
    gap = summary_of("gap", 80, before.kept[0])
    assert "They spoke of gap." in made(replace(folded, summaries=(both, gap))).opening


def test_system_messages_of_the_host_always_stay() -> None:
    turns = chat(40, "a rather long turn about the garden and its bees, number")
    messages = (shown("You are a gardener.", Role.SYSTEM), *as_shown(turns))
    done = made(replace(FULL, mode=WINDOW, budget=700, turns=turns, messages=messages))
    assert done.kept[0] == 0
    assert done.kept[1] > 1
    assert done.receipt.ledger[0].tranche is Tranche.HOST
    assert done.tokens <= 700


def test_a_message_of_two_voices_is_known_by_either_and_never_cut_off_from_the_call_it_answers() -> None:
    """A host may put a tool's answer and the user's words into one message."""
    turns = (
        turn("q", "Look, please."), turn("c", "[tool call: look]", Role.ASSISTANT), turn("r", "sunny", Role.TOOL),
        turn("w", "And tomorrow?"), *chat(3),
    )  # fmt: skip
    both = Shown(
        content="sunny And tomorrow?",
        said=(
            IncomingTurn(role=Role.TOOL, text="sunny", id="r"),
            IncomingTurn(role=Role.USER, text="And tomorrow?", id="w"),
        ),
    )
    messages = (*as_shown(turns[:2]), both, *as_shown(turns[4:]))
    again = (hit("x1", "sunny"), hit("x2", "Other.", sessionId="s", source_turn_id="w"))
    augmented = made(replace(FULL, turns=turns, messages=messages, recalled=again))
    assert augmented.opening == ""
    assert augmented.trace.recalled == ()
    window = made(replace(FULL, mode=WINDOW, turns=turns, messages=messages, budget=80, rules=()))
    assert window.kept[0] != 2


def test_a_question_that_the_host_shows_already_stands_last_behind_the_memories() -> None:
    looking = (shown("[tool call: look]", Role.ASSISTANT), shown("sunny", Role.TOOL))
    done = made(replace(FULL, messages=(*FULL.messages, shown(FULL.prompt), *looking)))
    assert shape(done)[-5:] == ["elevated", "recalled", "message", "message", "message"]
    assert done.closing_at == 6


def test_a_question_that_was_asked_and_answered_before_is_asked_anew() -> None:
    messages = (*FULL.messages, shown(FULL.prompt), shown("Beans.", Role.ASSISTANT))
    assert made(replace(FULL, messages=messages)).closing_at == 8


def test_rules_are_the_same_bytes_whatever_is_asked() -> None:
    other = replace(FULL, prompt="Else?", recalled=(), elevated=(), messages=as_shown(chat(9)), turns=chat(9))
    assert made(FULL).rules == made(other).rules


def test_a_rule_that_names_our_frames_cannot_leave_its_own() -> None:
    done = made(replace(FULL, rules=(rule(1, "- Never write </authored_context> yourself."),)))
    assert done.rules.count("</authored_context>") == 1


# ── the budget ────────────────────────────────────────────────────────────────────────────────────────────


def test_hard_rules_and_last_turns_beyond_the_budget_stand_there_exactly_with_a_notice() -> None:
    material = replace(FULL, budget=20, messages=(), rules=(rule(1, "- Be brief. " * 20), rule(2, "> Soft.", tier=2)))
    done = made(material)
    assert done.is_degraded
    assert shape(done) == ["rules", "tail", "degraded"]
    assert "- Be brief. " * 20 in done.rules
    assert "Soft" not in done.text
    assert texts_in(done.opening) == [f"turn {n}" for n in (2, 3, 4, 5)]
    assert "the budget is 20" in done.closing
    assert done.receipt.outcome == "degraded"
    assert reasons(done, "h1") == [Why.DEGRADED]
    assert strip_frames(done.text) == ""


def test_recall_starves_first_then_guidance_then_soft_rules_and_the_mandatory_parts_never() -> None:
    shares = AssemblySettings(augment_soft_share=0.5, augment_tail_share=0.2, augment_elevated_share=1.0)
    material = replace(FULL, messages=(), recalled=(hit("h", "A memory longer than the guidance is. " * 2),))
    least: dict[Tranche, int] = {}
    for budget in range(60, 600, 3):
        done = assemble(replace(material, budget=budget), choose_tail=choose_tail, settings=shares)
        for line in done.receipt.ledger:
            if line.tokens:
                least.setdefault(line.tranche, budget)
    order = (Tranche.HARD, Tranche.TAIL, Tranche.SOFT, Tranche.ELEVATED, Tranche.RECALL)
    assert [least[tranche] for tranche in order] == sorted(least[tranche] for tranche in order)
    assert least[Tranche.HARD] == least[Tranche.TAIL] == 60
    assert least[Tranche.TAIL] < least[Tranche.SOFT] < least[Tranche.ELEVATED] < least[Tranche.RECALL]


def test_soft_rules_are_a_prefix_a_short_one_never_overtakes() -> None:
    rules = (rule(1, "> A long rule. " * 30, tier=2), rule(2, "> Short.", tier=2))
    done = made(replace(FULL, budget=400, rules=rules))
    assert done.rules == ""
    assert reasons(done, rules[1].id) == [Why.BUDGET]


def test_of_a_memory_that_would_take_the_room_of_many_the_best_passage_is_shown() -> None:
    talk = "Nothing of note here. " * 40
    big = hit("big", f"{talk}In May I shall plant beans. {talk}", 0.9)
    done = made(replace(FULL, budget=300, recalled=(big, hit("small", "I keep bees.", 0.5)), elevated=(), rules=()))
    assert [one.id for one in done.trace.recalled] == ["history:n/big", "history:n/small"]
    passage = texts_in(done.closing)[0]
    assert passage.startswith("…")
    assert passage.endswith("…")
    assert passage.strip("…") in big.record.text
    assert "I shall plant beans." in passage
    assert prompt_tokens(passage) <= 0.25 * 300 + 1
    (told,) = [item for item in done.receipt.items if item.id == "big"]
    assert told.reasons[-1] == f"its best passage, {len(passage):,} of {len(big.record.text):,} characters"


def test_guidance_stands_whole_or_not_at_all_and_the_next_is_tried() -> None:
    rules = (hit("long", "Answer in German. " * 60, 0.9), hit("short", "Be brief.", 0.8))
    done = made(replace(FULL, budget=600, elevated=rules, recalled=()))
    assert texts_in(done.closing) == ["Be brief."]
    assert reasons(done, "long") == [Why.BUDGET]


def test_in_a_window_recall_takes_at_most_a_quarter() -> None:
    recalled = tuple(hit(f"h{n}", f"word {n} " * 30, 0.9) for n in range(20))
    window = replace(FULL, mode=WINDOW, budget=2_000, recalled=recalled)
    told = {line.tranche: line for line in made(window).receipt.ledger}
    assert told[Tranche.RECALL].limit == 500
    assert 400 < told[Tranche.RECALL].tokens <= 500
    assert made(replace(window, mode=AUGMENT)).tokens > 1_000


def test_a_negative_budget_is_refused() -> None:
    with pytest.raises(InvalidInput, match="budget"):
        made(replace(FULL, budget=-1))


def test_shares_beyond_the_whole_are_refused_in_words() -> None:
    with pytest.raises(InvalidInput, match=r"at most 1, not to 1\.1 \(0\.5 \+ 0\.3 \+ 0\.3\)"):
        AssemblySettings(augment_hard_share=0.5, augment_soft_share=0.3, augment_tail_share=0.3)
    with pytest.raises(InvalidInput, match="window_hard_share, window_soft_share, window_tail_share"):
        AssemblySettings(window_tail_share=0.8)
    with pytest.raises(InvalidInput, match="augment_soft_share"):
        AssemblySettings(augment_soft_share=float("nan"))
    with pytest.raises(InvalidInput, match="minimum_turns"):
        AssemblySettings(minimum_turns=-1)


def test_a_counter_that_answers_nonsense_is_refused() -> None:
    for answer in (-1, 1.5, None, True):
        with pytest.raises(InvalidInput, match="count_tokens"):
            made(FULL, count_tokens=lambda _, answer=answer: answer)  # type: ignore[misc]


# ── what is chosen ────────────────────────────────────────────────────────────────────────────────────────


def test_what_the_host_shows_is_not_recalled_a_second_time() -> None:
    same_turn = hit("x1", "Other words.", sessionId="s", source_turn_id="t0")
    same_words = hit("x2", "turn   1\n")
    the_rule = hit("x3", "- Be brief.")
    the_question = hit("x4", "What shall I plant?")
    twice = hit("x5", "I keep bees.", 0.1, collection="user:n")
    done = made(replace(FULL, recalled=(*FULL.recalled, same_turn, same_words, the_rule, the_question, twice)))
    assert [one.id for one in done.trace.recalled] == ["history:n/h1", "history:n/h2"]
    for id in ("x1", "x2", "x3", "x4", "x5"):
        assert reasons(done, id) == [Why.VISIBLE]


def test_the_same_turn_of_another_session_is_another_turn() -> None:
    done = made(replace(FULL, recalled=(hit("x1", "Other words.", sessionId="other", source_turn_id="t0"),)))
    assert [one.id for one in done.trace.recalled] == ["turn other/t0"]


def test_a_turn_that_is_folded_while_a_turn_is_answered_keeps_its_place_in_the_prompt() -> None:
    said = "Cedar bark keeps moths away."
    view = hit("t0", said, collection="session:other", sessionId="other", source_turn_id="t0")
    first = made(replace(FULL, turn="now", recalled=(view,)))
    folded = hit("other/t0", said, collection="history:n", sessionId="other", source_turn_id="t0")
    late = hit("other/t1", "Moths dislike lavender too.", 0.9, sessionId="other", source_turn_id="t1")
    again = made(replace(FULL, turn="now", recalled=(late, folded), previous=first.trace))
    assert "Cedar bark" in again.closing
    assert reasons(again, "other/t1") == [Why.SAME_TURN]


def test_what_is_cut_from_the_window_can_be_recalled() -> None:
    turns = chat(40, "a rather long turn about the garden and its bees, number")
    old = hit("x", turns[0].text, sessionId="s", source_turn_id="t0")
    done = made(replace(FULL, mode=WINDOW, budget=900, turns=turns, messages=as_shown(turns), recalled=(old,)))
    assert [one.id for one in done.trace.recalled] == ["turn s/t0"]


OLD = hit("old", "I live in Ulm.", 0.9, collection="user:n", superseded_by="new", superseded_at=NOON, role="user")
NEW = hit("new", "I live in Bonn now.", 0.4, collection="user:n", role="user")


def test_an_outdated_memory_stands_marked_beside_its_successor_and_never_without() -> None:
    both = made(replace(FULL, recalled=(OLD, NEW)))
    assert [one.id for one in both.trace.recalled] == ["user:n/new", "user:n/old"]
    assert "user (outdated since 2026-09-21): I live in Ulm." in both.closing
    alone = made(replace(FULL, recalled=(OLD,)))
    assert alone.trace.recalled == ()
    assert reasons(alone, "old") == [Why.SUPERSEDED]


def test_an_outdated_memory_goes_when_there_is_no_room_for_its_successor() -> None:
    long = replace(NEW, record=replace(NEW.record, text="word " * 900))
    settings = AssemblySettings(memory_share=1.0)
    for budget in range(40, 400, 7):
        material = replace(FULL, budget=budget, recalled=(OLD, long), elevated=(), rules=())
        done = assemble(material, choose_tail=choose_tail, settings=settings)
        assert done.receipt.violations == ()
        assert {one.id for one in done.trace.recalled} in (set(), {"user:n/new"}, {"user:n/new", "user:n/old"})


def test_a_change_stands_in_the_order_of_time_though_it_was_told_in_two_conversations() -> None:
    old = said("t1", "I live in Ulm.", 0.5, minute=1, session="a")
    marks: dict[str, Json] = {**old.record.metadata, "superseded_by": "b/t9", "superseded_at": NOON}
    old = replace(old, record=replace(old.record, metadata=marks))
    other = said("t2", "I keep bees.", 0.7, minute=2, session="c")
    new = said("t9", "I live in Bonn now.", 0.9, minute=9_000, session="b")
    done = made(replace(FULL, recalled=(new, other, old), elevated=()))
    assert texts_in(done.closing) == ["I live in Ulm.", "I live in Bonn now.", "I keep bees."]


def test_an_outdated_memory_is_known_in_every_collection_and_by_a_successor_in_the_conversation() -> None:
    told = {"sessionId": "o", "source_turn_id": "1"}
    mark = hit("o/1", "I live in Ulm.", 0.3, collection="user:n", superseded_by="s/t5", **told)
    copy = hit("o/1", "I live in Ulm. ", 0.9, collection="history:n", **told)
    done = made(replace(FULL, recalled=(copy, mark)))
    assert "(outdated): I live in Ulm." in done.closing
    gone = made(replace(FULL, recalled=(copy, mark), messages=(), turns=()))
    assert gone.trace.recalled == ()
    assert set(reasons(gone, "o/1")) == {Why.SUPERSEDED}


def test_outdated_guidance_is_not_shown_at_all() -> None:
    old, new = (replace(one, record=replace(one.record, collection="elevated:user:n")) for one in (OLD, NEW))
    assert texts_in(made(replace(FULL, recalled=(), elevated=(old, new))).closing) == [NEW.record.text]


def test_silence_is_kept_and_explained() -> None:
    done = made(replace(FULL, silence="nothing is closer than 0.2"))
    assert "bees" not in done.text
    assert reasons(done, "h1") == [Why.SCORE]
    assert "German" in done.text
    assert "nothing is closer than 0.2" in done.receipt.reasons


def test_strengths_below_the_floor_and_guidance_at_its_threshold_stay_out() -> None:
    strong, weak = (
        replace(one, breakdown={"strength": strength}) for one, strength in zip(FULL.recalled, (0.3, 0.29), strict=True)
    )
    unmeasured = hit("h3", "Beans need sun.", 0.1)
    guidance = (hit("g", "Keep the changelog.", 0.2),)
    done = made(replace(FULL, floor=0.3, recalled=(strong, weak, unmeasured), elevated=guidance))
    assert [one.id for one in done.trace.recalled] == ["history:n/h1", "history:n/h3"]
    assert reasons(done, "h2") == [Why.SCORE]
    assert reasons(done, "g") == [Why.SCORE]


def test_a_memory_of_the_last_prompt_gives_way_only_to_a_clearly_better_one() -> None:
    room = replace(FULL, budget=85, elevated=(), rules=(), messages=FULL.messages)
    one, other = hit("a", "word " * 25, 0.50), hit("b", "term " * 25, 0.52)
    first = made(replace(room, recalled=(one,)))
    assert [each.id for each in first.trace.recalled] == ["history:n/a"]
    later = replace(room, prompt="And now?", recalled=(other, one), previous=first.trace)
    assert [each.id for each in made(later).trace.recalled] == ["history:n/a"]
    better = replace(later, recalled=(hit("b", "term " * 25, 0.60), one))
    assert [each.id for each in made(better).trace.recalled] == ["history:n/b"]


def apart(id: str, text: str, score: float) -> Hit:
    """A memory of a conversation of its own."""
    return hit(id, text, score, sessionId=f"of {id}", source_turn_id=id, role="user")


BEES_AND_SHADE = (apart("h1", "I keep bees.", 0.9), apart("h2", "My garden lies in the shade.", 0.7))


def test_memories_that_stay_keep_their_order_while_the_subject_stays() -> None:
    first = made(replace(FULL, recalled=BEES_AND_SHADE))
    bees, shade = (replace(one, score=score) for one, score in zip(BEES_AND_SHADE, (0.8, 0.9), strict=True))
    follow_up = replace(FULL, prompt="And now?", recalled=(apart("h3", "A new one.", 0.95), shade, bees))
    done = made(replace(follow_up, previous=first.trace))
    assert texts_in(done.closing)[-3:] == ["I keep bees.", "My garden lies in the shade.", "A new one."]


def test_another_subject_is_told_in_an_order_of_its_own_though_the_old_memories_still_fit() -> None:
    first = made(replace(FULL, recalled=BEES_AND_SHADE))
    bees, shade = (replace(one, score=score) for one, score in zip(BEES_AND_SHADE, (0.1, 0.3), strict=True))
    taxes = tuple(apart(f"t{n}", f"Taxes are due in month {n}.", 0.9 - n / 100) for n in range(3))
    other = replace(FULL, prompt="When are my taxes due?", recalled=(*taxes, shade, bees))
    done = made(replace(other, previous=first.trace))
    assert texts_in(done.closing)[1] == taxes[0].record.text
    assert texts_in(done.closing)[-2:] == ["My garden lies in the shade.", "I keep bees."]


def test_the_day_of_the_question_stands_in_the_frame_and_nothing_finer() -> None:
    morning = made(replace(FULL, now=NOON))
    assert "Today is Monday 2026-09-21." in morning.closing
    assert made(replace(FULL, now=NOON + 3_600_000)).closing == morning.closing
    assert "Today" not in made(FULL).closing


# ── one entry for what belongs together ───────────────────────────────────────────────────────────────────


def said(id: str, text: str, score: float, *, minute: int, session: str = "past", speaker: str = "Tom") -> Hit:
    told: dict[str, Json] = {"role": "user", "speaker": speaker, "sessionId": session, "source_turn_id": id}
    found = hit(f"{session}/{id}", text, score, collection="history:n", **told)
    return replace(found, record=replace(found.record, at=NOON + minute * 60_000))


BEES = (
    said("t9", "They swarmed in May.", 0.9, minute=9),
    said("t2", "Ann is afraid of them.", 0.8, minute=2, speaker="Ann"),
    said("t1", "I keep bees.", 0.7, minute=1),
    said("t3", "I keep sheep too.", 0.6, minute=3, session="other"),
)


def test_what_was_said_on_one_day_stands_in_one_entry_in_the_order_in_which_it_was_said() -> None:
    done = made(replace(FULL, recalled=BEES, elevated=()))
    assert done.closing.splitlines()[1:-1] == [
        '<entry at="2026-09-21">',
        "Tom: I keep bees.",
        "…",
        "Ann: Ann is afraid of them.",
        "…",
        "Tom: They swarmed in May.",
        "</entry>",
        '<entry at="2026-09-21">',
        "Tom: I keep sheep too.",
        "</entry>",
    ]


def test_the_days_of_one_conversation_stand_together_the_oldest_first() -> None:
    days = [said(f"d{day}", f"Day {day}.", 0.5 + day / 100, minute=1_440 * day) for day in (3, 1, 2)]
    other = said("x", "Else.", 0.525, minute=0, session="other")
    done = made(replace(FULL, recalled=(*days, other), elevated=()))
    assert texts_in(done.closing) == ["Day 1.", "Day 2.", "Day 3.", "Else."]


def test_another_day_is_another_entry() -> None:
    done = made(replace(FULL, recalled=(BEES[2], said("t8", "I keep goats.", 0.6, minute=1_440)), elevated=()))
    assert done.closing.count("<entry ") == 2


def test_what_comes_to_a_subject_that_stays_stands_in_its_place_in_time() -> None:
    swarmed, ann, bees, sheep = BEES
    first = made(replace(FULL, recalled=(swarmed, ann), elevated=()))
    late = said("t8", "Ann calmed down.", 0.95, minute=8, speaker="Ann")
    found = (late, swarmed, ann, bees, sheep)
    more = made(replace(FULL, recalled=found, elevated=(), previous=first.trace, turn="next"))
    assert texts_in(more.closing) == [one.record.text for one in (bees, ann, late, swarmed, sheep)]
    again = made(replace(FULL, recalled=found, elevated=(), previous=more.trace, turn="third"))
    assert again.closing == more.closing


def test_guidance_tells_of_each_rule_when_it_was_said() -> None:
    rules = tuple(
        replace(one, record=replace(one.record, collection="elevated:session:past")) for one in (BEES[0], BEES[2])
    )
    done = made(replace(FULL, recalled=(), elevated=rules))
    assert done.closing.count("<entry ") == 2


def test_of_two_turns_with_the_same_words_the_one_that_was_chosen_stays_the_one() -> None:
    one, other = said("t1", "I keep bees.", 0.9, minute=1), said("t7", "I keep bees.", 0.8, minute=7, session="other")
    first = made(replace(FULL, recalled=(one, other), elevated=()))
    chosen = [item.id for item in first.receipt.items if item.tranche is Tranche.RECALL]
    host = (*back_to_host(first, FULL), shown(FULL.prompt))
    again = replace(FULL, recalled=(other, one), elevated=(), messages=host, previous=first.trace)
    assert [item.id for item in made(again).receipt.items if item.tranche is Tranche.RECALL] == chosen == ["other/t7"]


def test_of_texts_with_the_same_words_the_newest_stands_where_the_best_ranks_and_the_others_are_accounted_for() -> None:
    old = said("t1", "I keep bees, in Lugano!", 0.9, minute=1, session="a")
    new = said("t7", "i keep  bees in lugano", 0.2, minute=7, session="b")
    question = said("t8", "I keep bees in Lugano?", 0.1, minute=8, session="c")
    third = said("t3", "I keep sheep.", 0.5, minute=3, session="d")
    done = made(replace(FULL, recalled=(old, third, new, question), elevated=()))
    assert texts_in(done.closing) == [one.record.text for one in (new, third, question)]
    assert reasons(done, "a/t1") == [Why.VISIBLE]


def test_a_larger_budget_never_holds_less() -> None:
    for random in cases(7, 10):
        hits = tuple(
            said(f"t{n}", f"{n} " + "word " * random.randrange(1, 30), random.random(), minute=n, session=f"s{n % 5}")
            for n in range(30)
        )
        held: set[str] = set()
        for budget in range(60, 1_600, 40):
            done = made(replace(FULL, budget=budget, recalled=hits, elevated=(), rules=(), now=NOON))
            now = {one.id for one in done.trace.recalled}
            assert held <= now
            held = now
        assert len(held) > 20


def test_of_long_memories_too_the_best_stands_there_if_anything_does() -> None:
    for random in cases(8, 6):
        hits = tuple(
            said(f"t{n}", f"{n} " + "A sentence of words. " * random.randrange(1, 400), random.random(), minute=n)
            for n in range(12)
        )
        best = min(hits, key=lambda one: -one.score / (prompt_tokens(one.record.text) + TAG) ** DEFAULTS.thrift)
        count = 0
        for budget in range(60, 4_000, 290):
            done = made(replace(FULL, budget=budget, recalled=hits, elevated=(), rules=()))
            names = {item.id for item in done.receipt.items if item.tranche is Tranche.RECALL}
            assert not names or best.record.id in names
            assert len(names) >= count - 1  # sentences are not cut, so that one may miss its place by a few tokens
            count = max(count, len(names))


def test_of_two_memories_that_are_nearly_as_good_the_short_one_is_worth_its_tokens() -> None:
    long, short = hit("long", "word " * 24, 0.70), hit("short", "I keep bees.", 0.65)
    tight = replace(FULL, budget=58, recalled=(long, short), elevated=(), rules=(), turns=(), messages=())
    assert texts_in(made(tight).closing) == ["I keep bees."]
    better = replace(long, score=0.95)
    (passage,) = texts_in(made(replace(tight, recalled=(better, short))).closing)
    assert passage.startswith("word word ")


def test_prices_of_memories_add_up_to_what_their_frame_holds() -> None:
    done = made(replace(FULL, recalled=BEES, elevated=()))
    inside = "".join(done.sections[-1].pieces[1:-1])
    told = sum(item.tokens for item in done.receipt.items if item.tranche is Tranche.RECALL)
    assert prompt_tokens(inside) <= told <= prompt_tokens(inside) + len(BEES)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_every_memory_that_a_receipt_names_is_read_back_word_for_word(seed: int) -> None:
    for random in cases(seed):
        material = any_material(random)
        done = made(material)
        for kind, tranche in ((SectionKind.ELEVATED, Tranche.ELEVATED), (SectionKind.RECALLED, Tranche.RECALL)):
            texts = {
                (one.record.collection, one.record.id): one.record.text
                for one in (*material.elevated, *material.recalled, *material.recovered)
            }
            named = [(item.collection, item.id) for item in done.receipt.items if item.tranche is tranche]
            part = "".join(section.text for section in done.sections if section.kind is kind)
            told = texts_in(part)
            assert len(told) == len(named)
            for text, name in zip(told, named, strict=True):
                assert text == texts[name] or text.strip("…") in texts[name]


# ── from turn to turn ─────────────────────────────────────────────────────────────────────────────────────


def test_the_same_words_in_the_next_turn_are_a_new_question() -> None:
    first = made(FULL)
    later = replace(FULL, turns=chat(8), messages=as_shown(chat(8)), recalled=(hit("h3", "New.", 1.0),))
    assert [one.id for one in made(replace(later, previous=first.trace)).trace.recalled] == ["history:n/h3"]


def test_within_a_turn_the_choice_never_changes() -> None:
    first = made(FULL)
    again = replace(
        FULL, previous=first.trace, silence="now it is", recalled=(hit("h3", "Better.", 1.0), *reversed(FULL.recalled))
    )
    done = made(again)
    assert done.closing == first.closing
    assert done.trace.recalled == first.trace.recalled
    assert reasons(done, "h3") == [Why.SAME_TURN]


# ── again and again ───────────────────────────────────────────────────────────────────────────────────────


def test_its_own_output_is_recognised_in_place_behind_which_the_turn_goes_on() -> None:
    first = made(FULL)
    grown = (*back_to_host(first, FULL), shown(FULL.prompt), shown("ok", Role.TOOL))
    done = made(replace(FULL, messages=grown, recalled=(), previous=first.trace))
    assert done.closing == first.closing
    assert done.trace.recalled == first.trace.recalled
    assert shape(done)[-4:] == ["elevated", "recalled", "message", "message"]


def test_a_turn_that_has_less_room_than_when_it_began_keeps_what_still_fits() -> None:
    material = replace(FULL, elevated=())
    first = made(material)
    host = (*back_to_host(first, material), shown(FULL.prompt), shown("ok", Role.TOOL))
    late = (hit("h3", "Better.", 1.0), *FULL.recalled)
    again = replace(material, messages=host, previous=first.trace, budget=first.tokens - 5, recalled=late)
    done = made(again)
    assert [one.id for one in done.trace.recalled] == ["history:n/h1"]
    assert reasons(done, "h2") == [Why.BUDGET]
    assert reasons(done, "h3") == [Why.SAME_TURN]


def test_a_node_that_is_no_rule_does_not_stand_among_them() -> None:
    assert made(replace(FULL, rules=(record("a#1", "Lore.", collection="authored:variant"),))).rules == ""


def dearer_at_the_end(text: str) -> int:
    """A counter for which the same words cost the more the later they stand."""
    return sum(place for place, letter in enumerate(text) if letter == "Z")


def test_an_order_that_a_hosts_counter_finds_dearer_is_weighed_again() -> None:
    dear, cheap = apart("dear", "Z" * 10, 0.9), apart("cheap", "word " * 30, 0.8)
    material = replace(FULL, budget=2_500, recalled=(dear, cheap), elevated=(), rules=(), turns=(), messages=())
    assert [one.id for one in made(material, count_tokens=dearer_at_the_end).trace.recalled] == [
        "turn of dear/dear", "turn of cheap/cheap",
    ]  # fmt: skip
    before = Trace(turn="earlier", recalled=(Chosen(id="turn of cheap/cheap", score=0.8),))
    done = made(replace(material, previous=before), count_tokens=dearer_at_the_end)
    assert [one.id for one in done.trace.recalled] == ["turn of dear/dear"]
    assert reasons(done, "cheap") == [Why.BUDGET]


def test_an_older_summary_that_makes_the_newer_ones_dearer_gives_way() -> None:
    told = {"collection": "session_summary:s", "type": "summary"}
    old, new = record("old", "word " * 30, **told), record("new", "Z" * 10, **told)
    material = replace(FULL, budget=5_000, recalled=(), elevated=(), rules=(), turns=(), messages=())
    done = made(replace(material, summaries=(old, new)), count_tokens=dearer_at_the_end)
    assert "word" not in done.opening
    assert "ZZ" in done.opening
    assert reasons(done, "old") == [Why.BUDGET]


def test_a_session_that_repeats_itself_keeps_its_tail_in_place_too() -> None:
    previous = None
    starts = []
    for length in range(40, 100, 2):
        words = tuple(shown("status, please", role) for role in (Role.USER, Role.ASSISTANT)) * (length // 2)
        done = made(
            replace(FULL, mode=WINDOW, budget=400, turns=(), messages=words, turn=str(length), previous=previous)
        )
        starts.append(done.kept[0])
        previous = done.trace
    moves = sum(one != other for one, other in pairwise(starts))
    assert starts == sorted(starts)
    assert 1 <= moves <= 5


def test_a_block_of_an_earlier_turn_is_taken_out() -> None:
    first = made(FULL)
    grown = (*back_to_host(first, FULL), shown(FULL.prompt), shown("Beans.", Role.ASSISTANT))
    done = made(replace(FULL, messages=grown, prompt="And then?", recalled=(), elevated=(), previous=first.trace))
    assert shape(done) == ["rules", *["message"] * 8]
    assert 6 not in done.kept


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_every_prompt_keeps_its_budget_its_rules_and_its_turns(seed: int) -> None:
    for random in cases(seed):
        material = any_material(random)
        done = made(material)
        assert done.is_degraded or done.tokens <= material.budget
        assert done.tokens == sum(line.tokens for line in done.receipt.ledger) == done.receipt.tokens
        for section in done.sections:
            assert section.tokens == prompt_tokens(section.text)
        for one in material.rules:
            if one.metadata["tier"] == Tier.HARD:
                assert f"{escape_rule(one.text)}\n" in done.rules
        assert [material.messages[place].content for place in done.kept] == [
            section.text for section in done.sections if section.kind is SectionKind.MESSAGE
        ]
        assert strip_frames(done.rules + done.opening + done.closing) == ""


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_given_its_own_output_it_changes_nothing_and_duplicates_nothing(seed: int) -> None:
    for random in cases(seed):
        material = any_material(random)
        first = made(material)
        host = back_to_host(first, material)
        again = made(replace(material, messages=host, previous=random.choice((first.trace, None))))
        assert back_to_host(again, replace(material, messages=host)) == host
        assert (again.rules, again.opening, again.closing) == (first.rules, first.opening, first.closing)
        assert again.tokens == first.tokens


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_the_same_material_gives_the_same_bytes(seed: int) -> None:
    for random, twin in zip(cases(seed), cases(seed), strict=True):
        assert made(any_material(random)) == made(any_material(twin))


def odd_counter(random: Random) -> Callable[[str], int]:
    """A host's counter of any kind: by words, by bytes, or one for which the whole is dearer than its parts."""
    kinds: list[Callable[[str], int]] = [
        lambda text: len(text.split()),
        lambda text: len(text.encode(errors="surrogatepass")),
        lambda text: len(text) ** 2 // 50,
        lambda text: len(text) % 97,
        lambda _: 0,
        lambda text: 5 + len(text) // 3,
    ]
    return random.choice(kinds)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_a_hosts_own_counter_is_obeyed_whatever_it_counts(seed: int) -> None:
    for random in cases(seed):
        material = any_material(random)
        count = odd_counter(random)
        done = made(material, count_tokens=count)
        assert done.is_degraded or done.tokens <= material.budget
        for section in done.sections:
            assert section.tokens == count(section.text)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_a_session_that_grows_stays_within_its_budget_and_reports_what_stays_the_same(seed: int) -> None:
    for random in cases(seed, 25):
        material = any_material(random)
        previous = made(material)
        for number in range(4):
            said: tuple[Turn, ...] = (
                *material.turns,
                turn(f"n{number}", f"Question {number}?", at=material.budget),
                turn(f"m{number}", f"Answer {number}.", Role.ASSISTANT),
            )
            material = replace(
                material, turns=said, messages=as_shown(said), prompt=f"Question {number + 1}?", previous=previous.trace
            )
            done = made(material)
            before, now = previous.text, done.text
            shared = next((i for i, (a, b) in enumerate(zip(before, now, strict=False)) if a != b), len(before))
            assert done.receipt.leading_tokens <= sum(section.tokens for section in done.sections)
            assert done.receipt.leading_tokens <= prompt_tokens(now[:shared]) + len(done.sections)
            previous = done
