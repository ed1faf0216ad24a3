"""How many tokens a text costs in a prompt, as an estimate that needs no tokenizer."""

from __future__ import annotations

import re
from collections.abc import Callable

CountTokens = Callable[[str], int]
"""What a text costs; a host may bring its own."""

ESTIMATOR = "markdown-ingest:v1"
"""The id of this estimate, as clients of the protocol name it."""

_DENSE = re.compile(
    "[\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)
_MIDDLE = re.compile("[\u0400-\u052f\u0590-\u05ff\u0600-\u06ff\u0750-\u077f]")
_RARE_HAN = re.compile("[\U00020000-\U0003ffff]")


def prompt_tokens(text: str) -> int:
    """`ceil(Σ 1/χ(c))` over the characters: χ is 1.6 for Han, Kana and Hangul, 2.5 for Cyrillic, Arabic and Hebrew,
    4 for all others."""
    return tokens_of(prompt_weight(text))


def prompt_weight(text: str) -> int:
    """The same sum in fortieths of a token, not rounded: weights of pieces add up to the weight of the whole.

    Whole numbers keep it exact: 1/1.6 = 25/40, 1/2.5 = 16/40, 1/4 = 10/40.
    """
    if text.isascii():
        return 10 * len(text)
    dense = len(_DENSE.findall(text)) + len(_RARE_HAN.findall(text))
    middle = len(_MIDDLE.findall(text))
    return 25 * dense + 16 * middle + 10 * (len(text) - dense - middle)


def tokens_of(weight: int) -> int:
    """The tokens of a weight in fortieths, rounded up."""
    return -(-weight // 40)
