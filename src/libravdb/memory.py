"""Memory inside a Python program: one object over one file, no network; through the daemon where one holds it.

`AsyncMemory` is made of the signatures here by `python tools/async_memory.py`.
"""

from __future__ import annotations

import builtins
import os
import threading
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from libravdb.arguments import (
    choice_in,
    choices_in,
    claim_in,
    each_in,
    expiry_in,
    filter_in,
    messages_in,
    metadata_in,
    moment_in,
    name_in,
    name_or_none,
    names_in,
    number_in,
    number_or_none,
    path_in,
    said_in,
    settings_in,
    store_in,
    text_in,
)
from libravdb.errors import StoreClosed
from libravdb.model import (
    Answer,
    AssemblyMode,
    Authored,
    Committed,
    Explained,
    Imported,
    Json,
    KeptWish,
    NamespaceInfo,
    Page,
    Profile,
    ProfileLine,
    Prompt,
    Record,
    Remembered,
    Replayed,
    Scope,
    SessionInfo,
    SignedErasure,
    Status,
    Where,
)
from libravdb.model.collections import durable_memory
from libravdb.model.namespaces import DEFAULT, resolve_namespace

if TYPE_CHECKING:
    from libravdb.ports.engine_api import EngineApi

SESSION = "default"
"""The session of a program that has only one conversation."""


