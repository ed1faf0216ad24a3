"""The index of words made anew, in one commit. Nobody else writes meanwhile: every commit waits for the same lock."""

from __future__ import annotations

from libravdb.adapters import term_counts
from libravdb.adapters.postgres.commits import NEXT_NUMBER, NUMBER
from libravdb.adapters.postgres.keys import text_key_sql, word_keys
from libravdb.adapters.postgres.schema import LOCK_SPACES, LOCKS, Db
from libravdb.adapters.postgres.schema import SCHEMA as S
from libravdb.adapters.postgres.transactions import Attempt
from libravdb.model import Terms
from libravdb.ports.clock import Progress
from libravdb.ports.store import Analyse

_BATCH = 500


def reindex(attempt: Attempt[None], analysis: str, analyse: Analyse, progress: Progress) -> None:
    """Index every text anew by an analysis."""
    db = attempt.db
    attempt.begin()
    attempt.check()
    db.execute("SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)")
    db.execute(f"SELECT pg_advisory_xact_lock({LOCKS}, {LOCK_SPACES})".encode())
    _rewrite_texts(db, analyse, progress)
    db.execute(f"DELETE FROM {S}.words".encode())
    db.execute(_COUNT_WORDS.encode())
    db.execute(_COUNT_TERMS.encode())
    db.execute(NEXT_NUMBER)
    db.execute(f"UPDATE {S}.topics SET revision = {NUMBER} WHERE kind = 1".encode())
    db.execute(_NAME.encode(), (analysis,))
    attempt.finish(lambda _: None, number=NUMBER)


def _rewrite_texts(db: Db, analyse: Analyse, progress: Progress) -> None:
    """In batches, all copies of a text together: each is analysed once."""
    found = db.execute(f"SELECT count(*) FROM {S}.texts".encode()).fetchone()
    total, done = (found[0] if found else 0), 0
    terms: Terms = ()
    before = b""
    with db.cursor(name="reindexed", binary=True) as cursor:
        cursor.execute(f"SELECT digest, collection, body FROM {S}.texts ORDER BY digest".encode())
        while rows := cursor.fetchmany(_BATCH):
            columns: list[list[object]] = [[], [], [], [], [], []]
            for address, collection, body in rows:
                terms, before = (terms if address == before else tuple(analyse(body))), address
                values = (collection, address, len(terms), _literal(collection, terms), term_counts.pack(terms))
                for column, value in zip(columns, (*values, " ".join(terms)), strict=True):
                    column.append(value)
                done += 1
                progress(done, total)
            db.execute(_REWRITE.encode(), columns)


def _literal(collection: int, terms: Terms) -> str:
    return "{" + ",".join(map(str, word_keys(collection, terms))) + "}"


_REWRITE = f"""
UPDATE {S}.texts t SET length = k.length, words = k.words::bigint[], bag = k.bag, terms = k.terms
FROM unnest(%s::int[], %b::bytea[], %s::int[], %s::text[], %b::bytea[], %s::text[])
  AS k (collection, digest, length, words, bag, terms)
WHERE t.collection = k.collection AND t.digest = k.digest
"""

_COUNT_WORDS = f"""
INSERT INTO {S}.words (collection, term, holders)
SELECT t.collection, {text_key_sql("d.term")}, count(*)
FROM {S}.texts t CROSS JOIN LATERAL (SELECT DISTINCT unnest(string_to_array(t.terms, ' ')) AS term) d GROUP BY 1, 2
"""

_COUNT_TERMS = f"""
UPDATE {S}.collections c SET terms = t.terms
FROM (SELECT collection, sum(length) AS terms FROM {S}.texts GROUP BY collection) t WHERE t.collection = c.id
"""

_NAME = f"""
INSERT INTO {S}.facts (name, value) VALUES ('analysis', %s), ('reindexed', {NUMBER})
ON CONFLICT (name) DO UPDATE SET value = excluded.value
"""
