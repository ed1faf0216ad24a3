"""A sentence's words to clauses, each with what may stand there: a command, a marked command, or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from libravdb.core.authored.lexicon import Lexicon, TokenizedSentence, match

MARKS = frozenset(",;:—().!?")
_STRONG = frozenset(";:—(.!?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """Words `start` to `end` between two marks ("" at the ends of the sentence)."""

    start: int
    end: int
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseSpan:
    """A clause to be judged from `at` to `end`; `words` are the whole sentence's.

    A command may stand here when the place `is_open`.
    """

    sentence: TokenizedSentence
    words: tuple[str, ...]
    lex: Lexicon
    at: int
    end: int
    clause: Clause
    is_open: bool

    def word(self, i: int) -> str:
        """The word at `i`, or "" outside the clause."""
        return self.words[i] if self.at <= i < self.end else ""


def find_clauses(sentence: TokenizedSentence, closers: frozenset[str]) -> list[Clause]:
    """The clauses of a sentence in order; a closer ("之前") ends the clause that it belongs to."""
    found: list[Clause] = []
    start, before = 0, ""
    for i, word in enumerate(sentence.words):
        if word in MARKS or word in closers:
            if start < i:
                after = word if word in MARKS else ","
                found.append(Clause(start=start, end=i, before=before, after=after))
                before = after
            else:
                before = word if word in MARKS else before
            start = i + 1
    if start < len(sentence.words):
        found.append(Clause(start=start, end=len(sentence.words), before=before, after=""))
    return found


def skip_leads(lex: Lexicon, words: Sequence[str], at: int, end: int) -> int:
    """Past what may precede any clause: "and", "please", "from now on". A command keeps its own verb."""
    while not match(lex.formulas, words, at, end) and (size := match(lex.leads, words, at, end)):
        at += size
    return at


def _points_back(lex: Lexicon, words: Sequence[str], at: int, end: int) -> bool:
    """ "The build is red, fix it": a verb that is no noun, and what was spoken of."""
    return at + 1 < end and words[at] in lex.sure_verbs and words[at + 1] in lex.language.pointing


def opens_next(lex: Lexicon, sentence: TokenizedSentence, clauses: Sequence[Clause], k: int) -> bool:
    """Whether a command may begin after clause `k`, which is an ordinary one.

    After a strong mark it may. After a comma it needs a word that calls for it (please, never, don't …), or a
    conjunction when nobody was spoken of before: "I came home, and read the paper" is a story.
    """
    if clauses[k].after in _STRONG or k + 1 >= len(clauses):
        return True
    words, following = sentence.words, clauses[k + 1]
    language = lex.language
    if words[following.start] in language.markers or match(lex.denials, words, following.start, following.end):
        return True
    at = skip_leads(lex, words, following.start, following.end)
    if at < following.end and (words[at] in language.markers or match(lex.denials, words, at, following.end)):
        return True
    if not language.polite.isdisjoint(words[following.start : at]):
        return True
    if clauses[k].after == ")":
        return False
    if _points_back(lex, words, at, following.end):
        return lex.told.isdisjoint(words[: clauses[k].end])
    return at > following.start and lex.told.isdisjoint(words[: clauses[k].end])
