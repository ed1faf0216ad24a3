"""What is known and current about a person, in his own words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from libravdb.model.attributes import AttributeKind


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileLine:
    """One line of a profile: a sentence, or the clause of it that tells one thing.

    `id` stays the same as long as the same thing is told, whatever its value. `subject` is empty for the person
    himself. `source` is the memory that says it, `session` where it was said, `since` when. A pinned line stays as it
    is; an edited one holds what the person wrote, until he says something newer. The words of one that `is_dated`
    count from the day on which they were said ("last week"): it is shown with that day.
    """

    id: str
    kind: AttributeKind
    subject: str
    text: str
    since: int
    source: str
    session: str = ""
    is_pinned: bool = False
    is_edited: bool = False
    is_dated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The profile of a namespace, in the order in which a prompt shows it."""

    namespace: str
    lines: tuple[ProfileLine, ...]

    def __iter__(self) -> Iterator[ProfileLine]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    def __str__(self) -> str:
        return "\n".join(line.text for line in self.lines)
