"""What must hold between settings, beyond each one's own range."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from libravdb.adapters.embedders.settings import DEFAULTS as EMBEDDING
from libravdb.adapters.summarisers.settings import DEFAULTS as SUMMARIZER
from libravdb.config.origins import DEFAULT, Origin
from libravdb.config.values import PREFIX
from libravdb.core.assembly.settings import AssemblySettings
from libravdb.core.gate.settings import GateSettings
from libravdb.core.ingest.secret_exceptions import read_allowed
from libravdb.daemon.settings import Quota, read_override
from libravdb.errors import ConfigError, InvalidInput
from libravdb.model.addresses import ENCODE, ambiguity_of, is_mistyped_address
from libravdb.model.namespaces import DEFAULT as NOBODY
from libravdb.ports.settings import DATABASES

Values = Mapping[str, Any]
Origins = Mapping[str, Origin]

SUMS = MappingProxyType({"gate": GateSettings.SUMS, "assembly": AssemblySettings.SUMS})
"""Settings that divide a whole among them, by section."""


def check_together(values: Values, origins: Origins) -> None:
    """Refuse the first thing that does not fit, by the key that somebody wrote."""
    for check in CHECKS:
        check(values, origins)


def rows_in_order(values: Values, origins: Origins) -> None:
    """The fewest rows to shortlist, and to compare exactly, are not more than the most."""
    for name in ("store.shortlist_rows", "store.rescore_rows"):
        key, other = name, f"{name}_max"
        fewest, most = values[key], values[other]
        if fewest <= most:
            continue
        problem = f"must be at most {other}: {fewest} is more than {most}"
        if origins[key] is DEFAULT:  # then it is the other one that somebody wrote
            key, other = other, key
            problem = f"must be at least {other}: {most} is less than {fewest}"
        remedy = f"Change one of the two; {other} comes from: {origins[other]}."
        raise ConfigError(key, problem, origin=str(origins[key]), remedy=remedy)


def zone_is_known(values: Values, origins: Origins) -> None:
    """The zone of a host's times is one that this machine knows."""
    key = "ingest.time_zone"
    if not values[key]:
        return
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # noqa: PLC0415 - hardly anybody sets it

    try:
        ZoneInfo(values[key])
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        remedy = "Write a name such as Europe/Vienna; where names are unknown, install the package tzdata."
        raise ConfigError(
            key, f"{values[key]!r} is no time zone that is known here", origin=str(origins[key]), remedy=remedy
        ) from error


def backend_has_what_it_needs(values: Values, origins: Origins) -> None:
    """A local model needs its path, a server its address and the name of a model."""
    for chosen, needs in NEEDS.items():
        backend = values[chosen]
        for key in needs.get(backend, ()):
            if not values[key].strip():
                variable = PREFIX + key.replace(".", "_").upper()
                raise ConfigError(
                    key,
                    f"must not be empty when {chosen} is {backend!r} ({origins[chosen]})",
                    origin=str(origins[key]),
                    remedy=f'Set {key} or {variable}, or choose {chosen} = "{USUAL_BACKENDS[chosen]}".',
                )


USUAL_BACKENDS = MappingProxyType({
    "embedding.backend": EMBEDDING.backend,
    "summarizer.backend": SUMMARIZER.backend,
})  # fmt: skip
"""Backends that need nothing."""

NEEDS = MappingProxyType({
    "embedding.backend": {
        "onnx": ("embedding.model",),
        "openai": ("embedding.endpoint", "embedding.model"),
        "ollama": ("embedding.endpoint", "embedding.model"),
    },
    "summarizer.backend": {
        "onnx": ("summarizer.model_path",),
        "openai": ("summarizer.endpoint", "summarizer.model"),
        "ollama": ("summarizer.endpoint", "summarizer.model"),
    },
})  # fmt: skip


def sums_fit(values: Values, origins: Origins) -> None:
    """Weights of a branch of the gate sum to 1, shares of a prompt to at most 1."""
    for section, each in ((section, each) for section, sums in SUMS.items() for each in sums):
        keys = [f"{section}.{name}" for name in each.names]
        fault = each.fault([values[key] for key in keys])
        if fault:
            wrong = next((key for key in keys if origins[key] is not DEFAULT), keys[0])
            others = ", ".join(f"{key} comes from: {origins[key]}" for key in keys if key != wrong)
            problem = f"{each.what} ({', '.join(keys)}) {fault}"
            raise ConfigError(wrong, problem, origin=str(origins[wrong]), remedy=f"Change one of them; {others}.")


def exceptions_are_safe(values: Values, origins: Origins) -> None:
    """What is declared to be no secret lets no real one through."""
    try:
        read_allowed(values["ingest.secret_allow"])
    except InvalidInput as error:
        key, remedy = "ingest.secret_allow", error.remedy or "Correct it, or remove it."
        raise ConfigError(key, f"{error.field} {error.problem}", origin=str(origins[key]), remedy=remedy) from error


def quotas_are_understood(values: Values, origins: Origins) -> None:
    """Every override of a quota names namespaces and limits."""
    for text in values["daemon.quota_overrides"]:
        try:
            read_override(text, Quota())
        except InvalidInput as error:
            key = "daemon.quota_overrides"
            raise ConfigError(key, error.problem, origin=str(origins[key]), remedy=error.remedy) from error


def user_has_a_name(values: Values, origins: Origins) -> None:
    """The fallback namespace has a name."""
    if not values["memory.user"].strip():
        remedy = f'Name one, or remove it to use the default "{NOBODY}".'
        origin = str(origins["memory.user"])
        raise ConfigError("memory.user", "must not be empty", origin=origin, remedy=remedy)


def retention_makes_sense(values: Values, origins: Origins) -> None:
    """Every rule of retention can be read, and can come to count."""
    key = "retention.rules"
    if not values[key]:
        return
    from libravdb.core.retention.rules import read_retention  # noqa: PLC0415 - a command of a daemon need not load it

    try:
        read_retention(values[key])
    except InvalidInput as error:
        problem = f"{error.field} {error.problem}"
        raise ConfigError(key, problem, origin=str(origins[key]), remedy=error.remedy) from error


def database_is_known(values: Values, origins: Origins) -> None:
    """A store that is no file is in PostgreSQL."""
    key = "store.url"
    if values[key] and not values[key].startswith(DATABASES):
        remedy = (
            "Write postgresql://user@host:5432/database, its beginning in small letters, or leave it empty: memory is"
            " in the file store.path then."
        )
        raise ConfigError(key, "is not the address of a PostgreSQL database", origin=str(origins[key]), remedy=remedy)
    if problem := ambiguity_of(values[key]):
        raise ConfigError(key, problem, origin=str(origins[key]), remedy=ENCODE)


def file_is_no_address(values: Values, origins: Origins) -> None:
    """What should be the path of the store is no mistyped address, whose password would be the name of a file."""
    key = "store.path"
    if is_mistyped_address(str(values[key])):
        problem = "reads like the address of a database, and is no path of a file"
        remedy = "Write postgresql://user@host:5432/database; a file that is really named so by its whole path."
        raise ConfigError(key, problem, origin=str(origins[key]), remedy=remedy)


CHECKS = (
    rows_in_order,
    database_is_known,
    file_is_no_address,
    zone_is_known,
    backend_has_what_it_needs,
    user_has_a_name,
    sums_fit,
    exceptions_are_safe,
    retention_makes_sense,
    quotas_are_understood,
)
