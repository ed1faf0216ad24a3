"""A turn, read once: its languages, its prose, its sentences and what each of them does."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from libravdb.core.gate.languages import LANGUAGES, GateVocabulary, Script
from libravdb.text.technical import THING, prose_of, without_code
from libravdb.text.unicode import normalised

_STRAIGHT = str.maketrans("’‘ʼ＇“”", "''''\"\"")
_WORD = re.compile(r"[^\W\d_]+")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_KANA = re.compile("[\u3040-\u30ff]")
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_ABBREVIATED = "".join(
    rf"(?<!\b{short}\.)" for short in ("Dr", "Mr", "Ms", "St", "Nr", "No", "Mrs", "Prof", "e\\.g", "i\\.e", "z\\.B")
)
_BREAK = re.compile(rf"(?<=[.!?…]){_ABBREVIATED}(?<!\d\.)\s+|(?<=[.!?…][\"')\]])\s+|(?<=[。！？])|[\n\r\u2028\u2029]+")
_CLAUSE = re.compile(r"(?:[,;:–—()]|--)(?=\s|$)|\s-\s|[，；：、（）]|(?<=\w)—(?=\w)")
_JOINT = re.compile(r"\s(?:and|but|so|because|und|aber|y|pero|et|mais|e|ma|mas|maar|и|но)\s", re.IGNORECASE)
_CONTENT_WORD = re.compile(r"[^\W\d_]{2,}")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
COMMON = frozenset().union(*(words.common for words in LANGUAGES))
_SEEN_WORDS = 400
_BY_NAME = {words.name: words for words in LANGUAGES}
_LATIN = tuple(words for words in LANGUAGES if words.script is Script.LATIN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence; `is_question` and `is_request` tell what it does."""

    text: str
    is_question: bool
    is_request: bool

    def clauses(self) -> list[str]:
        """The parts between commas and other small stops; in a question also those that a small word joins ("I am in
        Rome and wonder where to eat?")."""
        parts = [part.strip() for part in _CLAUSE.split(self.text) if part.strip()]
        return [piece for part in parts for piece in _JOINT.split(part) if piece] if self.is_question else parts


