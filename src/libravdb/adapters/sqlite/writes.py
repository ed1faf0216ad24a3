"""Changes to SQL: what each kind of change writes, inside a transaction that the caller holds."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from libravdb.adapters import term_counts
from libravdb.adapters.sqlite.checksums import record_checksum
from libravdb.adapters.sqlite.schema import SECURE_DELETE
from libravdb.adapters.sqlite.vector_cache import to_blob
from libravdb.adapters.vector_codes import sign_codes
from libravdb.errors import Conflict, InvalidInput, NotFound, SpaceMismatch, StoreError
from libravdb.model import (
    Append,
    Change,
    ClearJournal,
    DropCollection,
    DropState,
    Edge,
    Embedding,
    EnsureCollection,
    Link,
    Put,
    Remove,
    Restore,
    RestoreState,
    Revision,
    SessionState,
    SetState,
    SpaceState,
    Terms,
    Topic,
    TopicKind,
    Touch,
    Unlink,
    digest,
)
from libravdb.ports.clock import Progress
from libravdb.ports.store import Analyse
from libravdb.ports.validation import refuse_moved, refuse_unanalysed, to_json

SCOPES_PER_ROW = 8
"""A text that stands in more collections gets a further row in the full-text index, so that adding it to one
more collection costs the same whether it stands in three or in thirty thousand."""


class WriteTransaction:
    """One atomic commit in the making.

    Full-text rows are written once per text at the end (`finish`), however many collections of this commit
    the text enters or leaves. Texts are erased at the very end: one that is dropped and written again in the
    same commit keeps its vectors. `removed` tells, per collection and epoch, which record rows went away; `revision` is
    the number of the commit, 0 as long as it changed nothing, and `before` where the topics stood that it touched.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._entered: dict[int, set[int]] = defaultdict(set)
        self._left: dict[int, set[int]] = defaultdict(set)
        self._loose: set[int] = set()
        self._terms_of: dict[int, Sequence[str]] = {}
        self._collections: dict[str, int] = {}
        self._touched: set[int] = set()
        self._touched_sessions: set[str] = set()
        self._must_wipe_words = False
        self.removed: dict[tuple[int, int], list[int]] = {}
        self.revision: Revision = 0
        self.before: dict[Topic, Revision] = {}

    def require(self, unless: Mapping[Topic, Revision]) -> None:
        """Refuse to go on when one of these has changed since."""
        refuse_moved(unless, {topic: revision_of(self._db, topic) for topic in unless})

    def apply(self, changes: Iterable[Change]) -> None:
        """Write all changes in order."""
        for change in changes:
            match change:
                case Put():
                    self._put(change)
                case Restore():
                    self._restore(change)
                case Remove():
                    self._remove(change)
                case Touch():
                    self._touch(change)
                case EnsureCollection(name=name):
                    self._ensure_collection(name)
                case DropCollection():
                    self._drop_collection(change)
                case Link(edge=edge):
                    self._link(edge)
                case Unlink(session=session, parent=parent):
                    self._unlink(session, parent)
                case Append():
                    self._append(change)
                case ClearJournal(seqs=seqs):
                    self._clear_journal(seqs)
                case SetState():
                    self._set_state(change)
                case RestoreState(state=state):
                    self._write_state(state)
                case DropState():
                    self._drop_state(change)

    def finish(self) -> None:
        """Bring the full-text index, the texts and the revisions in line with the records."""
        self._place_all()
        for text in sorted(self._loose):
            self._erase_unused(text)
        self._loose.clear()
        if self._must_wipe_words:
            self._db.execute("INSERT OR REPLACE INTO facts VALUES ('wipe', '')")
            self._must_wipe_words = False
        self._stamp()

    # ── revisions ─────────────────────────────────────────────────────────────────────────────────────────

    def _touch_collection(self, collection: int) -> None:
        if collection not in self._touched:
            self._touched.add(collection)
            name, revision = self._db.execute(
                "SELECT name, revision FROM collections WHERE id = ?", (collection,)
            ).fetchone()
            self.before.setdefault(Topic.collection(name), int(revision))
        self._advance()

    def _touch_session(self, session: str) -> None:
        topic = Topic.session(session)
        if topic not in self.before:
            self.before[topic] = revision_of(self._db, topic)
        self._touched_sessions.add(session)
        self._advance()

    def _advance(self) -> None:
        """This commit changes something: it gets its number."""
        if not self.revision:
            self.revision = next_revision(self._db)

    def _stamp(self) -> None:
        """Write down what this commit has changed; of what is no more, nothing stays."""
        self._db.executemany(
            "UPDATE collections SET revision = ? WHERE id = ?",
            [(self.revision, collection) for collection in sorted(self._touched)],
        )
        for session in sorted(self._touched_sessions):
            stamp_session(self._db, session, self.revision)
        self._touched.clear()
        self._touched_sessions.clear()

    def _place_all(self) -> None:
        for text in sorted(self._entered.keys() | self._left.keys()):
            self._place(text, self._entered.get(text, set()), self._left.get(text, set()))
        self._entered.clear()
        self._left.clear()

    # ── records ───────────────────────────────────────────────────────────────────────────────────────────

    def _put(self, put: Put) -> None:
        collection = self._ensure_collection(put.collection)
        found = self._db.execute(
            "SELECT r.row, r.text, r.metadata, r.at, r.version, r.access_count, t.digest"
            " FROM records r JOIN texts t ON t.id = r.text WHERE r.collection = ? AND r.id = ?",
            (collection, put.id),
        ).fetchone()
        actual = 0 if found is None else found[4]
        if put.expect is not None and put.expect != actual:
            raise Conflict(f"Record {put.id!r} in {put.collection!r}", expected=put.expect, actual=actual)
        metadata = to_json(put.metadata)
        if found is None:
            text = self._ensure_text(put.text, put.terms)
            self._embed(text, put.embedding)
            self._insert(collection, put.id, text, metadata, put.at, version=1, access_count=0)
            return
        row, text, old_metadata, old_at, version, access_count, old_digest = found
        same_text = old_digest == digest(put.text)
        if same_text:
            self._embed(text, put.embedding)
        if same_text and old_at == put.at:
            if not _same_json(old_metadata, metadata):
                self._db.execute(
                    "UPDATE records SET metadata = ?, checksum = ?, version = version + 1 WHERE row = ?",
                    (metadata, record_checksum(put.id, metadata, put.at), row),
                )
                self._touch_collection(collection)
            return
        # A row stands for one text at one time: a change of either is a new row (see schema.py).
        self._delete_rows(collection, [(row, text)])
        text = self._ensure_text(put.text, put.terms)
        self._embed(text, put.embedding)
        self._insert(collection, put.id, text, metadata, put.at, version=version + 1, access_count=access_count)

    def _restore(self, restore: Restore) -> None:
        record = restore.record
        collection = self._ensure_collection(record.collection)
        found = self._db.execute(
            "SELECT row, text FROM records WHERE collection = ? AND id = ?", (collection, record.id)
        ).fetchone()
        if found is not None:
            self._delete_rows(collection, [found])
        text = self._ensure_text(record.text, restore.terms)
        self._embed(text, restore.embedding)
        self._insert(
            collection,
            record.id,
            text,
            to_json(record.metadata),
            record.at,
            version=record.version,
            access_count=record.access_count,
        )

    def _remove(self, remove: Remove) -> None:
        found = self._db.execute(
            "SELECT r.collection, r.row, r.text, r.version FROM records r"
            " JOIN collections c ON c.id = r.collection WHERE c.name = ? AND r.id = ?",
            (remove.collection, remove.id),
        ).fetchone()
        actual = 0 if found is None else found[3]
        if remove.expect is not None and remove.expect != actual:
            raise Conflict(f"Record {remove.id!r} in {remove.collection!r}", expected=remove.expect, actual=actual)
        if found is not None:
            self._delete_rows(found[0], [(found[1], found[2])])

    def _touch(self, touch: Touch) -> None:
        collection = self._known_collection(touch.collection)
        if collection is None:
            return
        touched = self._db.executemany(
            "UPDATE records SET access_count = access_count + 1 WHERE collection = ? AND id = ?",
            [(collection, id) for id in dict.fromkeys(touch.ids)],
        )
        if touched.rowcount > 0:
            self._touch_collection(collection)

    def _insert(
        self, collection: int, id: str, text: int, metadata: str, at: int, *, version: int, access_count: int
    ) -> None:
        self._db.execute(
            "INSERT INTO records (collection, id, text, metadata, at, version, access_count, checksum)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (collection, id, text, metadata, at, version, access_count, record_checksum(id, metadata, at)),
        )
        self._entered[text].add(collection)
        self._left[text].discard(collection)
        self._touch_collection(collection)

    def _delete_rows(self, collection: int, rows: Sequence[tuple[int, int]]) -> None:
        """Delete records given as (row, text), and note what search must take out of memory."""
        for row, text in rows:
            self._db.execute("DELETE FROM records WHERE row = ?", (row,))
            still = self._db.execute(
                "SELECT 1 FROM records WHERE collection = ? AND text = ? LIMIT 1", (collection, text)
            ).fetchone()
            if still is None:
                self._left[text].add(collection)
                self._entered[text].discard(collection)
        epoch = self._next_epoch(collection)
        self.removed[collection, epoch] = [row for row, _ in rows]
        self._touch_collection(collection)

    def _next_epoch(self, collection: int) -> int:
        self._db.execute("UPDATE collections SET epoch = epoch + 1 WHERE id = ?", (collection,))
        found = self._db.execute("SELECT epoch FROM collections WHERE id = ?", (collection,)).fetchone()
        return int(found[0])

    # ── collections ───────────────────────────────────────────────────────────────────────────────────────

    def _known_collection(self, name: str) -> int | None:
        known = self._collections.get(name)
        if known is None:
            found = self._db.execute("SELECT id FROM collections WHERE name = ?", (name,)).fetchone()
            if found is None:
                return None
            known = self._collections[name] = int(found[0])
        return known

    def _ensure_collection(self, name: str) -> int:
        known = self._known_collection(name)
        if known is not None:
            return known
        made = self._db.execute("INSERT INTO collections (name) VALUES (?)", (name,)).lastrowid
        assert made is not None
        self._collections[name] = made
        self.before.setdefault(Topic.collection(name), 0)
        self._touch_collection(made)
        return made

    def _drop_collection(self, drop: DropCollection) -> None:
        collection = self._known_collection(drop.name)
        if collection is None:
            return
        rows = self._db.execute("SELECT row, text FROM records WHERE collection = ?", (collection,)).fetchall()
        self._delete_rows(collection, rows)
        # Whoever drops a collection wants it gone: an older SQLite would keep its words in the index for a while. To
        # wipe them takes a look at the whole index, so it is done right after, and nobody waits for it.
        self._must_wipe_words |= bool(rows) and sqlite3.sqlite_version_info < SECURE_DELETE
        self._place_all()  # texts let go of the collection before its row disappears
        self._db.execute("DELETE FROM collections WHERE id = ?", (collection,))
        del self._collections[drop.name]

    # ── texts and the full-text index ─────────────────────────────────────────────────────────────────────

    def _ensure_text(self, body: str, terms: Terms | None) -> int:
        address = digest(body)
        found = self._db.execute("SELECT id FROM texts WHERE digest = ?", (address,)).fetchone()
        if found is not None:
            return int(found[0])
        if terms is None:
            refuse_unanalysed(body)
            terms = ()
        made = self._db.execute(
            "INSERT INTO texts (digest, body, blank) VALUES (?, ?, ?)", (address, body, not body.strip())
        ).lastrowid
        assert made is not None
        self._terms_of[made] = terms
        self._db.execute(
            "INSERT INTO bags (text, length, bag, terms) VALUES (?, ?, ?, ?)",
            (made, len(terms), term_counts.pack(terms), " ".join(terms)),
        )
        return made

    def _place(self, text: int, entered: set[int], left: set[int]) -> None:
        """Change the collections that a text is indexed under; a text that left one may be erased at the end."""
        terms: Sequence[str] | None = None
        for collection in sorted(left):
            found = self._db.execute(
                "DELETE FROM placements WHERE collection = ? AND text = ? RETURNING lexical",
                (collection, text),
            ).fetchall()
            for (row,) in found:
                terms = self._terms(text) if terms is None else terms
                self._rescope(row, " ".join(terms), drop=_scope(collection))
                self._db.execute(
                    "UPDATE collections SET texts = texts - 1, terms = terms - ? WHERE id = ?", (len(terms), collection)
                )
        waiting = [collection for collection in sorted(entered) if not self._is_placed(collection, text)]
        while waiting:
            terms = self._terms(text) if terms is None else terms
            row, room = self._roomy_row(text)
            joining, waiting = waiting[:room], waiting[room:]
            self._rescope(row, " ".join(terms), add=[_scope(collection) for collection in joining])
            self._db.executemany(
                "INSERT INTO placements (collection, text, lexical) VALUES (?, ?, ?)",
                [(collection, text, row) for collection in joining],
            )
            self._db.executemany(
                "UPDATE collections SET texts = texts + 1, terms = terms + ? WHERE id = ?",
                [(len(terms), collection) for collection in joining],
            )
        if left:
            self._loose.add(text)

    def _is_placed(self, collection: int, text: int) -> bool:
        found = self._db.execute("SELECT 1 FROM placements WHERE collection = ? AND text = ?", (collection, text))
        return found.fetchone() is not None

    def _roomy_row(self, text: int) -> tuple[int, int]:
        """A full-text row of this text with room for more collections, made if there is none."""
        found = self._db.execute(
            "SELECT row, scopes FROM lexical WHERE text = ? AND scopes < ? LIMIT 1", (text, SCOPES_PER_ROW)
        ).fetchone()
        if found is not None:
            return int(found[0]), SCOPES_PER_ROW - int(found[1])
        made = self._db.execute("INSERT INTO lexical (text, scope, scopes) VALUES (?, '', 0)", (text,)).lastrowid
        assert made is not None
        return made, SCOPES_PER_ROW

    def _rescope(self, row: int, terms: str, *, add: Sequence[str] = (), drop: str = "") -> None:
        """Index a row under other collections: an index without content must be told what to take out."""
        (before,) = self._db.execute("SELECT scope FROM lexical WHERE row = ?", (row,)).fetchone()
        scopes = [scope for scope in before.split() if scope != drop] + list(add)
        after = " ".join(scopes)
        if before:
            self._db.execute(
                "INSERT INTO lexicon (lexicon, rowid, scope, terms) VALUES ('delete', ?, ?, ?)",
                (row, before, terms),
            )
        if after:
            self._db.execute("INSERT INTO lexicon (rowid, scope, terms) VALUES (?, ?, ?)", (row, after, terms))
            self._db.execute("UPDATE lexical SET scope = ?, scopes = ? WHERE row = ?", (after, len(scopes), row))
        else:
            self._db.execute("DELETE FROM lexical WHERE row = ?", (row,))

    def _terms(self, text: int) -> Sequence[str]:
        """What a text stands in the index under: taking it out needs exactly that."""
        if text not in self._terms_of:
            length, joined = self._db.execute("SELECT length, terms FROM bags WHERE text = ?", (text,)).fetchone()
            terms = self._terms_of[text] = joined.split(" ") if joined else []
            if len(terms) != length:
                raise StoreError(
                    "the store",
                    "was written by an earlier version, and its index of words is to be made anew",
                    remedy="Open it with 'libravdb status' or start the daemon: both do so.",
                )
        return self._terms_of[text]

    def _erase_unused(self, text: int) -> None:
        """Erase a text that stands in no collection, vectors and all."""
        if self._db.execute("SELECT 1 FROM placements WHERE text = ? LIMIT 1", (text,)).fetchone() is not None:
            return
        delete_vectors(self._db, "text = ?", (text,))
        self._db.execute("DELETE FROM bags WHERE text = ?", (text,))
        self._db.execute("DELETE FROM texts WHERE id = ?", (text,))

    # ── vectors ───────────────────────────────────────────────────────────────────────────────────────────

    def _embed(self, text: int, embedding: Embedding | None) -> None:
        if embedding is not None:
            self._attach(text, embedding)

    def attach_to(self, address: bytes, embedding: Embedding) -> bool:
        """Give a text its vectors by its address; False when it is gone, or has them."""
        known = self._db.execute("SELECT id FROM texts WHERE digest = ?", (address,)).fetchone()
        return known is not None and self._attach(known[0], embedding)

    def _attach(self, text: int, embedding: Embedding) -> bool:
        """Give a text its vectors in the embedding's space, unless it has them; True when it got them now."""
        space, dimensions, state = self._space(embedding.fingerprint)
        if embedding.vectors.shape[1] != dimensions:
            raise SpaceMismatch(
                offered=f"{embedding.fingerprint} with {embedding.vectors.shape[1]} dimensions",
                active=f"{embedding.fingerprint} with {dimensions} dimensions",
            )
        known = self._db.execute("SELECT 1 FROM codes WHERE space = ? AND text = ?", (space, text)).fetchone()
        if known is not None:
            return False
        first: int | None = None
        for vector in embedding.vectors:
            made = self._db.execute("INSERT INTO vectors (vector) VALUES (?)", (to_blob(vector),)).lastrowid
            first = made if first is None else first
        self._db.execute(
            "INSERT INTO codes (space, text, first_vector, vectors, code) VALUES (?, ?, ?, ?, ?)",
            (space, text, first, len(embedding.vectors), sign_codes(embedding.vectors).tobytes()),
        )
        self._db.execute(
            "UPDATE spaces SET texts = texts + 1, vectors = vectors + ? WHERE id = ?", (len(embedding.vectors), space)
        )
        if state == SpaceState.ACTIVE:  # records that were there before their vectors: memory must load again
            late = self._db.execute(
                "UPDATE collections SET epoch = epoch + 1"
                " WHERE id IN (SELECT collection FROM placements WHERE text = ?) RETURNING id",
                (text,),
            ).fetchall()
            for (collection,) in late:
                self._touch_collection(collection)
        return True

    def _space(self, fingerprint: str) -> tuple[int, int, str]:
        found = self._db.execute(
            "SELECT id, dimensions, state FROM spaces WHERE fingerprint = ? AND state <> 'retired'",
            (fingerprint,),
        ).fetchone()
        if found is None:
            active = self._db.execute("SELECT fingerprint FROM spaces WHERE state = 'active'").fetchone()
            raise SpaceMismatch(offered=fingerprint, active=active[0] if active else "none")
        return int(found[0]), int(found[1]), str(found[2])

    # ── sessions ──────────────────────────────────────────────────────────────────────────────────────────

    def _link(self, edge: Edge) -> None:
        linked = self._db.execute(
            "INSERT INTO edges (session, parent, child, child_kind, position, at) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET child_kind = excluded.child_kind, position = excluded.position,"
            " at = excluded.at"
            " WHERE (child_kind, position, at) <> (excluded.child_kind, excluded.position, excluded.at)",
            (edge.session, edge.parent, edge.child, edge.child_kind, edge.position, edge.at),
        )
        if linked.rowcount:
            self._touch_session(edge.session)

    def _unlink(self, session: str, parent: str | None) -> None:
        condition, values = ("", (session,)) if parent is None else (" AND parent = ?", (session, parent))
        if self._db.execute(f"DELETE FROM edges WHERE session = ?{condition}", values).rowcount:
            self._touch_session(session)

    def _append(self, append: Append) -> None:
        self._db.execute(
            "INSERT INTO journal (session, at, entry) VALUES (?, ?, ?)",
            (append.session, append.at, to_json(append.entry)),
        )
        self._advance()
        self._db.execute(
            "DELETE FROM journal WHERE seq <= (SELECT seq FROM journal ORDER BY seq DESC LIMIT 1 OFFSET ?)",
            (append.keep,),
        )

    def _clear_journal(self, seqs: Iterable[int] | None) -> None:
        if seqs is None:
            gone = self._db.execute("DELETE FROM journal")
        else:
            gone = self._db.executemany("DELETE FROM journal WHERE seq = ?", [(seq,) for seq in seqs])
        if gone.rowcount > 0:
            self._advance()

    def _set_state(self, change: SetState) -> None:
        actual = self._expect_generation(change.session, change.expect)
        self._write_state(SessionState(session=change.session, generation=actual + 1, state=change.state, at=change.at))

    def _expect_generation(self, session: str, expect: int | None) -> int:
        found = self._db.execute("SELECT generation FROM sessions WHERE session = ?", (session,)).fetchone()
        actual = 0 if found is None else int(found[0])
        if expect is not None and expect != actual:
            raise Conflict(f"Session {session!r}", expected=expect, actual=actual)
        return actual

    def _drop_state(self, drop: DropState) -> None:
        self._expect_generation(drop.session, drop.expect)
        if self._db.execute("DELETE FROM sessions WHERE session = ?", (drop.session,)).rowcount:
            self._db.execute("DELETE FROM session_owners WHERE session = ?", (drop.session,))
            self._touch_session(drop.session)

    def _write_state(self, state: SessionState) -> None:
        self._db.execute(
            "INSERT INTO sessions (session, generation, state, at) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE"
            " SET generation = excluded.generation, state = excluded.state, at = excluded.at",
            (state.session, state.generation, to_json(state.state), state.at),
        )
        self._db.execute("DELETE FROM session_owners WHERE session = ?", (state.session,))
        owners = state.state.get("namespaces")
        self._db.executemany(
            "INSERT OR IGNORE INTO session_owners (owner, session) VALUES (?, ?)",
            [(owner, state.session) for owner in owners if isinstance(owner, str)] if isinstance(owners, list) else [],
        )
        self._touch_session(state.session)


