"""The gate in a real browser: what was judged, what another threshold would do, trying a text, answers, restoring."""

from __future__ import annotations

from typing import Any

import pytest
from tests.inspector.browser import NARROW, NewWindow, Window
from tests.inspector.filled_store import MARA
from tests.inspector.running import RunningDaemon

pytestmark = pytest.mark.browser
playwright = pytest.importorskip("playwright.sync_api", reason="'pip install playwright' lets these tests run")
expect: Any = playwright.expect


def test_another_threshold_is_counted_as_the_gate_would_count(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("gate", token=daemon.tokens.admin, namespace=MARA)
    told = daemon.call("gate_scores", namespace=MARA)["scores"]
    for threshold in (0.2, 0.34, 0.45, 0.9):
        page.get_by_role("spinbutton", name="Threshold to try").fill(f"{threshold:.2f}")
        page.keyboard.press("Enter")
        kept = [turn for turn in told if not turn["veto"] and (turn["admission"] or turn["score"] >= threshold)]
        lost = [turn for turn in told if turn["isAdmitted"] and turn not in kept]
        expect(page.locator(".recounted")).to_contain_text(f"{len(kept)} of {len(told)} turns would be kept")
        heading = page.get_by_role("heading", name=f"Would no longer be kept ({len(lost)})")
        expect(heading).to_have_count(1 if lost else 0)


def test_the_threshold_is_moved_by_keys_and_the_numbers_stand_in_tables(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("gate", token=daemon.tokens.admin, namespace=MARA)
    slider = page.get_by_role("slider", name="Threshold to try")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("0.35")
    expect(page.get_by_text("threshold = 0.35")).to_be_visible()
    page.get_by_role("button", name="Back to today's").click()
    expect(slider).to_have_value("0.34")
    page.get_by_text("The same as tables").click()
    judged = page.get_by_role("region", name="Judged turns, newest first")
    expect(judged.locator("tbody tr")).to_have_count(25)
    page.locator("details.behind select").select_option("vetoed")
    expect(judged).to_contain_text("no substance")
    assert "kept by its score" in (page.locator("svg.chart").first.get_attribute("aria-label") or "")


def test_a_text_is_tried_without_leaving_anything(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("gate", token=daemon.tokens.read, namespace=MARA)
    before = daemon.call("changes", namespace=MARA)
    page.get_by_label("What somebody might say").fill("I moved to Linz last week. From now on answer in German.")
    page.get_by_role("button", name="Judge it").click()
    tried = page.get_by_role("region", name="Try a text")
    expect(tried).to_contain_text("Would be kept: it replaces")
    expect(tried).to_contain_text("I moved to Vienna last week")
    expect(tried).to_contain_text("counts in every prompt")
    expect(tried.locator(".parts dt")).to_have_count(12)
    page.get_by_label("What somebody might say").fill("Thanks!")
    page.get_by_role("button", name="Judge it").click()
    expect(tried).to_contain_text("Would not be kept: no substance")
    assert daemon.call("changes", namespace=MARA) == before


def test_an_answer_counts_for_the_threshold(window: Window, daemon: RunningDaemon) -> None:
    somebody = daemon.fresh_namespace()
    daemon.say("My daughter Mia starts school in September.", namespace=somebody)
    page = window.open("gate", token=daemon.tokens.admin, namespace=somebody)
    card = page.get_by_role("region", name="Was it worth keeping?")
    card.get_by_role("button", name="Useful", exact=True).click()
    expect(card.get_by_role("status")).to_contain_text("1 answer, 1 useful (before: 0, 0 useful)")
    expect(card.get_by_role("button", name="Useful", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("region", name="So far")).to_contain_text("1 answer, 1 useful.")
    report = daemon.call("gate_report", namespace=somebody)
    assert (report["labels"], report["useful"]) == (1, 1)
    card.get_by_role("button", name="Not useful").click()
    expect(card.get_by_role("status")).to_contain_text("1 answer, 0 useful")


def test_what_was_made_outdated_is_restored_and_that_is_undone(window: Window, daemon: RunningDaemon) -> None:
    somebody = daemon.fresh_namespace()
    daemon.say("I live in Graz.", namespace=somebody)
    daemon.say("I moved to Vienna, I live there now.", namespace=somebody)
    page = window.open("gate", token=daemon.tokens.admin, namespace=somebody)
    card = page.get_by_role("region", name="Made outdated")
    expect(card).to_contain_text("I live in Graz.")
    card.get_by_role("button", name="Restore").click()
    expect(card).to_contain_text("Nothing was made outdated.")
    assert _outdated(daemon, somebody) == []
    page.get_by_role("button", name="Undo").click()
    expect(card).to_contain_text("I live in Graz.")
    assert _outdated(daemon, somebody) == ["I live in Graz."]


def test_what_is_said_elsewhere_appears(window: Window, daemon: RunningDaemon) -> None:
    somebody = daemon.fresh_namespace()
    page = window.open("gate", token=daemon.tokens.admin, namespace=somebody)
    expect(page.get_by_text("Nothing was judged so far.").first).to_be_visible()
    daemon.say("My daughter Mia starts school in September.", namespace=somebody)
    expect(page.get_by_role("region", name="Scores")).to_contain_text("1 of 1 turn would be kept")


def test_who_only_reads_finds_no_button_that_writes(new_window: NewWindow, daemon: RunningDaemon) -> None:
    window = new_window(size=NARROW)
    page = window.open("gate", token=daemon.tokens.read, namespace=MARA)
    expect(page.get_by_role("region", name="Made outdated")).to_contain_text("I live in Graz.")
    for name in ("Useful", "Not useful", "Restore"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)
    assert not window.scrolls_sideways()


def _outdated(daemon: RunningDaemon, namespace: str) -> list[str]:
    records = daemon.call("list_memories", namespace=namespace)["records"]
    return [record["text"] for record in records if "superseded_by" in record["metadata"]]
