"""What must hold for every prompt, checked on every prompt. A broken invariant is a defect, told in words.

1 every hard rule stands there, 2 the tail is there byte for byte, 3 nothing stands there twice, 4 no summary stands
there whose turns all stand there themselves, 5 the budget holds and prices are those of the text, 8 no bundle is cut
without need, nor a tool's result from its call, 11 soft rules are a prefix, 12 every number is one, 13 lines of the
profile are whole, 14 no outdated memory stands there without what took its place. The others (6, 7, 9, 10) are about
compaction.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from libravdb.core.assembly.already_shown import Past, identities
from libravdb.core.assembly.context import shown_places, tail_steps
from libravdb.core.assembly.covered_turns import coverage_of, is_summary_of, places_of
from libravdb.core.assembly.render import parse, profile_line, rule_line, tier_of
from libravdb.model import Assembly, AssemblyMode, Material, Role, SectionKind, Tier, Tranche
from libravdb.model.record_ids import split_shared_turn_id
from libravdb.model.turn_metadata import TurnMetadata, bundle_in

Price = Callable[[str], int]


def check(made: Assembly, material: Material, *, past: Sequence[Past], price: Price) -> tuple[str, ...]:
    """Every broken invariant in words; empty when all hold. `past` is the conversation that the tail is the end of."""
    return (
        *_check_rules(made, material),
        *_check_profile(made, material),
        *_check_tail(made, material, past),
        *_check_once(made, material, past),
        *_check_summaries(made, material, past),
        *_check_budget(made, price),
        *_check_bundles(made, past),
        *_check_numbers(made),
        *_check_successors(made, material, past),
    )


def _lines(made: Assembly, kind: SectionKind) -> list[str]:
    return [piece for section in made.sections if section.kind is kind for piece in section.pieces]


def _check_rules(made: Assembly, material: Material) -> Iterator[str]:
    lines = Counter(_lines(made, SectionKind.RULES))
    hard = Counter(rule_line(rule) for rule in material.rules if tier_of(rule) is Tier.HARD)
    for line in (hard - lines).elements():
        yield f"invariant 1: a hard rule is missing: {line[:80]!r}"
    soft = [rule.id for rule in material.rules if tier_of(rule) is Tier.SOFT]
    shown = [item.id for item in made.receipt.items if item.tranche is Tranche.SOFT]
    if shown != soft[: len(shown)]:
        yield "invariant 11: the soft rules are no prefix of those given"


def _check_profile(made: Assembly, material: Material) -> Iterator[str]:
    shown = {item.id for item in made.receipt.items if item.tranche is Tranche.PROFILE}
    lines = _lines(made, SectionKind.PROFILE)[1:-1]
    if lines != [profile_line(line) for line in material.profile if line.id in shown]:
        yield "invariant 13: the lines of the profile are not whole and in their order"


def _check_tail(made: Assembly, material: Material, past: Sequence[Past]) -> Iterator[str]:
    kept = set(made.kept)
    for section in made.sections:
        if section.place is not None and section.text != material.messages[section.place].content:
            yield f"invariant 2: message {section.place} was changed"
    for step in _shown(made, past):
        if step.place is not None and step.place not in kept:
            yield f"invariant 2: message {step.place} of the tail is missing"
    blocks = parse("".join(_lines(made, SectionKind.TAIL)))
    told = [text for block in blocks or () for entry in block.entries for text in entry.texts]
    if blocks is None or told != [step.turn.text for step in tail_steps(past, made.tail) if step.place is None]:
        yield "invariant 2: the tail does not hold its turns word for word"


def _shown(made: Assembly, past: Sequence[Past]) -> Sequence[Past]:
    """The steps that the model sees, in a window those of the tail."""
    return past if made.mode is AssemblyMode.AUGMENT else tail_steps(past, made.tail)


def _check_once(made: Assembly, material: Material, past: Sequence[Past]) -> Iterator[str]:
    names = Counter((item.collection, item.id) for item in made.receipt.items if item.collection)
    for (collection, id), count in names.items():
        if count > 1:
            yield f"invariant 3: {collection}/{id} stands in {count} places"
    places = Counter(made.kept)
    yield from (f"invariant 3: message {place} stands there twice" for place, count in places.items() if count > 1)
    shown = {(material.session, step.turn.id) for step in tail_steps(past, made.tail) if step.turn.id}
    for hit in (*material.elevated, *material.recovered, *material.recalled):
        if (hit.record.collection, hit.record.id) in names and shown & set(identities(hit.record)):
            yield f"invariant 3: {hit.record.collection}/{hit.record.id} stands in the tail already"


def _check_summaries(made: Assembly, material: Material, past: Sequence[Past]) -> Iterator[str]:
    places = shown_places(past, made.tail, is_window=made.mode is AssemblyMode.WINDOW)
    shown = {item.id for item in made.receipt.items if item.tranche is Tranche.SUMMARIES}
    names = {(item.collection, item.id) for item in made.receipt.items}
    offered = (hit.record for hit in (*material.elevated, *material.recovered, *material.recalled))
    recalled = [one for one in offered if (one.collection, one.id) in names and is_summary_of(one, material.session)]
    standing = [one for one in (*material.summaries, *material.folded_summaries) if one.id in shown]
    at = places_of(past) if standing or recalled else {}
    for summary in (*standing, *recalled):
        if coverage_of(summary, past, at).is_seen(places):
            yield f"invariant 4: the summary {summary.id} stands for turns that all stand there themselves"


def _check_budget(made: Assembly, price: Price) -> Iterator[str]:
    for section in made.sections:
        if section.tokens != price(section.text):
            yield f"invariant 5: the price of the part {section.kind.value} is not that of its text"
    if made.tokens > made.budget and not made.is_degraded:
        yield f"invariant 5: {made.tokens:,} tokens exceed the budget of {made.budget:,}"
    ledger = sum(line.tokens for line in made.receipt.ledger)
    if ledger != made.tokens:
        yield f"invariant 5: the ledger holds {ledger:,} tokens, the prompt {made.tokens:,}"


def _check_bundles(made: Assembly, past: Sequence[Past]) -> Iterator[str]:
    start = made.tail.start
    is_edge = start in (0, len(past)) or past[start].turn.role is Role.USER
    if made.tail.task is not None and past[start].turn.role is Role.TOOL:
        yield f"invariant 8: the tail begins with a tool's result without its call, at place {start}"
    is_coupled = bool(_bundle_ids(past[:start]) & _bundle_ids(past[start:]))
    if (is_coupled or not is_edge) and not made.tail.is_split and not made.is_degraded:
        yield f"invariant 8: the tail begins inside a bundle, at place {start}"


def _bundle_ids(past: Sequence[Past]) -> set[str]:
    return {id for step in past if (id := bundle_in(step.turn.metadata))}


def _check_numbers(made: Assembly) -> Iterator[str]:
    numbers: list[float] = [made.budget, made.receipt.leading_tokens, *(section.tokens for section in made.sections)]
    numbers += [item.score for item in made.receipt.items]
    numbers += [one.score for one in made.receipt.left_out]
    numbers += [line.tokens for line in made.receipt.ledger]
    if any(not math.isfinite(number) or number < 0 for number in numbers):
        yield "invariant 12: a number is negative, or none"
    parts = (value for item in made.receipt.items for value in item.breakdown.values())
    if not all(map(math.isfinite, parts)):
        yield "invariant 12: a part of a score is no number"


def _check_successors(made: Assembly, material: Material, past: Sequence[Past]) -> Iterator[str]:
    names = {(item.collection, item.id) for item in made.receipt.items if item.collection}
    offered = (*material.elevated, *material.recovered, *material.recalled)
    shown = [hit.record for hit in offered if (hit.record.collection, hit.record.id) in names]
    told = names | {identity for record in shown for identity in identities(record)}
    told |= {(material.session, step.turn.id) for step in _shown(made, past)}
    for record in shown:
        newer = TurnMetadata.of(record).superseded_by
        if newer in (None, record.id):
            continue
        if not {(record.collection, newer), tuple(split_shared_turn_id(newer or ""))} & told:
            yield f"invariant 13: {record.collection}/{record.id} stands without {newer}, which took its place"
