"""What the engine remembers about a session itself, read and changed by what it means.

A state is kept as metadata. A change keeps what it does not know: a newer version, or an import, may have written it.
"""

from __future__ import annotations

from dataclasses import dataclass

from libravdb.model.json import Json, Metadata
from libravdb.model.records import SessionState

_KIND = {"type": "session_state"}
_NAMESPACES = "namespaces"
_CONTINUED_AS, _FORMERLY = "continued_as", "formerly"
_COMPACTIONS, _COMPACTED_AT, _LAST_SUMMARY = "compaction_generation", "last_compacted_at", "last_summary_id"
_UPDATED_AT = "updated_at"


@dataclass(frozen=True, slots=True)
class SessionMetadata:
    """A session's state; `facts` is what is stored. What was not told, or is ill-typed, counts as nothing."""

    facts: Metadata

    @classmethod
    def of(cls, state: SessionState | None) -> SessionMetadata:
        """What a state tells; nothing where there is none yet."""
        return cls({} if state is None else state.state)

    @property
    def namespaces(self) -> tuple[str, ...]:
        """Whose turns the session holds."""
        return _texts(self.facts.get(_NAMESPACES))

    @property
    def continued_as(self) -> str:
        """The name under which the session goes on after its host began it anew; empty until then."""
        told = self.facts.get(_CONTINUED_AS)
        return told if isinstance(told, str) else ""

    @property
    def former_names(self) -> tuple[str, ...]:
        """The names under which it stood before, oldest first."""
        return _texts(self.facts.get(_FORMERLY))

    @property
    def names(self) -> tuple[str, ...]:
        """Every name under which a host's session stood, oldest first, and the one under which it goes on; none before
        it was begun anew."""
        return tuple(name for name in (*self.former_names, self.continued_as) if name)

    @property
    def compactions(self) -> int:
        """How many clusters of it were folded so far."""
        told = self.facts.get(_COMPACTIONS)
        return told if isinstance(told, int) else 0

    def joined(self, namespace: str | None, *, now: int) -> SessionMetadata:
        """The state after a turn of a namespace, or of nobody; the first turn begins it."""
        begun: dict[str, Json] = {**_KIND, _COMPACTIONS: 0, _COMPACTED_AT: 0, _LAST_SUMMARY: "", _UPDATED_AT: now}
        names = {*self.namespaces, *((namespace,) if namespace else ())}
        return SessionMetadata({**begun, **self.facts, _NAMESPACES: list[Json](sorted(names))})

    def left(self, namespace: str) -> SessionMetadata:
        """The state without a namespace, all of whose turns are gone."""
        names = [name for name in self.namespaces if name != namespace]
        return SessionMetadata({**self.facts, _NAMESPACES: list[Json](names)})

    def renewed(self, *, name: str, former: str) -> SessionMetadata:
        """The state after its host began it anew: it goes on under another name than the former."""
        names = list[Json]((*self.former_names, former))
        return SessionMetadata({**self.facts, _CONTINUED_AS: name, _FORMERLY: names})

    def compacted(self, *, summary: str, now: int) -> SessionMetadata:
        """The state after a cluster was folded into a summary."""
        done: dict[str, Json] = {
            _COMPACTIONS: self.compactions + 1,
            _COMPACTED_AT: now,
            _LAST_SUMMARY: summary,
            _UPDATED_AT: now,
        }
        return SessionMetadata({**(self.facts or _KIND), **done})


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()
