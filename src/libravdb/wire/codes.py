"""The codes of errors on the wire: the class of an error gives its code."""

from __future__ import annotations

from libravdb import errors

INVALID_REQUEST = -32600
UNKNOWN_METHOD = -32601
CRASHED = -32603
UNAUTHENTICATED = -32001
RESTART = "After an upgrade restart the daemon; 'libravdb service install' does it for an installed one."
"""What helps when daemon and client are of different versions."""
CODES: tuple[tuple[type[errors.LibraError], int], ...] = (
    (errors.InvalidInput, -32602),
    (errors.Forbidden, -32003),
    (errors.TooManyCalls, -32012),
    (errors.QuotaExceeded, -32011),
    (errors.NotFound, -32004),
    (errors.AssemblyBroken, -32006),
    (errors.DocumentTooHard, -32005),
    (errors.Conflict, -32009),
    (errors.ConfigError, -32010),
    (errors.StoreFull, -32021),
    (errors.StoreUnwritable, -32022),
    (errors.StoreCorrupt, -32023),
    (errors.StoreTooNew, -32024),
    (errors.StoreBusy, -32025),
    (errors.StoreClosed, -32026),
    (errors.StoreReplaced, -32027),
    (errors.StoreForked, -32028),
    (errors.StoreError, -32020),
    (errors.SpaceMismatch, -32031),
    (errors.EmbedderError, -32030),
    (errors.SummariserError, -32032),
    (errors.DaemonError, -32040),
    (errors.LibraError, -32000),
)
"""The first class that fits gives the code."""


def code_of(error: errors.LibraError) -> int:
    """The code of an error on the wire."""
    return next(code for cls, code in CODES if isinstance(error, cls))
