"""The nouns, frozen. Values flow between rooms in these shapes and in no others.

Times are integers: milliseconds since 1970-01-01 UTC.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Metadata = Mapping[str, Json]

MUST_BE_NEW = 0
"""As `expect`: the record must not exist yet."""


def digest(text: str) -> bytes:
    """The content address of a text."""
    return sha256(text.encode()).digest()


# ── what is kept ──────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One text under an id in a collection, as the store holds it."""

    collection: str
    id: str
    text: str
    metadata: Metadata
    at: int
    version: int
    access_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """Coverage: `parent` (a summary) stands for `child` (a turn or another summary)."""

    session: str
    parent: str
    child: str
    child_kind: str
    position: int
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry:
    """One lifecycle event of a session; the journal is bounded and never enters retrieval."""

    seq: int
    session: str
    at: int
    entry: Metadata


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionState:
    """What the engine remembers about a session itself; `generation` grows with each change."""

    session: str
    generation: int
    state: Metadata
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedding:
    """The vectors of one text: row 0 is the whole, later rows its passages in order."""

    fingerprint: str
    vectors: Vector


# ── what is said and what is ruled ────────────────────────────────────────────────────────────────────────


class Role(StrEnum):
    """Who speaks in a turn."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One thing said in a session. `id` is the host's own; `speaker` is a name, if the host knows one."""

    namespace: str
    session: str
    id: str
    role: Role
    text: str
    at: int
    speaker: str = ""
    metadata: Metadata = field(default_factory=dict)


class Modality(StrEnum):
    """What a rule does to an action."""

    OBLIGATION = "obligation"
    PROHIBITION = "prohibition"
    PERMISSION = "permission"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule found in a text: where its sentence stands, the words that decided, and why.

    `start`, `end` and `cue` count characters of the text that was read. `action` holds the stems of what is to be done
    or left, without the words that make it a rule and without filler: equal actions of opposite modality contradict.
    """

    modality: Modality
    sentence: str
    start: int
    end: int
    cue: tuple[int, int]
    action: tuple[str, ...]
    language: str
    reason: str


# ── what a host reports ───────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One thing that a host reports as said, before it becomes a turn.

    `skipped` says in words why it is not to be kept; empty means that it is. `id` and `at` are None while nobody knows
    them. `metadata` holds what else the host told (`tool`, `tool_call_id`, `is_error`).
    """

    role: Role
    text: str
    id: str | None = None
    at: int | None = None
    speaker: str = ""
    skipped: str = ""
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Masked:
    """A text without its secrets: `counts` tells how many of each kind were masked, nothing tells what they were.

    `is_secret_only` is True when nothing but secrets (and the names they were assigned to) was said.
    """

    text: str
    counts: Mapping[str, int]
    is_secret_only: bool


# ── what is authored ──────────────────────────────────────────────────────────────────────────────────────


class NodeKind(StrEnum):
    """What a piece of a Markdown document is."""

    FRONT_MATTER = "front_matter"
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    BLOCKQUOTE = "blockquote"
    CODE = "code"
    TABLE = "table"
    HTML = "html"


