"""The search of an engine behind a daemon."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libravdb.client.remote_part import RemotePart
from libravdb.model import ANYTHING, Answer, Scope, Where
from libravdb.model.namespaces import named
from libravdb.wire.methods.search import SEARCH, SearchParams


class RemoteSearch(RemotePart):
    def __call__(
        self,
        question: str,
        *,
        collections: Sequence[str] = (),
        namespace: str | None = None,
        session: str | None = None,
        scopes: Sequence[Scope] = tuple(Scope),
        k: int | None = None,
        budget: int | None = None,
        where: Where = ANYTHING,
        exclude: Mapping[str, frozenset[str]] | None = None,
        as_of: int | None = None,
        is_quiet: bool = False,
        notes_of: str = "",
    ) -> Answer:
        params = SearchParams(
            question=question,
            collections=tuple(collections),
            namespace=None if namespace is None else named(namespace),
            session=session,
            scopes=tuple(scopes),
            k=k,
            budget=budget,
            where=where,
            exclude={name: tuple(sorted(ids)) for name, ids in (exclude or {}).items()},
            as_of=as_of,
            is_quiet=is_quiet,
            notes_of=notes_of,
        )
        return self._client.call(SEARCH, params)
