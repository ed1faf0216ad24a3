"""An expression that is compiled when it is first needed: a table of hundreds costs nothing to import."""

from __future__ import annotations

import re
from collections.abc import Iterator


class LazyPattern:
    """Like a compiled expression, and made of it at its first use."""

    __slots__ = ("_compiled", "_flags", "pattern")

    def __init__(self, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self.pattern = pattern
        self._flags = flags
        self._compiled: re.Pattern[str] | None = None

    def compiled(self) -> re.Pattern[str]:
        """The expression itself."""
        if self._compiled is None:
            self._compiled = re.compile(self.pattern, self._flags)
        return self._compiled

    def search(self, text: str) -> re.Match[str] | None:
        """The first place where it matches."""
        return self.compiled().search(text)

    def match(self, text: str) -> re.Match[str] | None:
        """The match at the beginning."""
        return self.compiled().match(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """The match of the whole text."""
        return self.compiled().fullmatch(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Every place where it matches."""
        return self.compiled().finditer(text)
