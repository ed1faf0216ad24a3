"""Do updates win? Kept, linked, and before the old fact when asked; alone and among sixty memories.

    python bench/updates.py [TSV] [--alone]

The table has the columns case (update or apart), language, domain, statements parted by ' || ', and a question. Every
miss is named.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # the memories live with the tests

from tests.core.gate.memories import make_memories

from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.adapters.sqlite.store import SqliteStore
from libravdb.engine.engine import Engine
from libravdb.model import Ingested, Record
from libravdb.model.collections import durable_memory
from libravdb.model.turn_metadata import TurnMetadata

DEFAULT = Path(__file__).parent / "sets" / "choosing" / "updates.tsv"
START, STEP = 1_790_000_000_000, 60_000
CROWD = 60
_SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A line of the table."""

    is_update: bool
    language: str
    domain: str
    statements: tuple[str, ...]
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a case: was the last statement kept, is everything before it outdated, does it come first, and is
    something outdated that is not."""

    case: Case
    is_kept: bool
    is_linked: bool
    is_first: bool
    is_false_link: bool
    crowd_links: tuple[str, ...]


def read_cases(path: Path) -> list[Case]:
    """The cases of a table."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    return [
        Case(
            is_update=row[0] == "update",
            language=row[1],
            domain=row[2],
            statements=tuple(row[3].split(" || ")),
            question=row[4],
        )
        for row in rows
    ]


@contextmanager
def fresh_engine() -> Iterator[Engine]:
    """An engine with the shipped embedder, whose clock goes on by a minute a look."""
    embedder = open_minilm()
    clock = itertools.count(START, STEP).__next__
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "m.libravdb", now=START)
        with Engine(store=store, load_embedder=lambda _: embedder, clock=clock) as engine:
            yield engine


def run(engine: Engine, case: Case, namespace: str, crowd: list[str]) -> Outcome:
    """Say the statements among a crowd of memories, and ask."""
    said: list[Ingested] = []
    spread = max(len(crowd) // len(case.statements), 1)
    for place, statement in enumerate(case.statements):
        for text in crowd[place * spread : (place + 1) * spread]:
            engine.conversations.ingest(text, session=f"{namespace}-{place}", namespace=namespace)
        done = engine.conversations.ingest(statement, session=f"{namespace}-{place}", namespace=namespace)
        said.append(done.turns[0])
    ids = [one.memory or None for one in said]
    memories = _memories(engine, namespace)
    texts = {record.id: record.text for record in memories}
    kept = {record.id: TurnMetadata.of(record) for record in memories}
    outdated = [id is not None and kept[id].is_outdated for id in ids]
    hits = engine.search(case.question, namespace=namespace, k=_SHOWN).hits
    ranks = {text: place for place, text in reversed([(place, hit.record.text) for place, hit in enumerate(hits)])}
    new, old = case.statements[-1], case.statements[:-1]
    mine = {id for id in ids if id is not None}
    linked = [id is not None and kept[id].superseded_by in mine for id in ids]
    others = [(kept[id].superseded_by, id) for id in kept if id not in mine and kept[id].superseded_by in mine]
    return Outcome(
        case=case,
        is_kept=ids[-1] is not None,
        is_linked=all(outdated[:-1]) and not outdated[-1],
        is_first=new in ranks and all(ranks[new] < ranks.get(text, len(hits)) for text in old),
        is_false_link=not case.is_update and any(linked),
        crowd_links=tuple(f"{texts[new]} → {texts[old]}" for new, old in others if new is not None),
    )


def _memories(engine: Engine, namespace: str) -> list[Record]:
    return engine.memories.latest(durable_memory(namespace), limit=1_000)


def report(title: str, outcomes: list[Outcome]) -> None:
    """The shares, by language, and every miss."""
    updates = [one for one in outcomes if one.case.is_update]
    apart = [one for one in outcomes if not one.case.is_update]
    print(f"\n{title}: {len(updates)} updates, {len(apart)} that stand apart")
    measures: tuple[tuple[str, Callable[[Outcome], bool], list[Outcome]], ...] = (
        ("kept", lambda one: one.is_kept, updates),
        ("linked", lambda one: one.is_linked, updates),
        ("new before old", lambda one: one.is_first, updates),
        ("kept apart", lambda one: one.is_kept, apart),
        ("without a false link", lambda one: not one.is_false_link, outcomes),
    )
    for name, holds, among in measures:
        by_language: dict[str, list[bool]] = defaultdict(list)
        for one in among:
            by_language[one.case.language].append(holds(one))
        parts = ", ".join(f"{language} {sum(each)}/{len(each)}" for language, each in sorted(by_language.items()))
        right = sum(holds(one) for one in among)
        print(f"  {name}: {right / max(len(among), 1):.1%} ({parts})")
        for one in among:
            if not holds(one):
                print(f"    not {name} ({one.case.language}, {one.case.domain}): {' → '.join(one.case.statements)}")
    links = sorted({link for one in outcomes for link in one.crowd_links})
    print(f"  memories of the crowd that a statement made outdated: {len(links)}")
    for link in links:
        print(f"    {link}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", nargs="?", type=Path, default=DEFAULT)
    parser.add_argument("--alone", action="store_true", help="Leave out the run among sixty memories.")
    given = parser.parse_args()
    cases = read_cases(given.table)
    for title, crowd in (("alone", []), ("among sixty memories", make_memories()[:CROWD])):
        if crowd and given.alone:
            continue
        with fresh_engine() as engine:
            report(title, [run(engine, case, f"n{place}", crowd) for place, case in enumerate(cases)])


if __name__ == "__main__":
    main()
