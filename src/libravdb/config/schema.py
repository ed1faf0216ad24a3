"""The tree: one section per room, each the room's own class, and every key that can be written in it."""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, get_type_hints

from libravdb.adapters.embedders.settings import EmbeddingSettings
from libravdb.adapters.folders.settings import WatchSettings
from libravdb.adapters.summarisers.settings import SummarizerSettings
from libravdb.config.checks import check_together
from libravdb.config.origins import Origin, ValueOrigin
from libravdb.config.values import KINDS, Setting, checked, refused
from libravdb.core.assembly.settings import AssemblySettings
from libravdb.core.authored.settings import AuthoredSettings
from libravdb.core.compaction.settings import CompactionSettings
from libravdb.core.gate.settings import GateSettings
from libravdb.core.ingest.settings import IngestSettings
from libravdb.core.recall.settings import RecallSettings
from libravdb.core.retention.settings import RetentionSettings
from libravdb.daemon.settings import DaemonSettings
from libravdb.errors import ConfigError
from libravdb.model.namespaces import MemorySettings
from libravdb.ports.settings import StoreSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """All settings. A Config that exists is valid; `load` makes one from every source.

    Made by hand it takes paths as they are: only `load` knows a home folder to put in place of `~`.
    """

    store: StoreSettings = field(default_factory=StoreSettings)
    embedding: EmbeddingSettings = field(default_factory=EmbeddingSettings)
    summarizer: SummarizerSettings = field(default_factory=SummarizerSettings)
    search: RecallSettings = field(default_factory=RecallSettings)
    assembly: AssemblySettings = field(default_factory=AssemblySettings)
    memory: MemorySettings = field(default_factory=MemorySettings)
    ingest: IngestSettings = field(default_factory=IngestSettings)
    gate: GateSettings = field(default_factory=GateSettings)
    compaction: CompactionSettings = field(default_factory=CompactionSettings)
    authored: AuthoredSettings = field(default_factory=AuthoredSettings)
    retention: RetentionSettings = field(default_factory=RetentionSettings)
    daemon: DaemonSettings = field(default_factory=DaemonSettings)
    watch: WatchSettings = field(default_factory=WatchSettings)

    def __post_init__(self) -> None:
        values = {each.key: lookup(self, each.key) for each in settings()}
        origins = {key: Origin(source=ValueOrigin.ARGUMENT, name=key) for key in values}
        for each in settings():
            if checked(each, values[each.key], origins[each.key]) != values[each.key]:
                raise refused(each, values[each.key], origins[each.key])
        check_together(values, origins)


@functools.cache
def sections() -> Mapping[str, Any]:
    """The class of each section, in the order of the tree."""
    return get_type_hints(Config)


@functools.cache
def settings() -> tuple[Setting, ...]:
    """Every setting, in the order of the tree."""
    return tuple(
        Setting(key=f"{section}.{each.name}", kind=KINDS[types[each.name]], default=each.default, **each.metadata)
        for section, room in sections().items()
        for types in (get_type_hints(room),)
        for each in fields(room)
    )


def lookup(config: Config, key: str) -> object:
    """The value of a dotted key in a configuration."""
    section, _, name = key.partition(".")
    return getattr(getattr(config, section), name)


# ── names as people write them ────────────────────────────────────────────────────────────────────────────


def known(key: str, origin: Origin) -> Setting:
    """The setting of a dotted key, also of one it had before; an unknown key is refused with the nearest."""
    found = _by_key().get(key)
    if found is None:
        raise unknown(key, origin)
    return found


@functools.cache
def _by_key() -> Mapping[str, Setting]:
    return {key: each for each in settings() for key in each.keys}


def unknown(key: str, origin: Origin) -> ConfigError:
    """What is said to a key that nobody knows."""
    remedy = f"Did you mean {nearest_key(key)}? 'libravdb config --expert' lists every setting."
    return ConfigError(key, "is not a known setting", origin=str(origin), remedy=remedy)


def nearest_key(written: str) -> str:
    """The dotted key that is spelled most like what was written."""
    spelled = {name: each.key for each in settings() for name in (each.name, *each.flat_names, *each.keys)}
    return nearest(snake(written), spelled)


def nearest(written: str, known: Mapping[str, str]) -> str:
    """The name behind the spelling closest to what was written; there always is one."""
    return known[difflib.get_close_matches(written, known, n=1, cutoff=0.0)[0]]


def snake(name: str) -> str:
    """`vectorCacheMb` as we write it, `vector_cache_mb`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
