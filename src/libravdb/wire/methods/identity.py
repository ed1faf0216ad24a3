"""Whose memory a call means: one answer for whoever admits a call and whoever carries it out."""

from __future__ import annotations

from typing import Protocol

from libravdb.errors import InvalidInput
from libravdb.model.collections import CollectionKind, prefix
from libravdb.model.namespaces import named, resolve_namespace, told_owner
from libravdb.wire.methods.search import SearchParams
from libravdb.wire.methods.storage import NamespaceParams

NOBODY_NAMED = "namespace or userId is required"


class Speaker(Protocol):
    """Params that tell who speaks."""

    @property
    def user_id(self) -> str: ...

    @property
    def session_key(self) -> str: ...

    @property
    def agent_id(self) -> str: ...

    @property
    def session_id(self) -> str: ...

    @property
    def namespace(self) -> str | None: ...


def namespace_of(params: Speaker) -> str:
    """Whose memory a call means."""
    if params.namespace is not None:
        return named(params.namespace)
    return resolve_namespace(
        user=params.user_id, session_key=params.session_key, agent=params.agent_id, session=params.session_id
    )


def told_namespace(params: Speaker) -> str | None:
    """Whose memory a call means that need not name anybody: a session alone is nobody's name."""
    is_told = params.namespace is not None or any((params.user_id, params.session_key, params.agent_id))
    return namespace_of(params) if is_told else None


def asked_namespace(params: SearchParams) -> str | None:
    """The namespace by its name, else of who is told to ask; none when collections alone are asked."""
    told = (params.user_id, params.session_key, params.agent_id, params.session or "")
    if params.namespace is not None:
        return named(params.namespace)
    if not any(told) or (params.collections and not any(told[:3])):
        return None
    user, key, agent, session = told
    return resolve_namespace(user=user, session_key=key, agent=agent, session=session)


def stored_namespace(params: NamespaceParams) -> str:
    """The namespace that a client of storage names; empty when it names none. It may also name one by the collection of
    its memory; who is called so himself is reached by his user id."""
    if not (given := params.namespace.strip()):
        return told_owner(params.user_id) if params.user_id.strip() else ""
    told = given.removeprefix(prefix(CollectionKind.DURABLE_MEMORY)).strip()
    if not told:
        raise InvalidInput("", NOBODY_NAMED, remedy="Give namespace or userId as text that is not empty.")
    return named(told)
