"""The stages that look for what binds a subject to an action: modal verbs, predicates, constructions."""

from __future__ import annotations

from libravdb.core.authored.clauses import ClauseSpan
from libravdb.core.authored.lexicon import find, match, tells
from libravdb.core.authored.stages import (
    OBLIGATION,
    PERMISSION,
    PROHIBITION,
    Stage,
    StageVerdict,
    is_past,
    refuse,
    rule,
    skip,
)


def modal(place: ClauseSpan) -> StageVerdict | None:
    """A modal verb with a subject that it binds."""
    refused = None
    modals, words = place.lex.modals, place.words
    for i in range(place.at, place.end):
        size = match(modals, words, i, place.end) if words[i] in modals else 0
        if size:
            verdict = _judge_modal(place, i, size)
            if verdict.modality is not None:
                return verdict
            refused = refused or verdict
    return refused


def _judge_modal(place: ClauseSpan, i: int, size: int) -> StageVerdict:
    language, words = place.lex.language, place.words
    found = place.lex.modal_of[" ".join(words[i : i + size])]
    denied, verb = _denial(place, i, size)
    subject = _subject(place, i)
    asked = place.word(i + size) if place.word(i + size) in language.addressee else place.word(verb)
    if asked in language.inverted and not language.is_verb_last:
        return refuse("question")
    if verb >= place.end:
        return refuse("no action")
    if _was_once(place, i):
        return refuse("past narrative")
    reason = (
        _subordinate(place, i)
        or _wrong_subject(place, subject, found.weight, i)
        or _guess(place, subject, verb, denied=denied)
        or _misfit(place, subject, found.weight, verb, denied=denied)
    )
    if reason:
        return refuse(reason)
    modality = found.denied if denied else found.affirmed
    complement = words[verb : verb + 3]
    if modality is OBLIGATION and not language.avoiding.isdisjoint(complement):
        modality = PROHIBITION
    if modality is PERMISSION and not language.only.isdisjoint((*words[place.at : i], *words[i + size : verb])):
        modality = OBLIGATION
    cue = " ".join(words[i : i + size]) + (" (denied)" if denied else "")
    return rule(modality, i, max(verb, i + size), f"“{cue}” binds its subject")


def _was_once(place: ClauseSpan, i: int) -> bool:
    """ "Früher musste man …", "ich hätte gehen sollen", "以前…都得": what was a rule once, or was left undone."""
    language, words = place.lex.language, place.words
    if not language.formerly.isdisjoint(words[place.clause.start : place.end]) or words[0] in language.formerly_first:
        return True
    return i == place.end - 1 and not language.unreal.isdisjoint(words[place.clause.start : i])


def _denial(place: ClauseSpan, i: int, size: int) -> tuple[bool, int]:
    """Whether the modal at `i` is denied, and where its verb stands."""
    language, words = place.lex.language, place.words
    verb = i + size
    denied = False
    while verb < place.end and (words[verb] in place.lex.modal_skipped or _is_adverb(place, verb)):
        denied = denied or words[verb] in language.negations
        verb += 1
    before = words[max(place.at, i - 2) : i]
    denied = denied or not language.negations.isdisjoint(before)
    denied = denied or (i > place.at and words[place.at] in language.nobody)
    if place.word(verb) in language.being and match(place.lex.none_of, words, verb + 1, place.end):
        denied = True
    if language.is_verb_last:
        after = words[i + size : place.end]
        denied = denied or not place.lex.denying.isdisjoint(after)
        verb = place.end - 1
    return denied, min(verb, place.end)


def _is_adverb(place: ClauseSpan, i: int) -> bool:
    language, word = place.lex.language, place.words[i]
    return bool(language.adverb_endings) and word.endswith(language.adverb_endings) and word not in language.verbs


def _subject(place: ClauseSpan, i: int) -> str:
    """Whom a modal binds: speaker, reader, group, other, thing, people, noun, or nobody named."""
    language, words = place.lex.language, place.words
    before = words[place.at : i]
    after = words[i + 1] if i + 1 < place.end else ""
    if not before or (language.is_verb_last and after in language.inverted):
        before = (after,) if after in place.lex.persons else ()
    if not before:
        return ""
    near = [word for word in before if word not in language.adverbs and word not in language.negations]
    near = [word for word in near if word not in language.auxiliaries] or list(before)
    last = near[-1]
    if near[0] in language.nobody:
        return "people"
    for name in ("speaker", "addressee", "group", "others", "things"):
        if last in getattr(language, name):
            return name
    is_kin = not language.relatives.isdisjoint(near)
    if is_kin and (not language.determiners or near[0] in language.determiners or len(near) == 1):
        return "others"
    if not language.people.isdisjoint(near):
        return "people"
    return "noun"


