"""The stages that look at how a clause begins: commands, fixed openings, who the reader is.

A stage returns None when it has nothing to say. A verdict without a modality is a refusal: the cue is there, but it
does not make a rule.
"""

from __future__ import annotations

import re

from libravdb.core.authored.clauses import MARKS, ClauseSpan
from libravdb.core.authored.lexicon import find, match
from libravdb.core.authored.nouns import ends_phrase, has_own_verb, is_finite_past, is_label, is_noun, is_numeral
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

_STATEMENT = re.compile(
    r"[a-z]+ +(?:[\w.]+=\S|--?[a-zA-Z]\w*\b)|import +[\w.]+(?: +as +\w+$|(?:, *[\w.]+)+$|.* from +[\"'])", re.ASCII
)
"""An assignment, an option or a list of modules right behind the first word."""


def small_talk(place: ClauseSpan) -> StageVerdict | None:
    """Thanks, greetings, idioms: "never mind", "no worries"."""
    size = match(place.lex.small_talk, place.words, place.at, place.end)
    alone = match(place.lex.exclamations, place.words, place.at, place.end)
    size = alone if alone == place.end - place.at else size
    if not size or match(place.lex.formulas, place.words, place.at, place.end) > size:
        return None
    if not place.lex.language.standing_leads.isdisjoint(place.words[: place.at]):
        return None  # "désormais, envoie-moi le diff"
    return refuse("small talk")


def formula(place: ClauseSpan) -> StageVerdict | None:
    """A fixed opening that makes a rule of what follows: "make sure", "I want you to", "it is fine to"."""
    size = match(place.lex.formulas, place.words, place.at, place.end)
    if not size:
        return None
    if not place.is_open and place.words[place.at] in place.lex.language.verbs and not _is_led(place):
        return None
    if _is_dated(place):
        return refuse("a request of the moment")
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
    if _is_dated(place) and words[at] not in language.never:
        return refuse("a request of the moment")
    cue = " ".join(words[at : at + size])
    is_only = not language.restricting.isdisjoint(words[verb : place.end])
    is_only = is_only and language.negations.isdisjoint(words[at + size : place.end])
    modality = OBLIGATION if is_only else PROHIBITION
    return rule(modality, at, at + size, f"“{cue}” at the head of a command")


def _may_be_verb(place: ClauseSpan, i: int) -> bool:
    language = place.lex.language
    word = place.word(i)
    if word in language.verbs or word in language.last_verbs or place.word(place.end - 1) in language.last_verbs:
        return True
    if language.is_verb_last and place.word(place.end - 1).endswith("ieren"):
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
    if is_numeral(place, verb + 1) and is_label(place, verb):
        return pass_on("a noun, no command")
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
    if _is_told(place, verb):
        return "past narrative"
    if not _is_verb(place, verb):
        return "" if _is_new_verb(place, verb, is_marked=is_marked) else None
    if not following:
        # One word alone ("Continue.", "Test") is a title or the business of the moment.
        is_led = words[0] in language.conditions and place.clause.start > 0
        return "" if is_marked or is_led or _is_asked(place) else None
    if (following in language.negations and not language.denies_after_verb) or following in language.opposing:
        return None  # "slow but fun"
    reason = _why_statement(place, verb)
    return reason if reason or is_marked else _why_unmarked(place, verb)


def _why_statement(place: ClauseSpan, verb: int) -> str:
    """Why a verb at the head says what is or was, or cheers, also after "always" and "only"."""
    language, following = place.lex.language, place.word(verb + 1)
    if following in language.addressee and language.takes_new_verbs:
        return "the speaker about themselves"  # "Call you later"
    if following in language.finite or is_finite_past(place, verb + 1) or has_own_verb(place, verb):
        return "status line"
    return "encouragement" if _is_exhortation(place, verb) else ""


def _why_unmarked(place: ClauseSpan, verb: int) -> str:
    """Why a verb at the head of a clause, without "always" or "only" before it, is no command that stays."""
    if is_numeral(place, verb + 1) and is_label(place, verb):
        return "a noun, no command"
    if place.words[verb] in place.lex.language.noun_verbs and not _is_asked(place) and is_noun(place, verb):
        return "a noun, no command"
    if _is_code(place, verb):
        return "code"
    return "a request of the moment" if _is_for_once(place, verb) else ""


