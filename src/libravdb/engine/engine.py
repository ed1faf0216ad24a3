"""The engine: fetch, call the core, write. Every door (library, command line, daemon) speaks to this object.

Its verbs belong to its parts, each of which is the object that does the work: `engine.conversations.ingest(…)`,
`engine.prompts.assemble(…)`. `ports/engine_api.py` says which of them a daemon's client has as well.
"""

from __future__ import annotations

import os
import weakref
from typing import TYPE_CHECKING, NoReturn, Self

from libravdb import __version__
from libravdb.core.authored.tiers import ReadRules
from libravdb.engine.auto_compaction import Growth
from libravdb.engine.compaction import Compaction
from libravdb.engine.deletion import Deletions
from libravdb.engine.documents import Documents
from libravdb.engine.embedding import Embeddings, LoadEmbedder
from libravdb.engine.erasure import Erasures
from libravdb.engine.excerpting import ExcerptEmbedder
from libravdb.engine.expiry import Expiry, LivingStore
from libravdb.engine.guidance import Guidance
from libravdb.engine.health_checks import LookAround, nothing_around
from libravdb.engine.indexing import IndexingStore
from libravdb.engine.ingestion import Conversations
from libravdb.engine.injected_texts import InjectedTexts
from libravdb.engine.inspection import Inspection
from libravdb.engine.known_profiles import KnownProfiles
from libravdb.engine.known_records import KnownRecords
from libravdb.engine.known_wishes import KnownWishes
from libravdb.engine.masking import Masking, MaskingStore, guard
from libravdb.engine.memories import Memories
from libravdb.engine.namespace_changes import NamespaceChanges
from libravdb.engine.namespaces import Namespaces
from libravdb.engine.notes import Notes
from libravdb.engine.own_commits import NotedStore, OwnCommits
from libravdb.engine.profiles import Profiles
from libravdb.engine.promotion import Gate
from libravdb.engine.prompts import Prompts
from libravdb.engine.receipts import Receipts
from libravdb.engine.retention import Retention
from libravdb.engine.rules_cache import RulesCache
from libravdb.engine.search import Search
from libravdb.engine.session_names import SessionNames
from libravdb.engine.settings import EngineSettings
from libravdb.engine.upkeep import Upkeep
from libravdb.errors import StoreForked
from libravdb.model import Rule, SearchMode, Status
from libravdb.ports.clock import Clock
from libravdb.ports.store import Store
from libravdb.ports.summariser import Summariser

if TYPE_CHECKING:
    from libravdb.engine.compactor import LoadSummariser


def no_rules(text: str) -> tuple[Rule, ...]:  # noqa: ARG001 - the reader's signature
    """A reader that finds no rule anywhere."""
    return ()


def no_summariser() -> Summariser | None:
    """No model writes summaries: they are extracted."""
    return None


