"""The stages that look at how a clause begins: commands, fixed openings, who the reader is.

A stage returns None when it has nothing to say. A verdict without a modality is a refusal: the cue is there, but it
does not make a rule.
"""

from __future__ import annotations

from libravdb.core.authored.clauses import ClauseSpan
from libravdb.core.authored.lexicon import match
from libravdb.core.authored.sentences import CODE, QUOTE
from libravdb.core.authored.stages import (
    OBLIGATION,
    PROHIBITION,
    Stage,
    StageVerdict,
    is_past,
    pass_on,
    refuse,
    rule,
    skip,
)


def small_talk(place: ClauseSpan) -> StageVerdict | None:
    """Thanks, greetings, idioms: "never mind", "no worries"."""
    size = match(place.lex.small_talk, place.words, place.at, place.end)
    alone = match(place.lex.exclamations, place.words, place.at, place.end)
    size = alone if alone == place.end - place.at else size
    if not size or match(place.lex.formulas, place.words, place.at, place.end) > size:
        return None
    return refuse("small talk")


def formula(place: ClauseSpan) -> StageVerdict | None:
    """A fixed opening that makes a rule of what follows: "make sure", "I want you to", "it is fine to"."""
    size = match(place.lex.formulas, place.words, place.at, place.end)
    if not size:
        return None
    if not place.is_open and place.words[place.at] in place.lex.language.verbs and not _is_led(place):
        return None
    opening = " ".join(place.words[place.at : place.at + size])
    return rule(place.lex.modality_of[opening], place.at, place.at + size, f"opens with “{opening}”")


def denied_command(place: ClauseSpan) -> StageVerdict | None:
    """ "Don't …", "never …" at the head of a clause, followed by what may be a verb."""
    language, words = place.lex.language, place.words
    at = place.at
    size = match(place.lex.denials, words, at, place.end)
    if not size and words[at] in language.never:
        size = 1
    if not size:
        return None
    verb = skip(place, at + size, place.lex.skipped)
    if verb >= place.end:
        return refuse("no action after the negation")
    if words[verb] in language.elided and words[at] not in language.never:
        return refuse("the speaker about themselves")
    if is_past(place, words[verb]):
        return refuse("past narrative")
    if not _may_be_verb(place, verb):
        return None
    cue = " ".join(words[at : at + size])
    return rule(PROHIBITION, at, at + size, f"“{cue}” at the head of a command")


def _may_be_verb(place: ClauseSpan, i: int) -> bool:
    language = place.lex.language
    word = place.word(i)
    if word in language.verbs or word in language.last_verbs or place.word(place.end - 1) in language.last_verbs:
        return True
    if not language.takes_new_verbs or word in language.common or word in language.determiners:
        return False
    other_forms = language.gerunds + language.adverb_endings
    return word not in (CODE, QUOTE) and not word.endswith(other_forms) and not word[:1].isdigit()


def command(place: ClauseSpan) -> StageVerdict | None:
    """A verb in its commanding form at the head of a clause that may hold a command."""
    language, words = place.lex.language, place.words
    if not place.is_open:
        return None
    at = skip(place, place.at, language.always)
    verb = at
    if verb >= place.end:
        return None
    is_marked = at > place.at
    if words[verb] in language.stopping:
        return _stop(place, verb)
    if words[verb] in language.avoiding:
        return rule(PROHIBITION, verb, verb + 1, f"“{words[verb]}” at the head of a command")
    refused = _no_command(place, verb, is_marked=is_marked)
    if refused:
        return pass_on(refused)
    if refused is None:
        return None
    modality = OBLIGATION
    if language.denies_after_verb and not language.negations.isdisjoint(words[verb + 1 : place.end]):
        modality = PROHIBITION
    return rule(modality, place.at, verb + 1, f"“{words[verb]}” as a command")


def _stop(place: ClauseSpan, verb: int) -> StageVerdict | None:
    """ "Stop doing" forbids, "stop the server" commands."""
    following = place.word(verb + 1)
    if following.endswith(place.lex.language.gerunds) or following in place.lex.language.openers:
        return rule(PROHIBITION, verb, verb + 1, f"“{place.words[verb]}” before an activity")
    if not following or is_past(place, following) or following in place.lex.language.finite:
        return pass_on("status line")
    return rule(OBLIGATION, verb, verb + 1, f"“{place.words[verb]}” as a command")


