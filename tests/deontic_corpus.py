"""The labelled sentences that the deontic reader is judged on, and how its mistakes are counted.

The splits: *dev* is what the reader was built on. *check* was written unseen by it and holds the promised figures.
*dev-2* and *check-2* are two halves, parted by a hash, of sentences about nouns, labels and names that look like
commands; *dev-3* and *check-3* are those of norms without a command, and of modals that bind nobody. Each *blind* set
was written after the reader had learned from the one before; `docs/internals/authored.md` has the figures of its first
run.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from libravdb.core.authored.deontic import read

CORPUS = Path(__file__).parent / "core" / "authored" / "corpus"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A labelled sentence: its label is a modality, or "none"."""

    language: str
    label: str
    genre: str
    split: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Counts over some samples; shares are of the sentences that are no rules, and of those that are."""

    rules: int
    others: int
    false_positives: int
    false_negatives: int
    wrong_modality: int

    @property
    def false_positive_share(self) -> float:
        """Of the sentences that are no rules, how many were read as one."""
        return self.false_positives / max(self.others, 1)

    @property
    def false_negative_share(self) -> float:
        """Of the rules, how many were not seen."""
        return self.false_negatives / max(self.rules, 1)


def load(folder: Path = CORPUS) -> list[Sample]:
    """Every sample of the corpus; the file names the language."""
    samples = []
    for path in sorted(folder.glob("*.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines()[1:]:
            label, genre, split, text = line.split("\t")
            samples.append(Sample(language=path.stem, label=label, genre=genre, split=split, text=text))
    return samples


def label_of(text: str) -> str:
    """What the reader says."""
    found = read(text).rule
    return found.modality.value if found else "none"


def score(samples: Iterable[Sample]) -> Score:
    """Count the reader's mistakes."""
    pairs = [(sample.label, label_of(sample.text)) for sample in samples]
    return Score(
        rules=sum(label != "none" for label, _ in pairs),
        others=sum(label == "none" for label, _ in pairs),
        false_positives=sum(label == "none" != found for label, found in pairs),
        false_negatives=sum(label != "none" == found for label, found in pairs),
        wrong_modality=sum("none" not in (label, found) and label != found for label, found in pairs),
    )
