"""The section `[compaction]`; apart from its rooms, so that knowing the settings loads none of them."""

from __future__ import annotations

from dataclasses import dataclass

from libravdb.model.settings import setting, tuned


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionSettings:
    """How long sessions are folded into summaries; raw turns always stay."""

    auto_tokens: int = setting(
        2_000, "Tokens that come into a session before it is compacted by itself; 0 switches that off."
    )
    minimum_turns: int = setting(4, "Last turns that always stay word for word.", maximum=10_000)
    tail_tokens: int = setting(1_000, "Tokens at the end of a session that stay word for word.")
    target_turns: int = setting(20, "Turns that one summary stands for, about.", minimum=2, maximum=1_000)
    model_gate: float = setting(
        0.34,
        "Mean gate score of a cluster from which a configured summariser writes it; 0 gives it every one.",
        maximum=1,
    )
    support_tokens: int = tuned(96, "Tokens of earlier summaries that a new one may lean on.", maximum=10_000)


DEFAULTS = CompactionSettings()
