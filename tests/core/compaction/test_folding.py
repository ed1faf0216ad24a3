"""A whole cluster folded with the parts that ship, against facts that a person marked in it."""

from __future__ import annotations

import numpy as np
import pytest

from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.core.compaction.clusters import plan
from libravdb.core.compaction.escalation import Ask, Folded, begin, next_step, tried
from libravdb.core.compaction.extractive import extract, split_units
from libravdb.core.compaction.quality import is_about, measure
from libravdb.core.compaction.sanitise import sanitise
from libravdb.model import Source, SummaryTask

TALK = (
    ("user", "The nightly export broke again. The log in /var/log/exporter/nightly.log says ECONNRESET at 02:14."),
    (
        "assistant",
        (
            "That usually means that the other side closed the connection. I looked at the exporter: it opens one"
            " connection for all pages and keeps it for the whole run, which can take up to 45 minutes. The proxy in"
            " front of the database closes connections after 1,800 seconds, so a long run is bound to meet that limit"
            " sooner or later."
        ),
    ),
    ("user", "Right, and since v2.14.0 the run is longer because we export 320,000 rows instead of the old 90,000."),
    (
        "assistant",
        (
            "Then there are two ways out. Either the exporter asks for a new connection every few pages, or the proxy"
            " gets a longer limit. The first one is cleaner, because the limit of the proxy protects other services as"
            " well, and nobody will remember later why it was raised. I would change src/exporter/session.py and add a"
            " test for it."
        ),
    ),
    ("user", "Agreed. We decided to open a new connection every 500 rows. Put it behind EXPORTER_PAGE_ROWS, please."),
    (
        "assistant",
        (
            "Done, in commit 4be91f7. To try it locally run `pytest tests/exporter/test_session.py -k reconnect`, it"
            " takes about ten seconds. I also wrote down in docs/exporter.md how the setting works and what it is good"
            " for, so that whoever is on call knows where to look when the export is slow and wants to know what can"
            " be turned."
        ),
    ),
    ("user", "Ticket is OPS-4312. Priya Raman wants to review it, her mail is priya@example.com."),
    (
        "assistant",
        (
            "I asked her for a review. She wrote back that she will look at it on 14 March 2025, and that she wants"
            " to know whether the number of connections grows. It does not: there is never more than one open"
            " connection at a time, they just follow each other, and the pool is not touched at all by any of this."
        ),
    ),
    ("user", "Good. Deploy to staging first: kubectl rollout restart deployment/exporter -n staging"),
    (
        "assistant",
        (
            "Staging is up with it. The export of yesterday's data took 38 minutes there and ended without an error."
            " Memory stayed at 410 MB the whole time. I put the numbers at https://wiki.example.com/exporter/runs so"
            " that others can compare. If tonight's run is fine as well I would suggest to take it to production in"
            " the morning."
        ),
    ),
)
MARKED = (
    "/var/log/exporter/nightly.log", "ECONNRESET", "02:14", "45 minutes", "1,800 seconds", "v2.14.0", "320,000 rows",
    "90,000", "src/exporter/session.py", "500 rows", "EXPORTER_PAGE_ROWS", "4be91f7",
    "pytest tests/exporter/test_session.py -k reconnect", "ten seconds", "docs/exporter.md", "OPS-4312", "Priya Raman",
    "priya@example.com", "14 March 2025", "kubectl rollout restart deployment/exporter -n staging", "38 minutes",
    "410 MB", "https://wiki.example.com/exporter/runs",
)  # fmt: skip


@pytest.fixture(scope="module")
def sources() -> list[Source]:
    return [Source(id=f"t{place}", text=text, at=place, role=role) for place, (role, text) in enumerate(TALK)]


def fold(sources: list[Source]) -> Folded:
    embedder = open_minilm()
    views = tuple(sanitise(source.text) for source in sources)
    climb = begin([source.text for source in sources])
    while isinstance(step := next_step(climb), Ask):
        task = SummaryTask(texts=views, roles=tuple(source.role for source in sources), max_tokens=step.text_tokens)
        units = split_units(task)
        rows = np.stack([embedder.embed_query(unit.text) for unit in units])
        climb = tried(climb, step, extract(task, units, vectors=rows, facts=climb.facts))
    assert isinstance(step, Folded)
    assert is_about(measure(embedder.embed_query(step.text), [embedder.embed_query(view) for view in views]))
    embedder.close()
    return step


def test_what_a_person_marked_survives_at_a_third_of_the_size(sources: list[Source]) -> None:
    (cluster,) = plan(sources, edges=range(0, len(sources), 2))
    folded = fold(sources[cluster.start : cluster.end])
    lost = [fact for fact in MARKED if fact not in folded.text]
    assert folded.tokens <= 0.35 * folded.source_tokens
    assert len(lost) <= 0.05 * len(MARKED), lost
