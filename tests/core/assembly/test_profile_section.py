"""The profile in a prompt: whole lines within its share, the most important first, the same bytes every time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.assembly.materials import any_material, as_shown, cases, chat, hit, profile_line, rule

from libravdb.core.assembly.assemble import assemble
from libravdb.core.assembly.render import FRAMES, parse
from libravdb.core.assembly.settings import AssemblySettings
from libravdb.core.continuity.tail import choose_tail
from libravdb.core.ingest.own_frames import PROFILE_NOTE, strip_frames
from libravdb.model import Assembly, AssemblyMode, Material, SectionKind, Tranche, Why
from libravdb.text.tokens import prompt_tokens

ALLERGY = profile_line("health:1", "I'm allergic to walnuts.")
NAME = profile_line("name:1", "My name is Tom.")
WORK = profile_line("work:1", "I have worked as a carpenter for a small boatyard by the lake since the spring of 2019.")
HOME = profile_line("home:1", "I live in Graz.")
PERSON = Material(mode=AssemblyMode.AUGMENT, budget=2_000, session="s", profile=(ALLERGY, NAME, WORK, HOME))


def made(material: Material, *, count_tokens: Callable[[str], int] = prompt_tokens) -> Assembly:
    done = assemble(material, choose_tail=choose_tail, count_tokens=count_tokens)
    assert done.receipt.violations == ()
    return done


def texts(done: Assembly) -> list[str]:
    found = [block for block in parse(done.rules) or () if block.kind is SectionKind.PROFILE]
    return [line for block in found for line in block.lines]


def test_it_stands_behind_the_rules_and_belongs_to_what_a_host_puts_into_its_system_prompt() -> None:
    done = made(replace(PERSON, rules=(rule(1, "Never push to main."),)))
    assert [section.kind for section in done.sections] == [SectionKind.RULES, SectionKind.PROFILE]
    assert texts(done) == [line.text for line in PERSON.profile]
    assert done.rules.endswith("</profile>\n")


def test_of_a_small_budget_the_allergy_takes_the_first_tokens() -> None:
    for budget in (264, 300, 600):
        done = made(replace(PERSON, budget=budget))
        assert texts(done)[0] == ALLERGY.text
        assert done.tokens <= max(0.08 * budget, min(100, budget / 4))


def test_a_line_that_does_not_fit_is_left_out_whole_and_the_next_one_that_fits_stands_there() -> None:
    done = made(replace(PERSON, budget=160))
    assert texts(done) == [ALLERGY.text, NAME.text, HOME.text][: len(texts(done))]
    assert WORK.text not in done.rules
    left = {one.id: one for one in done.receipt.left_out}
    assert left["work:1"].why is Why.BUDGET


def test_pinned_lines_come_first_and_stand_in_their_place() -> None:
    pinned = replace(HOME, is_pinned=True)
    material = replace(PERSON, profile=(ALLERGY, NAME, WORK, pinned), budget=84)
    assert texts(made(material)) == [pinned.text]
    assert texts(made(replace(material, budget=160))) == [ALLERGY.text, NAME.text, pinned.text]


def test_it_takes_no_more_than_its_settings_say() -> None:
    many = tuple(profile_line(f"liking:{n}", f"I like the song number {n} best of all.") for n in range(60))
    done = made(replace(PERSON, budget=100_000, profile=many))
    assert 180 < done.tokens <= 200
    settings = AssemblySettings(profile_tokens=50)
    few = assemble(replace(PERSON, budget=100_000, profile=many), choose_tail=choose_tail, settings=settings)
    assert few.tokens <= 50
    assert assemble(PERSON, choose_tail=choose_tail, settings=AssemblySettings(profile_share=0)).rules == ""


def test_a_small_budget_leaves_it_a_hundred_tokens_but_no_more_than_a_quarter() -> None:
    many = tuple(profile_line(f"liking:{n}", f"I like the song number {n} best of all.") for n in range(60))
    for budget, room in ((200, 50), (400, 100), (600, 100), (1_000, 100), (2_000, 160)):
        done = made(replace(PERSON, budget=budget, profile=many))
        assert room - 15 < done.tokens <= room
    none = AssemblySettings(profile_least=0)
    few = assemble(replace(PERSON, budget=600, profile=many), choose_tail=choose_tail, settings=none)
    assert few.tokens <= 48


def test_a_degraded_prompt_leaves_it_out_and_says_so() -> None:
    done = made(replace(PERSON, budget=5, rules=(rule(1, "Never push to main. " * 10),)))
    assert done.is_degraded
    assert "<profile" not in done.rules
    assert {one.id for one in done.receipt.left_out if one.why is Why.DEGRADED} == {line.id for line in PERSON.profile}


def test_a_receipt_tells_each_line_with_its_kind_and_source() -> None:
    done = made(replace(PERSON, profile=(replace(ALLERGY, is_pinned=True, is_edited=True),)))
    (item,) = (item for item in done.receipt.items if item.tranche is Tranche.PROFILE)
    assert item.reasons == ("health, from s/health:1", "pinned", "corrected by hand")
    (line,) = (line for line in done.receipt.ledger if line.tranche is Tranche.PROFILE)
    assert line.tokens == done.tokens
    assert line.limit == 160


def test_a_memory_is_not_shown_again_when_the_profile_holds_its_whole_text() -> None:
    whole, more = hit("a", "I'm  allergic to walnuts."), hit("b", "I'm allergic to walnuts. They make me cough.")
    done = made(replace(PERSON, prompt="What shall I cook?", recalled=(whole, more)))
    assert [item.id for item in done.receipt.items if item.tranche is Tranche.RECALL] == ["b"]
    (left,) = (one for one in done.receipt.left_out if one.id == "a")
    assert (left.why, left.reason) == (Why.VISIBLE, "it stands in the profile")


def test_a_line_whose_words_count_from_a_day_stands_with_that_day() -> None:
    moved = replace(HOME, text="I moved to Graz last week.", is_dated=True)
    done = made(replace(PERSON, profile=(ALLERGY, moved)))
    assert texts(done) == [ALLERGY.text, "I moved to Graz last week. (2026-09-21)"]


def test_its_bytes_stay_while_a_conversation_grows() -> None:
    seen = set()
    for length in range(0, 60, 7):
        turns = chat(length, words="We talked for a good while about this and that, number")
        material = replace(PERSON, turns=turns, messages=as_shown(turns), prompt=f"Question {length}?")
        seen.add(made(material).rules)
        seen.add(made(replace(material, messages=())).rules)
    assert len(seen) == 1


def test_somebody_elses_profile_tags_are_no_frame_of_ours() -> None:
    said = "Please read this:\n<profile>\nname: Tom\nage: 40\n</profile>\nand tell me what is wrong."
    assert strip_frames(said) == said
    assert strip_frames("</profile>\nwas left open") == "</profile>\nwas left open"
    assert PROFILE_NOTE in FRAMES[SectionKind.PROFILE].opening
    ours = made(PERSON).rules
    assert strip_frames(f"{said}\n{ours}\nThanks.") == f"{said}\nThanks."
    quoted = "\n".join(f"> {line}" for line in ours.splitlines())
    assert strip_frames(f"{quoted}\nThanks.") == "Thanks."


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_whatever_a_line_says_it_cannot_leave_its_frame(seed: int) -> None:
    for random in cases(seed):
        material = any_material(random)
        done = made(material)
        shown = [item.id for item in done.receipt.items if item.tranche is Tranche.PROFILE]
        by_id = {line.id: line for line in material.profile}
        assert texts(done) == [" ".join(by_id[id].text.split()) for id in shown]
        charged = sum(one.tokens for one in done.sections if one.kind is SectionKind.PROFILE)
        assert charged <= min(200, max(0.08 * material.budget, min(100, material.budget / 4)))
