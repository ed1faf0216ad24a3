"""The frame of the page in a real browser: how it is entered, whose memory it shows, its keys, its looks."""

from __future__ import annotations

import pytest
from tests.inspector.browser import Window
from tests.inspector.filled_store import MARA
from tests.inspector.running import RunningDaemon

pytestmark = pytest.mark.browser


def test_the_token_leaves_the_address_at_once_and_is_in_no_request(window: Window, daemon: RunningDaemon) -> None:
    page = window.open(token=daemon.tokens.admin, namespace=MARA)
    assert page.url == daemon.page(f"#/timeline?namespace={MARA}")
    assert len(window.seen.requests) > 10
    assert [url for url in window.seen.requests if daemon.tokens.admin in url] == []
    assert page.evaluate("document.cookie") == ""
