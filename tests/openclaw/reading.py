"""What a request to the model says: the conversation, and what was put around it."""

from __future__ import annotations

import re

from tools.openclaw_host import Json, talk_of

from libravdb.core.assembly.render import parse
from libravdb.text.tokens import prompt_tokens

INTERNAL = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>"
OURS = ("<recalled_memories", "<recent_session_tail", "<elevated_guidance", "<memory_degraded")


def said_in(request: Json) -> list[tuple[str, str]]:
    """The conversation in a request, without what the host and we add to it."""
    said = []
    for role, text in talk_of(request):
        bare = re.sub(r"^\[\w{3} \d{4}-\d\d-\d\d \d\d:\d\d UTC\] ", "", text).split("\n\nRuntime: ")[0]
        if not bare.startswith((INTERNAL, *OURS)):
            said.append((role, bare))
    return said


def frames_in(request: Json) -> list[str]:
    """Our own messages in a request."""
    return [text.split("\n\nRuntime: ")[0] for _, text in talk_of(request) if text.startswith(OURS)]


def entries_in(request: Json) -> list[str]:
    """What our own messages remember, text by text."""
    return [
        text
        for frame in frames_in(request)
        for block in parse(frame if frame.endswith("\n") else f"{frame}\n") or ()
        for entry in block.entries
        for text in entry.texts
    ]


def history_tokens(request: Json) -> int:
    """What history and memory take in a request, by our own count."""
    return sum(prompt_tokens(text) for text in (*frames_in(request), *(text for _, text in said_in(request)[:-1])))
