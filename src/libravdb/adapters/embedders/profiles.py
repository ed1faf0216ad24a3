"""How known models want to be used; importing this loads no runtime."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderProfile:
    """How a model wants to be used. `dimensions` 0: as many as it gives. `matryoshka`: the lengths that its vectors
    may be cut to."""

    name: str
    dimensions: int
    max_tokens: int
    pooling: str = "mean"
    query_prefix: str = ""
    document_prefix: str = ""
    matryoshka: tuple[int, ...] = ()


PROFILES: Mapping[str, EmbedderProfile] = {
    profile.name: profile
    for profile in (
        # The shipped one, and what it was tuned from: a folder of the former still serves the stores that it made.
        EmbedderProfile(name="libravdb-minilm-1", dimensions=384, max_tokens=256),
        EmbedderProfile(name="all-minilm-l6-v2", dimensions=384, max_tokens=256),
        # The model reads 8,192 tokens; attention costs the square of the window, and a mean of windows of 512
        # keeps one ingest short. Passages are far below that anyway.
        EmbedderProfile(
            name="nomic-embed-text-v1.5",
            dimensions=768,
            max_tokens=512,
            query_prefix="search_query: ",
            document_prefix="search_document: ",
            matryoshka=(768, 512, 256, 128, 64),
        ),
    )
}
UNKNOWN = EmbedderProfile(name="custom", dimensions=0, max_tokens=256)
