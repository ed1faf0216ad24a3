"""A small encoder-decoder whose behaviour is known: it copies the first characters that it reads, then ends.

Every part of it carries weight. The encoder's keys and values hold what was read; the decoder's count what was written,
and only by them does it know where it is: a cache that is not kept, or kept wrongly, gives another text.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.decoders import Metaspace as Spaces
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import Metaspace

PAD, EOS, UNKNOWN = 0, 1, 2
WORDS = ("<pad>", "</s>", "<unk>", "▁", *(chr(code) for code in range(33, 127)))
SIZE = len(WORDS)
PREFIX = "say: "
LAYOUTS = ("plain", "past", "merged")
CONFIG = {
    "model_type": "t5",
    "num_heads": 1,
    "d_kv": SIZE,
    "pad_token_id": PAD,
    "eos_token_id": EOS,
    "decoder_start_token_id": PAD,
    "n_positions": 512,
    "task_specific_params": {"summarization": {"prefix": PREFIX}},
}

_KEYS = tuple(f"0.{side}.{part}" for side in ("decoder", "encoder") for part in ("key", "value"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Copier:
    """`copied` characters are copied from behind the prefix. `sureness` is the score of the right token where every
    other has 0, or what `noise` (a row of scores for each last token) adds. `is_sized` graphs name the sizes of their
    keys and values, as most exporters do."""

    copied: int = 40
    sureness: float = 30.0
    noise: NDArray[np.float32] | None = None
    is_sized: bool = True

    def save(self, folder: Path, layout: str = "merged", **config: Any) -> Path:
        """Write the folder in one of the usual layouts; `config` changes or (None) removes keys of config.json."""
        folder.mkdir(parents=True)
        _save(_encoder(), folder / "encoder_model.onnx")
        if layout == "merged":
            _save(self._merged(), folder / "decoder_model_merged.onnx")
        else:
            _save(self._first(gives_past=layout == "past"), folder / "decoder_model.onnx")
        if layout == "past":
            _save(self._next(), folder / "decoder_with_past_model.onnx")
        told = {key: value for key, value in {**CONFIG, **config}.items() if value is not None}
        (folder / "config.json").write_text(json.dumps(told))
        tokenizer().save(str(folder / "tokenizer.json"))
        return folder

    def _first(self, *, gives_past: bool) -> onnx.GraphProto:
        inputs = [_ids("input_ids"), _ids("encoder_attention_mask"), _floats("encoder_hidden_states", 3)]
        outputs = [_floats("logits", 3), *(_floats(f"present.{name}", 4) for name in _KEYS if gives_past)]
        return helper.make_graph(self._first_nodes(), "first", inputs, outputs, self._constants())

    def _next(self) -> onnx.GraphProto:
        inputs = [_ids("input_ids"), _ids("encoder_attention_mask")]
        inputs += [_floats(f"past_key_values.{name}", 4) for name in _KEYS]
        outputs = [_floats("logits", 3), *(_floats(f"present.{name}", 4) for name in _KEYS[:2])]
        return helper.make_graph(self._next_nodes(), "next", inputs, outputs, self._constants())

    def _merged(self) -> onnx.GraphProto:
        """As exporters merge them: the branch that goes on gives nothing useful for the encoder's keys and values."""
        names = ["logits", *(f"present.{name}" for name in _KEYS)]
        useless = numpy_helper.from_array(np.zeros((0, 1, 1, SIZE), dtype=np.float32))
        empty = [helper.make_node("Constant", [], [f"present.{name}"], value=useless) for name in _KEYS[2:]]
        first = _renamed(self._first_nodes(), names, "first")
        following = _renamed([*self._next_nodes(), *empty], names, "next")
        choose = helper.make_node("If", ["use_cache_branch"], names, then_branch=following, else_branch=first)
        sizes: list[str | int] = ["batch", 1, "length", SIZE] if self.is_sized else ["batch", "heads", "length", "size"]
        inputs = [_ids("input_ids"), _ids("encoder_attention_mask"), _floats("encoder_hidden_states", 3)]
        inputs += [helper.make_tensor_value_info(f"past_key_values.{name}", TensorProto.FLOAT, sizes) for name in _KEYS]
        inputs.append(helper.make_tensor_value_info("use_cache_branch", TensorProto.BOOL, [1]))
        outputs = [_floats(name, 3 if name == "logits" else 4) for name in names]
        return helper.make_graph([choose], "merged", inputs, outputs, self._constants())

    def _first_nodes(self) -> list[onnx.NodeProto]:
        return [
            helper.make_node("Gather", ["counts", "input_ids"], ["counted"]),
            helper.make_node("Unsqueeze", ["counted", "axis1"], ["present.0.decoder.key"]),
            helper.make_node("Mul", ["present.0.decoder.key", "one"], ["present.0.decoder.value"]),
            helper.make_node("Unsqueeze", ["encoder_hidden_states", "axis1"], ["present.0.encoder.key"]),
            helper.make_node("Mul", ["present.0.encoder.key", "one"], ["present.0.encoder.value"]),
            helper.make_node("CumSum", ["counted", "axis1"], ["sums"]),
            helper.make_node("ReduceMax", ["sums", "axis2"], ["position"]),
            helper.make_node("Mul", ["encoder_hidden_states", "one"], ["read"]),
            *self._scores(),
        ]

    def _next_nodes(self) -> list[onnx.NodeProto]:
        nodes = [
            helper.make_node("Gather", ["counts", "input_ids"], ["counted"]),
            helper.make_node("Unsqueeze", ["counted", "axis1"], ["latest"]),
        ]
        for part in ("key", "value"):
            past, present = f"past_key_values.0.decoder.{part}", f"present.0.decoder.{part}"
            nodes.append(helper.make_node("Concat", [past, "latest"], [present], axis=2))
            nodes.append(helper.make_node("ReduceSum", [present, "axis2"], [f"sum_{part}"], keepdims=0))
        return [
            *nodes,
            helper.make_node("Mean", ["sum_key", "sum_value"], ["sums"]),
            helper.make_node("ReduceMax", ["sums", "axis2"], ["position"]),
            helper.make_node("Mean", [f"past_key_values.0.encoder.{part}" for part in ("key", "value")], ["both"]),
            helper.make_node("Squeeze", ["both", "axis1"], ["read"]),
            *self._scores(),
        ]

    def _scores(self) -> list[onnx.NodeProto]:
        """From `position` (1, T, 1), how many tokens were written, and `read` (1, S, SIZE) to the scores."""
        return [
            helper.make_node("Shape", ["read"], ["length"], start=1, end=2),
            helper.make_node("Sub", ["length", "axis1"], ["last"]),
            helper.make_node("Cast", ["position"], ["written"], to=TensorProto.INT64),
            helper.make_node("Add", ["written", "skipped"], ["wanted"]),
            helper.make_node("Min", ["wanted", "last"], ["place"]),
            helper.make_node("Reshape", ["place", "minus1"], ["places"]),
            helper.make_node("Gather", ["read", "places"], ["copied"], axis=1),
            helper.make_node("GreaterOrEqual", ["written", "enough"], ["is_enough"]),
            helper.make_node("Where", ["is_enough", "the_end", "copied"], ["chosen"]),
            helper.make_node("Mul", ["chosen", "sureness"], ["sure"]),
            helper.make_node("Gather", ["noise", "input_ids"], ["noisy"]),
            helper.make_node("Add", ["sure", "noisy"], ["logits"]),
        ]

    def _constants(self) -> list[onnx.TensorProto]:
        counts = np.ones((SIZE, SIZE), dtype=np.float32)
        counts[PAD] = 0
        noise = np.zeros((SIZE, SIZE), dtype=np.float32) if self.noise is None else self.noise
        values: dict[str, NDArray[Any]] = {
            "counts": counts,
            "noise": noise,
            "one": np.array(1, dtype=np.float32),
            "sureness": np.array(self.sureness, dtype=np.float32),
            "the_end": np.eye(SIZE, dtype=np.float32)[EOS],
            "axis1": np.array([1], dtype=np.int64),
            "axis2": np.array([2], dtype=np.int64),
            "minus1": np.array([-1], dtype=np.int64),
            "skipped": np.array(len(tokenizer().encode(PREFIX).ids), dtype=np.int64),
            "enough": np.array(self.copied, dtype=np.int64),
        }
        return [numpy_helper.from_array(value, name) for name, value in values.items()]


