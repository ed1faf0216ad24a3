"""The first page of mem0's documentation, with memory on your own machine: `chat_with_memories`."""

from __future__ import annotations

from typing import Protocol

from libravdb import Memory


class Model(Protocol):
    """Whatever answers messages: a client of a provider, or a model of your own."""

    def __call__(self, messages: list[dict[str, str]]) -> str: ...


memory = Memory.open("memory.libravdb")


def chat_with_memories(message: str, model: Model, user: str = "default_user") -> str:
    """Answer with what is remembered, and remember the answer."""
    own = memory.for_user(user)
    memories = "\n".join(f"- {hit}" for hit in own.search(message, k=3))
    system = f"You are a helpful AI. Answer based on query and memories.\nUser Memories:\n{memories}"
    messages = [{"role": "system", "content": system}, {"role": "user", "content": message}]
    reply = model(messages)
    own.add([*messages, {"role": "assistant", "content": reply}])
    return reply


if __name__ == "__main__":
    for line in ("I'm allergic to walnuts and I cook on Fridays.", "What must I not put into the cake?"):
        print(chat_with_memories(line, lambda messages: messages[0]["content"], user="anna"))
    memory.close()
