"""The watcher: looks, compares, and keeps a library of documents in step with folders of notes.

One thread does all the work, one document at a time; another waits for notices of the file system. What a user saves
goes before what a first scan still has to do.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from libravdb.adapters.folders.debounce import Inbox
from libravdb.adapters.folders.document_facts import known_documents, known_file, source_meta
from libravdb.adapters.folders.fs_events import Identity, Notices, identities
from libravdb.adapters.folders.patterns import Selection
from libravdb.adapters.folders.progress import LIBRARY, Ledger, Stamp
from libravdb.adapters.folders.reconcile import KIND, ReconcilePlan, Renamed, is_core, reconcile, suspects
from libravdb.adapters.folders.scan import (
    FolderScan,
    Gone,
    Refused,
    SeenFile,
    Unreadable,
    is_beneath,
    outermost,
    reach,
    read_file,
    read_text,
    survey,
    with_digest,
)
from libravdb.adapters.folders.settings import WatchSettings
from libravdb.errors import Conflict, DaemonError, EmbedderError, InvalidInput, LibraError, StoreClosed, StoreError
from libravdb.model import Did, News, Watching, WatchTally
from libravdb.ports.clock import Clock, Progress, no_progress
from libravdb.ports.engine_api import DocumentsApi

RETRY_SECONDS = 30.0
"""How long a library that could not take a document is left alone."""

TROUBLES = (StoreError, DaemonError, EmbedderError, Conflict)
"""Errors that say nothing about the document: the same may go well later. All others are refusals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _RefusedFile:
    """A file that could not be authored; without a stamp it was not even there."""

    reason: str
    stamp: Stamp | None = None


Step = SeenFile | Renamed | str
"""A note to be authored, one to be moved, or the name of a document to be withdrawn."""


def steps(plan: ReconcilePlan) -> list[Step]:
    """A plan in the order in which it is carried out: what a reader would miss first."""
    return [*plan.renamed, *plan.removed, *plan.changed, *plan.added, *plan.touched]


