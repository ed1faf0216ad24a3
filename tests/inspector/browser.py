"""A real browser that looks at the inspector and notices everything that must not happen behind its back."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-sync",
    "--no-first-run",
)
WIDE, NARROW = (1280, 900), (360, 740)
OWN = ("blob:", "data:")
"""What a page makes by itself goes to nobody."""

WATCH = """
window.seenByTests = { violations: [], shift: 0, shifts: [], asking: 0 };
const fetchIt = window.fetch;
window.fetch = async (path, ...rest) => {
  if (String(path).endsWith("/events")) return fetchIt(path, ...rest);
  window.seenByTests.asking += 1;
  // Whoever waits for an answer has the time to ask the next question.
  try { return await fetchIt(path, ...rest); } finally { setTimeout(() => { window.seenByTests.asking -= 1; }, 40); }
};
document.addEventListener("securitypolicyviolation", (event) => {
  window.seenByTests.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`);
});
try {
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      window.seenByTests.shift += entry.value;
      const names = entry.sources.map((each) => each.node && `${each.node.nodeName}.${each.node.className}`);
      window.seenByTests.shifts.push(`${entry.value.toFixed(3)} ${names.join(" ")}`);
    }
  }).observe({ type: "layout-shift", buffered: true });
} catch { /* a browser without that measure */ }
"""


def browser_path() -> str | None:
    """The browser of this machine: the one that LIBRAVDB_TEST_BROWSER names, else the first that is known."""
    named = os.environ.get("LIBRAVDB_TEST_BROWSER")
    return named or next(filter(None, map(shutil.which, BROWSERS)), None)


def browser_flags() -> list[str]:
    """What it is started with; its sandbox refuses to work for root, which is who tests in a container."""
    return [*FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]


@dataclass
class Seen:
    """What happened behind a page: errors and requests. No slots: Playwright leaves a mark at whose methods listen."""

    origin: str
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    expected: list[re.Pattern[str]] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        """Notice all of it from now on."""
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.errors.append(f"page error: {error}"))
        page.on("crash", lambda _: self.errors.append("the page crashed"))
        page.on("request", self._on_request)

    def expect(self, pattern: str) -> None:
        """Let what fits this pass: a test provokes it."""
        self.expected.append(re.compile(pattern))

    def problems(self) -> list[str]:
        """All that must not have happened."""
        foreign = [f"request to {url}" for url in self.requests if not url.startswith((self.origin + "/", *OWN))]
        found = [*self.errors, *foreign]
        return [each for each in found if not any(pattern.search(each) for pattern in self.expected)]

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            place = message.location.get("url", "")
            self.errors.append(f"console {message.type}: {message.text} ({place})")

    def _on_request(self, request: Request) -> None:
        self.requests.append(request.url)


class Window:
    """One page of the inspector, in a browser profile of its own."""

    def __init__(self, context: BrowserContext, page: Page, seen: Seen, *, url: str, pictures: Path) -> None:
        self.context = context
        self.page = page
        self.seen = seen
        self.url = url
        self._pictures = pictures

    def open(
        self, view: str = "timeline", *, token: str, namespace: str, params: Mapping[str, str] | None = None
    ) -> Page:
        """Come in as `libravdb inspect` lets somebody in, then go to a view."""
        self.page.goto(f"{self.url}/inspector/#{urlencode({'token': token, 'namespace': namespace}, quote_via=quote)}")
        self.settle()
        if view != "timeline" or params:
            self.go(view, namespace=namespace, params=params)
        return self.page

    def go(self, view: str, *, namespace: str, params: Mapping[str, str] | None = None) -> None:
        """Another view, by its address."""
        told = urlencode({"namespace": namespace, **(params or {})}, quote_via=quote)
        self.page.evaluate("hash => { location.hash = hash }", f"#/{view}?{told}")
        self.page.wait_for_selector(f"nav a[data-view={view}][aria-current=page]")
        self.settle()

    def settle(self) -> None:
        """Wait until a view stands there, asks for nothing more, and says nowhere that it waits. A browser tells a part
        that it was opened a task later: what a click set off is done first."""
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        self.page.wait_for_selector("main section:not(:empty), main form")
        self.until("window.seenByTests.asking === 0")
        self.until("!/(Loading|Reading|Looking|Asking) …/.test(document.querySelector('main').textContent)")
        self.until("document.querySelector('main [aria-busy=true]') === null")

    def until(self, claim: str) -> None:
        """Wait until something is true of the page. As a function: a plain text would be evaluated by the page itself,
        whose policy refuses that."""
        self.page.wait_for_function(f"() => {claim}")

    def shift(self) -> float:
        """How much moved by itself since the page was opened."""
        return float(self.page.evaluate("window.seenByTests.shift"))

    def moved(self) -> list[str]:
        """What moved by itself, and how much."""
        told: list[str] = self.page.evaluate("window.seenByTests.shifts")
        return told

    def scrolls_sideways(self) -> bool:
        """Whether the page is wider than its window."""
        wide: bool = self.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        return wide

    def picture(self, name: str) -> Path:
        """Keep what it looks like, for people."""
        self._pictures.mkdir(parents=True, exist_ok=True)
        path = self._pictures / f"{name}.png"
        self.page.screenshot(path=path, full_page=True, animations="disabled")
        return path

    def problems(self) -> list[str]:
        """All that must not have happened."""
        found = self.seen.problems()
        if not self.page.is_closed():
            seen: dict[str, Any] = self.page.evaluate("window.seenByTests ?? { violations: [] }")
            found += [f"policy: {each}" for each in seen["violations"]]
        return found


NewWindow = Callable[..., Window]


@contextmanager
def windows(browser: Browser, *, url: str, pictures: Path) -> Iterator[NewWindow]:
    """Opens windows; at the end each of them must have kept quiet."""
    opened: list[Window] = []

    def new(
        *,
        size: tuple[int, int] = WIDE,
        colours: str = "light",
        bypass_csp: bool = False,
        at: str = url,
        **options: Any,
    ) -> Window:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=colours,  # type: ignore[arg-type]  # a name that it checks itself
            reduced_motion="reduce",
            locale="en-GB",
            timezone_id="UTC",
            bypass_csp=bypass_csp,
            accept_downloads=True,
            **options,
        )
        context.set_default_timeout(15_000)
        context.add_init_script(WATCH)
        page, seen = context.new_page(), Seen(origin=at)
        seen.watch(page)
        window = Window(context, page, seen, url=at, pictures=pictures)
        opened.append(window)
        return window

    try:
        yield new
        problems = [problem for window in opened for problem in window.problems()]
    finally:
        for window in opened:
            window.context.close()
    if problems:
        raise AssertionError("\n".join(problems))
