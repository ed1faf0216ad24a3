"""What an installation changes in the host: each line is a wish, whether it is so already, and what makes it so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from libravdb.cli.openclaw.host_config import SLOTS, HostConfig, mapping
from libravdb.cli.openclaw.install_record import InstallRecord
from libravdb.cli.openclaw.plugin_folder import PLUGIN, manifest_of, surface_of


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallWishes:
    """What the user wants; None leaves it as it is, or at what is best where nothing is written."""

    folder: Path
    daemon: str
    memory_per: str | None = None
    user: str | None = None
    store: Path | None = None
    keeps_dreaming: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginChange:
    """One line: `patch` is its part of the host's configuration; a link has none, the host makes it itself."""

    name: str
    wanted: str
    is_so: bool
    patch: Mapping[str, Any] = field(default_factory=dict)
    is_link: bool = False


def plan(found: HostConfig, wishes: InstallWishes, record: InstallRecord | None) -> tuple[PluginChange, ...]:
    """All lines, in the order in which they are done."""
    return (_link(found, wishes, record), *_slots(found), *_settings(found, wishes), *_dreaming(found, wishes))


def merged(changes: tuple[PluginChange, ...]) -> dict[str, Any]:
    """What has to be written for the lines that are not so yet, as one change."""
    patch: dict[str, Any] = {}
    for change in changes:
        if not change.is_so:
            patch = _merge(patch, change.patch)
    return patch


def _merge(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    both = dict(one)
    for name, value in other.items():
        present = both.get(name)
        is_deep = isinstance(present, Mapping) and isinstance(value, Mapping)
        both[name] = _merge(mapping(present), value) if is_deep else value
    return both


def _link(found: HostConfig, wishes: InstallWishes, record: InstallRecord | None) -> PluginChange:
    """Linked to this folder and no other, switched on, and with the consent that this version needs."""
    is_so = (
        tuple(path.resolve() for path in found.linked) == (wishes.folder.resolve(),)
        and found.entry.get("enabled") is True
        and record is not None
        and record.surface == surface_of(wishes.folder)
    )
    return PluginChange(name="plugin", wanted=f"linked from {wishes.folder}", is_so=is_so, is_link=True)


def _slots(found: HostConfig) -> Iterator[PluginChange]:
    about = {"memory": "memory", "contextEngine": "context engine"}
    for slot in SLOTS:
        holder = found.slots.get(slot)
        was = f" (before: {holder})" if holder not in (None, PLUGIN) else ""
        yield PluginChange(
            name=about[slot],
            wanted=f"{PLUGIN}{was}",
            is_so=holder == PLUGIN,
            patch={"plugins": {"slots": {slot: PLUGIN}}},
        )


def _settings(found: HostConfig, wishes: InstallWishes) -> Iterator[PluginChange]:
    present = found.settings
    known = mapping(mapping(manifest_of(wishes.folder).get("configSchema")).get("properties"))
    yield _setting(present, "daemon", "daemonCommand", wishes.daemon)
    yield from _whose(present, wishes, known)
    if "notes" in known and present.get("notes") is not False:  # who said no before is not asked again
        yield _setting(present, "notes", "notes", True, "MEMORY.md and memory/*.md of each agent are found too")  # noqa: FBT003 - a value
    if wishes.store is not None:
        path = str(wishes.store.absolute())
        patch = _patch({"store": {"path": path}})
        is_so = mapping(present.get("store")).get("path") == path
        yield PluginChange(name="store", wanted=path, is_so=is_so, patch=patch)


def _whose(present: Mapping[str, Any], wishes: InstallWishes, known: Mapping[str, Any]) -> Iterator[PluginChange]:
    """Whose memory it is: what the user says now, else what he said before, else each person's own."""
    name = "whose memory"
    if wishes.user is not None:
        yield _setting(present, name, "userId", wishes.user, f"all agents and chats share that of {wishes.user!r}")
        return
    schema = mapping(known.get("memoryPer"))
    named = wishes.memory_per or (None if present.get("userId") else present.get("memoryPer"))
    if named is None and present.get("userId"):
        yield PluginChange(name=name, wanted=f"that of {present['userId']!r}, as set before", is_so=True)
        return
    best = "person" if "person" in schema.get("enum", ()) else str(schema.get("default", "agent"))
    per = str(named or best)
    about = {
        "person": "each person's own, groups apart",
        "session": "one for each session",
        "agent": "one for each agent, for everybody who talks to it",
    }
    wanted = f"{about.get(per, per)} (memoryPer {per})"
    patch = _patch({"memoryPer": per, **({"userId": None} if present.get("userId") else {})})
    is_so = present.get("memoryPer") == per and not present.get("userId")
    yield PluginChange(name=name, wanted=wanted, is_so=is_so, patch=patch)


def _dreaming(found: HostConfig, wishes: InstallWishes) -> Iterator[PluginChange]:
    """The host's nightly work on notes. It is set up by whoever holds the memory slot, so it comes back when we go."""
    if wishes.keeps_dreaming:
        return
    yield PluginChange(
        name="dreaming of memory-core",
        wanted="off",
        is_so=found.is_dreaming_off,
        patch=_patch({"dreaming": {"enabled": False}}),
    )


def _setting(present: Mapping[str, Any], name: str, key: str, value: object, wanted: str = "") -> PluginChange:
    return PluginChange(
        name=name, wanted=wanted or str(value), is_so=present.get(key) == value, patch=_patch({key: value})
    )


def _patch(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {"plugins": {"entries": {PLUGIN: {"config": dict(settings)}}}}
