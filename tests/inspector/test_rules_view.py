"""The view of rules in a real browser: what was written, what an author should look at, what it takes of a prompt."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect
from tests.inspector.browser import NARROW, NewWindow, Window, windows
from tests.inspector.conftest import PICTURES
from tests.inspector.filled_store import MARA
from tests.inspector.running import RunningDaemon

pytestmark = pytest.mark.browser

DOCUMENT = "details.document[data-document='{}']"


def test_pieces_stand_in_the_order_of_the_document_with_tier_line_and_tokens(
    window: Window, daemon: RunningDaemon
) -> None:
    page = window.open("rules", token=daemon.tokens.admin, namespace=MARA)
    page.locator(DOCUMENT.format("AGENTS.md")).locator("summary").click()
    pieces = page.locator(DOCUMENT.format("AGENTS.md")).locator("li.piece")
    expect(pieces).to_have_count(4)
    assert [piece.get_attribute("data-line") for piece in pieces.all()] == ["1", "3", "4", "5"]
    expect(pieces.nth(0)).to_contain_text("lore")
    expect(pieces.nth(1)).to_contain_text("- Always squash commits before they are merged.")
    expect(pieces.nth(1)).to_contain_text(re.compile(r"line 3.*hard.*\d+ tokens.*must"))


def test_pieces_of_one_tier_can_be_seen_alone(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("rules", token=daemon.tokens.admin, namespace=MARA)
    document = page.locator(DOCUMENT.format("AGENTS.md"))
    document.locator("summary").click()
    document.get_by_role("button", name="hard 3").click()
    expect(document.locator("li.piece")).to_have_count(3)
    expect(document.get_by_role("button", name="soft 0")).to_be_disabled()


def test_a_contradiction_shows_both_places_and_leads_to_each(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("rules", token=daemon.tokens.admin, namespace=MARA)
    remark = page.locator(".remark.error")
    expect(remark).to_contain_text("Always squash commits before they are merged.")
    expect(remark).to_contain_text("Never squash commits before they are merged.")
    remark.get_by_role("link", name="CLAUDE.md, line 3").click()
    piece = page.locator(DOCUMENT.format("notes/CLAUDE.md")).locator("li.piece[data-line='3']")
    expect(piece).to_be_focused()
    expect(piece).to_contain_text("Contradiction: AGENTS.md, line 3")
    piece.get_by_role("link", name="AGENTS.md, line 3").click()
    expect(page.locator(DOCUMENT.format("AGENTS.md")).locator("li.piece[data-line='3']")).to_be_focused()


def test_an_address_leads_to_a_line(window: Window, daemon: RunningDaemon) -> None:
    params = {"document": "AGENTS.md", "line": "4"}
    page = window.open("rules", token=daemon.tokens.admin, namespace=MARA, params=params)
    expect(page.locator("li.piece[data-line='4']")).to_be_focused()


def test_what_rules_may_take_is_what_the_daemon_says_for_such_a_prompt(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("rules", token=daemon.tokens.admin, namespace=MARA)
    for budget in (4_000, 900):
        page.get_by_label("A prompt of so many tokens").fill(str(budget))
        page.get_by_label("A prompt of so many tokens").press("Tab")
        told = daemon.call(
            "preview_prompt", namespace=MARA, sessionId="x", prompt="?", tokenBudget=budget, mode="augment"
        )
        for line in told["receipt"]["ledger"]:
            if line["tranche"] in ("hard rules", "soft rules"):
                words = f"{line['tokens']:,} of at most {line['limit']:,} tokens"
                expect(page.locator(".shares")).to_contain_text(words)


def test_a_document_is_withdrawn_by_an_admin_who_types_its_name(window: Window, daemon: RunningDaemon) -> None:
    daemon.call("author", sourceDoc="passing/SOUL.md", text="- Feed the cat at noon.\n")
    try:
        page = window.open("rules", token=daemon.tokens.admin, namespace=MARA)
        document = page.locator(DOCUMENT.format("passing/SOUL.md"))
        document.locator("summary").click()
        document.get_by_role("button", name="Withdraw").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_role("button", name="Withdraw")).to_be_disabled()
        dialog.get_by_role("textbox").fill("SOUL.md")
        dialog.get_by_role("button", name="Withdraw").click()
        expect(document).to_have_count(0)
        left = [each["sourceDoc"] for each in daemon.call("list_documents")["documents"]]
        assert "passing/SOUL.md" not in left
    finally:
        daemon.call("delete_authored_document", sourceDoc="passing/SOUL.md")


def test_who_is_no_admin_sees_no_way_to_withdraw(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("rules", token=daemon.tokens.write, namespace=MARA)
    page.locator(DOCUMENT.format("AGENTS.md")).locator("summary").click()
    expect(page.locator("li.piece").first).to_be_visible()
    expect(page.get_by_role("button", name="Withdraw")).to_have_count(0)


def test_names_and_texts_of_documents_stay_text(window: Window, daemon: RunningDaemon) -> None:
    page = window.open("rules", token=daemon.tokens.admin, namespace=MARA)
    document = page.locator("details.document", has_text="odd")
    document.locator("summary").click()
    expect(document).to_contain_text("# <img src=x onerror=alert(1)>")
    expect(page.locator("main img, main script, main i:not([class])")).to_have_count(0)
    assert page.title().startswith("Rules")


def test_without_documents_it_says_how_to_add_one(browser: Browser, empty_daemon: RunningDaemon) -> None:
    with windows(browser, url=empty_daemon.url, pictures=PICTURES) as new:
        page = new().open("rules", token=empty_daemon.tokens.admin, namespace=MARA)
        expect(page.locator(".empty")).to_contain_text("libravdb authored add AGENTS.md")


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_it_fits_a_phone(new_window: NewWindow, daemon: RunningDaemon, colours: str) -> None:
    window = new_window(size=NARROW, colours=colours)
    page = window.open("rules", token=daemon.tokens.admin, namespace=MARA)
    page.locator(DOCUMENT.format("AGENTS.md")).locator("summary").click()
    expect(page.locator("li.piece").first).to_be_visible()
    assert not window.scrolls_sideways()
    window.picture(f"rules-phone-{colours}")
