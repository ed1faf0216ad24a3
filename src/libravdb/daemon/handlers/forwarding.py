"""Handlers that only hand a method's params to a verb of the engine: they are made from the table of methods.

A field goes to the argument of its name, or to the one that the row tells. Who speaks becomes the namespace, and the
host's session the name under which it stands now. What a verb gives goes into the one field of the result, unless it is
the result itself.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterable
from typing import Any

from libravdb.daemon.dispatch import Handler
from libravdb.engine.engine import Engine
from libravdb.wire.methods.identity import namespace_of, told_namespace
from libravdb.wire.methods.method import AnyMethod

IDENTITY = ("user_id", "session_key", "agent_id", "session_id", "namespace")
"""The fields that tell who speaks, and where."""


def forwarding_handlers(engine: Engine, methods: Iterable[AnyMethod]) -> dict[str, Handler]:
    """The handlers of those methods that name a verb."""
    return {method.name: _forward(engine, method) for method in methods if method.verb}


def _forward(engine: Engine, method: AnyMethod) -> Handler:
    part, _, name = method.verb.partition(".")
    verb = getattr(getattr(engine, part), name)
    takes = inspect.signature(verb).parameters
    told = {
        field.name: method.arguments.get(field.name, field.name)
        for field in dataclasses.fields(method.params)
        if field.name not in IDENTITY
    }

    def handle(params: Any) -> object:  # noqa: ANN401 - the params of any method
        arguments = {argument: getattr(params, field) for field, argument in told.items()}
        if "namespace" in takes:
            whose = told_namespace if takes["namespace"].default is None else namespace_of
            arguments["namespace"] = whose(params)
        if "session" in takes:
            arguments["session"] = engine.sessions.current(params.session_id)
        return _wrapped(method.result, verb(**arguments))

    return handle


def _wrapped(result: type, value: object) -> object:
    if isinstance(value, result):
        return value
    if value is None:
        return result()
    (field,) = dataclasses.fields(result)
    return result(**{field.name: tuple(value) if isinstance(value, list) else value})
