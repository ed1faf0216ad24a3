"""What a store accepts: every change is checked before it is queued, and refused by the field's name."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from libravdb.errors import Conflict, InvalidInput
from libravdb.model import (
    Append,
    Change,
    Condition,
    DropCollection,
    DropState,
    Embedding,
    EnsureCollection,
    Excluded,
    Json,
    Key,
    Link,
    Metadata,
    Operator,
    Put,
    Remove,
    Restore,
    RestoreState,
    Revision,
    SetState,
    Terms,
    Topic,
    TopicKind,
    Touch,
    Unlink,
    Where,
    Word,
)
from libravdb.model.filters import OPERATORS

MAX_NAME_BYTES = 1024
"""Ids, collection and session names: long enough for any host's keys, short enough for an index."""

MAX_METADATA_BYTES = 1_000_000
MAX_METADATA_DEPTH = 100
"""Deeper nesting would exhaust the stack of whoever reads it back."""

MAX_CONDITIONS = 64
MAX_COMPARED = 10_000
MAX_COMPARED_CHARS = 100_000
"""Conditions of one filter, values of one key in it, and characters of one value."""

MAX_COUNT = 2**53
"""Versions and counts start below this, and so never reach the end of a 64-bit integer."""

_INT64 = 2**63


def to_json(value: object) -> str:
    """Compact JSON, keys in the order given."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def check_changes(changes: Sequence[Change], *, max_text_chars: int) -> None:
    """Refuse by name what cannot be stored."""
    for change in changes:
        match change:
            case Put(collection=collection, id=id, text=text, metadata=metadata, at=at, embedding=embedding):
                check_id(id)
                _check_record(collection, text, metadata, at, max_text_chars)
                _check_terms(change.terms)
                check_embedding(embedding)
            case Restore(record=record, embedding=embedding):
                check_id(record.id)
                _check_record(record.collection, record.text, record.metadata, record.at, max_text_chars)
                _check_count("version", record.version, least=1)
                _check_count("access_count", record.access_count, least=0)
                _check_terms(change.terms)
                check_embedding(embedding)
            case Remove(collection=collection, id=id):
                check_name("collection", collection)
                check_name("id", id)
            case Touch(collection=collection, ids=ids):
                check_name("collection", collection)
                for id in ids:
                    check_name("id", id)
            case EnsureCollection(name=name) | DropCollection(name=name):
                check_name("collection", name)
            case Link(edge=edge):
                for field in ("session", "parent", "child", "child_kind"):
                    check_name(field, getattr(edge, field))
                _check_count("position", edge.position, least=0)
                _check_time(edge.at)
            case Append(session=session, at=at, entry=entry, keep=keep):
                check_name("session", session)
                _check_time(at)
                check_metadata(entry)
                _check_count("keep", keep, least=1)
            case SetState(session=session, state=state, at=at):
                check_name("session", session)
                _check_time(at)
                check_metadata(state)
            case RestoreState(state=state):
                check_name("session", state.session)
                _check_time(state.at)
                _check_count("generation", state.generation, least=1)
                check_metadata(state.state)
            case Unlink(session=session, parent=parent):
                check_name("session", session)
                check_encodable(parent=parent)
            case DropState(session=session):
                check_name("session", session)


def check_id(id: str) -> None:
    """A record's identity: any text that is not empty."""
    if id == "":
        raise InvalidInput("id", "is empty", remedy="Every record needs an id of its own.")
    check_name("id", id)


def check_name(field: str, name: str) -> None:
    """Names are free text, encodable and of bounded length; the empty collection name is allowed."""
    if not isinstance(name, str):
        raise InvalidInput(field, f"is {type(name).__name__}, not text")
    _encoded(field, name)
    check_name_size(field, name)


def check_name_size(field: str, name: str) -> None:
    """Refuse a name that is too long, whatever it is made of."""
    size = len(name.encode(errors="surrogatepass"))
    if size > MAX_NAME_BYTES:
        raise InvalidInput(
            field,
            f"has {size:,} bytes, at most {MAX_NAME_BYTES:,} are allowed",
            remedy="Use a shorter name, for example a hash of it.",
        )


def check_encodable(**names: str | None) -> None:
    """Refuse, by field, names in a question that no file can hold; unknown ones simply find nothing."""
    for field, name in names.items():
        if name is not None:
            if not isinstance(name, str):
                raise InvalidInput(field, f"is {type(name).__name__}, not text")
            _encoded(field, name)


