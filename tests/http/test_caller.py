"""`/caller`: whoever shows a token is told what it allows, so that a page offers nothing else."""

from __future__ import annotations

from tests.http.web import Web


def test_a_token_tells_its_name_its_role_and_its_namespaces(anna: Web, reader: Web, admin: Web, watch: Web) -> None:
    assert anna.get("/caller") == {
        "name": "anna's laptop",
        "role": "write",
        "namespaces": ["anna"],
        "isOfAll": False,
    }
    assert (reader.get("/caller")["role"], reader.get("/caller")["isOfAll"]) == ("read", False)
    assert (admin.get("/caller")["role"], admin.get("/caller")["isOfAll"]) == ("admin", True)
    assert (watch.get("/caller")["role"], watch.get("/caller")["isOfAll"]) == ("read", True)


def test_without_a_token_or_with_a_wrong_one_nothing_is_told(nobody: Web) -> None:
    assert nobody.ask("GET", "/caller").status == 401
    assert nobody.ask("GET", "/caller", headers={"Authorization": "Bearer guess"}).status == 401


def test_it_is_read_and_nothing_else(anna: Web) -> None:
    assert anna.ask("HEAD", "/caller").status == 200
    for verb in ("POST", "PUT", "PATCH", "DELETE"):
        reply = anna.ask(verb, "/caller", {} if verb != "DELETE" else None)
        assert (reply.status, reply.headers["allow"]) == (405, "GET, HEAD, OPTIONS")
    assert anna.ask("OPTIONS", "/caller").headers["allow"] == "GET, HEAD, OPTIONS"


def test_it_is_kept_by_no_cache_and_shared_with_no_page(anna: Web) -> None:
    headers = anna.ask("GET", "/caller").headers
    assert headers["cache-control"] == "no-store"
    assert not {"set-cookie", "access-control-allow-origin"} & set(headers)
