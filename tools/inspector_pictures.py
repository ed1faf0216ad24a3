"""Takes the pictures of the inspector that the docs show, from a made-up memory: `make inspector-pictures`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.inspector.browser import Window, browser_flags, browser_path, windows
from tests.inspector.filled_store import MARA, fill
from tests.inspector.running import RunningDaemon

PICTURES = Path(__file__).parents[1] / "docs" / "images"
SIZE = (1120, 700)
MOST_BYTES = 150_000


def searched(window: Window) -> None:
    """Ask in the search lab."""
    page: Page = window.page
    page.locator("main input").first.fill("What must Jonas not eat?")
    page.keyboard.press("Enter")
    page.wait_for_selector("main .hit")
    window.settle()


def accounted(window: Window) -> None:
    """Open the account of a prompt."""
    window.page.locator("main .receipt a", has_text="Where is the shop now?").first.click()
    window.page.wait_for_url("**receipt=**")
    window.settle()


def main() -> None:
    """Fill, look, keep."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        store = Path(scratch) / "data.libravdb"
        fill(store)
        daemon = RunningDaemon(Path(scratch) / "home", store=store)
        browser = playwright.chromium.launch(executable_path=browser_path(), args=browser_flags())
        try:
            with windows(browser, url=daemon.url, pictures=PICTURES) as new:
                for view, colours, work in (
                    ("timeline", "light", None),
                    ("search", "light", searched),
                    ("prompt", "dark", accounted),
                ):
                    window = new(size=SIZE, colours=colours)
                    window.open(view, token=daemon.tokens.admin, namespace=MARA)
                    if work is not None:
                        work(window)
                    path = PICTURES / f"inspector-{view}.png"
                    window.page.mouse.move(0, 0)
                    window.page.screenshot(path=path, animations="disabled")
                    print(path, path.stat().st_size)
                    if path.stat().st_size > MOST_BYTES:
                        sys.exit(f"{path} is too large.")
        finally:
            browser.close()
            daemon.stop()


if __name__ == "__main__":
    main()
