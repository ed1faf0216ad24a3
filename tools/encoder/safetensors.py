"""Reading and writing safetensors: 8 bytes of header length, a JSON header, raw numbers."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]


def read_safetensors(raw: bytes) -> dict[str, Floats]:
    """The float tensors of a file, by name."""
    (length,) = struct.unpack_from("<Q", raw)
    header = json.loads(raw[8 : 8 + length])
    tensors: dict[str, Floats] = {}
    for name, entry in header.items():
        if entry.get("dtype") == "F32":
            begin, end = (8 + length + offset for offset in entry["data_offsets"])
            tensors[name] = np.frombuffer(raw[begin:end], dtype="<f4").reshape(entry["shape"])
    return tensors


def write_safetensors(tensors: Mapping[str, Floats]) -> bytes:
    """A file of float tensors; the same tensors give the same bytes."""
    header: dict[str, object] = {}
    parts: list[bytes] = []
    offset = 0
    for name in sorted(tensors):
        parts.append(np.ascontiguousarray(tensors[name], dtype="<f4").tobytes())
        header[name] = {
            "dtype": "F32",
            "shape": list(tensors[name].shape),
            "data_offsets": [offset, offset + len(parts[-1])],
        }
        offset += len(parts[-1])
    written = json.dumps(header, separators=(",", ":")).encode()
    return struct.pack("<Q", len(written)) + written + b"".join(parts)
