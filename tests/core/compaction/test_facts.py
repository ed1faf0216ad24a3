"""Facts: what is listed, how it is found again, and what the ledger promises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.compaction.fact_readers import MASK, read
from libravdb.core.compaction.facts import (
    LEDGER,
    LONGEST_READ,
    STANCES,
    inventory,
    ledger,
    read_ledger,
    split_ledger,
    survival,
)
from libravdb.model import Fact, FactKind
from libravdb.text.tokens import prompt_tokens

TEXTS = st.lists(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(
            "We decided to use Postgres 15 on 7 May 2023 at 5:30 pm ; see src/app.py and `git push -f origin` costs"
            " $1,200 three kids Anna Miller ABC-123 v1.2.3 ECONNRESET https://example.org/a?b=1 a.b@example.org . \n"
            " LIBRA_HOME Facts: last week 45% 3-4 weeks 10 km MAX_SIZE 2024-02-29 zwei Äpfel 三 3月5日 1,5 € \ud800"
            " \x00 مرحبا".split(" ")
        ),
        max_size=25,
    ).map(" ".join),
    max_size=5,
)


def listed(*texts: str, kind: FactKind | None = None) -> list[tuple[str, str]]:
    return [(fact.kind.value, fact.text) for fact in inventory(texts) if kind in (None, fact.kind)]


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("It cost $1,200.50 in the end.", "number", "$1,200.50"),
        ("Bring 16GB of memory.", "number", "16GB"),
        ("We walked 12 km today.", "number", "12 km"),
        ("She has three kids.", "number", "three kids"),
        ("Sales fell by 4.5%.", "number", "4.5%"),
        ("It takes 3–4 weeks.", "number", "3–4 weeks"),
        ("We sit in room 42.", "number", "room 42"),
        ("On 7 May 2023 we met.", "date", "7 May 2023"),
        ("On May 7th we met.", "date", "May 7th"),
        ("Seit dem 3. Oktober 2021 geht es.", "date", "3. Oktober 2021"),
        ("Fue el 5 de marzo de 2020.", "date", "5 de marzo de 2020"),
        ("会议在2024年3月5日举行", "date", "2024年3月5日"),
        ("It was released 2024-02-29.", "date", "2024-02-29"),
        ("It happened two weeks ago.", "date", "two weeks ago"),
        ("I went there last Friday.", "date", "last Friday"),
        ("I moved in 2019.", "date", "2019"),
        ("The call is at 5:30 p.m. sharp.", "time", "5:30 p.m."),
        ("Um 17 Uhr geht es los.", "time", "17 Uhr"),
        ("Look into src/app/main.py first.", "path", "src/app/main.py"),
        ("It lies in /etc/nginx/nginx.conf there.", "path", "/etc/nginx/nginx.conf"),
        (r"Open C:\Users\me\notes.txt now.", "path", r"C:\Users\me\notes.txt"),
        ("Then run `docker compose up -d web` again.", "command", "docker compose up -d web"),
        ("Then run git push origin main and wait.", "command", "git push origin main"),
        ("$ make test\nfine", "command", "make test"),
        ("See https://example.org/a?b=1.", "url", "https://example.org/a?b=1"),
        ("The fix is in ABC-123.", "identifier", "ABC-123"),
        ("It broke in v2.3.1-rc1 for us.", "identifier", "v2.3.1-rc1"),
        ("Commit 3f2a9bc broke it.", "identifier", "3f2a9bc"),
        ("It says ECONNREFUSED.", "identifier", "ECONNREFUSED"),
        ("Set LIBRAVDB_DB_PATH first.", "identifier", "LIBRAVDB_DB_PATH"),
        ("Write to anna@example.org.", "identifier", "anna@example.org"),
        ("It raises a ValueError.", "identifier", "ValueError"),
        ("The field `userId` is missing.", "identifier", "userId"),
        ("I met Anna Miller there.", "name", "Anna Miller"),
        ("We train it with PyTorch.", "name", "PyTorch"),
        ("After a talk we decided to use Postgres.", "decision", "After a talk we decided to use Postgres"),
        ("Wir haben uns für Rust entschieden.", "decision", "Wir haben uns für Rust entschieden"),
        ("我们决定用缓存。", "decision", "我们决定用缓存。"),
        ("The insurance does not cover the boat.", "negation", "The insurance does not cover the boat"),
        ("We will never sell the old piano.", "negation", "We will never sell the old piano"),
        ("Die Versicherung zahlt dafür nicht.", "negation", "Die Versicherung zahlt dafür nicht"),
        ("Nous ne vendons jamais le piano.", "negation", "Nous ne vendons jamais le piano"),
        ("Ya no vivimos en Sevilla.", "negation", "Ya no vivimos en Sevilla"),
        ("保险不包括那条船", "negation", "保险不包括那条船"),
        ("For the door I prefer brass.", "preference", "For the door I prefer brass"),
        ("Ich nehme lieber Messing.", "preference", "Ich nehme lieber Messing"),
        ("Prefiero el tren.", "preference", "Prefiero el tren"),
        ("Je préfère le train.", "preference", "Je préfère le train"),
        ("我更喜欢火车", "preference", "我更喜欢火车"),
    ],
)
def test_facts_are_listed_as_they_are_written(text: str, kind: str, expected: str) -> None:
    assert (kind, expected) in listed(text)


@pytest.mark.parametrize(
    "text",
    [
        "Let us go home and make mistakes.",
        "You may think so.",
        "He marched and/or walked in.",
        "1. First of all\n2) then this\n**3.** and that",
        "No one knows why. Nobody asks.",
        "Have we decided on a name yet?",
        "Thanks! That was great. Sure, why not.",
        "I don't know. I can't wait! Never mind.",
        "Keine Ahnung, das weiß ich nicht.",
        "Wir gehen nach Hause und lesen das Buch auf dem Sofa.",
        "",
        "   \n",
    ],
)
def test_ordinary_prose_holds_no_facts(text: str) -> None:
    assert listed(text) == []


@pytest.mark.parametrize(
    ("written", "elsewhere"),
    [
        ("It was 1,200 km.", "About 1200 kilometres, they say: 1200 km."),
        ("We met on 7 May 2023.", "met 2023-05-07"),
        ("We met on 7 May 2023.", "The day was May 7, 2023."),
        ("We met on May 7.", "on 2023-05-07"),
        ("That was in 2023.", "2023-05-07"),
        ("At 5:30 pm.", "at 17:30"),
        ("She has three kids.", "She has 3 kids"),
        ("It takes 90 minutes.", "90 min"),
        ("I met Anna there, and Anna's brother.", "ANNA came too"),
        ("Call `main()` now.", "main() is called, `main`"),
    ],
)
def test_the_same_fact_is_found_in_another_form(written: str, elsewhere: str) -> None:
    assert survival(inventory([written]), elsewhere).missing == ()


@pytest.mark.parametrize(
    ("written", "elsewhere"),
    [
        ("She has three kids.", "She has 3 dogs."),
        ("On 7 May 2023.", "On 8 May 2023."),
        ("It is v1.2.3.", "It is v1.2.30."),
        ("See src/app.py.", "See src/app.pyi."),
        ("I met Anna there.", "I met Annabel there."),
        ("It costs $12.", "It costs €12."),
    ],
)
def test_a_similar_fact_is_not_the_same(written: str, elsewhere: str) -> None:
    facts = inventory([written])
    assert facts
    assert survival(facts, elsewhere).found == ()


def test_a_word_at_the_head_of_a_sentence_is_a_name_only_if_it_is_one_elsewhere() -> None:
    assert listed("Melanie came late.", kind=FactKind.NAME) == []
    assert ("name", "Melanie") in listed("Melanie came late.", "I saw Melanie.")
    assert inventory(["Melanie came late.", "I saw Melanie."])[0].source == 0


def test_facts_are_listed_once_and_counted() -> None:
    (fact,) = inventory(["See src/app.py.", "Again src/app.py, and src/app.py."])
    assert (fact.source, fact.count) == (0, 3)


def test_the_most_telling_facts_come_first_and_the_limit_holds() -> None:
    facts = inventory(["I met Anna Miller in room 42; the fix is ABC-123."])
    assert ledger(facts, max_tokens=100) == "Facts: fix is ABC-123; I met Anna Miller in room 42"
    assert ledger(facts, max_tokens=5) == "Facts: ABC-123"
    assert ledger(facts, max_tokens=2) == ""


def test_a_ledger_is_read_back_when_a_summary_is_folded_again() -> None:
    facts = inventory(["I met Anna Miller on 7 May; run `a; b --c`, or `make x; make y`. We decided to go with tea."])
    body, line = split_ledger(f"They talked.\n{ledger(facts, max_tokens=200)}")
    again = inventory([body], ledgers=read_ledger(line))
    assert {(fact.kind, fact.normal) for fact in again} >= {
        (fact.kind, fact.normal) for fact in facts if fact.kind is not FactKind.COMMAND
    }


@given(TEXTS, st.integers(0, 200))
def test_what_the_ledger_names_is_found_in_it(texts: list[str], limit: int) -> None:
    facts = inventory(texts)
    line = ledger(facts, max_tokens=limit)
    assert prompt_tokens(line) <= limit
    assert "\n" not in line
    entries = [entry for group in read_ledger(line) for entry in group.entries]
    assert len(survival(facts, f"x\n{line}").found) >= len(entries)
    assert bool(line) == bool(entries)


@given(TEXTS)
def test_with_room_for_all_nothing_is_lost(texts: list[str]) -> None:
    facts = inventory(texts)
    result = survival(facts, f"x\n{ledger(facts, max_tokens=10_000)}")
    assert all(fact.kind is FactKind.DATE for fact in result.missing), "relative dates say nothing by themselves"


@given(TEXTS)
def test_facts_survive_in_the_texts_they_came_from(texts: list[str]) -> None:
    for place, text in enumerate(texts):
        mine = [fact for fact in inventory([text]) if fact.kind not in STANCES]
        assert survival(mine, text).missing == (), place


@given(TEXTS, st.text(max_size=80))
def test_survival_splits_the_facts_and_its_rates_are_shares(texts: list[str], text: str) -> None:
    facts = inventory(texts)
    result = survival(facts, text)
    assert sorted(map(str, (*result.found, *result.missing))) == sorted(map(str, facts))
    assert 0 <= result.rate <= 1
    assert all(0 <= rate <= 1 for rate in result.rates.values())
    assert set(result.rates) == {fact.kind for fact in facts}


@given(TEXTS)
def test_the_same_texts_give_the_same_facts(texts: list[str]) -> None:
    assert inventory(texts) == inventory(list(texts))
    keys = [(fact.kind, fact.normal) for fact in inventory(texts)]
    assert len(keys) == len(set(keys))


@given(TEXTS)
def test_reading_hides_what_it_took_and_moves_nothing(texts: list[str]) -> None:
    for text in (*texts, "from 5 room 42 room 7"):
        reading = read(text)
        assert len(reading.rest) == len(text)
        assert all(hidden in (MASK, shown) for hidden, shown in zip(reading.rest, text, strict=True))


def test_of_a_huge_text_the_head_and_the_tail_are_read() -> None:
    text = "ABC-1 " + "word " * LONGEST_READ + " ABC-2"
    assert [fact.text for fact in inventory([text])] == ["ABC-1", "ABC-2"]


@pytest.mark.parametrize(
    "piece", ["1", "1,", "a/", "\\a", "A-", "a_", "git push a ", "`", "May 1 ", "two-", "Ab Cd ", "Facts: ; "]
)
def test_long_adversarial_texts_are_read_in_one_pass(piece: str) -> None:
    facts = inventory([piece * (30_000 // len(piece))])
    assert all(isinstance(fact, Fact) for fact in facts)
    assert len(ledger(facts, max_tokens=50)) <= 50 * 4
    assert not ledger(facts, max_tokens=50) or ledger(facts, max_tokens=50).startswith(LEDGER)


def test_a_ledger_tells_who_said_it_on_which_day() -> None:
    facts = inventory(
        ["I do not eat meat or fish. The fix is ABC-123.", "We sit in room 42."],
        labels=["[2023-10-12] James", "[2023-10-14] Anna"],
    )
    line = ledger(facts, max_tokens=100)
    assert line == (
        "Facts: [2023-10-12] James: I do not eat meat or fish; The fix is ABC-123; [2023-10-14] Anna: We sit in room 42"
    )
    assert [(group.label, group.entries) for group in read_ledger(line)] == [
        ("[2023-10-12] James", ("I do not eat meat or fish", "The fix is ABC-123")),
        ("[2023-10-14] Anna", ("We sit in room 42",)),
    ]


def test_words_of_a_person_are_no_ledger() -> None:
    said = "Facts: the fix is ABC-123"
    assert [fact.text for fact in inventory([said])] == ["ABC-123"]
    summary = f"[2023-10-12] James: {said}"
    assert split_ledger(summary) == (summary, "")
