"""Questions whose answer lies in many places: an order of events, all that was said of a subject.

The nearest turns often stand in one session and say one thing; such a question wants each session's best before a
second of the same.
"""

from __future__ import annotations

from dataclasses import replace

from libravdb.core.recall.candidates import NOWHERE, Pool
from libravdb.core.recall.time_coverage import Selected

_AGAIN = 0.95  # what each turn of the same session before it leaves of a turn's score


def spread(pool: Pool, order: list[Selected]) -> list[Selected]:
    """The order by `score · a^n`, n being the better turns of the same session; scores never exceed the one before."""
    taken: dict[int, int] = {}
    valued: list[tuple[float, int]] = []
    for place, one in enumerate(order):
        session = int(pool.session[one.row])
        before = 0 if session == NOWHERE else taken.get(session, 0)
        taken[session] = before + 1
        valued.append((one.score * _AGAIN**before, place))
    found = [(value, order[place]) for value, place in sorted(valued, key=lambda pair: (-pair[0], pair[1]))]
    return [replace(one, score=value) for value, one in found]
