"""The section `[gate]`: every constant of the gate's number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from libravdb.model.settings import Sum, check_section, setting, tuned


@dataclass(frozen=True, slots=True, kw_only=True)
class GateSettings:
    """What decides whether a turn is kept beyond its session. Each branch's three weights sum to 1."""

    threshold: float = setting(0.34, "Score from which a turn is kept.", maximum=1, alias="gating_threshold")
    novelty: float = tuned(0.35, "Conversation: weight of novelty.", alias="gating_w1c")
    repetition: float = tuned(0.40, "Conversation: weight of repetition.", alias="gating_w2c")
    load: float = tuned(0.25, "Conversation: weight of dates, quantities, people, facts.", alias="gating_w3c")
    specificity: float = tuned(0.40, "Engineering: weight of paths, calls, codes.", alias="gating_w1t")
    action: float = tuned(0.35, "Engineering: weight of decisions, fixes, changes.", alias="gating_w2t")
    detail: float = tuned(0.25, "Engineering: weight of definitions, dependencies, tests.", alias="gating_w3t")
    technical_norm: float = tuned(
        1.5,
        "Sum of technical signals that makes a text all technical.",
        minimum=0.01,
        maximum=100,
        alias="gating_tech_norm",
    )
    turn_similarity: float = tuned(0.80, "Cosine from which an earlier turn counts as a repetition.")
    turn_count: int = tuned(5, "Repetitions that count as often; more add nothing.", minimum=1, maximum=10_000)
    durable_similarity: float = tuned(0.85, "Cosine from which a memory says the same already.")
    durable_count: int = tuned(3, "Such memories that take all worth from a repetition.", minimum=1, maximum=10_000)

    SUMS: ClassVar[tuple[Sum, ...]] = (
        Sum(
            names=("novelty", "repetition", "load"),
            what="the weights of the conversational branch",
            is_exact=True,
        ),
        Sum(
            names=("specificity", "action", "detail"),
            what="the weights of the technical branch",
            is_exact=True,
        ),
    )

    def __post_init__(self) -> None:
        check_section(self)


DEFAULTS = GateSettings()
