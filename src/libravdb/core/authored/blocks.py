"""The block structure of a Markdown text, read by markdown-it without its inline markup."""

from __future__ import annotations

from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

CONTAINERS = frozenset({"list_item_open", "list_item_close", "blockquote_open", "blockquote_close"})
LEAVES = frozenset({"heading_open", "paragraph_open", "fence", "code_block", "table_open", "html_block"})

MOST_NESTING = 100
"""Lists and quotes deeper than this are not taken apart any further; no recursion goes deeper either."""


class Blocks(StateBlock):
    """Keeps the tokens of list items, quotes, and what stands outside of both; nobody asks for the rest.

    Making and holding all of them would take twice the time.
    """

    def __init__(self, text: str, parser: MarkdownIt) -> None:
        super().__init__(text, parser, {}, [])
        self._scratch = Token("", "", 0)

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """A token for the parser to fill in; kept only when it tells where a node is."""
        if ttype in CONTAINERS or (self.level == 0 and ttype in LEAVES):
            return super().push(ttype, tag, nesting)
        self.level += nesting
        return self._scratch


# Link definitions are left to be paragraphs: as definitions they would leave no trace.
_PARSER = MarkdownIt("commonmark", {"maxNesting": MOST_NESTING}).enable("table").disable("reference")


def parse(text: str) -> list[Token]:
    """Tokens of blocks in source order, with their lines. Lines end with line feeds only."""
    state = Blocks(text.replace("\0", "\ufffd"), _PARSER)
    _PARSER.block.tokenize(state, 0, state.lineMax)
    return state.tokens
