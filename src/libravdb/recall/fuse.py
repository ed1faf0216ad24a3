"""Two measures of relevance, meaning and words, made into one number with its reasons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from libravdb.model import Candidate, Hit

SharedWords = Callable[[str], Sequence[str]]
"""The words of the question that a text holds."""


def fuse(
    candidates: Sequence[Candidate], *, dense_weight: float, is_dense: bool, shared_words: SharedWords
) -> list[Hit]:
    """Rank candidates by `w · mm(cosine) + (1 − w) · mm(bm25)`, best first; scores lie in [0, 1].

    mm scales a measure to [0, 1] over these candidates (min-max): the two are not on one scale, and only
    their order within this answer matters. What was not measured counts as the least. Without an embedder
    (`is_dense` False) words alone decide. Ties fall to the collection's name, then the id.
    """
    weight = dense_weight if is_dense else 0.0
    meaning = _scaled([candidate.cosine for candidate in candidates])
    words = _scaled([candidate.bm25 for candidate in candidates])
    hits = [
        Hit(
            record=candidate.record,
            score=weight * dense + (1 - weight) * lexical,
            breakdown=_breakdown(candidate, weight=weight, dense=dense, lexical=lexical),
            reasons=_reasons(candidate, shared_words),
        )
        for candidate, dense, lexical in zip(candidates, meaning, words, strict=True)
    ]
    return sorted(hits, key=lambda hit: (-hit.score, hit.record.collection, hit.record.id))


def _scaled(values: Sequence[float | None]) -> list[float]:
    """Min-max over the values that were measured. A lone or uniform positive measure counts in full."""
    known = [value for value in values if value is not None]
    if not known:
        return [0.0] * len(values)
    low, high = min(known), max(known)
    if high == low:
        return [1.0 if value is not None and high > 0 else 0.0 for value in values]
    return [0.0 if value is None else (value - low) / (high - low) for value in values]


def _breakdown(candidate: Candidate, *, weight: float, dense: float, lexical: float) -> dict[str, float]:
    parts = {"meaning": weight * dense, "words": (1 - weight) * lexical}
    if candidate.cosine is not None:
        parts["cosine"] = candidate.cosine
    if candidate.bm25 is not None:
        parts["bm25"] = candidate.bm25
    return parts


def _reasons(candidate: Candidate, shared_words: SharedWords) -> tuple[str, ...]:
    reasons: list[str] = []
    if candidate.cosine is not None:
        where = "" if not candidate.passage else f", best in passage {candidate.passage}"
        reasons.append(f"similar in meaning ({candidate.cosine:.2f}{where})")
    if candidate.bm25 is not None:
        shared = ", ".join(shared_words(candidate.record.text))
        reasons.append(f"shares the words: {shared}")
    return tuple(reasons)
