"""One gateway for all tests of the host; each test has sessions of its own, and finds the daemon running."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tools.openclaw_host import Host, open_host

RULE = "Always answer in plain words."


@pytest.fixture(scope="session")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A host whose gateway runs, with a rule that was authored for its agents."""
    home: Path = tmp_path_factory.mktemp("oc")
    with open_host(home) as host:
        host.start_daemon()
        host.memory("author", sourceDoc="AGENTS.md", text=f"- {RULE}\n")
        host.start_gateway()
        yield host


@pytest.fixture
def host(gateway: Host) -> Host:
    """The same with everything running and a model that has nothing special to say."""
    gateway.model.script.clear()
    if gateway.daemon is None:
        gateway.start_daemon()
    if gateway.gateway is None:
        gateway.start_gateway()
    return gateway
