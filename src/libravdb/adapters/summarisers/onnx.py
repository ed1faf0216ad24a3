"""A summariser over a local folder with a sequence-to-sequence model of the T5 family.

The model reads at most its own limit of tokens at once, so a longer conversation is read in windows of nearly equal
length and each window gets its share of the summary. What is too long even for that is shortened, the longest texts
first, and the draft says so. Greedy and on one thread: the same task gives the same draft.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Self

from libravdb.adapters.onnx_runtime import brief
from libravdb.adapters.summarisers.decoder import EncoderDecoder
from libravdb.adapters.summarisers.draft_checks import finished, fit, says_nothing
from libravdb.adapters.summarisers.greedy import DecodedText, NotFinite, StopReason, confidence, write
from libravdb.adapters.summarisers.model_folder import NAME, OTHER_MODEL, ModelFolder, invalid, read_folder
from libravdb.adapters.summarisers.profiles import SummariserProfile
from libravdb.adapters.summarisers.transcript import cut, level, lines, on_one_line
from libravdb.adapters.tokenizers_library import Tokenizer, read_tokenizer
from libravdb.errors import SummariserError
from libravdb.model import Draft, Metadata, SummaryTask

MOST_WINDOWS = 8
LEAST_SHARE = 24
"""Tokens of the summary that a window must get: fewer make no sentence."""

SUPPORT_SHARE = 4
"""Earlier summaries take at most a fourth of the first window."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """The tokens of a line, and where in it words begin: a number must not be cut in two."""

    ids: list[int]
    words: list[int]

    def shortened(self, most: int) -> _Line:
        if len(self.ids) <= most:
            return self
        end = max((place for place in self.words if place <= most), default=0) or most
        return _Line(ids=self.ids[:end], words=[place for place in self.words if place < end])


@dataclass(frozen=True, slots=True, kw_only=True)
class _TokenWindows:
    """The token ids of each window, and what was left unread."""

    windows: list[list[int]]
    notes: tuple[str, ...]


class OnnxSummariser:
    """Many texts to one with a local model; see `Summariser` in `ports.py`. Safe to use from several threads."""

    def __init__(self, folder: ModelFolder, *, profile: SummariserProfile | None = None) -> None:
        self._folder = folder
        self._traits = folder.traits
        self._tokenizer = _load_tokenizer(folder.tokenizer)
        self._model: EncoderDecoder | None = EncoderDecoder(folder)
        self._prefix = self._line(profile.prefix if profile else self._traits.prefix).ids
        self._max_input = profile.max_input if profile else self._traits.max_input
        if self._capacity < 8:
            problem = f"reads {self._max_input} tokens, too few for its own prefix"
            raise invalid(folder.encoder, problem, OTHER_MODEL)
        self._try_out()

    @classmethod
    def open(cls, folder: Path, *, profile: SummariserProfile | None = None, tokenizer: Path | None = None) -> Self:
        """Load and try a model folder. Raises SummariserError for anything that is not as it should be.

        A profile says how the model wants to be asked; without one its `config.json` does.
        """
        return cls(read_folder(folder, tokenizer=tokenizer), profile=profile)

    @property
    def name(self) -> str:
        """What its drafts say of their origin."""
        return NAME

    @property
    def description(self) -> Metadata:
        """What it is and how it works, for people."""
        return {
            "backend": NAME,
            "model": str(self._folder.encoder.parent),
            "decoder": self._folder.decoder.name,
            "cache": self._model is not None and self._model.has_cache,
            "max_input": self._max_input,
        }

    def summarise(self, task: SummaryTask) -> Draft:
        """One draft, at most `max_tokens` long. Its confidence is the geometric mean of the tokens' probabilities."""
        model = self._model
        if model is None:
            raise SummariserError(NAME, "is closed", remedy="Open it again.")
        reading = self._read(task)
        share = task.max_tokens // len(reading.windows)
        written = [self._write(model, window, share) for window in reading.windows]
        parts = [self._text_of(each) for each in written]
        whole = " ".join(part for part in parts if part)
        text = fit(whole, task.max_tokens)
        if says_nothing(text):
            raise SummariserError(NAME, "writes nothing for these texts")
        return Draft(
            text=text,
            method=NAME,
            confidence=confidence([step for each in written for step in each.log_probabilities]),
            notes=(*reading.notes, *_notes_on(written, is_cut=text != whole)),
        )

    def close(self) -> None:
        """Let go of the model; closing twice is fine."""
        self._model = None

    # ── reading ───────────────────────────────────────────────────────────────────────────────────────────

    @property
    def _capacity(self) -> int:
        """Tokens of conversation in one window, beside the prefix and the end."""
        return self._max_input - len(self._prefix) - 1

    def _read(self, task: SummaryTask) -> _TokenWindows:
        spoken = [self._line(line) for line in lines(task, name=NAME)]
        earlier = " ".join(on_one_line(each) for each in task.support)
        support = self._line(earlier).shortened(self._capacity // SUPPORT_SHARE)
        most = min(MOST_WINDOWS, max(1, task.max_tokens // LEAST_SHARE))
        room = most * self._capacity - len(support.ids)
        total = sum(len(line.ids) for line in spoken)
        notes: tuple[str, ...] = ()
        if total > room:
            longest = level([len(line.ids) for line in spoken], room)
            spoken = [line.shortened(longest) for line in spoken]
            kept = min(room, sum(len(line.ids) for line in spoken))
            notes = (f"read {kept} of {total} tokens, in {most} windows of {self._capacity}",)
        return _TokenWindows(windows=list(self._windows([support, *spoken], most=most * self._capacity)), notes=notes)

    def _windows(self, found: list[_Line], *, most: int) -> Iterable[list[int]]:
        """Each window between the prefix and the end; `most` holds even when there are more lines than tokens."""
        ids = [token for line in found for token in line.ids][:most]
        starts = list(accumulate((len(line.ids) for line in found), initial=0))
        words = [start + place for start, line in zip(starts, found, strict=False) for place in line.words]
        for begin, end in cut(len(ids), self._capacity, starts, words):
            yield [*self._prefix, *ids[begin:end], min(self._traits.eos)]

    def _line(self, text: str) -> _Line:
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        numbers = encoding.word_ids
        words = [place for place in range(len(numbers)) if place == 0 or numbers[place] != numbers[place - 1]]
        return _Line(ids=encoding.ids, words=words)

    # ── writing ───────────────────────────────────────────────────────────────────────────────────────────

    def _write(self, model: EncoderDecoder, window: list[int], limit: int) -> DecodedText:
        traits = self._traits
        try:
            return write(
                model.read(window),
                start=traits.start,
                eos=traits.eos,
                limit=max(1, min(limit, traits.max_output or limit)),
                no_repeat=traits.no_repeat,
            )
        except NotFinite as error:
            raise invalid(self._folder.decoder, "gives scores that are no numbers") from error

    def _text_of(self, written: DecodedText) -> str:
        text = on_one_line(self._tokenizer.decode(list(written.tokens), skip_special_tokens=True))
        return text if written.end is StopReason.FINISHED else finished(text)

    def _try_out(self) -> None:
        """Two steps with one word: a decoder that cannot go on, or knows fewer words than the tokenizer, shows now."""
        model = self._model
        assert model is not None  # noqa: S101 - called by the constructor alone
        next_scores = model.read([*self._prefix, *self._line("memory").ids, min(self._traits.eos)])
        width = min(len(next_scores(self._traits.start)), len(next_scores(self._traits.start)))
        words = self._tokenizer.get_vocab_size()
        if words > width:
            problem = f"has {words} tokens, but the model knows {width}"
            raise invalid(self._folder.tokenizer, problem, "Use the tokenizer.json that belongs to the model.")


def _notes_on(written: list[DecodedText], *, is_cut: bool) -> list[str]:
    ends = [each.end for each in written]
    notes = []
    if StopReason.CIRCLE in ends:
        notes.append("the model went in circles and was stopped")
    if StopReason.LIMIT in ends:
        notes.append("the model was stopped at its limit")
    if is_cut:
        notes.append("the end was left out to fit")
    return notes


def _load_tokenizer(path: Path) -> Tokenizer:
    try:
        tokenizer = read_tokenizer(path)
    except Exception as error:  # the library raises bare Exception
        raise invalid(path, f"is no tokenizer: {brief(error)}") from error
    tokenizer.encode_special_tokens = True  # "</s>" in a conversation is four characters, not its end
    return tokenizer
