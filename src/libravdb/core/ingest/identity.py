"""Names for what was said: the host's own where they are identities, else derived from the content.

A host sends its transcript again and again: whole, cut at the head, renumbered, one message longer. The same message
must get the same id each time, and two messages that merely look alike must get two. Places in a list tell neither.

- **A host's id** is taken as it is, unless it is a place in disguise (`7`, `msg-7`, `<session>:7`). The same id with
  the same text is the same turn. The same id with another text is another turn: its id is the host's with the
  content's digest.
- **Without one**, a message is known by its content key, a digest of session, role, speaker, text and (where the host
  tells it) the second it was said. Messages of equal key are interchangeable, so they are simply counted: the third
  "ok" of a transcript is `…-3`, wherever it stands.

Where somebody else speaks in a session of the same name, a derived id always ends in a digest of its owner: one that
did so only when the plain one was taken would tell whether the other said the same words.

The digest is made of the text as it is stored, freed of the frames that we issued and of secrets: a host that gives
them back or not still says the same, and no digest can be used to guess a password. It only proposes a name: a turn
counts as known when its text is held, word for word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from types import MappingProxyType

from libravdb.model import IncomingTurn

NONE_STORED: Mapping[str, int] = MappingProxyType({})
_PLACE = re.compile(r"(?:(?:msg|message|turn|entry|item|line|row|index|idx|m|t)[-_:#./ ]?)?[0-9]{1,9}", re.IGNORECASE)
_DERIVED = re.compile(r"(?:^|~)[0-9a-f]{20}(?:[-~]|$)")


def content_key(said: IncomingTurn, session: str) -> str:
    """What a message is known by when the host has no id for it: 20 hex digits of a SHA-256."""
    second = "" if said.at is None else str(said.at // 1000)
    fields = (session, said.role, said.speaker, second, said.text)
    joined = "".join(f"{len(field)}:{field}" for field in fields)
    return sha256(joined.encode(errors="surrogatepass")).hexdigest()[:20]


def derived_id(key: str, occurrence: int) -> str:
    """The id of the nth message with a content key, counted from one."""
    return f"{key}-{occurrence}"


def is_derived(id: str) -> bool:
    """Whether an id reads like one that is derived from what was said, whoever gives it."""
    return _DERIVED.search(id) is not None


def clash_id(id: str, said: IncomingTurn, session: str) -> str:
    """The id of a message whose own one already belongs to another text."""
    return f"{id}~{content_key(replace(said, at=None), session)}"


def owner_clash_id(id: str, said: IncomingTurn, session: str, *, owner: str) -> str:
    """The id of a message whose own one already belongs to somebody else in a session of the same name."""
    whose = sha256(owner.encode(errors="surrogatepass")).hexdigest()[:12]
    return f"{clash_id(id, said, session)}~{whose}"


def is_place(id: str, session: str = "") -> bool:
    """Whether an id is a place in a list: a small number, alone or after `msg-`, `turn_` or the session's own name."""
    if session and id.startswith(session):
        id = id[len(session) :].lstrip("-_:#./ ")
    return _PLACE.fullmatch(id.strip()) is not None


def identify(
    batch: Sequence[IncomingTurn],
    *,
    session: str,
    stored: Mapping[str, int] = NONE_STORED,
    tail: Sequence[str] = (),
) -> tuple[IncomingTurn, ...]:
    """The same messages, each with an id. Skipped ones get none and count for nothing.

    A **transcript** (the session from its start) needs no more than that: sending it again gives the same ids.
    An **increment** (only what is new) goes on counting where the store stands: `stored` tells for each content key of
    the batch how many turns the session holds. A host that may repeat the end of what it sent, or that sends a window
    cut at the head, also passes `tail`, the content keys of the last stored turns in order: what the tail ends with
    and the batch begins with was stored before, and keeps its ids.
    """
    keys = [content_key(said, session) for said in batch if not said.skipped]
    counts = Counter({key: stored.get(key, 0) for key in keys})
    counts.subtract(keys[: _sent_again(overlap(tail, keys), batch)])
    texts: dict[str, IncomingTurn] = {}
    named: list[IncomingTurn] = []
    for said in batch:
        if said.skipped:
            named.append(replace(said, id=None))
            continue
        key = content_key(said, session)
        counts[key] = max(counts[key], 0) + 1
        id = said.id if said.id and not is_place(said.id, session) else derived_id(key, counts[key])
        known = texts.setdefault(id, said)
        if (known.role, known.text) != (said.role, said.text):
            id = clash_id(id, said, session)
        named.append(replace(said, id=id))
    return tuple(named)


def _sent_again(shared: int, batch: Sequence[IncomingTurn]) -> int:
    """How many messages at the beginning were stored before. One that has no time may as well be said again."""
    kept = [said for said in batch if not said.skipped]
    return 0 if shared == 1 < len(kept) and kept[0].at is None else shared


def overlap(tail: Sequence[str], keys: Sequence[str]) -> int:
    """How many leading keys the tail already ends with: the longest suffix of one that is a prefix of the other.

    Knuth, Morris and Pratt's table of borders keeps it linear in both lengths.
    """
    if not keys:
        return 0
    borders = _borders(keys)
    matched = 0
    for key in tail[max(0, len(tail) - len(keys)) :]:
        while matched and (matched == len(keys) or keys[matched] != key):
            matched = borders[matched - 1]
        if keys[matched] == key:
            matched += 1
    return matched


def _borders(keys: Sequence[str]) -> list[int]:
    borders = [0] * len(keys)
    length = 0
    for i in range(1, len(keys)):
        while length and keys[i] != keys[length]:
            length = borders[length - 1]
        if keys[i] == keys[length]:
            length += 1
        borders[i] = length
    return borders
