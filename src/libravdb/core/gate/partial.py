"""What of an outdated memory still holds: one turn may state a home and an allergy, and only the home has changed."""

from __future__ import annotations

from functools import lru_cache

from libravdb.core.gate.attributes import read_attributes
from libravdb.core.gate.parsed_turn import read
from libravdb.core.gate.replacement import replaces
from libravdb.core.gate.substance import find_substance
from libravdb.core.gate.supersession import relate
from libravdb.model import AttributeKind, Kin, StatedAttribute
from libravdb.text.sentences import sentences

_CERTAIN = 1.0  # a cosine that hides nothing: words decide


@lru_cache(maxsize=512)
def still_holds(new: str, old: str) -> bool:
    """True when an outdated memory also states something of which its successor says nothing."""
    told = read_attributes(new)
    stated = [one for one in read_attributes(old) if not one.is_ended]
    others = [one for one in stated if not _speaks_of(told, one)]
    if 0 < len(others) < len(stated):
        return True
    parts = [old[begin:end] for begin, end in sentences(old)]
    return len(parts) > 1 and any(
        find_substance(read(part)) and relate(new, part, _CERTAIN).kin is Kin.DISTINCT for part in parts
    )


def _speaks_of(told: tuple[StatedAttribute, ...], one: StatedAttribute) -> bool:
    return any((each.subject, each.kind) == (one.subject, one.kind) for each in told) or bool(replaces(told, (one,)))


def replaced_kinds(new: str) -> frozenset[AttributeKind]:
    """The kinds of attributes that a successor speaks of."""
    return frozenset(one.kind for one in read_attributes(new))


def forget_partials() -> None:
    """Let go of the statements that were compared before."""
    still_holds.cache_clear()
