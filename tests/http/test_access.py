"""Who is let in over HTTP: by token, by the name that a request uses for us, and by the page that it comes from."""

from __future__ import annotations

import json
import logging
import shutil
import ssl
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from tests.http.conftest import HASTY
from tests.http.web import ADMIN, ANNA, BEN, Web, raw, registry
from tests.served import Served

from libravdb.client.client import Client
from libravdb.client.http_transport import HttpTransport
from libravdb.client.remote_engine import RemoteEngine
from libravdb.daemon.audit import AuditFile
from libravdb.daemon.http_listener import open_listener
from libravdb.daemon.server import Limits
from libravdb.daemon.settings import DaemonSettings
from libravdb.errors import DaemonError, ExtraMissing
from libravdb.http.door import HttpMount
from libravdb.http.options import HttpOptions, is_served, served_hosts
from libravdb.http.server import listen_http, tls_context
from libravdb.wire.endpoint import Endpoint

PATHS = [
    ("POST", "/rpc"),
    ("GET", "/metrics"),
    ("GET", "/v1/anna/profile"),
    ("POST", "/v1/anna/search"),
    ("GET", "/v1"),
]


# ── tokens ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("verb", "path"), PATHS)
def test_without_a_token_nothing_is_done_and_the_way_to_one_is_told(nobody: Web, verb: str, path: str) -> None:
    for headers in (
        {},
        {"Authorization": "Basic YTpi"},
        {"Authorization": "Bearer"},
        {"Authorization": f"Bearer{ADMIN}"},
    ):
        reply = nobody.ask(verb, path, headers=headers)
        assert (reply.status, reply.kind) == (401, "Unauthenticated")
        assert "libravdb token create" in reply.json["error"]["remedy"]
        assert reply.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(("verb", "path"), PATHS)
def test_a_wrong_token_is_refused(address: Endpoint, verb: str, path: str) -> None:
    for token in ("guess", ADMIN + "x", ADMIN[:-1], "\xff\xfe", ADMIN.upper()):
        assert Web(address, token).ask(verb, path).status == 401


def test_answers_to_wrong_tokens_wait_and_are_logged_without_the_token(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    served = Served(tmp_path, tokens=registry())
    place = served.listen_http(HASTY, limits=Limits(first_delay_seconds=0.2, most_delay_seconds=0.4))
    waited = []
    with caplog.at_level(logging.WARNING, "libravdb.daemon"):
        for _ in range(3):
            began = time.monotonic()
            assert Web(place, "lvdb_guess").ask("GET", "/v1/anna/profile").status == 401
            waited.append(time.monotonic() - began)
    assert waited[0] >= 0.2
    assert min(waited[1:]) >= 0.4
    assert [record.message for record in caplog.records] == ["wrong token"] * 3
    assert "lvdb_guess" not in caplog.text
    assert Web(place, ANNA).ask("GET", "/v1/anna/profile").status == 200
    served.close()


def test_a_wrong_token_in_authenticate_is_held_off_too(anna: Web, house: Served) -> None:
    before = dict(house.http_calls._strangers._failures)
    reply = anna.rpc("authenticate", token="guess")  # noqa: S106 - wrong on purpose
    assert "not the right one" in reply["error"]["message"]
    assert house.http_calls._strangers._failures != before
    assert anna.rpc("profile_show", namespace="anna")["result"]


def test_the_numbers_are_for_who_has_all_namespaces(anna: Web, watch: Web, admin: Web) -> None:
    assert (anna.ask("GET", "/metrics").status, anna.ask("GET", "/metrics").kind) == (403, "Forbidden")
    assert watch.ask("GET", "/metrics").status == admin.ask("GET", "/metrics").status == 200


def test_methods_that_name_files_are_refused(admin: Web) -> None:
    reply = admin.rpc("export_file", path="/etc/anything")
    assert "unix sockets only" in reply["error"]["message"]


# ── names and pages ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "", "[::2]", "a b"]
)
def test_another_name_for_us_is_refused(anna: Web, host: str) -> None:
    for path in ("/health", "/v1/anna/profile", "/openapi.json"):
        reply = anna.ask("GET", path, headers={"Host": host})
        assert (reply.status, reply.kind) == (421, "MisdirectedRequest")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8420", "127.0.0.1:1", "[::1]:9"])
