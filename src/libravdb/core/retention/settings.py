"""The section `[retention]`; apart from its room, so that knowing the settings loads none of it."""

from __future__ import annotations

from dataclasses import dataclass

from libravdb.model.settings import setting


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionSettings:
    """How long memory is kept. Without a rule everything stays until somebody deletes it."""

    rules: tuple[str, ...] = setting(
        (),
        'What goes when it is older, as "namespaces kind age": "person:* turns 90d", "* receipts 30d". Kinds are turns,'
        " memories, receipts and journal; `forever` is an age too. Of several rules for one, the first counts.",
    )


DEFAULTS = RetentionSettings()
