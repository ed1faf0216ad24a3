"""Who asks: whose memory is meant, and the way to the engine that holds it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from libravdb.ports.engine_api import EngineApi

OpenEngine = Callable[[], AbstractContextManager[EngineApi]]
"""Lends an engine for one call; several may be lent at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryCaller:
    """Set by whoever starts the server or by the token of a request: the model has no say in it."""

    namespace: str
    engine: OpenEngine
