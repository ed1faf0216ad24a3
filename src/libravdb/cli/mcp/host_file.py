"""A host's file: what it holds under our name, and a change of it that is shown, then written in one step.

What stood before is kept beside it. Taking our entry out again puts that back, byte by byte, where nothing else was
changed meanwhile; else only the entry goes, and a server of somebody else that had its name comes back. Of the file
only what stands under our name is shown: what stands beside it may hold secrets.
"""

from __future__ import annotations

import difflib
import json
import os
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from libravdb.cli.mcp.json_text import read_json, with_member, without_member
from libravdb.cli.mcp.mcp_hosts import NAME, McpHost, ServerEntry, read_entry
from libravdb.cli.mcp.own_program import serves_memory
from libravdb.cli.mcp.toml_text import read_toml, table_text, with_table, with_table_text, without_table, write_table
from libravdb.config import FILE_VARIABLE, settings
from libravdb.errors import HostError
from libravdb.model.addresses import without_password

KEPT = ".before-libravdb"
"""What the copy of a file as it stood before ends with; the name of the server follows where it is not the usual."""

HIDDEN = "[hidden]"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """A file before and after; None where there is none. `keeps_copy`: what stood before is worth keeping. `entry` is
    what stands under our name before and after, as it may be shown."""

    path: Path
    before: str | None
    after: str | None
    keeps_copy: bool = False
    title: str = ""
    entry: tuple[str, str] = ("", "")

    @property
    def is_so(self) -> bool:
        """True when there is nothing to do."""
        return self.before == self.after

    @property
    def lines(self) -> list[str]:
        """What changes under our name, line by line, as diff shows it; nothing of what stands beside it."""
        former, later = (text.splitlines() for text in self.entry)
        if self.is_so or former == later:
            return []
        place = str(self.path)
        old, new, _, *rest = difflib.unified_diff(former, later, place, place, lineterm="", n=1_000_000)
        return [old, new, f"@@ {self.title} @@", *rest]


