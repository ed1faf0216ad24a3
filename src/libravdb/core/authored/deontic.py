"""The deontic reader: a sentence to an obligation, a prohibition, a permission or nothing, with its reasons.

A sentence is opened into words, the words into clauses, and each clause is shown to the stages in turn; the
first rule found decides. What a language knows is data (`languages`); nothing here or there names a language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from libravdb.core.authored import imperatives, modals
from libravdb.core.authored.clauses import Clause, ClauseSpan, find_clauses, opens_next, skip_leads
from libravdb.core.authored.languages import LANGUAGES
from libravdb.core.authored.lexicon import Lexicon, TokenizedSentence, find, lexicon, match, open_words, tells
from libravdb.core.authored.norms import read_norm
from libravdb.core.authored.sentences import LONGEST, QUOTE, split
from libravdb.core.authored.stages import Stage, StageVerdict
from libravdb.model import Modality, Rule
from libravdb.text.analysis import index_terms

STAGES: tuple[Stage, ...] = (*imperatives.STAGES, *modals.STAGES)
"""What looks at a clause, in order: first how it begins, then what it holds."""

NO_CUE = "no deontic cue"
_SAMPLE = 4000  # characters that tell the language of a text
_SHORT = 10  # words of a rule without a verb, at most

_WORD = re.compile(r"[^\W_]+")
_CLAUSE_WORDS = re.compile(r"(?<=[,;:.!(—–*_\-][ *])[*_]{0,2}([^\W\d_]+)[ ]?([^\W\d_]*)")
_CLOSERS = "*_~)]\"”’»' "
_ASKING = ("?", "？")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_KANA = re.compile("[\u3040-\u30ff]")


_CERTAIN = frozenset(
    ("small talk", "question", "quotation", "status line", "reported speech", "a noun, no command")
)  # in any language
_OPENING = frozenset(("small talk", "a request of the moment"))  # a command may follow these in any clause


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceReading:
    """What a sentence says: its rule, if it is one, and why it is or is not."""

    rule: Rule | None
    reason: str


def read(sentence: str) -> SentenceReading:
    """Read one sentence: the first rule in it, or why there is none."""
    reason = NO_CUE
    for start, end in split(sentence):
        reading = _read(sentence, start, end, around="")
        if reading.rule is not None:
            return reading
        reason = reading.reason if reason == NO_CUE else reason
    return SentenceReading(rule=None, reason=reason)


def rules(text: str) -> tuple[Rule, ...]:
    """Every rule of a text, in order; positions count characters of the text."""
    readings = (_read(text, start, end, around=text) for start, end in split(text))
    return tuple(reading.rule for reading in readings if reading.rule is not None)


def _read(text: str, start: int, end: int, *, around: str) -> SentenceReading:
    refused = NO_CUE
    if text[start:end].rstrip(_CLOSERS).endswith(_ASKING):
        return SentenceReading(rule=None, reason="question")
    for lex in _languages(text[start : min(end, start + LONGEST)], around):
        sentence = open_words(lex, text, start, end)
        if not sentence.words:
            continue
        verdict = judge(lex, sentence)
        if verdict.modality is not None:
            return SentenceReading(rule=_rule(lex, sentence, verdict, span=(start, end)), reason=verdict.reason)
        if verdict.reason in _CERTAIN:
            return SentenceReading(rule=None, reason=verdict.reason)
        refused = verdict.reason if refused == NO_CUE else refused
    return SentenceReading(rule=None, reason=refused)


def _rule(lex: Lexicon, sentence: TokenizedSentence, verdict: StageVerdict, *, span: tuple[int, int]) -> Rule:
    start, end = span
    assert verdict.modality is not None  # noqa: S101 - the caller asked
    return Rule(
        modality=verdict.modality,
        sentence=sentence.text[start:end],
        start=start,
        end=end,
        cue=(sentence.spans[verdict.start][0], sentence.spans[verdict.end - 1][1]),
        action=_action(lex, sentence),
        language=lex.language.code,
        reason=verdict.reason,
    )


def _action(lex: Lexicon, sentence: TokenizedSentence) -> tuple[str, ...]:
    """The stems of what is to be done or left, in order, without filler."""
    kept: list[str] = []
    for word, (first, last) in zip(sentence.words, sentence.spans, strict=True):
        if word not in lex.language.filler and word not in lex.language.negations:
            kept.append(sentence.text[first:last].strip("`\"“”„«»'’") if word in ("`", QUOTE) else word)
    return tuple(index_terms(" ".join(kept)))


# ── which languages may have a say ────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=1)
def _home(text: str) -> str:
    """The language that most of a text's first words belong to; it decides where a sentence fits several."""
    spoken = _WORD.findall(text[:_SAMPLE].lower())
    scores = {lex.language.code: sum(map(lex.language.common.__contains__, spoken)) for lex in _SPACED}
    best = max(scores, key=lambda code: scores[code])
    return best if scores[best] else ""


