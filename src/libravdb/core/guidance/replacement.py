"""Which kept wishes a new one takes the place of: the newest wish of a topic counts."""

from __future__ import annotations

from collections.abc import Iterable

from libravdb.model import Wish, WishReach
from libravdb.model.turn_metadata import TurnMetadata

MANY = frozenset("times format sources disclaimers smalltalk confirmation code privacy reminders diet images".split())
"""Topics on which several wishes hold side by side: no calls before nine, and none on Sundays. There one replaces
another only if it says something of the same."""

KEPT = frozenset("confirmation code privacy reminders".split())
"""Those of them on which two wishes of one form are about two things: only what takes an older one back replaces it."""

ALIKE = 0.5
"""Share of common words from which two wishes without a common topic are about the same."""

UNDONE = 0.25
"""The same where the newer one says that it takes something back."""

ROOT = 4
"""Letters from which a stem may be the beginning of another."""

_IDLE = frozenset(
    "please pleas always alway never answer use me my you i don't do not now on from any more again to the for and"
    " with in as every"
    " time is are was be of out it that this a an your just only can give imm immer nie bitte mir mich ich du die"
    " der das den"
    " ein eine und auf mit für ab jetzt nicht mehr gib siempr siempre nunca por favor el la los las un una que de"
    " en con me te"
    " no más partir ahora toujour toujours jamais le les une des du à avec pour ne pas tu je moi plus désormai"
    " désormais don t s ll ve re doesn isn won shouldn mustn"
    " suggest sugier sugieras recommend recomiendes propos propose proposes vorschlag vorschlagen".split()
)
"""Words that a wish on anything may have, as they are indexed."""


def replaces(new: Wish, old: TurnMetadata) -> bool:
    """Whether a new wish takes the place of a kept one: it is about the same, for the same prompts.

    On a topic of one value (language, length, emoji, …) the newest counts. On others, and without a topic, both must
    share words; a wish that takes something back needs fewer of them.
    """
    topics, before = set(new.topics), set(old.wish_topics)
    common = topics & before
    if new.parties and old.wish_parties and not set(new.parties) & set(old.wish_parties):
        return False
    share = _share(new.words, old.wish_words)
    least = UNDONE if new.is_undoing else ALIKE
    if not new.is_undoing:
        common -= KEPT
    if not common:  # of one form with other names: both hold, unless the newer one says otherwise
        return new.is_undoing and share >= ALIKE
    if new.reach is WishReach.SUBJECT or old.wish_reach != new.reach.value:
        return share >= (UNDONE if common - MANY else least)
    if common - MANY:  # all that the older one fixed is said anew, or it is taken back
        return new.is_undoing or before - MANY <= topics
    return share >= least if new.is_undoing else share > least


def _share(one: Iterable[str], other: Iterable[str]) -> float:
    """Common words among those of the shorter wish, without the words that every wish has."""
    left, right = sorted((set(one) - _IDLE, set(other) - _IDLE), key=len)
    return sum(any(_is_of_one_root(word, each) for each in right) for word in left) / len(left) if left else 0.0


def _is_of_one_root(word: str, other: str) -> bool:
    """Stems of two sentences that were not read in one language: "bilder" and "bild"."""
    short, long = sorted((word, other), key=len)
    return long == short or (len(short) >= ROOT and long.startswith(short))
