"""The engine as its doors see it: what the engine in this process and the one behind a daemon both can do.

Commands, the watcher of folders and `Memory` are written against these, so that they need not know where the engine is.
What only the engine in this process can do has no place here.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from libravdb.model import (
    ANYTHING,
    Answer,
    AssemblyMode,
    Authored,
    BackupCopy,
    Bootstrapped,
    CheckedStore,
    CollectionInfo,
    Committed,
    Compacted,
    DocumentInfo,
    DreamPromotion,
    ErasureReview,
    Explained,
    GateAccount,
    GateScores,
    Imported,
    Json,
    Judged,
    KeptWish,
    Metadata,
    MovedMemory,
    NamespaceInfo,
    Note,
    Page,
    Profile,
    ProfileLine,
    Prompt,
    PromptPreview,
    RecallSetting,
    ReceiptView,
    Record,
    Reembedded,
    Remembered,
    Replayed,
    Retained,
    Scope,
    SessionInfo,
    SignedErasure,
    Status,
    SummaryNode,
    TriedSearch,
    TurnView,
    Where,
)
from libravdb.model.namespaces import ANY
from libravdb.ports.clock import Progress, no_progress
from libravdb.text.tokens import ESTIMATOR


class ConversationsApi(Protocol):
    """What was said goes in here."""

    def bootstrap(
        self, *, session: str, namespace: str, messages: object = (), progress: Progress = no_progress
    ) -> Bootstrapped:
        """Open a session, and take in what its transcript holds that we do not have; the same again adds nothing."""

    def ingest(self, message: object, *, session: str, namespace: str) -> Committed:
        """Take in one message of a host, in whatever shape."""

    def ingest_batch(
        self, messages: object, *, session: str, namespace: str, progress: Progress = no_progress
    ) -> Committed:
        """Take in new messages, in order. What the session holds already is known again, not stored again."""

    def import_transcript(
        self, messages: object, *, session: str, namespace: str, progress: Progress = no_progress
    ) -> Committed:
        """Take in a session from its start: what it holds already is known."""

    def commit_turn(
        self, messages: object, *, session: str, namespace: str, key: str, former: Sequence[str] = ()
    ) -> Committed:
        """Take in the messages of one turn of the host, all or none, once per key."""


class PromptsApi(Protocol):
    """What a model should see, and why."""

    def assemble(
        self,
        prompt: str = "",
        *,
        session: str,
        namespace: str,
        budget: int,
        messages: Sequence[Any] = (),
        mode: AssemblyMode = AssemblyMode.AUGMENT,
        turn: str = "",
        notes_of: str = "",
        is_heartbeat: bool = False,
    ) -> Prompt:
        """What the model should see for a prompt, under a hard budget of tokens, with a receipt that explains it."""

    def explain(self, receipt: str | None = None, *, namespace: str) -> Explained:
        """The account of an assembly by its receipt's id, or of the newest."""

    def why_not(self, record: str, *, namespace: str, receipt: str | None = None) -> str:
        """Why something does not stand in a prompt (the newest if no receipt is named), or where it does, in words."""

    def replay(self, receipt: str | None = None, *, namespace: str, messages: Sequence[Any] = ()) -> Replayed:
        """Assemble a prompt again as of its moment: which parts have the same bytes, and what has changed since."""


class SearchApi(Protocol):
    """The question itself."""

    def __call__(
        self,
        question: str,
        *,
        collections: Sequence[str] = (),
        namespace: str | None = None,
        session: str | None = None,
        scopes: Sequence[Scope] = tuple(Scope),
        k: int | None = None,
        budget: int | None = None,
        where: Where = ANYTHING,
        exclude: Mapping[str, frozenset[str]] | None = None,
        as_of: int | None = None,
        is_quiet: bool = False,
        notes_of: str = "",
    ) -> Answer:
        """What memory holds on a question, best first, with the account of every hit."""


