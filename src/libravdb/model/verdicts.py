"""What the gate decides, and by what."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from libravdb.model.attributes import StatedAttribute
from libravdb.model.guidance import Wish
from libravdb.model.records import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Firing:
    """A detector of the gate that found something: the pieces of text it recognised are its evidence."""

    signal: str
    weight: float
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Is a turn worth keeping beyond its session? Every part of the score, the veto if there is one, and why.

    `novelty` is H, `frequency` F, `saturation` S, `repetition` R, `technical` T, `load` Dnl, `specificity` P,
    `action` A, `detail` Dtech, `conversational` Gconv, `engineering` Gtech, `score` G. `veto` is a name, or empty.
    `admission` names what is worth keeping whatever the score: an update, an explicit request, a fact of its own.
    """

    score: float
    threshold: float
    novelty: float
    frequency: float
    saturation: float
    repetition: float
    technical: float
    load: float
    specificity: float
    action: float
    detail: float
    conversational: float
    engineering: float
    veto: str
    reasons: tuple[str, ...]
    admission: str = ""

    @property
    def is_admitted(self) -> bool:
        """True when the score reaches the threshold, or a named reason admits it, and nothing forbids it."""
        return not self.veto and (self.score >= self.threshold or bool(self.admission))

    def words(self) -> str:
        """The verdict in one sentence: what became of the turn, its score, and the veto if there is one."""
        if self.veto:
            return f"not kept: {self.veto} (score {self.score:.2f}, threshold {self.threshold:.2f})"
        if self.admission:
            return f"kept: {self.admission} (score {self.score:.2f}, threshold {self.threshold:.2f})"
        if self.is_admitted:
            return f"kept: score {self.score:.2f} reaches {self.threshold:.2f}"
        return f"not kept: score {self.score:.2f} is below {self.threshold:.2f}"


def admission_in(words: str) -> str:
    """What admitted a turn whatever its score, by the words of its verdict; empty where its score did, or nothing."""
    told = _ADMITTED.fullmatch(words)
    return "" if told is None else told[1]


_ADMITTED = re.compile(r"kept: (.+) \(score -?[0-9.]+, threshold -?[0-9.]+\)", re.DOTALL)


class Kin(StrEnum):
    """How a new statement stands to a remembered one."""

    SAME = "same"
    SUPERSEDES = "supersedes"
    DISTINCT = "distinct"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kinship:
    """What a new statement is to a remembered one, and why."""

    kin: Kin
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A verdict, the memory that says the same already, those that it makes outdated, what it states, and
    the standing wishes to the agent in it."""

    verdict: Verdict
    same: Record | None = None
    outdated: tuple[Record, ...] = ()
    attributes: tuple[StatedAttribute, ...] = ()
    wishes: tuple[Wish, ...] = ()
