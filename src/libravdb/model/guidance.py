"""Standing wishes: what a person asks of the agent for good, as it was read, and as it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class WishReach(StrEnum):
    """For which prompts a wish counts: for all of them, or for those about its subject."""

    GENERAL = "general"
    SUBJECT = "subject"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A sentence that is a standing wish to the agent.

    `place` counts the sentences of its turn, `topics` name what it is about (language, length, …), `words` are the
    stems of what it says, by which wishes without a topic are compared, `parties` those it is about alone, by name:
    mails to Anna, code in Python. `is_undoing`: it takes an earlier one back.
    """

    text: str
    place: int
    reach: WishReach
    topics: tuple[str, ...]
    words: tuple[str, ...]
    reason: str
    parties: tuple[str, ...] = ()
    is_undoing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptWish:
    """A wish as it is kept: word for word, since when, and where it was said.

    `replaced_by` names the wish that took its place, `removed_at` tells when somebody removed it; it counts while
    neither is so.
    """

    id: str
    text: str
    topics: tuple[str, ...]
    reach: WishReach
    since: int
    session: str
    turn: str
    replaced_by: str = ""
    removed_at: int | None = None

    @property
    def is_current(self) -> bool:
        """True as long as it counts."""
        return not self.replaced_by and self.removed_at is None
