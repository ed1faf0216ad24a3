"""The OpenAPI document of the REST surface, made from its table and the types of the methods.

`python -m libravdb.http.openapi` prints it.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any, get_args, get_origin

from libravdb import __version__
from libravdb.http.rest import body_fields, query_fields
from libravdb.http.rows import ROWS, RestRow
from libravdb.wire.fields import bare, fields_of
from libravdb.wire.methods.access import ACCESS

Schema = dict[str, Any]

_PLAIN: Mapping[Any, Schema] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
}
_ERROR: Schema = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["kind", "message", "remedy"],
            "properties": {name: {"type": "string"} for name in ("kind", "message", "remedy")},
        }
    },
}
_REFUSALS = {
    "400": "A field is missing, unknown or of the wrong type.",
    "401": "No token was shown, or one that is not taken.",
    "403": "The token has no right to this namespace, or not this role.",
    "404": "There is no such thing.",
    "413": "The body is too large.",
    "415": "The body is not application/json.",
    "429": "Too many calls about this namespace; the header Retry-After tells when there is one more.",
    "503": "The store takes no writes, or too much is under way.",
    "507": "The namespace may hold no more.",
}


_READY = "Whether it can serve: the model was loaded, and the store takes writes; with `?for=read`, can be read."


@cache
def document() -> Mapping[str, Any]:
    """The whole document."""
    components: dict[str, Schema] = {"Error": _ERROR}
    paths: dict[str, dict[str, Any]] = {}
    for row in ROWS:
        paths.setdefault(row.path, {})[row.verb.lower()] = _operation(row, components)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "LibraVDB Memory",
            "version": __version__,
            "description": "Memory of agents, by namespace. Every error has one shape. /rpc takes all other methods.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": {**_own_paths(), **paths},
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "libravdb token create"}},
            "schemas": dict(sorted(components.items())),
        },
    }


def _operation(row: RestRow, components: dict[str, Schema]) -> Schema:
    named = [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in row.variables]
    asked = [
        {"name": name, "in": "query", "required": False, "schema": schema_of(field.hint, components)}
        for name, field in query_fields(row).items()
    ]
    body = body_fields(row)
    required = [name for name, field in body.items() if field.is_required]
    told = {name: schema_of(field.hint, components) for name, field in body.items()}
    content: Schema = {"type": "object", "additionalProperties": False, "properties": told}
    if required:
        content["required"] = required
    return {
        "operationId": f"{row.verb.lower()}_{'_'.join(part.strip('{}') for part in row.segments[1:]) or 'namespaces'}",
        "summary": row.summary,
        "description": f"Calls `{row.method}`; needs the role {ACCESS[row.method].role}.",
        **({"parameters": [*named, *asked]} if named or asked else {}),
        **(
            {"requestBody": {"required": bool(required), "content": {"application/json": {"schema": content}}}}
            if row.has_body
            else {}
        ),
        "responses": _responses(row, components),
    }


def _responses(row: RestRow, components: dict[str, Schema]) -> Schema:
    gives = schema_of(row.gives or row.row.result, components)
    refused = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {
        str(row.status): {"description": "Done.", "content": {"application/json": {"schema": gives}}},
        **{status: {"description": words, "content": refused} for status, words in _REFUSALS.items()},
    }


def schema_of(hint: Any, components: dict[str, Schema]) -> Schema:  # noqa: ANN401 - a type of any kind
    """The JSON schema of a type; a dataclass becomes a component, and is referred to."""
    inner = bare(hint)
    arguments = get_args(inner)
    if dataclasses.is_dataclass(inner) and isinstance(inner, type):
        return _component(inner, components)
    if isinstance(inner, type) and issubclass(inner, Enum):
        return {"type": "string", "enum": [str(member.value) for member in inner]}
    if get_origin(inner) is tuple and arguments[-1] is Ellipsis:
        return {"type": "array", "items": schema_of(arguments[0], components)}
    if get_origin(inner) is tuple:
        items = [schema_of(argument, components) for argument in arguments]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
    if get_origin(inner) is Mapping or get_origin(inner) is dict:
        values = schema_of(arguments[1], components)
        return {"type": "object", **({"additionalProperties": values} if values else {})}
    return dict(_PLAIN.get(inner, {}))


def _component(cls: type, components: dict[str, Schema]) -> Schema:
    name = cls.__name__
    if name not in components:
        made = components[name] = {"type": "object"}
        fields = fields_of(cls)
        made["properties"] = {wire: schema_of(field.hint, components) for wire, field in fields.items()}
        required = [wire for wire, field in fields.items() if field.is_required]
        if required:
            made["required"] = required
    return {"$ref": f"#/components/schemas/{name}"}


def _own_paths() -> dict[str, Schema]:
    """What is beside the namespaces."""

    def of(verb: str, summary: str, media: str, *, is_open: bool = False, statuses: str = "200") -> Schema:
        told = {status: {"description": "Done.", "content": {media: {"schema": {}}}} for status in statuses.split()}
        return {verb: {"summary": summary, "responses": told, **({"security": []} if is_open else {})}}

    rpc = of("post", "One JSON-RPC 2.0 request of any method; a list of several is refused.", "application/json")
    rpc["post"]["requestBody"] = {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}
    events = of("get", "Server-sent events: `change` whenever something of the namespace changes.", "text/event-stream")
    events["get"]["parameters"] = [{"name": "namespace", "in": "path", "required": True, "schema": {"type": "string"}}]
    ready = of("get", _READY, "application/json", is_open=True, statuses="200 503")
    ready["get"]["parameters"] = [
        {"name": "for", "in": "query", "required": False, "schema": {"type": "string", "enum": ["read"]}}
    ]
    return {
        "/health": of("get", "Whether the daemon is alive.", "application/json", is_open=True),
        "/ready": ready,
        "/metrics": of("get", "Numbers for Prometheus; needs a token with all namespaces.", "text/plain"),
        "/caller": of("get", "What the token may do: its name, role and namespaces.", "application/json"),
        "/v1/{namespace}/events": events,
        "/openapi.json": of("get", "This document.", "application/json", is_open=True),
        "/rpc": rpc,
    }  # fmt: skip


def markdown() -> str:
    """The surface as a table, for people."""
    lines = ["| | path | calls | role | what it does |", "|---|---|---|---|---|"]
    for row in ROWS:
        fields = [*body_fields(row), *(f"?{name}" for name in row.query)]
        takes = f" Takes {', '.join(f'`{name}`' for name in fields)}." if fields else ""
        lines.append(
            f"| {row.verb} | `{row.path}` | `{row.method}` | {ACCESS[row.method].role} | {row.summary}{takes} |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(markdown() if sys.argv[1:] == ["--table"] else json.dumps(document(), indent=1) + "\n")
