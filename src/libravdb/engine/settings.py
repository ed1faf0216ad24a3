"""What the engine decides by: those sections of the configuration that are its own, as they are."""

from __future__ import annotations

from dataclasses import dataclass, field

from libravdb.core.assembly.settings import AssemblySettings
from libravdb.core.authored.settings import AuthoredSettings
from libravdb.core.compaction.settings import CompactionSettings
from libravdb.core.gate.settings import GateSettings
from libravdb.core.ingest.settings import IngestSettings
from libravdb.core.recall.settings import RecallSettings
from libravdb.core.retention.settings import RetentionSettings
from libravdb.ports.settings import StoreSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSettings:
    """Every section by the name it has in the configuration."""

    store: StoreSettings = field(default_factory=StoreSettings)
    search: RecallSettings = field(default_factory=RecallSettings)
    assembly: AssemblySettings = field(default_factory=AssemblySettings)
    ingest: IngestSettings = field(default_factory=IngestSettings)
    gate: GateSettings = field(default_factory=GateSettings)
    compaction: CompactionSettings = field(default_factory=CompactionSettings)
    authored: AuthoredSettings = field(default_factory=AuthoredSettings)
    retention: RetentionSettings = field(default_factory=RetentionSettings)

    @property
    def hard_budget(self) -> int:
        """The tokens that the hard rules of one document may take."""
        return self.authored.hard_budget(self.assembly.augment_hard_share)
