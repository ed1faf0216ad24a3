"""The frame of the page in a real browser: how it is entered, whose memory it shows, its keys, its looks."""

from __future__ import annotations

import re

import pytest
from tests.inspector.browser import NARROW, NewWindow, Window
from tests.inspector.filled_store import BEN, MALLORY, MARA, NOBODY
from tests.inspector.running import RunningDaemon

pytestmark = pytest.mark.browser

VIEWS = ("timeline", "search", "prompt", "gate", "memory", "rules", "compaction", "health")


def shown_view(window: Window) -> str:
    shown = window.page.locator("nav a[aria-current=page]").get_attribute("data-view")
    assert shown is not None
    return shown


def names(window: Window) -> list[str]:
    """Whose memory can be chosen."""
    return window.page.locator("#namespace option").all_text_contents()


# ── the token ─────────────────────────────────────────────────────────────────────────────────────────────


def test_the_token_leaves_the_address_at_once_and_is_in_no_request(window: Window, daemon: RunningDaemon) -> None:
    page = window.open(token=daemon.tokens.admin, namespace=MARA)
    assert page.url == daemon.page(f"#/timeline?namespace={MARA}")
    assert len(window.seen.requests) > 10
    assert [url for url in window.seen.requests if daemon.tokens.admin in url] == []
    assert page.evaluate("document.cookie") == ""
    page.go_back()
    assert daemon.tokens.admin not in page.url


