"""Norms that a whole sentence states without a command: what whoever does, where things go, what is always asked."""

from __future__ import annotations

from collections.abc import Sequence

from libravdb.core.authored.clauses import Clause, skip_leads
from libravdb.core.authored.lexicon import Lexicon, TokenizedSentence, find, match
from libravdb.core.authored.sentences import CODE
from libravdb.core.authored.stages import OBLIGATION, PROHIBITION, StageVerdict, rule


def read_norm(lex: Lexicon, sentence: TokenizedSentence, clauses: Sequence[Clause]) -> StageVerdict | None:
    """The norm that a sentence is as a whole; None when its clauses decide."""
    if not clauses or "?" in sentence.words[clauses[-1].end :]:
        return None
    words, first = sentence.words, clauses[0]
    if first.after == ":" and (found := _setting(lex, words, clauses)):
        return found
    at = first.start
    if words[at] in lex.leads:
        at = skip_leads(lex, words, at, first.end)
    if at >= first.end:
        return None
    if words[at] in lex.whoever and (found := _whoever(lex, words, clauses, at)):
        return found
    if words[at] in lex.asking and (found := _standing_request(lex, words, clauses, at)):
        return found
    return _contrasted_place(lex, words, clauses, at) if len(clauses) == 2 else None


def _whoever(lex: Lexicon, words: Sequence[str], clauses: Sequence[Clause], at: int) -> StageVerdict | None:
    """ "Whoever breaks the build fixes it", "Wer krank ist, meldet sich": what everybody does whom it concerns."""
    language = lex.language
    size = match(lex.whoever, words, at, clauses[0].end)
    if not size:
        return None
    verb = _main_verb(lex, words, clauses, at + size)
    if verb is None:
        return None
    around = (words[verb - 1], *words[verb + 1 :]) if language.denies_after_verb else words[verb - 2 : verb]
    denied = language.is_spaced and not language.negations.isdisjoint(around)
    return rule(PROHIBITION if denied else OBLIGATION, at, at + size, "what whoever it concerns does")


def _main_verb(lex: Lexicon, words: Sequence[str], clauses: Sequence[Clause], i: int) -> int | None:
    """Where the verb of the main clause stands, behind the relative clause that begins at `i`."""
    language = lex.language
    if i >= len(words):
        return None
    if not language.is_spaced:
        again = (k for k in range(i + 1, len(words) - 1) if words[k] == words[i - 1])
        return next((k for k in again if words[k + 1] not in language.guessed), None)
    if language.is_verb_last:
        if words[i] in language.finite:
            return None  # "wer hat das gemacht"
        starts = (clause.start + (words[clause.start] in language.determiners) for clause in clauses[1:3])
        return next((k for k in starts if k < len(words) and words[k] in language.norm_verbs), None)
    while i < len(words) and (words[i] in language.adverbs or words[i] in language.negations):
        i += 1
    return next((k for k in range(i + 1, len(words)) if _is_deed(lex, words, k)), None)


def _is_deed(lex: Lexicon, words: Sequence[str], i: int) -> bool:
    """Whether the word is a verb in the present, and no noun that looks like it."""
    language, word = lex.language, words[i]
    if word not in language.norm_verbs:
        return False
    if not language.takes_new_verbs:
        return word not in language.noun_verbs or words[i - 1] not in language.determiners
    if words[i - 1] in language.determiners or words[i - 1] in language.openers:
        return False
    after = words[i + 1] if i + 1 < len(words) else ""
    return (
        after in language.determiners
        or after in language.things
        or after in language.particles
        or after in language.openers
        or after in ("them", CODE)
    )


def _standing_request(lex: Lexicon, words: Sequence[str], clauses: Sequence[Clause], at: int) -> StageVerdict | None:
    """ "could you always cite the file, please": a wish for every time, however politely it is put."""
    language, end = lex.language, clauses[-1].end
    size = match(lex.asking, words, at, clauses[0].end)
    if not size or end - at - size < 2:
        return None
    if language.unfailing.isdisjoint(words[at + size : end]) and not find(lex.every_time, words, 0, end):
        return None
    verb = at + size
    while verb < end and words[verb] in lex.skipped | language.polite:
        verb += 1
    if verb >= end or words[verb] in language.perceived or words[verb] in lex.inactive:
        return None  # "could you always see the stars"
    denied = not language.negations.isdisjoint(words[at + size : at + size + 2])
    return rule(PROHIBITION if denied else OBLIGATION, at, at + size, "asked for every time")


def _setting(lex: Lexicon, words: Sequence[str], clauses: Sequence[Clause]) -> StageVerdict | None:
    """ "Indentation: four spaces, no tabs": how things are to be written, as a label and its value."""
    first = clauses[0]
    if first.after != ":" or len(clauses) < 2:
        return None
    if match(lex.styled, words, first.start, first.end) != first.end - first.start:
        return None
    rest = words[clauses[1].start : clauses[-1].end]
    if len(rest) > _VALUE or not lex.language.finite.isdisjoint(rest) or not lex.language.past.isdisjoint(rest):
        return None
    return rule(OBLIGATION, first.start, first.end, "how it is to be written")


def _contrasted_place(lex: Lexicon, words: Sequence[str], clauses: Sequence[Clause], at: int) -> StageVerdict | None:
    """ "Fixtures live in `tests/data`, never beside the module": one place, not another."""
    language = lex.language
    other = clauses[1].start
    is_never = words[other] in language.never
    if not is_never and words[other] not in language.contrasts:
        return None
    if other + 1 >= len(words) or words[other + 1] not in language.openers:
        return None
    if not lex.persons.isdisjoint(words[at : clauses[0].end]) or words[at] in lex.definite:
        return None
    verbs = language.placed if is_never or CODE in words else language.belonging
    place = next((i for i in range(at + 1, clauses[0].end) if words[i] in verbs), None)
    return None if place is None else rule(OBLIGATION, place, place + 1, "one place, not another")


_VALUE = 12  # words of a setting, at most
