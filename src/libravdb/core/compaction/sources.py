"""The sources of a summary, read for comparison: what was said by whom on which day, in which words and figures.

`Witness` reads each part when it is first asked about, and once. The forms that words are compared by stand here too.
Pure, and about linear in the length of the sources.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest

from libravdb.core.compaction.fact_readers import read
from libravdb.core.compaction.negations import count_negations, is_negation
from libravdb.model import FactKind, SummaryTask
from libravdb.text.analysis import ALL_STOP_WORDS, query_words
from libravdb.text.sentences import sentences

TOKEN = re.compile(r"\d+(?:[.,:/'-]\d+)*|[^\W\d_]+(?:['’-][^\W\d_]+)*")
HAN = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_CLAUSE = re.compile(
    r"[,;:()–—，；：、]+(?!\d)|\s(?:and|but|while|because|und|aber|sondern|weil|y|pero|porque|et|mais|car)\s|但|而且|因为"
)
_AUXILIARY = frozenset("do does did is are was were has have had can could will would should may might".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidLine:
    """What somebody said on a day, on one line; `day` is empty where it is not known."""

    speaker: str
    day: str
    text: str

    @property
    def label(self) -> str:
        """Who said it when, as a line of a summary begins."""
        return f"[{self.day}] {self.speaker}" if self.day else self.speaker


def said_lines(task: SummaryTask) -> tuple[SaidLine, ...]:
    """What was said, as the task tells it; nothing that somebody says is read as a label."""
    told = zip_longest(task.texts, task.roles[: len(task.texts)], task.days[: len(task.texts)], fillvalue="")
    return tuple(
        SaidLine(speaker=" ".join(speaker.split()), day=day, text=on_one_line(text))
        for text, speaker, day in told
        if text.strip()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceClause:
    """Part of a sentence: the forms of its content words, and whether it denies."""

    forms: frozenset[str]
    is_negated: bool


class Witness:
    """Lines that were said, read as far as they are asked about, and each part of them once."""

    def __init__(self, said: Sequence[SaidLine]) -> None:
        self.said = tuple(said)
        self._parts: dict[tuple[str, ...], Witness] = {}

    def of(self, speaker: str, day: str) -> Witness:
        """What somebody said, on a day where one is named."""
        name = speaker_key(speaker)
        return self._part(
            ("of", name, day),
            lambda line: speaker_key(line.speaker) == name and (not day or line.day == day),
        )

    def under(self, label: str) -> Witness:
        """What was said under a label."""
        return self._part(("under", label), lambda line: line.label == label)

    def without(self, other: Witness) -> Witness:
        """What others said."""
        labels = {line.label for line in other.said}
        return self._part(("without", *sorted(labels)), lambda line: line.label not in labels)

    def _part(self, name: tuple[str, ...], is_part: Callable[[SaidLine], bool]) -> Witness:
        if name not in self._parts:
            self._parts[name] = Witness([line for line in self.said if is_part(line)])
        return self._parts[name]

    def origin(self, sentence: str) -> SaidLine:
        """The line with the nearest sentence, then with the most words in common."""
        mine, wanted = tokens_of(sentence), content_of(sentence)
        near: dict[int, float] = {}
        for place, tokens in self.tokens:
            near[place] = max(near.get(place, 0.0), likeness(mine, tokens))
        best = max(range(len(self.said)), key=lambda place: (near[place], held_share(wanted, self.line_forms[place])))
        return self.said[best]

    @cached_property
    def text(self) -> str:
        """All of it."""
        return "\n".join(line.text for line in self.said)

    @cached_property
    def speakers(self) -> frozenset[str]:
        return frozenset(speaker_key(line.speaker) for line in self.said if line.speaker)

    @cached_property
    def placed(self) -> tuple[tuple[int, str], ...]:
        """Every sentence, and every line as a whole, with the place of its line."""
        return tuple(
            (place, part)
            for place, line in enumerate(self.said)
            for part in dict.fromkeys((*(line.text[start:end] for start, end in sentences(line.text)), line.text))
        )

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(sentence for _, sentence in self.placed))

    @cached_property
    def tokens(self) -> tuple[tuple[int, frozenset[str]], ...]:
        """The words of each sentence, with the place of its line."""
        return tuple((place, tokens_of(sentence)) for place, sentence in self.placed)

    @cached_property
    def polarity(self) -> tuple[tuple[frozenset[str], int], ...]:
        """The words of each sentence but those that deny, and how many do."""
        return tuple((without_negation(sentence), count_negations(sentence)) for sentence in self.sentences)

    @cached_property
    def quotable(self) -> frozenset[str]:
        return frozenset(folded_line(sentence) for sentence in self.sentences)

    @cached_property
    def line_forms(self) -> tuple[frozenset[str], ...]:
        return tuple(forms_of(line.text) for line in self.said)

    @cached_property
    def facts(self) -> frozenset[tuple[FactKind, str]]:
        """Every figure with what it answers for: a full date also says its month, its day and its year."""
        return frozenset(
            (kind, form)
            for kind, _, normal in read(self.text).facts
            for form in (_date_forms(normal) if kind is FactKind.DATE else (normal,))
        )

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word in any case, and the names of who spoke."""
        named = " ".join(line.speaker for line in self.said)
        return frozenset(comparable_form(token) for token in TOKEN.findall(f"{self.text} {named}"))

    @cached_property
    def lower(self) -> frozenset[str]:
        """Every word that stands somewhere without a capital."""
        return frozenset(token for token in TOKEN.findall(self.text) if token.islower())

    @cached_property
    def forms(self) -> frozenset[str]:
        return forms_of(f"{self.text} {' '.join(line.speaker for line in self.said)}")

    @cached_property
    def clauses(self) -> tuple[SourceClause, ...]:
        return tuple(
            SourceClause(forms=forms_of(clause), is_negated=count_negations(clause) > 0)
            for sentence in self.sentences
            for clause in clauses_of(sentence)
        )

    @cached_property
    def figures(self) -> dict[str, set[str]]:
        """The values of every unit that something is counted in; under the empty word every value."""
        found: dict[str, set[str]] = {"": set()}
        for kind, normal in self.facts:
            if kind is FactKind.NUMBER:
                value, _, unit = normal.partition(" ")
                found[""].add(value)
                found.setdefault(unit, set()).add(value)
        found[""].update(comparable_form(token) for token in TOKEN.findall(self.text) if token[0].isdigit())
        return found


