"""The files of the page, read once and served as they are, with headers that let nothing else run beside them."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.types import Receive, Scope, Send

PATH = "/inspector"
MEDIA = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
"""Only our own files are loaded, nothing inline runs, and no text can become markup: browsers that know trusted types
refuse every way to do that."""

HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-cache",
    "vary": "accept-encoding",
}
_TAKES_PACKED = re.compile(r"(?:^|,)\s*gzip\s*(?:$|,|;\s*q=(?!0(?:\.0*)?\s*(?:$|,)))", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFile:
    """A file as it is sent, plain or packed; `tag` changes with its bytes."""

    body: bytes
    packed: bytes
    media: str
    tag: str
    packed_tag: str


@cache
def page_files() -> Mapping[str, PageFile]:
    """Every file of the page by its path below the page."""
    return dict(_found(files("libravdb.inspector") / "page", ""))


def _found(folder: Traversable, path: str) -> list[tuple[str, PageFile]]:
    found: list[tuple[str, PageFile]] = []
    for each in sorted(folder.iterdir(), key=lambda one: one.name):
        if each.is_dir():
            found += _found(each, f"{path}{each.name}/")
        elif (media := MEDIA.get(each.name.rpartition(".")[2])) is not None:
            body = each.read_bytes()
            found.append((f"{path}{each.name}", _page_file(body, media)))
    return found


def _page_file(body: bytes, media: str) -> PageFile:
    digest = sha256(body).hexdigest()[:32]
    packed = gzip.compress(body, 9, mtime=0)
    return PageFile(body=body, packed=packed, media=media, tag=f'"{digest}"', packed_tag=f'"{digest}-gzip"')


async def serve_page(scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG001 - nothing is sent to a file
    """The ASGI application of the page."""
    path = scope["path"].removeprefix(PATH)
    if scope["method"] not in ("GET", "HEAD"):
        await _send(send, 405, b"", {"allow": "GET, HEAD, OPTIONS"})
    elif path == "":  # so that the page finds what lies beside it
        await _send(send, 308, b"", {"location": f"{PATH}/"})
    elif (file := page_files().get(path.removeprefix("/") or "index.html")) is None:
        await _send(send, 404, b"There is no such file.\n", {"content-type": "text/plain; charset=utf-8"})
    else:
        await _give(file, scope, send)


async def _give(file: PageFile, scope: Scope, send: Send) -> None:
    """A file whose bytes the browser may have, or may take packed."""
    is_packed = _TAKES_PACKED.search(_header(scope, b"accept-encoding")) is not None
    body, tag = (file.packed, file.packed_tag) if is_packed else (file.body, file.tag)
    if _header(scope, b"if-none-match") == tag:
        await _send(send, 304, b"", {"etag": tag})
        return
    told = {"content-type": file.media, "content-length": str(len(body)), "etag": tag}
    if is_packed:
        told["content-encoding"] = "gzip"
    await _send(send, 200, body if scope["method"] == "GET" else b"", told)


def _header(scope: Scope, asked: bytes) -> str:
    return next((value.decode("latin-1") for name, value in scope["headers"] if name == asked), "")


async def _send(send: Send, status: int, body: bytes, told: Mapping[str, str]) -> None:
    length = {} if status == 304 or "content-length" in told else {"content-length": str(len(body))}
    headers = [(name.encode(), value.encode()) for name, value in {**HEADERS, **length, **told}.items()]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