@dataclass(frozen=True, kw_only=True)
class ParsedTurn:
    """A text prepared for the detectors. `text` is composed (NFC) with straight apostrophes and quotes."""

    text: str

    @cached_property
    def prose(self) -> str:
        """The text without code, paths and addresses."""
        return prose_of(self.text)

    @cached_property
    def languages(self) -> tuple[GateVocabulary, ...]:
        """The languages it may be written in: one, or several when small words do not tell."""
        return guess_languages(self.prose)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences of the prose."""
        return tuple(self._sentence(part.strip()) for part in _BREAK.split(self.prose) if part and part.strip())

    @cached_property
    def statements(self) -> tuple[str, ...]:
        """The sentences of the whole text, paths and addresses included, that are neither asked nor code; of a question
        the clauses that state something about the speaker."""
        said: list[str] = []
        for part in _BREAK.split(without_code(self.text)):
            if part and part.strip():
                sentence = self._sentence(part.strip())
                said.extend([sentence.text] if not sentence.is_question else self._told_in(sentence))
        return tuple(said)

    @cached_property
    def asserted(self) -> tuple[str, ...]:
        """What is said rather than asked: sentences that are no question, and clauses of questions that state something
        about the speaker ("I am vegetarian, what can I cook?")."""
        said: list[str] = []
        for sentence in self.sentences:
            if not sentence.is_question:
                said.append(sentence.text)
            else:
                said.extend(self._told_in(sentence))
        return tuple(said)

    def _told_in(self, question: Sentence) -> list[str]:
        clauses = question.clauses()
        return [part for part in clauses if not self._asks(part) and self._states(part)] if len(clauses) > 1 else []

    @cached_property
    def told(self) -> tuple[str, ...]:
        """What is asserted and says something: no "I see what you mean"."""
        return tuple(text for text in self.asserted if self.has_content(text))

    def find(self, kind: str, text: str) -> list[str]:
        """The words of one kind in a piece of this text, in every language it may be written in."""
        known = self._found.get((kind, text))
        if known is None:
            matches = (match for words in self.languages for match in words.pattern(kind).finditer(text))
            known = self._found[kind, text] = tuple(dict.fromkeys(match[0].strip().lower() for match in matches))
        return list(known)

    @cached_property
    def _found(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """What was found before: several detectors ask for the same words."""
        return {}

    def begins(self, kind: str, text: str) -> bool:
        """True when the piece starts with such words; scripts without spaces may hold them anywhere."""
        for words in self.languages:
            pattern = words.pattern(kind)
            if pattern.match(text) or (words.script in (Script.HAN, Script.KANA) and pattern.search(text)):
                return True
        return False

    def strip_chatter(self, text: str) -> str:
        """A sentence without its greetings, thanks, agreement, moods and status."""
        for words in self.languages:
            text = words.pattern("chatter").sub(" ", text)
        return " ".join(text.split()).strip(" ,;:.!?…-–—'\"。，！？")

    def has_content(self, text: str) -> bool:
        """True when a word that carries content is left behind the chatter."""
        return content_weight(self.strip_chatter(text)) > 0

    def _sentence(self, text: str) -> Sentence:
        bare = text.lstrip("¿¡\"'-*• ")
        asks = text.rstrip("\"')] ").endswith(("?", "？")) or "¿" in text
        return Sentence(
            text=bare,
            is_question=asks or (not text.endswith((".", "!", "。", "！")) and self._asks(bare)),
            is_request=self.begins("request", bare),
        )

    def _asks(self, text: str) -> bool:
        return text.endswith(("?", "？")) or self.begins("question", text) or self.begins("request", text)

    def _states(self, text: str) -> bool:
        return any(words.pattern("fact").match(text) for words in self.languages)


def content_weight(text: str) -> int:
    """How many words carry content; two characters of a script without spaces count as one word."""
    words = sum(word.lower() not in COMMON for word in _CONTENT_WORD.findall(_UNSPACED.sub(" ", text)))
    characters = sum(each not in COMMON for each in _UNSPACED.findall(text))
    return words + (characters + 1) // 2 + text.count(THING)


MOST_READ = 8_000
"""Of a longer text its head and its tail are read, where people say what the paste between them is about."""
_TAIL = 2_000


def read(text: str) -> ParsedTurn:
    """Prepare a text; any text will do, broken Unicode included. Short texts are kept at hand: a turn that comes in is
    read by many."""
    return _known_turn(text) if len(text) <= _SHORT_TURN else _prepared(text)


def _prepared(text: str) -> ParsedTurn:
    if len(text) > MOST_READ:
        text = f"{text[: MOST_READ - _TAIL - 1]}\n{text[-_TAIL:]}"
    return ParsedTurn(text=normalised(text, "NFC").translate(_STRAIGHT))


def guess_languages(text: str) -> tuple[GateVocabulary, ...]:
    """By script, then by the small words among the first few hundred; all Latin languages when nothing tells. Short
    texts are kept at hand."""
    return _known_languages(text) if len(text) <= _SHORT else _guess(text)


def forget_guesses() -> None:
    """Let go of the texts that were read, or whose language was guessed, before."""
    _known_languages.cache_clear()
    _known_turn.cache_clear()


def _guess(text: str) -> tuple[GateVocabulary, ...]:
    head = text[: _SEEN_WORDS * 12]
    found: list[GateVocabulary] = []
    if _KANA.search(head):
        found.append(_BY_NAME["japanese"])
    elif _HAN.search(head):
        found.append(_BY_NAME["chinese"])
    if _CYRILLIC.search(head):
        found.append(_BY_NAME["russian"])
    latin = [word.lower() for word in _WORD.findall(head) if word[0] < "\u0250"][:_SEEN_WORDS]
    if not found or len(latin) > 5:
        found.extend(_latin_languages(latin))
    return tuple(found)


def _latin_languages(words: list[str]) -> tuple[GateVocabulary, ...]:
    counts = {language.name: sum(word in language.common for word in words) for language in _LATIN}
    most = max(counts.values())
    return tuple(language for language in _LATIN if counts[language.name] == most)


_SHORT = 400
_known_languages = lru_cache(maxsize=2_048)(_guess)
_SHORT_TURN = 2_000
_known_turn = lru_cache(maxsize=256)(_prepared)
