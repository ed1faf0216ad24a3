"""What whoever holds a token may do: in which namespaces, in which role."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from libravdb.errors import InvalidInput
from libravdb.model.namespaces import named
from libravdb.wire.methods.access import AccessRole

ALL = "*"
"""The pattern that every namespace fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rights:
    """Of one token. A pattern is a namespace, or has `*` for any run of characters."""

    name: str
    role: AccessRole
    namespaces: tuple[str, ...]

    @property
    def is_admin(self) -> bool:
        """True for whoever may do everything."""
        return self.role is AccessRole.ADMIN

    @property
    def is_of_all(self) -> bool:
        """True for whoever has every namespace, also those that are yet to come."""
        return self.is_admin or ALL in self.namespaces

    def allows(self, namespace: str) -> bool:
        """Whether a namespace is one of these."""
        return self.is_admin or any(fits_pattern(each, namespace) for each in self.namespaces)


EVERY_RIGHT = Rights(name="", role=AccessRole.ADMIN, namespaces=(ALL,))
"""Of who comes over the unix socket, and of the token in the configuration."""


def checked_rights(name: str, role: AccessRole, namespaces: Sequence[str]) -> Rights:
    """Rights as somebody asks for them; what makes no sense is refused."""
    if not name.strip() or not name.isprintable():
        raise InvalidInput("name", f"{name!r} names nobody", remedy="Say who will use the token.")
    patterns = tuple(dict.fromkeys(named(each) for each in namespaces))
    if not patterns:
        raise InvalidInput("namespace", "is missing", remedy=f"Name the namespaces, or {ALL!r} for all.")
    if role is AccessRole.ADMIN and patterns != (ALL,):
        raise InvalidInput("role", "admin is a role over all namespaces", remedy="Use write, or leave --namespace out.")
    return Rights(name=name.strip(), role=role, namespaces=patterns)


def fits_pattern(pattern: str, namespace: str) -> bool:
    """Whether a namespace fits a pattern, in which `*` stands for any run of characters."""
    return _pattern(pattern).fullmatch(namespace) is not None


@lru_cache(maxsize=1_024)
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, text.split(ALL))), re.DOTALL)
