"""What every store is told: the section `[store]`. The engine reads its limit of texts from the same object."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from libravdb.model.addresses import without_password
from libravdb.model.settings import LARGEST, masked_repr, setting, tuned

DATABASES = ("postgresql://", "postgres://")
"""How the address of a database begins."""

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreSettings:
    """Where memory is kept and how its vectors are searched."""

    path: Path = setting(  # noqa: RUF009  a Path never changes, so one default may serve all
        Path("~/.clawdb/data.libravdb"), "The file that holds everything; made when missing.", alias="db_path"
    )
    url: str = setting(
        "",
        "A PostgreSQL database that holds everything instead of the file: postgresql://user@host:5432/database.",
        address=True,
    )
    tenant_role: str = setting(
        "",
        "With store.url: a role of the database that sees only what a token's namespaces may see; reads on behalf of"
        " such tokens run under it. Empty: no second wall.",
    )
    vector_cache_mb: int = setting(96, "Memory for vectors held ready for search, in MiB.", minimum=1)
    exact_search_rows: int = tuned(
        20_000,
        "Vectors in a collection up to which all are compared exactly; above it 1-bit codes choose the rows "
        "that are compared exactly.",
        minimum=1,
        maximum=LARGEST,
    )
    shortlist_rows: int = tuned(
        2_000, "Fewest rows that 1-bit codes put on the shortlist.", minimum=10, maximum=LARGEST
    )
    shortlist_rows_max: int = tuned(
        10_000, "Most rows that 1-bit codes put on the shortlist.", minimum=10, maximum=LARGEST
    )
    rescore_rows: int = tuned(
        400, "Fewest rows of the shortlist that are compared exactly.", minimum=10, maximum=LARGEST
    )
    rescore_rows_max: int = tuned(
        2_000, "Most rows of the shortlist that are compared exactly.", minimum=10, maximum=LARGEST
    )
    max_text_chars: int = setting(1_000_000, "Longest text one record may hold, in characters.", minimum=1)

    def __repr__(self) -> str:
        return masked_repr(self)

    @property
    def place(self) -> str:
        """Where memory is, as it may be shown: the file, or the database without its password."""
        return without_password(self.url) if self.url else str(self.path)

    @property
    def local_path(self) -> Path:
        """What files on this machine are named after: the store's own; for a database one beside the usual file."""
        if not self.url:
            return self.path
        return self.path.with_name(f"postgresql-{sha256(self.place.encode()).hexdigest()[:16]}")


def is_database(place: str) -> bool:
    """Whether somebody who names a store means a database and no file; whether it is one of ours is told later."""
    return _ADDRESS.match(place) is not None
