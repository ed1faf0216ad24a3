"""`libravdb mcp` in the MCP inspector, Claude Code, Gemini CLI and Codex, as npm installs them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.mcp_hosts.conftest import HostHome

pytestmark = pytest.mark.mcp_hosts
LIBRAVDB = Path(sys.executable).with_name("libravdb")


def inspect(home: HostHome, installed: Path, *arguments: str) -> Any:
    """What the inspector says of one call."""
    said = home.run(installed / ".bin" / "inspector", "--cli", LIBRAVDB, "mcp", *arguments)
    return json.loads(said[said.index("{") :])


def test_the_inspector_lists_and_calls_the_tools(home: HostHome, installed: Path) -> None:
    tools = inspect(home, installed, "--method", "tools/list")["tools"]
    assert {tool["name"] for tool in tools} == {
        *("memory_search", "memory_remember", "memory_forget"),
        *("memory_expand", "memory_explain", "memory_context"),
    }
    text = "text=The green boat sails at dawn."
    call = ("--method", "tools/call", "--tool-name")
    kept = inspect(home, installed, *call, "memory_remember", "--tool-arg", text)
    assert "durable/mem:" in kept["content"][0]["text"]
    found = inspect(home, installed, *call, "memory_search", "--tool-arg", "query=green boat", "--tool-arg", "limit=3")
    assert "The green boat sails at dawn." in found["content"][0]["text"]
    assert "memory://profile" in json.dumps(inspect(home, installed, "--method", "resources/list"))
    assert "recall" in json.dumps(inspect(home, installed, "--method", "prompts/list"))


def told_of(home: HostHome, installed: Path, host: str, scope: str = "--user") -> str:
    """What a host says of us in its list of servers, once it was told; afterwards it knows nothing again."""
    program = installed / ".bin" / host
    if not program.exists():
        pytest.skip(f"npm could not install {host}")
    home.run(LIBRAVDB, "mcp", "install", host, scope, "--yes")
    try:
        said = home.run(program, "mcp", "list", with_errors=True)
        assert home.run(LIBRAVDB, "mcp", "status").strip().endswith("yes")
    finally:
        home.run(LIBRAVDB, "mcp", "remove", host, scope, "--yes")
    (line,) = (line for line in said.splitlines() if "libravdb" in line)
    return line


def test_claude_code_says_connected(home: HostHome, installed: Path) -> None:
    assert "Connected" in told_of(home, installed, "claude")


def test_claude_code_asks_before_it_starts_what_a_project_brings(home: HostHome, installed: Path) -> None:
    assert "Pending approval" in told_of(home, installed, "claude", "--project")


def test_gemini_says_connected(home: HostHome, installed: Path) -> None:
    assert "Connected" in told_of(home, installed, "gemini")


def test_codex_lists_it_as_enabled(home: HostHome, installed: Path) -> None:
    """Its list starts no server."""
    assert "enabled" in told_of(home, installed, "codex")
