"""The same for a program that awaits: many conversations at once, one file, one model."""

from __future__ import annotations

import asyncio

from libravdb import AsyncMemory


async def converse(memory: AsyncMemory, messages: list[str]) -> str:
    """One user's messages, and what a prompt would hold for the last of them."""
    await memory.add(messages)
    return str(await memory.assemble(messages[-1], budget=1_000))


async def main() -> None:
    """Three users talk at the same time."""
    said = {
        "anna": ["I'm allergic to walnuts.", "What should I cook tonight?"],
        "ben": ["I live in Graz.", "Where is the next lake?"],
        "carol": ["My dog is called Argo.", "Who barks at night?"],
    }
    async with AsyncMemory.open("async.libravdb") as memory:
        prompts = await asyncio.gather(*(converse(memory.for_user(user), talk) for user, talk in said.items()))
    for user, prompt in zip(said, prompts, strict=True):
        print(f"--- {user}\n{prompt}")


if __name__ == "__main__":
    asyncio.run(main())
