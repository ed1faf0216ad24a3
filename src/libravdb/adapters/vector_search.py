"""Which of a collection's vectors are nearest to a question: exactly in small collections, by sign codes with exact
rescoring in large ones.

Up to `exact_search_rows` vectors are compared one by one. Above that only one bit per dimension stays in memory, and a
search narrows down in three steps:

1. Hamming distance between sign codes, over all rows, keeps the `shortlist_rows` nearest;
2. the dot product of the query with each kept row's signs (its ±1 vector) orders those;
3. the first fifth of them, within `rescore_rows` and its maximum, are fetched and scored exactly.

Filters are applied before step 1, never after it, so a narrow filter in a large collection still fills its page.
Nothing here knows a database: a store gives its arrays as a `View`, and fetches what is to be scored.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from libravdb.adapters.vector_codes import Codes, Vector, cosines, sign_codes
from libravdb.ports.settings import StoreSettings

Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]
Fetch = Callable[[Rows], Vector]
"""Vectors by id, ascending, as float32 rows."""

_CHUNK = 16_384  # rows per step of the Hamming scan: the working set stays inside the CPU's cache
_STRETCH = 2_048  # rows per step of an exact scan: small enough for one thread
_PLANES = 6  # binary digits of a rounded query; four cost a fifth of a percent of the ten nearest, more gain nothing
_TIE = 1e-5  # float32 sums of the same numbers differ by less than this, whatever their order
_SAMPLE = 16  # one distance in so many is looked at to guess where the nearest end
_FEW = 8  # where a mask allows less than one row in so many, picking them out costs less than scanning all
_SHORTLIST_SHARE = 100  # one row in so many is shortlisted, within the configured bounds
_RESCORE_SHARE = 5  # one shortlisted row in so many is scored exactly: reading it costs most of a search


class Neighbour(NamedTuple):
    """A record near the query: its row, its best vector's id and cosine."""

    record: int
    vector: int
    cosine: float


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A collection's vectors at one moment, ordered by record row. Either `matrix` or `codes` is there."""

    records: Rows
    vectors: Rows
    alive: Mask
    matrix: Vector | None
    codes: Codes | None

    def mask(self, *, only: Rows | None, without: Rows, is_whole: bool = False) -> Mask:
        """Which vectors may be found: alive, of a record in `only` (None: any) and not in `without`.

        With `is_whole` only the first vector of each record, which is that of its whole text.
        """
        mask = self.alive if only is None else self.alive & _member(self.records, only)
        if is_whole and self.records.size:
            mask = mask & np.concatenate(([True], self.records[1:] != self.records[:-1]))
        return mask & ~_member(self.records, without) if without.size else mask

    def spans(self, rows: Rows) -> tuple[Rows, Rows]:
        """Where the vectors of each record begin here, and how many there are; 0 for a record that has none."""
        starts = np.searchsorted(self.records, rows, side="left")
        counts = np.searchsorted(self.records, rows, side="right") - starts
        if self.records.size:
            counts[~self.alive[np.minimum(starts, self.records.size - 1)]] = 0
        return starts, counts


def _member(values: Rows, of: Rows) -> Mask:
    """For each value whether the sorted array `of` holds it."""
    if of.size == 0:
        return np.zeros(values.shape, dtype=np.bool_)
    places = np.minimum(np.searchsorted(of, values), of.size - 1)
    return np.asarray(of[places] == values)


def nearest(view: View, query: Vector, *, k: int, mask: Mask, fetch: Fetch, settings: StoreSettings) -> list[Neighbour]:
    """The k records nearest to the query, with every further one that ties with the last; best first.

    A record counts as its best vector. Among equals the order is by row: the caller, who knows ids, decides.
    """
    available = int(np.count_nonzero(mask))
    if available == 0 or k <= 0:
        return []
    wanted = min(k, available)
    reach = 1
    while True:
        positions = _promising(view, query, wanted=wanted * reach, mask=mask, reach=reach, settings=settings)
        records, vectors, exact = _best_per_record(view, query, positions, fetch)
        if records.size >= wanted or positions.size >= available:
            break
        reach *= 4
    end = records.size if records.size <= k else int(np.count_nonzero(exact >= exact[k - 1]))
    found = zip(records[:end].tolist(), vectors[:end].tolist(), exact[:end].tolist(), strict=True)
    return list(itertools.starmap(Neighbour, found))


