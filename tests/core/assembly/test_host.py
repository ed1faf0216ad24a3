"""A host's own messages through ingest and assembly, call after call of one turn, as an agent host makes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tests.core.assembly.materials import hit, rule

from libravdb.core.assembly import already_shown
from libravdb.core.assembly.already_shown import forget_shown, plain, words_of
from libravdb.core.assembly.assemble import assemble
from libravdb.core.continuity.tail import choose_tail
from libravdb.core.ingest.messages import read_message
from libravdb.core.ingest.pipeline import take_in
from libravdb.model import Assembly, AssemblyMode, Material, Shown

Message = dict[str, Any]

HISTORY: list[Message] = [
    message
    for number in range(30)
    for message in (
        {"role": "user", "content": f"Question {number}: what about the hive at the fence?"},
        {"role": "assistant", "content": [{"type": "toolCall", "id": f"c{number}", "name": "look", "arguments": {}}]},
        {
            "role": "toolResult",
            "toolCallId": f"c{number}",
            "toolName": "look",
            "content": [{"type": "text", "text": "calm"}],
        },
        {"role": "assistant", "content": [{"type": "text", "text": f"Answer {number}: it is calm, and the bees fly."}]},
    )
]
MATERIAL = Material(
    mode=AssemblyMode.WINDOW,
    budget=900,
    session="s",
    prompt="Shall I feed them?",
    turn="31",
    rules=(rule(1, "- Be brief."),),
    recalled=(hit("h1", "I fed them sugar in October.", 0.9), hit("h2", "The hive at the fence is weak.", 0.8)),
)


def read(messages: Sequence[Message]) -> tuple[Shown, ...]:
    """Messages as the engine passes them on: what the model reads of them, and what ingest hears in them."""
    return tuple(Shown(content=_content(message), said=read_message(message)) for message in messages)


def _content(message: Message) -> str:
    content = message["content"]
    parts = content if isinstance(content, list) else [{"text": content}]
    return "\n".join(part.get("text") or f"{part.get('name')} {part.get('arguments')}" for part in parts)


def given_back(messages: Sequence[Message], made: Assembly) -> list[Message]:
    """What the host holds after a call: its own messages, the very same objects, with ours among them."""
    kept = [messages[place] for place in made.kept]
    if made.closing:
        kept.insert(made.closing_at, {"role": "user", "content": made.closing})
    if made.opening:
        kept.insert(0, {"role": "user", "content": made.opening})
    return kept


def call(messages: Sequence[Message], material: Material = MATERIAL) -> Assembly:
    made = assemble(replace(material, messages=read(messages)), choose_tail=choose_tail)
    assert made.receipt.violations == ()
    assert made.tokens <= material.budget
    return made


def test_a_turn_with_tools_keeps_its_window_and_its_memories_from_call_to_call() -> None:
    first = call(HISTORY)
    shown = given_back(HISTORY, first)
    assert 4 < len(shown) < len(HISTORY)
    assert shown[0]["role"] == "user"
    assert all(any(one is message for message in HISTORY) for one in shown[:-1])
    for step in (
        [{"role": "user", "content": "Shall I feed them?"}],
        [
            {
                "role": "assistant",
                "content": [{"type": "toolCall", "id": "x", "name": "weigh", "arguments": {"hive": 1}}],
            },
            {
                "role": "toolResult",
                "toolCallId": "x",
                "toolName": "weigh",
                "content": [{"type": "text", "text": "21 kg"}],
            },
        ],
    ):
        grown = [*shown, *step]
        again = call(grown, replace(MATERIAL, previous=first.trace))
        assert given_back(grown, again) == grown
        shown = grown
        first = again


def test_ingest_takes_our_messages_for_nobodys_words() -> None:
    made = call(HISTORY)
    heard = take_in([*given_back(HISTORY, made), {"role": "user", "content": made.rules}])
    ours = [said for said in heard if said.metadata.get("is_echo")]
    assert len(ours) == 2
    assert len(heard) - len(ours) == len(made.kept)


def test_without_the_trace_the_same_turn_is_recognised_by_what_stands_there() -> None:
    first = call(HISTORY)
    shown = given_back(HISTORY, first)
    again = call(shown, replace(MATERIAL, turn="", recalled=()))
    assert again.closing == first.closing
    assert given_back(shown, again) == shown


def test_words_that_were_looked_at_before_can_be_forgotten() -> None:
    """Deleted texts are not kept for being read faster."""
    assert words_of("Where is  Anna?") == "where is anna?"
    assert plain("Where is  Anna?") == "Where is Anna?"
    assert already_shown._known_words.cache_info().currsize > 0
    forget_shown()
    assert not already_shown._known_words.cache_info().currsize
    assert not already_shown._known_plain.cache_info().currsize
