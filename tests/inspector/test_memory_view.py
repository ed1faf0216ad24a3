"""Memories, the profile and wishes in a real browser: read, corrected, linked, forgotten, erased."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.inspector.browser import NARROW, NewWindow, Window
from tests.inspector.filled_store import MALLORY, MARA
from tests.inspector.running import RunningDaemon

pytestmark = pytest.mark.browser
playwright = pytest.importorskip("playwright.sync_api", reason="'pip install playwright' lets these tests run")
expect: Any = playwright.expect

KEY, CLARA = "The spare key is under the blue flower pot.", "My sister Clara keeps goats in Styria."


@pytest.fixture
def somebody(daemon: RunningDaemon) -> str:
    """Somebody who remembers two things."""
    name = daemon.fresh_namespace()
    _remember(daemon, name, key=KEY, clara=CLARA)
    return name


def test_what_is_corrected_is_found_and_stands_in_prompts(window: Window, daemon: RunningDaemon, somebody: str) -> None:
    page = window.open("memory", token=daemon.tokens.admin, namespace=somebody, params={"id": "key"})
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Text", exact=True).fill("The spare key is behind the third brick.")
    page.get_by_role("button", name="Add a label").click()
    page.get_by_label("Name").fill("topic")
    page.get_by_label("Value").fill("house")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("p.large")).to_have_text("The spare key is behind the third brick.")
    expect(page.get_by_role("region", name="What it said before")).to_contain_text(KEY)
    expect(page.get_by_role("region", name="Labels")).to_contain_text("house")

    hits = daemon.call("search", namespace=somebody, question="Where is the spare key?", scopes=["durable"])["hits"]
    assert hits[0]["record"]["text"] == "The spare key is behind the third brick."
    prompt = {"sessionId": "s", "prompt": "Where is the spare key?", "tokenBudget": 2_000, "mode": "augment"}
    shown = json.dumps(daemon.call("preview_prompt", namespace=somebody, **prompt)["sections"])
    assert "behind the third brick" in shown
    assert "blue flower pot" not in shown


def test_an_end_is_set_and_lifted(window: Window, daemon: RunningDaemon, somebody: str) -> None:
    page = window.open("memory", token=daemon.tokens.admin, namespace=somebody, params={"id": "key"})
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Forget it by itself at").fill("2199-05-01T08:30")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("until 1 May 2199, 08:30")).to_be_visible()
    page.get_by_role("button", name="Edit").click()
    page.get_by_role("button", name="Never").click()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("until 1 May 2199, 08:30")).to_have_count(0)
    assert "memory_expires_at" not in _metadata(daemon, somebody, "key")


def test_labels_that_cannot_be_saved_are_told_and_what_was_written_stays(
    window: Window, daemon: RunningDaemon, somebody: str
) -> None:
    page = window.open("memory", token=daemon.tokens.admin, namespace=somebody, params={"id": "key"})
    page.get_by_role("button", name="Edit").click()
    page.get_by_role("button", name="Add a label").click()
    page.get_by_label("Name").fill("superseded_by")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The engine itself uses the name superseded_by.")).to_be_visible()
    _remember(daemon, somebody, other="The bus leaves at nine.")  # a change elsewhere takes nothing away
    expect(page.get_by_text("Something changed meanwhile.")).to_be_visible()
    expect(page.get_by_label("Name")).to_have_value("superseded_by")


def test_what_is_undone_stays_and_what_is_not_goes(window: Window, daemon: RunningDaemon, somebody: str) -> None:
    page = window.open("memory", token=daemon.tokens.admin, namespace=somebody)
    page.get_by_role("button", name="Forget: The spare key").click()
    expect(page.get_by_text("is being forgotten …")).to_be_visible()
    assert _ids(daemon, somebody) == {"key", "clara"}
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("is being forgotten …")).to_have_count(0)
    assert _ids(daemon, somebody) == {"key", "clara"}

    page.get_by_role("button", name="Forget: The spare key").click()
    page.get_by_role("button", name="Now").click()
    expect(page.get_by_text(KEY, exact=True)).to_have_count(0)
    assert _ids(daemon, somebody) == {"clara"}


def test_what_waits_goes_on_waiting_in_another_view(window: Window, daemon: RunningDaemon, somebody: str) -> None:
    page = window.open("memory", token=daemon.tokens.admin, namespace=somebody, params={"id": "key"})
    page.get_by_role("button", name="Forget").click()
    window.go("timeline", namespace=somebody)
    assert _ids(daemon, somebody) == {"key", "clara"}
    window.go("memory", namespace=somebody)
    expect(page.get_by_text("is being forgotten …")).to_be_visible()
    page.get_by_role("button", name="Now").click()
    expect(page.locator("article.memory")).to_have_count(1)
    assert _ids(daemon, somebody) == {"clara"}


def test_two_memories_are_merged_and_parted(window: Window, daemon: RunningDaemon, somebody: str) -> None:
    _remember(daemon, somebody, brick="Behind the third brick lies what opens the door.")
    page = window.open("memory", token=daemon.tokens.admin, namespace=somebody, params={"id": "key"})
    page.get_by_text("It is outdated: choose the memory").click()
    page.get_by_label("Find the newer memory").fill("third brick")
    page.get_by_role("button", name="Find", exact=True).click()
    page.get_by_role("button", name="This one replaces it: Behind the third").click()
    kin = page.get_by_role("region", name="Older and newer")
    expect(kin).to_contain_text("replaced by:")
    assert _metadata(daemon, somebody, "key")["superseded_by"] == "brick"

    kin.get_by_role("link", name="Behind the third brick").click()
    expect(kin).to_contain_text("It replaces:")
    kin.get_by_role("button", name="Both are true").click()
    expect(kin).to_contain_text("It replaces nothing")
    assert "superseded_by" not in _metadata(daemon, somebody, "key")


def test_memories_are_filtered_by_words_label_time_and_what_is_outdated(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("memory", token=daemon.tokens.read, namespace=MARA)
    rows = page.locator("article.memory")
    expect(rows).to_have_count(25)
    page.get_by_role("button", name="Show more").click()
    expect(rows).to_have_count(50)
    page.get_by_label("Find by words").fill("sourdough starter")
    page.keyboard.press("Enter")
    expect(rows.first).to_contain_text("The sourdough starter is fed every evening at ten.")
    window.go("memory", namespace=MARA, params={"key": "topic", "value": "dough"})
    expect(rows).to_have_count(1)
    window.go("memory", namespace=MARA, params={"outdated": "1"})
    expect(page.get_by_label("outdated only")).to_be_checked()
    expect(page.get_by_text("I live in Graz.")).to_be_visible()
    window.go("memory", namespace=MARA, params={"until": "2001-01-01"})
    expect(page.get_by_text("No memory fits.")).to_be_visible()


def test_a_memory_tells_where_it_comes_from(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("memory", token=daemon.tokens.read, namespace=MARA, params={"outdated": "1"})
    page.get_by_role("link", name="Open: I live in Graz.").click()
    origin = page.get_by_role("region", name="Where it comes from")
    expect(origin).to_contain_text("kept: score")
    origin.get_by_role("link", name="opening the shop").click()
    expect(page.get_by_role("heading", name="Timeline")).to_be_visible()


def test_the_profile_is_pinned_corrected_and_shortened(window: Window, daemon: RunningDaemon) -> None:
    somebody = daemon.fresh_namespace()
    daemon.say("I'm allergic to walnuts.", namespace=somebody)
    daemon.say("I live in Graz.", namespace=somebody)
    page = window.open("memory", token=daemon.tokens.admin, namespace=somebody, params={"tab": "profile"})
    expect(page.get_by_text("In a prompt of 4000 tokens")).to_be_visible()
    health, home = page.get_by_role("region", name="health"), page.get_by_role("region", name="home")
    health.get_by_role("button", name="Pin").click()
    expect(health.get_by_role("button", name="Unpin")).to_be_focused()
    home.get_by_role("button", name="Edit").click()
    home.get_by_label("What the profile should say").fill("I live in Graz, by the river.")
    home.get_by_role("button", name="Save").click()
    expect(home).to_contain_text("corrected")
    home.get_by_role("button", name="Remove").click()
    assert len(_lines(daemon, somebody)) == 2
    page.get_by_role("button", name="Now").click()
    expect(home).to_have_count(0)
    (line,) = _lines(daemon, somebody)
    assert line["isPinned"]


def test_wishes_are_shown_with_what_replaced_them_and_removed(window: Window, daemon: RunningDaemon) -> None:
    somebody = daemon.fresh_namespace()
    daemon.say("From now on answer in German.", namespace=somebody)
    daemon.say("Please answer in English again from now on.", namespace=somebody)
    page = window.open("memory", token=daemon.tokens.admin, namespace=somebody, params={"tab": "guidance"})
    former = page.get_by_role("list", name="Wishes that count no more")
    expect(former).to_contain_text("Replaced by: Please answer in English again from now on.")
    page.get_by_role("button", name="Remove: Please answer").click()
    page.get_by_role("button", name="Cancel").click()
    assert len(daemon.call("list_guidance", namespace=somebody)["wishes"]) == 1
    page.get_by_role("button", name="Remove: Please answer").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.get_by_text("No wish counts today.")).to_be_visible()
    assert daemon.call("list_guidance", namespace=somebody)["wishes"] == []


def test_tabs_are_walked_by_keys_and_kept_in_the_address(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("memory", token=daemon.tokens.read, namespace=MARA)
    page.get_by_role("tab", name="Memories").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Profile")).to_be_focused()
    expect(page.get_by_role("tabpanel", name="Profile")).to_contain_text("I'm Mara.")
    page.keyboard.press("End")
    expect(page.get_by_role("tab", name="Guidance")).to_have_attribute("aria-selected", "true")
    assert "tab=guidance" in page.url
    page.reload()
    expect(page.get_by_role("tab", name="Guidance")).to_have_attribute("aria-selected", "true")


def test_a_view_is_saved_as_what_it_shows(window: Window, daemon: RunningDaemon, somebody: str) -> None:
    page = window.open("memory", token=daemon.tokens.admin, namespace=somebody)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save durable memories (JSON)").click()
    assert {record["id"] for record in json.loads(waiting.value.path().read_text())} == {"key", "clara"}
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Markdown").click()
    assert f"- {KEY}" in waiting.value.path().read_text()


def test_somebody_is_erased_only_by_the_typed_name_and_leaves_a_certificate(
    window: Window, daemon: RunningDaemon, somebody: str
) -> None:
    page = window.open("memory", token=daemon.tokens.admin, namespace=somebody)
    page.get_by_role("button", name=f"Erase {somebody}").click()
    sure = page.get_by_role("button", name="Erase for good")
    expect(sure).to_be_disabled()
    typed = page.get_by_label(f"Type {somebody} to go on")
    typed.fill(somebody[:-1])
    expect(sure).to_be_disabled()
    assert _ids(daemon, somebody) == {"key", "clara"}
    typed.fill(somebody)
    sure.click()
    expect(page.get_by_text(f"{somebody} was erased")).to_be_visible()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save the certificate").click()
    certificate = waiting.value.path().read_text()
    assert daemon.call("verify_erasure", certificate=certificate)["isValid"]
    assert _ids(daemon, somebody) == set()
    expect(page.get_by_role("region", name="What went")).to_contain_text("memories")


@pytest.mark.parametrize("params", [{}, {"id": "starter"}, {"tab": "profile"}, {"tab": "guidance"}])
def test_who_only_reads_finds_no_button_that_writes(
    new_window: NewWindow, daemon: RunningDaemon, params: dict[str, str]
) -> None:
    window = new_window(size=NARROW)
    page = window.open("memory", token=daemon.tokens.read, namespace=MARA, params=params)
    for name in ("Forget", "Edit", "Pin", "Remove", "Useful", "Erase", "Save durable"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    expect(page.get_by_text("It is outdated: choose the memory")).to_have_count(0)
    assert not window.scrolls_sideways()


def test_who_writes_and_is_no_admin_erases_nobody(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("memory", token=daemon.tokens.write, namespace=MARA)
    expect(page.get_by_role("button", name="Forget").first).to_be_visible()
    expect(page.get_by_role("button", name="Erase")).to_have_count(0)


def test_what_is_hostile_stays_text_and_in_its_place(new_window: NewWindow, daemon: RunningDaemon) -> None:
    window = new_window(size=NARROW)
    page = window.open("memory", token=daemon.tokens.admin, namespace=MALLORY)
    expect(page.locator("article.memory")).not_to_have_count(0)
    assert not window.scrolls_sideways()
    window.go("memory", namespace=MALLORY, params={"id": "hostile-0"})
    page.get_by_role("button", name="Edit").click()
    assert page.locator("main img, main iframe, main script").count() == 0
    assert not window.scrolls_sideways()
    assert page.title() == "Memory · LibraVDB Memory"


def _remember(daemon: RunningDaemon, namespace: str, **texts: str) -> None:
    notes = [{"text": text, "collection": f"user:{namespace}", "id": id} for id, text in texts.items()]
    daemon.call("remember", notes=notes)


def _records(daemon: RunningDaemon, namespace: str) -> dict[str, Any]:
    return {each["id"]: each for each in daemon.call("list_memories", namespace=namespace)["records"]}


def _ids(daemon: RunningDaemon, namespace: str) -> set[str]:
    return set(_records(daemon, namespace))


def _metadata(daemon: RunningDaemon, namespace: str, id: str) -> dict[str, Any]:
    metadata: dict[str, Any] = _records(daemon, namespace)[id]["metadata"]
    return metadata


def _lines(daemon: RunningDaemon, namespace: str) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = daemon.call("profile_show", namespace=namespace)["lines"]
    return lines