class MemoriesApi(Protocol):
    """Records by collection and id."""

    def remember(
        self,
        text: str,
        *,
        collection: str,
        id: str | None = None,
        metadata: Mapping[str, Json] | None = None,
        at: int | None = None,
        replace: bool = False,
        expires_at: int | str | None = None,
    ) -> Remembered:
        """Keep a text. The same text again is no second memory, and renews the one that there is; an id in use is taken
        over only on request. From `expires_at` on (milliseconds, an ISO time, or a span such as 30d) it is shown by
        nothing."""

    def remember_many(
        self, notes: Sequence[Note], *, replace: bool = False, progress: Progress = no_progress
    ) -> builtins.list[Remembered]:
        """Keep many texts."""

    def update(
        self,
        id: str,
        *,
        namespace: str,
        text: str | None = None,
        metadata: Mapping[str, Json] | None = None,
        at: int | None = None,
        expires_at: int | str | None = None,
    ) -> Record:
        """Give a memory another text, other metadata or another moment to expire ("never" lifts it); what it was before
        stays readable as its history."""

    def history(self, id: str, *, namespace: str) -> builtins.list[Record]:
        """What a memory said before it was updated, the oldest first, and then what it says today."""

    def find(self, id: str, *, namespace: str) -> Record | None:
        """One record by its id, wherever a namespace has it or shares it; None when there is none."""

    def list(
        self,
        *,
        namespace: str,
        scope: Scope = Scope.DURABLE,
        where: Where = ANYTHING,
        limit: int = 100,
        after: str | None = None,
    ) -> Page[Record]:
        """The records of a namespace in a scope that needs no session, the newest first, page by page."""

    def read(self, id: str, *, namespace: str, scope: Scope) -> Record | None:
        """One record of a namespace by its id, in a scope that needs no session; None when there is none."""

    def latest(self, collection: str, *, limit: int, where: Where = ANYTHING) -> builtins.list[Record]:
        """The newest records of a collection, newest first."""

    def collections(self, prefix: str = "") -> builtins.list[CollectionInfo]:
        """Collections and their sizes."""


class SessionsApi(Protocol):
    """The sessions in which somebody spoke."""

    def list(self, *, namespace: str, limit: int = 100, after: str | None = None) -> Page[SessionInfo]:
        """The sessions in which a namespace spoke, by name, page by page: how much of each is its own, from when."""


class NamespacesApi(Protocol):
    """Whose memory the store holds."""

    def list(
        self,
        *,
        patterns: Sequence[str] = (ANY,),
        limit: int = 100,
        after: str | None = None,
        with_sizes: bool = True,
    ) -> Page[NamespaceInfo]:
        """The namespaces that hold something and fit a pattern, by name, page by page; with a token, those within its
        rights. Without sizes it costs little, however much there is, and both are 0."""

    def export_file(self, path: Path, *, namespace: str, progress: Progress = no_progress) -> int:
        """Write all that is a namespace's own, and its part of its sessions, as JSON Lines; returns how many."""

    def import_file(self, path: Path, *, namespace: str, progress: Progress = no_progress) -> Imported:
        """Read a file that `export_file` wrote of the same namespace. What is there stays as it is, and is counted as
        known: the same again changes nothing."""


class DeletionsApi(Protocol):
    """The verbs that delete; each tells how many records went."""

    def forget(self, collection: str, ids: Sequence[str]) -> int:
        """Delete records by id, with all that a turn left of its text."""

    def flush(self, names: Sequence[str]) -> int:
        """Delete whole collections, all in one commit."""

    def flush_namespace(self, namespace: str) -> int:
        """Delete all that belongs to exactly this namespace, its sessions included."""

    def flush_everything(self) -> int:
        """Delete all there is."""

    def move_namespace(self, namespace: str, *, to_namespace: str, is_dry_run: bool = False) -> MovedMemory:
        """Give all that belongs to exactly this namespace to another one, in one commit; or only count it."""


class RetentionApi(Protocol):
    """How long memory is kept."""

    def retain(self, *, is_dry_run: bool = False, progress: Progress = no_progress) -> Retained:
        """Delete what has expired, and what is older than the configured rules allow; or only tell how much it is."""


class ErasuresApi(Protocol):
    """Deletion that can be proved."""

    def erase(self, namespace: str, *, with_name: bool = False) -> SignedErasure:
        """Delete all that belongs to exactly this namespace, look whether anything is left, and sign what was found."""

    def verify(self, text: str) -> ErasureReview:
        """What a certificate is worth today: whether it was signed as it is, and whether it still holds."""