def test_a_reload_keeps_the_token_and_another_tab_does_not_have_it(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("search", token=daemon.tokens.admin, namespace=MARA)
    page.reload()
    window.settle()
    assert shown_view(window) == "search"
    assert daemon.tokens.admin not in page.evaluate("JSON.stringify(localStorage)")
    other = window.context.new_page()
    window.seen.watch(other)
    window.seen.expect("status of 401")
    other.goto(daemon.page())
    other.wait_for_selector("form input[type=password]")


def test_without_a_token_one_is_asked_for_and_nothing_is_shown(window: Window, daemon: RunningDaemon) -> None:
    window.seen.expect("status of 401")
    window.page.goto(daemon.page(f"#/timeline?namespace={MARA}"))
    field = window.page.get_by_label("Token")
    field.wait_for()
    assert window.page.evaluate("document.activeElement.type") == "password"
    assert "libravdb token create" in window.page.inner_text("main")
    field.fill(daemon.tokens.read)
    field.press("Enter")
    window.page.wait_for_selector("article.turn")
    assert daemon.tokens.read not in window.page.url


def test_a_wrong_token_is_told_and_another_can_be_given(window: Window, daemon: RunningDaemon) -> None:
    window.seen.expect("status of 401")
    window.page.goto(daemon.page(f"#token=lvdb_wrong&namespace={MARA}"))
    window.page.wait_for_selector("main .note")
    assert "lvdb_wrong" not in window.page.content()
    assert "lvdb_wrong" not in window.page.url
    window.page.get_by_label("Token").fill(daemon.tokens.admin)
    window.page.get_by_role("button", name="Open").click()
    window.page.wait_for_selector("article.turn")
    assert names(window)


# ── whose memory ──────────────────────────────────────────────────────────────────────────────────────────


def test_the_picker_offers_the_namespaces_of_the_token_and_no_others(
    new_window: NewWindow, daemon: RunningDaemon
) -> None:
    admin, ben = new_window(), new_window()
    admin.open(token=daemon.tokens.admin, namespace=MARA)
    ben.open(token=daemon.tokens.ben, namespace=BEN)
    assert {BEN, MALLORY, MARA} <= set(names(admin))
    assert names(ben) == [BEN]
    assert "bees on the roof" in ben.page.inner_text("main")


def test_another_memory_is_chosen_and_stands_in_the_address(window: Window, daemon: RunningDaemon) -> None:
    page = window.open(token=daemon.tokens.admin, namespace=MARA)
    page.get_by_label("Whose memory").select_option(BEN)
    page.get_by_text("bees on the roof").wait_for()
    assert page.url.endswith(f"namespace={BEN}")
    page.go_back()
    page.get_by_text("only from seven to eleven").wait_for()
    assert page.get_by_label("Whose memory").input_value() == MARA


def test_somebody_elses_memory_is_refused_in_words_and_nothing_of_it_is_shown(
    window: Window, daemon: RunningDaemon
) -> None:
    window.seen.expect("status of 403")
    page = window.open(token=daemon.tokens.ben, namespace=MARA)
    page.wait_for_selector("main .note.bad")
    assert "brioche" not in page.content()
    assert "Vienna" not in page.content()


# ── keys ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_each_view_has_a_key_and_the_title_follows(window: Window, daemon: RunningDaemon) -> None:
    page = window.open(token=daemon.tokens.admin, namespace=MARA)
    links = page.locator("nav a")
    assert [links.nth(place).get_attribute("data-view") for place in range(len(VIEWS))] == list(VIEWS)
    for place in (*range(2, len(VIEWS) + 1), 1):
        page.keyboard.press(str(place))
        page.wait_for_selector(f"nav a[data-view={VIEWS[place - 1]}][aria-current=page]")
        window.settle()
        assert re.fullmatch(r"\w+ · LibraVDB Memory", page.title())
        assert f"#/{VIEWS[place - 1]}?namespace={MARA}" in page.url


def test_a_slash_goes_to_the_field_and_keys_typed_there_are_text(window: Window, daemon: RunningDaemon) -> None:
    page = window.open(token=daemon.tokens.admin, namespace=MARA)
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.closest('main') !== null")
    assert page.evaluate("document.activeElement.matches('input, textarea')")
    page.keyboard.press("2")
    assert shown_view(window) == "timeline"


def test_r_loads_the_view_anew(window: Window, daemon: RunningDaemon) -> None:
    page = window.open(token=daemon.tokens.admin, namespace=MARA)
    with page.expect_request(lambda request: "list_turns" in (request.post_data or "")):
        page.keyboard.press("r")
    window.settle()


def test_a_question_mark_tells_the_keys_and_escape_closes_it(window: Window, daemon: RunningDaemon) -> None:
    page = window.open(token=daemon.tokens.admin, namespace=MARA)
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").wait_for()
    assert "1 to 8" in page.inner_text("dialog")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    page.get_by_role("button", name="Help").click()
    page.get_by_role("button", name="Close").click()
    page.wait_for_selector("dialog", state="detached")


def test_the_skip_link_is_first_and_leads_into_the_view_that_is_shown(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("search", token=daemon.tokens.admin, namespace=MARA)
    first = page.locator("a, button, select, input").first
    assert first.inner_text() == "Skip to the content"
    first.focus()
    assert page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
    page.keyboard.press("Enter")
    window.until("document.activeElement.id === 'main'")
    assert shown_view(window) == "search"
    assert "#/search" in page.url


# ── looks ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_theme_follows_the_system_until_one_is_chosen_and_stays_chosen(
    new_window: NewWindow, daemon: RunningDaemon
) -> None:
    def paper(window: Window) -> str:
        told: str = window.page.evaluate("getComputedStyle(document.body).backgroundColor")
        return told

    light, dark = new_window(), new_window(colours="dark")
    for window in (light, dark):
        window.open(token=daemon.tokens.admin, namespace=MARA)
    bright, night = paper(light), paper(dark)
    assert bright != night
    theme = dark.page.get_by_role("button", name="Theme")
    theme.click()
    assert paper(dark) == bright
    theme.click()
    assert paper(dark) == night
    dark.page.reload()
    dark.settle()
    assert paper(dark) == night
    assert dark.page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_it_says_so_when_the_line_to_the_daemon_is_open(window: Window, daemon: RunningDaemon) -> None:
    page = window.open(token=daemon.tokens.admin, namespace=NOBODY)
    page.wait_for_selector("#live.on")
    assert page.get_attribute("#live", "title") == "Live: changes are shown as they happen"


def test_on_a_phone_the_views_are_in_reach_of_a_thumb(new_window: NewWindow, daemon: RunningDaemon) -> None:
    window = new_window(size=NARROW, has_touch=True)
    page = window.open(token=daemon.tokens.admin, namespace=MARA)
    page.locator("nav a[data-view=health]").tap()
    page.wait_for_selector("nav a[data-view=health][aria-current=page]")
    window.settle()
    assert not window.scrolls_sideways()


# ── a daemon that goes away ───────────────────────────────────────────────────────────────────────────────


def test_when_nobody_answers_it_is_told_with_a_remedy(window: Window, daemon: RunningDaemon) -> None:
    window.seen.expect("ERR_FAILED")
    page = window.open(token=daemon.tokens.admin, namespace=MARA)
    page.route("**/rpc", lambda route: route.abort())
    page.keyboard.press("r")
    page.get_by_text("The daemon does not answer").first.wait_for()
