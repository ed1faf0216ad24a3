"""Detectors find what they are named after, in several languages, and leave ordinary prose alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.gate.detectors import ACTION, DETAIL, PLAIN, PRECISE, TECHNICAL, Signal, fire
from libravdb.core.gate.parsed_turn import MOST_READ, read
from libravdb.core.gate.score import load_of, technical_of


def fired(signals: tuple[Signal, ...], text: str) -> set[str]:
    return {firing.signal for firing in fire(signals, read(text))}


@pytest.mark.parametrize(
    "prose",
    [
        "let us go home",
        "Let's make dinner and go to the park.",
        "She ate the egg at the end of the era.",
        "Call 5551234 or 1234567 tomorrow.",
        "He/she and/or they drove 12 km/h on 12/05/2023.",
        "The deadbeef was decadent, the facade faded.",
        "I need to find a class for my son (he is 5).",
        "Try to cat-sit, then grep the newspaper; sort the mail.",
        "Don't panic: everything is fine.",
        "From Berlin import taxes are high.",
        "Return tomorrow. Break a leg! Continue please.",
        "We use Node.js and Vue.js at work.",
        "It is 10:30, and the score was 3.5 to 2.1.",
        "EVERYONE was EXCITED, ENOUGH said.",
    ],
)
def test_ordinary_prose_is_not_technical(prose: str) -> None:
    assert technical_of(prose) == 0
    assert fired(PRECISE, prose) == set()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("```\nx = 1\n```", "code fence"),
        ("see src/app/main.py", "file path"),
        ("it is in /etc/hosts.d/local", "file path"),
        (r"open C:\Users\me\notes.txt", "file path"),
        ("check package.json", "file path"),
        ("def f(x): pass", "definition of a function or class"),
        ("func (s *Store) Get(key string) error {", "definition of a function or class"),
        ("run git push and wait", "shell command"),
        ("$ make test", "shell command"),
        ("https://example.org/x", "URL or endpoint"),
        ("GET /health answers", "URL or endpoint"),
        ("it listens on localhost:8080", "URL or endpoint"),
        ("panic: x", "stack trace"),
        ("Traceback (most recent call last):", "stack trace"),
        ("ValueError: bad", "stack trace"),
        ("fixed in 8f3a91c", "hash or hex id"),
        ("id 123e4567-e89b-12d3-a456-426614174000", "hash or hex id"),
    ],
)
def test_technical_things_are_recognised(text: str, name: str) -> None:
    assert name in fired(TECHNICAL, text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("on 3 May", "date"),
        ("am 14. Juni", "date"),
        ("el viernes", "date"),
        ("le 20 juillet", "date"),
        ("下周三见", "date"),
        ("в августе", "date"),
        ("it weighs 5 kg", "quantity"),
        ("zwei Hunde", "quantity"),
        ("tres hijos", "quantity"),
        ("deux garçons", "quantity"),
        ("两只猫", "quantity"),
        ("my sister", "reference to a person"),
        ("meine Tochter", "reference to a person"),
        ("mi hermano", "reference to a person"),
        ("ma femme", "reference to a person"),
        ("我女儿", "reference to a person"),
        ("моя жена", "reference to a person"),
        ("I prefer tea.", "preference"),
        ("Ich trinke am liebsten Tee.", "preference"),
        ("Prefiero el té.", "preference"),
        ("Je déteste le thé.", "preference"),
        ("我喜欢喝茶。", "preference"),
        ("Я люблю чай.", "preference"),
        ("I live in Porto.", "fact about oneself"),
        ("Ich wohne in Ulm.", "fact about oneself"),
        ("Vivo en Vigo.", "fact about oneself"),
        ("J'habite à Nice.", "fact about oneself"),
        ("我住在上海。", "fact about oneself"),
        ("Я живу в Риге.", "fact about oneself"),
    ],
)
def test_plain_things_are_recognised_in_several_languages(text: str, name: str) -> None:
    assert name in fired(PLAIN, text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Call load_config() first", "call or function"),
        ("it fails with ECONNREFUSED", "error code"),
        ("error TS2345 in the build", "error code"),
        ("HTTP 502 again", "error code"),
        ("exit code 137", "error code"),
        ("merged PR #482", "git reference"),
        ("released v2.4.0", "git reference"),
        ("rebase on origin/main", "git reference"),
    ],
)
def test_precise_things_are_recognised(text: str, name: str) -> None:
    assert name in fired(PRECISE, text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("We decided to use Go.", "architectural decision"),
        ("Wir haben uns für Go entschieden.", "architectural decision"),
        ("Hemos decidido usar Go.", "architectural decision"),
        ("On a choisi Go.", "architectural decision"),
        ("我们决定用Go。", "architectural decision"),
        ("Fixed the leak.", "fix or resolution"),
        ("Der Fehler ist behoben.", "fix or resolution"),
        ("Released it today.", "release or merge"),
        ("I set the limit to 5.", "configuration change"),
    ],
)
def test_actions_are_recognised_in_several_languages(text: str, name: str) -> None:
    assert name in fired(ACTION, text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("class Invoice has many lines", "definition"),
        ("a foreign key to users", "data structure"),
        ("pinned requests==2.31", "dependency"),
        ("test_checkout is flaky", "test"),
        ("/** Adds. */", "doc comment"),
    ],
)
def test_details_are_recognised(text: str, name: str) -> None:
    assert name in fired(DETAIL, text)


def test_what_is_asked_is_no_preference_and_no_fact() -> None:
    assert fired(PLAIN, "Do you like tea?") <= {"reference to a person"}
    assert "fact about oneself" not in fired(PLAIN, "How do I undo the last commit?")


def test_a_fact_beside_a_question_counts() -> None:
    assert "fact about oneself" in fired(PLAIN, "I am vegetarian, what can I cook?")
    assert "fact about oneself" in fired(PLAIN, "I'm planning a trip to Napa and was wondering where to stay?")


NAMES = st.from_regex(r"[a-z]{3,8}", fullmatch=True)
CODE_LINES = st.one_of(
    st.builds("def {0}({1}):\n    return {1} + 1".format, NAMES, NAMES),
    st.builds("const {0} = {1}.map((x) => x * 2);".format, NAMES, NAMES),
    st.builds("import {0}".format, NAMES),
    st.builds("    if ({0} == 3) {{\n        {1}();\n    }}".format, NAMES, NAMES),
    st.builds("SELECT {0} FROM {1} WHERE id = 7;".format, NAMES, NAMES),
    st.builds("{0} = {{'{1}': 5}}".format, NAMES, NAMES),
    st.builds("public int {0}(String {1}) {{ return 4; }}".format, NAMES, NAMES),
    st.builds("# my {0} likes {1} since March\n{0} = 1".format, NAMES, NAMES),
)


@given(st.lists(CODE_LINES, min_size=1, max_size=8).map("\n".join))
def test_pure_code_has_little_plain_load(code: str) -> None:
    assert load_of(code) <= 0.3
    assert load_of(f"```\n{code}\n```") <= 0.3


@given(st.text(max_size=400))
def test_any_text_can_be_read(text: str) -> None:
    for signals in (TECHNICAL, PLAIN, PRECISE, ACTION, DETAIL):
        for firing in fire(signals, read(text)):
            assert firing.evidence


@pytest.mark.parametrize(
    "piece", ["1,", "a/", "./", "(", "A_", "。", "the ", "a, not ", "\n", "ab12", "\ud800", "\0", "م "]
)
def test_long_hostile_texts_are_read_in_part(piece: str) -> None:
    text = "I live in Porto. " + piece * 20_000 + " My son is 6."
    assert len(read(text).text) <= MOST_READ
    assert 0 <= technical_of(text) <= 1
    assert load_of("I live in Porto.") <= load_of(text) <= 1
