"""What the deontic reader must know of a language, as data: one value of this shape per language.

Words are lower case, with straight apostrophes, as they stand after the contractions are opened ("don't" is "do not").
A phrase is words with spaces between them. A language leaves out what it does not have.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from libravdb.model import Modality

OBLIGATION, PROHIBITION, PERMISSION = Modality.OBLIGATION, Modality.PROHIBITION, Modality.PERMISSION

NONE: frozenset[str] = frozenset()


def words(text: str) -> frozenset[str]:
    """The words of a list written as prose."""
    return frozenset(text.split())


def phrases(text: str) -> frozenset[str]:
    """The phrases of a list, one per line or separated by bars."""
    return frozenset(phrase.strip() for phrase in re.split(r"[|\n]", text) if phrase.strip())


def by_modality(*, obligation: str = "", prohibition: str = "", permission: str = "") -> Mapping[str, Modality]:
    """Phrases and what each does, from one list per modality."""
    lists = ((OBLIGATION, obligation), (PROHIBITION, prohibition), (PERMISSION, permission))
    return {phrase: modality for modality, text in lists for phrase in phrases(text)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Modal:
    """A word that binds an action to a subject ("must"), and what it does when it is denied.

    `weight` says how much the subject must bear it out: a *strong* one binds anybody, a *weak* one (should, have to) is
    as often advice or a plan, a *leave* (may) is as often a guess and needs somebody who acts, an *ability* (can) needs
    the reader, a *decree* (you will) and a *notice* (you will need to) bind only the reader, a *duty* (are to) only
    people, a *guess* (debe de) nobody.
    """

    phrase: str
    affirmed: Modality
    denied: Modality
    weight: str = "strong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Construction:
    """A construction that word lists cannot tell: a pattern over the clause's words, joined by single spaces.

    A clause without the `cue` is not tried.
    """

    pattern: re.Pattern[str]
    modality: Modality
    cue: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # one value per language: the same is the same object
class DeonticLanguage:
    """The data of one language."""

    code: str
    common: frozenset[str]
    """Function words: they tell the language of a sentence, and they are no nouns."""

    # How words are written.
    is_spaced: bool = True
    splits_hyphens: bool = False
    contractions: Mapping[str, str] = field(default_factory=dict)
    endings: Mapping[str, str] = field(default_factory=dict)
    elisions: Mapping[str, str] = field(default_factory=dict)

    # Who is meant.
    speaker: frozenset[str] = NONE
    addressee: frozenset[str] = NONE
    group: frozenset[str] = NONE
    others: frozenset[str] = NONE
    things: frozenset[str] = NONE
    people: frozenset[str] = NONE
    relatives: frozenset[str] = NONE
    nobody: frozenset[str] = NONE
    owning: frozenset[str] = NONE  # "my car has to go"

    # What a sentence is when it is no rule.
    question_words: frozenset[str] = NONE
    inverters: frozenset[str] = NONE
    inverted: frozenset[str] = NONE
    question_ends: frozenset[str] = NONE
    reporting: frozenset[str] = NONE
    hedges: frozenset[str] = NONE
    small_talk: frozenset[str] = NONE
    exclamations: frozenset[str] = NONE
    status_labels: frozenset[str] = NONE
    past: frozenset[str] = NONE
    past_forms: frozenset[str] = NONE
    past_endings: tuple[str, ...] = ()
    not_past: frozenset[str] = NONE  # "hundred": not a past form, whatever its ending
    momentary: frozenset[str] = NONE

    # How clauses hang together.
    leads: frozenset[str] = NONE
    greetings: frozenset[str] = NONE
    markers: frozenset[str] = NONE
    subordinators: frozenset[str] = NONE
    conditions: frozenset[str] = NONE  # the subordinators that a command may follow without a comma
    openers: frozenset[str] = NONE
    relative: frozenset[str] = NONE
    auxiliaries: frozenset[str] = NONE
    future: frozenset[str] = NONE
    partial: frozenset[str] = NONE
    grants: frozenset[str] = NONE
    lacking: frozenset[str] = NONE  # "without"
    customs: frozenset[str] = NONE
    reckoned: frozenset[str] = NONE
    forecasts: frozenset[str] = NONE
    conjunctions: frozenset[str] = NONE
    opposing: frozenset[str] = NONE  # "slow but fun"
    concluding: frozenset[str] = NONE  # "so no skiing this year"
    closers: frozenset[str] = NONE
    polite: frozenset[str] = NONE
    partitive: frozenset[str] = NONE
    indefinite: frozenset[str] = NONE
    universal: frozenset[str] = NONE
    recurring: frozenset[str] = NONE
    conditional: frozenset[str] = NONE
    gerunds: tuple[str, ...] = ()
    not_base: tuple[str, ...] = ()
    loose: frozenset[str] = NONE
    determiners: frozenset[str] = NONE
    adverbs: frozenset[str] = NONE
    finite: frozenset[str] = NONE

    # What makes a rule.
    formulas: Mapping[str, Modality] = field(default_factory=dict)
    modals: tuple[Modal, ...] = ()
    copulas: frozenset[str] = NONE
    predicates: Mapping[str, tuple[Modality, Modality]] = field(default_factory=dict)
    frames: tuple[Construction, ...] = ()
    negations: frozenset[str] = NONE
    denials: frozenset[str] = NONE
    never: frozenset[str] = NONE
    always: frozenset[str] = NONE
    none_of: frozenset[str] = NONE
    denies_after_verb: bool = False
    is_verb_last: bool = False
    has_generic_articles: bool = False
    verbs: frozenset[str] = NONE
    last_verbs: frozenset[str] = NONE
    noun_verbs: frozenset[str] = NONE
    compounds: frozenset[str] = (
        NONE  # "level", "night": singulars that are counted, and plurals that others are joined to
    )
    compounds_of_verbs: frozenset[str] = NONE  # "use case": with these even a word that is mostly a verb is a noun
    mostly_verbs: frozenset[str] = NONE  # of the noun_verbs those that hardly ever begin a compound
    mostly_nouns: frozenset[str] = NONE  # of the noun_verbs those that hardly ever command
    noun_openings: frozenset[str] = NONE  # phrases in which the word is the noun: "plan for", "log level"
    attributive: frozenset[str] = NONE  # prepositions that go on with a noun: "of", "for"
    adverbial: frozenset[str] = NONE  # words after which a title is over: "before", "when"
    particles: frozenset[str] = NONE  # "moved out", "piled up"
    participles: tuple[str, ...] = ()  # endings that follow a noun: "Reserva confirmada"
    plural_nouns: frozenset[str] = NONE  # plurals that look like a verb with its s: "writes"
    third_persons: frozenset[str] = NONE  # verbs with their s that are hardly plurals: "starts"
    infinitives: tuple[str, ...] = ()  # endings of verbs that need not be known after "may not"
    restricting: frozenset[str] = NONE  # "n'utilisez que": a denial that means only
    told_when: frozenset[str] = NONE  # phrases of a time that is past: "this morning"
    prefixes: frozenset[str] = NONE  # "rate-limit", "force-push"
    spoken_to: frozenset[str] = NONE  # whom only the speaker can do it to: "sende dir"
    mass: frozenset[str] = NONE  # nouns that need no article to be an object: "code"
    names: frozenset[str] = NONE  # verbs that are also people's names: "mark"
    happening: frozenset[str] = NONE  # verbs of plural subjects: "plans look fine"
    happened: frozenset[str] = NONE  # past forms that take no object: "collisions happened"
    lying: frozenset[str] = NONE  # how a thing stands: "report due"
    placing: frozenset[str] = NONE  # prepositions of place: "book fair in Leipzig"
    enjoyed: frozenset[str] = NONE  # what one recommends: "you must see that film"
    plurals: tuple[str, ...] = ()
    not_plurals: tuple[str, ...] = ()
    has_title_case: bool = False
    needs_articles: bool = False
    phrasal_verbs: frozenset[str] = NONE
    simple_past: frozenset[str] = NONE  # past forms that are no participles: "went"
    past_marks: frozenset[str] = NONE  # "写了": what marks a deed as done
    past_alike: frozenset[str] = NONE
    avoiding: frozenset[str] = NONE
    stopping: frozenset[str] = NONE
    elided: frozenset[str] = NONE
    moods: frozenset[str] = NONE
    standing_leads: frozenset[str] = NONE
    adverb_endings: tuple[str, ...] = ()
    third_person: tuple[str, ...] = ()
    errands: frozenset[str] = NONE
    momentary_objects: frozenset[str] = NONE
    exhorting: frozenset[str] = NONE
    wishing: frozenset[str] = NONE  # "sleep well"
    worn: frozenset[str] = NONE  # "bring a jacket, it is cold"
    showing: frozenset[str] = NONE  # "look at this photo"
    shown: frozenset[str] = NONE  # the words that point there
    dated: frozenset[str] = NONE  # "tonight": for one day
    recurrent: frozenset[str] = NONE  # "whenever": for more than one day all the same
    offering: frozenset[str] = NONE  # "if you like"
    once: frozenset[str] = NONE  # "this time"
    every_time: frozenset[str] = NONE  # "from now on"
    turned_to: frozenset[str] = NONE  # verbs with a person first: "tell your sister"
    pointing: frozenset[str] = NONE  # "fix this"
    months: frozenset[str] = NONE  # "start 15 June"
    counted: frozenset[str] = NONE  # verbs with a number for an object: "return 404"
    keywords: frozenset[str] = NONE  # words of query languages, in capitals there
    daily: frozenset[str] = NONE  # what only people do: "eat", "sleep"
    lasting: frozenset[str] = NONE
    for_speaker: frozenset[str] = NONE
    standing: frozenset[str] = NONE
    takes_new_verbs: bool = False

    # Norms without a command.
    whoever: frozenset[str] = NONE  # "whoever breaks the build fixes it"
    norm_verbs: frozenset[str] = NONE  # what whoever it is then does: "fixes"
    asking: frozenset[str] = NONE  # "could you"
    unfailing: frozenset[str] = NONE  # "always": it makes a standing wish of what is asked
    styled: frozenset[str] = NONE  # labels whose value is to be kept to: "indentation"
    placed: frozenset[str] = NONE  # "fixtures live here, never there"
    belonging: frozenset[str] = NONE  # of these those that say where a thing is to be: "secrets go into the vault"

    # What only looks like one.
    formerly: frozenset[str] = NONE  # "früher musste man": what was the rule once
    formerly_first: frozenset[str] = NONE  # words that say so only at the head of a sentence
    unreal: frozenset[str] = NONE  # "ich hätte gehen sollen"
    holding: frozenset[str] = NONE  # what a thing is able to: "可以容纳"
    located: frozenset[str] = NONE  # "实验室里": a place is no person
    qualities: frozenset[str] = NONE  # verbs that are adjectives before a plural: "open issues by component"
    sorted_by: frozenset[str] = NONE  # and what follows it then
    perfect: frozenset[str] = NONE
    being: frozenset[str] = NONE
    states: frozenset[str] = NONE
    guessed: frozenset[str] = NONE
    outcomes: frozenset[str] = NONE
    intensifiers: frozenset[str] = NONE
    guessed_nouns: frozenset[str] = NONE
    advised: frozenset[str] = NONE
    perceived: frozenset[str] = NONE
    involuntary: frozenset[str] = NONE
    offered: frozenset[str] = NONE
    frame_words: frozenset[str] = NONE
    frame_phrases: frozenset[str] = NONE
    identity: frozenset[str] = NONE
    articles: frozenset[str] = NONE
    praise: frozenset[str] = NONE
    traits: frozenset[str] = NONE
    conduct: frozenset[str] = NONE
    not_banned: frozenset[str] = NONE
    contrasts: frozenset[str] = NONE
    over: frozenset[str] = NONE
    per: frozenset[str] = NONE
    attributing: frozenset[str] = NONE
    only: frozenset[str] = NONE

    filler: frozenset[str] = NONE
    """Words that say nothing about the action; "use" among them: "use tabs" and "no tabs" are about tabs."""

    vague: frozenset[str] = NONE
    """Words of praise and of anything at all: a rule of nothing else cannot be followed."""

    open_ended: frozenset[str] = NONE
    """Phrases that leave the decision to the reader."""