class Memory:
    """What an agent remembers of one user. Usable from many threads; close it, or use it in a `with`.

    `engine` is the whole engine underneath, for everything that has no verb here: its own, or the daemon's. Times are
    datetimes, or milliseconds since 1970; a datetime without a zone is the machine's.
    """

    def __init__(self, engine: EngineApi, *, user: str, is_owner: bool = True) -> None:
        self._engine = engine
        self.user = resolve_namespace(user=text_in("user", user))
        self._is_owner = is_owner
        self._closed = threading.Event()

    @property
    def engine(self) -> EngineApi:
        """The engine underneath. After `close` there is none: raises StoreClosed, as every verb does then."""
        if self._closed.is_set():
            raise closed_memory()
        return self._engine

    # ── opening ───────────────────────────────────────────────────────────────────────────────────────────

    @classmethod
    def open(cls, path: Path | str, *, user: str = DEFAULT, settings: Mapping[str, object] | None = None) -> Memory:
        """The memory in a file, made when missing, or in a PostgreSQL database (`postgresql://user@host/database`).
        `settings` are those of the configuration, by dotted name.

        A file has one owner. When a daemon holds it, everything goes through that, and `settings` other than
        `daemon.…` raise InvalidInput: the daemon has its own. When another program does, this raises StoreBusy and
        names it. A database is shared by any number of programs and daemons.
        """
        from libravdb.app import open_or_connect  # noqa: PLC0415 - whoever only names the class loads no more
        from libravdb.config import load  # noqa: PLC0415

        name, told = text_in("user", user), settings_in("settings", settings)
        config = load(environ=os.environ, arguments={**store_in("path", path), **told}).config
        return cls(open_or_connect(config, given=tuple(told)), user=name)

    @classmethod
    def connect(cls, endpoint: str | None = None, *, token: str | None = None, user: str = DEFAULT) -> Memory:
        """The memory of a running daemon: `unix:/path`, or `http://host:port` or `tcp:host:port` with a token;
        else the configured one.

        Raises DaemonError when none answers there.
        """
        from libravdb.app import connect  # noqa: PLC0415 - as above
        from libravdb.config import load  # noqa: PLC0415

        name, where, secret = text_in("user", user), name_or_none("endpoint", endpoint), name_or_none("token", token)
        config = load(environ=os.environ).config
        return cls(connect(config, environ=os.environ, endpoint=where, token=secret), user=name)

    def for_user(self, user: str) -> Memory:
        """The memory of another user over the same engine and the same model. Closing it closes nothing: that is left
        to the one that was opened."""
        child = type(self)(self.engine, user=user, is_owner=False)
        child._closed = self._closed  # noqa: SLF001 - it is one of our own kind
        return child

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file and the model; of what `for_user` gave, nothing."""
        if self._is_owner:
            self._closed.set()
            self._engine.close()

    # ── what is said ──────────────────────────────────────────────────────────────────────────────────────

    def add(self, *messages: object, session: str = SESSION) -> Committed:
        """Take in what was said: a text (the user's), a message with role and content in any known shape, a list of
        them, or several. What deserves to last is kept beyond the session."""
        told = said_in("messages", each_in(messages))
        return self.engine.conversations.ingest_batch(told, session=name_in("session", session), namespace=self.user)

    def ingest(self, *messages: object, session: str = SESSION) -> Committed:
        """The same as `add`."""
        return self.add(*messages, session=session)

    def commit_turn(self, messages: Sequence[Any], *, key: str, session: str = SESSION) -> Committed:
        """Take in the messages of one turn, all or none, once per key; a role that nobody knows is refused."""
        return self.engine.conversations.commit_turn(
            said_in("messages", messages),
            session=name_in("session", session),
            namespace=self.user,
            key=name_in("key", key),
        )

    def remember(
        self,
        text: str,
        *,
        metadata: Mapping[str, Json] | None = None,
        at: datetime | int | None = None,
        id: str | None = None,
        expires_at: datetime | int | str | None = None,
    ) -> Remembered:
        """Keep a text in durable memory, whatever the gate would say. From `expires_at` on, a time or a span such as
        "30d", it is shown by nothing. An id that holds another text is refused: `update` it.

        The same text again is no second memory, and renews the one that there is: `metadata` are set beside those it
        has, it expires when this call says, or no more, and rules of retention count from now, or from `at`.
        """
        return self.engine.memories.remember(
            text_in("text", text),
            collection=durable_memory(self.user),
            id=name_or_none("id", id),
            metadata=metadata_in("metadata", metadata),
            at=moment_in("at", at),
            expires_at=expiry_in("expires_at", expires_at),
        )

    # ── what is asked ─────────────────────────────────────────────────────────────────────────────────────

    def search(
        self,
        question: str,
        *,
        k: int | None = None,
        where: Where | Mapping[str, Json] | None = None,
        since: datetime | int | None = None,
        until: datetime | int | None = None,
        as_of: datetime | int | None = None,
        is_quiet: bool = False,
        session: str | None = None,
        scopes: Sequence[Scope] = tuple(Scope),
    ) -> Answer:
        """What memory holds on a question, best first, with the account of every hit.

        `where` holds metadata that must be so (`{"topic": "boats", "priority": {"$gte": 3}}`), `since` and `until` when
        it was said; `as_of` asks as if it were that moment. `is_quiet` shows nothing when nothing is relevant.
        `session` also looks into a running session.
        """
        return self.engine.search(
            text_in("question", question),
            namespace=self.user,
            session=name_or_none("session", session),
            scopes=choices_in("scopes", scopes, Scope),
            k=number_or_none("k", k),
            where=filter_in(where, since=since, until=until),
            as_of=moment_in("as_of", as_of),
            is_quiet=claim_in("is_quiet", is_quiet),
        )

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
            text_in("prompt", prompt),
            session=name_in("session", session),
            namespace=self.user,
            budget=number_in("budget", budget),
            messages=messages_in("messages", messages),
            mode=choice_in("mode", mode, AssemblyMode),
        )

    def explain(self, receipt: str | None = None) -> Explained:
        """The account of a prompt, the newest if none is named."""
        return self.engine.prompts.explain(name_or_none("receipt", receipt), namespace=self.user)

    def why_not(self, record: str, *, receipt: str | None = None) -> str:
        """Why something that has an id does not stand in a prompt, or where it does, in words."""
        return self.engine.prompts.why_not(
            name_in("record", record), namespace=self.user, receipt=name_or_none("receipt", receipt)
        )

    def replay(self, receipt: str | None = None, *, messages: Sequence[Any] = ()) -> Replayed:
        """Assemble a prompt again as of its moment: which parts are proven to have the same bytes, and what has changed
        since. `messages` are those that the host showed then."""
        return self.engine.prompts.replay(
            name_or_none("receipt", receipt), namespace=self.user, messages=messages_in("messages", messages)
        )

    # ── one by one ────────────────────────────────────────────────────────────────────────────────────────

    def get(self, id: str) -> Record | None:
        """A memory by its id, or a turn, a summary or a wish; None when there is none."""
        return self.engine.memories.find(name_in("id", id), namespace=self.user)

    def list(
        self,
        *,
        where: Where | Mapping[str, Json] | None = None,
        since: datetime | int | None = None,
        until: datetime | int | None = None,
        scope: Scope = Scope.DURABLE,
        limit: int = 100,
        after: str | None = None,
    ) -> Page[Record]:
        """What is kept, the newest first, page by page: `after` is the `next` of the page before."""
        return self.engine.memories.list(
            namespace=self.user,
            scope=choice_in("scope", scope, Scope),
            where=filter_in(where, since=since, until=until),
            limit=number_in("limit", limit),
            after=name_or_none("after", after),
        )

    def update(
        self,
        id: str,
        text: str | None = None,
        *,
        metadata: Mapping[str, Json] | None = None,
        expires_at: datetime | int | str | None = None,
    ) -> Record:
        """Give a memory another text, or other metadata; what it was before stays in its `history`, where no search
        looks. The turn that it came from stays as it was said, and is found as such: `forget` takes it along. Keys of
        `metadata` are set, those that are None go, all others stay. `expires_at` sets or moves the moment from which on
        it is shown by nothing; "never" lifts it."""
        return self.engine.memories.update(
            name_in("id", id),
            namespace=self.user,
            text=None if text is None else text_in("text", text),
            metadata=metadata_in("metadata", metadata),
            expires_at=expiry_in("expires_at", expires_at),
        )

    def history(self, id: str) -> builtins.list[Record]:
        """What a memory said before it was updated, the oldest first, and then what it says today."""
        return self.engine.memories.history(name_in("id", id), namespace=self.user)

    def forget(self, *ids: str | Sequence[str]) -> int:
        """Delete memories, and every turn that said them, wherever they left text; returns how many there were."""
        return self.engine.deletions.forget(durable_memory(self.user), names_in("ids", ids))

    def forget_all(self) -> int:
        """Delete all that belongs to this user, sessions included; returns how many records went. `erase` also proves
        it."""
        return self.engine.deletions.flush_namespace(self.user)

    def erase(self, *, with_name: bool = False) -> SignedErasure:
        """Delete all that belongs to this user, look whether anything is left, and sign a certificate of it."""
        return self.engine.erasures.erase(self.user, with_name=claim_in("with_name", with_name))

    # ── what is known ─────────────────────────────────────────────────────────────────────────────────────

    def profile(self) -> Profile:
        """What is known and current about the user, in his own words, as every prompt shows it."""
        return self.engine.profile.show(namespace=self.user)

    def pin_profile(self, id: str, *, is_pinned: bool = True) -> ProfileLine:
        """Keep a line of the profile as it is, whatever is said later, and first in a small budget; or no longer."""
        return self.engine.profile.pin(
            name_in("id", id), namespace=self.user, is_pinned=claim_in("is_pinned", is_pinned)
        )

    def edit_profile(self, id: str, text: str) -> ProfileLine:
        """Correct a line of the profile; it stands until the user says something newer about the same thing."""
        return self.engine.profile.edit(name_in("id", id), text_in("text", text), namespace=self.user)

    def forget_profile(self, id: str) -> ProfileLine:
        """Take a line out of the profile: it comes back only when the user says it anew. The memory stays."""
        return self.engine.profile.forget(name_in("id", id), namespace=self.user)

    def author(self, name: str, text: str, *, core: bool | None = None) -> Authored:
        """Keep a document with rules or notes; its former version is replaced."""
        return self.engine.documents.author(
            name_in("name", name), text_in("text", text), core=None if core is None else claim_in("core", core)
        )

    def guidance(self, *, everything: bool = False) -> builtins.list[KeptWish]:
        """The standing wishes of this user to the agent, the newest first; with `everything`, those too that count no
        more."""
        return self.engine.guidance.list(namespace=self.user, everything=claim_in("everything", everything))

    def remove_guidance(self, id: str) -> KeptWish:
        """Let a standing wish count no more; what was said stays in the history."""
        return self.engine.guidance.remove(name_in("id", id), namespace=self.user)

    # ── what there is ─────────────────────────────────────────────────────────────────────────────────────

    def sessions(self, *, limit: int = 100, after: str | None = None) -> Page[SessionInfo]:
        """The sessions in which this user spoke, by name, page by page: turns, first and last."""
        return self.engine.sessions.list(
            namespace=self.user, limit=number_in("limit", limit), after=name_or_none("after", after)
        )

    def users(self, *, limit: int = 100, after: str | None = None) -> Page[NamespaceInfo]:
        """All whose memory is here, by name, page by page; with a token, those within its rights."""
        return self.engine.namespaces.list(limit=number_in("limit", limit), after=name_or_none("after", after))

    def status(self) -> Status:
        """How memory is searched, with what, over what; and what is reduced, in words."""
        return self.engine.status()

    def export(self, path: Path | str) -> int:
        """Write all that is this user's to a new file of JSON Lines, sessions included; returns how many records."""
        return self.engine.namespaces.export_file(path_in("path", path).absolute(), namespace=self.user)

    def import_(self, path: Path | str) -> Imported:
        """Read a file that `export` wrote of this user. What is there stays as it is, and is counted as `known`: the
        same again changes nothing."""
        return self.engine.namespaces.import_file(path_in("path", path), namespace=self.user)


def closed_memory() -> StoreClosed:
    """What whoever uses a memory after its end is told."""
    return StoreClosed("memory", "is closed", remedy="Open it again.")
