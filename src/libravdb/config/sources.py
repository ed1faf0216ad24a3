"""Where values come from: arguments, the environment, the file, a host's JSON.

This is the only reader of the configuration file and the environment, and it gets the environment as a parameter.
Whatever is written but not understood is refused by name; nothing is guessed and nothing is skipped in silence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from libravdb.config.checks import check_together
from libravdb.config.origins import DEFAULT, Origin, ValueOrigin
from libravdb.config.schema import Config, known, nearest, nearest_key, sections, settings, snake, unknown
from libravdb.config.values import PREFIX, Kind, Setting, checked, kind_of, meaning_of
from libravdb.errors import ConfigError
from libravdb.model.settings import NOTHING

FILE_VARIABLE = "LIBRAVDB_CONFIG"
USUAL_FILE = Path("~/.clawdb/config.toml")
THE_FILE = "configuration file"

PATHS_OF_ONNX = MappingProxyType({
    "embedding.backend": ("embedding.model", "embedding.tokenizer"),
    "summarizer.backend": ("summarizer.model_path", "summarizer.tokenizer"),
})  # fmt: skip
"""Texts that are paths when this backend is onnx."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenValue:
    """A checked value that somebody wrote, with its origin; relative paths start at `folder`."""

    value: object = field(repr=False)  # it may be a secret
    origin: Origin
    folder: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The configuration in force, the origin of each value by dotted key, and the file that was read."""

    config: Config
    origins: Mapping[str, Origin]
    file: Path | None


def load(*, environ: Mapping[str, str], file: Path | None = None, arguments: Mapping[str, object] = NOTHING) -> Loaded:
    """Read every source and settle each setting: argument, environment, file, default.

    `environ` is usually `os.environ`; its HOME stands for `~`. The file is `file`, else the one named by
    LIBRAVDB_CONFIG, else `~/.clawdb/config.toml` if it exists. `arguments` maps dotted keys to values; None
    means not given, and `from_host` makes such a mapping. A value is checked even when another one wins.
    """
    environ = {name: value for name, value in environ.items() if value != ""}
    home = environ.get("HOME") or environ.get("USERPROFILE")
    _refuse_unknown_variables(environ)
    path, from_file = _layer_of_file(file, environ=environ, home=home)
    layers = (from_file, _layer_of_environment(environ), _layer_of_arguments(arguments))
    written = _without_other_store({key: each for layer in layers for key, each in layer.items()}, layers)
    origins = {each.key: DEFAULT for each in settings()} | {key: each.origin for key, each in written.items()}
    return Loaded(
        config=_settle(written, origins=origins, home=home),
        origins=MappingProxyType(origins),
        file=path,
    )


def from_host(mapping: Mapping[str, object], origin: str) -> dict[str, WrittenValue]:
    """Read the JSON object of a host, to be given to `load` as arguments; `origin` names the host.

    Keys are nested (`{"store": {"vectorCacheMb": 64}}`) or flat (`{"storeVectorCacheMb": 64}`), in camelCase
    or snake_case.
    """
    return _gather(_found_in(mapping, Origin(source=ValueOrigin.HOST, place=origin), is_host=True))


def _without_other_store(
    written: Mapping[str, WrittenValue], layers: Iterable[Mapping[str, WrittenValue]]
) -> dict[str, WrittenValue]:
    """What was written, without a database where somebody closer named a file: one names one store."""
    last = next((layer for layer in reversed(tuple(layers)) if layer.keys() & {"store.path", "store.url"}), {})
    is_file = "store.path" in last and "store.url" not in last
    return {key: each for key, each in written.items() if not (is_file and key == "store.url")}


def _settle(written: Mapping[str, WrittenValue], *, origins: Mapping[str, Origin], home: str | None) -> Config:
    values = {each.key: each.default for each in settings()}
    values |= {key: each.value for key, each in written.items()}
    check_together(values, origins)
    paths = [each.key for each in settings() if each.kind is Kind.PATH]
    paths += [
        key for backend, keys in PATHS_OF_ONNX.items() if values[backend] == "onnx" for key in keys if values[key]
    ]
    for key in paths:
        folder = written[key].folder if key in written else None
        placed = _placed(Path(str(values[key])), folder=folder, home=home, key=key, origin=origins[key])
        values[key] = placed if isinstance(values[key], Path) else str(placed)
    for key in (each.key for each in settings() if each.kind is Kind.PATHS):
        folder = written[key].folder if key in written else None
        items: Any = values[key]
        values[key] = tuple(_placed(path, folder=folder, home=home, key=key, origin=origins[key]) for path in items)
    rooms: dict[str, Any] = {
        section: room(**{each.name: values[each.key] for each in settings() if each.section == section})
        for section, room in sections().items()
    }
    return Config(**rooms)


def _placed(path: Path, *, folder: Path | None, home: str | None, key: str, origin: Origin) -> Path:
    """The absolute path: `~` is the home folder, a relative path starts at `folder` or where we run."""
    first = path.parts[0] if path.parts else ""
    if first == "~":
        if home is None:
            problem = f"{str(path)!r} starts in the home folder, and HOME is not set"
            raise ConfigError(key, problem, origin=str(origin), remedy="Set HOME, or give the full path.")
        return Path(home, *path.parts[1:]).absolute()
    if first.startswith("~"):
        problem = f"{str(path)!r} names another user's home folder"
        raise ConfigError(key, problem, origin=str(origin), remedy="Give the full path.")
    return path.absolute() if folder is None else folder / path


# ── each source as a layer ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class _RawValue:
    """A value as it stands in a source, not checked yet."""

    setting: Setting
    value: object = field(repr=False)
    origin: Origin


def _gather(found: Iterable[_RawValue], *, folder: Path | None = None) -> dict[str, WrittenValue]:
    """Check what one source says; saying a thing twice is fine when both agree."""
    layer: dict[str, WrittenValue] = {}
    for each in found:
        value = checked(each.setting, each.value, each.origin)
        earlier = layer.setdefault(each.setting.key, WrittenValue(value=value, origin=each.origin, folder=folder))
        if earlier.value != value:
            problem = f"has another value than {earlier.origin}, which is the same setting"
            remedy = "Keep one of the two."
            raise ConfigError(each.setting.key, problem, origin=str(each.origin), remedy=remedy)
    return layer


def _layer_of_arguments(arguments: Mapping[str, object]) -> dict[str, WrittenValue]:
    ready = {key: value for key, value in arguments.items() if isinstance(value, WrittenValue)}
    plain = {key: value for key, value in arguments.items() if key not in ready and value is not None}
    found = (
        _RawValue(setting=known(key, origin), value=value, origin=origin)
        for key, value in plain.items()
        for origin in (Origin(source=ValueOrigin.ARGUMENT, name=key),)
    )
    return {**ready, **_gather(found)}


def _layer_of_environment(environ: Mapping[str, str]) -> dict[str, WrittenValue]:
    return _gather(
        _RawValue(
            setting=each,
            value=meaning_of(environ[name], each.kind),
            origin=Origin(source=ValueOrigin.ENVIRONMENT, name=name),
        )
        for each in settings()
        for name in each.env_names
        if name in environ
    )


def _refuse_unknown_variables(environ: Mapping[str, str]) -> None:
    """Any LIBRAVDB_ name that is not known is an error."""
    names = {name: name for each in settings() for name in each.env_names} | {FILE_VARIABLE: FILE_VARIABLE}
    for name in sorted(name for name in environ if name.startswith(PREFIX)):
        if name not in names:
            raise ConfigError(
                name,
                "is not a known variable",
                origin="environment",
                remedy=f"Did you mean {nearest(name, names)}? Correct the name or unset it.",
            )


def _found_in(document: Mapping[str, object], where: Origin, *, is_host: bool) -> Iterator[_RawValue]:
    """The settings in a parsed file or host object, by section; a host may also write them flat."""
    flat = {name: each.key for each in settings() for name in (*each.flat_names, *each.keys)} if is_host else {}
    respell = snake if is_host else str
    for name, value in document.items():
        origin = Origin(source=where.source, place=where.place, name=name)
        if respell(name) in flat:
            yield _RawValue(setting=known(flat[respell(name)], origin), value=value, origin=origin)
        elif respell(name) not in sections():
            inside = next(iter(value), "") if isinstance(value, Mapping) else ""
            raise unknown(".".join(filter(None, (name, inside))), origin)
        elif not isinstance(value, Mapping):
            problem = f"is a section and holds settings, not {kind_of(value)}"
            raise ConfigError(name, problem, origin=where.place, remedy=f"Did you mean {nearest_key(name)}?")
        else:
            for key, inner in value.items():
                at = Origin(source=where.source, place=where.place, name=f"{name}.{key}")
                yield _RawValue(setting=known(f"{respell(name)}.{respell(key)}", at), value=inner, origin=at)


# ── the file ──────────────────────────────────────────────────────────────────────────────────────────────


def _layer_of_file(
    file: Path | None, *, environ: Mapping[str, str], home: str | None
) -> tuple[Path | None, dict[str, WrittenValue]]:
    if file is not None:
        named, origin = file, Origin(source=ValueOrigin.ARGUMENT, name="file")
    elif FILE_VARIABLE in environ:
        named, origin = Path(environ[FILE_VARIABLE]), Origin(source=ValueOrigin.ENVIRONMENT, name=FILE_VARIABLE)
    elif home is not None:
        named, origin = USUAL_FILE, DEFAULT
    else:
        return None, {}
    path = _placed(named, folder=None, home=home, key=THE_FILE, origin=origin)
    content = _content(path, origin=origin)
    if content is None:
        return None, {}
    is_json = path.suffix.lower() == ".json"
    document = _parsed(content, path, is_json=is_json)
    where = Origin(source=ValueOrigin.FILE, place=str(path))
    return path, _gather(_found_in(document, where, is_host=is_json), folder=path.parent)


def _content(path: Path, *, origin: Origin) -> bytes | None:
    """The file's bytes; None when nobody named it and it is not there."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        if origin is DEFAULT:
            return None
        problem, remedy = "does not exist", "Correct the path, or leave it out to use the defaults."
    except IsADirectoryError:
        problem, remedy = "is a folder, not a file", "Name the file in it."
    except PermissionError:
        problem, remedy = "may not be read", "Give this user the right to read it."
    except (OSError, ValueError) as error:  # ValueError: a path that holds a NUL
        problem, remedy = f"cannot be read ({error})", "Name a readable TOML or JSON file."
    named = "" if origin is DEFAULT else f", from {origin}"
    raise ConfigError(THE_FILE, problem, origin=f"{path}{named}", remedy=remedy)


