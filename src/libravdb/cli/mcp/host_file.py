"""A host's file: what it holds under our name, and a change of it that is shown, then written in one step.

What stood before is kept beside it. Taking our entry out again puts that back, byte by byte, where nothing else was
changed meanwhile; else only the entry goes.
"""

from __future__ import annotations

import difflib
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from libravdb.cli.mcp.json_text import read_json, with_member, without_member
from libravdb.cli.mcp.mcp_hosts import McpHost, ServerEntry, read_entry
from libravdb.cli.mcp.toml_text import read_toml, with_table, without_table
from libravdb.errors import HostError

KEPT = ".before-libravdb"
"""What the copy of a file as it stood before ends with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """A file before and after; None where there is none. `keeps_copy`: what stood before is worth keeping."""

    path: Path
    before: str | None
    after: str | None
    keeps_copy: bool = False

    @property
    def is_so(self) -> bool:
        """True when there is nothing to do."""
        return self.before == self.after

    @property
    def lines(self) -> list[str]:
        """What changes, line by line, as diff shows it; with three lines around it."""
        former, later = (self.before or "").splitlines(), (self.after or "").splitlines()
        return [*difflib.unified_diff(former, later, str(self.path), str(self.path), lineterm="")]


class HostFile:
    """The file of a host's servers. Nothing is written before `carry_out`."""

    def __init__(self, host: McpHost, path: Path, *, name: str) -> None:
        self._host = host
        self._name = name
        self.path = path.resolve() if path.is_symlink() else path
        self._text = _read(self.path)
        self._document = self._read(self._text or "")

    @property
    def entry(self) -> ServerEntry | None:
        """How the host starts our server; None when it does not know it."""
        return read_entry(self._ours(self._document))

    @property
    def is_taken(self) -> bool:
        """True when something stands under our name, whoever wrote it."""
        return self._name in self._document.get(self._host.key, {})

    @property
    def is_installed(self) -> bool:
        """True when something stands under our name."""
        return self._ours(self._document) is not None

    def installing(self, entry: ServerEntry) -> FileChange:
        """The change that makes the host know our server, and leaves all else as it is."""
        wanted = self._host.written(entry)
        after = self._with(self._text or "", wanted)
        self._check(after, wanted)
        return FileChange(
            path=self.path, before=self._text, after=after, keeps_copy=self._text is not None and not self.is_installed
        )

    def removing(self) -> FileChange:
        """The change that takes our server out again."""
        ours = self._ours(self._document)
        if ours is None or self._text is None:
            return FileChange(path=self.path, before=self._text, after=self._text)
        kept = self._kept()
        if self._with(kept or "", ours) == self._text:
            return FileChange(path=self.path, before=self._text, after=kept)
        edit = without_table if self._host.is_toml else without_member
        after = edit(self._text, self._host.key, self._name)
        self._check(after, None)
        return FileChange(path=self.path, before=self._text, after=after)

    def carry_out(self, change: FileChange) -> None:
        """Write the file in one step, unless somebody else has changed it since it was read."""
        if _read(self.path) != self._text:
            raise HostError(f"{self.path} was changed meanwhile.", remedy="Nothing was written. Run it again.")
        copy = self.path.with_name(self.path.name + KEPT)
        try:
            if change.keeps_copy and change.before is not None:
                _write(copy, change.before, like=self.path)
            elif change.before is None:
                copy.unlink(missing_ok=True)
            if change.after is None:
                self.path.unlink()
            else:
                _write(self.path, change.after, like=self.path)
            if change.after is None or self._ours(self._read(change.after)) is None:
                copy.unlink(missing_ok=True)
        except OSError as error:
            raise HostError(
                f"{self.path} cannot be written ({error.strerror}).", remedy="Check its owner and permissions."
            ) from error

    # ── inside ────────────────────────────────────────────────────────────────────────────────────────────

    def _kept(self) -> str | None:
        try:
            return _read(self.path.with_name(self.path.name + KEPT))
        except HostError:
            return None

    def _with(self, text: str, wanted: dict[str, Any]) -> str:
        edit = with_table if self._host.is_toml else with_member
        try:
            return edit(text, self._host.key, self._name, wanted)
        except (ValueError, RecursionError, AttributeError) as error:
            raise self._unwritable() from error

    def _read(self, text: str) -> dict[str, Any]:
        try:
            document = read_toml(text) if self._host.is_toml else read_json(text)
        except (ValueError, RecursionError) as error:
            raise HostError(
                f"{self.path} cannot be read ({error}).",
                remedy=f"Nothing was changed. Mend the file, or move it away, and start {self._host.title} once.",
            ) from error
        if not isinstance(document, dict) or not isinstance(document.get(self._host.key, {}), dict):
            raise HostError(
                f"{self.path} is no configuration of {self._host.title}: {self._host.key} should be an object.",
                remedy="Nothing was changed. Mend the file, or move it away.",
            )
        return document

    def _ours(self, document: dict[str, Any]) -> dict[str, Any] | None:
        found = document.get(self._host.key, {}).get(self._name)
        return found if isinstance(found, dict) else None

    def _check(self, after: str, wanted: dict[str, Any] | None) -> None:
        """All that is not ours must be what it was: a text may be written in ways that nobody thought of."""
        try:
            made = self._read(after)
        except HostError as error:
            raise self._unwritable() from error
        others = [self._without_ours(document) for document in (self._document, made)]
        if self._ours(made) != wanted or others[0] != others[1]:
            raise self._unwritable()

    def _without_ours(self, document: dict[str, Any]) -> dict[str, Any]:
        servers = {name: value for name, value in document.get(self._host.key, {}).items() if name != self._name}
        rest = {name: value for name, value in document.items() if name != self._host.key}
        return {**rest, **({self._host.key: servers} if servers else {})}

    def _unwritable(self) -> HostError:
        return HostError(
            f"{self.path} is written in a way that cannot be changed here without touching the rest.",
            remedy=f"Nothing was changed. Take {self._host.key}.{self._name} out by hand and run it again.",
        )


def _read(path: Path) -> str | None:
    """The text of a file with its line breaks as they are; None when there is none."""
    try:
        return path.read_bytes().decode()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise HostError(f"{path} is not UTF-8.", remedy="Nothing was changed. Save it as UTF-8.") from error
    except OSError as error:
        raise HostError(
            f"{path} cannot be read ({error.strerror}).", remedy="Check its owner and permissions."
        ) from error


def _write(path: Path, text: str, *, like: Path) -> None:
    """Replace a file in one step; it may be read by whoever could read the other one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = stat.S_IMODE(like.stat().st_mode) if like.exists() else 0o600
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    part = Path(name)
    try:
        with open(handle, "wb") as out:  # noqa: PTH123 - from a descriptor
            out.write(text.encode())
            out.flush()
            os.fsync(handle)
        part.chmod(mode)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
