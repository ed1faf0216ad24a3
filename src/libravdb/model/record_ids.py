"""Ids that we give to records where several things share a collection, and what such an id tells."""

from __future__ import annotations

import hashlib


def session_prefix(session: str) -> str:
    """What tells turns of different sessions apart in a collection that they share."""
    return session.replace("%", "%25").replace("/", "%2F") + "/"


def shared_turn_id(session: str, turn: str) -> str:
    """The id of a turn in a collection that sessions share."""
    return session_prefix(session) + turn


def split_shared_turn_id(id: str) -> tuple[str, str]:
    """The session and the turn that an id in a shared collection names; the turn is empty when it names none."""
    session, _, turn = id.partition("/")
    return session.replace("%2F", "/").replace("%25", "%"), turn


def guidance_id(session: str, turn: str, sentence: int | None = None) -> str:
    """The id of a turn that is kept word for word, or of one of its sentences by its place: the same is never kept
    twice, and no two share one."""
    whole = f"guidance:{session}:{turn.replace('%', '%25').replace(':', '%3A')}"
    return whole if sentence is None else f"{whole}%s{sentence}"


def dream_id(source_doc: str, ordinal: int) -> str:
    """The id of an entry of a host's dream diary, by its place there."""
    return f"{source_doc}#dream#{ordinal:06}"


def profile_source_id(memory: str) -> str:
    """The id under which a profile keeps what a memory states."""
    return f"from:{memory}"


def profile_line_id(line: str) -> str:
    """The id under which a profile keeps what a person made of one of its lines."""
    return f"line:{line}"


def former_version_prefix(memory: str) -> str:
    """How the ids begin under which the former versions of a memory are kept."""
    return f"v:{hashlib.sha256(memory.encode(errors='surrogatepass')).hexdigest()[:16]}:"


def former_version_id(memory: str, version: int) -> str:
    """The id under which a former version of a memory is kept: they sort as they came."""
    return f"{former_version_prefix(memory)}{version:08}"


def commit_marker_id(batch: str, owner: str) -> str:
    """What tells that a batch was committed by somebody: two people may use one key."""
    return f"{batch}#{hashlib.sha256(owner.encode()).hexdigest()[:12]}"
