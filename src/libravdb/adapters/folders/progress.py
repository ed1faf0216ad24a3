"""What the watcher knows and has done: written by its thread, read by whoever asks for its state.

Nothing is told twice: a refusal or a problem is news when it appears or when its reason changes.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Sequence

from libravdb.adapters.folders.reconcile import Known
from libravdb.adapters.folders.scan import Refused, SeenFile, ancestors
from libravdb.model import Did, News, WatchTally
from libravdb.ports.clock import Clock

SHOWN_PROBLEMS = 50
LIBRARY = ""
"""The name under which trouble with the library itself is noted; all others are paths."""


Stamp = tuple[int, int]
"""Size and time of a file."""


class Ledger:
    """Known documents, refusals, problems and counts."""

    def __init__(self, roots: Sequence[str], *, clock: Clock, tell: Callable[[News], None]) -> None:
        self._roots = frozenset(roots)
        self._clock = clock
        self._tell = tell
        self._lock = threading.Lock()
        self._refusals: dict[str, tuple[Stamp | None, str]] = {}
        self._problems: dict[str, str] = {}
        self._counts: Counter[Did] = Counter()
        self._unchanged = 0
        self.known: dict[str, Known] = {}
        self.last_change = 0

    # ── documents ─────────────────────────────────────────────────────────────────────────────────────────

    def learn(self, path: str, document: Known | None) -> None:
        """A document is as given now, or there is none."""
        with self._lock:
            self._refusals.pop(path, None)
            if document is None:
                self.known.pop(path, None)
            else:
                self.known[path] = document

    def learn_all(self, documents: dict[str, Known]) -> None:
        """These are all the documents there are."""
        with self._lock:
            self.known = documents

    def note_done(self, did: Did, path: str, detail: str = "") -> None:
        """Something was done for a note; so the library works."""
        with self._lock:
            self._counts[did] += 1
            self._problems.pop(LIBRARY, None)
            self.last_change = self._clock()
        self._tell(News(did=did, path=path, detail=detail))

    def note_ready(self) -> None:
        """The first scan is over."""
        self._tell(News(did=Did.READY, path=""))

    def note_unchanged(self, count: int) -> None:
        """So many notes needed nothing when all were looked at."""
        self._unchanged = count

    # ── what went wrong ───────────────────────────────────────────────────────────────────────────────────

    def is_refused(self, file: SeenFile) -> str:
        """Why this very state of a file was refused before; empty when it was not."""
        stamp, reason = self._refusals.get(file.path, (None, ""))
        return reason if stamp == (file.size, file.mtime_ns) else ""

    def refuse(self, path: str, reason: str, stamp: Stamp | None = None) -> None:
        """A file was not taken; with its stamp, it is not tried again until that changes."""
        with self._lock:
            is_new = self._refusals.get(path, (None, ""))[1] != reason
            self._refusals[path] = (stamp, reason)
            self._counts[Did.REFUSED] += is_new
        if is_new:
            self._tell(News(did=Did.REFUSED, path=path, detail=reason))

    def note_problem(self, about: str, reason: str) -> None:
        """Something is wrong that concerns more than one note."""
        with self._lock:
            is_new = self._problems.get(about) != reason
            self._problems[about] = reason
            self._counts[Did.PROBLEM] += is_new
        if is_new:
            self._tell(News(did=Did.PROBLEM, path=about, detail=reason))

    def settle(self, refused: Sequence[Refused], unknown: Sequence[Refused], *, within: Collection[str]) -> None:
        """Note what a look at these paths could not read, and forget what it could."""
        asked = frozenset(within)
        for kept, found in ((self._refusals, refused), (self._problems, unknown)):
            names = {each.path for each in found}
            with self._lock:
                for path in [path for path in kept if path not in names and _is_within(path, asked)]:
                    del kept[path]
        for each in unknown:
            self.note_problem(each.path, each.reason)
        for each in refused:
            if each.path not in self._refusals:
                self.refuse(each.path, each.reason)

    # ── for those who ask ─────────────────────────────────────────────────────────────────────────────────

    def tally(self) -> WatchTally:
        """What was done so far."""
        with self._lock:
            counts = {did: self._counts[did] for did in Did if self._counts[did]}
            return WatchTally(counts=counts, unchanged=self._unchanged, documents=self._documents())

    def problems(self) -> tuple[int, tuple[str, ...]]:
        """How many there are, and the first of them in words."""
        with self._lock:
            told = [*self._problems.items(), *((path, reason) for path, (_, reason) in self._refusals.items())]
        return len(told), tuple(f"{path}: {text}" if path else text for path, text in told[:SHOWN_PROBLEMS])

    def _documents(self) -> int:
        return sum(each.is_ours and _is_within(path, self._roots) for path, each in self.known.items())


def _is_within(path: str, folders: frozenset[str]) -> bool:
    return path.startswith("/") and any(folder in folders for folder in ancestors(path))