def _subordinate(place: ClauseSpan, i: int) -> str:
    """Why the modal at `i` belongs to no main clause: "what you should do", "because it must"."""
    language, words = place.lex.language, place.words
    before = words[place.at : i]
    if not before:
        return ""
    is_relative = before[-1] in language.relative and len(before) > 1
    if is_relative or (before[-1] in language.subordinators and before[-1] not in language.things):
        return "a subordinate clause"
    persons = place.lex.persons
    for k, word in enumerate(before):
        if before[0] in language.nobody:
            return ""
        if word in persons and k > 0 and k >= len(before) - 2 and before[0] not in language.openers:
            return "a subordinate clause"
        if (
            word in language.subordinators
            and k > 0
            and (word not in language.relative or not persons.isdisjoint(before[k + 1 : k + 2]))
        ):
            return "a subordinate clause"
    return ""


def _wrong_subject(place: ClauseSpan, subject: str, weight: str, i: int) -> str:
    """Why this subject is not bound by the rule-giver."""
    language, words = place.lex.language, place.words
    is_told = i - place.at > 1 and not language.reporting.isdisjoint(words[place.at : i])
    if is_told and any(tells(place.lex, words, k) for k in range(place.at, i)):
        return "reported speech"  # "Reports must be short" are things
    if any(match(place.lex.hedges, words, k, i) for k in range(i)):
        return "an opinion, not a rule"
    if subject == "speaker":
        return "the speaker about themselves"
    if place.word(place.at) in language.partial and weight != "strong":
        return "a description"
    if subject == "others" or (subject == "noun" and _is_daily_life(place, i)):
        return "about somebody else"
    if weight == "notice" and subject != "addressee":
        return "a forecast"
    if weight != "strong" and subject == "group" and not language.momentary.isdisjoint(words):
        return "a plan of the moment"
    return _weak_misfit(place, i) if weight in ("weak", "notice") else ""


def _weak_misfit(place: ClauseSpan, i: int) -> str:
    """Why a weak modal binds nobody: it plans one day, or it is a noun, or it tells."""
    language, words = place.lex.language, place.words
    if not language.dated.isdisjoint(words):
        return "a plan of the moment"
    if i == place.at:
        return ""
    if words[i - 1] in language.future or words[i - 1] in language.openers:
        return "a plan of the moment"
    is_named = words[i - 1] in language.things or words[place.at] in language.nobody
    if words[i - 1] in place.lex.definite and not is_named:
        return "a noun, no command"
    is_past_tense = not language.past_forms.isdisjoint(words[max(place.at, i - 3) : i])
    return "past narrative" if is_past_tense else ""


def _is_daily_life(place: ClauseSpan, i: int) -> bool:
    """ "Lea must not eat nuts", "Tom has to work late": somebody's name, and what only people do."""
    language, words = place.lex.language, place.words
    if words[i - 1] in language.located:
        return False
    between = words[place.at + 1 : i]
    is_name = (
        i > place.at
        and language.negations.issuperset(between)
        and words[place.at].isalpha()
        and place.sentence.is_capital(place.at)
    )
    is_name = is_name and not words[place.at].endswith(language.plurals or ("\0",))
    is_name = is_name or words[place.at] in place.lex.definite
    return (is_name or not language.is_spaced) and not language.daily.isdisjoint(words[i + 1 : place.end])


def _guess(place: ClauseSpan, subject: str, verb: int, *, denied: bool) -> str:
    """Why the modal guesses instead of binding: "must have been", "must be kidding", "that must be the reason"."""
    language, words = place.lex.language, place.words
    word = place.word(verb)
    following = place.word(skip(place, verb + 1, language.adverbs))
    if language.past_marks and not denied and words[place.end - 1] in language.past_marks:
        return "a guess"
    if word in language.perfect and (is_past(place, following) or verb + 1 >= place.end):
        return "a guess about the past"
    if language.is_verb_last and (word in language.perfect or place.word(verb - 1) in language.past_forms):
        return "a guess about the past"
    if language.is_verb_last and find(place.lex.hedges, words, place.at, place.end):
        return "a guess"
    if word in language.holding and subject in ("noun", "things", ""):
        return "an ability, not a leave"
    is_vague = subject in ("things", "addressee", "")
    if not denied and not language.intensifiers.isdisjoint(words[max(place.at, verb - 1) : min(verb + 4, place.end)]):
        return "a guess"
    if word in language.guessed and is_vague:
        return "a guess"
    return _guess_at_being(place, subject, verb) if word in language.being else ""


