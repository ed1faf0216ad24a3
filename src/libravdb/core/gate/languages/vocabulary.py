"""The shape of a language's words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum


class Script(StrEnum):
    """How a language is written; Han and Kana have no spaces between words."""

    LATIN = "latin"
    CYRILLIC = "cyrillic"
    HAN = "han"
    KANA = "kana"


@dataclass(frozen=True, slots=True, kw_only=True)
class GateVocabulary:
    """One language. Every field but the first three holds fragments of regular expressions, one idea each.

    The fragments are matched without regard to case, as whole words where the script has spaces, and with straight
    apostrophes. They must stay linear: no nested repetition, and gaps with a bound (`\\w+`, `.{0,20}`).
    """

    name: str
    script: Script
    common: frozenset[str]
    """Frequent small words: they tell the language, and they carry no content."""

    person: tuple[str, ...]
    """Kin, roles, pronouns of persons."""
    speaker: tuple[str, ...] = ()
    """Verbs that name the speaker by their form, where a pronoun is left out."""
    preference: tuple[str, ...]
    """Likes, dislikes, choices, diets and allergies."""
    fact: tuple[str, ...]
    """The speaker is, has, does, did or plans something; or something of the speaker's own is."""
    rule: tuple[str, ...]
    """A standing wish: it holds from now on."""
    date: tuple[str, ...]
    quantity: tuple[str, ...]
    decision: tuple[str, ...]
    """Technical: a choice of design, or what a system consists of by such a choice."""
    fix: tuple[str, ...]
    release: tuple[str, ...]
    configuration: tuple[str, ...]
    negation: tuple[str, ...]
    remember: tuple[str, ...] = ()
    """An explicit request to keep something, as a sentence begins with it."""
    change: tuple[str, ...] = ()
    """Says that something is no longer as it was: now, moved to, switched from, no longer."""

    chatter: tuple[str, ...]
    """Greetings, thanks, agreement, moods, stances, status: phrases that state nothing that lasts."""
    request: tuple[str, ...]
    """How a one-off request to the assistant begins."""
    question: tuple[str, ...]
    """How a question begins."""
    deictic: tuple[str, ...]
    """Subjects that point at the conversation itself: that, this, you."""

    _compiled: dict[str, re.Pattern[str]] = field(default_factory=dict, repr=False, compare=False)

    def pattern(self, kind: str) -> re.Pattern[str]:
        """The fragments of one kind as one expression, compiled when first asked for."""
        if kind not in self._compiled:
            self._compiled[kind] = re.compile(self._joined(kind), re.IGNORECASE)
        return self._compiled[kind]

    def _joined(self, kind: str) -> str:
        fragments: tuple[str, ...] = getattr(self, kind)
        if not fragments:
            return r"(?!)"
        joined = "|".join(fragments)
        return f"(?:{joined})" if self.script in (Script.HAN, Script.KANA) else rf"(?<![\w'])(?:{joined})(?![\w])"
