"""Host messages of every shape, well formed and not."""

from __future__ import annotations

import json
from time import tzset
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.ingest.binary_data import bytes_in_words, describe_data
from libravdb.core.ingest.messages import bound_result, is_heartbeat, read_message, read_messages
from libravdb.core.ingest.settings import IngestSettings
from libravdb.errors import InvalidInput
from libravdb.model import IncomingTurn, Role

PNG = "iVBORw0KGgo" * 2425  # 26,675 letters of base64: 20,006 bytes


def text_of(message: object) -> str:
    (said,) = read_message(message)
    return said.text


def user(content: object, **more: object) -> dict[str, object]:
    return {"role": "user", "content": content, **more}


# ── shapes ────────────────────────────────────────────────────────────────────────────────────────────────


def test_text_alone_was_said_by_the_user() -> None:
    assert read_message("Hello") == (IncomingTurn(role=Role.USER, text="Hello"),)


@pytest.mark.parametrize(
    ("word", "role"),
    [
        ("user", Role.USER), ("human", Role.USER), ("assistant", Role.ASSISTANT), ("AI", Role.ASSISTANT),
        ("model", Role.ASSISTANT), ("tool", Role.TOOL), ("toolResult", Role.TOOL), ("tool_result", Role.TOOL),
        ("function", Role.TOOL), ("system", Role.SYSTEM), ("developer", Role.SYSTEM),
    ],
)  # fmt: skip
def test_every_hosts_word_for_a_role_is_known(word: str, role: Role) -> None:
    assert read_message({"role": word, "content": "x"})[0].role is role


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("plain", "plain"),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb"),
        ([{"type": "input_text", "text": "a"}, {"type": "output_text", "text": "b"}], "a\nb"),
        (["a", {"type": "text", "text": "b"}], "a\nb"),
        ({"type": "text", "text": "lone part"}, "lone part"),
        ([{"type": "text", "text": {"value": "nested", "annotations": []}}], "nested"),
        ([{"type": "refusal", "refusal": "I cannot."}], "I cannot."),
        ([{"text": "without a type"}], "without a type"),
        ([{"type": "markdown", "text": "text of an unknown type"}], "text of an unknown type"),
        ([{"type": "hologram", "data": 7}], "[unknown part: hologram]"),
        ([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "a"}], "a"),
        ([{"type": "reasoning", "text": "hm"}, {"type": "redacted_thinking", "data": "x"}, "a"], "a"),
        ({"content_type": "text", "parts": ["a", "b"]}, "a\nb"),
        (
            [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}],
            "[image: png, 20 KB]",
        ),
        ([{"type": "image", "data": PNG, "mimeType": "image/png"}], "[image: png, 20 KB]"),
        ([{"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}], "[image: png, 20 KB]"),
        ([{"type": "input_image", "image_url": f"data:image/png;base64,{PNG}"}], "[image: png, 20 KB]"),
        (
            [{"type": "image_url", "image_url": {"url": "https://u:p@example.org/cat.jpg?sig=abc"}}],
            "[image: https://example.org/cat.jpg]",
        ),
        ([{"inlineData": {"mimeType": "image/png", "data": PNG}}], "[image: png, 20 KB]"),
        ([{"type": "input_audio", "input_audio": {"data": PNG, "format": "wav"}}], "[audio: wav, 20 KB]"),
        ([{"type": "audio", "transcript": "Hello there"}], "[audio]\nHello there"),
        ([{"type": "file", "file": {"filename": "plan.pdf", "file_data": PNG}}], "[file: plan.pdf, 20 KB]"),
        (
            [{"type": "document", "title": "Plan", "source": {"type": "text", "data": "First, rest."}}],
            "[file: Plan]\nFirst, rest.",
        ),
        (f"see data:image/png;base64,{PNG} above", "see [image: png, 20 KB] above"),
    ],
)  # fmt: skip
def test_content_becomes_text(content: object, text: str) -> None:
    assert text_of(user(content)) == text


@pytest.mark.parametrize(
    "message",
    [
        {"content": [{"type": "tool_use", "id": "t", "name": "read_file", "input": {"path": "src/x.py"}}]},
        {"content": [{"type": "toolCall", "id": "t", "name": "read_file", "arguments": {"path": "src/x.py"}}]},
        {"content": [{"type": "tool_call", "name": "read_file", "arguments": '{"path": "src/x.py"}'}]},
        {"content": None, "tool_calls": [{"function": {"name": "read_file", "arguments": '{"path": "src/x.py"}'}}]},
        {"content": "", "tool_calls": [{"name": "read_file", "args": {"path": "src/x.py"}}]},
        {"content": None, "function_call": {"name": "read_file", "arguments": '{"path": "src/x.py"}'}},
        {"parts": [{"functionCall": {"name": "read_file", "args": {"path": "src/x.py"}}}]},
    ],
)
def test_a_tool_call_becomes_a_short_descriptor(message: dict[str, object]) -> None:
    assert text_of({"role": "assistant", **message}) == '[tool call: read_file path="src/x.py"]'


def test_a_call_of_the_responses_shape_needs_no_role() -> None:
    (said,) = read_message({"type": "function_call", "call_id": "c", "name": "look", "arguments": '{"n": 3}'})
    assert (said.role, said.text) == (Role.ASSISTANT, "[tool call: look n=3]")


def test_a_long_call_is_cut_and_says_so() -> None:
    call = {
        "type": "tool_use",
        "name": "write",
        "input": {"path": "a.txt", "text": "word " * 5000, "n": list(range(999))},
    }
    text = text_of({"role": "assistant", "content": [call]})
    assert len(text) <= 402
    assert text.startswith('[tool call: write path="a.txt" text="word word')
    assert text.endswith("…]")


def test_arguments_are_masked_before_they_are_cut() -> None:
    call = {"type": "tool_use", "name": "login", "input": {"note": "x" * 100 + " hush hush"}}
    (said,) = read_message({"role": "assistant", "content": [call]}, mask=lambda text: text.replace("hush", "[-]"))
    assert "[-]" in said.text
    assert "hush" not in said.text


@pytest.mark.parametrize(
    ("message", "text", "facts"),
    [
        (
            {"role": "tool", "tool_call_id": "c1", "name": "ls", "content": "a b"},
            "a b",
            {"tool": "ls", "tool_call_id": "c1"},
        ),
        (
            {
                "role": "toolResult", "toolCallId": "c1", "toolName": "ls", "isError": True,
                "content": [{"type": "text", "text": "no such file"}],
            },
            "no such file",
            {"tool": "ls", "tool_call_id": "c1", "is_error": True},
        ),
        ({"type": "function_call_output", "call_id": "c1", "output": "42"}, "42", {"tool_call_id": "c1"}),
        ({"role": "tool", "content": {"rows": [1, 2]}}, '{"rows": [1, 2]}', {}),
        ({"role": "tool", "content": [[1, 2], [3]]}, "[[1, 2], [3]]", {}),
        ({"role": "bashExecution", "command": "ls", "output": "a b"}, "$ ls\na b", {}),
        (
            user([{"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "42"}]}]),
            "42",
            {"tool_call_id": "c1"},
        ),
        (user([{"functionResponse": {"name": "ls", "response": {"n": 1}}}]), '{"n": 1}', {"tool": "ls"}),
    ],
)  # fmt: skip
def test_what_a_tool_answers_is_a_tools(message: object, text: str, facts: dict[str, object]) -> None:
    (said,) = read_message(message)
    assert (said.role, said.text, said.metadata) == (Role.TOOL, text, facts)


def test_a_message_that_mixes_results_and_words_is_two() -> None:
    result = {"type": "tool_result", "tool_use_id": "c1", "content": "42"}
    answered, spoken = read_message(
        user([result, {"type": "text", "text": "Thanks!"}], id="m-a", timestamp=1_700_000_000)
    )
    assert (answered.role, answered.text, answered.id) == (Role.TOOL, "42", "m-a:results")
    assert (spoken.role, spoken.text, spoken.id) == (Role.USER, "Thanks!", "m-a")
    assert answered.at == spoken.at == 1_700_000_000_000


def test_a_line_of_a_transcript_file_is_unwrapped() -> None:
    line = {"type": "message", "id": "e1", "timestamp": "2026-01-31T18:45:00Z", "message": user("hi", name="Anna")}
    assert read_message(line) == (
        IncomingTurn(role=Role.USER, text="hi", id="e1", at=1_769_885_100_000, speaker="Anna"),
    )


def test_thoughts_at_the_head_of_an_answer_are_dropped_and_in_a_question_kept() -> None:
    text = "<think>\nhm, tea\n</think>\n\nTea is ready."
    assert text_of({"role": "assistant", "content": text}) == "Tea is ready."
    assert text_of(user(text)) == text


# ── id, time, speaker ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["id", "messageId", "message_id", "turnId", "uuid"])
def test_ids_are_found_under_several_names(name: str) -> None:
    assert read_message(user("x", **{name: "m-7f"}))[0].id == "m-7f"


def test_a_number_is_an_id_and_empty_text_is_none() -> None:
    assert read_message(user("x", id=77))[0].id == "77"
    assert read_message(user("x", id=" "))[0].id is None


@pytest.mark.parametrize(
    "time",
    [
        1_769_885_100_000, 1_769_885_100, 1_769_885_100.0, 1_769_885_100_000_000, 1_769_885_100_000_000_000,
        "2026-01-31T18:45:00Z", "2026-01-31T19:45:00+01:00", "2026-01-31 18:45+00:00", "1769885100",
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["timestamp", "ts", "createdAt", "created_at"])
def test_a_time_in_any_notation_is_the_same_time(name: str, time: object) -> None:
    assert read_message(user("x", **{name: time}))[0].at == 1_769_885_100_000


@pytest.mark.parametrize(
    ("zone", "hours"), [("UTC", 0), ("Asia/Tokyo", 9), ("America/Los_Angeles", -8), ("Europe/Vienna", 1)]
)
def test_a_time_without_a_zone_is_the_hosts(zone: str, hours: int) -> None:
    for text in ("2026-01-31T18:45:00", "2026-01-31 18:45"):
        (said,) = read_message(user("x", ts=text), settings=IngestSettings(time_zone=zone))
        assert said.at == 1_769_885_100_000 - hours * 3_600_000


@pytest.mark.parametrize(("zone", "hours"), [("Asia/Tokyo", 9), ("UTC", 0)])
def test_a_time_without_a_zone_is_local_where_the_hosts_is_not_known(
    monkeypatch: pytest.MonkeyPatch, zone: str, hours: int
) -> None:
    with monkeypatch.context() as changed:
        changed.setenv("TZ", zone)
        tzset()
        assert read_message(user("x", ts="2026-01-31T18:45"))[0].at == 1_769_885_100_000 - hours * 3_600_000
    tzset()


@pytest.mark.parametrize("time", [0, "", None])
def test_no_time_is_no_time(time: object) -> None:
    assert read_message(user("x", timestamp=time))[0].at is None


def test_the_speaker_is_a_persons_name_and_never_a_tools() -> None:
    assert read_message(user("x", speaker="Anna"))[0].speaker == "Anna"
    assert read_message(user("x", author={"name": "Tom"}))[0].speaker == "Tom"
    assert read_message({"role": "tool", "name": "ls", "content": "x"})[0].speaker == ""


# ── what is skipped ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (user("Read HEARTBEAT.md if it exists. If nothing needs attention, reply HEARTBEAT_OK."), "heartbeat"),
        ({"role": "assistant", "content": "HEARTBEAT_OK"}, "heartbeat"),
        ({"role": "assistant", "content": [{"type": "text", "text": "**HEARTBEAT_OK**\n"}]}, "heartbeat"),
        (user("anything", isHeartbeat=True), "heartbeat"),
        (user("  \n"), "empty"),
        (user([]), "empty"),
        (user(None), "empty"),
        ({"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]}, "empty"),
        ({"role": "system", "content": "You are helpful."}, "system prompt"),
        ({"role": "compactionSummary", "summary": "We spoke."}, "summary by the host"),
        ({"role": "custom", "content": "x"}, "unknown role 'custom'"),
        ({"type": "reasoning", "summary": []}, "thinking"),
        ({"type": "model_change", "modelId": "m"}, "unknown entry 'modelchange'"),
    ],
)
def test_what_is_not_kept_says_why(message: object, reason: str) -> None:
    (said,) = read_message(message)
    assert said.skipped == reason


@pytest.mark.parametrize(
    "text",
    [
        "When does the agent answer HEARTBEAT_OK?",
        "Why does the prompt say 'If nothing needs attention, reply HEARTBEAT_OK'?",
        "HEARTBEAT_OK is what it answers; I would like it to be silent.",
        "Heartbeat is 62 today.",
        "ok",
    ],
)
def test_talking_about_heartbeats_is_talking(text: str) -> None:
    assert not is_heartbeat(text)


def test_a_host_may_name_its_own_heartbeat_prompts() -> None:
    assert (
        read_message("Tick: anything new?", settings=IngestSettings(heartbeat_prompts=("Tick:",)))[0].skipped
        == "heartbeat"
    )


# ── what is refused ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("messages", "field", "problem"),
    [
        ({"role": "user"}, "messages", "is an object, not a list"),
        ("text", "messages", "is text, not a list"),
        (None, "messages", "is null, not a list"),
        ([7], "messages[0]", "is a number, not text or an object"),
        ([user("a"), {"content": "x"}], "messages[1].role", "is missing"),
        ([{"role": 5, "content": "x"}], "messages[0].role", "is a number, not text"),
        ([{"role": "user"}], "messages[0].content", "is missing"),
        ([{"role": "user", "content": True}], "messages[0].content", "is true or false, not text, an object or a list"),
        ([user(["a", {"type": "text", "text": 3}])], "messages[0].content[1].text", "is a number, not text"),
        ([user([{"type": "text"}])], "messages[0].content[0].text", "is missing"),
        ([user([3])], "messages[0].content[0]", "is a number, not text or an object"),
        ([user([{"type": 3}])], "messages[0].content[0].type", "is a number, not text"),
        ([user("x", timestamp="yesterday")], "messages[0].timestamp", "is text that is no ISO 8601 time"),
        ([user("x", timestamp=-1)], "messages[0].timestamp", "is a number that is no time"),
        ([user("x", timestamp=float("nan"))], "messages[0].timestamp", "is a number that is no time"),
        ([user("x", timestamp=[1])], "messages[0].timestamp", "is a list, not a time"),
        ([user("x", id=["a"])], "messages[0].id", "is a list, not text"),
        ([user("x", speaker=7)], "messages[0].speaker", "is a number, not text"),
        ([user("x", tool_calls="no")], "messages[0].tool_calls", "is text, not a list"),
        ([user("x", tool_calls=[7])], "messages[0].tool_calls[0]", "is a number, not an object"),
        ([user(b"x")], "messages[0].content", "is bytes, not text, an object or a list"),
        ([{"role": "tool", "content": {"x": b"y"}}], "messages[0].content", "holds something that is no JSON value"),
    ],
)  # fmt: skip
def test_a_malformed_message_is_refused_by_the_name_of_its_field(messages: object, field: str, problem: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_messages(messages)
    assert (caught.value.field, caught.value.problem) == (field, problem)


@pytest.mark.parametrize("message", [{"role": 5, "content": "x"}, {"role": " ", "content": "x"}, {"content": "x"}])
def test_whoever_gives_no_role_is_told_which_there_are(message: object) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_messages([message])
    assert caught.value.remedy.startswith("Known roles: user, assistant")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                "role content text type id timestamp name tool_calls function arguments message parts source data"
                " image_url output author summary".split()
            ),
            inner | st.sampled_from("user tool text image tool_result tool_use file audio thinking".split()),
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(st.lists(JSON, max_size=3))
def test_any_json_value_is_read_or_refused_by_name(messages: list[Any]) -> None:
    heard: tuple[IncomingTurn, ...] = ()
    refused = "messages["
    try:
        heard = read_messages(messages)
    except InvalidInput as error:
        refused = error.field
    assert refused.startswith("messages[")
    for said in heard:
        said.text.encode()
        said.speaker.encode()
        assert said.text.strip() or said.skipped


# ── hostile and huge ──────────────────────────────────────────────────────────────────────────────────────


def test_half_an_emoji_is_mended_and_the_halves_of_one_are_joined() -> None:
    assert text_of(user("a\ud83d b")) == "a\ufffd b"
    assert text_of(user("\ud83d\ude00")) == "😀"
    call = {"type": "tool_use", "name": "x\udc00", "input": {"a": "\ud800"}}
    text_of({"role": "assistant", "content": [call]}).encode()


def test_parts_within_parts_end_somewhere() -> None:
    content: object = "deep"
    for _ in range(3000):
        content = [{"type": "tool_result", "content": content}]
    assert text_of(user(content)) == "[nested content left out]"


def test_arguments_that_nest_for_ever_are_described() -> None:
    deep = "[" * 9000 + "]" * 9000
    assert text_of({"role": "assistant", "content": [{"type": "tool_use", "name": "x", "input": deep}]}).startswith(
        '[tool call: x input="[[[['
    )


def test_nothing_said_is_cut_but_a_huge_tool_result_is_with_a_count() -> None:
    assert len(text_of(user("word " * 300_000))) == 1_500_000
    huge = IncomingTurn(role=Role.TOOL, text="".join(f"line {n}\n" for n in range(100_000)))
    cut = bound_result(huge, 9_000)
    assert len(cut.text) < 9_100
    assert cut.text.startswith("line 0\nline 1\n")
    assert cut.text.endswith("line 99999\n")
    assert f"[… {len(huge.text) - 9_000} of {len(huge.text)} characters of this tool result left out …]" in cut.text
    assert bound_result(huge, 10_000_000) == huge


def test_base64_without_a_name_is_described_and_a_pressed_key_is_not() -> None:
    noise = "aB3/" * 400
    assert describe_data(f"x {noise} y") == "x [base64 data: 1 KB] y"
    wrapped = "\n".join(["aB3/" * 19] * 20) + "\n"
    assert describe_data(f"cert:\n{wrapped}end") == "cert:\n[base64 data: 1 KB]\nend"
    assert describe_data("a" * 5000) == "a" * 5000
    lock = json.dumps({"integrity": "sha512-" + "aB3/" * 22 + "=="})
    assert describe_data(lock) == lock


@pytest.mark.parametrize(
    ("size", "words"), [(1, "1 byte"), (512, "512 bytes"), (20_006, "20 KB"), (1_400_000, "1.4 MB")]
)
def test_sizes_read_as_people_write_them(size: int, words: str) -> None:
    assert bytes_in_words(size) == words


@pytest.mark.parametrize(
    "text",
    [
        "Read HEARTBEAT.md: why does the agent say HEARTBEAT_OK every hour? By the way, Mia was born on Tuesday.",
        "[heartbeat] is broken: it prints HEARTBEAT_OK; please note that my flight leaves at nine",
        "Read HEARTBEAT.md, reply HEARTBEAT_OK. And remember that I am allergic to walnuts.",
    ],
)
def test_who_writes_about_heartbeats_says_something(text: str) -> None:
    assert not is_heartbeat(text)


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": "", "parts": [{"type": "text", "text": "The answer is forty-two"}]},
        {"role": "assistant", "content": [], "text": "The answer is forty-two"},
        {"role": "assistant", "text": "The answer is forty-two", "parts": []},
    ],
)
def test_an_empty_field_hides_no_other(message: dict[str, Any]) -> None:
    (said,) = read_message(message)
    assert (said.text, said.skipped) == ("The answer is forty-two", "")