def _guess_at_being(place: ClauseSpan, subject: str, verb: int) -> str:
    """Why "must be …" guesses: a mood, an age, a reason, somebody at work."""
    language, words = place.lex.language, place.words
    following = place.word(skip(place, verb + 1, language.adverbs))
    is_vague = subject in ("things", "addressee", "")
    if language.is_verb_last:
        inner = words[place.at : verb]
        is_state = is_vague and not language.states.isdisjoint(inner)
        is_state = is_state or not language.recurring.isdisjoint(inner)
        is_cause = subject == "things" and not language.indefinite.isdisjoint(inner)
        return "a guess" if is_state or is_cause else ""
    if any(match(place.lex.reckoned, words, k, place.end) for k in (verb + 1, place.end - 2)):
        return "a guess"
    if following in language.states and (is_vague or not language.momentary.isdisjoint(words) or _says_again(place)):
        return "a guess"
    if is_vague and language.gerunds and following.endswith(language.gerunds):
        return "a guess"
    if following in language.praise and following not in language.determiners:
        return "a guess"
    rest = words[verb + 1 : place.end]
    if following in language.indefinite and not language.praise.isdisjoint(rest[:4]):
        return "a guess"
    if subject in ("things", "") and (following in language.articles or following in language.determiners):
        vague = following not in language.indefinite or not language.guessed_nouns.isdisjoint(rest)
        return "a guess" if vague else ""
    return ""


def _says_again(place: ClauseSpan) -> bool:
    return not place.lex.language.recurring.isdisjoint(place.words[place.at : place.end])


def _misfit(place: ClauseSpan, subject: str, weight: str, verb: int, *, denied: bool) -> str:
    """Why a modal of this weight says something else about this subject and verb."""
    if subject == "addressee" and not denied and _is_tip(place, weight, verb):
        return "advice"
    if weight == "guess":
        return "a guess"
    if weight == "duty":
        return "" if subject == "people" else "a description"
    is_near = place.word(verb) in place.lex.inactive or place.word(verb + 1) in place.lex.language.for_speaker
    if weight == "notice" and is_near:
        return "advice"  # "you'll have to excuse me"
    if weight in ("weak", "notice"):
        return _advice(place, subject, verb, denied=denied)
    if weight in ("leave", "ability"):
        return _ability(place, subject, verb, weight, denied=denied)
    language, word = place.lex.language, place.word(verb)
    is_done = word in language.past_forms or word.endswith(language.past_endings or ("",))
    if place.word(verb - 1) in language.being and weight == "strong" and not is_done:
        return "a description"  # "the goal is to be fast"
    bound = language.verbs if denied else language.conduct
    if weight == "decree" and (subject != "addressee" or word not in bound or word in language.being):
        return "a forecast"
    return ""


def _is_tip(place: ClauseSpan, weight: str, verb: int) -> bool:
    """ "You must see that film", "you should apply!": what one enjoyed, or wishes somebody."""
    language, word = place.lex.language, place.word(verb)
    if _is_standing(place):
        return False
    is_cheer = place.words[-1] == "!"
    is_shown = word in language.enjoyed and place.word(verb + 1) in language.shown
    is_treat = is_cheer or is_shown or find(place.lex.once, place.words, verb, place.end)
    return (weight == "weak" and is_cheer) or (word in language.advised and is_treat)


def _is_somebody_able(place: ClauseSpan, verb: int) -> bool:
    """ "Marta can't do Tuesdays": one bare singular that acts is a name; all of a kind stand in the plural."""
    language, words = place.lex.language, place.words
    if not language.plurals or place.word(place.at + 1) not in place.lex.modals:
        return False
    is_name = words[place.at].isalpha() and not words[place.at].endswith(language.plurals)
    return is_name and place.word(verb) not in language.being


def _is_mere_ability(place: ClauseSpan, subject: str, verb: int, *, denied: bool) -> bool:
    """ "The cache can hold a million entries", "Marta can't do Tuesdays": nobody is given leave."""
    is_granted = not place.lex.language.grants.isdisjoint(place.words[verb : place.end])
    is_open = is_granted and (subject == "people" or (subject == "noun" and _is_done_to_many(place, verb)))
    if subject != "addressee" and not denied and not is_open:
        return True
    return subject == "noun" and (_is_definite(place) or _is_somebody_able(place, verb))


def _is_done_to_many(place: ClauseSpan, verb: int) -> bool:
    """ "Drafts can be merged without review": a leave for all of a kind."""
    language = place.lex.language
    is_passive = place.word(verb) in language.being and is_past(place, place.word(verb + 1))
    is_free = place.word(verb) in language.verbs and not language.lacking.isdisjoint(place.words[verb : place.end])
    return (is_passive or is_free) and place.word(place.at) not in language.determiners


