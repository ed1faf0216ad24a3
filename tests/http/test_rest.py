"""The REST surface: every row of its table does what its method does, for whom it may, and says no in one shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import jsonschema
import pytest
from tests.http.web import Reply, Web

from libravdb.http import openapi
from libravdb.http.rest import body_fields, query_fields
from libravdb.http.rows import PATH_ONLY, ROWS, RestRow
from libravdb.wire import crowding
from libravdb.wire.fields import fields_of
from libravdb.wire.methods.access import ACCESS, AccessRole

FACT = "My sister Clara moved to Lisbon in March 2024 and works as a nurse"


def fits(schema: Mapping[str, Any], value: object) -> None:
    """A value is what the document says."""
    whole = {**schema, "components": openapi.document()["components"]}
    jsonschema.Draft202012Validator(whole).validate(value)


def schema_of(row: RestRow) -> Mapping[str, Any]:
    operation = openapi.document()["paths"][row.path][row.verb.lower()]
    told: Mapping[str, Any] = operation["responses"][str(row.status)]["content"]["application/json"]["schema"]
    return told


def row_of(verb: str, path: str) -> RestRow:
    return next(row for row in ROWS if (row.verb, row.path) == (verb, path))


# ── a life over REST ──────────────────────────────────────────────────────────────────────────────────────


def test_a_conversation_is_taken_in_found_assembled_and_explained(anna: Web) -> None:
    messages = [{"role": "user", "content": FACT}, {"role": "assistant", "content": "How nice for her!"}]
    done = anna.post("/v1/anna/turns", {"sessionId": "s1", "messages": messages})
    fits(schema_of(row_of("POST", "/v1/{namespace}/turns")), done)
    found = anna.post("/v1/anna/search", {"question": "Where does Clara live?", "k": 3})
    fits(schema_of(row_of("POST", "/v1/{namespace}/search")), found)
    assert FACT in found["hits"][0]["record"]["text"]
    asked = {"sessionId": "s2", "prompt": "Where does Clara live?", "tokenBudget": 800}
    prompt = anna.post("/v1/anna/context", asked)
    fits(schema_of(row_of("POST", "/v1/{namespace}/context")), prompt)
    assert "Lisbon" in str(prompt)
    account = anna.get("/v1/anna/receipts")
    fits(schema_of(row_of("GET", "/v1/{namespace}/receipts")), account)
    fits(schema_of(row_of("GET", "/v1/{namespace}/profile")), anna.get("/v1/anna/profile"))
    fits(schema_of(row_of("GET", "/v1/{namespace}/guidance")), anna.get("/v1/anna/guidance?everything=true"))


def test_a_turn_with_a_key_is_taken_in_once(anna: Web) -> None:
    turn = {"sessionId": "s3", "messages": [{"role": "user", "content": "The attic has eleven windows"}]}
    first = anna.ask("PUT", "/v1/anna/turns/turn%2F1", turn).json
    again = anna.ask("PUT", "/v1/anna/turns/turn%2F1", turn).json
    assert (first["isDuplicate"], again["isDuplicate"]) == (False, True)


def test_a_memory_is_kept_read_and_forgotten(anna: Web) -> None:
    kept = anna.ask("POST", "/v1/anna/memories", {"text": "The ladder is in the shed", "metadata": {"room": 1}})
    assert kept.status == 201
    fits(schema_of(row_of("POST", "/v1/{namespace}/memories")), kept.json)
    place = f"/v1/anna/memories/{quote(kept.json['record']['id'], safe='')}"
    record = anna.get(place)
    fits(schema_of(row_of("GET", "/v1/{namespace}/memories/{id}")), record)
    assert record["text"] == "The ladder is in the shed"
    assert anna.ask("DELETE", place).json == {"records": 1}
    gone, never = anna.ask("GET", place), anna.ask("DELETE", place)
    assert (gone.status, gone.kind, never.status, never.kind) == (404, "NotFound", 404, "NotFound")


def test_memories_are_listed_filtered_updated_and_expire(admin: Web) -> None:
    for weight in (1, 2, 3):
        text = f"The saw number {weight} hangs on the wall"
        kept = {"text": text, "id": f"saw-{weight}", "metadata": {"weight": weight}, "at": weight, "expiresAt": "30d"}
        assert admin.ask("POST", "/v1/olga/memories", kept).status == 201
    asked = {"question": "Where are the saws?", "where": {"weight": {"$gte": 2}}, "until": 3}
    assert [hit["record"]["id"] for hit in admin.post("/v1/olga/search", asked)["hits"]] == ["saw-2"]
    page = admin.get("/v1/olga/memories?limit=2")
    fits(schema_of(row_of("GET", "/v1/{namespace}/memories")), page)
    rest = admin.get(f"/v1/olga/memories?limit=2&after={quote(page['next'], safe='')}")
    assert [one["id"] for one in (*page["records"], *rest["records"])] == ["saw-3", "saw-2", "saw-1"]
    assert admin.ask("PATCH", "/v1/olga/memories/saw-1", {"text": "The saw is sold"}).status == 200
    told = admin.get("/v1/olga/memories/saw-1/history")["records"]
    assert [one["text"] for one in told] == ["The saw number 1 hangs on the wall", "The saw is sold"]
    assert [one["name"] for one in admin.get("/v1?limit=100")["namespaces"] if one["name"] == "olga"] == ["olga"]
    assert admin.get("/v1/olga/sessions")["sessions"] == []


def test_a_name_may_hold_slashes_spaces_and_any_letter(ben: Web) -> None:
    space = quote("team/Zoë & 分", safe="")
    kept = ben.post(f"/v1/{space}/memories", {"text": "The red door sticks", "id": "a/b c"})
    assert kept["record"]["id"] == "a/b c"
    assert ben.get(f"/v1/{space}/memories/a%2Fb%20c")["text"] == "The red door sticks"


def test_a_session_and_a_namespace_are_deleted(admin: Web) -> None:
    admin.post("/v1/carl/turns", {"sessionId": "s", "messages": ["The blue boat leaks"]})
    admin.post("/v1/carl/memories", {"text": "The blue boat has a cabin"})
    dry = admin.ask("DELETE", "/v1/carl/sessions/s?isDry=true").json
    assert dry == {**admin.ask("DELETE", "/v1/carl/sessions/s").json, "isDry": True}
    assert admin.ask("DELETE", "/v1/carl").json["records"] > 0
    assert admin.post("/v1/carl/search", {"question": "boat"})["hits"] == []
    assert "certificate" in str(admin.post("/v1/carl/erasure", {}))


def test_a_namespace_is_exported(admin: Web) -> None:
    admin.post("/v1/dora/memories", {"text": "Dora plays the harp"})
    assert [one["text"] for one in admin.get("/v1/dora/export")["records"]] == ["Dora plays the harp"]


# ── no ────────────────────────────────────────────────────────────────────────────────────────────────────


def refused(reply: Reply, status: int, kind: str) -> str:
    told = reply.json["error"]
    assert (reply.status, told["kind"]) == (status, kind), reply
    assert set(told) == {"kind", "message", "remedy"}
    assert told["message"]
    assert reply.headers["content-type"] == "application/json"
    return str(told["message"])


def test_nobody_sees_another_namespace(anna: Web, ben: Web, reader: Web) -> None:
    anna.post("/v1/anna/memories", {"text": "The safe opens with four turns"})
    for path in ("/v1/anna/search", "/v1/anna/context", "/v1/anna/turns"):
        body = (
            {"question": "safe"} if path.endswith("search") else {"sessionId": "s", "tokenBudget": 100, "messages": []}
        )
        if path.endswith("turns"):
            del body["tokenBudget"]
        refused(ben.ask("POST", path, body), 403, "Forbidden")
    for path in ("profile", "guidance", "receipts", "export"):
        refused(ben.ask("GET", f"/v1/anna/{path}"), 403, "Forbidden")
    refused(reader.ask("POST", "/v1/anna/memories", {"text": "mine"}), 403, "Forbidden")
    assert reader.post("/v1/anna/search", {"question": "safe"})["hits"]


@pytest.mark.parametrize("name", PATH_ONLY)
def test_the_path_alone_says_whose_memory_it_is(anna: Web, name: str) -> None:
    body = {"question": "safe", name: "ben"}
    assert "the path says" in refused(anna.ask("POST", "/v1/anna/search", body), 400, "InvalidInput")
    assert "the path says" in refused(anna.ask("GET", f"/v1/anna/guidance?{name}=ben"), 400, "InvalidInput")


def test_collections_cannot_be_named_beside_the_namespace(admin: Web) -> None:
    body = {"question": "safe", "collections": ["user:anna"]}
    assert "not known" in refused(admin.ask("POST", "/v1/zoe/search", body), 400, "InvalidInput")


@pytest.mark.parametrize(
    ("verb", "path", "body", "status", "kind", "told"),
    [
        ("POST", "/v1/anna/search", {}, 400, "InvalidInput", "question"),
        ("POST", "/v1/anna/search", {"question": 7}, 400, "InvalidInput", "question"),
        ("POST", "/v1/anna/search", {"question": "x", "limt": 7}, 400, "InvalidInput", "limt"),
        ("POST", "/v1/anna/search", [], 400, "InvalidInput", "object"),
        ("POST", "/v1/anna/search", {"question": "x", "where": {"n": {"$near": 1}}}, 400, "InvalidInput", "$near"),
        ("POST", "/v1/anna/search", {"question": "x", "where": "n"}, 400, "InvalidInput", "where"),
        ("POST", "/v1/anna/search", {"question": "x", "since": "noon"}, 400, "InvalidInput", "since"),
        ("POST", "/v1/anna/memories", {"text": "x", "expiresAt": "soon"}, 400, "InvalidInput", "expires_at"),
        ("GET", "/v1/anna/guidance?evrything=true", None, 400, "InvalidInput", "evrything"),
        ("GET", "/v1/anna/guidance?everything=perhaps", None, 400, "InvalidInput", "everything"),
        ("GET", "/v1/anna/nothing", None, 404, "NotFound", "nothing"),
        ("GET", "/v2/anna", None, 404, "NotFound", "v2"),
        ("GET", "/v1/%20/profile", None, 404, "NotFound", ""),
        ("GET", "/v1/%ff/profile", None, 400, "InvalidInput", "UTF-8"),
        ("GET", "/v1/anna/receipts/unknown", None, 404, "NotFound", "unknown"),
        ("PUT", "/v1/anna/search", {}, 405, "MethodNotAllowed", "PUT"),
        ("TRACE", "/v1/anna/search", None, 405, "MethodNotAllowed", "TRACE"),
        ("GET", "/rpc", None, 405, "MethodNotAllowed", "GET"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(  # noqa: PLR0917 - a table
    anna: Web, verb: str, path: str, body: object, status: int, kind: str, told: str
) -> None:
    assert told in refused(anna.ask(verb, path, body), status, kind)


def test_a_crowd_of_values_is_refused(anna: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowding, "UNCOUNTED", 1_000)
    monkeypatch.setattr(crowding, "MOST_VALUES", 1_000)
    crowd = b'{"question":[' + b"1," * 1_000 + b"1]}"
    reply = anna.ask("POST", "/v1/anna/search", raw=crowd, headers={"Content-Type": "application/json"})
    assert (reply.status, reply.json["error"]["message"]) == (400, "The body has more than 1,000 values.")


def test_what_is_possible_is_told(anna: Web, nobody: Web) -> None:
    for web in (anna, nobody):
        reply = web.ask("OPTIONS", "/v1/anna/memories")
        assert (reply.status, reply.body) == (204, b"")
        assert "POST" in reply.headers["allow"]
        assert "access-control-allow-origin" not in reply.headers
    head = anna.ask("HEAD", "/v1/anna/profile")
    assert (head.status, head.body) == (200, b"")
    assert int(head.headers["content-length"]) > 2


# ── the table and its document ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.verb} {row.path}")
def test_a_row_names_fields_that_its_method_has(row: RestRow) -> None:
    known = fields_of(row.row.params)
    assert set(row.query) <= set(known)
    assert set(row.body or ()) <= set(known)
    if row.shape.__name__ == "as_given":
        assert set(row.variables) <= set(known)
        given = {*row.variables, *body_fields(row), *query_fields(row)}
        assert {name for name, field in known.items() if field.is_required} <= given
    assert row.path.startswith("/v1")
    assert ACCESS[row.method].role is AccessRole.ADMIN or "namespace" in row.variables or row.path == "/v1"


def test_the_document_is_sound_and_served_to_all(nobody: Web) -> None:
    told = nobody.get("/openapi.json")
    assert told == openapi.document()
    assert told["openapi"] == "3.1.0"
    for schema in told["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    ids = [one["operationId"] for path in told["paths"].values() for one in path.values() if "operationId" in one]
    assert len(ids) == len(set(ids)) == len(ROWS)
    assert set(_references(told)) <= {f"#/components/schemas/{name}" for name in told["components"]["schemas"]}
    for path, operations in told["paths"].items():
        variables = {part[1:-1] for part in path.split("/") if part.startswith("{")}
        for operation in operations.values():
            named = {one["name"] for one in operation.get("parameters", ()) if one["in"] == "path"}
            assert named == variables


def _references(value: object) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return own + [ref for each in value.values() for ref in _references(each)]
    return [ref for each in value for ref in _references(each)] if isinstance(value, list) else []
