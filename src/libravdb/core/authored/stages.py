"""What the stages of the deontic reader return, and what they all ask of a clause."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from libravdb.core.authored.clauses import ClauseSpan
from libravdb.model import Modality

OBLIGATION, PROHIBITION, PERMISSION = Modality.OBLIGATION, Modality.PROHIBITION, Modality.PERMISSION


@dataclass(frozen=True, slots=True, kw_only=True)
class StageVerdict:
    """What a stage found: the modality (None: no rule), the words that decided, and why.

    A refusal that is not final lets the later stages look: "Test results must be kept" is no command, but a rule.
    """

    modality: Modality | None
    reason: str
    start: int = 0
    end: int = 0
    is_final: bool = True


Stage = Callable[[ClauseSpan], StageVerdict | None]


def rule(modality: Modality, start: int, end: int, reason: str) -> StageVerdict:
    """A rule, decided by the words from `start` to `end`."""
    return StageVerdict(modality=modality, reason=reason, start=start, end=end)


def refuse(reason: str) -> StageVerdict:
    """No rule, for good."""
    return StageVerdict(modality=None, reason=reason)


def pass_on(reason: str) -> StageVerdict:
    """No rule so far; the later stages may find one."""
    return StageVerdict(modality=None, reason=reason, is_final=False)


def skip(place: ClauseSpan, i: int, these: frozenset[str]) -> int:
    """The first word from `i` on that is none of these."""
    while i < place.end and place.words[i] in these:
        i += 1
    return i


def is_past(place: ClauseSpan, word: str) -> bool:
    """Whether the word looks like a past form or a participle."""
    language = place.lex.language
    if word in language.past_forms:
        return True
    return (
        bool(language.past_endings)
        and len(word) > 4
        and word.endswith(language.past_endings)
        and word not in language.verbs
        and word not in language.not_past
    )
