"""The agent's notes, the tools beside search, and the commands, in the real host."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.openclaw.reading import frames_in
from tools.openclaw_host import Host, Json, call_tool, open_host, system_of, talk_of, whole_of

pytestmark = pytest.mark.openclaw

TOOLS = (
    "memory_search",
    "memory_get",
    "memory_remember",
    "memory_forget",
    "memory_expand",
    "memory_profile",
)
CURATED = "The harbour master of Trieste is called Zeno."
BOAT = "The green boat of Ottokar lies at the third pier."
ROUTER = "The old router of the office stands in the cellar"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("work")
    (folder / "memory").mkdir()
    (folder / "MEMORY.md").write_text(f"# Memory\n\n{CURATED}\n", encoding="utf-8")
    (folder / "memory" / "2026-01-05.md").write_text(
        f"# Monday\n\n- Fed the cat.\n\n## Boat\n\n{BOAT}\n", encoding="utf-8"
    )
    (folder / "DREAMS.md").write_text(
        f"## Deep Sleep\n\n- {ROUTER} {{score=0.9 recall=3 unique=2}}\n", encoding="utf-8"
    )
    return folder


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory, workspace: Path) -> Iterator[Host]:
    with open_host(tmp_path_factory.mktemp("oc"), tools=TOOLS) as host:
        host.config["agents"]["entries"]["main"]["workspace"] = str(workspace)
        host.write_config()
        host.start_daemon()
        host.start_gateway()
        host.wait_for(lambda: notes_of(host), seconds=120)
        yield host


def notes_of(host: Host, agent: str = "agent-id:main") -> int:
    folders = host.memory("list_notes")["folders"]
    return next((one["notes"] for one in folders if one["namespace"] == agent), 0)


def kept_passages(host: Host) -> list[str]:
    kept = host.memory("list_collection", collection="agent_notes:agent-id:main")["results"]
    return [record["text"] for record in kept]


def asked(host: Host, name: str, *, key: str, **arguments: object) -> Json:
    """What a tool answers when the model calls it."""
    host.model.script = [call_tool(name, **arguments), "Done."]
    requests = host.say(f"Please use {name} now.", key=key)
    answers = [text for role, text in talk_of(requests[-1]) if role == "tool"]
    told: Json = json.loads(answers[-1])
    return told


def found(host: Host, query: str, *, key: str = "agent:main:main") -> list[Json]:
    results: list[Json] = asked(host, "memory_search", key=key, query=query)["results"]
    return results


# ── notes ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_memory_md_stands_in_the_system_prompt_once_and_is_not_recalled_beside_it(host: Host) -> None:
    (request,) = host.say("Who is the harbour master of Trieste?", key="agent:main:master")
    assert system_of(request).count(CURATED) == 1
    assert whole_of(request).count("Zeno") == 1
    assert "provenance classification" not in host.log


def test_a_daily_note_is_recalled_with_its_name(host: Host) -> None:
    (request,) = host.say("Where does the green boat of Ottokar lie?", key="agent:main:boat")
    (frame,) = frames_in(request)
    assert BOAT in frame
    assert "memory/2026-01-05.md" in frame


def test_the_tools_find_a_note_by_path_and_lines_and_read_it_there(host: Host) -> None:
    hit = found(host, "Where does the green boat of Ottokar lie?")[0]
    assert (hit["path"], hit["startLine"], hit["endLine"]) == ("memory/2026-01-05.md", 5, 7)
    read = asked(host, "memory_get", key="agent:main:main", path=hit["path"], **{"from": 5, "lines": 3})
    assert read["text"] == f"## Boat\n\n{BOAT}"
    assert any(one["path"] == "MEMORY.md" for one in found(host, "Who is the harbour master of Trieste?"))


def test_groups_and_other_agents_see_no_notes(host: Host) -> None:
    for key in ("agent:main:telegram:group:-77", "agent:other:main"):
        for request in host.say("Where does the green boat of Ottokar lie?", key=key):
            assert "third pier" not in whole_of(request)
        assert not any("pier" in one["text"] for one in found(host, "green boat of Ottokar", key=key))


def test_edits_and_deletions_are_followed(host: Host, workspace: Path) -> None:
    note = workspace / "memory" / "bread.md"
    before = notes_of(host)
    note.write_text("The rye bread of Ilse needs nine hours.", encoding="utf-8")
    host.wait_for(lambda: notes_of(host) == before + 1, seconds=120)
    assert "nine hours" in found(host, "How long does the rye bread of Ilse need?")[0]["text"]
    note.write_text("The rye bread of Ilse needs twelve hours.", encoding="utf-8")
    host.wait_for(lambda: any("twelve" in text for text in kept_passages(host)), seconds=120)
    told = found(host, "How long does the rye bread of Ilse need?")
    assert "twelve hours" in told[0]["text"]
    note.unlink()
    host.wait_for(lambda: notes_of(host) == before, seconds=120)
    assert not any(one["path"] == "memory/bread.md" for one in found(host, "How long does the rye bread need?"))


# ── tools ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_model_remembers_and_forgets_for_one_person_alone(host: Host) -> None:
    anna, bela = "agent:main:telegram:direct:anna", "agent:main:telegram:direct:bela"
    text = "The cottage key of Anna hangs behind the blue door."
    kept = asked(host, "memory_remember", key=anna, text=text)
    assert kept["status"] == "remembered"
    assert found(host, "Where does the cottage key hang?", key=anna)[0]["path"] == kept["path"]
    assert not any("blue door" in one["text"] for one in found(host, "Where does the cottage key hang?", key=bela))
    assert asked(host, "memory_forget", key=bela, paths=[kept["path"]])["forgotten"] == []
    offered = asked(host, "memory_forget", key=anna, query="cottage key")
    assert offered["status"] == "nothing was deleted"
    assert kept["path"] in [one["path"] for one in offered["candidates"]]
    gone = asked(host, "memory_forget", key=anna, paths=[kept["path"]])
    assert [one["path"] for one in gone["forgotten"]] == [kept["path"]]
    assert asked(host, "memory_get", key=anna, path=kept["path"])["status"] == "not_found"


def test_the_model_sees_the_profile_and_is_told_what_it_did_wrong(host: Host) -> None:
    key = "agent:main:telegram:direct:gina"
    host.say("My name is Gina and I live in Graz.", key=key)
    assert "Graz" in json.dumps(asked(host, "memory_profile", key=key))
    assert "no summary" in asked(host, "memory_expand", key=key, path="durable/x")["error"]


def test_the_model_opens_a_summary_word_for_word(host: Host) -> None:
    key = "agent:main:telegram:direct:iris"
    told = [
        f"Step {n} of moving the archive cost {n * 7 + 10} euros. " + "We spoke of shelves. " * 60 for n in range(8)
    ]
    for text in told:
        host.say(text, key=key)
    sessions = host.memory("list_collections", prefix="session_raw:")["collections"]
    names = [one["name"] for one in sessions]
    (name,) = (one for one in names if told[0].strip() in str(host.memory("list_collection", collection=one)))
    assert host.memory("compact", sessionId=name.removeprefix("session_raw:"))["didCompact"]
    hits = found(host, "What did the steps of moving the archive cost?", key=key)
    summary = next(one["path"] for one in hits if one["path"].startswith("summary/"))
    assert told[0].strip()[:60] in json.dumps(asked(host, "memory_expand", key=key, path=summary, maxTokens=20_000))
    stranger = asked(host, "memory_expand", key="agent:main:telegram:direct:jan", path=summary)
    assert "archive" not in json.dumps(stranger)


# ── commands ──────────────────────────────────────────────────────────────────────────────────────────────


def test_the_commands_answer_under_our_own_name(host: Host) -> None:
    """A command of the host takes its time: the plugin's own tests try every one, here are those that need the host."""
    key = "agent:main:telegram:direct:hugo"
    host.say("I keep my bees behind the old school of Hallein.", key=key)
    assert "memory/2026-01-05.md#L5-L7" in host.run("libravdb", "search", "green boat of Ottokar").stdout
    told = json.loads(host.run("libravdb", "forget", "--session", key, "--yes", "--json").stdout)
    assert (told["turns"], "bees" in told["latest"][-1]["text"]) == (2, True)
    assert not any("bees" in one["text"] for one in found(host, "bees behind the school", key=key))
    refused = host.run("libravdb", "flush", "--session-key", key, check=False)
    assert (refused.returncode, "--yes" in refused.stderr + refused.stdout) == (1, True)


def test_the_diary_is_promoted_by_itself_and_by_command(host: Host) -> None:
    dreams = host.memory("list_collection", collection="dream:agent-id:main")["results"]
    assert [record["text"] for record in dreams] == [ROUTER]
    told = json.loads(host.run("libravdb", "dream-promote", "--dry-run", "--json").stdout)
    assert (told["promoted"], told["rejected"]) == (1, 0)
