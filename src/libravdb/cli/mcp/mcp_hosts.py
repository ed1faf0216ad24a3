"""The hosts that we know: where each keeps its MCP servers, and how an entry looks there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

NAME = "libravdb"


class InstallScope(StrEnum):
    """For whom a host is told of the server."""

    USER = "user"
    PROJECT = "project"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerEntry:
    """How a host starts the server: the program by its whole path, its arguments, and what its environment adds."""

    command: str
    args: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class McpHost:
    """A host. `home` is the variable that moves its folder; files are below the user's home, or below the project.

    `is_typed`: an entry tells its transport, and always its environment.
    """

    name: str
    title: str
    user_file: str
    project_file: str
    home: str = ""
    moved_file: str = ""
    is_toml: bool = False
    is_typed: bool = False
    next_step: str = ""

    @property
    def key(self) -> str:
        """Under which its file has the servers."""
        return "mcp_servers" if self.is_toml else "mcpServers"

    def file(self, scope: InstallScope, *, environ: Mapping[str, str], project: Path) -> Path:
        """Where the servers of a scope stand."""
        if scope is InstallScope.PROJECT:
            return project / self.project_file
        if self.home and (moved := environ.get(self.home)):
            return Path(moved).expanduser() / self.moved_file
        return Path(environ.get("HOME") or "~").expanduser() / self.user_file

    def written(self, entry: ServerEntry) -> dict[str, Any]:
        """An entry as its file has it."""
        told: dict[str, Any] = {"type": "stdio"} if self.is_typed else {}
        told |= {"command": entry.command, "args": list(entry.args)}
        if entry.env or self.is_typed:
            told["env"] = dict(entry.env)
        return told


HOSTS: Mapping[str, McpHost] = {
    host.name: host
    for host in (
        McpHost(
            name="claude",
            title="Claude Code",
            user_file=".claude.json",
            project_file=".mcp.json",
            home="CLAUDE_CONFIG_DIR",
            moved_file=".claude.json",
            is_typed=True,
            next_step="start claude anew; /mcp there shows it, and 'claude mcp list' asks it",
        ),
        McpHost(
            name="codex",
            title="Codex",
            user_file=".codex/config.toml",
            project_file=".codex/config.toml",
            home="CODEX_HOME",
            moved_file="config.toml",
            is_toml=True,
            next_step="start codex anew; /mcp there shows it",
        ),
        McpHost(
            name="gemini",
            title="Gemini CLI",
            user_file=".gemini/settings.json",
            project_file=".gemini/settings.json",
            next_step="start gemini anew; /mcp there shows it",
        ),
        McpHost(
            name="cursor",
            title="Cursor",
            user_file=".cursor/mcp.json",
            project_file=".cursor/mcp.json",
            next_step="open Cursor's settings, Tools & MCP, and switch it on",
        ),
    )
}


def read_entry(written: object) -> ServerEntry | None:
    """An entry of a file, whoever wrote it; None when it starts no program."""
    if not isinstance(written, Mapping) or not isinstance(written.get("command"), str):
        return None
    args, env = written.get("args", []), written.get("env", {})
    return ServerEntry(
        command=written["command"],
        args=tuple(map(str, args)) if isinstance(args, list) else (),
        env={str(name): str(value) for name, value in env.items()} if isinstance(env, Mapping) else {},
    )
