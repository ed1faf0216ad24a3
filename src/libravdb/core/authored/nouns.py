"""Whether a word that is a verb and a noun is the noun where a clause begins: "Test results are in", "Step 3", "Mark".

Neighbours decide. A determiner, a name or inline code behind the word makes it a verb. A number that nothing is counted
with makes it a label, a past or third-person form makes it a subject. A bare singular behind it can be no object, so
the two are a compound: "log level", "book club".
"""

from __future__ import annotations

import re

from libravdb.core.authored.clauses import ClauseSpan
from libravdb.core.authored.lexicon import match
from libravdb.core.authored.sentences import CODE, QUOTE
from libravdb.core.authored.stages import is_past

_HASH = re.compile(r"\d|[0-9a-f]{6,}$")


def is_noun(place: ClauseSpan, verb: int) -> bool:
    """Whether the word at `verb` is the noun."""
    language = place.lex.language
    following = place.word(verb + 1)
    if following in (CODE, QUOTE):
        return False
    if match(place.lex.noun_openings, place.words, verb, place.end) or _is_quality(place, verb):
        return True
    if not language.is_spaced and following in language.compounds:
        return True
    if following in language.determiners and following not in language.partitive:
        return False
    is_pronoun = following in language.for_speaker or following in language.others or following in language.pointing
    if is_pronoun and following not in language.relative:
        return False
    return _is_compound(place, verb) or _is_subject(place, verb) or _is_title(place, verb) or _is_bare(place, verb)


def _is_quality(place: ClauseSpan, verb: int) -> bool:
    """ "Open issues by component": an adjective and a plural, sorted, and no full stop."""
    language = place.lex.language
    if place.words[verb] not in language.qualities or place.clause.after == ".":
        return False
    is_plural = place.word(verb + 1).endswith(language.plurals or ("\0",))
    return is_plural and place.word(verb + 2) in language.sorted_by


def is_finite_past(place: ClauseSpan, i: int) -> bool:
    """Whether a past form is the verb of its clause: "Commit introduced the bug", but "group related settings"."""
    language, word, after = place.lex.language, place.word(i), place.word(i + 1)
    if word in language.simple_past:
        return True
    if not is_past(place, word):
        return False
    if place.word(i - 1) in language.names:
        return True
    is_adverb = bool(language.adverb_endings) and after.endswith(language.adverb_endings)
    if is_adverb or ends_phrase(place, i + 1) or after in language.particles:
        return True
    return after in language.determiners or after in place.lex.persons


def has_own_verb(place: ClauseSpan, verb: int) -> bool:
    """ "Drive to Graz took forever": a past form in the same clause, whatever the first word is."""
    for i in range(verb + 1, place.end):
        if place.words[i] in place.lex.breakers or _opens_relative(place, verb, i):
            return False
        if i == verb + 2 and place.words[i] in place.lex.language.happened and _has_no_object(place, verb + 1):
            return True  # "Write latency dropped after the patch"
        if place.words[i] in place.lex.language.simple_past:
            return True
    return False


def _opens_relative(place: ClauseSpan, verb: int, i: int) -> bool:
    """ "Answer in the language the user wrote in": an article right behind a noun begins a clause about it."""
    determiners = place.lex.language.determiners
    if i < verb + 3 or place.words[i] not in determiners or place.words[i - 2] not in determiners:
        return False
    return place.words[i - 1] not in place.lex.grammatical


def _has_no_object(place: ClauseSpan, i: int) -> bool:
    """Whether the word before a past form is a bare singular, which nothing is done to."""
    after = place.word(i + 2)
    return _is_singular(place, i, is_last=False) and (ends_phrase(place, i + 2) and after not in ("by", "from"))


def ends_phrase(place: ClauseSpan, i: int) -> bool:
    """Whether no noun follows: "Deploy finished at noon", but "keep closed issues"."""
    word = place.word(i)
    return not word or word in place.lex.linking or word in place.lex.language.adverbs


