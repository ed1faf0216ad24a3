"""The whole table of methods: names, params and results. `docs/reference/protocol.md` is made from it.

Fields are written in snake_case here and in camelCase on the wire.
"""

from __future__ import annotations

from collections.abc import Mapping

from libravdb.wire.methods.connection import CONNECTION_METHODS
from libravdb.wire.methods.engine import ENGINE_METHODS
from libravdb.wire.methods.inspection import INSPECTION_METHODS
from libravdb.wire.methods.lifecycle import LIFECYCLE_METHODS
from libravdb.wire.methods.memories import MEMORY_METHODS
from libravdb.wire.methods.method import AnyMethod
from libravdb.wire.methods.notes import NOTE_METHODS
from libravdb.wire.methods.storage import STORAGE_METHODS
from libravdb.wire.methods.transfer import TRANSFER_METHODS

METHODS: Mapping[str, AnyMethod] = {
    method.name: method
    for method in (
        *STORAGE_METHODS,
        *ENGINE_METHODS,
        *LIFECYCLE_METHODS,
        *MEMORY_METHODS,
        *INSPECTION_METHODS,
        *NOTE_METHODS,
        *TRANSFER_METHODS,
        *CONNECTION_METHODS,
    )
}
