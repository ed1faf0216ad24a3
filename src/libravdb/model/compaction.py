"""What is folded into summaries."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from libravdb.model.turns import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A turn or a summary of a session's active view that may be folded.

    `level` is 0 for a turn, 1 for a summary of turns, one more than its highest source for a summary of summaries.
    `first_at` is the time of the earliest turn it stands for, `at` that of the latest. `stability` is the turn's
    `stability_weight`, `gate` its gate score if it was judged (of a summary: the mean of its turns'). `turn_count` raw
    turns from `first_turn` to `last_turn` stand behind a summary; None and empty where an older one does not tell.
    """

    id: str
    text: str
    at: int
    role: str = Role.USER
    speaker: str = ""
    level: int = 0
    first_at: int | None = None
    stability: float = 0.0
    is_echo: bool = False
    is_passing: bool = False
    gate: float | None = None
    provenance: str = ""
    turn_count: int | None = None
    first_turn: str = ""
    last_turn: str = ""

    @property
    def is_summary(self) -> bool:
        """True when it stands for other records."""
        return self.level > 0

    @property
    def since(self) -> int:
        """The time of the earliest turn in it."""
        return self.at if self.first_at is None else self.first_at


class FactKind(StrEnum):
    """What sort of thing a text names that must not get lost when it is folded."""

    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    PATH = "path"
    COMMAND = "command"
    URL = "url"
    IDENTIFIER = "identifier"
    NAME = "name"
    DECISION = "decision"
    NEGATION = "negation"
    PREFERENCE = "preference"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something named in a text: as it was written, in the form it is compared by, and which text names it first.

    `count` tells how often it is named in all of them, `label` on which day who named it first, `clause` in a few words
    what it is about, where that is known.
    """

    kind: FactKind
    text: str
    normal: str
    source: int
    count: int = 1
    label: str = ""
    clause: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryTask:
    """What a summariser is asked: texts in the order they were said, who said each (a role, or a name), and on which
    day; no days where they are not known.

    `support` holds earlier summaries that the new one may lean on; it need not be repeated. The draft should take at
    most `max_tokens` by the prompt estimator.
    """

    texts: tuple[str, ...]
    roles: tuple[str, ...]
    days: tuple[str, ...] = ()
    support: tuple[str, ...] = ()
    max_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Compacted:
    """What a compaction did: `turns_removed` left the active view, which took `tokens_before` and takes `tokens_after`.

    `facts_kept` of `facts_listed` are in the summaries or their ledgers. `reasons` tell why clusters were declined, and
    why a configured summariser did not write a summary.
    """

    did_compact: bool
    clusters_formed: int
    clusters_declined: int
    turns_removed: int
    tokens_before: int
    tokens_after: int
    summary_method: str
    mean_confidence: float
    facts_kept: int
    facts_listed: int
    summaries: tuple[str, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a summariser wrote. `confidence` is the model's own, in [0, 1], or None when it has none; `notes` say what
    was left unread or cut, `faults` what it says that its sources do not: such a draft is not used."""

    text: str
    method: str
    confidence: float | None = None
    notes: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