def is_numeral(place: ClauseSpan, i: int) -> bool:
    """Whether the word counts: "5", "4f2a91c", and the letter of "plan B"."""
    word = place.word(i)
    is_letter = len(word) == 1 and word.isascii() and word.isalpha() and place.sentence.is_capital(i)
    return is_letter or any(sign.isdigit() for sign in word)


def is_label(place: ClauseSpan, verb: int) -> bool:
    """ "Turn 5", "Commit 4f2a91c", "Run 12 failed"; "return 404 for missing records" counts nothing and commands."""
    language, words = place.lex.language, place.words
    number, after = place.word(verb + 1), place.word(verb + 2)
    if words[verb] in language.counted:
        return False
    if len(number) > 1 and not number.isdigit():
        return bool(_HASH.match(number))
    if not after or any(
        after in those for those in (language.finite, language.partitive, language.conjunctions, language.months)
    ):
        return True
    return is_finite_past(place, verb + 2) or _is_third_person(place, verb + 2)


def _is_compound(place: ClauseSpan, verb: int) -> bool:
    """ "Test results", "call log of Monday": the phrase behind the word has a head that can be no object.

    A singular that is counted ("log", "night") needs an article to be one; a plural or what is not counted may be one,
    unless nothing follows that says how.
    """
    language, words = place.lex.language, place.words
    following = place.word(verb + 1)
    if following in language.partitive or following.endswith(language.participles or ("\0",)):
        return True
    end = verb + 1
    while end < place.end and words[end].isalpha() and words[end] not in place.lex.phrase_ends:
        end += 1
        if not language.is_spaced:
            break
    head, after = words[end - 1], place.word(end)
    if end == verb + 1 or head not in language.compounds or place.sentence.is_capital(end - 1):
        return False
    if following in language.compounds_of_verbs:
        return True
    is_open = not after or after in language.attributive or after.isdigit()
    if head in language.mass or (language.plurals and head.endswith(language.plurals)):
        return end == verb + 2 and is_open and not _ends_with_adverb(place)
    return words[verb] not in language.mostly_verbs and (is_open or after not in language.adverbial)


def _ends_with_adverb(place: ClauseSpan) -> bool:
    endings = place.lex.language.adverb_endings
    return bool(endings) and place.words[place.end - 1].endswith(endings)


def _is_subject(place: ClauseSpan, verb: int) -> bool:
    """Whether a verb of its own follows the word: "Deploy took an hour", "Query plans look fine"."""
    language, words = place.lex.language, place.words
    following = place.word(verb + 1)
    if is_finite_past(place, verb + 1) or _is_third_person(place, verb + 1):
        return True
    if is_past(place, following) and is_past(place, place.word(verb + 2)):
        return True  # "Order arrived broken"
    if _is_lying(place, verb + 1) or _is_deed_of_name(place, verb):
        return True
    if following in language.conjunctions:
        return place.word(verb + 2) not in language.verbs
    if following in language.relative and place.word(verb + 2) in language.finite:
        return True  # "reply that is warm"
    for i in range(verb + 1, place.end):
        if words[i] in place.lex.breakers or _opens_relative(place, verb, i):
            return False
        if words[i] in language.finite or words[i] in language.simple_past:
            return True
        if i > verb + 1 and (_is_third_person(place, i) or _is_plural_verb(place, i) or _is_past_verb(place, i)):
            return True
    return is_past(place, words[place.end - 1]) and place.end - verb > 3 and following in place.lex.linking


def _is_lying(place: ClauseSpan, i: int) -> bool:
    """ "Report due on Monday", "Zip code missing", but "missing records": how the thing stands."""
    return place.word(i) in place.lex.language.lying and ends_phrase(place, i + 1)


def _is_plural_verb(place: ClauseSpan, i: int) -> bool:
    """ "Push notifications arrive late": the verb of a plural subject."""
    language, before = place.lex.language, place.word(i - 1)
    if not language.plurals or not before.endswith(language.plurals):
        return False
    return place.words[i] in language.happening or place.words[i] in language.verbs - language.noun_verbs


