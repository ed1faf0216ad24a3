"""The first page on long-term memory of LangGraph's documentation: put, get, search with a filter."""

from __future__ import annotations

from libravdb import Memory

memory = Memory.open("memory.libravdb", user="my-user")
memory.remember(
    "User likes short, direct language. User only speaks English & python",
    id="a-memory",
    metadata={"my-key": "my-value"},
)
item = memory.get("a-memory")
items = memory.search("language preferences", where={"my-key": "my-value"})

print(item)
print(*items, sep="\n")
memory.close()