# ── revisions ─────────────────────────────────────────────────────────────────────────────────────────────


def next_revision(db: sqlite3.Connection) -> Revision:
    """The number of the next commit."""
    (number,) = db.execute(
        "UPDATE revisions SET revision = revision + 1 WHERE kind = 'store' RETURNING revision"
    ).fetchone()
    return int(number)


def revision_of(db: sqlite3.Connection, topic: Topic) -> Revision:
    """Which commit changed a topic last; 0 where there is nothing."""
    if topic.kind is TopicKind.COLLECTION:
        found = db.execute("SELECT revision FROM collections WHERE name = ?", (topic.name,)).fetchone()
    else:
        found = db.execute(
            "SELECT revision FROM revisions WHERE kind = ? AND name = ?", (topic.kind, topic.name)
        ).fetchone()
    return 0 if found is None else int(found[0])


def stamp_session(db: sqlite3.Connection, session: str, revision: Revision) -> None:
    """A commit has changed a session; one that has neither state nor coverage any more leaves no trace."""
    is_there = db.execute(
        "SELECT EXISTS (SELECT 1 FROM sessions WHERE session = ?) OR EXISTS (SELECT 1 FROM edges WHERE session = ?)",
        (session, session),
    ).fetchone()[0]
    if is_there:
        db.execute("INSERT OR REPLACE INTO revisions VALUES ('session', ?, ?)", (session, revision))
    else:
        db.execute("DELETE FROM revisions WHERE kind = 'session' AND name = ?", (session,))


