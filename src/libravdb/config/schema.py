"""Configuration: one typed tree, one small section per room, and for every value where it came from.

This is the only reader of the configuration file and the environment, and it gets the environment as a
parameter. A value is taken from the first of: argument, environment, file, default. Whatever is written but
not understood is refused by name; nothing is guessed and nothing is skipped in silence.

`python -m libravdb.config.schema` prints the reference tables of `docs/reference/configuration.md`.
"""

from __future__ import annotations

import difflib
import functools
import json
import math
import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, get_type_hints

from libravdb.errors import ConfigError

T = TypeVar("T")

PREFIX = "LIBRAVDB_"
FILE_VARIABLE = "LIBRAVDB_CONFIG"
USUAL_FILE = Path("~/.clawdb/config.toml")

LARGEST = 2**31 - 1
MASK = "********"
NOTHING: Mapping[str, Any] = MappingProxyType({})


def setting(
    default: T,
    help: str,
    *,
    minimum: float = 0,
    maximum: float = LARGEST,
    choices: tuple[str, ...] = (),
    spellings: Mapping[str, str] = NOTHING,
    alias: str = "",
    secret: bool = False,
) -> T:
    """A field of a section: its default, one line of help, and what it allows.

    `spellings` maps older words for a choice to today's. `alias` is another flat name: `db_path` is
    `LIBRAVDB_DB_PATH` in the environment and `dbPath` in a host's JSON.
    """
    facts = {
        "help": help,
        "minimum": minimum,
        "maximum": maximum,
        "choices": choices,
        "spellings": spellings,
        "alias": alias,
        "secret": secret,
    }
    return field(default=default, metadata=facts)