def _promising(view: View, query: Vector, *, wanted: int, mask: Mask, reach: int, settings: StoreSettings) -> Rows:
    """Positions of the vectors that may be among the best: a superset in the exact case, nearly so else."""
    if view.matrix is not None:
        return _most_similar(view.matrix, query, wanted=wanted, mask=mask)
    if view.codes is None:
        return np.flatnonzero(mask)
    size = np.clip(view.records.size // _SHORTLIST_SHARE, settings.shortlist_rows, settings.shortlist_rows_max)
    exact = np.clip(size // _RESCORE_SHARE, settings.rescore_rows, settings.rescore_rows_max)
    rescore = max(int(exact) * reach, wanted * 3)
    short = _shortlist(view.codes, query, mask=mask, count=max(int(size) * reach, rescore))
    if short.size <= rescore:
        return short
    signs = _signed_dot(np.take(view.codes, short, axis=1), query)
    return np.sort(short[np.argpartition(-signs, rescore)[:rescore]])


def _most_similar(matrix: Vector, query: Vector, *, wanted: int, mask: Mask) -> Rows:
    """Positions of the vectors with the largest products, and of all that may tie with the last of them."""
    if wanted >= int(np.count_nonzero(mask)):
        return np.flatnonzero(mask)
    similar = _similar(matrix, query)
    similar[~mask] = -np.inf
    cut = np.partition(similar, similar.size - wanted)[similar.size - wanted]
    return np.flatnonzero(similar >= cut - _TIE)


def _shortlist(codes: Codes, query: Vector, *, mask: Mask, count: int) -> Rows:
    """Positions of the `count` codes nearest to the query's among those that the mask allows, and of all that tie with
    the last of them. Where it allows few, only those are looked at."""
    code = sign_codes(query[np.newaxis, :]).view("<u8")[0]
    allowed = int(np.count_nonzero(mask))
    if allowed <= count:
        return np.flatnonzero(mask)
    if allowed * _FEW < mask.size:
        places = np.flatnonzero(mask)
        return places[_smallest(_hamming(np.take(codes, places, axis=1), code), count)]
    distance = _hamming(codes, code)
    if allowed < mask.size:
        distance[~mask] = 64 * code.size + 1  # further than any; fewer are wanted than are allowed
    return _smallest(distance, count)


def _similar(matrix: Vector, query: Vector) -> Vector:
    """Dot products of all rows, a stretch at a time: a large product would be spread over threads that spin, and cost
    many times the CPU time it saves."""
    found = np.empty(matrix.shape[0], dtype=np.float32)
    for start in range(0, found.size, _STRETCH):
        np.matmul(matrix[start : start + _STRETCH], query, out=found[start : start + _STRETCH])
    return found


def _hamming(codes: Codes, query: Codes) -> NDArray[np.uint16]:
    """Differing bits between every code and the query's.

    Three words at a time are counted in bytes, which cannot overflow, and everything is written in place: adding bytes
    to wider numbers and making arrays took a third of the scan.
    """
    words, size = codes.shape
    distance = np.zeros(size, dtype=np.uint16)
    room = min(size, _CHUNK)
    differing, counts, sums = np.empty(room, np.uint64), np.empty(room, np.uint8), np.empty(room, np.uint8)
    for start in range(0, size, _CHUNK):
        part = distance[start : start + _CHUNK]
        bits, count, few = differing[: part.size], counts[: part.size], sums[: part.size]
        for first in range(0, words, 3):
            few.fill(0)
            for word in range(first, min(first + 3, words)):
                np.bitwise_xor(codes[word, start : start + part.size], query[word], out=bits)
                few += np.bitwise_count(bits, out=count)
            part += few
    return distance


def _smallest(distance: NDArray[np.uint16], count: int) -> Rows:
    """Positions of the `count` smallest distances and of everything that ties with the last of them.

    A sample tells about where the last of them lies, so that only the nearest have to be counted exactly.
    """
    if count >= distance.size:
        return np.arange(distance.size)
    guess = _cut(distance[::_SAMPLE], count * 5 // (4 * _SAMPLE) + _SAMPLE)
    near = np.flatnonzero(distance <= guess)
    if near.size < count:
        near = np.arange(distance.size)
    nearest_ones = distance[near]
    return near[nearest_ones <= _cut(nearest_ones, count)]


def _cut(distance: NDArray[np.uint16], count: int) -> int:
    """The distance of the one that is number `count` from the nearest on; the largest where there are fewer."""
    upto = np.cumsum(np.bincount(distance))
    return int(np.searchsorted(upto, min(count, distance.size)))


def _signed_dot(codes: Codes, query: Vector) -> NDArray[np.float64]:
    """The query's dot product with each code read as bits, which orders codes as their ±1 vectors would.

    The query is rounded to 64 levels and cut into its binary digits; each digit's part is a count of common bits. No
    matrix product is needed: those spread over threads that spin, and cost more CPU time than they save.
    """
    low, high = float(query.min()), float(query.max())
    step = (high - low) / (2**_PLANES - 1) or 1.0
    levels = np.rint((query - low) / step).astype(np.uint8)
    digits = np.stack([(levels >> plane) & 1 for plane in range(_PLANES)]).astype(np.float32)
    masks = sign_codes(digits).view("<u8")
    common = np.zeros(codes.shape[1], dtype=np.uint32)
    ones = np.zeros(codes.shape[1], dtype=np.uint32)
    for word, words in enumerate(codes):
        ones += np.bitwise_count(words)
        for plane, mask in enumerate(masks):
            common += np.left_shift(np.bitwise_count(words & mask[word]), plane, dtype=np.uint32)
    return np.asarray(common * step + ones * low)


def _best_per_record(
    view: View, query: Vector, positions: Rows, fetch: Fetch
) -> tuple[Rows, Rows, NDArray[np.float64]]:
    """Records with their best vector among these and its exact cosine, best first, then by row."""
    vectors = view.vectors[positions]
    rows = view.matrix[positions] if view.matrix is not None else fetch(vectors)
    exact = cosines(rows, query)
    records = view.records[positions]
    order = np.lexsort((vectors, records, -exact))
    _, first = np.unique(records[order], return_index=True)
    best = order[np.sort(first)]
    return records[best], vectors[best], exact[best]


# ── what is measured of records that were met ─────────────────────────────────────────────────────────────

Measures = tuple[float | None, float | None, int | None]
UNMEASURED: Measures = (None, None, None)


def measure(
    view: View, rows: Sequence[int], query: Vector, *, known: Mapping[int, tuple[float, int]], fetch: Fetch
) -> dict[int, Measures]:
    """Of each record that has vectors the best cosine, that of its whole text, and which vector was best.

    What a search for the same question has measured (`known`: cosine and vector by row) is not measured again.
    """
    measured: dict[int, Measures] = {}
    open_: list[tuple[int, int, int]] = []
    starts, counts = view.spans(np.array(rows, dtype=np.int64))
    for row, start, count in zip(rows, starts.tolist(), counts.tolist(), strict=True):
        if row not in known:
            if count:
                open_.append((row, start, count))
        elif count == 1:  # the whole text is its only passage
            measured[row] = known[row][0], known[row][0], 0
        else:
            open_.append((row, start, 1))
    if not open_:
        return measured
    places = _stretches(np.array(open_, dtype=np.int64))
    vectors = view.vectors[places]
    held = fetch(vectors) if view.matrix is None else view.matrix[places]
    exact = cosines(held, query).tolist()
    end = 0
    for row, _, count in open_:
        begin, end = end, end + count
        if row in known:
            cosine, vector = known[row]
            measured[row] = cosine, exact[begin], vector - int(vectors[begin])
        else:
            best = max(exact[begin:end])
            measured[row] = best, exact[begin], exact.index(best, begin, end) - begin
    return measured


def _stretches(spans: Rows) -> Rows:
    """Every place of these spans, told as record, start and length, one after the other."""
    starts, lengths = spans[:, 1], spans[:, 2]
    return np.asarray(np.repeat(starts - np.cumsum(lengths) + lengths, lengths) + np.arange(int(lengths.sum())))
