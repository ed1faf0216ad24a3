"""What the HTTP door is told: whom it serves, and how much it takes."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpOptions:
    """`hosts`, `origins`, `proxies`: as in the settings of the daemon. Times in seconds, sizes in bytes."""

    hosts: tuple[str, ...] = LOOPBACK_NAMES
    origins: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    body_bytes: int = 32 * 2**20
    bodies_bytes: int = 256 * 2**20
    """How much all bodies under way may take together; one caller gets half of it at most."""

    header_bytes: int = 32_768
    header_seconds: float = 10.0
    body_seconds: float = 60.0
    stall_seconds: float = 10.0
    idle_seconds: float = 75.0
    unread_seconds: float = 30.0
    """How long an answer may lie unread."""

    shutdown_seconds: float = 10.0
    connections: int = 2_000
    held_off: int = 100
    """How many who showed a wrong token may wait for their answer at a time."""


def served_hosts(host: str, further: Sequence[str]) -> tuple[str, ...]:
    """The names that a request may carry in `Host`: what the door is bound to, loopback where that is it, and what is
    configured besides."""
    own = () if is_any(host) else (f"[{host}]" if ":" in host else host,)
    names = (*(LOOPBACK_NAMES if is_loopback(host) or is_any(host) else ()), *own, *further)
    return tuple(dict.fromkeys(name.lower() for name in names))


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def is_any(host: str) -> bool:
    """Whether an address stands for all of a machine's."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def is_served(host: str, patterns: Sequence[str]) -> bool:
    """Whether the `Host` of a request, without its port, is one of ours."""
    name = re.sub(r":\d{1,5}$", "", host.strip().lower())
    return any(re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), name) for pattern in patterns)