class Engine:
    """Memory over ports. Usable from many threads; the embedder is loaded when it is first needed."""

    _is_left_to_parent = False

    def __init__(
        self,
        *,
        store: Store,
        load_embedder: LoadEmbedder,
        clock: Clock,
        settings: EngineSettings | None = None,
        read_rules: ReadRules = no_rules,
        load_summariser: LoadSummariser = no_summariser,
        look_around: LookAround = nothing_around,
    ) -> None:
        self._settings = settings = settings or EngineSettings()
        self.masking = masking = Masking(settings.ingest)
        commits = OwnCommits()
        known = KnownRecords(commits)
        wishes = KnownWishes()
        self._store = whole = MaskingStore(IndexingStore(NotedStore(store, commits)), masking)
        self.living = store = LivingStore(whole, clock=clock, sweep=self._sweep_expired)
        self._receipts = Receipts(whole, most=settings.assembly.receipts, masking=masking)
        rules = RulesCache()
        injected = InjectedTexts(is_shared=store.is_shared)
        self.embeddings = Embeddings(
            store=whole,
            load=lambda told: ExcerptEmbedder(load_embedder(told), limit=settings.ingest.embedded_chars),
            clock=clock,
        )
        self.search = Search(
            store=store, embeddings=self.embeddings, known=known, clock=clock, settings=settings.search
        )
        self.compaction = Compaction(
            store=store,
            embeddings=self.embeddings,
            read_rules=read_rules,
            load_summariser=load_summariser,
            clock=clock,
            settings=settings.compaction,
        )
        self._growth = Growth(self.compaction.fold, auto_tokens=settings.compaction.auto_tokens)
        profiles = KnownProfiles(store=store, commits=commits, clock=clock)
        self.profile = Profiles(store=store, known=profiles, clock=clock, mask=masking.text)
        self.guidance = Guidance(store=store, clock=clock, is_rule=lambda text: bool(read_rules(text)))
        self.gate = Gate(
            store=store,
            embeddings=self.embeddings,
            clock=clock,
            weights=settings.gate,
            rules=rules.texts,
            read_wishes=self.guidance.read_text,
            known=known,
        )
        self.prompts = Prompts(
            store=store,
            search=self.search,
            rules=rules.rules,
            profiles=profiles,
            known=known,
            wishes=wishes,
            clock=clock,
            settings=settings.assembly,
            recall=settings.search,
            injected=injected,
            receipts=self._receipts,
            mask=masking.text,
        )
        self.conversations = Conversations(
            store=store,
            embeddings=self.embeddings,
            gate=self.gate,
            guidance=self.guidance,
            known=known,
            clock=clock,
            injected=lambda session, whose, now: injected.of_all(session, whose, snapshot=now, known=known),
            grown=self._growth.note,
            settings=settings.ingest,
            max_text_chars=settings.store.max_text_chars,
        )
        self.sessions = SessionNames(store=whole, clock=clock)
        self.memories = Memories(
            store=store,
            embeddings=self.embeddings,
            clock=clock,
            mask=masking.text,
            max_text_chars=settings.store.max_text_chars,
            place=self.gate.place,
        )
        self.documents = Documents(
            store=store,
            commit=self.memories.replace,
            read_rules=read_rules,
            clock=clock,
            mask=masking.text,
            settings=settings.authored,
            hard_budget=settings.hard_budget,
        )
        self.notes = Notes(
            store=store,
            commit=self.memories.replace,
            clock=clock,
            mask=masking.text,
            spell=masking.name,
        )
        self.deletions = Deletions(
            store=whole,
            clock=clock,
            gate=self.gate,
            prompts=self.prompts,
            receipts=self._receipts,
            grown=self._growth.note,
        )
        self.expiry = Expiry(store=whole, forget=self.deletions.forget, clock=clock)
        self.retention = Retention(
            living=self.living,
            deletions=self.deletions,
            expiry=self.expiry,
            clock=clock,
            rules=settings.retention.rules,
        )
        self.erasures = Erasures(
            store=whole,
            deletions=self.deletions,
            embeddings=self.embeddings,
            receipts=self._receipts,
            injected=injected,
            profiles=profiles,
            known=known,
            wishes=wishes,
            clock=clock,
        )
        self.upkeep = Upkeep(store=whole, receipts=self._receipts, profiles=profiles, clock=clock)
        self.namespaces = Namespaces(
            store=store,
            embeddings=self.embeddings,
            upkeep=self.upkeep,
            profiles=profiles,
            mask=masking.change,
            clock=clock,
        )
        self.inspection = Inspection(
            store=store,
            search=self.search,
            prompts=self.prompts,
            receipts=self._receipts,
            embeddings=self.embeddings,
            changes=NamespaceChanges(whole),
            threshold=settings.gate.threshold,
            embedded_chars=settings.ingest.embedded_chars,
            status=self.status,
            look_around=look_around,
        )
        self._guard_parts()
        _engines.add(self)

    def _guard_parts(self) -> None:
        """From here on, whoever calls a verb hands it nothing secret; the parts call one another as they are."""
        self.search = guard(self.search, self.masking)
        self.compaction = guard(self.compaction, self.masking)
        self.gate = guard(self.gate, self.masking)
        self.prompts = guard(self.prompts, self.masking)
        self.conversations = guard(self.conversations, self.masking)
        self.sessions = guard(self.sessions, self.masking)
        self.memories = guard(self.memories, self.masking)
        self.documents = guard(self.documents, self.masking)
        self.notes = guard(self.notes, self.masking)
        self.deletions = guard(self.deletions, self.masking)
        self.retention = guard(self.retention, self.masking)
        self.expiry = guard(self.expiry, self.masking)
        self.erasures = guard(self.erasures, self.masking)
        self.profile = guard(self.profile, self.masking)
        self.upkeep = guard(self.upkeep, self.masking)
        self.guidance = guard(self.guidance, self.masking)
        self.namespaces = guard(self.namespaces, self.masking)
        self.inspection = guard(self.inspection, self.masking)

    def _sweep_expired(self, most: int | None) -> int:
        return self.expiry.sweep(most)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getattr__(self, name: str) -> NoReturn:
        """In a forked child the engine has no parts: their locks may be held by threads that are not there."""
        if name.startswith("__") or not self._is_left_to_parent:
            raise AttributeError(name)
        raise StoreForked(
            "the store",
            "was opened before this process was forked, and belongs to its parent",
            remedy="Open it after the fork, in one process; a daemon lets several share it.",
        )

    def status(self) -> Status:
        """How the engine searches, with what, over what."""
        with self._store.read() as snapshot:
            ready = self.embeddings.ready(snapshot)
            spaces = snapshot.spaces()
        degraded = ready.degraded
        stats = self._store.maintenance.stats()
        if not degraded and stats.unembedded:
            degraded = f"{stats.unembedded} texts have no vectors yet and are found by words only."
            degraded += " Run 'libravdb reembed' to add them."
        return Status(
            version=__version__,
            mode=SearchMode.FULL if ready.is_comparable else SearchMode.LEXICAL_ONLY,
            degraded=degraded,
            embedder=self.embeddings.told(),
            spaces=spaces,
            store=stats,
            health=self._store.maintenance.health(),
        )

    def close(self) -> None:
        """Finish what is being folded and written, let go of the store and the models."""
        if self._is_left_to_parent:
            return
        self._growth.close()
        self._receipts.close()
        self._store.close()
        self.compaction.close()
        self.embeddings.close()


_engines: weakref.WeakSet[Engine] = weakref.WeakSet()
_kept: list[object] = []


def _leave_to_parent() -> None:
    """In a forked child every engine loses its parts; they are kept from being closed with it."""
    for engine in _engines:
        _kept.append(dict(vars(engine)))
        vars(engine).clear()
        engine._is_left_to_parent = True  # noqa: SLF001 - of this module


os.register_at_fork(after_in_child=_leave_to_parent)
