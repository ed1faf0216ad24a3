"""What stood in the host before we came, so that it can be put back: `libravdb/install.json` in its state folder."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from libravdb.cli.openclaw.host_config import SLOTS, HostConfig, mapping
from libravdb.cli.service.commands import write_whole
from libravdb.errors import DaemonError, HostError


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallRecord:
    """Who held the slots (None: nothing was written), and which plugin was put there."""

    slots: dict[str, str | None] = field(default_factory=lambda: dict.fromkeys(SLOTS))
    version: str = ""
    surface: str = ""


def record_path(state: Path) -> Path:
    """Where it is kept."""
    return state / "libravdb" / "install.json"


def read_record(state: Path) -> InstallRecord | None:
    """What was written down; None when nothing was, or nothing that can be used."""
    try:
        told = mapping(json.loads(record_path(state).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return None
    slots = mapping(told.get("slots"))
    return InstallRecord(
        slots={slot: _text(slots.get(slot)) for slot in SLOTS},
        version=str(told.get("version", "")),
        surface=str(told.get("surface", "")),
    )


def write_record(state: Path, record: InstallRecord) -> None:
    """Write it down, for its owner alone."""
    try:
        write_whole(record_path(state), json.dumps(asdict(record), indent=2) + "\n")
    except DaemonError as error:
        raise HostError(error.message, remedy=error.remedy) from error


def what_stands(found: HostConfig, *, plugin: str) -> InstallRecord:
    """What stands there now; a slot that is ours already was nobody's."""
    held = {slot: _text(found.slots.get(slot)) for slot in SLOTS}
    return InstallRecord(slots={slot: None if holder == plugin else holder for slot, holder in held.items()})


def restoring(record: InstallRecord, *, plugin: str) -> dict[str, Any]:
    """The changes of the host's configuration that put it back."""
    return {"plugins": {"slots": dict(record.slots), "entries": {plugin: None}}}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
