"""What the model sees anyway: the host's messages, matched with the turns we keep, and a memory of all that is shown.

Nothing is injected that already stands in the prompt, whether it is known by its identity or by its words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256

from libravdb.core.assembly.render import ParsedFrame, parse
from libravdb.model import AssemblyMode, IncomingTurn, Material, Record, Role, SectionKind, Shown, Turn
from libravdb.model.turn_metadata import TurnMetadata, turn_behind

_CLOSING = frozenset({SectionKind.ELEVATED, SectionKind.RECALLED, SectionKind.DEGRADED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """One step of the conversation: a turn, and the place of the message that shows it, if the host shows it."""

    turn: Turn
    place: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What the host gave, told apart.

    `past` is the conversation in order, `places` the host's own messages, `pinned` those of them that are no part of
    the conversation (system prompts, the host's summaries) and always stay. `blocks` are the closing frames that an
    earlier call of the same turn put in, `closing_at` how many messages stand before them.
    """

    past: tuple[Past, ...]
    places: tuple[int, ...]
    pinned: frozenset[int]
    blocks: tuple[ParsedFrame, ...]
    closing_at: int


def read_history(material: Material) -> History:
    """Tell the host's messages from our own, and find the turns that it does not show.

    In window mode the host's list is the whole conversation, since it is ours to cut; our turns tell its messages
    their names, and stand in for them only when the host has none.
    """
    ours = {place: blocks for place, shown in enumerate(material.messages) if (blocks := parse(shown.content))}
    places = tuple(place for place in range(len(material.messages)) if place not in ours)
    pinned = frozenset(place for place in places if _is_pinned(material.messages[place]))
    talk = [place for place in places if place not in pinned]
    hidden_too = material.mode is AssemblyMode.AUGMENT or not talk
    past = _merged(material, talk, material.turns) if hidden_too else _named(material, talk)
    closing_at, blocks = _closing(material, places, ours)
    return History(past=past, places=places, pinned=pinned, blocks=blocks, closing_at=closing_at)


def _is_pinned(shown: Shown) -> bool:
    return bool(shown.said) and all(said.role is Role.SYSTEM for said in shown.said)


# ── turns and messages ────────────────────────────────────────────────────────────────────────────────────


def _merged(material: Material, talk: Sequence[int], turns: Sequence[Turn]) -> tuple[Past, ...]:
    """Both in one order: a turn that is not shown stands before the next turn that is."""
    shown_at = _matches(material.messages, talk, turns)
    ends = {place: number for number, place in shown_at.items()}
    last = max(shown_at, default=len(turns) - 1)  # what is newer than all that is shown stands behind the last match
    merged: list[Past] = []
    done = 0
    if not shown_at:
        merged.extend(Past(turn=turn) for turn in turns)
    for place in talk:
        number = ends.get(place, -1)
        if number >= 0:
            merged.extend(Past(turn=turn) for at, turn in enumerate(turns[done:number], done) if at not in shown_at)
            done = max(done, number + 1)
            merged.append(Past(turn=turns[number], place=place))
            if number == last:
                merged.extend(Past(turn=turn) for turn in turns[last + 1 :])
        else:
            merged.append(Past(turn=_turn_of(material, place), place=place))
    return tuple(merged)


def _named(material: Material, talk: Sequence[int]) -> tuple[Past, ...]:
    """The host's messages alone, each under the name of the turn that we hold of it: so a summary of it is known."""
    held = {
        place: material.turns[number] for number, place in _matches(material.messages, talk, material.turns).items()
    }
    turns = ((place, _turn_of(material, place)) for place in talk)
    return tuple(
        Past(turn=replace(turn, id=held[place].id, at=held[place].at) if place in held else turn, place=place)
        for place, turn in turns
    )


def _matches(messages: Sequence[Shown], talk: Sequence[int], turns: Sequence[Turn]) -> dict[int, int]:
    """For each turn that is shown, the place of its message: known by id, else by role and words, the newest first."""
    if not turns:
        return {}
    by_id = {turn.id: number for number, turn in enumerate(turns)}
    matched: dict[int, int] = {}
    unknown: list[tuple[int, IncomingTurn]] = []
    for place in reversed(talk):
        for said in messages[place].said:
            number = by_id.get(said.id or "", -1)
            if number >= 0 and number not in matched:
                matched[number] = place
            else:
                unknown.append((place, said))
    by_words: dict[tuple[Role, str], list[int]] = {}
    if unknown:
        for number, turn in enumerate(turns):
            if number not in matched:
                by_words.setdefault((turn.role, plain(turn.text)), []).append(number)
    for place, said in unknown:
        if same := by_words.get((said.role, plain(said.text))):
            matched[same.pop()] = place
    return matched


def _turn_of(material: Material, place: int) -> Turn:
    """A message that we do not hold (yet) as a turn."""
    shown = material.messages[place]
    said = shown.said[0] if shown.said else IncomingTurn(role=Role.USER, text=shown.content)
    return Turn(
        namespace="",
        session=material.session,
        id=said.id or "",
        role=said.role,
        text=said.text,
        at=said.at or 0,
        speaker=said.speaker,
        metadata=said.metadata,
    )


