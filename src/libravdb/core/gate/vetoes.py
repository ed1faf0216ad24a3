"""Named reasons not to keep a turn, whatever its score.

On an empty memory everything is new and novelty alone reaches the threshold: there, precision comes from here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from libravdb.core.gate.machine_output import find_boot_text, noise_share
from libravdb.core.gate.parsed_turn import ParsedTurn
from libravdb.core.gate.statement import Content, content_of, overlap
from libravdb.core.gate.substance import find_substance


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What the caller knows and the text does not say.

    `is_echo`: what was left after our own blocks were stripped is recalled text. `is_secret_only`: nothing but a masked
    secret. `rules`: the authored rules in force, `rule_cosines` their cosines with this turn where known, in the same
    order.
    """

    is_echo: bool = False
    is_secret_only: bool = False
    rules: tuple[str, ...] = ()
    rule_cosines: tuple[float, ...] = ()


ECHO, SECRET = "echo", "secret only"
"""Vetoes that nothing overrules."""
EMPTY = "no substance"


@dataclass(frozen=True, slots=True, kw_only=True)
class Veto:
    """A veto that applies: its name and why, in words."""

    name: str
    reason: str


def find_veto(reading: ParsedTurn, circumstances: Circumstances) -> Veto | None:
    """The first veto that applies, or None."""
    for veto in VETOES:
        found = veto(reading, circumstances)
        if found:
            return found
    return None


def veto_echo(_: ParsedTurn, circumstances: Circumstances) -> Veto | None:
    """Recalled text must not come back as if somebody had said it."""
    return Veto(name=ECHO, reason="the text is our own recalled context") if circumstances.is_echo else None


def veto_secret(_: ParsedTurn, circumstances: Circumstances) -> Veto | None:
    """A masked secret alone is nothing to remember."""
    return Veto(name=SECRET, reason="nothing but a secret was said") if circumstances.is_secret_only else None


def veto_restated_rule(reading: ParsedTurn, circumstances: Circumstances) -> Veto | None:
    """What an authored rule says already is in every prompt anyway."""
    rule = restates(reading.text, circumstances.rules, circumstances.rule_cosines)
    return (
        None if rule is None else Veto(name="restated rule", reason=f"an authored rule says so already: {rule[:120]}")
    )


def veto_noise(reading: ParsedTurn, _: Circumstances) -> Veto | None:
    """Progress, listings and routine log lines of programs."""
    share = noise_share(reading.text)
    return Veto(name="tool noise", reason=f"{share:.0%} of the lines are routine output") if share > _MOSTLY else None


def veto_boot(reading: ParsedTurn, _: Circumstances) -> Veto | None:
    """Text that a host writes to start or keep alive a session."""
    found = find_boot_text(reading.text)
    return Veto(name="boot text", reason=f"a host wrote this, not a person: {found}") if found else None


def veto_emptiness(reading: ParsedTurn, _: Circumstances) -> Veto | None:
    """Greetings, thanks, agreement, small talk, bare questions and one-off requests."""
    if find_substance(reading):
        return None
    return Veto(name=EMPTY, reason=_what_it_is(reading))


VETOES: tuple[Callable[[ParsedTurn, Circumstances], Veto | None], ...] = (
    veto_echo,
    veto_secret,
    veto_boot,
    veto_noise,
    veto_restated_rule,
    veto_emptiness,
)


def restates(text: str, rules: Sequence[str], cosines: Sequence[float] = ()) -> str | None:
    """The rule that a text says again, or None.

    Both must hold the same numbers and names, the same polarity, and nearly the same content words in both directions;
    a cosine of at least .90, where the caller has one, lowers how many.
    """
    if not rules:
        return None
    said = content_of(text)
    for place, rule in enumerate(rules):
        near = place < len(cosines) and cosines[place] >= _NEAR
        if _is_restated(said, content_of(rule), least=_LEAST_NEAR if near else _LEAST):
            return rule
    return None


_NEAR = 0.90
_LEAST = (0.8, 0.7)
_LEAST_NEAR = (0.6, 0.5)
_MOSTLY = 0.59


def _is_restated(said: Content, rule: Content, *, least: tuple[float, float]) -> bool:
    if not said.words or not rule.words or said.numbers != rule.numbers or said.is_negated != rule.is_negated:
        return False
    of_said, of_rule = overlap(said, rule)
    return of_said >= least[0] and of_rule >= least[1]


def _what_it_is(reading: ParsedTurn) -> str:
    if not reading.text.strip():
        return "the turn is empty"
    if not any(letter.isalnum() for letter in reading.text):
        return "signs without words"
    if any(sentence.is_question for sentence in reading.sentences):
        return "a question that tells nothing about the user"
    if any(sentence.is_request for sentence in reading.sentences):
        return "a request for this moment only"
    if not reading.prose.strip():
        return "an artefact without a statement"
    return "it states nothing about the user, their world or their work"
