"""The shipped model is the one that its record tells of."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from tools.encoder.corpus import Split, digest, load
from tools.encoder.recipe import Recipe
from tools.encoder.record import NAME, record

from libravdb.adapters.embedders.bundled import shipped_folder


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shipped_folder() / NAME).read_text(encoding="utf-8"))
    return found


def test_the_shipped_file_is_the_recorded_one(told: dict[str, Any]) -> None:
    raw = (shipped_folder() / "model.onnx").read_bytes()

    assert hashlib.sha256(raw).hexdigest() == told["model_sha256"]


def test_every_conversation_that_was_learned_from_is_here_unchanged(told: dict[str, Any]) -> None:
    """More may be written; what was trained on cannot change without another training."""
    assert len(told["conversations"]) >= 150
    here = {talk.id: digest([talk])[:16] for talk in load() if talk.split is Split.TRAIN}
    assert told["conversations"].items() <= here.items()


def test_nothing_that_is_held_back_was_learned_from(told: dict[str, Any]) -> None:
    held = {talk.id for talk in load() if talk.split is not Split.TRAIN}

    assert not held & told["conversations"].keys()


def test_three_seeds_were_trained_by_the_recipe_of_the_code(told: dict[str, Any]) -> None:
    assert len({run["seed"] for run in told["runs"]}) == 3
    assert told["recipe"] == Recipe().as_json()
    assert all(len(run["weights_sha256"]) == 64 for run in told["runs"])


def test_each_training_found_more_on_the_development_part(told: dict[str, Any]) -> None:
    for run in told["runs"]:
        before, after = run["development"]["before"], run["development"]["after"]
        assert after["any@1"] > before["any@1"]
        assert after["mrr"] > before["mrr"]


def run_of(folder: Path, seed: int, **changes: object) -> Path:
    pairs = (folder / "pairs.jsonl.gz").read_bytes()
    told = {
        "seed": seed, "recipe": Recipe().as_json(), "pairs": 3, "pairs_sha256": hashlib.sha256(pairs).hexdigest(),
        "device": "cpu", "torch": "2", "seconds": 1.0, "epochs": [{"any@1": 1.234}, {"any@1": 2.346}],
    }  # fmt: skip
    (folder / f"tuned-{seed}.json").write_text(json.dumps(told | changes), encoding="utf-8")
    (folder / f"tuned-{seed}.safetensors").write_bytes(b"weights %d" % seed)
    return folder / f"tuned-{seed}.safetensors"


@pytest.fixture
def trained(tmp_path: Path) -> Path:
    (tmp_path / "pairs.jsonl.gz").write_bytes(b"pairs")
    (tmp_path / "conversations.json").write_text('{"a/b": "00"}', encoding="utf-8")
    (tmp_path / "model.onnx").write_bytes(b"model")
    return tmp_path


def test_a_record_names_what_the_model_was_made_of(trained: Path) -> None:
    found = record(trained, [run_of(trained, 1), run_of(trained, 2)], trained / "model.onnx")

    runs = json.loads(json.dumps(found))["runs"]
    assert found["conversations"] == {"a/b": "00"}
    assert found["model_sha256"] == hashlib.sha256(b"model").hexdigest()
    assert [run["weights_sha256"] for run in runs] == [hashlib.sha256(b"weights %d" % n).hexdigest() for n in (1, 2)]
    assert runs[0]["development"] == {"before": {"any@1": 1.23}, "after": {"any@1": 2.35}}


@pytest.mark.parametrize("change", [{"pairs_sha256": "0"}, {"recipe": {**Recipe().as_json(), "epochs": 9}}])
def test_weights_of_other_pairs_or_another_recipe_are_refused(trained: Path, change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="other pairs"):
        record(trained, [run_of(trained, 1), run_of(trained, 2, **change)], trained / "model.onnx")