class Tier(IntEnum):
    """How binding a node is: hard ones stand in every prompt, soft ones as far as they fit, lore when relevant."""

    LORE = 0
    HARD = 1
    SOFT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A piece of a document in source order. Bytes `start` to `end` of the UTF-8 document are its source.

    `text` is that source with line feeds only and without the indentation of its first line. `context` holds the texts
    of the list items around it, the outermost first. Lines count from 1.
    """

    kind: NodeKind
    ordinal: int
    start: int
    end: int
    line: int
    text: str
    context: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TieredNode:
    """A node with its tier and the reason for it, and the rules that were read in it."""

    node: Node
    tier: Tier
    authority: float
    tokens: int
    rules: tuple[Rule, ...]
    is_promoted: bool
    reason: str

    @property
    def modalities(self) -> frozenset[Modality]:
        """What its rules do."""
        return frozenset(rule.modality for rule in self.rules)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentInfo:
    """What is known of an authored document without reading its nodes.

    `cache_key` is `sha256(raw ‖ 0x00 ‖ tokenizer id)`; `source_meta` is what the caller told about the file
    (sourcePath, fileHash, sourceSize, sourceMtimeMs …); `at` is when the nodes were written.
    """

    source_doc: str
    cache_key: str
    core: bool
    nodes: int
    hard_tokens: int
    soft_tokens: int
    source_meta: Metadata
    at: int


class Outcome(StrEnum):
    """What became of a document that was given to be kept."""

    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Authored:
    """The account of one document that was given to be kept; `degraded` tells in words what is reduced."""

    outcome: Outcome
    document: DocumentInfo
    degraded: str = ""


# ── what is remarked on ──────────────────────────────────────────────────────────────────────────────────


class RemarkKind(StrEnum):
    """What a remark is about."""

    CONTRADICTION = "contradiction"
    DUPLICATE = "duplicate"
    VAGUE = "vague"
    BUDGET = "budget"


class Severity(StrEnum):
    """How much a remark matters: an error breaks the rules or the budget, a warning may, a hint is for the author."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Spot:
    """A place in an authored file, with the text that stands there."""

    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """Something an author should look at, with every place it concerns, in order."""

    kind: RemarkKind
    severity: Severity
    message: str
    places: tuple[Spot, ...]