def _languages(sentence: str, around: str) -> Iterator[Lexicon]:
    """The languages to try: those with a cue in the sentence and as many common words in it as any other."""
    lowered = sentence.lower()
    if not sentence.isascii():
        lowered = lowered.replace("’", "'")
        if _is_han(sentence):
            yield from (lex for lex in _UNSPACED if _CUES[lex.language.code].search(sentence))
            return
    spoken = _WORD.findall(lowered)
    if not spoken:
        return
    heads = _heads(lowered, spoken)
    if (
        _ANY_WORD.isdisjoint(spoken)
        and _ANY_HEAD.isdisjoint(heads)
        and _ANY_OBJECT.isdisjoint(spoken[1:2])
        and not _ANY_PHRASE.search(lowered)
    ):
        return
    scores = [sum(map(lex.heard.__contains__, spoken)) for lex in _SPACED]
    best = max(scores)
    tied = [lex for lex, score in zip(_SPACED, scores, strict=True) if score == best]
    if len(tied) > 1 and (home := _home(around)):
        tied = [lex for lex in tied if lex.language.code == home] or tied
    yield from (lex for lex in tied if _has_cue(lex, lowered, spoken, heads))


def _is_han(sentence: str) -> bool:
    """Whether more Han characters than words of other scripts stand here, and no Kana."""
    characters = len(_HAN.findall(sentence))
    return bool(characters) and not _KANA.search(sentence) and characters >= len(_WORD.findall(_HAN.sub(" ", sentence)))


def _heads(lowered: str, spoken: Sequence[str]) -> list[str]:
    """The words that a clause may begin with: the first, what follows "and" or "please", and those after marks."""
    heads = [spoken[0], *(word for pair in _CLAUSE_WORDS.findall(lowered) for word in pair)]
    for i, word in enumerate(spoken[1:6]):
        if spoken[i] not in _ANY_LEAD:
            break
        heads.append(word)
    return heads


def _has_cue(lex: Lexicon, lowered: str, spoken: Sequence[str], heads: Sequence[str]) -> bool:
    """The cheap test: a sentence that fails it holds nothing that any stage looks for."""
    if not lex.triggers.isdisjoint(spoken) or not lex.starters.isdisjoint(heads):
        return True
    if len(spoken) <= _SHORT and not lex.short_triggers.isdisjoint(spoken):
        return True
    if not lex.personal_triggers.isdisjoint(spoken) and not lex.subjects.isdisjoint(spoken):
        return True
    if not lex.formula_heads.isdisjoint(heads) and not lex.formula_triggers.isdisjoint(spoken):
        return True
    if lex.language.takes_new_verbs and spoken[1:2] and spoken[1] in lex.objects and spoken[0] not in lex.no_new_verbs:
        return True
    if not lex.custom_heads.isdisjoint(heads) and not lex.custom_followers.isdisjoint(spoken):
        return True
    return any(phrase in lowered for phrase in lex.trigger_phrases)


