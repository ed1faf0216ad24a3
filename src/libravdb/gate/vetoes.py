"""Named reasons not to keep a turn, whatever its score. On an empty memory everything is new: precision comes from here."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from libravdb.gate import artefacts
from libravdb.gate.likeness import Content, content_of, overlap
from libravdb.gate.reading import Reading
from libravdb.gate.substance import find_substance


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Veto:
    """A veto that applies: its name and why, in words."""

    name: str
    reason: str


def find_veto(reading: Reading, circumstances: Circumstances) -> Veto | None:
    """The first veto that applies, or None."""
    for veto in VETOES:
        found = veto(reading, circumstances)
        if found:
            return found
    return None


def veto_echo(_: Reading, circumstances: Circumstances) -> Veto | None:
    """Recalled text must not come back as if somebody had said it."""
    return Veto(name="echo", reason="the text is our own recalled context") if circumstances.is_echo else None


def veto_secret(_: Reading, circumstances: Circumstances) -> Veto | None:
    """A masked secret alone is nothing to remember."""
    return Veto(name="secret only", reason="nothing but a secret was said") if circumstances.is_secret_only else None


def veto_restated_rule(reading: Reading, circumstances: Circumstances) -> Veto | None:
    """What an authored rule says already is in every prompt anyway."""
    rule = restates(reading.text, circumstances.rules, circumstances.rule_cosines)
    return None if rule is None else Veto(name="restated rule", reason=f"an authored rule says so already: {rule[:120]}")


def veto_noise(reading: Reading, _: Circumstances) -> Veto | None:
    """Progress, listings and routine log lines of programs."""
    share = noise_share(reading.text)
    return Veto(name="tool noise", reason=f"{share:.0%} of the lines are routine output") if share > _MOSTLY else None


def veto_boot(reading: Reading, _: Circumstances) -> Veto | None:
    """Text that a host writes to start or keep alive a session."""
    found = _BOOT.search(reading.text[:2000])
    return Veto(name="boot text", reason=f"a host wrote this, not a person: {found[0].strip()}") if found else None


def veto_emptiness(reading: Reading, _: Circumstances) -> Veto | None:
    """Greetings, thanks, agreement, small talk, bare questions and one-off requests."""
    if find_substance(reading):
        return None
    return Veto(name="no substance", reason=_what_it_is(reading))


VETOES: tuple[Callable[[Reading, Circumstances], Veto | None], ...] = (
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
    said = content_of(text)
    for place, rule in enumerate(rules):
        near = place < len(cosines) and cosines[place] >= _NEAR
        if _is_restated(said, content_of(rule), least=_LEAST_NEAR if near else _LEAST):
            return rule
    return None


def noise_share(text: str) -> float:
    """The share of lines that are routine output of programs; 0 when any line reports an error."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines or _TROUBLE.search(text):
        return 0.0
    if len(lines) >= _LISTED and all(_FILE_NAME.match(line) for line in lines):
        return 1.0
    noisy = sum(bool(_ROUTINE.match(line)) for line in lines)
    return noisy / len(lines)


_NEAR = 0.90
_LEAST = (0.8, 0.7)
_LEAST_NEAR = (0.6, 0.5)
_MOSTLY = 0.59
_LISTED = 4

_TROUBLE = re.compile(r"\b(?:ERROR|FATAL|CRITICAL|Traceback|FAILED|panic:|[A-Za-z]+(?:Error|Exception):|error:|fatal:|denied|refused|Segmentation)")
_FILE_NAME = re.compile(r"\s{0,8}[\w.@+-]{1,80}/?\s{0,8}$")
_ROUTINE = re.compile(
    r"\s{0,20}(?:"
    + "|".join(
        (
            r"[\[(]?\d{4}-\d\d-\d\d[T ][\d:.,]{5,20}\S{0,8}[\])]?\s.{0,400}",
            r"[\[(]?(?:INFO|DEBUG|TRACE|NOTICE|VERBOSE|info|debug|trace)\b[\])]?.{0,400}|\d\d:\d\d:\d\d(?:[.,]\d+)?\s.{0,400}",
            r"total \d+$|[dl-][rwxsStT-]{9}[.+@]?\s.{0,400}|\d+ (?:directories|files?|packages)\b.{0,200}",
            r"(?:\S+ ){0,4}\S*\s*\d{1,3}(?:\.\d+)?%(?:[\s|(].{0,80}|$)|\[[=>#. -]{3,200}\].{0,200}|[.=#*_-]{5,500}(?: ?\[ ?\d+%\])?$|[.FsxE]{6,500}$",
            r"(?:Downloading|Installing|Collecting|Compiling|Building|Fetching|Unpacking|Resolving|Extracting|Copying|Linking"
            r"|Finished|Loading|Preparing|Setting up|Processing|Requirement already satisfied|Successfully|Using cached|Cloning"
            r"|Enumerating|Counting|Compressing|Receiving|Writing|Pulling|Pushed|Waiting|Progress|Checking|Starting|Stopping)\b.{0,400}",
            r"(?:remote: |Get:\d|Hit:\d|Step \d+/\d+|#\d+ |---> |=> |> |\+\+ ?|npm (?:notice|WARN|warn)|added \d+ |audited \d+|up to date|found 0 ).{0,400}",
            r"On branch .{1,80}|Your branch is .{1,120}|nothing to commit.{0,80}|Already up to date\.?|run `npm .{1,60}|Ran \d+ tests? .{0,80}|OK|Done\.?|done\.?|PASS(?:ED)?\b.{0,200}",
            r"\d+ bytes from .{0,200}|PING .{0,200}|--- .{1,80} ---$|=+ .{1,120} =+$|\d+ passed.{0,80}|collected \d+ items?|exit(?: code)?:? 0$",
        )
    )
    + r")$"
)
_BOOT = re.compile(
    "|".join(
        (
            r"\bHEARTBEAT(?:_OK|\.md)?\b|^\s*heartbeat (?:check|poll|ping)\b",
            r"\b(?:a )?new session (?:was|has been|is) started\b|\b(?:session|conversation) (?:was |has been )?(?:initiali[sz]ed|resumed|restarted|reset|started) (?:via|by|at|with)\b",
            r"^\s*(?:\[system\]|system:|<system>|system message:)",
            r"^\s*session (?:initiali[sz]ed|resumed|restarted|started|restored)\b",
            r"\b(?:your )?(?:session )?startup sequence\b",
            r"^\s*you are (?:an?|the) [\w ,-]{0,60}\b(?:assistant|agent|ai|bot|chatbot|language model)\b",
            r"^\s*(?:du bist ein|eres un|tu es un)e? [\w ,-]{0,60}\b(?:assistent|agent|asistente|agente|assistant)\w{0,2}\b",
        )
    ),
    re.IGNORECASE | re.MULTILINE,
)


def _is_restated(said: Content, rule: Content, *, least: tuple[float, float]) -> bool:
    if not said.words or not rule.words or said.numbers != rule.numbers or said.is_negated != rule.is_negated:
        return False
    of_said, of_rule = overlap(said, rule)
    return of_said >= least[0] and of_rule >= least[1]


def _what_it_is(reading: Reading) -> str:
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


__all__ = [
    "VETOES",
    "Circumstances",
    "Veto",
    "artefacts",
    "find_veto",
    "noise_share",
    "restates",
]
