"""What a snapshot has read of records, or was told to read with its beginning: nothing is asked twice of one moment."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial

from libravdb.adapters.postgres import queries
from libravdb.adapters.postgres.collection_heads import CollectionHead
from libravdb.adapters.postgres.read_transaction import Found, ReadTransaction, Statement
from libravdb.model import Foreseen, Key, Page, Record

Learn = Callable[[Found], None]
"""What becomes of an answer."""

NoteRow = Callable[[int, str, int], None]
"""Told of a record that was met: the number of its collection, its id, its row."""


class MetRecords:
    """Records by their keys and by their texts, the newest of collections, and values under metadata keys."""

    def __init__(self, heads: Mapping[str, CollectionHead | None], note_row: NoteRow) -> None:
        self._heads = heads
        self._note_row = note_row
        self._records: dict[Key, Record | None] = {}
        self._texts: dict[tuple[str, bytes], tuple[Record, ...]] = {}
        self._newest: dict[str, Page[Record]] = {}
        self._values: dict[tuple[str, str], tuple[str, ...]] = {}

    def foreseen(self, foreseen: Foreseen) -> list[tuple[Statement, Learn]]:
        """What asks for all that is foreseen, and what becomes of each answer."""
        return [
            *self._asking_records(foreseen.records),
            *self._asking_texts(foreseen.texts),
            *self._asking_newest(foreseen.newest),
            *self._asking_values(foreseen.distinct),
        ]

    def records(self, read: ReadTransaction, keys: Collection[Key]) -> dict[Key, Record]:
        """Those of these records that there are."""
        self._ask(read, self._asking_records(keys))
        return {key: record for key in keys if (record := self._records[key]) is not None}

    def holding(self, read: ReadTransaction, name: str, digests: Collection[bytes]) -> dict[bytes, tuple[Record, ...]]:
        """The records of a collection with exactly these texts."""
        self._ask(read, self._asking_texts([(name, address) for address in digests]))
        return {address: found for address in dict.fromkeys(digests) if (found := self._texts[name, address])}

    def distinct(self, read: ReadTransaction, name: str, key: str) -> tuple[str, ...]:
        """The texts under a metadata key of a collection."""
        self._ask(read, self._asking_values([(name, key)]))
        return self._values[name, key]

    def newest(self, name: str) -> Page[Record] | None:
        """The newest record of a collection, if it was foreseen."""
        return self._newest.get(name)

    def _ask(self, read: ReadTransaction, asked: list[tuple[Statement, Learn]]) -> None:
        answers = read.ask_all([statement for statement, _ in asked]) if asked else []
        for (_, learn), answer in zip(asked, answers, strict=True):
            learn(answer)

    def _asking_records(self, keys: Iterable[Key]) -> list[tuple[Statement, Learn]]:
        unmet = [key for key in dict.fromkeys(keys) if key not in self._records]
        named = [key for key in unmet if key.collection not in self._heads]
        numbered: dict[str, list[Key]] = {}
        for key in unmet:
            if key.collection in self._heads:
                numbered.setdefault(key.collection, []).append(key)
        asking = [(queries.named_records_statement(named), partial(self._learn_records, named))] if named else []
        for name, some in numbered.items():
            head = self._heads[name]
            if head is None:
                self._learn_records(some, [])
            else:
                statement = queries.records_statement(name, head.id, [key.id for key in some])
                asking.append((statement, partial(self._learn_records, some)))
        return [*asking]

    def _learn_records(self, keys: Sequence[Key], found: Found) -> None:
        self._records.update(dict.fromkeys(keys))
        for number, row, record in queries.records_in(found):
            self._records[Key(record.collection, record.id)] = record
            self._note_row(number, record.id, row)

    def _asking_texts(self, places: Iterable[tuple[str, bytes]]) -> list[tuple[Statement, Learn]]:
        unmet = [place for place in dict.fromkeys(places) if place not in self._texts]

        def learn(found: Found) -> None:
            self._texts.update({**dict.fromkeys(unmet, ()), **queries.holding_in(found)})

        return [(queries.holding_statement(unmet), learn)] if unmet else []

    def _asking_newest(self, names: Iterable[str]) -> list[tuple[Statement, Learn]]:
        unmet = [name for name in dict.fromkeys(names) if name not in self._newest]

        def learn(found: Found) -> None:
            self._newest.update({**dict.fromkeys(unmet, Page(items=())), **queries.newest_in(found)})

        return [(queries.newest_statement(unmet), learn)] if unmet else []

    def _asking_values(self, places: Iterable[tuple[str, str]]) -> list[tuple[Statement, Learn]]:
        unmet: dict[str, list[str]] = {}
        for name, key in dict.fromkeys(places):
            if (name, key) not in self._values:
                unmet.setdefault(key, []).append(name)
        return [
            (queries.distinct_statement(key, names), partial(self._learn_values, key, names))
            for key, names in unmet.items()
        ]

    def _learn_values(self, key: str, names: Sequence[str], found: Found) -> None:
        self._values.update({**{(name, key): () for name in names}, **queries.distinct_in(found)})