# ── what is changed ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Put:
    """Write a record. `expect` is the version the caller saw: None for any, MUST_BE_NEW for none."""

    collection: str
    id: str
    text: str
    at: int
    metadata: Metadata = field(default_factory=dict)
    embedding: Embedding | None = None
    expect: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Restore:
    """Write a record exactly as an export holds it, version and access count included."""

    record: Record
    embedding: Embedding | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Remove:
    """Delete a record. An unknown one is no error unless `expect` names a version."""

    collection: str
    id: str
    expect: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """Count one access for each distinct id; unknown ids are skipped."""

    collection: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EnsureCollection:
    """Make the collection exist, empty if it is new."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DropCollection:
    """Delete a collection and every record in it; an unknown one is no error. `seen` are the ids that the caller knows
    of: a record beside them is one too many. None for any."""

    name: str
    seen: frozenset[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Write a coverage edge; the same edge again is no change."""

    edge: Edge


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlink:
    """Delete every coverage edge of a session, or those of one of its summaries."""

    session: str
    parent: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Append:
    """Add a journal entry, then drop the oldest beyond `keep`."""

    session: str
    at: int
    entry: Metadata
    keep: int = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearJournal:
    """Delete the journal entries of these numbers; unknown ones are no error. None for all."""

    seqs: frozenset[int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetState:
    """Replace a session's state when its generation is still `expect` (0: there is none yet)."""

    session: str
    state: Metadata
    at: int
    expect: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepState:
    """Write nothing, when a session's state is still this one: what else is committed was decided by it."""

    state: SessionState


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreState:
    """Write a session's state exactly as an export holds it, generation included."""

    state: SessionState


@dataclass(frozen=True, slots=True, kw_only=True)
class DropState:
    """Forget a session's state; an unknown one is no error unless `expect` names a generation."""

    session: str
    expect: int | None = None


Change = (
    Put
    | Restore
    | Remove
    | Touch
    | EnsureCollection
    | DropCollection
    | Link
    | Unlink
    | Append
    | ClearJournal
    | SetState
    | KeepState
    | RestoreState
    | DropState
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A text to be remembered. Without an id it gets one from its content, so that it is kept once."""

    text: str
    collection: str
    id: str | None = None
    metadata: Metadata | None = None
    at: int | None = None


# ── what the gate decides ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Firing:
    """A detector of the gate that found something: the pieces of text it recognised are its evidence."""

    signal: str
    weight: float
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Is a turn worth keeping beyond its session? Every part of the score, the veto if there is one, and why.

    `novelty` is H, `frequency` F, `saturation` S, `repetition` R, `technical` T, `load` Dnl, `specificity` P,
    `action` A, `detail` Dtech, `conversational` Gconv, `engineering` Gtech, `score` G. `veto` is a name, or empty.
    """

    score: float
    threshold: float
    novelty: float
    frequency: float
    saturation: float
    repetition: float
    technical: float
    load: float
    specificity: float
    action: float
    detail: float
    conversational: float
    engineering: float
    veto: str
    reasons: tuple[str, ...]

    @property
    def is_admitted(self) -> bool:
        """True when the score reaches the threshold and nothing forbids it."""
        return not self.veto and self.score >= self.threshold

    def words(self) -> str:
        """The verdict in one sentence: what became of the turn, its score, and the veto if there is one."""
        if self.veto:
            return f"not kept: {self.veto} (score {self.score:.2f}, threshold {self.threshold:.2f})"
        if self.is_admitted:
            return f"kept: score {self.score:.2f} reaches {self.threshold:.2f}"
        return f"not kept: score {self.score:.2f} is below {self.threshold:.2f}"

    def metadata(self) -> dict[str, Json]:
        """What is stored with the turn."""
        return {
            "gating_score": self.score,
            "gating_t": self.technical,
            "gating_h": self.novelty,
            "gating_r": self.repetition,
            "gating_d": self.load,
            "gating_p": self.specificity,
            "gating_a": self.action,
            "gating_dtech": self.detail,
            "gating_gconv": self.conversational,
            "gating_gtech": self.engineering,
            "gating_admitted": self.is_admitted,
            "gating_veto": self.veto,
            "gating_verdict": self.words(),
        }


class Kin(StrEnum):
    """How a new statement stands to a remembered one."""

    SAME = "same"
    SUPERSEDES = "supersedes"
    DISTINCT = "distinct"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kinship:
    """What a new statement is to a remembered one, and why."""

    kin: Kin
    reason: str


# ── what is asked and found ───────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """A filter: every named metadata key equals one of its values, and the time lies in [since, until)."""

    metadata: Mapping[str, tuple[Json, ...]] = field(default_factory=dict)
    since: int | None = None
    until: int | None = None

    def is_open(self) -> bool:
        """True when the filter lets everything through."""
        return not self.metadata and self.since is None and self.until is None


ANYTHING = Where()


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One read over several collections; `k` candidates of each kind from each collection.

    `text` asks the full-text index, `embedding` the vectors; either may be absent. `exclude` holds record
    ids per collection and never shortens the answer. `is_whole` compares whole texts only, not their passages.
    `linked` names the collections in which a survey also looks at the turns beside the best `links` of each kind.
    """

    collections: tuple[str, ...]
    k: int
    text: str | None = None
    embedding: Embedding | None = None
    exclude: Mapping[str, frozenset[str]] = field(default_factory=dict)
    where: Where = ANYTHING
    is_whole: bool = False
    linked: frozenset[str] = frozenset()
    links: int = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A record that a read found. `cosine` is its best vector's, `passage` that vector's row.

    None means: not measured (no vector, or no matching word).
    """

    record: Record
    cosine: float | None = None
    passage: int | None = None
    bm25: float | None = None


class Scope(StrEnum):
    """Where a memory stands in relation to the question; nearer scopes weigh more."""

    SESSION = "session"
    ELEVATED = "elevated"
    DURABLE = "durable"
    LORE = "lore"
    SUMMARY = "summary"
    HISTORY = "history"
    GLOBAL = "global"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """A record that a survey met, with all that was measured of it.

    `cosine` is that of its best vector (row `passage`), `whole` that of the whole text; None means: it has no vectors,
    or none were asked for. `counts` tells how often each word of the question stands in it, `length` how many terms it
    has. `before` and `after` are the ids of the turns beside it in its session, if the survey met them. `is_found`
    is False when only its neighbour brought it here.
    """

    record: Record
    cosine: float | None = None
    whole: float | None = None
    passage: int | None = None
    counts: tuple[int, ...] = ()
    length: int = 0
    before: str | None = None
    after: str | None = None
    is_found: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """How common the words of a question are in a collection: of `texts` texts with `terms` terms in all, so many
    hold each word."""

    texts: int
    terms: int
    holders: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """What a read found on a question, for ranking: `words` are those asked, each in every form it may have."""

    words: tuple[tuple[str, ...], ...]
    sightings: tuple[Sighting, ...]
    vocabularies: Mapping[str, Vocabulary]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A search result with its full account: `breakdown` holds every part of the score."""

    record: Record
    score: float
    breakdown: Mapping[str, float]
    reasons: tuple[str, ...]


class SearchMode(StrEnum):
    """How an answer was found; a reduced mode is always shown."""

    FULL = "full"
    LEXICAL_ONLY = "lexical-only"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a search returns: hits, the mode, and in words why it was reduced (empty when full).

    `silence` tells in words why nothing is shown although something was met.
    """

    hits: tuple[Hit, ...]
    mode: SearchMode
    degraded: str = ""
    silence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What became of a text to be remembered. `is_new` is False when it was known already."""

    record: Record
    is_new: bool
    degraded: str = ""


# ── what became of what was said ──────────────────────────────────────────────────────────────────────────


class Reception(StrEnum):
    """What became of one thing said."""

    STORED = "stored"
    KNOWN = "known"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested:
    """What became of one thing said: its id in the session, and, for a judged turn, the gate's verdict.

    `reason` says why it was skipped. `memory` is the id in durable memory, of a new one or of the one it
    `strengthened`; `supersedes` names the memories that it makes outdated. `secrets` counts what was masked, by kind.
    """

    reception: Reception
    role: Role
    id: str = ""
    reason: str = ""
    verdict: Verdict | None = None
    memory: str = ""
    is_strengthened: bool = False
    supersedes: tuple[str, ...] = ()
    secrets: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """What became of a batch of messages. `is_duplicate`: the whole batch was committed before under its key."""

    namespace: str
    turns: tuple[Ingested, ...]
    is_duplicate: bool = False
    degraded: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bootstrapped:
    """Where a session stands: how many turns it holds, and how many of them came with this call."""

    namespace: str
    session: str
    turns: int
    imported: int
    degraded: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A verdict, the memory that says the same already, and those that it makes outdated."""

    verdict: Verdict
    same: Record | None = None
    outdated: tuple[Record, ...] = ()


# ── what stands in a prompt ───────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """Turns that belong together, from place `start` to before `end`; `reason` says what couples them."""

    start: int
    end: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """The recent part of a conversation that stays word for word: the turns from place `start` on.

    `base` is where its mandatory part begins, `base_tokens` what that costs, `tokens` what all of it costs. `is_split`
    is True when a bundle had to be cut at the boundary for the budget's sake.
    """

    base: int
    start: int
    base_tokens: int
    tokens: int
    is_split: bool
    reasons: tuple[str, ...]


class ChooseTail(Protocol):
    """The room of continuity, as assembly sees it."""

    def __call__(
        self,
        turns: Sequence[Turn],
        *,
        price: Callable[[int], int],
        tail_budget: int,
        room: Callable[[int], int],
        minimum: int,
        held: int | None,
        slack: float,
        firm: int | None,
    ) -> Tail:
        """The tail of turns in order; `price` is that of the turns from a place on, `room` the most that all of the
        tail may take when its mandatory part takes so much."""


class AssemblyMode(StrEnum):
    """Whose job the history is: the host keeps its own and we add to it, or we choose what of it stays."""

    AUGMENT = "augment"
    WINDOW = "window"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A message that the host shows the model. `content` is all that the model reads of it, which is what it costs;
    `said` is what ingest reads in it, which is how it is known again."""

    content: str
    said: tuple[Said, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A memory in a prompt, with the score it was chosen for."""

    id: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What the next assembly of a session has to know of this one to stay stable.

    `turn` names the turn it was made for, `tail_start` the turn at which the tail begins, `elevated` and `recalled`
    what was chosen, in order. `sections` holds a digest of each piece of each section, in the order of the prompt.
    """

    turn: str
    tail_start: str = ""
    elevated: tuple[Chosen, ...] = ()
    recalled: tuple[Chosen, ...] = ()
    sections: tuple[tuple[str, ...], ...] = ()


class Why(StrEnum):
    """Why something does not stand in a prompt."""

    GATE = "gate"
    SCORE = "score"
    BUDGET = "budget"
    SUPERSEDED = "superseded"
    VISIBLE = "already visible"
    SAME_TURN = "same turn"
    DEGRADED = "degraded"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Something that does not stand in a prompt, and why; `collection` is empty for a message of the host."""

    id: str
    collection: str
    why: Why
    reason: str
    score: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """All that one assembly is made of.

    `budget` is τ in tokens. `turns` are those of the session in order; the end of it is enough. `rules` are the hard
    and soft nodes of core documents in authored order, `summaries` those of the session, oldest first. `elevated` and
    `recalled` are in rank order; `recovered` are raw turns that come before what was recalled, within `reserve` tokens.
    `silence` says in words why nothing of what was recalled is relevant; empty means that
    it is. `floor` is the least score that counts. `left_out` tells what was refused before, for the receipt. `turn`
    names the current turn: calls with the same name give the same choice; empty takes the prompt for it. `degraded`
    says in words how search was reduced.
    """

    mode: AssemblyMode
    budget: int
    session: str = ""
    prompt: str = ""
    turn: str = ""
    messages: tuple[Shown, ...] = ()
    turns: tuple[Turn, ...] = ()
    rules: tuple[Record, ...] = ()
    summaries: tuple[Record, ...] = ()
    elevated: tuple[Hit, ...] = ()
    recalled: tuple[Hit, ...] = ()
    recovered: tuple[Hit, ...] = ()
    reserve: int = 0
    silence: str = ""
    floor: float = 0.0
    left_out: tuple[LeftOut, ...] = ()
    search_mode: SearchMode = SearchMode.FULL
    degraded: str = ""
    previous: Trace | None = None
    timings: Mapping[str, float] = field(default_factory=dict)


class SectionKind(StrEnum):
    """What a part of a prompt is."""

    RULES = "rules"
    SUMMARIES = "summaries"
    TAIL = "tail"
    MESSAGE = "message"
    ELEVATED = "elevated"
    RECALLED = "recalled"
    DEGRADED = "degraded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of a prompt: a frame of ours, or a message of the host at `place` of its list.

    `tokens` is the price of exactly this text. What the host shows on its own account is not charged to our budget.
    """

    kind: SectionKind
    pieces: tuple[str, ...]
    tokens: int
    place: int | None = None
    is_charged: bool = True

    @property
    def text(self) -> str:
        """What the model reads."""
        return "".join(self.pieces)


class Tranche(StrEnum):
    """The claims on a budget, in the order in which they are served."""

    HOST = "host's own"
    HARD = "hard rules"
    TAIL = "mandatory tail"
    SOFT = "soft rules"
    EXTENSION = "tail extension"
    ELEVATED = "elevated"
    SUMMARIES = "summaries"
    RECALL = "recall"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerLine:
    """One claim on the budget: the most it could take, and what it took."""

    tranche: Tranche
    limit: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing that stands in a prompt, what it costs by itself, and why it is there."""

    tranche: Tranche
    id: str
    collection: str
    tokens: int
    score: float
    breakdown: Mapping[str, float]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The account of one assembly. `mode` is how it was made, `outcome` is full, lexical-only or degraded.

    `tokens` is what was spent of `budget`; `host_tokens` is what the host shows on its own account. `leading_tokens` of
    the prompt are equal to the beginning of the one before. `violations` are broken invariants, and always a defect.
    """

    mode: AssemblyMode
    outcome: str
    budget: int
    tokens: int
    host_tokens: int
    leading_tokens: int
    ledger: tuple[LedgerLine, ...]
    items: tuple[Item, ...]
    left_out: tuple[LeftOut, ...]
    reasons: tuple[str, ...]
    degraded: str = ""
    timings: Mapping[str, float] = field(default_factory=dict)
    violations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembly:
    """A prompt as far as memory shapes it: its sections in order, with the account and the trace for the next one.

    A host gets `rules` for its system prompt, `opening` as a message before its history, `closing` as one at place
    `closing_at` among those it keeps; `kept` are their places in the list it gave. A text is empty when there is
    nothing.
    """

    mode: AssemblyMode
    budget: int
    sections: tuple[Section, ...]
    tail: Tail
    receipt: Receipt
    trace: Trace

    @property
    def tokens(self) -> int:
        """What is charged to the budget."""
        return sum(section.tokens for section in self.sections if section.is_charged)

    @property
    def is_degraded(self) -> bool:
        """True when the mandatory parts alone exceed the budget."""
        return any(section.kind is SectionKind.DEGRADED for section in self.sections)

    @property
    def kept(self) -> tuple[int, ...]:
        """The places of the host's messages that stay, in order."""
        return tuple(section.place for section in self.sections if section.place is not None)

    @property
    def rules(self) -> str:
        """The authored rules: the same bytes as long as the documents are."""
        return self._text_of(SectionKind.RULES)

    @property
    def opening(self) -> str:
        """What stands before the host's history: summaries, and turns that the host does not show."""
        return self._text_of(SectionKind.SUMMARIES, SectionKind.TAIL)

    @property
    def closing(self) -> str:
        """What depends on the question, next to it: guidance, memories, or the notice that memory is degraded."""
        return self._text_of(SectionKind.ELEVATED, SectionKind.RECALLED, SectionKind.DEGRADED)

    @property
    def closing_at(self) -> int:
        """How many of the kept messages stand before the closing text."""
        late = (SectionKind.ELEVATED, SectionKind.RECALLED, SectionKind.DEGRADED)
        before = next((i for i, section in enumerate(self.sections) if section.kind in late), len(self.sections))
        return sum(section.place is not None for section in self.sections[:before])

    @property
    def text(self) -> str:
        """The whole prompt, for a caller without messages."""
        return "".join(section.text for section in self.sections)

    def _text_of(self, *kinds: SectionKind) -> str:
        return "".join(section.text for section in self.sections if section.kind in kinds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A prompt as a host gets it.

    `rules` belong into its system prompt, `opening` before its history, `closing` as a message after the first
    `closing_at` of the messages that stay; `kept` are their places in the list it gave. Texts are empty when there is
    nothing. `tokens` is what was spent of `budget`, `host_tokens` what the host shows on its own account,
    `leading_tokens` how much of the whole is the unchanged beginning of the prompt before. `outcome` is full,
    lexical-only or degraded, `degraded` says why in words. `receipt` names the account that explains it all.
    """

    mode: AssemblyMode
    rules: str
    opening: str
    closing: str
    closing_at: int
    kept: tuple[int, ...]
    budget: int
    tokens: int
    host_tokens: int
    leading_tokens: int
    outcome: str
    receipt: str
    degraded: str = ""

    @property
    def text(self) -> str:
        """All of it in order, for a caller without messages of its own."""
        return self.rules + self.opening + self.closing


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """The account of a prompt: the receipt, told in words, and drawn as a bar of its budget."""

    id: str
    session: str
    prompt: str
    at: int
    receipt: Receipt
    words: tuple[str, ...]
    bar: tuple[str, ...]


# ── what is folded ────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A turn or a summary of a session's active view that may be folded.

    `level` is 0 for a turn, 1 for a summary of turns, one more than its highest source for a summary of summaries.
    `first_at` is the time of the earliest turn it stands for, `at` that of the latest. `stability` is the turn's
    `stability_weight`, `gate` its gate score if it was judged (of a summary: the mean of its turns').
    """

    id: str
    text: str
    at: int
    role: str = Role.USER
    speaker: str = ""
    level: int = 0
    first_at: int | None = None
    stability: float = 0.0
    gate: float | None = None
    provenance: str = ""

    @property
    def is_summary(self) -> bool:
        """True when it stands for other records."""
        return self.level > 0

    @property
    def since(self) -> int:
        """The time of the earliest turn in it."""
        return self.at if self.first_at is None else self.first_at


class FactKind(StrEnum):
    """What sort of thing a text names that must not get lost when it is folded."""

    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    PATH = "path"
    COMMAND = "command"
    URL = "url"
    IDENTIFIER = "identifier"
    NAME = "name"
    DECISION = "decision"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something named in a text: as it was written, in the form it is compared by, and which text names it first.

    `count` tells how often it is named in all of them.
    """

    kind: FactKind
    text: str
    normal: str
    source: int
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryTask:
    """What a summariser is asked: texts in the order they were said, and who said each (a role, or a name).

    `support` holds earlier summaries that the new one may lean on; it need not be repeated. The draft should take at
    most `max_tokens` by the prompt estimator.
    """

    texts: tuple[str, ...]
    roles: tuple[str, ...]
    support: tuple[str, ...] = ()
    max_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Compacted:
    """What a compaction did: `turns_removed` left the active view, which took `tokens_before` and takes `tokens_after`.

    `facts_kept` of `facts_listed` are in the summaries or their ledgers. `reasons` tell why clusters were declined.
    """

    did_compact: bool
    clusters_formed: int
    clusters_declined: int
    turns_removed: int
    tokens_before: int
    tokens_after: int
    summary_method: str
    mean_confidence: float
    facts_kept: int
    facts_listed: int
    summaries: tuple[str, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a summariser wrote. `confidence` is the model's own, in [0, 1], or None when it has none; `notes` say what
    was left unread or cut."""

    text: str
    method: str
    confidence: float | None = None
    notes: tuple[str, ...] = ()


# ── what is told about the store ──────────────────────────────────────────────────────────────────────────


class SpaceState(StrEnum):
    """The life of a vector space in a store."""

    ACTIVE = "active"
    BUILDING = "building"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """The vectors of one embedder: `fingerprint` is its content, `description` is for people.

    `texts` counts the distinct texts that have vectors, `vectors` the vectors. `retired` grows with each switch: the
    space with the highest was in use last.
    """

    fingerprint: str
    dimensions: int
    description: Metadata
    state: SpaceState
    texts: int
    vectors: int
    retired: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredText:
    """A distinct text of the store, by its content address."""

    digest: bytes
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionInfo:
    """A collection and how many records it holds."""

    name: str
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreStats:
    """Counts over the whole store. `unembedded` texts have no vector in the active space yet."""

    collections: int
    records: int
    texts: int
    unembedded: int
    edges: int
    journal: int
    sessions: int
    size_bytes: int
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Watching:
    """The state of a watcher. `mode` is scanning, notified, polling, stopped or failed; `waiting` notes are still to be
    read; `last_change` is 0 when there was none; of the problems the first are told in words."""

    folders: tuple[str, ...]
    mode: str
    documents: int
    waiting: int
    last_change: int
    problem_count: int
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The state of an engine: how it searches, with what, over what; in a daemon also the folders it watches."""

    version: str
    mode: SearchMode
    degraded: str
    embedder: Metadata
    spaces: tuple[Space, ...]
    store: StoreStats
    watch: Watching | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reembedded:
    """What a re-embedding did: `found` and `required` are the self-check's shares (None: none was due)."""

    fingerprint: str
    embedded: int
    switched: bool
    found: float | None = None
    required: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import brought in."""

    records: int = 0
    edges: int = 0
    journal: int = 0
    sessions: int = 0
    vectors: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A broken invariant that `fsck` found."""

    invariant: str
    detail: str
