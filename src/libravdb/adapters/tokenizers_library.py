"""The library `tokenizers`, for local models that are no plain BERT. Needs the extra `models`, looked for here, once.

No other file names it: it brings a downloader and an HTTP client along, and the shipped model does without.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from libravdb.errors import ExtraMissing

if find_spec("tokenizers") is None:
    raise ExtraMissing("models", needed_for="a local model that is no plain BERT")

from tokenizers import Tokenizer

__all__ = ["Tokenizer", "read_tokenizer"]


def read_tokenizer(path: Path) -> Tokenizer:
    """A tokenizer that neither pads nor cuts: many files have that baked in. The library raises bare Exception."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
