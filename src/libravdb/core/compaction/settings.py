"""How compaction is set; apart from its rooms, so that knowing the settings loads none of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionSettings:
    """How much of a session's end stays word for word, how large clusters are, and when compaction starts by itself.

    `auto_tokens` counts what came in since the last time; 0 switches it off.
    """

    minimum_turns: int = 4
    tail_tokens: int = 1_000
    target: int = 20
    support_tokens: int = 96
    auto_tokens: int = 2_000
