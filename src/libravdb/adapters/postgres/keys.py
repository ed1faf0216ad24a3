"""Free text as the key of an index: PostgreSQL takes at most 2,704 bytes an entry, a value may have a million.

What is longer is cut, and ends in a digest of the whole: equal texts still have equal keys, and others have others.
Whoever looks something up makes the key of what is looked for in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b, sha256

from libravdb.model import Json, Metadata
from libravdb.model.collections import NAMESPACE_KINDS, SESSION_KINDS, SHARED_KINDS, parse_collection
from libravdb.model.namespaces import unnamed
from libravdb.ports.validation import to_json

KEY_BYTES = 1_500
"""Up to here a text is its own key."""

KEY_CHARS = 350
"""This much of a longer one stands in its key: a prefix of at most this many characters is one of the key too, and the
key of a key is that key."""

_INT64 = 2**63


def text_key(text: str) -> str:
    """A text as an index holds it."""
    encoded = text.encode()
    if len(encoded) <= KEY_BYTES:
        return text
    return text[:KEY_CHARS] + "\u2026" + sha256(encoded).hexdigest()


def text_key_sql(text: str) -> str:
    """The same of an expression, reckoned by the server."""
    cut = f"left({text}, {KEY_CHARS}) || U&'\\2026' || encode(sha256(convert_to({text}, 'UTF8')), 'hex')"
    return f"CASE WHEN octet_length({text}) <= {KEY_BYTES} THEN {text} ELSE {cut} END"


def value_key(value: Json) -> str:
    """A value of metadata as an index holds it: the key of its JSON, as `records.owner` and its like are written."""
    return text_key(to_json(value))


def key_under(metadata: Metadata, name: str) -> str | None:
    """The key of what stands under a name in metadata; None when nothing does."""
    return value_key(metadata[name]) if name in metadata else None


def holders_of(collection: str) -> tuple[bool, str | None, str | None]:
    """Who may see a collection, as `collections` tells it: whether all share it, the key of the namespace that has what
    names nobody in it, and its session."""
    place = parse_collection(collection)
    if place.kind in SESSION_KINDS:
        return False, text_key(unnamed(place.owner)), place.owner
    return place.kind in SHARED_KINDS, text_key(place.owner) if place.kind in NAMESPACE_KINDS else None, None


def expiry(metadata: Metadata) -> int | None:
    """The moment at which a record is to go: a whole number. What no column can hold is the farthest one."""
    told = metadata.get("memory_expires_at")
    if isinstance(told, bool) or not isinstance(told, int):
        return None
    return min(max(told, -_INT64), _INT64 - 1)


def word_key(collection: int, term: str) -> int:
    """A term of a collection, or its key, as the index of words holds it (`texts.words`). Not by the checksum that bags
    know terms by: of two terms with one number the bags tell which stands in a text."""
    number = blake2b(text_key(term).encode(), digest_size=4).digest()
    return collection << 32 | int.from_bytes(number, "big")


def word_keys(collection: int, terms: Iterable[str]) -> list[int]:
    """The distinct terms of a text, as `texts.words` holds them."""
    return sorted({word_key(collection, term) for term in terms})


def edge_key(session: str, parent: str, child: str) -> bytes:
    """The place of an edge: its three names together would be too long for an index."""
    parts = [part.encode() for part in (session, parent, child)]
    return sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).digest()
