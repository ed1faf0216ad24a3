"""The host's configuration as it is written, and what of it is about us. Only files are read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from libravdb.cli.openclaw.plugin_folder import PLUGIN, id_of
from libravdb.config import Config

SLOTS = ("memory", "contextEngine")
STOCK = "memory-core"
SECTIONS = frozenset(Config.__dataclass_fields__)
EARLIER = {"sidecarPath": ("daemon", "endpoint"), "dbPath": ("store", "path")}
"""Settings of the earlier implementation that tell where things are; the plugin knows all of them (`earlier.json`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostConfig:
    """The host's configuration; `plugins` is its section about plugins."""

    path: Path
    plugins: Mapping[str, Any]

    @property
    def slots(self) -> Mapping[str, Any]:
        """Who holds the slots, as far as it is written."""
        return mapping(self.plugins.get("slots"))

    @property
    def entry(self) -> Mapping[str, Any]:
        """Our own entry."""
        return self.entry_of(PLUGIN)

    def entry_of(self, plugin: str) -> Mapping[str, Any]:
        """The entry of a plugin; empty when there is none."""
        return mapping(mapping(self.plugins.get("entries")).get(plugin))

    @property
    def settings(self) -> Mapping[str, Any]:
        """The plugin's settings."""
        return mapping(self.entry.get("config"))

    @property
    def engine_settings(self) -> Mapping[str, object]:
        """What of the plugin's settings the engine knows; the rest is the plugin's own."""
        known: dict[str, Any] = {name: value for name, value in self.settings.items() if name in SECTIONS}
        for name, (section, key) in EARLIER.items():
            value = self.settings.get(name)
            if isinstance(value, str) and (key != "endpoint" or value.startswith(("unix:", "tcp:"))):
                known[section] = {key: value, **mapping(known.get(section))}
        return known

    @property
    def linked(self) -> tuple[Path, ...]:
        """The folders of `plugins.load.paths` that hold our plugin."""
        return tuple(path for path in self.load_paths if id_of(path) == PLUGIN)

    @property
    def load_paths(self) -> tuple[Path, ...]:
        """All folders that are linked."""
        paths = mapping(self.plugins.get("load")).get("paths")
        return tuple(Path(str(path)).expanduser() for path in paths) if isinstance(paths, list) else ()

    @property
    def is_stock_off(self) -> bool:
        """Whether memory-core is switched off, so that its names are free."""
        denied = self.plugins.get("deny")
        return self.entry_of(STOCK).get("enabled") is False or (isinstance(denied, list) and STOCK in denied)

    @property
    def is_dreaming_off(self) -> bool:
        """Whether the host's nightly dreaming is off: it is set up in the settings of whoever holds the memory slot."""
        return mapping(self.settings.get("dreaming")).get("enabled") is False


def config_path(environ: Mapping[str, str]) -> Path:
    """Where the host's configuration lies."""
    if named := environ.get("OPENCLAW_CONFIG_PATH"):
        return Path(named).expanduser()
    return state_folder(environ) / "openclaw.json"


def state_folder(environ: Mapping[str, str]) -> Path:
    """Where the host keeps its state."""
    home = Path(environ.get("HOME", "~")).expanduser()
    return Path(environ.get("OPENCLAW_STATE_DIR") or home / ".openclaw").expanduser()


def calls_waiting(environ: Mapping[str, str]) -> list[Path]:
    """The files in which the plugin keeps what no daemon has heard yet, oldest first."""
    return sorted(state_folder(environ).glob("libravdb/waiting-*/*.json"), key=lambda path: path.name)


def read_plain(path: Path) -> HostConfig | None:
    """The configuration from its file; None where it is no plain JSON or takes parts of other files in.

    Raises FileNotFoundError and other errors of the system.
    """
    try:
        document = mapping(json.loads(path.read_text(encoding="utf-8")))
    except ValueError:
        return None
    plugins = mapping(document.get("plugins"))
    if "$include" in document or "$include" in json.dumps(plugins):
        return None
    return HostConfig(path=path, plugins=plugins)


def mapping(value: object) -> Mapping[str, Any]:
    """A JSON object; empty for anything else."""
    return value if isinstance(value, Mapping) else {}
