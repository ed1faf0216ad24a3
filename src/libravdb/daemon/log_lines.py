"""What the daemon writes down about itself: one JSON object a line, and no secret in any of them, at any level."""

from __future__ import annotations

import json
import logging
import time
import traceback
from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import unquote

from libravdb.config.schema import settings
from libravdb.engine.masking import mask_told, secrets_told
from libravdb.model.addresses import passwords_in

HIDDEN = "[hidden]"
_KNOWN_FIELDS = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, event, and what belongs to it. `hidden` are texts that never appear."""

    def __init__(self, hidden: Collection[str] = ()) -> None:
        super().__init__()
        self._hidden = frozenset(text for text in hidden if text)

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        entry |= {key.rstrip("_"): value for key, value in vars(record).items() if key not in _KNOWN_FIELDS}
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        plain = json.loads(json.dumps(entry, default=str))
        return hide(json.dumps(mask_told(plain), ensure_ascii=False), self._hidden)


def hide(text: str, secrets: Collection[str]) -> str:
    """A text without these, as they are and as JSON or Python would write them."""
    for secret in sorted(secrets, key=len, reverse=True):
        for written in (
            secret,
            json.dumps(secret)[1:-1],
            json.dumps(secret, ensure_ascii=False)[1:-1],
            repr(secret)[1:-1],
        ):
            text = text.replace(written, HIDDEN)
    return text


def loggable(request: Mapping[str, Any]) -> dict[str, Any]:
    """A request without its secrets. Of who shows a token nothing is told: a wrong one may be nearly right."""
    if request.get("method") == "authenticate":
        return {key: value for key, value in request.items() if key != "params"}
    return mask_told(request)


def trace(error: BaseException, told: object) -> str:
    """The traceback of an error, without what the request told in confidence: an error may quote it bare."""
    try:
        asked = json.dumps(told, ensure_ascii=False, default=str)
    except RecursionError:
        asked = ""
    lines = "".join(traceback.format_exception(error))
    return hide(lines, {secret for secret in (*secrets_told(asked), *secrets_told(told)) if len(secret) >= 4})


def hidden_settings(config: object) -> set[str]:
    """The values of all settings that are secrets, and the passwords in addresses."""
    values = [(each, getattr(getattr(config, each.section), each.name, "")) for each in settings()]
    secrets = {value for each, value in values if each.secret and isinstance(value, str)}
    return secrets | {
        password
        for each, value in values
        if each.address and isinstance(value, str)
        for written in passwords_in(value)
        for password in (written, unquote(written))
    }