def _stamp_spaces(db: sqlite3.Connection) -> None:
    db.execute("INSERT OR REPLACE INTO revisions VALUES ('spaces', '', ?)", (next_revision(db),))


# ── the full-text index as a whole ────────────────────────────────────────────────────────────────────────


def wipe_words(db: sqlite3.Connection) -> None:
    """Take the words of dropped collections out of the index for good, if some are still there. Outside a transaction:
    a kill in between leaves the note, and whoever opens the file next does it."""
    if db.execute("SELECT 1 FROM facts WHERE name = 'wipe'").fetchone() is None:
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        db.execute("INSERT INTO lexicon (lexicon) VALUES ('optimize')")
        db.execute("DELETE FROM facts WHERE name = 'wipe'")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def analysis_of(db: sqlite3.Connection) -> str:
    """The analysis that the index was made by."""
    return str(db.execute("SELECT value FROM facts WHERE name = 'analysis'").fetchone()[0])


def name_analysis(db: sqlite3.Connection, analysis: str) -> None:
    """Note which analysis the index of words was made by."""
    db.execute("UPDATE facts SET value = ? WHERE name = 'analysis'", (analysis,))


def renew_full_text(db: sqlite3.Connection, analysis: str, analyse: Analyse, progress: Progress) -> None:
    """Index every text anew, inside the caller's transaction.

    Another version of Python or of the stemmers may fold or stem a word differently; taking a text out of the index
    needs exactly the terms it went in with.
    """
    db.execute("INSERT INTO lexicon (lexicon) VALUES ('delete-all')")
    (total,) = db.execute("SELECT count(*) FROM texts").fetchone()
    for done, (text, body) in enumerate(db.execute("SELECT id, body FROM texts").fetchall(), start=1):
        terms = analyse(body)
        joined = " ".join(terms)
        db.execute(
            "UPDATE bags SET length = ?, bag = ?, terms = ? WHERE text = ?",
            (len(terms), term_counts.pack(terms), joined, text),
        )
        db.executemany(
            "INSERT INTO lexicon (rowid, scope, terms) VALUES (?, ?, ?)",
            [
                (row, scope, joined)
                for row, scope in db.execute("SELECT row, scope FROM lexical WHERE text = ?", (text,)).fetchall()
            ],
        )
        progress(done, total)
    db.execute(
        "UPDATE collections SET revision = ?, terms = (SELECT coalesce(sum(b.length), 0) FROM placements p"
        " JOIN bags b ON b.text = p.text WHERE p.collection = collections.id)",
        (next_revision(db),),
    )
    name_analysis(db, analysis)


