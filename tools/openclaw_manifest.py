"""Writes `plugins/openclaw/openclaw.plugin.json`: the plugin's own settings, and every setting of the engine.

The engine's part of the schema is made from `libravdb.config`, so that a setting is told in one place. Run it
after a setting has changed; a test compares.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from libravdb import __version__
from libravdb.config import Kind, Setting, settings

PLUGIN = Path(__file__).parent.parent / "plugins" / "openclaw"
MANIFEST = PLUGIN / "openclaw.plugin.json"
EARLIER = PLUGIN / "earlier.json"
"""The settings of the earlier implementation under the same plugin id, which are taken and mean something else now."""

COMMANDS = ("libravdb", "memory")
"""The second one only where it is ours and not memory-core's; see `names.js`."""
ABOUT_COMMAND = "Search, explain and look after LibraVDB Memory"
TOOLS = (
    "memory_get",
    "memory_search",
    "memory_expand",
    "memory_forget",
    "memory_profile",
    "memory_remember",
    "libravdb_get",
    "libravdb_search",
)
"""All that the plugin may register: the last two where memory-core has the first two."""
ABOUT = "Local memory and context engine: remembers across sessions, explains itself, sends nothing anywhere."

OWN: dict[str, dict[str, Any]] = {
    "userId": {
        "type": "string",
        "default": "",
        "description": "Whose memory it is. Empty: decided by memoryPer. "
        "With a name, all agents and chats of this host share that person's memory.",
    },
    "memoryPer": {
        "type": "string",
        "enum": ["person", "session", "agent"],
        "default": "person",
        "description": "Without a userId: one memory for each person (groups apart, what has no peer is the owner's), "
        "for each session key, or for each agent with all who talk to it.",
    },
    "ignoreSessions": {
        "type": "array",
        "items": {"type": "string", "minLength": 1},
        "default": ["agent:*:cron:*", "*:heartbeat", "agent:*:incognito-*"],
        "description": "Sessions that get no recall and leave nothing, by patterns of their keys ('*' any characters, "
        "'?' one). For sub-agents add 'agent:*:subagent:*'.",
    },
    "dreaming": {
        "type": "object",
        "default": {},
        "description": "OpenClaw's own nightly dreaming, which it runs beside whoever holds the memory slot and "
        "sets up from here: {enabled: false} switches it off; 'libravdb openclaw install' does.",
    },
    "notes": {
        "type": "boolean",
        "default": True,
        "description": "Find the agent's own notes (MEMORY.md, memory/ of its workspace) too, in the owner's sessions "
        "and in direct chats; and promote what the diary of its dreams asks for.",
    },
    "startDaemon": {
        "type": "boolean",
        "default": True,
        "description": "Start libravdbd when nobody answers at daemon.endpoint.",
    },
    "daemonCommand": {
        "type": "string",
        "default": "libravdbd",
        "minLength": 1,
        "description": "The program that is started then: a name on PATH or an absolute path, never a shell command.",
    },
    "mode": {
        "type": "string",
        "enum": ["window", "augment"],
        "default": "window",
        "description": "window: memory chooses which messages of the history stay, and compacts. "
        "augment: OpenClaw keeps and compacts its history itself, memory is added to it.",
    },
    "contextShare": {
        "type": "number",
        "minimum": 0.05,
        "maximum": 1,
        "default": 0.75,
        "description": "Share of the tokens that OpenClaw leaves for messages that history and memory may take; "
        "the rest is for tools, and for the difference between its count and the model's.",
    },
    "timeoutMs": {
        "type": "integer",
        "minimum": 100,
        "maximum": 600_000,
        "default": 5_000,
        "description": "How long a step of a turn waits for the daemon before the conversation goes on without it.",
    },
}  # fmt: skip


def manifest() -> dict[str, Any]:
    """The whole manifest."""
    return {
        "id": "libravdb-memory",
        "name": "LibraVDB Memory",
        "version": __version__,
        "description": ABOUT,
        "kind": ["memory", "context-engine"],
        "activation": {"onStartup": True},
        "cliCommands": [{"name": name, "description": ABOUT_COMMAND, "hasSubcommands": True} for name in COMMANDS],
        "contracts": {"tools": sorted(TOOLS)},
        "uiHints": _hints(),
        "configSchema": {
            "type": "object",
            "additionalProperties": False,
            "properties": {**OWN, **_sections(), **_earlier()},
        },
    }


def _sections() -> dict[str, Any]:
    sections: dict[str, Any] = {}
    for setting, key in ((each, key) for each in settings() for key in each.keys):
        name, within = key.split(".")
        section = sections.setdefault(name, {"type": "object", "additionalProperties": False, "properties": {}})
        section["properties"][camel(within)] = _schema(setting) if key == setting.key else _former_schema(setting)
    return sections


def earlier() -> dict[str, Any]:
    """The settings of the earlier implementation: the schema of each, and what it became or why it means nothing."""
    rows: dict[str, Any] = json.loads(EARLIER.read_text(encoding="utf-8"))
    return rows


def _earlier() -> dict[str, Any]:
    return {name: {**row["schema"], "description": _became(row)} for name, row in earlier().items()}


def _became(row: dict[str, Any]) -> str:
    told = f"now {row['became']}" if "became" in row else row["why"]
    return f"Of the earlier implementation: {told}."


def _former_schema(setting: Setting) -> dict[str, Any]:
    """A key that a setting had before: taken, but without a default that could contradict today's."""
    schema = {name: fact for name, fact in _schema(setting).items() if name != "default"}
    return {**schema, "description": f"Before; now {hosts_key(setting)}."}


def _schema(setting: Setting) -> dict[str, Any]:
    described = {"description": setting.help, "default": _plain(setting.default)}
    match setting.kind:
        case Kind.BOOLEAN:
            return {"type": "boolean", **described}
        case Kind.INTEGER | Kind.NUMBER:
            return {"type": str(setting.kind), "minimum": setting.minimum, "maximum": setting.maximum, **described}
        case Kind.TEXTS:
            return {"type": "array", "items": {"type": "string"}, **described}
        case Kind.PATHS:
            return {"type": "array", "items": {"type": "string", "format": "path"}, **described}
    choices = {"enum": list(setting.choices)} if setting.choices else {}
    return {"type": "string", **choices, **described}


def _hints() -> dict[str, Any]:
    """What the host shows beside its fields; keys are never shown, and expert settings only when asked for."""
    own = {name: {"help": schema["description"]} for name, schema in OWN.items()}
    secret = {hosts_key(one): {"sensitive": True} for one in settings() if one.secret or one.address}
    expert = {hosts_key(one): {"advanced": True} for one in settings() if one.expert}
    former = {name: {"sensitive": True} for name, row in earlier().items() if row.get("secret")}
    return own | secret | expert | former


def hosts_key(setting: Setting) -> str:
    """A setting's key as it stands in a host's configuration, `store.vectorCacheMb`."""
    return f"{setting.section}.{camel(setting.name)}"


def camel(name: str) -> str:
    """`vector_cache_mb` as hosts write it, `vectorCacheMb`."""
    first, *others = name.split("_")
    return first + "".join(word.title() for word in others)


def _plain(value: object) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, tuple):
        return [str(item) for item in value]
    return str(value) if isinstance(value, Path) else value


def text() -> str:
    """The file as it is written."""
    return json.dumps(manifest(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    MANIFEST.write_text(text(), encoding="utf-8")