# ── our own messages ──────────────────────────────────────────────────────────────────────────────────────


def _closing(
    material: Material, places: Sequence[int], ours: dict[int, tuple[ParsedFrame, ...]]
) -> tuple[int, tuple[ParsedFrame, ...]]:
    """Where what depends on the question stands, and what of it an earlier call of this turn has put there.

    It stands before the question if the host shows that already, else where it stood, else behind all messages.
    """
    asked = next((place for place in reversed(places) if _is_asked(material.messages[place])), None)
    is_open = asked is not None and _is_prompt(material, asked) and not _is_answered(material.messages[places[-1]])
    mine = [place for place, blocks in ours.items() if any(block.kind in _CLOSING for block in blocks)]
    at = asked if is_open and asked is not None else len(material.messages)
    if not mine or not _is_same_turn(material, asked, mine[-1], is_open=is_open):
        return sum(place < at for place in places), ()
    kept = tuple(block for block in ours[mine[-1]] if block.kind in _CLOSING)
    return sum(place < mine[-1] for place in places), kept


def _is_asked(shown: Shown) -> bool:
    return any(said.role is Role.USER for said in shown.said)


def _is_answered(last: Shown) -> bool:
    """Whether a conversation that ends so waits for the next question: "ok" may be asked twice in a row."""
    return bool(last.said) and last.said[-1].role is Role.ASSISTANT


def _is_prompt(material: Material, place: int) -> bool:
    words = plain(material.prompt)
    return bool(words) and any(plain(said.text) == words for said in material.messages[place].said)


def _is_same_turn(material: Material, asked: int | None, mine: int, *, is_open: bool) -> bool:
    """Whether our message was put in for the question that is asked now: nobody has asked anything else since."""
    if material.previous is not None and material.previous.turn != turn_name(material):
        return False
    is_told = material.previous is not None and material.turn != ""
    return is_told or asked is None or asked < mine or is_open


def turn_name(material: Material) -> str:
    """What names the current turn: the host's name for it, else the question after the last turn that we hold."""
    if material.turn:
        return material.turn
    last = material.turns[-1].id if material.turns else ""
    return sha256(f"{last}\0{material.prompt}".encode(errors="surrogatepass")).hexdigest()[:16]


# ── what is shown ─────────────────────────────────────────────────────────────────────────────────────────


def plain(text: str) -> str:
    """A text as its words: spaces and line breaks do not tell two apart."""
    return _known_plain(text) if len(text) <= _SHORT else _plain(text)


def _plain(text: str) -> str:
    words = " ".join(text.split())
    return text if words == text else words  # what is remembered twice is held once


_MARKS = str.maketrans(dict.fromkeys(".,;:!…\"'“”„‘’«»()[]{}*_。，！、；：", " "))


def words_of(text: str) -> str:
    """A text as its words alone: neither case nor marks nor spaces tell two apart. A question is no statement, and
    what has no words is what it is."""
    return _known_words(text) if len(text) <= _SHORT else _words(text)


def _words(text: str) -> str:
    return " ".join(text.casefold().translate(_MARKS).split()) or _plain(text)


_SHORT = 2_000  # characters of a text that is remembered: the turns of a session are looked at for each of its prompts
_known_plain = lru_cache(maxsize=4_096)(_plain)
_known_words = lru_cache(maxsize=2_048)(_words)


def forget_shown() -> None:
    """Let go of the texts that were looked at before."""
    _known_plain.cache_clear()
    _known_words.cache_clear()


@dataclass(slots=True)
class Seen:
    """All that stands in the prompt so far, by identity and by words, with where it stands."""

    session: str
    turns: dict[tuple[str, str], str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)

    def add_turn(self, turn: Turn, where: str) -> None:
        """Note a turn of this session."""
        if turn.id:
            self.turns.setdefault((self.session, turn.id), where)
        self.add_text(turn.text, where)

    def add_text(self, text: str, where: str) -> None:
        """Note a text."""
        if words := words_of(text):
            self.words.setdefault(words, where)

    def add_record(self, record: Record, where: str) -> None:
        """Note a memory."""
        for identity in identities(record):
            self.turns.setdefault(identity, where)
        self.add_text(record.text, where)

    def find(self, record: Record) -> str:
        """Where a memory stands already; empty when it does not."""
        turn = turn_behind(record)  # of an excerpt too: whoever sees the turn sees it
        known = identities(record) if turn is None else (turn, *identities(record))
        found = (self.turns.get(identity, "") for identity in known)
        return next((where for where in found if where), "") or self.find_text(record.text)

    def find_text(self, text: str) -> str:
        """Where the same words stand already; empty when they do not."""
        return self.words.get(words_of(text), "")

    def holds(self, session: str, id: str) -> bool:
        """Whether a turn stands there."""
        return (session, id) in self.turns


def identities(record: Record) -> tuple[tuple[str, str], ...]:
    """What a record is known by: the turn it came from, and its own id in its collection. A sentence of a turn does not
    stand for the turn."""
    turn = None if TurnMetadata.of(record).is_excerpt else turn_behind(record)
    own = record.collection, record.id
    return (own,) if turn is None else (turn, own)
