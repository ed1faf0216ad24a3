"""Which sentences are kept word for word before their cluster is folded: rules and wishes that a summary would blur.

A sentence is judged by itself, not with the turn around it. A rule is recognised by its surface. Where the surface only
hints at one, likeness to a known piece of guidance decides; a model that fails adds nothing, and nothing takes
protection away. What people wish one another is no rule to the agent, whatever its surface.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from libravdb.model import Json, Source
from libravdb.model.record_ids import guidance_id
from libravdb.model.turn_metadata import (
    EXCERPT,
    KIND,
    OWNER,
    PROVENANCE,
    ROLE,
    SESSION,
    SOURCE_TURN,
    STABILITY,
    Provenance,
    RecordKind,
)
from libravdb.text.tokens import prompt_tokens

MIN_STABILITY = 0.35
"""What the user said (.5) reaches it; what an assistant (.25) or a tool (.2) said does not."""

MIN_COSINE = 0.78
"""Likeness to a prototype from which a hint is taken for guidance."""

HINTS: dict[str, str] = {
    "english": "prefer avoid keep should must always never don't dont ensure remember stick rather only need want"
    " please stop use",
    "german": "bevorzuge lieber vermeide vermeiden behalte soll sollte sollen sollst sollten muss müssen musst immer"
    " nie niemals nur bitte achte beachte merke nutze verwende",
    "spanish": "prefiero prefiere evita evitar evite mantén mantener debe debes deben debería deberíamos siempre nunca"
    " solo sólo recuerda asegúrate usa utiliza",
    "french": "préfère préfères évite évitez éviter garde gardez doit dois doivent devrait faut toujours jamais"
    " seulement rappelle assure utilise utilisez",
}
"""Words that hint at guidance; those of Chinese, which has no spaces between words, stand by themselves."""

CHINESE_HINTS: tuple[str, ...] = tuple("应该 必须 不要 别 请 总是 永远 避免 保持 记住 优先 最好 务必 禁止 只".split())

PROTOTYPES: tuple[str, ...] = (
    "I prefer short answers.",
    "Keep the answers brief and to the point.",
    "Avoid jargon when you explain things to me.",
    "We should always run the tests before we push.",
    "Changes must be reviewed before they are merged.",
    "Use metric units, not imperial ones.",
    "I would rather get a list than a long text.",
    "Keep the existing style of the code.",
    "Do not contact me in the evening.",
    "Please write to me in German.",
    "Ask me before you delete anything.",
    "Stick to the standard library.",
    "I only want vegetarian recipes.",
    "We need to keep the interface backwards compatible.",
    "Ich bevorzuge kurze Antworten.",
    "Wir sollten vor jedem Push die Tests laufen lassen.",
    "Prefiero respuestas cortas.",
    "Deberíamos evitar dependencias nuevas.",
    "Je préfère des réponses courtes.",
    "Il faut toujours relire les changements avant de fusionner.",
    "我喜欢简短的回答。",
    "删除任何东西之前请先问我。",
)
"""Pieces of guidance that others are compared with; the engine embeds them once."""

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_HINTS = frozenset(" ".join(HINTS.values()).split())


class Reason(StrEnum):
    """Why a sentence is protected, as it is written into its shard."""

    DEONTIC = "deontic_surface"
    BOOSTER = "semantic_booster"


@dataclass(frozen=True, slots=True, kw_only=True)
class Protection:
    """Whether a sentence is protected: `reason` is None when it is not, `words` tell why in either case."""

    reason: Reason | None
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """A protected sentence as it is kept under `elevated:`, word for word."""

    id: str
    text: str
    at: int
    metadata: dict[str, Json]


def everybody(text: str) -> bool:  # noqa: ARG001 - the reader's signature
    """A reader to whom every sentence is addressed to the agent."""
    return True


def protect(
    source: Source,
    *,
    is_rule: Callable[[str], bool],
    is_addressed: Callable[[str], bool] = everybody,
    cosines: Sequence[float] = (),
) -> Protection:
    """Is this sentence to be kept word for word? `cosines` are those with the prototypes; none when there is no model.

    `δ(t) = 1 ∧ stability ≥ .35`, or a hint on the surface, the same stability and a cosine of at least .78; and it must
    be addressed to the agent.
    """
    if source.is_summary:
        return Protection(reason=None, words="a summary: its turns were looked at when they were folded")
    if not source.stability >= MIN_STABILITY:
        return Protection(reason=None, words=f"stability {source.stability:.2f} is below {MIN_STABILITY:.2f}")
    if not is_addressed(source.text):
        return Protection(reason=None, words="it is no standing wish to the agent")
    if is_rule(source.text):
        return Protection(reason=Reason.DEONTIC, words="it states a rule")
    hint = find_hint(source.text)
    if not hint:
        return Protection(reason=None, words="nothing in it reads like guidance")
    nearest = max((cosine for cosine in cosines if math.isfinite(cosine)), default=0.0)
    if nearest >= MIN_COSINE:
        return Protection(reason=Reason.BOOSTER, words=f"“{hint}”, and like a known rule ({nearest:.2f})")
    return Protection(reason=None, words=f"“{hint}”, but like no known rule ({nearest:.2f})")


def find_hint(text: str) -> str:
    """The first word that hints at guidance, or nothing."""
    for found in _WORD.finditer(text.replace("’", "'").casefold()):
        if found[0] in _HINTS:
            return found[0]
    return next((hint for hint in CHINESE_HINTS if hint in text), "")


def make_shard(source: Source, reason: Reason, *, session: str, user: str, place: int | None = None) -> Shard:
    """The shard of a protected sentence, by its place in a turn that says more. Its authority is the turn's stability:
    a user's wish outranks a tool's."""
    metadata: dict[str, Json] = {
        KIND: RecordKind.GUIDANCE.value,
        SOURCE_TURN: source.id,
        "source_turn_ts": source.at,
        "elevated_guidance": True,
        "protection_reason": reason.value,
        "authority": source.stability,
        STABILITY: source.stability,
        PROVENANCE: source.provenance or Provenance.SESSION_TURN.value,
        SESSION: session,
        OWNER: user,
        ROLE: str(source.role),
        "token_estimate": prompt_tokens(source.text),
        **({} if place is None else {EXCERPT: True}),
    }
    return Shard(id=guidance_id(session, source.id, place), text=source.text, at=source.at, metadata=metadata)
