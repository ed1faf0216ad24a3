"""How far and how fast the weights move in training."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """`keep` is α, the weight of staying close to the original vectors; `relate` β, that of keeping how similar
    statements are to one another, which decides what is new, said again, or replaced; `warm_up` the share of all
    steps in which the learning rate grows, `decay` how strongly weights are pulled towards nothing. Nothing is dropped
    out at random: the noise makes statements look less alike than they are, and keeping them as they were would then
    draw them together."""

    learning_rate: float = 5e-5
    epochs: int = 4
    batch: int = 128
    temperature: float = 0.05
    keep: float = 2.0
    relate: float = 50.0
    warm_up: float = 0.1
    decay: float = 0.01

    def as_json(self) -> dict[str, float | int]:
        """For the record."""
        return asdict(self)
