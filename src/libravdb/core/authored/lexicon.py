"""A language's data made ready for reading: phrases as tables, words opened into their parts, cheap first tests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from libravdb.core.authored import sentences
from libravdb.core.authored.languages.grammar import NONE, DeonticLanguage, Modal
from libravdb.model import Modality

Phrases = Mapping[str, tuple[tuple[str, ...], ...]]
"""Phrases by their first word, the longest first."""

_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_HAN_RUN = re.compile(f"[{_HAN}]+|[^{_HAN}]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenizedSentence:
    """A sentence as its language sees it: `words[i]` stands at `spans[i]` of the text; a mark is a word of one sign."""

    text: str
    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]

    def is_capital(self, i: int) -> bool:
        """Whether the word is written with a capital."""
        return self.text[self.spans[i][0]].isupper()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """A language with its tables. `triggers` can make a sentence a rule wherever they stand, `starters` only where a
    clause begins; a sentence without either is none."""

    language: DeonticLanguage
    small_talk: Phrases
    exclamations: Phrases
    leads: Phrases
    hedges: Phrases
    formulas: Phrases
    denials: Phrases
    none_of: Phrases
    identity: Phrases
    conditional: Phrases
    reckoned: Phrases
    noun_openings: Phrases
    phrasal_verbs: Phrases
    offering: Phrases
    once: Phrases
    told_when: Phrases
    every_time: Phrases
    whoever: Phrases
    asking: Phrases
    styled: Phrases
    modals: Phrases
    predicates: Phrases
    modal_of: Mapping[str, Modal]
    modality_of: Mapping[str, Modality]
    triggers: frozenset[str]
    trigger_phrases: tuple[str, ...]
    short_triggers: frozenset[str]
    personal_triggers: frozenset[str]
    formula_heads: frozenset[str]
    formula_triggers: frozenset[str]
    custom_heads: frozenset[str]
    custom_followers: frozenset[str]
    starters: frozenset[str]
    lead_words: frozenset[str]
    segmenter: re.Pattern[str] | None

    # Unions of the language's sets that are asked for at every clause.
    told: frozenset[str]
    bound: frozenset[str]
    persons: frozenset[str]
    subjects: frozenset[str]
    denying: frozenset[str]
    skipped: frozenset[str]
    modal_skipped: frozenset[str]
    frequency: frozenset[str]
    linking: frozenset[str]
    breakers: frozenset[str]
    objects: frozenset[str]
    definite: frozenset[str]
    sure_verbs: frozenset[str]
    phrase_ends: frozenset[str]
    heard: frozenset[str]
    now: frozenset[str]
    inactive: frozenset[str]
    acts: frozenset[str]
    plain: frozenset[str]
    no_new_verbs: frozenset[str]
    grammatical: frozenset[str]


def tabulate(phrases: Iterable[str]) -> Phrases:
    """Phrases by first word, longest first, so that the first match is the best one."""
    table: dict[str, list[tuple[str, ...]]] = {}
    for phrase in phrases:
        parts = tuple(phrase.split())
        table.setdefault(parts[0], []).append(parts)
    return {first: tuple(sorted(rest, key=lambda parts: (-len(parts), parts))) for first, rest in table.items()}


def find(table: Phrases, words: Sequence[str], at: int, end: int) -> bool:
    """Whether a phrase of the table stands anywhere from `at` on."""
    return bool(table) and any(words[i] in table and match(table, words, i, end) for i in range(at, end))


def match(table: Phrases, words: Sequence[str], at: int, end: int) -> int:
    """How many words from `at` on are a phrase of the table; 0 for none."""
    if at >= end or words[at] not in table:
        return 0
    for parts in table[words[at]]:
        size = len(parts)
        if at + size <= end and tuple(words[at : at + size]) == parts:
            return size
    return 0


def tells(lex: Lexicon, words: Sequence[str], i: int) -> bool:
    """Whether the word tells what somebody said; "writes to the database" are things."""
    language = lex.language
    if words[i] not in language.reporting:
        return False
    is_thing = words[i] in language.plural_nouns and i + 1 < len(words) and words[i + 1] in language.openers
    return not is_thing or (i > 0 and words[i - 1] in lex.persons)


@cache
def lexicon(language: DeonticLanguage) -> Lexicon:
    """The tables of a language, made once."""
    triggers, pairs = _triggers(language)
    return Lexicon(
        language=language,
        small_talk=tabulate(language.small_talk),
        exclamations=tabulate(language.exclamations),
        leads=tabulate(language.leads),
        hedges=tabulate(language.hedges),
        formulas=tabulate(language.formulas),
        denials=tabulate(language.denials),
        none_of=tabulate(language.none_of),
        identity=tabulate(language.identity),
        conditional=tabulate(language.conditional),
        reckoned=tabulate(language.reckoned),
        noun_openings=tabulate(language.noun_openings),
        phrasal_verbs=tabulate(language.phrasal_verbs),
        offering=tabulate(language.offering),
        once=tabulate(language.once),
        told_when=tabulate(language.told_when),
        every_time=tabulate(language.every_time),
        whoever=tabulate(language.whoever),
        asking=tabulate(language.asking),
        styled=tabulate(language.styled),
        modals=tabulate(modal.phrase for modal in language.modals),
        predicates=tabulate(language.predicates),
        modal_of={modal.phrase: modal for modal in language.modals},
        modality_of=language.formulas,
        triggers=triggers,
        trigger_phrases=pairs,
        starters=language.verbs
        | {verb.split("-")[0] for verb in language.verbs if "-" in verb}
        | language.last_verbs
        | language.stopping
        | language.prefixes
        | {phrase.split()[0] for phrase in language.phrasal_verbs}
        | {phrase.split()[0] for phrase in (*language.none_of, *language.denials)}
        | {phrase for phrase in language.identity if " " not in phrase}
        | {phrase.split()[0] for phrase in (*language.formulas, *language.styled)} - language.common
        | {
            phrase.split()[0]
            for phrase in language.whoever
            if phrase.split()[0] not in language.common or " " not in phrase
        },
        lead_words=frozenset(phrase.split()[0] for phrase in language.leads) | language.greetings,
        segmenter=None if language.is_spaced else _segmenter(language),
        **_unions(language),
    )


def _unions(language: DeonticLanguage) -> dict[str, frozenset[str]]:
    told = language.speaker | language.others | language.group
    persons = told | language.addressee
    plain = language.common | language.finite | language.greetings | language.speaker
    linking = language.openers | language.subordinators
    grammatical = (
        plain | linking | language.determiners | language.adverbs | language.people | language.elided | language.moods
    )
    followers = (
        {phrase.split()[1] for phrase in language.identity if " " in phrase} | language.conduct | language.customs
    )
    followers |= {ending.strip("'") for ending, opened in language.endings.items() if opened in followers}
    common = [phrase for phrase in language.formulas if phrase.split()[0] in language.common]
    heads = {phrase.split()[0] for phrase in common}
    elided = {head.strip("'"): opened for head, opened in language.elisions.items()}
    return {
        "formula_heads": frozenset(heads | {head for head, opened in elided.items() if opened in heads}),
        "formula_triggers": frozenset(_rarest(language, phrase) or phrase.split()[-1] for phrase in common),
        "custom_heads": language.group | {phrase.split()[0] for phrase in language.identity},
        "custom_followers": frozenset(followers),
        "told": told,
        "bound": language.group | language.addressee,
        "persons": persons,
        "subjects": language.addressee | language.people | language.nobody | language.negations,
        "denying": language.negations | language.never | {phrase.split()[0] for phrase in language.none_of},
        "skipped": language.adverbs | language.always,
        "modal_skipped": language.negations | language.adverbs | language.addressee,
        "frequency": language.never | language.always,
        "linking": linking,
        "breakers": language.subordinators | persons | language.things,
        "objects": language.determiners - language.loose,
        "definite": NONE
        if language.has_generic_articles
        else language.determiners - language.nobody - language.universal,
        "heard": language.common | language.finite | language.reporting | language.greetings,
        "phrase_ends": linking | language.common | language.determiners | language.adverbs | language.finite | persons,
        "sure_verbs": (language.verbs - language.noun_verbs - language.perfect - language.being)
        | language.mostly_verbs,
        "now": language.for_speaker | language.momentary_objects,
        "inactive": language.elided | language.being,
        "acts": language.verbs - language.being,
        "plain": plain - language.only,
        "grammatical": grammatical,
        "no_new_verbs": grammatical | language.past | language.past_forms,
        "short_triggers": language.contrasts | language.over | language.only | language.per,
        "personal_triggers": frozenset(
            modal.phrase
            for modal in language.modals
            if modal.weight in ("ability", "decree") and " " not in modal.phrase
        ),
    }


def _triggers(language: DeonticLanguage) -> tuple[frozenset[str], tuple[str, ...]]:
    """The words, and the phrases made of common words only, without which a sentence is no rule."""
    single = set(
        language.frame_words
        | language.never
        | language.always - language.only
        | language.avoiding
        | language.markers
        | language.last_verbs
    )
    pairs: set[str] = set()
    modals = [modal.phrase for modal in language.modals if modal.weight not in ("ability", "decree")]
    for phrase in (*modals, *language.predicates):
        rare = _rarest(language, phrase)
        if rare:
            single.add(rare)
        elif " " in phrase:
            pairs.add(phrase)
        else:
            single.add(phrase)
    known = (*language.leads, *language.every_time, *language.frame_phrases)
    pairs.update(phrase for phrase in known if " " in phrase)
    pairs.update(phrase for phrase in language.whoever if phrase.split()[0] in language.common and " " in phrase)
    pairs.update(ending for ending, opened in language.endings.items() if opened in language.negations)
    openings = {phrase.split()[0] for phrase in language.denials}
    single |= {head.strip("'") for head, opened in language.elisions.items() if opened in openings}
    for short, opened in language.contractions.items():
        if "'" not in short and not (language.negations | language.markers).isdisjoint(opened.split()):
            single.add(short)
    return frozenset(single), tuple(sorted(pairs))


def _rarest(language: DeonticLanguage, phrase: str) -> str:
    """The longest word of a phrase that is not a common one; "" when all are."""
    rare = [word for word in re.split(r"[ -]", phrase) if word not in language.common]
    return max(rare, key=len, default="")


def _segmenter(language: DeonticLanguage) -> re.Pattern[str]:
    """Longest known word first, else one character: enough to find cues in a script without spaces."""
    known = set(language.common | language.verbs | language.subordinators | language.openers | language.closers)
    for group in (
        language.speaker, language.addressee, language.group, language.others, language.things, language.people,
        language.relatives, language.nobody, language.question_words, language.question_ends, language.reporting,
        language.past, language.momentary, language.markers, language.never, language.always, language.negations,
        language.avoiding, language.states, language.guessed, language.praise, language.articles, language.finite,
        language.elided, language.greetings, language.status_labels, language.copulas, language.filler,
        language.compounds, language.past_marks, language.daily, language.formerly, language.holding, language.located,
        language.formerly_first,
    ):  # fmt: skip
        known |= group
    for phrases in (
        language.small_talk, language.leads, language.hedges, language.formulas, language.denials, language.none_of,
        language.identity, language.predicates, language.whoever, language.styled, language.asking,
        language.every_time, [modal.phrase for modal in language.modals],
    ):  # fmt: skip
        known.update(word for phrase in phrases for word in phrase.split())
    return re.compile("|".join(re.escape(word) for word in sorted(known, key=lambda word: (-len(word), word))) + "|.")


def open_words(lex: Lexicon, text: str, start: int, end: int) -> TokenizedSentence:
    """The words of a sentence with contractions opened ("don't" as "do", "not"), each with its place."""
    words: list[str] = []
    spans: list[tuple[int, int]] = []
    contractions = lex.language.contractions
    for found in sentences.TOKEN.finditer(text, start, min(end, start + sentences.LONGEST)):
        word = found[0]
        if word.isalpha() and lex.segmenter is None:
            word = word.lower()
            if word not in contractions:
                words.append(word)
                spans.append(found.span())
                continue
        for part, begin, stop in _open(lex, found):
            words.append(part)
            spans.append((begin, stop))
    return TokenizedSentence(text=text, words=tuple(words), spans=tuple(spans))


def _open(lex: Lexicon, found: re.Match[str]) -> Iterable[tuple[str, int, int]]:
    """The words that one token stands for; nothing for the target of a link."""
    language, (first, last) = lex.language, found.span()
    if found.lastgroup != "word":
        sign = sentences.SIGNS.get(found.lastgroup or "", sentences.MARKS.get(found[0], found[0]))
        return ((sign, first, last),) if sign else ()
    word = found[0].lower().replace("’", "'").replace("ʼ", "'")
    if word in language.contractions:
        return [(part, first, last) for part in language.contractions[word].split()]
    if "'" in word:
        return [(part, first, last) for part in _parts(language, word)]
    if language.splits_hyphens and "-" in word:
        return [(part, first, last) for part in word.split("-") if part]
    if lex.segmenter is not None and not word.isascii():
        return _segments(lex.segmenter, word, first)
    return ((word, first, last),)


def _parts(language: DeonticLanguage, word: str) -> list[str]:
    """The words that an apostrophe joins: "don't", "n'utilise"; a possessive stays as it is."""
    for ending, opened in language.endings.items():
        if word.endswith(ending) and len(word) > len(ending):
            return [word[: -len(ending)], opened]
    head, _, tail = word.partition("'")
    if head + "'" in language.elisions:
        rest = tail.split("-") if language.splits_hyphens else [tail]
        return [language.elisions[head + "'"], *(part for part in rest if part)]
    return [word]


def _segments(segmenter: re.Pattern[str], word: str, first: int) -> list[tuple[str, int, int]]:
    pieces = []
    for run in _HAN_RUN.finditer(word):
        if run[0].isascii():
            pieces.append((run[0], first + run.start(), first + run.end()))
        else:
            pieces.extend(
                (found[0], first + run.start() + found.start(), first + run.start() + found.end())
                for found in segmenter.finditer(run[0])
            )
    return pieces
