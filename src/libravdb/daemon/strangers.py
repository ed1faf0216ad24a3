"""Those who showed a wrong token, by their address: how often, and how long their next answer waits."""

from __future__ import annotations

from collections import OrderedDict

MOST_ADDRESSES = 4_096
"""Addresses that are remembered; whoever was seen longest ago goes first."""

_MOST_DOUBLINGS = 16


class Strangers:
    """Counts wrong tokens by address. Only answers to wrong tokens wait: the right one is never held up."""

    def __init__(self, *, first_seconds: float, most_seconds: float, addresses: int = MOST_ADDRESSES) -> None:
        self._first_seconds = first_seconds
        self._most_seconds = most_seconds
        self._addresses = addresses
        self._failures: OrderedDict[str, int] = OrderedDict()

    def failed(self, address: str) -> int:
        """One more wrong token from an address; how many that makes."""
        count = self._failures.pop(address, 0) + 1
        self._failures[address] = count
        while len(self._failures) > self._addresses:
            self._failures.popitem(last=False)
        return count

    def seconds(self, address: str) -> float:
        """How long the answer to the last wrong token waits: twice as long each time, up to a bound."""
        count = self._failures.get(address, 0)
        if count == 0:
            return 0.0
        return min(self._first_seconds * 2.0 ** min(count - 1, _MOST_DOUBLINGS), self._most_seconds)
