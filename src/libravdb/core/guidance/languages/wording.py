"""What the reader of wishes must know of a language, as data: one value of this shape per language.

Every field is the source of a regular expression over a sentence in lower case with straight apostrophes. None of them
repeats a part that itself repeats, so that reading stays linear in the length of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # one value per language: the same is the same object
class WishWording:
    """The words by which a language says a wish, and those that only look like one."""

    code: str
    common: frozenset[str]
    """Function words: they tell the language of a sentence."""

    is_spaced: bool = True
    leads: str
    """What may stand before a wish and says nothing: greetings, "by the way", "please"."""
    forward: str
    """From now on: what makes any request of the agent a standing one."""
    habitual: str
    """Always, never, every time: the same, where the agent is the one who acts."""
    reported: str
    """Somebody else says so."""
    unreal: str
    """Imagined, past, or told of the speaker himself."""
    polite: str
    """A question that asks for something to be done."""
    exhorting: str
    """What people wish one another."""
    once: str
    """The thing at hand: this, now, the following, a text."""
    head: str
    """Where a command may begin, up to its verb."""
    verbs: str
    """What an agent does, as it is commanded."""
    speaking: str
    """Those of them that are about how it talks."""
    wanted: str
    """I want you to …: the speaker's wish, the agent's act."""
    prefers: str
    """I prefer …, up to its object."""
    not_preferred: str
    """How an object begins that is one thing, or no output of the agent."""
    second: str
    """You can, you need not, stop …ing, no need to …"""
    nominal: str
    """A wish without a verb: "no emojis", "short answers please"."""
    address: str
    """How the person is to be called."""
    not_address: str
    condition: str
    """When you …, for …, if I …: the subject of a wish."""
    agentive: str
    """Conditions in which the agent acts or is asked: when you write …, if I ask …"""
    clause: str
    """A command with any verb, behind such a condition."""
    normative: str
    """What the agent makes, and how it should be: "commit messages should …"."""
    acting: str
    """Who acts, right before a verb: then it is no command."""
    for_me: str
    """The speaker is the one whom it is done for."""
    others: str
    """Somebody else than the agent is spoken of first."""
    proposing: str
    """Verbs of the agent whose object is a subject: suggest, book, deploy."""
    subjects: str
    """What an agent is asked to make or to look for: recipes, mails, flights."""
    usual: str
    """Conditions that hold for every talk."""
    outputs: str
    """What an agent puts out: answers, emojis, code."""
    undoing: str
    """Again, not any more, forget what I said: it takes an earlier wish back."""
    meaning: str
    """When I say X, I mean Y: what a word of the speaker stands for."""
    telling: str
    """Forms that say by themselves how the agent should treat the speaker: "assume that I …", "it helps me when you …"."""
    verbless: str
    """Wishes without a verb, and about whatever the agent makes: "one step at a time", "X only", "no pork in any menu you plan"."""
    released: str
    """What is allowed again or needed no longer: "images are fine again"."""
    even: str
    """Even if …: what holds in spite of it has no condition."""
    topics: Mapping[str, str] = field(default_factory=dict)
    """What a wish may be about; two of one topic are about the same."""

    def has(self, name: str, text: str) -> bool:
        """Whether a text holds what a field describes."""
        return self.find(name, text) is not None

    def find(self, name: str, text: str) -> re.Match[str] | None:
        """The first place of a text that a field describes."""
        source = getattr(self, name)
        return _compiled(source).search(text) if source else None


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source)


def compiled(source: str) -> re.Pattern[str]:
    """A pattern, made when it is first needed: importing the package compiles none."""
    return _compiled(source)


def any_of(text: str) -> str:
    """Alternatives, written one beside the other with bars, as whole words."""
    return rf"\b(?:{_joined(text)})\b"


def within(text: str) -> str:
    """Alternatives anywhere, for a language that does not part its words."""
    return f"(?:{_joined(text)})"


def _joined(text: str) -> str:
    return "|".join(part.strip() for part in text.replace("\n", "|").split("|") if part.strip())
