"""What is on the table while one prompt is made, and the prompt before it is laid out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from libravdb.core.assembly.already_shown import History, Past, Seen, turn_name
from libravdb.core.assembly.budget import Scale
from libravdb.core.assembly.covered_turns import coverage_of, places_of
from libravdb.core.assembly.render import show_today
from libravdb.core.assembly.selection import Choice
from libravdb.core.assembly.settings import AssemblySettings, Shares
from libravdb.model import AssemblyMode, LedgerLine, LeftOut, Material, ProfileLine, Record, SectionKind, Tail


@dataclass(slots=True, kw_only=True)
class AssemblyContext:
    """What is on the table while one prompt is made.

    `marks` are what the places of the conversation are known by, later too: the id of a turn, or its words and how
    often they came before. `held` is the place at which the tail began in the prompt before, if it is still there.
    """

    material: Material
    settings: AssemblySettings
    scale: Scale
    history: History
    seen: Seen
    pinned_tokens: int = 0
    prices: dict[int, int] = field(default_factory=dict)
    marks: tuple[str, ...] = field(init=False)
    held: int | None = field(init=False)

    def __post_init__(self) -> None:
        self.marks = tuple(_marks(self.history.past))
        before = self.material.previous
        is_held = before is not None and before.tail_start != "" and before.tail_start in self.marks
        self.held = self.marks.index(before.tail_start) if before is not None and is_held else None
        for place in self.history.places:
            self.prices[place] = self.scale.price(self.material.messages[place].content)
        if self.is_window:
            self.pinned_tokens = sum(self.prices[place] for place in self.history.pinned)

    @property
    def shares(self) -> Shares:
        return self.settings.shares(self.material.mode)

    @property
    def today(self) -> str:
        """The day that recalled memories are read on; empty when nobody told."""
        return "" if self.material.now is None else show_today(self.material.now)

    @property
    def is_window(self) -> bool:
        return self.material.mode is AssemblyMode.WINDOW

    @property
    def is_same_turn(self) -> bool:
        before = self.material.previous
        return before is not None and before.turn == turn_name(self.material)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules that stand in the prompt; `tokens` is the price of their frame, `hard_tokens` that of one with the hard
    ones alone."""

    hard: tuple[Record, ...]
    soft: tuple[Record, ...]
    pieces: tuple[str, ...]
    tokens: int
    hard_tokens: int
    room: int
    left_out: tuple[LeftOut, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfilePart:
    """The lines of the profile that stand in the prompt; `room` is what they could take."""

    lines: tuple[ProfileLine, ...] = ()
    pieces: tuple[str, ...] = ()
    tokens: int = 0
    room: int = 0
    left_out: tuple[LeftOut, ...] = ()


NO_PROFILE = ProfilePart()


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptDraft:
    """A prompt before it is laid out: frames by kind, choices, and the accounts."""

    rules: Rules
    profile: ProfilePart
    tail: Tail
    frames: Mapping[SectionKind, tuple[str, ...]]
    choices: Mapping[SectionKind, Choice]
    ledger: tuple[LedgerLine, ...]
    left_out: tuple[LeftOut, ...]
    reasons: tuple[str, ...] = ()


def tail_steps(past: Sequence[Past], tail: Tail) -> tuple[Past, ...]:
    """The steps of a conversation that stand in its tail: the task that its first bundle begins with, if that is cut,
    and all from its start on."""
    first = () if tail.task is None else (past[tail.task],)
    return (*first, *past[tail.start :])


def shown_places(past: Sequence[Past], tail: Tail, *, is_window: bool) -> frozenset[int]:
    """The places of a conversation that the model sees word for word: those of the tail, and what a host shows whose
    history is not ours to cut."""
    return frozenset(
        place
        for place, step in enumerate(past)
        if place >= tail.start or place == tail.task or (step.place is not None and not is_window)
    )


def offered_summaries(material: Material) -> str:
    """What names the summaries that there are: others are there after a fold."""
    return digest_of("\0".join(record.id for record in material.summaries)) if material.summaries else ""


def is_same_window(desk: AssemblyContext, tail: Tail, shown: Collection[int]) -> bool:
    """Whether the tail begins where it began in the prompt before, and the summaries of then still stand for all that
    is not shown: nothing was folded since, or only what is shown or what they tell."""
    before = desk.material.previous
    if before is None or not before.tail_start or before.tail_start != mark_at(desk, tail.start):
        return False
    return before.offered == offered_summaries(desk.material) or _still_stand(desk, before.summaries, shown)


def _still_stand(desk: AssemblyContext, names: Sequence[str], shown: Collection[int]) -> bool:
    """Whether these summaries are all there and no other one tells of a turn behind their first that nobody sees."""
    past, material = desk.history.past, desk.material
    known = {record.id: record for record in (*material.summaries, *material.folded_summaries)}
    if not names or any(name not in known for name in names):
        return False
    at = places_of(past)
    told = {place for name in names for place in coverage_of(known[name], past, at).places}
    first = min(told, default=0)
    others = (place for record in material.summaries for place in coverage_of(record, past, at).places)
    return all(place < first or place in told or place in shown for place in others)


def mark_at(desk: AssemblyContext, place: int) -> str:
    """What a place in the conversation is known by; empty behind the last turn."""
    return desk.marks[place] if place < len(desk.marks) else ""


def _marks(past: Sequence[Past]) -> Iterator[str]:
    said: Counter[str] = Counter()
    for step in past:
        if step.turn.id:
            yield f"id {step.turn.id}"
        else:
            words = digest_of(f"{step.turn.role}:{step.turn.text}")
            said[words] += 1
            yield f"{words}-{said[words]}"


def digest_of(text: str) -> str:
    """A short name for a text."""
    return blake2b(text.encode(errors="surrogatepass"), digest_size=8).hexdigest()
