"""Hops: what a hit names as belonging to it comes along, one step far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libravdb.model import Hit, Record


def hop_targets(hits: Sequence[Hit]) -> tuple[str, ...]:
    """Ids that the hits name in their `hop_targets`, each once, in the order of the hits."""
    found: dict[str, None] = {}
    for hit in hits:
        targets = hit.record.metadata.get("hop_targets")
        for target in targets if isinstance(targets, list) else ():
            if isinstance(target, str) and target:
                found[target] = None
    return tuple(found)


def hop(hits: Sequence[Hit], targets: Mapping[str, Sequence[Record]], *, share: float, least: float) -> list[Hit]:
    """The hits with the records they name: each enters with `η · score` of the best hit that names it, if that is at
    least `least`. Depth one: what a target names itself is not followed. A record that was found by itself stays as
    it was found."""
    known = {(hit.record.collection, hit.record.id) for hit in hits}
    entering: dict[tuple[str, str], Hit] = {}
    for hit in hits:
        score = share * hit.score
        if score < least:
            continue
        for target in hop_targets([hit]):
            for record in targets.get(target, ()):
                key = record.collection, record.id
                if key not in known and key not in entering:
                    reason = f"named by {hit.record.id}, which was found"
                    entering[key] = Hit(record=record, score=score, breakdown={"hop": score}, reasons=(reason,))
    return ordered([*hits, *entering.values()])


def ordered(hits: Sequence[Hit]) -> list[Hit]:
    """Best first; equals by collection, then id."""
    return sorted(hits, key=lambda hit: (-hit.score, hit.record.collection, hit.record.id))
