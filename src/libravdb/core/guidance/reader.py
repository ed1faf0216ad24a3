"""The reader of wishes: which sentences of a user's turn are standing wishes to the agent, and what each is about.

A sentence is a wish when it is addressed to the agent (a command, "you can …", "I want you to …", a preference about
what the agent puts out) and standing: it says so itself ("from now on", "always"), or there is nothing at hand that it
could be about ("Be concise", not "make it shorter"). What people wish one another, what others are reported to want,
facts, questions and errands are none. What a language says is data (`languages`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from libravdb.core.guidance.languages import WORDINGS
from libravdb.core.guidance.languages.wording import WishWording, compiled
from libravdb.model import Wish, WishReach
from libravdb.text.analysis import index_terms
from libravdb.text.sentences import sentences

LONGEST = 400
"""Characters of a sentence that is read: a wish is said in fewer."""

MOST_READ = 20_000
"""Characters of a turn that are read: what is longer was pasted, and a wish stands at its beginning or its end."""

IsRule = Callable[[str], bool]
"""Whether a sentence lays down a rule, by its surface."""

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_MADE = frozenset({"code", "dates"})  # what only an agent is asked to write in a certain way
_PASSING = frozenset("reminders times diet images tax quiz summary zone persona case".split())
"""Topics of errands too: "remind me at five" is over at five, "show me the photos" when they are shown."""
_LASTING = re.compile(
    r"^(?:keep|make sure|halte?|achte|mantén|garde|保持)|\b(?:must|should|have to|has to|needs?|every|all|muss|müssen|"
    r"musst|soll\w*|darf\w*|debe\w*|doit|dois|doivent|faut|cada|chaque|jede\w*)\b|必须|应该"
)  # what sets a rule for more than the thing at hand
_OF_SUBJECTS = frozenset({"code", "privacy", "diet", "tax", "signature"})  # which do not make a wish one for every talk
_SUBJECT = 5  # characters of "for x"
_NEGATED = re.compile(r"\b(?:don't|do not|never|no|not|nicht|keine?n?|nie|niemals|nunca|jamás|pas|jamais)\b|不要|别")
_WHICH_IS = re.compile(
    r"\b(?:that|which|who|das|der|die|que|qui) (?:is|are|isn't|aren't|ist|sind|es|son|n'est|est)\b.*$"
)
"""What only tells which one is meant: "in an image that is not a dozen eggs"."""
_BAN = re.compile(
    r", (?:please |bitte |stp )?(?:no|only|nothing|nur|keine?n?|nichts|nada|solo|sin|pas|sans|rien)\b|，(?:不要|别|只)"
)
_FORBIDS = re.compile(
    r"\b(?:don't|do not) (?!(?:be|get|let|think|wait|take|go|come|do|worry|tell|say|talk|buy)\b)\w+"
    r"(?! (?:the|my|his|her|our|their|anyone|it|too|so|yet)\b)"
)
_ALWAYS = re.compile(r"\b(?:in general|generally|everything|grundsätzlich|generell|en general|en général)\b|一律|凡事")
_ENDING = re.compile(r"\bya no\b|\bmás\b|\bany ?more\b|\blonger\b|\bmehr\b|\bplus\b|不再")
_FACT = re.compile(r"^.*?(?:[,;:.—–!，；。]| so | please | bitte | also | donc | así que )")
_AT_HAND = re.compile(
    r"\b(?:this|these|today|tonight|tomorrow|yesterday|right now|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"(?:del?|el) (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)|(?:de|du) (?:lundi|mardi|mercredi|jeudi|"
    r"vendredi|samedi|dimanche)|am (?:montag|dienstag|mittwoch|donnerstag|freitag)|the (?:last|next|first|second|"
    r"previous|same|following)|diese[rsnm]?|heute|"
    r"morgen(?!s)|gestern|diesmal|gerade|est[aeo]s?|es[aeo]s?|hoy|ayer|ce|cet|cette|ces|aujourd'hui|demain|hier|"
    r"cette fois)\b|周[一二三四五六日天]的|这|那个|那段|今天|明天|今晚|刚才"
)  # what can only be about one thing or one day
_CONCLUSION = re.compile(
    r"[,;–—-] ?(?:so|that's why|which is why|also|deshalb|deswegen|drum|así que|por eso|donc|alors|"
    r"du coup)(?: please| bitte)?,? | so please |所以"
)
"""What a fact about the speaker leads to: "third year here, so skip the basics"."""
_CALLED = re.compile(
    r"\w, (?!Claude|Gemini|Copilot|English|French|German|Spanish|Please|Thanks|Dr|Mr|Ms)[A-Z][a-z]+[.!?]*$"
)
"""Somebody else who is spoken to: "bring the ladder, Mick"; in German any noun looks like a name."""
_PARTY = re.compile(r"\b(?i:to|for|in|with|para|con|en|à|pour|avec|chez) ([A-ZÀ-Þ]\w+)")
_NOUN_PARTY = re.compile(r"\b(?i:an|für|fürs) ([A-ZÄÖÜ]\w+)")  # where every noun has a capital
_RELEASING = re.compile(
    r"\b(?:again|any ?more|longer|back|fine|ok|okay|welcome|allowed|need|necessary|required|enough|start|resume|"
    r"wieder|nicht|zurück|erledigt|weglassen|"
    r"lassen|ordnung|überflüssig|unnötig|ya|otra|nuevo|vuel|volv|vuelta|está|puedes|plus|peux|bon|d'accord|nouveau|"
    r"re)|了|可以|恢复|取消|以后|今后|现在"
)
_ASKING = ("?", "？")
_CLOSERS = "\"'”’»)*_~ "
_MARKS = re.compile(r"^[\s>*+•–¡¿\"“„«-]+")
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_ADDRESSED = re.compile(
    r"\b(?:assistant|bot|chatbot|chatgpt|claude|gemini|copilot|the ai|dear ai|hey ai|asistente)\b|助手|机器人"
)
_AFTERTHOUGHT = re.compile(
    r"^\W*(?:ever|always|never|please|pls|thanks|thank you|bitte|danke|immer|nie|por favor|gracias|siempre|nunca|"
    r"s'il te plaît|merci|toujours|jamais|谢谢|拜托)\W*$"
)


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence in the forms in which it is looked at: whole, and without its leads and what makes it standing."""

    whole: str
    core: str
    bare: str
    is_asked: bool
    is_forward: bool
    is_habitual: bool
    is_ending: bool
    is_always: bool

    @property
    def is_standing(self) -> bool:
        return self.is_forward or self.is_habitual


