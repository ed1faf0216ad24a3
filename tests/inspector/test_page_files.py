"""The files of the page as they are written: little, our own, and without any way for a text to become markup."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import pytest

from libravdb.inspector.files import page_files

MOST_SENT, MOST_WRITTEN = 250_000, 300_000
"""Bytes of all files together: as browsers get them, packed; and as they lie there."""

SCRIPTS = {path: file.body.decode() for path, file in page_files().items() if path.endswith(".js")}
MARKUP = (
    r"\b(?:inner|outer)HTML\b",
    r"\binsertAdjacentHTML\b",
    r"\bdocument\.write",
    r"\bDOMParser\b",
    r"\bcreateContextualFragment\b",
    r"\bsetHTML(?:Unsafe)?\b",
    r"\bsrcdoc\b",
    r"\beval\(",
    r"\bnew Function\b",
    r"\bsetTimeout\(\s*[\"'`]",
    r"javascript:",
)
"""The ways from a text to markup or to code."""


def test_all_files_together_weigh_little() -> None:
    assert sum(len(file.packed) for file in page_files().values()) <= MOST_SENT
    assert sum(len(file.body) for file in page_files().values()) <= MOST_WRITTEN


def test_nothing_is_fetched_from_anywhere_else() -> None:
    for path, file in page_files().items():
        named = set(re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}[^\s\"'`)]*", file.body.decode()))
        assert named <= {"http://www.w3.org/2000/svg", "//www.w3.org/2000/svg"}, path


@pytest.mark.parametrize("way", MARKUP)
def test_no_script_knows_a_way_from_a_text_to_markup_or_code(way: str) -> None:
    assert [path for path, code in SCRIPTS.items() if re.search(way, code)] == []


def test_the_page_itself_holds_no_script_no_style_and_no_handler() -> None:
    page = page_files()["index.html"].body.decode()
    assert re.findall(r"<script(?![^>]*\bsrc=)", page) == []
    assert re.findall(r"<style|\bstyle=|\son[a-z]+=", page) == []


def test_every_module_that_is_imported_is_there_and_every_file_is_used() -> None:
    used = {"index.html", "main.js", "style.css", "icon.svg"}
    for path, code in SCRIPTS.items():
        for name in re.findall(r"(?:from|import)\s+\"(\.{1,2}/[^\"]+)\"", code):
            used.add(_resolved(PurePosixPath(path).parent / name))
    titles = re.search(r"const VIEWS = \[([^\]]+)\]", SCRIPTS["main.js"])
    assert titles is not None
    used |= {f"views/{title.lower()}.js" for title in re.findall(r"\"(\w+)\"", titles[1])}
    assert set(page_files()) == used


def test_what_is_kept_in_the_browser_is_the_token_of_a_tab_and_the_theme() -> None:
    kept = {
        (store, key)
        for code in SCRIPTS.values()
        for store, key in re.findall(r"(\w+Storage)\.(?:get|set|remove)Item\(([^,)]+)", code)
    }
    assert kept == {("sessionStorage", "KEY"), ("localStorage", '"libravdb.theme"')}
    assert not any("document.cookie" in code or "indexedDB" in code for code in SCRIPTS.values())


def _resolved(path: PurePosixPath) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