def test_our_own_names_are_served_whatever_the_port(anna: Web, host: str) -> None:
    assert anna.ask("GET", "/health", headers={"Host": host}).status == 200


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://localhost:1", "https://127.0.0.1", "file://"]
)
def test_a_page_of_somebody_else_is_refused(anna: Web, origin: str) -> None:
    reply = anna.ask("POST", "/v1/anna/search", {"question": "safe"}, headers={"Origin": origin})
    assert (reply.status, reply.kind) == (403, "ForeignOrigin")
    assert not any(name.startswith("access-control") for name in reply.headers)
    assert anna.ask("OPTIONS", "/rpc", headers={"Origin": origin}).status == 403


def test_a_page_of_our_own_and_a_configured_one_may_ask(anna: Web, address: Endpoint) -> None:
    own = {"Origin": f"http://127.0.0.1:{address.port}"}
    reply = anna.ask("POST", "/v1/anna/search", {"question": "safe"}, headers=own)
    assert reply.status == 200
    assert "access-control-allow-origin" not in reply.headers
    told = {"Origin": "https://console.example"}
    for verb in ("OPTIONS", "POST"):
        reply = anna.ask(verb, "/v1/anna/search", {"question": "safe"}, headers=told)
        assert reply.headers["access-control-allow-origin"] == "https://console.example"
        assert "access-control-allow-credentials" not in reply.headers


def test_every_answer_is_safe_in_a_browser_and_sets_no_cookie(anna: Web) -> None:
    for path in ("/health", "/v1/anna/profile", "/nothing", "/openapi.json"):
        headers = anna.ask("GET", path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert not {"set-cookie", "server", "access-control-allow-origin"} & set(headers)
        assert headers["date"].endswith("GMT")


def test_an_address_behind_a_proxy_is_believed_only_of_a_known_one(tmp_path: Path) -> None:
    log = tmp_path / "audit"
    served = Served(tmp_path, tokens=registry(), audit=AuditFile(log))
    plain, proxied = served.listen_http(HASTY), served.listen_http(HttpOptions(proxies=("127.0.0.1", "10.0.0.7")))
    told = {"X-Forwarded-For": "1.1.1.1, 203.0.113.9, 10.0.0.7"}
    for place in (plain, proxied):
        Web(place, ANNA).ask("GET", "/v1/anna/profile", headers=told)
    served.close()
    assert [json.loads(line)["address"] for line in log.read_text().splitlines()] == ["127.0.0.1", "203.0.113.9"]


@pytest.mark.parametrize(
    ("bound", "further", "host", "is_ours"),
    [
        ("127.0.0.1", (), "localhost:8420", True),
        ("127.0.0.1", (), "memory.example", False),
        ("127.0.0.1", ("memory.example",), "Memory.example:443", True),
        ("127.0.0.1", ("*.example",), "a.example", True),
        ("127.0.0.1", ("*.example",), "example", False),
        ("192.0.2.7", (), "192.0.2.7:8420", True),
        ("192.0.2.7", (), "localhost", False),
        ("2001:db8::7", (), "[2001:db8::7]:8420", True),
        ("0.0.0.0", (), "192.0.2.7", False),  # noqa: S104 - a name
        ("0.0.0.0", (), "127.0.0.1", True),  # noqa: S104 - a name
    ],
)
def test_the_names_that_are_served(bound: str, further: tuple[str, ...], host: str, *, is_ours: bool) -> None:
    assert is_served(host, served_hosts(bound, further)) is is_ours


# ── listening ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("place", "has_token", "is_private", "told"),
    [
        ("127.0.0.1:0", False, False, "libravdb token create"),
        ("0.0.0.0:0", True, False, "daemon.tls_cert"),
        ("nonsense", True, True, "host:port"),
        ("127.0.0.1:99999", True, True, "host:port"),
        ("", True, True, "host:port"),
    ],
)
def test_what_would_be_unsafe_is_not_opened(place: str, told: str, *, has_token: bool, is_private: bool) -> None:
    with pytest.raises(DaemonError) as refused:
        listen_http(place, has_token=has_token, is_private=is_private)
    assert told in refused.value.remedy


