"""The section `[search]`: every number that recall decides by.

`docs/internals/recall.md` tells which defaults were measured, on what, and which not.
"""

from __future__ import annotations

from dataclasses import dataclass

from libravdb.model import Scope
from libravdb.model.settings import setting, tuned


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallSettings:
    """How many results a search gives and how they are ranked. `…_short` holds for chats of short turns, `…_long` for
    logs of long ones; in between they are blended by the average length of a turn."""

    k: int = setting(10, "Results given when nobody says how many.", minimum=1)
    candidates: int = tuned(48, "Candidates of each kind (vectors, words) per collection.", minimum=1, maximum=10_000)
    links: int = tuned(32, "Of each kind, candidates whose neighbouring turns are looked at too.", maximum=10_000)
    timed: int = tuned(24, "Turns of a time that a question names, candidates by their time alone.", maximum=10_000)
    # words against meaning
    dense_weight: float = setting(0.68, "Weight of vectors against words: 0 is words alone, 1 is vectors.", maximum=1)
    passage_share_short: float = tuned(0.7, "Weight of the best passage against the whole text, where turns are short.")
    passage_share_long: float = tuned(1.0, "Weight of the best passage against the whole text, where turns are long.")
    k1: float = tuned(0.6, "BM25: how soon a repeated word stops adding.", maximum=10)
    length_norm_short: float = tuned(0.1, "BM25's b where turns are short.")
    length_norm_long: float = tuned(0.75, "BM25's b where turns are long.")
    short_terms: int = tuned(
        40, "Average terms of a turn up to which a namespace is a chat of short turns.", minimum=1, maximum=100_000
    )
    long_terms: int = tuned(
        160, "Average terms of a turn from which on it is a log of long ones.", minimum=2, maximum=1_000_000
    )
    context_before: float = tuned(0.5, "Share of the previous turn's words that a short turn holds too.", maximum=2)
    context_after: float = tuned(0.3, "Share of the next turn's words that a short turn holds too.", maximum=2)
    # cues
    speaker: float = tuned(0.3, "Added when the question names who said it.", maximum=2)
    question_short: float = tuned(0.2, "Taken off a turn that only asks, where turns are short.", maximum=2)
    question_long: float = tuned(0.1, "Taken off a turn that only asks, where turns are long.", maximum=2)
    passing: float = tuned(0.2, "Taken off a greeting, an acknowledgement or a request of the moment.", maximum=2)
    date: float = tuned(0.4, "Added when it was said at the time the question names.", maximum=2)
    event_date: float = tuned(0.2, "Added when it speaks of the day the question names.", maximum=2)
    role: float = tuned(0.25, "Added to what the user said, unless the question is about the assistant.", maximum=2)
    time_answer: float = tuned(0.1, "Added when 'when' is asked and a time is named.", maximum=2)
    number_answer: float = tuned(0.1, "Added when a number is asked for and one is named.", maximum=2)
    attribute: float = tuned(0.2, "Added to a memory that states the kind of thing that is asked for.", maximum=2)
    recent: float = tuned(
        0.15, "Added to the newest of what matches alike, where it is asked how things are.", maximum=2
    )
    length_short: float = tuned(0.01, "Taken off per doubling of length, where turns are short.")
    length_long: float = tuned(0.05, "Taken off per doubling of length, where turns are long.")
    # what stands beside
    reply: float = tuned(0.2, "Share of a question's match that its answer gets.")
    next_turn: float = tuned(0.05, "Share of the next turn's relevance, where turns are short.")
    previous_turn: float = tuned(0.0, "Share of the previous turn's relevance, where turns are short.")
    session_short: float = tuned(0.4, "Share of the session's best turn, where turns are short.", maximum=2)
    session_long: float = tuned(0.2, "Share of the session's best turn, where turns are long.", maximum=2)
    session_depth_short: float = tuned(
        0.0, "Added for a session that comes back to the subject, where turns are short.", maximum=2
    )
    session_depth_long: float = tuned(
        0.1, "Added for a session that comes back to the subject, where turns are long.", maximum=2
    )
    # the hybrid law
    relevance: float = tuned(0.97, "Alpha of the hybrid law: weight of relevance.")
    recency: float = tuned(0.0, "Beta of the hybrid law: weight of recency.")
    scope: float = tuned(0.03, "Gamma of the hybrid law: weight of the scope.")
    summary_decay: float = tuned(0.5, "Delta of the hybrid law: how much a summary's decay rate costs.")
    recency_session: float = tuned(0.0001, "Decay per second in the session.")
    recency_durable: float = tuned(1e-05, "Decay per second in durable memory.")
    recency_other: float = tuned(2e-06, "Decay per second elsewhere.")
    scope_session: float = tuned(1.0, "Scope weight of the running session.")
    scope_elevated: float = tuned(0.8, "Scope weight of protected guidance.")
    scope_durable: float = tuned(0.6, "Scope weight of durable memory.")
    scope_lore: float = tuned(0.5, "Scope weight of authored lore.")
    scope_summary: float = tuned(0.5, "Scope weight of summaries.")
    scope_history: float = tuned(0.4, "Scope weight of the raw history.")
    scope_global: float = tuned(0.3, "Scope weight of what is shared by all.")
    # two passes
    coarse: int = tuned(64, "Hits of the first pass that the second one looks at.", minimum=1, maximum=10_000)
    least_similarity: float = tuned(0.0, "Cosine that a hit of the first pass needs if it shares no word.")
    keyword_coverage: float = tuned(
        0.0, "Kappa of the second pass: how much holding the question's words counts.", maximum=10
    )
    standing: float = tuned(0.05, "Share of a score that frequent use and authority decide.")
    # hops, time, recovery, silence
    hop_share: float = tuned(0.5, "Share of a hit's score that what it names enters with.")
    least_hop: float = tuned(0.15, "Score below which nothing is pulled in.")
    temporal: float = tuned(0.0, "Xi: how much questions about time prefer dated, complementary turns.")
    weak: float = tuned(0.2, "Strongest evidence below which a session's raw turns are searched.")
    reserve_share: float = tuned(0.1, "Share of the memory budget kept for raw turns.")
    reserve_least: int = tuned(16, "Least tokens of that reserve.", maximum=1_000_000)
    reserve_most: int = tuned(128, "Most tokens of that reserve.", maximum=1_000_000)
    silence: float = setting(
        0.02, "Strength that the strongest hit needs; below it nothing is shown. 0 is never silent.", maximum=1
    )
    least_strength: float = tuned(0.002, "Strength that a hit needs to be offered at all.")
    least_asked: float = tuned(0.05, "Strength that a question needs for its answer to be offered with it.")

    def scope_weight(self, scope: Scope) -> float:
        """S of the hybrid law: how near a scope is to what is going on."""
        weight: float = getattr(self, f"scope_{scope}")
        return weight
