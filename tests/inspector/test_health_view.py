"""The view of health in a real browser: checks, state, vectors, sizes, times, and what a token may not see."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Route, expect
from tests.inspector.browser import NARROW, NewWindow, Window
from tests.inspector.filled_store import BEN, MARA
from tests.inspector.running import RunningDaemon

pytestmark = pytest.mark.browser


Retell = Callable[[str, Callable[[dict[str, Any]], None]], None]


@pytest.fixture
def retell(window: Window) -> Iterator[Retell]:
    """Lets the daemon's answers to a method reach the page changed: a state that a test cannot bring about in time."""

    def begin(method: str, change: Callable[[dict[str, Any]], None]) -> None:
        def handle(route: Route) -> None:
            if json.loads(route.request.post_data or "{}").get("method") != method:
                route.continue_()
                return
            answer = route.fetch()
            told = answer.json()
            change(told["result"])
            route.fulfill(response=answer, json=told)

        window.page.route("**/rpc", handle)

    yield begin
    window.page.unroute_all(behavior="ignoreErrors")  # one may be under way when the window closes


def test_the_state_is_what_the_daemon_tells(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("health", token=daemon.tokens.admin, namespace=MARA)
    told = daemon.call("describe")
    expect(page.locator(".verdict")).to_contain_text("The daemon serves, and searches by meaning and by words.")
    state = page.get_by_role("region", name="State")
    expect(state).to_contain_text(told["version"])
    expect(state).to_contain_text(told["embedder"]["name"])
    expect(page.get_by_role("region", name="Vectors")).to_contain_text("in use")


def test_checks_are_made_on_request_and_told_in_words(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("health", token=daemon.tokens.admin, namespace=MARA)
    expect(page.locator(".checks")).to_have_count(0)
    page.get_by_role("button", name="Check now").click()
    for name in ("python", "sqlite", "folder", "disk", "model", "store", "vectors"):
        expect(page.locator(".checks li", has_text=name).first).to_be_visible()


def test_what_does_not_hold_is_said_with_what_to_do(window: Window, daemon: RunningDaemon, retell: Retell) -> None:
    def break_it(told: dict[str, Any]) -> None:
        told["checks"] = [{"name": "disk", "health": "bad", "detail": "full", "remedy": "Make room."}]
        told["findings"] = [{"invariant": "edges lead to records", "detail": "<b>3</b> lead nowhere"}]

    page = window.open("health", token=daemon.tokens.admin, namespace=MARA)
    retell("check_store", break_it)
    page.get_by_role("button", name="Check now").click()
    expect(page.locator(".checks")).to_contain_text("bad disk full")
    expect(page.locator(".checks")).to_contain_text("Make room.")
    expect(page.get_by_role("alert")).to_contain_text("1 thing in the store does not hold together.")
    expect(page.get_by_label("Findings")).to_contain_text("edges lead to records <b>3</b> lead nowhere")


def test_a_reduced_search_is_told_in_words(window: Window, daemon: RunningDaemon, retell: Retell) -> None:
    def reduce(told: dict[str, Any]) -> None:
        told.update(mode="lexical-only", degraded="The model does not load. Run 'libravdb doctor'.")

    retell("describe", reduce)
    page = window.open("health", token=daemon.tokens.admin, namespace=MARA)
    expect(page.locator(".verdict")).to_contain_text("It works, with less: search goes by words alone.")
    expect(page.locator(".verdict")).to_contain_text("The model does not load.")


def test_vectors_can_be_brought_up_to_date(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("health", token=daemon.tokens.admin, namespace=MARA)
    page.get_by_role("button", name="Bring vectors up to date").click()
    expect(page.get_by_role("region", name="Vectors")).to_contain_text("Every text had its vectors already.")


def test_a_rebuild_shows_how_far_it_is_and_ends(window: Window, daemon: RunningDaemon, retell: Retell) -> None:
    made = iter((10, 40, 70))

    def build(told: dict[str, Any]) -> None:
        done = next(made, None)
        told["store"]["texts"] = 100
        if done is not None:
            space = {**told["spaces"][0], "state": "building", "texts": done, "description": {"name": "another-model"}}
            told["spaces"].append(space)

    retell("describe", build)
    page = window.open("health", token=daemon.tokens.admin, namespace=MARA)
    vectors = page.get_by_role("region", name="Vectors")
    expect(vectors.locator("progress")).to_have_attribute("max", "100")
    expect(vectors.locator("progress")).to_have_attribute("value", "70")
    expect(vectors).to_contain_text("another-model: 70 of 100 texts (70 %)")
    expect(vectors.locator("progress")).to_have_count(0)


def test_former_vectors_can_be_gone_back_to_or_deleted_after_a_question(
    window: Window, daemon: RunningDaemon, retell: Retell
) -> None:
    def keep_former(told: dict[str, Any]) -> None:
        told["spaces"].append({**told["spaces"][0], "state": "retired", "fingerprint": "former-1"})

    retell("describe", keep_former)
    page = window.open("health", token=daemon.tokens.admin, namespace=MARA)
    expect(page.get_by_role("button", name="Go back to the former")).to_be_visible()
    page.get_by_role("button", name="Delete unused").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("region", name="Vectors")).to_contain_text("There was nothing to delete.")


def test_sizes_are_told_by_person_and_by_kind(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("health", token=daemon.tokens.admin, namespace=MARA)
    expect(page.get_by_role("region", name="By person")).to_contain_text(BEN)
    kinds = page.get_by_role("region", name="What lies in it")
    expect(kinds).to_contain_text("Durable memories")
    expect(kinds).to_contain_text("for mara: see them under Prompt")


def test_times_are_drawn_with_the_numbers_behind_them(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("health", token=daemon.tokens.admin, namespace=MARA)
    times = page.get_by_role("region", name="How long answers take")
    row = times.locator("tr", has_text="list_namespaces").first
    expect(row).to_contain_text("ms")
    expect(row.get_by_role("img")).to_have_attribute("aria-label", re.compile("^list_namespaces: ≤ "))
    times.get_by_text("The numbers behind the bars").click()
    expect(times.get_by_role("region", name="Calls by how long they took")).to_be_visible()


def test_who_sees_a_part_is_told_so_and_sees_his_part(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("health", token=daemon.tokens.ben, namespace=BEN)
    expect(page.locator("main")).to_contain_text("This token sees a part of the store only.")
    expect(page.get_by_role("region", name="By person")).to_contain_text(BEN)
    expect(page.get_by_role("region", name="By person")).not_to_contain_text(MARA)
    expect(page.get_by_role("region", name="State")).to_have_count(0)


def test_who_is_no_admin_is_told_what_he_may_not_do(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("health", token=daemon.tokens.read, namespace=MARA)
    expect(page.locator("main")).to_contain_text("Checks read the whole store and need an admin's token.")
    expect(page.get_by_role("button", name="Check now")).to_have_count(0)


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_it_fits_a_phone(new_window: NewWindow, daemon: RunningDaemon, colours: str) -> None:
    window = new_window(size=NARROW, colours=colours)
    window.open("health", token=daemon.tokens.admin, namespace=MARA)
    assert not window.scrolls_sideways()
    window.picture(f"health-phone-{colours}")
