"""The plugin in the real host: what the model receives, turn by turn."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.openclaw.conftest import RULE
from tests.openclaw.reading import frames_in, history_tokens, said_in
from tools.openclaw_host import (
    MODELS,
    PLUGIN,
    PLUGIN_ID,
    Host,
    call_tool,
    open_host,
    system_of,
    talk_of,
    text_of,
    too_long,
    whole_of,
)

pytestmark = pytest.mark.openclaw

CLARA = "My sister Clara moved to Lisbon in March. She paints old boats there."
SHARE = 0.75


def test_the_third_session_knows_what_the_first_said(host: Host) -> None:
    host.say(CLARA, key="agent:main:first")
    host.say("The weather is fine today, thank you.", key="agent:main:second")
    (request,) = host.say("In which city does my sister Clara live?", key="agent:main:third")
    (frame,) = frames_in(request)
    assert CLARA in frame
    assert said_in(request) == [("user", "In which city does my sister Clara live?")]
    assert whole_of(request).count(CLARA) == 1


def test_every_request_of_a_tool_loop_has_the_rules_once_and_the_same_beginning(host: Host) -> None:
    key = "agent:main:loop"
    host.say("The spare key of the boathouse hangs behind the blue door.", key="agent:main:before")
    host.model.script = [
        call_tool("memory_search", query="spare key"),
        call_tool("memory_get", path="durable/no-such-memory"),
        "Behind the blue door.",
    ]
    requests = host.say("Where does the spare key of the boathouse hang?", key=key)
    assert len(requests) == 3
    first, *later = ([text_of(message) for message in request["messages"]] for request in requests)
    place = next(place for place, text in enumerate(first) if text.startswith("<recalled_memories"))
    for texts in later:
        assert texts[: place + 2] == first[: place + 2]
    assert all(len(frames_in(request)) == 1 for request in requests)
    answers = [text for role, text in talk_of(requests[-1]) if role == "tool"]
    assert "blue door" in answers[0]
    assert "not_found" in answers[1]


def test_the_conversation_stands_in_the_request_word_for_word(host: Host) -> None:
    key = "agent:main:exact"
    told = ["Line one\nand   two  \twith spaces", "<b>bold</b> & 'quotes' \\n", "Ärger mit 日本語 🙂"]
    for text in told:
        host.say(text, key=key)
    (request,) = host.say("And now?", key=key)
    expected = [pair for text in told for pair in (("user", text), ("assistant", "Noted."))]
    assert said_in(request) == [*expected, ("user", "And now?")]


def test_an_agent_sees_nothing_of_another_agents_memory(host: Host) -> None:
    told = "The vault of the lighthouse opens with the word heliotrope."
    host.say(told, key="agent:main:vault")
    for request in host.say("Which word opens the vault of the lighthouse?", key="agent:other:vault"):
        assert "heliotrope" not in whole_of(request)
    host.model.script = [call_tool("memory_search", query="vault of the lighthouse"), "I do not know."]
    requests = host.say("Search your memory for the vault of the lighthouse.", key="agent:other:vault")
    assert all("heliotrope" not in whole_of(request) for request in requests)
    (request,) = host.say("Which word opens the vault of the lighthouse?", key="agent:main:vault2")
    assert "heliotrope" in whole_of(request)


def test_a_long_conversation_stays_within_its_budget_and_keeps_its_end(host: Host) -> None:
    key = "agent:narrow:long"
    told = [
        f"Chapter {n} of the report. " + f"It tells of the bridge over river {n} and of its keeper. " * 60
        for n in range(24)
    ]
    for text in told:
        (request,) = host.say(text, key=key)
        assert history_tokens(request) <= SHARE * MODELS["narrow"]
    (request,) = host.say("Which chapter was the last?", key=key)
    said = said_in(request)
    everything = [pair for text in told for pair in (("user", text.strip()), ("assistant", "Noted."))]
    shown = [(role, text.strip()) for role, text in said[:-1]]
    assert 4 <= len(shown) < len(everything)
    assert shown == everything[-len(shown) :]
    assert shown[0][0] == "user"


def test_compacting_by_command_lets_the_next_prompt_begin_later(host: Host) -> None:
    key = "agent:main:compact"
    for n in range(8):
        host.say(
            f"Step {n} of moving the office cost {n * 7 + 10} euros. " + "We spoke about the garden. " * 80, key=key
        )
    (before,) = host.say("So far so good.", key=key)
    printed = host.run("sessions", "compact", key).stdout
    tokens = [int(number) for number in re.search(r"\((\d+) → (\d+) tokens\)", printed).groups()]  # type: ignore[union-attr]
    assert tokens[1] < tokens[0]
    (after,) = host.say("Thank you.", key=key)
    (later,) = host.say("And good night.", key=key)
    for request in (after, later):
        assert len(said_in(request)) < len(said_in(before))
        assert said_in(request)[-2] == ("assistant", "Noted.")
    assert history_tokens(after) < history_tokens(before)


def test_an_overflow_is_answered_with_a_shorter_prompt(host: Host) -> None:
    key = "agent:main:overflow"
    for n in range(6):
        host.say(f"Entry {n} of the logbook. " + "The wind came from the west and the sea was calm. " * 60, key=key)
    host.model.script = [too_long(), "It was calm."]
    first, second = host.say("How was the sea?", key=key)
    assert history_tokens(second) < 0.75 * history_tokens(first)
    assert "How was the sea?" in whole_of(second)


def test_after_a_reset_the_conversation_is_empty_and_what_was_said_can_be_recalled(host: Host) -> None:
    key = "agent:main:reset"
    host.say("My locker at the station has the number 2217.", key=key)
    host.say("It smells of oranges in there.", key=key)
    host.call_gateway("sessions.reset", key=key)
    (request,) = host.say("Which number does my locker at the station have?", key=key)
    assert said_in(request) == [("user", "Which number does my locker at the station have?")]
    assert "<recent_session_tail" not in whole_of(request)
    assert whole_of(request).count("number 2217") == 1


def test_a_restarted_gateway_goes_on_and_keeps_every_turn_once(host: Host) -> None:
    key = "agent:main:restart"
    host.say("The tram to the museum is number 12.", key=key)
    host.stop_gateway()
    host.start_gateway()
    (request,) = host.say("And it leaves every ten minutes.", key=key)
    assert [text for _, text in said_in(request)] == [
        "The tram to the museum is number 12.",
        "Noted.",
        "And it leaves every ten minutes.",
    ]
    host.say("Fine.", key=key)
    assert host.times_kept("The tram to the museum is number 12.") == 1
    assert host.times_kept("And it leaves every ten minutes.") == 1


def test_nothing_is_lost_while_the_daemon_is_away(awake: Host) -> None:
    host = awake  # without the daemon there are no rules
    key = "agent:main:away"
    told = ["The cellar code is 4711.", "Our cat is called Minka.", "On Sundays I eat figs."]
    host.say("Hello.", key=key)
    before = host.log.count("memory is away")
    host.kill_daemon()
    for text in told:
        (request,) = host.say(text, key=key)
        assert said_in(request)[-1] == ("user", text)
        assert not frames_in(request)
    assert host.log.count("memory is away") - before <= 2  # once, however often the log writes a line
    host.start_daemon()
    (request,) = host.say("Are you there?", key=key)
    assert system_of(request).count(RULE) == 1
    assert [host.times_kept(text) for text in told] == [1, 1, 1]
    (request,) = host.say("What is our cat called?", key="agent:main:away2")
    assert "Minka" in whole_of(request)


def test_a_daemon_that_was_killed_and_restarted_between_two_calls_is_not_noticed(host: Host) -> None:
    key = "agent:main:killed"
    host.say("The blue bicycle belongs to Ivo.", key=key)
    host.kill_daemon()
    host.start_daemon()
    (request,) = host.say("To whom does the blue bicycle belong?", key="agent:main:killed2")
    assert "belongs to Ivo" in whole_of(request)
    host.say("Thanks.", key=key)
    assert host.times_kept("The blue bicycle belongs to Ivo.") == 1


def test_a_reloaded_plugin_goes_on(host: Host) -> None:
    key = "agent:main:reload"
    host.say("The piano tuner comes on Thursday.", key=key)
    host.run("plugins", "reload", "libravdb-memory")
    (request,) = host.say("When does the piano tuner come?", key="agent:main:reload2")
    assert "comes on Thursday" in whole_of(request)
    host.say("Good.", key=key)
    assert host.times_kept("The piano tuner comes on Thursday.") == 1


def test_a_subagent_has_its_parents_memory_and_its_task_is_nobodys_word(host: Host) -> None:
    host.say("The archive of the choir is in the attic of the school.", key="agent:main:choir")
    task = "Find out where the archive of the choir is and report."
    host.model.script = [call_tool("sessions_spawn", task=task), "I sent somebody."]
    before = len(host.model.requests)
    host.say("Please let somebody look for the archive of the choir.", key="agent:main:parent")
    child = host.wait_for(lambda: [one for one in host.model.requests[before:] if task in said_in(one)[0][1]])
    assert "attic of the school" in whole_of(child[0])
    host.wait_for(lambda: "subagent_spawn" in str(host.memory("list_lifecycle_journal")))
    assert host.times_kept(task, collection="user:agent-id:main") == 0


def test_installed_by_the_hosts_own_command_it_needs_no_setting(tmp_path: Path) -> None:
    with open_host(tmp_path, plugin=None) as host:
        host.run("plugins", "install", "--link", "--force", "--accept-capabilities", str(PLUGIN))
        config = json.loads((tmp_path / "openclaw.json").read_text(encoding="utf-8"))
        assert config["plugins"]["slots"] == {"memory": PLUGIN_ID, "contextEngine": PLUGIN_ID}
        try:
            host.run("agent", "--local", "--session-id", "one", "--message", CLARA)
            host.run("agent", "--local", "--session-id", "two", "--message", "Where does my sister Clara live?")
            assert CLARA in whole_of(host.model.requests[-1])
        finally:
            host.stop_started_daemon()
        host.run("plugins", "uninstall", "--force", PLUGIN_ID)
        config = json.loads((tmp_path / "openclaw.json").read_text(encoding="utf-8"))
        assert PLUGIN_ID not in json.dumps([config["plugins"].get("slots"), config["plugins"].get("load")])
        host.run("agent", "--local", "--session-id", "three", "--message", "Are you still there?")


def test_the_memory_command_answers_for_the_plugin(host: Host) -> None:
    key = "agent:main:cli:direct:jonas"  # somebody whose prompts no other test makes
    host.say("My brother Jonas lives in Graz since 2019 and bakes bread.", key=key)
    host.say("Since when does my brother Jonas live in Graz?", key=key)
    assert "version" in host.run("memory", "status").stdout
    assert "bakes bread" in host.run("memory", "search", "--session-key", key, "brother Jonas").stdout
    assert "bakes bread" in host.run("memory", "export", "--session-key", key).stdout
    assert "Since when does my brother" in host.run("memory", "explain", "--session-key", key).stdout
    assert "--yes" in host.run("memory", "flush", "--agent", "nobody", check=False).stderr
    host.run("memory", "flush", "--agent", "nobody", "--yes")
    host.memory("session_lifecycle_hint", hook="session_end", reason="idle", sessionKey="agent:main:gone")
    assert "agent:main:gone" in host.run("memory", "journal").stdout
