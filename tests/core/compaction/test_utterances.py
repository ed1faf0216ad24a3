"""Turns as they are told, and the lines of summaries read back, those of older versions too."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.compaction.small_talk import is_small_talk
from libravdb.core.compaction.utterances import EARLIER, read_said
from libravdb.model import Source

DAY = 86_400_000


def told(*sources: Source) -> list[tuple[str, str, str]]:
    return [(one.day, one.speaker, one.text) for one in read_said(sources).utterances]


def summary(text: str, *, level: int = 1) -> Source:
    return Source(id="s", text=text, at=9 * DAY, first_at=2 * DAY, level=level, role="summary")


def test_the_lines_of_a_summary_keep_their_day_and_their_speaker() -> None:
    said = "[2023-10-12] James: Yesterday it rained. …\n[2023-10-13] Assistant: Facts: none"
    text = f"{said}\nFacts: [2023-10-12] James: AB-1"
    found = read_said([summary(text)])
    assert [(one.day, one.speaker, one.text) for one in found.utterances] == [
        ("2023-10-12", "James", "Yesterday it rained. …"),
        ("2023-10-13", "Assistant", "Facts: none"),
    ]
    assert [(group.label, group.entries) for group in found.ledgers] == [("[2023-10-12] James", ("AB-1",))]


def test_the_lines_of_an_older_summary_have_the_days_of_the_whole() -> None:
    old = "James: I bought it.\nIt was cheap.\nUser: Really?\nFacts: AB-1"
    span = "1970-01-03 – 1970-01-10"
    assert told(summary(old)) == [
        (span, "James", "I bought it."),
        (span, "James", "It was cheap."),
        (span, "User", "Really?"),
    ]


def test_an_older_summary_of_summaries_is_not_believed_about_its_speakers() -> None:
    assert {who for _, who, _ in told(summary("James: I bought it.\nIt was cheap.", level=2))} == {EARLIER}


def test_a_users_line_that_begins_like_a_ledger_is_speech() -> None:
    assert told(Source(id="t", text="Hello\nFacts: AB-1", at=0)) == [("1970-01-01", "User", "Hello\nFacts: AB-1")]


def test_calls_that_follow_one_another_are_one_and_data_is_left_out() -> None:
    call = Source(id="a", text='[tool call: search q="We decided to go."]', at=0, role="assistant")
    both = Source(id="c", text='Let me look.\n[tool call: read_file path="x"]', at=0, role="assistant")
    data = Source(id="b", text='{"rows": [1, 2]}', at=0, role="tool")
    assert [text for _, _, text in told(call, data, call, data, both)] == ["called search (2 calls)", "Let me look."]
    assert [text for _, _, text in told(data)] == ["[data]"]


@given(st.text(max_size=200), st.sampled_from(["user", "assistant", "tool"]), st.text(max_size=20), st.integers())
def test_any_turn_is_told_on_one_day_by_one_speaker(text: str, role: str, name: str, at: int) -> None:
    for one in read_said([Source(id="t", text=text, at=at, role=role, speaker=name)]).utterances:
        assert one.day
        assert one.speaker.strip()
        assert not {":", ";", "\n"} & set(one.speaker)


@pytest.mark.parametrize(
    "text", ["Thanks a lot!", "Good night, Anna!", "Gute Nacht!", "¡Gracias!", "Merci beaucoup", "好的，谢谢"]
)
def test_small_talk_is_known_in_five_languages(text: str) -> None:
    assert is_small_talk(text.lstrip("¡"))


@pytest.mark.parametrize(
    "text", ["", "Thanks to Anna we sold it.", "No, on 7 May.", "Nein, wir verkaufen nicht.", "我不吃肉"]
)
def test_what_says_something_is_no_small_talk(text: str) -> None:
    assert not is_small_talk(text)
