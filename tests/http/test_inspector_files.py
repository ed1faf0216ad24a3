"""The files of the inspector behind the HTTP door: open to all, and nothing but themselves."""

from __future__ import annotations

import gzip
from collections.abc import Iterator

import pytest
from tests.http.conftest import HASTY
from tests.http.web import ANNA, Web, raw, registry
from tests.served import Served

from libravdb.inspector.files import page_files
from libravdb.inspector.mount import inspector_mount
from libravdb.wire.endpoint import Endpoint

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
"""Written out here once more: a change of it is a change of what we promise."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Endpoint]:
    served = Served(tmp_path_factory.mktemp("page"), tokens=registry())
    yield served.listen_http(HASTY, mounts=(inspector_mount(),))
    served.close()


@pytest.fixture
def stranger(place: Endpoint) -> Iterator[Web]:
    web = Web(place)
    yield web
    web.close()


def test_every_file_is_given_without_a_token_with_its_kind_and_a_strict_policy(stranger: Web) -> None:
    assert {"index.html", "main.js", "style.css", "views/timeline.js"} <= set(page_files())
    for path, file in page_files().items():
        reply = stranger.ask("GET", f"/inspector/{path}")
        assert (reply.status, reply.body, reply.headers["content-type"]) == (200, file.body, file.media)
        assert reply.headers["content-security-policy"] == POLICY
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert reply.headers["cross-origin-opener-policy"] == "same-origin"
        assert reply.headers["cross-origin-resource-policy"] == "same-origin"
        assert not {"set-cookie", "server", "access-control-allow-origin"} & set(reply.headers)


def test_the_page_has_one_address_and_the_one_without_a_slash_leads_to_it(stranger: Web) -> None:
    page = stranger.ask("GET", "/inspector/")
    assert page.body == page_files()["index.html"].body
    led = stranger.ask("GET", "/inspector")
    assert (led.status, led.headers["location"]) == (308, "/inspector/")


def test_what_a_browser_has_already_is_not_sent_again(stranger: Web) -> None:
    first = stranger.ask("GET", "/inspector/main.js")
    again = stranger.ask("GET", "/inspector/main.js", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status, again.body, again.headers["etag"]) == (304, b"", first.headers["etag"])
    other = stranger.ask("GET", "/inspector/main.js", headers={"If-None-Match": '"another"'})
    assert (other.status, other.body) == (200, first.body)
    tags = [file.tag for file in page_files().values()]
    assert len(set(tags)) == len({file.body for file in page_files().values()})


@pytest.mark.parametrize(
    ("accepted", "is_packed"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("deflate, gzip, br", True),
        ("gzip;q=0", False),
        ("gzip; q=0.0, br", False),
        ("br", False),
        ("identity", False),
        ("", False),
        ("notgzip", False),
    ],
)
def test_a_browser_that_takes_them_gets_files_packed(stranger: Web, accepted: str, *, is_packed: bool) -> None:
    plain = page_files()["main.js"].body
    reply = stranger.ask("GET", "/inspector/main.js", headers={"Accept-Encoding": accepted})
    assert (gzip.decompress(reply.body) if is_packed else reply.body) == plain
    assert reply.headers.get("content-encoding") == ("gzip" if is_packed else None)
    assert reply.headers["vary"] == "accept-encoding"
    known = {"Accept-Encoding": accepted, "If-None-Match": reply.headers["etag"]}
    assert stranger.ask("GET", "/inspector/main.js", headers=known).status == 304


def test_a_plain_and_a_packed_file_are_not_taken_for_one_another(stranger: Web) -> None:
    packed = stranger.ask("GET", "/inspector/main.js", headers={"Accept-Encoding": "gzip"}).headers["etag"]
    assert stranger.ask("GET", "/inspector/main.js", headers={"If-None-Match": packed}).status == 200


def test_a_head_tells_the_length_and_sends_nothing(stranger: Web) -> None:
    reply = stranger.ask("HEAD", "/inspector/main.js")
    assert (reply.status, reply.body) == (200, b"")
    assert int(reply.headers["content-length"]) == len(page_files()["main.js"].body)


@pytest.mark.parametrize("verb", ["POST", "PUT", "PATCH", "DELETE"])
def test_nothing_can_be_sent_to_a_file(stranger: Web, verb: str) -> None:
    reply = stranger.ask(verb, "/inspector/")
    assert (reply.status, reply.headers["allow"]) == (405, "GET, HEAD, OPTIONS")
    assert stranger.ask("OPTIONS", "/inspector/").headers["allow"] == "GET, HEAD, OPTIONS"
    assert stranger.ask("POST", "/inspector/", {"a": 1}).status in (405, 413)


@pytest.mark.parametrize(
    "path",
    [
        "/inspector/nothing.js",
        "/inspector/views",
        "/inspector/views/",
        "/inspector/../files.py",
        "/inspector/%2e%2e/files.py",
        "/inspector/views/../../mount.py",
        "/inspector/..%2ffiles.py",
        "/inspector//main.js",
        "/inspector/main.js/",
        "/inspector/main.js%00",
        "/inspector/%00",
        "/inspector/C:%5cWindows",
        "/inspector/__init__.py",
        "/inspector/index.HTML",
        "/inspector//etc/passwd",
    ],
)
def test_nothing_else_of_the_machine_is_given(place: Endpoint, path: str) -> None:
    head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    told = raw(place, head.encode())
    assert told[9:12] in (b"400", b"401", b"404"), told
    assert b"import " not in told
    assert b"root:" not in told


def test_another_name_for_us_and_pages_of_others_get_no_file(stranger: Web) -> None:
    assert stranger.ask("GET", "/inspector/", headers={"Host": "evil.example"}).status == 421
    assert stranger.ask("GET", "/inspector/main.js", headers={"Origin": "https://evil.example"}).status == 403


def test_the_files_open_nothing_else(stranger: Web, place: Endpoint) -> None:
    assert stranger.ask("GET", "/inspectors").status == 401
    assert stranger.ask("GET", "/inspector.js").status == 401
    assert stranger.ask("POST", "/rpc", {}).status == 401
    assert Web(place, ANNA).ask("GET", "/v1/anna/profile").status == 200
