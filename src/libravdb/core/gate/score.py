"""The gate's number: how new, how often repeated, how specific. `judge` puts it together with the vetoes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from libravdb.core.gate.admission import find_admission
from libravdb.core.gate.attributes import read_attributes
from libravdb.core.gate.detectors import ACTION, DETAIL, PLAIN, PRECISE, TECHNICAL, fire
from libravdb.core.gate.parsed_turn import MOST_READ, read
from libravdb.core.gate.settings import DEFAULTS, GateSettings
from libravdb.core.gate.statement import Content, content_of, overlap
from libravdb.core.gate.vetoes import Circumstances, find_veto
from libravdb.model import Firing, StatedAttribute, Verdict

_SHOWN = 3


def gate_tokens(text: str) -> int:
    """`L(t) = max(floor(codepoints / 4), 1)`."""
    return max(len(text) // 4, 1)


def measure_novelty(durable_cosines: Sequence[float]) -> float:
    """`H = 1` without a neighbour, else `1 − mean(max(0, cos))`; in [0, 1]."""
    if not durable_cosines:
        return 1.0
    return _clamp(1 - sum(max(0.0, _finite(cosine)) for cosine in durable_cosines) / len(durable_cosines))


def measure_content_novelty(text: str, memories: Sequence[str], durable_cosines: Sequence[float]) -> float:
    """`Hc = 1 − mean(max(0, cos) · o)`, o the share of what the turn says that the neighbour says too; in [0, 1].

    Two sentences of one form with other names or numbers are close in meaning and tell different facts.
    """
    said = content_of(text)
    shared = [
        max(0.0, _finite(cosine)) * _said_too(said, content_of(memory))
        for memory, cosine in zip(memories, durable_cosines, strict=True)
    ]
    return _clamp(1 - sum(shared) / len(shared)) if shared else 1.0


def _said_too(said: Content, known: Content) -> float:
    has_other_numbers = bool(set(said.numbers) - set(known.numbers))
    return overlap(said, known)[0] * (_OTHER_NUMBERS if has_other_numbers else 1.0)


_OTHER_NUMBERS = 0.5


def measure_frequency(turn_cosines: Sequence[float], weights: GateSettings = DEFAULTS) -> float:
    """`F = min(#(turns ≥ .80) / 5, 1)`."""
    return _share(turn_cosines, weights.turn_similarity, weights.turn_count)


def measure_saturation(durable_cosines: Sequence[float], weights: GateSettings = DEFAULTS) -> float:
    """`S = min(#(durable ≥ .85) / 3, 1)`."""
    return _share(durable_cosines, weights.durable_similarity, weights.durable_count)


def measure_technical(firings: Sequence[Firing], weights: GateSettings = DEFAULTS) -> float:
    """`T = min(Σ weight / 1.5, 1)`, each detector once."""
    return min(_once(firings) / weights.technical_norm, 1.0)


def measure_load(firings: Sequence[Firing]) -> float:
    """`D = min(Σ weight, 1)`, each detector once; for Dnl, A and Dtech."""
    return min(_once(firings), 1.0)


def measure_specificity(firings: Sequence[Firing], text: str) -> float:
    """`P = min(Σ weight · count / max(L / 100, 1), 1)`: each thing named counts, relative to the text's length."""
    named = sum((firing.weight * len(firing.evidence) for firing in firings), 0.0)
    return min(named / max(gate_tokens(text) / 100, 1), 1.0)


def mix(technical: float, conversational: float, engineering: float) -> float:
    """`G = (1 − T)·Gconv + T·Gtech`, kept between its branches against rounding."""
    mixed = (1 - technical) * conversational + technical * engineering
    return min(max(mixed, min(conversational, engineering)), max(conversational, engineering))


