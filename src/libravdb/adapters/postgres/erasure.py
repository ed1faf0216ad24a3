"""What deletions leave in the rows of the tables, and how it is looked for.

Deleted rows stay in the pages of a table until they are vacuumed (`vacuum`). What the server keeps beside its tables
(its log, replicas, backups) nobody can look at through a connection: what is found here says nothing of it, and a check
says so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from libravdb.adapters.postgres.keys import text_key, word_key
from libravdb.adapters.postgres.schema import SCHEMA as S
from libravdb.adapters.postgres.schema import Db
from libravdb.model import DeletedContent, ErasureCheck


def checks(db: Db, deleted: DeletedContent) -> Iterator[ErasureCheck]:
    """What is left of a deleted content in the tables and the index of words."""
    yield _told("texts", _count(db, _ORPHANS), "every text belongs to a record")
    yield _told("vectors", _count(db, _LOOSE_VECTORS), "every vector belongs to a text")
    if deleted.terms:
        yield _told("index", _loose_words(db, deleted.terms), f"{len(deleted.terms):,} words looked for")
    yield ErasureCheck(
        name="server",
        is_passed=True,
        detail="its log (WAL), replicas and backups were not looked at",
    )


def _told(name: str, left: int, detail: str) -> ErasureCheck:
    return ErasureCheck(name=name, is_passed=not left, detail=f"{left:,} left: {detail}" if left else detail)


def _count(db: Db, question: str) -> int:
    found = db.execute(question.encode()).fetchone()
    return int(found[0]) if found else 0


def _loose_words(db: Db, terms: Collection[str]) -> int:
    """Words that a collection knows although none of its texts holds them."""
    found = db.execute(
        f"SELECT collection, term FROM {S}.words WHERE term = ANY(%s::text[])".encode(), (list(map(text_key, terms)),)
    ).fetchall()
    numbers = [collection for collection, _ in found]
    words = [word_key(collection, term) for collection, term in found]
    left = db.execute(_UNHELD.encode(), (numbers, words)).fetchone()
    return int(left[0]) if left else 0


_ORPHANS = f"""
SELECT count(*) FROM {S}.texts t
WHERE NOT EXISTS (SELECT 1 FROM {S}.records r WHERE r.collection = t.collection AND r.digest = t.digest)
"""

_LOOSE_VECTORS = f"""
SELECT (SELECT count(*) FROM {S}.codes c
    WHERE NOT EXISTS (SELECT 1 FROM {S}.texts t WHERE t.collection = c.collection AND t.digest = c.digest))
  + (SELECT count(*) FROM {S}.vectors v WHERE NOT EXISTS (
    SELECT 1 FROM {S}.codes c WHERE c.collection = v.collection AND c.space = v.space AND c.digest = v.digest))
"""

_UNHELD = f"""
SELECT count(*) FROM unnest(%s::int[], %s::bigint[]) AS k (collection, word) WHERE NOT EXISTS (
  SELECT 1 FROM {S}.texts t WHERE t.collection = k.collection AND t.words @> ARRAY[k.word]
)
"""
