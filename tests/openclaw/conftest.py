"""One gateway for all tests of the host; each test has sessions of its own, and finds everything running."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.openclaw.reading import entries_in, said_in
from tools.openclaw_host import Host, open_host, system_of

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
def awake(gateway: Host) -> Host:
    """The same with everything running and a model that has nothing special to say."""
    gateway.model.script.clear()
    if gateway.daemon is None:
        gateway.start_daemon()
    if gateway.gateway is None:
        gateway.start_gateway()
    return gateway


@pytest.fixture
def host(awake: Host) -> Iterator[Host]:
    """The same; whatever the test asks, every request has the rules once, and nothing stands in it twice."""
    before = len(awake.model.requests)
    yield awake
    for request in awake.model.requests[before:]:
        assert system_of(request).count(RULE) == 1
        entries = entries_in(request)
        assert len(entries) == len(set(entries))
        assert not set(entries) & {text for _, text in said_in(request)}
