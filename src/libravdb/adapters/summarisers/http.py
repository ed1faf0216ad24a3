"""A summariser that asks a server: OpenAI-compatible (`/v1/chat/completions`) or Ollama (`/api/chat`).

Nothing the server says is believed: an answer that is empty, says nothing, repeats the question, goes in circles or is
longer than asked for is refused, and compaction goes on without it. How it is asked, how long it may take and how often
a failed question is asked again is told in `remote.py`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from libravdb.adapters.http_json import Remote
from libravdb.adapters.summarisers.draft_checks import finished, goes_in_circles, says_nothing, whole_sentences
from libravdb.adapters.summarisers.prompt import ChatPrompt, is_echo, write_prompt
from libravdb.adapters.summarisers.settings import DEFAULTS
from libravdb.adapters.summarisers.transcript import lines, on_own_lines, shorten
from libravdb.errors import InvalidInput, LibraError, SummariserError
from libravdb.model import Draft, Metadata, SummaryTask
from libravdb.text.tokens import prompt_tokens

PATHS = {"openai": "/v1/chat/completions", "ollama": "/api/chat"}
ANSWER_LIMIT = 1024 * 1024
"""A summary has some hundred tokens; the rest is what servers add around it."""

INPUT_CHARS = 48_000
"""About 12,000 tokens of English: what a cluster of turns hardly reaches and every current model reads."""

SMALLEST_WINDOW, LARGEST_WINDOW = 4_096, 65_536
SPARE = 1.5
"""Our estimate of tokens is no tokenizer: room for half as many again, to read and to write."""

MOST_CUT = 4
"""Models count badly: an answer of up to so many times its limit is cut behind a sentence, a longer one refused."""

_THOUGHT = ("<think>", "</think>")
_HINT = "Some models refuse temperature or max_tokens: choose one that takes both."


class EndpointSummariser:
    """Many texts to one by a server; see `Summariser` in `ports.py`. Making one asks nothing of the network."""

    def __init__(
        self,
        *,
        kind: str,
        url: str,
        model: str,
        api_key: str = "",
        timeout_seconds: float = DEFAULTS.timeout_seconds,
        retries: int = DEFAULTS.retries,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if kind not in PATHS:
            raise InvalidInput("backend", f"{kind!r} is no kind of server", remedy="Known are: openai, ollama.")
        if not model:
            raise InvalidInput("model", "is empty", remedy="Set summarizer.model to the server's name for it.")
        self._kind = kind
        self._model = model
        self._remote = Remote(
            url=url,
            api_path=PATHS[kind],
            section="summarizer",
            fail=self._failure,
            api_key=api_key,
            timeout_seconds=timeout_seconds,
            retries=retries,
            answer_limit=ANSWER_LIMIT,
            sleep=sleep,
        )

    def __repr__(self) -> str:
        return f"EndpointSummariser(kind={self._kind!r}, url={self._remote.shown!r}, model={self._model!r})"

    @property
    def name(self) -> str:
        """What its drafts say of their origin."""
        return self._kind

    @property
    def description(self) -> Metadata:
        """What it is and whom it asks; never the key."""
        return {"backend": self._kind, "model": self._model, "endpoint": self._remote.shown}

    def summarise(self, task: SummaryTask) -> Draft:
        """One draft, at most `max_tokens` long. A server tells no confidence that could be compared: it is None."""
        spoken = lines(task, name=self._kind, has_days=True)
        read = shorten(spoken, limit=INPUT_CHARS)
        prompt = write_prompt(read, support=shorten(task.support, limit=INPUT_CHARS // 8), max_tokens=task.max_tokens)
        text, is_broken_off = self._answered(self._remote.ask(self._body(prompt, task.max_tokens), hint=_HINT))
        whole = _without_thought(on_own_lines(text))
        kept = finished(whole) if is_broken_off else whole
        self._refuse_nonsense(kept, prompt, read, task.max_tokens)
        notes = []
        if prompt_tokens(kept) > task.max_tokens:
            kept = whole_sentences(kept, task.max_tokens)
            notes.append("the answer was cut to its limit")
        if read != spoken:
            notes.append(f"read {sum(map(len, read))} of {sum(map(len, spoken))} characters")
        if is_broken_off:
            notes.append("the answer was broken off at its limit")
        return Draft(text=kept, method=self._kind, notes=tuple(notes))

    def close(self) -> None:
        """Nothing is held open between calls."""

    def _failure(self, shown: str, problem: str, remedy: str) -> LibraError:
        return SummariserError(self._kind, f"{shown}: {problem}", remedy=remedy)

    def _body(self, prompt: ChatPrompt, max_tokens: int) -> dict[str, object]:
        messages = [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}]
        most = int(max_tokens * SPARE) + 16
        if self._kind == "openai":
            return {
                "model": self._model,
                "messages": messages,
                "temperature": 0,
                "max_tokens": most,
                "stream": False,
            }
        # Ollama reads only as much as its window holds and drops the rest in silence, so the window is asked for.
        wanted = int((prompt_tokens(prompt.system) + prompt_tokens(prompt.user)) * SPARE) + most
        window = min(LARGEST_WINDOW, max(SMALLEST_WINDOW, 1 << (wanted - 1).bit_length()))
        options = {"temperature": 0, "seed": 0, "num_predict": most, "num_ctx": window}
        return {"model": self._model, "messages": messages, "stream": False, "options": options}

    # ── believing nothing ─────────────────────────────────────────────────────────────────────────────────

    def _answered(self, content: object) -> tuple[str, bool]:
        """The text of the answer, and whether it was broken off at its limit."""
        answer: Any = content if isinstance(content, dict) else {}
        reason = answer.get("done_reason")
        if self._kind == "openai":
            choices = answer.get("choices")
            answer = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
            reason = answer.get("finish_reason")
        message = answer.get("message")
        text = message.get("content") if isinstance(message, dict) else None
        if not isinstance(text, str):
            raise self._remote.nonsense("answers without the text of a message")
        return text, reason == "length"

    def _refuse_nonsense(self, text: str, prompt: ChatPrompt, read: list[str], max_tokens: int) -> None:
        length = prompt_tokens(text)
        if says_nothing(text):
            problem = "answers with nothing that could be a summary"
        elif length > max_tokens and (length > MOST_CUT * max_tokens or not whole_sentences(text, max_tokens)):
            problem = f"answers with {length} tokens where {max_tokens} are allowed"
        elif is_echo(text, prompt, read):
            problem = "answers with what it was asked"
        elif goes_in_circles(text):
            problem = "answers in circles"
        else:
            return
        raise self._remote.nonsense(problem)


def _without_thought(text: str) -> str:
    """The answer behind the thoughts that some models write down before it; nothing, when they never end."""
    opened, closed = _THOUGHT
    if not text.startswith(opened):
        return text
    return text.partition(closed)[2].strip()