def _no_command(place: ClauseSpan, verb: int, *, is_marked: bool) -> str | None:
    """Why the word at `verb` is no command: "" when it is one, None when it is simply no verb."""
    language, words = place.lex.language, place.words
    word, following = words[verb], place.word(verb + 1)
    if word in language.last_verbs and following in language.addressee:
        return ""
    if word not in language.verbs:
        return "" if _is_new_verb(place, verb, is_marked=is_marked) else None
    if not following:
        # One word alone ("Continue.", "Test") is a title or the business of the moment.
        return "" if is_marked or _is_asked(place) else None
    if following in language.negations and not language.denies_after_verb:
        return None
    if word in language.past_alike and not language.past.isdisjoint(words):
        return "past narrative"
    if following in language.finite or (is_past(place, following) and _ends_phrase(place, verb + 2)):
        return "status line"
    if word in language.noun_verbs and not is_marked and _is_noun(place, verb):
        return "a noun, no command"
    if _is_exhortation(place, verb):
        return "encouragement"
    return "a request of the moment" if not is_marked and _is_errand(place, verb) else ""


def _ends_phrase(place: ClauseSpan, i: int) -> bool:
    """Whether no noun follows: "Deploy finished at noon", but "keep closed issues"."""
    word = place.word(i)
    return not word or word in place.lex.linking or word in place.lex.language.adverbs


def _is_finite(place: ClauseSpan, i: int) -> bool:
    """Whether a past form is the verb of the clause: "Commit introduced the bug", but "group related settings"."""
    language, after = place.lex.language, place.word(i + 1)
    is_adverb = bool(language.adverb_endings) and after.endswith(language.adverb_endings)
    return is_adverb or _ends_phrase(place, i + 1) or after in language.determiners


def _is_led(place: ClauseSpan) -> bool:
    return place.at > place.clause.start


def _is_asked(place: ClauseSpan) -> bool:
    return not place.lex.language.polite.isdisjoint(place.words[place.clause.start : place.at])


def _is_new_verb(place: ClauseSpan, verb: int, *, is_marked: bool) -> bool:
    """A word that we do not know commands when an object with its determiner follows: "Gzip the archive"."""
    language, words = place.lex.language, place.words
    word, following = words[verb], place.word(verb + 1)
    if not language.takes_new_verbs or not word.isalpha() or not word.isascii() or len(word) < 3:
        return False
    if word in place.lex.no_new_verbs or word.endswith(language.not_base) or place.words[-1] == "!":
        return False
    if following not in place.lex.objects or (_is_led(place) and not _is_asked(place)):
        return False
    if place.clause.before == "(":
        return False
    after = words[verb + 1 : place.end]
    return is_marked or (language.finite.isdisjoint(after) and language.past.isdisjoint(after))


def _is_noun(place: ClauseSpan, verb: int) -> bool:
    """Whether a word that is a verb and a noun is the noun here: another noun follows, then a finite verb."""
    language, words = place.lex.language, place.words
    following = place.word(verb + 1)
    if following in language.determiners or following in (CODE, QUOTE):
        return False
    if not following.isdigit() and any(sign.isdigit() for sign in following):
        return True  # "Commit 4f2a91c"
    if following in place.lex.noun_followers or (is_past(place, following) and _is_finite(place, verb + 1)):
        return True
    if _is_third_person(place, verb + 1) or (following.isdigit() and _is_third_person(place, verb + 2)):
        return True
    if following in language.conjunctions:
        return place.word(verb + 2) not in language.verbs
    if place.sentence.is_capital(verb + 1) and following not in language.common and len(words) <= 6:
        return True
    for i in range(verb + 1, place.end):
        if words[i] in place.lex.breakers:
            return False
        if words[i] in language.finite or (i > verb + 1 and _is_third_person(place, i)):
            return True
    return False


def _is_third_person(place: ClauseSpan, i: int) -> bool:
    """ "Search adds `mode`", "Output goes to": a verb with its s; a plural that could be an object is none."""
    language, word = place.lex.language, place.word(i)
    bases = (word.removesuffix(end) for end in language.third_person if word.endswith(end))
    base = next((base for base in bases if base in language.verbs or base in language.outcomes), "")
    if not base:
        return False
    after = place.word(i + 1)
    is_sure = base not in language.noun_verbs or place.word(i - 1).isdigit()
    return is_sure or after in language.determiners or after == CODE


def _is_errand(place: ClauseSpan, verb: int) -> bool:
    """ "Tell me a joke", "write an essay about whales": one thing, now.

    What makes it general makes it a rule: a condition ("tell me when …"), each and every, a name in code.
    """
    language, words = place.lex.language, place.words
    if words[verb] not in language.errands or CODE in words:
        return False
    if not language.standing_leads.isdisjoint(words[place.clause.start : place.at]):
        return False
    following = place.word(verb + 1)
    is_now = following in place.lex.now or following.isdigit()
    is_denied = language.denies_after_verb and not language.negations.isdisjoint(words[verb + 1 : place.end])
    return is_now and not is_denied and language.standing.isdisjoint(words)


