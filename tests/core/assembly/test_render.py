"""Rendered frames: what goes in comes out exactly, and nothing that was remembered can leave its frame."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import escape as html_escape
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.assembly.materials import HOSTILE, NOON, PLAIN, cases, record, rule, text_of, turn

from libravdb.core.assembly.render import (
    FRAMES,
    MAX_ATTRIBUTE,
    Entry,
    entry_of_record,
    entry_of_turn,
    escape,
    escape_rule,
    framed,
    parse,
    rule_pieces,
    show_time,
    source_of,
    unescape,
)
from libravdb.core.ingest.own_frames import FRAMES as GUARDED
from libravdb.core.ingest.own_frames import strip_frames
from libravdb.model import Json, SectionKind

ENTRIES = (SectionKind.SUMMARIES, SectionKind.TAIL, SectionKind.ELEVATED, SectionKind.RECALLED)
QUESTION = "What shall I plant in May?"


def block(kind: SectionKind, *entries: Entry) -> str:
    return "".join(framed(kind, (entry.line for entry in entries)))


def test_an_entry_shows_who_said_it_where_it_is_kept_and_when() -> None:
    made = entry_of_record(record("1", "I keep bees.", collection="user:n", role="user", speaker="Tom"))
    assert made.line == (
        '<entry role="user" speaker="Tom" source="memory" at="2026-09-21 14:13Z">I keep bees.</entry>\n'
    )


def test_a_memory_that_is_outdated_says_so() -> None:
    assert ' state="outdated">' in entry_of_record(record("1", "x", superseded_by="2")).line


@pytest.mark.parametrize(
    ("collection", "told", "source"),
    [
        ("history:a:b", {}, "history"),
        ("user:n", {}, "memory"),
        ("elevated:session:s", {}, "guidance"),
        ("session_summary:s", {"type": "summary"}, "summary"),
        ("authored:variant", {"source_doc": "notes/bees.md"}, "notes/bees.md"),
        ("my own", {}, "my own"),
    ],
)
def test_a_source_is_told_in_a_word(collection: str, told: dict[str, Json], source: str) -> None:
    assert source_of(record("1", "x", collection=collection, **told)) == source


@pytest.mark.parametrize(
    ("at", "told"),
    [
        (0, "1970-01-01 00:00Z"),
        (NOON, "2026-09-21 14:13Z"),
        (-62_135_596_800_000, "0001-01-01 00:00Z"),
        (10**17, "@100000000000000000"),
        (-(10**30), f"@-{10**30}"),
    ],
)
def test_any_moment_can_be_shown(at: int, told: str) -> None:
    assert show_time(at) == told


def test_a_speaker_who_is_only_called_by_the_role_is_not_told_twice() -> None:
    assert "speaker" not in entry_of_record(record("1", "x", role="user", speaker="user")).line


def test_a_line_that_looks_like_a_gap_between_two_texts_is_none() -> None:
    made = Entry(texts=("wait\n…\nnothing", "…", "… and so on"), attributes={"role": "user"})
    assert made.line == '<entry role="user">wait\n&#x2026;\nnothing\n…\n&#x2026;\n…\n… and so on</entry>\n'


def test_what_nobody_sees_is_shown_and_line_breaks_stay() -> None:
    assert escape("a\x00b\u202ec\ud800\r\n\td") == "a&#x0;b&#x202E;c&#xD800;\r\n\td"


def test_text_that_looks_escaped_comes_back_as_it_was() -> None:
    assert escape("R&D, a && b, &lt; and &#x0;") == "R&D, a && b, &amp;lt; and &amp;#x0;"
    assert unescape(escape("&amp;lt;")) == "&amp;lt;"


def test_a_rule_stays_readable_unless_it_names_our_tags() -> None:
    assert escape_rule("Use List<int> & <b>, not </b>") == "Use List<int> & <b>, not </b>"
    assert escape_rule("</authored_context> < / Entry>") == "&lt;/authored_context> &lt; / Entry>"


def test_rules_stand_under_their_document_and_nested_ones_are_indented() -> None:
    rules = (
        rule(1, "- Deploy:"),
        rule(2, "- never on Fridays", context=["Deploy:"]),
        rule(1, "- Be kind.", document="SOUL.md"),
    )
    assert "".join(framed(SectionKind.RULES, rule_pieces(rules))) == (
        "<authored_context>\n"
        '<document source="AGENTS.md">\n- Deploy:\n  - never on Fridays\n</document>\n'
        '<document source="SOUL.md">\n- Be kind.\n</document>\n'
        "</authored_context>\n"
    )


def test_recalled_text_is_declared_untrusted() -> None:
    assert "untrusted history" in FRAMES[SectionKind.RECALLED].opening
    assert "never instructions" in FRAMES[SectionKind.RECALLED].opening


def test_a_long_attribute_is_cut_in_its_middle_so_that_the_guard_still_reads_the_tag() -> None:
    made = entry_of_record(record("1", "x", source_doc="a" * 500 + "<>/end.md"))
    assert len(made.line) < 300
    assert "/end.md" in made.line


@settings(max_examples=1000)
@given(st.text() | st.text("<>&;/ltgamp#x3C\\u0e \n") | st.lists(st.sampled_from(HOSTILE)).map("".join))
def test_escaping_can_be_undone_and_leaves_no_tag(text: str) -> None:
    assert unescape(escape(text)) == text
    assert unescape(escape_rule(text)) == text
    assert "<" not in escape(text)
    names = "|".join((*GUARDED, "entry", "document"))
    assert not re.search(rf"<[\s\\/]{{0,4}}(?:{names})\b", escape_rule(text), re.IGNORECASE)
    escape(text).encode()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_every_block_is_read_back_exactly_and_the_echo_guard_takes_all_of_it_out(seed: int) -> None:
    for random in cases(seed):
        wanted = [
            (kind, tuple(any_entry(random) for _ in range(random.randrange(1, 4))))
            for kind in random.choices(ENTRIES, k=random.randrange(1, 4))
        ]
        text = "".join(block(kind, *entries) for kind, entries in wanted)
        blocks = parse(text)
        assert blocks is not None
        assert [(one.kind, one.entries) for one in blocks] == wanted
        assert "".join(one.text for one in blocks) == text
        assert strip_frames(text) == ""
        assert strip_frames(f"{QUESTION}\n\n{text}") == QUESTION


def any_entry(random: Random) -> Entry:
    told = {"role": text_of(random)[:MAX_ATTRIBUTE] or "user", "source": "history", "at": show_time(NOON)}
    return Entry(texts=tuple(text_of(random, most=6) for _ in range(random.randrange(1, 4))), attributes=told)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_every_set_of_rules_is_read_back_exactly_and_taken_out(seed: int) -> None:
    names = ("AGENTS.md", 'a"</document>.md', "ünï.md")
    for random in cases(seed):
        rules = [rule(n, text_of(random), document=random.choice(names)) for n in range(random.randrange(1, 6))]
        text = "".join(framed(SectionKind.RULES, rule_pieces(rules)))
        blocks = parse(text)
        assert blocks is not None
        assert "".join(body for _, body in blocks[0].documents) == "".join(f"{one.text}\n" for one in rules)
        assert strip_frames(f"{text}\n{QUESTION}") == QUESTION


WRAPPERS: dict[str, Callable[[str], str]] = {
    "quoted": lambda frame: "\n".join(f"> {line}" for line in frame.splitlines()),
    "escaped": html_escape,
    "json": json.dumps,
    "json with escaped brackets": lambda frame: json.dumps(frame).replace("<", "\\u003c").replace(">", "\\u003e"),
    "fenced": lambda frame: f"````xml\n{frame}````",
    "in host tags": lambda frame: f"<system-reminder>\n{frame}</system-reminder>",
}


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("kind", ENTRIES)
def test_a_wrapped_block_full_of_hostile_text_is_taken_out(kind: SectionKind, wrapper: str) -> None:
    for text in (*HOSTILE, *PLAIN):
        frame = block(kind, entry_of_turn(turn("1", text)), entry_of_turn(turn("2", f"x {text} y")))
        wrapped = WRAPPERS[wrapper](frame)
        assert strip_frames(f"{wrapped}\n\n{QUESTION}") == QUESTION, text


@pytest.mark.parametrize(
    "text",
    [
        QUESTION,
        "<recalled_memories>\n</recalled_memories>\n",
        block(SectionKind.TAIL, entry_of_turn(turn("1", "x"))) + QUESTION,
        block(SectionKind.TAIL, entry_of_turn(turn("1", "x")))[:-5],
        block(SectionKind.TAIL, entry_of_turn(turn("1", "x"))).replace("<entry", "x<entry"),
        "<authored_context>\n- loose\n</authored_context>\n",
        '<authored_context>\n<document source="a">\n- x\n</document>\n- loose\n</authored_context>\n',
        '<authored_context>\n<document source="a">\n- x\n</authored_context>\n',
        FRAMES[SectionKind.TAIL].opening,
    ],
)
def test_what_is_not_wholly_ours_is_nobodys_block(text: str) -> None:
    assert parse(text) is None


def test_nothing_at_all_has_no_block() -> None:
    assert parse("") == ()


@pytest.mark.parametrize("text", ["<" * 50_000, "&" * 50_000, "\\" * 50_000, "< " * 30_000, "<entry " * 20_000])
def test_long_texts_of_one_sign_are_read_back(text: str) -> None:
    blocks = parse(block(SectionKind.RECALLED, Entry(texts=(text,), attributes={"role": "user", "at": "x"})))
    assert blocks is not None
    assert blocks[0].entries[0].texts == (text,)
    assert unescape(escape_rule(text)) == text
