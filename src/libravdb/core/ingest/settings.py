"""The section `[ingest]`: what every stage between a host's messages and the store decides by."""

from __future__ import annotations

from dataclasses import dataclass

from libravdb.model.settings import setting, tuned


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestSettings:
    """How messages of a host are taken in."""

    mask_secrets: bool = setting(default=True, help="Mask keys, tokens and passwords before anything is stored.")
    secret_allow: tuple[str, ...] = setting(
        (), "What is no secret although it looks like one: exact strings, or expressions between slashes."
    )
    secret_length: int = tuned(
        32, "Shortest string that counts as a secret for its randomness alone; 0 switches that off.", maximum=10_000
    )
    secret_bits: float = tuned(3.9, "Bits of entropy a character from which it does.", minimum=1, maximum=8)
    time_zone: str = setting(
        "", "The zone of times that a host writes without one, such as `Europe/Vienna`; empty means this machine's."
    )
    max_result_chars: int = setting(
        1_000_000,
        "Longest answer of a tool that is kept whole; of a longer one, which no record holds, the middle is left out.",
        minimum=100,
    )
    embedded_chars: int = setting(
        8_000,
        "Of a longer text, so many bytes get vectors: its head, its end, and the sentences that tell most; all of it is"
        " found by its words.",
        minimum=1_000,
        former="ingest.embedded_result_chars",
    )
    heartbeat_prompts: tuple[str, ...] = setting((), "Beginnings of further texts that are a host's pulse.")
    echo_letters: int = tuned(
        48,
        "Letters that a passage must share with what was put into the last prompts to count as an echo of it.",
        minimum=1,
        maximum=10_000,
    )
    echo_coverage: float = tuned(0.8, "Share of a tool's answer that such passages cover for it to be an echo.")


DEFAULTS = IngestSettings()
