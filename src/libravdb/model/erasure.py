"""What is told of an erasure: what went, what was looked at afterwards, and what may still hold it elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from libravdb.model.reads import Revision


class CopyKind(StrEnum):
    """How a copy of a store was made."""

    BACKUP = "backup"
    EXPORT = "export"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreCopy:
    """A file that a store was copied to. `exists` tells whether it was still there when somebody looked."""

    kind: str
    path: str
    at: int
    exists: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletedContent:
    """What a store held before a deletion, to be looked for afterwards; it is kept in memory and nowhere else.

    `terms` are what its texts were indexed under, `pieces` parts of their bytes.
    """

    terms: frozenset[str] = frozenset()
    pieces: frozenset[bytes] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureCheck:
    """One place that was looked at, and what was found, in words that tell nothing of what was deleted."""

    name: str
    is_passed: bool
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureCount:
    """How many of a kind were deleted."""

    kind: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NamespaceDigest:
    """A namespace as a certificate tells it: by a salted digest, and by its name only if that was wished."""

    salt: str
    digest: str
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureCertificate:
    """What an erasure did, as it is signed.

    `revision` is the commit that deleted, `state_revision` and `state_digest` tell what was left (0: others wrote at
    that moment), `written_since` counts records that came in while it was worked on. `copies` may still hold it.
    """

    issued_at: int
    store: str
    namespace: NamespaceDigest
    revision: Revision
    erased: tuple[ErasureCount, ...]
    state_revision: Revision
    state_digest: str
    written_since: int
    checks: tuple[ErasureCheck, ...]
    copies: tuple[StoreCopy, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedErasure:
    """A certificate, and the text of its file: every byte of that is signed."""

    certificate: ErasureCertificate
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureReview:
    """What a certificate is worth today. `written_since` counts records of the namespace that are newer than it."""

    is_valid: bool
    checks: tuple[ErasureCheck, ...]
    written_since: int = 0
    copies: tuple[StoreCopy, ...] = ()
