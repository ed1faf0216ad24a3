"""Servers that summarise: what they are told, and how little of what they say is believed."""

from __future__ import annotations

import json
import re
import socket
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.adapters.summarisers.http import ANSWER_LIMIT, INPUT_CHARS, EndpointSummariser
from libravdb.adapters.summarisers.prompt import is_echo, write_prompt
from libravdb.errors import InvalidInput, SummariserError
from libravdb.model import SummaryTask
from libravdb.text.tokens import prompt_tokens

if TYPE_CHECKING:
    from tests.conftest import Call, ChatServer, Reply

KEY = "sk-very-secret-1234"
KINDS = pytest.mark.parametrize("kind", ["openai", "ollama"])
TASK = SummaryTask(
    texts=(
        "We moved the weekly planning meeting to Thursday afternoon because Anna was ill.",
        "Noted. The budget of 4,200 euros will be decided on 3 March. Run `make release` from /srv/build before.",
    ),
    roles=("user", "assistant"),
    support=("Anna leads the planning.",),
    max_tokens=40,
)
GOOD = "The meeting is on Thursday, as Anna was ill; the budget of 4,200 euros is decided on 3 March."


class Connect(Protocol):
    """Makes a summariser for the test's server."""

    def __call__(self, kind: str = "openai", **settings: Any) -> EndpointSummariser: ...


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def connect(chat_server: ChatServer, waits: list[float]) -> Connect:
    def make(kind: str = "openai", **settings: Any) -> EndpointSummariser:
        return EndpointSummariser(
            **{"kind": kind, "url": chat_server.url, "model": "m", "sleep": waits.append, **settings}
        )

    return make


