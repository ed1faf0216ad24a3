"""A chat that remembers: `python examples/chat_loop.py`. Put your model in the place of `answer`."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from libravdb import Memory


def answer(prompt: str, message: str) -> str:
    """What your model says; `prompt` holds rules, profile and what is relevant, under the budget."""
    return f"(a model would answer {message!r} with {len(prompt.split())} words of memory at hand)"


def chat(memory: Memory, lines: Iterable[str], *, session: str = "today") -> None:
    """Each line is one turn: asked with what is remembered, answered, and taken in."""
    for line in lines:
        if message := line.strip():
            prompt = memory.assemble(message, session=session, budget=2_000)
            reply = answer(str(prompt), message)
            memory.add({"role": "user", "content": message}, {"role": "assistant", "content": reply}, session=session)
            print(reply)


if __name__ == "__main__":
    with Memory.open("chat.libravdb", user="anna") as memory:
        chat(memory, sys.stdin)
        print(memory.profile())