_ALL = tuple(lexicon(language) for language in LANGUAGES)
_SPACED = tuple(lex for lex in _ALL if lex.language.is_spaced)
_UNSPACED = tuple(lex for lex in _ALL if not lex.language.is_spaced)
_CUES = {
    lex.language.code: re.compile(
        "|".join(re.escape(cue) for cue in sorted(lex.triggers | lex.starters | lex.custom_heads))
    )
    for lex in _UNSPACED
}
_ANY_WORD = frozenset[str]().union(
    *(lex.triggers | lex.short_triggers | lex.personal_triggers | lex.formula_triggers for lex in _SPACED)
)
_ANY_HEAD = frozenset[str]().union(*(lex.starters | lex.custom_heads for lex in _SPACED))
_ANY_LEAD = frozenset[str]().union(*(lex.lead_words for lex in _SPACED))
_ANY_OBJECT = frozenset[str]().union(*(lex.objects for lex in _SPACED if lex.language.takes_new_verbs))
_ANY_PHRASE = re.compile("|".join(re.escape(phrase) for lex in _SPACED for phrase in lex.trigger_phrases))


# ── one sentence in one language ──────────────────────────────────────────────────────────────────────────


def judge(lex: Lexicon, sentence: TokenizedSentence) -> StageVerdict:
    """Find the first rule among the clauses of a sentence."""
    words = sentence.words
    clauses = find_clauses(sentence, lex.language.closers)
    norm = read_norm(lex, sentence, clauses)
    if norm is not None:
        return norm
    reason = _is_no_statement(lex, sentence, clauses)
    if reason or not clauses:
        return StageVerdict(modality=None, reason=reason or NO_CUE)
    refused, is_open = "", True
    held: StageVerdict | None = None
    for k, clause in enumerate(clauses):
        at = skip_leads(lex, words, clause.start, clause.end)
        if at >= clause.end or _is_greeting(lex, words, clause):
            is_open = True
            continue
        if held is not None and (words[at] in lex.language.verbs or words[at] not in lex.grammatical):
            return held
        held = _interrupted(lex, words, at, clause.end) or held
        verdict = _judge_clause(lex, sentence, clauses, k, at, is_open=is_open)
        if verdict is not None and verdict.modality is not None:
            reported = _is_reported(lex, words, clauses, verdict.start)
            return StageVerdict(modality=None, reason="reported speech") if reported else verdict
        refusal = verdict.reason if verdict else ""
        refused = refused or refusal
        if clause.after == ":" and held is None:
            ended = _label(lex, words, clause, refused=refused)
            if ended:
                return StageVerdict(modality=None, reason=ended)
        is_adjunct = _is_adjunct(lex, words, at, clause.end)
        is_adjunct = is_adjunct or words[min(clause.end, len(words) - 1)] in lex.language.closers
        is_open = (is_open and is_adjunct) or refusal in _OPENING or opens_next(lex, sentence, clauses, k)
    short = _short_form(lex, sentence, clauses) or _standing_wish(lex, words)
    return short or StageVerdict(modality=None, reason=refused or _why_none(words))


def _interrupted(lex: Lexicon, words: Sequence[str], at: int, end: int) -> StageVerdict | None:
    """ "Never, ever, push", "Always, without exception, ask": the verb stands in a later clause."""
    language = lex.language
    denied = words[at] in language.never or match(lex.denials, words, at, end) == end - at
    if not denied and words[at] not in language.always - language.only:
        return None
    if at + max(match(lex.denials, words, at, end), 1) != end:
        return None
    modality = Modality.PROHIBITION if denied else Modality.OBLIGATION
    cue = " ".join(words[at:end])
    return StageVerdict(modality=modality, reason=f"“{cue}” at the head of a command", start=at, end=end)


def _is_adjunct(lex: Lexicon, words: Sequence[str], at: int, end: int) -> bool:
    """Whether a clause only says when, where or for what: a command may follow it."""
    language = lex.language
    if words[at] in language.subordinators or match(lex.conditional, words, at, end):
        return True
    if at == 0 and end <= 2 and lex.plain.isdisjoint(words[:end]):
        return True  # a name, or a word of time
    if at == 0 and end <= 2 and words[0] in language.universal and language.finite.isdisjoint(words[:end]):
        return True  # "every morning"
    return words[at] in language.openers and lex.told.isdisjoint(words[at:end])


