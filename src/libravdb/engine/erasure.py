"""Erasure that can be proved: a namespace is deleted, everything is looked at again, and a certificate is signed.

What is looked for afterwards is taken at the very moment of which the deletion was planned, and kept in memory only.
What comes in meanwhile is either deleted too or counted as written since; a certificate is never made of a doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

from libravdb.core.assembly.already_shown import forget_shown
from libravdb.core.erasure import certificate as certificates
from libravdb.core.gate.attributes import forget_attributes
from libravdb.core.gate.likelihood import forget_signs
from libravdb.core.gate.parsed_turn import forget_guesses
from libravdb.core.gate.partial import forget_partials
from libravdb.core.gate.statement import forget_statements
from libravdb.core.gate.supersession import forget_relations
from libravdb.core.gate.topics import forget_views
from libravdb.core.profile.lines import forget_lines
from libravdb.engine.deleted_namespace import DeletedNamespace
from libravdb.engine.deletion import Deletions
from libravdb.engine.embedding import Embeddings
from libravdb.engine.export import export_lines
from libravdb.engine.injected_texts import InjectedTexts
from libravdb.engine.known_profiles import KnownProfiles
from libravdb.engine.known_records import KnownRecords
from libravdb.engine.known_wishes import KnownWishes
from libravdb.engine.namespace_holdings import Holding, holdings, known_namespaces
from libravdb.engine.receipts import Receipts
from libravdb.errors import StoreError
from libravdb.model import (
    DeletedContent,
    ErasureCertificate,
    ErasureCheck,
    ErasureCount,
    ErasureReview,
    NamespaceDigest,
    Revision,
    SignedErasure,
    StoreCopy,
)
from libravdb.model.namespaces import named
from libravdb.ports.clock import Clock
from libravdb.ports.store import Snapshot, Store
from libravdb.text.analysis import forget_words
from libravdb.text.dates import forget_dates

ATTEMPTS = 6
"""How often the store is wiped and looked at; from the second time on a file is written anew."""
ALONE_FROM = 2
"""From which time on writers wait: whoever goes on saying the same words leaves them in the log as if deleted."""


class Erasures:
    """Deletes namespaces with a certificate, and checks certificates. Usable from many threads."""

    def __init__(
        self,
        *,
        store: Store,
        deletions: Deletions,
        embeddings: Embeddings,
        receipts: Receipts,
        injected: InjectedTexts,
        profiles: KnownProfiles,
        known: KnownRecords,
        wishes: KnownWishes,
        clock: Clock,
    ) -> None:
        self._store = store
        self._embeddings = embeddings
        self._deletions = deletions
        self._receipts = receipts
        self._injected = injected
        self._profiles = profiles
        self._known = known
        self._wishes = wishes
        self._clock = clock

    def erase(self, namespace: str, *, with_name: bool = False) -> SignedErasure:
        """Delete all that belongs to exactly this namespace, look whether anything is left, and sign what was found.

        Raises StoreError when it could not be wiped, with nothing deleted; and when something is left afterwards: then
        the deletion stands, no certificate is made, and it can be repeated.
        """
        whose, seen = named(namespace), DeletedNamespace()
        key = self._store.maintenance.secret()  # before anything goes: without it there would be no certificate
        self._store.maintenance.refuse_unpurgeable()
        since, before = self._clock(), self._store.maintenance.revision()
        self._receipts.try_to_settle()  # what waits is the namespace's too, and counts
        revision = self._deletions.leave(whose, seen.look).revision or before
        wiped = self._wiped(seen.content())
        rows, newer = self._rows(whose, revision, seen, since=since)
        erased = seen.counts()
        self._forget_texts()
        checks = (*rows, *wiped, self._memory(whose, newer))
        _refuse_left(checks)
        certificate = self._certificate(whose, erased, checks, revision=revision, newer=newer, with_name=with_name)
        return SignedErasure(certificate=certificate, text=certificates.sign(certificate, key=key))

    def _forget_texts(self) -> None:
        """Let go of texts that are remembered only because reading them again would cost time."""
        from libravdb.core.authored.deontic import forget_language  # noqa: PLC0415 - loads the words of all languages

        self._embeddings.forget_questions()
        self._known.forget()
        self._wishes.forget()
        for forget in (
            forget_words,
            forget_dates,
            forget_statements,
            forget_attributes,
            forget_relations,
            forget_views,
            forget_partials,
            forget_signs,
            forget_guesses,
            forget_language,
            forget_shown,
            forget_lines,
        ):
            forget()

    def _wiped(self, deleted: DeletedContent) -> tuple[ErasureCheck, ...]:
        """What the store still consists of. Where nothing can be looked for, it counts how it was wiped."""
        for attempt in range(ATTEMPTS):
            wiped = self._store.maintenance.purge(is_anew=attempt > 0 or not deleted.pieces)
            looked = self._store.maintenance.residue(deleted, is_alone=attempt >= ALONE_FROM)
            if all(check.is_passed for check in looked) or not all(check.is_passed for check in wiped):
                break  # what stands in the way of the wiping does so at the next attempt too
        if not deleted.pieces:
            wiped = tuple(_alone(check) for check in wiped)
        names = {check.name for check in looked}
        return (*looked, *(each for each in wiped if each.name not in names))

    def _rows(
        self, namespace: str, revision: Revision, seen: DeletedNamespace, *, since: int
    ) -> tuple[tuple[ErasureCheck, ...], int]:
        """Whether any table tells of the namespace; and how many records came in since."""
        with self._store.read() as snapshot:
            found = holdings(snapshot, namespace, journal_since=since)
            again = seen.stand_again(snapshot, found)
            events = seen.events_left(snapshot)
        left = sum(one.count or 1 for one in found if one.revision <= revision) + again + events
        newer = sum(one.count for one in found if one.revision > revision) - again
        owners = _check("owners", left, f"collections, owners of records, sessions, journal; {newer:,} written since")
        return (owners,), newer

    def _memory(self, namespace: str, newer: int) -> ErasureCheck:
        """What this process remembers of the namespace's prompts; whoever wrote since may have asked since, too."""
        parts = (self._receipts, self._injected, self._profiles, self._known, self._wishes)
        held = [part for part in parts if part.holds(namespace)]
        return _check(
            "memory",
            0 if newer else len(held),
            "injected texts, waiting receipts, traces of prompts, lines of a profile, records and wishes read before",
        )

    def _certificate(
        self,
        namespace: str,
        erased: tuple[ErasureCount, ...],
        checks: tuple[ErasureCheck, ...],
        *,
        revision: Revision,
        newer: int,
        with_name: bool,
    ) -> ErasureCertificate:
        salt = token_hex(16)
        state_revision, state_digest = self._state()
        name = NamespaceDigest(
            salt=salt,
            digest=certificates.digest_of(namespace, salt=salt),
            name=namespace if with_name else None,
        )
        return ErasureCertificate(
            issued_at=self._clock(),
            store=self._store.maintenance.identity(),
            namespace=name,
            revision=revision,
            erased=erased,
            state_revision=state_revision,
            state_digest=state_digest,
            written_since=newer,
            checks=checks,
            copies=self._store.maintenance.copies(),
        )

    def _state(self) -> tuple[Revision, str]:
        """A digest of all there is, and the commit it is of; none when others go on writing."""
        for _ in range(ATTEMPTS):
            before, revision = self._store.maintenance.change_token(), self._store.maintenance.revision()
            told = sha256()
            with self._store.read() as snapshot:
                lines = export_lines(snapshot, now=0)
                next(lines)  # the header tells of the export, not of the store
                for line in lines:
                    told.update(line.encode(errors="surrogatepass") + b"\n")
            if self._store.maintenance.change_token() == before:
                return revision, told.hexdigest()
        return 0, ""

    # ── checking ──────────────────────────────────────────────────────────────────────────────────────────

    def verify(self, text: str) -> ErasureReview:
        """What a certificate is worth today: whether we signed it as it is, and whether it still holds."""
        signature, certificate = self._opened(text)
        if certificate is None:
            return ErasureReview(is_valid=False, checks=(signature,))
        with self._store.read() as snapshot:
            found = _found_again(snapshot, certificate)
        checks = (
            signature,
            *self._store_checks(certificate),
            _namespace_check(found, certificate),
            *self._store.maintenance.residue(DeletedContent()),
        )
        return ErasureReview(
            is_valid=all(check.is_passed for check in checks),
            checks=checks,
            written_since=sum(one.count for one in found if one.revision > certificate.revision),
            copies=tuple(_looked_at(copy) for copy in certificate.copies),
        )

    def _opened(self, text: str) -> tuple[ErasureCheck, ErasureCertificate | None]:
        try:
            certificate, signed_by = certificates.read(text)
        except (ValueError, RecursionError) as error:
            return _check("signature", 1, f"{error}", is_counted=False), None
        key = self._store.maintenance.secret()
        if signed_by != certificates.key_id(key):
            return _check("signature", 1, "it was signed with another key, or altered", is_counted=False), None
        if not certificates.is_signed_by(text, key):
            return _check("signature", 1, "the certificate was altered", is_counted=False), None
        return _check("signature", 0, "signed with the key beside this store, every byte"), certificate

    def _store_checks(self, certificate: ErasureCertificate) -> Iterator[ErasureCheck]:
        maintenance = self._store.maintenance
        is_ours = maintenance.identity() == certificate.store
        detail = "it is the store of the certificate" if is_ours else "the certificate is about another store"
        yield _check("store", not is_ours, detail, is_counted=False)
        revision = maintenance.revision()
        is_later = revision >= certificate.revision
        state, told = self._state() if revision == certificate.state_revision else (0, "")
        if not is_later:
            detail = "the store is of an earlier time than the certificate: an older copy was put in its place"
        elif state and state == certificate.state_revision:
            is_later = told == certificate.state_digest
            detail = "as it was left" if is_later else "its content is not what it was left with"
        else:
            detail = "written to since; what was left then is not compared"
        yield _check("state", not is_later, detail, is_counted=False)


