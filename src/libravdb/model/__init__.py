"""The nouns, frozen. Values flow between rooms in these shapes and in no others.

Times are integers: milliseconds since 1970-01-01 UTC. A noun arrives when it is first named, and its file with it: to
make all of them takes longer than a command that asks a daemon one question.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from libravdb.model.assembly_mode import AssemblyMode as AssemblyMode
    from libravdb.model.attributes import AttributeKind as AttributeKind
    from libravdb.model.attributes import StatedAttribute as StatedAttribute
    from libravdb.model.authored import Authored as Authored
    from libravdb.model.authored import DocumentInfo as DocumentInfo
    from libravdb.model.authored import Modality as Modality
    from libravdb.model.authored import Node as Node
    from libravdb.model.authored import NodeKind as NodeKind
    from libravdb.model.authored import Outcome as Outcome
    from libravdb.model.authored import Remark as Remark
    from libravdb.model.authored import RemarkKind as RemarkKind
    from libravdb.model.authored import Rule as Rule
    from libravdb.model.authored import Severity as Severity
    from libravdb.model.authored import Spot as Spot
    from libravdb.model.authored import TieredNode as TieredNode
    from libravdb.model.changes import Append as Append
    from libravdb.model.changes import Change as Change
    from libravdb.model.changes import ClearJournal as ClearJournal
    from libravdb.model.changes import DropCollection as DropCollection
    from libravdb.model.changes import DropState as DropState
    from libravdb.model.changes import EnsureCollection as EnsureCollection
    from libravdb.model.changes import Link as Link
    from libravdb.model.changes import Put as Put
    from libravdb.model.changes import Remove as Remove
    from libravdb.model.changes import Restore as Restore
    from libravdb.model.changes import RestoreState as RestoreState
    from libravdb.model.changes import SetState as SetState
    from libravdb.model.changes import Touch as Touch
    from libravdb.model.changes import Unlink as Unlink
    from libravdb.model.compaction import Compacted as Compacted
    from libravdb.model.compaction import Draft as Draft
    from libravdb.model.compaction import Fact as Fact
    from libravdb.model.compaction import FactKind as FactKind
    from libravdb.model.compaction import Source as Source
    from libravdb.model.compaction import SummaryTask as SummaryTask
    from libravdb.model.erasure import CopyKind as CopyKind
    from libravdb.model.erasure import DeletedContent as DeletedContent
    from libravdb.model.erasure import ErasureCertificate as ErasureCertificate
    from libravdb.model.erasure import ErasureCheck as ErasureCheck
    from libravdb.model.erasure import ErasureCount as ErasureCount
    from libravdb.model.erasure import ErasureReview as ErasureReview
    from libravdb.model.erasure import NamespaceDigest as NamespaceDigest
    from libravdb.model.erasure import SignedErasure as SignedErasure
    from libravdb.model.erasure import StoreCopy as StoreCopy
    from libravdb.model.filters import ANYTHING as ANYTHING
    from libravdb.model.filters import Condition as Condition
    from libravdb.model.filters import Operator as Operator
    from libravdb.model.filters import Where as Where
    from libravdb.model.filters import equal_values as equal_values
    from libravdb.model.filters import ordered_number as ordered_number
    from libravdb.model.gate_report import Bin as Bin
    from libravdb.model.gate_report import Calibration as Calibration
    from libravdb.model.gate_report import CalibrationStep as CalibrationStep
    from libravdb.model.gate_report import Distribution as Distribution
    from libravdb.model.gate_report import GateAccount as GateAccount
    from libravdb.model.gate_report import GateReport as GateReport
    from libravdb.model.guidance import KeptWish as KeptWish
    from libravdb.model.guidance import Wish as Wish
    from libravdb.model.guidance import WishReach as WishReach
    from libravdb.model.inspection import CheckedStore as CheckedStore
    from libravdb.model.inspection import GateScore as GateScore
    from libravdb.model.inspection import GateScores as GateScores
    from libravdb.model.inspection import Health as Health
    from libravdb.model.inspection import HealthCheck as HealthCheck
    from libravdb.model.inspection import MarkedAnswer as MarkedAnswer
    from libravdb.model.inspection import MarkedHit as MarkedHit
    from libravdb.model.inspection import PreviewSection as PreviewSection
    from libravdb.model.inspection import PromptPreview as PromptPreview
    from libravdb.model.inspection import RecallSetting as RecallSetting
    from libravdb.model.inspection import ReceiptView as ReceiptView
    from libravdb.model.inspection import SummaryChild as SummaryChild
    from libravdb.model.inspection import SummaryNode as SummaryNode
    from libravdb.model.inspection import TriedSearch as TriedSearch
    from libravdb.model.inspection import TurnVerdict as TurnVerdict
    from libravdb.model.inspection import TurnView as TurnView
    from libravdb.model.json import Json as Json
    from libravdb.model.json import Metadata as Metadata
    from libravdb.model.listings import NamespaceInfo as NamespaceInfo
    from libravdb.model.listings import SessionInfo as SessionInfo
    from libravdb.model.notes import DiaryEntry as DiaryEntry
    from libravdb.model.notes import DreamPromotion as DreamPromotion
    from libravdb.model.notes import NoteFolder as NoteFolder
    from libravdb.model.notes import WeighedEntry as WeighedEntry
    from libravdb.model.profile import Profile as Profile
    from libravdb.model.profile import ProfileLine as ProfileLine
    from libravdb.model.prompts import Assembly as Assembly
    from libravdb.model.prompts import Bundle as Bundle
    from libravdb.model.prompts import ChooseTail as ChooseTail
    from libravdb.model.prompts import Chosen as Chosen
    from libravdb.model.prompts import Explained as Explained
    from libravdb.model.prompts import Item as Item
    from libravdb.model.prompts import LedgerLine as LedgerLine
    from libravdb.model.prompts import LeftOut as LeftOut
    from libravdb.model.prompts import Material as Material
    from libravdb.model.prompts import Prompt as Prompt
    from libravdb.model.prompts import Receipt as Receipt
    from libravdb.model.prompts import Replayed as Replayed
    from libravdb.model.prompts import ReplayedSection as ReplayedSection
    from libravdb.model.prompts import Section as Section
    from libravdb.model.prompts import SectionKind as SectionKind
    from libravdb.model.prompts import Shown as Shown
    from libravdb.model.prompts import Tail as Tail
    from libravdb.model.prompts import Trace as Trace
    from libravdb.model.prompts import Tranche as Tranche
    from libravdb.model.prompts import Why as Why
    from libravdb.model.reads import NOTHING_FORESEEN as NOTHING_FORESEEN
    from libravdb.model.reads import SPACES as SPACES
    from libravdb.model.reads import Beside as Beside
    from libravdb.model.reads import Commit as Commit
    from libravdb.model.reads import Excluded as Excluded
    from libravdb.model.reads import Features as Features
    from libravdb.model.reads import Foreseen as Foreseen
    from libravdb.model.reads import Key as Key
    from libravdb.model.reads import Near as Near
    from libravdb.model.reads import Order as Order
    from libravdb.model.reads import Page as Page
    from libravdb.model.reads import Revision as Revision
    from libravdb.model.reads import Terms as Terms
    from libravdb.model.reads import Topic as Topic
    from libravdb.model.reads import TopicKind as TopicKind
    from libravdb.model.reads import Word as Word
    from libravdb.model.recall import Answer as Answer
    from libravdb.model.recall import CandidateSet as CandidateSet
    from libravdb.model.recall import Hit as Hit
    from libravdb.model.recall import MeasuredCandidate as MeasuredCandidate
    from libravdb.model.recall import Remembered as Remembered
    from libravdb.model.recall import Scope as Scope
    from libravdb.model.recall import SearchMode as SearchMode
    from libravdb.model.recall import Vocabulary as Vocabulary
    from libravdb.model.records import MUST_BE_NEW as MUST_BE_NEW
    from libravdb.model.records import Edge as Edge
    from libravdb.model.records import Embedding as Embedding
    from libravdb.model.records import JournalEntry as JournalEntry
    from libravdb.model.records import Note as Note
    from libravdb.model.records import Record as Record
    from libravdb.model.records import SessionState as SessionState
    from libravdb.model.records import Vector as Vector
    from libravdb.model.records import digest as digest
    from libravdb.model.retention import Retained as Retained
    from libravdb.model.retention import RetainedKind as RetainedKind
    from libravdb.model.retention import RetainedRow as RetainedRow
    from libravdb.model.tier import Tier as Tier
    from libravdb.model.turns import Bootstrapped as Bootstrapped
    from libravdb.model.turns import Committed as Committed
    from libravdb.model.turns import ForgottenTurns as ForgottenTurns
    from libravdb.model.turns import IncomingTurn as IncomingTurn
    from libravdb.model.turns import Ingested as Ingested
    from libravdb.model.turns import Masked as Masked
    from libravdb.model.turns import Reception as Reception
    from libravdb.model.turns import Role as Role
    from libravdb.model.turns import Turn as Turn
    from libravdb.model.turns import role_named as role_named
    from libravdb.model.upkeep import BackupCopy as BackupCopy
    from libravdb.model.upkeep import CollectionInfo as CollectionInfo
    from libravdb.model.upkeep import CopiedPart as CopiedPart
    from libravdb.model.upkeep import CopiedStore as CopiedStore
    from libravdb.model.upkeep import Finding as Finding
    from libravdb.model.upkeep import Imported as Imported
    from libravdb.model.upkeep import Loss as Loss
    from libravdb.model.upkeep import MovedMemory as MovedMemory
    from libravdb.model.upkeep import Reembedded as Reembedded
    from libravdb.model.upkeep import Repaired as Repaired
    from libravdb.model.upkeep import Space as Space
    from libravdb.model.upkeep import SpaceState as SpaceState
    from libravdb.model.upkeep import Status as Status
    from libravdb.model.upkeep import StoredText as StoredText
    from libravdb.model.upkeep import StoreHealth as StoreHealth
    from libravdb.model.upkeep import StoreStats as StoreStats
    from libravdb.model.upkeep import Volume as Volume
    from libravdb.model.upkeep import Watching as Watching
    from libravdb.model.verdicts import Firing as Firing
    from libravdb.model.verdicts import Judged as Judged
    from libravdb.model.verdicts import Kin as Kin
    from libravdb.model.verdicts import Kinship as Kinship
    from libravdb.model.verdicts import Verdict as Verdict
    from libravdb.model.verdicts import admission_in as admission_in
    from libravdb.model.watching import Did as Did
    from libravdb.model.watching import News as News
    from libravdb.model.watching import WatchTally as WatchTally

_FILES = {
    "assembly_mode": "AssemblyMode",
    "attributes": "AttributeKind StatedAttribute",
    "authored": (
        "Authored DocumentInfo Modality Node NodeKind Outcome Remark RemarkKind Rule Severity Spot TieredNode"
    ),
    "changes": (
        "Append Change ClearJournal DropCollection DropState EnsureCollection Link Put Remove Restore "
        "RestoreState SetState Touch Unlink"
    ),
    "compaction": "Compacted Draft Fact FactKind Source SummaryTask",
    "erasure": (
        "CopyKind DeletedContent ErasureCertificate ErasureCheck ErasureCount ErasureReview NamespaceDigest "
        "SignedErasure StoreCopy"
    ),
    "filters": "ANYTHING Condition Operator Where equal_values ordered_number",
    "gate_report": "Bin Calibration CalibrationStep Distribution GateAccount GateReport",
    "guidance": "KeptWish Wish WishReach",
    "inspection": (
        "CheckedStore GateScore GateScores Health HealthCheck MarkedAnswer MarkedHit PreviewSection PromptPreview "
        "RecallSetting ReceiptView SummaryChild SummaryNode TriedSearch TurnVerdict TurnView"
    ),
    "json": "Json Metadata",
    "listings": "NamespaceInfo SessionInfo",
    "notes": "DiaryEntry DreamPromotion NoteFolder WeighedEntry",
    "profile": "Profile ProfileLine",
    "prompts": (
        "Assembly Bundle ChooseTail Chosen Explained Item LedgerLine LeftOut Material Prompt Receipt Replayed "
        "ReplayedSection Section SectionKind Shown Tail Trace Tranche Why"
    ),
    "reads": (
        "Beside Commit Excluded Features Foreseen Key NOTHING_FORESEEN Near Order Page Revision SPACES Terms Topic"
        " TopicKind Word"
    ),
    "recall": "Answer CandidateSet Hit MeasuredCandidate Remembered Scope SearchMode Vocabulary",
    "records": "Edge Embedding JournalEntry MUST_BE_NEW Note Record SessionState digest",
    "retention": "Retained RetainedKind RetainedRow",
    "tier": "Tier",
    "turns": "Bootstrapped Committed ForgottenTurns IncomingTurn Ingested Masked Reception Role Turn role_named",
    "upkeep": (
        "BackupCopy CollectionInfo CopiedPart CopiedStore Finding Imported Loss MovedMemory Reembedded Repaired "
        "Space SpaceState Status "
        "StoreHealth StoreStats StoredText Volume Watching"
    ),
    "verdicts": "Firing Judged Kin Kinship Verdict admission_in",
    "watching": "Did News WatchTally",
}
_HOMES = {name: file for file, names in _FILES.items() for name in names.split()}

__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    """Load a noun from its file at first use."""
    file = _HOMES.get(name)
    if file is None:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    noun: object = getattr(import_module(f"libravdb.model.{file}"), name)
    globals()[name] = noun
    return noun


def __dir__() -> list[str]:
    return sorted(__all__)