class Watcher:
    """Keeps a library in step with some folders. `tell` hears of all that happens, from the watcher's threads."""

    def __init__(
        self,
        library: DocumentsApi,
        settings: WatchSettings,
        *,
        clock: Clock,
        tell: Callable[[News], None],
        progress: Progress = no_progress,
    ) -> None:
        if not settings.folders:
            raise InvalidInput("folders", "are none", remedy="Name the folders to watch.")
        self._library = library
        self._roots = tuple(dict.fromkeys(os.path.abspath(folder) for folder in settings.folders))
        self._settings = settings
        self._selection = Selection(settings)
        self._clock = clock
        self._progress = progress
        self._ledger = Ledger(self._roots, clock=clock, tell=tell)
        self._inbox = Inbox(quiet_seconds=settings.debounce_ms / 1000)
        self._work: deque[Step] = deque()
        self._done = 0
        self._seen_in: dict[str, Identity] = {}
        self._look_seconds = 0.0
        self._is_read = False
        self._is_ready = False
        self._notices = Notices(
            self._roots,
            self._inbox,
            concerns=self._concerns,
            alarm=lambda alarm: self._ledger.note_problem(alarm.about, alarm.text),
            poll_seconds=settings.poll_seconds,
            is_polling=settings.polling,
            look_seconds=lambda: self._look_seconds,
        )

    # ── the doors ─────────────────────────────────────────────────────────────────────────────────────────

    def sync(self) -> WatchTally:
        """Bring the library in step once. Raises what keeps the library from working at all."""
        self._look(self._roots)
        while self._work and not self._inbox.is_closed:
            self._carry_out(self._work.popleft())
            self._advance()
        return self._ledger.tally()

    def follow(self) -> WatchTally:
        """Keep the library in step until `stop`."""
        thread = threading.Thread(target=self._notices.run, name="libravdb-notices", daemon=True)
        thread.start()
        try:
            while not self._inbox.is_closed:
                self._turn()
        finally:
            self._notices.stop()
            thread.join()
        return self._ledger.tally()

    def stop(self) -> None:
        """Finish the document at hand and leave. May be called from any thread, and before the start."""
        self._inbox.close()

    def state(self) -> Watching:
        """For `status`: what is watched, how, and what is wrong."""
        count, problems = self._ledger.problems()
        return Watching(
            folders=self._roots,
            mode=self._mode(),
            documents=self._ledger.tally().documents,
            waiting=len(self._work),
            last_change=self._ledger.last_change,
            problem_count=count,
            problems=problems,
        )

    def _mode(self) -> str:
        if self._inbox.is_closed:
            return "stopped"
        return self._notices.mode if self._is_ready else "scanning"

    # ── the loop ──────────────────────────────────────────────────────────────────────────────────────────

    def _turn(self) -> None:
        """Look at what is due; with nothing due, do the next thing; with nothing to do, wait."""
        try:
            due = self._inbox.take(wait=not self._work)
            if due:
                self._look(due)
            elif self._work:
                self._carry_out_gently(self._work.popleft())
                self._advance()
        except StoreClosed:
            self._inbox.close()  # whoever owns the library is leaving
        except TROUBLES as error:
            self._leave_alone(error)
        if not self._work:
            self._done = 0
            if self._is_read and not self._is_ready and not self._inbox.is_closed:
                self._is_ready = True
                self._ledger.note_ready()

    def _advance(self) -> None:
        self._done += 1
        self._progress(self._done, self._done + len(self._work))

    def _leave_alone(self, error: LibraError) -> None:
        """The library cannot take documents now: wait a while, then look at everything again."""
        self._work.clear()
        self._is_read = False
        self._ledger.note_problem(LIBRARY, str(error))
        self._inbox.add(self._roots, after=RETRY_SECONDS)

    def _carry_out_gently(self, step: Step) -> None:
        """Do it, then rest in proportion, so that a first scan leaves room for others."""
        began = time.perf_counter()
        self._carry_out(step)
        if self._work:
            self._inbox.rest((time.perf_counter() - began) * (1 / self._settings.cpu_share - 1))

    # ── looking ───────────────────────────────────────────────────────────────────────────────────────────

    def _look(self, paths: Iterable[str]) -> None:
        """See what lies at these paths, and put what has to be done about it first in line."""
        if not self._is_read:
            self._ledger.learn_all(known_documents(self._library))
            self._is_read = True
        began = time.perf_counter()
        asked = reach(paths)
        is_everything = asked == outermost(self._roots)
        found = survey(self._roots, self._selection, within=None if is_everything else asked, settled=self._settled())
        self._read_suspects(found, asked)
        plan = reconcile(self._ledger.known, found, within=asked)
        self._ledger.settle(found.refused, found.unknown, within=asked)
        self._remember_roots(found)
        if is_everything:
            self._work.clear()  # what was still to be done is in this plan, too
        self._work.extendleft(reversed(steps(plan)))
        if is_everything:
            self._ledger.note_unchanged(len(plan.unchanged) + len(plan.touched))
            self._look_seconds = time.perf_counter() - began

    def _settled(self) -> frozenset[str]:
        """Roots that are the very folders in which notes were seen: if one is empty now, its notes are gone."""
        now = identities(self._roots)
        return frozenset(root for root in self._roots if now[root] and now[root] == self._seen_in.get(root))

    def _remember_roots(self, found: FolderScan) -> None:
        now = identities(self._roots)
        self._seen_in |= {file.root: now[file.root] for file in found.files.values()}

    def _read_suspects(self, found: FolderScan, asked: Sequence[str]) -> None:
        """Read the files that may have changed; what was refused is not read again until it changes.

        A file that was asked for by name is always read: a notice says more than size and time.
        """
        for file in list(found.files.values()):
            reason = self._ledger.is_refused(file)
            if reason:
                self._take_out(found, file.path, reason)
        named = [found.files[path] for path in asked if path in found.files]
        doubted = {file.path: file for file in (*suspects(self._ledger.known, found.files.values()), *named)}
        for file in doubted.values():
            if self._inbox.is_closed:
                return  # nothing of it will be carried out
            try:
                found.files[file.path] = with_digest(file, self._selection)
            except Gone:
                del found.files[file.path]
            except Unreadable as error:
                self._take_out(found, file.path, str(error))

    def _take_out(self, found: FolderScan, path: str, reason: str) -> None:
        del found.files[path]
        found.refused.append(Refused(path=path, reason=reason))

    # ── doing ─────────────────────────────────────────────────────────────────────────────────────────────

    def _carry_out(self, step: Step) -> None:
        if isinstance(step, str):
            self._let_go(step)
            self._ledger.note_done(Did.REMOVED, step)
        elif isinstance(step, Renamed):
            self._rename(step)
        else:
            self._author(step)

    def _author(self, file: SeenFile) -> None:
        before = self._ledger.known.get(file.path)
        outcome = self._offer(file)
        if isinstance(outcome, _RefusedFile):
            self._refuse(file, outcome)
        elif before is None:
            self._ledger.note_done(Did.ADDED, file.path)
        elif (before.digest, before.core) != (outcome.digest, outcome.core):
            self._ledger.note_done(Did.CHANGED, file.path)

    def _rename(self, step: Renamed) -> None:
        """The new name first: as long as the old one stands, nothing has to be embedded again."""
        outcome = self._offer(step.new)
        self._let_go(step.old)
        if isinstance(outcome, _RefusedFile):
            outcome = self._offer(step.new)  # the rules of both may not have fitted side by side
        if isinstance(outcome, _RefusedFile):
            self._ledger.note_done(Did.REMOVED, step.old)
            self._refuse(step.new, outcome)
        else:
            self._ledger.note_done(Did.RENAMED, step.new.path, step.old)

    def _offer(self, file: SeenFile) -> SeenFile | _RefusedFile:
        """Author the file as it is now."""
        stamp: Stamp | None = None
        document = self._ledger.known.get(file.path)
        kind = KIND if document is None else document.kind
        try:
            status = os.stat(file.path)
            stamp = status.st_size, status.st_mtime_ns  # from before it is read: a write in between shows later
            content = read_file(
                file.path, max_bytes=self._settings.max_file_bytes, follow_links=self._settings.follow_links
            )
            actual = replace(
                file,
                size=stamp[0],
                mtime_ns=stamp[1],
                core=is_core(file, document),
                digest=hashlib.sha256(content).hexdigest(),
            )
            told = source_meta(actual, kind=kind)
            self._library.author(actual.path, read_text(content), core=actual.core, source_meta=told)
        except FileNotFoundError:
            return _RefusedFile(reason="is gone")
        except OSError as error:
            return _RefusedFile(reason=f"cannot be read ({error.strerror})", stamp=stamp)
        except Unreadable as error:
            return _RefusedFile(reason=str(error), stamp=stamp)
        except TROUBLES:
            raise
        except LibraError as error:
            return _RefusedFile(reason=str(error), stamp=stamp)
        self._ledger.learn(actual.path, known_file(actual, at=self._clock(), kind=kind))
        return actual

    def _refuse(self, file: SeenFile, declined: _RefusedFile) -> None:
        if os.path.lexists(file.path):
            self._ledger.refuse(file.path, declined.reason, declined.stamp)

    def _let_go(self, name: str) -> None:
        self._library.withdraw(name)
        self._ledger.learn(name, None)

    def _concerns(self, path: str) -> bool:
        return any(
            path == root or (is_beneath(path, root) and self._selection.concerns(path[len(root.rstrip("/")) + 1 :]))
            for root in self._roots
        )
