"""What a prompt may cost, and what it costs: shares of the budget, and a scale that weighs exactly what is rendered.

The unit is the section: one frame of ours with its tags, or one message of the host. Its price is that of its whole
text, and the price of a prompt is the sum of its sections'. With our own estimate that sum is never less than the price
of all sections joined, since each is rounded up by itself.
"""

from __future__ import annotations

from collections import deque

from libravdb.errors import InvalidInput
from libravdb.text.tokens import CountTokens, prompt_tokens, prompt_weight, tokens_of

MOST_TOKENS = 2**53
"""Beyond this floating point cannot take shares of a budget; no prompt comes near."""


def share_of(share: float, budget: int) -> int:
    """`⌊share·τ⌋`; never more than τ, however large."""
    return min(budget, int(share * min(budget, MOST_TOKENS)))


def soft_room(budget: int, *, share: float, hard: int, base: int) -> int:
    """`τ_I2eff = max(0, min(α2·τ, τ − toks(I1) − toks(T_base)))`: what soft rules may take."""
    return max(0, min(share_of(share, budget), budget - hard - base))


class Scale:
    """Prices texts: by our own estimate, or by a host's counter."""

    def __init__(self, count: CountTokens = prompt_tokens) -> None:
        self._count = count
        self.is_additive = count is prompt_tokens

    def price(self, text: str) -> int:
        """The tokens of a text; raises InvalidInput when a host's counter answers nonsense."""
        tokens = self._count(text)
        if type(tokens) is not int or tokens < 0:  # a host's counter may answer anything
            raise InvalidInput(
                "count_tokens", f"answered {tokens!r}", remedy="A token counter returns a whole number, 0 or more."
            )
        return tokens


class Growing:
    """The price of a frame that grows by pieces, at either end. A frame that holds nothing is not there and costs 0.

    Our own estimate adds up, so that a piece is weighed once; a host's counter is asked for the whole text each time.
    """

    def __init__(self, scale: Scale, opening: str, closing: str) -> None:
        self._scale = scale
        self._opening = opening
        self._closing = closing
        self._pieces: deque[str] = deque()
        self._weight = prompt_weight(opening) + prompt_weight(closing) if scale.is_additive else 0
        self.price = 0

    @property
    def pieces(self) -> tuple[str, ...]:
        """What stands there so far, tags included; nothing when it holds nothing."""
        return (self._opening, *self._pieces, self._closing) if self._pieces else ()

    def price_with(self, piece: str) -> int:
        """What it would cost with one more piece at its end."""
        if self._scale.is_additive:
            return tokens_of(self._weight + prompt_weight(piece))
        return self._scale.price("".join((self._opening, *self._pieces, piece, self._closing)))

    def append(self, piece: str) -> None:
        """Add a piece at the end."""
        self._pieces.append(piece)
        self._settle(piece)

    def prepend(self, piece: str, *, behind: int = 0) -> None:
        """Add a piece at the beginning, or behind so many of the first."""
        self._pieces.insert(behind, piece)
        self._settle(piece)

    def _settle(self, piece: str) -> None:
        if self._scale.is_additive:
            self._weight += prompt_weight(piece)
            self.price = tokens_of(self._weight)
        else:
            self.price = self._scale.price("".join(self.pieces))
