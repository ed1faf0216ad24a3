"""The section `[embedding]`; apart from the embedders, so that knowing the settings loads none of them."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from libravdb.model.settings import masked_repr, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingSettings:
    """What turns texts into vectors."""

    backend: str = setting(
        "bundled",
        "The shipped model, a local ONNX folder, a server, or none (search by words alone).",
        choices=("bundled", "onnx", "openai", "ollama", "none"),
        spellings=MappingProxyType({"onnx-local": "onnx", "custom-local": "onnx"}),
    )
    profile: str = setting("", "Name of a known model profile; empty takes it from the model.")
    model: str = setting("", "The model: a path for onnx, the server's name for it for openai and ollama.")
    tokenizer: str = setting("", "Path of the tokenizer for onnx; empty looks beside the model.")
    dimensions: int = setting(0, "Length of the vectors; 0 takes it from the model.", minimum=0)
    normalize: bool = setting(default=True, help="Scale vectors to length 1.")
    endpoint: str = setting("", "Address of the embedding server for openai and ollama.", address=True)
    api_key: str = setting("", "Key for the embedding server; never shown.", secret=True)
    timeout_seconds: float = setting(
        30.0, "How long to wait for one answer of the server.", minimum=0.1, maximum=86_400
    )
    retries: int = setting(2, "How often a failed call to the server is tried again.", minimum=0)

    def __repr__(self) -> str:
        return masked_repr(self)


DEFAULTS = EmbeddingSettings()