def _is_code(place: ClauseSpan, verb: int) -> bool:
    """ "UPDATE job SET state = …", "export RETRIES=5": a statement of a programming language or a shell."""
    language, (first, last) = place.lex.language, place.sentence.spans[verb]
    if _STATEMENT.match(place.sentence.text, first, place.sentence.spans[-1][1]):
        return True
    if not language.keywords or not place.sentence.text[first:last].isupper():
        return False
    spelt = (place.sentence.text[slice(*span)] for span in place.sentence.spans[verb + 1 :])
    return any(word.isupper() and word.lower() in language.keywords for word in spelt)


def _is_for_once(place: ClauseSpan, verb: int) -> bool:
    """Whether the command is a request of the moment, and done with once it is met."""
    is_pointed = _is_pointed(place, verb) or _is_given(place, verb)
    return (
        is_pointed or _is_errand(place, verb) or _is_dated(place) or _is_praised(place, verb) or _is_not_binding(place)
    )


def _is_pointed(place: ClauseSpan, verb: int) -> bool:
    """ "Fix this", "ship it": nothing but what both have before them."""
    language, words = place.lex.language, place.words
    is_alone = place.at <= 2 and place.end - verb == 2 and place.clause.after in ("", ".", ":", "!")
    return is_alone and words[verb + 1] in language.pointing and not _is_led(place)


def _is_given(place: ClauseSpan, verb: int) -> bool:
    """ "Translate to Slovene: “…”": a piece of work on a text that is given."""
    words = place.words
    is_given = place.clause.after == ":" and place.end + 1 < len(words) and words[place.end + 1] == QUOTE
    return is_given and words[verb] in place.lex.language.errands


def _is_not_binding(place: ClauseSpan) -> bool:
    """ "Bring wine if you like", "use bullets this time": it is left to the reader, or said for once."""
    lex, words = place.lex, place.words
    return find(lex.offering, words, place.at, len(words)) or find(lex.once, words, place.at, place.end)


def _is_verb(place: ClauseSpan, i: int) -> bool:
    """A verb that is known, also with a particle ("back up") or a prefix ("rate-limit", "force-push")."""
    language, word = place.lex.language, place.words[i]
    if word in language.verbs:
        return True
    prefix, _, rest = word.partition("-")
    return (prefix in language.prefixes and rest in language.verbs) or bool(
        match(place.lex.phrasal_verbs, place.words, i, place.end)
    )


def _is_told(place: ClauseSpan, verb: int) -> bool:
    """ "Read the book yesterday", "Cut the release and went home", "写了一封信": what was done."""
    language, words = place.lex.language, place.words
    if not language.past_marks.isdisjoint(words[verb + 1 : place.end]):
        return True
    if words[verb] not in language.past_alike:
        return False
    if place.word(verb + 1) in language.spoken_to or find(place.lex.told_when, words, verb, len(words)):
        return True
    return not language.past.isdisjoint(words) or any(_goes_on(place, i) for i in range(verb + 2, len(words)))


def _goes_on(place: ClauseSpan, i: int) -> bool:
    """Whether the word at `i` goes on with a story: "… and went home", "…, it finished at four"."""
    language, words = place.lex.language, place.words
    before = words[i - 1]
    if words[i] in language.simple_past and (before in place.lex.lead_words or before == ","):
        return True
    if before in language.conjunctions and is_past(place, words[i]):
        return i + 1 >= len(words) or words[i + 1] in place.lex.linking or words[i + 1] in MARKS
    is_opening = words[i - 2] in MARKS or words[i - 2] in place.lex.lead_words
    is_subject = before in place.lex.persons or before in language.things
    return is_subject and is_opening and (words[i] in language.simple_past or is_past(place, words[i]))


def _is_dated(place: ClauseSpan) -> bool:
    """ "Come over tonight", "finish it today": for one day, unless it is said of every one."""
    language, words = place.lex.language, place.words
    return not language.dated.isdisjoint(words) and (language.recurrent or language.standing).isdisjoint(words)


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


