"""A plain HTTP client, and a served store with a few people and their tokens."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.served import NOON

from libravdb.daemon.rights import Rights
from libravdb.daemon.tokens import TokenEntry, TokenRegistry, digest_of
from libravdb.wire.endpoint import Endpoint
from libravdb.wire.methods.access import AccessRole

ADMIN, ANNA, BEN, READER, WATCH = "lvdb_admin", "lvdb_anna", "lvdb_ben", "lvdb_reader", "lvdb_watch"
RIGHTS = {
    ADMIN: Rights(name="admin", role=AccessRole.ADMIN, namespaces=("*",)),
    ANNA: Rights(name="anna's laptop", role=AccessRole.WRITE, namespaces=("anna",)),
    BEN: Rights(name="ben's laptop", role=AccessRole.WRITE, namespaces=("ben", "team/*")),
    READER: Rights(name="reports", role=AccessRole.READ, namespaces=("anna",)),
    WATCH: Rights(name="watch", role=AccessRole.READ, namespaces=("*",)),
}


def registry() -> TokenRegistry:
    """Takes the tokens of all these people."""
    entries = tuple(
        TokenEntry(digest=digest_of(token), rights=rights, created=NOON) for token, rights in RIGHTS.items()
    )
    return TokenRegistry(lambda: entries)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def kind(self) -> str:
        return str(self.json["error"]["kind"])


class Web:
    """Asks, on one connection that is kept."""

    def __init__(self, address: Endpoint, token: str = "") -> None:
        self.address = address
        self._token = token
        self._connection = http.client.HTTPConnection(address.host, address.port, timeout=30)

    def ask(
        self,
        verb: str,
        path: str,
        body: object = None,
        *,
        headers: Mapping[str, str] | None = None,
        raw: bytes | None = None,
    ) -> Reply:
        told = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        data = raw
        if body is not None:
            data = json.dumps(body).encode()
        if data is not None:
            told["Content-Type"] = "application/json"
        self._connection.request(verb, path, body=data, headers={**told, **(headers or {})})
        answer = self._connection.getresponse()
        found = {name.lower(): value for name, value in answer.getheaders()}
        return Reply(status=answer.status, headers=found, body=answer.read())

    def get(self, path: str, **options: Any) -> Any:
        return self._fine(self.ask("GET", path, **options))

    def post(self, path: str, body: object, **options: Any) -> Any:
        return self._fine(self.ask("POST", path, body, **options))

    def rpc(self, method: str, **params: object) -> Any:
        return self.post("/rpc", {"jsonrpc": "2.0", "id": 1, "method": method, "params": params})

    def close(self) -> None:
        self._connection.close()

    def __del__(self) -> None:
        """A connection ends with its last user."""
        self.close()

    @staticmethod
    def _fine(reply: Reply) -> Any:
        assert reply.status in (200, 201), reply
        return reply.json


def raw(address: Endpoint, data: bytes, *, seconds: float = 20.0) -> bytes:
    """Everything that is answered to these bytes until the connection is closed."""
    with socket.create_connection((address.host, address.port), timeout=seconds) as line:
        line.sendall(data)
        parts = []
        try:
            while chunk := line.recv(65_536):
                parts.append(chunk)
        except ConnectionError:
            pass
        return b"".join(parts)
