"""The whole way from a host's messages to turns, and what the page about it says."""

from __future__ import annotations

import random
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.ingest.echo import InjectedBefore
from libravdb.core.ingest.identity import identify
from libravdb.core.ingest.own_frames import frame_letters
from libravdb.core.ingest.parts import READERS
from libravdb.core.ingest.pipeline import as_turn, take_in
from libravdb.core.ingest.secrets import markdown
from libravdb.core.ingest.settings import IngestSettings
from libravdb.errors import InvalidInput
from libravdb.model import Role, Turn

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "messages.md").read_text(encoding="utf-8")
TOKEN = "gh" + "p_" + "".join(random.Random(3).choices(string.ascii_letters + string.digits, k=36))
FRAME = """<recalled_memories>
<entry role="user" source="history" at="2026-01-05">I keep bees.</entry>
</recalled_memories>"""


def test_a_message_is_read_freed_and_named() -> None:
    heard = take_in([
        {"role": "system", "content": "You are helpful."},
        {"role": "user", "content": f"{FRAME}\nMy token is {TOKEN}.", "timestamp": 1_769_885_100, "name": "Anna"},
        {"role": "assistant", "content": [{"type": "toolCall", "name": "push", "arguments": {"with": TOKEN, "n": 1}}]},
        {"role": "user", "content": FRAME},
    ])  # fmt: skip
    assert [said.skipped for said in heard] == ["system prompt", "", "", ""]
    assert (heard[3].text, heard[3].metadata) == (FRAME, {"is_echo": True})
    assert heard[1].own_words == "My token is [secret: github token]."
    assert heard[1].text == f"{FRAME}\nMy token is [secret: github token]."
    assert heard[1].metadata["secrets"] == {"github token": 1}
    assert heard[2].text == '[tool call: push with="[secret: github token]" n=1]'
    named = identify(heard, session="s1")
    turn = as_turn(named[1], namespace="anna", session="s1", now=7)
    assert turn == Turn(
        namespace="anna", session="s1", id=named[1].id or "", role=Role.USER, text=heard[1].text, speaker="Anna",
        at=1_769_885_100_000, metadata=heard[1].metadata,
    )  # fmt: skip
    assert as_turn(named[2], namespace="anna", session="s1", now=7).at == 7
    with pytest.raises(InvalidInput, match="identify"):
        as_turn(named[0], namespace="anna", session="s1", now=7)


def test_a_secret_at_the_edge_of_a_cut_leaves_no_half() -> None:
    settings = IngestSettings(max_result_chars=3000)
    for before in range(1960, 2010, 7):
        (said,) = take_in([{"role": "tool", "content": "x " * (before // 2) + TOKEN + " y" * 5000}], settings=settings)
        assert TOKEN[:12] not in said.text
        assert TOKEN[-12:] not in said.text


def test_the_same_message_has_the_same_name_whether_it_comes_back_with_our_frames_or_not() -> None:
    issued = InjectedBefore(frames=frozenset({frame_letters(FRAME)}))
    plain = identify(take_in([{"role": "user", "content": "Hello there."}]), session="s1")
    framed = [{"role": "user", "content": f"{FRAME}\n\nHello there."}]
    assert identify(take_in(framed, injected=issued), session="s1") == plain
    assert identify(take_in(framed), session="s1") != plain


def test_masking_can_be_switched_off() -> None:
    settings = IngestSettings(mask_secrets=False)
    assert take_in([f"My token is {TOKEN}."], settings=settings)[0].text == f"My token is {TOKEN}."


PIECES = st.sampled_from(
    [FRAME, FRAME[:60], FRAME[60:], TOKEN, "Hello there.", "\n", "> ", "HEARTBEAT_OK", "\ud800", "\0"]
)


@given(st.lists(st.lists(PIECES, max_size=5).map("".join), max_size=4))
def test_taking_in_what_was_taken_in_changes_nothing(texts: list[str]) -> None:
    once = [said for said in take_in(texts) if not said.skipped]
    again = take_in([said.text for said in once])
    assert [said.text for said in again] == [said.text for said in once]


def test_the_page_lists_every_kind_of_secret() -> None:
    assert markdown() in PAGE, "run python -m libravdb.core.ingest.secrets and paste it into docs/reference/messages.md"


def test_the_page_names_every_type_of_part_that_is_read() -> None:
    assert [name for name in READERS if f"`{name}`" not in PAGE] == []
