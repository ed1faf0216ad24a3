"""Lint for rules: what contradicts, what is said twice, what nobody can follow, what costs too much. Pure.

Precision comes first: two rules contradict only when the same words are obliged and forbidden, so a rule with a
condition ("on Fridays") never contradicts one without. The order of the rules does not show in the remarks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from libravdb.core.authored.languages import LANGUAGES
from libravdb.model import Modality, Remark, RemarkKind, Rule, Severity, Spot

NEARLY_FULL = 0.8
"""Share of the limit at which hard rules earn a warning."""

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_LANGUAGES = {language.code: language for language in LANGUAGES}
_SHOWN = 5  # places of a remark about the budget


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """A node of an authored file, or one rule in it. `tokens` is what it costs in a prompt when it `is_hard`."""

    file: str
    line: int
    text: str
    tokens: int = 0
    is_hard: bool = False
    rule: Rule | None = None

    @property
    def spot(self) -> Spot:
        """Where it stands."""
        return Spot(file=self.file, line=self.line, text=self.text)


Check = Callable[[Sequence[Located]], Iterable[Remark]]


def lint(nodes: Sequence[Located], *, hard_limit: int | None = None) -> tuple[Remark, ...]:
    """Every remark about these nodes, errors first; `hard_limit` is the budget of the hard ones in tokens."""
    remarks = [remark for check in CHECKS for remark in check(nodes)]
    if hard_limit is not None:
        remarks.extend(check_budget(nodes, limit=hard_limit))
    return tuple(sorted(set(remarks), key=_rank))


def _rank(remark: Remark) -> tuple[int, str, tuple[Spot, ...], str]:
    return list(Severity).index(remark.severity), remark.kind, remark.places, remark.message


# ── contradictions ────────────────────────────────────────────────────────────────────────────────────────


def find_contradictions(nodes: Sequence[Located]) -> Iterable[Remark]:
    """The same action obliged and forbidden is an error; permitted and forbidden, a warning."""
    for rules in _by_action(nodes).values():
        spots = {modality: _spots(rules, modality) for modality in Modality}
        forbidden = spots[Modality.PROHIBITION]
        for modality, severity in ((Modality.OBLIGATION, Severity.ERROR), (Modality.PERMISSION, Severity.WARNING)):
            if forbidden and spots[modality]:
                word = "obliged" if modality is Modality.OBLIGATION else "permitted"
                yield Remark(
                    kind=RemarkKind.CONTRADICTION,
                    severity=severity,
                    message=f"the same is {word} ({_show(spots[modality])}) and forbidden ({_show(forbidden)})",
                    places=tuple(sorted({*spots[modality], *forbidden})),
                )
    yield from _reversed_preferences(nodes)


def _reversed_preferences(nodes: Sequence[Located]) -> Iterable[Remark]:
    """ "Prefer X over Y" against "prefer Y over X"."""
    found: dict[tuple[tuple[str, ...], tuple[str, ...]], list[Located]] = {}
    for node in nodes:
        sides = _preference(node.rule)
        if sides is not None:
            found.setdefault(sides, []).append(node)
    for (better, worse), rules in found.items():
        if better < worse and (worse, better) in found:
            others = found[worse, better]
            one, other = _spots(rules, Modality.OBLIGATION), _spots(others, Modality.OBLIGATION)
            yield Remark(
                kind=RemarkKind.CONTRADICTION,
                severity=Severity.ERROR,
                message=f"the preference is stated both ways ({_show(min(one, other))}, {_show(max(one, other))})",
                places=tuple(sorted({*one, *other})),
            )


def _preference(rule: Rule | None) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """What an obligation prefers, and over what; None when it states no preference."""
    if rule is None or rule.modality is not Modality.OBLIGATION or rule.action.count("over") != 1:
        return None
    middle = rule.action.index("over")
    better = rule.action[:middle]
    better = better[1:] if better[:1] in {("prefer",), ("favor",), ("favour",), ("choos",)} else better
    worse = rule.action[middle + 1 :]
    return (better, worse) if better and worse and better != worse else None


def _by_action(nodes: Sequence[Located]) -> dict[tuple[str, ...], list[Located]]:
    found: dict[tuple[str, ...], list[Located]] = {}
    for node in nodes:
        if node.rule is not None and node.rule.action:
            found.setdefault(node.rule.action, []).append(node)
    return found


def _spots(nodes: Iterable[Located], modality: Modality) -> tuple[Spot, ...]:
    return tuple(sorted({node.spot for node in nodes if node.rule is not None and node.rule.modality is modality}))


def _show(spots: Sequence[Spot]) -> str:
    return ", ".join(f"{spot.file}:{spot.line}" for spot in spots)


# ── duplicates ────────────────────────────────────────────────────────────────────────────────────────────


def find_duplicates(nodes: Sequence[Located]) -> Iterable[Remark]:
    """The same action under the same modality, or the same words, in more than one place."""
    told: set[tuple[Spot, ...]] = set()
    actions: dict[object, set[Spot]] = {}
    for node in nodes:
        if node.rule is not None and node.rule.action:
            actions.setdefault((node.rule.modality, node.rule.action), set()).add(node.spot)
        actions.setdefault(" ".join(_WORD.findall(node.text.casefold())) or node.spot, set()).add(node.spot)
    for spots in actions.values():
        places = tuple(sorted(spots))
        if len({(spot.file, spot.line) for spot in places}) > 1 and places not in told:
            told.add(places)
            yield Remark(
                kind=RemarkKind.DUPLICATE, severity=Severity.WARNING, message=f"said {len(places)} times", places=places
            )


# ── rules too vague to follow ─────────────────────────────────────────────────────────────────────────────


def find_vague(nodes: Sequence[Located]) -> Iterable[Remark]:
    """Rules of nothing but praise and generalities, and rules that leave the decision to the reader.

    The principle: a rule can be followed when it names something one can check. "Write good code" names nothing;
    "write good commit messages" names commit messages, and is let through.
    """
    for node in nodes:
        reason = _vagueness(node.rule) if node.rule is not None else ""
        if reason:
            yield Remark(kind=RemarkKind.VAGUE, severity=Severity.HINT, message=reason, places=(node.spot,))


def _vagueness(rule: Rule) -> str:
    language = _LANGUAGES[rule.language]
    words = [word.replace("’", "'") for word in _WORD.findall(rule.sentence.lower())]
    spoken = f" {' '.join(words)} "
    phrase = next((phrase for phrase in sorted(language.open_ended) if f" {phrase} " in spoken), "")
    if phrase:
        return f"“{phrase}” leaves open when this holds"
    content = [word for word in words if word not in language.filler and "'" not in word]
    if language.is_spaced and content and language.vague.issuperset(content):
        return "names nothing that can be checked"
    return ""


# ── budget ────────────────────────────────────────────────────────────────────────────────────────────────


def check_budget(nodes: Sequence[Located], *, limit: int) -> Iterable[Remark]:
    """Hard rules over the limit are an error, nearly at it a warning; the costliest places are shown."""
    hard = [node for node in nodes if node.is_hard]
    total = sum(node.tokens for node in hard)
    if total <= limit * NEARLY_FULL:
        return
    costly = sorted(hard, key=lambda node: (-node.tokens, node.spot))[:_SHOWN]
    over = total > limit
    yield Remark(
        kind=RemarkKind.BUDGET,
        severity=Severity.ERROR if over else Severity.WARNING,
        message=f"hard rules cost {total} of {limit} tokens"
        + ("; shorten them, or turn list items into paragraphs" if over else ""),
        places=tuple(dict.fromkeys(node.spot for node in costly)),
    )


CHECKS: tuple[Check, ...] = (find_contradictions, find_duplicates, find_vague)
"""Each looks at all nodes; the budget needs its number and stands apart."""