def _why_none(words: Sequence[str]) -> str:
    return "quotation" if QUOTE in words else NO_CUE


def _is_no_statement(lex: Lexicon, sentence: TokenizedSentence, clauses: Sequence[Clause]) -> str:
    """Why the whole sentence is out: a question, or nothing but a quotation."""
    words, language = sentence.words, lex.language
    if not clauses:
        return NO_CUE
    tail = [word for word in words[clauses[-1].end :] if word in "?!."]
    if "?" in tail or (words[clauses[-1].end - 1] in language.question_ends):
        return "question"
    start = skip_leads(lex, words, clauses[0].start, clauses[0].end)
    first = words[start : start + 2]
    if len(first) == 2 and first[0] in language.inverters and first[1] in language.inverted:
        is_statement = match(lex.conditional, words, start, clauses[0].end) or clauses[0].after in (":", ";", "—")
        return "" if is_statement else "question"
    if len(first) == 2 and first[0] in language.question_words and first[1] in language.inverters:
        return "question"
    if all(word == QUOTE for clause in clauses for word in words[clause.start : clause.end]):
        return "quotation"
    return ""


def _is_greeting(lex: Lexicon, words: Sequence[str], clause: Clause) -> bool:
    return clause.end - clause.start <= 3 and words[clause.start] in lex.language.greetings


def _judge_clause(
    lex: Lexicon, sentence: TokenizedSentence, clauses: Sequence[Clause], k: int, at: int, *, is_open: bool
) -> StageVerdict | None:
    """What the stages say of a clause. A subordinate clause is read from the word that calls for a command."""
    words, clause = sentence.words, clauses[k]
    is_subordinate = words[at] in lex.language.subordinators
    if (is_subordinate or words[at] in lex.language.openers) and not match(lex.formulas, words, at, clause.end):
        calls = (i for i in range(at + 2, clause.end) if _calls(lex, words, i, clause.end))
        marked = next(calls, None) or (_unmarked_call(lex, words, at, clause.end) if is_subordinate else None)
        if marked is None and is_subordinate:
            return None
        marked = at if marked is None else marked
        at = skip_leads(lex, words, marked, clause.end)
        is_open = True
        if at >= clause.end:
            return None
    place = ClauseSpan(sentence=sentence, words=words, lex=lex, at=at, end=clause.end, clause=clause, is_open=is_open)
    refused = None
    for stage in STAGES:
        verdict = stage(place)
        if verdict is not None:
            if verdict.modality is not None or verdict.is_final:
                return refused if refused and verdict.modality is None else verdict
            refused = refused or verdict
    return refused


def _calls(lex: Lexicon, words: Sequence[str], i: int, end: int) -> bool:
    """Whether a command begins at `i` inside a clause: "if unsure please ask", not "if you never ask"."""
    language = lex.language
    size = match(lex.denials, words, i, end) or (words[i] in language.markers)
    if not size or i + size >= end or words[i + size] not in language.verbs:
        return False
    return not any(words[i - 1] in those for those in (lex.persons, language.things, language.openers))


def _unmarked_call(lex: Lexicon, words: Sequence[str], at: int, end: int) -> int | None:
    """Where the command begins in "when you write SQL use upper case": the comma is missing."""
    language = lex.language
    if words[at] not in language.conditions or words[min(at + 1, end - 1)] not in lex.persons:
        return None
    if not language.perceived.isdisjoint(words[at:end]):
        return None  # "when you see people use their phones"
    for i in range(at + 4, end - 1):
        before = words[i - 1]
        if words[i] in lex.sure_verbs and before not in lex.grammatical and before not in lex.acts:
            return i
    return None


