"""The stream of events of a namespace: that something changed, to whom it may be told, and how a stream ends."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.http.conftest import HASTY
from tests.http.web import ADMIN, ANNA, BEN, READER, Web, registry
from tests.served import NOON, Served

from libravdb.daemon.audit import AuditFile
from libravdb.daemon.rights import checked_rights
from libravdb.daemon.tokens import TokenRegistry, create_token, remove_token
from libravdb.http.events import MOST_OF_ONE
from libravdb.wire.endpoint import Endpoint
from libravdb.wire.methods.access import AccessRole


class Event(NamedTuple):
    """What was told."""

    kind: str
    data: dict[str, Any]


class EventStream:
    """Listens to the events of a namespace."""

    def __init__(self, address: Endpoint, namespace: str, token: str, *, verb: str = "GET") -> None:
        self._connection = http.client.HTTPConnection(address.host, address.port, timeout=20)
        self._connection.request(verb, f"/v1/{namespace}/events", headers={"Authorization": f"Bearer {token}"})
        self.response = self._connection.getresponse()
        self.status = self.response.status

    def next(self) -> Event | None:
        """The next event; None when the stream has ended."""
        kind = ""
        while line := self.response.readline().decode():
            if line.startswith("event: "):
                kind = line.removeprefix("event: ").strip()
            elif line.startswith("data: "):
                return Event(kind, json.loads(line.removeprefix("data: ")))
        return None

    def told(self, kind: str) -> dict[str, Any]:
        """What the next event says, which must be of this kind."""
        event = self.next()
        assert event is not None
        assert event.kind == kind
        return event.data

    def close(self) -> None:
        self.response.close()
        self._connection.close()


Listen = Callable[..., EventStream]


@pytest.fixture
def listen(address: Endpoint) -> Iterator[Listen]:
    """Opens streams, and closes them afterwards."""
    opened: list[EventStream] = []

    def listen(namespace: str, token: str, *, at: Endpoint = address, verb: str = "GET") -> EventStream:
        opened.append(EventStream(at, namespace, token, verb=verb))
        return opened[-1]

    yield listen
    for stream in opened:
        stream.close()


def eventually(holds: Callable[[], bool], *, seconds: float = 10.0) -> bool:
    """Whether something becomes true within a while."""
    until = time.monotonic() + seconds
    while not (found := holds()) and time.monotonic() < until:
        threading.Event().wait(0.01)
    return found


def test_a_stream_says_hello_and_then_that_something_changed(listen: Listen, anna: Web) -> None:
    stream = listen("anna", ANNA)
    assert stream.status == 200
    assert stream.response.getheader("content-type") == "text/event-stream; charset=utf-8"
    assert stream.response.getheader("cache-control") == "no-store"
    before = stream.told("hello")["revision"]
    anna.post("/v1/anna/memories", {"text": "The lighthouse keeper paints his door every spring"})
    change = stream.told("change")
    assert change["revision"] != before
    assert set(change) == {"revision"}


@pytest.mark.parametrize("token", [READER, ADMIN])
def test_whoever_may_read_may_listen(listen: Listen, token: str) -> None:
    assert "revision" in listen("anna", token).told("hello")


def test_a_turn_that_was_said_is_told_as_well(listen: Listen, anna: Web) -> None:
    stream = listen("anna", ANNA)
    stream.told("hello")
    anna.post("/v1/anna/turns", {"sessionId": "evening", "messages": ["Good evening to you"]})
    assert stream.told("change")


def test_what_happens_to_others_is_not_told(listen: Listen, anna: Web, ben: Web) -> None:
    annas, bens = listen("anna", ANNA), listen("ben", BEN)
    before = annas.told("hello")["revision"]
    bens.told("hello")
    ben.post("/v1/ben/memories", {"text": "Ben keeps a canary that sings at noon"})
    bens.told("change")
    assert anna.rpc("changes", namespace="anna")["result"]["revision"] == before
    anna.post("/v1/anna/memories", {"text": "Anna prefers the quiet of the reading room"})
    assert annas.told("change")["revision"] == anna.rpc("changes", namespace="anna")["result"]["revision"]


def test_a_namespace_of_somebody_else_is_refused(listen: Listen) -> None:
    for namespace, token in (("anna", BEN), ("ben", READER), ("nobody", ANNA)):
        stream = listen(namespace, token)
        assert stream.status == 403
        assert json.loads(stream.response.read())["error"]["kind"] == "Forbidden"


def test_without_a_token_nothing_is_told(nobody: Web) -> None:
    assert nobody.ask("GET", "/v1/anna/events").status == 401
    assert nobody.ask("GET", "/v1/anna/events", headers={"Authorization": "Bearer guess"}).status == 401


@pytest.mark.parametrize("verb", ["HEAD", "POST", "PUT", "DELETE"])
def test_only_a_get_opens_a_stream(anna: Web, verb: str) -> None:
    reply = anna.ask(verb, "/v1/anna/events")
    assert reply.status == 405
    assert reply.headers["allow"] == "GET, OPTIONS"
    assert anna.ask("OPTIONS", "/v1/anna/events").headers["allow"] == "GET, OPTIONS"


def test_one_caller_keeps_so_many_streams_and_no_more(listen: Listen, house: Served) -> None:
    streams = [listen("ben", BEN) for _ in range(MOST_OF_ONE)]
    for stream in streams:
        stream.told("hello")
    refused = listen("ben", BEN)
    assert (refused.status, refused.response.getheader("retry-after")) == (429, "5")
    assert json.loads(refused.response.read())["error"]["kind"] == "TooManyStreams"
    assert listen("anna", ANNA).status == 200
    streams[0].close()
    assert eventually(lambda: listen("ben", BEN).status == 200)
    assert house.http.connections < 50


def test_a_stream_ends_with_the_token_that_opened_it(tmp_path: Path, listen: Listen) -> None:
    file = tmp_path / "tokens"
    token = create_token(file, checked_rights("guest", AccessRole.READ, ["anna"]), now=NOON)
    served = Served(tmp_path, tokens=TokenRegistry.over(file))
    stream = listen("anna", token, at=served.listen_http(HASTY))
    stream.told("hello")
    remove_token(file, "guest")
    assert stream.told("end")["message"]
    assert stream.next() is None
    served.close()


def test_open_streams_do_not_keep_the_door_from_closing(tmp_path: Path, listen: Listen) -> None:
    served = Served(tmp_path, tokens=registry())
    address = served.listen_http(replace(HASTY, shutdown_seconds=20.0))
    streams = [listen("anna", ANNA, at=address), listen("ben", BEN, at=address)]
    for stream in streams:
        stream.told("hello")
    began = time.monotonic()
    served.close()
    assert time.monotonic() - began < 5
    assert [stream.next() for stream in streams] == [None, None]


def test_whoever_hangs_up_is_noticed(tmp_path: Path, listen: Listen) -> None:
    served = Served(tmp_path, tokens=registry())
    stream = listen("anna", ANNA, at=served.listen_http(HASTY))
    stream.told("hello")
    assert served.http.connections == 1
    stream.close()
    assert eventually(lambda: served.http.connections == 0)
    served.close()


def test_listening_leaves_nothing_in_the_audit_log(tmp_path: Path, listen: Listen) -> None:
    log = tmp_path / "audit"
    served = Served(tmp_path, tokens=registry(), audit=AuditFile(log))
    address = served.listen_http(HASTY)
    stream = listen("anna", ANNA, at=address)
    stream.told("hello")
    Web(address, ANNA).post("/v1/anna/memories", {"text": "The harbour freezes in January"})
    stream.told("change")
    served.close()
    assert [json.loads(line)["method"] for line in log.read_text().splitlines()] == ["remember"]


def test_a_namespace_with_odd_letters_has_a_stream_too(listen: Listen) -> None:
    assert listen("a%2Fb%20%3Cc%3E", ADMIN).told("hello")
    assert listen("%20", ADMIN).status != 200
