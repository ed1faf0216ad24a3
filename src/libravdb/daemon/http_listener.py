"""Where the daemon serves HTTP beside its socket, as configured; nothing of it is loaded when nobody asks for it."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from libravdb.daemon.settings import DaemonSettings
from libravdb.daemon.tokens import TokenRegistry
from libravdb.http import require_extra
from libravdb.wire.endpoint import Endpoint

if TYPE_CHECKING:
    from libravdb.http.backend import HttpBackend
    from libravdb.http.door import HttpMount
    from libravdb.http.server import HttpServer


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpListener:
    """A socket that listens for HTTP, the address it really has, and TLS where there is a certificate."""

    listener: socket.socket
    endpoint: Endpoint
    tls: ssl.SSLContext | None

    @property
    def url(self) -> str:
        """The address as clients write it."""
        host = f"[{self.endpoint.host}]" if ":" in self.endpoint.host else self.endpoint.host
        return f"{'https' if self.tls else 'http'}://{host}:{self.endpoint.port}"

    def open_door(
        self, backend: HttpBackend, settings: DaemonSettings, *, mounts: Sequence[HttpMount] = ()
    ) -> HttpServer:
        """The door, to be run; `mounts` are further rooms behind it."""
        from libravdb.http.options import HttpOptions, served_hosts  # noqa: PLC0415 - loaded when it is wanted
        from libravdb.http.server import HttpServer  # noqa: PLC0415 - an extra

        options = HttpOptions(
            hosts=served_hosts(self.endpoint.host, settings.http_hosts),
            origins=settings.http_origins,
            proxies=settings.http_proxies,
            body_bytes=settings.max_line_mb * 2**20,
            bodies_bytes=8 * settings.max_line_mb * 2**20,
            connections=settings.max_connections,
        )
        return HttpServer(backend, self.listener, options=options, tls=self.tls, mounts=mounts)


@contextmanager
def open_listener(settings: DaemonSettings, tokens: TokenRegistry) -> Iterator[HttpListener | None]:
    """The configured listener; None when HTTP is off. Raises ExtraMissing, DaemonError."""
    if not settings.http:
        yield None
        return
    require_extra()
    from libravdb.http.server import listen_http, tls_context  # noqa: PLC0415 - an extra

    tls = tls_context(settings.tls_cert, settings.tls_key)
    is_private = tls is not None or bool(settings.http_proxies)
    listener, actual = listen_http(settings.http, has_token=not tokens.is_empty(), is_private=is_private)
    with listener:
        yield HttpListener(listener=listener, endpoint=actual, tls=tls)
