"""The notes of agents, kept in step with their workspaces: a thread that looks every second at a handful of files.

Looking costs one `stat` per note, so nothing has to be installed and no file system is too simple for it. A workspace
that cannot be looked at keeps what is known of it: a disk that is away takes no memory with it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from libravdb.engine.notes import NoteFile, Notes, digest_of
from libravdb.errors import Conflict, EmbedderError, LibraError, StoreClosed, StoreError
from libravdb.model import NoteFolder
from libravdb.ports.workspace import NoteStamp, UnreadableWorkspace, Workspaces

logger = logging.getLogger("libravdb.daemon")

SECONDS = 1.0
IDLE_SHARE = 50
"""It rests at least so many times as long as the last look took: two percent of a core at most."""

RETRY_SECONDS = 30.0
"""How long a store or an embedder that could not take a note is left alone."""

RACY_NS = 2_000_000_000
"""A file that changed less than this before it was read may change once more within one tick of its clock."""

DIARY = "DREAMS.md"


@dataclass(slots=True)
class _Workspace:
    """What was seen of a workspace. `digests` are those of the store, under the names that paths have there."""

    folder: str
    digests: dict[str, str]
    stamps: dict[str, NoteStamp] = field(default_factory=dict)
    diary: NoteStamp | None = None
    had_diary: bool = True
    problem: str = ""


class NoteWatch:
    """Looks at the workspaces of all agents; of a store that daemons of several machines may share (`is_shared`) only
    at those that somebody asked this one for. Usable from many threads."""

    def __init__(
        self, notes: Notes, workspaces: Workspaces, *, seconds: float = SECONDS, is_shared: bool = False
    ) -> None:
        self._notes = notes
        self._workspaces = workspaces
        self._seconds = seconds
        self._lock = threading.Lock()
        self._seen: dict[str, _Workspace] = {}
        self._is_read = is_shared
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="libravdb-notes")

    # ── the doors ─────────────────────────────────────────────────────────────────────────────────────────

    def watch(self, folder: str, *, namespace: str) -> NoteFolder:
        """Keep the notes of an agent in step with this folder from now on, and look at once."""
        with self._lock:
            self._read_folders()
            is_new = self._notes.watch(folder, namespace=namespace)
            if is_new or namespace not in self._seen:
                self._seen[namespace] = self._workspace(namespace, folder)
            self._look(namespace)
        return next(one for one in self.folders() if one.namespace == namespace)

    def unwatch(self, *, namespace: str) -> int:
        """Forget an agent's notes."""
        with self._lock:
            self._seen.pop(namespace, None)
            return self._notes.unwatch(namespace=namespace)

    def folders(self) -> tuple[NoteFolder, ...]:
        """Every workspace, with what is wrong."""
        known = self._notes.folders()
        seen = dict(self._seen)
        return tuple(
            replace(one, problem=seen[one.namespace].problem if one.namespace in seen else "") for one in known
        )

    def start(self) -> None:
        """Begin beside serving."""
        self._thread.start()

    def ask_to_stop(self) -> None:
        """Leave after the note at hand."""
        self._stopping.set()

    def stop(self, seconds: float) -> None:
        """Wait until it has left, but not for longer."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join(seconds)

    # ── the loop ──────────────────────────────────────────────────────────────────────────────────────────

    def _run(self) -> None:
        rest = 0.0
        while not self._stopping.wait(rest):
            began = time.monotonic()
            rest = self._looked()
            rest = max(rest, IDLE_SHARE * (time.monotonic() - began))

    def _looked(self) -> float:
        """Look at everything; gives how long to rest."""
        try:
            with self._lock:
                self._read_folders()
                names = list(self._seen)
            for namespace in names:
                with self._lock:
                    if namespace in self._seen and not self._stopping.is_set():
                        self._look(namespace)
        except StoreClosed:
            self._stopping.set()  # whoever owns the store is leaving
        except (StoreError, EmbedderError, Conflict) as error:
            logger.warning("notes wait", extra={"detail": str(error)})
            return RETRY_SECONDS
        return self._seconds

    def _read_folders(self) -> None:
        """What was to be watched when the daemon ran last."""
        if not self._is_read:
            for one in self._notes.folders():
                self._seen[one.namespace] = self._workspace(one.namespace, one.folder)
            self._is_read = True

    def _workspace(self, namespace: str, folder: str) -> _Workspace:
        return _Workspace(folder=folder, digests=dict(self._notes.known(namespace=namespace)))

    # ── one workspace ─────────────────────────────────────────────────────────────────────────────────────

    def _look(self, namespace: str) -> None:
        place = self._seen[namespace]
        try:
            found = self._workspaces.notes_in(place.folder)
        except UnreadableWorkspace as error:
            self._tell(place, str(error))
            return
        problems: list[str] = []
        for path, stamp in found.items():
            if self._stopping.is_set():
                return
            problems.append(self._keep(namespace, place, path, stamp))
        spelled = {self._notes.spelled(path) for path in found}
        for path in [one for one in place.digests if one not in spelled]:
            self._notes.withdraw(path, namespace=namespace)
            del place.digests[path]
        place.stamps = {path: stamp for path, stamp in place.stamps.items() if path in found}
        problems.append(self._dream(namespace, place))
        self._tell(place, next(filter(None, problems), ""))

    def _keep(self, namespace: str, place: _Workspace, path: str, stamp: NoteStamp) -> str:
        """Keep a note if it changed; gives what is wrong with it."""
        if place.stamps.get(path) == stamp:
            return ""
        name = self._notes.spelled(path)

        def keep(content: bytes) -> None:
            digest = digest_of(content)
            if place.digests.get(name) != digest and self._is_watched(namespace, place):
                self._notes.keep(NoteFile(path=path, content=content, mtime_ms=stamp.mtime_ms), namespace=namespace)
                place.digests[name] = digest

        problem = self._read(place, path, keep)
        if _is_settled(stamp):
            place.stamps[path] = stamp
        return problem

    def _dream(self, namespace: str, place: _Workspace) -> str:
        """Promote what the diary asks for, if it changed; a diary that is gone asks for nothing."""
        found = self._workspaces.diary_in(place.folder)
        if found is None:
            if place.had_diary and self._is_watched(namespace, place):
                self._notes.promote("", source_doc=DIARY, namespace=namespace)
            place.diary, place.had_diary = None, False
            return ""
        path, stamp = found
        if place.diary == stamp:
            return ""

        def promote(content: bytes) -> None:
            if self._is_watched(namespace, place):
                text = content.decode("utf-8-sig", errors="replace")
                self._notes.promote(text, source_doc=DIARY, namespace=namespace)

        problem = self._read(place, path, promote)
        place.had_diary = True
        place.diary = stamp if _is_settled(stamp) else None
        return problem

    def _is_watched(self, namespace: str, place: _Workspace) -> bool:
        """Nothing is written for an agent whose namespace was deleted, until somebody asks for its notes again."""
        return self._notes.is_watched(place.folder, namespace=namespace)

    def _read(self, place: _Workspace, path: str, take: Callable[[bytes], None]) -> str:
        try:
            take(self._workspaces.read_note(place.folder, path))
        except FileNotFoundError:
            return ""  # gone meanwhile; the next look sees it
        except OSError as error:
            return f"{path} cannot be read ({error.strerror or error})"
        except (StoreError, EmbedderError, Conflict):
            raise
        except LibraError as error:
            return f"{path} is not kept: {error}"
        return ""

    def _tell(self, place: _Workspace, problem: str) -> None:
        if problem and problem != place.problem:
            logger.warning("notes problem", extra={"path": place.folder, "detail": problem})
        place.problem = problem


def _is_settled(stamp: NoteStamp) -> bool:
    return time.time_ns() - stamp.mtime_ns > RACY_NS