# ── the tree ──────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreConfig:
    """Where memory is kept and how its vectors are searched."""

    path: Path = setting(  # noqa: RUF009  a Path never changes, so one default may serve all
        Path("~/.clawdb/data.libravdb"), "The file that holds everything; made when missing.", alias="db_path"
    )
    vector_cache_mb: int = setting(96, "Memory for vectors held ready for search, in MiB.", minimum=1)
    exact_search_rows: int = setting(
        20_000,
        "Vectors in a collection up to which all are compared exactly; above it 1-bit codes choose the rows "
        "that are compared exactly.",
        minimum=1,
    )
    shortlist_rows: int = setting(2_000, "Fewest rows that 1-bit codes put on the shortlist.", minimum=10)
    shortlist_rows_max: int = setting(8_000, "Most rows that 1-bit codes put on the shortlist.", minimum=10)
    rescore_rows: int = setting(400, "Fewest rows of the shortlist that are compared exactly.", minimum=10)
    rescore_rows_max: int = setting(1_000, "Most rows of the shortlist that are compared exactly.", minimum=10)
    max_text_chars: int = setting(1_000_000, "Longest text one record may hold, in characters.", minimum=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingConfig:
    """What turns texts into vectors."""

    backend: str = setting(
        "bundled",
        "The shipped model, a local ONNX folder, a server, or none (search by words alone).",
        choices=("bundled", "onnx", "openai", "ollama", "none"),
        spellings=MappingProxyType({"onnx-local": "onnx", "custom-local": "onnx"}),
    )
    profile: str = setting("", "Name of a known model profile; empty takes it from the model.")
    model: str = setting("", "The model: a path for onnx, the server's name for it for openai and ollama.")
    tokenizer: str = setting("", "Path of the tokenizer for onnx; empty looks beside the model.")
    dimensions: int = setting(0, "Length of the vectors; 0 takes it from the model.", minimum=0)
    normalize: bool = setting(default=True, help="Scale vectors to length 1.")
    endpoint: str = setting("", "Address of the embedding server for openai and ollama.")
    api_key: str = setting("", "Key for the embedding server; never shown.", secret=True)
    timeout_seconds: float = setting(
        30.0, "How long to wait for one answer of the server.", minimum=0.1, maximum=86_400
    )
    retries: int = setting(2, "How often a failed call to the server is tried again.", minimum=0)

    def __repr__(self) -> str:
        return _masked_repr(self, section="embedding")


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarizerConfig:
    """What writes summaries when old turns are folded. Without a model sentences are chosen, not written."""

    backend: str = setting(
        "extractive",
        "Choose sentences, or let a local ONNX folder or a server write.",
        choices=("extractive", "onnx", "openai", "ollama"),
        spellings=MappingProxyType({
            "none": "extractive",
            "bundled": "extractive",
            "onnx-local": "onnx",
            "custom-local": "onnx",
            "ollama-local": "ollama",
        }),
    )  # fmt: skip
    profile: str = setting("", "Name of a known model profile for onnx; empty takes it from the model.")
    model_path: str = setting("", "Folder of the model for onnx.")
    tokenizer: str = setting("", "Path of the tokenizer for onnx; empty looks in the folder.")
    model: str = setting("", "The server's name for the model, for openai and ollama.")
    endpoint: str = setting("", "Address of the server for openai and ollama.")
    api_key: str = setting("", "Key for the server; never shown.", secret=True)
    timeout_seconds: float = setting(
        60.0, "How long to wait for one answer of the server.", minimum=0.1, maximum=86_400
    )
    retries: int = setting(2, "How often a failed call to the server is tried again.", minimum=0)

    def __repr__(self) -> str:
        return _masked_repr(self, section="summarizer")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchConfig:
    """How many results a search gives and how they are ranked.

    The weights are those of `recall/settings.py`, and `docs/internals/recall.md` tells which defaults were measured.
    """

    k: int = setting(10, "Results given when nobody says how many.", minimum=1)
    candidates: int = setting(48, "Candidates of each kind (vectors, words) per collection.", minimum=1, maximum=10000)
    links: int = setting(
        32, "Of each kind, candidates whose neighbouring turns are looked at too.", minimum=0, maximum=10000
    )
    dense_weight: float = setting(
        0.6, "Weight of vectors against words: 0 is words alone, 1 vectors alone.", minimum=0, maximum=1
    )
    passage_share_short: float = setting(
        0.5, "Weight of the best passage against the whole text, where turns are short.", minimum=0, maximum=1
    )
    passage_share_long: float = setting(
        1.0, "Weight of the best passage against the whole text, where turns are long.", minimum=0, maximum=1
    )
    k1: float = setting(0.9, "BM25: how soon a repeated word stops adding.", minimum=0, maximum=10)
    length_norm_short: float = setting(0.2, "BM25's b where turns are short.", minimum=0, maximum=1)
    length_norm_long: float = setting(0.75, "BM25's b where turns are long.", minimum=0, maximum=1)
    short_terms: int = setting(
        40, "Average terms of a turn up to which a namespace is a chat of short turns.", minimum=1, maximum=100000
    )
    long_terms: int = setting(
        160, "Average terms of a turn from which on it is a log of long ones.", minimum=2, maximum=1000000
    )
    context_before: float = setting(
        0.5, "Share of the previous turn's words that a short turn holds too.", minimum=0, maximum=2
    )
    context_after: float = setting(
        0.3, "Share of the next turn's words that a short turn holds too.", minimum=0, maximum=2
    )
    speaker: float = setting(0.45, "Added when the question names who said it.", minimum=0, maximum=2)
    question_short: float = setting(
        0.2, "Taken off a turn that only asks, where turns are short.", minimum=0, maximum=2
    )
    question_long: float = setting(0.1, "Taken off a turn that only asks, where turns are long.", minimum=0, maximum=2)
    date: float = setting(0.4, "Added when it was said at the time the question names.", minimum=0, maximum=2)
    event_date: float = setting(0.2, "Added when it speaks of the day the question names.", minimum=0, maximum=2)
    role: float = setting(
        0.25, "Added to what the user said, unless the question is about the assistant.", minimum=0, maximum=2
    )
    time_answer: float = setting(0.1, "Added when 'when' is asked and a time is named.", minimum=0, maximum=2)
    number_answer: float = setting(0.1, "Added when a number is asked for and one is named.", minimum=0, maximum=2)
    length_short: float = setting(0.0, "Taken off per doubling of length, where turns are short.", minimum=0, maximum=1)
    length_long: float = setting(0.05, "Taken off per doubling of length, where turns are long.", minimum=0, maximum=1)
    reply: float = setting(0.2, "Share of a question's match that its answer gets.", minimum=0, maximum=1)
    next_turn: float = setting(0.1, "Share of the next turn's relevance, where turns are short.", minimum=0, maximum=1)
    previous_turn: float = setting(
        0.05, "Share of the previous turn's relevance, where turns are short.", minimum=0, maximum=1
    )
    session_short: float = setting(
        0.5, "Share of the session's best turn, where turns are short.", minimum=0, maximum=2
    )
    session_long: float = setting(0.2, "Share of the session's best turn, where turns are long.", minimum=0, maximum=2)
    session_depth_short: float = setting(
        0.0, "Added for a session that comes back to the subject, where turns are short.", minimum=0, maximum=2
    )
    session_depth_long: float = setting(
        0.1, "Added for a session that comes back to the subject, where turns are long.", minimum=0, maximum=2
    )
    relevance: float = setting(0.97, "Alpha of the hybrid law: weight of relevance.", minimum=0, maximum=1)
    recency: float = setting(0.0, "Beta of the hybrid law: weight of recency.", minimum=0, maximum=1)
    scope: float = setting(0.03, "Gamma of the hybrid law: weight of the scope.", minimum=0, maximum=1)
    summary_decay: float = setting(
        0.5, "Delta of the hybrid law: how much a summary's decay rate costs.", minimum=0, maximum=1
    )
    recency_session: float = setting(0.0001, "Decay per second in the session.", minimum=0, maximum=1)
    recency_durable: float = setting(1e-05, "Decay per second in durable memory.", minimum=0, maximum=1)
    recency_other: float = setting(2e-06, "Decay per second elsewhere.", minimum=0, maximum=1)
    scope_session: float = setting(1.0, "Scope weight of the running session.", minimum=0, maximum=1)
    scope_elevated: float = setting(0.8, "Scope weight of protected guidance.", minimum=0, maximum=1)
    scope_durable: float = setting(0.6, "Scope weight of durable memory.", minimum=0, maximum=1)
    scope_lore: float = setting(0.5, "Scope weight of authored lore.", minimum=0, maximum=1)
    scope_summary: float = setting(0.5, "Scope weight of summaries.", minimum=0, maximum=1)
    scope_history: float = setting(0.4, "Scope weight of the raw history.", minimum=0, maximum=1)
    scope_global: float = setting(0.3, "Scope weight of what is shared by all.", minimum=0, maximum=1)
    coarse: int = setting(64, "Hits of the first pass that the second one looks at.", minimum=1, maximum=10000)
    least_similarity: float = setting(
        0.0, "Cosine that a hit of the first pass needs if it shares no word.", minimum=0, maximum=1
    )
    keyword_coverage: float = setting(
        0.0, "Kappa of the second pass: how much holding the question's words counts.", minimum=0, maximum=10
    )
    standing: float = setting(0.05, "Share of a score that frequent use and authority decide.", minimum=0, maximum=1)
    hop_share: float = setting(0.5, "Share of a hit's score that what it names enters with.", minimum=0, maximum=1)
    least_hop: float = setting(0.15, "Score below which nothing is pulled in.", minimum=0, maximum=1)
    temporal: float = setting(
        0.0, "Xi: how much questions about time prefer dated, complementary turns.", minimum=0, maximum=1
    )
    weak: float = setting(
        0.3, "Strongest evidence below which a session's raw turns are searched.", minimum=0, maximum=1
    )
    reserve_share: float = setting(0.1, "Share of the memory budget kept for raw turns.", minimum=0, maximum=1)
    reserve_least: int = setting(16, "Least tokens of that reserve.", minimum=0, maximum=1000000)
    reserve_most: int = setting(128, "Most tokens of that reserve.", minimum=0, maximum=1000000)
    silence: float = setting(
        0.7,
        "Share of unrelated questions that must fall below the floor of relevance; 0 is never silent.",
        minimum=0,
        maximum=1,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DaemonConfig:
    """Where the daemon listens and what it tells."""

    endpoint: str = setting(
        "",
        "Where the daemon listens: unix:/path or tcp:host:port. Empty: unix:~/.clawdb/run/libravdb.sock.",
        alias="rpc_endpoint",
    )
    token: str = setting("", "What TCP clients must show first; needed to listen beyond this machine.", secret=True)
    max_line_mb: int = setting(32, "Longest request, in MiB.", minimum=16, maximum=1024)
    max_connections: int = setting(2_000, "Connections served at a time.", minimum=1, maximum=100_000)
    journal_entries: int = setting(
        500,
        "Lifecycle events kept in the journal; the oldest go first.",
        minimum=1,
        alias="lifecycle_journal_max_entries",
    )
    log_level: str = setting(
        "info", "What is logged; debug has a line per call.", choices=("debug", "info", "warning", "error")
    )
    log_text: bool = setting(
        default=False, help="Also log what requests say, at debug. Off, no log holds message text."
    )
    metrics_port: int = setting(0, "Loopback port for Prometheus (needs the extra 'metrics'); 0 is off.", maximum=65535)

    def __repr__(self) -> str:
        return _masked_repr(self, section="daemon")


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchConfig:
    """Folders of notes that the daemon keeps in step with memory (needs the extra 'watch'). Patterns are those of
    .gitignore, relative to each folder."""

    folders: tuple[Path, ...] = setting((), "Folders to watch; none means that nothing is watched.")
    include: tuple[str, ...] = setting(("**/*.md", "**/*.markdown"), "Files that count as notes.")
    exclude: tuple[str, ...] = setting((".*", "node_modules/"), "Files and folders left out, hidden ones for example.")
    core: tuple[str, ...] = setting((), "Notes whose rules bind, such as /AGENTS.md; all others are plain notes.")
    gitignore: bool = setting(default=True, help="Leave out what .gitignore files in the folders leave out.")
    follow_links: bool = setting(default=False, help="Follow symbolic links, also out of the folders.")
    max_file_bytes: int = setting(1_048_576, "Largest note that is taken.", minimum=1)
    debounce_ms: int = setting(300, "How long a file must be quiet before it is read.", minimum=0, maximum=60_000)
    polling: bool = setting(default=False, help="Look again and again instead of waiting to be notified.")
    poll_seconds: float = setting(5.0, "Time between two looks when polling.", minimum=0.1, maximum=86_400)
    cpu_share: float = setting(
        0.5, "Share of one core for a first scan in the daemon; the rest is for others.", minimum=0.01, maximum=1
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthoredConfig:
    """Which documents hold rules, and how much of the prompt their rules may take."""

    core_names: tuple[str, ...] = setting(
        (), "Names of documents that hold rules, besides AGENTS.md, SOUL.md, CLAUDE.md, IDENTITY.md and USER.md."
    )
    prompt_tokens: int = setting(32_000, "Tokens of the prompt that memory may fill in all.", minimum=1)
    hard_share: float = setting(
        0.3, "Share of them for the hard rules of a document; with more it is refused.", minimum=0, maximum=1
    )
    soft_share: float = setting(
        0.2,
        "Share of a prompt's budget for soft rules, beside a host's own history; of more the first that fit are used.",
        minimum=0,
        maximum=1,
    )
    max_chars: int = setting(4_000_000, "Longest document, in characters.", minimum=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestConfig:
    """How messages of a host are taken in."""

    mask_secrets: bool = setting(default=True, help="Mask keys, tokens and passwords before anything is stored.")
    secret_allow: tuple[str, ...] = setting(
        (), "What is no secret although it looks like one: exact strings, or expressions between slashes."
    )
    secret_length: int = setting(
        32, "Shortest string that counts as a secret for its randomness alone; 0 switches that off.", maximum=10_000
    )
    secret_bits: float = setting(3.9, "Bits of entropy a character from which it does.", minimum=1, maximum=8)
    max_result_chars: int = setting(
        200_000, "Longest answer of a tool that is kept whole; of a longer one the middle is left out.", minimum=100
    )
    embedded_result_chars: int = setting(
        16_000,
        "Of a tool's answer, so much of its beginning gets vectors; all of it is found by its words.",
        minimum=100,
    )
    heartbeat_prompts: tuple[str, ...] = setting((), "Beginnings of further texts that are a host's pulse.")


@dataclass(frozen=True, slots=True, kw_only=True)
class GateConfig:
    """What decides whether a turn is kept beyond its session. Each branch's three weights sum to 1."""

    threshold: float = setting(0.35, "Score from which a turn is kept.", maximum=1, alias="gating_threshold")
    novelty: float = setting(0.35, "Conversation: weight of novelty.", maximum=1, alias="gating_w1c")
    repetition: float = setting(0.40, "Conversation: weight of repetition.", maximum=1, alias="gating_w2c")
    load: float = setting(
        0.25, "Conversation: weight of dates, quantities, people, facts.", maximum=1, alias="gating_w3c"
    )
    specificity: float = setting(0.40, "Engineering: weight of paths, calls, codes.", maximum=1, alias="gating_w1t")
    action: float = setting(0.35, "Engineering: weight of decisions, fixes, changes.", maximum=1, alias="gating_w2t")
    detail: float = setting(
        0.25, "Engineering: weight of definitions, dependencies, tests.", maximum=1, alias="gating_w3t"
    )
    technical_norm: float = setting(
        1.5,
        "Sum of technical signals that makes a text all technical.",
        minimum=0.01,
        maximum=100,
        alias="gating_tech_norm",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionConfig:
    """How long sessions are folded into summaries; raw turns always stay."""

    auto_tokens: int = setting(
        2_000, "Tokens that come into a session before it is compacted by itself; 0 switches that off."
    )
    minimum_turns: int = setting(4, "Last turns that always stay word for word.", maximum=10_000)
    tail_tokens: int = setting(1_000, "Tokens at the end of a session that stay word for word.")
    target_turns: int = setting(20, "Turns that one summary stands for, about.", minimum=2, maximum=1_000)
    support_tokens: int = setting(96, "Tokens of earlier summaries that a new one may lean on.", maximum=10_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryConfig:
    """Whose memory it is."""

    user: str = setting("default", "The namespace used when nobody is named.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """All settings. A Config that exists is valid; `load` makes one from every source.

    Made by hand it takes paths as they are: only `load` knows a home folder to put in place of `~`.
    """

    store: StoreConfig = field(default_factory=StoreConfig)
    embedding: EmbeddingConfig = field(default_factory=EmbeddingConfig)
    summarizer: SummarizerConfig = field(default_factory=SummarizerConfig)
    search: SearchConfig = field(default_factory=SearchConfig)
    memory: MemoryConfig = field(default_factory=MemoryConfig)
    ingest: IngestConfig = field(default_factory=IngestConfig)
    gate: GateConfig = field(default_factory=GateConfig)
    compaction: CompactionConfig = field(default_factory=CompactionConfig)
    authored: AuthoredConfig = field(default_factory=AuthoredConfig)
    daemon: DaemonConfig = field(default_factory=DaemonConfig)
    watch: WatchConfig = field(default_factory=WatchConfig)

    def __post_init__(self) -> None:
        values = {each.key: lookup(self, each.key) for each in settings()}
        origins = {key: Origin(source=ValueOrigin.ARGUMENT, name=key) for key in values}
        for each in settings():
            if _checked(each, values[each.key], origins[each.key]) != values[each.key]:
                raise _refused(each, values[each.key], origins[each.key])
        _check_together(values, origins)


# ── settings and origins ──────────────────────────────────────────────────────────────────────────────────


class Kind(StrEnum):
    """What sort of value a setting takes."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    PATH = "path"
    TEXTS = "texts"
    PATHS = "paths"


_KINDS: Mapping[Any, Kind] = {
    str: Kind.TEXT,
    int: Kind.INTEGER,
    float: Kind.NUMBER,
    bool: Kind.BOOLEAN,
    Path: Kind.PATH,
    tuple[str, ...]: Kind.TEXTS,
    tuple[Path, ...]: Kind.PATHS,
}
_SEPARATORS = {Kind.TEXTS: ",", Kind.PATHS: os.pathsep}
"""Between the items of a list in the environment; paths as in PATH."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One key of the tree with all that is known about it; `key` is dotted, as in `store.path`."""

    key: str
    kind: Kind
    default: object
    help: str
    minimum: float
    maximum: float
    choices: tuple[str, ...]
    spellings: Mapping[str, str]
    alias: str
    secret: bool

    @property
    def section(self) -> str:
        """The room, `store` in `store.path`."""
        return self.key.partition(".")[0]

    @property
    def name(self) -> str:
        """The name within its section, `path` in `store.path`."""
        return self.key.partition(".")[2]

    @property
    def flat_names(self) -> tuple[str, ...]:
        """Names without a section, the main one first: `store_path`, `db_path`."""
        main = self.key.replace(".", "_")
        return (main, self.alias) if self.alias else (main,)

    @property
    def env_names(self) -> tuple[str, ...]:
        """Environment variables that set it, the main one first."""
        return tuple(PREFIX + name.upper() for name in self.flat_names)

    @property
    def env(self) -> str:
        """The main environment variable, `LIBRAVDB_STORE_PATH`."""
        return self.env_names[0]

    @property
    def allowed(self) -> str:
        """In words, which values are taken."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        if self.kind is Kind.BOOLEAN:
            return "true or false"
        if self.kind in (Kind.INTEGER, Kind.NUMBER):
            article = "an" if self.kind is Kind.INTEGER else "a"
            return f"{article} {self.kind} from {self.minimum} to {self.maximum}"
        if self.kind in _SEPARATORS:
            return f"a list of {self.kind}"
        return "a path" if self.kind is Kind.PATH else "text"


class ValueOrigin(StrEnum):
    """The kinds of places a value can come from."""

    DEFAULT = "default"
    FILE = "file"
    ENVIRONMENT = "environment"
    HOST = "host"
    ARGUMENT = "argument"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a value came from: `name` is the key or variable as written, `place` the file or host."""

    source: ValueOrigin
    name: str = ""
    place: str = ""

    def __str__(self) -> str:
        if self.source is ValueOrigin.DEFAULT:
            return "default"
        if self.source is ValueOrigin.ENVIRONMENT:
            return f"environment variable {self.name}"
        if self.source is ValueOrigin.ARGUMENT:
            return f"argument {self.name}"
        return f"{self.place}: {self.name}"


DEFAULT = Origin(source=ValueOrigin.DEFAULT)


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


@functools.cache
def settings() -> tuple[Setting, ...]:
    """Every setting, in the order of the tree."""
    return tuple(
        Setting(key=f"{section}.{each.name}", kind=_KINDS[type_], default=each.default, **each.metadata)
        for section, room in get_type_hints(Config).items()
        for each, type_ in zip(fields(room), get_type_hints(room).values(), strict=True)
    )


def lookup(config: Config, key: str) -> object:
    """The value of a dotted key in a configuration."""
    section, _, name = key.partition(".")
    return getattr(getattr(config, section), name)


def render_value(setting: Setting, value: object) -> str:
    """A value as it would be written in the file; a secret that is set shows as a mask."""
    if setting.secret and value != "":
        return MASK
    plain: object = str(value) if isinstance(value, Path) else value
    if isinstance(value, tuple):
        plain = [str(item) for item in value]
    written = json.dumps(plain, ensure_ascii=False)
    return written.encode("utf-8", "backslashreplace").decode()  # a path may hold bytes that are not UTF-8


def env_text(setting: Setting, value: object) -> str:
    """A value as it would be written in the environment."""
    if isinstance(value, tuple):
        return _SEPARATORS[setting.kind].join(str(item) for item in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _masked_repr(room: object, *, section: str) -> str:
    """Like any dataclass's, with secrets masked."""
    ours = [(each, getattr(room, each.name)) for each in settings() if each.section == section]
    shown = (f"{each.name}={(MASK if each.secret and value else value)!r}" for each, value in ours)
    return f"{type(room).__name__}({', '.join(shown)})"


# ── loading ───────────────────────────────────────────────────────────────────────────────────────────────


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
    written = {**from_file, **_layer_of_environment(environ), **_layer_of_arguments(arguments)}
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


def _settle(written: Mapping[str, WrittenValue], *, origins: Mapping[str, Origin], home: str | None) -> Config:
    values = {each.key: each.default for each in settings()}
    values |= {key: each.value for key, each in written.items()}
    _check_together(values, origins)
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
        for section, room in get_type_hints(Config).items()
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
        value = _checked(each.setting, each.value, each.origin)
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
        _RawValue(setting=_known(key, origin), value=value, origin=origin)
        for key, value in plain.items()
        for origin in (Origin(source=ValueOrigin.ARGUMENT, name=key),)
    )
    return {**ready, **_gather(found)}


def _layer_of_environment(environ: Mapping[str, str]) -> dict[str, WrittenValue]:
    return _gather(
        _RawValue(
            setting=each,
            value=_meaning_of(environ[name], each.kind),
            origin=Origin(source=ValueOrigin.ENVIRONMENT, name=name),
        )
        for each in settings()
        for name in each.env_names
        if name in environ
    )


def _refuse_unknown_variables(environ: Mapping[str, str]) -> None:
    """Any LIBRAVDB_ name that is not known is an error."""
    known = {name: name for each in settings() for name in each.env_names} | {FILE_VARIABLE: FILE_VARIABLE}
    for name in sorted(name for name in environ if name.startswith(PREFIX)):
        if name not in known:
            raise ConfigError(
                name,
                "is not a known variable",
                origin="environment",
                remedy=f"Did you mean {_nearest(name, known)}? Correct the name or unset it.",
            )


def _found_in(document: Mapping[str, object], where: Origin, *, is_host: bool) -> Iterator[_RawValue]:
    """The settings in a parsed file or host object, by section; a host may also write them flat."""
    sections = get_type_hints(Config)
    flat = {name: each.key for each in settings() for name in (*each.flat_names, each.key)} if is_host else {}
    respell = _snake if is_host else str
    for name, value in document.items():
        origin = Origin(source=where.source, place=where.place, name=name)
        if respell(name) in flat:
            yield _RawValue(setting=_known(flat[respell(name)], origin), value=value, origin=origin)
        elif respell(name) not in sections:
            inside = next(iter(value), "") if isinstance(value, Mapping) else ""
            raise _unknown(".".join(filter(None, (name, inside))), origin)
        elif not isinstance(value, Mapping):
            problem = f"is a section and holds settings, not {_kind_of(value)}"
            raise ConfigError(name, problem, origin=where.place, remedy=f"Did you mean {_nearest_key(name)}?")
        else:
            for key, inner in value.items():
                at = Origin(source=where.source, place=where.place, name=f"{name}.{key}")
                yield _RawValue(setting=_known(f"{respell(name)}.{respell(key)}", at), value=inner, origin=at)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _known(key: str, origin: Origin) -> Setting:
    for each in settings():
        if each.key == key:
            return each
    raise _unknown(key, origin)


def _unknown(key: str, origin: Origin) -> ConfigError:
    remedy = f"Did you mean {_nearest_key(key)}? 'libravdb config' lists every setting."
    return ConfigError(key, "is not a known setting", origin=str(origin), remedy=remedy)


def _nearest_key(written: str) -> str:
    spelled = {name: each.key for each in settings() for name in (each.name, *each.flat_names, each.key)}
    return _nearest(_snake(written), spelled)


def _nearest(written: str, known: Mapping[str, str]) -> str:
    """The name behind the spelling closest to what was written; there always is one."""
    return known[difflib.get_close_matches(written, known, n=1, cutoff=0.0)[0]]


# ── the file ──────────────────────────────────────────────────────────────────────────────────────────────

THE_FILE = "configuration file"


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
    problem = f"holds {_kind_of(document)}, not an object"
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


# ── values ────────────────────────────────────────────────────────────────────────────────────────────────

_TRUTHS = {
    **dict.fromkeys(("true", "1", "yes", "on"), True),
    **dict.fromkeys(("false", "0", "no", "off"), False),
}
_INTEGER = re.compile(r"[+-]?[0-9]{1,30}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)


def _meaning_of(text: str, kind: Kind) -> object:
    """What a text of the environment stands for; text with no such meaning stays, and is then refused."""
    word = text.strip()
    if kind is Kind.BOOLEAN:
        return _TRUTHS.get(word.lower(), text)
    if kind is Kind.INTEGER and _INTEGER.fullmatch(word):
        return int(word)
    if kind is Kind.NUMBER and _NUMBER.fullmatch(word):
        return float(word)
    if kind in _SEPARATORS:
        return [item.strip() for item in text.split(_SEPARATORS[kind]) if item.strip()]
    return text


def _checked(setting: Setting, value: object, origin: Origin) -> object:
    """The value in the setting's own type, or a ConfigError that says what is allowed."""
    typed = _TYPED[setting.kind](value)
    if isinstance(typed, str):
        typed = setting.spellings.get(typed, typed)
    is_chosen = not setting.choices or typed in setting.choices
    is_within = not isinstance(typed, int | float) or setting.minimum <= typed <= setting.maximum
    if typed is None or not is_chosen or not is_within:
        raise _refused(setting, value, origin)
    return typed


def _refused(setting: Setting, value: object, origin: Origin) -> ConfigError:
    given = _kind_of(value)
    if isinstance(value, str):
        given = "what was written" if setting.secret or len(value) > 80 else repr(value)
    elif isinstance(value, float) or (isinstance(value, int) and abs(value) < 10**30):
        given = given if setting.secret else repr(value)
    problem = f"must be {setting.allowed}, not {given}"
    remedy = f"Correct it, or remove it to use the default {render_value(setting, setting.default)}."
    return ConfigError(setting.key, problem, origin=str(origin), remedy=remedy)


def _kind_of(value: object) -> str:
    for type_, words in _WORDS:
        if isinstance(value, type_):
            return words
    return f"a {type(value).__name__}"


_WORDS: tuple[tuple[Any, str], ...] = (
    (type(None), "null"),
    (bool, "true or false"),
    (int, "an integer"),
    (float, "a number"),
    (str, "text"),
    (Mapping, "a table"),
    (list | tuple, "a list"),
)


def _text(value: object) -> str | None:
    """Text that can be stored: a lone surrogate is half a character and no text."""
    if not isinstance(value, str) or any("\ud800" <= letter <= "\udfff" for letter in value):
        return None
    return str(value)


def _integer(value: object) -> int | None:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > sys.float_info.max:
        return None
    return float(value) if math.isfinite(value) else None


def _boolean(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _path(value: object) -> Path | None:
    if not isinstance(value, str | Path) or str(value) == "" or "\0" in str(value):
        return None
    return Path(value)


def _list_of(typed: Callable[[object], object]) -> Callable[[object], object]:
    def read(value: object) -> tuple[object, ...] | None:
        if not isinstance(value, list | tuple):
            return None
        items = tuple(typed(item) for item in value)
        return None if None in items else items

    return read


_TYPED: Mapping[Kind, Callable[[object], object]] = {
    Kind.TEXT: _text,
    Kind.INTEGER: _integer,
    Kind.NUMBER: _number,
    Kind.BOOLEAN: _boolean,
    Kind.PATH: _path,
    Kind.TEXTS: _list_of(_text),
    Kind.PATHS: _list_of(_path),
}


# ── what must hold between settings ───────────────────────────────────────────────────────────────────────

Values = Mapping[str, Any]
Origins = Mapping[str, Origin]


def _check_together(values: Values, origins: Origins) -> None:
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


def backend_has_what_it_needs(values: Values, origins: Origins) -> None:
    """A local model needs its path, a server its address and the name of a model."""
    for chosen, needs in NEEDS.items():
        backend = values[chosen]
        for key in needs.get(backend, ()):
            if not values[key].strip():
                variable = PREFIX + key.replace(".", "_").upper()
                default = "bundled" if chosen == "embedding.backend" else "extractive"
                raise ConfigError(
                    key,
                    f"must not be empty when {chosen} is {backend!r} ({origins[chosen]})",
                    origin=str(origins[key]),
                    remedy=f'Set {key} or {variable}, or choose {chosen} = "{default}".',
                )


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

PATHS_OF_ONNX = MappingProxyType({
    "embedding.backend": ("embedding.model", "embedding.tokenizer"),
    "summarizer.backend": ("summarizer.model_path", "summarizer.tokenizer"),
})  # fmt: skip
"""Texts that are paths when this backend is onnx."""


def branches_sum_to_one(values: Values, origins: Origins) -> None:
    """The weights of each branch of the gate sum to 1, so that its score stays between 0 and 1."""
    for branch in (("novelty", "repetition", "load"), ("specificity", "action", "detail")):
        keys = [f"gate.{name}" for name in branch]
        total = sum(values[key] for key in keys)
        if abs(total - 1) > 1e-9:
            wrong = next((key for key in keys if origins[key] is not DEFAULT), keys[0])
            problem = f"{', '.join(keys)} must sum to 1, not to {total:g}"
            raise ConfigError(wrong, problem, origin=str(origins[wrong]), remedy="Change one of the three.")


def user_has_a_name(values: Values, origins: Origins) -> None:
    """The fallback namespace has a name."""
    if not values["memory.user"].strip():
        remedy = 'Name one, or remove it to use the default "default".'
        origin = str(origins["memory.user"])
        raise ConfigError("memory.user", "must not be empty", origin=origin, remedy=remedy)


def shares_fit(values: Values, origins: Origins) -> None:
    """The shares of hard and soft rules are at most the whole together."""
    key, other = "authored.hard_share", "authored.soft_share"
    both = values[key] + values[other]
    if both > 1 + 1e-9:
        if origins[key] is DEFAULT:
            key, other = other, key
        raise ConfigError(
            key,
            f"must be at most 1 together with {other}: they add up to {both:g}",
            origin=str(origins[key]),
            remedy=f"Lower one of the two; {other} comes from: {origins[other]}.",
        )


CHECKS = (rows_in_order, backend_has_what_it_needs, user_has_a_name, branches_sum_to_one, shares_fit)


# ── the reference ─────────────────────────────────────────────────────────────────────────────────────────


def markdown() -> str:
    """The reference of every setting, one table per section, as `docs/reference/configuration.md` holds it."""
    return "\n".join(_table(section, room) for section, room in get_type_hints(Config).items())


def _table(section: str, room: type) -> str:
    rows = (
        f"| `{each.key}` | `{render_value(each, each.default)}` | {each.allowed} "
        f"| {', '.join(f'`{name}`' for name in each.env_names)} | {each.help} |\n"
        for each in settings()
        if each.section == section
    )
    head = "| setting | default | allowed | environment | meaning |\n|---|---|---|---|---|\n"
    return f"### `[{section}]`\n\n{room.__doc__}\n\n{head}{''.join(rows)}"


if __name__ == "__main__":
    sys.stdout.write(markdown())
