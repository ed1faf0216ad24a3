"""What the docs name is there: pages, headings, files, modules, commands, options, settings, make targets."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest
from tests.pages import PAGES, ROOT, anchors, blocks, inline_code, links, named, shell_lines, written
from tests.test_architecture import LAYERS

from libravdb import Memory
from libravdb.cli.app import command_line
from libravdb.config.schema import settings

SOURCE = ROOT / "src" / "libravdb"
ROOTS = (ROOT, SOURCE, SOURCE / "core")
OURS = r"(?:src|tests|bench|tools|plugins|docs|deploy|\.github)"
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
KEYS = {setting.key for setting in settings()}
SECTIONS = {key.partition(".")[0] for key in KEYS}
VARIABLES = {name for setting in settings() for name in setting.env_names} | {"LIBRAVDB_CONFIG"}

by_page = pytest.mark.parametrize("page", PAGES, ids=named)


@by_page
def test_links_resolve_down_to_the_heading(page: Path) -> None:
    broken = [
        f"{path}#{anchor}" if anchor else path
        for path, anchor in links(page)
        if not (target := page.parent / path if path else page).exists()
        or (anchor and target.suffix == ".md" and anchor not in anchors(target))
    ]
    assert broken == []


def test_every_page_of_the_docs_is_in_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {(index.parent / path).resolve() for path, _ in links(index) if path}
    pages = set((ROOT / "docs").rglob("*.md")) - {index}
    listed = {page for page in pages if page in linked or page.parent in linked}
    assert {named(page) for page in pages - listed} == set()


@by_page
def test_files_that_a_page_names_exist(page: Path) -> None:
    paths = {code for code in inline_code(page) if re.fullmatch(rf"{OURS}/[\w./*-]+|[\w/]+/[\w]+\.py", code)}
    scripts = set(re.findall(r"\bpython ((?:bench|tools)/\w+\.py)", written(page)))
    assert [path for path in paths | scripts if not any([*root.glob(path.rstrip("/"))] for root in ROOTS)] == []


def test_every_benchmark_that_writes_tables_has_its_place_on_the_page() -> None:
    page = (ROOT / "docs" / "internals" / "benchmarks.md").read_text(encoding="utf-8")
    marks = {mark for path in sorted((ROOT / "bench").glob("*.py")) for mark in _marks(path)}
    assert len(marks) == 16
    assert [mark for mark in marks if page.count(mark) != 1] == []


def _marks(bench: Path) -> list[str]:
    """Where a benchmark puts its tables: between marks that it spells itself, or that are named after it."""
    code = bench.read_text(encoding="utf-8")
    named = re.findall(r"put_into_page\(\"(\w+)\"", code)
    spelled = re.findall(r"<!-- \w+: begin \(python bench/\w+\.py --docs\) -->|<!-- \w+: end -->", code)
    begins = [f"<!-- {name}: begin (python bench/{bench.name} --docs) -->" for name in named]
    return [*spelled, *begins, *(f"<!-- {name}: end -->" for name in named)]


def is_there(name: str) -> bool:
    """Whether a dotted name is a module, or something in one."""
    module, _, attribute = name.rpartition(".")
    try:
        import_module(name)
    except ModuleNotFoundError:
        return bool(module) and is_there(module) and hasattr(import_module(module), attribute)
    return True


@by_page
def test_modules_that_a_page_names_exist(page: Path) -> None:
    text = written(page)
    dotted = set(re.findall(r"(?<![\w/.~-])libravdb(?:\.[a-z_]+)+(?:\.[A-Z]\w+)?", text))
    run = {f"bench.{name}" for name in re.findall(r"python -m bench\.([\w.]+)", text)}
    assert [name for name in dotted | run if not is_there(name)] == []


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent.name != "decisions"], ids=named)
def test_settings_and_variables_that_a_page_names_exist(page: Path) -> None:
    """A decision is of its day, and may name what it did away with."""
    code = inline_code(page)
    keys = {each for each in code if re.fullmatch(rf"(?:{'|'.join(SECTIONS)})\.(?!js$|md$|py$)[a-z_]+", each)}
    keys -= {f"memory.{name}" for name in dir(Memory)}  # a section, and what examples call an open Memory
    variables = {name for each in code for name in re.findall(r"\bLIBRAVDB_[A-Z_]*[A-Z]\b", each)}
    assert keys - KEYS == set()
    assert variables - VARIABLES == set()


@by_page
def test_make_targets_that_a_page_names_exist(page: Path) -> None:
    named_targets = {found[1] for line in shell_lines(page) if (found := re.match(r"make ([a-z-]+)", line))}
    assert named_targets - TARGETS == set()


# ── the tree ──────────────────────────────────────────────────────────────────────────────────────────────


ARCHITECTURE = ROOT / "docs" / "internals" / "architecture.md"


@pytest.mark.parametrize("page", [ARCHITECTURE, ROOT / "CONTRIBUTING.md"], ids=named)
def test_the_import_rule_that_a_page_tells_is_the_one_that_is_tested(page: Path) -> None:
    rule = " → ".join(", ".join(layer) for layer in reversed(LAYERS))
    assert f"`{rule}`" in " ".join(page.read_text(encoding="utf-8").split())


def folders(room: Path) -> set[str]:
    """The packages in a room."""
    return {path.parent.name for path in room.glob("*/__init__.py")}


def test_the_drawn_tree_is_that_of_the_package() -> None:
    (tree,) = [block for block in blocks(ARCHITECTURE, "text") if block.text.startswith("src/libravdb/")]
    drawn = re.findall(r"^(  (?:  )?)(\w+)(?:/|\.py)  ", tree.text, re.MULTILINE)
    files = {path.stem for path in SOURCE.glob("*.py")} - {"__init__", "__main__"}
    assert {name for depth, name in drawn if depth == "  "} == files | folders(SOURCE)
    assert {name for depth, name in drawn if depth != "  "} == folders(SOURCE / "core") | folders(SOURCE / "adapters")


# ── commands ──────────────────────────────────────────────────────────────────────────────────────────────


def options_of(command: click.Command) -> dict[str, bool]:
    """The options of a command by name, and whether each takes a value."""
    return {
        name: isinstance(each, click.Option) and not each.is_flag and not each.count
        for each in command.params
        for name in (*each.opts, *each.secondary_opts)
    }


def unknown_words(line: str) -> list[str]:
    """The words of a `libravdb …` line that the command line does not know: subcommands and options."""
    words = iter(shlex.split(line.replace("…", ""), comments=True)[1:])
    command: click.Command = command_line
    options = {"-h": False, "--help": False} | options_of(command)
    unknown = []
    for word in words:
        if word in ("|", ">", "<", "&&", "&"):
            break
        if word.startswith("-") and word != "-":
            name, is_with_value, _ = word.partition("=")
            unknown += [word] if name not in options else []
            if options.get(name) and not is_with_value:
                next(words, None)
        elif isinstance(command, click.Group) and re.fullmatch(r"[a-z-]+", word):
            found = command.get_command(click.Context(command), word)
            if found is None:
                return [*unknown, word]
            command = found
            options |= options_of(command)
    return unknown


def test_a_wrong_command_or_option_is_seen() -> None:
    assert unknown_words('libravdb serch "x"') == ["serch"]
    assert unknown_words("libravdb authored add --cor AGENTS.md") == ["--cor"]
    assert unknown_words('libravdb --json search "x" -k 3 | head --lines 2') == []


@by_page
def test_commands_that_a_page_names_exist(page: Path) -> None:
    lines = [line for line in shell_lines(page) if re.match(r"libravdb [a-z-]", line)]
    assert {line: unknown for line in lines if (unknown := unknown_words(line))} == {}


def strings(module: Path) -> Iterator[str]:
    """What a module says, each text whole; `…` where something is put in."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield node.value


def told_commands(text: str) -> list[str]:
    """The commands that a remedy quotes, and those of the examples in a help text."""
    quoted = re.findall(r"'(libravdb [a-z-][^']*)'", text)
    return quoted + re.findall(r"^ +(?:[A-Z_]+=\S+ )?(libravdb [a-z-].*)$", text, re.MULTILINE)


def test_commands_that_messages_and_help_texts_name_exist() -> None:
    found = {
        line for module in sorted(SOURCE.rglob("*.py")) for text in strings(module) for line in told_commands(text)
    }
    assert len(found) > 100
    assert {line: unknown for line in found if (unknown := unknown_words(line.replace('"', " ")))} == {}
