"""Where a summary came from: its id, its typed lineage, the edges to what it stands for, the walk back to raw turns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from libravdb.errors import InvalidInput
from libravdb.model import Edge, Json, Record, Role, Source
from libravdb.model.turn_metadata import (
    COMPACTED_AT,
    CONFIDENCE,
    FACTS_KEPT,
    FACTS_LISTED,
    FIRST_TURN,
    GATE_SCORE,
    KIND,
    LAST_TURN,
    LEVEL,
    LINEAGE,
    METHOD,
    OWNER,
    PARENT_SUMMARIES,
    SAID_AT,
    SESSION,
    SOURCE_TURNS,
    SOURCES_SINCE,
    SOURCES_UNTIL,
    SUPPORT,
    TURN_COUNT,
    RecordKind,
    TurnMetadata,
)

TURN = RecordKind.TURN.value
SUMMARY = RecordKind.SUMMARY.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """What a summary stands for, in order, and how it came about.

    `source_turn_ids` and `parent_summary_ids` are the turns and the summaries among its sources; `support` are earlier
    summaries that it leaned on without standing for them. `turn_count` raw turns from `first_turn` to `last_turn` stand
    behind it; None and empty when a source does not tell.
    """

    source_ids: tuple[str, ...]
    source_turn_ids: tuple[str, ...]
    parent_summary_ids: tuple[str, ...]
    first_at: int
    last_at: int
    level: int
    compacted_at: int
    method: str
    confidence: float
    support_summary_ids: tuple[str, ...] = ()
    support_tokens: int = 0
    turn_count: int | None = None
    first_turn: str = ""
    last_turn: str = ""

    def metadata(self) -> dict[str, Json]:
        """As it is stored with the summary under `continuity_lineage`."""
        told: dict[str, Json] = {
            "source_ids": list[Json](self.source_ids),
            SOURCE_TURNS: list[Json](self.source_turn_ids),
            PARENT_SUMMARIES: list[Json](self.parent_summary_ids),
            SOURCES_SINCE: self.first_at,
            SOURCES_UNTIL: self.last_at,
            COMPACTED_AT: self.compacted_at,
            METHOD: self.method,
            CONFIDENCE: self.confidence,
        }
        if self.turn_count is not None:
            told[TURN_COUNT] = self.turn_count
        if self.first_turn and self.last_turn:
            told[FIRST_TURN], told[LAST_TURN] = self.first_turn, self.last_turn
        if self.support_summary_ids:
            told[SUPPORT] = list[Json](self.support_summary_ids)
            told["support_tokens"] = self.support_tokens
        return told


def trace(
    sources: Sequence[Source],
    *,
    method: str,
    confidence: float,
    compacted_at: int,
    support: Sequence[Source] = (),
    support_tokens: int = 0,
) -> Lineage:
    """The lineage of a summary of these sources. One without sources is refused."""
    if not sources:
        raise InvalidInput("sources", "a summary stands for at least one turn or summary")
    counts = [turn_count_of(source) for source in sources]
    return Lineage(
        source_ids=tuple(source.id for source in sources),
        source_turn_ids=tuple(source.id for source in sources if not source.is_summary),
        parent_summary_ids=tuple(source.id for source in sources if source.is_summary),
        first_at=min(source.since for source in sources),
        last_at=max(source.at for source in sources),
        level=1 + max(source.level for source in sources),
        compacted_at=compacted_at,
        method=method,
        confidence=confidence,
        support_summary_ids=tuple(each.id for each in support),
        support_tokens=support_tokens,
        turn_count=None if None in counts else sum(count or 0 for count in counts),
        first_turn=_first(sources[0]),
        last_turn=_last(sources[-1]),
    )


def turn_count_of(source: Source) -> int | None:
    """How many raw turns a source stands for; None when it does not tell."""
    return source.turn_count if source.is_summary else 1


def _first(source: Source) -> str:
    return source.first_turn if source.is_summary else source.id


def _last(source: Source) -> str:
    return source.last_turn if source.is_summary else source.id


def summary_id(session: str, source_ids: Sequence[str]) -> str:
    """The id of a summary: the same sources of a session always give the same one."""
    told = f"{session}:{','.join(source_ids)}"
    return f"summary:{sha256(told.encode(errors='surrogatepass')).hexdigest()[:16]}"


def summary_metadata(
    lineage: Lineage,
    *,
    session: str,
    user: str,
    tokens: int,
    source_tokens: int,
    align: float,
    cover: float,
    measured: float,
    model_confidence: float | None = None,
    gate: float | None = None,
    survival: Mapping[str, float] | None = None,
    facts: tuple[int, int] = (0, 0),
) -> dict[str, Json]:
    """What is stored with a summary: the protocol's fields, and `level`, `source_tokens`, `fact_survival` of our own.

    `measured` is the confidence by vectors alone, `gate` the mean gate score of the sources, `facts` how many survived
    and how many there were, `survival` the same as a rate per kind.
    """
    told: dict[str, Json] = {
        KIND: SUMMARY,
        SAID_AT: lineage.last_at,
        SESSION: session,
        OWNER: user,
        "source_ids": list[Json](lineage.source_ids),
        METHOD: lineage.method,
        "token_count": tokens,
        CONFIDENCE: lineage.confidence,
        "decay_rate": 1 - lineage.confidence,
        COMPACTED_AT: lineage.compacted_at,
        "nomic_align": align,
        "nomic_cover": cover,
        "confidence_nomic": measured,
        LINEAGE: lineage.metadata(),
        LEVEL: lineage.level,
        "source_tokens": source_tokens,
        FACTS_KEPT: facts[0],
        FACTS_LISTED: facts[1],
        "fact_survival": dict[str, Json](survival or {}),
    }
    if model_confidence is not None:
        told["confidence_t5"] = model_confidence
    if gate is not None:
        told[GATE_SCORE] = gate
    return told


def read_source(record: Record) -> Source:
    """A record of a session's active view as something that may be folded. What is ill-typed counts as absent."""
    told = TurnMetadata.of(record)
    span = told.source_span
    first, last = (told.turn_bounds or ("", "")) if told.is_summary else ("", "")
    return Source(
        id=record.id,
        text=record.text,
        at=record.at,
        role=told.role_name or str(Role.SYSTEM if told.is_summary else Role.USER),
        speaker=told.speaker,
        level=told.level if told.is_summary else 0,
        first_at=span[0] if told.is_summary and span else None,
        stability=told.stability,
        is_echo=told.is_echo,
        gate=told.gate_score,
        is_passing=told.is_passing,
        provenance=told.provenance,
        turn_count=told.turn_count if told.is_summary else None,
        first_turn=first,
        last_turn=last,
    )


