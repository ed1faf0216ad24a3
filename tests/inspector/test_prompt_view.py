"""The prompt view in a real browser: where a budget went, why something is not there, what one turn changes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.inspector.browser import NARROW, NewWindow, Window
from tests.inspector.filled_store import LONG_SESSION, MALLORY, MARA
from tests.inspector.running import RunningDaemon

pytestmark = pytest.mark.browser

LOOKS = (("light", (1280, 900)), ("dark", (1280, 900)), ("light", NARROW), ("dark", NARROW))
FLOUR = "How much flour for the rye?"


def _open(window: Window, daemon: RunningDaemon, *, namespace: str = MARA, **params: str) -> None:
    token = daemon.tokens.read if namespace == MARA else daemon.tokens.admin
    window.open("prompt", token=token, namespace=namespace, params=params)


def _open_receipt(window: Window, daemon: RunningDaemon, question: str) -> None:
    _open(window, daemon)
    window.page.get_by_role("link", name=question).click()
    window.page.wait_for_selector(".why")
    window.settle()


def test_prompts_that_were_made_are_listed_with_what_they_spent(window: Window, daemon: RunningDaemon) -> None:
    _open(window, daemon)
    told = window.page.locator(".receipt").all_inner_texts()
    assert len(told) == 3
    assert "memory stayed silent" in told[0]
    assert all(re.search(r"\d+ of 1,500 tokens", each) for each in told)
    window.page.select_option("[name=session]", "moving")
    window.page.wait_for_function("() => document.querySelectorAll('.receipt').length === 1")


def test_the_bar_adds_up_to_the_budget_and_each_thing_tells_why(window: Window, daemon: RunningDaemon) -> None:
    _open_receipt(window, daemon, "Which nuts must Jonas avoid?")
    key = window.page.locator("section.card .key b").all_inner_texts()
    assert sum(int(each.replace(",", "")) for each in key) == 1_500
    recalled = window.page.locator("details.group", has_text="recalled")
    assert re.search(r"score 0\.\d\d", recalled.inner_text())
    assert "similar in meaning" in recalled.inner_text()
    rules = window.page.locator("details.group", has_text="rules").first
    rules.locator("summary").click()
    window.settle()
    assert "Never push to main." in rules.inner_text()
    assert "a hard rule stands in every prompt" in rules.inner_text()


def test_what_was_left_out_is_grouped_by_why(window: Window, daemon: RunningDaemon) -> None:
    _open_receipt(window, daemon, "Which nuts must Jonas avoid?")
    group = window.page.locator("details.group", has_text="In the prompt already")
    group.locator("summary").click()
    window.settle()
    assert "it stands in the profile" in group.inner_text()


def test_a_silent_prompt_says_why_and_how_it_begins(window: Window, daemon: RunningDaemon) -> None:
    _open_receipt(window, daemon, "ok")
    assert "Memory stayed silent. The message greets" in window.page.inner_text(".note.warn")
    assert "the prompt before" in window.page.inner_text("main")
    window.page.get_by_role("link", name="the prompt before").click()
    window.page.wait_for_selector("text=Which nuts must Jonas avoid?")


def test_why_something_is_missing_is_asked_by_words(window: Window, daemon: RunningDaemon) -> None:
    _open_receipt(window, daemon, "ok")
    window.page.fill("[name=words]", "hazelnuts allergy")
    window.page.press("[name=words]", "Enter")
    window.page.locator(".offered button", has_text="hazelnuts").first.click()
    answer = window.page.locator(".answer .note")
    answer.wait_for()
    assert "hazelnuts" in answer.inner_text()
    assert "profile" in answer.inner_text()


def test_why_something_is_missing_is_asked_by_an_id(window: Window, daemon: RunningDaemon) -> None:
    _open(window, daemon, show="preview", session="orders", prompt="What must Jonas avoid?")
    window.page.fill("[name=id]", "starter")
    window.page.press("[name=id]", "Enter")
    window.page.wait_for_selector(".answer .note")
    assert "starter" in window.page.inner_text(".answer")


def test_the_text_of_a_receipt_is_made_again_and_proven(window: Window, daemon: RunningDaemon) -> None:
    _open_receipt(window, daemon, "ok")
    window.page.click("summary:has-text('The text itself')")
    window.page.wait_for_selector("details.section")
    assert "proven" in window.page.inner_text("ul.key[aria-label=Parts]")
    window.page.click("summary:has-text('In the system prompt')")
    assert "Never push to main." in window.page.inner_text("details.section >> nth=0")


def test_a_preview_leaves_nothing_and_shows_its_text(window: Window, daemon: RunningDaemon) -> None:
    before = daemon.call("list_receipts", namespace=MARA)
    _open(window, daemon, show="preview")
    page = window.page
    page.fill("[name=prompt]", FLOUR)
    page.select_option("[name=session]", LONG_SESSION)
    page.fill("[name=budget]", "1200")
    page.click("text=Make it")
    page.wait_for_selector("details[data-kind=tail]")
    assert "budget=1200" in page.url
    page.click("details[data-kind=recalled] summary")
    assert "rye" in page.inner_text("details[data-kind=recalled]")
    assert "of 1,200 tokens" in page.inner_text("main")
    window.settle()
    assert daemon.call("list_receipts", namespace=MARA) == before


def test_a_budget_that_is_too_small_is_told_as_such(window: Window, daemon: RunningDaemon) -> None:
    _open(window, daemon, show="preview", session="orders", prompt="Hello?", budget="60")
    assert "need more than the budget" in window.page.inner_text(".note.bad")
    assert "over the budget" in window.page.inner_text("main")


def test_before_and_after_a_turn_stand_side_by_side(window: Window, daemon: RunningDaemon) -> None:
    _open(window, daemon, show="turn", session="moving")
    page = window.page
    page.wait_for_selector("[name=turn] option", state="attached")
    chosen = page.locator("[name=turn] option", has_text="Vienna it is").get_attribute("value")
    page.select_option("[name=turn]", chosen)
    page.fill("[name=prompt]", "Where does Mara live?")
    page.get_by_role("button", name="Compare").click()
    page.wait_for_selector(".beside")
    assert re.search(r"The first \d+ characters are the same in both: about \d+ of", page.inner_text(".note"))
    after = page.locator("section[aria-label='Just after']")
    assert after.locator("details[data-state=same]").count() >= 1
    assert "Vienna it is" in after.locator("mark").first.inner_text()
    assert "Vienna it is" not in page.inner_text("section[aria-label='Just before']")
    address = page.url
    page.reload()
    page.wait_for_selector(".beside")
    assert page.url == address


def test_hostile_prompts_stay_texts(window: Window, daemon: RunningDaemon) -> None:
    _open(window, daemon, namespace=MALLORY)
    window.page.locator(".receipt a").last.click()
    window.page.wait_for_selector(".why")
    closed = window.page.locator("details.group:not([open]) > summary")
    while closed.count():
        closed.first.click()
    window.settle()
    assert window.page.locator("main img, main script, main iframe, main svg").count() == 0
    assert window.page.title() == "Prompt · LibraVDB Memory"


def test_a_namespace_without_prompts_says_what_to_do(window: Window, daemon: RunningDaemon) -> None:
    _open(window, daemon, namespace=daemon.fresh_namespace())
    assert "No prompt was made so far." in window.page.inner_text("main")
    window.page.get_by_role("link", name="Try one here").click()
    window.page.wait_for_selector("[name=prompt]")


def test_a_prompt_is_saved_as_json_and_as_markdown(window: Window, daemon: RunningDaemon) -> None:
    _open_receipt(window, daemon, "ok")
    with window.page.expect_download() as download:
        window.page.get_by_role("button", name="JSON").click()
    assert json.loads(Path(download.value.path()).read_text(encoding="utf-8"))["receipt"]["budget"] == 1_500


@pytest.mark.parametrize(("colours", "size"), LOOKS)
def test_it_looks_well(new_window: NewWindow, daemon: RunningDaemon, colours: str, size: tuple[int, int]) -> None:
    window = new_window(colours=colours, size=size)
    _open(window, daemon, show="preview", session=LONG_SESSION, prompt=FLOUR)
    window.picture(f"prompt-{colours}-{size[0]}")
    assert not window.scrolls_sideways()
    _open(window, daemon, show="turn", session="moving")
    window.page.wait_for_selector("[name=turn] option", state="attached")
    window.page.get_by_role("button", name="Compare").click()
    window.page.wait_for_selector(".beside")
    window.picture(f"prompt-turn-{colours}-{size[0]}")
    assert not window.scrolls_sideways()
