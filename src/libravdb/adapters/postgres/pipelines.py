"""Statements that travel to the server together, and leave it watching its clock.

A pipeline of psycopg ends with Sync and then Flush. The server begins to count the time that a transaction is left
alone when it has answered Sync, and stops counting when anything else arrives, so after a Flush it counts no more:
whoever stands still in a transaction would keep its locks for ever. So ours end with Sync alone, which has the server
send all of its answers too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from psycopg import Pipeline
from psycopg.abc import PQGen
from psycopg.generators import send

from libravdb.adapters.postgres.schema import Db


@contextmanager
def together(db: Db) -> Iterator[None]:
    """A block whose statements are sent to the server together; all answers are there at its end."""
    with db.pipeline() as pipeline:
        pipeline._exit_gen = partial(_end, pipeline)  # type: ignore[method-assign]  # noqa: SLF001 - the one place where psycopg writes that Flush
        yield


def _end(pipeline: Pipeline) -> PQGen[None]:
    """As psycopg does it, without the Flush. What is not sent yet is sent before an answer is waited for."""
    try:
        pipeline._enqueue_sync()  # noqa: SLF001
        yield from pipeline._communicate_gen()  # noqa: SLF001
    finally:
        yield from send(pipeline.pgconn)
        yield from pipeline._fetch_gen(flush=False)  # noqa: SLF001
