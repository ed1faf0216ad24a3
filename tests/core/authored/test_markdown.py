"""Documents to nodes: no word is lost, positions are exact, every list item stands for itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from libravdb.core.authored.markdown import CONTEXT_CHARS, CONTEXT_PARENTS, prose, split
from libravdb.model import Node, NodeKind

ROOT = Path(__file__).parents[3]
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *ROOT.glob("docs/**/*.md")])
WORD = re.compile(r"[^\W_]+")
LINE = st.sampled_from(
    [
        "",
        "",
        "",
        " ",
        "\t",
        "word",
        "two words",
        "Ünïcode wörds",
        "日本語 の文",
        "# heading",
        "####### seven",
        "===",
        "---",
        "- - -",
        "***",
        "___",
        "- item",
        "* item",
        "+ item",
        "-",
        "1. one",
        "2) two",
        "1.",
        "  - nested",
        "    - deeper",
        "\t- tabbed",
        "- - both",
        "- # heading in item",
        "- ```",
        "> quote",
        "> - quoted item",
        ">   - deeper",
        "> > twice",
        ">",
        ">\ttab",
        "lazy",
        "    code",
        "\tcode",
        "      more code",
        "```",
        "```py",
        "~~~",
        "````",
        "| a | b |",
        "|---|---|",
        "a | b",
        "<div>",
        "</div>",
        "<!-- comment",
        "-->",
        "<!-- whole -->",
        "<script>",
        "[ref]: http://x.y 'title'",
        "[^1]: note",
        "[^2]: one two",
        "text with `code` and **bold**",
        "key: value",
        "...",
        "\0",
        "a\0b",
        "\ufeff",
        "\u2028",
        "\x0b",
        "\x85",
        "\u00a0",
        "- [ ] task",
        "- [x] done",
        "10000000000. no item",
        "\\- escaped",
        "&nbsp;",
        "- 1. mixed",
        "> 1. q",
        "🙂",
        "- 🙂",
        "\u202eright to left",
        "\u200bzero",
        "  indented",
        "   three",
        "-\ttab item",
        "1.\ttab item",
    ]
)
DOCUMENTS = st.lists(st.tuples(LINE, st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])), max_size=25).map(
    lambda lines: "".join(line + end for line, end in lines)
)
NASTY = [
    "",
    "\n",
    "\ufeff",
    "\ufeff# title",
    "\ufeff---\na: b\n---\n",
    "---",
    "---\n",
    "---\n---",
    "---\n---\n",
    "---\na: 1\n...\nbody",
    "---\r\na: 1\r\n---\r\n\r\nbody",
    "---\ntitle\n---\n",
    "---\n\na: 1\n---\n",
    "---\na: 1\n",
    "----\na: 1\n----\n",
    " ---\na: 1\n---",
    "title\n===\n\nsub\n---\n",
    "- a\nlazy\n- b",
    "> a\nlazy",
    "> - a\n>   - b\n> c\n",
    "- a\n\n      code\n\n  after",
    "- a\n  ```\n  x\n",
    "1. a\n   1. b\n      1. c\n   2. d\n2. e",
    "- a\n  - b\n\n  back in a\n- c",
    "-\n\n  not in item",
    "- \n  in item",
    "\t\t- x",
    "<!-- open\n\n# inside",
    "```\nunclosed\n# x",
    "a|b\n-|-\nc|d\n\nafter",
    "[a]: b\n[c]: d\ntext",
    "a\0b",
    "half \ud83d a character",
    "- > - > x",
    "- - - a",
    "* a\n- b\n+ c",
    "1) a\n2. b",
    "a\rb\r\rc",
    "- a\r\n  - b\r\n",
    "\n\n\n- a\n\n\n\n- b\n\n\n",
    "> a\n\n> b",
    ">>> a\n> b\nc",
    "-" * 50,
]


def check(document: str) -> tuple[Node, ...]:
    """What holds for every document."""
    raw = document.encode(errors="surrogatepass")
    nodes = split(document)
    assert [node.ordinal for node in nodes] == list(range(len(nodes)))
    end = 0
    for node in nodes:
        source = raw[node.start : node.end].decode(errors="surrogatepass")
        assert node.start >= end, "nodes do not overlap and stand in source order"
        end = node.end
        assert node.text.split() == source.split()
        assert node.text == node.text.rstrip()
        assert node.text.strip()
        assert node.line == len(re.findall(r"\r\n?|\n", raw[: node.start].decode(errors="surrogatepass"))) + 1
        assert len(node.context) <= CONTEXT_PARENTS
        said = prose(node).split("\n")
        assert len(said) == node.text.count("\n") + 1
        assert all(line in source for line, source in zip(said, node.text.split("\n"), strict=True))
    edges = [0, *(place for node in nodes for place in (node.start, node.end)), len(raw)]
    between = b" ".join(raw[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True))
    assert WORD.findall(between.decode(errors="surrogatepass")) == [], "what stands between the nodes has no word"
    joined = [word for node in nodes for word in WORD.findall(node.text)]
    assert joined == WORD.findall(document)
    return nodes


@given(DOCUMENTS)
@settings(max_examples=400, deadline=None)
@example("- a\n  - b\n\n  c\n")
def test_joining_the_nodes_loses_no_word_and_positions_are_exact(document: str) -> None:
    check(document)


@given(st.text(alphabet=st.sampled_from("ab \t\n\r->*+#1.)`~|_=[]:<!é日\0\\"), max_size=120))
@settings(max_examples=400, deadline=None)
def test_the_same_holds_for_any_heap_of_marks(document: str) -> None:
    check(document)


@pytest.mark.parametrize("document", NASTY)
def test_the_same_holds_for_nasty_documents(document: str) -> None:
    check(document)
    check(document.replace("\n", "\r\n"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_same_holds_for_our_own_pages(page: Path) -> None:
    assert len(check(page.read_text(encoding="utf-8"))) >= 2


@given(DOCUMENTS)
@settings(max_examples=100, deadline=None)
def test_line_ends_do_not_show_in_the_texts(document: str) -> None:
    plain = re.sub(r"\r\n?", "\n", document)
    texts = [(node.kind, node.text, node.context) for node in split(plain)]
    assert [(node.kind, node.text, node.context) for node in split(plain.replace("\n", "\r\n"))] == texts


def shape(document: str) -> list[tuple[str, str]]:
    return [(node.kind.value, node.text) for node in check(document)]


def test_each_kind_of_block_is_a_node_of_its_kind() -> None:
    document = (
        "---\ntitle: x\n---\n# One\n\nTwo\n---\n\nA paragraph\nof two lines.\n\n"
        "> a quote\nlazy\n\n- item\n\n```sh\nls\n```\n\n"
        "a\n\n    indented\n\n| h |\n|---|\n| c |\n\n<div>\nhtml\n</div>\n\n***\n\n[ref]: http://example.org\n"
    )
    assert shape(document) == [
        ("front_matter", "---\ntitle: x\n---"),
        ("heading", "# One"),
        ("heading", "Two\n---"),
        ("paragraph", "A paragraph\nof two lines."),
        ("blockquote", "> a quote\nlazy"),
        ("list_item", "- item"),
        ("code", "```sh\nls\n```"),
        ("paragraph", "a"),
        ("code", "    indented"),
        ("table", "| h |\n|---|\n| c |"),
        ("html", "<div>\nhtml\n</div>"),
        ("paragraph", "[ref]: http://example.org"),
    ]


def test_a_nested_item_is_its_own_node_and_keeps_its_parents_text() -> None:
    nodes = check("- Deploys:\n  of the shop\n  - Never on Fridays\n    1. nor before holidays\n- Calm")
    assert [(node.text, node.context) for node in nodes] == [
        ("- Deploys:\n  of the shop", ()),
        ("- Never on Fridays", ("Deploys: of the shop",)),
        ("1. nor before holidays", ("Deploys: of the shop", "Never on Fridays")),
        ("- Calm", ()),
    ]


def test_what_follows_a_nested_list_is_a_further_node_of_its_item() -> None:
    nodes = check("- a\n  - b\n\n  back in a\n\n  still in a\n- c")
    assert [(node.text, node.context) for node in nodes] == [
        ("- a", ()),
        ("- b", ("a",)),
        ("back in a\n\nstill in a", ("a",)),
        ("- c", ()),
    ]


def test_code_quotes_and_tables_in_an_item_belong_to_it() -> None:
    document = "- run:\n\n  ```sh\n  make\n  ```\n  > quoted\n\n  | a |\n  |---|\n- next"
    assert [kind for kind, _ in shape(document)] == ["list_item", "list_item"]


def test_items_in_a_quote_are_items_and_the_rest_of_it_is_quote() -> None:
    assert shape("> We:\n>\n> - are kind\n>   to all\n> - are calm\n>\n> Always.") == [
        ("blockquote", "> We:"),
        ("list_item", "> - are kind\n>   to all"),
        ("list_item", "> - are calm"),
        ("blockquote", "> Always."),
    ]


def test_the_indentation_of_code_is_kept_and_that_of_an_item_is_not() -> None:
    assert shape("a\n\n      x\n    y") == [("paragraph", "a"), ("code", "      x\n    y")]
    assert shape("- a\n   - b\n     c\n       d")[1] == ("list_item", "- b\n  c\n    d")


@pytest.mark.parametrize(
    ("document", "lines"),
    [
        ("---\na: 1\n---\nx", 3),
        ("---\na: 1\n...\nx", 3),
        ("---\r\na: 1\r\n---\r\nx", 3),
        ("\ufeff---\na: 1\n---", 3),
        ("---\n# note\na: 1\n\nb:\n  - c\n---  \nx", 7),
        ("---\n---\nx", 2),
        ('---\n"a b": 1\n---', 3),
        ("--- \na:\n---", 3),
        ("---\n\na: 1\n---", 0),
        ("---\ntitle\n---", 0),
        ("---\na: 1\n", 0),
        ("----\na: 1\n----", 0),
        ("x\n---\na: 1\n---", 0),
        ("---\nhttp://x.y\n---", 0),
        ("---\n- a\n---", 0),
        (" ---\na: 1\n---", 0),
        ("---", 0),
        ("\n---\na: 1\n---", 0),
    ],
)
def test_front_matter_is_told_from_a_rule_that_opens_a_document(document: str, lines: int) -> None:
    nodes = check(document)
    front = nodes[0] if nodes and nodes[0].kind is NodeKind.FRONT_MATTER else None
    assert (front.text.count("\n") + 1 if front else 0) == lines


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("- be kind", "be kind"),
        ("12) be kind", "be kind"),
        ("- [x] be kind", "be kind"),
        ("> - be kind\n>   now", "be kind\nnow"),
        ("- - be kind", "be kind"),
        ("> be kind\n> now\nand here", "be kind\nnow\nand here"),
        ("-5 degrees", "-5 degrees"),
    ],
)
def test_prose_is_a_node_without_the_marks_of_lists_and_quotes(document: str, said: str) -> None:
    (node,) = check(document)
    assert prose(node) == said


def test_nesting_without_end_stays_linear_and_loses_nothing() -> None:
    for document in (
        "> " * 3000 + "deep",
        "1. " * 3000 + "deep",
        "> - " * 3000 + "deep",
        "".join("  " * i + "- a\n" for i in range(200)),
    ):
        assert check(document)


def test_a_long_parent_is_kept_by_its_beginning() -> None:
    nodes = check("- " + "long " * 1000 + "\n" + "".join(f"  - child {i}\n" for i in range(50)))
    assert len(nodes) == 51
    assert all(0 < len(node.context[0]) <= CONTEXT_CHARS for node in nodes[1:])


@pytest.mark.parametrize(
    "unit",
    [
        "- a\n",
        "> a\n",
        "a|b\n",
        "[",
        "<!--\n",
        "```\n",
        "* ",
        "a\n===\n",
        "> > a\nb\n",
        "\t",
        "|a|\n|-|\n",
        "-\n\n",
        "[a]: b\n",
    ],
)
def test_thousands_of_any_mark_are_read(unit: str) -> None:
    check(unit * 1000)
