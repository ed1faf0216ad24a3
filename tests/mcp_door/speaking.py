"""A server over a real engine, and the SDK's own client to speak with it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from mcp import Client
from mcp_types import CallToolResult, TextContent, TextResourceContents
from tests.served import Served

from libravdb.client.client import Client as DaemonClient
from libravdb.client.remote_engine import RemoteEngine
from libravdb.client.transport import InProcessTransport
from libravdb.daemon.dispatch import Connection
from libravdb.mcp.caller import MemoryCaller, OpenEngine

Answer = TypeVar("Answer")


def engines(served: Served, connection: Connection | None = None) -> OpenEngine:
    """Lends engines behind the dispatcher, which holds them to the rights of a connection."""

    @contextmanager
    def engine() -> Iterator[RemoteEngine]:
        rights = connection or Connection()
        with RemoteEngine(DaemonClient(InProcessTransport(lambda line: served.dispatcher.reply(line, rights)))) as lent:
            yield lent

    return engine


def caller(served: Served, namespace: str) -> MemoryCaller:
    """Somebody who was let in by whoever started the server."""
    return MemoryCaller(namespace=namespace, engine=engines(served))


def speak(client: Client, talk: Callable[[Client], Awaitable[Answer]]) -> Answer:
    """What came of a talk with a server."""

    async def run() -> Answer:
        async with client as connected:
            return await talk(connected)

    return asyncio.run(run())


def text_of(result: CallToolResult) -> str:
    """What a tool said; a failure fails the test."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert not result.is_error, content.text
    return content.text


def error_of(result: CallToolResult) -> str:
    """Why a tool refused."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert result.is_error, content.text
    return content.text


async def call(client: Client, tool: str, **arguments: Any) -> str:
    """What a tool says."""
    return text_of(await client.call_tool(tool, arguments))


async def refusal(client: Client, tool: str, **arguments: Any) -> str:
    """Why a tool refuses."""
    return error_of(await client.call_tool(tool, arguments))


async def resource(client: Client, uri: str) -> str:
    """What a resource holds."""
    (content,) = (await client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    return content.text
