"""Bad luck, on purpose: kills −9 in every kind of work, full and read-only disks, damaged files, wrong clocks, thieves.

Each fault is played against a real daemon on a real file while clients write, and counts what was acknowledged and is
not there afterwards. `python bench/soak.py faults` runs them all; a short form is part of the tests.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.daemon import Daemon, Wire
from rich.console import Console
from rich.progress import track

from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.engine.engine import Engine
from libravdb.errors import EmbedderError
from libravdb.ports.embedder import Embedder
from libravdb.testing import FrozenClock

WRITERS = 4
NO_MODEL = {"LIBRAVDB_EMBEDDING_BACKEND": "none"}
PAGE = 4096
PATIENCE = 10.0
"""Seconds after which writers stop that nobody refuses."""


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What one kind of fault did. `lost` were acknowledged and are not there, `wrong` is anything else that must not
    be: an unsound file, a second owner, a false answer."""

    name: str
    times: int = 0
    acknowledged: int = 0
    lost: int = 0
    wrong: list[str] = field(default_factory=list)
    note: str = ""

    @property
    def is_right(self) -> bool:
        """True when every promise held."""
        return not self.lost and not self.wrong

    def __str__(self) -> str:
        told = f"{self.name}: {self.times:,} times, {self.acknowledged:,} acknowledged writes, {self.lost} lost"
        told += f", {len(self.wrong)} wrong {self.wrong[:3]}" if self.wrong else ", nothing wrong"
        return f"{told}{f' ({self.note})' if self.note else ''}"


class Ledger:
    """What clients were told is kept: texts by session."""

    def __init__(self, prefix: str = "s") -> None:
        self.sessions: dict[str, dict[str, str]] = {f"{prefix}{number}": {} for number in range(WRITERS)}

    def __len__(self) -> int:
        return sum(map(len, self.sessions.values()))

    @contextmanager
    def writing(self, path: str) -> Iterator[None]:
        """Clients write, each as fast as it is answered, until the daemon refuses or is gone, or it takes too long."""
        writers = [threading.Thread(target=self._write, args=(path, session)) for session in self.sessions]
        for writer in writers:
            writer.start()
        try:
            yield
        finally:
            for writer in writers:
                writer.join()

    def _write(self, path: str, session: str) -> None:
        kept, until = self.sessions[session], time.monotonic() + PATIENCE
        try:
            wire = Wire(path)
            while time.monotonic() < until:
                id = f"t{len(kept)}"
                text = f"{session} writes number {id} about the mill"
                wire.ask(
                    "insert_session_turn", {"sessionId": session, "id": id, "text": text, "metadata": {"role": "user"}}
                )
                kept[id] = text
        except (OSError, ValueError, RuntimeError):
            return

    def lost(self, wire: Wire) -> int:
        """How many acknowledged texts are not held exactly once."""
        missing = 0
        for session, kept in self.sessions.items():
            held = wire.ask("list_collection", {"collection": f"session_raw:{session}"})["results"]
            texts = Counter(record["text"] for record in held)
            missing += sum(texts[text] != 1 for text in kept.values())
        return missing


def store_of(home: Path) -> Path:
    """The file of a daemon that lives in a home of its own."""
    return home / ".clawdb" / "data.libravdb"


