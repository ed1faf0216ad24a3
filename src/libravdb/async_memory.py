"""Memory for programs that await: every verb of `Memory`, carried out by a worker thread.

Made by `python tools/async_memory.py` from the signatures of `Memory`; do not edit it. A task that is cancelled leaves
nothing half done: what a thread has begun it finishes, and what still waits for one never begins.
"""

from __future__ import annotations

import asyncio
import builtins
import contextvars
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeVar

from libravdb.memory import SESSION, Memory, closed_memory
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
from libravdb.model.namespaces import DEFAULT

if TYPE_CHECKING:
    from libravdb.ports.engine_api import EngineApi

THREADS = 16
"""Verbs that are carried out at a time; the others wait."""

P = ParamSpec("P")
T = TypeVar("T")


class OpeningMemory:
    """A memory that is being opened: `memory = await …`, or `async with … as memory`."""

    def __init__(self, open_memory: Callable[[], Memory]) -> None:
        self._open = open_memory
        self._opened: AsyncMemory | None = None

    def __await__(self) -> Generator[Any, None, AsyncMemory]:
        return self._made().__await__()

    async def __aenter__(self) -> AsyncMemory:
        self._opened = await self._made()
        return self._opened

    async def __aexit__(self, *_: object) -> None:
        if self._opened is not None:
            await self._opened.close()

    async def _made(self) -> AsyncMemory:
        threads = ThreadPoolExecutor(THREADS, thread_name_prefix="libravdb-memory")
        opening = threads.submit(self._open)
        try:
            return AsyncMemory(await asyncio.wrap_future(opening), threads=threads)
        except BaseException:
            opening.add_done_callback(_close_unused)
            threads.shutdown(wait=False)
            raise


def _close_unused(opening: Future[Memory]) -> None:
    """Whoever was cancelled while a memory was opened cannot close it any more."""
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


