"""Whose memory it is on the real host: people, groups, opt-outs, heartbeats, outages."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from tests.openclaw.reading import frames_in, history_tokens, said_in
from tools.openclaw_host import MODELS, Host, Json, call_tool, open_host, system_of, whole_of

pytestmark = pytest.mark.openclaw

TOLD = "The vault in the lighthouse opens with the word heliotrope."
ASKED = "Which word opens the vault in the lighthouse?"
AGENTS = {"main": "wide", "quiet": "wide", "narrow": "narrow"}
SHARE = 0.75
WAITING = "state/libravdb/waiting-*/*.json"
"""What the daemon has not heard yet."""


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    with open_host(tmp_path_factory.mktemp("ocp"), agents=AGENTS) as host:
        host.config["session"] = {
            "dmScope": "per-channel-peer",
            "identityLinks": {"carol": ["telegram:1", "discord:2"]},
        }
        host.config["agents"]["entries"]["quiet"]["memory"] = {"search": {"enabled": False}}
        host.write_config()
        host.start_daemon()
        host.start_gateway()
        yield host


@pytest.fixture
def host(gateway: Host) -> Host:
    """The same with everything running and a model that has nothing special to say."""
    gateway.model.script.clear()
    if gateway.daemon is None:
        gateway.start_daemon()
    return gateway


def tools_of(request: Json) -> set[str]:
    return {tool["function"]["name"] for tool in request.get("tools", ())}


def test_a_secret_of_one_chat_reaches_no_other_by_recall_or_by_tools(host: Host) -> None:
    host.say(TOLD, key="agent:main:telegram:direct:1")
    strangers = ("telegram:direct:5", "telegram:group:-7", "discord:channel:2", "main", "irc:direct:carol")
    for key in (f"agent:main:{rest}" for rest in strangers):
        host.model.script = [call_tool("memory_search", query="vault in the lighthouse"), "I do not know."]
        for request in host.say(ASKED, key=key):
            assert "heliotrope" not in whole_of(request), key
    assert host.times_kept(TOLD, collection="history:person:carol") == 1


def test_a_linked_person_is_one_on_both_channels(host: Host) -> None:
    host.say("My canoe is called Walnut and lies at the weir.", key="agent:main:telegram:direct:1")
    (request,) = host.say("What is my canoe called?", key="agent:main:discord:direct:2")
    assert "Walnut" in whole_of(request)


def test_a_group_remembers_for_itself_alone(host: Host) -> None:
    host.say("The regatta of our club begins at nine on the old pier.", key="agent:main:slack:channel:c1")
    (request,) = host.say("When does the regatta of our club begin?", key="agent:main:slack:channel:c1:thread:17")
    assert "old pier" in whole_of(request)
    for key in ("agent:main:slack:channel:c2", "agent:main:slack:direct:u1", "agent:main:main"):
        (request,) = host.say("When does the regatta of our club begin?", key=key)
        assert "old pier" not in whole_of(request), key


def test_an_agent_that_opted_out_has_no_tools_no_recall_and_leaves_nothing(host: Host) -> None:
    told = "The harvest party of the orchard is on Friday."
    (first,) = host.say(told, key="agent:quiet:main")
    (second,) = host.say("When is the harvest party of the orchard?", key="agent:quiet:other")
    for request in (first, second):
        assert not {"memory_search", "memory_get"} & tools_of(request)
        assert "## Memory" not in system_of(request)
        assert not frames_in(request)
    assert "Friday" not in whole_of(second)
    assert host.times_kept(told, collection="history:agent-id:quiet") == 0
    (third,) = host.say("Go on.", key="agent:quiet:main")
    assert said_in(third)[0] == ("user", told)


def test_a_heartbeat_gets_no_recall_leaves_nothing_and_shadows_no_prompt(host: Host) -> None:
    host.say("The greenhouse key lies under the third flower pot.", key="agent:main:main")
    (asked,) = host.say("Where does the greenhouse key lie?", key="agent:main:elsewhere")
    assert "flower pot" in whole_of(asked)
    before = len(host.model.requests)
    host.model.answer = lambda _: "HEARTBEAT_OK"
    try:
        host.run("system", "event", "--text", "Look after the greenhouse key", "--mode", "now")
        (beat, *_) = host.wait_for(lambda: host.model.requests[before:], seconds=120)
    finally:
        host.model.answer = lambda _: "Noted."
    assert not [frame for frame in frames_in(beat) if "<recalled_memories" in frame]
    told = host.memory("explain", agentId="main")
    assert told["prompt"] == "Where does the greenhouse key lie?"
    history = str(host.memory("list_collection", collection="history:agent-id:main"))
    assert "HEARTBEAT_OK" not in history
    assert "Look after the greenhouse key" not in history


def test_a_cron_job_gets_no_recall_and_leaves_nothing(host: Host) -> None:
    host.say("The sundial in the yard was made by Ottilie Brandt.", key="agent:main:main")
    asked = "Report who made the sundial in the yard."
    made = host.run(
        "automations", "create", "0 7 1 1 *", asked, "--name", "sundial", "--agent", "main", "--json"
    ).stdout
    job = json.loads(made[made.index("{") :])
    before = len(host.model.requests)
    host.run("automations", "run", str(job.get("id") or job["job"]["id"]))
    runs = host.wait_for(lambda: [one for one in host.model.requests[before:] if asked in whole_of(one)], seconds=120)
    assert "Ottilie" not in whole_of(runs[0])
    (request,) = host.say("And the gate?", key="agent:main:main")  # behind the job's own commit
    assert request
    assert asked not in str(host.memory("list_collection", collection="history:agent-id:main"))


def test_an_outage_that_ends_with_a_reset_loses_nothing(host: Host) -> None:
    key = "agent:main:outage"
    told = ["The first bell is cast.", "The second bell is cracked.", "The third bell is for sale."]
    host.say(told[0], key=key)
    host.kill_daemon()
    host.say(told[1], key=key)
    host.say(told[2], key=key)
    host.call_gateway("sessions.reset", key=key)
    (fresh,) = host.say("The tower is empty.", key=key)
    assert said_in(fresh) == [("user", "The tower is empty.")]
    host.start_daemon()
    (request,) = host.say("Is the tower empty?", key=key)
    assert [text for _, text in said_in(request)] == ["The tower is empty.", "Noted.", "Is the tower empty?"]
    host.wait_for(lambda: not list(host.home.glob(WAITING)) and host.times_kept(told[2]), seconds=300)
    assert [host.times_kept(text) for text in (*told, "The tower is empty.")] == [1, 1, 1, 1]
    host.call_gateway("sessions.reset", key=key)
    host.say("And another day.", key=key)
    assert [host.times_kept(text) for text in (*told, "The tower is empty.")] == [1, 1, 1, 1]
    assert not list(host.home.glob(WAITING))


def test_without_the_daemon_a_long_session_stays_within_its_budget(host: Host) -> None:
    key = "agent:narrow:away"
    told = [
        f"Chapter {n} of the report. " + f"It tells of the bridge over river {n} and of its keeper. " * 60
        for n in range(30)
    ]
    host.say(told[0], key=key)
    host.kill_daemon()
    for text in told[1:]:
        (request,) = host.say(text, key=key)
        assert history_tokens(request) <= SHARE * MODELS["narrow"]
        assert said_in(request)[-1][1].strip() == text.strip()
    said = said_in(request)
    everything = [pair for text in told for pair in (("user", text.strip()), ("assistant", "Noted."))]
    shown = [(role, text.strip()) for role, text in said[:-1]]
    assert 4 <= len(shown) < len(everything) - 2
    assert shown == everything[:-2][-len(shown) :]
    assert shown[0][0] == "user"
    host.start_daemon()
    host.say("Which chapter was the last?", key=key)
    host.wait_for(lambda: not list(host.home.glob(WAITING)), seconds=300)
    kept = [host.times_kept(text.strip(), collection="history:agent-id:narrow") for text in told]
    assert kept == [1] * len(told)
