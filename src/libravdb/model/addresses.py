"""Addresses that may hold a password: what of one is shown, and which ones leave open where the password ends.

Whatever might be part of a password counts as one. An address that somebody wrote with `/` or `@` in the password
reads like another address: it is shown without anything before its last `@`, and no connection is made to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

MASK = "********"

ENCODE = (
    "Write signs such as / @ : ? # % in a user or a password as %2F, %40, %3A, %3F, %23, %25; or leave the password out"
    " and put it into ~/.pgpass or PGPASSWORD."
)
"""What to do with an address that cannot be read for certain."""

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_AUTHORITY = re.compile(r"[^/?#]*")
_PORT = re.compile(r"(?:^|,)(?:\[[^\]]*\]|[^:,\[]*):(?P<port>[^,]*)")

_CONFIDENTIAL = r"(?:[\w-]*(?:password|passwd|secret|token|(?<!ssl)key)|[\w-]*%[\w%-]*)"
_HARMLESS = (
    r"(?:host|hostaddr|port|dbname|user|service|options|application_name|target_session_attrs|client_encoding"
    r"|connect_timeout|keepalives\w*|tcp_user_timeout|ssl\w+|gss\w+|krbsrvname|passfile|channel_binding|require_auth"
    r"|load_balance_hosts|api-version)"
)
_PARAMETER = re.compile(
    rf"(?:^|[?&\s]){_CONFIDENTIAL}\s*=\s*(?P<secret>.+?)(?=(?:&|\s+)(?:{_HARMLESS}|{_CONFIDENTIAL})\s*=|$)",
    re.IGNORECASE | re.DOTALL,
)
"""A parameter of a URL or of `key=value` that is confidential. Its value ends where the next known one begins: a raw
`&` or `#` may be part of it."""

_ENCODED = re.compile(r"%(?![0-9a-f]{2})", re.IGNORECASE)
_ENCODED_NAME = re.compile(r"[?&][^=&]*%")

_SLIPS = (
    re.compile(r"\s*postgres(?:ql)?:", re.IGNORECASE),
    re.compile(r"(?:[^./~]|//).*:.*@", re.DOTALL),
    re.compile(r"\s*(?:host|hostaddr|port|dbname|user|service)\s*=.*\s\w+\s*=", re.DOTALL),
    re.compile(r"\s*password\s*="),
)
"""Ways to miss the form of an address: one slash, no colon, no scheme, or `key=value`."""


def without_password(address: str) -> str:
    """An address as it may be shown."""
    shown, end = "", 0
    for begun, ended in _confidential(address):
        shown, end = f"{shown}{address[end:begun]}{MASK}", ended
    return shown + address[end:]


def passwords_in(address: str) -> tuple[str, ...]:
    """The passwords that an address holds, as they are written there."""
    return tuple(address[begun:ended] for begun, ended in _confidential(address))


def ambiguity_of(address: str) -> str:
    """Why nobody can tell for certain what in an address is its password; empty when it is plain."""
    found = _SCHEME.match(address)
    begin = found.end() if found else 0
    at, end = address.rfind("@"), _end_of_authority(address, begin)
    if at >= end or address.count("@") > 1:
        return "holds one of the signs / @ ? # where they have a meaning of their own"
    if _ENCODED.search(address) or _ENCODED_NAME.search(address):
        return "holds a % that stands for no sign"
    if any(letter.isspace() or not letter.isprintable() for letter in address):
        return "holds a space or a sign that cannot be seen"
    if any(_wrong_ports(address, max(begin, at + 1), end)):
        return "has a port that is no number"
    return ""


def is_mistyped_address(path: str) -> bool:
    """Whether what should be the path of a file reads like the address of a database; it may hold a password, and a
    file of that name must not be made."""
    return any(slip.match(path) for slip in _SLIPS)


def _confidential(address: str) -> list[tuple[int, int]]:
    """From where to where, without overlaps."""
    found = [each.span("secret") for each in _PARAMETER.finditer(address)]
    if scheme := _SCHEME.search(address):
        found += _in_authority(address, scheme.end(), is_web=scheme[0].lower().startswith("http"))
    merged: list[tuple[int, int]] = []
    for begun, ended in sorted(span for span in found if span[0] < span[1]):
        if merged and begun <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(ended, merged[-1][1]))
        else:
            merged.append((begun, ended))
    return merged


def _in_authority(address: str, begin: int, *, is_web: bool) -> Iterator[tuple[int, int]]:
    """What stands before the hosts; of a web page's also the user, which is often a token."""
    at, end = address.rfind("@", begin), _end_of_authority(address, begin)
    is_plain = at < end and address.count("@", begin) <= 1
    if not is_plain:
        yield begin, at
    elif at >= 0:
        yield (begin if is_web else (address.find(":", begin, at) + 1 or at)), at
    after = max(begin, at + 1)
    for wrong in _wrong_ports(address, after, _end_of_authority(address, after)):
        yield wrong, len(address)


def _wrong_ports(address: str, begin: int, end: int) -> Iterator[int]:
    """Where a port begins that is no number: a password without a host behind it looks like one."""
    for found in _PORT.finditer(address[begin:end]):
        port = found["port"]
        if port and not (port.isascii() and port.isdigit()):
            yield begin + found.start("port")


def _end_of_authority(address: str, begin: int) -> int:
    found = _AUTHORITY.match(address, begin)
    return found.end() if found else begin