# ── spaces: rare changes that touch many rows ─────────────────────────────────────────────────────────────


def open_space(db: sqlite3.Connection, *, fingerprint: str, dimensions: int, description: str) -> None:
    """Make the space known; a retired one that is opened again is built up again."""
    found = db.execute("SELECT dimensions, state FROM spaces WHERE fingerprint = ?", (fingerprint,)).fetchone()
    active = db.execute("SELECT 1 FROM spaces WHERE state = 'active'").fetchone()
    state = SpaceState.BUILDING if active else SpaceState.ACTIVE
    if found is None:
        db.execute(
            "INSERT INTO spaces (fingerprint, dimensions, description, state) VALUES (?, ?, ?, ?)",
            (fingerprint, dimensions, description, state),
        )
        _stamp_spaces(db)
    elif found[0] != dimensions:
        raise SpaceMismatch(
            offered=f"{fingerprint} with {dimensions} dimensions",
            active=f"{fingerprint} with {found[0]} dimensions",
        )
    elif found[1] == SpaceState.RETIRED:
        db.execute("UPDATE spaces SET state = ? WHERE fingerprint = ?", (state, fingerprint))
        _stamp_spaces(db)


def activate_space(db: sqlite3.Connection, fingerprint: str) -> None:
    """Switch over in one step. Arrays in memory load again: the space may have grown since it was last in use."""
    found = db.execute("SELECT 1 FROM spaces WHERE fingerprint = ?", (fingerprint,)).fetchone()
    if found is None:
        raise NotFound("vector space", fingerprint, remedy="'libravdb status' lists the spaces of a store.")
    db.execute(
        "UPDATE spaces SET state = 'retired', retired = (SELECT max(retired) + 1 FROM spaces)"
        " WHERE state = 'active' AND fingerprint <> ?",
        (fingerprint,),
    )
    db.execute("UPDATE spaces SET state = 'active' WHERE fingerprint = ?", (fingerprint,))
    db.execute("UPDATE collections SET epoch = epoch + 1")
    _stamp_spaces(db)