# ── words ─────────────────────────────────────────────────────────────────────────────────────────────────


def clauses_of(sentence: str) -> list[str]:
    return [clause for clause in _CLAUSE.split(sentence) if clause.strip()]


def content_of(text: str) -> list[frozenset[str]]:
    """The content words of a text, each as the forms it may be found under; negations are looked at apart."""
    return [
        frozenset(form.rstrip("*") for form in forms)
        for forms, word in query_words(text).items()
        if not is_negation(word) and word.casefold() not in ALL_STOP_WORDS
    ]


def forms_of(text: str) -> frozenset[str]:
    return frozenset().union(*content_of(text))


def held_share(wanted: Sequence[frozenset[str]], held: frozenset[str]) -> float:
    """The share of words of which some form is held; 1 where there is none to be found."""
    return sum(not forms.isdisjoint(held) for forms in wanted) / len(wanted) if wanted else 1.0


def tokens_of(text: str) -> frozenset[str]:
    found = {comparable_form(token) for token in TOKEN.findall(text) if not HAN.search(token)}
    return frozenset(found.union(HAN.findall(text)))


def without_negation(text: str) -> frozenset[str]:
    """The words of a sentence without those that deny and those that help them to."""
    return frozenset(token for token in tokens_of(text) if not is_negation(token) and token not in _AUXILIARY)


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 1.0


def _value(token: str) -> str:
    return re.sub(r"[,'](?=\d{3}(?!\d))", "", token).lstrip("0") or "0"


def comparable_form(token: str) -> str:
    """A word or a number in the form it is compared by."""
    if token[0].isdigit():
        return _value(token)
    return token.replace("’", "'").casefold().removesuffix("'s")


def speaker_key(speaker: str) -> str:
    return " ".join(speaker.casefold().split())


def on_one_line(text: str) -> str:
    return " ".join(text.split())


def folded_line(text: str) -> str:
    return on_one_line(text).lower()


def _date_forms(normal: str) -> Iterator[str]:
    yield normal
    if re.fullmatch(r"\d{4}-\d\d(?:-\d\d)?", normal):
        yield from (normal[5:], normal[:7], normal[:4], f"m{normal[5:7]}")
    elif re.fullmatch(r"\d\d-\d\d", normal):
        yield f"m{normal[:2]}"
