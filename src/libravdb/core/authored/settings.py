"""The section `[authored]`; apart from its rooms, so that knowing the settings loads none of them."""

from __future__ import annotations

from dataclasses import dataclass

from libravdb.model.settings import setting


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthoredSettings:
    """Which documents hold rules, and how large they may be."""

    core_names: tuple[str, ...] = setting(
        (), "Names of documents that hold rules, besides AGENTS.md, SOUL.md, CLAUDE.md, IDENTITY.md and USER.md."
    )
    prompt_tokens: int = setting(
        32_000,
        "Tokens of the prompt that memory may fill in all; a document whose hard rules take more than the share "
        "assembly.augment_hard_share of them is refused.",
        minimum=1,
    )
    max_chars: int = setting(4_000_000, "Longest document, in characters.", minimum=1)

    def hard_budget(self, share: float) -> int:
        """`⌊α1·τ⌋` tokens for the hard nodes of a document; the share α1 is assembly's."""
        return int(share * self.prompt_tokens)
