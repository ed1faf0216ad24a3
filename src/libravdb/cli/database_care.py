"""What the commands that care for a store's file say of a store in a database."""

from __future__ import annotations

DATABASE_REMEDY = (
    "A database is repaired by its operator: restore a backup with pg_restore, or save what can be read with 'libravdb"
    " move --from postgresql://… --to sqlite:NEW_FILE', which leaves the database as it is."
)
