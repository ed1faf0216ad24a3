"""For what a prompt is assembled."""

from __future__ import annotations

from enum import StrEnum


class AssemblyMode(StrEnum):
    """Whose job the history is: the host keeps its own and we add to it, or we choose what of it stays."""

    AUGMENT = "augment"
    WINDOW = "window"