def _is_reported(lex: Lexicon, words: Sequence[str], clauses: Sequence[Clause], cue: int) -> bool:
    """Whether somebody else is quoted: a verb of saying stands before the cue, or follows a comma after it.

    A condition before it quotes nobody ("unless told otherwise, …"), nor does the cue's own subject ("reports must …").
    """
    reporting = lex.language.reporting
    for clause in clauses:
        is_condition = words[clause.start] in lex.language.subordinators
        is_condition = is_condition or words[min(clause.end, len(words) - 1)] in lex.language.closers
        if is_condition and clause.end <= cue:
            continue
        if cue - clause.start == 1:
            continue
        if reporting.isdisjoint(words[clause.start : min(clause.end, cue)]):
            continue
        told = [words[i] for i in range(clause.start, min(clause.end, cue)) if tells(lex, words, i)]
        if told and not (clause.start == 0 and words[0] == told[0] and words[0] in lex.language.verbs):
            return True
    attributing = lex.language.attributing
    if any(
        clause.start > cue and words[clause.start] in attributing and reporting & {*words[clause.start : clause.end]}
        for clause in clauses
    ):
        return True
    return any(words[i] == "," and words[i + 1] in reporting for i in range(cue, len(words) - 1))


def _label(lex: Lexicon, words: Sequence[str], clause: Clause, *, refused: str) -> str:
    """Why nothing after this colon is a rule: a status line, or somebody is quoted."""
    before = words[clause.start : clause.end]
    if not lex.language.reporting.isdisjoint(before):
        return "reported speech"
    if refused not in ("", "small talk", "question", "a noun, no command"):
        return refused
    labels = lex.language.status_labels
    is_status = before[-1] in labels or (before[0] in labels and before[1] in lex.language.openers)
    return "status line" if is_status else ""


def _short_form(lex: Lexicon, sentence: TokenizedSentence, clauses: Sequence[Clause]) -> StageVerdict | None:
    """ "Tabs, not spaces", "Clarity over cleverness", "English only": a rule without a verb."""
    language, words = lex.language, sentence.words
    outside = lex.plain
    first = clauses[0]
    body = words[first.start : first.end]
    if len(clauses) == 2 and len(body) <= 3 and outside.isdisjoint(body):
        second = words[clauses[1].start : clauses[1].end]
        if second[0] in language.contrasts and 2 <= len(second) <= 4 and outside.isdisjoint(second[1:]):
            return StageVerdict(
                modality=Modality.OBLIGATION,
                reason="one thing, not another",
                start=clauses[1].start,
                end=clauses[1].start + 1,
            )
    if len(clauses) != 1 or len(body) > 5:
        return None
    for i, word in enumerate(body):
        around = (*body[:i], *body[i + 1 :])
        is_between = word in language.over and 0 < i < len(body) - 1 and word not in around
        is_last = word in language.only and i == len(body) - 1 and 1 <= i <= 3
        is_share = (
            word in language.per and 0 < i < len(body) - 1 and (body[0] in language.indefinite or body[0].isdigit())
        )
        if (is_between or is_last or is_share) and outside.isdisjoint(around):
            reason = "one thing over another" if is_between else "one thing only" if is_last else "so much of a thing"
            return StageVerdict(
                modality=Modality.OBLIGATION, reason=reason, start=first.start + i, end=first.start + i + 1
            )
    return None


def _standing_wish(lex: Lexicon, words: Sequence[str]) -> StageVerdict | None:
    """ "Recipes in grams please, every time", "Preise bitte immer in Euro": asked for always, without a verb."""
    language = lex.language
    asking = language.polite | (language.only if len(words) <= _SHORT else frozenset())
    if asking.isdisjoint(words) or not lex.told.isdisjoint(words) or not language.finite.isdisjoint(words):
        return None
    if not language.reporting.isdisjoint(words):
        return None
    if (language.always - language.only).isdisjoint(words) and not find(lex.every_time, words, 0, len(words)):
        return None
    at = next(i for i, word in enumerate(words) if word in asking)
    return StageVerdict(modality=Modality.OBLIGATION, reason="asked for every time", start=at, end=at + 1)


def forget_language() -> None:
    """Let go of the text whose language was told last."""
    _home.cache_clear()
