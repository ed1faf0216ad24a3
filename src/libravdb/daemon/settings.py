"""The section `[daemon]`; apart from the daemon, so that knowing the settings starts none of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from libravdb.errors import InvalidInput
from libravdb.model.settings import LARGEST, masked_repr, setting

_LIMIT = re.compile(r"\s+(records|mb|calls)=(\d{1,9})$")


@dataclass(frozen=True, slots=True, kw_only=True)
class DaemonSettings:
    """Where the daemon listens and what it tells."""

    endpoint: str = setting(
        "",
        "Where the daemon listens: unix:/path or tcp:host:port. Empty: unix:~/.clawdb/run/libravdb.sock.",
        alias="rpc_endpoint",
        address=True,
    )
    token: str = setting(
        "", "What a client shows on a TCP endpoint; the daemon takes its own for an admin's.", secret=True
    )
    tokens_file: str = setting("", "Tokens with rights, for TCP. Empty: the store's file name with .tokens.")
    backup_folder: str = setting("", "Where an admin's backups over TCP are written, by name. Empty: nowhere.")
    http: str = setting(
        "",
        "Where HTTP is served beside the socket, as host:port; port 0 takes any. Needs the extra 'http'. Empty: off.",
    )
    http_hosts: tuple[str, ...] = setting(
        (), "Host names that an HTTP request may name, beside loopback and the address itself; * stands for anything."
    )
    http_origins: tuple[str, ...] = setting((), "Web pages that may ask over HTTP, as https://host:port. Empty: none.")
    http_proxies: tuple[str, ...] = setting((), "Addresses of proxies whose X-Forwarded-For is believed. Empty: none.")
    tls_cert: str = setting("", "The certificate (PEM, with its chain) that HTTP is served with. Empty: no TLS.")
    tls_key: str = setting("", "The private key of daemon.tls_cert (PEM). Empty: it is in the same file.")
    audit_file: str = setting("", "A file of JSON Lines: who did what in which namespace. Empty: none is kept.")
    quota_records: int = setting(0, "Records that one namespace may hold. 0: as many as there is room for.")
    quota_mb: int = setting(0, "MiB of texts and metadata that one namespace may hold. 0: no limit.")
    quota_calls: int = setting(0, "Calls a minute about one namespace. 0: no limit.")
    quota_overrides: tuple[str, ...] = setting(
        (), "Other quotas for some namespaces, the first that fits: 'team-* records=50000 mb=200 calls=600'."
    )
    max_line_mb: int = setting(32, "Longest request, in MiB.", minimum=16, maximum=1024)
    max_connections: int = setting(2_000, "Connections served at a time.", minimum=1, maximum=100_000)
    journal_entries: int = setting(
        500,
        "Lifecycle events kept in the journal; the oldest go first.",
        minimum=1,
        alias="lifecycle_journal_max_entries",
    )
    log_level: str = setting(
        "info", "What is logged; debug has a line per call.", choices=("debug", "info", "warning", "error")
    )
    log_text: bool = setting(
        default=False, help="Also log what requests say, at debug. Off, no log holds message text."
    )
    check_hours: int = setting(
        24, "Hours between two checks of the whole store; the first is a minute after the start. 0 is never.", minimum=0
    )
    metrics_port: int = setting(0, "Loopback port for Prometheus (needs the extra 'metrics'); 0 is off.", maximum=65535)

    def __repr__(self) -> str:
        return masked_repr(self)


DEFAULTS = DaemonSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """What one namespace may take; 0 is no limit. `calls` are those of a minute."""

    records: int = 0
    size_bytes: int = 0
    calls: int = 0


def usual_quota(settings: DaemonSettings) -> Quota:
    """The quota of a namespace that no override fits."""
    return Quota(records=settings.quota_records, size_bytes=settings.quota_mb * 2**20, calls=settings.quota_calls)


def read_override(text: str, usual: Quota) -> tuple[str, Quota]:
    """A pattern of namespaces and its quota, from `PATTERN records=… mb=… calls=…`; what it leaves out is as usual."""
    pattern, limits = text.strip(), dict[str, int]()
    while found := _LIMIT.search(pattern):
        limits.setdefault(found[1], int(found[2]))
        pattern = pattern[: found.start()].rstrip()
    if not pattern or not limits or max(limits.values()) > LARGEST:
        raise InvalidInput(
            "quota", f"{text!r} is not understood", remedy="Write for example: team-* records=50000 mb=200 calls=600"
        )
    return pattern, replace(usual, **_fields(limits))


def _fields(limits: Mapping[str, int]) -> dict[str, int]:
    told = {name: value for name, value in limits.items() if name != "mb"}
    return {**told, "size_bytes": limits["mb"] * 2**20} if "mb" in limits else told
