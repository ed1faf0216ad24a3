"""One request in, one reply out. Knows no transport: sockets and in-process clients call the same function."""

from __future__ import annotations

import json
import logging
import math
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, NoReturn

import msgspec

from libravdb import __version__
from libravdb.daemon.audit import MOST_NAMES, Audit, NoAudit
from libravdb.daemon.call_stats import Calls
from libravdb.daemon.guard import Guard
from libravdb.daemon.log_lines import loggable, trace
from libravdb.daemon.name_sizes import refuse_long_names
from libravdb.daemon.quotas import Quotas
from libravdb.daemon.rights import EVERY_RIGHT, Rights
from libravdb.daemon.tokens import TokenRegistry, digest_of
from libravdb.errors import DaemonError, InvalidInput, LibraError
from libravdb.model.json import mend_json
from libravdb.wire import codec, codes
from libravdb.wire.codec import encode
from libravdb.wire.crowding import refuse_crowd
from libravdb.wire.failures import failure, invalid, refusal
from libravdb.wire.fields import nearest
from libravdb.wire.methods.connection import Authenticate
from libravdb.wire.methods.method import AnyMethod, MethodPace, Ok
from libravdb.wire.methods.table import METHODS

Handler = Callable[[Any], object]
"""Takes a method's params, gives its result; raises LibraError for what the caller can mend."""

logger = logging.getLogger("libravdb.daemon")
GLANCE = 16_384
"""Bytes of a request that may be parsed beside serving others."""


CONFIGURED = "daemon.token"
"""Stands in the audit log for who shows the token of the configuration."""


class _Glance(msgspec.Struct):
    """What is looked at before a request is taken up."""

    method: str = ""


_GLANCES = msgspec.json.Decoder(_Glance)


@dataclass(slots=True)
class Connection:
    """What the daemon knows of one client. `is_local`: it shares our machine and user, and may name files. `digest` is
    that of the token it has shown. `door` and `address` tell the audit log where it came in."""

    is_trusted: bool = True
    is_local: bool = True
    digest: str = ""
    showed_wrong_token: bool = False
    door: str = "local"
    address: str = ""


@dataclass(slots=True)
class _Account:
    """What becomes known of a call while it is carried out."""

    who: str = ""
    namespaces: tuple[str, ...] = ()


class Dispatcher:
    """Finds the handler of a request, runs it, and turns whatever happens into a reply."""

    def __init__(
        self,
        handlers: Mapping[str, Handler],
        *,
        calls: Calls,
        guard: Guard,
        tokens: TokenRegistry,
        quotas: Quotas | None = None,
        audit: Audit | None = None,
        log_text: bool = False,
    ) -> None:
        self._handlers = handlers
        self._calls = calls
        self._guard = guard
        self._tokens = tokens
        self._quotas = None if quotas is None or quotas.is_off else quotas
        self._audit = None if isinstance(audit, NoAudit) else audit
        self._log_text = log_text

    def reply(self, line: bytes, connection: Connection) -> bytes | None:
        """The reply to one line, ending with a line break; None for a blank line."""
        if not line.strip():
            return None
        try:
            request = parse(line)
        except ValueError as error:
            return encode(invalid(str(error)))
        return encode(self.answer(request, connection))

    def pace(self, line: bytes) -> MethodPace:
        """How long the request may take, as far as a glance tells; a large line is never looked into here."""
        if len(line) > GLANCE:
            return MethodPace.USUAL
        try:
            method = METHODS.get(_GLANCES.decode(line).method)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return MethodPace.USUAL
        return MethodPace.USUAL if method is None else method.pace

    def answer(self, request: Mapping[str, Any], connection: Connection) -> dict[str, Any]:
        """The reply to one request as JSON values, the id echoed as it came."""
        method = request.get("method")
        name = method if isinstance(method, str) else str(method)
        started = time.perf_counter()
        account = _Account()
        outcome = self._outcome(name, request.get("params"), connection, account)
        seconds = time.perf_counter() - started
        known = name if name in METHODS else "unknown"
        self._calls.note(known, seconds=seconds, failed="error" in outcome)
        if self._audit is not None and not (is_polled(known) and "error" not in outcome):
            self._audit.note(
                who=account.who,
                door=connection.door,
                address=connection.address,
                method=known,
                namespaces=self._guard.stored(account.namespaces[:MOST_NAMES]),
                outcome=_kind(outcome),
                seconds=seconds,
            )
        if logger.isEnabledFor(logging.DEBUG):
            extra = {"method": known, "ms": round(seconds * 1000, 3), "ok": "error" not in outcome}
            if self._log_text:
                extra["request"] = loggable(request)
            logger.debug("call", extra=extra)
        return {"jsonrpc": "2.0", **({"id": request["id"]} if "id" in request else {}), **outcome}

    def _outcome(self, name: str, raw: object, connection: Connection, account: _Account) -> dict[str, Any]:
        try:
            if name == "authenticate":
                return self._authenticate(raw, connection)
            rights = self._rights(connection)
            if rights is None:
                return _unauthenticated()
            account.who = _name(rights, connection)
            method = METHODS.get(name)
            if method is None:
                return failure(_unknown_method(name), code=codes.UNKNOWN_METHOD)
            if method.is_local and not connection.is_local:
                return _needs_unix(name)
            params = self._read(method, raw, rights, account)
            admitted = self._guard.admit(name, params, rights)
            result = self._carry_out(name, admitted, rights, account)
            return {"result": codec.write(self._guard.sift(name, admitted, result, rights))}
        except LibraError as error:
            return failure(error)
        except RecursionError:
            return failure(InvalidInput("params", "are nested too deeply", remedy="Send them flatter."))
        except Exception as error:  # noqa: BLE001 - the one of this process; what is logged holds no secret
            logger.error("panic", extra={"method": name, "traceback": trace(error, raw)})  # noqa: TRY400 - masked
            message = f"internal server panic in {name}: {type(error).__name__}: {error}"
            return refusal(message, code=codes.CRASHED)

    def _read(self, method: AnyMethod, raw: object, rights: Rights, account: _Account) -> object:
        """The params as they came. The call is counted, and what it touches noted, whatever comes of it: against the
        namespaces where they are the caller's, else against the caller alone."""
        own: tuple[str, ...] = ()
        try:
            params: object = codec.read(method.params, raw, is_strict=method.is_strict)
            refuse_long_names(params)
            if self._audit is not None or self._quotas is not None:
                account.namespaces = self._guard.touched(method.name, params)
                own = account.namespaces if all(map(rights.allows, account.namespaces)) else ()
        finally:
            if self._quotas is not None and not method.is_polled:
                self._quotas.count(method.name, own, who=account.who, is_admin=rights.is_admin)
        return params

    def _carry_out(self, name: str, params: object, rights: Rights, account: _Account) -> object:
        """Run the handler, within what the caller may see; what quotas measure is more than that."""
        with ExitStack() as around:
            if self._quotas is not None:
                around.enter_context(self._quotas.admitted(name, params, self._guard.stored(account.namespaces)))
            around.enter_context(self._guard.walled(name, params, rights))
            return self._handlers[name](params)

    def _authenticate(self, raw: object, connection: Connection) -> dict[str, Any]:
        params = codec.read(Authenticate, raw, is_strict=True)
        if connection.is_trusted and not connection.digest:
            return {"result": codec.write(Ok())}  # over a unix socket nobody needs a token
        digest = digest_of(params.token)
        connection.is_trusted = self._tokens.rights(digest) is not None
        connection.digest = digest if connection.is_trusted else ""
        connection.showed_wrong_token = not connection.is_trusted
        if not connection.is_trusted:
            return refusal("the token is not the right one", code=codes.UNAUTHENTICATED)
        return {"result": codec.write(Ok())}

    def _rights(self, connection: Connection) -> Rights | None:
        """What a client may do now: a token that was removed is not taken any more, whenever it was shown."""
        if not connection.is_trusted:
            return None
        if not connection.digest:
            return EVERY_RIGHT
        rights = self._tokens.rights(connection.digest)
        connection.is_trusted = rights is not None
        return rights