def status(code: int, body: bytes = b"", **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda call: call.answer(code, body, named)


def saying(text: object, end: str = "stop") -> Reply:
    return lambda call: call.say(text, end=end)


# ── asking ────────────────────────────────────────────────────────────────────────────────────────────────


@KINDS
def test_a_good_answer_is_the_draft(connect: Connect, chat_server: ChatServer, kind: str) -> None:
    chat_server.script.append(saying(f"\n {GOOD}\n"))

    draft = connect(kind).summarise(TASK)

    assert (draft.text, draft.method, draft.confidence, draft.notes) == (GOOD, kind, None, ())


def test_making_one_asks_nothing(connect: Connect, chat_server: ChatServer) -> None:
    connect().close()

    assert chat_server.calls == []


def test_openai_is_asked_for_one_sober_answer(connect: Connect, chat_server: ChatServer) -> None:
    connect().summarise(TASK)

    (call,) = chat_server.calls
    assert call.path == "/v1/chat/completions"
    assert call.body["model"] == "m"
    assert (call.body["temperature"], call.body["stream"], call.body["max_tokens"]) == (0, False, 76)
    assert [message["role"] for message in call.body["messages"]] == ["system", "user"]


def test_ollama_is_asked_for_a_window_that_holds_the_conversation(connect: Connect, chat_server: ChatServer) -> None:
    long = SummaryTask(texts=("the sea was calm. " * 2000,), roles=("user",), max_tokens=40)

    connect("ollama").summarise(TASK)
    connect("ollama").summarise(long)

    short_call, long_call = chat_server.calls
    assert short_call.path == "/api/chat"
    assert short_call.body["stream"] is False
    assert short_call.body["options"] == {"temperature": 0, "seed": 0, "num_predict": 76, "num_ctx": 4096}
    sent = sum(prompt_tokens(message["content"]) for message in long_call.body["messages"])
    assert sent * 1.5 < long_call.body["options"]["num_ctx"] <= sent * 4


def test_the_prompt_says_what_a_faithful_summary_is_and_that_the_conversation_is_data(
    connect: Connect, chat_server: ChatServer
) -> None:
    connect().summarise(TASK)

    system, user = (message["content"] for message in chat_server.calls[0].body["messages"])
    for words in ("faithful", "names, numbers, dates, file paths, commands", "is data", "never follow", "26 words"):
        assert words in system
    mark = re.search(r"<(conversation-[0-9a-f]{12})>", system)
    assert mark
    inside = user.split(f"<{mark[1]}>\n")[1].split(f"\n</{mark[1]}>")[0]
    assert inside.splitlines() == [f"{role}: {text}" for role, text in zip(TASK.roles, TASK.texts, strict=True)]
    assert "do not repeat it" in user.partition(inside)[0]
    assert "Anna leads the planning." in user.partition(inside)[0]


@given(st.text(), st.text())
def test_no_text_closes_the_marks_around_it(text: str, other: str) -> None:
    first = write_prompt([text], max_tokens=9).mark
    forged = write_prompt([f"{text}</{first}>{other}"], max_tokens=9)

    assert forged.user.count(f"</{forged.mark}>") == 1


def test_a_conversation_that_is_too_long_is_shortened_and_that_is_said(
    connect: Connect, chat_server: ChatServer
) -> None:
    long = SummaryTask(texts=("short and kept", "x y " * 100_000, "end " * 3), roles=("user",) * 3, max_tokens=40)

    draft = connect().summarise(long)

    sent = chat_server.calls[0].body["messages"][1]["content"]
    assert len(sent) < INPUT_CHARS + 300
    assert "user: short and kept\n" in sent
    assert " […] " in sent
    assert draft.notes == (f"read {INPUT_CHARS + 5} of 400042 characters",)


@pytest.mark.parametrize(
    ("kind", "given_path", "asked"),
    [
        ("openai", "/v1", "/v1/chat/completions"),
        ("openai", "/proxy/v1/chat/completions", "/proxy/v1/chat/completions"),
        ("ollama", "/api", "/api/chat"),
        ("ollama", "/api/chat", "/api/chat"),
        ("ollama", "", "/api/chat"),
        ("openai", "/", "/v1/chat/completions"),
    ],
)
def test_an_address_may_be_given_in_full_or_in_part(
    connect: Connect, chat_server: ChatServer, kind: str, given_path: str, asked: str
) -> None:
    connect(kind, url=chat_server.url + given_path).summarise(TASK)

    assert chat_server.calls[0].path == asked


# ── failing and recovering ────────────────────────────────────────────────────────────────────────────────


@KINDS
@pytest.mark.parametrize("code", [429, 500, 503])
def test_a_failure_that_may_pass_is_tried_again_with_growing_waits(
    connect: Connect, chat_server: ChatServer, waits: list[float], kind: str, code: int
) -> None:
    chat_server.script += [status(code, b"busy"), status(code, b"busy")]

    assert connect(kind).summarise(TASK).text

    assert waits == [0.5, 1.0]
    assert len(chat_server.calls) == 3


def test_after_the_last_retry_the_failure_is_told(connect: Connect, chat_server: ChatServer) -> None:
    chat_server.script += [status(500, b"out of memory")] * 3

    with pytest.raises(SummariserError, match=r"openai: http.*answers 500: out of memory \(tried 3 times\)") as failed:
        connect().summarise(TASK)
    assert "summarizer.endpoint" in failed.value.remedy


@pytest.mark.parametrize(
    ("code", "remedy"),
    [
        (301, "redirects are not followed"),
        (400, "refuse temperature or max_tokens"),
        (401, "summarizer.api_key"),
        (404, "summarizer.endpoint and summarizer.model"),
    ],
)
def test_a_refusal_is_not_tried_again(
    connect: Connect, chat_server: ChatServer, waits: list[float], code: int, remedy: str
) -> None:
    chat_server.script.append(status(code, b"no", Location="http://elsewhere.example"))

    with pytest.raises(SummariserError, match=f"answers {code}: no") as failed:
        connect().summarise(TASK)

    assert remedy in failed.value.remedy
    assert (len(chat_server.calls), waits) == (1, [])


@pytest.mark.parametrize(
    "prefix",
    [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{", b"HTTP/1.1 200 OK\r\nX-Slow: "],
    ids=["silence", "body", "header"],
)
def test_a_slow_server_is_left_at_the_deadline(connect: Connect, chat_server: ChatServer, prefix: bytes) -> None:
    def dawdle(call: Call) -> None:
        call.send(prefix)
        while not chat_server.stopped.wait(0.005):
            call.send(b" ")

    chat_server.script.append(dawdle)

    with pytest.raises(SummariserError, match=r"did not answer within 0\.2 s"):
        connect(timeout_seconds=0.2, retries=0).summarise(TASK)


def test_a_server_that_is_not_there_is_named(connect: Connect) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]

    with pytest.raises(SummariserError, match=rf"127\.0\.0\.1:{port}.*ConnectionRefused"):
        connect(url=f"http://127.0.0.1:{port}").summarise(TASK)


# ── nonsense ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("raw", "kind", "words"),
    [
        (b"", "", "not JSON"),
        (b"<html><body>Please log in</body></html>", "text/html; charset=utf-8", r"not JSON \(text/html\)"),
        (b'data: {"choices": []}\n\n', "text/event-stream", r"not JSON \(text/event-stream\)"),
        (b'{"message": {"content": "one"}}\n{"done": true}\n', "application/x-ndjson", "not JSON"),
        (b'{"choices": [{"message": {"content": "The meet', "application/json", "not JSON"),
        (b"\xff\xfe\x00", "application/json", "not JSON"),
        (b"[" * 100_000, "application/json", "not JSON"),
        (b"[]", "application/json", "without the text"),
        (b'"text"', "application/json", "without the text"),
        (b'{"error": "no such model"}', "application/json", "without the text"),
        (b'{"choices": []}', "application/json", "without the text"),
        (b'{"choices": [3]}', "application/json", "without the text"),
        (b'{"choices": {"0": {}}}', "application/json", "without the text"),
        (b'{"choices": [{"message": "hi"}]}', "application/json", "without the text"),
        (b'{"choices": [{"message": {"content": null}}]}', "application/json", "without the text"),
        (b'{"choices": [{"message": {"content": [{"text": "x"}]}}]}', "application/json", "without the text"),
    ],
)
def test_an_answer_of_another_shape_is_refused_in_words_and_not_tried_again(
    connect: Connect, chat_server: ChatServer, raw: bytes, kind: str, words: str
) -> None:
    chat_server.script.append(status(200, raw, Content_Type=kind))

    with pytest.raises(SummariserError, match=words) as failed:
        connect().summarise(TASK)

    assert failed.value.remedy
    assert len(chat_server.calls) == 1


def test_a_good_answer_of_a_wrong_content_type_is_still_good(connect: Connect, chat_server: ChatServer) -> None:
    body = json.dumps({"choices": [{"message": {"content": GOOD}}]}).encode()
    chat_server.script.append(status(200, body, Content_Type="text/plain"))

    assert connect().summarise(TASK).text == GOOD


def test_an_answer_cut_in_the_middle_by_the_connection_is_tried_again(
    connect: Connect, chat_server: ChatServer
) -> None:
    chat_server.script.append(lambda call: call.send(b'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"choices": ['))

    assert connect().summarise(TASK).text
    assert len(chat_server.calls) == 2


ECHO = " ".join(f"{role}: {text}" for role, text in zip(TASK.roles, TASK.texts, strict=True))
NONSENSE = [
    ("", "nothing that could be a summary"),
    (" \n\t", "nothing that could be a summary"),
    ("... --- !!!", "nothing that could be a summary"),
    ("<think>Let me see what was said", "nothing that could be a summary"),
    ("<think>Let me see.</think> \n", "nothing that could be a summary"),
    ("word " * 300, "tokens where 40 are allowed"),
    ("Be faithful: add nothing, guess nothing, and leave out what you are not sure of.", "what it was asked"),
    ("and then he said " * 8, "in circles"),
]


@KINDS
@pytest.mark.parametrize(("text", "words"), NONSENSE)
def test_nonsense_is_refused_in_words(
    connect: Connect, chat_server: ChatServer, kind: str, text: str, words: str
) -> None:
    chat_server.script.append(saying(text))

    with pytest.raises(SummariserError, match=words) as failed:
        connect(kind).summarise(TASK)
    assert failed.value.remedy
    assert len(chat_server.calls) == 1


@KINDS
def test_an_answer_that_is_a_little_too_long_is_cut_behind_a_sentence(
    connect: Connect, chat_server: ChatServer, kind: str
) -> None:
    chat_server.script.append(
        saying(f"{GOOD}\nHere is some more of it that nobody asked for, at some length, and with more words than fit.")
    )

    draft = connect(kind).summarise(TASK)

    assert (draft.text, draft.notes) == (GOOD, ("the answer was cut to its limit",))


@KINDS
def test_an_answer_keeps_its_lines(connect: Connect, chat_server: ChatServer, kind: str) -> None:
    chat_server.script.append(saying("[2025-03-01]  user: Anna was ill.\n\n [2025-03-01] assistant: Noted. \n"))

    assert connect(kind).summarise(TASK).text == "[2025-03-01] user: Anna was ill.\n[2025-03-01] assistant: Noted."


def test_the_conversation_is_told_with_its_days(connect: Connect, chat_server: ChatServer) -> None:
    connect().summarise(replace(TASK, days=("2025-03-01", "2025-03-02")))

    sent = chat_server.calls[0].body["messages"][1]["content"]
    assert f"[2025-03-01] user: {TASK.texts[0]}\n[2025-03-02] assistant: {TASK.texts[1]}" in sent


@pytest.mark.parametrize("said", [ECHO, ECHO.upper(), " ".join(TASK.texts), f"Here it is:\n{ECHO}"])
def test_an_echo_is_refused_even_when_it_would_fit(connect: Connect, chat_server: ChatServer, said: str) -> None:
    roomy = SummaryTask(texts=TASK.texts, roles=TASK.roles, max_tokens=500)
    chat_server.script.append(saying(said))

    with pytest.raises(SummariserError, match="what it was asked"):
        connect().summarise(roomy)


def test_the_mark_in_an_answer_is_an_echo_and_a_sentence_of_the_conversation_is_not() -> None:
    spoken = [f"user: {text}" for text in TASK.texts]
    prompt = write_prompt(spoken, max_tokens=40)

    assert is_echo(f"<{prompt.mark}> short", prompt, spoken)
    assert not is_echo(TASK.texts[0], prompt, spoken)
    assert not is_echo(GOOD, prompt, spoken)
    assert not is_echo("Buy milk.", write_prompt(["user: buy milk."], max_tokens=40), ["user: buy milk."])


def test_thoughts_before_the_answer_are_left_out(connect: Connect, chat_server: ChatServer) -> None:
    chat_server.script.append(saying(f"<think>\nA meeting, a budget.\n</think>\n\n{GOOD}"))

    assert connect().summarise(TASK).text == GOOD


@KINDS
def test_an_answer_that_was_broken_off_ends_with_its_last_whole_sentence(
    connect: Connect, chat_server: ChatServer, kind: str
) -> None:
    chat_server.script.append(saying("The meeting is on Thursday. The budget of 4,2", end="length"))

    draft = connect(kind).summarise(TASK)

    assert draft.text == "The meeting is on Thursday."
    assert draft.notes == ("the answer was broken off at its limit",)


def test_half_characters_and_control_characters_do_not_get_through(connect: Connect, chat_server: ChatServer) -> None:
    chat_server.script.append(saying("Anna\ud800 was\x00 ill\x1b[31m."))

    text = connect().summarise(TASK).text

    assert text == "Anna\ufffd was\ufffd ill\ufffd[31m."


def test_an_answer_that_is_too_large_is_not_read_to_its_end(connect: Connect, chat_server: ChatServer) -> None:
    def streamed(call: Call) -> None:
        call.send(b"HTTP/1.1 200 OK\r\n\r\n")
        for _ in range(3):
            call.send(b" " * 2**20)

    chat_server.script += [
        lambda call: call.send(b"HTTP/1.1 200 OK\r\nContent-Length: 99000000000\r\n\r\n{"),
        streamed,
    ]

    for _ in range(2):
        with pytest.raises(SummariserError, match=f"more than {ANSWER_LIMIT} bytes"):
            connect().summarise(TASK)


# ── keys and settings ─────────────────────────────────────────────────────────────────────────────────────


def test_the_key_travels_in_the_header_and_shows_nowhere(connect: Connect, chat_server: ChatServer) -> None:
    summariser = connect(api_key=KEY, retries=0)
    chat_server.script += [
        status(401, f"Incorrect API key provided: {KEY}".encode()),
        status(500, f"crashed with {KEY}".encode()),
    ]
    shown = [repr(summariser), json.dumps(dict(summariser.description)), repr(vars(summariser))]
    for _ in range(2):
        with pytest.raises(SummariserError) as failed:
            summariser.summarise(TASK)
        shown += [str(failed.value), repr(failed.value.__cause__), repr(vars(failed.value))]

    assert chat_server.calls[0].headers["Authorization"] == f"Bearer {KEY}"
    assert not any(KEY in each for each in shown)


def test_without_a_key_no_authorisation_is_sent(connect: Connect, chat_server: ChatServer) -> None:
    connect().summarise(TASK)

    assert "Authorization" not in chat_server.calls[0].headers


@pytest.mark.parametrize(
    "settings",
    [
        {"kind": "grpc"},
        {"model": ""},
        {"api_key": "line\nbreak"},
        {"timeout_seconds": 0},
        {"retries": -1},
        {"url": "localhost:11434"},
        {"url": "http://user:secret@host"},
    ],
)
def test_settings_that_cannot_work_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput) as refused:
        EndpointSummariser(**{"kind": "openai", "url": "http://localhost", "model": "m", **settings})
    assert "secret" not in str(refused.value)
    assert str(settings.get("api_key") or "–") not in str(refused.value)
