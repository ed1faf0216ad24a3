"""LibraVDB Memory: a local-first memory and context engine for AI agents.

Importing this package is free: no file is read, no socket opened, no environment looked at, and neither
numpy nor sqlite3 nor onnxruntime is loaded. Names below arrive when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from libravdb.config import Config as Config
    from libravdb.embedded import Memory as Memory
    from libravdb.engine import Engine as Engine
    from libravdb.errors import LibraError as LibraError
    from libravdb.ingest.messages import read_message as read_message
    from libravdb.model import Hit as Hit
    from libravdb.model import Note as Note
    from libravdb.model import Record as Record
    from libravdb.places import namespace_collections as namespace_collections
    from libravdb.store.fsck import verify_file as verify_file
    from libravdb.wiring import is_core_document as is_core_document
    from libravdb.wiring import load_embedder as load_embedder
    from libravdb.wiring import load_summariser as load_summariser
    from libravdb.wiring import now as now
    from libravdb.wiring import open_engine as open_engine
    from libravdb.wiring import open_watcher as open_watcher
    from libravdb.wiring import review_documents as review_documents
    from libravdb.wiring import use_store as use_store

_HOME = {
    "Config": "libravdb.config",
    "Engine": "libravdb.engine",
    "Hit": "libravdb.model",
    "LibraError": "libravdb.errors",
    "Memory": "libravdb.embedded",
    "Note": "libravdb.model",
    "Record": "libravdb.model",
    "load_embedder": "libravdb.wiring",
    "load_summariser": "libravdb.wiring",
    "namespace_collections": "libravdb.places",
    "now": "libravdb.wiring",
    "is_core_document": "libravdb.wiring",
    "open_engine": "libravdb.wiring",
    "open_watcher": "libravdb.wiring",
    "read_message": "libravdb.ingest.messages",
    "review_documents": "libravdb.wiring",
    "use_store": "libravdb.wiring",
    "verify_file": "libravdb.store.fsck",
}

__all__ = [
    "Config",
    "Engine",
    "Hit",
    "LibraError",
    "Memory",
    "Note",
    "Record",
    "__version__",
    "is_core_document",
    "load_embedder",
    "load_summariser",
    "namespace_collections",
    "now",
    "open_engine",
    "open_watcher",
    "read_message",
    "review_documents",
    "use_store",
    "verify_file",
]


def __getattr__(name: str) -> object:
    """Load a public name from its room at first use."""
    home = _HOME.get(name)
    if home is None:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
