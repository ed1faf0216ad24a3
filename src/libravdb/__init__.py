"""LibraVDB Memory: a local-first memory and context engine for AI agents.

Importing this package is free: no file is read, no socket opened, no environment looked at, and neither
numpy nor sqlite3 nor onnxruntime is loaded. Names below arrive when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from libravdb.app import open_engine as open_engine
    from libravdb.async_memory import AsyncMemory as AsyncMemory
    from libravdb.config import Config as Config
    from libravdb.errors import LibraError as LibraError
    from libravdb.memory import Memory as Memory
    from libravdb.model import Answer as Answer
    from libravdb.model import AssemblyMode as AssemblyMode
    from libravdb.model import Hit as Hit
    from libravdb.model import Prompt as Prompt
    from libravdb.model import Record as Record
    from libravdb.model import Scope as Scope

_HOME = {
    "Answer": "libravdb.model",
    "AssemblyMode": "libravdb.model",
    "AsyncMemory": "libravdb.async_memory",
    "Config": "libravdb.config",
    "Hit": "libravdb.model",
    "LibraError": "libravdb.errors",
    "Memory": "libravdb.memory",
    "Prompt": "libravdb.model",
    "Record": "libravdb.model",
    "Scope": "libravdb.model",
    "open_engine": "libravdb.app",
}

__all__ = [
    "Answer",
    "AssemblyMode",
    "AsyncMemory",
    "Config",
    "Hit",
    "LibraError",
    "Memory",
    "Prompt",
    "Record",
    "Scope",
    "__version__",
    "open_engine",
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