class HostFile:
    """The file of a host's servers. Nothing is written before `carry_out`."""

    def __init__(self, host: McpHost, path: Path, *, name: str) -> None:
        self._host = host
        self._name = name
        self.path = _followed(path)
        self._text = _read(self.path)
        self._document = self._read(self._text or "")

    @property
    def entry(self) -> ServerEntry | None:
        """How the host starts what stands under our name; None when it starts no program."""
        return read_entry(self._named(self._document))

    @property
    def is_taken(self) -> bool:
        """True when something stands under our name, whoever wrote it."""
        return self._named(self._document) is not None

    @property
    def is_installed(self) -> bool:
        """True when what stands under our name starts `libravdb … mcp`."""
        return serves_memory(self.entry)

    @property
    def copy(self) -> Path:
        """Where the file is kept as it stood before."""
        return self.path.with_name(self.path.name + KEPT + ("" if self._name == NAME else f".{self._name}"))

    def installing(self, entry: ServerEntry, *, replaces: bool = False) -> FileChange:
        """The change that makes the host know our server, and leaves all else as it is. Somebody else's server of the
        same name gives way only if `replaces`."""
        if self.is_taken and not self.is_installed and not replaces:
            raise HostError(
                f"Another server has the name {self._name!r} in {self.path}.",
                remedy="Nothing was changed. Choose another --name; or --replace it, and 'remove' brings it back.",
            )
        wanted = self._host.written(entry)
        after = self._with(self._text or "", wanted)
        self._check(after, wanted)
        return self._change(after, keeps_copy=self._text is not None and not self.is_installed, wanted=wanted)

    def removing(self) -> FileChange:
        """The change that takes our server out again, and brings back what it had replaced."""
        if not self.is_taken or self._text is None:
            return self._change(self._text)
        if not self.is_installed:
            raise HostError(
                f"What has the name {self._name!r} in {self.path} is another server.",
                remedy=f"Nothing was changed. If it shall go, take {self._host.key}.{self._name} out by hand.",
            )
        kept = self._kept()
        former = None if kept is None else self._named(self._read(kept))
        if self._with(kept or "", self._named(self._document)) == self._text:
            return self._change(kept)
        after = self._without(self._text) if kept is None or former is None else self._brought_back(kept, former)
        self._check(after, former)
        return self._change(after)

    def carry_out(self, change: FileChange) -> None:
        """Write the file in one step, unless somebody else has changed it since it was read."""
        if _read(self.path) != self._text:
            raise HostError(f"{self.path} was changed meanwhile.", remedy="Nothing was written. Run it again.")
        try:
            if change.keeps_copy and change.before is not None:
                _write(self.copy, change.before, like=self.path)
            elif change.before is None:
                self.copy.unlink(missing_ok=True)
            if change.after is None:
                self.path.unlink()
            else:
                _write(self.path, change.after, like=self.path)
            if not serves_memory(read_entry(self._named(self._read(change.after or "")))):
                self.copy.unlink(missing_ok=True)
        except OSError as error:
            raise HostError(
                f"{self.path} cannot be written ({error.strerror}).", remedy="Check its owner and permissions."
            ) from error

    # ── inside ────────────────────────────────────────────────────────────────────────────────────────────

    def _change(
        self, after: str | None, *, keeps_copy: bool = False, wanted: dict[str, Any] | None = None
    ) -> FileChange:
        later = _veiled(self._named(self._read(after or ""))) if wanted is None else wanted
        return FileChange(
            path=self.path,
            before=self._text,
            after=after,
            keeps_copy=keeps_copy,
            title=f"{self._host.key}.{self._name}",
            entry=(self._shown(_veiled(self._named(self._document))), self._shown(later)),
        )

    def _shown(self, value: dict[str, Any] | None) -> str:
        if value is None:
            return ""
        if self._host.is_toml:
            return write_table(self._host.key, self._name, value)
        return json.dumps({self._host.key: {self._name: value}}, indent=2, ensure_ascii=False)

    def _kept(self) -> str | None:
        """The file as it stood before; None where it is gone, or already held our server."""
        try:
            kept = _read(self.copy)
            is_before = kept is not None and not serves_memory(read_entry(self._named(self._read(kept))))
        except HostError:
            return None
        return kept if is_before else None

    def _with(self, text: str, wanted: dict[str, Any]) -> str:
        edit = with_table if self._host.is_toml else with_member
        try:
            return edit(text, self._host.key, self._name, wanted)
        except (TypeError, ValueError, RecursionError, AttributeError) as error:
            raise self._unwritable() from error

    def _without(self, text: str) -> str:
        edit = without_table if self._host.is_toml else without_member
        return edit(text, self._host.key, self._name)

    def _brought_back(self, kept: str, former: object) -> str:
        """The text with what another server had under this name."""
        text, key = self._text or "", self._host.key
        if self._host.is_toml:
            return with_table_text(text, key, self._name, table_text(kept, key, self._name))
        return with_member(text, key, self._name, former)

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

    def _named(self, document: dict[str, Any]) -> Any:  # noqa: ANN401 - whatever somebody wrote there
        return document.get(self._host.key, {}).get(self._name)

    def _check(self, after: str, wanted: object) -> None:
        """All that is not ours must be what it was: a text may be written in ways that nobody thought of."""
        try:
            made = self._read(after)
        except HostError as error:
            raise self._unwritable() from error
        others = [self._without_ours(document) for document in (self._document, made)]
        if self._named(made) != wanted or others[0] != others[1]:
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


def _veiled(value: object) -> dict[str, Any] | None:
    """An entry as it may be shown: of ours all but secrets, of somebody else's only which members it has."""
    if not isinstance(value, Mapping):
        return None if value is None else {}
    shown: dict[str, Any] = {str(name): HIDDEN for name in value}
    entry = read_entry(value)
    if entry is None or not serves_memory(entry):
        return shown
    known = {each.env: each for each in settings()}
    plain = {name for name, told in entry.env.items() if name in known and not known[name].is_confidential(told)}
    env = {name: each if name in {FILE_VARIABLE, *plain} else HIDDEN for name, each in entry.env.items()}
    args = [without_password(each) for each in entry.args]
    told = {"type": str(value.get("type")), "command": entry.command, "args": args, "env": env}
    return {name: told.get(name, HIDDEN) for name in shown}


def _followed(path: Path) -> Path:
    """The file itself where the path is a link to it. Raises HostError for links that lead nowhere but in a circle."""
    try:
        return path.resolve() if path.is_symlink() else path
    except (OSError, RuntimeError) as error:  # before Python 3.13 a circle is a RuntimeError
        raise HostError(
            f"{path} is a link that cannot be followed.", remedy="Nothing was changed. Mend the link, or move it away."
        ) from error


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
