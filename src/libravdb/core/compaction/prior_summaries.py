"""What a new summary may lean on: a little of the summaries before it, so that it tells what changed and not the
background once more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from libravdb.core.compaction.facts import split_ledger
from libravdb.core.compaction.settings import DEFAULTS
from libravdb.model import Source
from libravdb.text.sentences import sentences
from libravdb.text.tokens import prompt_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """The summaries that are leant on, in order of time, what is shown of each, and its price."""

    sources: tuple[Source, ...] = ()
    texts: tuple[str, ...] = ()
    tokens: int = 0


def choose_support(earlier: Sequence[Source], *, max_tokens: int = DEFAULTS.support_tokens) -> Support:
    """As much of the summaries before a cluster as fits, the nearest first; whole sentences, ledgers left out.

    `earlier` are sources in order of time; turns among them are passed over, they are not compacted state.
    """
    sources: list[Source] = []
    texts: list[str] = []
    left = max_tokens
    for source in reversed(earlier):
        shown = _head(split_ledger(source.text)[0], left) if source.is_summary else ""
        if source.is_summary and not shown:
            break
        if shown:
            sources.append(source)
            texts.append(shown)
            left -= prompt_tokens(shown)
    return Support(sources=tuple(reversed(sources)), texts=tuple(reversed(texts)), tokens=max_tokens - left)


def _head(text: str, max_tokens: int) -> str:
    """The first sentences of a text that fit together."""
    end = 0
    begin = 0
    for place, (start, stop) in enumerate(sentences(text)):
        begin = start if not place else begin
        if prompt_tokens(text[begin:stop]) > max_tokens:
            break
        end = stop
    return text[begin:end] if end else ""
