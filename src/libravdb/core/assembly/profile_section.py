"""The profile in a prompt: as many whole lines as its room holds, pinned ones and the most important first."""

from __future__ import annotations

from libravdb.core.assembly.budget import Growing, share_of
from libravdb.core.assembly.context import AssemblyContext, ProfilePart, digest_of
from libravdb.core.assembly.receipt import PROFILE_PLACE
from libravdb.core.assembly.render import FRAMES, profile_line
from libravdb.model import Item, LeftOut, ProfileLine, SectionKind, Tranche, Why

SAID_BELOW = "it was said in the conversation that stands there; it comes here when the window moves"


class ProfileOffer:
    """The lines of a profile as they would stand in one prompt; what was asked before is not worked out again."""

    def __init__(self, desk: AssemblyContext) -> None:
        self._desk = desk
        self._shown = {line.id: profile_line(line) for line in desk.material.profile}
        self._waiting = _waiting(desk)
        self._served: dict[tuple[int, frozenset[str]], ProfilePart] = {}

    def serve(self, free: int, *, is_steady: bool = False) -> ProfilePart:
        """The lines that fit `min(most, max(share·τ, min(least, τ/4)))`, in their order; none is cut.

        `is_steady`: the window stays where it was. Then lines that are only new, and said in it, wait until it moves:
        what stands behind the profile keeps its place in a provider's cache.
        """
        room = max(0, min(free, _room(self._desk)))
        waiting = self._waiting if is_steady else frozenset()
        if (room, waiting) not in self._served:
            self._served[room, waiting] = self._fitting(room, waiting)
        return self._served[room, waiting]

    def _fitting(self, room: int, waiting: frozenset[str]) -> ProfilePart:
        profile = self._desk.material.profile
        taken: set[str] = set()
        frame = _frame(self._desk)
        for line in sorted(profile, key=lambda one: not one.is_pinned):
            if line.id not in waiting and frame.price_with(self._shown[line.id]) <= room:
                frame.append(self._shown[line.id])
                taken.add(line.id)
        lines = tuple(line for line in profile if line.id in taken)
        part = self._in_order(lines)
        while part.price > room:  # a host's counter may find another order dearer
            lines = lines[:-1]
            part = self._in_order(lines)
        kept = {line.id for line in lines}
        return ProfilePart(
            lines=lines,
            pieces=part.pieces,
            tokens=part.price,
            room=room,
            left_out=tuple(
                _left(line, Why.VISIBLE, SAID_BELOW)
                if line.id in waiting
                else _left(line, Why.BUDGET, f"the profile has {room:,} tokens")
                for line in profile
                if line.id not in kept
            ),
        )

    def _in_order(self, lines: tuple[ProfileLine, ...]) -> Growing:
        frame = _frame(self._desk)
        for line in lines:
            frame.append(self._shown[line.id])
        return frame


def name_of_line(line: ProfileLine) -> str:
    """What a line is known by as it stands: another text is another line."""
    return f"{line.id} {digest_of(profile_line(line))}"


def _waiting(desk: AssemblyContext) -> frozenset[str]:
    """New lines that the conversation itself tells; none where a line that stood there has changed or is gone."""
    before = desk.material.previous
    if before is None or desk.held is None:
        return frozenset()
    since = desk.history.past[desk.held].turn.at
    named = [(name_of_line(line), line) for line in desk.material.profile]
    known = {name for name, _ in named}
    new = [line for name, line in named if name not in before.profile]
    is_told = all(line.session == desk.material.session and line.since >= since > 0 for line in new)
    is_whole = all(name in known for name in before.profile)
    return frozenset(line.id for line in new) if is_told and is_whole else frozenset()


def _room(desk: AssemblyContext) -> int:
    """What the profile may take of a budget; a share of 0 leaves it out."""
    budget, settings = desk.material.budget, desk.settings
    if not settings.profile_share:
        return 0
    least = min(settings.profile_least, budget // 4)
    return min(settings.profile_tokens, max(share_of(settings.profile_share, budget), least))


def without_profile(desk: AssemblyContext, reason: str) -> ProfilePart:
    """No line at all, since the mandatory parts alone exceed the budget."""
    return ProfilePart(left_out=tuple(_left(line, Why.DEGRADED, reason) for line in desk.material.profile))


def profile_items(desk: AssemblyContext, part: ProfilePart) -> list[Item]:
    """The account of each line."""
    return [
        Item(
            tranche=Tranche.PROFILE,
            id=line.id,
            collection=PROFILE_PLACE,
            tokens=desk.scale.price(profile_line(line)),
            score=0.0,
            breakdown={},
            reasons=_reasons(line),
        )
        for line in part.lines
    ]


def _reasons(line: ProfileLine) -> tuple[str, ...]:
    whose = f"{line.kind.value} of {line.subject}" if line.subject else line.kind.value
    marks = (("pinned", line.is_pinned), ("corrected by hand", line.is_edited))
    return (f"{whose}, from {line.source}", *(name for name, is_so in marks if is_so))


def _frame(desk: AssemblyContext) -> Growing:
    return Growing(desk.scale, FRAMES[SectionKind.PROFILE].opening, FRAMES[SectionKind.PROFILE].closing)


def _left(line: ProfileLine, why: Why, reason: str) -> LeftOut:
    return LeftOut(id=line.id, collection=PROFILE_PLACE, why=why, reason=reason)
