"""What every command shares: the configuration, the output, and the engine, opened when first used."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from pathlib import Path
from time import time_ns
from typing import TYPE_CHECKING, NoReturn

import click

from libravdb.app import connect_to, use_store
from libravdb.cli.missing_store import refuse_missing
from libravdb.cli.output import Output
from libravdb.model import Condition, Json, Operator, Where
from libravdb.model.addresses import without_password
from libravdb.model.collections import durable_memory
from libravdb.model.namespaces import named, resolve_namespace
from libravdb.ports.settings import is_database

if TYPE_CHECKING:
    from libravdb.config import Loaded
    from libravdb.ports.engine_api import EngineApi
    from libravdb.ports.settings import StoreSettings

CREATING = ("remember", "ingest", "chat", "import", "authored add", "authored watch", "demo")
"""The commands that make a store where there is none. Every other one only uses a store that is there."""


class CommandContext:
    """One run of the command."""

    def __init__(
        self,
        *,
        environ: Mapping[str, str],
        config_file: Path | None,
        store: str | None,
        is_json: bool,
        namespace: str | None = None,
        endpoint: str | None = None,
    ) -> None:
        self.environ = environ
        self._config_file = config_file
        self._store = store
        self._namespace = namespace
        self._endpoint = endpoint
        self.output = Output(is_json=is_json)

    @cached_property
    def loaded(self) -> Loaded:
        """The configuration with the origin of every value."""
        from libravdb.config import load  # noqa: PLC0415 - help need not load it

        return load(file=self._config_file, environ=self.environ, arguments=_named(self._store))

    def store_at(self, place: str) -> StoreSettings:
        """The settings of another store, a file or a database, checked as those of the configured one are."""
        from libravdb.config import load  # noqa: PLC0415 - help need not load it

        return load(file=self._config_file, environ=self.environ, arguments=_named(place)).config.store

    @property
    def place(self) -> str:
        """Where the memory is: the daemon's address that was named, else the store's file or database."""
        return without_password(self._endpoint) if self._endpoint else self.loaded.config.store.place

    @property
    def endpoint(self) -> str | None:
        """The daemon's address that was named with --endpoint."""
        return self._endpoint

    @property
    def named_file(self) -> Path | None:
        """The store that was named with --store, where it has to be a file."""
        if self._store is not None and is_database(self._store):
            raise click.UsageError(
                "A host's file is no place for the address of a database. Set store.url in the configuration file, or"
                " LIBRAVDB_STORE_URL where the daemon is started, and leave --store out."
            )
        return None if self._store is None else Path(self._store)

    @contextmanager
    def engine(self) -> Iterator[EngineApi]:
        """The engine over the configured store: the daemon's when one holds the store, else one of our own. With an
        endpoint, that of the daemon there."""
        if self._endpoint is not None:
            with connect_to(self._endpoint, token=self.loaded.config.daemon.token) as remote:
                yield remote
            return
        _, _, command = click.get_current_context().command_path.partition(" ")
        if command not in CREATING:
            refuse_missing(self.loaded.config.store, creating=CREATING)
        with use_store(self.loaded.config) as engine:
            yield engine

    def collection(self, *, user: str | None, collection: str | None) -> str:
        """Where a command works: a named collection, else the durable memory of a user."""
        if user is not None and collection is not None:
            raise click.UsageError("Give --user or --collection, not both.")
        return collection if collection is not None else self.user_collection(user)

    def namespace(self, user: str | None) -> str:
        """The namespace or the user named, else the configured user."""
        if self._namespace is not None:
            if user is not None:
                raise click.UsageError("Give --namespace or --user, not both.")
            return named(self._namespace)
        if user is not None and not user.strip():
            raise click.UsageError("--user is empty. Name a user, or leave the option out.")
        return resolve_namespace(user=self.loaded.config.memory.user if user is None else user)

    def told_namespace(self, user: str | None) -> str:
        """The namespace or the user named; empty when nobody is."""
        return "" if user is None and self._namespace is None else self.namespace(user)

    def user_collection(self, user: str | None) -> str:
        """The durable memory of a user, else of the configured one."""
        return durable_memory(self.namespace(user))


def _named(store: str | None) -> dict[str, object]:
    """The setting of a store that is named by its file or by the address of its database."""
    return {} if store is None else {"store.url" if is_database(store) else "store.path": store}


# ── values of options ─────────────────────────────────────────────────────────────────────────────────────


def moment(value: str) -> int:
    """A date or time as ISO 8601 writes it; without a zone it is the machine's."""
    try:
        return int(datetime.fromisoformat(value).astimezone().timestamp() * 1000)
    except (ValueError, OverflowError, OSError) as error:
        raise click.BadParameter(f"{value!r} is not a date or time such as 2026-10-31 or 2026-10-31T14:00.") from error


def moment_to_come(value: str) -> int:
    """A moment ahead: a date or time as ISO 8601 writes it, or so long from now."""
    from libravdb.text.durations import DURATIONS, read_moment  # noqa: PLC0415

    now = time_ns() // 1_000_000
    found = read_moment(value, now=now)
    if found is None:
        raise click.BadParameter(f"{value!r} is neither a date such as 2026-12-01 nor a span such as {DURATIONS}.")
    if found <= now:
        raise click.BadParameter(f"{value!r} lies in the past.")
    return found


def pair(value: str) -> tuple[str, Json]:
    """key=value; a value that is JSON (a number, true, null, "…") counts as such, anything else as text."""
    key, equals, written = value.partition("=")
    if not equals or not key:
        raise click.BadParameter(f"{value!r} is not of the form key=value.")
    return key, _json_or_text(written)


def comparison(value: str) -> Condition:
    """A condition as an option writes it: key=value, key!=value, key>=3, key<2026-12-01, key? for one that is there."""
    bare = value.removeprefix("!").removesuffix("?")
    if value.endswith("?") and bare and not _SIGN.search(bare):
        return Condition(bare, Operator.EXISTS, not value.startswith("!"))
    found = _SIGN.search(value)
    if found is None or not found.start():
        raise click.BadParameter(f"{value!r} is not of the form key=value. {FORMS}")
    return Condition(value[: found.start()], _SIGNS[found[0]], _json_or_text(value[found.end() :]))


_SIGNS = {
    "=": Operator.EQ,
    "!=": Operator.NE,
    ">": Operator.GT,
    ">=": Operator.GTE,
    "<": Operator.LT,
    "<=": Operator.LTE,
}
_SIGN = re.compile(r"[!<>]=|[=<>]")

FORMS = "Compare with =, !=, >, >=, < and <= (quoted: --where 'priority>=3'); 'key?' is there, '!key?' is not."
"""How conditions are written, for whoever wrote something else."""


def _json_or_text(written: str) -> Json:
    try:
        value: Json = json.loads(written, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError):
        return written
    return value


def _refuse(name: str) -> NoReturn:
    """NaN and the infinities are not JSON: they count as text."""
    raise ValueError(name)


def _finite(written: str) -> float:
    value = float(written)
    if math.isinf(value):
        _refuse(written)
    return value


def where(comparisons: Sequence[Condition], since: int | None, until: int | None) -> Where:
    """A filter from options; several values that one key may equal mean any of them, all else must hold together."""
    metadata: dict[str, tuple[Json, ...]] = {}
    for one in comparisons:
        if one.operator is Operator.EQ:
            metadata[one.key] = (*metadata.get(one.key, ()), one.value)
    others = tuple(one for one in comparisons if one.operator is not Operator.EQ)
    return Where(metadata=metadata, conditions=others, since=since, until=until)
