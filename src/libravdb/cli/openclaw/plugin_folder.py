"""Where the plugin lies: in a source checkout or an editable installation the repository's, else the wheel's."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import libravdb
from libravdb.errors import HostError

PLUGIN = "libravdb-memory"
MANIFEST = "openclaw.plugin.json"


def plugin_folder() -> Path:
    """The folder that the host is to load."""
    package = Path(libravdb.__file__).resolve().parent
    for folder in (package.parents[1] / "plugins" / "openclaw", package / "openclaw_plugin"):
        if id_of(folder) == PLUGIN:
            return folder
    raise HostError(
        f"This installation has no OpenClaw plugin in {package / 'openclaw_plugin'}.",
        remedy="Install libravdb-memory again.",
    )


def id_of(folder: Path) -> str:
    """The id of the plugin in a folder; empty where there is none."""
    return str(manifest_of(folder).get("id", ""))


def manifest_of(folder: Path) -> dict[str, Any]:
    """What a plugin says of itself; empty where it cannot be read."""
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def surface_of(folder: Path) -> str:
    """A digest of the manifest: the host asks for consent again when it has changed."""
    return hashlib.sha256(json.dumps(manifest_of(folder), sort_keys=True).encode()).hexdigest()[:16]
