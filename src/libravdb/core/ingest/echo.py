"""The echo guard: what we put into a prompt is not taken for something that somebody said.

It drops nothing and shortens nothing that was said. A whole frame that we issued is taken out, since nobody said it.
Whatever else looks like ours stays word for word and is marked: gate and recall heed the mark. A host that strips our
tags and keeps the text is known by the text itself: the engine remembers what it injected into a session, and what
comes back word for word, in whole passages side by side, is ours. Somebody who says one of them again says it: one
inserted word makes another statement of it, and a request may be repeated.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from libravdb.core.ingest.own_frames import strip_frames, strip_issued
from libravdb.core.ingest.settings import DEFAULTS, IngestSettings
from libravdb.model import IncomingTurn, Role
from libravdb.model.turn_metadata import ECHO, HOLDS_FRAMES


@dataclass(frozen=True, slots=True, kw_only=True)
class InjectedBefore:
    """What we put into the last prompts of a session: their frames by their letters, the texts in them, and what was
    asked for with each."""

    frames: frozenset[str] = frozenset()
    texts: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()


NOTHING = InjectedBefore()


def guard(
    said: IncomingTurn, injected: InjectedBefore = NOTHING, *, settings: IngestSettings = DEFAULTS
) -> IncomingTurn:
    """What was said, without the frames that we issued, and marked where more of it is ours.

    Somebody who asks the same again asks in words that were recalled: what stands in a prompt was said. An assistant
    may recite what it recalled, and then those are its words.
    """
    if said.skipped:
        return said
    text = strip_issued(said.text, injected.frames)
    text = text if text.strip() else said.text
    own = strip_frames(text)
    is_ours = not own.strip()
    if said.role is not Role.ASSISTANT and not is_ours:
        own, is_ours = _without_injected(own, said.role, injected, settings)
    if is_ours:
        return replace(said, text=text, metadata={**said.metadata, ECHO: True})
    if own == text:
        return said if text == said.text else replace(said, text=text)
    return replace(said, text=text, own_words=own, metadata={**said.metadata, HOLDS_FRAMES: True})


def _without_injected(text: str, role: Role, injected: InjectedBefore, settings: IngestSettings) -> tuple[str, bool]:
    """A text without what we injected at its head or end, and whether all of it is ours. A tool that answers with one
    recalled text shows what we hold already; a person who says one again means it."""
    foreign = _without_prompts(injected.texts, injected.prompts)
    own = strip_injected(text, foreign, settings=settings)
    if not own.strip():
        return text, True
    return own, role is Role.TOOL and is_echo(own, foreign, settings=settings)


def is_echo(text: str, injected: Sequence[str], *, settings: IngestSettings = DEFAULTS) -> bool:
    """Whether a tool's answer consists of passages that we injected: they cover at least `echo_coverage` of its
    letters.

    Both are compared without spaces and quote marks, so that wrapping and quoting hide nothing. The cost grows with the
    number of passages: a caller keeps those of the last few prompts.
    """
    plain = _Plain(text)
    if len(plain.letters) < settings.echo_letters:
        return False
    passages = _plain_passages(injected, settings.echo_letters)
    if any(plain.letters in passage for passage in passages):
        return True
    covered = sum(end - start for start, end in _find(plain.letters, passages, settings.echo_letters))
    return covered >= settings.echo_coverage * len(plain.letters)


def strip_injected(text: str, injected: Sequence[str], *, settings: IngestSettings = DEFAULTS) -> str:
    """The text without blocks at its head or end in which at least two injected passages stand side by side.

    One passage may be a quotation; two in a row, with nothing but a line break or a label between, are a recall block
    that lost its tags. They are whole, but for one that a host cut off where the text begins or ends.
    """
    passages = _plain_passages(injected, settings.echo_letters)
    if len(passages) < 2:
        return text
    plain = _Plain(text)
    for start, end in reversed(_blocks(text, plain, passages, settings.echo_letters)):
        head = _LABEL.sub("", text[: plain.places[start]][-_LONGEST_LABEL:])
        head = text[: plain.places[start]][:-_LONGEST_LABEL] + head
        rest = text[plain.places[end - 1] + 1 :]
        if not head.strip() or not rest.strip():
            text = (head.rstrip() + "\n" + rest.lstrip()).strip()
    return text


_SKIPPED = re.compile(r"[\s>|*_`]+")
_MARKUP = re.compile(r"</?entry\b[^<>]{0,600}>")
_LABEL = re.compile(r"(?:\A|\n)[^\n]{0,30}:\s*\Z")
_LONGEST_LABEL = 40
_SIGNS = " \t\r\n>|*_`/-–•·…\"'"


class _Plain:
    """A text as letters alone, and where each of them stands."""

    def __init__(self, text: str) -> None:
        kept: list[str] = []
        self.places: list[int] = []
        position = 0
        for gap in (*_SKIPPED.finditer(text), None):
            end = gap.start() if gap else len(text)
            kept.append(text[position:end])
            self.places.extend(range(position, end))
            position = gap.end() if gap else end
        self.letters = "".join(kept)


def letters_of(text: str) -> str:
    """A text without spaces and quote marks."""
    return _SKIPPED.sub("", text)


def _without_prompts(injected: Sequence[str], prompts: Sequence[str]) -> Sequence[str]:
    """The injected texts that no prompt contains."""
    asked = [letters_of(prompt) for prompt in prompts]
    return [text for text in injected if not any(letters_of(text) in prompt for prompt in asked)]


def _plain_passages(injected: Sequence[str], shortest: int) -> list[str]:
    """Each injected text as letters; those that are too short to mean anything are left out."""
    passages = (letters_of(html.unescape(_MARKUP.sub(" ", text))) for text in injected)
    return [passage for passage in dict.fromkeys(passages) if len(passage) >= shortest]


def _find(letters: str, passages: Sequence[str], shortest: int) -> list[tuple[int, int]]:
    """Where passages stand in the letters: whole, or cut off at one end but still long."""
    spans: list[tuple[int, int]] = []
    for passage in passages:
        start = letters.find(passage[:shortest])
        while start >= 0:
            end = start + _shared(letters[start : start + len(passage)], passage)
            spans.append((start, end))
            start = letters.find(passage[:shortest], end)
        end = letters.find(passage[-shortest:])
        if end >= 0:
            end += shortest
            window = letters[max(0, end - len(passage)) : end]
            spans.append((end - _shared(window[::-1], passage[::-1]), end))
    return _merged(spans)


def _shared(one: str, other: str) -> int:
    """How many leading letters two texts share."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order, those that overlap made one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _blocks(text: str, plain: _Plain, passages: Sequence[str], shortest: int) -> list[tuple[int, int]]:
    """Runs of two or more passages with at most a label between them."""
    runs: list[list[tuple[int, int]]] = []
    for span in _merged(_whole_spans(plain.letters, passages, shortest)):
        if runs and _is_label(text, plain, runs[-1][-1][1], span[0]):
            runs[-1].append(span)
        else:
            runs.append([span])
    return [(run[0][0], run[-1][1]) for run in runs if len(run) > 1]


def _whole_spans(letters: str, passages: Sequence[str], shortest: int) -> list[tuple[int, int]]:
    """Where passages stand whole, or, where the letters begin or end, without what was cut off there."""
    spans: list[tuple[int, int]] = []
    for passage in passages:
        start = letters.find(passage)
        while start >= 0:
            spans.append((start, start + len(passage)))
            start = letters.find(passage, start + len(passage))
        cut_head = letters.find(passage[-shortest:])
        if 0 <= cut_head < len(passage) - shortest and passage.endswith(letters[: cut_head + shortest]):
            spans.append((0, cut_head + shortest))
        cut_end = letters.rfind(passage[:shortest])
        if cut_end >= 0 and passage.startswith(letters[cut_end:]):
            spans.append((cut_end, len(letters)))
    return spans


def _is_label(text: str, plain: _Plain, start: int, end: int) -> bool:
    """Whether nothing stands between two passages but a break, a sign, or a label such as "user, 2026-01-31:"."""
    between = text[plain.places[start - 1] + 1 : plain.places[end]].strip(_SIGNS)
    return len(between) <= _LONGEST_LABEL and (not between or between.endswith(":"))
