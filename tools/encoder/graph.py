"""The ONNX graph of the shipped model, in int8: the same weights give the same bytes.

What is quantised, and how:

- Every weight matrix: int8, one scale per output channel, values in [-64, 64]. Seven bits, because AVX2 CPUs
  without VNNI add pairs of int8 products in 16 bits: 2 · 255 · 64 = 32,640 fits, 2 · 255 · 127 saturates, and
  the same text would get another vector on another machine.
- The word table: int8, one scale per row, values in [-127, 127] (it is looked up, never multiplied). Only the
  gathered rows are turned back into floats.
- Activations: uint8, at run time, one scale per tensor (`DynamicQuantizeLinear`). The input of each layer's
  last product is first divided by the largest value of its token, and the product multiplied again: a few
  tokens reach ten times the size of the others and would take most of the 256 steps. It costs 7 % of the time
  and removes a fifth of the error of cosines; the same for the other products costs more than it gives.
- Attention scores, softmax, layer norms, pooling: float32.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tools.encoder.shape import EPSILON, HEADS, HIDDEN, LAYERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

HEAD = HIDDEN // HEADS
WEIGHT_LIMIT, TABLE_LIMIT = 64, 127
OPSET, IR_VERSION = 20, 9  # the oldest with the Gelu operator: every onnxruntime we support reads it
PRODUCER = "libravdb tools/build_minilm.py"  # part of the bytes, and so of the fingerprint, of the first model
OUT_OF_SIGHT = -1e9  # added to the attention score of a padded position


def quantise(weights: Floats, *, limit: int, axis: int) -> tuple[NDArray[np.int8], Floats]:
    """Integers in [-limit, limit] and the scales that give the weights back, one per slice along `axis`."""
    largest = np.max(np.abs(weights), axis=axis, keepdims=True)
    scales = (np.where(largest == 0, 1, largest) / np.float32(limit)).astype(np.float32)
    integers = np.clip(np.rint(weights / scales), -limit, limit).astype(np.int8)
    return integers, scales


class Graph:
    """Nodes and initialisers in the order they are added; every node output is named after its role."""

    def __init__(self, *, quantised: bool) -> None:
        self.quantised = quantised
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[onnx.TensorProto] = []

    def constant(self, name: str, values: object) -> str:
        self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def add(self, operator: str, name: str, *inputs: str, **attributes: Any) -> str:  # noqa: ANN401 - as ONNX has them
        self.nodes.append(helper.make_node(operator, list(inputs), [name], name, **attributes))
        return name

    def dense(self, name: str, x: str, *, weight: Floats, bias: Floats, per_token: bool = False) -> str:
        """`x · weight + bias`; the pattern of operators is the one onnxruntime fuses into a single kernel."""
        if not self.quantised:
            product = self.add("MatMul", f"{name}.product", x, self.constant(f"{name}.weight", weight))
            return self.add("Add", name, product, self.constant(f"{name}.bias", bias))
        integers, scales = quantise(weight, limit=WEIGHT_LIMIT, axis=0)
        if per_token:
            largest = self.largest_of_token(name, x)
            x = self.add("Div", f"{name}.levelled", x, largest)
        x_int, x_scale, x_zero = (f"{name}.x.{part}" for part in ("int", "scale", "zero"))
        self.nodes.append(
            helper.make_node("DynamicQuantizeLinear", [x], [x_int, x_scale, x_zero], name=f"{name}.quantise")
        )
        weight_int = self.constant(f"{name}.weight", integers)
        weight_scale = self.constant(f"{name}.weight.scale", scales[0])
        weight_zero = self.constant(f"{name}.weight.zero", np.zeros(weight.shape[1], dtype=np.int8))
        product = self.add("MatMulInteger", f"{name}.product", x_int, weight_int, x_zero, weight_zero)
        floats = self.add("Cast", f"{name}.float", product, to=TensorProto.FLOAT)
        scale = self.add("Mul", f"{name}.scale", x_scale, weight_scale)
        scaled = self.add("Mul", f"{name}.scaled", floats, scale)
        if per_token:
            scaled = self.add("Mul", f"{name}.rescaled", scaled, largest)
        return self.add("Add", name, scaled, self.constant(f"{name}.bias", bias))

    def largest_of_token(self, name: str, x: str) -> str:
        magnitude = self.add("Abs", f"{name}.magnitude", x)
        largest = self.add("ReduceMax", f"{name}.largest", magnitude, "last_axis", keepdims=1)
        return self.add("Max", f"{name}.largest_or_floor", largest, "floor")

    def norm(self, name: str, x: str, *, weight: Floats, bias: Floats) -> str:
        gain, shift = self.constant(f"{name}.weight", weight), self.constant(f"{name}.bias", bias)
        return self.add("LayerNormalization", name, x, gain, shift, axis=-1, epsilon=EPSILON)

    def lookup(self, name: str, ids: str, table: Floats) -> str:
        if not self.quantised:
            return self.add("Gather", name, self.constant(f"{name}.table", table), ids)
        integers, scales = quantise(table, limit=TABLE_LIMIT, axis=1)
        rows = self.add("Gather", f"{name}.rows", self.constant(f"{name}.table", integers), ids)
        floats = self.add("Cast", f"{name}.float", rows, to=TensorProto.FLOAT)
        row_scales = self.add("Gather", f"{name}.scales", self.constant(f"{name}.table.scale", scales), ids)
        return self.add("Mul", name, floats, row_scales)


def embeddings(graph: Graph, tensors: Mapping[str, Floats]) -> str:
    """Word, position and segment; the segment is always 0, so its row is folded into the positions."""
    words = graph.lookup("words", "input_ids", tensors["embeddings.word_embeddings.weight"])
    positions = tensors["embeddings.position_embeddings.weight"]
    positions = positions + tensors["embeddings.token_type_embeddings.weight"][0]
    graph.constant("zero", np.array([0], dtype=np.int64))
    graph.constant("one", np.array([1], dtype=np.int64))
    length = graph.add("Shape", "length", "input_ids", start=1, end=2)
    here = graph.add("Slice", "positions", graph.constant("positions.table", positions), "zero", length, "zero")
    summed = graph.add("Add", "embedded", words, here)
    prefix = "embeddings.LayerNorm."
    return graph.norm("norm", summed, weight=tensors[prefix + "weight"], bias=tensors[prefix + "bias"])


def attention(graph: Graph, layer: str, x: str, tensors: Mapping[str, Floats]) -> str:
    """Query, key and value in one product (x is quantised once), then softmax(q·k / √head)·v per head."""
    parts = [f"encoder.{layer}.attention.self.{part}" for part in ("query", "key", "value")]
    weight = np.concatenate([tensors[f"{part}.weight"].T for part in parts], axis=1)
    bias = np.concatenate([tensors[f"{part}.bias"] for part in parts])
    qkv = graph.dense(f"{layer}.qkv", x, weight=weight, bias=bias)
    split = [f"{layer}.{part}" for part in ("query", "key", "value")]
    graph.nodes.append(helper.make_node("Split", [qkv], split, name=f"{layer}.split", axis=2, num_outputs=3))
    order = {"query": [0, 2, 1, 3], "key": [0, 2, 3, 1], "value": [0, 2, 1, 3]}
    heads = {}
    for name, permutation in order.items():
        shaped = graph.add("Reshape", f"{layer}.{name}.shaped", f"{layer}.{name}", "to_heads")
        heads[name] = graph.add("Transpose", f"{layer}.{name}.heads", shaped, perm=permutation)
    scores = graph.add("MatMul", f"{layer}.scores", heads["query"], heads["key"])
    scaled = graph.add("Mul", f"{layer}.scaled", scores, "attention_scale")
    masked = graph.add("Add", f"{layer}.masked", scaled, "mask_penalty")
    weights = graph.add("Softmax", f"{layer}.softmax", masked, axis=-1)
    mixed = graph.add("MatMul", f"{layer}.mixed", weights, heads["value"])
    together = graph.add("Transpose", f"{layer}.together", mixed, perm=[0, 2, 1, 3])
    return graph.add("Reshape", f"{layer}.attended", together, "to_hidden")


def encoder_layer(graph: Graph, layer: str, x: str, tensors: Mapping[str, Floats]) -> str:
    prefix = f"encoder.{layer}."

    def dense(name: str, inner: str, key: str, *, per_token: bool = False) -> str:
        weight = np.ascontiguousarray(tensors[f"{prefix}{key}.weight"].T)
        bias = tensors[f"{prefix}{key}.bias"]
        return graph.dense(f"{layer}.{name}", inner, weight=weight, bias=bias, per_token=per_token)

    def residual(name: str, old: str, new: str, key: str) -> str:
        summed = graph.add("Add", f"{layer}.{name}.sum", new, old)
        weight, bias = tensors[f"{prefix}{key}.weight"], tensors[f"{prefix}{key}.bias"]
        return graph.norm(f"{layer}.{name}", summed, weight=weight, bias=bias)

    attended = dense("attention.output", attention(graph, layer, x, tensors), "attention.output.dense")
    x = residual("attention.norm", x, attended, "attention.output.LayerNorm")
    wide = graph.add("Gelu", f"{layer}.gelu", dense("wide", x, "intermediate.dense"))
    narrow = dense("narrow", wide, "output.dense", per_token=True)
    return residual("norm", x, narrow, "output.LayerNorm")


def mean_pooling(graph: Graph, x: str) -> str:
    """The mean of the token vectors under the mask, at length 1."""
    kept = graph.add("Unsqueeze", "kept", "mask", "last_axis")
    total = graph.add("ReduceSum", "total", graph.add("Mul", "kept_tokens", x, kept), "one", keepdims=0)
    count = graph.add("ReduceSum", "count", "mask", "one", keepdims=1)
    mean = graph.add("Div", "mean", total, count)
    length = graph.add("ReduceL2", "mean_length", mean, "one", keepdims=1)
    return graph.add("Div", "sentence_embedding", mean, graph.add("Max", "length_or_floor", length, "floor"))


def build_graph(tensors: Mapping[str, Floats], *, name: str, quantised: bool) -> bytes:
    """The whole model as bytes: `input_ids`, `attention_mask` (batch, length) → `sentence_embedding`."""
    graph = Graph(quantised=quantised)
    graph.constant("last_axis", np.array([2], dtype=np.int64))
    graph.constant("floor", np.array(1e-12, dtype=np.float32))
    x = embeddings(graph, tensors)
    graph.constant("to_heads", np.array([0, 0, HEADS, HEAD], dtype=np.int64))
    graph.constant("to_hidden", np.array([0, 0, HIDDEN], dtype=np.int64))
    graph.constant("attention_scale", np.array(1 / np.sqrt(HEAD), dtype=np.float32))
    graph.add("Cast", "mask", "attention_mask", to=TensorProto.FLOAT)
    visible = graph.add("Unsqueeze", "visible", "mask", graph.constant("head_axes", np.array([1, 2], dtype=np.int64)))
    hidden = graph.add("Sub", "hidden", graph.constant("unit", np.array(1, dtype=np.float32)), visible)
    graph.add("Mul", "mask_penalty", hidden, graph.constant("far", np.array(OUT_OF_SIGHT, dtype=np.float32)))
    for number in range(LAYERS):
        x = encoder_layer(graph, f"layer.{number}", x, tensors)
    mean_pooling(graph, x)
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
        for name in ("input_ids", "attention_mask")
    ]
    output = helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch", HIDDEN])
    proto = helper.make_graph(graph.nodes, name, inputs, [output], graph.initializers)
    model = helper.make_model(
        proto,
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
        producer_name=PRODUCER,
    )
    onnx.checker.check_model(model, full_check=True)
    return bytes(model.SerializeToString(deterministic=True))
