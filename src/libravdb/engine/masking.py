"""No secret gets past the engine's doors, nor into the store, whichever way it came.

Two rings. The outer one masks what a verb is given, by the name of each argument, before anything is decided or
embedded: so a question leaves no trace of a secret in its receipt, and an id that holds one still names the same record
each time. The inner one masks every change on its way into the store: a door that somebody forgets is then no leak.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import json
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

from libravdb.core.ingest.secrets import mask_json, mask_metadata, mask_name, mask_secrets, secrets_in
from libravdb.core.ingest.settings import IngestSettings
from libravdb.engine.prepared_store import PreparedStore
from libravdb.model import (
    Append,
    Change,
    Condition,
    DropCollection,
    DropState,
    EnsureCollection,
    Json,
    Link,
    Metadata,
    Put,
    Record,
    Remove,
    Restore,
    RestoreState,
    SetState,
    Touch,
    Unlink,
    Where,
)
from libravdb.ports.store import Store

T = TypeVar("T")

REMEMBERED = 4_096
"""Texts that are known to hold no secret, by their hash: most pass by more than once."""

NAMES = frozenset(
    "id ids session session_id namespace user_id session_key agent_id collection collections names source_doc key"
    " record receipt former summary summary_id turn exclude exclude_ids exclude_by_collection prefix updates from_ to"
    " to_namespace notes_of sessions patterns by why_not".split()
)
"""Fields that name something: what is found by them must be found again."""

UNTOUCHED = frozenset(
    "path target messages message progress given documents mode scope scopes step places folder after header"
    " lines".split()
)
"""Fields that are masked where they are read, or that are never kept: files, host messages, choices."""


class Masking:
    """How secrets are taken out of texts, names and metadata, as configured. Usable from many threads."""

    def __init__(self, settings: IngestSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._clean: OrderedDict[tuple[str, int, int], None] = OrderedDict()

    def text(self, text: str) -> str:
        """A text without secrets."""
        return self._masked("text", text, lambda: mask_secrets(text, self._settings).text)

    def name(self, name: str) -> str:
        """A name without secrets: the same for the same one, another for another."""
        return self._masked("name", name, lambda: mask_name(name, self._settings))

    def metadata(self, metadata: Metadata) -> Metadata:
        """Metadata without secrets, in keys and values."""
        return {self.name(key): self._value(key, value) for key, value in metadata.items()}

    def _value(self, key: str, value: Json) -> Json:
        match value:
            case str():
                return self._masked(f"value of {key}", value, lambda: str(mask_json(value, self._settings, label=key)))
            case dict():
                return dict(self.metadata(value))
            case list() | tuple():
                return [self._value(key, one) for one in value]
        return mask_json(value, self._settings, label=key)

    def written(self, key: str, told: Json) -> str:
        """A JSON value as the text that will stand under a key. Its texts are looked at together, and those that were
        looked at before not again: where none holds a secret, neither does the whole."""
        text = json.dumps(told)
        if self.is_clean(told):
            self._know([(f"value of {key}", text)])
        return text

    def is_clean(self, told: Json) -> bool:
        """Whether no text in a JSON value holds a secret; each is known from then on."""
        if not self._settings.mask_secrets:
            return True
        labelled: dict[tuple[str, str], None] = {}
        _note_labelled(told, "", labelled)
        with self._lock:
            new = [one for one in labelled if (f"value of {one[0]}", len(one[1]), hash(one[1])) not in self._clean]
        joined = json.dumps([{label: text} for label, text in new], ensure_ascii=False)
        if mask_secrets(joined, self._settings).text != joined:
            return False
        if any(_DIGITS.search(text) and self._value(label, text) != text for label, text in new):
            return False  # a number behind "id" is taken for one in a sentence, and not where it stands alone
        self._know([(f"value of {label}", text) for label, text in labelled])
        return True

    def _know(self, clean: Sequence[tuple[str, str]]) -> None:
        with self._lock:
            for kind, text in clean:
                known = kind, len(text), hash(text)
                self._clean[known] = None
                self._clean.move_to_end(known)
            while len(self._clean) > REMEMBERED:
                self._clean.popitem(last=False)

    def _masked(self, kind: str, text: str, mask: Callable[[], str]) -> str:
        if not self._settings.mask_secrets:
            return text
        known = (kind, len(text), hash(text))
        with self._lock:
            if known in self._clean:
                self._clean.move_to_end(known)
                return text
        masked = mask()
        self._know([(kind, masked)])
        return masked

    # ── fields ────────────────────────────────────────────────────────────────────────────────────────────

    def field(self, name: str, value: Any) -> Any:  # noqa: ANN401 - an argument of any verb
        """An argument without secrets, by its name."""
        if name in UNTOUCHED or value is None:
            return value
        return self._part(value, self.name if name in NAMES else self.text)

    def fields(self, given: T) -> T:
        """The params of a call without secrets."""
        told = {field.name: getattr(given, field.name) for field in dataclasses.fields(cast("Any", given))}
        changed = {name: self.field(name, value) for name, value in told.items()}
        return cast("T", dataclasses.replace(cast("Any", given), **changed))

    def _part(self, value: Any, mask: Callable[[str], str]) -> Any:  # noqa: ANN401 - of any argument
        match value:
            case str():
                return mask(value) if type(value) is str else value
            case Where():
                return dataclasses.replace(
                    value,
                    metadata=self._filter(value.metadata),
                    may_lack=tuple(map(self.name, value.may_lack)),
                    conditions=tuple(map(self._condition, value.conditions)),
                )
            case Mapping():
                if mask == self.name:
                    return {mask(key): self._part(one, mask) for key, one in value.items()}
                return dict(self.metadata(value))
            case list() | tuple() | frozenset() | set():
                return type(value)(self._part(one, mask) for one in value)
            case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
                return self.fields(value)
        return value

    def _filter(self, metadata: Mapping[str, tuple[Json, ...]]) -> dict[str, tuple[Json, ...]]:
        return {self.name(key): tuple(self._value(key, one) for one in values) for key, values in metadata.items()}

    def _condition(self, condition: Condition) -> Condition:
        """A condition as it must be asked: what a key and a value hold of a secret is not in the store either."""
        return Condition(self.name(condition.key), condition.operator, self._value(condition.key, condition.value))

    # ── changes ───────────────────────────────────────────────────────────────────────────────────────────

    def change(self, change: Change) -> Change:
        """A change without secrets. A text that had one loses its vectors: they were made of what it said."""
        match change:
            case Put():
                return self._put(change)
            case Restore(record=record):
                restored = self._record(record)
                is_same = restored.text == record.text
                return dataclasses.replace(change, record=restored, embedding=change.embedding if is_same else None)
            case Remove() | Touch() | EnsureCollection() | DropCollection() | Unlink() | DropState():
                return self._named(change)
            case Link(edge=edge):
                return Link(edge=self._named(edge))
            case Append():
                return dataclasses.replace(self._named(change), entry=self.metadata(change.entry))
            case SetState():
                return dataclasses.replace(self._named(change), state=self.metadata(change.state))
            case RestoreState(state=state):
                return RestoreState(state=dataclasses.replace(self._named(state), state=self.metadata(state.state)))
        return change

    def _put(self, put: Put) -> Put:
        text = self.text(put.text)
        return dataclasses.replace(
            self._named(put),
            text=text,
            metadata=self.metadata(put.metadata),
            embedding=put.embedding if text == put.text else None,
        )

    def _record(self, record: Record) -> Record:
        return dataclasses.replace(
            self._named(record), text=self.text(record.text), metadata=self.metadata(record.metadata)
        )

    def _named(self, change: T) -> T:
        """The same with its names masked."""
        told = {
            field.name: getattr(change, field.name)
            for field in dataclasses.fields(cast("Any", change))
            if field.name in _CHANGE_NAMES
        }
        masked = {name: self._part(value, self.name) for name, value in told.items() if value is not None}
        is_same = all(masked[name] == told[name] for name in masked)
        return change if is_same else cast("T", dataclasses.replace(cast("Any", change), **masked))


def _note_labelled(told: Json, label: str, noted: dict[tuple[str, str], None]) -> None:
    """Note every text and number in a JSON value, with the key it stands under; keys are texts too."""
    if isinstance(told, str):
        noted[label, told] = None
    elif isinstance(told, dict):
        for key, value in told.items():
            noted["", key] = None
            if type(value) is not float:
                _note_labelled(value, key, noted)
    elif isinstance(told, list | tuple):
        for one in told:
            _note_labelled(one, label, noted)
    elif isinstance(told, int) and abs(told) >= _LARGE:
        noted[label, str(told)] = None


_DIGITS = re.compile(r"\d(?:[ -]?\d){10}")
_LARGE = 10**6  # smaller numbers are no secret by themselves
_CHANGE_NAMES = frozenset(("collection", "id", "ids", "name", "session", "parent", "child"))


class MaskingStore(PreparedStore):
    """A store into which no secret is written."""

    def __init__(self, store: Store, masking: Masking) -> None:
        super().__init__(store, lambda changes: map(masking.change, changes))


class _Guarded:
    """A part of the engine whose verbs are given nothing secret; the rest of it is as it was."""

    def __init__(self, part: object, masking: Masking) -> None:
        self._part = part
        self._masking = masking

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the part has
        return getattr(self._part, name)


def guard(part: T, masking: Masking) -> T:
    """A part of the engine as whoever is outside sees it: with the same verbs, by the same signatures."""
    return cast("T", _guarded_kind(cast("Any", type(part)))(part, masking))


@functools.cache
def _guarded_kind(kind: type) -> type[_Guarded]:
    public = {name: verb for base in reversed(kind.__mro__[:-1]) for name, verb in vars(base).items()}
    verbs = {
        name: _guarded(verb)
        for name, verb in public.items()
        if inspect.isfunction(verb) and (not name.startswith("_") or name == "__call__")
    }
    return type(kind.__name__, (_Guarded,), verbs)


def _guarded(verb: Callable[..., Any]) -> Callable[..., Any]:
    _, *names = inspect.signature(verb).parameters

    @functools.wraps(verb)
    def call(self: _Guarded, /, *given: Any, **named: Any) -> Any:  # noqa: ANN401 - what the verb takes and gives
        mask = self._masking.field
        told = [mask(name, value) for name, value in zip(names, given, strict=False)]
        return verb(self._part, *told, **{name: mask(name, value) for name, value in named.items()})

    return call


# ── what is only told ─────────────────────────────────────────────────────────────────────────────────────


def mask_told(told: Mapping[str, Any]) -> dict[str, Json]:
    """What goes into a log, without secrets, however masking is configured for what is kept."""
    return mask_metadata(told)


def holds_secret(name: str) -> bool:
    """Whether a name that is kept as it is would give a secret away."""
    return mask_name(name) != name


def secrets_told(told: object, depth: int = 0) -> set[str]:
    """The secrets in the texts of a request, for whoever has to hide them where they stand bare."""
    if isinstance(told, str):
        return secrets_in(told)
    if depth > _DEEPEST or not isinstance(told, Mapping | list | tuple):
        return set()
    parts = (*told.keys(), *told.values()) if isinstance(told, Mapping) else told
    return set().union(*(secrets_told(part, depth + 1) for part in parts))


_DEEPEST = 20