def _is_past_verb(place: ClauseSpan, i: int) -> bool:
    """ "Record profits surprised everyone"; what a preposition follows may belong to the noun: "errors raised by …"."""
    language, after = place.lex.language, place.word(i + 1)
    if place.words[i] in language.happened or _is_lying(place, i):
        return True
    if not is_past(place, place.words[i]):
        return False
    ends = (language.determiners, language.adverbs, language.particles, language.people, language.past)
    return not after or after in place.lex.persons or any(after in those for those in ends)


def _is_third_person(place: ClauseSpan, i: int) -> bool:
    """ "Search adds `mode`", "Output goes to": a verb with its s; a plural that could be an object is none."""
    language, word = place.lex.language, place.word(i)
    bases = (word.removesuffix(end) for end in language.third_person if word.endswith(end))
    base = next((base for base in bases if base in language.verbs or base in language.outcomes), "")
    if not base or word in language.plural_nouns:
        return False
    before, after = place.word(i - 1), place.word(i + 1)
    is_sure = base not in language.noun_verbs or before.isdigit() or word in language.third_persons
    is_sure = is_sure or (before in language.names and after not in language.attributing)
    return is_sure or after in language.determiners or after == CODE


def _is_deed_of_name(place: ClauseSpan, verb: int) -> bool:
    """ "Bill owes me ten euros": a name, a verb with its s that we need not know, and whom it is done to."""
    language, following = place.lex.language, place.word(verb + 1)
    if place.words[verb] not in language.names or not following.endswith(language.third_person):
        return False
    after = place.word(verb + 2)
    return after in place.lex.persons or after in language.determiners


def _is_title(place: ClauseSpan, verb: int) -> bool:
    """ "Release Checklist": every word with a capital, and no full stop."""
    language, sentence = place.lex.language, place.sentence
    if not language.has_title_case or place.words[verb] in language.mostly_verbs or place.clause.after == ".":
        return False
    return all(sentence.is_capital(i) for i in range(verb, place.end)) and place.clause.before == ""


def _is_bare(place: ClauseSpan, verb: int) -> bool:
    """ "Log level: info", "Book fair in Leipzig", "Firma digital": one bare singular follows, which is no object."""
    language, words = place.lex.language, place.words
    following = place.word(verb + 1)
    if language.needs_articles:
        return (
            following.isalpha() and following not in place.lex.grammatical and not place.sentence.is_capital(verb + 1)
        )
    if place.clause.after == ":" and words[place.end + 1 : place.end + 2] and words[place.end + 1][0].isdigit():
        return True  # "Charge on my card: 12.99"
    is_noun_first = words[verb] in language.mostly_nouns
    is_sentence = place.clause.after == "." and not is_noun_first
    if not language.plurals or words[verb] in language.mostly_verbs or is_sentence:
        return False
    end = verb + 1
    while end < place.end and words[end].isalpha() and words[end] not in place.lex.phrase_ends:
        end += 1
    after = place.word(end)
    if is_noun_first and (end == verb + 1 or (not after and place.clause.after != ".")):
        return following not in language.things  # "Key takeaways", "Team of five"
    if end == verb + 1 or (after and after not in language.attributive and after not in language.placing):
        return False
    return _is_singular(place, end - 1, is_last=not after)


def _is_singular(place: ClauseSpan, i: int, *, is_last: bool) -> bool:
    """Whether a word is a singular noun and no name, no adverb, nothing that is not counted."""
    language, word = place.lex.language, place.words[i]
    if place.sentence.is_capital(i) or word in language.mass or word in language.things:
        return False
    if word.endswith(language.adverb_endings or ("\0",)) or (is_last and word.endswith(language.gerunds or ("\0",))):
        return False
    return not word.endswith(language.plurals) or word.endswith(language.not_plurals or ("\0",))
