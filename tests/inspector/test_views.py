"""What holds of every view, in a real browser: filled or empty, light or dark, wide or narrow, by mouse or by keys."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from tests.inspector.browser import NARROW, NewWindow, Window
from tests.inspector.filled_store import BEN, MALLORY, MARA, NOBODY
from tests.inspector.running import RunningDaemon

pytestmark = pytest.mark.browser

VIEWS = ("timeline", "search", "prompt", "gate", "memory", "rules", "compaction", "health")
MOST_SHIFT = 0.05
BAD = ("serious", "critical")
RUN_AXE = """
() => axe.run(document, { resultTypes: ["violations"] }).then((found) => found.violations.map((each) => ({
  impact: each.impact, rule: each.id, where: each.nodes.slice(0, 3).map((node) => node.html.slice(0, 200)),
})))
"""
FOCUSABLE = ":is(a[href], button, input, select, textarea, summary, [tabindex='0']):not(:disabled, [tabindex='-1'])"
STOPS = f"""
() => {{
  const seen = [...document.querySelectorAll(`main {FOCUSABLE}`)].filter((each) => each.checkVisibility());
  seen.slice(0, 40).forEach((each, place) => {{ each.dataset.stop = place; }});
  return Math.min(seen.length, 40);
}}
"""
FOCUSED = """
() => {
  const at = document.activeElement;
  const style = getComputedStyle(at);
  const isMarked = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  return [at.dataset.stop ?? null, isMarked, at.outerHTML.slice(0, 120)];
}
"""

every_view = pytest.mark.parametrize("view", VIEWS)


@every_view
def test_a_view_opens_on_a_filled_store_and_nothing_jumps(window: Window, daemon: RunningDaemon, view: str) -> None:
    page = window.open(view, token=daemon.tokens.admin, namespace=MARA)
    window.picture(f"{view}-light")
    assert page.locator("main h2").count() == 1
    assert page.locator("main .note.bad").count() == 0
    assert window.shift() <= MOST_SHIFT, window.moved()


@every_view
def test_on_an_empty_store_a_view_says_what_to_do(
    new_window: NewWindow, empty_daemon: RunningDaemon, view: str
) -> None:
    window = new_window(at=empty_daemon.url)
    page = window.open(view, token=empty_daemon.tokens.admin, namespace=NOBODY)
    window.picture(f"{view}-empty")
    assert page.locator("main .note.bad").count() == 0
    assert page.locator("main .empty").count() >= 1
    assert page.locator("main .empty").first.inner_text().count(" ") > 3
    assert window.shift() <= MOST_SHIFT, window.moved()


@every_view
def test_nothing_bars_the_way_of_who_cannot_see_or_point(
    new_window: NewWindow, daemon: RunningDaemon, view: str
) -> None:
    """By axe-core, in both themes. It comes in by the debugger: the page's policy would refuse it."""
    window = new_window()
    window.context.add_init_script(path=str(files("axe_playwright_python") / "axe.min.js"))
    page = window.open(view, token=daemon.tokens.admin, namespace=MARA)
    found: list[dict[str, Any]] = page.evaluate(RUN_AXE)
    page.emulate_media(color_scheme="dark")
    window.picture(f"{view}-dark")
    found += page.evaluate(RUN_AXE)
    assert [each for each in found if each["impact"] in BAD] == []


@every_view
def test_a_view_is_readable_on_a_phone_whatever_people_wrote(
    new_window: NewWindow, daemon: RunningDaemon, view: str
) -> None:
    window = new_window(size=NARROW)
    window.open(view, token=daemon.tokens.admin, namespace=MALLORY)
    window.picture(f"{view}-narrow")
    assert not window.scrolls_sideways()
    assert window.shift() <= MOST_SHIFT, window.moved()


@every_view
def test_what_people_wrote_becomes_no_part_of_a_view(window: Window, daemon: RunningDaemon, view: str) -> None:
    page = window.open(view, token=daemon.tokens.admin, namespace=MALLORY)
    page.eval_on_selector_all("main details", "all => all.slice(0, 20).forEach((each) => { each.open = true; })")
    window.settle()
    assert page.title().endswith("· LibraVDB Memory")
    assert page.locator("main :is(img, script, iframe, style, object, embed, form[action])").count() == 0
    assert page.locator("main b[onmouseover], main [onerror], main [onload]").count() == 0
    hrefs: list[str] = page.eval_on_selector_all("main a[href]", "all => all.map((each) => each.getAttribute('href'))")
    assert [href for href in hrefs if not href.startswith("#/")] == []


@every_view
def test_everything_in_a_view_is_reached_by_the_tab_key_in_order_and_seen_to_be(
    window: Window, daemon: RunningDaemon, view: str
) -> None:
    page = window.open(view, token=daemon.tokens.admin, namespace=MARA)
    stops = page.evaluate(STOPS)
    assert stops >= 2
    page.locator("#main").focus()
    visited: list[str] = []
    while len(visited) < stops:
        page.keyboard.press("Tab")
        place, is_marked, at = page.evaluate(FOCUSED)
        assert place is not None, f"after {visited} comes {at}"
        if place not in visited:  # a field of dates takes several, and marks them itself
            assert int(place) == len(visited), at
            assert is_marked, at
            visited.append(place)


@every_view
def test_a_view_is_saved_as_json(window: Window, daemon: RunningDaemon, view: str) -> None:
    page = window.open(view, token=daemon.tokens.admin, namespace=MARA)
    if view == "search":
        page.locator("main input").first.fill("Where is the shop now?")
        page.keyboard.press("Enter")
        page.wait_for_selector("main .hit")
        window.settle()
    with page.expect_download() as saved:
        page.get_by_role("button", name="JSON", exact=True).click()
    assert saved.value.suggested_filename.endswith(".json")
    assert json.loads(Path(saved.value.path()).read_text(encoding="utf-8"))


@every_view
def test_who_may_only_read_is_offered_nothing_that_writes(window: Window, daemon: RunningDaemon, view: str) -> None:
    page = window.open(view, token=daemon.tokens.read, namespace=MARA)
    assert page.locator("main .note.bad").count() == 0
    assert page.locator("main button.danger").count() == 0
    for word in ("Forget", "Compact now", "Pin", "Undo", "Remove", "Erase"):
        assert page.get_by_role("button", name=word, exact=True).count() == 0


@every_view
def test_a_token_of_one_person_opens_every_view_on_what_is_his(
    window: Window, daemon: RunningDaemon, view: str
) -> None:
    page = window.open(view, token=daemon.tokens.ben, namespace=BEN)
    assert page.locator("main .note.bad").count() == 0
    for foreign in ("brioche", "Vienna", "Lendplatz", MALLORY, MARA):
        assert foreign not in page.inner_text("body")


@every_view
def test_a_view_is_loaded_anew_and_left_without_a_trace(window: Window, daemon: RunningDaemon, view: str) -> None:
    page = window.open(view, token=daemon.tokens.admin, namespace=MARA)
    page.keyboard.press("r")
    page.keyboard.press("8" if view != "health" else "1")  # before it has answered
    page.wait_for_selector(f"nav a[data-view={'health' if view != 'health' else 'timeline'}][aria-current=page]")
    window.settle()
    assert page.locator("main h2").count() == 1
