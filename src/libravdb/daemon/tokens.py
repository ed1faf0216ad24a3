"""The tokens that a daemon takes over TCP: a file that holds their digests and rights, never a token itself."""

from __future__ import annotations

import contextlib
import fcntl
import hmac
import json
import logging
import os
import secrets
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from libravdb.daemon.rights import EVERY_RIGHT, Rights, checked_rights
from libravdb.daemon.settings import DaemonSettings
from libravdb.errors import DaemonError, InvalidInput, NotFound
from libravdb.wire.methods.access import AccessRole

PREFIX = "lvdb_"
"""How our tokens begin, so that whoever finds one knows what it is."""

FORMAT = "libravdb-tokens"
VERSION = 1
_BYTES = 32

logger = logging.getLogger("libravdb.daemon")


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenEntry:
    """One token of the file: its digest in hex, what it allows, and when it was made, in milliseconds."""

    digest: str
    rights: Rights
    created: int


def tokens_path(settings: DaemonSettings, store: Path) -> Path:
    """The file of tokens: the one that is configured, else beside the store."""
    told = settings.tokens_file
    return Path(told).expanduser().absolute() if told else store.with_name(store.name + ".tokens")


def digest_of(token: str) -> str:
    """What is kept of a token."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()


# ── the file ──────────────────────────────────────────────────────────────────────────────────────────────


def read_tokens(path: Path) -> tuple[TokenEntry, ...]:
    """The tokens of a file; none when it is missing. One that others can read or write is refused."""
    try:
        with path.open("rb") as source:
            _refuse_open(path, os.fstat(source.fileno()))
            written = source.read()
        if not written.strip():
            raise _unreadable(path, "the file is empty")
        content = json.loads(written)
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable(path, str(getattr(error, "strerror", None) or error)) from error
    try:
        if (content["format"], content["version"]) != (FORMAT, VERSION):
            raise _unreadable(path, "it is of another format or version")
        return tuple(map(_entry, content["tokens"]))
    except (KeyError, TypeError, ValueError, AttributeError, InvalidInput) as error:
        raise _unreadable(path, f"{type(error).__name__}: {error}") from error


def create_token(path: Path, rights: Rights, *, now: int) -> str:
    """A new token with these rights; its digest is in the file, and itself nowhere else than in this answer."""
    _refuse_secrets(rights)
    token = PREFIX + secrets.token_urlsafe(_BYTES)
    entry = TokenEntry(digest=digest_of(token), rights=rights, created=now)
    with _rewriting(path) as entries:
        if any(each.rights.name == rights.name for each in entries):
            raise InvalidInput(
                "name", f"{rights.name!r} has a token already", remedy="Remove that first, or take another name."
            )
        entries.append(entry)
    return token


def _refuse_secrets(rights: Rights) -> None:
    """Names are kept in the file as they are, and shown to whoever lists them; what is refused is not repeated."""
    from libravdb.engine.masking import holds_secret  # noqa: PLC0415 - a part of the engine, for new tokens only

    for field, names in (("name", (rights.name,)), ("namespace", rights.namespaces)):
        if any(map(holds_secret, names)):
            raise InvalidInput(
                field, "holds a secret, and would be kept in plain letters", remedy="Take a name without one."
            )


def remove_token(path: Path, name: str) -> None:
    """The token of this name is not taken any more, from its next request on."""
    if all(each.rights.name != name for each in read_tokens(path)):
        raise NotFound("token", name, remedy="'libravdb token list' shows them.")
    with _rewriting(path) as entries:
        entries[:] = [each for each in entries if each.rights.name != name]


@contextlib.contextmanager
def _rewriting(path: Path) -> Iterator[list[TokenEntry]]:
    """The entries to be changed, one writer at a time; the file is replaced in one step."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        entries = list(read_tokens(path))
        yield entries
        _write(path, entries)
    finally:
        os.close(folder)


def _write(path: Path, entries: Sequence[TokenEntry]) -> None:
    content = {"format": FORMAT, "version": VERSION, "tokens": [_written(entry) for entry in entries]}
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # for the owner alone
    part = Path(name)
    try:
        with open(handle, "w", encoding="utf-8") as out:  # noqa: PTH123 - from a descriptor
            json.dump(content, out, indent=2, ensure_ascii=False)
            out.write("\n")
            out.flush()
            os.fsync(handle)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _written(entry: TokenEntry) -> dict[str, Any]:
    rights = entry.rights
    return {
        "sha256": entry.digest,
        "name": rights.name,
        "namespaces": list(rights.namespaces),
        "role": rights.role.value,
        "created": entry.created,
    }


def _entry(item: dict[str, Any]) -> TokenEntry:
    if len(bytes.fromhex(item["sha256"])) != _BYTES:
        raise ValueError("a digest is not a sha256")
    rights = checked_rights(item["name"], AccessRole(item["role"]), [str(each) for each in item["namespaces"]])
    return TokenEntry(digest=item["sha256"].lower(), rights=rights, created=int(item["created"]))


def _refuse_open(path: Path, status: os.stat_result) -> None:
    if status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise DaemonError(
            f"{path}: others can reach this file, and whoever can write it lets himself in.",
            remedy=f"Run: chown {os.geteuid()} {path} && chmod 600 {path}",
        )


def _unreadable(path: Path, why: str) -> DaemonError:
    return DaemonError(
        f"{path}: the tokens cannot be read ({why}).",
        remedy="Restore the file, or delete it and create the tokens anew with 'libravdb token create'.",
    )


# ── the daemon's view of it ───────────────────────────────────────────────────────────────────────────────


class TokenRegistry:
    """Which tokens are taken now: those of the file, read again when it changes, and the configured one.

    The configured token may do everything, unless the file says otherwise of it. While the file cannot be read, none of
    its tokens is taken. Usable from many threads.
    """

    def __init__(
        self, read: Callable[[], tuple[TokenEntry, ...]], *, path: Path | None = None, token: str = ""
    ) -> None:
        self._read = read
        self._path = path
        self._configured = digest_of(token) if token else ""
        self._lock = threading.Lock()
        self._seen: object = None
        self._entries: tuple[TokenEntry, ...] = ()

    @classmethod
    def over(cls, path: Path, *, token: str = "") -> TokenRegistry:
        """The tokens of a file, and one that is configured."""
        return cls(lambda: read_tokens(path), path=path, token=token)

    @classmethod
    def of_one(cls, token: str) -> TokenRegistry:
        """One token that may do everything, and no file."""
        return cls(tuple, token=token)

    def is_empty(self) -> bool:
        """True when nobody could ever come in. Raises DaemonError when the file cannot be read."""
        return not self._configured and not self._read()

    def rights(self, digest: str) -> Rights | None:
        """What a token allows, by its digest; None when it is not taken. As long for one as for another."""
        found = None
        for each in self._current():
            if hmac.compare_digest(each.digest, digest):
                found = each.rights
        is_configured = hmac.compare_digest(self._configured, digest)
        return found or (EVERY_RIGHT if is_configured and self._configured else None)

    def _current(self) -> tuple[TokenEntry, ...]:
        with self._lock:
            seen = self._stamp()
            if seen != self._seen:
                self._seen = seen
                try:
                    self._entries = self._read()
                except DaemonError as error:
                    self._entries = ()
                    logger.error("tokens cannot be read", extra={"why": str(error)})  # noqa: TRY400 - told in words
            return self._entries

    def _stamp(self) -> object:
        """What changes with the file."""
        if self._path is None:
            return ()
        try:
            status = self._path.stat()
        except OSError as error:
            return error.errno
        return status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size
