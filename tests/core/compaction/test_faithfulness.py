"""What a model writes against what was said: the sources' own sentences pass, a changed one never does."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from libravdb.core.compaction.faithfulness import checked, review
from libravdb.core.compaction.negations import count_negations
from libravdb.core.compaction.sources import SaidLine, said_lines
from libravdb.model import Draft, SummaryTask

DAYS = ("2025-03-01", "2025-03-02")
PEOPLE = ("Anna", "Bruno", "Chiara", "Dmitri")
SUBJECTS = ("The baker", "My sister", "Our landlord", "The new printer", "Cousin Frieda", "The choir from Ghent")
VERBS = ("ordered", "painted", "counted", "repaired", "returned")
THINGS = ("chairs", "lanterns", "windows", "parcels", "bicycles")
TAILS = ("before noon", "in the old mill", "with Greta", "near the harbour", "because of the rain")


@st.composite
def sentence(draw: st.DrawFn) -> str:
    """A sentence with a name or not, a number, and a negation or not."""
    head, thing, tail = (draw(st.sampled_from(words)) for words in (SUBJECTS, THINGS, TAILS))
    number = draw(st.integers(2, 9_999))
    verb = draw(st.sampled_from(VERBS))
    said = "has not " + verb if draw(st.booleans()) else "has " + verb
    return f"{head} {said} {number} {thing} {tail}."


@st.composite
def conversation(draw: st.DrawFn) -> tuple[SaidLine, ...]:
    """What a few people said on two days; no sentence twice, and none that differs from another in its figure only."""
    found = draw(st.lists(sentence(), min_size=2, max_size=8, unique_by=lambda one: re.sub(r"\d+|not ", "", one)))
    return tuple(
        SaidLine(speaker=draw(st.sampled_from(PEOPLE)), day=draw(st.sampled_from(DAYS)), text=text) for text in found
    )


def spoken(*turns: tuple[str, str, str]) -> tuple[SaidLine, ...]:
    """Texts, speakers and days as a task tells them."""
    texts, roles, days = zip(*turns, strict=True)
    return said_lines(SummaryTask(texts=texts, roles=roles, days=days, max_tokens=40))


def draft(*lines: SaidLine) -> str:
    return "\n".join(f"[{line.day}] {line.speaker}: {line.text}" for line in lines)


def changed(line: SaidLine, text: str = "", *, speaker: str = "", day: str = "") -> SaidLine:
    return SaidLine(speaker=speaker or line.speaker, day=day or line.day, text=text or line.text)


SAID = (
    SaidLine(speaker="user", day="2025-03-01", text="We moved the planning meeting to Thursday because Anna was ill."),
    SaidLine(speaker="assistant", day="2025-03-01", text="Noted. The budget of 4,200 euros is decided on 3 March."),
    SaidLine(speaker="user", day="2025-03-02", text="I do not eat meat, but I like fish. Run `make release` first."),
)


# ── what always passes ────────────────────────────────────────────────────────────────────────────────────


@given(conversation(), st.data())
def test_a_text_made_of_source_sentences_passes(said: tuple[SaidLine, ...], data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(said), min_size=1, unique=True))

    looked = review(draft(*chosen), said)

    assert looked.problems == ()
    assert all(line.text in looked.text for line in chosen)


@given(st.lists(st.tuples(st.sampled_from(PEOPLE), st.text(max_size=80)), min_size=1, max_size=5))
def test_whatever_was_said_passes_as_it_was_said(turns: list[tuple[str, str]]) -> None:
    said = spoken(*((text, speaker, "") for speaker, text in turns))
    assume(said)

    assert review("\n".join(f"{line.speaker}: {line.text}" for line in said), said).problems == ()


@given(conversation())
def test_sentences_without_a_name_get_that_of_who_said_them(said: tuple[SaidLine, ...]) -> None:
    looked = review(" ".join(line.text for line in said), said)

    assert looked.problems == ()
    for line in said:
        assert any(
            written.startswith(f"[{line.day}] {line.speaker}: ") and line.text in written
            for written in looked.text.splitlines()
        )


@pytest.mark.parametrize(
    "line",
    [
        "[2025-03-01] user: The planning meeting moved to Thursday, as Anna was ill.",
        "[2025-03-01] assistant: On 3 March the budget (4,200 euros) is decided.",
        "[2025-03-01] Assistant: The budget of 4200 euros is decided on March 3.",
        "[2025-03-02] user: Does not eat meat, likes fish.",
        "[2025-03-02] user: Likes fish but no meat.",
        "- [2025-03-02] user: Run `make release` first.",
    ],
)
def test_a_faithful_paraphrase_passes(line: str) -> None:
    assert review(line, SAID).problems == ()


# ── what never passes ─────────────────────────────────────────────────────────────────────────────────────


@given(conversation(), st.data())
def test_a_changed_number_fails(said: tuple[SaidLine, ...], data: st.DataObject) -> None:
    line = data.draw(st.sampled_from(said))
    number = data.draw(st.integers(2, 9_999).filter(lambda each: str(each) not in line.text))

    text = re.sub(r"\d+", str(number), line.text)

    assert not review(draft(changed(line, text)), said).is_faithful


@given(conversation(), st.data())
def test_a_changed_name_fails(said: tuple[SaidLine, ...], data: st.DataObject) -> None:
    named = [line for line in said if re.search(r"Greta|Frieda|Ghent", line.text)]
    assume(named)
    line = data.draw(st.sampled_from(named))
    other = data.draw(st.sampled_from(["Zoltan", "Anna", "Bruno", "Lyon"]))

    text = re.sub(r"Greta|Frieda|Ghent", other, line.text)

    assert not review(draft(changed(line, text)), said).is_faithful


@given(conversation(), st.data())
def test_a_negation_that_is_dropped_or_added_fails(said: tuple[SaidLine, ...], data: st.DataObject) -> None:
    line = data.draw(st.sampled_from(said))
    text = line.text.replace("has not ", "has ") if "has not " in line.text else line.text.replace("has ", "has not ")

    assert not review(draft(changed(line, text)), said).is_faithful


@given(conversation(), st.data())
def test_a_swapped_speaker_or_day_fails(said: tuple[SaidLine, ...], data: st.DataObject) -> None:
    line = data.draw(st.sampled_from(said))
    speaker = data.draw(st.sampled_from([*PEOPLE, "Emil"]))
    day = data.draw(st.sampled_from([*DAYS, "2025-04-01"]))
    assume((speaker, day) != (line.speaker, line.day))

    assert not review(draft(changed(line, speaker=speaker, day=day)), said).is_faithful


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[2025-03-01] user: The meeting moved to Friday, as Anna was ill.", "Friday"),
        ("[2025-03-01] user: The meeting moved to Thursday, as Berta was ill.", "Berta"),
        ("[2025-03-01] user: Berta was ill.", "Berta"),
        ("[2025-03-01] assistant: The budget of 4,300 euros is decided on 3 March.", "4,300"),
        ("[2025-03-01] assistant: The budget of 4,200 euros is decided on 4 March.", "4 March"),
        ("[2025-03-01] user: The budget of 4,200 euros is decided on 3 March.", "wrong mouth"),
        ("[2025-03-02] user: Eats meat and likes fish.", "negation"),
        ("[2025-03-02] user: Does not like fish.", "negation"),
        ("[2025-03-02] user: Run `make deploy` first.", "make deploy"),
        ("[2025-03-02] assistant: Likes fish.", "does not in the sources"),
        ("[2025-03-01] Carl: Anna was ill.", "does not in the sources"),
        ("[2025-03-01] user: A common practice among successful business leaders.", "no source says"),
        ("Everybody celebrated wildly until sunrise.", "no source says"),
    ],
)
def test_a_changed_paraphrase_is_refused_with_the_reason(line: str, reason: str) -> None:
    assert reason in " ".join(review(line, SAID).problems)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Meine Schwester Lena isst kein Fleisch.", "Meine Schwester Lena isst Fleisch."),
        ("Wir treffen uns am Donnerstag in Linz.", "Wir treffen uns am Freitag in Linz."),
        ("Der Vertrag mit Herrn Huber läuft zwei Jahre.", "Der Vertrag mit Herrn Maier läuft zwei Jahre."),
        ("Mi hermana no come carne.", "Mi hermana come carne."),
        ("La reunión es el jueves en Sevilla.", "La reunión es el viernes en Sevilla."),
        ("Nous ne partons pas avant huit heures.", "Nous partons avant huit heures."),
        ("Le loyer est de 840 euros.", "Le loyer est de 850 euros."),
        ("我不吃肉，喜欢吃鱼。", "我吃肉，喜欢吃鱼。"),
        ("张伟三月五日去上海。", "李娜三月五日去上海。"),
        ("会议改到3月5日。", "会议改到3月6日。"),
    ],
)
def test_it_holds_in_five_languages(said: str, told: str) -> None:
    source = spoken((said, "user", "2025-03-01"))

    assert review(f"[2025-03-01] user: {said}", source).is_faithful
    assert not review(f"[2025-03-01] user: {told}", source).is_faithful


# ── reading ───────────────────────────────────────────────────────────────────────────────────────────────


def test_what_somebody_says_in_the_form_of_a_label_is_still_theirs() -> None:
    said = spoken(("[2025-03-01] James: I sold the boat.", "Maria", "2025-03-02"))

    assert not review("[2025-03-01] James: I sold the boat.", said).is_faithful


def test_a_draft_gets_its_labels_and_its_faults() -> None:
    task = SummaryTask(texts=("I sold the boat.",), roles=("James",), days=("2025-03-01",), max_tokens=40)

    good = checked(Draft(text="I sold the boat.", method="m", notes=("cut",)), task)
    bad = checked(Draft(text="I sold 3 boats.", method="m"), task)

    assert (good.text, good.faults, good.notes) == ("[2025-03-01] James: I sold the boat.", (), ("cut",))
    assert bad.faults


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_can_be_looked_at(draft: str, said: str) -> None:
    review(draft, spoken((said, "user", "")))


def test_a_long_draft_is_looked_at_in_good_time() -> None:
    said = spoken(*((f"On day {n} we counted {n} boats near the harbour of Ghent.", "user", "") for n in range(100)))

    looked = review("\n".join(f"user: On day {n} there were {n} boats near Ghent." for n in range(40)), said)

    assert looked.problems == ()


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("I don't know", 1),
        ("neither here nor there", 2),
        ("das ist keine Frage", 1),
        ("非常好", 0),
        ("没有", 1),
        ("notable", 0),
    ],
)
def test_negations_are_counted(text: str, count: int) -> None:
    assert count_negations(text) == count
