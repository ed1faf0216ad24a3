"""Vector spaces in memory."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from libravdb.adapters.memory.state import MemoryState, StateCell, copied
from libravdb.errors import InvalidInput, NotFound, SpaceMismatch
from libravdb.model import SPACES, Embedding, Metadata, Space, SpaceState, StoredText, Topic
from libravdb.ports.validation import check_embedding, check_encodable, check_metadata, check_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from libravdb.model import Vector


class MemoryVectorSpaces:
    """Implements the port `VectorSpaces`."""

    def __init__(self, cell: StateCell) -> None:
        self._cell = cell

    def open(self, *, fingerprint: str, dimensions: int, description: Metadata) -> Space:
        """Make the space known: active when there is no active one, else building."""
        check_metadata(description)
        check_name("fingerprint", fingerprint)
        if dimensions < 1 or not fingerprint:
            raise InvalidInput("space", f"{fingerprint!r} with {dimensions} dimensions is not a vector space")
        with self._cell.draft() as draft:
            state = draft.state
            known = state.spaces.get(fingerprint)
            if known is not None and known.dimensions != dimensions:
                raise _other_dimensions(known, dimensions)
            if known is None:
                opened = Space(
                    fingerprint=fingerprint,
                    dimensions=dimensions,
                    description=copied(description),
                    state=SpaceState.BUILDING if state.active() else SpaceState.ACTIVE,
                    texts=0,
                    vectors=0,
                )
                state.vectors[fingerprint] = {}
            else:
                opened = replace(known, state=SpaceState.BUILDING) if known.state == SpaceState.RETIRED else known
            if opened != known:
                state.spaces[fingerprint] = opened
                draft.touched.add(SPACES)
            draft.finish()
            return counted(state, opened)

    def activate(self, fingerprint: str) -> None:
        """Switch search over to this space; the one that was active is retired, and kept."""
        check_encodable(fingerprint=fingerprint)
        with self._cell.draft() as draft:
            state = draft.state
            space = _known_space(state, fingerprint)
            active = state.active()
            if active is not None and active.fingerprint != fingerprint:
                latest = max(one.retired for one in state.spaces.values())
                state.spaces[active.fingerprint] = replace(active, state=SpaceState.RETIRED, retired=latest + 1)
            state.spaces[fingerprint] = replace(space, state=SpaceState.ACTIVE)
            draft.touched.add(SPACES)
            draft.finish()

    def drop(self, fingerprint: str) -> None:
        """Delete a space that is not active, with its vectors."""
        check_encodable(fingerprint=fingerprint)
        with self._cell.draft() as draft:
            if _known_space(draft.state, fingerprint).state == SpaceState.ACTIVE:
                raise InvalidInput(
                    "fingerprint", f"{fingerprint} is the space in use", remedy="Activate another one first."
                )
            del draft.state.spaces[fingerprint]
            del draft.state.vectors[fingerprint]
            draft.touched.add(SPACES)
            draft.finish()

    def missing(self, fingerprint: str, *, limit: int) -> tuple[StoredText, ...]:
        """Non-empty texts that have no vector in this space, oldest first."""
        check_encodable(fingerprint=fingerprint)
        return tuple(waiting(self._cell.state(), fingerprint))[: max(limit, 0)]

    def add(self, items: Sequence[tuple[bytes, Embedding]]) -> int:
        """Attach vectors to texts by digest; texts that are gone are skipped."""
        for _, embedding in items:
            check_embedding(embedding)
        with self._cell.draft() as draft:
            state = draft.state
            here = [(state.texts[digest], embedding) for digest, embedding in items if digest in state.texts]
            got = [(text, embedding) for text, embedding in here if attach(state, text, embedding)]
            for text, embedding in got:
                draft.touched |= searched_anew(state, text, embedding)
            draft.finish()
        return len(got)

    def sample(self, limit: int) -> tuple[StoredText, ...]:
        """Up to `limit` non-empty texts spread evenly over the store, oldest first."""
        worthy = tuple(_worthy(self._cell.state()))
        return worthy[:: max(1, math.ceil(len(worthy) / limit))] if limit > 0 else ()


def attach(state: MemoryState, text: str, embedding: Embedding) -> bool:
    """Give a text its vectors in the embedding's space, unless it has them; True when it got them now."""
    space = state.spaces.get(embedding.fingerprint)
    if space is None or space.state == SpaceState.RETIRED:
        active = state.active()
        raise SpaceMismatch(offered=embedding.fingerprint, active=active.fingerprint if active else "none")
    offered = embedding.vectors.shape[1]
    if offered != space.dimensions:
        raise _other_dimensions(space, offered)
    known = state.vectors[space.fingerprint]
    if text in known:
        return False
    known[text] = embedding.vectors.astype(np.float16).astype(np.float32)
    return True


def searched_anew(state: MemoryState, text: str, embedding: Embedding) -> set[Topic]:
    """The collections in which a text that got these vectors is found by them: none as long as the space builds up."""
    if state.spaces[embedding.fingerprint].state != SpaceState.ACTIVE:
        return set()
    return {Topic.collection(name) for name in state.records if text in state.texts_in(name)}


def vectors_for(state: MemoryState, embedding: Embedding | None) -> dict[str, Vector]:
    """What a question is compared with: the vectors of the space in use, none when there is no such space."""
    check_embedding(embedding)
    active = state.active()
    if embedding is None or active is None:
        return {}
    if embedding.fingerprint != active.fingerprint:
        raise SpaceMismatch(offered=embedding.fingerprint, active=active.fingerprint)
    if embedding.vectors.shape[1] != active.dimensions:
        raise _other_dimensions(active, embedding.vectors.shape[1])
    return state.vectors[active.fingerprint]


def cosines(vectors: Vector, embedding: Embedding) -> NDArray[np.float64]:
    """Of each row with the question's first one.

    Row by row in double precision: the result of a row does not depend on which rows stand beside it, as it would in a
    matrix product, so equal texts tie exactly.
    """
    return np.asarray(np.vecdot(vectors.astype(np.float64), embedding.vectors[0].astype(np.float64)))


def waiting(state: MemoryState, fingerprint: str | None) -> Iterator[StoredText]:
    """Non-empty texts without a vector in a space (None: in any)."""
    known = {} if fingerprint is None else state.vectors.get(fingerprint, {})
    return (text for text in _worthy(state) if text.text not in known)


def counted(state: MemoryState, space: Space) -> Space:
    """A space with how much is in it."""
    vectors = state.vectors[space.fingerprint].values()
    return replace(
        space, description=copied(space.description), texts=len(vectors), vectors=sum(len(rows) for rows in vectors)
    )


def _worthy(state: MemoryState) -> Iterator[StoredText]:
    return (StoredText(digest=digest, text=text) for digest, text in state.texts.items() if text.strip())


def _known_space(state: MemoryState, fingerprint: str) -> Space:
    if fingerprint not in state.spaces:
        raise NotFound("vector space", fingerprint, remedy="'libravdb status' lists the spaces of a store.")
    return state.spaces[fingerprint]


def _other_dimensions(space: Space, offered: int) -> SpaceMismatch:
    return SpaceMismatch(
        offered=f"{space.fingerprint} with {offered} dimensions",
        active=f"{space.fingerprint} with {space.dimensions} dimensions",
    )
