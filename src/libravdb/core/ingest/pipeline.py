"""The whole way from a host's messages to what is stored, as one tuple of stages.

Secrets go first, before anything is looked at or cut, since half a secret is recognised by nobody. Names come last
(`identity`), since they are made of the text as it is stored.
"""

from __future__ import annotations

from collections.abc import Callable

from libravdb.core.ingest.echo import NOTHING, InjectedBefore, guard
from libravdb.core.ingest.messages import bound_result, read_messages
from libravdb.core.ingest.secrets import mask_said, mask_secrets
from libravdb.core.ingest.settings import DEFAULTS, IngestSettings
from libravdb.errors import InvalidInput
from libravdb.model import IncomingTurn, Turn

Stage = Callable[[IncomingTurn], IncomingTurn]


def take_in(
    messages: object,
    *,
    injected: InjectedBefore = NOTHING,
    settings: IngestSettings = DEFAULTS,
    field: str = "messages",
) -> tuple[IncomingTurn, ...]:
    """What a host's messages really say, in order: read, freed of secrets, and with what is ours marked.

    `injected` is what we put into the last prompts of this session. What is not to be kept is still there, with the
    reason in `skipped`. Malformed messages are refused by the name of their field.
    """
    heard = read_messages(
        messages,
        field=field,
        mask=lambda text: mask_secrets(text, settings).text,
        settings=settings,
    )
    for stage in stages(settings, injected=injected):
        heard = tuple(stage(said) for said in heard)
    return heard


def stages(settings: IngestSettings, *, injected: InjectedBefore) -> tuple[Stage, ...]:
    """What happens to each message after it was read, in this order."""
    return (
        lambda said: mask_said(said, settings),
        lambda said: guard(said, injected, settings=settings),
        lambda said: bound_result(said, settings.max_result_chars),
    )


def as_turn(said: IncomingTurn, *, namespace: str, session: str, now: int) -> Turn:
    """A named message as a turn. What has no time of its own was said now."""
    if said.id is None:
        raise InvalidInput("id", "is missing", remedy="Call identify() first; it names what is to be kept.")
    return Turn(
        namespace=namespace,
        session=session,
        id=said.id,
        role=said.role,
        text=said.text,
        at=now if said.at is None else said.at,
        speaker=said.speaker,
        metadata=said.metadata,
    )