class DocumentsApi(Protocol):
    """The documents of an author. One call is one transaction; the same text again costs nothing."""

    def author(
        self,
        source_doc: str,
        text: str,
        *,
        core: bool | None = None,
        tokenizer: str = ESTIMATOR,
        source_meta: Metadata | None = None,
    ) -> Authored:
        """Keep a Markdown document, in place of what it was before. Without `core` its file name decides."""

    def withdraw(self, source_doc: str) -> int:
        """Delete a document with all of its nodes; returns how many there were."""

    def list(self) -> Mapping[str, DocumentInfo]:
        """Every authored document by its name, without its nodes."""

    def nodes(self, source_doc: str) -> Sequence[Record]:
        """The nodes of a document in source order; none when it is unknown."""


class NotesApi(Protocol):
    """What an agent wrote down, and what its host dreamt."""

    def promote(self, diary: str, *, source_doc: str, namespace: str, is_dry: bool = False) -> DreamPromotion:
        """Keep what a diary of dreams asks to be kept and deserves it; a dry run only tells."""


class GateApi(Protocol):
    """What decides what is kept beyond its session."""

    def judge(self, text: str, *, namespace: str) -> Judged:
        """The verdict on a text, without storing anything."""

    def feedback(self, id: str, *, useful: bool, namespace: str) -> None:
        """Tell whether a memory was useful; the threshold can be calibrated by it."""

    def restore(self, id: str, *, namespace: str) -> None:
        """Take back that a memory was made outdated by a newer one; both stay."""

    def supersede(self, id: str, *, by: str, namespace: str) -> None:
        """Let a memory be outdated by another one, as if the gate had found it; `restore` takes it back."""

    def report(self, *, namespace: str) -> GateAccount:
        """How the gate decided so far, and what feedback says about its threshold."""


class InspectionApi(Protocol):
    """Looking into memory; nothing is left by it."""

    def list_turns(
        self,
        *,
        namespace: str,
        session: str | None = None,
        since: int | None = None,
        until: int | None = None,
        limit: int = 50,
        after: str | None = None,
    ) -> Page[TurnView]:
        """What was said to a namespace, in all of its sessions or in one, the newest first, page by page; and what
        became of each turn."""

    def list_summaries(self, session: str, *, namespace: str) -> tuple[SummaryNode, ...]:
        """A namespace's own summaries of a session, of every level, the oldest first, with what each stands for."""

    def list_receipts(
        self, *, namespace: str, session: str | None = None, limit: int = 50, after: str | None = None
    ) -> Page[ReceiptView]:
        """The accounts of the last prompts of a namespace, or of one session of it, the newest first, page by page."""

    def gate_scores(self, *, namespace: str, limit: int = 2_000) -> GateScores:
        """How the gate scored the newest judged turns of a namespace, and the threshold that holds today."""

    def changes(self, *, namespace: str) -> int:
        """A number that is another one whenever something of a namespace, or of the sessions it speaks in, has changed.
        In a file it grows."""

    def preview_prompt(
        self,
        prompt: str = "",
        *,
        session: str,
        namespace: str,
        budget: int,
        mode: AssemblyMode = AssemblyMode.AUGMENT,
        as_of: int | None = None,
        why_not: str = "",
    ) -> PromptPreview:
        """What `assemble` would give, now or as of a past moment; nothing is kept of it."""

    def try_search(
        self,
        question: str,
        *,
        namespace: str,
        session: str | None = None,
        k: int | None = None,
        settings: Mapping[str, float] | None = None,
    ) -> TriedSearch:
        """What a question finds, and where in each text it is met; with `settings`, also what it would find with those
        in place of the ones in force."""

    def recall_settings(self) -> tuple[RecallSetting, ...]:
        """The settings of search as they are in force."""

    def check_store(self, progress: Progress = no_progress) -> CheckedStore:
        """Look at the machine, the model, the store and its vectors, and at every invariant while others work."""


class GuidanceApi(Protocol):
    """The standing wishes of people to the agent."""

    def list(self, *, namespace: str, everything: bool = False) -> list[KeptWish]:
        """The wishes that count, the newest first; with `everything`, replaced and removed ones too."""

    def remove(self, id: str, *, namespace: str) -> KeptWish:
        """Let a wish count no more; what was said stays in the history."""