def _is_exhortation(place: ClauseSpan, verb: int) -> bool:
    """ "Keep shining", "Stay strong!": it cheers somebody on."""
    language, words = place.lex.language, place.words
    if words[verb] not in language.exhorting:
        return False
    following = place.word(verb + 1)
    is_cheer = words[-1] == "!" and not _is_asked(place)
    return is_cheer or (following.endswith(language.gerunds) and following not in language.lasting)


def last_verb(place: ClauseSpan) -> StageVerdict | None:
    """An infinitive at the end commands where a language does that: "Keine Tabs verwenden."."""
    language, words = place.lex.language, place.words
    if not place.is_open or not language.last_verbs or place.end - place.at < 2:
        return None
    last = place.end - 1
    if words[last] not in language.last_verbs or words[last - 1] in language.articles:
        return None
    clause = words[place.at : last]
    if not place.lex.persons.isdisjoint(clause) or not language.finite.isdisjoint(clause):
        return None
    denied = not place.lex.denying.isdisjoint(clause)
    modality = PROHIBITION if denied or words[last] in language.avoiding else OBLIGATION
    return rule(modality, last, last + 1, f"“{words[last]}” as a command")


def bare_ban(place: ClauseSpan) -> StageVerdict | None:
    """ "No emojis.": a noun phrase that is denied, and no verb."""
    language, words = place.lex.language, place.words
    size = match(place.lex.none_of, words, place.at, place.end)
    if not size or not place.is_open:
        return None
    rest = words[place.at + size : place.end]
    if not rest or len(rest) > 9 or not language.finite.isdisjoint(rest):
        return None
    ends = (i for i, word in enumerate(rest) if i and word in place.lex.linking)
    noun = rest[next(ends, len(rest)) - 1]
    if rest[0] in language.not_banned or noun in language.not_banned:
        return refuse("small talk")
    if any(is_past(place, word) for word in rest[1:]) or not language.past.isdisjoint(rest):
        return refuse("status line")
    if not language.speaker.isdisjoint(rest):
        return refuse("small talk")
    return rule(
        PROHIBITION, place.at, place.at + size, f"“{' '.join(words[place.at : place.at + size])}” before a noun"
    )


def identity(place: ClauseSpan) -> StageVerdict | None:
    """ "You are a careful reviewer": who the reader is to be; praise is not meant."""
    language, words = place.lex.language, place.words
    size = match(place.lex.identity, words, place.at, place.end)
    if not size:
        return None
    at = place.at + size
    opening, first = words[place.at : at], place.word(at)
    named = at < place.end and place.sentence.is_capital(at) and place.sentence.is_capital(place.at) and first.isalpha()
    is_role = first in language.articles and at + 1 < place.end and not language.praise & set(words[at + 1 : at + 4])
    if not (is_role or named or first in language.traits):
        return None
    modality = PROHIBITION if not language.negations.isdisjoint(opening) else OBLIGATION
    return rule(modality, place.at, at, "says who the reader is")


def habit(place: ClauseSpan) -> StageVerdict | None:
    """ "We don't use semicolons", "You always answer in French": a custom stated as a rule."""
    language, words = place.lex.language, place.words
    if words[place.at] not in place.lex.bound:
        return None
    at = place.at + 1
    size = match(place.lex.denials, words, at, place.end)
    if not size and place.word(at) in place.lex.frequency:
        size = 1
    verb = skip(place, at + size, place.lex.skipped)
    word = place.word(verb)
    if not size:
        return _conduct(place, at)
    if word not in language.verbs or word in place.lex.inactive:
        return None
    if match(place.lex.modals, words, verb, place.end):
        return None
    if not language.momentary.isdisjoint(words[at : place.end]) or word in language.advised:
        return refuse("a plan of the moment")
    modality = OBLIGATION if words[at] in language.always else PROHIBITION
    return rule(modality, at, at + size, "a custom stated as a rule")


def _conduct(place: ClauseSpan, at: int) -> StageVerdict | None:
    """ "You answer in French", "We use tabs in every file": how the reader acts, or a custom without exception."""
    language, words = place.lex.language, place.words
    if words[place.at] in language.addressee and place.word(at) in language.conduct:
        return rule(OBLIGATION, at, at + 1, "says how the reader acts")
    is_general = not language.universal.isdisjoint(words[at : place.end])
    if words[place.at] in language.group and place.word(at) in language.customs and is_general:
        return rule(OBLIGATION, at, at + 1, "a custom stated as a rule")
    return None


STAGES: tuple[Stage, ...] = (small_talk, formula, denied_command, bare_ban, identity, habit, last_verb, command)
"""In the order in which they look at a clause."""