def is_polled(name: str) -> bool:
    """Whether clients ask it again and again, so that nobody wants to read of every time."""
    return name in METHODS and METHODS[name].is_polled


def _name(rights: Rights, connection: Connection) -> str:
    """Who calls: the name of the token, or what stands for one."""
    return rights.name or (CONFIGURED if connection.digest else "")


def _kind(outcome: Mapping[str, Any]) -> str:
    """How a call ended, in one word."""
    error = outcome.get("error")
    if error is None:
        return "ok"
    return str(
        error.get("data", {}).get("kind") or ("Crashed" if error["code"] == codes.CRASHED else "Unauthenticated")
    )


def _unauthenticated() -> dict[str, Any]:
    return failure(
        DaemonError(
            "authentication required: call authenticate with the token first",
            remedy="Commands and clients take the token from daemon.token.",
        ),
        code=codes.UNAUTHENTICATED,
    )


def _needs_unix(name: str) -> dict[str, Any]:
    return failure(
        DaemonError(
            f"{name} names files and is served on unix sockets only",
            remedy="Use a unix endpoint, or the methods that carry the bytes: open_export, import_batch, save_backup.",
        ),
        code=codes.UNAUTHENTICATED,
    )


def parse(line: bytes) -> dict[str, Any]:
    """A request from its line; ValueError tells what is wrong with it."""
    refuse_crowd(line)
    try:
        request = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        request = _parse_leniently(line)
    if not isinstance(request, dict):
        raise ValueError("not an object")  # noqa: TRY004 - the sender's text is wrong, not a type of ours
    return request


def _parse_leniently(line: bytes) -> object:
    """What is not JSON to the letter: half a character is mended, all else is told."""
    try:
        request = json.loads(line, parse_constant=_refuse_constant, parse_float=_finite)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if isinstance(request, dict) and b"\\ud" in line.lower():  # torn off where a host cut its text
        identity = {"id": request["id"]} if "id" in request else {}
        return {**mend_json(request), **identity}
    return request


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    """A JSON number; one beyond a double's range would become infinite, which JSON cannot say back."""
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{text[:20]} is out of range")
    return value


def _unknown_method(name: str) -> DaemonError:
    remedy = f"{nearest(name, METHODS)} This is libravdbd {__version__}; docs/reference/protocol.md lists its methods."
    return DaemonError(f"unknown method: {name}", remedy=f"{remedy} {codes.RESTART}".lstrip())
