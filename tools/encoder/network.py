"""MiniLM in PyTorch: six layers of attention over a table of word pieces, as plain functions over its tensors.

The names of the tensors are those of the original file, so that what was trained can be written beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import torch
from tools.encoder.shape import EPSILON, FROZEN, HEADS, LAYERS, UNUSED
from torch.nn import functional

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Tensors = Mapping[str, torch.Tensor]


def tensors_of(weights: Mapping[str, NDArray[np.float32]], device: str) -> dict[str, torch.Tensor]:
    """The weights on a device; what is trained asks for gradients."""
    found = {name: torch.tensor(value, device=device) for name, value in weights.items() if name not in UNUSED}
    for name, tensor in found.items():
        tensor.requires_grad_(name not in FROZEN)
    return found


def padded(rows: Sequence[Sequence[int]], device: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids of several texts as one rectangle, and which of its places hold a token."""
    length = max(map(len, rows))
    ids = torch.tensor([[*row, *[0] * (length - len(row))] for row in rows], device=device)
    mask = torch.tensor([[True] * len(row) + [False] * (length - len(row)) for row in rows], device=device)
    return ids, mask


def encode(tensors: Tensors, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """One vector of length 1 for each row of token ids: the mean of its tokens after the last layer."""
    prefix = "embeddings."
    x = tensors[f"{prefix}word_embeddings.weight"][ids]
    x = x + tensors[f"{prefix}position_embeddings.weight"][: ids.shape[1]]
    x = x + tensors[f"{prefix}token_type_embeddings.weight"][0]
    x = _norm(tensors, f"{prefix}LayerNorm", x)
    for number in range(LAYERS):
        x = _layer(tensors, f"encoder.layer.{number}.", x, mask)
    kept = mask.unsqueeze(-1).to(x.dtype)
    mean = (x * kept).sum(dim=1) / kept.sum(dim=1)
    return functional.normalize(mean, dim=-1)


def _layer(tensors: Tensors, prefix: str, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    rows, length, width = x.shape

    def heads(part: str) -> torch.Tensor:
        found = _dense(tensors, f"{prefix}attention.self.{part}", x)
        return found.view(rows, length, HEADS, width // HEADS).transpose(1, 2)

    mixed = functional.scaled_dot_product_attention(
        heads("query"), heads("key"), heads("value"), attn_mask=mask[:, None, None, :]
    )
    attended = _dense(tensors, f"{prefix}attention.output.dense", mixed.transpose(1, 2).reshape(rows, length, width))
    x = _norm(tensors, f"{prefix}attention.output.LayerNorm", x + attended)
    wide = functional.gelu(_dense(tensors, f"{prefix}intermediate.dense", x))
    narrow = _dense(tensors, f"{prefix}output.dense", wide)
    return _norm(tensors, f"{prefix}output.LayerNorm", x + narrow)


def _dense(tensors: Tensors, name: str, x: torch.Tensor) -> torch.Tensor:
    return functional.linear(x, tensors[f"{name}.weight"], tensors[f"{name}.bias"])


def _norm(tensors: Tensors, name: str, x: torch.Tensor) -> torch.Tensor:
    return functional.layer_norm(x, x.shape[-1:], tensors[f"{name}.weight"], tensors[f"{name}.bias"], EPSILON)
