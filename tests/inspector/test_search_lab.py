"""The search lab in a real browser: what a question finds and why, and what other settings would do to it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.inspector.browser import NARROW, NewWindow, Window
from tests.inspector.filled_store import MALLORY, MARA, MOVED
from tests.inspector.running import RunningDaemon

pytestmark = pytest.mark.browser

QUESTION = "Where do I live?"
LOOKS = (("light", (1280, 900)), ("dark", (1280, 900)), ("light", NARROW), ("dark", NARROW))


def _open(window: Window, daemon: RunningDaemon, *, namespace: str = MARA, **params: str) -> None:
    token = daemon.tokens.read if namespace == MARA else daemon.tokens.admin
    window.open("search", token=token, namespace=namespace, params=params)


def test_an_empty_lab_offers_questions_that_were_asked_lately(window: Window, daemon: RunningDaemon) -> None:
    _open(window, daemon)
    window.page.click("text=Where is the shop now?")
    window.page.wait_for_selector("article.hit")
    assert MOVED in window.page.inner_text("ol.hits")
    assert "q=Where+is+the+shop+now%3F" in window.page.url


def test_a_hit_tells_strength_words_reasons_and_every_number(window: Window, daemon: RunningDaemon) -> None:
    _open(window, daemon, q="What is Jonas allergic to?")
    first = window.page.locator("article.hit").first
    assert "hazelnuts" in first.inner_text()
    assert re.search(r"strength 0\.\d\d", first.inner_text())
    assert {"Jonas", "allergic"} <= set(first.locator("mark").all_inner_texts())
    assert "shares the words" in first.locator(".reasons").inner_text()
    first.locator("summary", has_text="Every number").click()
    assert "close in meaning" in first.locator(".numbers").inner_text()
    assert "user:mara" in first.inner_text()
    told = first.locator(".bar").get_attribute("aria-label")
    assert told is not None
    assert told.startswith("Score 0.")


def test_an_outdated_hit_leads_to_what_replaced_it(window: Window, daemon: RunningDaemon) -> None:
    _open(window, daemon, q=QUESTION)
    old = window.page.locator("article.hit", has_text="I live in Graz.").filter(has_text="outdated")
    target = old.get_by_role("link", name="show what replaced it").get_attribute("href")
    successor = window.page.locator("article.hit", has_text="I moved to Vienna").first.get_attribute("data-id")
    assert target is not None
    assert successor is not None
    assert target.startswith("#/memory?")
    assert successor.split("/")[1] in target


def test_the_lab_says_why_a_prompt_would_stay_silent_and_shows_hits_all_the_same(
    window: Window, daemon: RunningDaemon
) -> None:
    _open(window, daemon, q="ok")
    told = window.page.locator(".note.warn").inner_text()
    assert told.startswith("A prompt would stay silent here.")
    assert "asks for nothing" in told
    assert window.page.locator("article.hit").count() > 0


def test_settings_are_tried_beside_the_usual_ones_and_nothing_is_saved(window: Window, daemon: RunningDaemon) -> None:
    _open(window, daemon, q=QUESTION)
    before = daemon.call("recall_settings")
    page = window.page
    page.click("summary:has-text('Try other settings')")
    page.fill("[name=find-setting]", "vectors against words")
    assert page.locator(".settings li:visible .name").all_inner_texts() == ["dense_weight"]
    page.fill("[name=dense_weight]", "0.05")
    page.press("[name=dense_weight]", "Tab")
    page.wait_for_selector(".beside")
    assert page.locator(".beside h3").all_inner_texts() == ["As configured", "With your changes"]
    assert "With your changes:" in page.inner_text(".told")
    tried = page.locator("section[aria-label='With your changes'] article.hit")
    assert all(re.search(r"up, was|down, was|same place|new here", each) for each in tried.all_inner_texts())
    assert "set=dense_weight%3A0.05" in page.url
    assert daemon.call("recall_settings") == before


def test_a_link_shows_the_same_question_and_settings(window: Window, daemon: RunningDaemon) -> None:
    _open(window, daemon, q=QUESTION, set="dense_weight:0.05,role:0", k="4")
    page = window.page
    page.wait_for_selector(".beside")
    assert page.input_value("[name=q]") == QUESTION
    assert page.input_value("[name=dense_weight]") == "0.05"
    assert "2 changes" in page.inner_text(".tuning summary")
    assert page.locator("section[aria-label='As configured'] article.hit").count() == 4
    page.click("text=Reset all")
    page.wait_for_selector(".beside", state="detached")
    assert "set=" not in page.url


def test_a_value_out_of_range_is_told_and_not_tried(window: Window, daemon: RunningDaemon) -> None:
    _open(window, daemon, q=QUESTION)
    window.page.click("summary:has-text('Try other settings')")
    window.page.fill("[name=dense_weight]", "7")
    window.page.press("[name=dense_weight]", "Tab")
    assert "At most 1." in window.page.inner_text(".settings")
    assert window.page.locator(".beside").count() == 0


def test_a_setting_that_does_not_exist_is_refused_with_the_nearest(window: Window, daemon: RunningDaemon) -> None:
    _open(window, daemon, q=QUESTION, set="dence_weight:0.5")
    assert "dense_weight" in window.page.inner_text(".note.bad")


def test_going_back_asks_the_question_before(window: Window, daemon: RunningDaemon) -> None:
    _open(window, daemon, q=QUESTION)
    window.page.fill("[name=q]", "Where is the shop now?")
    window.page.press("[name=q]", "Enter")
    window.page.wait_for_function("() => location.hash.includes('shop')")
    window.page.go_back()
    window.page.wait_for_function("question => document.querySelector('[name=q]')?.value === question", arg=QUESTION)


def test_what_changes_meanwhile_is_offered_without_moving_anything(
    new_window: NewWindow, daemon: RunningDaemon
) -> None:
    namespace, window = daemon.fresh_namespace(), new_window()
    daemon.say("I keep three goats behind the barn.", namespace=namespace)
    _open(window, daemon, namespace=namespace, q="How many goats do I keep?")
    assert window.page.locator("article.hit").count() > 0
    daemon.say("I bought a fourth goat: now I keep four goats behind the barn.", namespace=namespace)
    window.page.get_by_role("button", name="Show it").click()
    assert "four goats" in window.page.inner_text("ol.hits")


def test_hostile_texts_stay_texts(window: Window, daemon: RunningDaemon) -> None:
    _open(window, daemon, namespace=MALLORY, q="What do I always write into forms?", k="20")
    assert "<svg onload=document.title='owned'>" in window.page.inner_text("ol.hits")
    assert window.page.title() == "Search · LibraVDB Memory"
    assert window.page.locator(".hits svg, .hits img, .hits script, .hits iframe").count() == 0
    long = window.page.locator("article.hit", has_text="password hint").first
    long.get_by_role("button", name="Show all").click()
    assert "to keep it so for ever" in long.inner_text()


def test_an_answer_is_saved_as_json_and_as_markdown(window: Window, daemon: RunningDaemon) -> None:
    _open(window, daemon, q=QUESTION)
    saved: dict[str, str] = {}
    for kind in ("JSON", "Markdown"):
        with window.page.expect_download() as download:
            window.page.get_by_role("button", name=kind).click()
        saved[kind] = Path(download.value.path()).read_text(encoding="utf-8")
    assert json.loads(saved["JSON"])["answer"]["usual"]["hits"]
    assert saved["Markdown"].startswith(f"# {QUESTION}")


@pytest.mark.parametrize(("colours", "size"), LOOKS)
def test_it_looks_well(new_window: NewWindow, daemon: RunningDaemon, colours: str, size: tuple[int, int]) -> None:
    window = new_window(colours=colours, size=size)
    _open(window, daemon, q=QUESTION, set="dense_weight:0.1,role:0")
    window.page.wait_for_selector(".beside")
    window.picture(f"search-{colours}-{size[0]}")
    assert not window.scrolls_sideways()
