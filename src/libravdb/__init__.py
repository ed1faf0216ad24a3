"""LibraVDB Memory: a local-first memory and context engine for AI agents.

Importing this package is free: no file is read, no socket opened, no environment looked at, and neither
numpy nor sqlite3 nor onnxruntime is loaded. Names below arrive when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from libravdb.adapters.sqlite.integrity import verify_file as verify_file
    from libravdb.app import is_core_document as is_core_document
    from libravdb.app import load_embedder as load_embedder
    from libravdb.app import load_summariser as load_summariser
    from libravdb.app import now as now
    from libravdb.app import open_engine as open_engine
    from libravdb.app import open_watcher as open_watcher
    from libravdb.app import review_documents as review_documents
    from libravdb.app import use_store as use_store
    from libravdb.config import Config as Config
    from libravdb.core.ingest.messages import read_message as read_message
    from libravdb.engine.engine import Engine as Engine
    from libravdb.errors import LibraError as LibraError
    from libravdb.memory import Memory as Memory
    from libravdb.model import Hit as Hit
    from libravdb.model import Note as Note
    from libravdb.model import Record as Record
    from libravdb.model.collections import namespace_collections as namespace_collections

_HOME = {
    "Config": "libravdb.config",
    "Engine": "libravdb.engine.engine",
    "Hit": "libravdb.model",
    "LibraError": "libravdb.errors",
    "Memory": "libravdb.memory",
    "Note": "libravdb.model",
    "Record": "libravdb.model",
    "load_embedder": "libravdb.app",
    "load_summariser": "libravdb.app",
    "namespace_collections": "libravdb.model.collections",
    "now": "libravdb.app",
    "is_core_document": "libravdb.app",
    "open_engine": "libravdb.app",
    "open_watcher": "libravdb.app",
    "read_message": "libravdb.core.ingest.messages",
    "review_documents": "libravdb.app",
    "use_store": "libravdb.app",
    "verify_file": "libravdb.adapters.sqlite.integrity",
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