def _parsed(content: bytes, path: Path, *, is_json: bool) -> Mapping[str, object]:
    import tomllib  # noqa: PLC0415 - only where there is a file

    try:
        text = content.decode("utf-8-sig")  # some editors put a byte order mark first
        return _json(text, path) if is_json else tomllib.loads(text)
    except UnicodeDecodeError as error:
        problem, line = "is not UTF-8", content.count(b"\n", 0, error.start) + 1
    except json.JSONDecodeError as error:
        problem, line = f"is not valid JSON: {error.msg}", error.lineno
    except tomllib.TOMLDecodeError as error:
        reason, _, place = str(error).rpartition(" (at ")
        digits = re.match(r"line (\d+)", place)
        problem, line = f"is not valid TOML: {reason}", int(digits[1]) if digits else len(text.splitlines())
    except (ValueError, RecursionError):  # thousands of digits, thousands of brackets
        problem, line = "holds a number too long or brackets too deep to read", 0
    where = f"{path}, line {line}" if line else str(path)
    remedy = f"Correct it; a configuration file is {'JSON' if is_json else 'TOML'} in UTF-8."
    raise ConfigError(THE_FILE, problem, origin=where, remedy=remedy)


def _json(text: str, path: Path) -> Mapping[str, object]:
    document = json.loads(text, object_pairs_hook=_without_twins(path))
    if isinstance(document, dict):
        return document
    problem = f"holds {kind_of(document)}, not an object"
    raise ConfigError(THE_FILE, problem, origin=f"{path}, line 1", remedy="Put the settings between { and }.")


def _without_twins(path: Path) -> Callable[[list[tuple[str, object]]], dict[str, object]]:
    """Refuse a JSON object that has a key twice, as TOML does; the parser would keep the last."""

    def build(pairs: list[tuple[str, object]]) -> dict[str, object]:
        built: dict[str, object] = {}
        for key, value in pairs:
            if key in built:
                raise ConfigError(key, "is written twice", origin=str(path), remedy="Keep one of the two.")
            built[key] = value
        return built

    return build