def check_metadata(metadata: Metadata) -> None:
    """Any JSON object; what JSON cannot say (NaN, bytes, keys that are numbers …) is refused."""
    if not isinstance(metadata, dict):
        raise InvalidInput("metadata", "is not a JSON object with text keys")
    _check_nesting(metadata)
    try:
        written = to_json(metadata)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput("metadata", f"is not JSON ({error})") from error
    size = len(_encoded("metadata", written))
    if size > MAX_METADATA_BYTES:
        raise InvalidInput("metadata", f"has {size:,} bytes, at most {MAX_METADATA_BYTES:,} are allowed")


def check_where(where: Where) -> None:
    """Filters compare plain values; a key with a quote or backslash cannot be asked for. What a client sends is not
    trusted: neither its types nor how much of it there is."""
    for time in (where.since, where.until):
        if time is not None and not _is_int64(time):
            raise InvalidInput("where", f"{time!r} is not a whole number of milliseconds since 1970")
    for key, values in where.metadata.items():
        _check_filter_key(key)
        _refuse_many(key, values)
        for value in values:
            _check_compared(key, value)
    if len(where.conditions) > MAX_CONDITIONS:
        problem = f"has {len(where.conditions):,} conditions, at most {MAX_CONDITIONS} are allowed"
        raise InvalidInput("where", problem, remedy="Take one $in for many values of a key.")
    for condition in where.conditions:
        _check_condition(condition)


def _check_condition(condition: Condition) -> None:
    key, value = condition.key, condition.value
    _check_filter_key(key)
    match condition.operator:
        case Operator.EQ | Operator.NE:
            _check_compared(key, value)
        case Operator.IN:
            if not isinstance(value, list | tuple):
                raise _wrong_value(key, condition.operator, "takes a list of values")
            _refuse_many(key, value)
            for one in value:
                _check_compared(key, one)
        case Operator.EXISTS:
            if not isinstance(value, bool):
                raise _wrong_value(key, condition.operator, "takes true or false")
        case Operator.GT | Operator.GTE | Operator.LT | Operator.LTE:
            if isinstance(value, bool) or not isinstance(value, int | float | str):
                raise _wrong_value(key, condition.operator, "takes a number or a text")
            _check_compared(key, value)
        case _:
            problem = f"has {str(condition.operator)[:_SHOWN]!r} for {key!r}, which is no operator"
            raise InvalidInput("where", problem, remedy=OPERATORS)


def _wrong_value(key: str, operator: Operator, takes: str) -> InvalidInput:
    remedy = f"{OPERATORS} Texts that tell times compare as times when all are written alike (2026-12-01)."
    return InvalidInput("where", f"compares {key!r} by {operator.value}, which {takes}", remedy=remedy)


def _check_filter_key(key: str) -> None:
    check_name("where", key)
    if any(char in key for char in '"\\') or any(ord(char) < 32 for char in key):
        raise InvalidInput("where", f"cannot filter on the key {key!r}: it has a quote, backslash or control")


def _refuse_many(key: str, values: Sequence[Json]) -> None:
    if len(values) > MAX_COMPARED:
        problem = f"has {len(values):,} values for {key!r}, at most {MAX_COMPARED:,} are allowed"
        raise InvalidInput("where", problem, remedy="Ask in parts, or filter on another key.")


def _check_compared(key: str, value: Json) -> None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    is_huge = isinstance(value, int) and value.bit_length() > _MOST_BITS
    if not (value is None or isinstance(value, bool | str) or is_number) or is_huge:
        told = "a number beyond any" if is_huge else _KINDS.get(type(value), "what is no plain value")
        problem = f"compares {key!r} with {told}; only texts, numbers, true, false and null can be compared"
        raise InvalidInput("where", problem, remedy=OPERATORS)
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidInput("where", f"compares {key!r} with {value!r}; only plain values can be compared")
    if isinstance(value, str):
        _encoded("where", value)
        if len(value) > MAX_COMPARED_CHARS:
            problem = f"compares {key!r} with {len(value):,} characters, at most {MAX_COMPARED_CHARS:,} are allowed"
            raise InvalidInput("where", problem, remedy="Filter on a shorter value, such as an id.")


_KINDS: Mapping[type, str] = {list: "a list", tuple: "a list", dict: "an object"}
_MOST_BITS = 14_000  # Python writes no longer number
_SHOWN = 40


def check_keys(keys: Collection[Key]) -> None:
    """Places of records that a question may name."""
    try:
        joined = "".join([part for key in keys for part in key])
        if "\0" not in joined:
            joined.encode()
            return
    except (TypeError, UnicodeEncodeError):
        pass  # one of them is no name: below it is told which
    for key in keys:
        check_encodable(collection=key.collection, id=key.id)


def check_excluded(exclude: Excluded) -> None:
    """Ids that a read passes over."""
    for ids in exclude.values():
        for id in ids:
            check_encodable(exclude=id)


def check_topics(topics: Collection[Topic]) -> None:
    """Topics that a question may name."""
    for topic in topics:
        check_encodable(topic=topic.name)