def coverage_edges(sources: Sequence[Source], *, session: str, parent: str, compacted_at: int) -> tuple[Edge, ...]:
    """An edge from the summary to each of its sources, in their order."""
    return tuple(
        Edge(
            session=session,
            parent=parent,
            child=source.id,
            child_kind=SUMMARY if source.is_summary else TURN,
            position=place,
            at=compacted_at,
        )
        for place, source in enumerate(sources)
    )


def expand(children: Callable[[str], Iterable[Edge]], summary: str, *, depth: int) -> Iterator[Edge]:
    """What a summary stands for, in order, each once, as the edges that lead there; `children` gives a summary's own.

    Summaries below it are opened down to a depth; one at its end stands for itself. It needs no recursion and ends on
    any graph, a broken one too.
    """
    seen = {summary}
    walks = [iter(children(summary))]
    while walks:
        edge = next(walks[-1], None)
        if edge is None:
            walks.pop()
        elif edge.child not in seen:
            seen.add(edge.child)
            if edge.child_kind == SUMMARY and len(walks) < depth:
                walks.append(iter(children(edge.child)))
            else:
                yield edge


def holders(edges: Iterable[Edge], gone: Iterable[str], *, leaning: Mapping[str, Collection[str]]) -> set[str]:
    """The summaries whose text may hold something of what is gone, by id.

    They stand for it, through any number of others, or a model wrote them with such a summary before its eyes:
    `leaning` maps a summary to those that it leant on.
    """
    above: dict[str, set[str]] = {}
    for edge in edges:
        above.setdefault(edge.child, set()).add(edge.parent)
    for summary, support in leaning.items():
        for earlier in support:
            above.setdefault(earlier, set()).add(summary)
    found: set[str] = set()
    waiting = list(gone)
    while waiting:
        fresh = above.get(waiting.pop(), set()) - found
        found |= fresh
        waiting.extend(fresh)
    return found
