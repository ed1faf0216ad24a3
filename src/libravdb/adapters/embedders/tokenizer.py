"""Who reads a model's `tokenizer.json`: we do for a plain lower-case BERT, the library `tokenizers` for all others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Protocol

from libravdb.adapters.embedders.wordpiece import read_wordpiece
from libravdb.adapters.onnx_runtime import brief
from libravdb.errors import ModelInvalid

if TYPE_CHECKING:
    from pathlib import Path

    from libravdb.adapters.tokenizers_library import Tokenizer
    from libravdb.text.sentences import Span

OTHER_MODEL = "Use an ONNX export of a sentence embedding model together with its own tokenizer.json."


class TextTokenizer(Protocol):
    """Texts to tokens; `head` and `tail` are what the model wants before and behind them, such as [CLS] and [SEP]."""

    head: list[int]
    tail: list[int]

    def encode(self, text: str) -> tuple[list[int], list[Span]]:
        """Token ids of the text, and where in it each token begins and ends."""
        ...


def open_tokenizer(path: Path) -> TextTokenizer:
    """Raises ModelInvalid for a file that is no tokenizer, ExtraMissing for one that only the library can read.

    Padding and truncation that are written in the file do not count: the windows are ours.
    """
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise _no_tokenizer(path, error) from error
    return read_wordpiece(content) or _library_tokenizer(path)


def _library_tokenizer(path: Path) -> TextTokenizer:
    from libravdb.adapters.tokenizers_library import read_tokenizer  # noqa: PLC0415 - an extra

    try:
        return _LibraryTokenizer(read_tokenizer(path))
    except Exception as error:  # the library raises bare Exception
        raise _no_tokenizer(path, error) from error


def _no_tokenizer(path: Path, error: Exception) -> ModelInvalid:
    return ModelInvalid(str(path), f"is no tokenizer: {brief(error)}", remedy=OTHER_MODEL)


class _LibraryTokenizer:
    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        around = tokenizer.encode("a")
        plain = [place for place, is_special in enumerate(around.special_tokens_mask) if not is_special]
        begin, end = (plain[0], plain[-1] + 1) if plain else (len(around), len(around))
        self.head, self.tail = around.ids[:begin], around.ids[end:]

    def encode(self, text: str) -> tuple[list[int], list[Span]]:
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        return encoding.ids, encoding.offsets
