"""Whose memory a call means. One rule for reads and writes, so that both of one call find the same place."""

from __future__ import annotations

from dataclasses import dataclass

from libravdb.errors import InvalidInput
from libravdb.model.settings import setting
from libravdb.text.unicode import mend

DEFAULT = "default"
_OF_SESSION = "session:"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySettings:
    """Whose memory it is."""

    user: str = setting(DEFAULT, "The namespace used when nobody is named.")


def resolve_namespace(*, user: str = "", session_key: str = "", agent: str = "", session: str = "") -> str:
    """The namespace of a call: the user's own id, else its session key, agent or session, else `default`.

    Blank values count as absent, spaces around a value do not matter, and the result is never empty. What stands in
    for a user carries a prefix, so that an agent named `anna` and a user named `anna` stay apart.
    """
    candidates = (("", user), ("session-key:", session_key), ("agent-id:", agent), (_OF_SESSION, session))
    for prefix, value in candidates:
        if value and (name := mend(value).strip()):
            return prefix + name
    return DEFAULT


def named(namespace: str) -> str:
    """A namespace as it is stored, without spaces around it. An empty one is refused: whoever names nobody gets the one
    that `resolve_namespace` gives."""
    name = mend(namespace).strip()
    if not name:
        raise InvalidInput("namespace", "is empty", remedy=f"Name a user, or {DEFAULT!r} for the memory of all.")
    return name


def unnamed(session: str) -> str:
    """Whose turns are, in a session, that came without any name."""
    return resolve_namespace(session=session)


def nameless_session(namespace: str) -> str | None:
    """The session whose turns came without any name and are this namespace's; None when it is no such namespace."""
    name = namespace.removeprefix(_OF_SESSION)
    return name if name != namespace and unnamed(name) == namespace else None
