"""The timeline in a real browser: what was said, what became of it, and what is said while somebody looks."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.inspector.browser import NARROW, NewWindow, Window
from tests.inspector.filled_store import DAYS_OF_THE_MOVE, HOSTILE_SESSION, LONG_SESSION, MALLORY, MARA, MOVED, noon
from tests.inspector.running import RunningDaemon

pytestmark = pytest.mark.browser


def turns(window: Window) -> list[str]:
    return window.page.locator("article.turn .said").all_text_contents()


def test_the_newest_stands_first_under_its_day_with_what_the_gate_decided(
    window: Window, daemon: RunningDaemon
) -> None:
    page = window.open(token=daemon.tokens.read, namespace=MARA)
    assert turns(window)[:2] == ["ok", "From December we open on Sundays too, but only from seven to eleven."]
    first, second = page.locator("article.turn").nth(0), page.locator("article.turn").nth(1)
    assert "vetoed" in first.inner_text()
    assert "kept" in second.inner_text()
    assert page.locator("h3.day").first.inner_text() == datetime.fromtimestamp(noon(2) / 1000, UTC).strftime(
        "%a, %-d %b %Y"
    )
    assert len(turns(window)) == 50


def test_more_is_shown_on_request_and_each_turn_once(window: Window, daemon: RunningDaemon) -> None:
    page = window.open(token=daemon.tokens.read, namespace=MARA)
    page.get_by_role("button", name="Show more").click()
    window.until("document.querySelectorAll('article.turn').length === 100")
    ids = page.eval_on_selector_all("article.turn", "all => all.map((each) => each.dataset.id)")
    assert len(set(ids)) == 100


def test_a_day_can_be_jumped_to_and_left_again(window: Window, daemon: RunningDaemon) -> None:
    page = window.open(token=daemon.tokens.read, namespace=MARA)
    day = datetime.fromtimestamp(noon(DAYS_OF_THE_MOVE) / 1000, UTC).strftime("%Y-%m-%d")
    page.get_by_label("Day").fill(day)
    page.wait_for_url(f"**day={day}**")
    window.until("document.querySelectorAll('article.turn').length === 3")
    assert MOVED in turns(window)
    assert page.get_by_label("Day").input_value() == day
    page.get_by_role("button", name="All").click()
    window.until("document.querySelectorAll('article.turn').length === 50")


def test_a_day_on_which_nothing_was_said_is_told(window: Window, daemon: RunningDaemon) -> None:
    page = window.open(token=daemon.tokens.read, namespace=MARA, params={"day": "2001-01-01"})
    assert page.locator("main .empty").inner_text()
    assert turns(window) == []


def test_one_session_can_be_looked_at_and_what_was_folded_is_marked(window: Window, daemon: RunningDaemon) -> None:
    page = window.open(token=daemon.tokens.read, namespace=MARA, params={"session": LONG_SESSION})
    assert page.get_by_label("Session").input_value() == LONG_SESSION
    assert {each.split(" grams")[0][:4] for each in turns(window)} == {"For ", "Note", "Then", "Good"}
    page.get_by_role("button", name="Show more").click()
    window.until("document.querySelectorAll('article.turn').length === 100")
    folded = page.locator("article.turn a", has_text="folded")
    assert folded.count() > 20
    assert "#/compaction?" in str(folded.first.get_attribute("href"))
    assert "folded" not in page.locator("article.turn").first.inner_text()


def test_what_a_newer_one_replaced_is_marked_as_outdated(window: Window, daemon: RunningDaemon) -> None:
    page = window.open(token=daemon.tokens.read, namespace=MARA, params={"session": "opening the shop"})
    outdated = page.locator("article.turn", has_text="I live in Graz.")
    assert "outdated" in outdated.inner_text()
    assert page.locator("article.turn", has_text="outdated").count() == 1


def test_what_is_said_while_one_looks_appears_by_itself(window: Window, daemon: RunningDaemon) -> None:
    namespace = daemon.fresh_namespace()
    page = window.open(token=daemon.tokens.admin, namespace=namespace)
    assert page.locator("main .empty code").count() > 0  # a command to begin with
    page.wait_for_selector("#live.on")
    daemon.say("I live in Trieste, above the harbour office.", namespace=namespace)
    page.get_by_text("above the harbour office").first.wait_for(timeout=8_000)
    daemon.say("The harbour office closes at noon on Fridays.", namespace=namespace)
    page.get_by_text("closes at noon").first.wait_for(timeout=8_000)
    assert turns(window)[0] == "The harbour office closes at noon on Fridays."


def test_who_reads_further_down_is_told_and_not_moved(window: Window, daemon: RunningDaemon) -> None:
    namespace = daemon.fresh_namespace()
    messages = [{"role": "user", "content": f"Boat number {number} lies at pier {number}."} for number in range(40)]
    daemon.call("ingest_batch", sessionId="pier", namespace=namespace, messages=messages)
    page = window.open(token=daemon.tokens.admin, namespace=namespace)
    page.wait_for_selector("#live.on")
    page.evaluate("window.scrollTo(0, 1000)")
    before = page.evaluate("window.scrollY")
    daemon.say("The ferry is late today.", namespace=namespace)
    page.get_by_text("Something new was said").wait_for(timeout=8_000)
    assert abs(page.evaluate("window.scrollY") - before) < 100
    assert "The ferry is late today." not in turns(window)
    page.get_by_role("button", name="Show it").click()
    page.get_by_text("The ferry is late today.").wait_for()
    assert page.evaluate("window.scrollY") == 0


def test_what_is_written_to_harm_a_page_is_only_shown(window: Window, daemon: RunningDaemon) -> None:
    page = window.open(token=daemon.tokens.admin, namespace=MALLORY)
    page.get_by_text("onerror=\"document.title='owned'\"").first.wait_for()
    assert page.title() == "Timeline · LibraVDB Memory"
    assert page.locator("main img, main script, main iframe, main style, main svg").count() == 0
    hrefs = page.eval_on_selector_all("main a", "all => all.map((each) => each.getAttribute('href'))")
    assert all(href.startswith("#/") for href in hrefs)
    assert page.get_by_role("link", name=HOSTILE_SESSION).count() > 0
    for code in ("U+202E", "U+0007"):
        assert page.locator(".control-char", has_text=code).count() == 1
    page.get_by_role("link", name=HOSTILE_SESSION).first.click()
    page.wait_for_url("**session=**")
    window.settle()
    assert page.get_by_label("Session").input_value() == HOSTILE_SESSION


def test_a_long_text_is_opened_on_request_and_stays_in_its_card(new_window: NewWindow, daemon: RunningDaemon) -> None:
    window = new_window(size=NARROW)
    page = window.open(token=daemon.tokens.admin, namespace=MALLORY)
    page.get_by_role("button", name="Show all").click()
    page.get_by_text("and I decided to keep it so for ever.").wait_for()
    assert not window.scrolls_sideways()


def test_the_view_is_saved_as_json_and_as_markdown(window: Window, daemon: RunningDaemon) -> None:
    page = window.open(token=daemon.tokens.read, namespace=MARA)
    with page.expect_download() as saved:
        page.get_by_role("button", name="JSON").click()
    assert saved.value.suggested_filename == f"timeline-{MARA}.json"
    items = json.loads(Path(saved.value.path()).read_text(encoding="utf-8"))
    assert [item["text"] for item in items] == turns(window)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Markdown").click()
    assert MOVED in Path(saved.value.path()).read_text(encoding="utf-8")
