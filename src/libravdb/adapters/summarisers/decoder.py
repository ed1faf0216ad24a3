"""The graphs of an encoder-decoder, run step by step, with the keys and values of earlier steps kept where they can be.

With a cache a step reads one token and the kept keys and values (`present.*` of one step are `past_key_values.*` of the
next); those of the encoder are computed once. Without one a step reads all tokens again: the same text, in quadratic
time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libravdb.adapters.onnx_runtime import brief, open_session, ort
from libravdb.adapters.summarisers.greedy import NextScores
from libravdb.adapters.summarisers.model_folder import OTHER_MODEL, ModelFolder, invalid

Array = NDArray[Any]

PAST = "past_key_values."
PRESENT = "present."
SWITCH = "use_cache_branch"
_TYPES = {"tensor(float)": np.float32, "tensor(float16)": np.float16}


class _Graph:
    """One ONNX file: takes what it wants out of what there is, gives its outputs by name."""

    def __init__(self, path: Path, *, known: tuple[str, ...], needed: tuple[str, ...], gives: str) -> None:
        self._path = path
        try:
            self._session: ort.InferenceSession = open_session(path)
        except Exception as error:  # onnxruntime's errors share no class of their own
            raise invalid(path, f"is no ONNX model: {brief(error)}") from error
        self._inputs = {each.name: each for each in self._session.get_inputs()}
        self._outputs = [each.name for each in self._session.get_outputs()]
        strange = [name for name in self._inputs if name not in known and not name.startswith(PAST)]
        if strange or not set(needed) <= set(self._inputs):
            raise invalid(path, f"takes the inputs {', '.join(self._inputs)}; known are {', '.join(known)} and {PAST}*")
        if gives not in self._outputs:
            raise invalid(path, f"gives {', '.join(self._outputs)}, and no {gives}")

    @property
    def past(self) -> tuple[str, ...]:
        """The kept keys and values it takes, without their common beginning."""
        return tuple(name.removeprefix(PAST) for name in self._inputs if name.startswith(PAST))

    @property
    def present(self) -> tuple[str, ...]:
        """The keys and values it gives, without their common beginning."""
        return tuple(name.removeprefix(PRESENT) for name in self._outputs if name.startswith(PRESENT))

    def empty_past(self, *, heads: int, head_size: int) -> dict[str, Array]:
        """Keys and values of no token yet, in the type and sizes that the graph wants; where it leaves its sizes open,
        those of the configuration."""
        return {name: self._empty(self._inputs[PAST + name], (heads, head_size)) for name in self.past}

    @staticmethod
    def _empty(wanted: ort.NodeArg, sizes: tuple[int, int]) -> Array:
        shape = [*wanted.shape, *[None] * 4][:4]
        heads, head_size = (
            size if isinstance(size, int) else told for size, told in zip(shape[1::2], sizes, strict=True)
        )
        return np.zeros((1, heads, 0, head_size), dtype=_TYPES.get(wanted.type, np.float32))

    def run(self, values: Mapping[str, Array]) -> dict[str, Array]:
        """All outputs for the values that this graph takes; others are left out."""
        feed = {name: values[name] for name in self._inputs if name in values}
        try:
            outputs: list[Array] = self._session.run(self._outputs, feed)
        except Exception as error:  # onnxruntime's errors share no class of their own
            raise invalid(self._path, f"fails: {brief(error)}") from error
        return dict(zip(self._outputs, outputs, strict=True))


class EncoderDecoder:
    """Reads token ids and scores what may follow. Keeps nothing between two texts: safe to use from several threads."""

    def __init__(self, folder: ModelFolder) -> None:
        traits = folder.traits
        known = ("input_ids", "encoder_hidden_states", "encoder_attention_mask")
        self._encoder = _Graph(
            folder.encoder, known=("input_ids", "attention_mask"), needed=("input_ids",), gives="last_hidden_state"
        )
        self._decoder = _Graph(
            folder.decoder,
            known=(*known, SWITCH) if folder.is_merged else known,
            needed=(*known[:2], SWITCH) if folder.is_merged else known[:2],
            gives="logits",
        )
        self._cached: _Graph | None = None
        self._empty: dict[str, Array] = {}
        if folder.is_merged:
            self._cached = self._decoder
            self._empty = self._decoder.empty_past(heads=traits.heads, head_size=traits.head_size)
        elif folder.cached is not None and self._decoder.present:
            self._cached = _Graph(folder.cached, known=known, needed=("input_ids",), gives="logits")
        if self._cached is not None:
            missing = sorted(set(self._cached.past) - set(self._decoder.present))
            if missing or not self._cached.past:
                what = f"does not give {', '.join(missing)}" if missing else "takes no keys and values"
                raise invalid(folder.decoder, f"{what}, so a text cannot go on", OTHER_MODEL)

    @property
    def has_cache(self) -> bool:
        """False when every step reads all tokens again."""
        return self._cached is not None

    def read(self, ids: Sequence[int]) -> NextScores:
        """Encode what is to be summarised; the result scores the next token, one call a step."""
        row = np.array([ids], dtype=np.int64)
        mask = np.ones_like(row)
        hidden = self._encoder.run({"input_ids": row, "attention_mask": mask})["last_hidden_state"]
        encoded = {"encoder_hidden_states": hidden, "encoder_attention_mask": mask}
        return self._with_cache(encoded) if self._cached is not None else self._without_cache(encoded)

    def _without_cache(self, encoded: Mapping[str, Array]) -> NextScores:
        tokens: list[int] = []

        def next_scores(last: int) -> NDArray[np.float32]:
            tokens.append(last)
            return _last_row(self._decoder.run({**encoded, "input_ids": np.array([tokens], dtype=np.int64)}))

        return next_scores

    def _with_cache(self, encoded: Mapping[str, Array]) -> NextScores:
        kept: dict[str, Array] = {}

        def next_scores(last: int) -> NDArray[np.float32]:
            is_first = not kept
            graph = self._decoder if is_first or self._cached is None else self._cached
            past = self._empty if is_first else kept
            outputs = graph.run({
                **encoded,
                **{PAST + name: value for name, value in past.items()},
                "input_ids": np.array([[last]], dtype=np.int64),
                SWITCH: np.array([not is_first]),
            })  # fmt: skip
            for name in graph.present:
                # The encoder's never change; a merged graph gives empty ones for them once it goes on.
                if is_first or ".encoder." not in name:
                    kept[name] = outputs[PRESENT + name]
            return _last_row(outputs)

        return next_scores


def _last_row(outputs: Mapping[str, Array]) -> NDArray[np.float32]:
    scores: NDArray[np.float32] = outputs["logits"][0, -1].astype(np.float32)
    return scores
