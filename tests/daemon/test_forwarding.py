"""Handlers that are made from the table of methods: what a row names is there, and takes what the row gives."""

from __future__ import annotations

import dataclasses
import inspect
from typing import get_type_hints

import pytest
from tests.served import Served

from libravdb.daemon.handlers.forwarding import IDENTITY
from libravdb.ports.engine_api import EngineApi
from libravdb.wire.methods.method import AnyMethod
from libravdb.wire.methods.table import METHODS


@pytest.mark.parametrize("method", [method for method in METHODS.values() if method.verb], ids=lambda row: row.name)
def test_a_verb_takes_the_fields_of_the_method_that_names_it(method: AnyMethod) -> None:
    part, _, verb = method.verb.partition(".")
    promised = inspect.signature(getattr(get_type_hints(vars(EngineApi)[part].fget)["return"], verb))
    names = {field.name for field in dataclasses.fields(method.params)}
    given = {method.arguments.get(name, name) for name in names - {*IDENTITY}}
    given |= promised.parameters.keys() & {"namespace", "session"}
    promised.bind(None, **dict.fromkeys(given))
    assert method.arguments.keys() <= names


def test_every_method_is_served(served: Served) -> None:
    assert served.dispatcher._handlers.keys() == METHODS.keys() - {"authenticate"}
