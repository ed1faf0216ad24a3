"""Recall before and after compaction, in the same run: each conversation is one long session, asked in that session.

    python -m bench.recall.run --data FOLDER --compacted [--only locomo] [--conversations 20]

Raw turns stay in the history of their namespace by design, so "everything" asks what a user gets; "the session alone"
asks its active view and summaries, without history, and tells what those lose and what `expand` would bring back.
Evidence counts when its turn stands there word for word; "reachable" also when a summary that stands there covers it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bench.recall.cache import CachedEmbedder
from bench.recall.data import Asked, Conversation
from bench.recall.measures import Ranked, measure

from libravdb.app import open_store
from libravdb.config import StoreSettings
from libravdb.core.compaction.settings import CompactionSettings
from libravdb.core.recall.settings import RecallSettings
from libravdb.engine.engine import Engine
from libravdb.engine.indexing import IndexingStore
from libravdb.engine.pages import every_record
from libravdb.engine.settings import EngineSettings
from libravdb.engine.turn_records import turn_places
from libravdb.model import Compacted, Embedding, Put, Role, Scope, Tranche, Turn
from libravdb.model.collections import session_view
from libravdb.text.tokens import prompt_tokens

SESSION_ALONE = (Scope.SESSION, Scope.SUMMARY)
BUDGET = 1_024
PROMPT = 2_048
"""The budget of the prompts that are assembled; a quarter of it may be the recent tail."""

BATCH = 512
Accept = Callable[[Conversation, Asked], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What one question got: the share of its evidence by each measure, and the tokens of its prompt."""

    everything: float
    alone: float
    reachable: float
    in_prompt: float
    prompt_tokens: int


