"""What the flows of a conversation are going to ask about, told to the store when a read begins.

Across a network each look at a revision, a size or a state would be a round trip. The names are known before: told
together, they are answered together.
"""

from __future__ import annotations

from collections.abc import Iterable

from libravdb.model import Foreseen
from libravdb.model.collections import AUTHORED, SHARED, namespace_collections, session_collections
from libravdb.model.turn_metadata import SPEAKER


def foresee(
    namespace: str | None, session: str | None = None, *, more: Iterable[str] = (), speakers_in: Iterable[str] = ()
) -> Foreseen:
    """All that belongs to a namespace and to a session, what all share, and `more` collections; and who speaks in
    some."""
    return Foreseen(
        distinct=tuple((name, SPEAKER) for name in speakers_in),
        collections=(
            *(namespace_collections(namespace) if namespace else ()),
            *(session_collections(session) if session else ()),
            *AUTHORED.values(),
            SHARED,
            *more,
        ),
        sessions=(session,) if session else (),
    )