def command(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command of ours over the store of a home."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("LIBRAVDB_")} | NO_MODEL
    return subprocess.run(
        [sys.executable, "-m", "libravdb", *words],
        env=environment | {"HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )


def unsound(home: Path) -> list[str]:
    """What fsck has against the store."""
    done = command(home, "fsck", str(store_of(home)))
    return [f"fsck: {(done.stdout + done.stderr).strip()[:300]}"] if done.returncode else []


# ── kills ─────────────────────────────────────────────────────────────────────────────────────────────────

Work = Callable[[Wire, Path, int], None]


def no_work(_: Wire, __: Path, ___: int) -> None:
    """Writes alone."""


def compact(wire: Wire, _: Path, round: int) -> None:
    """Fold what the clients have written so far."""
    wire.ask("compact", {"sessionId": f"s{round % WRITERS}", "minimumTurns": 2, "tailTokens": 40})


def take_in(wire: Wire, home: Path, round: int) -> None:
    """Import what the daemon exported before, into a namespace that grows."""
    file = home / f"import-{round % 7}.jsonl"
    if not file.exists():
        file.write_text("".join(_exported(round % 7, number) for number in range(2_000)), encoding="utf-8")
    wire.ask("import_file", {"path": str(file)})


def reembed(wire: Wire, _: Path, __: int) -> None:
    """Make vectors for what has none."""
    wire.ask("reembed", {"step": "missing"})


def back_up(wire: Wire, home: Path, round: int) -> None:
    """Copy the store while it is written to; a copy that was told to be good is marked as such."""
    copy = home / f"backup-{round}.libravdb"
    wire.ask("backup", {"path": str(copy)})
    copy.with_suffix(".ok").touch()


def _exported(batch: int, number: int) -> str:
    record = {
        "collection": f"user:imported {batch}",
        "id": f"i{number}",
        "text": f"imported fact {number} of batch {batch}",
        "metadata": {"userId": f"imported {batch}"},
    }
    return json.dumps(record) + "\n"


KILLED_IN: dict[str, Work] = {
    "load": no_work,
    "compaction": compact,
    "import": take_in,
    "re-embedding": reembed,
    "backup": back_up,
}


def kills(name: str, times: int, console: Console) -> Outcome:
    """Kill −9 at a random moment of some work under load, start again, and look in the end."""
    work, rng = KILLED_IN[name], random.Random(name)
    settings = {} if name == "re-embedding" else NO_MODEL
    outcome, ledger = Outcome(name=f"kill −9 in {name}", times=times), Ledger()
    with tempfile.TemporaryDirectory(prefix="libravdb-kill-") as folder:
        home = Path(folder)
        if name == "re-embedding":
            _fill(home, 25 * times)
        for round in track(range(times), description=f"Killing in {name}", console=console):
            daemon = Daemon(home, **settings)
            worker = threading.Thread(target=_until_dead, args=(work, daemon.path, home, round))
            with ledger.writing(daemon.path):
                worker.start()
                time.sleep(rng.uniform(0.02, 1.2 if name == "re-embedding" else 0.35))  # a model takes its time to load
                daemon.process.kill()
                daemon.process.wait()
            worker.join()
            _release(daemon)
            outcome.wrong += _bad_copies(home)
        daemon = Daemon(home, **NO_MODEL)
        outcome.lost = ledger.lost(Wire(daemon.path))
        daemon.stop()
        _release(daemon)
        outcome.wrong += unsound(home)
    outcome.acknowledged = len(ledger)
    return outcome


def _until_dead(work: Work, path: str, home: Path, round: int) -> None:
    try:
        wire = Wire(path)
        while True:
            work(wire, home, round)
            if work is no_work:
                return
            round += 1
    except (OSError, ValueError, RuntimeError):
        return


def _fill(home: Path, texts: int) -> None:
    """Texts without vectors, so that there is something to embed."""
    daemon = Daemon(home, **NO_MODEL)
    wire = Wire(daemon.path)
    for start in range(0, texts, 500):
        notes = [
            {"collection": "notes", "id": f"n{number}", "text": f"note {number} tells of a boat"}
            for number in range(start, min(start + 500, texts))
        ]
        wire.ask("remember", {"notes": notes})
    daemon.stop()
    _release(daemon)


def _bad_copies(home: Path) -> list[str]:
    """Backups that were said to be good and are not; all of them are taken away."""
    wrong = []
    for mark in home.glob("backup-*.ok"):
        done = command(home, "fsck", str(mark.with_suffix(".libravdb")))
        wrong += [f"backup: {done.stdout[:200]}"] if done.returncode else []
    for copy in home.glob("backup-*"):
        copy.unlink()
    return wrong


def _release(daemon: Daemon) -> None:
    if daemon.process.stdout is not None:
        daemon.process.stdout.close()


# ── disks ─────────────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def disk(megabytes: int) -> Iterator[Path | None]:
    """A small disk of its own; None where only root may have one."""
    with tempfile.TemporaryDirectory(prefix="libravdb-disk-") as folder:
        is_mounted = _mount("-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder)
        try:
            yield Path(folder) if is_mounted else None
        finally:
            if is_mounted:
                _mount("-l", folder, program="umount")


def _mount(*words: str, program: str = "mount") -> bool:
    found = shutil.which(program)
    return bool(found) and subprocess.run([str(found), *words], capture_output=True, check=False).returncode == 0


def full_disk(times: int, console: Console) -> Outcome:
    """The disk fills up under the writers: writes are refused, reads go on, restart works, space brings all back."""
    outcome = Outcome(name="full disk", times=times)
    for _ in track(range(times), description="Filling a disk", console=console):
        with disk(6) as home:
            if home is None:
                outcome.note, outcome.times = "not run: mounting a small disk needs root", 0
                return outcome
            ledger = Ledger()
            daemon = Daemon(home, **NO_MODEL)
            with ledger.writing(daemon.path):
                time.sleep(0.3)
                ballast = home / "ballast"
                _fill_up(ballast)
            wire = Wire(daemon.path)
            outcome.lost += ledger.lost(wire)
            daemon.process.kill()
            daemon.process.wait()
            _release(daemon)
            daemon = Daemon(home, **NO_MODEL)  # on the full disk
            if not daemon.path:
                outcome.wrong.append("no start on a full disk")
            else:
                outcome.lost += ledger.lost(Wire(daemon.path))
                ballast.unlink()
                outcome.wrong += _written_again(daemon.path)
                daemon.stop()
            _release(daemon)
            outcome.wrong += unsound(home)
            outcome.acknowledged += len(ledger)
    return outcome


def _fill_up(file: Path) -> None:
    """Take all the space there is, for as long as something frees some."""
    until = time.monotonic() + 1.5
    with file.open("ab", buffering=0) as out:
        while time.monotonic() < until:
            try:
                out.write(b"x" * 4096)
            except OSError:
                time.sleep(0.02)


def _written_again(path: str) -> list[str]:
    try:
        Wire(path).ask("insert_session_turn", {"sessionId": "after", "id": "a", "text": "there is space again"})
    except RuntimeError as error:
        return [f"no write after space was freed: {error}"]
    return []


def read_only_disk(times: int, console: Console) -> Outcome:
    """The disk turns read-only: everything can be read, no write is acknowledged, and nothing is lost."""
    outcome = Outcome(name="read-only disk", times=times)
    for _ in track(range(times), description="Turning a disk read-only", console=console):
        with disk(16) as home:
            if home is None:
                outcome.note, outcome.times = "not run: mounting a small disk needs root", 0
                return outcome
            ledger = Ledger()
            daemon = Daemon(home, **NO_MODEL)
            with ledger.writing(daemon.path):
                time.sleep(0.2)
                daemon.process.kill()
                daemon.process.wait()
            _release(daemon)
            _mount("-o", "remount,ro", str(home))
            with tempfile.TemporaryDirectory(prefix="libravdb-run-") as run:
                daemon = Daemon(home, **NO_MODEL, LIBRAVDB_RPC_ENDPOINT=f"unix:{run}/s.sock")
                outcome.wrong += _only_read(daemon, ledger, outcome)
                _release(daemon)
            _mount("-o", "remount,rw", str(home))
            outcome.wrong += unsound(home)
            outcome.acknowledged += len(ledger)
    return outcome


def _only_read(daemon: Daemon, ledger: Ledger, outcome: Outcome) -> list[str]:
    if not daemon.path:
        return ["no start on a read-only disk"]
    wire = Wire(daemon.path)
    outcome.lost += ledger.lost(wire)
    try:
        wire.ask("insert_session_turn", {"sessionId": "s0", "id": "late", "text": "cannot be kept"})
    except RuntimeError:
        daemon.stop()
        return []
    daemon.stop()
    return ["a write was acknowledged on a read-only disk"]


# ── damage ────────────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def filled(turns: int) -> Iterator[tuple[Path, dict[str, str]]]:
    """A home whose store holds some turns, at rest."""
    with tempfile.TemporaryDirectory(prefix="libravdb-damage-") as folder:
        home, texts = Path(folder), {}
        daemon = Daemon(home, **NO_MODEL)
        wire = Wire(daemon.path)
        for number in range(turns):
            texts[f"t{number}"] = f"turn {number} of the harbour log, with {number * 7} boats in it"
            wire.ask("insert_session_turn", {"sessionId": "s", "id": f"t{number}", "text": texts[f"t{number}"]})
        daemon.stop()
        _release(daemon)
        yield home, texts


def corrupted_pages(times: int, console: Console) -> Outcome:
    """Random bytes in random pages: each answer is right or an error, and what is acknowledged after it is there."""
    outcome, rng, noticed, salvaged = Outcome(name="corrupted pages", times=times), random.Random(9), 0, 0
    with filled(300) as (home, texts):
        whole = store_of(home).read_bytes()
        for round in track(range(times), description="Corrupting pages", console=console):
            damaged = bytearray(whole)
            for _ in range(rng.choice((1, 1, 3))):
                place = rng.randrange(len(damaged) // PAGE) * PAGE + rng.randrange(PAGE - 64)
                damaged[place : place + 64] = rng.randbytes(64)
            _lay_down(home, bytes(damaged))
            verdict = _served(home, texts, f"late{round}", outcome)
            noticed += verdict
            if unsound(home):
                salvaged += _salvaged(home, outcome)
    outcome.note = f"noticed by the daemon in {noticed}, unsound files repaired into sound ones: {salvaged}"
    return outcome


def _lay_down(home: Path, content: bytes) -> None:
    for beside in store_of(home).parent.glob("data.libravdb*"):
        beside.unlink()
    store_of(home).write_bytes(content)


def _served(home: Path, texts: dict[str, str], late: str, outcome: Outcome) -> bool:
    """What a daemon makes of a damaged store. True when it says that something is wrong."""
    daemon = Daemon(home, **NO_MODEL)
    is_noticed = not daemon.path
    if daemon.path:
        wire = Wire(daemon.path)
        try:
            held = wire.ask("list_collection", {"collection": "session_raw:s"})["results"]
            found = {record["id"]: record["text"] for record in held if record["id"] in texts}
            if found != texts:
                outcome.wrong.append(f"a list gave {len(found)} of {len(texts)} turns, without a word")
        except RuntimeError:
            is_noticed = True
        is_kept = _asked(wire, "insert_session_turn", {"sessionId": "late", "id": late, "text": f"{late} is kept"})
        is_noticed |= not is_kept
        outcome.acknowledged += is_kept
        daemon.stop()
        if is_kept:
            outcome.lost += not _is_there(home, late)
    _release(daemon)
    return is_noticed


def _asked(wire: Wire, method: str, params: dict[str, Any]) -> bool:
    try:
        wire.ask(method, params)
    except (RuntimeError, OSError, ValueError):
        return False
    return True


def _is_there(home: Path, id: str) -> bool:
    daemon = Daemon(home, **NO_MODEL)
    try:
        if not daemon.path:
            return False
        held = Wire(daemon.path).ask("list_collection", {"collection": "session_raw:late"})["results"]
        return any(record["id"] == id for record in held)
    except RuntimeError:
        return False
    finally:
        daemon.process.kill()
        daemon.process.wait()
        _release(daemon)


def _salvaged(home: Path, outcome: Outcome) -> bool:
    """Whether repair makes a sound file of it, or says that it cannot."""
    new = home / "repaired.libravdb"
    new.unlink(missing_ok=True)
    done = command(home, "--store", str(store_of(home)), "repair", "--to", str(new))
    if not new.exists():
        if done.returncode != 1 or "Traceback" in done.stderr:  # it may say that nothing can be saved, in words
            outcome.wrong.append(f"repair: {done.stderr[-200:]}")
        return False
    checked = command(home, "fsck", str(new))
    if checked.returncode:
        outcome.wrong.append(f"repaired and unsound: {checked.stdout[:200]}")
    return not checked.returncode


def truncated_log(times: int, console: Console) -> Outcome:
    """A log cut off anywhere: what is left is a state that was once acknowledged, in order; or, where a part of the log
    had reached the file already, the damage is told, and repair saves what is sound."""
    outcome, rng, damaged = Outcome(name="truncated log", times=times), random.Random(4), 0
    for _ in track(range(times), description="Truncating the log", console=console):
        with tempfile.TemporaryDirectory(prefix="libravdb-log-") as folder:
            home, ledger = Path(folder), Ledger()
            daemon = Daemon(home, **NO_MODEL)
            with ledger.writing(daemon.path):
                time.sleep(rng.uniform(0.1, 0.8))
                daemon.process.kill()
                daemon.process.wait()
            _release(daemon)
            log = store_of(home).with_name("data.libravdb-wal")
            if log.exists():
                os.truncate(log, rng.randrange(log.stat().st_size + 1))
            outcome.acknowledged += len(ledger)
            holes = _holes(home, ledger)
            found = unsound(home)
            outcome.wrong += holes or []
            if holes is None or found:
                damaged += 1
                _salvaged(home, outcome)  # it tells itself what is wrong with it
                outcome.wrong += [] if found and "repair" in found[0] else ["damage that nobody tells", *found]
    outcome.note = (
        f"what stood in the part that was cut off is gone with it; not served in {damaged}, which fsck and repair tell"
    )
    return outcome


def _holes(home: Path, ledger: Ledger) -> list[str] | None:
    """Turns that are missing before others that are there; None when the daemon does not serve such a store."""
    daemon = Daemon(home, **NO_MODEL)
    try:
        if not daemon.path:
            return None
        wire, wrong = Wire(daemon.path), []
        for session in ledger.sessions:
            held = wire.ask("list_collection", {"collection": f"session_raw:{session}"})["results"]
            ids = {record["id"] for record in held}
            if ids != {f"t{number}" for number in range(len(ids))}:
                wrong.append(f"{session}: a hole among {len(ids)} turns")
        return wrong
    finally:
        daemon.stop()
        _release(daemon)


# ── thieves and twins ─────────────────────────────────────────────────────────────────────────────────────


def vanished_file(times: int, console: Console) -> Outcome:
    """The file is deleted, renamed or replaced under the writers: nothing is acknowledged that is not kept."""
    outcome, rng = Outcome(name="vanished or replaced file", times=times), random.Random(2)
    for _ in track(range(times), description="Stealing the file", console=console):
        with filled(5) as (home, _):
            other = home / "other.libravdb"
            shutil.copy(store_of(home), other)
            daemon = Daemon(home, **NO_MODEL)
            before, after, theft = Ledger("before"), Ledger("after"), rng.choice(("delete", "rename", "replace"))
            with before.writing(daemon.path):
                time.sleep(0.1)
                _steal(theft, home, other)
                stolen = len(before)
                with after.writing(daemon.path):
                    pass
            late = len(before) - stolen
            if late > WRITERS:  # those that were on their way may still be told
                outcome.wrong.append(f"{late} writes acknowledged after: {theft}")
            outcome.acknowledged += stolen
            outcome.lost += len(after)
            if not _asked(Wire(daemon.path), "list_collection", {"collection": "session_raw:s"}):
                outcome.wrong.append(f"no reads after: {theft}")
            daemon.stop()
            _release(daemon)
    return outcome


def _steal(theft: str, home: Path, other: Path) -> None:
    store = store_of(home)
    match theft:
        case "delete":
            store.unlink()
        case "rename":
            store.rename(home / "elsewhere.libravdb")
        case _:
            other.replace(store)


def second_owner(times: int, console: Console) -> Outcome:
    """Another daemon wants the same file, by its name, a symbolic link or a hard link: it is refused."""
    outcome, rng = Outcome(name="second owner", times=times), random.Random(3)
    for _ in track(range(times), description="Starting a second owner", console=console):
        with filled(5) as (home, _), tempfile.TemporaryDirectory(prefix="libravdb-twin-") as twin:
            ledger, other = Ledger(), Path(twin)
            daemon = Daemon(home, **NO_MODEL)
            path, name = store_of(home), other / "twin.libravdb"
            match rng.choice(("name", "link", "hard link")):
                case "link":
                    name.symlink_to(path)
                case "hard link":
                    os.link(path, name)
                case _:
                    name = path
            with ledger.writing(daemon.path):
                second = Daemon(other, **NO_MODEL, LIBRAVDB_DB_PATH=str(name))
                if second.path:
                    outcome.wrong.append("a second owner was let in")
                    second.process.kill()
                second.process.wait()
                _release(second)
                daemon.process.send_signal(signal.SIGKILL)
                daemon.process.wait()
            _release(daemon)
            if name != path:
                name.unlink()
            daemon = Daemon(home, **NO_MODEL)
            outcome.lost += ledger.lost(Wire(daemon.path))
            daemon.stop()
            _release(daemon)
            outcome.acknowledged += len(ledger)
            outcome.wrong += unsound(home)
    return outcome


# ── clocks ────────────────────────────────────────────────────────────────────────────────────────────────


def clock_jumps(times: int, console: Console) -> Outcome:
    """The clock jumps back and forth by up to years between turns: all are there, the tail in the order they came."""
    outcome, rng = Outcome(name="clock jumps", times=times), random.Random(8)
    with tempfile.TemporaryDirectory(prefix="libravdb-clock-") as folder:
        for round in track(range(times), description="Jumping in time", console=console):
            clock = FrozenClock()
            store = SqliteStore(Path(folder) / f"{round}.libravdb")
            engine = Engine(store=store, load_embedder=_no_embedder, clock=clock)
            for number in range(40):
                clock.advance(rng.choice((1, 500, 60_000, -60_000, -86_400_000, 86_400_000 * 400, -86_400_000 * 399)))
                stamp = {"timestamp": clock.now + rng.choice((0, 9 * 3_600_000, -9 * 3_600_000))}
                message = {"role": "user", "content": f"turn {number:02} is said", "id": f"m{number:02}x"}
                engine.conversations.ingest(message | (stamp if rng.random() < 0.5 else {}), session="s", namespace="u")
            outcome.acknowledged += 40
            turns = engine.memories.latest("session_raw:s", limit=99)[::-1]
            outcome.lost += 40 - len(turns)
            shown = engine.prompts.assemble("", session="s", namespace="u", budget=8_000).opening
            told = [f"turn {number:02} is said" for number in range(40)]
            places = [shown.find(text) for text in told]
            if [turn.text for turn in turns] != told or places != sorted(places) or -1 in places:
                outcome.wrong.append(f"round {round}: the order of arrival is lost")
            engine.close()
    return outcome


def _no_embedder(_: object) -> Embedder:
    raise EmbedderError("switched off: what is asked here has nothing to do with meaning")


CAMPAIGN: dict[str, Callable[[int, Console], Outcome]] = {
    "full disk": full_disk,
    "read-only disk": read_only_disk,
    "corrupted pages": corrupted_pages,
    "truncated log": truncated_log,
    "vanished file": vanished_file,
    "second owner": second_owner,
    "clock jumps": clock_jumps,
}


def campaign(*, kill: int, others: int, console: Console) -> list[Outcome]:
    """Every fault: so many kills in all, and so many times each of the others."""
    outcomes = []
    for name in KILLED_IN:
        outcomes.append(kills(name, -(-kill // len(KILLED_IN)), console))
        console.print(str(outcomes[-1]))
    for fault in CAMPAIGN.values():
        outcomes.append(fault(others, console))
        console.print(str(outcomes[-1]))
    return outcomes