@pytest.mark.parametrize("name", ["starlette", "uvicorn", "h11"])
def test_without_the_extra_the_error_names_it_and_nothing_is_needed_while_http_is_off(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    settings = DaemonSettings(http="127.0.0.1:0")
    with pytest.raises(ExtraMissing) as refused, open_listener(settings, registry()):
        pass
    assert "pip install 'libravdb-memory[http]'" in refused.value.remedy
    with open_listener(DaemonSettings(), registry()) as listener:
        assert listener is None


def test_a_configured_listener_tells_its_address() -> None:
    for place, url in (("127.0.0.1:0", "http://127.0.0.1:"), ("[::1]:0", "http://[::1]:")):
        with open_listener(DaemonSettings(http=place), registry()) as listener:
            assert listener is not None
            assert listener.url.startswith(url)


def test_a_certificate_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cert.pem").write_text("no certificate")
    for name in ("cert.pem", "missing.pem"):
        with pytest.raises(DaemonError, match=r"cannot be used") as refused:
            tls_context(str(tmp_path / name), "")
        assert "daemon.tls_key" in refused.value.remedy
    with pytest.raises(DaemonError, match="no certificate beside it"):
        tls_context("", str(tmp_path / "key.pem"))
    assert tls_context("", "") is None


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes the certificate")
def test_over_tls_the_certificate_is_checked_and_plain_requests_get_nothing(tmp_path: Path) -> None:
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    made = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost"
    subprocess.run(
        [*made.split(), "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(cert)],
        check=True,
        capture_output=True,
    )
    served = Served(tmp_path, tokens=registry())
    place = served.listen_http(HASTY, tls=tls_context(str(cert), str(key)))
    trusting = HttpTransport(
        f"https://127.0.0.1:{place.port}", token=ANNA, tls=ssl.create_default_context(cafile=str(cert))
    )
    for _ in range(2):
        with RemoteEngine(Client(trusting)) as engine:
            assert engine.search("boat", namespace="anna").hits == ()
    wary = Client(HttpTransport(f"https://127.0.0.1:{place.port}", token=ANNA, pauses=()))
    with RemoteEngine(wary) as stranger, pytest.raises(DaemonError, match="certificate verify failed"):
        stranger.status()
    assert b"HTTP" not in raw(place, b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
    served.close()


# ── rooms beside ours ─────────────────────────────────────────────────────────────────────────────────────


def test_a_mount_stands_behind_the_same_checks_and_knows_who_asks(tmp_path: Path) -> None:
    seen: list[str] = []

    @asynccontextmanager
    async def lifespan() -> AsyncIterator[None]:
        seen.append("open")
        yield
        seen.append("closed")

    async def hello(request: Request) -> PlainTextResponse:
        caller = request.scope["state"].get("caller")
        return PlainTextResponse(f"{caller.name if caller else 'nobody'} {await request.body()!r}")

    async def broken(request: Request) -> PlainTextResponse:
        raise ValueError(request.url.path)

    app = Starlette(routes=[Route("/", hello, methods=["POST", "GET"]), Route("/x/y", hello), Route("/broken", broken)])
    mounts = (HttpMount(path="/mcp", app=app, lifespan=lifespan), HttpMount(path="/ui", app=app, is_open=True))
    served = Served(tmp_path, tokens=registry())
    place = served.listen_http(HASTY, mounts=mounts)
    anna, nobody = Web(place, ANNA), Web(place)
    assert anna.ask("POST", "/mcp/", {"a": 1}).body == b"anna's laptop b'{\"a\": 1}'"
    assert anna.ask("GET", "/mcp/x/y").status == 200
    assert nobody.ask("GET", "/mcp/").status == 401
    assert nobody.ask("GET", "/ui/x/y").body == b"nobody b''"
    assert nobody.ask("GET", "/ui/", headers={"Host": "evil.example"}).status == 421
    assert anna.ask("GET", "/mcpx").status == 404
    assert anna.ask("GET", "/mcp/broken").status == 500
    assert anna.ask("GET", "/mcp/").status == 200
    served.close()
    assert seen == ["open", "closed"]


# ── tenants ───────────────────────────────────────────────────────────────────────────────────────────────


def test_pipelined_requests_of_one_connection_are_answered_in_order(address: Endpoint, anna: Web) -> None:
    anna.post("/v1/anna/memories", {"text": "Pipelines are painted green"})
    one = f"GET /v1/%s/export HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {ANNA}\r\n%s\r\n"
    data = "".join(one % (name, "") for name in ("anna", "ben", "anna")) + one % ("ben", "Connection: close\r\n")
    answers = raw(address, data.encode()).split(b"HTTP/1.1 ")[1:]
    assert [answer[:3] for answer in answers] == [b"200", b"403", b"200", b"403"]
    assert [b"painted green" in answer for answer in answers] == [True, False, True, False]


def test_tokens_of_one_connection_are_looked_at_one_by_one(address: Endpoint) -> None:
    web = Web(address)
    for token, status in ((ANNA, 200), (BEN, 403), ("guess", 401), (ANNA, 200), ("", 401)):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        assert web.ask("GET", "/v1/anna/profile", headers=headers).status == status
