"""What was put into the last prompts of each session: the echo guard of ingest asks for it."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Sequence
from typing import NamedTuple

from libravdb.core.ingest.echo import InjectedBefore

SESSIONS = 256
"""Sessions whose last prompts are remembered; the longest unused go first."""

PROMPTS = 4
"""Last prompts of a session that are remembered."""


class _Answered(NamedTuple):
    prompt: str
    texts: tuple[str, ...]
    frames: frozenset[str]


class InjectedTexts:
    """What we put into the last prompts of each session, for the echo guard."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._prompts: OrderedDict[tuple[str, str], deque[_Answered]] = OrderedDict()

    def add(self, session: str, prompt: str, texts: Sequence[str], *, frames: frozenset[str], namespace: str) -> None:
        """A prompt of a session was answered with these texts in these frames; the same again counts once."""
        answered = _Answered(prompt, tuple(texts), frames)
        with self._lock:
            known = self._prompts.setdefault((namespace, session), deque(maxlen=PROMPTS))
            self._prompts.move_to_end((namespace, session))
            if answered not in known:
                known.append(answered)
            while len(self._prompts) > SESSIONS:
                self._prompts.popitem(last=False)

    def of(self, session: str, namespace: str) -> InjectedBefore:
        """What was injected into a session's last prompts for a namespace."""
        with self._lock:
            known = tuple(self._prompts.get((namespace, session), ()))
        return InjectedBefore(
            frames=frozenset().union(*(answered.frames for answered in known)),
            texts=tuple(dict.fromkeys(text for answered in known for text in answered.texts)),
            prompts=tuple(dict.fromkeys(answered.prompt for answered in known)),
        )

    def holds(self, namespace: str) -> bool:
        """Whether anything is remembered that was injected for a namespace."""
        with self._lock:
            return any(whose == namespace for whose, _ in self._prompts)

    def forget(self, namespace: str | None = None) -> None:
        """Let go of what was injected for a namespace, or for all."""
        with self._lock:
            for whose in [whose for whose in self._prompts if namespace in (None, whose[0])]:
                del self._prompts[whose]