def _found_again(snapshot: Snapshot, certificate: ErasureCertificate) -> tuple[Holding, ...]:
    """What there is of the namespace, whose name only its digest tells."""
    whose = certificate.namespace
    names = set(known_namespaces(snapshot))
    if whose.name is not None:
        names.add(whose.name)
    again = [name for name in names if certificates.digest_of(name, salt=whose.salt) == whose.digest]
    return tuple(one for name in again for one in holdings(snapshot, name, journal_since=certificate.issued_at))


def _namespace_check(found: Sequence[Holding], certificate: ErasureCertificate) -> ErasureCheck:
    left = sum(one.count or 1 for one in found if one.revision <= certificate.revision)
    newer = sum(one.count for one in found if one.revision > certificate.revision)
    told = "nothing of the namespace is there"
    if newer:
        told = f"written again since: {newer:,} records, newer than the certificate"
    return _check("namespace", left, told)


def _looked_at(copy: StoreCopy) -> StoreCopy:
    return replace(copy, exists=Path(copy.path).exists())


def _check(name: str, left: int, detail: str, *, is_counted: bool = True) -> ErasureCheck:
    told = f"{left:,} left: {detail}" if left and is_counted else detail
    return ErasureCheck(name=name, is_passed=not left, detail=told)


def _alone(check: ErasureCheck) -> ErasureCheck:
    """A check of how something was wiped, where that is all that can be said."""
    detail = f"nothing was there to look for: {check.detail}"
    return replace(check, detail=detail) if check.is_passed else check


def _refuse_left(checks: Sequence[ErasureCheck]) -> None:
    failed = [f"{check.name} ({check.detail})" for check in checks if not check.is_passed]
    if failed:
        raise StoreError(
            "erasure",
            f"the namespace was deleted, but something of it may be left in: {'; '.join(failed)}",
            remedy="Close what else uses the store, then repeat the command: no certificate was made.",
        )