def check_condition(unless: Collection[Topic]) -> None:
    """Topics that a commit depends on: names as they are written, for it may have to lock them."""
    for topic in unless:
        check_name("topic", topic.name)


def check_words(words: Sequence[Word]) -> None:
    """Words of a question: forms as an index may hold them, of a prefix at least one character."""
    for form in (form for word in words for form in word):
        _check_word("words", form, form.removesuffix("*"))


def refuse_moved(unless: Mapping[Topic, Revision], revisions: Mapping[Topic, Revision]) -> None:
    """A commit was decided by what it saw: it is refused when one of these topics has changed since."""
    for topic, seen in unless.items():
        if revisions[topic] != seen:
            raise Conflict(_called(topic), expected=seen, actual=revisions[topic])


def _called(topic: Topic) -> str:
    return "The set of vector spaces" if topic.kind is TopicKind.SPACES else f"{topic.kind.capitalize()} {topic.name!r}"


def _check_record(collection: str, text: str, metadata: Metadata, at: int, max_text_chars: int) -> None:
    check_name("collection", collection)
    if not isinstance(text, str):
        raise InvalidInput("text", f"is {type(text).__name__}, not text")
    if len(text) > max_text_chars:
        raise InvalidInput(
            "text",
            f"has {len(text):,} characters, at most {max_text_chars:,} are allowed",
            remedy="Split it, or raise store.max_text_chars.",
        )
    _encoded("text", text)
    check_metadata(metadata)
    _check_time(at)


def _check_terms(terms: Terms | None) -> None:
    """Words of an index: encodable, and without the space that parts them."""
    for term in terms or ():
        _check_word("terms", term, term)


def _check_word(field: str, written: str, word: str) -> None:
    if not word or any(char.isspace() for char in word):
        raise InvalidInput(field, f"hold {written!r}, which is no word")
    _encoded(field, word)


def refuse_unanalysed(text: str) -> None:
    """A text that the store does not hold yet needs its terms, or no search by words would ever find it."""
    if text.strip():
        raise InvalidInput(
            "terms",
            "are missing for a text that the store does not hold yet",
            remedy="Give what `libravdb.text.analysis.index_terms` makes of it.",
        )


def _is_int(value: object) -> bool:
    """A whole number; Python counts True among them, we do not."""
    return isinstance(value, int) and not isinstance(value, bool)


def _is_int64(value: object) -> bool:
    return _is_int(value) and isinstance(value, int) and -_INT64 <= value < _INT64


def _check_nesting(value: object) -> None:
    """JSON writes a key that is a number as text, in silence: it would not come back as it went in."""
    level = [value]
    for _ in range(MAX_METADATA_DEPTH + 1):
        inner: list[object] = []
        for item in level:
            if isinstance(item, dict):
                if not all(isinstance(key, str) for key in item):
                    raise InvalidInput("metadata", "is not a JSON object with text keys")
                inner.extend(item)
                inner.extend(item.values())
            elif isinstance(item, str):
                _refuse_nul("metadata", item)
            elif isinstance(item, list | tuple):
                inner.extend(item)
        if not inner:
            return
        level = inner
    raise InvalidInput("metadata", f"is nested more than {MAX_METADATA_DEPTH} deep")


def _check_time(at: int) -> None:
    if not _is_int64(at):
        raise InvalidInput("at", f"{at!r} is not a whole number of milliseconds since 1970")


def _check_count(field: str, value: int, *, least: int) -> None:
    if not _is_int(value) or not least <= value < MAX_COUNT:
        raise InvalidInput(field, f"{value!r} is not a whole number from {least} to 2^53")


def check_embedding(embedding: Embedding | None) -> None:
    """Rows of length one, all finite."""
    if embedding is None:
        return
    check_name("fingerprint", embedding.fingerprint)
    vectors = embedding.vectors
    if vectors.ndim != 2 or vectors.shape[0] == 0:
        raise InvalidInput("embedding", f"has the shape {vectors.shape}, not one row per vector")
    norms = np.linalg.norm(vectors, axis=1)
    if not np.isfinite(norms).all() or (np.abs(norms - 1) > 1e-2).any():
        raise InvalidInput("embedding", "has vectors that are not of length one")


def _encoded(field: str, text: str) -> bytes:
    _refuse_nul(field, text)
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(
            field,
            f"has a lone surrogate at position {error.start}, which no file can hold",
            remedy="Replace it, for example with U+FFFD.",
        ) from error


def _refuse_nul(field: str, text: str) -> None:
    if "\0" in text:
        raise InvalidInput(
            field,
            f"has a NUL character at position {text.index(chr(0))}, which not every database can hold",
            remedy="Replace it, for example with U+FFFD.",
        )