def tokenizer() -> Tokenizer:
    """One token a character, words apart as T5's tokenizer has them; padding and truncation that must not matter."""
    made = Tokenizer(BPE({word: number for number, word in enumerate(WORDS)}, [], unk_token="<unk>"))  # noqa: S106
    made.add_special_tokens(["<pad>", "</s>", "<unk>"])
    made.pre_tokenizer = Metaspace()
    made.decoder = Spaces()
    return made


def _encoder() -> onnx.GraphProto:
    table = numpy_helper.from_array(np.eye(SIZE, dtype=np.float32), "table")
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])]
    inputs = [_ids("input_ids"), _ids("attention_mask")]
    return helper.make_graph(nodes, "encoder", inputs, [_floats("last_hidden_state", 3)], [table])


def _ids(name: str) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", f"{name}_length"])


def _floats(name: str, rank: int) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, [f"{name}_{axis}" for axis in range(rank)])


def _renamed(nodes: list[onnx.NodeProto], names: list[str], branch: str) -> onnx.GraphProto:
    """A branch of an If: what it computes has names of its own, what it only uses keeps them."""
    made = {name for node in nodes for name in node.output}
    for node in nodes:
        for list_ in (node.input, node.output):
            list_[:] = [f"{branch}.{name}" if name in made else name for name in list_]
    outputs = [_floats(f"{branch}.{name}", 3 if name == "logits" else 4) for name in names]
    return helper.make_graph(nodes, branch, [], outputs)


def _save(graph: onnx.GraphProto, path: Path) -> None:
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, path)
