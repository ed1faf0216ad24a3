"""One browser and one daemon for each worker; a filled store, built once a run; windows that must keep quiet."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.inspector.browser import NewWindow, Window, browser_flags, browser_path, windows
from tests.inspector.filled_store import fill
from tests.inspector.running import RunningDaemon

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
WITHOUT_BROWSER = ("test_page_files.py", "test_page_modules.py")
collect_ignore = (
    []
    if find_spec("playwright")
    else [path.name for path in Path(__file__).parent.glob("test_*.py") if path.name not in WITHOUT_BROWSER]
)
"""Most tests name what Playwright has; where it is not installed, those that need no browser are run."""

PICTURES = ROOT / "build" / "inspector"


def pytest_report_header() -> list[str]:
    """Say so where tests are left out."""
    return ["inspector: 'pip install playwright' to run its tests in a browser"] if collect_ignore else []


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder of this run, the same one for each of its workers."""
    here = tmp_path_factory.getbasetemp()
    return here if worker_id == "master" else here.parent


@pytest.fixture(scope="session")
def filled(shared_folder: Path) -> Path:
    """The filled store; whoever needs it first builds it."""
    path = shared_folder / "filled" / "data.libravdb"
    path.parent.mkdir(exist_ok=True)
    with (path.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            part = path.with_name("part.libravdb")
            fill(part)
            part.rename(path)
    return path


@pytest.fixture(scope="session")
def daemon(filled: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningDaemon]:
    """A daemon over a copy of the filled store. Tests that write use a namespace of their own."""
    running = RunningDaemon(tmp_path_factory.mktemp("home"), store=filled)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def empty_daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningDaemon]:
    """A daemon over a store that holds nothing."""
    running = RunningDaemon(tmp_path_factory.mktemp("empty"))
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's browser, driven by Playwright; without either, its tests are skipped."""
    library = pytest.importorskip("playwright.sync_api", reason="'pip install playwright' lets these tests run")
    path = browser_path()
    if path is None:
        pytest.skip("no chromium is installed; 'make test-inspector' says how to get one")
    with library.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=browser_flags())
        yield opened
        opened.close()


@pytest.fixture
def new_window(browser: Browser, daemon: RunningDaemon) -> Iterator[NewWindow]:
    """Opens windows on the filled store."""
    with windows(browser, url=daemon.url, pictures=PICTURES) as new:
        yield new


@pytest.fixture
def window(new_window: NewWindow) -> Window:
    """One window of an ordinary size."""
    return new_window()