class ProfileApi(Protocol):
    """What is known and current about a person, in his own words."""

    def show(self, *, namespace: str) -> Profile:
        """The profile, line by line, with where each comes from."""

    def rebuild(self, *, namespace: str) -> Profile:
        """Read every memory again; what was pinned, corrected and forgotten stays so."""

    def pin(self, id: str, *, namespace: str, is_pinned: bool = True) -> ProfileLine:
        """Keep a line as it is, whatever is said later, and first of all in a small budget; or no longer."""

    def edit(self, id: str, text: str, *, namespace: str) -> ProfileLine:
        """Correct a line; it stands until something newer is said about the same thing."""

    def forget(self, id: str, *, namespace: str) -> ProfileLine:
        """Take a line out of the profile; it does not come back from the same memories."""


class CompactionApi(Protocol):
    """Sessions folded into summaries, and the way back."""

    def compact(
        self,
        session: str,
        *,
        target: int | None = None,
        minimum_turns: int | None = None,
        tail_tokens: int | None = None,
        support_tokens: int | None = None,
    ) -> Compacted:
        """Fold what is older than the recent tail of a session into summaries. Raw turns stay, and can be reached."""

    def expand(
        self,
        summary: str,
        *,
        session: str,
        namespace: str | None = None,
        max_depth: int = 3,
        max_tokens: int | None = None,
    ) -> list[Record]:
        """What a summary stands for, in order, down to a depth and within a budget; of somebody's own, if one is
        named."""


class EmbeddingsApi(Protocol):
    """The vectors of the store."""

    def reembed(self, *, force: bool = False, progress: Progress = no_progress) -> Reembedded:
        """Rebuild the vectors with the configured embedder, check them, switch over; resumable."""

    def roll_back(self) -> str:
        """Go back to the vectors that were in use before the last switch; returns their fingerprint."""

    def drop_unused(self) -> list[str]:
        """Delete the vectors of every space that is not in use; returns their fingerprints."""

    def embed_missing(self, progress: Progress = no_progress) -> tuple[int, str]:
        """Give vectors to texts that came in without; returns how many, or why not."""


class UpkeepApi(Protocol):
    """Work on the store as a whole."""

    def export_file(
        self,
        path: Path,
        *,
        collections: Sequence[str] = (),
        with_vectors: bool = False,
        progress: Progress = no_progress,
    ) -> int:
        """Write the store as JSON Lines, or only the records of some collections; returns how many records."""

    def import_file(self, path: Path, progress: Progress = no_progress) -> Imported:
        """Read a file that `export_file` wrote; the same file again changes nothing."""

    def backup(self, target: Path, progress: Progress = no_progress) -> BackupCopy:
        """Copy a consistent state to a new file while others go on working, and verify the copy."""


class EngineApi(Protocol):
    """An engine and its parts."""

    @property
    def conversations(self) -> ConversationsApi: ...

    @property
    def prompts(self) -> PromptsApi: ...

    @property
    def search(self) -> SearchApi: ...

    @property
    def memories(self) -> MemoriesApi: ...

    @property
    def sessions(self) -> SessionsApi: ...

    @property
    def namespaces(self) -> NamespacesApi: ...

    @property
    def deletions(self) -> DeletionsApi: ...

    @property
    def retention(self) -> RetentionApi: ...

    @property
    def erasures(self) -> ErasuresApi: ...

    @property
    def documents(self) -> DocumentsApi: ...

    @property
    def notes(self) -> NotesApi: ...

    @property
    def gate(self) -> GateApi: ...

    @property
    def inspection(self) -> InspectionApi: ...

    @property
    def guidance(self) -> GuidanceApi: ...

    @property
    def profile(self) -> ProfileApi: ...

    @property
    def compaction(self) -> CompactionApi: ...

    @property
    def embeddings(self) -> EmbeddingsApi: ...

    @property
    def upkeep(self) -> UpkeepApi: ...

    def status(self) -> Status:
        """How the engine searches, with what, over what."""

    def close(self) -> None:
        """Let go of what it holds."""
