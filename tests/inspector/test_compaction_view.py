"""The view of compaction in a real browser: what is folded, what stands, and the way back to what was said."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect
from tests.inspector.browser import NARROW, NewWindow, Window
from tests.inspector.filled_store import LONG_SESSION, MARA
from tests.inspector.running import RunningDaemon

pytestmark = pytest.mark.browser


def summaries(daemon: RunningDaemon, session: str = LONG_SESSION, namespace: str = MARA) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = daemon.call("list_summaries", namespace=namespace, sessionId=session)["nodes"]
    return found


def test_the_longest_session_is_shown_at_a_glance(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("compaction", token=daemon.tokens.admin, namespace=MARA)
    standing = [node for node in summaries(daemon) if node["isActive"]]
    folded = sum(node["turnCount"] for node in standing)
    words = f"192 turns: {folded} folded under {len(standing)} summaries, {192 - folded} stand word for word."
    expect(page.locator(".overview")).to_contain_text(words)
    expect(page.locator("main select")).to_have_value(LONG_SESSION)
    assert page.locator(".strip-row").first.locator("a").count() == len(standing)


def test_a_node_tells_level_turns_method_confidence_and_facts(window: Window, daemon: RunningDaemon) -> None:
    node = next(each for each in summaries(daemon) if each["isActive"] and each["factsListed"])
    params = {"session": LONG_SESSION, "node": node["id"]}
    page = window.open("compaction", token=daemon.tokens.admin, namespace=MARA, params=params)
    shown = page.locator(f"[data-node='{node['id']}']")
    for words in (
        f"level {node['level']}",
        f"{node['turnCount']} turns",
        f"{node['factsKept']} of {node['factsListed']} facts kept",
        "may stand in prompts",
        f"confidence {node['confidence']:.2f}",
        node["text"].splitlines()[0],
    ):
        expect(shown).to_contain_text(words)


def test_an_address_opens_the_way_down_to_a_summary(window: Window, daemon: RunningDaemon) -> None:
    nodes = summaries(daemon)
    under = next(node for node in nodes if not node["isActive"] and node["level"] == 1)
    params = {"session": LONG_SESSION, "node": under["id"]}
    page = window.open("compaction", token=daemon.tokens.admin, namespace=MARA, params=params)
    shown = page.locator(f"[data-node='{under['id']}']")
    expect(shown).to_be_visible()
    expect(shown.locator("> summary")).to_be_focused()
    assert page.locator("details[data-node][open]").count() >= 2


def test_a_summary_opens_to_what_was_said_word_for_word(window: Window, daemon: RunningDaemon) -> None:
    node = next(each for each in summaries(daemon) if each["level"] == 1)
    params = {"session": LONG_SESSION, "node": node["id"]}
    page = window.open("compaction", token=daemon.tokens.admin, namespace=MARA, params=params)
    shown = page.locator(f"[data-node='{node['id']}']")
    shown.get_by_role("button", name="word for word").click()
    said = daemon.call("expand", sessionId=LONG_SESSION, summaryId=node["id"], namespace=MARA, maxDepth=1)["records"]
    expect(shown.locator(".said-turn")).to_have_count(len(said))
    assert [turn.inner_text() for turn in shown.locator(".said-turn p").all()] == [record["text"] for record in said]
    shown.get_by_role("button", name="Hide the turns").click()
    expect(shown.locator(".said-turn")).to_have_count(0)


def test_a_summary_that_is_gone_is_said_to_be(window: Window, daemon: RunningDaemon) -> None:
    params = {"session": LONG_SESSION, "node": "summary:nowhere"}
    page = window.open("compaction", token=daemon.tokens.admin, namespace=MARA, params=params)
    expect(page.locator("main")).to_contain_text("This summary is not there any more")


def test_a_folded_turn_of_the_timeline_leads_to_its_summary(window: Window, daemon: RunningDaemon) -> None:
    turns = daemon.call("list_turns", namespace=MARA, session=LONG_SESSION, limit=1000)["turns"]
    folded = next(turn for turn in turns if turn["foldedInto"])
    params = {"session": LONG_SESSION, "node": folded["foldedInto"]}
    page = window.open("compaction", token=daemon.tokens.admin, namespace=MARA, params=params)
    expect(page.locator(f"[data-node='{folded['foldedInto']}'] > summary")).to_be_focused()


def test_compacting_tells_in_words_what_it_did(window: Window, daemon: RunningDaemon) -> None:
    name = daemon.fresh_namespace()
    messages = [
        {"role": "user", "content": f"On day {day} we moved box {day} to the harbour, which cost {day * 7 + 40} euros."}
        for day in range(80)
    ]
    daemon.call("ingest_batch", sessionId=f"{name} moves", namespace=name, messages=messages)
    page = window.open("compaction", token=daemon.tokens.admin, namespace=name)
    expect(page.locator(".overview")).to_contain_text("80 turns, all word for word")
    page.get_by_role("button", name="Compact now").click()
    expect(page.locator(".note").first).to_contain_text("tokens before")
    made = summaries(daemon, f"{name} moves", name)
    standing = [node for node in made if node["isActive"]]
    assert standing
    expect(page.locator(".overview")).to_contain_text(f"under {len(standing)} summar")
    page.get_by_role("button", name="Compact now").click()
    expect(page.locator(".note").first).to_contain_text("Nothing was folded.")


def test_who_may_only_look_cannot_compact_and_is_told(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("compaction", token=daemon.tokens.read, namespace=MARA)
    expect(page.locator(".overview")).to_contain_text("192 turns")
    expect(page.get_by_role("button", name="Compact now")).to_have_count(0)
    expect(page.locator("main")).to_contain_text("This token may look only")


def test_without_sessions_it_says_what_to_do(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("compaction", token=daemon.tokens.admin, namespace=daemon.fresh_namespace())
    expect(page.locator(".empty")).to_contain_text("libravdb ingest")


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_it_fits_a_phone(new_window: NewWindow, daemon: RunningDaemon, colours: str) -> None:
    window = new_window(size=NARROW, colours=colours)
    node = next(each for each in summaries(daemon) if each["level"] == 1)
    params = {"session": LONG_SESSION, "node": node["id"]}
    page = window.open("compaction", token=daemon.tokens.admin, namespace=MARA, params=params)
    page.locator(f"[data-node='{node['id']}']").get_by_role("button", name="word for word").click()
    expect(page.locator(".said-turn").first).to_be_visible()
    assert not window.scrolls_sideways()
    window.picture(f"compaction-phone-{colours}")
