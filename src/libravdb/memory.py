"""Memory inside a Python program: one object over one file, no network; through the daemon where one holds it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from libravdb.model import (
    Answer,
    AssemblyMode,
    Authored,
    Committed,
    Explained,
    KeptWish,
    Profile,
    ProfileLine,
    Prompt,
    Remembered,
    Replayed,
    Scope,
    SignedErasure,
)
from libravdb.model.collections import durable_memory
from libravdb.model.namespaces import DEFAULT, resolve_namespace

if TYPE_CHECKING:
    from libravdb.ports.engine_api import EngineApi

SESSION = "default"
"""The session of a program that has only one conversation."""


class Memory:
    """What an agent remembers of one user. Usable from many threads; close it, or use it in a `with`.

    `engine` is the whole engine underneath, for everything that has no verb here: its own, or the daemon's.
    """

    def __init__(self, engine: EngineApi, *, user: str) -> None:
        self.engine = engine
        self.user = resolve_namespace(user=user)

    @classmethod
    def open(cls, path: Path | str, *, user: str = DEFAULT, settings: Mapping[str, object] | None = None) -> Memory:
        """The memory in a file, made when missing. `settings` are those of the configuration, by dotted name.

        A file has one owner. When a daemon holds it, everything goes through that, and `settings` are the daemon's own
        business; when another program does, this raises StoreBusy and names it.
        """
        from libravdb.app import open_or_connect  # noqa: PLC0415 - whoever only names the class loads no more
        from libravdb.config import load  # noqa: PLC0415

        arguments = {"store.path": Path(path), **(settings or {})}
        config = load(environ=os.environ, arguments=arguments).config
        return cls(open_or_connect(config, given=tuple(settings or ())), user=user)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file and the model."""
        self.engine.close()

    def ingest(self, *messages: object, session: str = SESSION) -> Committed:
        """Take in what was said: texts (the user's), or messages with role and content in any known shape."""
        return self.engine.conversations.ingest_batch(messages, session=session, namespace=self.user)

    def commit_turn(self, messages: Sequence[Any], *, key: str, session: str = SESSION) -> Committed:
        """Take in the messages of one turn, all or none, once per key."""
        return self.engine.conversations.commit_turn(messages, session=session, namespace=self.user, key=key)

    def assemble(
        self,
        prompt: str,
        *,
        budget: int = 4_000,
        session: str = SESSION,
        messages: Sequence[Any] = (),
        mode: AssemblyMode = AssemblyMode.AUGMENT,
    ) -> Prompt:
        """What the model should see for a prompt, under a hard budget of tokens."""
        return self.engine.prompts.assemble(
            prompt, session=session, namespace=self.user, budget=budget, messages=messages, mode=mode
        )

    def search(
        self, question: str, *, k: int | None = None, session: str | None = None, scopes: Sequence[Scope] = tuple(Scope)
    ) -> Answer:
        """What memory holds on a question, best first, with the account of every hit."""
        return self.engine.search(question, namespace=self.user, session=session, scopes=scopes, k=k)

    def remember(self, text: str) -> Remembered:
        """Keep a text in durable memory, whatever the gate would say."""
        return self.engine.memories.remember(text, collection=durable_memory(self.user))

    def forget(self, *ids: str) -> int:
        """Delete memories, and the turns that they came from, wherever they left text; returns how many there were."""
        return self.engine.deletions.forget(durable_memory(self.user), ids)

    def profile(self) -> Profile:
        """What is known and current about the user, in his own words, as every prompt shows it."""
        return self.engine.profile.show(namespace=self.user)

    def pin_profile(self, id: str, *, is_pinned: bool = True) -> ProfileLine:
        """Keep a line of the profile as it is, whatever is said later, and first in a small budget; or no longer."""
        return self.engine.profile.pin(id, namespace=self.user, is_pinned=is_pinned)

    def edit_profile(self, id: str, text: str) -> ProfileLine:
        """Correct a line of the profile; it stands until the user says something newer about the same thing."""
        return self.engine.profile.edit(id, text, namespace=self.user)

    def forget_profile(self, id: str) -> ProfileLine:
        """Take a line out of the profile: it comes back only when the user says it anew. The memory stays."""
        return self.engine.profile.forget(id, namespace=self.user)

    def erase(self, *, with_name: bool = False) -> SignedErasure:
        """Delete all that belongs to this user, look whether anything is left, and sign a certificate of it."""
        return self.engine.erasures.erase(self.user, with_name=with_name)

    def author(self, name: str, text: str, *, core: bool | None = None) -> Authored:
        """Keep a document with rules or notes; its former version is replaced."""
        return self.engine.documents.author(name, text, core=core)

    def guidance(self, *, everything: bool = False) -> list[KeptWish]:
        """The standing wishes of this user to the agent, the newest first; with `everything`, those too that count no
        more."""
        return self.engine.guidance.list(namespace=self.user, everything=everything)

    def remove_guidance(self, id: str) -> KeptWish:
        """Let a standing wish count no more; what was said stays in the history."""
        return self.engine.guidance.remove(id, namespace=self.user)

    def explain(self, receipt: str | None = None) -> Explained:
        """The account of a prompt, the newest if none is named."""
        return self.engine.prompts.explain(receipt, namespace=self.user)

    def why_not(self, record: str, *, receipt: str | None = None) -> str:
        """Why something that has an id does not stand in a prompt, or where it does, in words."""
        return self.engine.prompts.why_not(record, namespace=self.user, receipt=receipt)

    def replay(self, receipt: str | None = None, *, messages: Sequence[Any] = ()) -> Replayed:
        """Assemble a prompt again as of its moment: which parts are proven to have the same bytes, and what has changed
        since. `messages` are those that the host showed then."""
        return self.engine.prompts.replay(receipt, namespace=self.user, messages=messages)