def no_rule(text: str) -> bool:  # noqa: ARG001 - the reader's signature
    """A reader of rules that finds none."""
    return False


def read_wishes(text: str, *, is_rule: IsRule = no_rule, is_among_people: bool = False) -> tuple[Wish, ...]:
    """The standing wishes of a user's turn, in order, word for word.

    `is_among_people`: the turn was said by one of several people who talk with one another. Then a wish must name the
    agent.
    """
    found: list[Wish] = []
    for place, sentence in split_wishes(text):
        if is_among_people and not _ADDRESSED.search(sentence.casefold()):
            continue
        wish = read_wish(sentence, place=place, is_rule=is_rule)
        if wish is not None:
            found.append(wish)
    return tuple(found)


def split_wishes(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of a turn with their places; "No emojis. Ever." is one. Fenced code says nothing."""
    prose = text if "```" not in text else _FENCE.sub(lambda found: "\n" * (len(found[0]) and 1), text)
    if len(prose) > MOST_READ:
        prose = prose[: MOST_READ // 2] + "\n" + prose[-MOST_READ // 2 :]
    spans = sentences(prose)
    place = 0
    while place < len(spans):
        start, end = spans[place]
        after = place + 1
        while after < len(spans) and _AFTERTHOUGHT.match(prose[slice(*spans[after])].casefold()):
            end = spans[after][1]
            after += 1
        yield place, prose[start:end]
        place = after


def read_wish(sentence: str, *, place: int = 0, is_rule: IsRule = no_rule) -> Wish | None:
    """What a sentence wishes; None when it is no standing wish to the agent."""
    if not 2 <= len(sentence) <= LONGEST:
        return None
    plain = " ".join(_MARKS.sub("", sentence.lower().replace("’", "'").replace("ʼ", "'")).split())
    for wording in wordings_of(plain):
        if (
            wording.code != "de"
            and _CALLED.search(sentence)
            and not wording.has("outputs", plain)
            and not wording.has("address", plain)
        ):
            continue
        said = _opened(wording, plain)
        reason = _reason(wording, said, lambda: is_rule(sentence))
        if not reason and (drawn := _CONCLUSION.search(said.core)) and not wording.has("reported", said.core):
            said = _opened(wording, said.core[drawn.end() :].lstrip())
            reason = _reason(wording, said, lambda: is_rule(sentence))
        if reason:
            topics = _topics(wording, said)
            return Wish(
                text=sentence,
                place=place,
                reach=_reach(wording, said, topics),
                topics=topics,
                words=tuple(dict.fromkeys(index_terms(said.bare))),
                reason=reason,
                parties=_parties(wording, sentence),
                is_undoing=wording.has("undoing", said.core) or _is_released(wording, said),
            )
    return None


def is_exhortation(sentence: str) -> bool:
    """Whether a sentence is what people wish one another, a report or an errand of the moment: a rule on its surface
    that is none to the agent."""
    plain = " ".join(_MARKS.sub("", sentence.lower().replace("’", "'")).split())
    for wording in wordings_of(plain):
        said = _opened(wording, plain)
        if any(wording.has(name, said.core) for name in ("exhorting", "reported", "unreal")):
            return True
        is_lasting = said.is_standing or _NEGATED.search(said.core) or _LASTING.search(said.core)
        if not is_lasting and wording.has("once", said.bare):
            return True
    return False


def wordings_of(plain: str) -> Sequence[WishWording]:
    """The languages that a sentence may be in: those with the most common words in it; of none all are tried."""
    han = len(_HAN.findall(plain))
    words = _WORD.findall(_HAN.sub(" ", plain))
    if han and han >= len(words):
        return [wording for wording in WORDINGS if not wording.is_spaced]
    spaced = [wording for wording in WORDINGS if wording.is_spaced]
    scores = [len(words) - len([word for word in words if word not in wording.common]) for wording in spaced]
    scores = [score + bool(compiled(wording.verbs).match(plain)) for score, wording in zip(scores, spaced, strict=True)]
    best = max(scores, default=0)
    return [wording for wording, score in zip(spaced, scores, strict=True) if score == best]


def _opened(wording: WishWording, plain: str) -> _Said:
    core = compiled(wording.leads).sub("", plain)
    bare = compiled(wording.forward).sub(" ", core)
    return _Said(
        whole=plain,
        core=core,
        bare=bare,
        is_asked=plain.rstrip(_CLOSERS).endswith(_ASKING),
        is_forward=wording.has("forward", plain),
        is_habitual=wording.has("habitual", plain),
        is_ending=_ENDING.search(plain) is not None,
        is_always=_ALWAYS.search(plain) is not None,
    )


def _reason(wording: WishWording, said: _Said, is_rule: Callable[[], bool]) -> str:
    """Why a sentence is a standing wish to the agent; empty when it is none."""
    polite = wording.find("polite", said.core)
    if said.is_asked and (polite is None or not said.is_standing):
        return ""
    reason = _named(wording, said) or _conditioned(wording, said)
    if not reason:
        stages = (stage(wording, said) for stage in _STAGES)
        reason = next(filter(None, stages), "") or _commanded(wording, said, polite=polite, is_rule=is_rule)
        if not reason or wording.has("exhorting", said.core):
            return ""
    return "" if not reason or wording.has("reported", said.core) or wording.has("unreal", said.core) else reason


def _named(wording: WishWording, said: _Said) -> str:
    """ "Call me Robin"."""
    is_named = wording.has("address", said.core) and not wording.has("not_address", said.core)
    return "it tells how the person is called" if is_named else ""


def _meant(wording: WishWording, said: _Said) -> str:
    """ "When I say the van, I mean the white one"."""
    return "it tells what the person means by a word" if wording.has("meaning", said.core) and not said.is_asked else ""


def _told(wording: WishWording, said: _Said) -> str:
    """ "Assume that I know the basics", "it helps me when you give an example", "images are fine again"."""
    if said.is_asked or (_AT_HAND.search(said.core) and not said.is_standing):
        return ""
    is_told = wording.has("telling", said.core) or _is_released(wording, said)
    return "it tells how the person wants to be treated" if is_told else ""


def _is_released(wording: WishWording, said: _Said) -> bool:
    """Whether something is allowed again or needed no longer; few sentences have a word that could say so."""
    return _RELEASING.search(said.core) is not None and wording.has("released", said.core)


def _verbless(wording: WishWording, said: _Said) -> str:
    """ "One step at a time", "British spelling only", "for hikes, nothing over ten kilometres"."""
    if said.is_asked or not wording.has("verbless", said.core):
        return ""
    is_at_hand = _AT_HAND.search(said.core) or wording.has("others", said.core)
    return "" if is_at_hand else "it names what the agent's work should be like"


def _wanted(wording: WishWording, said: _Said) -> str:
    """ "I'd like you to …", "I hate it when you …"."""
    found = wording.find("wanted", said.core)
    if found is None:
        return ""
    rest = said.core[found.end() - 1 :]
    is_at_hand = wording.has("once", rest) and not said.is_standing
    is_of_agent = bool(_topics(wording, said)) or wording.has("outputs", said.core[found.start() :])
    return "it asks it of the agent" if is_of_agent and not is_at_hand else ""


def _preferred(wording: WishWording, said: _Said) -> str:
    """ "I prefer short answers"."""
    found = wording.find("prefers", said.core)
    if found is None:
        return ""
    rest = said.core[found.end() :]
    is_of_every = said.is_standing and wording.has("outputs", rest)
    if said.is_asked or (compiled(wording.not_preferred).search(rest) and not is_of_every):
        return ""
    topics = _topics(wording, said)
    is_told = bool(topics) and (said.is_standing or not _MADE.isdisjoint(topics))
    is_output = is_told or wording.has("outputs", rest)
    is_at_hand = wording.has("once", rest) and not said.is_standing
    return "it prefers something of what the agent puts out" if is_output and not is_at_hand else ""


def _granted(wording: WishWording, said: _Said) -> str:
    """ "You can skip the disclaimers", "stop apologising"."""
    found = wording.find("second", said.core)
    if found is None or (said.is_asked and not said.is_standing):
        return ""
    is_at_hand = wording.has("once", said.bare) and not said.is_standing
    return "it tells the agent what it may and need not do" if not is_at_hand and _topics(wording, said) else ""


def _nominal(wording: WishWording, said: _Said) -> str:
    """ "No emojis", "short answers please"."""
    if not wording.has("nominal", said.core):
        return ""
    is_at_hand = wording.has("once", said.bare) and not said.is_standing
    return "" if is_at_hand else "it names what the agent's answers should be like"


_STAGES = (_meant, _told, _wanted, _preferred, _granted, _nominal, _verbless)
"""What tells a wish by its form, in the order in which it is asked; a command is looked at last."""


def _commanded(wording: WishWording, said: _Said, *, polite: re.Match[str] | None, is_rule: Callable[[], bool]) -> str:
    """ "From now on answer in German", "always give grams", "be concise"."""
    core = said.core if polite is None else said.core[polite.end() :].lstrip(" ,")
    is_others = wording.has("others", said.core)
    is_command = _has_command(wording, _behind_fact(wording, core) if is_others else core)
    is_norm = wording.has("normative", said.core)
    if not (is_command or is_norm or said.is_forward):
        return ""
    topics = set(_topics(wording, said))
    if is_norm and (topics or said.is_standing or is_rule()):
        return "it tells how what the agent makes should be"
    if not is_command:
        is_named = wording.has("outputs", core) or wording.has("condition", core)
        if not said.is_forward or is_others:
            return ""
        is_for_good = (topics and not said.is_ending) or (is_named and is_rule())
        return "it is a rule for good" if is_for_good else ""
    if said.is_forward:
        return "it is asked of the agent for good"
    is_about = (
        bool(topics) or wording.has("outputs", core) or wording.has("condition", core) or wording.has("for_me", core)
    )
    if said.is_habitual and (is_about or polite or is_rule()):
        return "it is asked of the agent for good"
    is_ban = bool(topics) and _NEGATED.match(said.core) and not _AT_HAND.search(said.core)
    if polite is not None or (wording.has("once", said.bare) and not is_ban):
        return ""
    is_lasting = (topics if _NEGATED.search(_WHICH_IS.sub("", said.core)) else topics - _PASSING) - {
        "address"
    }  # which was looked at
    is_ruled = wording.has("condition", said.core) or _FORBIDS.search(core)
    if is_lasting or (is_ruled and not _AT_HAND.search(said.core) and is_rule()):
        return "it commands, and nothing is at hand that it could be about"
    return ""


def _conditioned(wording: WishWording, said: _Said) -> str:
    """ "When you write SQL use upper case", "if I ask for trains, show direct ones"."""
    found = wording.find("agentive", said.core)
    if found is None or said.is_asked:
        return ""
    is_told = _acts(wording, said.core, found.end()) or _BAN.search(said.core, found.end())
    is_told = is_told or compiled(wording.clause).search(said.core, found.end() - 1)
    return "it tells what to do whenever something comes up" if is_told else ""


def _has_command(wording: WishWording, core: str) -> bool:
    """Whether a verb of the agent stands where a command may begin, or behind what the command is about."""
    if compiled(wording.head + wording.verbs).search(core):
        return True
    subject = compiled(wording.condition).match(core)
    return subject is not None and _acts(wording, core, _SUBJECT)


def _behind_fact(wording: WishWording, core: str) -> str:
    """What follows a fact: "I'm vegan, so never suggest meat"; what "and" adds to it is a fact too."""
    found = _FACT.match(core)
    rest = core[found.end() :].lstrip() if found else ""
    return "" if compiled(wording.others).match(rest) else rest


def _acts(wording: WishWording, core: str, start: int) -> bool:
    """Whether a verb of the agent stands behind a place, and nobody is told to do it."""
    before = r"\b" if wording.is_spaced else ""
    found = compiled(before + wording.verbs).finditer(core, start)
    return any(not compiled(wording.acting).search(core[: verb.start()]) for verb in found)


def _topics(wording: WishWording, said: _Said) -> tuple[str, ...]:
    return _topics_in(wording, said.core)


def _parties(wording: WishWording, sentence: str) -> tuple[str, ...]:
    """Those whom a wish is about alone, by name: "mails to Anna", "in Python"; a language to answer in is none."""
    expression = _NOUN_PARTY if wording.code == "de" else _PARTY
    names = (found[1].casefold() for found in expression.finditer(sentence))
    language = compiled(wording.topics["language"])
    return tuple(dict.fromkeys(name for name in names if not language.search(name)))


@lru_cache(maxsize=8)
def _topics_in(wording: WishWording, core: str) -> tuple[str, ...]:
    found = [topic for topic, source in wording.topics.items() if compiled(source).search(core)]
    if "times" in found and "address" in found and not wording.has("address", core):
        found.remove("address")  # "call me" before nine: by telephone
    return tuple(found)


def _reach(wording: WishWording, said: _Said, topics: Sequence[str]) -> WishReach:
    """A wish with a condition is about its subject, unless the condition holds for every talk."""
    if wording.has("meaning", said.core):
        return WishReach.SUBJECT
    if wording.has("telling", said.core):
        return WishReach.GENERAL
    rest = compiled(wording.usual).sub(" ", compiled(wording.even).sub(" ", said.core))
    if wording.has("condition", rest):
        return WishReach.SUBJECT
    is_manner = bool(set(topics) - _OF_SUBJECTS) or said.is_always
    is_about_talk = wording.has("speaking", said.core) or wording.has("outputs", said.core)
    is_of_subject = bool(topics) or wording.has("subjects", rest) or wording.has("proposing", rest)
    is_general = is_manner or is_about_talk or not is_of_subject
    return WishReach.GENERAL if is_general else WishReach.SUBJECT