def _is_praised(place: ClauseSpan, verb: int) -> bool:
    """ "Try the soup, it's great", "try a reboot, that helped me": a tip, whose reason is that the thing is good."""
    language, words = place.lex.language, place.words
    if _was_of_use(place, is_advised=words[verb] in language.advised):
        return True
    if words[verb] not in language.advised and words[verb] not in language.worn:
        return False
    after = words[place.end + 1 :]
    return (
        len(after) > 2
        and after[0] in language.things
        and after[1] in language.finite
        and not (language.praise | language.states).isdisjoint(after[2:5])
    )


def _was_of_use(place: ClauseSpan, *, is_advised: bool) -> bool:
    """ "…, that helped me yesterday", "…, I came that way last time": somebody's own experience follows."""
    language, words = place.lex.language, place.words
    after = words[place.end + 1 :]
    if place.clause.after not in (",", ";", "—") or len(after) < 2:
        return False
    is_told = not language.past.isdisjoint(after)
    if after[0] in language.things:
        return is_advised and (is_past(place, after[1]) or is_told)
    return after[0] in language.speaker and is_told


def _is_errand(place: ClauseSpan, verb: int) -> bool:
    """ "Tell me a joke", "write an essay about whales": one thing, now.

    What makes it general makes it a rule: a condition ("tell me when …"), each and every, a name in code.
    """
    language, words = place.lex.language, place.words
    if words[verb] not in language.errands or CODE in words:
        return False
    if not language.standing_leads.isdisjoint(words[: place.at]):
        return False
    following = place.word(verb + 1)
    is_now = (following in place.lex.now and place.word(verb + 2) not in language.partitive) or following.isdigit()
    is_now = is_now or (following in language.pointing and place.clause.before == "")
    is_now = is_now or _is_somebody(place, verb)
    is_denied = language.denies_after_verb and not language.negations.isdisjoint(words[verb + 1 : place.end])
    if _is_somebody(place, verb) and place.word(verb + 2) in language.relatives:
        return language.recurrent.isdisjoint(words)
    if following in language.for_speaker and place.word(verb + 2) in language.indefinite:
        return language.recurrent.isdisjoint(words)  # "write me a post, no emoji"
    return is_now and not is_denied and language.standing.isdisjoint(words)


def _is_somebody(place: ClauseSpan, verb: int) -> bool:
    """ "Give Max a hug", "tell your sister …": a person whom the reader is to turn to, once."""
    language, i = place.lex.language, verb + 1
    if place.words[verb] not in language.turned_to:
        return False
    if place.word(i + 1) in language.relatives:
        return True
    after = place.word(i + 1)
    is_name = i < place.end and place.sentence.is_capital(i) and place.word(i) not in language.common
    return is_name and (after in language.determiners or after in place.lex.persons)


def _is_exhortation(place: ClauseSpan, verb: int) -> bool:
    """ "Keep shining", "Stay strong!", "Sleep well": it cheers somebody on."""
    language, words = place.lex.language, place.words
    if words[-1] == "!" and (words[verb] in language.advised or place.word(verb + 1) in language.for_speaker):
        return not _is_asked(place) and language.recurrent.isdisjoint(words)
    if words[verb] in language.wishing and place.end - verb <= 3:
        return True
    if words[verb] in language.showing and place.end - verb <= 5:
        return place.word(skip(place, verb + 1, language.openers)) in language.shown
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
    while last > place.at + 1 and words[last] in language.polite:
        last -= 1
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
    if not language.concluding.isdisjoint((*words[place.clause.start : place.at], *words[place.end - 1 : place.end])):
        return refuse("a conclusion")  # "so no skiing this year", "no backup of course"
    rest = words[place.at + size : place.end]
    if not rest or len(rest) > 9 or not language.finite.isdisjoint(rest):
        return None
    ends = (i for i, word in enumerate(rest) if i and word in place.lex.linking)
    noun = rest[next(ends, len(rest)) - 1]
    if rest[0] in language.not_banned or noun in language.not_banned:
        return pass_on("small talk")
    first = place.at + size
    if any(
        is_past(place, words[i]) and ends_phrase(place, i + 1) for i in range(first + 1, place.end)
    ) or not language.past.isdisjoint(rest):
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
    is_custom = word in language.advised or word in language.perfect or word in language.daily
    if not language.momentary.isdisjoint(words[at : place.end]) or is_custom:
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
