"""What stands in a prompt, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from libravdb.model.assembly_mode import AssemblyMode
from libravdb.model.profile import ProfileLine
from libravdb.model.recall import Hit, SearchMode
from libravdb.model.records import Record
from libravdb.model.turns import IncomingTurn, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """Turns that belong together, from place `start` to before `end`; `reason` says what couples them."""

    start: int
    end: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """The recent part of a conversation that stays word for word: the turns from place `start` on.

    `base` is where its mandatory part begins, `base_tokens` what that costs, `tokens` what all of it costs. `is_split`
    is True when a bundle had to be cut at the boundary for the budget's sake. `task` is the place of the turn that such
    a bundle begins with, where it stands before the rest: what lies between is left out. `limit` is what it may grow to
    before it has to move.
    """

    base: int
    start: int
    base_tokens: int
    tokens: int
    is_split: bool
    reasons: tuple[str, ...]
    task: int | None = None
    limit: int = 0


class ChooseTail(Protocol):
    """The room of continuity, as assembly sees it."""

    def __call__(
        self,
        turns: Sequence[Turn],
        *,
        price: Callable[[int], int],
        tail_budget: int,
        room: Callable[[int], int],
        minimum: int,
        held: int | None,
        slack: float,
        firm: int | None,
        reserve: int,
        cut_price: Callable[[int, int], int] | None,
    ) -> Tail:
        """The tail of turns in order; `price` is that of the turns from a place on, `room` the most that all of the
        tail may take when its mandatory part takes so much, `cut_price` that of one turn and all from a later place
        on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A message that the host shows the model. `content` is all that the model reads of it, which is what it costs;
    `said` is what ingest reads in it, which is how it is known again."""

    content: str
    said: tuple[IncomingTurn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A memory in a prompt, with the score it was chosen for."""

    id: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What the next assembly of a session has to know of this one to stay stable.

    `turn` names the turn it was made for, `tail_start` the turn at which the tail begins, `elevated` and `recalled`
    what was chosen, in order,
    `summaries` and `profile` those that stood there, by name, and `offered` a digest of all summaries that there were.
    `sections` holds a digest of each piece of each section, in the order of the prompt.
    """

    turn: str
    tail_start: str = ""
    elevated: tuple[Chosen, ...] = ()
    recalled: tuple[Chosen, ...] = ()
    summaries: tuple[str, ...] = ()
    profile: tuple[str, ...] = ()
    offered: str = ""
    sections: tuple[tuple[str, ...], ...] = ()


class Why(StrEnum):
    """Why something does not stand in a prompt."""

    GATE = "gate"
    SCORE = "score"
    BUDGET = "budget"
    SUPERSEDED = "superseded"
    VISIBLE = "already visible"
    SAME_TURN = "same turn"
    DEGRADED = "degraded"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Something that does not stand in a prompt, and why; `collection` is empty for a message of the host."""

    id: str
    collection: str
    why: Why
    reason: str
    score: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """All that one assembly is made of.

    `budget` is τ in tokens. `turns` are those of the session in order; the end of it is enough. `rules` are the
    hard and soft nodes of core documents in authored order, `profile` what is known of the person, the most
    important line first, `summaries` those of the session, oldest first, and `folded_summaries` those of the prompt
    before that stand for nothing by themselves any more, because they were folded again. `elevated` and `recalled`
    are in rank order; `recovered` are raw turns that come before what was recalled, within `reserve` tokens.
    `silence` says in words why nothing of what was recalled is relevant; empty means that it is. `floor` is the
    least strength (`breakdown["strength"]`, in [0, 1]) that counts; a hit that tells none is not held against it.
    `now` is the moment of the question, in milliseconds: recalled memories are told its day. `left_out` tells what
    was refused before, for the receipt. `turn` names the current turn: calls with the same name give the same
    choice; empty takes the prompt for it. `degraded` says in words how search was reduced.
    """

    mode: AssemblyMode
    budget: int
    session: str = ""
    prompt: str = ""
    turn: str = ""
    messages: tuple[Shown, ...] = ()
    turns: tuple[Turn, ...] = ()
    rules: tuple[Record, ...] = ()
    profile: tuple[ProfileLine, ...] = ()
    summaries: tuple[Record, ...] = ()
    folded_summaries: tuple[Record, ...] = ()
    elevated: tuple[Hit, ...] = ()
    recalled: tuple[Hit, ...] = ()
    recovered: tuple[Hit, ...] = ()
    reserve: int = 0
    silence: str = ""
    floor: float = 0.0
    now: int | None = None
    left_out: tuple[LeftOut, ...] = ()
    search_mode: SearchMode = SearchMode.FULL
    degraded: str = ""
    previous: Trace | None = None
    timings: Mapping[str, float] = field(default_factory=dict)


