"""The transport that fits an address."""

from __future__ import annotations

from libravdb.client.pool import PooledTransport
from libravdb.client.transport import SocketTransport, Transport
from libravdb.wire.endpoint import parse

URLS = ("http://", "https://")


def transport_to(address: str, *, token: str = "") -> Transport:
    """How a daemon is reached at `unix:/path`, `tcp:host:port`, `http://host:port` or `https://host:port`. No
    connection is made before the first call."""
    if address.startswith(URLS):
        from libravdb.client.http_transport import HttpTransport  # noqa: PLC0415 - a socket needs none of it

        return PooledTransport(lambda: HttpTransport(address, token=token))
    endpoint = parse(address)
    return PooledTransport(lambda: SocketTransport(endpoint, token=token))
