"""The section `[daemon]`; apart from the daemon, so that knowing the settings starts none of it."""

from __future__ import annotations

from dataclasses import dataclass

from libravdb.model.settings import masked_repr, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class DaemonSettings:
    """Where the daemon listens and what it tells."""

    endpoint: str = setting(
        "",
        "Where the daemon listens: unix:/path or tcp:host:port. Empty: unix:~/.clawdb/run/libravdb.sock.",
        alias="rpc_endpoint",
    )
    token: str = setting(
        "", "What a client shows on a TCP endpoint; the daemon takes its own for an admin's.", secret=True
    )
    tokens_file: str = setting("", "Tokens with rights, for TCP. Empty: the store's file name with .tokens.")
    backup_folder: str = setting("", "Where an admin's backups over TCP are written, by name. Empty: nowhere.")
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
