"""How known models want to be asked; importing this loads no runtime."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SummariserProfile:
    """`prefix` stands before what is to be summarised, `max_input` is how many tokens the model was trained to read."""

    name: str
    prefix: str
    max_input: int = 512


_DIALOGUE = "Summarize the following dialogue, keeping names, numbers and dates: "

PROFILES: Mapping[str, SummariserProfile] = {
    profile.name: profile
    for profile in (
        SummariserProfile(name="t5-small", prefix="summarize: "),
        SummariserProfile(name="t5-base", prefix="summarize: "),
        SummariserProfile(name="flan-t5-small", prefix=_DIALOGUE),
        SummariserProfile(name="flan-t5-base", prefix=_DIALOGUE),
    )
}
