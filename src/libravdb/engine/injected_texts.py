"""What was put into the last prompts of each session: the echo guard of ingest asks for it."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Sequence
from typing import NamedTuple

SESSIONS = 256
"""Sessions whose last prompts are remembered; the longest unused go first."""

PROMPTS = 4
"""Last prompts of a session that are remembered."""


class _Answered(NamedTuple):
    namespace: str
    prompt: str
    texts: tuple[str, ...]


class InjectedTexts:
    """What we put into the last prompts of each session, for the echo guard."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._prompts: OrderedDict[str, deque[_Answered]] = OrderedDict()

    def add(self, session: str, prompt: str, texts: Sequence[str], *, namespace: str) -> None:
        """A prompt of a session was answered with these texts; the same again counts once."""
        answered = _Answered(namespace, prompt, tuple(texts))
        with self._lock:
            known = self._prompts.setdefault(session, deque(maxlen=PROMPTS))
            self._prompts.move_to_end(session)
            if answered not in known:
                known.append(answered)
            while len(self._prompts) > SESSIONS:
                self._prompts.popitem(last=False)

    def of(self, session: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The texts that were injected into a session's last prompts, and the prompts themselves."""
        with self._lock:
            known = tuple(self._prompts.get(session, ()))
        texts = dict.fromkeys(text for answered in known for text in answered.texts)
        return tuple(texts), tuple(dict.fromkeys(answered.prompt for answered in known))

    def holds(self, namespace: str) -> bool:
        """Whether anything is remembered that was injected for a namespace."""
        with self._lock:
            return any(answered.namespace == namespace for known in self._prompts.values() for answered in known)

    def forget(self, namespace: str | None = None) -> None:
        """Let go of what was injected for a namespace, or for all."""
        with self._lock:
            for session, known in list(self._prompts.items()):
                kept = [answered for answered in known if namespace not in (None, answered.namespace)]
                self._prompts[session] = deque(kept, maxlen=PROMPTS)
