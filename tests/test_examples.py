"""The examples run as they are, and those beside other libraries are not longer than what these show first."""

from __future__ import annotations

import io
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest
from tests.pages import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
TOLD = {
    "chat_loop": ("a model would answer", "I'm allergic to walnuts."),
    "async_chat": ("--- anna", "I'm allergic to walnuts.", "--- carol"),
    "many_users": ("I live in Graz. → I live in Wien.", "read", "['I live in Trieste.']"),
    "mem0_style": ("- I'm allergic to walnuts and I cook on Fridays.",),
    "langgraph_style": ("a-memory", "User likes short, direct language."),
}

THEIRS = {
    "mem0_style": """
from openai import OpenAI
from mem0 import Memory

openai_client = OpenAI()
memory = Memory()

def chat_with_memories(message: str, user_id: str = "default_user") -> str:
    relevant_memories = memory.search(query=message, user_id=user_id, limit=3)
    memories_str = "\\n".join(f"- {entry['memory']}" for entry in relevant_memories["results"])
    system_prompt = f"You are a helpful AI. Answer based on query and memories.\\nUser Memories:\\n{memories_str}"
    messages = [{"role": "system", "content": system_prompt}, {"role": "user", "content": message}]
    response = openai_client.chat.completions.create(model="gpt-4.1-nano-2025-04-14", messages=messages)
    assistant_response = response.choices[0].message.content
    messages.append({"role": "assistant", "content": assistant_response})
    memory.add(messages, user_id=user_id)
    return assistant_response
""",
    "langgraph_style": """
from langgraph.store.memory import InMemoryStore

def embed(texts: list[str]) -> list[list[float]]:
    return [[1.0, 2.0] * len(texts)]

store = InMemoryStore(index={"embed": embed, "dims": 2})
user_id = "my-user"
application_context = "chitchat"
namespace = (user_id, application_context)
store.put(
    namespace,
    "a-memory",
    {"rules": ["User likes short, direct language", "User only speaks English & python"], "my-key": "my-value"},
)
item = store.get(namespace, "a-memory")
items = store.search(namespace, filter={"my-key": "my-value"}, query="language preferences")
""",
}  # fmt: skip
"""What a reader of their documentation meets first, without its comments."""


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_and_tells_what_it_promises(example: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(example)],
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "LC_ALL": "C.UTF-8", "TZ": "UTC"},
        input="I'm allergic to walnuts.\nWhat should I cook tonight?\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for told in TOLD[example.stem]:
        assert told in done.stdout


@pytest.mark.parametrize("name", THEIRS)
def test_our_counterpart_is_not_longer_than_theirs(name: str) -> None:
    ours = (ROOT / "examples" / f"{name}.py").read_text(encoding="utf-8")
    shown = ours.partition("\nmemory = ")[2].partition('\nif __name__ == "__main__":')[0].partition("\nprint(")[0]
    assert tokens_of(f"from libravdb import Memory\nmemory = {shown}") <= tokens_of(THEIRS[name])


def tokens_of(code: str) -> int:
    """How much there is to read: names, numbers, texts and signs, without comments and docstrings."""
    found = list(tokenize.generate_tokens(io.StringIO(code).readline))
    left_out = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    return sum(
        one.type not in left_out and not (one.type == tokenize.STRING and one.line.strip().startswith('"""'))
        for one in found
    )