def _advice(place: ClauseSpan, subject: str, verb: int, *, denied: bool) -> str:
    """Why "should" and "have to" only advise, plan or expect."""
    language, word = place.lex.language, place.word(verb)
    if subject in ("things", "", "noun") and word in language.outcomes:
        return "an expectation"
    if subject == "things" and not language.momentary.isdisjoint(place.words):
        return "an expectation"
    if subject in ("things", "") and not _is_bound(place, word):
        return "an expectation"
    if subject == "" and not denied:
        return "an expectation"
    if subject == "addressee" and word in language.advised and not denied and not _is_standing(place):
        return "advice"
    is_own = place.word(place.at) in language.owning and language.standing.isdisjoint(place.words)
    if subject == "noun" and is_own and word not in language.being:
        return "the speaker about themselves"
    if subject == "group" and language.takes_new_verbs and word not in language.verbs and word not in language.being:
        return "a plan of the moment"
    if subject == "group" and word in language.being and place.word(verb + 1) in language.openers:
        return "a plan of the moment"
    return ""


def _is_standing(place: ClauseSpan) -> bool:
    """ "You should always check the tyres" is meant for every time, "you should check that café" for once."""
    return not place.lex.language.always.isdisjoint(place.words[place.at : place.end])


def _is_bound(place: ClauseSpan, word: str) -> bool:
    """ "They should be short", "it should log errors": about things one makes, not "they have to move out"."""
    return word in place.lex.language.being or not place.lex.language.takes_new_verbs


def _ability(place: ClauseSpan, subject: str, verb: int, weight: str, *, denied: bool) -> str:
    """May and can permit only somebody who acts, and an act that one decides on."""
    language = place.lex.language
    word, following = place.word(verb), place.word(skip(place, verb + 1, language.adverbs))
    if weight == "ability" and _is_mere_ability(place, subject, verb, denied=denied):
        return "an ability, not a leave"
    acts = language.is_verb_last or word in language.verbs
    acts = acts or (denied and bool(language.infinitives) and word.endswith(language.infinitives))
    if weight == "leave" and subject == "addressee":
        acts = acts or (word not in language.common and word not in language.guessed)
    acts = (
        acts
        and word not in language.perceived
        and word not in language.guessed
        and (denied or weight != "ability" or word not in language.offered)
    )
    is_done_to = word in language.being and is_past(place, following)
    if subject in ("addressee", "people"):
        is_granted = word not in language.common and not language.grants.isdisjoint(place.words[verb + 1 : place.end])
        can = acts or is_granted or (denied and (is_done_to or word in place.lex.acts))
        return "" if can else "an ability, not a leave"
    if (
        subject == "noun"
        and (is_done_to or (acts and word not in language.involuntary))
        and (denied or not _is_definite(place))
    ):
        return ""
    return "a possibility"


def _is_definite(place: ClauseSpan) -> bool:
    """Whether the clause speaks of one known thing: "the warning may be ignored" describes it."""
    return place.word(place.at) in place.lex.definite


def predicate(place: ClauseSpan) -> StageVerdict | None:
    """ "… is forbidden", "… are required", "… is not allowed"."""
    language, words = place.lex.language, place.words
    predicates = place.lex.predicates
    for i in range(place.at, place.end):
        size = match(predicates, words, i, place.end) if words[i] in predicates else 0
        if not size:
            continue
        k, denied = i - 1, False
        while k >= place.at and (
            words[k] in language.negations or words[k] in language.adverbs or words[k].endswith("ly")
        ):
            denied = denied or words[k] in language.negations
            k -= 1
        if language.is_verb_last:
            k = next((j for j in range(place.at, i) if words[j] in language.copulas), -1)
            denied = not place.lex.denying.isdisjoint(words[k:i])
        if k < place.at or words[k] not in language.copulas:
            continue
        denied = denied or (k > place.at and words[k - 1] in language.negations)
        subject = _subject(place, k)
        reason = _subordinate(place, k) or _wrong_subject(place, subject, "weak", k)
        if reason:
            return refuse(reason)
        denied = denied or (words[place.at] in language.nobody)
        name = " ".join(words[i : i + size])
        affirmed, otherwise = language.predicates[name]
        if affirmed is PERMISSION and not denied and _is_definite(place) and subject == "noun":
            return refuse("a description")
        if subject in ("noun", "things") and name in language.forecasts and not _is_act(place, i + size):
            return refuse("a forecast")
        return rule(otherwise if denied else affirmed, k, i + size, f"“{name}” is said of it")
    return None


def _is_act(place: ClauseSpan, i: int) -> bool:
    return place.word(i) in place.lex.acts


def frame(place: ClauseSpan) -> StageVerdict | None:
    """A construction of the language that word lists cannot tell."""
    if not place.lex.language.frames:
        return None
    text = " ".join(place.words[place.at : place.end])
    for one in place.lex.language.frames:
        if one.cue in text and one.pattern.search(text):
            return rule(one.modality, place.at, place.end, "a custom stated as a rule")
    return None


STAGES: tuple[Stage, ...] = (modal, predicate, frame)
"""In the order in which they look at a clause."""
