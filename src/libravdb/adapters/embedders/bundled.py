"""The shipped model, a MiniLM tuned for conversations, in int8 inside the package: offline from the first second."""

from importlib.resources import files
from pathlib import Path

from libravdb.adapters.embedders.onnx import OnnxEmbedder
from libravdb.adapters.embedders.profiles import PROFILES

NAME = "libravdb-minilm-1"


def shipped_folder() -> Path:
    """Where the package keeps the model."""
    return Path(str(files("libravdb.adapters.embedders") / "models" / NAME))


def open_minilm() -> OnnxEmbedder:
    """Load the shipped model."""
    return OnnxEmbedder.open(shipped_folder(), profile=PROFILES[NAME], is_shipped=True)