def judge(
    text: str,
    *,
    turn_cosines: Sequence[float],
    durable_cosines: Sequence[float],
    weights: GateSettings = DEFAULTS,
    circumstances: Circumstances | None = None,
    known: Sequence[StatedAttribute] = (),
    memories: Sequence[str] = (),
) -> Verdict:
    """Decide whether a turn is kept beyond its session.

    `turn_cosines` are those of the 10 nearest earlier turns, `durable_cosines` those of the 5 nearest durable memories,
    both by whole-text vectors; the turn itself is in neither. `circumstances` holds what the caller knows and the text
    does not say: whether it is an echo of ours, held nothing but a secret, and the authored rules. `known` is what the
    nearest memories state: a fact that is not among it is kept whatever its score, as is what was asked for. `memories`
    are their texts, in the order of their cosines: what only resembles them is kept by its content.
    """
    reading = read(text)
    technical, plain = fire(TECHNICAL, reading), fire(PLAIN, reading)
    precise, action, detail = fire(PRECISE, reading), fire(ACTION, reading), fire(DETAIL, reading)
    novelty = measure_novelty(durable_cosines)
    frequency = measure_frequency(turn_cosines, weights)
    saturation = measure_saturation(durable_cosines, weights)
    repetition = frequency * (1 - saturation)
    t, dnl, p = (
        measure_technical(technical, weights),
        measure_load(plain),
        measure_specificity(precise, text if len(text) <= MOST_READ else reading.text),
    )
    a, dtech = measure_load(action), measure_load(detail)
    conversational = _clamp(weights.novelty * novelty + weights.repetition * repetition + weights.load * dnl)
    engineering = _clamp(weights.specificity * p + weights.action * a + weights.detail * dtech)
    veto = find_veto(reading, circumstances or Circumstances())
    score = mix(t, conversational, engineering)
    admission = find_admission(reading, read_attributes(text), known, veto=veto, is_enough=score >= weights.threshold)
    if not admission and veto is None and memories and score < weights.threshold:
        fresh = measure_content_novelty(text, memories, durable_cosines)
        by_content = _clamp(conversational + weights.novelty * (fresh - novelty))
        if mix(t, by_content, engineering) >= weights.threshold:
            admission = f"other content than what it resembles, novelty by content {fresh:.2f}"
    veto = None if admission else veto
    return Verdict(
        score=score,
        threshold=weights.threshold,
        novelty=novelty,
        frequency=frequency,
        saturation=saturation,
        repetition=repetition,
        technical=t,
        load=dnl,
        specificity=p,
        action=a,
        detail=dtech,
        conversational=conversational,
        engineering=engineering,
        veto=veto.name if veto else "",
        admission=admission,
        reasons=(
            *((f"kept by itself: {admission}",) if admission else ()),
            *((f"veto: {veto.reason}",) if veto else ()),
            _novelty_in_words(novelty, durable_cosines),
            *_repetition_in_words(frequency, saturation),
            *_firings_in_words("technical", technical),
            *_firings_in_words("says", plain),
            *_firings_in_words("names", precise),
            *_firings_in_words("did", action),
            *_firings_in_words("describes", detail),
        ),
    )


def load_of(text: str) -> float:
    """Dnl of a text alone."""
    return measure_load(fire(PLAIN, read(text)))


def technical_of(text: str, weights: GateSettings = DEFAULTS) -> float:
    """T of a text alone."""
    return measure_technical(fire(TECHNICAL, read(text)), weights)


def _once(firings: Sequence[Firing]) -> float:
    # Rounded, so that .4 + .3 + .3 is 1 in whatever order it is added.
    return round(sum((firing.weight for firing in firings), 0.0), 9)


def _share(cosines: Sequence[float], least: float, count: float) -> float:
    return min(sum(_finite(cosine) >= least for cosine in cosines) / count, 1.0)


def _finite(value: float) -> float:
    return value if math.isfinite(value) else 0.0


def _clamp(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def _novelty_in_words(novelty: float, durable_cosines: Sequence[float]) -> str:
    if not durable_cosines:
        return "nothing is remembered yet (novelty 1.00)"
    return f"novelty {novelty:.2f} beside the {len(durable_cosines)} nearest memories"


def _repetition_in_words(frequency: float, saturation: float) -> tuple[str, ...]:
    said = (f"said before (frequency {frequency:.2f})",) if frequency else ()
    known = (f"known already (saturation {saturation:.2f})",) if saturation else ()
    return said + known


def _firings_in_words(verb: str, firings: Sequence[Firing]) -> tuple[str, ...]:
    return tuple(f"{verb}: {each.signal} +{each.weight:.1f} ({_shown(each.evidence)})" for each in firings)


def _shown(evidence: Sequence[str]) -> str:
    pieces = [" ".join(piece.split())[:60] for piece in dict.fromkeys(evidence)]
    rest = f" and {len(pieces) - _SHOWN} more" if len(pieces) > _SHOWN else ""
    return ", ".join(pieces[:_SHOWN]) + rest


__all__ = [
    "DEFAULTS",
    "GateSettings",
    "gate_tokens",
    "judge",
    "load_of",
    "measure_content_novelty",
    "measure_frequency",
    "measure_load",
    "measure_novelty",
    "measure_saturation",
    "measure_specificity",
    "measure_technical",
    "mix",
    "technical_of",
]
