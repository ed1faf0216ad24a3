"""The echo guard: what we put into a prompt is not taken for something that somebody said.

Two lines of defence. Frames are taken out by their structure (`frames`). A host that strips our tags and keeps the text
is caught by the text itself: the engine remembers what it injected into a session, and what comes back word for word in
long passages is ours. Short sentences never count: everybody says "ok, thanks".
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import replace

from libravdb.core.ingest.own_frames import strip_frames
from libravdb.core.ingest.settings import DEFAULTS, IngestSettings
from libravdb.model import IncomingTurn, Role

ECHO = "echo"


def guard(
    said: IncomingTurn,
    injected: Sequence[str] = (),
    prompts: Sequence[str] = (),
    *,
    settings: IngestSettings = DEFAULTS,
) -> IncomingTurn:
    """What was really said: our frames taken out, and skipped as an echo when nothing else remains.

    `prompts` are the questions that the injected texts were fetched for. Somebody who asks the same again asks in words
    that were recalled: what stands in a prompt was said. An assistant may recite what it recalled, and then those are
    its words: only frames are taken out of them.
    """
    if said.skipped:
        return said
    text = strip_frames(said.text)
    is_ours = not text.strip()
    if said.role is not Role.ASSISTANT and not is_ours:
        foreign = _without_prompts(injected, prompts)
        text = strip_injected(text, foreign, settings=settings)
        is_asked = any(letters_of(text) in letters_of(prompt) for prompt in prompts)
        is_ours = not text.strip() or (not is_asked and is_echo(text, foreign, settings=settings))
    if is_ours:
        return replace(said, text=text, skipped=ECHO)
    return said if text == said.text else replace(said, text=text)


def is_echo(text: str, injected: Sequence[str], *, settings: IngestSettings = DEFAULTS) -> bool:
    """Whether a text consists of passages that we injected: they cover at least `echo_coverage` of its letters.

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
    that lost its tags.
    """
    passages = _plain_passages(injected, settings.echo_letters)
    if len(passages) < 2:
        return text
    plain = _Plain(text)
    for start, end in reversed(_blocks(plain.letters, passages, settings.echo_letters)):
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
_MAX_GAP = 24  # letters of a label between two passages: "user, 2026-01-31:"


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


def _blocks(letters: str, passages: Sequence[str], shortest: int) -> list[tuple[int, int]]:
    """Runs of two or more passages with at most a label between them."""
    runs: list[list[tuple[int, int]]] = []
    for span in _find(letters, passages, shortest):
        if runs and span[0] - runs[-1][-1][1] <= _MAX_GAP:
            runs[-1].append(span)
        else:
            runs.append([span])
    return [(run[0][0], run[-1][1]) for run in runs if len(run) > 1]
