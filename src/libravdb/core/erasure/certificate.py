"""The certificate of an erasure as a file: one spelling of each content, and a signature over every byte of it.

The signature is an HMAC: whoever holds the store's key can check it, and could also have made it.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from libravdb.model import ErasureCertificate, ErasureCheck, ErasureCount, Json, NamespaceDigest, StoreCopy

FORMAT = "libravdb-erasure"
VERSION = 1
_KEY, _SIGNATURE = "key", "signature"


def digest_of(namespace: str, *, salt: str) -> str:
    """What stands in a certificate for a name: whoever knows the name can compare it, nobody can read it."""
    return sha256(f"{salt}:{namespace}".encode()).hexdigest()


def key_id(key: bytes) -> str:
    """What tells keys apart without telling them."""
    return sha256(b"key:" + key).hexdigest()[:16]


def sign(certificate: ErasureCertificate, *, key: bytes) -> str:
    """The certificate as text, signed."""
    told = {**_told(certificate), _KEY: key_id(key)}
    return _rendered({**told, _SIGNATURE: _signature(told, key)})


def read(text: str) -> tuple[ErasureCertificate, str]:
    """What a certificate tells, and which key signed it; ValueError when it is none of ours, or was written otherwise
    than we write."""
    told = json.loads(text)
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise ValueError(f"it is no {FORMAT} file")
    if told.get("version") != VERSION:
        raise ValueError(f"it has format version {told.get('version')!r}, this program reads {VERSION}")
    try:
        certificate = _certificate(told)
        told_again = {**_told(certificate), _KEY: told[_KEY], _SIGNATURE: told[_SIGNATURE]}
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError("something is missing in it") from error
    if _rendered(told_again) != text:
        raise ValueError("its text is not as it was written")
    return certificate, str(told[_KEY])


def is_signed_by(text: str, key: bytes) -> bool:
    """Whether this key signed the certificate, every byte as it is."""
    told = json.loads(text)
    signature = told.pop(_SIGNATURE, "")
    return isinstance(signature, str) and hmac.compare_digest(signature.encode(), _signature(told, key).encode())


def _signature(told: Mapping[str, Json], key: bytes) -> str:
    return hmac.new(key, _rendered(told).encode(), sha256).hexdigest()


def _rendered(told: Mapping[str, Json]) -> str:
    return json.dumps(told, indent=2, allow_nan=False) + "\n"


def _told(certificate: ErasureCertificate) -> dict[str, Json]:
    whose = certificate.namespace
    name: dict[str, Json] = {} if whose.name is None else {"name": whose.name}
    return {
        "format": FORMAT,
        "version": VERSION,
        "issued_at": certificate.issued_at,
        "store": certificate.store,
        "namespace": {"salt": whose.salt, "digest": whose.digest, **name},
        "revision": certificate.revision,
        "erased": {each.kind: each.count for each in certificate.erased},
        "state_revision": certificate.state_revision,
        "state_digest": certificate.state_digest,
        "written_since": certificate.written_since,
        "checks": [{"name": each.name, "passed": each.is_passed, "detail": each.detail} for each in certificate.checks],
        "copies": [
            {"kind": each.kind, "path": each.path, "at": each.at, "exists": each.exists} for each in certificate.copies
        ],
    }


def _certificate(told: Mapping[str, Any]) -> ErasureCertificate:
    """Values as they stand: only what was signed is believed, and that we wrote ourselves."""
    whose, erased, checks, copies = (told[name] for name in ("namespace", "erased", "checks", "copies"))
    return ErasureCertificate(
        issued_at=told["issued_at"],
        store=told["store"],
        namespace=NamespaceDigest(salt=whose["salt"], digest=whose["digest"], name=whose.get("name")),
        revision=told["revision"],
        erased=tuple(ErasureCount(kind=kind, count=count) for kind, count in erased.items()),
        state_revision=told["state_revision"],
        state_digest=told["state_digest"],
        written_since=told["written_since"],
        checks=tuple(ErasureCheck(name=one["name"], is_passed=one["passed"], detail=one["detail"]) for one in checks),
        copies=tuple(
            StoreCopy(kind=one["kind"], path=one["path"], at=one["at"], exists=one["exists"]) for one in copies
        ),
    )