class LongSessions:
    """A store in which each conversation is one session of one namespace."""

    def __init__(self, conversations: Sequence[Conversation], embedder: CachedEmbedder, store: StoreSettings) -> None:
        self._conversations = conversations
        self._embedder = embedder
        self._now = 0
        self._store = IndexingStore(open_store(store))
        self._store.vectors.open(
            fingerprint=embedder.fingerprint, dimensions=embedder.dimensions, description=embedder.description
        )
        self.engine = Engine(
            store=self._store,
            load_embedder=lambda _: embedder,
            clock=lambda: self._now,
            settings=EngineSettings(search=RecallSettings(), compaction=CompactionSettings(auto_tokens=0)),
        )
        for conversation in conversations:
            puts = list(self._puts(conversation))
            for start in range(0, len(puts), BATCH):
                self._store.commit(puts[start : start + BATCH])

    def _puts(self, conversation: Conversation) -> Iterator[Put]:
        """Every turn where ingest puts it; turns of one moment keep their order."""
        last = 0
        for session in conversation.sessions:
            for said in session.turns:
                last = max(said.at, last + 1)
                turn = Turn(
                    namespace=conversation.id,
                    session=conversation.id,
                    id=said.id,
                    role=Role(said.role),
                    text=said.text,
                    at=said.at,
                    speaker=said.speaker,
                )
                vectors = self._embedder.embed_text(said.text)
                embedding = Embedding(fingerprint=self._embedder.fingerprint, vectors=vectors)
                for place in turn_places(turn):
                    yield Put(
                        collection=place.collection,
                        id=place.prefix + said.id,
                        text=said.text,
                        at=last,
                        metadata=place.metadata,
                        embedding=embedding,
                    )

    def compact(self) -> list[Compacted]:
        """Fold every session until nothing more can be folded."""
        done: list[Compacted] = []
        for conversation in self._conversations:
            self._now = conversation.end
            while (step := self.engine.compaction.compact(conversation.id)).did_compact:
                done.append(step)
        return done

    def view_tokens(self) -> int:
        """What the active views of all sessions cost."""
        with self._store.read() as read:
            return sum(
                prompt_tokens(record.text)
                for conversation in self._conversations
                for record in every_record(read, session_view(conversation.id))
            )

    def ask(self, accept: Accept) -> list[Told]:
        """Every accepted question in its session."""
        return [
            self._told(conversation, question)
            for conversation in self._conversations
            for question in conversation.questions
            if accept(conversation, question) and question.evidence
        ]

    def _told(self, conversation: Conversation, question: Asked) -> Told:
        self._now = question.at or conversation.end
        whole = self._ranked(conversation, question, tuple(Scope))
        alone = self._ranked(conversation, question, SESSION_ALONE)
        made = self.engine.prompts.assemble(
            question.text, session=conversation.id, namespace=conversation.id, budget=PROMPT
        )
        return Told(
            everything=_within(whole, question),
            alone=_within(alone, question),
            reachable=self._reachable(conversation, alone, question),
            in_prompt=self._in_prompt(conversation, question),
            prompt_tokens=made.tokens,
        )

    def _ranked(self, conversation: Conversation, question: Asked, scopes: tuple[Scope, ...]) -> list[Ranked]:
        """What fits the budget, in rank order."""
        found = self.engine.search(
            question.text, namespace=conversation.id, session=conversation.id, scopes=scopes, k=64, budget=BUDGET
        )
        return [
            Ranked(
                turn=str(hit.record.metadata.get("source_turn_id", hit.record.id)),
                session=conversation.id,
                tokens=prompt_tokens(hit.record.text),
            )
            for hit in found.hits
        ]

    def _reachable(self, conversation: Conversation, ranked: Sequence[Ranked], question: Asked) -> float:
        """With the turns behind the summaries that fit."""
        held = {one.turn for one in ranked}
        for id in [id for id in held if id.startswith("summary:")]:
            held |= {turn.id for turn in self.engine.compaction.expand(id, session=conversation.id, max_depth=100)}
        return len(held & question.evidence) / len(question.evidence)

    def _in_prompt(self, conversation: Conversation, question: Asked) -> float:
        """The evidence turns that stand in the prompt, by its receipt."""
        receipt = self.engine.prompts.explain(namespace=conversation.id).receipt
        shown = {
            item.id.rpartition("/")[2]
            for item in receipt.items
            if item.tranche in (Tranche.TAIL, Tranche.EXTENSION, Tranche.RECALL)
        }
        return len(shown & question.evidence) / len(question.evidence)

    def close(self) -> None:
        """Let go of the store, and leave the embedder."""
        self._store.close()


def compare(
    conversations: Sequence[Conversation], embedder: CachedEmbedder, store: StoreSettings, accept: Accept
) -> dict[str, object]:
    """The same questions before and after every session was compacted."""
    sessions = LongSessions(conversations, embedder, store)
    try:
        before, view = sessions.ask(accept), sessions.view_tokens()
        began = time.process_time()
        done = sessions.compact()
        spent = time.process_time() - began
        broken = list(sessions.engine.upkeep.verify())
        if broken:
            raise SystemExit(f"the store is broken: {broken[0]}")
        after, shrunk = sessions.ask(accept), sessions.view_tokens()
    finally:
        sessions.close()
    found: dict[str, object] = {
        "conversations": len(conversations),
        "questions": len(before),
        "active view, tokens": {"before": view, "after": shrunk, "share": round(shrunk / view, 3)},
        "summaries": sum(one.clusters_formed for one in done),
        "facts kept": f"{sum(one.facts_kept for one in done)} of {sum(one.facts_listed for one in done)}",
        "compaction CPU seconds": round(spent, 1),
    }
    for name in Told.__slots__:
        values = [sum(getattr(one, name) for one in told) / max(1, len(told)) for told in (before, after)]
        scale = 1 if name == "prompt_tokens" else 100
        found[name] = {side: round(scale * value, 1) for side, value in zip(("before", "after"), values, strict=True)}
    return found


def _within(ranked: Sequence[Ranked], question: Asked) -> float:
    return measure(ranked, question.evidence, frozenset())[f"in {BUDGET}"]
