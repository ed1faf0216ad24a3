"""A folder with a sequence-to-sequence model: which files it has, and what its own configuration says of it.

The layouts are those of the usual exporters: `encoder_model.onnx` with `decoder_model_merged.onnx`, or with
`decoder_model.onnx` and, if it is there, `decoder_with_past_model.onnx`; each also as `…_quantized.onnx`, in the folder
itself or in its `onnx/`. Whatever is missing, broken or of another family is refused with a remedy.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from libravdb.errors import SummariserError

NAME = "onnx"
FAMILIES = ("t5", "mt5", "umt5")
DEFAULT_PREFIX = "summarize: "
DEFAULT_INPUT = 512

OTHER_MODEL = "Use an ONNX export of a model of the T5 family together with its own tokenizer.json and config.json."


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFolder:
    """Where the parts are. `decoder` starts a text, `cached` goes on with it; a merged decoder is both."""

    encoder: Path
    decoder: Path
    cached: Path | None
    tokenizer: Path
    traits: Traits

    @property
    def is_merged(self) -> bool:
        return self.cached == self.decoder


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What the model's own configuration says; `max_output` and `no_repeat` 0 when it says nothing."""

    start: int
    eos: frozenset[int]
    heads: int
    head_size: int
    prefix: str
    max_input: int
    max_output: int
    no_repeat: int


def invalid(path: Path, problem: str, remedy: str = OTHER_MODEL) -> SummariserError:
    """The error for a file or folder that cannot be used."""
    return SummariserError(NAME, f"{path}: {problem}", remedy=remedy)


def read_folder(folder: Path, *, tokenizer: Path | None = None) -> ModelFolder:
    """Find the parts of a model and read its configuration. Raises SummariserError for what is not there."""
    if not folder.is_dir():
        raise invalid(folder, "is not a folder", "Set summarizer.model_path to the folder of the model.")
    encoder = _find(folder, "encoder_model")
    if encoder is None:
        problem = "has no encoder_model.onnx"
        raise invalid(folder, problem, "Set summarizer.model_path to a folder with encoder_model.onnx and a decoder.")
    merged = _find(folder, "decoder_model_merged")
    decoder = merged or _find(folder, "decoder_model")
    if decoder is None:
        problem = "has neither decoder_model_merged.onnx nor decoder_model.onnx"
        raise invalid(folder, problem, "Export the decoder too, and put it beside encoder_model.onnx.")
    words = tokenizer or folder / "tokenizer.json"
    if not words.is_file():
        remedy = "Put the model's tokenizer.json there, or set summarizer.tokenizer to its path."
        raise invalid(words, "is not there", remedy)
    return ModelFolder(
        encoder=encoder,
        decoder=decoder,
        cached=merged or _find(folder, "decoder_with_past_model"),
        tokenizer=words,
        traits=_read_traits(folder),
    )


def _find(folder: Path, name: str) -> Path | None:
    """The first of the usual places; full precision before quantised, as nothing says which one is better here."""
    places = (each / f"{name}{suffix}.onnx" for suffix in ("", "_quantized") for each in (folder, folder / "onnx"))
    return next((path for path in places if path.is_file()), None)


def _read_traits(folder: Path) -> Traits:
    path = folder / "config.json"
    if not path.is_file():
        raise invalid(folder, "has no config.json", "Put the model's config.json there.")
    config = _read_json(path)
    family = config.get("model_type")
    if family not in FAMILIES:
        raise invalid(path, f"says that this is a {family!r} model; known are {', '.join(FAMILIES)}")
    generation_path = folder / "generation_config.json"
    generation = _read_json(generation_path) if generation_path.is_file() else {}
    tasks = config.get("task_specific_params")
    asked = tasks.get("summarization") if isinstance(tasks, dict) else None
    # The most specific says it best: the task, then how to generate, then the model.
    said = _MergedTables(path, (asked if isinstance(asked, dict) else {}, generation, config))
    pad = said.integer("pad_token_id", default=0)
    return Traits(
        start=said.integer("decoder_start_token_id", default=pad),
        eos=said.integers("eos_token_id", default=1),
        heads=said.integer("num_heads", default=1, minimum=1),
        head_size=said.integer("d_kv", default=64, minimum=1),
        prefix=said.text("prefix", default=DEFAULT_PREFIX),
        max_input=said.integer("n_positions", default=DEFAULT_INPUT, minimum=16),
        max_output=said.integer("max_length", default=0),
        no_repeat=said.integer("no_repeat_ngram_size", default=0),
    )


@dataclass(frozen=True, slots=True)
class _MergedTables:
    """What several tables say about a key: the first that has it counts, and null counts as not said."""

    path: Path
    tables: tuple[dict[str, Any], ...]

    def value(self, key: str, default: object) -> object:
        return next((table[key] for table in self.tables if table.get(key) is not None), default)

    def integer(self, key: str, *, default: int, minimum: int = 0) -> int:
        return self._checked(key, self.value(key, default), minimum)

    def integers(self, key: str, *, default: int) -> frozenset[int]:
        value = self.value(key, default)
        several = value if isinstance(value, list) and value else [value]
        return frozenset(self._checked(key, each, 0) for each in several)

    def text(self, key: str, *, default: str) -> str:
        value = self.value(key, default)
        if not isinstance(value, str):
            raise invalid(self.path, f"{key} is not text")
        return value

    def _checked(self, key: str, value: object, minimum: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not minimum <= value < 2**31:
            raise invalid(self.path, f"{key} is not a whole number from {minimum}")
        return value


def _read_json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise invalid(path, f"cannot be read as JSON ({type(error).__name__})") from error
    if not isinstance(content, dict):
        raise invalid(path, "is not a JSON object")
    return content
