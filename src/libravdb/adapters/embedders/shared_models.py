"""A model is in memory once, however many embedders of this process use it.

The session and the tokenizer of a model can be used from many threads, and neither changes: so all embedders over the
same files hold the same ones, and they go when the last of these embedders lets go of them. A forked process loads its
own: the threads of a session do not come along.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from libravdb.adapters.embedders.tokenizer import TextTokenizer
    from libravdb.adapters.onnx_runtime import ort


@dataclass(frozen=True, kw_only=True, eq=False, weakref_slot=True, slots=True)
class LoadedModel:
    """A model that is in memory."""

    session: ort.InferenceSession
    tokenizer: TextTokenizer


_lock = threading.Lock()
_loaded: weakref.WeakValueDictionary[Hashable, LoadedModel] = weakref.WeakValueDictionary()


def share_model(files: Hashable, load: Callable[[], LoadedModel]) -> LoadedModel:
    """The model of these files, loaded if nobody has it. Whoever asks meanwhile waits for it."""
    with _lock:
        key = (os.getpid(), files)
        model = _loaded.get(key)
        if model is None:
            model = _loaded[key] = load()
        return model


def _begin_anew() -> None:
    """In a forked child nobody holds the lock, whoever held it in the parent."""
    global _lock  # noqa: PLW0603 - one for the process
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_begin_anew)
