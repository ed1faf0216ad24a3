"""Whose memory a call means. One rule for reads and writes, so that both of one call find the same place."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from libravdb.errors import InvalidInput
from libravdb.model.settings import setting
from libravdb.text.unicode import mend

ANY = "*"
"""The pattern that every namespace fits."""

DEFAULT = "default"
"""The memory of all who name nobody; a user who is called so has the same."""

_OF_USER, _OF_KEY, _OF_AGENT, _OF_SESSION = "user-id:", "session-key:", "agent-id:", "session:"
_OF_PERSON, _OF_GROUP = "person:", "group:"
_DURABLE = "user:"
PREFIXES = (_OF_USER, _OF_KEY, _OF_AGENT, _OF_SESSION, _DURABLE, _OF_PERSON, _OF_GROUP)
"""How namespaces begin that nobody can choose. Those of a person and of a group are derived by an adapter that knows
the peers of its host; it has the same list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySettings:
    """Whose memory it is."""

    user: str = setting(DEFAULT, "The namespace used when nobody is named.")


def resolve_namespace(*, user: str = "", session_key: str = "", agent: str = "", session: str = "") -> str:
    """The namespace of a call: the user's own id, else its session key, agent or session, else `default`.

    Blank values count as absent, spaces around a value do not matter, and the result is never empty. What stands in
    for a user carries a prefix, so that an agent named `anna` and a user named `anna` stay apart; a user's id that
    begins like one, or like the name of a collection, carries `user-id:`, so that nobody can choose a name that means
    others.
    """
    if name := _composed(user):
        return _OF_USER + name if name.startswith(PREFIXES) else name
    for prefix, value in ((_OF_KEY, _composed(session_key)), (_OF_AGENT, _composed(agent)), (_OF_SESSION, session)):
        if name := mend(value).strip():
            return prefix + name
    return DEFAULT


def named(namespace: str) -> str:
    """A namespace as it is stored: composed (NFC), without spaces around it. An empty one is refused: whoever names
    nobody gets the one that `resolve_namespace` gives."""
    name = mend(namespace).strip()
    if not name:
        raise InvalidInput("namespace", "is empty", remedy=f"Name a user, or {DEFAULT!r} for the memory of all.")
    return name if name.startswith(_OF_SESSION) else _composed(name)  # the names of sessions are compared as they are


def told_owner(user: str) -> str:
    """The namespace of a user's id as clients of storage tell it: they derive names themselves."""
    name = named(user)
    return _OF_USER + name if name.startswith(_DURABLE) else name


def renamed(namespace: str) -> str:
    """How a namespace is called today that was written before names were composed, and chosen ones kept apart."""
    name = _composed(namespace)
    if not name or name.startswith(_OF_SESSION):
        return namespace
    chosen = (_OF_USER, _DURABLE, _OF_PERSON, _OF_GROUP)  # nothing was derived under the last two then
    return _OF_USER + name if name.startswith(chosen) else name


def fits(namespace: str, pattern: str) -> bool:
    """Whether a namespace is one that a pattern means: its name, or `*` for any run of characters."""
    return _compiled(pattern).fullmatch(namespace) is not None


@lru_cache(maxsize=1_024)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, pattern.split(ANY))), re.DOTALL)


def _composed(name: str) -> str:
    """A name as it is compared: however an accent was typed, it is the same person."""
    return unicodedata.normalize("NFC", mend(name)).strip()


def unnamed(session: str) -> str:
    """Whose turns are, in a session, that came without any name."""
    return resolve_namespace(session=session)


def nameless_session(namespace: str) -> str | None:
    """The session whose turns came without any name and are this namespace's; None when it is no such namespace."""
    name = namespace.removeprefix(_OF_SESSION)
    return name if name != namespace and unnamed(name) == namespace else None
