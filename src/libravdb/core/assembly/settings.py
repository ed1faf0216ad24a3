"""The section `[assembly]`: how a prompt's budget τ is shared out, and how steady a prompt is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from libravdb.model import AssemblyMode
from libravdb.model.settings import Sum, check_section, setting, tuned


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """What each claim may take of a budget in one mode: α1, α2, β, ρ_E, and recall's own."""

    hard: float
    soft: float
    tail: float
    elevated: float
    recall: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AssemblySettings:
    """How the budget of a prompt is shared out: `augment_…` beside a host's own history, `window_…` where memory also
    chooses what stays of it. Hard rules, soft rules and the recent tail are at most the whole together."""

    augment_hard_share: float = setting(
        0.30,
        "Share of the budget that is meant for hard rules; they stand there whatever they take.",
        maximum=1,
        former="authored.hard_share",
    )
    augment_soft_share: float = setting(
        0.20,
        "Share of the budget for soft rules; of more the first that fit are used.",
        maximum=1,
        former="authored.soft_share",
    )
    augment_tail_share: float = setting(0.25, "Share of the budget for the last turns, word for word.", maximum=1)
    augment_elevated_share: float = setting(0.15, "Share of the budget for protected guidance.", maximum=1)
    augment_recall_share: float = setting(
        1.0, "Share of the budget that recalled memories may take at most, of what the others leave.", maximum=1
    )
    window_hard_share: float = setting(0.15, "The same share for hard rules, in a window.", maximum=1)
    window_soft_share: float = setting(0.10, "The same share for soft rules, in a window.", maximum=1)
    window_tail_share: float = setting(0.50, "The same share for the last turns, in a window.", maximum=1)
    window_elevated_share: float = setting(0.05, "The same share for protected guidance, in a window.", maximum=1)
    window_recall_share: float = setting(0.25, "The same share for recalled memories, in a window.", maximum=1)
    window_recall_tokens: int = setting(
        1_500, "Most tokens for recalled memories in a window: they change with every question.", maximum=1_000_000
    )
    profile_share: float = setting(0.08, "Share of the budget for what is known of the person.", maximum=1)
    profile_least: int = setting(
        100, "Tokens for what is known of the person in a small budget, at most a quarter of it.", maximum=100_000
    )
    profile_tokens: int = setting(200, "Most tokens for what is known of the person.", maximum=100_000)
    summary_share: float = setting(0.5, "Share of what is left then that summaries may take.", maximum=1)
    minimum_turns: int = setting(4, "Last turns that stand in every prompt, whatever they take.", maximum=10_000)
    receipts: int = setting(
        200, "Receipts of prompts kept of each namespace, for explain; the oldest go first.", minimum=1
    )
    slack: float = tuned(0.5, "Share of the tail's budget that is freed when the tail has to move.")
    elevated_floor: float = tuned(0.2, "Cosine with the question above which protected guidance is shown.")
    margin: float = tuned(0.05, "How much better a new memory must score than one that stood there before.")
    thrift: float = tuned(0.15, "A memory of twice the tokens must score better by 2 to the power of this.")
    memory_share: float = tuned(
        0.25, "Share of recall's room that one memory may take; of a longer one its best passage is shown."
    )
    strict: bool = setting(
        default=False, help="Refuse a prompt that breaks a promise instead of noting it; for tests.", expert=True
    )

    SUMS: ClassVar[tuple[Sum, ...]] = (
        Sum(
            names=("augment_hard_share", "augment_soft_share", "augment_tail_share"),
            what="the shares of hard rules, soft rules and tail beside a host's own history",
        ),
        Sum(
            names=("window_hard_share", "window_soft_share", "window_tail_share"),
            what="the shares of hard rules, soft rules and tail in a window",
        ),
    )

    def __post_init__(self) -> None:
        check_section(self)

    def shares(self, mode: AssemblyMode) -> Shares:
        """What each claim may take in a mode."""
        if mode is AssemblyMode.WINDOW:
            return Shares(
                hard=self.window_hard_share,
                soft=self.window_soft_share,
                tail=self.window_tail_share,
                elevated=self.window_elevated_share,
                recall=self.window_recall_share,
            )
        return Shares(
            hard=self.augment_hard_share,
            soft=self.augment_soft_share,
            tail=self.augment_tail_share,
            elevated=self.augment_elevated_share,
            recall=self.augment_recall_share,
        )


DEFAULTS = AssemblySettings()
