"""What a summariser may give: text that says something, does not go round in circles, and fits. Pure."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from libravdb.text.sentences import sentences
from libravdb.text.tokens import prompt_tokens

TIMES = 3
"""How often in a row a run of tokens must stand to be a circle."""

LONGEST_RUN = 32
SHORTEST_CIRCLE = 12
"""Tokens of a whole circle: an honest number may have three equal digits, and a laugh four equal syllables."""


def circle_start(tokens: Sequence[Hashable], end: int | None = None) -> int | None:
    """Where the tokens before `end` (all, when it is not given) begin to say the same for the second time, or None.

    A circle is a run of 1 to 32 tokens that stands at least three times in a row, twelve tokens or more in all.
    """
    end = len(tokens) if end is None else end
    for length in range(1, min(LONGEST_RUN, end // TIMES) + 1):
        times = max(TIMES, -(-SHORTEST_CIRCLE // length))
        begin = end - length * times
        if begin >= 0 and all(tokens[place] == tokens[place + length] for place in range(begin, end - length)):
            return begin + length
    return None


def goes_in_circles(text: str) -> bool:
    """True when somewhere in the text the same words stand again and again."""
    words = text.lower().split()
    return any(circle_start(words, end) is not None for end in range(SHORTEST_CIRCLE, len(words) + 1))


def says_nothing(text: str) -> bool:
    """True for empty text, and for text without a letter or a digit."""
    return not any(character.isalnum() for character in text)


def finished(text: str) -> str:
    """A text that was broken off, without the sentence that has no end; when there is no other, without the last word:
    half a number is worse than none. A single word stays."""
    found = sentences(text)
    if not found or _is_closed(text[found[-1][0] : found[-1][1]]):
        return text
    if len(found) > 1:
        return text[: found[-2][1]]
    return text.rpartition(" ")[0] or text


def _is_closed(sentence: str) -> bool:
    return sentence.rstrip("\"'”’»)]}」』）】")[-1:] in tuple(".!?…。！？｡．؟۔।॥։።។")


def whole_sentences(text: str, max_tokens: int) -> str:
    """As many whole sentences from the beginning as `max_tokens` hold; nothing when not one fits."""
    return text[: _last_fitting(text, [end for _, end in sentences(text)], max_tokens)]


def fit(text: str, max_tokens: int) -> str:
    """As many whole sentences from the beginning as `max_tokens` hold; when not one fits, as many words; when not one
    word does, as many characters."""
    if prompt_tokens(text) <= max_tokens:
        return text
    ends = [end for _, end in sentences(text)]
    for edges in (ends, [place for place, character in enumerate(text) if character.isspace()]):
        fitting = _last_fitting(text, edges, max_tokens)
        if fitting:
            return text[:fitting].rstrip()
    return text[: _last_fitting(text, range(1, len(text)), max_tokens)]


def _last_fitting(text: str, ends: Sequence[int], max_tokens: int) -> int:
    """The greatest of the ascending ends whose beginning fits, or 0: a longer beginning never costs less."""
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high) // 2
        if prompt_tokens(text[: ends[middle]].rstrip()) <= max_tokens:
            low = middle + 1
        else:
            high = middle
    return ends[low - 1] if low else 0
