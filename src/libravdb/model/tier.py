"""How much a node of an authored document binds."""

from __future__ import annotations

from enum import IntEnum


class Tier(IntEnum):
    """How binding a node is: hard ones stand in every prompt, soft ones as far as they fit, lore when relevant."""

    LORE = 0
    HARD = 1
    SOFT = 2
