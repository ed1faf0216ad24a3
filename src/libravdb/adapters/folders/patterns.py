"""What of a folder is a note. One pattern language throughout: that of .gitignore."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pathspec import GitIgnoreSpec

from libravdb.adapters.folders.settings import WatchSettings
from libravdb.errors import InvalidInput

MAX_PATTERN_CHARS = 1_000
_STARS = re.compile(r"\*+")


@dataclass(frozen=True)
class Selection:
    """Which files count, by the patterns of the settings; `core` names those whose rules bind.

    A file called AGENTS.md is a note like any other unless `core` names it: a folder may hold what others wrote, a
    cloned repository for example, and their rules must not enter every prompt unasked.
    """

    settings: WatchSettings

    def __post_init__(self) -> None:
        for name in ("include", "exclude", "core"):
            compile_patterns(getattr(self.settings, name), name=name)

    @cached_property
    def _included(self) -> tuple[GitIgnoreSpec, GitIgnoreSpec]:
        """Patterns for names and for paths. `*.md` means files of that name, not all that lies in a folder of it."""
        if any(pattern.startswith("!") for pattern in self.settings.include):
            return compile_patterns((), name="include"), compile_patterns(self.settings.include, name="include")
        names = tuple(pattern for pattern in self.settings.include if "/" not in pattern.removeprefix("**/"))
        paths = tuple(pattern for pattern in self.settings.include if pattern not in names)
        return compile_patterns(names, name="include"), compile_patterns(paths, name="include")

    @cached_property
    def _excluded(self) -> GitIgnoreSpec:
        return compile_patterns(self.settings.exclude, name="exclude")

    @cached_property
    def _core(self) -> GitIgnoreSpec:
        return compile_patterns(self.settings.core, name="core")

    def wants(self, relative: str) -> bool:
        """Whether a file belongs here by its name; its folders are not looked at."""
        names, paths = self._included
        is_included = names.match_file(relative.rpartition("/")[2]) or paths.match_file(relative)
        return is_included and not self._excluded.match_file(relative)

    def enters(self, relative: str) -> bool:
        """Whether a folder is looked into."""
        return not self._excluded.match_file(f"{relative}/")

    def concerns(self, relative: str) -> bool:
        """Whether a change at a path can matter: nothing on the way to it is excluded by name."""
        parts = relative.split("/")
        folders = ("/".join(parts[:end]) for end in range(1, len(parts)))
        return all(self.enters(folder) for folder in folders) and not (
            self._excluded.match_file(relative) and parts[-1] != ".gitignore"
        )

    def is_core(self, relative: str) -> bool:
        """Whether the user asked that this file's rules bind."""
        return bool(self.settings.core) and self._core.match_file(relative)


def compile_patterns(patterns: Sequence[str], *, name: str) -> GitIgnoreSpec:
    """Patterns ready to match; one that makes no sense is refused by name."""
    for pattern in patterns:
        problem = fault_of(pattern)
        if problem:
            raise InvalidInput(name, f"{pattern[:80]!r} {problem}", remedy="Write it as in a .gitignore file.")
    return GitIgnoreSpec.from_lines(patterns)


def fault_of(pattern: str) -> str:
    """Why a pattern is not taken; empty when it is.

    Patterns become regular expressions, and each further star multiplies the time that a hostile name can cost. Three
    in one part of a path and two `**` are more than people write.
    """
    parts = pattern.split("/")
    if len(pattern) > MAX_PATTERN_CHARS:
        return f"has more than {MAX_PATTERN_CHARS} characters"
    if any(len(_STARS.findall(part)) > 3 for part in parts) or sum("**" in part for part in parts) > 2:
        return "has too many stars"
    if any(mark in pattern.partition("[")[2] for mark in ("[", "--", "&&", "||", "~~")):
        return "has brackets inside brackets"  # regular expressions reserve these for set operations
    try:
        GitIgnoreSpec.from_lines([pattern])
    except (ValueError, re.error) as error:
        return f"is not a pattern ({error})"
    return ""


@dataclass(frozen=True, slots=True)
class Ignored:
    """The .gitignore files met on the way from the watched folder down; the deepest that says something decides."""

    layers: tuple[tuple[int, GitIgnoreSpec], ...] = ()

    def with_file(self, folder: str, content: bytes) -> Ignored:
        """One more, found in this folder. A line that makes no sense is skipped, as git does."""
        lines = (line for line in content.decode("utf-8", "replace").splitlines() if line and line[0] != "#")
        sound = [line for line in lines if not fault_of(line)]
        return Ignored((*self.layers, (len(folder) + 1, GitIgnoreSpec.from_lines(sound)))) if sound else self

    def covers(self, path: str, *, is_folder: bool = False) -> bool:
        """Whether the path is ignored."""
        for start, spec in reversed(self.layers):
            said = spec.check_file(path[start:] + "/" * is_folder).include
            if said is not None:
                return said
        return False
