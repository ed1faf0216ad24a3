"""The port of whatever writes summaries."""

from __future__ import annotations

from typing import Protocol

from libravdb.model import Draft, SummaryTask


class Summariser(Protocol):
    """Writes a shorter text that stands for many. What it writes is measured before it replaces anything."""

    @property
    def name(self) -> str:
        """What a draft's `method` says: extractive, onnx …"""

    def summarise(self, task: SummaryTask) -> Draft:
        """One draft for the task. Raises SummariserError when there is none to be had."""

    def close(self) -> None:
        """Let go of the model; closing twice is fine."""
