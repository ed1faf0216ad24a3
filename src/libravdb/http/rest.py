"""Requests to rows of the REST table, and results to answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, get_origin
from urllib.parse import parse_qsl, unquote_to_bytes

import msgspec

from libravdb.errors import LibraError
from libravdb.http.backend import HttpBackend, HttpCaller
from libravdb.http.refusals import HttpRefusal, not_allowed, not_found, refusal_for, refusal_of
from libravdb.http.rows import PATH_ONLY, ROWS, RestRow
from libravdb.wire.codec import encode
from libravdb.wire.crowding import refuse_crowd
from libravdb.wire.fields import WireField, bare, fields_of, nearest, type_name

Object = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The rows of a path by their verbs, and what its variables are."""

    rows: Mapping[str, RestRow]
    values: Mapping[str, str]

    @property
    def allowed(self) -> str:
        """The verbs that are possible, as the header tells them."""
        head = ("HEAD",) if "GET" in self.rows else ()
        return ", ".join(sorted({*self.rows, *head, "OPTIONS"}))


def find(raw_path: bytes) -> Found:
    """What a path means. It is split before it is decoded: a name may hold a slash."""
    parts = [_decoded(part) for part in raw_path.partition(b"?")[0].strip(b"/").split(b"/")]
    for segments, rows in _paths().items():
        if len(segments) == len(parts) and all(
            own.startswith("{") or own == part for own, part in zip(segments, parts, strict=True)
        ):
            values = {own[1:-1]: part for own, part in zip(segments, parts, strict=True) if own.startswith("{")}
            if all(value.strip() for value in values.values()):
                return Found(rows=rows, values=values)
    raise not_found(raw_path.decode("latin-1"))


def event_stream_of(raw_path: bytes) -> str | None:
    """The namespace whose changes a path asks for; None for any other path."""
    match raw_path.partition(b"?")[0].strip(b"/").split(b"/"):
        case [b"v1", name, b"events"] if (told := _decoded(name)).strip():
            return told
    return None


@cache
def _paths() -> Mapping[tuple[str, ...], Mapping[str, RestRow]]:
    """The rows by what their paths are made of; fixed words come before variables."""
    found: dict[tuple[str, ...], dict[str, RestRow]] = {}
    for row in ROWS:
        found.setdefault(row.segments, {})[row.verb] = row
    return dict(sorted(found.items(), key=lambda each: [part.startswith("{") for part in each[0]]))


def _decoded(part: bytes) -> str:
    try:
        return unquote_to_bytes(part).decode()
    except UnicodeDecodeError as error:
        raise HttpRefusal(
            400, "InvalidInput", "The path is not UTF-8.", remedy="Percent-encode names as UTF-8."
        ) from error


def choose(found: Found, verb: str) -> RestRow:
    """The row of a verb."""
    row = found.rows.get("GET" if verb == "HEAD" else verb)
    if row is None:
        raise not_allowed(verb, found.allowed)
    return row


async def serve(
    row: RestRow, found: Found, query: bytes, body: bytes, *, backend: HttpBackend, caller: HttpCaller
) -> bytes:
    """Carry out what a row says; gives the body of the answer."""

    def params() -> Object:
        given = {**_from_body(row, body), **_from_query(row, query), **found.values}
        try:
            return row.shape(given)
        except LibraError as error:
            raise refusal_for(error) from error

    return await backend.answer(row.method, params, caller, _finish(row, found.values))


def _finish(row: RestRow, values: Mapping[str, str]) -> Callable[[Object], bytes]:
    def finish(outcome: Object) -> bytes:
        if "error" in outcome:
            raise refusal_of(outcome["error"])
        result = outcome["result"]
        if row.counts and not result.records:
            raise _absent(row, values)
        if not row.only:
            return encode(result)
        several = getattr(result, row.only)
        if not several:
            raise _absent(row, values)
        return encode(several[0])

    return finish


def _absent(row: RestRow, values: Mapping[str, str]) -> HttpRefusal:
    name = values[row.variables[-1]]
    return HttpRefusal(
        404, "NotFound", f"The namespace has nothing named {name[:200]!r}.", remedy="Look for it with /search."
    )


# ── fields ────────────────────────────────────────────────────────────────────────────────────────────────


def body_fields(row: RestRow) -> Mapping[str, WireField]:
    """The fields that the body of a row may have, by their names on the wire."""
    if not row.has_body:
        return {}
    if row.takes is not None:
        return fields_of(row.takes)
    known = fields_of(row.row.params)
    names = row.body if row.body is not None else known
    return {name: known[name] for name in names if name not in (*row.variables, *row.query, *PATH_ONLY)}


def query_fields(row: RestRow) -> Mapping[str, WireField]:
    """The fields that the query of a row may have."""
    return {name: fields_of(row.row.params)[name] for name in row.query}


def _from_body(row: RestRow, body: bytes) -> Object:
    if not row.has_body or not body.strip():
        return {}
    _refuse_crowd(body)
    try:
        told = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _not_json(error) from error
    if not isinstance(told, dict):
        raise HttpRefusal(400, "InvalidInput", "The body is not a JSON object.", remedy="Send {…}.")
    _refuse_unknown(told, body_fields(row), "the body")
    return told


def _from_query(row: RestRow, query: bytes) -> Object:
    try:
        told = parse_qsl(query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=100)
    except ValueError as error:
        raise HttpRefusal(400, "InvalidInput", "The query is not understood.", remedy="Percent-encode it.") from error
    known = query_fields(row)
    _refuse_unknown(dict(told), known, "the query")
    return {name: _typed(name, [value for key, value in told if key == name], known[name]) for name, _ in told}


def _typed(name: str, values: list[str], field: WireField) -> Any:  # noqa: ANN401 - a value of any field
    hint, value = bare(field.hint), values[-1]
    if get_origin(hint) is tuple:
        return [part for each in values for part in each.split(",")]
    if hint is bool and value.lower() in ("true", "false", "1", "0", ""):
        return value.lower() in ("true", "1", "")
    if hint is str or (isinstance(hint, type) and issubclass(hint, Enum)):
        return value
    try:
        return int(value) if hint is int else float(value)
    except (ValueError, TypeError) as error:
        wanted = type_name(hint)
        raise HttpRefusal(400, "InvalidInput", f"{name}: is no {wanted}.", remedy=f"Give {wanted}.") from error


def _refuse_unknown(told: Iterable[str], known: Mapping[str, WireField], where: str) -> None:
    for name in told:
        if name in known:
            continue
        if name in PATH_ONLY:
            raise HttpRefusal(
                400, "InvalidInput", f"{name}: whose memory it is, the path says.", remedy="Leave it out."
            )
        takes = f"Known are: {', '.join(known)}." if known else f"Leave it out: {where} takes nothing."
        raise HttpRefusal(
            400,
            "InvalidInput",
            f"{name[:100]}: is not known in {where}.",
            remedy=f"{nearest(name, known)} {takes}".lstrip(),
        )


def _refuse_crowd(body: bytes) -> None:
    try:
        refuse_crowd(body)
    except ValueError as error:
        raise HttpRefusal(400, "InvalidInput", f"The body has {error}.", remedy="Send it in parts.") from error


def _not_json(error: Exception) -> HttpRefusal:
    what = "is nested too deeply" if isinstance(error, RecursionError) else "is not JSON in UTF-8"
    return HttpRefusal(400, "InvalidInput", f"The body {what}.", remedy="Send a JSON object.")
