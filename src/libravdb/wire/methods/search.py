"""The search of the engine, in a file of its own: the one method that a shell calls all the time loads no other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from libravdb.model import ANYTHING, Answer, Scope, Where
from libravdb.wire.methods.method import Method


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchParams:
    """Collections by name, or the scopes of a namespace, which is named or follows from who asks; `budget` in tokens,
    `as_of` a past moment. `notes_of`: the namespace of the agent whose notes are searched too."""

    question: str
    collections: tuple[str, ...] = ()
    namespace: str | None = None
    user_id: str = ""
    session_key: str = ""
    agent_id: str = ""
    session: str | None = None
    scopes: tuple[Scope, ...] = tuple(Scope)
    k: int | None = None
    budget: int | None = None
    where: Where = ANYTHING
    exclude: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    as_of: int | None = None
    is_quiet: bool = False
    notes_of: str = ""


# fmt: off
SEARCH = Method(name="search", params=SearchParams, result=Answer, about="Find by meaning and by words, with the account of every hit.", is_strict=True, is_repeatable=True)
# fmt: on
