"""One HTTP connection: uvicorn's own protocol, with a time for everything and room for everybody.

A connection that does not finish its headers, idles too long or lets its answer lie unread is closed. When there is no
room for one more, the one that has been idle longest makes it.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from libravdb.http.options import HttpOptions
from libravdb.http.refusals import HttpRefusal

if TYPE_CHECKING:
    from uvicorn.config import Config
    from uvicorn.server import ServerState


class DoorProtocol(H11Protocol):
    """Adds to the base what a public door needs."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        *,
        options: HttpOptions,
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config=config, server_state=server_state, app_state=app_state, _loop=_loop)
        self._options = options
        self._header_timer: asyncio.TimerHandle | None = None
        self._unread_timer: asyncio.TimerHandle | None = None
        self._quiet_since = 0.0

    # ── coming and going ──────────────────────────────────────────────────────────────────────────────────

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as the base has it
        super().connection_made(transport)
        self._quiet_since = self.loop.time()
        if len(self.connections) > self._options.connections and not self._make_room():
            told = f"At most {self._options.connections:,} connections are served at a time."
            self._say(HttpRefusal(503, "Busy", told, remedy="Try again in a moment.", headers={"retry-after": "1"}))
            return
        self._await_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timers()
        super().connection_lost(exc)

    def _make_room(self) -> bool:
        """Close the connection that has been idle longest, other than this one."""
        idle = [
            each for each in self.connections if isinstance(each, DoorProtocol) and each is not self and each.is_idle
        ]
        if not idle:
            return False
        oldest = min(idle, key=lambda each: each._quiet_since)  # noqa: SLF001 - of the same class
        self.connections.discard(oldest)
        oldest.transport.abort()
        return True

    @property
    def is_idle(self) -> bool:
        """True while no request is being answered."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is None or cycle.response_complete

    # ── time ──────────────────────────────────────────────────────────────────────────────────────────────

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.is_closing():
            return
        if not self.is_idle:
            self._stop_header_timer()
        elif self._header_timer is None and self.timeout_keep_alive_task is None:
            self._await_headers()

    def on_response_complete(self) -> None:
        self._quiet_since = self.loop.time()
        super().on_response_complete()
        if self.is_idle and self.conn.trailing_data[0] and not self.transport.is_closing():
            self._unset_keepalive_if_required()  # half a request lies here already
            self._await_headers()

    def timeout_keep_alive_handler(self) -> None:
        if self.transport.get_write_buffer_size():
            self.transport.abort()  # it does not read what it asked for
        else:
            super().timeout_keep_alive_handler()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread_timer = self.loop.call_later(self._options.unread_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._unread_timer is not None:
            self._unread_timer.cancel()
            self._unread_timer = None

    def _await_headers(self) -> None:
        self._stop_header_timer()
        self._header_timer = self.loop.call_later(self._options.header_seconds, self._give_up)

    def _give_up(self) -> None:
        self._header_timer = None
        if self.is_idle and not self.transport.is_closing():
            self._say(HttpRefusal(408, "RequestTimeout", "The request did not come in time.", remedy="Send it whole."))

    def _stop_header_timer(self) -> None:
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None

    def _stop_timers(self) -> None:
        self._stop_header_timer()
        self._unset_keepalive_if_required()
        if self._unread_timer is not None:
            self._unread_timer.cancel()
            self._unread_timer = None

    # ── what is no request ────────────────────────────────────────────────────────────────────────────────

    def send_400_response(self, msg: str) -> None:
        error = sys.exception() if sys.version_info >= (3, 12) else sys.exc_info()[1]
        status = error.error_status_hint if isinstance(error, h11.RemoteProtocolError) else 400
        kind = "HeadersTooLarge" if status == 431 else "BadRequest"
        told = "The headers are too large." if status == 431 else msg
        self._say(HttpRefusal(status, kind, told, remedy="Send HTTP/1.1 with short headers."))

    def _say(self, refused: HttpRefusal) -> None:
        """A last word on a connection, which is closed; nothing where an answer is under way already."""
        body = refused.body()
        headers = [
            ("content-type", "application/json"),
            ("content-length", str(len(body))),
            ("connection", "close"),
            *refused.headers.items(),
        ]
        events = (h11.Response(status_code=refused.status, headers=headers), h11.Data(data=body), h11.EndOfMessage())
        with contextlib.suppress(h11.LocalProtocolError):  # it gets the answer that is under way, or nothing
            self.transport.write(b"".join(self.conn.send(event) or b"" for event in events))
        self.transport.close()
