"""Vetoes: what is never kept, and what they must let through."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.gate.machine_output import find_boot_text, noise_share
from libravdb.core.gate.parsed_turn import read
from libravdb.core.gate.score import judge
from libravdb.core.gate.vetoes import Circumstances, find_veto, restates

RULES = (
    "Never commit directly to main.",
    "Always write commit messages in English.",
    "Keep functions under 40 lines.",
)


def veto_of(text: str, **known: object) -> str:
    found = find_veto(read(text), Circumstances(**known))  # type: ignore[arg-type] # fields by name
    return found.name if found else ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "\0",
        "?!",
        "🎉🎉",
        "hi",
        "Thank you so much, this was great!",
        "ok let's go on",
        "Vielen Dank!",
        "¡Gracias!",
        "Merci beaucoup",
        "谢谢",
        "Спасибо",
        "What is the capital of France?",
        "Wie spät ist es?",
        "¿Qué hora es?",
        "Quelle heure est-il ?",
        "现在几点？",
        "Write a poem about the sea.",
        "That is really interesting.",
        "You must be kidding.",
        "https://example.org",
    ],
)
def test_turns_without_substance_are_vetoed(text: str) -> None:
    assert veto_of(text) == "no substance"


@pytest.mark.parametrize(
    "text",
    [
        "My daughter Mia starts school in September",
        "We decided to use Postgres 16",
        "remember: the staging password is in the vault",
        "Ich bin allergisch gegen Nüsse",
        "Can you recommend a restaurant? I am vegetarian",
        "TypeError: x is not a function at src/a.js:3. Fixed by importing x.",
        "Never push on Fridays.",
        "Thanks! By the way, my sister is called Ana.",
        "Hello, I am Tom and I live in York.",
        "我对花生过敏",
        "Vivo en Sevilla.",
        "J'habite à Lyon.",
        "def add(a, b):\n    return a + b",
    ],
)
def test_real_content_passes(text: str) -> None:
    assert veto_of(text) == ""


def test_an_echo_and_a_lone_secret_are_vetoed_by_name() -> None:
    assert veto_of("I live in Porto.", is_echo=True) == "echo"
    assert veto_of("I live in Porto.", is_secret_only=True) == "secret only"


@pytest.mark.parametrize(
    "text",
    [
        "Never commit directly to main!",
        "please never commit directly to main",
        "Always write your commit messages in English, please.",
        "Keep all functions under 40 lines.",
    ],
)
def test_a_restated_rule_is_found(text: str) -> None:
    assert restates(text, RULES) is not None
    assert veto_of(text, rules=RULES) == "restated rule"


@pytest.mark.parametrize(
    "text",
    [
        "Always commit directly to main.",
        "Never deploy directly to production.",
        "Always write commit messages in German.",
        "Keep functions under 60 lines.",
        "I committed it to main by mistake yesterday.",
        "My functions are short.",
    ],
)
def test_another_rule_is_no_restatement(text: str) -> None:
    assert restates(text, RULES) is None


def test_a_near_vector_lets_fewer_words_decide() -> None:
    rules = ("Write commit messages in the imperative mood.",)
    said = "Commit messages: imperative, please."
    assert restates(said, rules, (0.2,)) is None
    assert restates(said, rules, (0.95,)) == rules[0]


def test_without_rules_nothing_is_restated() -> None:
    assert restates("Never commit to main.", ()) is None


@pytest.mark.parametrize(
    "text",
    [
        "INFO start\nINFO ready\nDEBUG tick",
        "Downloading: 10%\nDownloading: 90%\nDone.",
        "total 8\ndrwxr-xr-x 2 a a 4096 Jan 1 00:00 src\n-rw-r--r-- 1 a a 12 Jan 1 00:00 x.txt",
        "src\ntests\nREADME.md\nsetup.cfg",
    ],
)
def test_routine_output_is_noise(text: str) -> None:
    assert noise_share(text) > 0.59
    assert veto_of(text) == "tool noise"


@pytest.mark.parametrize(
    "text",
    [
        "INFO start\nERROR disk full on /dev/sda1\nINFO stop",
        "We rolled it out to 10% of users this morning.",
        "Downloading the model fails behind our proxy.\nWe set HTTPS_PROXY in the service file.",
        "Milk\nEggs from the farm\nBread",
        "Milk\nEggs\nBread\nButter",
        "Starting my new job on Monday.",
        "2024-05-01 10:00 dentist\n2024-05-03 09:30 school play",
        "> Never push to main.\n> Always test.",
    ],
)
def test_reports_and_statements_are_no_noise(text: str) -> None:
    assert noise_share(text) <= 0.59


@pytest.mark.parametrize(
    "text",
    ["You are a helpful assistant.", "[system] restarted", "Read HEARTBEAT.md and follow it.", "Session resumed."],
)
def test_boot_text_is_recognised(text: str) -> None:
    assert veto_of(text) == "boot text"


@pytest.mark.parametrize(
    "text", ["You are a great friend.", "My session with the therapist started late.", "I like systems."]
)
def test_ordinary_sentences_are_no_boot_text(text: str) -> None:
    assert find_boot_text(text) == ""


@given(st.text(max_size=300))
def test_every_text_gets_an_answer(text: str) -> None:
    verdict = judge(text, turn_cosines=(), durable_cosines=(), circumstances=Circumstances(rules=RULES))
    assert verdict.veto in ("", "no substance", "tool noise", "boot text", "restated rule")
    assert verdict.is_admitted == (verdict.veto == "" and verdict.score >= verdict.threshold)
