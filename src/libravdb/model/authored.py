"""What people wrote: documents, their nodes, the rules in them, and remarks on those."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from libravdb.model.json import Metadata
from libravdb.model.tier import Tier


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

    @property
    def spelled(self) -> str:
        """As it stands on disk and on the wire."""
        return _SPELLINGS[self]

    @classmethod
    def of(cls, told: object) -> NodeKind | None:
        """The kind that a spelling means, also a former one; None when it means none."""
        return _KINDS.get(told) if isinstance(told, str) else None


_SPELLINGS = {
    NodeKind.FRONT_MATTER: "YAMLFrontmatter",
    NodeKind.HEADING: "Heading",
    NodeKind.PARAGRAPH: "Paragraph",
    NodeKind.LIST_ITEM: "List",
    NodeKind.BLOCKQUOTE: "Blockquote",
    NodeKind.CODE: "CodeBlock",
    NodeKind.TABLE: "Table",
    NodeKind.HTML: "HTMLBlock",
}
_KINDS = {spelled: kind for kind in NodeKind for spelled in (kind.value, _SPELLINGS[kind])}


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
