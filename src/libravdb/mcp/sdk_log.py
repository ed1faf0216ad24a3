"""What the SDK would log, in a line of ours: it quotes what clients send, in messages and in tracebacks."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path

logger = logging.getLogger("libravdb.mcp")


def mute_sdk() -> None:
    """Let the SDK's loggers say that something failed, and nothing of what was asked."""
    log = logging.getLogger("mcp")
    log.setLevel(logging.WARNING)  # what it tells below that is told by answers
    log.propagate = False
    if not any(isinstance(each, ContentlessLines) for each in log.handlers):
        log.addHandler(ContentlessLines())


class ContentlessLines(logging.Handler):
    """Tells which part failed, by which kind of error and where, without a word of its message."""

    def emit(self, record: logging.LogRecord) -> None:
        error = _cause(record.exc_info[1] if record.exc_info else None)
        told = {"part": record.name, "kind": "" if error is None else type(error).__name__, "where": _place(error)}
        logger.log(record.levelno, "mcp failed", extra=told)


def _cause(error: BaseException | None) -> BaseException | None:
    """The error that began it."""
    while error is not None and error.__cause__ is not None:
        error = error.__cause__
    return error


def _place(error: BaseException | None) -> str:
    frames = traceback.extract_tb(error.__traceback__) if error is not None else []
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
