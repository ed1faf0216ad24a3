"""Named reasons to keep a turn whatever its score: it was asked for, or it states a fact that is not known yet.

Novelty by meaning alone takes "My sister is called Lea" for a repetition of "My brother is called Tom". Facts are told
apart by what they state: whose attribute has which value.
"""

from __future__ import annotations

from collections.abc import Sequence

from libravdb.core.gate.parsed_turn import ParsedTurn
from libravdb.core.gate.replacement import is_known
from libravdb.core.gate.vetoes import ECHO, SECRET, Veto
from libravdb.model import AttributeKind, StatedAttribute

REQUESTED = "asked to remember it"
_WEAK = (AttributeKind.OTHER, AttributeKind.HABIT)


def find_admission(
    reading: ParsedTurn,
    stated: Sequence[StatedAttribute],
    known: Sequence[StatedAttribute],
    *,
    veto: Veto | None,
    is_enough: bool,
) -> str:
    """The reason that admits a turn by itself, in words; empty when its score decides.

    What was asked for is kept against every veto but two; a fact of its own against none, if the score is too low.
    """
    if veto is not None and veto.name in (ECHO, SECRET):
        return ""
    if is_requested(reading):
        return REQUESTED
    if veto is not None or is_enough:
        return ""
    fresh = next((one for one in stated if _is_fact(one) and not is_known(one, known)), None)
    return f"a fact of its own, {_told(fresh)}" if fresh else ""


def is_requested(reading: ParsedTurn) -> bool:
    """True when a sentence asks to keep something: "remember that …", not "can you remember when Rome fell?"."""
    return any(
        words.pattern("remember").match(sentence.text) for words in reading.languages for sentence in reading.sentences
    )


def _is_fact(one: StatedAttribute) -> bool:
    return not one.is_ended and one.kind not in _WEAK and bool(one.value)


def _told(one: StatedAttribute) -> str:
    what = " ".join(part for part in (one.subject, one.kind.value, one.name if one.name != one.subject else "") if part)
    return f"{what}: {one.value}"
