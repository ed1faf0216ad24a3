"""Local model folders: what is accepted, and with which words the rest is refused."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
import pytest

from libravdb.adapters.embedders.onnx import OnnxEmbedder
from libravdb.adapters.embedders.pooling import layer_norm, unit
from libravdb.adapters.embedders.profiles import PROFILES, EmbedderProfile
from libravdb.errors import InvalidInput, ModelInvalid

if TYPE_CHECKING:
    from tests.conftest import BuildModel

PLAIN = EmbedderProfile(name="plain", dimensions=16, max_tokens=64)
NESTED = replace(PLAIN, name="nested", matryoshka=(16, 8, 4))
ROWS = 98  # special tokens and letters of the small tokenizer


def write_manifest(folder: Path, **content: Any) -> None:
    (folder / "manifest.json").write_text(json.dumps(content))


def file_entry(path: Path) -> dict[str, object]:
    raw = path.read_bytes()
    return {"sha256": hashlib.sha256(raw).hexdigest(), "size": len(raw)}


# ── what is accepted ──────────────────────────────────────────────────────────────────────────────────────


def test_token_vectors_are_averaged_by_us_and_pooled_ones_taken(build_model: BuildModel) -> None:
    tokens = OnnxEmbedder.open(build_model(), profile=PLAIN)
    pooled = OnnxEmbedder.open(build_model(is_pooled=True), profile=PLAIN)

    np.testing.assert_allclose(tokens.embed_text("hello"), pooled.embed_text("hello"), atol=1e-6)


def test_cls_pooling_takes_the_first_token(build_model: BuildModel) -> None:
    embedder = OnnxEmbedder.open(build_model(), profile=replace(PLAIN, pooling="cls"))

    np.testing.assert_array_equal(embedder.embed_text("hello"), embedder.embed_text("other words"))


@pytest.mark.parametrize("inputs", [("input_ids",), ("input_ids", "attention_mask", "token_type_ids")])
def test_a_graph_gets_the_inputs_it_asks_for(build_model: BuildModel, inputs: tuple[str, ...]) -> None:
    embedder = OnnxEmbedder.open(build_model(inputs=inputs), profile=PLAIN)

    assert embedder.embed_text("hello").shape == (1, 16)


def test_without_a_profile_the_model_itself_tells_its_dimensions(build_model: BuildModel) -> None:
    assert OnnxEmbedder.open(build_model(dimensions=24)).dimensions == 24


def test_the_manifest_describes_a_model_without_a_profile(build_model: BuildModel) -> None:
    folder = build_model()
    write_manifest(folder, name="mine", dimensions=16, max_tokens=12, pooling="cls")

    description = OnnxEmbedder.open(folder).description

    assert description["name"] == "mine"
    assert description["max_tokens"] == 12
    assert description["pooling"] == "cls"


def test_the_model_may_lie_in_a_folder_named_onnx_and_the_tokenizer_elsewhere(
    build_model: BuildModel, tmp_path: Path
) -> None:
    folder = build_model()
    usual = OnnxEmbedder.open(folder, profile=PLAIN)
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx" / "model.onnx")
    (folder / "tokenizer.json").rename(tmp_path / "words.json")

    moved = OnnxEmbedder.open(folder, profile=PLAIN, tokenizer=tmp_path / "words.json")

    assert moved.fingerprint == usual.fingerprint


def test_weights_beside_the_graph_are_part_of_the_fingerprint(build_model: BuildModel) -> None:
    folder = build_model()
    graph = onnx.load(folder / "model.onnx")
    onnx.save(graph, folder / "model.onnx", save_as_external_data=True, location="model.onnx_data", size_threshold=0)
    before = OnnxEmbedder.open(folder, profile=PLAIN).fingerprint
    weights = bytearray((folder / "model.onnx_data").read_bytes())
    weights[0] ^= 1
    (folder / "model.onnx_data").write_bytes(weights)

    assert OnnxEmbedder.open(folder, profile=PLAIN).fingerprint != before


def test_prefixes_differ_for_questions_and_documents(build_model: BuildModel) -> None:
    folder = build_model()
    bare = OnnxEmbedder.open(folder, profile=PLAIN)
    prefixed = OnnxEmbedder.open(folder, profile=replace(PLAIN, query_prefix="query: ", document_prefix="passage: "))

    np.testing.assert_allclose(prefixed.embed_query("hello"), bare.embed_query("query: hello"), atol=1e-6)
    np.testing.assert_allclose(prefixed.embed_text("hello"), bare.embed_text("passage: hello"), atol=1e-6)
    assert prefixed.fingerprint != bare.fingerprint


def test_a_matryoshka_vector_is_levelled_then_cut_then_scaled(build_model: BuildModel) -> None:
    folder = build_model(is_pooled=True)
    table = onnx.numpy_helper.to_array(onnx.load(folder / "model.onnx").graph.initializer[0])
    tokens = [1, 3 + ord("a") - 32, 2]

    cut = OnnxEmbedder.open(folder, profile=NESTED, dimensions=8)

    expected = unit(layer_norm(table[tokens].mean(axis=0))[:8])
    assert cut.dimensions == 8
    np.testing.assert_allclose(cut.embed_query("a"), expected, atol=1e-6)


def test_a_window_counts_special_tokens_and_prefix(build_model: BuildModel) -> None:
    profile = replace(PLAIN, max_tokens=16, document_prefix="1234")
    embedder = OnnxEmbedder.open(build_model(), profile=profile)

    assert len(embedder.embed_text("x" * 10)) == 1
    assert len(embedder.embed_text("x" * 11)) == 3


def test_the_whole_of_a_long_text_is_the_mean_of_its_windows_by_tokens(build_model: BuildModel) -> None:
    embedder = OnnxEmbedder.open(build_model(), profile=replace(PLAIN, max_tokens=5))
    whole, *rows = embedder.embed_text("abcdefg")

    assert len(rows) == 3  # "ab", "cd", "efg"
    np.testing.assert_allclose(whole, unit((2 * rows[0] + 2 * rows[1] + 3 * rows[2]) / 7), atol=1e-6)


def test_everything_that_changes_vectors_changes_the_fingerprint(build_model: BuildModel) -> None:
    folder, other = build_model(), build_model(table=np.ones((ROWS, 16), dtype=np.float32))
    shutil.copy(folder / "tokenizer.json", other / "tokenizer.json")
    third = build_model()
    (third / "tokenizer.json").write_text((third / "tokenizer.json").read_text() + "\n")

    fingerprints = [
        OnnxEmbedder.open(folder, profile=PLAIN).fingerprint,
        OnnxEmbedder.open(other, profile=PLAIN).fingerprint,
        OnnxEmbedder.open(third, profile=PLAIN).fingerprint,
        OnnxEmbedder.open(folder, profile=replace(PLAIN, pooling="cls")).fingerprint,
        OnnxEmbedder.open(folder, profile=replace(PLAIN, max_tokens=32)).fingerprint,
        OnnxEmbedder.open(folder, profile=NESTED).fingerprint,
        OnnxEmbedder.open(folder, profile=NESTED, dimensions=4).fingerprint,
    ]

    assert len(set(fingerprints)) == len(fingerprints)


def test_normalize_off_trusts_a_model_that_scales_its_vectors_and_refuses_another(build_model: BuildModel) -> None:
    table = np.zeros((ROWS, 16), dtype=np.float32)
    table[:, 3] = 1
    scaled = OnnxEmbedder.open(build_model(table=table), profile=PLAIN, normalize=False)
    unscaled = OnnxEmbedder.open(build_model(table=table * 5), profile=PLAIN, normalize=False)

    assert np.linalg.norm(scaled.embed_text("hello")) == 1
    with pytest.raises(ModelInvalid, match=r"length 5, not 1.*Turn embedding\.normalize on"):
        unscaled.embed_text("hello")


def test_the_known_profiles_are_those_of_the_documentation() -> None:
    assert set(PROFILES) == {"libravdb-minilm-1", "all-minilm-l6-v2", "nomic-embed-text-v1.5"}
    assert PROFILES["nomic-embed-text-v1.5"].matryoshka == (768, 512, 256, 128, 64)


# ── what is refused ───────────────────────────────────────────────────────────────────────────────────────


def test_a_missing_folder_a_missing_model_and_a_missing_tokenizer_are_named(
    build_model: BuildModel, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    untokenised = build_model()
    (untokenised / "tokenizer.json").unlink()

    for folder, words in (
        (tmp_path / "nowhere", "is not a folder"),
        (empty, "has no model.onnx"),
        (untokenised, "has no tokenizer.json"),
    ):
        with pytest.raises(ModelInvalid, match=words) as refused:
            OnnxEmbedder.open(folder)
        assert refused.value.remedy
    with pytest.raises(ModelInvalid, match="is not there"):
        OnnxEmbedder.open(untokenised, tokenizer=tmp_path / "nowhere.json")


@pytest.mark.parametrize("raw", [b"", b"garbage", b"\x00" * 1000, b"\x08\x09" * 50])
def test_bytes_that_are_no_model_are_refused(build_model: BuildModel, raw: bytes) -> None:
    folder = build_model()
    (folder / "model.onnx").write_bytes(raw)

    with pytest.raises(ModelInvalid, match=r"model\.onnx") as refused:
        OnnxEmbedder.open(folder)
    assert refused.value.remedy


@pytest.mark.parametrize("raw", [b"", b"{}", b"garbage", b'{"version": "1.0", "model": 3}', b"\xff\xfe"])
def test_a_file_that_is_no_tokenizer_is_refused(build_model: BuildModel, raw: bytes) -> None:
    folder = build_model()
    (folder / "tokenizer.json").write_bytes(raw)

    with pytest.raises(ModelInvalid, match="is no tokenizer"):
        OnnxEmbedder.open(folder)


def test_a_tokenizer_of_another_model_is_refused_when_its_ids_do_not_exist(build_model: BuildModel) -> None:
    folder = build_model(table=np.ones((4, 16), dtype=np.float32))

    with pytest.raises(ModelInvalid, match="fails"):
        OnnxEmbedder.open(folder)


def test_dimensions_that_disagree_are_refused_with_both_numbers(build_model: BuildModel) -> None:
    folder = build_model(dimensions=24)
    with pytest.raises(ModelInvalid, match="24 dimensions, but 16"):
        OnnxEmbedder.open(folder, profile=PLAIN)
    with pytest.raises(ModelInvalid, match="24 dimensions, but 8"):
        OnnxEmbedder.open(folder, dimensions=8)
    write_manifest(folder, dimensions=32)
    with pytest.raises(ModelInvalid, match="24 dimensions, but 32"):
        OnnxEmbedder.open(folder)
    with pytest.raises(ModelInvalid, match=r"32 dimensions, but the profile 'plain' has 16"):
        OnnxEmbedder.open(folder, profile=PLAIN)


def test_a_length_that_the_model_was_not_trained_for_is_refused_with_the_allowed_ones(
    build_model: BuildModel,
) -> None:
    with pytest.raises(InvalidInput, match="only 16, 8, 4"):
        OnnxEmbedder.open(build_model(), profile=NESTED, dimensions=10)
    with pytest.raises(InvalidInput, match="only 16"):
        OnnxEmbedder.open(build_model(), profile=PLAIN, dimensions=8)


def test_files_that_break_the_promise_of_their_manifest_are_refused(build_model: BuildModel) -> None:
    folder = build_model()
    honest = file_entry(folder / "model.onnx")
    write_manifest(folder, files={"model.onnx": honest})
    assert OnnxEmbedder.open(folder).dimensions == 16

    write_manifest(folder, files={"model.onnx": {**honest, "sha256": "0" * 64}})
    with pytest.raises(ModelInvalid, match="sha256"):
        OnnxEmbedder.open(folder)
    write_manifest(folder, files={"tokenizer.json": {"size": 5}})
    with pytest.raises(ModelInvalid, match="its manifest says 5"):
        OnnxEmbedder.open(folder)


@pytest.mark.parametrize("raw", ["", "[]", "{", '{"files": 3}', '{"dimensions": "x"}', '{"pooling": "max"}'])
def test_a_manifest_that_makes_no_sense_is_refused(build_model: BuildModel, raw: str) -> None:
    folder = build_model()
    (folder / "manifest.json").write_text(raw)

    with pytest.raises(ModelInvalid):
        OnnxEmbedder.open(folder)


def test_inputs_that_we_cannot_give_are_named(build_model: BuildModel) -> None:
    with pytest.raises(ModelInvalid, match="input_ids, pixels"):
        OnnxEmbedder.open(build_model(inputs=("input_ids", "pixels")))


@pytest.mark.parametrize("value", [0.0, float("nan"), float("inf")])
def test_vectors_without_a_direction_are_refused(build_model: BuildModel, value: float) -> None:
    embedder = OnnxEmbedder.open(build_model(table=np.full((ROWS, 16), value, dtype=np.float32)))

    with pytest.raises(ModelInvalid, match="zero or not finite"):
        embedder.embed_text("hello")


def test_a_file_that_changed_after_loading_is_found_by_a_full_check(build_model: BuildModel) -> None:
    folder = build_model()
    embedder = OnnxEmbedder.open(folder)
    embedder.verify_files()
    with (folder / "tokenizer.json").open("a") as file:
        file.write("\n")

    with pytest.raises(ModelInvalid, match=r"tokenizer\.json"):
        embedder.verify_files()
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ModelInvalid, match="cannot be read"):
        embedder.verify_files()
