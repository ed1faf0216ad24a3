"""The section `[summarizer]`; apart from the summarisers, so that knowing the settings loads none of them."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from libravdb.model.settings import masked_repr, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarizerSettings:
    """What writes summaries when old turns are folded. Without a model sentences are chosen, not written."""

    backend: str = setting(
        "extractive",
        "Choose sentences, or let a local ONNX folder or a server write.",
        choices=("extractive", "onnx", "openai", "ollama"),
        spellings=MappingProxyType({
            "none": "extractive",
            "bundled": "extractive",
            "onnx-local": "onnx",
            "custom-local": "onnx",
            "ollama-local": "ollama",
        }),
    )  # fmt: skip
    profile: str = setting("", "Name of a known model profile for onnx; empty takes it from the model.")
    model_path: str = setting("", "Folder of the model for onnx.")
    tokenizer: str = setting("", "Path of the tokenizer for onnx; empty looks in the folder.")
    model: str = setting("", "The server's name for the model, for openai and ollama.")
    endpoint: str = setting("", "Address of the server for openai and ollama.", address=True)
    api_key: str = setting("", "Key for the server; never shown.", secret=True)
    timeout_seconds: float = setting(
        60.0, "How long to wait for one answer of the server.", minimum=0.1, maximum=86_400
    )
    retries: int = setting(2, "How often a failed call to the server is tried again.", minimum=0)

    def __repr__(self) -> str:
        return masked_repr(self)


DEFAULTS = SummarizerSettings()
