"""Configuration: one typed tree of the rooms' own settings, and for every value where it came from.

A value is taken from the first of: argument, environment, file, default.

    the rooms' settings.py ─► schema (the tree) ─► sources (load) ─► a valid Config
                                   └─► reference (docs), the plugin's manifest, `libravdb config`
"""

from libravdb.adapters.embedders.settings import EmbeddingSettings
from libravdb.adapters.folders.settings import WatchSettings
from libravdb.adapters.summarisers.settings import SummarizerSettings
from libravdb.config.origins import Origin, ValueOrigin
from libravdb.config.schema import Config, lookup, settings
from libravdb.config.sources import FILE_VARIABLE, USUAL_FILE, Loaded, from_host, load
from libravdb.config.values import Kind, Setting, env_text, render_value
from libravdb.core.assembly.settings import AssemblySettings
from libravdb.core.authored.settings import AuthoredSettings
from libravdb.core.compaction.settings import CompactionSettings
from libravdb.core.gate.settings import GateSettings
from libravdb.core.ingest.settings import IngestSettings
from libravdb.core.recall.settings import RecallSettings
from libravdb.daemon.settings import DaemonSettings
from libravdb.model.addresses import MASK
from libravdb.model.namespaces import MemorySettings
from libravdb.ports.settings import StoreSettings

__all__ = [
    "FILE_VARIABLE",
    "MASK",
    "USUAL_FILE",
    "AssemblySettings",
    "AuthoredSettings",
    "CompactionSettings",
    "Config",
    "DaemonSettings",
    "EmbeddingSettings",
    "GateSettings",
    "IngestSettings",
    "Kind",
    "Loaded",
    "MemorySettings",
    "Origin",
    "RecallSettings",
    "Setting",
    "StoreSettings",
    "SummarizerSettings",
    "ValueOrigin",
    "WatchSettings",
    "env_text",
    "from_host",
    "load",
    "lookup",
    "render_value",
    "settings",
]