class AsyncMemory:
    """What an agent remembers of one user, for programs that await. Close it, or use it in an `async with`.

    `engine` is the whole engine underneath, as of `Memory`: its verbs do not await.
    """

    def __init__(self, memory: Memory, *, threads: ThreadPoolExecutor | None = None, is_owner: bool = True) -> None:
        self._memory = memory
        self._threads = threads or ThreadPoolExecutor(THREADS, thread_name_prefix="libravdb-memory")
        self._is_owner = is_owner

    @property
    def engine(self) -> EngineApi:
        """The engine underneath."""
        return self._memory.engine

    @property
    def user(self) -> str:
        """Whose memory it is, by the name of the namespace."""
        return self._memory.user

    @classmethod
    def open(
        cls, path: Path | str, *, user: str = DEFAULT, settings: Mapping[str, object] | None = None
    ) -> OpeningMemory:
        """The memory in a file, made when missing; as `Memory.open`, to be awaited or used in an `async with`."""
        return OpeningMemory(partial(Memory.open, path, user=user, settings=settings))

    @classmethod
    def connect(cls, endpoint: str | None = None, *, token: str | None = None, user: str = DEFAULT) -> OpeningMemory:
        """The memory of a running daemon; as `Memory.connect`, to be awaited or used in an `async with`."""
        return OpeningMemory(partial(Memory.connect, endpoint, token=token, user=user))

    def for_user(self, user: str) -> AsyncMemory:
        """The memory of another user over the same engine, model and threads. Closing it closes nothing: that is left
        to the one that was opened."""
        return AsyncMemory(self._memory.for_user(user), threads=self._threads, is_owner=False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Wait for what is being done, then let go of the file and the model; of what `for_user` gave, nothing."""
        if self._is_owner:
            await asyncio.shield(asyncio.to_thread(self._close))

    def _close(self) -> None:
        self._threads.shutdown(wait=True)
        self._memory.close()

    async def _done(self, verb: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """What a verb gives, carried out by a worker thread."""
        context = contextvars.copy_context()
        work: Callable[[], T] = partial(verb, *given, **named)
        try:
            begun = self._threads.submit(context.run, work)
        except RuntimeError as error:  # the threads are gone
            raise closed_memory() from error
        return await asyncio.wrap_future(begun)

    async def add(self, *messages: object, session: str = SESSION) -> Committed:
        """Take in what was said: a text (the user's), a message with role and content in any known shape, a list of
        them, or several. What deserves to last is kept beyond the session."""
        return await self._done(self._memory.add, *messages, session=session)

    async def ingest(self, *messages: object, session: str = SESSION) -> Committed:
        """The same as `add`."""
        return await self._done(self._memory.ingest, *messages, session=session)

    async def commit_turn(self, messages: Sequence[Any], *, key: str, session: str = SESSION) -> Committed:
        """Take in the messages of one turn, all or none, once per key; a role that nobody knows is refused."""
        return await self._done(self._memory.commit_turn, messages, key=key, session=session)

    async def remember(
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
        return await self._done(self._memory.remember, text, metadata=metadata, at=at, id=id, expires_at=expires_at)

    async def search(
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
        return await self._done(
            self._memory.search,
            question,
            k=k,
            where=where,
            since=since,
            until=until,
            as_of=as_of,
            is_quiet=is_quiet,
            session=session,
            scopes=scopes,
        )

    async def assemble(
        self,
        prompt: str,
        *,
        budget: int = 4000,
        session: str = SESSION,
        messages: Sequence[Any] = (),
        mode: AssemblyMode = AssemblyMode.AUGMENT,
    ) -> Prompt:
        """What the model should see for a prompt, under a hard budget of tokens."""
        return await self._done(
            self._memory.assemble, prompt, budget=budget, session=session, messages=messages, mode=mode
        )

    async def explain(self, receipt: str | None = None) -> Explained:
        """The account of a prompt, the newest if none is named."""
        return await self._done(self._memory.explain, receipt)

    async def why_not(self, record: str, *, receipt: str | None = None) -> str:
        """Why something that has an id does not stand in a prompt, or where it does, in words."""
        return await self._done(self._memory.why_not, record, receipt=receipt)

    async def replay(self, receipt: str | None = None, *, messages: Sequence[Any] = ()) -> Replayed:
        """Assemble a prompt again as of its moment: which parts are proven to have the same bytes, and what has changed
        since. `messages` are those that the host showed then."""
        return await self._done(self._memory.replay, receipt, messages=messages)

    async def get(self, id: str) -> Record | None:
        """A memory by its id, or a turn, a summary or a wish; None when there is none."""
        return await self._done(self._memory.get, id)

    async def list(
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
        return await self._done(
            self._memory.list, where=where, since=since, until=until, scope=scope, limit=limit, after=after
        )

    async def update(
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
        return await self._done(self._memory.update, id, text, metadata=metadata, expires_at=expires_at)

    async def history(self, id: str) -> builtins.list[Record]:
        """What a memory said before it was updated, the oldest first, and then what it says today."""
        return await self._done(self._memory.history, id)

    async def forget(self, *ids: str | Sequence[str]) -> int:
        """Delete memories, and every turn that said them, wherever they left text; returns how many there were."""
        return await self._done(self._memory.forget, *ids)

    async def forget_all(self) -> int:
        """Delete all that belongs to this user, sessions included; returns how many records went. `erase` also proves
        it."""
        return await self._done(self._memory.forget_all)

    async def erase(self, *, with_name: bool = False) -> SignedErasure:
        """Delete all that belongs to this user, look whether anything is left, and sign a certificate of it."""
        return await self._done(self._memory.erase, with_name=with_name)

    async def profile(self) -> Profile:
        """What is known and current about the user, in his own words, as every prompt shows it."""
        return await self._done(self._memory.profile)

    async def pin_profile(self, id: str, *, is_pinned: bool = True) -> ProfileLine:
        """Keep a line of the profile as it is, whatever is said later, and first in a small budget; or no longer."""
        return await self._done(self._memory.pin_profile, id, is_pinned=is_pinned)

    async def edit_profile(self, id: str, text: str) -> ProfileLine:
        """Correct a line of the profile; it stands until the user says something newer about the same thing."""
        return await self._done(self._memory.edit_profile, id, text)

    async def forget_profile(self, id: str) -> ProfileLine:
        """Take a line out of the profile: it comes back only when the user says it anew. The memory stays."""
        return await self._done(self._memory.forget_profile, id)

    async def author(self, name: str, text: str, *, core: bool | None = None) -> Authored:
        """Keep a document with rules or notes; its former version is replaced."""
        return await self._done(self._memory.author, name, text, core=core)

    async def guidance(self, *, everything: bool = False) -> builtins.list[KeptWish]:
        """The standing wishes of this user to the agent, the newest first; with `everything`, those too that count no
        more."""
        return await self._done(self._memory.guidance, everything=everything)

    async def remove_guidance(self, id: str) -> KeptWish:
        """Let a standing wish count no more; what was said stays in the history."""
        return await self._done(self._memory.remove_guidance, id)

    async def sessions(self, *, limit: int = 100, after: str | None = None) -> Page[SessionInfo]:
        """The sessions in which this user spoke, by name, page by page: turns, first and last."""
        return await self._done(self._memory.sessions, limit=limit, after=after)

    async def users(self, *, limit: int = 100, after: str | None = None) -> Page[NamespaceInfo]:
        """All whose memory is here, by name, page by page; with a token, those within its rights."""
        return await self._done(self._memory.users, limit=limit, after=after)

    async def status(self) -> Status:
        """How memory is searched, with what, over what; and what is reduced, in words."""
        return await self._done(self._memory.status)

    async def export(self, path: Path | str) -> int:
        """Write all that is this user's to a new file of JSON Lines, sessions included; returns how many records."""
        return await self._done(self._memory.export, path)

    async def import_(self, path: Path | str) -> Imported:
        """Read a file that `export` wrote of this user. What is there stays as it is, and is counted as `known`: the
        same again changes nothing."""
        return await self._done(self._memory.import_, path)