def drop_space(db: sqlite3.Connection, fingerprint: str) -> None:
    """Delete a space and its vectors."""
    found = db.execute("SELECT id, state FROM spaces WHERE fingerprint = ?", (fingerprint,)).fetchone()
    if found is None:
        raise NotFound("vector space", fingerprint, remedy="'libravdb status' lists the spaces of a store.")
    if found[1] == SpaceState.ACTIVE:
        raise InvalidInput("fingerprint", f"{fingerprint} is the space in use", remedy="Activate another one first.")
    delete_vectors(db, "space = ?", (found[0],))
    db.execute("DELETE FROM spaces WHERE id = ?", (found[0],))
    _stamp_spaces(db)


def delete_vectors(db: sqlite3.Connection, condition: str, parameters: tuple[int]) -> None:
    """Delete the vectors that some rows of `codes` name, and those rows."""
    gone = db.execute(f"SELECT space, first_vector, vectors FROM codes WHERE {condition}", parameters).fetchall()
    db.execute(f"DELETE FROM codes WHERE {condition}", parameters)
    db.executemany("DELETE FROM vectors WHERE id BETWEEN ? AND ?", [(first, first + n - 1) for _, first, n in gone])
    db.executemany(
        "UPDATE spaces SET texts = texts - 1, vectors = vectors - ? WHERE id = ?", [(n, space) for space, _, n in gone]
    )


def _scope(collection: int) -> str:
    """The token that stands for a collection in the full-text index."""
    return f"c{collection}"


def _same_json(left: str, right: str) -> bool:
    """Equal as JSON objects; the order of keys does not count, 1 and true and 1.0 differ."""
    return left == right or json.dumps(json.loads(left), sort_keys=True) == json.dumps(
        json.loads(right), sort_keys=True
    )
