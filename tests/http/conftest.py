"""One served store for a whole module, and a client of each of its people."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.http.web import ADMIN, ANNA, BEN, READER, WATCH, Web, registry
from tests.served import Served

from libravdb.http.options import HttpOptions
from libravdb.wire.endpoint import Endpoint

HASTY = HttpOptions(
    body_bytes=2**20,
    bodies_bytes=2**22,
    header_bytes=8_192,
    header_seconds=1.0,
    body_seconds=3.0,
    stall_seconds=0.5,
    idle_seconds=5.0,
    unread_seconds=1.0,
    shutdown_seconds=2.0,
    connections=500,
    origins=("https://console.example",),
    proxies=("10.1.1.1",),
)
"""Little time and little room, so that tests need neither."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("house"), tokens=registry())
    yield served
    served.close()


@pytest.fixture(scope="module")
def address(house: Served) -> Endpoint:
    return house.listen_http(HASTY)


def _client(address: Endpoint, token: str) -> Iterator[Web]:
    web = Web(address, token)
    yield web
    web.close()


@pytest.fixture
def admin(address: Endpoint) -> Iterator[Web]:
    yield from _client(address, ADMIN)


@pytest.fixture
def anna(address: Endpoint) -> Iterator[Web]:
    yield from _client(address, ANNA)


@pytest.fixture
def ben(address: Endpoint) -> Iterator[Web]:
    yield from _client(address, BEN)


@pytest.fixture
def reader(address: Endpoint) -> Iterator[Web]:
    yield from _client(address, READER)


@pytest.fixture
def watch(address: Endpoint) -> Iterator[Web]:
    yield from _client(address, WATCH)


@pytest.fixture
def nobody(address: Endpoint) -> Iterator[Web]:
    yield from _client(address, "")