class SectionKind(StrEnum):
    """What a part of a prompt is."""

    RULES = "rules"
    PROFILE = "profile"
    SUMMARIES = "summaries"
    GAP = "gap"
    TAIL = "tail"
    MESSAGE = "message"
    ELEVATED = "elevated"
    RECALLED = "recalled"
    DEGRADED = "degraded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of a prompt: a frame of ours, or a message of the host at `place` of its list.

    `tokens` is the price of exactly this text. What the host shows on its own account is not charged to our budget.
    """

    kind: SectionKind
    pieces: tuple[str, ...]
    tokens: int
    place: int | None = None
    is_charged: bool = True

    @property
    def text(self) -> str:
        """What the model reads."""
        return "".join(self.pieces)


class Tranche(StrEnum):
    """The claims on a budget, in the order in which they are served."""

    HOST = "host's own"
    HARD = "hard rules"
    TAIL = "mandatory tail"
    SOFT = "soft rules"
    PROFILE = "profile"
    EXTENSION = "tail extension"
    ELEVATED = "elevated"
    SUMMARIES = "summaries"
    RECALL = "recall"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerLine:
    """One claim on the budget: the most it could take, and what it took."""

    tranche: Tranche
    limit: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing that stands in a prompt, what it costs by itself, and why it is there."""

    tranche: Tranche
    id: str
    collection: str
    tokens: int
    score: float
    breakdown: Mapping[str, float]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The account of one assembly. `mode` is how it was made, `outcome` is full, partial, lexical-only or degraded.

    `tokens` is what was spent of `budget`; `host_tokens` is what the host shows on its own account. `leading_tokens` of
    the prompt are equal to the beginning of the one before. `violations` are broken invariants, and always a defect.
    `silence` says why recall had nothing to say. `shown` names what the host itself showed of the conversation: turns
    by their ids, and what has none by a digest of its words.
    """

    mode: AssemblyMode
    outcome: str
    budget: int
    tokens: int
    host_tokens: int
    leading_tokens: int
    ledger: tuple[LedgerLine, ...]
    items: tuple[Item, ...]
    left_out: tuple[LeftOut, ...]
    reasons: tuple[str, ...]
    degraded: str = ""
    timings: Mapping[str, float] = field(default_factory=dict)
    violations: tuple[str, ...] = ()
    silence: str = ""
    shown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembly:
    """A prompt as far as memory shapes it: its sections in order, with the account and the trace for the next one.

    A host gets `rules` for its system prompt, `opening` as a message before its history, `closing` as one at place
    `closing_at` among those it keeps; `kept` are their places in the list it gave. A text is empty when there is
    nothing.
    """

    mode: AssemblyMode
    budget: int
    sections: tuple[Section, ...]
    tail: Tail
    receipt: Receipt
    trace: Trace

    @property
    def tokens(self) -> int:
        """What is charged to the budget."""
        return sum(section.tokens for section in self.sections if section.is_charged)

    @property
    def is_degraded(self) -> bool:
        """True when the mandatory parts alone exceed the budget."""
        return any(section.kind is SectionKind.DEGRADED for section in self.sections)

    @property
    def kept(self) -> tuple[int, ...]:
        """The places of the host's messages that stay, in order."""
        return tuple(section.place for section in self.sections if section.place is not None)

    @property
    def rules(self) -> str:
        """The authored rules and the profile: the same bytes as long as the documents and what is known of the person
        are."""
        return self._text_of(SectionKind.RULES, SectionKind.PROFILE)

    @property
    def opening(self) -> str:
        """What stands before the host's history: summaries, what is left out, and turns that the host does not show."""
        return self._text_of(SectionKind.SUMMARIES, SectionKind.GAP, SectionKind.TAIL)

    @property
    def closing(self) -> str:
        """What depends on the question, next to it: guidance, memories, or the notice that memory is degraded."""
        return self._text_of(SectionKind.ELEVATED, SectionKind.RECALLED, SectionKind.DEGRADED)

    @property
    def closing_at(self) -> int:
        """How many of the kept messages stand before the closing text."""
        late = (SectionKind.ELEVATED, SectionKind.RECALLED, SectionKind.DEGRADED)
        before = next((i for i, section in enumerate(self.sections) if section.kind in late), len(self.sections))
        return sum(section.place is not None for section in self.sections[:before])

    @property
    def text(self) -> str:
        """The whole prompt, for a caller without messages."""
        return "".join(section.text for section in self.sections)

    def _text_of(self, *kinds: SectionKind) -> str:
        return "".join(section.text for section in self.sections if section.kind in kinds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A prompt as a host gets it.

    `rules`, with the profile behind them, belong into its system prompt, `opening` before its history, `closing` as a
    message after the first `closing_at` of the messages that stay; `kept` are their places in the list it gave. Texts
    are empty when there is nothing. `tokens` is what was spent of `budget`, `host_tokens` what the host shows on its
    own account, `leading_tokens` how much of the whole is the unchanged beginning of the prompt before. `outcome` is
    full, lexical-only or degraded, `degraded` says why in words. `receipt` names the account that explains it all.
    """

    mode: AssemblyMode
    rules: str
    opening: str
    closing: str
    closing_at: int
    kept: tuple[int, ...]
    budget: int
    tokens: int
    host_tokens: int
    leading_tokens: int
    outcome: str
    receipt: str
    degraded: str = ""

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """All of it in order, for a caller without messages of its own."""
        return self.rules + self.opening + self.closing


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """The account of a prompt: the receipt, told in words, and drawn as a bar of its budget."""

    id: str
    session: str
    prompt: str
    at: int
    receipt: Receipt
    words: tuple[str, ...]
    bar: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedSection:
    """A part of a prompt, looked at again later.

    `is_proven`: what the receipt says stood there gives the same bytes again; None where an older receipt does not tell
    the bytes of its parts. `is_chosen_again`: assembled anew as of that moment, it is the same. `tokens` is what it
    takes then. `reasons` tell what has changed since.
    """

    kind: SectionKind
    is_proven: bool | None
    is_chosen_again: bool | None
    tokens: int
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """A prompt that was assembled again as of its moment. `is_same` when all of it came out with the same bytes,
    `is_proven` when every part of it is proven; `sections` tells it part by part, `words` tell it to people. `rules`,
    `opening` and `closing` are what came out now."""

    id: str
    session: str
    prompt: str
    at: int
    is_same: bool
    is_proven: bool
    sections: tuple[ReplayedSection, ...]
    words: tuple[str, ...]
    rules: str
    opening: str
    closing: str
